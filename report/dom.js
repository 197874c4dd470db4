// Elements without markup: every text from the data is inserted as text.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, action] of Object.entries(value)) element.addEventListener(event, action);
    } else if (name === 'style') {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

// A name from the data, isolated from the reading direction of the text around it.
export const name = (text, kind) => h('bdi', {class: kind ? `name ${kind}` : 'name'}, text === '' ? '(empty)' : text);

// A class in a sentence: "ill"; but "stroke = 1" for a class that is a number.
export function className({target, classes}, c) {
  const text = classes[c];
  return name(text.trim() !== '' && Number.isFinite(Number(text)) ? `${target} = ${text}` : text);
}

export function replace(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

export const byId = (id) => document.getElementById(id);

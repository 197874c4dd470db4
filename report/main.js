// Builds the page from the data in it.
import {classColours} from './chart.js';
import {byId, replace} from './dom.js';
import {Engine} from './engine.js';
import {markRule, showRules} from './rules.js';
import {Data, Rows} from './rows.js';
import {Evidence} from './threshold.js';
import {showSummary} from './summary.js';
import {showVocabulary} from './vocabulary.js';
import {WhatIf} from './whatif.js';

// Light or dark: as the system is set, until the reader chooses.
function setUpTheme() {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  try {
    chosen = localStorage.getItem('frr-theme');
  } catch {
    // Some browsers store nothing for a local file.
  }
  const show = () => {
    const dark = chosen ? chosen === 'dark' : system.matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    button.setAttribute('aria-pressed', String(dark));
  };
  button.addEventListener('click', () => {
    chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('frr-theme', chosen);
    } catch {
      // The choice lasts until the page is closed.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}

function main() {
  setUpTheme();
  const model = JSON.parse(byId('frr-data').textContent);
  const engine = new Engine(model);
  const colours = classColours(model);
  const data = new Data(model);
  // Through the address, so that Back works; and directly, if the address is already that one.
  const go = (id) => {
    window.location.hash = id;
    byId(id).scrollIntoView({block: 'start'});
  };
  showSummary(byId('summary'), model, engine);
  showVocabulary(byId('vocabulary'), model, colours);
  const whatIf = new WhatIf(byId('whatif'), model, engine, colours, data);
  const rows = new Rows(byId('rows'), model, engine, colours, data, (index) => {
    whatIf.takeRow(index);
    go('whatif');
    byId('decision').focus({preventScroll: true});
  });
  const evidence = new Evidence(byId('evidence'), model, data, rows);
  if (!evidence.available) document.querySelector('nav a[href="#evidence"]').remove();
  showRules(byId('rules'), model, engine, colours, (rule) => {
    if (rows.rule === rule) {
      rows.clear();
      return markRule(null);
    }
    rows.onlyRule(rule);
    markRule(rule);
    go('rows');
    byId('rows-title').focus({preventScroll: true});
  });
  byId('rows').addEventListener('change', () => markRule(rows.rule));
  byId('filter-none').addEventListener('click', () => markRule(null));
  byId('print').addEventListener('click', () => window.print());
  // Collapsed parts cannot be opened on paper.
  const closed = () => [...document.querySelectorAll('details:not([open])')];
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = closed();
    opened.forEach((details) => details.setAttribute('open', ''));
  });
  window.addEventListener('afterprint', () => opened.forEach((details) => details.removeAttribute('open')));
  replace(byId('footer'), `Made by FRR ${model.program}. Everything on this page is computed in the browser, from the rules and rows that it contains; nothing is sent anywhere.`);
}

main();

"""Any names from the data are shown unchanged, and nothing in them runs."""

import json
import re
from pathlib import Path

import cases
import pytest
from program import Case, report, write_table
from test_look import BEYOND

NAMES = [
    "<script>window.pwned=1;alert(1)</script>",
    "</script><img src=x onerror=\"window.pwned=2;alert(2)\">",
    "</noscript></pre><svg onload=window.pwned=3>",
    "</title></style><iframe srcdoc='<script>parent.pwned=4</script>'>",
    "<!--<script>",
    "--> ]]> <![CDATA[",
    "a \"b\" 'c' `d`",
    "&amp; &lt;b&gt; &#60;",
    "{{data}} {{script}} {{title}} ${1+1}",
    "javascript:window.pwned=5",
    "größer als 5 µg – naïve, 中文, العربية, עברית",
    "👩‍⚕️👍🏽 𝒳",
    "\u202egnirts desrever\u202c \u2067right to left\u2069",
    "\u202eunclosed override",
    "line\nbreak",
    "tab\there, carriage\r\nreturn",
    "x" * 300,
    "long and with blanks " * 40,
    "\u2028\u2029\u200b\ufeffinvisible",
    "\\u003cscript\\u003e \\n \\",
    "%3Cscript%3E ?a=b#c",
    "..",
]


def column_name(text: str) -> str:
    """A name as the program reads it from the header: on one line."""
    return " ".join(filter(None, (part.strip(" ") for part in re.split(r"[\n\r\t]", text))))


COUNT = len(NAMES)
NUMERIC = [f"n{i} {name}" for i, name in enumerate(NAMES)]
NAMED = [f"c{i} {name}" for i, name in enumerate(NAMES)]
CLASSES = [f"{i} {name}".strip() for i, name in enumerate(NAMES)]
LABELS = [f"l{i} {name}" for i, name in enumerate(NAMES)]
CATEGORIES = [f"v{i} {name}".strip() for i, name in enumerate(NAMES)]
TARGET = "target " + " ".join(NAMES[:14])
EXTRA = f"extra {NAMES[0]}"


def hostile_model(directory) -> Path:
    features, rules = {}, []
    for i, feature in enumerate(map(column_name, NUMERIC)):
        features[feature] = {
            "type": "numeric", "range": [0, 10], "spread": 10, "missing": f"m{i} {NAMES[i]}",
            "labels": {LABELS[i]: [None, None, 4, 5], f"other {i}": [4, 5, None, None]}}
        rules.append({"if": {feature: LABELS[i]}, "then": CLASSES[i], "weight": 0.9})
    for i, feature in enumerate(map(column_name, NAMED)):
        features[feature] = {"type": "categorical", "categories": [CATEGORIES[i], f"plain {i}"]}
        rules.append({"if": {feature: CATEGORIES[i]}, "then": CLASSES[-1 - i], "weight": 0.5,
                      "decides": {CLASSES[-1 - i]: 3}, "covers": 3})
    training = {"version": NAMES[0], "data": NAMES[1], "rows": 3, "epochs": 1, "train_accuracy": 50,
                "agreement": 100, "stopped_early": True, "settings": {NAMES[0]: NAMES[1]},
                "notes": NAMES}
    return cases.model_file(
        directory, "hostile", target=column_name(TARGET), classes=CLASSES, features=features,
        rules=rules, **{"else": {"then": CLASSES[0]}}, training=training)


def hostile_table(directory, file_name: str) -> Path:
    rows = []
    for i in range(COUNT):
        numbers = [1 if j == i else 9 for j in range(COUNT)]
        texts = [CATEGORIES[j] if j == i else f"unseen {NAMES[j]}".strip() if j == i + 1
                 else f"plain {j}" for j in range(COUNT)]
        rows.append([*numbers, *texts, CLASSES[i], f"shown {NAMES[i]}".strip()])
    return write_table(directory / file_name, [*NUMERIC, *NAMED, TARGET, EXTRA], rows)


def hostile(directory, file_name: str) -> Case:
    """A model and a table with only such names, one of each in every place."""
    return report("hostile", hostile_model(directory), hostile_table(directory, file_name),
                  "--folds", "0", "--show", f'"{EXTRA}"')


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> Case:
    return hostile(tmp_path_factory.mktemp("hostile"), "<img src=x onerror=alert(1)>&amp;'\".csv")


@pytest.fixture
def quiet(own, open_page):
    """Opens the page and checks at the end that nothing ran."""
    sheets = []

    def open_one(width: int = 1280, **options):
        sheets.append(open_page(own, width, **options))
        return sheets[-1]

    yield open_one
    for sheet in sheets:
        assert sheet.page.evaluate("() => window.pwned ?? null") is None
        sheet.check()


def test_names_pass_through_the_table_unchanged(own):
    assert list(own.rows[0]) == [*NUMERIC, *NAMED, TARGET, EXTRA]
    assert own.features == [column_name(name) for name in (*NUMERIC, *NAMED)]


def test_every_name_is_text(own, quiet):
    sheet = quiet()
    model = own.rules
    assert sheet.texts("h1") == [model["target"]]
    assert sheet.texts("#summary .confusion tbody th") == model["classes"]
    assert sheet.texts(".feature h3") == own.features
    assert sheet.texts(".input > label") == own.features
    assert sheet.head()[-len(own.features):] == own.features
    conditions = sheet.page.eval_on_selector_all("#rules .card .conditions li", """all => all.map(e =>
      [...e.querySelectorAll('bdi')].map(b => b.textContent))""")
    assert sorted(conditions) == sorted([[*pair] for rule in model["rules"] for pair in rule["if"].items()])
    thens = sheet.texts("#rules .card .then bdi")
    assert sorted(thens) == sorted([rule["then"] for rule in model["rules"]] + [model["else"]["then"]])
    numeric = [f for f in own.features if own.is_numeric(f)]
    labels = [[*model["features"][f]["labels"], model["features"][f]["missing"]] for f in numeric]
    assert sheet.texts(".labels dt") == sum(labels, [])
    options = [[*model["features"][f]["categories"], "another value"] for f in own.features[COUNT:]]
    assert sheet.texts(".inputs select option") == sum(options, [])
    assert sheet.texts("#filter-class option") == ["any class", *model["classes"]]
    assert sheet.texts(".notes li")[-COUNT:] == NAMES
    assert "<img src=x onerror=alert(1)>&amp;'\".csv" in sheet.page.text_content("#summary .figures")
    assert NAMES[1] in sheet.page.text_content(".making")
    assert sheet.page.title() == " ".join(f"{visible(model['target'])}: the rules that decide".split())


def visible(text: str) -> str:
    """Direction marks as escapes: a title has no element that could isolate them."""
    return re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", lambda mark: f"\\u{ord(mark[0]):04x}", text)


def test_no_hidden_character_is_in_the_file(own):
    text = own.page.read_text(encoding="utf-8")
    assert not re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", text)


def test_every_row_is_shown_and_decided(own, quiet):
    sheet = quiet()
    names = [(one.name, one.rule) for one in sheet.open_rows(list(range(1, COUNT + 1)))]
    assert names == [(one.name, one.rule) for one in own.decisions]
    assert len({name for name, _ in names}) > COUNT / 2
    for index, _, extra, decided, truth, *cells in sheet.table():
        row = list(own.rows[index].values())
        assert extra == row[-1]
        assert decided == own.decisions[index].name
        assert truth == row[-2]
        assert cells[-COUNT:] == row[COUNT:-2]


def test_nothing_runs_when_everything_is_touched(own, quiet):
    sheet = quiet()
    sheet.take(1)
    sheet.page.evaluate("""() => {
      const all = selector => [...document.querySelectorAll(selector)];
      all('details').forEach(e => { e.open = true; });
      for (const select of all('.inputs select, #rows select')) {
        select.selectedIndex = select.selectedIndex > 0 ? 0 : 1;
        select.dispatchEvent(new Event('change', {bubbles: true}));
      }
      all('#rows-head button').forEach((_, k) => all('#rows-head button')[k].click());
      all('button.select, .open, button.apply').forEach(e => e.click());
      all('input[type=checkbox]').forEach(e => e.click());
    }""")
    assert sheet.page.locator("iframe, img, main script, [onerror], [onload], svg[onload]").count() == 0


def test_nothing_runs_without_scripts_either(own, open_page):
    sheet = open_page(own, java_script_enabled=False)
    assert sheet.page.locator("iframe, img").count() == 0
    text = sheet.page.locator("noscript pre").text_content()
    for rule in own.rules["rules"]:
        for feature, label in rule["if"].items():
            # The rules as text show invisible characters as escapes.
            if (feature + label).isprintable():
                assert f"{feature} IS {label}" in text


# Every name of a value now also appears among the changes.
CHANGE_ALL = """() => {
  for (const select of document.querySelectorAll('.inputs select')) {
    select.value = select.value === '0' ? 'other' : '0';
    select.dispatchEvent(new Event('change', {bubbles: true}));
  }
  for (const details of document.querySelectorAll('details')) details.open = true;
}"""


@pytest.mark.parametrize("width", [360, 1280])
def test_no_name_makes_the_page_wider_than_the_window(own, quiet, width):
    sheet = quiet(width)
    for number in (1, 4, 14, 17, 18):
        sheet.take(number)
        sheet.page.evaluate(CHANGE_ALL)
        assert sheet.overflow() <= 0, NAMES[number - 1]
        assert sheet.page.evaluate(BEYOND) == [], NAMES[number - 1]


def test_a_reversed_name_does_not_affect_the_text_around_it(own, quiet):
    """Every name is isolated: text after an unclosed direction override reads from left to right."""
    sheet = quiet()
    sheet.take(14)
    sheet.page.evaluate(CHANGE_ALL)
    bare = sheet.page.evaluate("""() => {
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!walker.currentNode.data.includes('\\u202eunclosed')) continue;
        if (parent.closest('bdi, option, script, noscript, text, .notes, title')) continue;
        found.push(parent.outerHTML.slice(0, 100));
      }
      return found;
    }""")
    assert bare == []


def test_no_name_ends_the_data_of_the_page(own):
    html = own.page.read_text(encoding="utf-8")
    data = html.split('<script type="application/json" id="frr-data">')[1].split("</script>")[0]
    assert "<" not in data
    assert json.loads(data)["classes"] == own.classes
    assert html.count("<script") == 2

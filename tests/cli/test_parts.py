"""frr predict reads its data in parts; the result does not depend on where they end."""

import json

import pytest

PART = 4096



def model(frr, semantics: str = "sufficient") -> None:
    """A model with labels for x below and above 0 and for c = a. Each of its three rules decides some rows."""
    rows = [f"{x},{c},{'yes' if x > 0 or c == 'a' else 'no'}"
            for x in (-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2) for c in "abc" for _ in range(6)]
    frr.write("train.csv", "x,c,class\n" + "\n".join(rows) + "\n")
    frr("train", "train.csv", "-o", "model.json", "--rules", 4, "--semantics", semantics,
        "--epochs", 20).ok()
    used = json.loads((frr.directory / "model.json").read_text())["rules"]
    assert {name for rule in used for name in rule["if"]} == {"x", "c"}


def lines(count: int) -> list[str]:
    return [f"{(i * 37 % 101) / 25 - 2},{'abc'[i * 7 % 3]}" for i in range(count)]


def predict(frr, text: str | bytes, *options) -> list[str]:
    frr.write("data.csv", text)
    return frr("predict", "model.json", "data.csv", *options).ok().out.splitlines()[1:]


@pytest.mark.parametrize("semantics", ("sufficient", "additive"))
def test_every_row_gets_the_same_decision_alone_and_among_others(frr, semantics):
    model(frr, semantics)
    rows = lines(2 * PART + 1)
    alone = {row: predict(frr, "x,c\n" + row) for row in sorted(set(rows))[::7]}
    for count in (1, PART - 1, PART, PART + 1, 2 * PART + 1):
        found = predict(frr, "x,c\n" + "\n".join(rows[:count]) + "\n")
        assert len(found) == count
        for row, answer in zip(rows, found):
            if row in alone:
                assert [answer] == alone[row]


def test_line_ends_and_quotes_do_not_matter(frr):
    model(frr)
    rows = lines(PART + 500)
    plain = predict(frr, "x,c\n" + "\n".join(rows))
    assert predict(frr, "x,c\r\n" + "\r\n".join(rows) + "\r\n") == plain
    assert predict(frr, "x,c\r" + "\r".join(rows)) == plain
    assert predict(frr, "x,c\n" + "\n\n".join(rows) + "\n\n\n") == plain
    assert predict(frr, b"\xef\xbb\xbfx,c\n" + "\n".join(rows).encode()) == plain
    quoted = ['"{}","{}"'.format(*row.split(",")) for row in rows]
    mixed = [quoted[i] if i % 3 == 0 else rows[i] for i in range(len(rows))]
    assert predict(frr, "x,c\n" + "\n".join(quoted)) == plain
    assert predict(frr, "x,c\n" + "\n".join(mixed)) == plain
    assert frr("predict", "model.json", "-", stdin="x,c\n" + "\n".join(rows)).ok() \
        .out.splitlines()[1:] == plain
    # Line ends in quotes, also across the boundaries of the parts.
    note = "two\nlines "
    pairs = [row.split(",") for row in rows]
    notes = "x,note,c\n" + "\n".join(f'{x},"{note * (i % 70)}",{c}' for i, (x, c) in
                                      enumerate(pairs))
    assert len(notes) > 1 << 20
    assert predict(frr, notes) == plain


def test_json_and_csv_have_the_same_predictions(frr):
    model(frr)
    text = "x,c\n" + "\n".join(lines(PART + 7))
    plain = predict(frr, text)
    parsed = json.loads(frr("predict", "model.json", "data.csv", "--json", "--proba").ok().out)
    assert [f"{row['prediction']},{row['probability']},{row['rule']}" for row in parsed["rows"]] \
        == plain


@pytest.mark.parametrize("fault,words", (
    ("large,a", ("column 'x'", "'large'")),
    ("inf,a", ("column 'x'", "infinite")),
    ("1", ("1 field",)),
    ('1,"a"b', ("closing quote",)),
    ('1,"a', ("never closed",)),
))
def test_an_error_in_a_late_row_leaves_no_partial_output(frr, fault, words):
    model(frr)
    frr.write("out.csv", "the old one")
    frr.write("data.csv", "x,c\n" + "\n".join([*lines(2 * PART + 10), fault]) + "\n")
    line = f"line {2 * PART + 12}"
    assert frr("predict", "model.json", "data.csv").fails(1, "data.csv", line, *words).out == ""
    frr("predict", "model.json", "data.csv", "-o", "out.csv").fails(1, "data.csv", line, *words)
    assert (frr.directory / "out.csv").read_text() == "the old one"


def test_categories_may_first_occur_in_late_rows(frr):
    model(frr)
    rows = lines(PART)
    late = ["-2,new", "-2,a", "-2,"]
    result = predict(frr, "x,c\n" + "\n".join(["-2,b"] * PART + late))
    assert result[PART:] == predict(frr, "x,c\n" + "\n".join(late))
    frr.write("data.csv", "x,c\n" + "\n".join([*rows, "-2,new"]))
    assert "'new'" in frr("predict", "model.json", "data.csv").ok().err

"""Pages that cannot be made as requested."""

import json
import shutil

import pytest
from cases import model_file, numeric_feature
from program import Case, frr, read_rows, write_rows, write_table

EPOCH = {"SOURCE_DATE_EPOCH": "1700000000"}


@pytest.fixture
def place(tmp_path, loans):
    """A folder with a model and its training data."""
    shutil.copy(loans.model, tmp_path / "model.json")
    shutil.copy(loans.data, tmp_path / "loans.csv")
    return tmp_path


def files(place) -> set[str]:
    return {path.name for path in place.iterdir()}


def rejects(place, *arguments, status: int = 1, words: tuple[str, ...] = ()) -> None:
    """The command fails with these words and leaves everything as it was."""
    before = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
    frr("report", *arguments, cwd=place).fails(status, *words)
    assert {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()} == before


def change(place, edit) -> None:
    rows = read_rows(place / "loans.csv")
    write_rows(place / "loans.csv", [edit(i, dict(row)) for i, row in enumerate(rows)])


def test_a_column_is_missing(place):
    change(place, lambda _, row: {k: v for k, v in row.items() if k != "income"})
    rejects(place, "model.json", "loans.csv", "-o", "page.html", words=("'income'", "loans.csv"))


def test_a_column_that_no_rule_reads_may_be_missing(place, open_page):
    change(place, lambda _, row: {k: v for k, v in row.items() if k != "age"})
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    assert open_page(place / "page.html").take(2).name == "ask"


def test_text_in_a_column_of_numbers(place):
    change(place, lambda i, row: {**row, "income": "much"} if i == 7 else row)
    rejects(place, "model.json", "loans.csv", "-o", "page.html",
            words=("loans.csv", "line 9", "'income'", "much"))


def test_without_the_target_the_page_leaves_accuracy_out(place, open_page):
    change(place, lambda _, row: {k: v for k, v in row.items() if k != "decision"})
    made = frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    assert "warning" in made.err
    assert "no column 'decision'" in made.err
    sheet = open_page(place / "page.html")
    summary = sheet.page.inner_text("#summary")
    assert "has no column decision" in summary
    assert "right on " not in sheet.page.inner_text("main")
    for selector in (".confusion", "#filter-right", "tr.wrong", "#evidence:not([hidden])"):
        assert sheet.page.locator(selector).count() == 0
    assert sheet.head()[:4] == ["row", "decided as", "rule", "probability"]
    assert "coloured by their predicted class" in sheet.page.inner_text("#vocabulary")
    assert len(sheet.table()) == 400
    sheet.page.locator("button.select:enabled").first.click()
    sheet.page.click("#filter-none")


def test_classes_that_the_model_does_not_know(place, open_page):
    change(place, lambda i, row: {**row, "decision": "perhaps"} if i % 4 == 0 else row)
    made = frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    assert "100 rows of loans.csv have the class 'perhaps'" in made.err
    sheet = open_page(place / "page.html")
    assert "perhaps (100 rows)" in sheet.page.inner_text("#summary")
    assert "100 rows without a class that the model knows" in sheet.page.inner_text("#summary")
    assert sum(int(text) for text in sheet.texts("#summary .confusion td") if text.isdigit()) == 300
    sheet.page.select_option("#filter-right", "0")
    wrong = {index for index, *_ in sheet.table()}
    sheet.page.select_option("#filter-right", "1")
    right = {index for index, *_ in sheet.table()}
    assert wrong | right == {i for i in range(400) if i % 4}


def test_no_class_is_known(place, open_page):
    change(place, lambda i, row: {**row, "decision": "perhaps"})
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    sheet = open_page(place / "page.html")
    assert "400 rows without a class that the model knows" in sheet.page.inner_text("#summary")
    assert sheet.page.locator(".confusion").count() == 0
    assert "right on " not in sheet.page.inner_text("main")


def test_an_absent_folder(place):
    rejects(place, "model.json", "loans.csv", "-o", "nowhere/page.html", words=("nowhere",))
    assert files(place) == {"model.json", "loans.csv"}


def test_a_folder_instead_of_a_file(place):
    (place / "folder").mkdir()
    rejects(place, "model.json", "loans.csv", "-o", "folder", words=("folder",))
    assert list((place / "folder").iterdir()) == []


def test_a_folder_without_write_permission(place):
    sealed = place / "sealed"
    sealed.mkdir()
    sealed.chmod(0o500)
    try:
        try:
            (sealed / "try").touch()
            (sealed / "try").unlink()
            pytest.skip("this user may write everywhere")
        except PermissionError:
            rejects(place, "model.json", "loans.csv", "-o", "sealed/page.html", words=("sealed",))
    finally:
        sealed.chmod(0o700)


def test_a_full_disk(place):
    rejects(place, "model.json", "loans.csv", "-o", "/dev/full", words=("/dev/full",))


def test_inputs_are_never_overwritten(place):
    (place / "folds.txt").write_text("1\n" * 200 + "2\n" * 200)
    for name in ("loans.csv", "./loans.csv", "model.json", "folds.txt"):
        rejects(place, "model.json", "loans.csv", "-o", name, "--folds", "folds.txt", status=2)


def test_an_older_page_stays_when_the_new_one_fails(place):
    (place / "page.html").write_text("the old one")
    change(place, lambda i, row: {**row, "income": "much"} if i == 7 else row)
    rejects(place, "model.json", "loans.csv", "-o", "page.html")
    assert (place / "page.html").read_text() == "the old one"


@pytest.mark.parametrize("content", ["", "income,age,debt,work,home,decision\n"])
def test_no_rows(place, content):
    (place / "loans.csv").write_text(content)
    rejects(place, "model.json", "loans.csv", "-o", "page.html", words=("loans.csv",))


def test_absent_files(place):
    rejects(place, "nowhere.json", "loans.csv", "-o", "page.html", words=("nowhere.json",))
    rejects(place, "model.json", "nowhere.csv", "-o", "page.html", words=("nowhere.csv",))
    rejects(place, "loans.csv", "loans.csv", "-o", "page.html", words=("loans.csv",))


def test_both_from_standard_input(place):
    rejects(place, "-", "-", "-o", "page.html", status=2, words=("standard input",))


def page_facts(path) -> dict:
    html = path.read_text(encoding="utf-8")
    return json.loads(html.split('id="frr-data">')[1].split("</script>")[0])


def test_folds(place, open_page):
    (place / "own.txt").write_text("".join(f"{i % 4 + 1}\n" for i in range(400)))
    for options, expected in ((("--folds", "3"), 3), (("--folds", "own.txt"), 4), ((), 5)):
        frr("report", "model.json", "loans.csv", "-o", "page.html", *options, cwd=place).ok()
        validation = page_facts(place / "page.html")["validation"]
        assert validation["folds"] == expected
        assert 60 < validation["accuracy"] < 95
    summary = open_page(place / "page.html").page.inner_text("#summary")
    assert f"{validation['accuracy']:.1f} %\nright on unseen rows" in summary
    assert "cross-validation with 5 folds" in summary


def test_no_folds(place, open_page):
    frr("report", "model.json", "loans.csv", "-o", "page.html", "--folds", "0", cwd=place).ok()
    assert "folds" not in page_facts(place / "page.html")["validation"]
    summary = open_page(place / "page.html").page.inner_text("#summary")
    assert "Not cross-validated because of --folds 0." in summary
    assert "right on unseen rows" not in summary


def test_cross_validation_is_that_of_the_program(place):
    actual = json.loads(frr("cv", "loans.csv", "--folds", "3", "--json", "--quiet", cwd=place).ok().out)
    frr("report", "model.json", "loans.csv", "-o", "page.html", "--folds", "3", cwd=place).ok()
    validation = page_facts(place / "page.html")["validation"]
    assert validation["accuracy"] == pytest.approx(actual["mean"]["accuracy"], abs=1e-9)


@pytest.mark.parametrize("folds", ["1", "-2", "2.5x", "nowhere.txt", "1000"])
def test_impossible_folds(place, folds):
    before = files(place)
    result = frr("report", "model.json", "loans.csv", "-o", "page.html", "--folds", folds, cwd=place)
    result.fails(result.status, folds)
    assert result.status in (1, 2)
    assert files(place) == before


def test_other_rows_are_not_cross_validated_unless_asked(place, open_page):
    change(place, lambda i, row: {**row, "decision": "ask"} if i < 50 else row)
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    facts = page_facts(place / "page.html")
    assert not facts["data"]["same"]
    assert "folds" not in facts["validation"]
    summary = open_page(place / "page.html").page.inner_text("#summary")
    assert "the model was not trained on this table" in summary


def test_shown_columns(place, open_page):
    change(place, lambda i, row: {"name": f"Person, no. {i}", "ward \"7\"": ["A", ""][i % 2], **row})
    frr("report", "model.json", "loans.csv", "-o", "page.html", "--folds", "0",
        "--show", 'name,"ward ""7"""', "--show", "age", cwd=place).ok()
    sheet = open_page(place / "page.html")
    assert sheet.head()[:5] == ["row", "name", 'ward "7"', "age", "decided as"]
    rows = read_rows(place / "loans.csv")
    table = sheet.table()
    assert len(table) == 400
    for index, _, name, ward, age, *_ in table:
        assert name == f"Person, no. {index}"
        assert ward == ("–" if index % 2 else "A")
        assert float(age) == float(rows[index]["age"])


def test_an_absent_shown_column(place):
    rejects(place, "model.json", "loans.csv", "-o", "page.html", "--show", "nam", words=("'nam'",))


def test_the_same_input_gives_the_same_bytes(place):
    pages = []
    for name in ("one.html", "two.html"):
        frr("report", "model.json", "loans.csv", "-o", name, cwd=place, **EPOCH).ok()
        pages.append((place / name).read_bytes())
    assert pages[0] == pages[1]
    assert b"2023-11-14 22:13" in pages[0]


def test_to_standard_output(place):
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place, **EPOCH).ok()
    before = files(place)
    for options in (("-o", "-"), ()):
        made = frr("report", "model.json", "loans.csv", *options, cwd=place, **EPOCH).ok()
        assert made.out.encode() == (place / "page.html").read_bytes()
    assert files(place) == before


def test_data_from_standard_input(place, open_page):
    data = (place / "loans.csv").read_bytes()
    frr("report", "model.json", "-", "-o", "page.html", "--folds", "0", cwd=place, stdin=data).ok()
    assert "standard input" in open_page(place / "page.html").page.inner_text("#summary")
    model = (place / "model.json").read_bytes()
    frr("report", "-", "loans.csv", "-o", "page.html", "--folds", "0", cwd=place, stdin=model).ok()


def test_one_row(place, open_page):
    write_rows(place / "loans.csv", read_rows(place / "loans.csv")[:1])
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    sheet = open_page(place / "page.html")
    assert sheet.page.inner_text("#page-text") == "1–1 of 1 row"
    sheet.page.click("#next-row")
    assert sheet.value("#row-number") == "1"


def test_a_table_of_missing_values_only(place, open_page):
    change(place, lambda _, row: {**dict.fromkeys(row, ""), "decision": row["decision"]})
    frr("report", "model.json", "loans.csv", "-o", "page.html", cwd=place).ok()
    sheet = open_page(place / "page.html")
    assert sheet.page.inner_text("#vocabulary").count("All values are missing") >= 2
    own = Case("missing", place / "model.json", place / "loans.csv", place / "page.html", None)
    assert sheet.take(5).name == own.decisions[4].name
    sheet.page.fill("#input-0", "30")
    assert sheet.decision().rule > 0


def test_a_constant_too_large_to_add_a_half(tmp_path, open_page):
    number = 2 ** 53
    data = write_table(tmp_path / "ids.csv", ["id", "answer"], [[number, "yes"], [number, "no"]] * 5)
    model = model_file(
        tmp_path, "ids", target="answer", classes=["no", "yes"],
        features={"id": numeric_feature(number, number, number)},
        rules=[{"if": {"id": "high"}, "then": "yes", "weight": 1}], **{"else": {"then": "no"}})
    frr("report", model, data, "-o", tmp_path / "page.html").ok()
    assert open_page(tmp_path / "page.html").take(1).rule == 1

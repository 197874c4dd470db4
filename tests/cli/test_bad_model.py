"""Bad models: truncated, of another version, invalid after edits, or not matching the data."""

import json

import pytest
from conftest import BREAST_CANCER


def test_every_truncated_model_is_rejected(frr, cancer_model):
    text = cancer_model.read_text()
    for length in sorted({0, 1, 2, *range(5, len(text) - 2, len(text) // 12)}):
        frr.write("cut.json", text[:length])
        frr("rules", "cut.json").fails(1, "cut.json")


def test_not_a_model(frr):
    for content in ("{}", "[]", "null", "3", '"x"', '{"format": "other"}', "\x00\xff", "{" * 5000):
        frr.write("odd.json", content)
        frr("rules", "odd.json").fails(1, "odd.json")


def edits():
    def edit(name, change):
        return pytest.param(change, id=name)

    def feature(model):
        return model["features"]["mean radius"]

    return [
        edit("other version", lambda m: m.update(version=99)),
        edit("version as text", lambda m: m.update(version="one")),
        edit("no rules", lambda m: m.pop("rules")),
        edit("rules as text", lambda m: m.update(rules="none")),
        edit("unknown class", lambda m: m["rules"][0].update(then="purple")),
        edit("unknown feature", lambda m: m["rules"][0].update({"if": {"mean radios": "low"}})),
        edit("unknown label", lambda m: m["rules"][0].update({"if": {"mean radius": "lowish"}})),
        edit("rule without conditions", lambda m: m["rules"][0].update({"if": {}})),
        edit("weight 0", lambda m: m["rules"][0].update(weight=0)),
        edit("weight above 1", lambda m: m["rules"][0].update(weight=1.5)),
        edit("weight as text", lambda m: m["rules"][0].update(weight="1")),
        edit("negative counts", lambda m: m["rules"][0].update(decides={"benign": -4})),
        edit("unknown t-norm", lambda m: m["inference"].update(tnorm="sum")),
        edit("unknown semantics", lambda m: m["inference"].update(semantics="maybe")),
        edit("root 0", lambda m: m["inference"].update(root=0)),
        edit("no classes", lambda m: m.update(classes=[])),
        edit("class twice", lambda m: m.update(classes=["benign", "benign", "malignant"])),
        edit("unknown else", lambda m: m["else"].update(then="purple")),
        edit("descending trapezoid", lambda m: feature(m)["labels"].update(low=[4, 3, 2, 1])),
        edit("short trapezoid", lambda m: feature(m)["labels"].update(low=[1, 2, 3])),
        edit("trapezoid of text", lambda m: feature(m)["labels"].update(low=["a", 2, 3, 4])),
        edit("unknown type", lambda m: feature(m).update(type="colour")),
        edit("unknown key", lambda m: m.update(wieght=3)),
    ]


@pytest.mark.parametrize("change", edits())
def test_invalid_edits_are_rejected(frr, cancer_model, change):
    model = json.loads(cancer_model.read_text())
    change(model)
    frr.write("edited.json", json.dumps(model))
    frr("rules", "edited.json").fails(1, "edited.json")
    frr("predict", "edited.json", BREAST_CANCER, "-o", "out.csv").fails(1, "edited.json")
    assert "out.csv" not in frr.files()


def test_missing_model(frr):
    frr("rules", "none.json").fails(1, "none.json", "No such file")
    frr("predict", "none.json", BREAST_CANCER).fails(1, "none.json")


def test_data_without_a_needed_column(frr, cancer_model):
    rules = json.loads(frr("rules", cancer_model, "--json").ok().out)
    needed = rules["rules"][0]["if"][0]["feature"]
    text = BREAST_CANCER.read_text()
    frr.write("data.csv", text.replace(needed, "renamed", 1))
    frr("predict", cancer_model, "data.csv", "-o", "out.csv").fails(1, needed, "data.csv")
    frr("explain", cancer_model, "data.csv", "--row", 1).fails(1, needed)
    assert "out.csv" not in frr.files()


def test_text_where_the_model_needs_numbers(frr, cancer_model):
    rules = json.loads(frr("rules", cancer_model, "--json").ok().out)
    needed = rules["rules"][0]["if"][0]["feature"]
    lines = BREAST_CANCER.read_text().splitlines()
    position = lines[0].split(",").index(needed)
    fields = lines[6].split(",")
    fields[position] = "large"
    lines[6] = ",".join(fields)
    frr.write("data.csv", "\n".join(lines))
    frr("predict", cancer_model, "data.csv").fails(1, "data.csv", "line 7", needed, "large")


def test_columns_in_another_order_are_found_by_name(frr, cancer_model):
    lines = [line.split(",") for line in BREAST_CANCER.read_text().splitlines()]
    frr.write("data.csv", "\n".join(",".join(reversed(line)) for line in lines))
    assert frr("predict", cancer_model, "data.csv").ok().out == \
        frr("predict", cancer_model, BREAST_CANCER).ok().out


def test_a_model_without_rules_predicts_every_row(frr, cancer_model):
    model = json.loads(cancer_model.read_text())
    model["rules"] = []
    frr.write("else.json", json.dumps(model))
    out = frr("predict", "else.json", BREAST_CANCER).ok().out.splitlines()[1:]
    assert len(out) == 569
    assert all(line.startswith(model["else"]["then"] + ",") and line.endswith(",0")
               for line in out)

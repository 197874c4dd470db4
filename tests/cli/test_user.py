"""Difficulties that first-time users encountered."""

import csv
import io
import json
import random

from conftest import BREAST_CANCER


def cancer(frr):
    return frr.write("data.csv", BREAST_CANCER.read_bytes())


def test_an_output_never_replaces_an_input(frr, cancer_model):
    data = cancer(frr)
    model = frr.write("model.json", cancer_model.read_bytes())
    (frr.directory / "link.csv").symlink_to(data)
    before = data.read_bytes(), model.read_bytes()
    frr("train", "data.csv", "-o", "data.csv").fails(2, "would be overwritten")
    frr("train", "link.csv", "-o", "./data.csv").fails(2, "would be overwritten")
    frr("predict", "model.json", "data.csv", "-o", "data.csv").fails(2, "would be overwritten")
    frr("predict", "model.json", "data.csv", "-o", "model.json").fails(2, "would be overwritten")
    frr("rules", "model.json", "-o", "model.json").fails(2, "would be overwritten")
    frr("explain", "model.json", "data.csv", "--row", 1, "-o", "link.csv").fails(2, "would be overwritten")
    frr("cv", "data.csv", "-o", "data.csv").fails(2, "would be overwritten")
    assert (data.read_bytes(), model.read_bytes()) == before


def test_the_paper_preset_learns_the_built_in_data(frr):
    result = frr("cv", BREAST_CANCER, "--preset", "paper", "--json").ok()
    mean = json.loads(result.out)["mean"]
    assert mean["accuracy"] > 80  # the larger class has 63 %
    assert mean["conditions"] >= 4


def test_additive_rules_are_never_worse_than_the_most_frequent_class(frr):
    for seed in range(3):
        generator = random.Random(seed)
        rows = ["a,b,c,y"]
        for _ in range(150):
            a, b, c = (generator.random() for _ in range(3))
            rows.append(f"{a:.3f},{b:.3f},{c:.3f},{'rare' if a > 0.8 and b > 0.3 else 'common'}")
        frr.write("data.csv", "\n".join(rows) + "\n")
        share = 100 * sum(row.endswith("common") for row in rows) / 150
        frr("train", "data.csv", "--semantics", "additive", "--seed", seed, "-o", "m.json").ok()
        model = json.loads((frr.directory / "m.json").read_text())
        assert model["training"]["train_accuracy"] >= share - 1e-9


def test_the_model_records_how_the_table_was_read(frr):
    rows = "id;ward;w;x;y\n" + "".join(f"{i};{i % 3};{1 + i % 2};{i % 7};{'pn'[i % 2]}\n"
                                       for i in range(40))
    frr.write("data.csv", rows)
    frr("train", "data.csv", "--ignore", "id", "--categorical", "ward", "--weight-column", "w",
        "--delimiter", ";", "-o", "m.json").ok()
    settings = json.loads((frr.directory / "m.json").read_text())["training"]["settings"]
    assert settings["ignore"] == "id"
    assert settings["categorical"] == "ward"
    assert settings["weight-column"] == "w"
    assert settings["delimiter"] == ";"


def test_unknown_categories_give_a_warning(frr):
    frr.write("data.csv", "c,y\n" + "ja,p\nnein,n\n" * 20)
    frr.write("new.csv", "c\nja\nJa\n")
    frr("train", "data.csv", "-o", "m.json").ok()
    result = frr("predict", "m.json", "new.csv").ok()
    assert "column 'c' contains 'Ja'" in result.err
    assert "no label" in result.err


def test_a_column_of_numbers_and_text_is_categorical(frr):
    generator = random.Random(1)
    codes = [generator.choice(["1.0", "2.0", "A", "B"]) for _ in range(200)]
    frr.write("data.csv", "code,y\n" + "".join(f"{c},{'p' if c in ('1.0', 'A') else 'n'}\n"
                                               for c in codes))
    frr("train", "data.csv", "-o", "m.json").ok()
    result = frr("predict", "m.json", "data.csv").ok()
    predicted = [row["prediction"] for row in csv.DictReader(io.StringIO(result.out))]
    assert predicted == ["p" if c in ("1.0", "A") else "n" for c in codes]
    assert result.err == ""


def test_training_without_rules_gives_a_warning(frr):
    generator = random.Random(2)
    frr.write("data.csv", "x,y\n" + "".join(f"{generator.random():.3f},{'a' if i % 30 else 'b'}\n"
                                            for i in range(300)))
    result = frr("train", "data.csv", "--price", 50, "-o", "m.json").ok()
    assert "no rule was worth its conditions" in result.err
    assert "There is no rule" in frr("rules", "m.json").ok().out


def test_cv_shows_warnings_about_the_data(frr):
    frr.write("data.csv", "id,x,y\n" + "".join(f"{i},{(i * 7) % 11},{'pn'[i % 2]}\n"
                                               for i in range(40)))
    assert "counts the rows" in frr("cv", "data.csv").ok().err


def test_rows_are_counted_from_one(frr, cancer_model):
    frr("explain", cancer_model, BREAST_CANCER, "--row", -1).fails(1, "--row -1", "counted from 1")

"""docs/model.md is complete: an interpreter written from it alone prints what frr predict prints."""

import json
import random
import re
from collections import Counter

import interpreter
import pytest
from conftest import ROOT
from random_models import NUMBER_LIKE, TNORMS, random_model, random_table, unusual_cell

MODELS = 25
ROWS = 40


def compare(frr, model: dict, table: str | bytes, *options) -> list[interpreter.Answer]:
    """Every form of output, to the last digit. Both call the C library of this machine."""
    path = frr.write("model.json", json.dumps(model))
    data = frr.write("table.csv", table)
    answers = interpreter.predict_files(path, data)
    for proba in (True, False):
        printed = frr("predict", path, data, "--quiet", *options, *["--proba"][:proba]).ok().out
        assert printed == interpreter.csv_text(model, answers, proba)
    parsed = json.loads(frr("predict", path, data, "--quiet", "--json", "--proba",
                            *options).ok().out)
    assert (parsed["target"], parsed["classes"]) == (model["target"], model["classes"])
    assert parsed["rows"] == [
        {"prediction": a.prediction, "rule": a.rule,
         "probability": a.probabilities[model["classes"].index(a.prediction)],
         "probabilities": dict(zip(model["classes"], a.probabilities, strict=True))}
        for a in answers]
    return answers


@pytest.mark.parametrize("semantics", ("sufficient", "additive"))
@pytest.mark.parametrize("tnorm", TNORMS)
def test_random_models_decide_alike(frr, tnorm, semantics):
    rng = random.Random(f"{tnorm} {semantics}")
    decided = Counter()
    for _ in range(MODELS):
        model = random_model(rng, tnorm, semantics)
        answers = compare(frr, model, random_table(rng, model, ROWS))
        assert len(answers) == ROWS
        decided.update(min(answer.rule, 2) for answer in answers)
    # A check that only ever saw ELSE would prove nothing.
    assert min(decided[k] for k in (0, 1, 2)) > MODELS * ROWS // 20


def page_example() -> dict:
    page = (ROOT / "docs" / "model.md").read_text()
    return json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])


def test_the_example_of_the_page_decides_as_the_page_says(frr):
    answers = compare(frr, page_example(), "glucose,sex\n108,m\n108,f\n130,f\n")
    assert [(a.prediction, a.rule) for a in answers] == [("ill", 1), ("well", 2), ("well", 0)]
    assert answers[0].probabilities == [3 / 22, 19 / 22]
    assert answers[1].probabilities == [31 / 32, 1 / 32]
    assert answers[2].probabilities == [4 / 6, 2 / 6]

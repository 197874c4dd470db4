"""Commands on very large models and tables end in reasonable time."""

import json
import random
import resource

import pytest

FEATURES, RULES = 5000, 20_000


def limit_processor_seconds(most: int):
    """For `preexec_fn`. Unlike elapsed time, processor time does not depend on the load of the machine."""
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def test_a_thousand_classes_take_seconds(frr):
    # train takes 0.3 seconds, cv 1.6 and report 5. If each split visited every class, they would take 13, 30
    # and more than 60.
    rng = random.Random(13)
    rows = (f"{rng.random():.4f},{rng.random():.4f},{rng.randint(0, 9)},k{i % 1000}" for i in range(4000))
    frr.write("data.csv", "a,b,c,class\n" + "\n".join(rows) + "\n")
    frr("train", "data.csv", "-o", "model.json", "--threads", 1, preexec_fn=limit_processor_seconds(5)).ok()
    frr("cv", "data.csv", "--folds", 2, "--threads", 1, preexec_fn=limit_processor_seconds(15)).ok()
    frr("report", "model.json", "data.csv", "-o", "page.html", preexec_fn=limit_processor_seconds(45)).ok()


@pytest.fixture(scope="module")
def shape() -> tuple[dict, list[dict]]:
    rng = random.Random(14)
    names = [f"x{j}" for j in range(FEATURES)]
    features = {name: {"type": "numeric", "range": [0, 9], "spread": 8,
                       "labels": {"low": [None, None, 2, 4], "medium": [2, 4, 5, 7],
                                  "high": [5, 7, None, None]}} for name in names}
    # Every rule reads x0 with a different label, so there are too many pairs of lines to intersect.
    rules = [{"if": {name: rng.choice(("low", "medium", "high"))
                     for name in {"x0", *rng.sample(names, 2)}},
              "then": rng.choice(("no", "yes")), "weight": 1 - rng.random()} for _ in range(RULES)]
    return features, rules


@pytest.mark.parametrize("inference", [
    {"semantics": "sufficient", "tnorm": "product"}, {"semantics": "sufficient", "tnorm": "minimum"},
    {"semantics": "additive", "tnorm": "product"}], ids=lambda value: "-".join(value.values()))
def test_explain_ends_on_a_huge_model(frr, shape, inference):
    features, rules = shape
    model = {"format": "frr-model", "version": 2, "target": "class", "classes": ["no", "yes"],
             "inference": inference, "features": features, "rules": rules, "else": {"then": "no"}}
    if inference["semantics"] == "additive":
        model["biases"] = {"yes": 1}
    frr.write("model.json", json.dumps(model))
    rng = random.Random(1)
    frr.write("data.csv", ",".join(features) + "\n" + ",".join(f"{rng.uniform(0, 9):.3f}" for _ in features))

    result = frr("explain", "model.json", "data.csv", "--row", 1, "--json", preexec_fn=limit_processor_seconds(30)).ok()
    explanation = json.loads(result.out)
    predicted = json.loads(frr("predict", "model.json", "data.csv", "--json").ok().out)
    assert explanation["prediction"] == predicted["rows"][0]["prediction"]
    assert len(explanation["rules"]) == RULES
    assert not explanation["changes_complete"]
    text = frr("explain", "model.json", "data.csv", "--row", 1).ok().out
    assert "too large to search all changes" in text
    assert "No change of a single known value" not in text

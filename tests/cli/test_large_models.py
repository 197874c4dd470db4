"""Models far larger than a person can read: slow perhaps, but never without an end."""

import json
import random
import resource

import pytest

FEATURES, RULES = 5000, 20_000


@pytest.fixture(scope="module")
def shape() -> tuple[dict, list[dict]]:
    rng = random.Random(14)
    names = [f"x{j}" for j in range(FEATURES)]
    features = {name: {"type": "numeric", "range": [0, 9], "spread": 8,
                       "labels": {"low": [None, None, 2, 4], "medium": [2, 4, 5, 7],
                                  "high": [5, 7, None, None]}} for name in names}
    # Every rule reads x0: where all have a line of their own, pairs of lines are too many to cross.
    rules = [{"if": {name: rng.choice(("low", "medium", "high"))
                     for name in {"x0", *rng.sample(names, 2)}},
              "then": rng.choice(("no", "yes")), "weight": 1 - rng.random()} for _ in range(RULES)]
    return features, rules


@pytest.mark.parametrize("inference", [
    {"semantics": "sufficient", "tnorm": "product"}, {"semantics": "sufficient", "tnorm": "minimum"},
    {"semantics": "additive", "tnorm": "product"}], ids=lambda value: "-".join(value.values()))
def test_explain_ends_on_a_huge_model(frr, shape, inference):
    features, rules = shape
    model = {"format": "frr-model", "version": 1, "target": "class", "classes": ["no", "yes"],
             "inference": inference, "features": features, "rules": rules, "else": {"then": "no"}}
    frr.write("model.json", json.dumps(model))
    rng = random.Random(1)
    frr.write("data.csv", ",".join(features) + "\n" + ",".join(f"{rng.uniform(0, 9):.3f}" for _ in features))

    def limit() -> None:  # of processor time, which does not depend on how busy the machine is
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))

    result = frr("explain", "model.json", "data.csv", "--row", 1, "--json", preexec_fn=limit).ok()
    explanation = json.loads(result.out)
    predicted = json.loads(frr("predict", "model.json", "data.csv", "--json").ok().out)
    assert explanation["prediction"] == predicted["rows"][0]["prediction"]
    assert len(explanation["rules"]) == RULES
    assert not explanation["changes_complete"]
    text = frr("explain", "model.json", "data.csv", "--row", 1).ok().out
    assert "too large to search all changes" in text
    assert "No change of a single known value" not in text

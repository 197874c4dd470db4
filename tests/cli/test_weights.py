"""Extremely small and large weights give a model or a clear error."""

import pytest
from conftest import Program

TINY, ALMOST_NOTHING = "5e-324", "1e-320"


def write_table(frr: Program, weight_of_class: dict[str, list[str]]) -> None:
    """The class depends on whether x is above 50. The rows of a class get its weights in turn."""
    lines = ["x,z,class,w"]
    for row in range(120):
        x, label = row * 37 % 101, "high" if row * 37 % 101 > 50 else "low"
        weights = weight_of_class[label]
        lines.append(f"{x},{row * 11 % 13},{label},{weights[row % len(weights)]}")
    frr.write("data.csv", "\n".join(lines) + "\n")


OPTIONS = ((), ("--class-weight", "balanced"), ("--preset", "paper"), ("--semantics", "additive"),
           ("--augment", 0), ("--memory", "100MB"))


@pytest.mark.parametrize("options", OPTIONS)
def test_tiny_equal_weights_give_the_same_model_as_weights_of_one(frr, options):
    train = ("train", "data.csv", "--target", "class", "--weight-column", "w", *options)
    rules = []
    for weight in (TINY, "0.5"):
        write_table(frr, {"low": [weight], "high": [weight]})
        frr(*train, "-o", "model.json").ok()
        rules.append(frr("rules", "model.json").ok().out)
    assert rules[0] == rules[1]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("low,high", ((TINY, "1e100"), ("1", TINY), ("1e-46", "1"), ("1", "1e100")))
def test_a_class_with_a_tiny_total_weight_is_accepted(frr, options, low, high):
    write_table(frr, {"low": [low], "high": [high]})
    frr("train", "data.csv", "--target", "class", "--weight-column", "w", *options,
        "-o", "model.json").ok()


@pytest.mark.parametrize("options", OPTIONS)
def test_mixed_extreme_weights_give_a_model(frr, options):
    weights = [TINY, "1e100", ALMOST_NOTHING, "1e-60", "1"]
    write_table(frr, {"low": weights, "high": weights})
    frr("train", "data.csv", "--target", "class", "--weight-column", "w", *options,
        "-o", "model.json").ok()


@pytest.mark.parametrize("options", OPTIONS)
def test_a_weight_above_the_maximum_is_an_error(frr, options):
    weights = [ALMOST_NOTHING, "1e300", "1e308"]
    write_table(frr, {"low": weights, "high": weights})
    result = frr("train", "data.csv", "--target", "class", "--weight-column", "w", *options,
                 "-o", "model.json")
    assert result.status == 1
    assert "weight" in result.err and "0 to 1e100" in result.err

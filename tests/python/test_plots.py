"""Plots return axes, and need matplotlib only when they are drawn."""

import matplotlib as mpl
import numpy as np
import pytest
from conftest import BLOCK, QUICK, mixed_table, python
from frr import (
    FRRClassifier,
    FuzzyTransformer,
    plot_partition,
    plot_path,
    plot_rules,
    plot_training,
)
from sklearn.exceptions import NotFittedError

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model() -> FRRClassifier:
    return FRRClassifier(**QUICK).fit(*mixed_table())


def test_partition_by_name_and_index(model):
    names = [feature.name for feature in model.partition_]
    assert names == ["age", "region", "weight"]
    for index, name in enumerate(names):
        by_name, by_index = plot_partition(model, name), plot_partition(model, index)
        assert by_name is not by_index
        for ax in (by_name, by_index):
            assert name in (ax.get_xlabel(), ax.get_ylabel())
    assert plot_partition(model).get_xlabel() == "age"


def drawn(given: dict, at: list[float]) -> dict[str, list[float]]:
    """Membership degrees at 0 to 10, read from the lines of the plot."""
    transformer = FuzzyTransformer(partition={"x0": given}).fit([[0.0], [5.0], [10.0]])
    lines = plot_partition(transformer, "x0").get_lines()
    return {
        name: np.interp(at, line.get_xdata(), line.get_ydata()).tolist()
        for name, line in zip(given, lines, strict=True)
    }


def test_partition_draws_the_trapezoids():
    given = {"low": [None, None, 2, 4], "mid": [2, 4, 6, 8], "high": [6, 8, None, None]}
    assert drawn(given, [0, 1, 3, 4, 5, 7, 9, 10]) == {
        "low": [1, 1, 0.5, 0, 0, 0, 0, 0],
        "mid": [0, 0, 0.5, 1, 1, 0.5, 0, 0],
        "high": [0, 0, 0, 0, 0, 0.5, 1, 1],
    }


def test_partition_draws_slopes_that_reach_beyond_the_data():
    given = {"low": [None, None, -5, 5], "mid": [-5, 5, 8, 12], "high": [8, 12, None, None]}
    assert drawn(given, [0, 2.5, 5, 8, 10]) == {
        "low": [0.5, 0.25, 0, 0, 0],
        "mid": [0.5, 0.75, 1, 1, 0.5],
        "high": [0, 0, 0, 0, 0.5],
    }


def test_partition_names_its_labels(model):
    ranges = [label.name for label in model.partition_["age"].labels if label.kind == "range"]
    ax = plot_partition(model, "age")
    shown = [text.get_text() for text in ax.texts]
    assert shown == ranges
    names = {text.get_text() for text in plot_partition(model, "region").get_yticklabels()}
    assert names == {"north", "south", "west", "missing"}


def test_rules(model):
    ax = plot_rules(model)
    rules = (*model.rules_, model.rules_.otherwise)
    texts = [" ".join(text.get_text().split()) for text in ax.get_yticklabels()]
    assert texts == [str(rule) for rule in rules]
    widths = [bar.get_width() for bar in ax.patches]
    assert sum(widths) == sum(rule.support for rule in rules) == 120


def test_training(model):
    (line,) = plot_training(model).get_lines()
    np.testing.assert_array_equal(line.get_ydata(), model.loss_curve_)
    assert line.get_xdata()[0] == 1
    with pytest.raises(ValueError, match="no loss"):
        plot_training(
            FRRClassifier(advanced={"gradient": False}, augment=0).fit([[0.0], [1.0]], [0, 1])
        )


def test_path():
    X, y = mixed_table()
    estimator = FRRClassifier(augment=0, advanced={"epochs": 2}, max_rules=3)
    ax = plot_path(estimator, X, y, cv=3)
    line = ax.get_lines()[0]
    assert line.get_xdata().tolist() == [1, 2, 3]
    assert all(0 <= score <= 1 for score in line.get_ydata())
    assert not hasattr(estimator, "rules_")
    other = plot_path(estimator, X, y, cv=2, budgets=[1, 4], scoring="roc_auc", n_jobs=2)
    assert other.get_lines()[0].get_xdata().tolist() == [1, 4]
    assert other.get_ylabel() == "roc_auc"


def test_draw_on_given_axes(model):
    _, axes = plt.subplots(4)
    assert plot_partition(model, ax=axes[0]) is axes[0]
    assert plot_rules(model, ax=axes[1]) is axes[1]
    assert plot_training(model, ax=axes[2]) is axes[2]
    quick = FRRClassifier(augment=0, advanced={"epochs": 2}, max_rules=2)
    assert plot_path(quick, *mixed_table(), cv=2, ax=axes[3]) is axes[3]
    axes[0].figure.canvas.draw()


def test_odd_text_is_drawn():
    # matplotlib reads text between two dollar signs as a formula, but not after a single one.
    X = {"a $x_$ $": [1.0, 2.0, 3.0, 4.0]}
    import pandas as pd

    model = FRRClassifier(**QUICK).fit(pd.DataFrame(X), ["$\\no$", "$\\no$", "<b>", "<b>"])
    for ax in (plot_rules(model), plot_partition(model)):
        ax.figure.canvas.draw()


@pytest.mark.parametrize("plot", [plot_partition, plot_rules, plot_training])
def test_not_fitted(plot):
    with pytest.raises(NotFittedError):
        plot(FRRClassifier())


@pytest.mark.parametrize("feature", ["height", 3, -1, 1.5, None])
def test_no_such_feature(model, feature):
    with pytest.raises((ValueError, TypeError), match="age"):
        plot_partition(model, feature)


def test_no_budgets(model):
    with pytest.raises(ValueError, match="budgets"):
        plot_path(model, *mixed_table(), budgets=[])


def test_without_matplotlib():
    result = python(
        BLOCK + "import frr\n"
        "model = frr.FRRClassifier(advanced={'epochs': 2}).fit([[0.0], [1.0]], [0, 1])\n"
        "for plot in (frr.plot_rules, frr.plot_partition, frr.plot_training):\n"
        "    try: plot(model)\n"
        "    except ImportError as error: print(error)\n"
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["plots need matplotlib: pip install matplotlib"] * 3

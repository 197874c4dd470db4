"""The limits on rules and conditions hold for all options and tables."""

import re
import warnings

import numpy as np
import pandas as pd
from frr import FRRClassifier
from frr._options import ADVANCED, BASIC, OPTIONS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

# The time of a fit is proportional to these, and small values test the same.
SLOW = {"epochs": 6, "restarts": 3, "trees": 8, "augment": 300, "sweeps": 4, "grid": 30}
SMALL = {"max_rules": 20, "max_conditions": 6, "max_features": 6, "max_categories": 6}


def values(option) -> st.SearchStrategy:
    """Any value in the range of the option."""
    if option.kind == "bool":
        return st.booleans()
    if option.kind == "str":
        names = [name for name in re.split(", | or ", option.range) if name != "none"]
        if "aczel-alsina:LAMBDA" in names:
            names.remove("aczel-alsina:LAMBDA")
            names += ["aczel-alsina:1", "aczel-alsina:3.5"]
        return st.sampled_from(names)
    if ">=" in option.range:
        return st.integers(0, 2**31)
    low, high = map(
        float, re.match(r"a (?:whole )?number from (\S+) to ([^\s,]+)", option.range).groups()
    )
    high = min(high, SLOW.get(option.parameter, high), SMALL.get(option.parameter, high))
    if option.kind == "float":
        return st.floats(low, high)
    return st.integers(int(low), int(high))


# points needs additive rules and two classes: see test_decisions.py.
STRATEGIES = {o.parameter: values(o) for o in OPTIONS if o.parameter not in ("n_jobs", "points")}


@st.composite
def parameters(draw) -> dict:
    names = draw(st.lists(st.sampled_from(sorted(STRATEGIES)), unique=True, max_size=12))
    drawn = {name: draw(STRATEGIES[name]) for name in names}
    # Keeps fits short: 0 would choose many epochs.
    quick = {"augment": 0, "epochs": 2, "trees": 5} | drawn
    if quick["epochs"] == 0:
        quick["epochs"] = 1
    basic = {name: value for name, value in quick.items() if name in BASIC}
    return basic | {
        "advanced": {name: value for name, value in quick.items() if name in ADVANCED},
        "max_rules": draw(STRATEGIES["max_rules"]),
        "max_conditions": draw(STRATEGIES["max_conditions"]),
        "preset": draw(st.sampled_from(["default", "paper"])),
        "n_jobs": draw(st.sampled_from([1, 2])),
    }


@st.composite
def tables(draw) -> tuple[pd.DataFrame, np.ndarray]:
    rows = draw(st.integers(6, 60))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = {}
    for i in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["normal", "whole", "names", "few", "gaps", "huge"]))
        column = random.normal(size=rows)
        if kind == "whole":
            column = random.integers(0, 5, rows)
        elif kind == "names":
            column = random.choice(["a", "b", "c", "d"], rows)
        elif kind == "few":
            column = np.where(random.random(rows) < 0.1, 1.0, 0.0)
        elif kind == "gaps":
            column[random.random(rows) < 0.5] = np.nan
        elif kind == "huge":
            column *= 1e300
        columns[f"c{i}"] = column
    columns["any"] = random.normal(size=rows)  # a column that is never constant
    y = random.integers(0, draw(st.integers(2, 5)), rows)
    y[:2] = [0, 1]
    return pd.DataFrame(columns), y


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(parameters(), tables())
def test_limits_hold(parameters, table):
    X, y = table
    model = FRRClassifier(**parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    assert len(model.rules_) <= parameters["max_rules"]
    for rule in model.rules_:
        assert 1 <= len(rule.conditions) <= parameters["max_conditions"]
        features = [condition.feature for condition in rule.conditions]
        assert len(set(features)) == len(features)
    most = parameters["advanced"].get("max_features")
    if most:
        assert len(model.partition_) <= most
    shares = model.predict_proba(X)
    assert np.isfinite(shares).all()
    if parameters.get("class_weight") != "balanced":  # balanced classes act as costs
        np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
    if "time_limit" not in parameters:
        model.set_params(n_jobs=3 - parameters["n_jobs"])
        again = FRRClassifier(**model.get_params()).fit(X, y)
        assert again.to_json() == model.to_json()

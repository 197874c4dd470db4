"""What users hand over as y."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK
from frr import FRRClassifier
from frr._frames import whole_numbers
from frr._targets import classes_of as classes_of_shards

X = np.array([[0.0], [1.0], [8.0], [9.0]] * 5)
HALVES = np.array([0, 0, 1, 1] * 5)


def classes_of(y, **options) -> list:
    """Classes of a fit that must be right everywhere."""
    model = FRRClassifier(**QUICK).fit(X, y)
    assert model.predict(X).tolist() == np.asarray(y).ravel().tolist()
    assert model.predict(X).dtype == model.classes_.dtype
    return model.classes_.tolist()


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0, 1),
        (1, -1),
        (False, True),
        ("10", "9"),
        ("é", "z"),
        (0.0, 1.0),
        (2**40, 3),
        ("class", "x0"),
        ("ELSE", "IF a IS b"),
        ("a\0b", "a"),
        ("nan", "inf"),
    ],
)
@pytest.mark.parametrize("form", [np.array, list, pd.Series, pl.Series])
def test_labels_are_returned_unchanged(low, high, form):
    y = form([low, low, high, high] * 5)
    assert classes_of(y) == sorted([low, high])
    assert type(FRRClassifier(**QUICK).fit(X, y).rules_[0].prediction) is type(low)


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int32, ">i8", np.float32, "U5"])
def test_types_of_arrays(dtype):
    y = HALVES.astype(dtype)
    assert classes_of(y) == sorted(set(y.tolist()))


def test_strings_that_look_like_numbers_sort_as_strings():
    X = np.arange(30.0).reshape(-1, 1)
    y = np.repeat(["9", "10", "1"], 10)
    model = FRRClassifier(augment=0).fit(X, y)
    assert model.classes_.tolist() == ["1", "10", "9"]
    assert model.predict([[1.0], [15.0], [29.0]]).tolist() == ["9", "10", "1"]
    shares = model.predict_proba([[1.0], [15.0], [29.0]])
    assert shares.argmax(axis=1).tolist() == [2, 1, 0]
    scores = model.decision_function([[1.0], [15.0], [29.0]])
    assert scores.argmax(axis=1).tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(HALVES).astype("category"),
        pd.Series(HALVES.astype(str)).astype("category"),
        pd.Series(HALVES.astype(str), dtype="string"),
        pl.Series(HALVES.astype(str).tolist(), dtype=pl.Categorical),
        pl.Series(HALVES.tolist(), dtype=pl.Int8),
        pd.Series(HALVES, index=np.arange(20)[::-1]),
    ],
)
def test_series(y):
    assert [str(label) for label in classes_of(y)] == ["0", "1"]


@pytest.mark.parametrize("dtype", ["Int64", "boolean"])
def test_nullable_series(dtype):
    # The classifiers of scikit-learn convert them to floats.
    y = pd.Series(HALVES).astype(dtype)
    model = FRRClassifier(**QUICK).fit(X, y)
    assert (model.predict(X) == HALVES).all()


def test_name_of_the_target():
    for y in (pd.Series(HALVES, name="risk"), pl.Series("risk", HALVES)):
        assert FRRClassifier(**QUICK).fit(X, y).rules_.target == "risk"
    assert FRRClassifier(**QUICK).fit(X, HALVES).rules_.target == "class"
    with pytest.warns(UserWarning, match="column-vector"):
        model = FRRClassifier(**QUICK).fit(X, pd.DataFrame({"risk": HALVES}))
    assert model.rules_.target == "risk"
    with pytest.warns(UserWarning, match="column-vector"):
        model = FRRClassifier(**QUICK).fit(X, pl.DataFrame({"risk": HALVES}))
    assert model.rules_.target == "risk"
    # A feature of that name keeps it.
    model = FRRClassifier(**QUICK).fit(
        pd.DataFrame(X, columns=["risk"]), pd.Series(HALVES, name="risk")
    )
    assert model.partition_[0].name == "risk"
    assert model.rules_.target != "risk"


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y"),
        (np.zeros(20), "class"),
        (["a"] * 20, "class"),
        (np.arange(20) + 0.5, "continuous"),
        (np.where(HALVES, np.nan, 1.0), "NaN"),
        (np.where(HALVES, np.inf, 1.0), "infinity"),
        (pd.Series(["a", None] * 10), "NaN"),
        (pd.Series(["a", pd.NA] * 10, dtype="string"), "NaN|missing"),
        (pd.Series([1, None] * 10, dtype="Int64"), "NaN"),
        (pl.Series(["a", None] * 10), "NaN"),
        ([None, 1] * 10, "NaN"),
        (HALVES[:7], "inconsistent numbers of samples"),
        (np.tile(HALVES, 2), "inconsistent numbers of samples"),
        (np.c_[HALVES, HALVES], "1d"),
        (3, "shape|1d|iterable"),
        ([], "inconsistent|shape"),
        (["", "b"] * 10, "empty"),
        (np.array([1, "a"] * 10, dtype=object), "label type"),
        (np.array([1, "1"] * 10, dtype=object), "label type|same name"),
        (HALVES * 1j, "[Cc]omplex"),
        ([[1], [2, 3]] * 10, ""),
        ([{}] * 20, ""),
        (["a", "\ud800"] * 10, "Unicode|surrogate"),
    ],
)
def test_wrong_targets(y, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        FRRClassifier(**QUICK).fit(X, y)
    assert "bad_cast" not in str(caught.value)
    with pytest.raises(Exception, match="not fitted"):
        FRRClassifier().predict(X)


def test_one_row():
    with pytest.raises(ValueError, match="1 sample"):
        FRRClassifier().fit([[1.0]], [1])


def test_rare_classes_and_many_classes():
    y = np.array(["rare"] + ["a", "b"] * 9 + ["c"])
    model = FRRClassifier(**QUICK).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c", "rare"]
    assert model.predict_proba(X).shape == (20, 4)
    each = FRRClassifier(**QUICK).fit(X + np.arange(20).reshape(-1, 1) / 100, np.arange(20))
    assert each.predict_proba(X).shape == (20, 20)


LARGE = {
    "one above int64": (np.array([1, 2**63], np.uint64), np.uint64),
    "neighbours": (np.array([2**63, 2**63 + 1], np.uint64), np.uint64),
    "texts": (np.array(["1", "9223372036854775809"]), np.uint64),
    "on both sides": (np.array(["-1", "18446744073709551615"]), object),
    "beyond uint64": (np.array(["5", str(2**80)]), object),
    "small": (np.array([-1, 2**63 - 1]), np.int64),
}


@pytest.mark.parametrize("what", LARGE)
def test_large_whole_numbers_survive_a_file(what, tmp_path):
    labels, dtype = LARGE[what]
    model = FRRClassifier(**QUICK).fit(X, labels[HALVES])
    model.save(tmp_path / "model.json")
    loaded = FRRClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.dtype == dtype
    assert loaded.classes_.tolist() == sorted(int(label) for label in labels.tolist())
    expected = [int(label) for label in model.predict(X).tolist()]
    assert loaded.predict(X).tolist() == expected
    assert [rule.prediction for rule in loaded.rules_] == [
        int(rule.prediction) for rule in model.rules_
    ]


@pytest.mark.parametrize("form", ["UInt64", "category"])
def test_large_whole_numbers_of_pandas(form):
    labels = [2**63 + 1, 1]
    y = pd.Series(np.array(labels, np.uint64)[HALVES]).astype(form)
    model = FRRClassifier(**QUICK).fit(X, y)
    assert model.classes_.tolist() == sorted(labels)
    assert model.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ([], np.int64),
        ([-(2**63), 2**63 - 1], np.int64),
        ([0, 2**63], np.uint64),
        ([0, 2**64 - 1], np.uint64),
        ([-1, 2**63], object),
        ([2**64], object),
    ],
)
def test_whole_numbers_stay_exact(numbers, dtype):
    array = whole_numbers(numbers)
    assert array.dtype == dtype
    assert array.tolist() == numbers


@pytest.mark.parametrize(
    ("names", "types", "expected", "dtype"),
    [
        (
            ["9223372036854775809", "9223372036854775808", "1"],
            ["uint64", "int64"],
            [1, 2**63, 2**63 + 1],
            np.uint64,
        ),
        (["3", "-1"], ["int64", "uint64"], [-1, 3], np.int64),
        (["-1", "9223372036854775808"], ["int64", "uint64"], [-1, 2**63], object),
        (["10", "9"], ["uint8", "int8"], [9, 10], np.int16),
        (["2", "1"], ["float64", "float32"], [1.0, 2.0], np.float64),
    ],
)
def test_classes_of_shards_of_different_types(names, types, expected, dtype):
    classes, ordered = classes_of_shards(names, types, "t")
    assert classes.dtype == dtype
    assert classes.tolist() == expected
    assert sorted(ordered) == sorted(names)
    assert [float(name) for name in ordered] == [float(label) for label in expected]

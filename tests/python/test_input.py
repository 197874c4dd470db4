"""Valid and invalid X: arrays, lists, pandas and polars frames."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK, mixed_table
from frr import FRRClassifier, FuzzyTransformer
from frr._frames import booleans_of


def fit(X, y, **parameters) -> FRRClassifier:
    return FRRClassifier(**QUICK | parameters).fit(X, y)


def rule_base(model: FRRClassifier) -> dict:
    content = json.loads(model.to_json())
    return {key: content[key] for key in ("features", "rules", "else", "classes")}


def same(X, other, y, **parameters) -> None:
    """Both give the same model and the same predictions."""
    one, two = fit(X, y, **parameters), fit(other, y, **parameters)
    assert rule_base(one) == rule_base(two)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(other))


def packed(X: np.ndarray) -> np.ndarray:
    """A view whose strides are not a multiple of 8."""
    rows = np.zeros(len(X), [("pad", "u1"), ("data", "f8", (X.shape[1],))])
    rows["data"] = X
    return rows["data"]


def frozen(X: np.ndarray) -> np.ndarray:
    X = X.copy()
    X.flags.writeable = False
    return X


ARRAYS = {
    "Fortran order": np.asfortranarray,
    "rows apart": lambda X: np.repeat(X, 2, axis=0)[::2],
    "strided columns": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "packed": packed,
    "read-only": frozen,
    "big endian": lambda X: X.astype(">f8"),
    "list": lambda X: X.tolist(),
    "tuples": lambda X: tuple(map(tuple, X.tolist())),
    "objects": lambda X: X.astype(object),
    "texts": lambda X: X.astype(str),
    "long doubles": lambda X: X.astype(np.longdouble),
    "memory view": lambda X: np.array(memoryview(X)),
}


@pytest.mark.parametrize("layout", ARRAYS)
@pytest.mark.parametrize("gaps", [False, True])
def test_layouts(numbers, layout, gaps):
    X, y = numbers
    X = X.copy()
    if gaps:
        X[::5, 0] = np.nan
    other = ARRAYS[layout](X)
    same(X, other, y)
    one, two = (FuzzyTransformer().fit_transform(table) for table in (X, other))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.int64, np.uint16, ">f4"])
def test_number_types(numbers, dtype):
    X, y = numbers
    whole = (X * 10).round().astype(int).clip(-100, 100)
    if dtype == np.uint16:
        whole += 100
    whole = whole.astype(dtype)
    same(whole.astype(float), whole, y)


def test_single_precision_is_not_rounded_again(numbers):
    X, y = numbers
    X = (X / 3).astype(np.float32)
    same(X.astype(np.float64), X, y)


SPELLED = [("no", "yes"), ("false", "true"), ("FALSE", "TRUE"), ("f", "t"), ("False", "True")]


@pytest.mark.parametrize("spelled", SPELLED, ids="-".join)
def test_booleans_match_their_names_in_rules(spelled, tmp_path):
    """The program reads strings from a CSV file that pandas converts to booleans."""
    pa = pytest.importorskip("pyarrow")
    flags = np.arange(200) % 3 == 0
    texts = pd.DataFrame({"flag": np.where(flags, spelled[True], spelled[False])})
    fitted = FRRClassifier(random_state=0).fit(texts, flags)
    fitted.save(tmp_path / "model.json")
    for model in (fitted, FRRClassifier.load(tmp_path / "model.json")):
        expected = model.predict(texts)
        assert set(expected.tolist()) in ({True, False}, {"True", "False"})
        for X in (
            pd.DataFrame({"flag": flags}),
            pd.DataFrame({"flag": pd.array(flags, dtype="boolean")}),
            pd.DataFrame({"flag": flags.astype(object)}),
            pd.DataFrame({"flag": pd.Categorical(flags)}),
            pl.DataFrame({"flag": flags}),
            pa.table({"flag": flags}),
        ):
            assert model.predict(X).tolist() == expected.tolist()
    # Strings remain unchanged.
    other = pd.DataFrame({"flag": [spelled[True].swapcase()] * 3})
    assert len(set(fitted.apply(other).tolist())) == 1


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        (["yes", "no"], ("no", "yes")),
        (["T"], ("False", "T")),
        (["n"], ("n", "True")),
        (["yes", "no", "unknown"], None),
        (["x", "y"], None),
        (["yes", "y"], None),
        ([], None),
    ],
)
def test_which_categories_spell_booleans(categories, expected):
    assert booleans_of(categories) == expected


def test_bool_arrays_are_categorical(numbers):
    _, y = numbers
    X = np.array([y == 1, np.arange(len(y)) % 2 == 0]).T
    model = fit(X, y)
    assert all(feature.categorical for feature in model.partition_)
    assert {label.name for label in model.partition_[0].labels} == {"True", "False"}
    assert model.score(X, y) == 1


# ---- Frames --------------------------------------------------------------------------------------


def as_polars(table: pd.DataFrame) -> pl.DataFrame:
    return pl.DataFrame(
        {name: [None if v is None or v != v else v for v in table[name]] for name in table}
    )


PANDAS = {
    "object": lambda t: t.astype({"region": object}),
    "string": lambda t: t.astype({"region": "string"}),
    "category": lambda t: t.astype({"region": "category"}),
    "nullable": lambda t: t.astype({"age": "Int64", "weight": "Float64", "region": "string"}),
    "more categories": lambda t: t.assign(
        region=pd.Categorical(t["region"], ["south", "unused", "west", "north"])
    ),
    "single": lambda t: t.astype({"age": "float32"}),
    "other index": lambda t: t.set_index(t.index[::-1] * 7),
    "objects": lambda t: t.astype(object),
    "polars": as_polars,
    "polars categorical": lambda t: as_polars(t).with_columns(
        pl.col("region").cast(pl.Categorical)
    ),
    "polars enum": lambda t: as_polars(t).with_columns(
        pl.col("region").cast(pl.Enum(["west", "north", "unused", "south"]))
    ),
    "polars integers": lambda t: as_polars(t).with_columns(pl.col("age").cast(pl.Int16)),
    "polars decimal": lambda t: as_polars(t).with_columns(pl.col("age").cast(pl.Decimal(10, 2))),
    "polars 128 bits": lambda t: as_polars(t).with_columns(pl.col("age").cast(pl.Int128)),
    "polars in chunks": lambda t: pl.concat([as_polars(t[:50]), as_polars(t[50:])], rechunk=False),
}


@pytest.mark.parametrize("form", PANDAS)
def test_frames_of_the_same_data(mixed, form):
    table, y = mixed
    other = PANDAS[form](table)
    same(table, other, y)
    model, transformer = fit(table, y), FuzzyTransformer().fit(table)
    np.testing.assert_array_equal(model.predict(other), model.predict(table))
    np.testing.assert_array_equal(transformer.transform(other), transformer.transform(table))
    np.testing.assert_array_equal(
        FuzzyTransformer().fit_transform(other), transformer.transform(table)
    )


def test_arrays_and_lists_of_mixed_values(mixed):
    table, y = mixed
    names = ["x0", "x1", "x2"]
    renamed = table.set_axis(names, axis=1)
    one = fit(renamed, y.to_numpy())
    for other in (table.to_numpy(), table.to_numpy().tolist()):
        two = fit(other, y.to_numpy())
        assert rule_base(one) == rule_base(two)
        np.testing.assert_array_equal(two.predict(other), one.predict(renamed))


def test_kinds_of_missing_values():
    y = [0, 1, 0] * 8
    for gap in (np.nan, None, pd.NA, float("nan"), np.float32("nan")):
        table = pd.DataFrame({"n": [1.0, 2.0, gap] * 8, "c": ["u", gap, "v"] * 8}, dtype=object)
        model = fit(table, y)
        kinds = {f.name: [v.kind for v in f.labels] for f in model.partition_}
        assert kinds["n"].count("missing") == 1
        assert kinds["c"].count("missing") == 1
        assert [f.categorical for f in model.partition_] == [False, True]


@pytest.mark.parametrize(
    "column",
    [
        pd.array([True, False, None] * 8, dtype="boolean"),
        pd.Series([True, False, None] * 8, dtype=object),
        pl.Series([True, False, None] * 8),
    ],
)
def test_booleans_are_categories(column):
    table = (
        pl.DataFrame({"b": column})
        if isinstance(column, pl.Series)
        else (pd.DataFrame({"b": column}))
    )
    model = fit(table, [0, 1, 2] * 8)
    assert model.partition_[0].categorical
    assert {label.name for label in model.partition_[0].labels} == {"True", "False", "missing"}


def test_numbers_as_categories():
    y = [0, 1, 0, 1] * 6
    codes = [10, 9, 8, 7] * 6
    category = fit(pd.DataFrame({"c": pd.Categorical(codes)}), y)
    assert {v.name for v in category.partition_[0].labels} == {"10", "9", "8", "7"}
    for column in (codes, [float(code) for code in codes], pd.array(codes, dtype="Int64")):
        table = pd.DataFrame({"c": column})
        assert not fit(table, y).partition_[0].categorical
        number = fit(table, y, categorical_features=["c"])
        assert rule_base(number) == rule_base(category)
        np.testing.assert_array_equal(number.predict(table), category.predict(table))
    half = fit(pd.DataFrame({"c": [0.5, 1.0] * 12}), [0, 1] * 12, categorical_features=[0])
    assert {v.name for v in half.partition_[0].labels} == {"0.5", "1"}


@pytest.mark.parametrize(
    "given", [["k"], [1], [-2], [False, True, False], np.array([1]), ("k",), pd.Index(["k"]),
              np.array([False, True, False])],
)  # fmt: skip
def test_categorical_features(given):
    table = pd.DataFrame({"a": [1.0, 2.0] * 8, "k": [3, 4] * 8, "s": ["u", "v"] * 8})
    model = fit(table, [0, 1] * 8, categorical_features=given)
    assert [f.categorical for f in model.partition_] == [False, True, True]
    transformer = FuzzyTransformer(categorical_features=given).fit(table)
    assert [f.categorical for f in transformer.partition_] == [False, True, True]
    for none in (None, "from_dtype", [], [2]):
        kinds = [
            f.categorical for f in fit(table, [0, 1] * 8, categorical_features=none).partition_
        ]
        assert kinds == [False, False, True]


@pytest.mark.parametrize(
    "wrong",
    ["k", "auto", ["z"], [3], [-4], [True], [True] * 4, [1.5], [None], 1, object(), [[0]],
     {"k": 1.5}.values(), [True, "k"], np.array(1)],
)  # fmt: skip
@pytest.mark.parametrize("kind", [FRRClassifier, FuzzyTransformer])
def test_wrong_categorical_features(kind, wrong):
    table = pd.DataFrame({"a": [1.0, 2.0] * 4, "k": [3, 4] * 4, "s": ["u", "v"] * 4})
    with pytest.raises((ValueError, TypeError), match="categorical_features"):
        kind(categorical_features=wrong).fit(table, [0, 1] * 4)


# ---- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_are_kept_everywhere(library):
    table, y = mixed_table()
    table = table.rename(columns={"age": "Âge (années)"})
    X = table if library == "pandas" else as_polars(table)
    model = fit(X, y)
    names = ["Âge (années)", "region", "weight"]
    assert model.feature_names_in_.tolist() == names
    assert model.n_features_in_ == 3
    assert [feature.name for feature in model.partition_] == names
    used = {c.feature for rule in model.rules_ for c in rule.conditions}
    assert used
    assert used <= set(names)
    for name in used:
        assert name in model.to_text()
        assert model.to_frame()["rule"].str.contains(name, regex=False).any()
    assert {c.feature for why in model.explain(X) for c in why.changes} <= set(names)
    assert any(why.changes for why in model.explain(X))
    assert model.rules_.target == "admit"


def test_names_of_arrays(numbers):
    X, y = numbers
    model = fit(X, y)
    assert [feature.name for feature in model.partition_] == ["x0", "x1", "x2"]
    assert not hasattr(model, "feature_names_in_")
    by_number = fit(pd.DataFrame(X), y)  # columns 0, 1 and 2: no names
    assert rule_base(by_number) == rule_base(model)
    assert not hasattr(by_number, "feature_names_in_")


def test_wrong_names(numbers):
    X, y = numbers
    with pytest.raises(TypeError, match="strings"):
        fit(pd.DataFrame(X, columns=["a", 1, "c"]), y)
    with pytest.raises(ValueError, match="'a'"):
        fit(pd.DataFrame(X, columns=["a", "b", "a"]), y)
    with pytest.raises(ValueError, match="name"):
        fit(pd.DataFrame(X, columns=["a", "", "c"]), y)
    with pytest.raises(ValueError, match=r"Unicode|surrogate"):
        fit(pd.DataFrame(X, columns=["a", "\ud800", "c"]), y)
    odd = pd.DataFrame(X, columns=["a\0b", "class", " "])
    assert [f.name for f in fit(odd, y).partition_] == ["a\0b", "class", " "]


def test_columns_of_predict_must_be_those_of_fit(mixed):
    table, y = mixed
    for estimator in (fit(table, y), FuzzyTransformer().fit(table)):
        method = estimator.predict if hasattr(estimator, "predict") else estimator.transform
        for wrong in (
            table[["region", "age", "weight"]],
            as_polars(table[["weight", "age", "region"]]),
        ):
            with pytest.raises(ValueError, match="same order"):
                method(wrong)
        with pytest.raises(ValueError, match="weight"):
            method(table[["age", "region"]])
        with pytest.raises(ValueError, match="extra"):
            method(table.assign(extra=1))
        with pytest.raises(ValueError, match="2 features"):
            method(table.to_numpy()[:, :2])
        with pytest.raises(ValueError, match="age"):
            method(table.rename(columns={"age": "Age"}))
        with pytest.warns(UserWarning, match="feature names"):
            method(table.to_numpy())


# ---- Values that fit did not see -----------------------------------------------------------------


def test_new_categories_and_missing_values_at_predict():
    table = pd.DataFrame({"c": ["u", "v"] * 10, "n": np.arange(20.0)})
    model = fit(table, ["a", "b"] * 10)
    assert model.predict(table).tolist() == ["a", "b"] * 10
    odd = pd.DataFrame({"c": ["new", None, "u"], "n": [np.nan, 3.0, np.nan]})
    shares = model.predict_proba(odd)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    # No label of c is true on the first two rows, so n alone, or ELSE, decides both.
    only_n = model.predict(pd.DataFrame({"c": [None, "newer"], "n": [np.nan, 3.0]}))
    assert model.predict(odd)[:2].tolist() == only_n.tolist()
    other = odd.assign(c=pd.Categorical(odd["c"]))
    np.testing.assert_array_equal(model.predict_proba(other), shares)


def test_a_category_of_another_type_at_predict():
    table = pd.DataFrame({"c": [1, 2] * 10})
    model = fit(table, ["a", "b"] * 10, categorical_features=["c"])
    for values in ([1, 2], ["1", "2"], [1.0, 2.0], pd.Categorical([1, 2]), [np.int8(1), 2]):
        assert model.predict(pd.DataFrame({"c": values})).tolist() == ["a", "b"]


def test_text_in_a_numeric_column_at_predict(mixed):
    table, y = mixed
    model = fit(table, y)
    assert "age" in {c.feature for rule in model.rules_ for c in rule.conditions}
    for wrong in (table.astype({"age": object}), table.astype({"age": str})):
        wrong.loc[3, "age"] = "old"
        with pytest.raises(ValueError, match=r"'age'"):
            model.predict(wrong)
        with pytest.raises(ValueError, match=r"'age'"):
            FuzzyTransformer().fit(table).transform(wrong)
    with pytest.raises(ValueError, match=r"'age'"):
        model.predict(as_polars(table).with_columns(pl.lit("old").alias("age")))


def test_useless_columns(mixed):
    table, y = mixed
    plain = fit(table, y)
    for column in (np.nan, None, pd.NA, 3, "x", True):
        X = table.assign(useless=column)
        model = fit(X, y)
        assert any("'useless'" in note for note in model.notes_)
        assert [f.name for f in model.partition_] == ["age", "region", "weight"]
        assert rule_base(model) == rule_base(plain)
        np.testing.assert_array_equal(model.predict(X), plain.predict(table))
        np.testing.assert_array_equal(model.predict(X.assign(useless="new")), plain.predict(table))
    nothing = as_polars(table).with_columns(pl.Series("useless", [None] * len(y)))
    assert rule_base(fit(nothing, y)) == rule_base(plain)


@pytest.mark.parametrize("column", [np.nan, 1.0, "x"])
def test_nothing_to_learn_from(column):
    with pytest.raises(ValueError, match="'a'"):
        fit(pd.DataFrame({"a": [column] * 6}), [0, 1] * 3)

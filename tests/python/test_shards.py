"""Training on shards gives the model of FRRClassifier.fit, for any division and kind of frame."""

import decimal
import itertools
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frr import FRRClassifier, shards

pa = pytest.importorskip("pyarrow")

# Tests with more or fewer rows than are searched remain fast.
QUICK = {
    "search_rows": 1000,
    "max_rules": 5,
    "augment": 0,
    "random_state": 1,
    "advanced": {"epochs": 5},
}
ROWS = 3000


def table(rows=ROWS, seed=0):
    """Features of all kinds, and a class that depends on two of them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": random.normal(size=rows),
            "b": random.integers(0, 9, size=rows),
            "c": random.choice(["u", "v", "w"], size=rows),
            "d": random.normal(size=rows).astype(np.float32),
            "e": random.random(rows) < 0.3,
        }
    )
    X.loc[random.random(rows) < 0.05, "a"] = np.nan
    X.loc[random.random(rows) < 0.05, "c"] = None
    high = (X["a"].fillna(0) + (X["c"] == "u") > 0.5) ^ (random.random(rows) < 0.1)
    return X, pd.Series(high.to_numpy().astype(np.int64), name="y")


def whole(X, y, at=2):
    frame = X.copy()
    frame.insert(at, "y", y.to_numpy() if isinstance(y, pd.Series) else y)
    return frame


def cut(frame, *cuts):
    ends = [0, *cuts, len(frame)]
    return [frame.iloc[i:j] for i, j in itertools.pairwise(ends)]


class Asker:
    """Asks shards in random order, and gives them only the columns that the request needs."""

    def __init__(self, parts, **options):
        self.parts, self.options, self.requests = parts, options, []
        self.random = np.random.default_rng(0)

    def __call__(self, request):
        self.requests.append(request)
        answers = [
            shards.answer(request, self.needed(request, part), number, **self.options)
            for number, part in enumerate(self.parts)
        ]
        self.random.shuffle(answers)
        return shards.add([shards.add(answers[:2]), *answers[2:]])

    def needed(self, request, part):
        names = shards.columns(request)
        if not names:
            return part
        if isinstance(part, dict):
            return {name: part[name] for name in names}
        return part.select(names) if hasattr(part, "select") else part[names]


def train(parts, target="y", **params):
    return shards.train(Asker(parts), target=target, **{**QUICK, **params})


def fitted(X, y, **params):
    return FRRClassifier(**{**QUICK, **params}).fit(X, y)


# ---- The same model ------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [500, 1020, ROWS])
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_any_number_of_shards_gives_the_model_of_fit(rows, parts):
    X, y = table(rows)
    cuts = [rows * i // parts for i in range(1, parts)]
    model, expected = train(cut(whole(X, y), *cuts)), fitted(X, y)
    assert model.to_json() == expected.to_json()
    assert model.classes_.dtype == expected.classes_.dtype == np.int64
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 5
    assert model.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    assert model.loss_curve_ == expected.loss_curve_
    assert model.get_params() == expected.get_params()
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert str(model.rules_) == str(expected.rules_)


@pytest.mark.parametrize(("semantics", "refit"), [("sufficient", "worth"), ("additive", "loss")])
def test_requests_come_in_order(semantics, refit):
    X, y = table()
    asker = Asker(cut(whole(X, y), 1500))
    shards.train(asker, target="y", semantics=semantics, **QUICK)
    kinds = [shards.question(request) for request in asker.requests]
    order = ["survey", "sample", refit, "count"]
    assert set(kinds) == set(order)
    assert kinds == sorted(kinds, key=order.index)


def test_uneven_and_empty_shards_give_the_model_of_fit():
    X, y = table()
    model = train(cut(whole(X, y, 0), 0, 1, 1, 77, 2999))
    assert model.to_json() == fitted(X, y).to_json()


@pytest.mark.parametrize("rows", [500, ROWS])
def test_every_kind_of_frame_gives_the_model_of_fit(rows):
    X, y = table(rows)
    expected = fitted(X, y).to_json()
    parts = cut(whole(X, y), rows // 3)
    arrow = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]
    kinds = {
        "pyarrow": arrow,
        "batches": [t.combine_chunks().to_batches()[0] for t in arrow],
        "chunks": [pa.concat_tables([t.slice(0, 99), t.slice(99)]) for t in arrow],
        "dictionary": [
            t.set_column(3, "c", t.column("c").cast(pa.string()).dictionary_encode()) for t in arrow
        ],
        "polars": [pl.from_pandas(part) for part in parts],
        "arrays": [{name: part[name].to_numpy() for name in part} for part in parts],
        "series": [dict(part.items()) for part in parts],
        "category": [part.astype({"c": "category"}) for part in parts],
        "nullable": [part.astype({"b": "Int32", "y": "Int64", "e": "boolean"}) for part in parts],
    }
    assert kinds["dictionary"][0].schema.names == arrow[0].schema.names
    for kind, parts in kinds.items():
        assert train(parts).to_json() == expected, kind


def test_weights_in_a_column_are_sample_weights():
    for rows in (500, ROWS):
        X, y = table(rows)
        weights = np.random.default_rng(1).integers(0, 4, rows) * 0.7
        expected = FRRClassifier(**QUICK).fit(X, y, sample_weight=weights)
        frame = whole(X, y)
        frame["w"] = weights
        model = shards.train(Asker(cut(frame, rows // 2)), target="y", weight="w", **QUICK)
        assert model.to_json() == expected.to_json()
        assert "w" not in model.feature_names_in_


@pytest.mark.parametrize("rows", [500, ROWS])
def test_parameters_mean_the_same_as_in_fit(rows):
    X, y = table(rows)
    parts = cut(whole(X, y), rows // 2)
    for params in (
        {"class_weight": {0: 1.0, 1: 5.0}},
        {"class_weight": "balanced"},
        {"categorical_features": ["b", "c"]},
        {"partition": {"a": {"low": [None, None, 0, 1], "high": [0, 1, None, None]}}},
        {"semantics": "additive", "preset": "paper"},
        {"n_jobs": 2, "random_state": np.random.RandomState(3)},
    ):
        params = dict(params)
        if "random_state" in params:
            params["random_state"] = 3
        model = train(parts, **params)
        assert model.to_json() == fitted(X, y, **params).to_json(), params
    named = train(parts, categorical_features=["b"])
    assert "b" in str(named.partition_)
    np.testing.assert_array_equal(
        named.predict(X), fitted(X, y, categorical_features=["b"]).predict(X)
    )


def test_the_model_works_like_a_fitted_one(tmp_path):
    X, y = table()
    model = train(cut(whole(X, y), 1000))
    model.save(tmp_path / "model.json")
    assert FRRClassifier.load(tmp_path / "model.json").to_json() == model.to_json()
    assert model.export("sql").startswith("SELECT") or "SELECT" in model.export("sql")
    assert model.report(X, y, cv=None).startswith("<!doctype html>")
    assert len(model.explain(X[:3])) == 3
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    assert model.score(X, y) > 0.8


def test_the_sample_of_many_rows_is_that_of_fit():
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.normal(size=(200_000, 3)).astype(np.float32), columns=list("abc"))
    y = pd.Series((X["a"] + X["b"] > 0.3).to_numpy(), name="y")
    params = {"max_rules": 3, "random_state": 0, "advanced": {"epochs": 1}}
    expected = FRRClassifier(**params).fit(X, y)
    model = shards.train(Asker(cut(whole(X, y), 100_000)), target="y", **params)
    assert model.to_json() == expected.to_json()
    assert model.classes_.dtype == np.bool_


# ---- Classes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -1, 20]),
        np.array([1, 0, 2], dtype=np.uint8),
        np.array([0.0, 1.0, 3.0]),
        np.array([True, False, True]),
        np.array(["no", "yes", "10"]),
        np.array(["no", "yes", "10"], dtype=object),
    ],
)
def test_classes_have_the_type_of_the_target(labels):
    X, _ = table(600)
    y = labels[np.random.default_rng(2).integers(0, 3, 600)]
    X["a"] = np.searchsorted(np.unique(labels), y) + X["a"].fillna(0) / 9
    expected = fitted(X, y)
    columns = {name: X[name].to_numpy() for name in X}
    parts = [
        {**{n: x[i : i + 200] for n, x in columns.items()}, "class": y[i : i + 200]}
        for i in (0, 200, 400)
    ]
    model = train(parts, target="class")
    assert model.to_json() == expected.to_json()
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.classes_.dtype == expected.classes_.dtype
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))


def test_classes_of_series_have_the_type_of_fit():
    X, y = table(600)
    names = pd.Series(np.where(y, "yes", "no"), name="y")
    for target in (
        names.astype(object),
        names.astype("str"),
        names.astype("string"),
        names.astype("category"),
        y.astype("Int32"),
        y.astype("category"),
        y.astype("float32"),
        y.astype("boolean"),
        y.astype("int8"),
    ):
        frame = X.copy()
        frame["y"] = target
        model, expected = train(cut(frame, 250)), fitted(X, target)
        assert model.to_json() == expected.to_json(), target.dtype
        assert model.classes_.tolist() == expected.classes_.tolist()
        assert model.classes_.dtype == expected.classes_.dtype, target.dtype


def test_the_type_of_classes_can_be_given():
    X, y = table(600)
    parts = cut(whole(X, y.astype(float)), 100)
    assert train(parts).classes_.dtype == np.float64
    model = shards.train(Asker(parts), target="y", target_type=np.int32, **QUICK)
    assert model.classes_.dtype == np.int32
    assert model.predict(X).dtype == np.int32
    assert model.score(X, y) > 0.8


def test_integer_classes_below_and_above_2_63_stay_exact():
    X, y = table(600)
    labels = np.array([2**63 + 1, 1], np.uint64)[y]
    frame = whole(X, labels)
    expected = fitted(X, pd.Series(labels, name="y"))
    categorical = frame.assign(y=frame["y"].astype("category"))
    objects = frame.assign(y=frame["y"].astype(object))
    nullable = frame.assign(y=frame["y"].astype("UInt64"))
    arrow = [pa.Table.from_pandas(part) for part in cut(frame, 250)]
    parts = [cut(kind, 250) for kind in (frame, categorical, objects, nullable)]
    for given in (*parts, arrow):
        model = train(given)
        assert model.to_json() == expected.to_json()
        assert model.classes_.tolist() == [1, 2**63 + 1]
        assert model.classes_.dtype == np.uint64


def test_int64_in_one_shard_and_uint64_in_another():
    X, y = table(600)
    first, second = cut(whole(X, np.array([2, 1])[y]), 250)
    second = second.assign(y=np.array([2**63 + 2, 2**63 + 1], np.uint64)[y[250:]])
    model = train([first, second])
    assert model.classes_.dtype == np.uint64
    assert model.classes_.tolist() == [1, 2, 2**63 + 1, 2**63 + 2]


def test_rows_without_a_class_are_dropped():
    X, y = table(900)
    known = np.random.default_rng(3).random(900) < 0.8
    expected = fitted(X[known], y[known])
    for target in (
        y.astype(float).where(known),
        y.astype("Int64").where(known),
        y.astype(object).where(known, None),
    ):
        frame = X.copy()
        frame["y"] = target
        model = train(cut(frame, 300))
        assert len(model.rules_) == len(expected.rules_)
        assert any("have no value in the target 'y'" in note for note in model.notes_)
        kind = pd.api.types.is_float_dtype(target.dtype)
        assert model.classes_.tolist() == ([0.0, 1.0] if kind else [0, 1])
    arrow = pa.table(
        {"a": X["a"], "y": pa.array([v if k else None for v, k in zip(y, known, strict=True)])}
    )
    model = train([arrow.slice(0, 400), arrow.slice(400)])
    assert model.classes_.dtype == np.int64


def test_shards_that_disagree_about_the_target_are_an_error():
    X, y = table(600)
    first, second = cut(whole(X, y), 300)
    with pytest.raises(ValueError, match=r"'y' is of type float64 in one shard .* int64"):
        train([first, second.astype({"y": float})])
    # A shard without any class does not count.
    second = second.assign(y=np.nan)
    assert train([first, second]).classes_.dtype == np.int64


# ---- Odd columns ---------------------------------------------------------------------------------


def test_columns_of_pyarrow():
    random = np.random.default_rng(4)
    n = 400
    x = random.normal(size=n)
    table = pa.table(
        {
            "int": pa.array([None if i % 7 == 0 else int(v * 10) for i, v in enumerate(x)]),
            "half": pa.array(random.normal(size=n).astype(np.float16)),
            "decimal": pa.array([decimal.Decimal(f"{v:.2f}") for v in x]),
            "null": pa.nulls(n),
            "flag": pa.array([None if i % 9 == 0 else bool(v > 1) for i, v in enumerate(x)]),
            "large": pa.array(random.choice(["p", "q"], n), pa.large_string()),
            "numbered": pa.array(random.integers(0, 3, n)).dictionary_encode(),
            "y": pa.array(np.where(x > 0, "up", "down")),
        }
    )
    model = train([table.slice(0, 150), table.slice(150)])
    assert model.feature_names_in_.tolist() == table.schema.names[:-1]
    categorical = {feature.name for feature in model.partition_ if feature.categorical}
    assert categorical == {"flag", "large", "numbered"}
    frame = table.drop_columns(["y", "null"]).to_pandas()
    frame["null"] = np.nan
    frame["decimal"] = frame["decimal"].astype(float)
    frame["numbered"] = frame["numbered"].astype("category")
    frame = frame[table.schema.names[:-1]]
    expected = fitted(frame, pd.Series(np.where(x > 0, "up", "down"), name="y"))
    assert model.to_json() == expected.to_json()
    with pytest.raises(TypeError, match=r"'when' is of type timestamp"):
        train([table.append_column("when", pa.array(np.zeros(n, "datetime64[us]")))])


def test_numbers_in_one_shard_and_names_in_another():
    X, y = table()
    frame = whole(X, y)
    frame["m"] = [
        str(i % 4) if i < 1500 else ("x" if i % 4 == 0 else str(i % 4)) for i in range(ROWS)
    ]
    expected = train([frame]).to_json()
    first, second = cut(frame, 1500)
    assert train([first.astype({"m": int}), second]).to_json() == expected


# ---- Errors --------------------------------------------------------------------------------------


def test_errors_name_shard_and_column():
    X, y = table()
    first, second = cut(whole(X, y), 1500)
    with pytest.raises(ValueError, match=r"shard 1 has no column 'b', which shard 0 has"):
        train([first, second.drop(columns="b")])
    with pytest.raises(ValueError, match=r"shard 0 has no column 'z' \(the target\)"):
        train([first, second], target="z")
    with pytest.raises(ValueError, match=r"shard 1: column 'a' holds an infinite number in row 3"):
        train([first, second.assign(a=[0.0] * 3 + [np.inf] + [0.0] * 1496)])
    with pytest.raises(ValueError, match=r"shard 0: the weight in column 'a', row"):
        shards.train(Asker([first, second]), target="y", weight="a", **QUICK)
    with pytest.raises(ValueError, match=r"partition names the column 'z'"):
        train([first, second], partition={"z": {"l": [None, None, 0, 1], "h": [0, 1, None, None]}})
    with pytest.raises(ValueError, match=r"class_weight names the classes \[7\]"):
        train([first, second], class_weight={7: 2.0})
    with pytest.raises(ValueError, match=r"categorical_features must be 'from_dtype' or names"):
        train([first, second], categorical_features=[0])
    with pytest.raises(ValueError, match=r"'zz'"):
        train([first, second], categorical_features=["zz"])
    with pytest.raises(ValueError, match=r"max_rules must be"):
        train([first, second], max_rules=0)
    with pytest.raises(TypeError, match=r"unexpected keyword argument"):
        train([first, second], rules=3)
    with pytest.raises(TypeError, match=r"a shard must be"):
        train([first.to_numpy()])
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*'y'"):
        train(cut(whole(X, y + 0.5), 1500))
    with pytest.raises(ValueError, match=r"there are no answers"):
        train([])


def test_bad_messages_are_errors():
    X, y = table(300)
    asker = Asker([whole(X, y)])
    shards.train(asker, target="y", **QUICK)
    request = asker.requests[0]
    given = shards.answer(request, asker.parts[0], 0)
    random = np.random.default_rng(6)
    for message, call in (
        (request, lambda b: shards.answer(b, asker.parts[0], 0)),
        (request, shards.columns),
        (given, lambda b: shards.add([b])),
    ):
        for _ in range(50):
            at = int(random.integers(len(message)))
            bad = bytearray(message)
            bad[at] ^= int(random.integers(1, 256))
            with pytest.raises(ValueError, match=r"damaged|not a|version"):
                call(bytes(bad))
            with pytest.raises(ValueError, match=r"damaged|not a"):
                call(message[:at])
    with pytest.raises(ValueError, match=r"shard 0 has answered twice"):
        shards.add([given, given])
    with pytest.raises(TypeError, match="bytes"):
        shards.add(["text"])
    with pytest.raises(TypeError, match="bytes"):
        shards.train(lambda request: "text", target="y")
    with pytest.raises(ValueError, match="not an answer"):
        shards.train(lambda request: request, target="y")


def test_what_ask_raises_is_raised_unchanged():
    class WorkerLost(Exception):
        pass

    X, y = table()
    asker = Asker(cut(whole(X, y), 1000))
    for failing in range(4):
        asker.requests.clear()
        error = WorkerLost("worker 7 is gone")

        def ask(request, failing=failing, error=error):
            if len(asker.requests) == failing:
                raise error
            return asker(request)

        with pytest.raises(WorkerLost) as raised:
            shards.train(ask, target="y", **QUICK)
        assert raised.value is error
    with pytest.raises(KeyboardInterrupt):
        shards.train(lambda _: (_ for _ in ()).throw(KeyboardInterrupt), target="y")


def test_ask_runs_on_the_calling_thread_and_progress_is_reported():
    import threading

    X, y = table()
    asker = Asker(cut(whole(X, y), 1000))
    threads, calls = set(), []

    def ask(request):
        threads.add(threading.get_ident())
        return asker(request)

    shards.train(
        ask,
        target="y",
        progress=lambda *now: calls.append(now),
        **{**QUICK, "advanced": {"epochs": 3000}},
    )
    assert threads == {threading.get_ident()}
    assert calls
    assert all(0 <= now[1] <= 1 for now in calls)

    def stop(*now):
        raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        shards.train(ask, target="y", progress=stop, **{**QUICK, "advanced": {"epochs": 100000}})


WAITING = """
import time
from frr import shards
def ask(request):
    print("ready", flush=True)
    time.sleep(6000)
try:
    shards.train(ask, target="y")
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_ctrl_c_reaches_ask():
    with subprocess.Popen(
        [sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=600)[0] == "stopped\n"
            assert time.monotonic() - start < 100
        finally:
            process.kill()


def test_threads_never_change_an_answer():
    X, y = table()
    parts = cut(whole(X, y), 100)
    asker = Asker(parts)
    shards.train(asker, target="y", **QUICK)
    for request in asker.requests:
        one = shards.answer(request, asker.needed(request, parts[1]), 1)
        assert shards.answer(request, asker.needed(request, parts[1]), 1, threads=2) == one

"""Arbitrary input to frr._core and model files: errors, never a crash."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from frr import _core
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from odd import SECONDS, again, attempt, fuzz, nested, odd_texts, views

codes = st.one_of(
    hnp.arrays(np.int32, st.integers(0, 8), elements=st.integers(-3, 5)),
    hnp.arrays(np.int32, st.integers(0, 8)),
    views(),
    nested,
)
columns = st.lists(
    st.one_of(
        st.tuples(st.text(max_size=2), hnp.arrays(np.float64, 6)),
        st.tuples(
            st.text(max_size=2),
            hnp.arrays(np.int32, 6, elements=st.integers(-2, 3)),
            st.lists(st.text(max_size=2), max_size=4),
        ),
        st.tuples(st.one_of(st.text(max_size=2), odd_texts), codes),
        st.tuples(st.text(max_size=2), codes, st.lists(st.text(max_size=2), max_size=3)),
        st.tuples(),
        nested,
    ),
    max_size=4,
)
names = st.lists(st.one_of(st.text(max_size=3), odd_texts), max_size=4)
counts = st.one_of(st.just(6), st.integers(-1, 20), st.sampled_from([2**40, 2**62, 2**64]))
options = st.one_of(
    st.just([]),
    st.just([("partition", "supervised")]),
    st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=2),
    nested,
)

# Runs in a separate process, whose exit status shows whether the interpreter crashed.
CORE = """
import sys, warnings
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
import test_fuzz_bindings
test_fuzz_bindings.fuzz_core()
"""


PLAIN = ("", [], None, None, None, None, 0.0)  # no decision parameters


def core_model() -> _core.Model:
    X = [("a", np.arange(6.0)), ("b", np.array([0, 1, 0, 1, -1, 0], np.int32), ["u", "v"])]
    y = np.array([0, 1] * 3, np.int32)
    quick = [("epochs", "2"), ("augment", "0")]
    return _core.train(X, y, ["n", "y"], "t", "", "default", quick, [], None, [], PLAIN, "", None)


def fuzz_core() -> None:
    model = core_model()
    quick = [("epochs", "1"), ("augment", "0"), ("trees", "2")]
    outs = st.one_of(
        hnp.arrays(np.int64, st.just(6)),
        hnp.arrays(np.float64, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7)),
        st.just(np.empty((6, 2))),
        views(),
    )

    @fuzz(600)
    @given(columns, codes, names, st.text(max_size=2), st.one_of(st.none(), codes), nested)
    def train(X, y, classes, text, weights, odd):
        for targets in (y, np.array([0, 1, 0, 1, 0, 1], np.int32)):
            for partition in ("", text):
                attempt(
                    lambda targets=targets, partition=partition: _core.train(
                        X,
                        targets,
                        classes,
                        text,
                        text,
                        "default",
                        quick,
                        [],
                        weights,
                        [],
                        PLAIN,
                        partition,
                        None,
                    )
                )
        attempt(lambda: _core.train(X, y, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd))

    @fuzz(400)
    @given(columns, counts, st.one_of(st.none(), codes), counts, options, st.text(max_size=3))
    def partition(X, rows, y, count, options, text):
        attempt(lambda: _core.fit_partition(X, rows, y, count, options, "", 1))
        attempt(lambda: _core.fit_partition(X, rows, y, count, options, text, 2))

    @fuzz(400)
    @given(columns, outs, outs, st.one_of(st.integers(-3, 5), nested), counts)
    def decide(X, labels, out, threads, rows):
        attempt(lambda: model.predict(X, labels, out, threads))
        for method in (model.apply, model.referred, model.decision_scores, model.memberships):
            attempt(lambda method=method: method(X, out, threads))
        for positions in (labels, np.array([1, 0]), np.array([0, 0]), np.array([0, 2**40])):
            attempt(lambda at=positions: model.predict_proba(X, at, out, threads))
            attempt(lambda at=positions: model.rule_probabilities(at, out))
        if rows < 100:
            attempt(lambda: model.explain(X, rows))

    @fuzz(200)
    @given(nested, nested)
    def other(a, b):
        attempt(lambda: model.decide(a, b))
        attempt(lambda: model.decide((*PLAIN[:1], a, *PLAIN[2:]), False))
        attempt(lambda: model.decide((a, [(a, b, 1.0)], *PLAIN[2:]), True))
        for call in (_core.Model, _core.Model.__new__):
            attempt(lambda call=call: call(a))
        attempt(lambda: _core.from_json(a, b))
        attempt(lambda: _core.check_options(a, b))
        attempt(lambda: _core.Model.__new__(_core.Model).to_json())
        attempt(lambda: _core.Model.__new__(_core.Model).__setstate__(a))
        attempt(lambda: _core.Model.__new__(_core.Model).__setstate__((a, b)))

    for body in (train, partition, decide, other):
        again(body)


def survives(code: str, *arguments: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600 + 10 * SECONDS,
    )
    assert finished.returncode == 0, (finished.returncode, finished.stderr[-3000:])


def test_bindings_never_crash():
    survives(CORE, os.path.dirname(__file__))


# Found by hand. Each must be an error, and runs in a separate process.
CALLS = {
    "column without parts": "train([()], y)",
    "column without values": "train([('a',)], y)",
    "column that is not a tuple": "train([3], y)",
    "name that is not a string": "train([(3, x)], y)",
    "name that is not Unicode": "train([('\\ud800', x)], y)",
    "values of two dimensions": "train([('a', np.zeros((6, 2)))], y)",
    "codes without categories": "train([('a', y, [])], y)",
    "codes too large": "train([('a', y + 5, ['u', 'v'])], y)",
    "codes too small": "train([('a', y - 2, ['u', 'v'])], y)",
    "class too large": "train([('a', x)], y + 5)",
    "class too small": "train([('a', x)], y - 7)",
    "classes without names": "train([('a', x)], y, [])",
    "two classes with one name": "train([('a', x)], y, ['n', 'n'])",
    "target without a name": "train([('a', x)], y, target='')",
    "weights too few": "train([('a', x)], y, weights=np.ones(1))",
    "weights too large": "train([('a', x)], y, weights=np.full(6, 1e308))",
    "classes too few": "core.fit_partition([('a', np.arange(1e6))], 10**6, y, 2, placing, '', 1)",
    "partition: class too small": "core.fit_partition([('a', x)], 6, y - 10**6, 2, placing, '', 1)",
    "partition: class too large": "core.fit_partition([('a', x)], 6, y + 10**6, 2, placing, '', 1)",
    "partition: class count": "core.fit_partition([('a', x)], 6, y, 2**40, placing, '', 1)",
    "partition: rows": "core.fit_partition([], 2**62, None, 2, placing, '', 1)",
    "result of another size": "model.predict([('a', x), ('b', y, ['u'])], np.zeros(3, 'i8'),"
    " np.zeros(6, 'i8'), 1)",
    "result that is read-only": "model.apply([('a', x), ('b', y, ['u', 'v'])], frozen, 1)",
    "column twice": "model.apply([('a', x), ('a', x)], np.zeros(6, 'i8'), 1)",
    "no columns": "model.apply([], np.zeros(6, 'i8'), 1)",
}
# Each call runs in a separate fork, so that a crash does not hide other failures.
FORKS = """
import json, os, resource, signal, sys
import numpy as np
from frr import _core as core
x, y = np.arange(6.0), np.array([0, 1] * 3, np.int32)
frozen = np.zeros(6, "i8"); frozen.flags.writeable = False
placing = [("partition", "supervised")]
def train(X, y, names=("n", "y"), target="t", weights=None):
    options = [("epochs", "1"), ("augment", "0")]
    return core.train(X, y, list(names), target, "", "default", options, [], weights, [],
                      ("", [], None, None, None, None, 0.0), "", None)
model = train([("a", x), ("b", y, ["u", "v"])], y)
results = {}
for name, call in json.loads(sys.argv[1]).items():
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(5)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try:
            eval(call)
            text = "no error"
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode("utf-8", "replace")[:1000])
        os._exit(0)
    os.close(writer)
    text = os.read(reader, 1000).decode()
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    results[name] = text if status == 0 else f"ended by signal {status & 127}"
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    finished = subprocess.run(
        [sys.executable, "-c", FORKS, json.dumps(CALLS)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return json.loads(finished.stdout)


@pytest.mark.parametrize("call", CALLS)
def test_wrong_calls_of_the_bindings(call, outcomes):
    error, _, text = outcomes[call].partition(": ")
    assert error in ("ValueError", "TypeError", "MemoryError", "OverflowError"), outcomes[call]
    assert "bad_cast" not in text


# ---- Model files ---------------------------------------------------------------------------------


def changed(value, choose: random.Random):
    """`value` with one part replaced, anywhere inside."""
    odd = [None, -1, 1e308, 2**63, "", "x", [], {}, True, "\0", "\ud800", [[]], float("nan")]
    if isinstance(value, dict) and value and choose.random() < 0.9:
        key = choose.choice(sorted(value))
        if choose.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return value | {key: changed(value[key], choose)}
    if isinstance(value, list) and value and choose.random() < 0.8:
        index = choose.randrange(len(value))
        return [*value[:index], changed(value[index], choose), *value[index + 1 :]]
    return choose.choice(odd)


def test_model_files():
    original = json.loads(core_model().to_json())

    @fuzz(2000)
    @given(st.randoms(use_true_random=False), st.integers(1, 3))
    def body(choose, times):
        content = original
        for _ in range(times):
            content = changed(content, choose)
        text = json.dumps(content)
        if choose.random() < 0.2:
            text = text[: choose.randrange(len(text))] if text else text
        model = attempt(lambda: _core.from_json(text, "test"))
        if model is not None:
            out = np.empty(6, np.int64)
            X = [("a", np.arange(6.0)), ("b", np.zeros(6, np.int32), ["u", "v"])]
            attempt(lambda: model.apply(X, out, 1))
            attempt(model.to_text)
            assert attempt(lambda: _core.from_json(model.to_json(), "again")) is not None

    again(body)

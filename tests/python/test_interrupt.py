"""Long fits: Ctrl-C, the GIL, time limits and the progress bar."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from frr import FRRClassifier
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning

LONG = """
import sys, time
import numpy as np
from sklearn.exceptions import NotFittedError
from frr import FRRClassifier
random = np.random.default_rng(0)
X = random.normal(size=(20000, 20))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
model = FRRClassifier(advanced={{"epochs": 1000000}}, n_jobs={n_jobs})
if {fitted}:
    model.set_params(advanced={{"epochs": 1}}).fit(X[:200, :5], y[:200])
    model.set_params(advanced={{"epochs": 1000000}})
print("ready", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    stopped = time.monotonic()
else:
    sys.exit("was not interrupted")
for attempt in (lambda: model.predict(X[:, :5]), lambda: model.to_text()):
    try:
        attempt()
    except NotFittedError:
        print("unfitted", flush=True)
    else:
        print("earlier model", flush=True)
assert hasattr(model, "rules_") == {fitted}
assert getattr(model, "n_features_in_", None) == (5 if {fitted} else None)
print("stopped", stopped, flush=True)
# The estimator remains usable.
model.set_params(advanced={{"epochs": 1}}, augment=0).fit(X[:500], y[:500])
print("score", model.score(X[:500], y[:500]) > 0.4, flush=True)
"""


@pytest.mark.parametrize(("n_jobs", "fitted"), [(1, False), (2, True)])
def test_ctrl_c_ends_a_fit(n_jobs, fitted):
    code = LONG.format(n_jobs=n_jobs, fitted=fitted)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.0)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == 0, err
    lines = out.splitlines()
    stopped = next(line for line in lines if line.startswith("stopped"))
    assert float(stopped.split()[1]) - sent < 15  # usually a second at most
    assert lines.count("earlier model" if fitted else "unfitted") == 2
    assert "score True" in lines


FAILED = """
import signal, threading, time
import numpy as np
from frr import FRRClassifier
X = np.random.default_rng(0).normal(size=(5000, 10)); y = (X[:, 0] > 0).astype(int)
done = []
def other():
    done.append(FRRClassifier(advanced={"epochs": 20}, augment=0).fit(X, y).score(X, y))
thread = threading.Thread(target=other)
thread.start()
print("ready", flush=True)
try:
    FRRClassifier(advanced={"epochs": 1000000}).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
thread.join()
print("other", done[0] > 0.9, flush=True)
"""


def test_ctrl_c_leaves_fits_of_other_threads_alone():
    with subprocess.Popen(
        [sys.executable, "-c", FAILED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == 0, err
    assert out.splitlines() == ["interrupted", "other True"]


def test_the_gil_is_released():
    X, y = np.random.default_rng(0).normal(size=(5000, 20)), np.arange(5000) % 2
    model = FRRClassifier(advanced={"epochs": 1000000}, time_limit=1.0, augment=0)
    thread = threading.Thread(target=lambda: _quietly(model, X, y))
    count, longest, last = 0, 0.0, time.monotonic()
    thread.start()
    while thread.is_alive():
        time.sleep(0.01)
        now = time.monotonic()
        longest, last, count = max(longest, now - last), now, count + 1
    assert count > 20
    assert longest < 0.6  # the fit never blocked this thread for long
    assert hasattr(model, "rules_")


def _quietly(model, X, y):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)


def test_time_limit_warns_and_leaves_rules():
    X, y = load_breast_cancer(return_X_y=True)
    model = FRRClassifier(advanced={"epochs": 1000000}, time_limit=0.5)
    start = time.monotonic()
    with pytest.warns(ConvergenceWarning, match=r"time_limit=0\.5"):
        model.fit(X, y)
    assert time.monotonic() - start < 10
    assert model.score(X, y) > 0.8
    assert any("time" in note for note in model.notes_)


@pytest.mark.parametrize("limit", [None, 0, 1000.0])
def test_no_warning_in_time(limit, recwarn):
    FRRClassifier(time_limit=limit, advanced={"epochs": 2}, augment=0).fit(
        [[0.0], [1.0]] * 5, [0, 1] * 5
    )
    assert not [w for w in recwarn if issubclass(w.category, ConvergenceWarning)]


VERBOSE = """
import numpy as np
from frr import FRRClassifier
X = np.random.default_rng(0).normal(size=(4000, 10)); y = (X[:, 0] > 0).astype(int)
X[:, 9] = 1
FRRClassifier(advanced={{"epochs": 400}}, augment=0, verbose={verbose}).fit(X, y)
"""


def on_a_terminal(code: str) -> str:
    """The output on standard error when it is a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=follower
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.wait(600) == 0, shown
    return shown.decode()


def test_bar_on_a_terminal():
    shown = on_a_terminal(VERBOSE.format(verbose=1))
    assert "frr [" in shown
    assert "epoch" in shown
    assert "of 400" in shown
    assert shown.endswith("\r")  # the line is erased at the end
    assert shown.split("\r")[-2].strip() == ""
    assert on_a_terminal(VERBOSE.format(verbose=0)) == ""


def test_no_bar_without_a_terminal():
    for verbose in (0, 1):
        result = subprocess.run(
            [sys.executable, "-c", VERBOSE.format(verbose=verbose)],
            capture_output=True, text=True, check=True, timeout=600,
        )  # fmt: skip
        assert result.stderr == ""
        assert result.stdout == (
            "frr: column 'x9' holds the same value in every row and is left out.\n" * verbose
        )


def test_bar_in_a_notebook():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    code = """
import numpy as np
from IPython.display import DisplayHandle
from frr import FRRClassifier
shown, update = [], DisplayHandle.update
DisplayHandle.update = lambda self, bar, **more: (shown.append(bar.data), update(self, bar, **more))
X = np.random.default_rng(0).normal(size=(20000, 20))
FRRClassifier(verbose=1, advanced={"epochs": 40}).fit(X, (X[:, 0] + X[:, 1] > 0).astype(int))
print(any("<progress" in bar for bar in shown), repr(shown[-1]))
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    text = "".join(out.get("text", "") for out in notebook.cells[0].outputs)
    assert "True ''" in text, text  # the bar moved, and disappeared at the end

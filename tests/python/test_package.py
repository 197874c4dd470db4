"""The installed package."""

import inspect
import subprocess
from importlib import metadata, resources

import frr
from conftest import BLOCK, PROGRAM, python


def test_type_hints_are_installed():
    assert resources.files("frr").joinpath("py.typed").is_file()
    assert resources.files("frr").joinpath("_core.pyi").is_file()
    owned = {str(file) for file in metadata.files("frr")}
    assert "frr/py.typed" in owned


def test_versions_agree():
    program = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert program.stdout.split()[-1] == frr.__version__ == metadata.version("frr")


def test_needs_only_numpy_and_scikit_learn():
    needed = [need for need in metadata.requires("frr") if "extra ==" not in need]
    assert {need.split(">")[0].strip() for need in needed} == {"numpy", "scikit-learn"}


IMPORT = """
import time
import numpy, sklearn.base, sklearn.utils.validation, sklearn.utils.multiclass
start = time.perf_counter()
import frr
print(time.perf_counter() - start)
import sys
optional = {"pandas", "polars", "matplotlib", "IPython"}
assert not optional & set(sys.modules) - before
"""


def test_import_is_quick_and_needs_no_optional_package():
    # scikit-learn itself may import pandas if it is installed.
    code = IMPORT.replace("start =", "import sys; before = set(sys.modules)\nstart =", 1)
    results = [python(code) for _ in range(4)]
    for result in results:
        assert result.returncode == 0, result.stderr
    assert min(float(result.stdout) for result in results) < 0.3


def test_works_without_optional_packages():
    result = python(
        BLOCK + "from sklearn.datasets import load_iris\n"
        "from frr import FRRClassifier, FuzzyTransformer\n"
        "X, y = load_iris(return_X_y=True)\n"
        "model = FRRClassifier(advanced={'epochs': 5}).fit(X, y)\n"
        "print(model.score(X, y) > 0.9, len(model.explain(X[:2])), model.rules_)\n"
        "print(FuzzyTransformer().fit_transform(X).shape)\n"
        "try: model.to_frame()\n"
        "except ImportError as error: print('ImportError', error)\n"
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("True 2")
    assert "(150, 12)" in result.stdout
    assert "ImportError" in result.stdout


def test_everything_public_is_documented():
    assert sorted(frr.__all__) == sorted(set(frr.__all__))
    assert frr.__doc__
    for name in frr.__all__:
        thing = getattr(frr, name)
        if name.startswith("__"):
            continue
        assert (inspect.getdoc(thing) or "").strip(), name
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            if not member.startswith("_") and (
                inspect.isfunction(value) or isinstance(value, property | classmethod)
            ):
                assert (inspect.getdoc(getattr(thing, member)) or "").strip(), (name, member)

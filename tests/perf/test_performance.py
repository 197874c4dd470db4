"""bench/performance runs end to end on tiny sizes, and states what it could not measure."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = Path(os.environ.get("FRR_BINARY", ROOT / "build" / "frr")).resolve()
sys.path.insert(0, str(ROOT / "bench"))
from performance import figure, growth, page, profile  # noqa: E402

FIGURES = ("training step", "  against flush-to-zero", "share of SGEMM", "default fit, mean", "default fit, 2 threads",
           "fit of", "  peak memory", "exponent of fit time in features",
           "exponent of fit time in rules", "prediction of", "frr predict on", "frr --version",
           "frr train on iris", "instructions of")


def run(*options: object) -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "performance", "--program", BINARY, "--before", BINARY,
         "--quick", *map(str, options)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> tuple[str, dict, str]:
    """The output of a quick run: text, JSON, page."""
    folder = tmp_path_factory.mktemp("performance")
    text = run("--json", folder / "out.json", "--page", folder / "page.md")
    return text, json.loads((folder / "out.json").read_text()), (folder / "page.md").read_text()


def test_prints_one_line_per_figure(measured):
    text, found, _ = measured
    lines = text.splitlines()
    assert lines[0].split() == list(figure.TITLES)
    assert len(lines) == 1 + len(found["figures"])
    for name in FIGURES:
        assert any(line.startswith(name) for line in lines), name


def test_writes_the_same_figures_as_json(measured):
    text, found, _ = measured
    assert found["quick"] is True and found["machine"]
    for line, one in zip(text.splitlines()[1:], found["figures"], strict=True):
        assert line == figure.line(figure.Figure(**{key: value for key, value in one.items()
                                                    if key != "met"}))
        assert one["met"] in ("goal", "bar", "no", "-", "not measured")
        assert one["met"] != "not measured" or one["note"], "says why"


def test_writes_the_same_figures_to_a_page(measured):
    _, found, text = measured
    assert page.BEGIN in text and page.END in text
    for one in found["figures"]:
        assert one["name"].strip() in text


def test_compares_a_step_with_jax(measured):
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed (tools/setup bench)")
    step = next(one for one in measured[1]["figures"] if one["name"].startswith("training step"))
    assert step["ratio"] > 0 and "gradients differ by" in step["note"], step["note"]


def test_a_bar_is_an_upper_or_a_lower_limit():
    def met(ratio, **limits):
        return figure.Figure("name", 1, 2, ratio=ratio, **limits).met

    assert [met(x, bar=3, goal=6) for x in (2.9, 3, 6)] == ["no", "bar", "goal"]
    assert [met(x, bar=40, goal=20, at_least=False) for x in (41, 40, 20)] == ["no", "bar", "goal"]
    assert met(2) == "-"
    assert figure.missing("name", "why", 3, 6).met == "not measured"


def test_slope_of_a_power_is_its_exponent():
    assert growth.slope([10, 100, 1000], [2, 20, 200]) == pytest.approx(1)
    assert growth.slope([1, 2, 4], [3, 12, 48]) == pytest.approx(2)


def test_page_keeps_the_text_around_the_marks(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"# Title\n\n{page.BEGIN}\nold\n{page.END}\n\nMore.\n")
    page.write(path, "new\n")
    assert path.read_text() == f"# Title\n\n{page.BEGIN}\n\nnew\n\n{page.END}\n\nMore.\n"


def test_names_functions_without_types():
    assert profile.bare("void frr::Network<float>::run(frr::Batch<float> const&)") == "Network::run"
    assert profile.bare("main") == "main"


def test_reads_the_self_cost_of_each_function(tmp_path):
    path = tmp_path / "callgrind.out"
    path.write_text("events: Ir\nfn=(1) main\n1 10\n"
                    "cfn=(2) frr::(anonymous namespace)::work(int)\ncalls=3 7\n2 300\n+1 5\n\n"
                    "fn=(2)\n7 100\n* 200\nfn=(3) work'2\n9\ntotals: 315\n")
    total, counts = profile.read_callgrind(path)
    assert total == 315
    assert counts["main"] == 15 and counts["work"] == 300

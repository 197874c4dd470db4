"""The kernels take as many instructions as before, within a tenth."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import instructions  # noqa: E402


def test_kernels_take_as_many_instructions_as_expected():
    why = instructions.reason_to_skip()
    if why:
        pytest.skip(why)
    kind, counts = instructions.count_all()
    expected = instructions.load()
    if kind not in expected:
        pytest.skip(f"nothing is expected of {kind}; known: {', '.join(expected)} "
                    "(tests/perf/instructions.py --update)")
    assert not instructions.judge(counts, expected[kind])


def test_a_change_beyond_a_tenth_is_told_and_a_smaller_one_is_not():
    expected = {"collapse": 1000, "step": 1000, "polish": 1000}
    assert instructions.judge({"collapse": 1090, "step": 910, "polish": 1000}, expected) == []
    told = instructions.judge({"collapse": 1110, "step": 890, "polish": 1000}, expected)
    assert [line.split(":")[0] for line in told] == ["collapse", "step"]
    assert "+11.0%" in told[0] and "-11.0%" in told[1]

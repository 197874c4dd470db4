"""The instruction counts of the kernels stay within 10% of the expected ones."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import instructions  # noqa: E402


def test_kernels_have_the_expected_instruction_counts():
    why = instructions.reason_to_skip()
    if why:
        pytest.skip(why)
    kind, counts = instructions.count_all()
    expected = instructions.load()
    if kind not in expected:
        pytest.skip(f"no expected counts for {kind}; available: {', '.join(expected)} "
                    "(tests/perf/instructions.py --update)")
    assert not instructions.judge(counts, expected[kind])


def test_only_changes_above_ten_percent_are_reported():
    expected = {"collapse": 1000, "step": 1000, "polish": 1000}
    assert instructions.judge({"collapse": 1090, "step": 910, "polish": 1000}, expected) == []
    reported = instructions.judge({"collapse": 1110, "step": 890, "polish": 1000}, expected)
    assert [line.split(":")[0] for line in reported] == ["collapse", "step"]
    assert "+11.0%" in reported[0] and "-11.0%" in reported[1]

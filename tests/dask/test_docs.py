"""The examples of docs/how-to/dask.md run in order and print what the page says."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "dask.md"
EXAMPLE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n*^```output\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


def test_examples():
    names = {"__name__": "example"}
    examples = list(EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")))
    assert len(examples) == 3
    for example in examples:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(example["code"], str(PAGE), "exec"), names)
        assert out.getvalue() == example["output"]

"""Text from anywhere, made safe to show: the program's visible_text for messages made here."""

from __future__ import annotations

import re

# Controls, marks that change the direction of reading, line separators, and bytes of file names
# that are not UTF-8.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # how Python spells a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return _NAMED.get(found[0]) or (f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")


def visible_text(text: str) -> str:
    """The text with hidden characters as escapes, such as \\x1b and \\u202e."""
    return _HIDDEN.sub(_escape, text)


def visible_lines(text: str) -> str:
    """The same for several lines: line ends and tabs stay."""
    return _HIDDEN.sub(lambda found: found[0] if found[0] in "\n\t" else _escape(found), text)

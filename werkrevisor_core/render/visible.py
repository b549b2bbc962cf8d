"""Makes text of unknown origin visible: what a reader sees is what is there, in bounded length.

Characters without a shape of their own (controls, bidirectional overrides, zero-width characters,
fillers, odd spaces) are written as `<U+202E>`, bytes that are no UTF-8 as `\\xNN`. The result
has no line end, no surrogate and no escape sequence, so every output format may start from it.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from werkrevisor_core.patterns import lazy

PATH_LIMIT: Final = 240
"""Characters of a path that are shown; git itself allows 4,096."""
SNIPPET_LIMIT: Final = 160
"""Characters of a quoted line that are shown."""
NOTE_LIMIT: Final = 500
"""Characters of a note on one piece of evidence that are shown."""
PROSE_LIMIT: Final = 1500
"""Characters of a message that are shown."""

_ODD: Final = lazy(r"[^\x20-\x7e]")
_SHAPELESS: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Unicode categories that draw nothing, or nothing that can be told apart."""
_BLANK_LETTERS: Final = lazy(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Marks, letters and symbols by category that are nevertheless invisible (Default_Ignorable_Code_Point
of the Unicode Character Database, and the blank Braille pattern)."""


def _shown(char: str) -> str:
    if " " <= char <= "~":
        return char
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    if unicodedata.category(char) in _SHAPELESS or _BLANK_LETTERS.match(char):
        return f"<U+{ord(char):04X}>"
    return char


def _taken(chars: Iterable[str], room: int, keep: str) -> list[str]:
    """Return the shown form of as many characters as fit into `room`."""
    taken: list[str] = []
    for char in chars:
        shown = char if char in keep else _shown(char)
        room -= len(shown)
        if room < 0:
            break
        taken.append(shown)
    return taken


def visible(text: str, limit: int = PROSE_LIMIT, keep: str = "") -> str:
    """Return text in which every character can be seen.

    Args:
        text: anything, lone surrogates included.
        limit: characters at most; a longer text loses its middle, and the gap says how much.
        keep: characters that stay as they are although they are not visible, e.g. a tab.

    Returns:
        One line without controls (but those in `keep`) and without surrogates.
    """
    if len(text) <= limit:
        shown = _ODD.sub(lambda match: match[0] if match[0] in keep else _shown(match[0]), text)
        if len(shown) <= limit:
            return shown
    front = _taken(text, limit * 2 // 3, keep)
    back = _taken(reversed(text), limit // 3, keep)
    left_out = len(text) - len(front) - len(back)
    gap = f" [... {left_out:,} of {len(text):,} characters left out ...] "
    return "".join(front) + gap + "".join(reversed(back))

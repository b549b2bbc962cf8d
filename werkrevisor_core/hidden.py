"""Finds text that a reader cannot see or takes for other text.

Used by the core, which calls no file mechanical that holds any, and by rules.
Sources: the Unicode general categories Cc, Cf, Zl and Zp, the default ignorable code points that are
letters or marks, and the bidirectional controls of UAX #9; CVE-2021-42574 and CVE-2021-42694.
"""

import re
import unicodedata
from typing import Final

from attrs import frozen

_VISIBLE_ASCII: Final = bytes([*b"\t\n\v\f\r", *range(0x20, 0x7F)])
_HIGH_BYTES: Final = bytes(range(0x80, 0x100))
_IGNORABLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_WORD: Final = re.compile(r"\w*[^\W\x00-\x7f]\w*")
_LOOKALIKE_SCRIPTS: Final = frozenset(
    {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "FULLWIDTH", "MATHEMATICAL"}
)


@frozen
class Hidden:
    """One hidden thing: its column (1-based, in characters) and what it is, in plain words."""

    column: int
    what: str


def looks_plain(data: bytes) -> bool:
    """Tell quickly whether bytes are printable ASCII throughout, so that nothing can hide."""
    return data.isascii() and not data.translate(None, _VISIBLE_ASCII)


def only_ascii_controls(data: bytes) -> bytes:
    """Return the ASCII control bytes among `data`; tab, line feed, vertical tab, form feed and CR are none."""
    return data.translate(None, _VISIBLE_ASCII + _HIGH_BYTES)


def find_hidden(line: str) -> Hidden | None:
    """Return the first invisible character or word of mixed scripts in a line, None if there is none."""
    match = _IGNORABLE.search(line)
    if match is not None:
        character = match.group(0)
        name = unicodedata.name(character, "a control character")
        return Hidden(match.start() + 1, f"U+{ord(character):04X} ({name.lower()})")
    for word in _WORD.finditer(line):
        scripts = {
            unicodedata.name(character, "?").split(" ", 1)[0] for character in word.group(0) if character.isalpha()
        }
        mixed = sorted(scripts & _LOOKALIKE_SCRIPTS)
        if len(mixed) > 1:
            return Hidden(word.start() + 1, f"a word of mixed scripts ({', '.join(name.lower() for name in mixed)})")
    return None

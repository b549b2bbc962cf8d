"""Finds text that a reader cannot see or takes for other text.

Used by the core, which calls no file mechanical that holds any, and by rules.
Sources: the Unicode general categories Cc, Cf, Zl and Zp, the default ignorable code points that are
letters or marks, the bidirectional controls of UAX #9; CVE-2021-42574 and CVE-2021-42694; emoji
sequences of UTS #51; joiners of RFC 5892, appendix A; look-alikes of UTS #39.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

_VISIBLE_ASCII: Final = bytes([*b"\t\n\v\f\r", *range(0x20, 0x7F)])
_HIGH_BYTES: Final = bytes(range(0x80, 0x100))
_IGNORABLE_CLASS: Final = (
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_IGNORABLE: Final = lazy(_IGNORABLE_CLASS)

# One selector or joiner per visible sign, so that nothing can be written in them alone.
_EMOJI: Final = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
)
# Scripts whose letters join, or that are written without spaces: Arabic, Syriac, N'Ko, those of India
# and South-East Asia, Tibetan, Mongolian.
_JOINING: Final = (
    "[\u0620-\u074f\u0750-\u077f\u07c0-\u07ff\u0860-\u08ff\u0900-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa"
    "\ufb50-\ufdff\ufe70-\ufefc]"
)
_SPACELESS: Final = "[\u0e00-\u109f\u1780-\u17b3\u17b6-\u17ff]"
_FLAG_NAMES: Final = "\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073"
_WRITTEN: Final = lazy(
    "(?:"
    f"\U0001f3f4\U000e0067\U000e0062(?:{_FLAG_NAMES})\U000e007f"
    f"|{_EMOJI}(?:\u200d{_EMOJI})*"
    "|[0-9#*]\ufe0f\u20e3"
    rf"|(?:(?<=\w)|(?<={_JOINING}))[\u200c\u200d](?={_JOINING})"
    f"|(?<={_SPACELESS})\u200b(?={_SPACELESS})"
    f"|(?<={_JOINING})[\u180b-\u180d\u180f]"
    f")|(?P<hidden>{_IGNORABLE_CLASS})"
)
"""What is written with characters that are invisible by themselves, else a hidden character."""

_LATIN: Final = "A-Za-z\u00aa\u00ba\u00c0-\u02af\u1d00-\u1d25\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua787\ufb00-\ufb06"
# Greek letters that look like Latin ones; a delta or lambda beside Latin letters is a symbol, no disguise.
_GREEK_ALIKE: Final = (
    "\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03f2\u03f3"
)
_GREEK_SMALL: Final = "\u03b1\u03b3\u03b9\u03ba\u03bd\u03c1\u03c3\u03c5"
_FOREIGN: Final = {
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8a\u1d2b\u2de0-\u2dff\ua640-\ua69f",
    "greek": _GREEK_ALIKE,
    "armenian": "\u0531-\u0556\u0561-\u0587\ufb13-\ufb17",
    "cherokee": "\u13a0-\u13fd\uab70-\uabbf",
    "coptic": "\u03e2-\u03ef\u2c80-\u2cff",
    "lisu": "\ua4d0-\ua4f7",
    "fullwidth": "\uff21-\uff3a\uff41-\uff5a",
    "mathematical": "\U0001d400-\U0001d7ff",
}
_SCRIPTS: Final = {name: lazy(f"[{letters}]") for name, letters in (("latin", _LATIN), *_FOREIGN.items())}
_SCRIPTS["greek"] = lazy(f"[{_GREEK_ALIKE}]|(?<=[{_LATIN}])[{_GREEK_SMALL}]|[{_GREEK_SMALL}](?=[{_LATIN}])")
_ANY_FOREIGN: Final = lazy(f"[{''.join(_FOREIGN.values())}{_GREEK_SMALL}]")
# What stands for one character in source text (`\n`, `\u0430`, `%s`) is no part of the word behind it.
_ESCAPE_OR_WORD: Final = lazy(
    r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[a-zA-Z0-9])|%[0-9.]*[sdifuxXcgeo]|(?P<word>\w+)"
)
_CYRILLIC_ALIKE: Final = (
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u04cf\u0475"
    "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423\u04c0\u050c\u051a\u051c\u04ae"
)
_UNLIKE: Final = lazy(
    f"(?![{_CYRILLIC_ALIKE}{_GREEK_ALIKE}{_GREEK_SMALL}])[\u0370-\u03e1\u03f0-\u03ff{_FOREIGN['cyrillic']}]"
)
"""A Cyrillic or Greek letter that nobody takes for a Latin one."""


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


def may_hide(data: bytes) -> bool:
    """Tell quickly whether any line of bytes may hold what `find_hidden` finds; False is sure."""
    if looks_plain(data):
        return False
    text = data.decode("utf-8", "surrogateescape")
    return _IGNORABLE.search(text) is not None or _ANY_FOREIGN.search(text) is not None


def find_hidden(line: str, *, sequences: bool = False, prose: bool = False) -> Hidden | None:
    """Return the first invisible character, or else the first word of mixed scripts, of a line.

    Args:
        line: the line without its end; bytes that are no UTF-8 are lone surrogates.
        sequences: whether emoji sequences, and joiners where a script is written with them, are
            text; they then hide nothing, since each stands on a visible sign.
        prose: whether the line stands in a document, where a word such as a Latin name with a
            Cyrillic ending is ordinary; only words all of whose letters look Latin are then meant.

    Returns:
        The first hidden thing, None if there is none.
    """
    match = _first_invisible(line) if sequences else _IGNORABLE.search(line)
    if match is not None:
        character = match.group(0)
        name = unicodedata.name(character, "a control character")
        return Hidden(match.start() + 1, f"U+{ord(character):04X} ({name.lower()})")
    scripts = _scripts(line, _SCRIPTS) if _ANY_FOREIGN.search(line) else []
    if len(scripts) < 2:
        return None
    for word in _ESCAPE_OR_WORD.finditer(line):
        text = word.group("word")
        if text is None or text.isascii() or _ANY_FOREIGN.search(text) is None:
            continue
        mixed = _scripts(text, scripts)
        if len(mixed) > 1 and not (prose and _UNLIKE.search(text)):
            return Hidden(word.start() + 1, f"a word of mixed scripts ({', '.join(mixed)})")
    return None


def _first_invisible(line: str) -> re.Match[str] | None:
    if _IGNORABLE.search(line) is None:
        return None
    return next((match for match in _WRITTEN.finditer(line) if match.lastgroup), None)


def _scripts(text: str, wanted: Iterable[str]) -> list[str]:
    """Return the wanted scripts that stand in a text, sorted."""
    return sorted(name for name in wanted if _SCRIPTS[name].search(text))

"""Names and values from config files as short, printable text for error messages.

A repository's config is hostile text, so nothing of it gets into a message unbounded, with a line
break or with characters that a reader cannot see.
"""

from collections.abc import Iterable, Mapping

MAX_SHOWN = 60
"""Longest piece of a config file that a message repeats, in characters."""

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    """Return the text on one line, with what cannot be seen (or is half a character) escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shortened(text: str) -> str:
    """Return the text printable and bounded."""
    return printable(text) if len(text) <= MAX_SHOWN else printable(text[:MAX_SHOWN]) + "..."


def key_name(key: str) -> str:
    """Return a key as TOML would write it, bounded."""
    if key and all(char.isascii() and (char.isalnum() or char in "_-") for char in key):
        return shortened(key)
    return f'"{shortened(key)}"'


def described(value: object) -> str:
    """Return type and value in TOML's words, e.g. `str "12"`, `bool true`, `list`."""
    if isinstance(value, bool):
        return f"bool {str(value).lower()}"
    if isinstance(value, int):
        # A long number cannot even be printed: Python refuses to convert it.
        return f"int {value}" if value.bit_length() <= 64 else "an int beyond 64 bits"
    if isinstance(value, float):
        return f"float {value}"
    if isinstance(value, str):
        return f'str "{shortened(value)}"'
    return "table" if isinstance(value, Mapping) else type(value).__name__


def unknown(what: str, given: str, known: Iterable[str]) -> str:
    """Return the end of the sentence on an unknown name: what is known, and the closest of it.

    Args:
        what: the kind of name, e.g. `key`.
        given: the unknown name.
        known: the names that would be right.
    """
    import difflib  # noqa: PLC0415 (only a fault needs it)

    names = sorted(known)
    text = f"is not a known {what}; known: {', '.join(names) or 'none'}"
    # The comparison grows with the square of the length, and the name may be hostile.
    close = difflib.get_close_matches(given, names, n=1) if len(given) <= MAX_SHOWN else []
    return f"{text}; did you mean {close[0]}?" if close else text

"""Reads TOML that may be hostile: bounded in size, depth and time, and every fault with its place."""

import re
from typing import Final

from werkrevisor_core.patterns import lazy

MAX_BYTES: Final = 256 * 1024
"""Largest config file that is read, in bytes."""

MAX_KEY_PARTS: Final = 16
"""Most parts of a dotted key; tomllib takes time that grows with the square of their number."""

# Strings and comments are taken whole (also unclosed ones: tomllib stops there), so that what looks
# like a dotted key inside them does not count. Possessive, hence linear.
_QUOTED: Final = r'"(?:\\.|[^"\\\n])*+"|\'[^\'\n]*+\''
_PART: Final = rf"(?:[A-Za-z0-9_-]++|{_QUOTED})"
_DOTTED: Final = lazy(
    r'"""(?:\\.|"{1,2}(?!")|[^"\\])*+(?:""")?'
    r"|\'\'\'(?:\'{1,2}(?!\')|[^\'])*+(?:\'\'\')?"
    r"|#[^\n]*+"
    rf"|(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)"
    r"|\"(?:\\.|[^\"\\\n])*+"
    r"|'[^'\n]*+",
    re.DOTALL,
)
_AT: Final = lazy(r" \(at line (\d+), column (\d+)\)$")
_LONG_NUMBER: Final = lazy(r"[0-9][0-9_]{4000,}")


class TomlFault(Exception):
    """A file is no valid TOML or too large; the text says where and what, behind the file's name."""


def parse(data: bytes) -> dict[str, object]:
    """Return the tables of a TOML file.

    Args:
        data: the bytes of the file.

    Raises:
        TomlFault: the file cannot be read; its text begins with a colon.
    """
    text = _decoded(data)
    _refuse_long_keys(text)
    import tomllib  # noqa: PLC0415 (costs milliseconds, and a review may have no config file)

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlFault(_syntax(str(error), text)) from None
    except RecursionError:
        raise TomlFault(": its lists or tables are nested too deeply") from None
    except ValueError:
        number = _LONG_NUMBER.search(text)
        where = _place(text, number.start()) if number else ""
        raise TomlFault(f":{where} a number or date cannot be read") from None


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise TomlFault(f": {len(data)} bytes are too many; a config file holds at most {MAX_BYTES}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise TomlFault(f": line {line}, column {column}: not valid UTF-8") from None


def _refuse_long_keys(text: str) -> None:
    for match in _DOTTED.finditer(text):
        key = match["key"]
        if key is not None and key.count(".") >= MAX_KEY_PARTS and _parts(key) > MAX_KEY_PARTS:
            place = _place(text, match.start())
            raise TomlFault(f":{place} a dotted key has more than {MAX_KEY_PARTS} parts")


def _parts(key: str) -> int:
    return re.sub(_QUOTED, "q", key, flags=re.DOTALL).count(".") + 1


def _place(text: str, at: int) -> str:
    return f" line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}:"


def _syntax(message: str, text: str) -> str:
    if found := _AT.search(message):
        return f": line {found[1]}, column {found[2]}: {message[: found.start()]}"
    # tomllib says "at end of document" there.
    return f":{_place(text, len(text))} {message.removesuffix(' (at end of document)')}"

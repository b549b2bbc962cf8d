"""Paths as git writes them in diff headers: C-quoting, prefixes, the two names on one line."""

import re
from typing import Final

_ESCAPE: Final = re.compile(rb"\\([abfnrtv\"\\]|[0-3][0-7]{2})")
_SIMPLE: Final = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b'"': b'"',
    b"\\": b"\\",
}
_QUOTED: Final = re.compile(rb'"((?:[^"\\\n]|\\.)*)"')
_PREFIXES: Final = frozenset(b"abciwo")
"""First letters of git's prefixes: a/ b/, and c/ i/ w/ o/ with `diff.mnemonicPrefix`."""
_NO_NAMES: Final = frozenset({b"", b".", b".."})
"""Parts of a path that git cannot store."""


class NameFault(ValueError):
    """A header names no path that git could have written; the message says why."""


def unquote(name: bytes) -> bytes:
    """Undo git's C-quoting of one name; a name without quotes is returned as it is.

    Raises:
        NameFault: a quote that does not end, or an escape that git does not write.
    """
    if name[:1] != b'"':
        return name
    match = _QUOTED.fullmatch(name)
    if match is None:
        raise NameFault("a quoted name does not end")
    inner = match.group(1)
    if b"\\" in _ESCAPE.sub(b"", inner):
        raise NameFault("a quoted name holds an unknown escape")
    return _ESCAPE.sub(_character, inner)


def _character(match: "re.Match[bytes]") -> bytes:
    code = match.group(1)
    return _SIMPLE.get(code) or bytes([int(code, 8)])


def check_path(path: bytes) -> str:
    """Return the path as text.

    Raises:
        NameFault: git could not store such a path (empty, absolute, `.` or `..` in it).
    """
    if not path or b"\0" in path:
        raise NameFault("a header names an empty path")
    if not _NO_NAMES.isdisjoint(path.split(b"/")):
        raise NameFault("a header names a path that git cannot store")
    return path.decode("utf-8", "surrogateescape")


def two_names(rest: bytes) -> tuple[bytes, bytes] | None:
    """Split what stands behind `diff --git ` into its two names, prefixes included.

    Git does not say where the first name ends. Where neither is quoted, only two names of equal
    length can be told apart (they then differ at most in their prefix); None means that the other
    header lines have to name the paths.
    """
    if rest[:1] == b'"':
        match = _QUOTED.match(rest)
        if match is None or rest[match.end() : match.end() + 1] != b" ":
            raise NameFault("a quoted name does not end")
        return unquote(match.group(0)), unquote(rest[match.end() + 1 :])
    if rest.endswith(b'"') and b' "' in rest:
        first, _, second = rest.partition(b' "')
        return first, unquote(b'"' + second)
    middle = len(rest) // 2
    if len(rest) % 2 and rest[middle : middle + 1] == b" ":
        return rest[:middle], rest[middle + 1 :]
    return None


def common_path(old: bytes, new: bytes) -> bytes | None:
    """Return the path that both names of an unrenamed file stand for, None if they are not one.

    Equal names have no prefix (`diff.noprefix`); else each has one of git's one-letter prefixes.
    """
    if old == new:
        return old
    if old[1:2] == new[1:2] == b"/" and old[2:] == new[2:] and old[0] in _PREFIXES and new[0] in _PREFIXES:
        return old[2:]
    return None

"""The enclosing path of a line: the preceding lines of strictly smaller indentation, up to column 0.

A merge can land a block in the wrong class where both look alike; the lines above it tell. A line of
mere punctuation (a brace of its own) names nothing, so the line above it is taken along. A directive of
the C preprocessor encloses nothing. In formats without indentation the title of the section does.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

_WORD: Final = re.compile(rb"[^\W_]|[\x80-\xff]")
_TAB: Final = 8
_TITLES: Final = {
    "toml": b"[",
    "ini": b"[",
    "cfg": b"[",
    "conf": b"[",
    "md": b"#",
    "markdown": b"#",
}
_PREPROCESSED: Final = frozenset({"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "m", "mm", "cs"})


def has_word(line: bytes) -> bool:
    """Tell whether a line says anything: blanks and mere punctuation do not."""
    return _WORD.search(line) is not None


def enclosing_paths(name: str, lines: Sequence[bytes]) -> list[bytes]:
    """Return for every line a digest of what encloses it, empty for nothing.

    Args:
        name: the file's path, for its format.
        lines: all lines of the file.
    """
    suffix = name.rpartition(".")[2].lower()
    title = _TITLES.get(suffix)
    section = b""
    stack: list[tuple[int, bytes]] = []
    above: dict[int, bytes] = {}
    out: list[bytes] = []
    for line in lines:
        bare = line.strip()
        if not bare or (suffix in _PREPROCESSED and bare.startswith(b"#")):
            out.append(b"")
            continue
        indent = _indentation(line)
        while stack and stack[-1][0] >= indent:
            stack.pop()
        if not stack and title is not None and bare.startswith(title):
            section = b""  # nothing encloses a title
        parent = stack[-1][1] if stack else section
        out.append(parent)
        if has_word(bare):
            above[indent] = label = bare
        else:
            label = above.get(indent, b"") + b"\n" + bare
        stack.append((indent, blake2b(label, digest_size=16, key=parent).digest()))
        if title is not None and indent == 0 and bare.startswith(title):
            section = stack.pop()[1]
    return out


def _indentation(line: bytes) -> int:
    wide = line.expandtabs(_TAB)
    return len(wide) - len(wide.lstrip())

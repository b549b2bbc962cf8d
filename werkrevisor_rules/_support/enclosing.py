"""The enclosing path of a line: the preceding lines of strictly smaller indentation, up to column 0.

A merge can land a block in the wrong class where both look alike; the lines above it tell. A line of
mere punctuation (a brace of its own) names nothing, so the line above it is taken along. In formats
without indentation the section's title stands for it.
"""

import re
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(rb"[^\W_]|[\x80-\xff]")
_TAB: Final = 8
_TITLES: Final = {
    ".toml": b"[",
    ".ini": b"[",
    ".cfg": b"[",
    ".conf": b"[",
    ".md": b"#",
    ".markdown": b"#",
}
Path = tuple[object, ...]


def enclosing_paths(name: str, lines: Sequence[bytes]) -> list[Path]:
    """Return for every line what encloses it; two lines are enclosed alike where these are equal.

    Args:
        name: the file's path, for its format.
        lines: all lines of the file.
    """
    title = _TITLES.get(name[name.rfind(".") :].lower()) if "." in name else None
    section: Path = ()
    stack: list[tuple[int, Path]] = []
    above: dict[int, bytes] = {}
    out: list[Path] = []
    for line in lines:
        bare = line.strip()
        if not bare:
            out.append(())
            continue
        indent = len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip())
        while stack and stack[-1][0] >= indent:
            stack.pop()
        parent = stack[-1][1] if stack else section
        if not stack and title is not None and bare.startswith(title):
            parent = ()
            section = (bare,)
        out.append(parent)
        label = bare if _WORD.search(bare) else above.get(indent, b"") + b"\n" + bare
        if _WORD.search(bare):
            above[indent] = bare
        stack.append((indent, (label, parent)))
    return out

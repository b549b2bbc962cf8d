"""What `git diff -b --ignore-blank-lines` takes for equal, computed on the blocks of a hunk.

White space is what git knows: space, tab, CR. A run of it equals any other run, at the end of a
line it equals nothing, and at the begin of a line a run differs from none. Source: git's
`xdl_recmatch` with `XDF_IGNORE_WHITESPACE_CHANGE`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

SPACE: Final = b" \t\r"
RUN: Final = re.compile(rb"[ \t\r]+")
LINE_BREAKS: Final = re.compile(rb"\r(?!\n|\Z)|\x0b|\xe2\x80[\xa8\xa9]|\xc2\x85")
"""What ends a line, and so a comment, for some languages, but not for git."""
_ODD_SPACE: Final = (b"\x0b", b"\x0c")


@frozen
class SpaceBlock:
    """What changed in one block by white space alone; all numbers are indices into `Hunk.lines`.

    `pairs` are (removed, added) lines that git takes for equal, `blank` the changed lines that hold
    nothing but white space.
    """

    pairs: tuple[tuple[int, int], ...]
    blank: tuple[int, ...]


def same_but_space(old: bytes, new: bytes) -> bool:
    """Tell whether git takes two lines (without marker) for equal under `-b`.

    A line with a vertical tab or form feed equals only itself, since these are text for git and
    white space for most languages.
    """
    if old == new:
        return True
    if (old[:1] in (b" ", b"\t", b"\r")) is not (new[:1] in (b" ", b"\t", b"\r")):
        return False
    if old.split() != new.split():
        return False
    return not any(odd in old or odd in new for odd in _ODD_SPACE)


def space_blocks(lines: Sequence[bytes]) -> Iterator[SpaceBlock]:
    """Yield what white space explains, one item per block of a hunk.

    Args:
        lines: the lines of the hunk with their markers.
    """
    removed: list[int] = []
    added: list[int] = []
    for index, line in enumerate(lines):
        marker = line[0]
        if marker == 32:
            if removed or added:
                yield _match(lines, removed, added)
                removed, added = [], []
        elif marker == 45:
            removed.append(index)
        else:
            added.append(index)
    if removed or added:
        yield _match(lines, removed, added)


def _match(lines: Sequence[bytes], removed: list[int], added: list[int]) -> SpaceBlock:
    """Pair what is equal at the begin and at the end of a block; blank lines stand between pairs."""
    old = [index for index in removed if lines[index][1:].strip(SPACE)]
    new = [index for index in added if lines[index][1:].strip(SPACE)]
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and same_but_space(lines[old[head]][1:], lines[new[head]][1:]):
        head += 1
    tail = 0
    while tail < shorter - head and same_but_space(lines[old[-1 - tail]][1:], lines[new[-1 - tail]][1:]):
        tail += 1
    pairs = [*zip(old[:head], new[:head], strict=True)]
    if tail:
        pairs += zip(old[-tail:], new[-tail:], strict=True)
    blank: list[int] = []
    if len(old) < len(removed) or len(new) < len(added):
        blank = [index for index in (*removed, *added) if not lines[index][1:].strip(SPACE)]
        if pairs and _blank_lines_move(removed, added, pairs):
            blank = []
    return SpaceBlock(tuple(pairs), tuple(blank))


def _blank_lines_move(removed: list[int], added: list[int], pairs: list[tuple[int, int]]) -> bool:
    """Tell whether blank lines vanish in one place of the block and come in another.

    Git may then align the two versions at the blank lines, and show the text between as changed.
    """
    signs = set()
    last_old, last_new = removed[0] - 1 if removed else 0, added[0] - 1 if added else 0
    ends = (removed[-1] + 1 if removed else 0, added[-1] + 1 if added else 0)
    for old, new in (*pairs, ends):
        growth = (new - last_new) - (old - last_old)
        if growth:
            signs.add(growth > 0)
        last_old, last_new = old, new
    return len(signs) > 1


def inner_runs(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Yield the positions (in `old`, in `new`) of the white space inside two equal lines that differs."""
    for left, right in zip(RUN.finditer(old.rstrip(SPACE)), RUN.finditer(new.rstrip(SPACE)), strict=True):
        if left.start() and left.group() != right.group():
            yield left.start(), right.start()

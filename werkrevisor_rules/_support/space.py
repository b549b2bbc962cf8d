"""What `git diff -b --ignore-blank-lines` takes for equal, computed on the blocks of a hunk.

White space is what git knows: space, tab, CR. A run of it equals any other run, at the end of a
line it equals nothing, and at the begin of a line a run differs from none. Source: git's
`xdl_recmatch` with `XDF_IGNORE_WHITESPACE_CHANGE`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

SPACE: Final = b" \t\r"
RUN: Final = lazy(rb"[ \t\r]+")
LINE_BREAKS: Final = lazy(rb"\r(?!\n|\Z)|\x0b|\xe2\x80[\xa8\xa9]|\xc2\x85")
"""What ends a line, and so a comment, for some languages, but not for git."""
_CONTEXT: Final = 32
_ADDED: Final = 43
_REMOVED: Final = 45
_ODD_SPACE: Final = (b"\x0b", b"\x0c")


@frozen
class SpaceBlock:
    """What changed in one block by white space alone; all numbers are indices into `Hunk.lines`.

    `pairs` are (old, new) lines that git takes for equal, one of which may be unchanged; `blank` are
    the changed lines that hold nothing but white space. `complete` says that nothing is left over.
    """

    pairs: tuple[tuple[int, int], ...]
    blank: tuple[int, ...]
    complete: bool


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


def space_blocks(lines: Sequence[bytes]) -> list[SpaceBlock]:
    """Return what white space explains, block by block; nothing for blocks that it does not explain at all.

    Where lines are left over, the two sides are compared as a whole, since among equal lines a diff
    can show another one as changed than git does under `-b`.

    Args:
        lines: the lines of the hunk with their markers.
    """
    found: list[SpaceBlock] = []
    left_over = False
    for old, new in _blocks(lines):
        block = _match(lines, old, new)
        if block is None or not block.complete:
            left_over = True
        if block is not None:
            found.append(block)
    if left_over and _same_changes(lines):
        old = [index for index, line in enumerate(lines) if line[0] != _ADDED]
        new = [index for index, line in enumerate(lines) if line[0] != _REMOVED]
        whole = _match(lines, old, new)
        if whole is not None and whole.complete and not _blank_lines_move(old, new, whole.pairs):
            return [whole]
    return found


def _blocks(lines: Sequence[bytes]) -> list[tuple[list[int], list[int]]]:
    """Return the indices of removed and added lines, block by block."""
    out = []
    old: list[int] = []
    new: list[int] = []
    for index, line in enumerate(lines):
        marker = line[0]
        if marker == _REMOVED:
            old.append(index)
        elif marker == _ADDED:
            new.append(index)
        elif old or new:
            out.append((old, new))
            old, new = [], []
    if old or new:
        out.append((old, new))
    return out


def _same_changes(lines: Sequence[bytes]) -> bool:
    """Tell whether the removed lines are the added ones but for order, white space and blank lines."""
    removed = [words for line in lines if line[0] == _REMOVED and (words := line[1:].split())]
    added = [words for line in lines if line[0] == _ADDED and (words := line[1:].split())]
    return len(removed) == len(added) and sorted(removed) == sorted(added)


def _match(lines: Sequence[bytes], removed: list[int], added: list[int]) -> SpaceBlock | None:
    """Pair what is equal at the begin and at the end of a block; blank lines stand between pairs."""
    old = [index for index in removed if lines[index][1:].strip(SPACE)]
    new = [index for index in added if lines[index][1:].strip(SPACE)]
    shorter = min(len(old), len(new))
    head = tail = 0
    while head < shorter and same_but_space(lines[old[head]][1:], lines[new[head]][1:]):
        head += 1
    while tail < shorter - head and same_but_space(lines[old[-1 - tail]][1:], lines[new[-1 - tail]][1:]):
        tail += 1
    some_blank = len(old) < len(removed) or len(new) < len(added)
    if not (head or tail or some_blank):
        return None
    pairs = [*zip(old[:head], new[:head], strict=True)]
    if tail:
        pairs += zip(old[-tail:], new[-tail:], strict=True)
    blank: list[int] = []
    if some_blank:
        changed = (index for index in (*removed, *added) if lines[index][0] != _CONTEXT)
        blank = [index for index in changed if not lines[index][1:].strip(SPACE)]
        if pairs and _blank_lines_move(removed, added, pairs):
            blank = []
    return SpaceBlock(tuple(pairs), tuple(blank), len(old) == len(new) == len(pairs))


def _blank_lines_move(old: list[int], new: list[int], pairs: Sequence[tuple[int, int]]) -> bool:
    """Tell whether blank lines vanish in one place and come in another.

    Git may then align the two versions at the blank lines, and show the text between as changed.
    """
    old_places = {index: place for place, index in enumerate(old)}
    new_places = {index: place for place, index in enumerate(new)}
    shifts = [new_places[right] - old_places[left] for left, right in pairs]
    shifts = [0, *shifts, len(new) - len(old)]
    growths = {after > before for before, after in pairwise(shifts) if after != before}
    return len(growths) > 1


def inner_runs(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Yield the positions (in `old`, in `new`) of the white space inside two equal lines that differs."""
    for left, right in zip(RUN.finditer(old.rstrip(SPACE)), RUN.finditer(new.rstrip(SPACE)), strict=True):
        if left.start() and left.group() != right.group():
            yield left.start(), right.start()

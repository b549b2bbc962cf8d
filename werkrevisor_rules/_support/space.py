"""What `git diff -b --ignore-blank-lines` takes for equal, computed on the blocks of a hunk.

White space is what git knows: space, tab, CR. A run of it equals any other run, at the end of a
line it equals nothing, and at the begin of a line a run differs from none. Source: git's
`xdl_recmatch` with `XDF_IGNORE_WHITESPACE_CHANGE`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

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
    nothing but white space. `complete` says that every line is in a pair or blank.
    """

    pairs: tuple[tuple[int, int], ...]
    blank: tuple[int, ...]
    complete: bool = False


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
    """Yield what white space explains, block by block.

    Blocks with only blank lines between them are taken for one where that explains them whole.

    Args:
        lines: the lines of the hunk with their markers.
    """
    run: list[_Lines] = []
    block = _Lines([], [])
    for index, line in enumerate(lines):
        marker = line[0]
        if marker == 45:
            block.old.append(index)
        elif marker == 43:
            block.new.append(index)
        else:
            if block.old or block.new:
                run.append(block)
                block = _Lines([], [])
            if not line[1:].strip(SPACE):
                if run:
                    run.append(_Lines([index], [index]))
            elif run:
                yield from _match_run(lines, run)
                run = []
    if block.old or block.new:
        run.append(block)
    if run:
        yield from _match_run(lines, run)


class _Lines(NamedTuple):
    """The old and the new lines of a block, or one blank line that stands in both versions."""

    old: list[int]
    new: list[int]


def _match_run(lines: Sequence[bytes], run: list[_Lines]) -> Iterator[SpaceBlock]:
    blocks = [block for block in run if block.old != block.new]
    matched = [_match(lines, block) for block in blocks]
    if len(blocks) > 1 and not all(block.complete for block in matched):
        while run[-1].old == run[-1].new:
            run.pop()
        joined = _Lines([i for part in run for i in part.old], [i for part in run for i in part.new])
        whole = _match(lines, joined)
        if whole.complete and not _blank_lines_move(joined, whole.pairs):
            return iter((whole,))
    return iter(matched)


def _match(lines: Sequence[bytes], block: _Lines) -> SpaceBlock:
    """Pair what is equal at the begin and at the end of a block; blank lines stand between pairs."""
    removed, added = block
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
        blank = [index for index in (*removed, *added) if lines[index][0] != 32 and not lines[index][1:].strip(SPACE)]
        if pairs and _blank_lines_move(block, pairs):
            blank = []
    return SpaceBlock(tuple(pairs), tuple(blank), len(old) == len(new) == len(pairs))


def _blank_lines_move(block: _Lines, pairs: Sequence[tuple[int, int]]) -> bool:
    """Tell whether blank lines vanish in one place of the block and come in another.

    Git may then align the two versions at the blank lines, and show the text between as changed.
    """
    old_places = {index: place for place, index in enumerate(block.old)}
    new_places = {index: place for place, index in enumerate(block.new)}
    shifts = [new_places[new] - old_places[old] for old, new in pairs]
    shifts = [0, *shifts, len(block.new) - len(block.old)]
    growths = {after > before for before, after in pairwise(shifts) if after != before}
    return len(growths) > 1


def inner_runs(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Yield the positions (in `old`, in `new`) of the white space inside two equal lines that differs."""
    for left, right in zip(RUN.finditer(old.rstrip(SPACE)), RUN.finditer(new.rstrip(SPACE)), strict=True):
        if left.start() and left.group() != right.group():
            yield left.start(), right.start()

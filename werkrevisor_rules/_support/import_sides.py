"""One side of a hunk with the import statements that it shows from begin to end."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from werkrevisor_core.models.change import Hunk
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.space import LINE_BREAKS, SPACE
from werkrevisor_rules._support.statements import BLANKS, Grammar, Statement
from werkrevisor_rules._support.views import FileSides, FileText, offsets_of, side_lines, start_of

CONTEXT: Final = 32
"""The marker of an unchanged line."""

Touched = Sequence[tuple[Statement, Sequence[int]]]
"""Statements with a changed line, each with the indices of its lines in `Hunk.lines`."""


@frozen
class ReadText:
    """A text with its import statements, and where its first code begins (its length for none)."""

    text: bytes
    statements: Sequence[Statement]
    first_code: int


@frozen
class HunkSide:
    """One side of a hunk, read.

    `first` is the index of the line with the first code of the file, -1 where that stands above the
    hunk, None where the hunk does not show it. `covers` maps an index into `Hunk.lines` to the
    statement on that line.
    """

    read: ReadText
    first: int | None
    covers: Mapping[int, Statement]
    touched: Touched


_OPENS: Final = lazy(rb"/\*|`|\"\"\"|\br#*\"")
"""What may open a comment or literal that goes on below."""


def prefix_of(grammar: Grammar, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
    """Return text to put before a hunk whose surroundings are not known, None to refuse it."""
    return None if _OPENS.search(heading) else grammar.prefix(heading, lines)


def read_text(grammar: Grammar, text: bytes, *, from_top: bool) -> ReadText:
    """Read the import statements of a text."""
    head = BLANKS.match(text)
    statements = grammar.statements(text, len(text), known=from_top)
    return ReadText(text, statements, head.end() if head else 0)


@define
class SideReader:
    """Reads the sides of the hunks of one file; a whole version of the file is read once."""

    _grammar: Grammar
    _sides: FileSides
    _whole: dict[Side, ReadText | None] = field(factory=dict, init=False)

    def whole(self, side: Side) -> ReadText | None:
        """Return a whole version of the file; None where it is not known or not understood."""
        if side not in self._whole:
            file = self._sides.get(side)
            understood = file is not None and file.readable and not LINE_BREAKS.search(file.text)
            self._whole[side] = (
                read_text(self._grammar, file.text, from_top=True) if file is not None and understood else None
            )
        return self._whole[side]

    def side(self, hunk: Hunk, side: Side) -> HunkSide | None:
        """Read one side of a hunk; None where it is not known in which place of the file it stands."""
        indices, lines = side_lines(hunk, side)
        start = start_of(hunk, side)
        body = b"\n".join(lines)
        file = self._sides.get(side) if start > 1 else None
        if file is not None:
            return self._in_file(hunk, side, file, (indices, lines, body))
        prefix: bytes | None = b""
        if start > 1 and all(line[0] != CONTEXT for line in hunk.lines):
            return None
        if start > 1:
            prefix = prefix_of(self._grammar, hunk.heading, lines)
        if prefix is None:
            return None
        read = read_text(self._grammar, prefix + body, from_top=start <= 1)
        above = start > 1 and bool(hunk.heading.strip())
        return _placed(hunk, read, indices, offsets_of(lines, len(prefix)), above=above)

    def _in_file(
        self, hunk: Hunk, side: Side, file: FileText, shown: tuple[list[int], list[bytes], bytes]
    ) -> HunkSide | None:
        indices, lines, body = shown
        read = self.whole(side)
        at = file.offset(start_of(hunk, side))
        if read is None or file.text[at : at + len(body)] != body:
            return None
        return _placed(hunk, read, indices, offsets_of(lines, at), above=False)


def _placed(hunk: Hunk, read: ReadText, indices: Sequence[int], offsets: Sequence[int], *, above: bool) -> HunkSide:
    """Find the statements that the hunk shows from begin to end, and their lines."""
    covers: dict[int, Statement] = {}
    touched: list[tuple[Statement, Sequence[int]]] = []
    begin, end = offsets[0], offsets[-1]
    at = bisect_left(read.statements, begin, key=lambda one: one.start)
    for place in range(at, len(read.statements)):
        statement = read.statements[place]
        if statement.end > end:
            break
        if statement.list_span is not None and not begin <= statement.list_span[0] < statement.list_span[1] <= end:
            continue
        own = _lines(indices, offsets, statement.start, statement.end)
        covers.update(dict.fromkeys(own, statement))
        if any(hunk.lines[index][0] != CONTEXT for index in own):
            if statement.frame and statement.list_span is not None:
                # Where an end of a list changes, all lines between its ends have to agree as well.
                between = _lines(indices, offsets, *statement.list_span)
                own = [*own, *(index for index in between[1:-1] if hunk.lines[index][0] == CONTEXT)]
            touched.append((statement, own))
    if above or read.first_code < begin:
        return HunkSide(read, -1, covers, touched)
    shown = read.first_code < end - 1
    return HunkSide(read, indices[bisect_right(offsets, read.first_code) - 1] if shown else None, covers, touched)


def _lines(indices: Sequence[int], offsets: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Return the indices of the lines that `start` to `end` lies on."""
    first = bisect_right(offsets, start) - 1
    return indices[first : bisect_left(offsets, end, first + 1)]


def agree(hunk: Hunk, indices: Sequence[int], other: HunkSide) -> bool:
    """Tell whether the unchanged lines of a statement belong to an import on the other side too."""
    for index in indices:
        line = hunk.lines[index]
        if line[0] == CONTEXT and line[1:].strip(SPACE):
            covering = other.covers.get(index)
            if covering is None or not (covering.plain or covering.barrier):
                return False
    return True

"""Reads the import statements of both sides of a hunk and says which changed lines they explain."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from werkrevisor_core.models.change import FileChange, Hunk
from werkrevisor_core.models.classes import Explained, Rebinding
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_rules._support.bindings import Binding, rebindings
from werkrevisor_rules._support.space import LINE_BREAKS, SPACE
from werkrevisor_rules._support.statements import BLANKS, Grammar, Statement
from werkrevisor_rules._support.views import FileSides, begins_in_comment, offsets_of, side_lines, start_of

_NOTHING: Final = Explained({})
_CONTEXT: Final = 32
_REMOVED: Final = 45
_FRAME: Final = "opens or closes a list of imports"
_PACKAGE: Final = "package clause"


_Touched = Sequence[tuple[Statement, Sequence[int]]]


@frozen
class _Side:
    """One side of a hunk, read.

    `first` is the index of the line with the first code of the file, -1 where that stands above the
    hunk, None where the hunk does not show it. `covers` maps an index into `Hunk.lines` to the
    statement on that line, `touched` are the statements with a changed line, each with the indices
    of its lines.
    """

    text: bytes
    first: int | None
    statements: Sequence[Statement]
    covers: Mapping[int, Statement]
    touched: _Touched


@define
class _Changes:
    """What the import lines of a file bound and loaded, and what they do now, hunk after hunk."""

    removed: dict[Binding, None] = field(factory=dict)
    added: dict[Binding, tuple[Hunk, int]] = field(factory=dict)
    gone: set[str] = field(factory=set)
    come: set[str] = field(factory=set)
    told: set[Rebinding] = field(factory=set)

    def news(self) -> tuple[Rebinding, ...]:
        """Return the rebound names that were not told before."""
        if not self.removed or not self.added:
            return ()
        found = rebindings(self.removed, self.added)
        if not found:
            return ()
        fresh = [one for one in found if one not in self.told]
        self.told.update(fresh)
        lines = {(binding.name, binding.origin): place for binding, place in self.added.items()}
        return tuple(evolve(one, line=_line_of(one, lines)) for one in fresh)


def _line_of(rebinding: Rebinding, places: Mapping[tuple[str, str], tuple[Hunk, int]]) -> int | None:
    """Return the line of the new file that binds a name anew."""
    origin = rebinding.now.split(", ")[0]
    place = places.get((rebinding.name, origin)) or places.get(("*", origin))
    return None if place is None else _new_line(*place)


class ImportReader:
    """Explains the import lines of one file, hunk by hunk in their order."""

    def __init__(self, grammar: Grammar, contents: Contents, file: FileChange, *, strict: bool) -> None:
        """Take what is asked; nothing is read yet.

        Args:
            grammar: the import statements of the file's language.
            contents: the port that the file's versions are read through, where needed.
            file: the changed file.
            strict: whether lines that bind a name anew are not explained.
        """
        self._grammar = grammar
        self._sides = FileSides(contents, file)
        self._strict = strict
        self._changes = _Changes()
        self._compared = False
        self._order_kept: bool | None = None

    def explain(self, hunk: Hunk) -> Explained:
        """Return what is explained of the next hunk."""
        joined = b"\n".join(hunk.lines)
        if not self._grammar.may_touch(joined) or LINE_BREAKS.search(joined):
            return _NOTHING
        lines = self._quick(hunk, joined)
        if lines is None:
            lines = self._by_statement(hunk)
        if not lines:
            return _NOTHING
        rebound = self._changes.news()
        return Explained({} if rebound and self._strict else lines, rebound)

    def _quick(self, hunk: Hunk, joined: bytes) -> dict[int, str] | None:
        """Explain a hunk of the simplest shape; None where it needs a closer look."""
        known = all(start_of(hunk, side) <= 1 for side in Side)
        if not known and (
            self._sides.get(Side.NEW) is not None
            or self._grammar.prefix(hunk.heading, ()) is None
            or begins_in_comment(joined)
        ):
            return None
        found = self._grammar.quick(hunk.lines, _last_change(hunk), known=known)
        if found is None:
            return None
        if self._grammar.barrier is not None:
            gone: _Touched = [(one, ()) for index, one in found if hunk.lines[index][0] == _REMOVED]
            come: _Touched = [(one, ()) for index, one in found if hunk.lines[index][0] != _REMOVED]
            if _kinds_differ(gone, come) or self._moves(_modules(gone), _modules(come)):
                return {}
        for index, statement in found:
            self._note(statement.bindings, hunk, index)
        return {index: _proof(statement.bindings) for index, statement in found}

    def _note(self, bindings: Sequence[Binding], hunk: Hunk, index: int) -> None:
        if hunk.lines[index][0] == _REMOVED:
            self._changes.removed.update(dict.fromkeys(bindings))
        else:
            self._changes.added.update(dict.fromkeys(bindings, (hunk, index)))

    def _by_statement(self, hunk: Hunk) -> dict[int, str]:
        """Explain a hunk by reading its old and its new side apart."""
        last = _last_change(hunk)
        old = self._read(hunk, Side.OLD, last)
        new = self._read(hunk, Side.NEW, last) if old is not None else None
        if old is None or new is None or not (old.touched or new.touched):
            return {}
        for side in (old, new):
            touched = [statement for statement, _ in side.touched]
            if touched and self._grammar.disturbs(side.text, touched):
                return {}
        if self._grammar.head_matters and self._wakes(hunk, old, new):
            return {}
        if self._crosses(old, new) or _kinds_differ(old.touched, new.touched):
            return {}
        lines: dict[int, str] = {}
        for side, other in ((old, new), (new, old)):
            for statement, indices in side.touched:
                if not statement.plain or not _agree(hunk, indices, other):
                    continue
                changed = [index for index in indices if hunk.lines[index][0] != _CONTEXT]
                lines.update(dict.fromkeys(changed, _FRAME if statement.frame else _proof(statement.bindings)))
                self._note(statement.bindings, hunk, changed[0])
        return lines

    def _read(self, hunk: Hunk, side: Side, last: int) -> _Side | None:
        """Read one side; None where it is not known in which place of the file it stands."""
        indices, lines = side_lines(hunk, side)
        start = start_of(hunk, side)
        prefix: bytes | None = b""
        known = start <= 1
        if not known and (file := self._sides.get(side)) is not None:
            known = True
            body = b"\n".join(lines)
            at = file.offset(start)
            prefix = file.text[:at]
            fits = file.readable and file.text[at : at + len(body)] == body
            if not fits or LINE_BREAKS.search(prefix):
                return None
        elif not known:
            prefix = self._grammar.prefix(hunk.heading, lines)
        if prefix is None:
            return None
        text = prefix + b"\n".join(lines)
        offsets = offsets_of(lines, len(prefix))
        # Imports for effect behind the last change matter too.
        places = len(lines) if self._grammar.barrier else sum(1 for index in indices if index <= last)
        statements = self._grammar.statements(text, offsets[places], known=known)
        covers, touched = _placed(hunk, indices, offsets, statements)
        above = not known and bool(hunk.heading.strip())
        first = -1 if above else _first_code(text, indices, offsets)
        return _Side(text, first, statements, covers, touched)

    def _wakes(self, hunk: Hunk, old: _Side, new: _Side) -> bool:
        """Tell whether code comes to stand, or no more stands, above lines for which that matters."""
        if old.first == new.first:
            return False
        if old.first is None or new.first is None:
            return True
        begin, end = sorted((old.first, new.first))
        between = [line[1:] for line in hunk.lines[begin + 1 : end + 1] if line[0] == _CONTEXT]
        return self._grammar.wakes(between)

    def _crosses(self, old: _Side, new: _Side) -> bool:
        """Tell whether an import changes place with one that is there for its effect."""
        if self._grammar.barrier is None:
            return False
        gone, come = _modules(old.touched), _modules(new.touched)
        before, after = _barriers_before(old.statements), _barriers_before(new.statements)
        if any(before.get(name, 0) != after.get(name, 0) for name in (gone | come) & before.keys() & after.keys()):
            return True
        return self._moves(gone, come)

    def _moves(self, gone: set[str], come: set[str]) -> bool:
        """Tell whether a module is loaded on the other side of an import for effect, in the whole file.

        Where a version of the file is not known, a module that goes from one hunk to another counts.
        """
        changes = self._changes
        moved = ((come - gone) & changes.gone) or ((gone - come) & changes.come)
        changes.gone |= gone
        changes.come |= come
        if not self._compared:
            self._compared = True
            self._order_kept = self._compare_order()
        return bool(moved) if self._order_kept is None else not self._order_kept

    def _compare_order(self) -> bool | None:
        """Tell whether each module keeps its side of the imports for effect; None where that is not known."""
        versions = [self._sides.get(side) for side in Side]
        texts = [version.text for version in versions if version is not None and version.readable]
        barrier = self._grammar.barrier
        if len(texts) < len(versions) or barrier is None:
            return None
        if not any(barrier.search(text) for text in texts):
            return True
        before, after = (_barriers_before(self._grammar.statements(text, len(text), known=True)) for text in texts)
        return all(before[name] == after[name] for name in before.keys() & after.keys())


def _first_code(text: bytes, indices: Sequence[int], offsets: Sequence[int]) -> int | None:
    head = BLANKS.match(text)
    at = head.end() if head else 0
    if at >= len(text):
        return None
    return indices[bisect_right(offsets, at) - 1] if at >= offsets[0] else -1


def _placed(
    hunk: Hunk, indices: Sequence[int], offsets: Sequence[int], statements: Sequence[Statement]
) -> tuple[dict[int, Statement], list[tuple[Statement, Sequence[int]]]]:
    """Find the lines of each statement that the hunk shows from begin to end."""
    covers: dict[int, Statement] = {}
    touched: list[tuple[Statement, Sequence[int]]] = []
    place = 0
    cut = False
    opened: int | None = None
    for statement in statements:
        begins_above = statement.start < offsets[0]
        if statement.frame:
            cut = begins_above if opened is None else cut
        if begins_above or cut:
            opened = _toggled(opened, statement, 0)
            cut = cut and opened is not None
            continue
        while offsets[place + 1] <= statement.start:
            place += 1
        first = place
        while offsets[place + 1] < statement.end:
            place += 1
        own = indices[first : place + 1]
        if statement.frame and opened is not None:
            _touch_frames(hunk, indices[opened : place + 1], touched, statement)
        opened = _toggled(opened, statement, first)
        covers.update(dict.fromkeys(own, statement))
        if not statement.frame and any(hunk.lines[index][0] != _CONTEXT for index in own):
            touched.append((statement, own))
    return covers, touched


def _toggled(opened: int | None, statement: Statement, place: int) -> int | None:
    if not statement.frame:
        return opened
    return place if opened is None else None


def _touch_frames(
    hunk: Hunk, lines: Sequence[int], touched: list[tuple[Statement, Sequence[int]]], closing: Statement
) -> None:
    """Add both ends of a list of imports where one changed; all that stands between has to agree."""
    ends = [index for index in (lines[0], lines[-1]) if hunk.lines[index][0] != _CONTEXT]
    if not ends:
        return
    context = [index for index in lines if hunk.lines[index][0] == _CONTEXT and index not in (lines[0], lines[-1])]
    touched.append((closing, sorted(ends + context)))


def _agree(hunk: Hunk, indices: Sequence[int], other: _Side) -> bool:
    """Tell whether the unchanged lines of a statement belong to an import on the other side too."""
    for index in indices:
        line = hunk.lines[index]
        if line[0] == _CONTEXT and line[1:].strip(SPACE):
            covering = other.covers.get(index)
            if covering is None or not (covering.plain or covering.barrier):
                return False
    return True


def _modules(touched: _Touched) -> set[str]:
    return {statement.module for statement, _ in touched if statement.module}


def _barriers_before(statements: Sequence[Statement]) -> dict[str, int]:
    """Return how many imports for effect stand before the first import of each module."""
    out: dict[str, int] = {}
    barriers = 0
    for statement in statements:
        if statement.barrier:
            barriers += 1
        elif statement.module:
            out.setdefault(statement.module, barriers)
    return out


def _kinds_differ(old: _Touched, new: _Touched) -> bool:
    """Tell whether an import of types becomes one that loads its module, or the other way round."""
    before, after = _kinds(old), _kinds(new)
    return any(before[name] != after[name] for name in before.keys() & after.keys())


def _kinds(touched: _Touched) -> dict[str, int]:
    """Return what is left of the imports of each module when the program runs."""
    return dict(sorted((statement.module, statement.kind) for statement, _ in touched if statement.module))


def _proof(bindings: Sequence[Binding]) -> str:
    if not bindings:
        return _PACKAGE
    more = f" and {len(bindings) - 1} more" if len(bindings) > 1 else ""
    return f"binds {bindings[0].name} from {bindings[0].origin}{more}"


def _last_change(hunk: Hunk) -> int:
    """Return the index of the last changed line."""
    index = len(hunk.lines) - 1
    while index > 0 and hunk.lines[index][0] == _CONTEXT:
        index -= 1
    return index


def _new_line(hunk: Hunk, index: int) -> int:
    """Return the number that an added line has in the new file."""
    return start_of(hunk, Side.NEW) + sum(1 for line in hunk.lines[:index] if line[0] != _REMOVED)

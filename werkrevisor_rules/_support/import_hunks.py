"""Reads the import statements of both sides of a hunk and says which changed lines they explain."""

from collections.abc import Sequence
from typing import Final

from attrs import define, evolve, field

from werkrevisor_core.models.change import FileChange, Hunk
from werkrevisor_core.models.classes import Explained, Rebinding
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_rules._support.bindings import Binding, proof_of, rebindings
from werkrevisor_rules._support.import_sides import CONTEXT, HunkSide, SideReader, Touched, agree, prefix_of
from werkrevisor_rules._support.space import LINE_BREAKS
from werkrevisor_rules._support.statements import Grammar, Statement
from werkrevisor_rules._support.views import FileSides, begins_in_comment, start_of

_NOTHING: Final = Explained({})
_REMOVED: Final = 45
_FRAME: Final = "opens or closes a list of imports"


@define
class _Changes:
    """What the import lines of a file bound and loaded, and what they do now, hunk after hunk."""

    removed: dict[str, list[Binding]] = field(factory=dict)
    added: dict[str, list[Binding]] = field(factory=dict)
    fresh: set[str] = field(factory=set)
    places: dict[Binding, tuple[Hunk, int]] = field(factory=dict)
    gone: set[str] = field(factory=set)
    come: set[str] = field(factory=set)
    told: set[Rebinding] = field(factory=set)

    def note(self, bindings: Sequence[Binding], hunk: Hunk, index: int) -> None:
        """Note what the statement on a changed line bound or binds."""
        removed = hunk.lines[index][0] == _REMOVED
        names = self.removed if removed else self.added
        for binding in bindings:
            names.setdefault(binding.name, []).append(binding)
            self.fresh.add(binding.name)
            if not removed:
                self.places.setdefault(binding, (hunk, index))

    def news(self) -> tuple[Rebinding, ...]:
        """Return the rebound names that were not told before."""
        if not self.removed or not self.added:
            return ()
        # A wildcard can bind any name, so then all are compared; else only those of the last hunk.
        any_name = "*" in self.removed or "*" in self.added
        names = self.removed.keys() | self.added.keys() if any_name else self.fresh
        found = rebindings(
            (one for name in names for one in self.removed.get(name, ())),
            (one for name in names for one in self.added.get(name, ())),
        )
        self.fresh = set()
        news = [one for one in found if one not in self.told]
        self.told.update(news)
        numbers: dict[int, list[int]] = {}
        return tuple(evolve(one, line=self._line_of(one, numbers)) for one in news)

    def _line_of(self, rebinding: Rebinding, numbers: dict[int, list[int]]) -> int | None:
        """Return the line of the new file that binds a name anew; `numbers` keeps those of each hunk."""
        origin = rebinding.now.split(", ")[0]
        place = self.places.get(Binding(rebinding.name, origin)) or self.places.get(Binding("*", origin))
        if place is None:
            return None
        hunk, index = place
        if id(hunk) not in numbers:
            numbers[id(hunk)] = [new for _, new, _ in hunk.numbered()]
        return numbers[id(hunk)][index]


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
        self._reader = SideReader(grammar, self._sides)
        self._strict = strict
        self._changes = _Changes()
        self._compared = False
        self._order_kept: bool | None = None
        self._module_kept: bool | None = None

    def explain(self, hunk: Hunk) -> Explained:
        """Return what is explained of the next hunk."""
        joined = b"\n".join(hunk.lines)
        if not self._grammar.may_touch(joined) or LINE_BREAKS.search(joined):
            return _NOTHING
        lines = self._quick(hunk, joined)
        if lines is None:
            lines = self._by_statement(hunk)
        if not lines or not self._stays_module(hunk, joined):
            return _NOTHING
        rebound = self._changes.news()
        return Explained({} if rebound and self._strict else lines, rebound)

    def _stays_module(self, hunk: Hunk, joined: bytes) -> bool:
        """Tell whether the file is a module in both versions, where that matters."""
        stays = self._grammar.sweep.stays
        if stays is None or stays.hunk(hunk.heading, joined):
            return True
        if self._module_kept is None:
            versions = [self._sides.get(side) for side in Side]
            self._module_kept = all(one is not None and one.readable and stays.text(one.text) for one in versions)
        return self._module_kept

    def _quick(self, hunk: Hunk, joined: bytes) -> dict[int, str] | None:
        """Explain a hunk of the simplest shape; None where it needs a closer look."""
        known = start_of(hunk, Side.OLD) <= 1 and start_of(hunk, Side.NEW) <= 1
        if not known and (
            self._sides.get(Side.NEW) is not None
            or prefix_of(self._grammar, hunk.heading, ()) is None
            or begins_in_comment(joined)
        ):
            return None
        found = self._grammar.quick(hunk.lines, _last_change(hunk), known=known)
        if found is None:
            return None
        if self._grammar.barrier is not None:
            gone: Touched = [(one, ()) for index, one in found if hunk.lines[index][0] == _REMOVED]
            come: Touched = [(one, ()) for index, one in found if hunk.lines[index][0] != _REMOVED]
            if _kinds_differ(gone, come) or self._moves(_modules(gone), _modules(come)):
                return {}
        for index, statement in found:
            self._changes.note(statement.bindings, hunk, index)
        return {index: proof_of(statement.bindings) for index, statement in found}

    def _by_statement(self, hunk: Hunk) -> dict[int, str]:
        """Explain a hunk by reading its old and its new side apart."""
        old = self._reader.side(hunk, Side.OLD)
        new = self._reader.side(hunk, Side.NEW) if old is not None else None
        if old is None or new is None or not (old.touched or new.touched):
            return {}
        for side in (old, new):
            touched = [statement for statement, _ in side.touched]
            if touched and self._grammar.disturbs(side.read.text, side.read.statements, touched):
                return {}
        if self._wakes(hunk, old, new):
            return {}
        if self._crosses(old, new) or _kinds_differ(old.touched, new.touched):
            return {}
        lines: dict[int, str] = {}
        for side, other in ((old, new), (new, old)):
            for statement, indices in side.touched:
                if not statement.plain or not agree(hunk, indices, other):
                    continue
                changed = [index for index in indices if hunk.lines[index][0] != CONTEXT]
                lines.update(dict.fromkeys(changed, _FRAME if statement.frame else proof_of(statement.bindings)))
                self._changes.note(statement.bindings, hunk, changed[0])
        return lines

    def _wakes(self, hunk: Hunk, old: HunkSide, new: HunkSide) -> bool:
        """Tell whether code comes to stand, or no more stands, above lines for which that matters."""
        if old.first == new.first:
            return False
        ends = [len(hunk.lines) if side.first is None else side.first for side in (old, new)]
        begin, end = sorted(ends)
        between = [line[1:] for line in hunk.lines[begin + 1 : end + 1] if line[0] == CONTEXT]
        return self._grammar.wakes(between, whole=end < len(hunk.lines))

    def _crosses(self, old: HunkSide, new: HunkSide) -> bool:
        """Tell whether an import changes place with one that is there for its effect."""
        if self._grammar.barrier is None:
            return False
        gone, come = _modules(old.touched), _modules(new.touched)
        if self._moves(gone, come):
            return True
        if self._order_kept is not None:
            return False
        before, after = _barriers_before(old.read.statements), _barriers_before(new.read.statements)
        return any(before[name] != after[name] for name in (gone | come) & before.keys() & after.keys())

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
        barrier = self._grammar.barrier
        if barrier is None or any(version is None or not version.readable for version in versions):
            return None
        if not any(barrier.search(version.text) for version in versions if version is not None):
            return True
        read = [self._reader.whole(side) for side in Side]
        before, after = (_barriers_before(() if one is None else one.statements) for one in read)
        return all(before[name] == after[name] for name in before.keys() & after.keys())


def _modules(touched: Touched) -> set[str]:
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


def _kinds_differ(old: Touched, new: Touched) -> bool:
    """Tell whether an import of types becomes one that loads its module, or the other way round."""
    before, after = _kinds(old), _kinds(new)
    return any(before[name] != after[name] for name in before.keys() & after.keys())


def _kinds(touched: Touched) -> dict[str, int]:
    """Return what is left of the imports of each module when the program runs."""
    return dict(sorted((statement.module, statement.kind) for statement, _ in touched if statement.module))


def _last_change(hunk: Hunk) -> int:
    """Return the index of the last changed line."""
    index = len(hunk.lines) - 1
    while index > 0 and hunk.lines[index][0] == CONTEXT:
        index -= 1
    return index

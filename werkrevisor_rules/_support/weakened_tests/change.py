"""Compares all tests of a change: pairs them, then says what got weaker, and where."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from attrs import define, evolve, field

from werkrevisor_core.models.ports import Side
from werkrevisor_rules._support.weakened_tests.bodies import read_body
from werkrevisor_rules._support.weakened_tests.cases import case_rows
from werkrevisor_rules._support.weakened_tests.comments import CommentRun, comment_lines, new_comments
from werkrevisor_rules._support.weakened_tests.comparing import Pair, short
from werkrevisor_rules._support.weakened_tests.declarations import (
    NO_TEST_CLASS,
    OUT_OF_SIGHT,
    Declaration,
    Listing,
    Role,
)
from werkrevisor_rules._support.weakened_tests.hooks import Surroundings
from werkrevisor_rules._support.weakened_tests.marks import changed_settings, settings
from werkrevisor_rules._support.weakened_tests.moves import Moves
from werkrevisor_rules._support.weakened_tests.pairing import Pairing, body_text, pair
from werkrevisor_rules._support.weakened_tests.shortcuts import only_values_differ
from werkrevisor_rules._support.weakened_tests.tables import rows_of
from werkrevisor_rules._support.weakened_tests.versions import Version, constant_value
from werkrevisor_rules._support.weakening import Kind, Weakened

Place = tuple[str, int | None, Side]
_WORD: Final = re.compile(r"[A-Za-z_]\w{2,}")


@define(eq=False)
class Production:
    """Words of changed production code: those only in removed lines, and all of the new versions."""

    removed: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    shrinks: bool = False

    @cached_property
    def gone(self) -> frozenset[str]:
        """Names that the change takes out of the production code it touches."""
        return self.removed - self.present

    def took(self, words: Iterable[str]) -> bool:
        """Return whether one of these names is gone from production code."""
        return any(word in self.gone for text in words if text[:1] not in "\"'`" for word in _WORD.findall(text))


@define(eq=False)
class ChangeOfTests:
    """Both versions of all test files of a change."""

    old: Sequence[Listing]
    new: Sequence[Listing]
    moved: dict[str, str]
    production: Production
    found: list[Weakened] = field(factory=list)

    @cached_property
    def before(self) -> Version:
        """The old version."""
        return Version(self.old)

    @cached_property
    def after(self) -> Version:
        """The new version."""
        return Version(self.new)

    def weakened(self) -> list[Weakened]:
        """Return what got weaker."""
        olds = [found for listing in self.old for found in listing.tests if not found.hidden]
        news = [self._seen(found) for listing in self.new for found in listing.tests]
        pairing = pair(olds, news, self.moved, self.before, self.after)
        for was, now in pairing.pairs:
            if was.state != now.state and not only_values_differ(was, now):
                self._changed.append((was, now))
        self._moves = Moves(pairing.come, self._changed, self.before, self.after)
        for was, now in self._changed:
            self._compare(was, now)
        self._removed(pairing)
        self._functions()
        self.found += Surroundings(self.old, self.new, self.moved, self.before, self.after).weaker()
        self._constants()
        self._statements()
        return _once(self.found)

    def _seen(self, found: Declaration) -> Declaration:
        """Show a test that stands where no framework looks, but in a class that another one of the change inherits."""
        if found.hidden not in (OUT_OF_SIGHT, NO_TEST_CLASS) or not found.scope:
            return found
        return evolve(found, hidden="") if self._is_extended(found.scope[0]) else found

    def _is_extended(self, name: str) -> bool:
        extended = re.compile(rf"(?:\bextends\s+|:\s*|[,(]\s*){re.escape(name)}\b")
        return any(extended.search(listing.text) for listing in self.new)

    _comments: dict[str, list[CommentRun]] = field(factory=dict, init=False)
    _moves: Moves = field(init=False)
    _changed: list[tuple[Declaration, Declaration]] = field(factory=list, init=False)

    def _compare(self, was: Declaration, now: Declaration) -> None:
        made = Pair(
            was,
            now,
            self.before,
            self.after,
            lambda one: self._moves.elsewhere(one, now),
            self.production.took,
            lambda text: self._comment_line(text, now.path),
            self._code_conditions,
        )
        self.found += made.weakened()

    def _removed(self, pairing: Pairing) -> None:
        functions = [found for listing in self.new for found in listing.declarations if found.role is Role.FUNCTION]
        by_body: dict[str, Declaration] = {}
        by_name: dict[str, Declaration] = {}
        for found in functions:
            by_body.setdefault(body_text(found), found)
            by_name.setdefault(found.name.lower().lstrip("_"), found)
        for found in pairing.gone:
            body = self.before.body(found)
            demands = self.before.effective(found)
            if self._was_skipped(found):
                continue
            macro = any(mark.text == "test macro" for mark in found.marks)
            if (body.empty and not macro) or (not demands and _is_bench(found)):
                continue
            same = by_body.get(body_text(found)) if len(body_text(found)) > 16 else None
            same = same or self._by_name(by_name, found)
            if same is not None and self._uncalled(same):
                self._say(
                    Kind.UNDISCOVERED, (same.path, same.line, Side.NEW), found, found.name, f"{same.name} is no test"
                )
            elif comment := self._commented(found):
                self._say(Kind.COMMENTED_OUT, (comment[0], comment[1], Side.NEW), found, found.name, comment[2])
            elif self._moves.lives_on(found, demands) or self.production.took((*body.words,)):
                continue
            else:
                self._say(Kind.TEST_REMOVED, (found.path, found.line, Side.OLD), found, short(found.raw), None)

    def _was_skipped(self, found: Declaration) -> bool:
        return any(
            one.kind is Kind.SKIP_ADDED and not one.condition for one in settings(found, self.before.body(found))
        )

    def _by_name(self, by_name: dict[str, Declaration], found: Declaration) -> Declaration | None:
        same = by_name.get(found.name.lower())
        if same is None or same.path not in (found.path, self.moved.get(found.path)):
            return None
        before = {one.key for one in self.before.effective(found)}
        return same if any(one.key in before for one in self.after.effective(same)) else None

    @cached_property
    def _called_words(self) -> Counter[str]:
        """Words of tests and statements of the new version, by how many of them hold each."""
        out: Counter[str] = Counter()
        for listing in self.new:
            for found in listing.declarations:
                if found.role in (Role.TEST, Role.STATEMENT):
                    out.update(set(re.findall(r"\w+", found.raw)))
        return out

    def _uncalled(self, function: Declaration) -> bool:
        """Return whether no test of the new version calls a function."""
        name = function.name.strip("`")
        own = int(function.role in (Role.TEST, Role.STATEMENT))
        return self._called_words[name] <= own

    @cached_property
    def _code_conditions(self) -> frozenset[str]:
        """Conditions that the change puts on functions that are no tests."""
        out: set[str] = set()
        for old, new in self._same(Role.FUNCTION):
            before = {mark.text for mark in old.marks}
            out |= {"".join(mark.text.split()) for mark in new.marks if mark.text not in before}
        return frozenset(out | self._extended())

    def _extended(self) -> set[str]:
        """Return the marks of abstract classes whose tests another class of the change inherits."""
        marks = {
            mark.text
            for listing in self.new
            for found in listing.tests
            for mark in found.inherited
            if mark.name == "abstract"
        }
        return {"".join(f"abstract{text}".split()) for text in marks if self._is_extended(text.split()[0])}

    def _comment_line(self, text: str, path: str) -> int | None:
        """Return the line of an added comment that holds the text of an assertion."""
        wanted = "".join(text.split()).rstrip(";")
        if len(wanted) < 12:
            return None
        return next((run.line for run in self._comments_of(path) if wanted in run.text), None)

    def _comments_of(self, path: str) -> list[CommentRun]:
        if path not in self._comments and not self._more_marks(path):
            self._comments[path] = []
        if path not in self._comments:
            old = frozenset(line for listing in self._old_of.get(path, ()) for line in comment_lines(listing.text))
            runs = [run for listing in self._new_of.get(path, ()) for run in new_comments(path, old, listing.text)]
            self._comments[path] = runs
        return self._comments[path]

    def _more_marks(self, path: str) -> bool:
        """Return whether the new version can have comments that the old one has not: counting marks is cheap."""
        old = "".join(listing.text for listing in self._old_of.get(path, ()))
        new = "".join(listing.text for listing in self._new_of.get(path, ()))
        return any(new.count(mark) > old.count(mark) for mark in ("//", "#", "/*", "*/", "--"))

    @cached_property
    def _old_of(self) -> dict[str, list[Listing]]:
        """Old versions by the path that the new one has."""
        out: dict[str, list[Listing]] = defaultdict(list)
        for listing in self.old:
            out[self.moved.get(listing.path, listing.path)].append(listing)
        return out

    @cached_property
    def _new_of(self) -> dict[str, list[Listing]]:
        out: dict[str, list[Listing]] = defaultdict(list)
        for listing in self.new:
            out[listing.path].append(listing)
        return out

    def _commented(self, found: Declaration) -> tuple[str, int, str | None] | None:
        text = body_text(found)
        name = found.name.strip("`'\"")
        for run in self._comments_of(self.moved.get(found.path, found.path)):
            named = "".join(name.split()) in run.text
            if len(text) > 12 and (text in run.text or (named and text[: min(len(text) // 2, 60)] in run.text)):
                return run.path, run.line, short(run.first)
        return None

    def _say(self, kind: Kind, place: Place, found: Declaration, was: str | None, now: str | None) -> None:
        path, line, side = place
        self.found.append(Weakened(path, line, side, kind, found.full_name, was, now))

    def _functions(self) -> None:
        """Compare functions with assertions as if they were tests: helpers that check less."""
        for old, new in self._same(Role.FUNCTION):
            if old.state != new.state and (self.before.body(old).assertions or self._has_table(old)):
                self._compare(old, new)
                self._provider(old, new)

    @staticmethod
    def _has_table(found: Declaration) -> bool:
        return (
            any(mark.name in ("DataProvider", "Parameters", "fixture") for mark in found.marks)
            or "TestCaseData" in found.raw
            or "Arguments" in found.raw
            or "MemberData" in found.raw
        )

    def _provider(self, old: Declaration, new: Declaration) -> None:
        """Report that a function that gives cases gives fewer."""
        if self.before.body(old).assertions:
            return
        before, after = self._rows(old, self.before), self._rows(new, self.after)
        if before and after and len(after) < len(before):
            gone = [row for row in before if row not in after]
            self._say(
                Kind.CASES_DROPPED,
                (old.path, old.line, Side.OLD),
                old,
                short(gone[0] if gone else ""),
                f"{len(after)} of {len(before)} cases",
            )

    @staticmethod
    def _rows(found: Declaration, version: Version) -> Sequence[str]:
        if any(mark.name == "fixture" for mark in found.marks):
            return case_rows(found, version.body(found), version.constants(found.path))[0]
        return rows_of(constant_value(found)) or ()

    def _same(self, role: Role) -> list[tuple[Declaration, Declaration]]:
        new = {
            (found.path, found.full_name): found
            for listing in self.new
            for found in listing.declarations
            if found.role is role
        }
        old = [found for listing in self.old for found in listing.declarations if found.role is role] if new else []
        places = ((found, (self.moved.get(found.path, found.path), found.full_name)) for found in old)
        return [(found, new[place]) for found, place in places if place in new]

    def _constants(self) -> None:
        """Report collections that tests go through and that lost entries."""
        for old, new in self._same(Role.CONSTANT):
            if old.state == new.state or not old.name:
                continue
            was, now = constant_value(old), constant_value(new)
            before, after = rows_of(was), rows_of(now)
            if not before or after is None or len(after) >= len(before) or not self._gone_through(new):
                continue
            kind = Kind.CASES_DROPPED if after else Kind.DATA_EMPTIED
            self._say(kind, (old.path, old.line, Side.OLD), old, short(old.raw), short(new.raw))

    @cached_property
    def _tests_by_path(self) -> dict[str, tuple[Declaration, ...]]:
        return {listing.path: listing.tests for listing in self.new}

    def _tests_of(self, path: str) -> tuple[Declaration, ...]:
        return self._tests_by_path.get(path, ())

    def _gone_through(self, constant: Declaration) -> bool:
        name = re.escape(constant.name.strip("`"))
        used = re.compile(
            rf"(?:\b(?:in|of|range|for|each|parametrize|Source|nameof|dataProvider)\b[^;{{}}]{{0,80}}|:\s*)\b{name}\b|\b{name}\b\s*\.\s*(?:forEach|items|each|iter)"
        )
        return any(
            used.search(found.raw) or any(used.search(mark.text) for mark in found.marks)
            for found in self._tests_of(constant.path)
        )

    def _statements(self) -> None:
        """Compare statements outside of tests: `jest.retryTimes(3)`, `this.timeout(0)`, `test.skip()`."""
        for new in self.new:
            old = self._old_of.get(new.path, [])
            if [_plain_statements(listing) for listing in old] == [_plain_statements(new)]:
                continue
            before = [one for listing in old for one in self._outside(listing)]
            after = self._outside(new)
            if not old:
                continue
            for was, now in changed_settings(before, after):
                said = None if was is None else short(was.text)
                self.found.append(
                    Weakened(new.path, now.line, Side.NEW, now.kind, "all tests around", said, short(now.text))
                )

    def _outside(self, listing: Listing) -> list:  # type: ignore[type-arg]
        out = []
        for found in listing.declarations:
            if found.role is Role.STATEMENT and not found.name.startswith(("suite ", "class ")):
                bare = evolve(found, marks=(), inherited=())
                out += settings(bare, read_body(found.expand(), found.language))
        return out


def _plain_statements(listing: Listing) -> list[str]:
    return [found.raw for found in listing.declarations if found.role is Role.STATEMENT]


def _is_bench(found: Declaration) -> bool:
    return bool(re.match(r"(?i)bench", found.name)) or "bench" in {mark.name for mark in found.marks}


def _once(found: Iterable[Weakened]) -> list[Weakened]:
    """Leave out what says the same of the same line again, e.g. a mark on a class for each of its tests."""
    out: dict[tuple[object, ...], Weakened] = {}
    for one in found:
        text = one.now if one.side is Side.NEW else one.was
        text = None if one.kind in (Kind.UNREACHABLE, Kind.SWALLOWED) else text
        out.setdefault((one.path, one.line, one.side, one.kind, text), one)
    return list(out.values())

"""Compares what runs around the tests: fixtures, set-ups and hooks that skip tests, drop them or hush them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import define

from werkrevisor_core.models.ports import Side
from werkrevisor_rules._support.weakened_tests.comparing import short
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Listing, Role
from werkrevisor_rules._support.weakened_tests.tables import rows_of
from werkrevisor_rules._support.weakened_tests.versions import Version, constant_value
from werkrevisor_rules._support.weakening import Kind, Weakened

_COLLECTING: Final = re.compile(
    r"items\s*\[\s*:\s*\]\s*=(?!\s*(?:sorted|reversed|list\(reversed)\b)|\.remove\(|\.clear\(|deselected|\bdel items|"
    r"return True|add_marker|exitstatus\s*=[^=]|\.outcome\s*=[^=]|\.pop\("
)
_REFUSING: Final = re.compile(r"\breturn\s+(?!None\b)")
_HOOKS: Final[Mapping[str, re.Pattern[str]]] = {
    "pytest_collection_modifyitems": _COLLECTING,
    "pytest_runtest_makereport": _COLLECTING,
    "pytest_sessionfinish": _COLLECTING,
    "pytest_runtest_protocol": _REFUSING,
    "pytest_ignore_collect": _REFUSING,
    "pytest_pycollect_makeitem": _REFUSING,
    # Go: the status of all tests of a package.
    "TestMain": re.compile(r"\bExit\s*\(\s*0\s*\)|^(?!.*\.Run\()"),
}
_IGNORED: Final = frozenset({"collect_ignore", "collect_ignore_glob"})
_SET_UP: Final = re.compile(
    r"(?:async)?set_?up(?:_?class|_?method|_?module|_?function|_?test|_?suite|_?sub_?test|_?all|_?each)?|suitesetup"
    r"|before(?:_?each|_?all|_?test|_?class|_?method|_?suite)?|onetimesetup|testinitialize|classinitialize"
    r"|pytest_runtest_(?:setup|call)",
    re.IGNORECASE,
)


def _starts_by_itself(found: Declaration) -> bool:
    """Return whether the framework runs a function before tests that do not name it."""
    return (
        _SET_UP.fullmatch(found.name) is not None
        or any(_SET_UP.fullmatch(mark.name) or "autouse" in mark.text for mark in found.marks)
        or (found.language == "csharp" and found.scope[-1:] == (found.name,))
    )


@define(eq=False)
class Surroundings:
    """Functions and constants of both versions that decide about tests without being any."""

    old: Sequence[Listing]
    new: Sequence[Listing]
    moved: Mapping[str, str]
    before: Version
    after: Version

    def weaker(self) -> Iterator[Weakened]:
        """Yield the hooks that drop tests, the lists of files that are left out, and the set-ups that skip."""
        known = {
            (self.moved.get(found.path, found.path), found.full_name): found
            for listing in self.old
            for found in listing.declarations
            if found.role in (Role.FUNCTION, Role.CONSTANT)
        }
        places = {(self.moved.get(one.path, one.path), one.scope) for listing in self.old for one in listing.tests}
        for listing in self.new:
            for found in listing.declarations:
                was = known.get((found.path, found.full_name))
                if found.role is Role.CONSTANT and found.name in _IGNORED:
                    yield from self._left_out(was, found)
                elif found.role is Role.FUNCTION and (was is None or was.state != found.state):
                    yield from self._hook(was, found)
                    if was is not None or self._is_around(found, places):
                        yield from self._skipping(was, found)

    @staticmethod
    def _is_around(found: Declaration, places: Iterable[tuple[str, tuple[str, ...]]]) -> bool:
        """Return whether a new function runs before tests that were there already."""
        if not _starts_by_itself(found):
            return False
        named = found.path.rsplit("/", 1)[-1] == "conftest.py"
        return named or any(path == found.path and scope[: len(found.scope)] == found.scope for path, scope in places)

    @staticmethod
    def _hook(was: Declaration | None, now: Declaration) -> Iterator[Weakened]:
        pattern = _HOOKS.get(now.name)
        if pattern is None:
            return
        before = [] if was is None else pattern.findall(was.raw)
        if len(pattern.findall(now.raw)) > len(before):
            yield _said(Kind.UNDISCOVERED, now, None if was is None else was.raw)

    @staticmethod
    def _left_out(was: Declaration | None, now: Declaration) -> Iterator[Weakened]:
        before = None if was is None else rows_of(constant_value(was))
        after = rows_of(constant_value(now))
        more = after is None or before is None or not set(after) <= set(before)
        if more and after != () and (was is None or was.raw != now.raw):
            yield _said(Kind.UNDISCOVERED, now, None if was is None else was.raw)

    def _skipping(self, was: Declaration | None, now: Declaration) -> Iterator[Weakened]:
        old = None if was is None else self.before.body(was)
        known = [] if old is None else [*old.returns, *(condition for _, condition, _ in old.skips)]
        after = self.after.body(now).skips
        fresh = [skip for skip in after if skip[1] not in known]
        for name, condition, line in fresh if len(after) > (0 if old is None else len(old.skips)) else ():
            text = f"{name} {condition}".strip()
            yield Weakened(now.path, line, Side.NEW, Kind.SKIP_ADDED, now.full_name, None, short(text))
            return


def _said(kind: Kind, now: Declaration, was: str | None) -> Weakened:
    return Weakened(now.path, now.line, Side.NEW, kind, now.full_name, short(was), short(now.raw))

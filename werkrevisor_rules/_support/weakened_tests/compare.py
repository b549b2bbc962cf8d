"""Compares the tests of a change set: which files, within which bounds, and what stands for what is not parsed."""

import gc
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from attrs import define, evolve, field

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import REGULAR_MODES, FileChange, Status
from werkrevisor_core.models.classes import Category, JudgedFile
from werkrevisor_core.models.ports import Contents, NoContents, Side
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.changed_texts import prefetch, versions
from werkrevisor_rules._support.test_discovery import is_test_path, language_of, loses_discovery
from werkrevisor_rules._support.weakened_tests.bounds import Bounds, NotComparable, NotParsed
from werkrevisor_rules._support.weakened_tests.data_files import (
    data_emptied,
    doctest_skipped,
    is_data,
    is_snapshot,
    snapshot_shrunk,
)
from werkrevisor_rules._support.weakened_tests.fallback import OTHER, Line, changed_lines, declared, weakened_by_text
from werkrevisor_rules._support.weakening import Kind, Weakened

if TYPE_CHECKING:
    from werkrevisor_rules._support.weakened_tests.change import Production
    from werkrevisor_rules._support.weakened_tests.declarations import Listing

# Frameworks that find tests in any file of the language by marks in it.
_HOLDS_TESTS: Final = {
    "rust": re.compile(
        rb"#\[(?:\w+::)*(?:test|rstest|cfg\(test|cfg\(all\(test|test_case|wasm_bindgen_test)|\bproptest!"
    ),
    "csharp": re.compile(rb"\[\s*(?:[\w.]+\.)?(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|\w*TestMethod)\b"),
    "java": re.compile(rb"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Theory)\b"),
    "kotlin": re.compile(rb"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b"),
}
_TEXT_MODES: Final = REGULAR_MODES | {None}
_NOT_KNOWN: Final = "its contents are not known here"
_OTHER_ENDINGS: Final = (
    "rb php ex exs scala swift dart c cc cpp cxx m mm lua groovy pl t zig clj cljs hs r R jl feature robot bats vb fs "
    "nim cr erl elm ml vue svelte sol tcl"
)
_OTHER_CODE: Final = tuple(f".{ending}" for ending in _OTHER_ENDINGS.split())
"""Endings of languages whose tests are looked at as text only."""
_BY_PATH: Final = frozenset({"python", "javascript", "typescript", "tsx", "go", "java", "kotlin"})
# What a removed line declares: behind a keyword or a type, or at the start of a member.
_DECLARED: Final = re.compile(
    rb"(?:[\w>\]?)*&]|\bfn|\bdef)\s+(\w{3,})\s*(?:[(<:={;]|$)|^-\s*(?:export\s+|static\s+|async\s+|get\s+)*(\w{3,})\s*[(:]"
)
# Languages in which the text of a declaration says that it is a test.
_NAMED_BY_TEXT: Final = frozenset({"python", "go", "javascript", "typescript", "tsx"})
_WORD: Final = re.compile(rb"[A-Za-z_]\w{2,}")


@frozen(eq=False)
class _Source:
    """A changed source file: language, whether its tests are compared, and its texts where they are known."""

    row: JudgedFile
    language: str
    by_path: bool
    old: bytes | None = None
    new: bytes | None = None
    unknown: str = ""

    @property
    def change(self) -> FileChange:
        """The file change."""
        return self.row.change


def _readable(row: JudgedFile) -> bool:
    file = row.change
    regular = file.old_mode in _TEXT_MODES and file.new_mode in _TEXT_MODES
    return regular and not row.mechanical and not file.binary and file.unread is None


def _sources(files: Iterable[JudgedFile]) -> Iterator[_Source]:
    for row in files:
        language = language_of(row.path) or language_of(row.change.old_path)
        if language is None:
            if row.category is Category.TESTS and row.path.endswith(_OTHER_CODE):
                yield _Source(row, OTHER, True, unknown="tests in its language are not compared")
            continue
        by_path = row.category is Category.TESTS or any(map(_is_of_tests, row.change.paths))
        yield _Source(row, language, by_path)


def _is_of_tests(path: str) -> bool:
    if is_test_path(path) is not None:
        return True
    return path.endswith("conftest.py") and path.rpartition("/")[2] == "conftest.py"


def _from_patch(one: _Source) -> _Source:
    """Return a file whose contents are not known; of one that came or went the patch holds all."""
    status = one.change.status
    if one.language == OTHER or status not in (Status.ADDED, Status.REMOVED):
        return one if one.unknown else _Source(one.row, one.language, one.by_path, unknown=_NOT_KNOWN)
    sign = b"+" if status is Status.ADDED else b"-"
    lines = [line[1:] for hunk in one.change.patch.hunks() for line in hunk.lines if line[:1] == sign]
    text = b"".join(line + b"\n" for line in lines)
    old, new = (None, text) if status is Status.ADDED else (text, None)
    return _Source(one.row, one.language, one.by_path, old, new)


@define(eq=False)
class Comparison:
    """One comparison of a change; `weakened` is its result."""

    files: Sequence[JudgedFile]
    contents: Contents
    bounds: Bounds
    found: list[Weakened] = field(factory=list)

    def weakened(self) -> list[Weakened]:
        """Return what got weaker, and which files could not be compared."""
        rows = [row for row in self.files if _readable(row)]
        sources = list(_sources(rows))
        for one in sources:
            if one.language == "python" and language_of(one.row.path) == "python":
                self.found += doctest_skipped(one.change)
        self._data([row for row in rows if language_of(row.path) is None or "__snapshots__/" in row.path])
        if isinstance(self.contents, NoContents):
            sources = [_from_patch(one) for one in sources]
        elif any(one.by_path or one.language in _HOLDS_TESTS for one in sources):
            prefetch(self.contents, [one.change for one in sources])
            sources = [self._read(one) for one in sources]
        self._compare(sources)
        return self.found

    def _data(self, rows: Iterable[JudgedFile]) -> None:
        for row in rows:
            if is_snapshot(row.path) and row.change.status in (Status.MODIFIED, Status.REMOVED):
                others = [other.change for other in self.files if language_of(other.path)]
                self.found += snapshot_shrunk(row.change, others)
            elif is_data(row.path) and row.change.removed and row.change.added <= 5:
                try:
                    old = self.contents.read(Side.OLD, row.change.old_path)
                    new = self.contents.read(Side.NEW, row.path)
                except ContentsUnavailable:
                    continue
                self.found += data_emptied(row.change, old, new)

    def _read(self, one: _Source) -> _Source:
        if one.language == OTHER:
            return one
        try:
            before, after = versions(self.contents, one.change)
        except ContentsUnavailable:
            return _from_patch(one)
        return _Source(one.row, one.language, one.by_path, before, after)

    def _compare(self, sources: list[_Source]) -> None:
        tests: list[_Source] = []
        others: list[_Source] = []
        for one in sources:
            (tests if self._holds_tests(one) else others).append(one)
        if not tests:
            return
        from werkrevisor_rules._support.weakened_tests.change import ChangeOfTests  # noqa: PLC0415 (loads the machinery)

        old: list[Listing] = []
        new: list[Listing] = []
        by_text: list[tuple[_Source, str]] = []
        used = 0
        for one in tests:
            used += len(one.old or b"") + len(one.new or b"")
            if used > self.bounds.total_bytes:
                self._not_compared(one, f"the test files of the change have more than {self.bounds.total_bytes} bytes")
                continue
            why = one.unknown or self._list(one, old, new)
            if why:
                by_text.append((one, why))
        moved = {one.change.old_path: one.change.path for one in tests if one.change.status is Status.RENAMED}
        production = self._production(others)
        self.found += ChangeOfTests(old, new, moved, production).weakened()
        self._by_text(by_text, [(one.change, one.language) for one in tests], (old, new))

    def _holds_tests(self, one: _Source) -> bool:
        if one.by_path:
            return True
        pattern = _HOLDS_TESTS.get(one.language)
        if pattern is None:
            return False
        if one.unknown:
            text = one.change.patch.text()
            if b"est" not in text and b"Fact" not in text and b"Theory" not in text:
                return False  # none of the patterns can match
            return pattern.search(re.sub(rb"(?m)^.", b"", text)) is not None
        return any(text is not None and pattern.search(text) for text in (one.old, one.new))

    def _list(self, one: _Source, old: "list[Listing]", new: "list[Listing]") -> str:
        """List both versions; return why the text has to stand in for one of them, or nothing."""
        from werkrevisor_rules._support.weakened_tests.around import Known  # noqa: PLC0415 (loads the machinery)
        from werkrevisor_rules._support.weakened_tests.reading import listing  # noqa: PLC0415 (loads the machinery)

        sides = ((old, one.change.old_path, one.old), (new, one.change.path, one.new))
        known = Known() if one.change.path == one.change.old_path else None
        made: list[tuple[list[Listing], Listing]] = []
        try:
            for target, path, data in sides:
                if data is not None:
                    made.append((target, listing(path, language_of(path) or one.language, data, self.bounds, known)))
        except NotComparable as error:
            self._not_compared(one, str(error))
            return ""
        except NotParsed as error:
            return str(error)
        gone = one.language in _BY_PATH and _leaves_discovery(one.change)
        broken = any(found.faults for _, found in made)
        for target, found in made:
            hidden = gone and target is new
            target.append(_hidden(found) if hidden else found)
        return "a part of it is not valid in its language" if broken else ""

    def _not_compared(self, one: _Source, why: str) -> None:
        side = Side.OLD if one.change.status is Status.REMOVED else Side.NEW
        self.found.append(Weakened(one.change.path, None, side, Kind.NOT_COMPARED, note=f"not compared: {why}"))

    def _by_text(
        self,
        sources: list[tuple[_Source, str]],
        tests: list[tuple[FileChange, str]],
        listings: "tuple[list[Listing], list[Listing]]",
    ) -> None:
        """Let the text stand in for files that were not parsed, and for parts of files that were not."""
        if not sources:
            return
        old, new = listings
        lines = {id(file): changed_lines(file) for file, _ in tests}
        names = declared((lines[id(file)], language) for file, language in tests) | {
            test.name.strip("'\"`") for listing in new for test in listing.tests
        }
        compared = {listing.path for listing in (*old, *new)}
        listed = {one.name.strip("'\"`") for listing in old for one in listing.declarations}
        for one, why in sources:
            told = weakened_by_text(one.change, lines[id(one.change)], one.language, frozenset(names), why)
            if one.change.old_path in compared or one.change.path in compared:
                # What was listed has been compared; the text only adds tests that the parser lost.
                told = [said for said in told if said.kind is Kind.TEST_REMOVED and said.test not in listed]
                self.found += told if one.language in _NAMED_BY_TEXT else []
                if not told and self._is_unread(one.change, lines[id(one.change)], listings):
                    self._not_compared(one, why)
            elif told or one.language == OTHER:
                self.found += told
            elif one.change.status not in (Status.ADDED, Status.COPIED):
                self._not_compared(one, why)  # the text shows nothing, and may hide something

    @staticmethod
    def _is_unread(file: FileChange, lines: Sequence[Line], listings: "tuple[list[Listing], list[Listing]]") -> bool:
        """Return whether a changed line stands where its version did not parse."""
        old, new = listings
        gone = [one for listing in old if listing.path == file.old_path for one in listing.faults]
        come = [one for listing in new if listing.path == file.path for one in listing.faults]
        return any(
            start <= line <= end
            for added, line, text in lines
            if text.strip()
            for start, end in (come if added else gone)
        )

    @staticmethod
    def _production(sources: list[_Source]) -> "Production":
        from werkrevisor_rules._support.weakened_tests.change import Production  # noqa: PLC0415

        removed: set[str] = set()
        present: set[str] = set()
        balance = 0
        for one in sources:
            balance += one.change.added - one.change.removed
            for line in one.change.patch.text().split(b"\n"):
                if line[:1] == b"-":
                    removed |= {
                        word.decode("ascii", "replace") for pair in _DECLARED.findall(line) for word in pair if word
                    }
                elif line[:1] in (b"+", b" "):
                    present |= {word.decode("ascii", "replace") for word in _WORD.findall(line)}
            if one.new is not None:
                present |= {word.decode("ascii", "replace") for word in _WORD.findall(one.new)}
        return Production(frozenset(removed), frozenset(present), balance < 0)


def _leaves_discovery(file: FileChange) -> bool:
    """Return whether no framework looks for tests where a file is now: it moved there, or came there."""
    if file.status in (Status.ADDED, Status.COPIED):
        return is_test_path(file.path) is None and file.path.rsplit("/", 1)[-1] != "conftest.py"
    return loses_discovery(file.old_path, file.path)


def _hidden(found: "Listing") -> "Listing":
    from werkrevisor_rules._support.weakened_tests.declarations import (  # noqa: PLC0415 (loads the machinery)
        OUT_OF_SIGHT,
        Role,
    )

    return evolve(
        found,
        declarations=tuple(
            evolve(one, hidden=one.hidden or OUT_OF_SIGHT) if one.role is Role.TEST else one
            for one in found.declarations
        ),
    )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from running.

    Syntax trees are many objects without circles: it would go through all of them again and again, a
    fifth of the time of a large change, and find nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def compare_tests(files: Sequence[JudgedFile], contents: Contents, bounds: Bounds) -> list[Weakened]:
    """Compare the tests of a change.

    Args:
        files: the changed files; mechanical ones are left out.
        contents: their bytes.
        bounds: how much is compared.

    Returns:
        What got weaker, and which files could not be compared, in the order of the paths.
    """
    with _no_collection():
        found = Comparison(files, contents, bounds).weakened()
    return sorted(found, key=lambda one: (one.path, one.line or 0, one.kind, one.test))

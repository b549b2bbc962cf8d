"""Step 2: a file is mechanical if every changed line is explained by some classifier.

"Not mechanical" is always a safe answer, so whatever is odd about a file ends the question before a
classifier is asked, with the reason kept.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from attrs import define, field

from werkrevisor_core.diff.hunks import LazyHunks
from werkrevisor_core.errors import RuleError
from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.forked import forked, pays
from werkrevisor_core.hidden import find_hidden, looks_plain, only_ascii_controls
from werkrevisor_core.models.change import REGULAR_MODES, FileChange, Hunk, Status
from werkrevisor_core.models.classes import Classification, Explained, LineProof, Rebinding, WholeFile
from werkrevisor_core.records import frozen
from werkrevisor_core.steps.glance import HOOK, Glance, failure, in_short, unexplained, unexplained_at
from werkrevisor_core.watchdog import Progress

MAX_PROOF: Final = 20
"""Lines of proof that are kept per file."""
LONGEST_LINE: Final = 10_000
"""Bytes of a line above which it is too long to judge."""
SHARED: Final = 1500
"""Files from which on it pays to classify one half in another process."""
MANY_FILES: Final = 50
"""Files from which on it pays to compile what can explain a file as a whole."""


def classify(
    files: Sequence[FileChange],
    classifiers: Sequence[NamedClassifier],
    progress: Progress,
    *,
    line_by_line: bool = False,
    divisible: bool = False,
) -> tuple[tuple[Classification, ...], tuple[RuleError, ...]]:
    """Classify files, in their order.

    Args:
        files: the changed files.
        classifiers: those that are on, sorted by name.
        progress: where the classifier that runs is noted.
        line_by_line: whether the proof of each line is wanted; else a file may be explained as a whole.
        divisible: whether one half of a large change may be classified in another process; the classifiers may then
            read from nothing that two processes cannot read from at once.

    Returns:
        One classification per file, and the failures of classifiers; a classifier that failed is
        not asked again, and the file at hand is not mechanical by it.
    """
    if not divisible or line_by_line or len(files) < SHARED or not pays():
        return _classify(files, classifiers, progress, line_by_line=line_by_line)
    # Every second file, since what lies together is often alike, and one half would take longer.
    with forked(partial(packed, files[1::2], classifiers)) as result:
        here, errors = _classify(files[::2], classifiers, progress)
        # After a failure fewer classifiers are asked, and the other process knows nothing of that.
        data = None if errors else result()
    if data is None:
        return _classify(files, classifiers, progress)
    classes = [*here, *unpacked(data)]
    classes[::2], classes[1::2] = here, classes[len(here) :]
    return tuple(classes), ()


def packed(files: Sequence[FileChange], classifiers: Sequence[NamedClassifier]) -> bytes:
    """Return the classifications of files as JSON.

    Raises:
        RuleError: a classifier failed.
    """
    classes, errors = _classify(files, classifiers, Progress())
    if errors:
        raise errors[0]
    return json.dumps([[one.rules, one.why, one.line, one.proved_lines, _rows(one)] for one in classes]).encode()


def _rows(found: Classification) -> list[tuple[object, ...]]:
    return [(one.name, one.was, one.now, one.line) for one in found.rebound]


def unpacked(data: bytes) -> Iterator[Classification]:
    """Yield the classifications that `packed` returned; the proofs of single lines are not among them."""
    for rules, why, line, lines, rebound in json.loads(data):
        yield Classification(tuple(rules), why, line, (), lines, tuple(Rebinding(*row) for row in rebound))


def _classify(
    files: Sequence[FileChange],
    classifiers: Sequence[NamedClassifier],
    progress: Progress,
    *,
    line_by_line: bool = False,
) -> tuple[tuple[Classification, ...], tuple[RuleError, ...]]:
    classes = []
    errors: list[RuleError] = []
    asked, glance = list(classifiers), Glance(classifiers, progress)
    for file in files:
        try:
            classes.append(_classify_file(file, asked, glance, progress, at_once=not line_by_line))
        except RuleError as error:
            errors.append(error)
            asked = [one for one in asked if one.name != error.rule]
            glance = Glance(asked, progress)
            classes.append(Classification((), str(error)))
    progress.enter(0)
    return tuple(classes), tuple(errors)


def refusal(file: FileChange) -> str | None:  # noqa: PLR0911 (one return per reason reads best)
    """Return why a file cannot be mechanical whatever its lines say, None if it could be."""
    if file.unread is not None:
        return f"it was not read: {file.unread}"
    if file.status not in (Status.MODIFIED, Status.RENAMED):
        return f"it is {file.status.replace('_', ' ')}; only a file that exists before and after can be mechanical"
    if file.binary:
        return "it is binary"
    if file.crlf_headers:
        return "its diff was converted to CRLF line ends"
    if file.old_mode != file.new_mode:
        return f"its mode changes from {file.old_mode} to {file.new_mode}"
    pure_rename = file.status is Status.RENAMED and not file.added and not file.removed
    if file.old_mode not in REGULAR_MODES and not (pure_rename and file.old_mode is None):
        return f"it is no regular file (mode {file.old_mode or 'unknown'})"
    if file.status is Status.RENAMED and not pure_rename:
        return "it is renamed and changed"
    return None


def _classify_file(
    file: FileChange,
    classifiers: Sequence[NamedClassifier],
    glance: Glance,
    progress: Progress,
    *,
    at_once: bool,
) -> Classification:
    why = refusal(file)
    if why is not None:
        return Classification((), why)
    text = file.patch.text()
    sure = file.plain and _has_short_lines(text)
    if sure and at_once and (whole := glance.explained_whole(file, text)) is not None:
        return whole
    at = glance.ruled_out(file, text)
    if at >= 0:
        return unexplained_at(text, at)
    return _Asking(file, LazyHunks(text), list(classifiers), progress, sure=sure).classification()


def _has_short_lines(text: bytes) -> bool:
    return len(text) <= LONGEST_LINE or max(map(len, text.split(b"\n"))) <= LONGEST_LINE


def _refuse_text(hunk: Hunk) -> Classification | None:
    """Refuse text that a reader may see otherwise than a compiler, or that is too long to judge."""
    data = b"\n".join(hunk.lines)
    if len(data) > LONGEST_LINE and max(map(len, hunk.lines)) > LONGEST_LINE:
        return Classification((), "a line is too long to judge", hunk.new_start)
    if looks_plain(data):
        return None
    for _, new, line in hunk.numbered():
        what = None if line[:1] == b" " and b"\0" not in line else _odd_text(line)
        if what:
            return Classification((), f"{what} in line {new}", new)
    return None


def _odd_text(line: bytes) -> str | None:
    if only_ascii_controls(line):
        return "a control character"
    try:
        text = line[1:].decode("utf-8")
    except UnicodeDecodeError:
        return "text that is not UTF-8"
    hidden = find_hidden(text)
    return hidden.what if hidden else None


@frozen
class _Told:
    """What was found out about one hunk: indexes of its changed lines, and who explains which of them."""

    hunk: Hunk
    changed: list[int]
    parts: list[tuple[str, Explained]] = field(factory=list)

    def unexplained(self) -> int | None:
        """Return the index of the first changed line that nobody explains, None where there is none."""
        for index in self.changed:
            for _, part in self.parts:
                if index in part.lines:
                    break
            else:
                return index
        return None


@define
class _Asking:
    """Asks the classifiers about one file, in the order of their names.

    The next one is asked only about a line that those before it do not explain, since one rule is
    enough as a proof, and nobody is asked any more once a line stays unexplained.
    """

    _file: FileChange
    _hunks: LazyHunks
    _waiting: list[NamedClassifier]
    _progress: Progress
    _running: list[tuple[NamedClassifier, Iterator[Explained]]] = field(factory=list)
    _told: list[_Told] = field(factory=list)
    _sure: bool = False

    def classification(self) -> Classification:
        """Return the result.

        Raises:
            RuleError: a classifier raised, or answered what it may not.
        """
        if not self._hunks:
            return self._by_whole_file()
        for hunk in self._hunks:
            refused = None if self._sure else _refuse_text(hunk)
            if refused is not None:
                return refused
            told = _Told(hunk, [index for index, line in enumerate(hunk.lines) if line[:1] != b" "])
            self._told.append(told)
            for one, run in self._running:
                told.parts.append((one.name, self._next(one, run)))
            while (index := told.unexplained()) is not None:
                if not self._waiting:
                    return unexplained(hunk.lines[index], _line_number(hunk, index))
                self._start(self._waiting.pop(0))
        if sum(len(told.changed) for told in self._told) != self._file.added + self._file.removed:
            return Classification((), "its hunks hold other lines than they claim")
        return _conclude(self._told)

    def _by_whole_file(self) -> Classification:
        for one in self._waiting:
            answer = self._answer(one)
            if isinstance(answer, WholeFile):
                return Classification((one.name,), answer.proof)
        return Classification((), "no line is shown that a rule could explain")

    def _answer(self, one: NamedClassifier) -> Iterator[Explained] | WholeFile | None:
        self._progress.enter(one.index)
        try:
            answer = one.classifier.explain(self._file, self._hunks)
        except BaseException as error:
            raise failure(one, error) from error
        if isinstance(answer, WholeFile) and (self._hunks or self._file.added or self._file.removed):
            raise RuleError(one.name, HOOK, "explained a whole file that has changed lines")
        return answer

    def _start(self, one: NamedClassifier) -> None:
        """Ask one more classifier, about all hunks so far."""
        answer = self._answer(one)
        if answer is None or isinstance(answer, WholeFile):
            return
        try:
            run = iter(answer)
        except TypeError as error:
            raise failure(one, error) from error
        self._running.append((one, run))
        for told in self._told:
            told.parts.append((one.name, self._next(one, run)))

    def _next(self, one: NamedClassifier, run: Iterator[Explained]) -> Explained:
        self._progress.enter(one.index)
        try:
            part = next(run)
        except BaseException as error:
            raise failure(one, error) from error
        if not isinstance(part, Explained):
            raise RuleError(one.name, HOOK, f"yielded {type(part).__name__} instead of Explained")
        return part


def _conclude(told: Sequence[_Told]) -> Classification:
    """Return the result for a file whose every changed line is explained."""
    lines = sum(len(one.changed) for one in told)
    if not lines:
        return Classification((), "no changed line is shown")
    rules = _choose(told)
    proof: list[LineProof] = []
    for one in told:
        if len(proof) >= MAX_PROOF:
            break
        proof += itertools.islice(_proofs(one, rules), MAX_PROOF - len(proof))
    rebound = tuple(found for one in told for _, part in one.parts for found in part.rebound)
    return Classification(rules, in_short(lines, proof[0].proof), None, tuple(proof), lines, rebound)


def _choose(told: Sequence[_Told]) -> tuple[str, ...]:
    """Return few rules that explain every line: those that a line needs, then by name."""
    chosen: set[str] = set()
    shared: set[frozenset[str]] = set()
    for one in told:
        if len(one.parts) == 1:
            chosen.add(one.parts[0][0])
            continue
        for index in one.changed:
            names = [name for name, part in one.parts if index in part.lines]
            if len(names) == 1:
                chosen.add(names[0])
            else:
                shared.add(frozenset(names))
    for some in sorted(shared, key=sorted):
        if not some & chosen:
            chosen.add(min(some))
    return tuple(sorted(chosen))


def _proofs(told: _Told, rules: tuple[str, ...]) -> Iterator[LineProof]:
    """Yield the proof of each changed line, with the first of the chosen rules that explains it."""
    parts = [(name, part.lines) for name, part in told.parts if name in rules]  # in the order of their names
    before = {b"-": 0, b"+": 0}
    for index in told.changed:
        sign = told.hunk.lines[index][:1]
        other = before[b"+" if sign == b"-" else b"-"]
        start = told.hunk.old_start if sign == b"-" else told.hunk.new_start
        before[sign] += 1
        name, lines = next((name, lines) for name, lines in parts if index in lines)
        yield LineProof(start + index - other, sign == b"+", name, lines[index])


def _line_number(hunk: Hunk, index: int) -> int:
    """Return the number of a changed line in its own file."""
    if hunk.lines[index][:1] == b"+":
        other, start, count = b"-", hunk.new_start, hunk.new_count
    else:
        other, start, count = b"+", hunk.old_start, hunk.old_count
    before = [line[:1] for line in hunk.lines[:index]]
    return start + (count == 0) + index - before.count(other)

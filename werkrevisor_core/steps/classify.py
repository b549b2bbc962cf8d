"""Step 2: a file is mechanical if every changed line is explained by some classifier.

"Not mechanical" is always a safe answer, so whatever is odd about a file ends the question before a
classifier is asked, with the reason kept.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from attrs import define, field

from werkrevisor_core.errors import RuleError
from werkrevisor_core.facade import NamedClassifier, describe
from werkrevisor_core.hidden import find_hidden, looks_plain, only_ascii_controls
from werkrevisor_core.models.change import REGULAR_MODES, FileChange, Hunk, Status
from werkrevisor_core.models.classes import Classification, Explained, LineProof, Rebinding, WholeFile
from werkrevisor_core.watchdog import Progress

MAX_PROOF: Final = 20
"""Lines of proof that are kept per file."""
LONGEST_LINE: Final = 10_000
"""Bytes of a line above which it is too long to judge."""
T = TypeVar("T")
_SHOWN: Final = 120
_HOOK: Final = "werkrevisor_classifier"


def classify(
    files: Sequence[FileChange], classifiers: Sequence[NamedClassifier], progress: Progress
) -> tuple[tuple[Classification, ...], tuple[RuleError, ...]]:
    """Classify files, in their order.

    Returns:
        One classification per file, and the failures of classifiers; a classifier that failed is
        not asked again, and the file at hand is not mechanical by it.
    """
    classes = []
    errors: list[RuleError] = []
    asked = list(classifiers)
    for file in files:
        try:
            classes.append(_classify_file(file, asked, progress))
        except RuleError as error:
            errors.append(error)
            asked = [one for one in asked if one.name != error.rule]
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


def _classify_file(file: FileChange, classifiers: Sequence[NamedClassifier], progress: Progress) -> Classification:
    why = refusal(file)
    if why is not None:
        return Classification((), why)
    hunks = file.patch.hunks()
    counted = _refuse_text(hunks)
    if counted is not None:
        return counted
    runs = []
    for one in classifiers:
        progress.enter(one.index)
        answer = _guarded(one, partial(one.classifier.explain, file, hunks))
        if isinstance(answer, WholeFile):
            if hunks or file.added or file.removed:
                raise RuleError(one.name, _HOOK, "explained a whole file that has changed lines")
            return Classification((one.name,), answer.proof)
        if answer is not None:
            runs.append((one, iter(answer)))
    if not hunks:
        return Classification((), "no line is shown that a rule could explain")
    return _combine(hunks, runs, progress)


def _refuse_text(hunks: Sequence[Hunk]) -> Classification | None:
    """Refuse text that a reader may see otherwise than a compiler, or that is too long to judge."""
    for hunk in hunks:
        data = b"\n".join(hunk.lines)
        if len(data) > LONGEST_LINE and max(map(len, hunk.lines)) > LONGEST_LINE:
            return Classification((), "a line is too long to judge", hunk.new_start)
        if looks_plain(data):
            continue
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


@define
class _Tally:
    """What the classifiers have explained so far."""

    sole: set[str] = field(factory=set)
    shared: set[frozenset[str]] = field(factory=set)
    proof: list[tuple[int, bool, dict[str, str]]] = field(factory=list)
    lines: int = 0
    rebound: list[Rebinding] = field(factory=list)


def _combine(
    hunks: Sequence[Hunk], runs: Sequence[tuple[NamedClassifier, Iterator[Explained]]], progress: Progress
) -> Classification:
    tally = _Tally()
    for hunk in hunks:
        explained = []
        for one, run in runs:
            progress.enter(one.index)
            part = _guarded(one, run.__next__)
            if not isinstance(part, Explained):
                raise RuleError(one.name, _HOOK, f"yielded {type(part).__name__} instead of Explained")
            explained.append((one.name, part))
            tally.rebound += part.rebound
        unexplained = _count_hunk(hunk, explained, tally)
        if unexplained is not None:
            return unexplained
    if not tally.lines:
        return Classification((), "no changed line is shown")
    rules = _choose(tally)
    proof = tuple(_line_proof(rules, *row) for row in tally.proof)
    noun = "line" if tally.lines == 1 else "lines"
    why = f"{tally.lines} changed {noun}: {proof[0].proof}" if proof else ""
    return Classification(rules, why, None, proof, tally.lines, tuple(tally.rebound))


def _count_hunk(hunk: Hunk, explained: Sequence[tuple[str, Explained]], tally: _Tally) -> Classification | None:
    """Count one hunk in; return the final "not mechanical" at its first line that nothing explains."""
    for index, line in enumerate(hunk.lines):
        if line[:1] == b" ":
            continue
        names = [name for name, part in explained if index in part.lines]
        if not names:
            return _unexplained(hunk, index)
        if len(names) == 1:
            tally.sole.add(names[0])
        else:
            tally.shared.add(frozenset(names))
        if tally.lines < MAX_PROOF:
            number = _line_number(hunk, index)
            tally.proof.append(
                (number, line[:1] == b"+", {name: p.lines[index] for name, p in explained if name in names})
            )
        tally.lines += 1
    return None


def _line_number(hunk: Hunk, index: int) -> int:
    old, new, line = next(itertools.islice(hunk.numbered(), index, None))
    return new if line[:1] == b"+" else old


def _unexplained(hunk: Hunk, index: int) -> Classification:
    line = hunk.lines[index]
    text = line[1 : 1 + 4 * _SHOWN].decode("utf-8", "replace").strip()
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    verb = "adds" if line[:1] == b"+" else "removes"
    number = _line_number(hunk, index)
    return Classification((), f"line {number} {verb} what no rule explains: {shown}", number)


def _choose(tally: _Tally) -> tuple[str, ...]:
    """Return the fewest rules that explain every line: those needed, then by name."""
    chosen = set(tally.sole)
    for names in sorted(tally.shared, key=sorted):
        if not names & chosen:
            chosen.add(min(names))
    return tuple(sorted(chosen))


def _line_proof(rules: tuple[str, ...], line: int, added: bool, proofs: dict[str, str]) -> LineProof:
    rule = next(name for name in rules if name in proofs)
    return LineProof(line, added, rule, proofs[rule])


def _guarded(one: NamedClassifier, call: Callable[[], T]) -> T:
    try:
        return call()
    except StopIteration:
        raise RuleError(one.name, _HOOK, "yielded fewer explanations than the file has hunks") from None
    except (KeyboardInterrupt, RuleError):
        raise
    except BaseException as error:
        raise RuleError(one.name, _HOOK, describe(error)) from error

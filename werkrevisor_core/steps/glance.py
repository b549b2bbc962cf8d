"""Step 2, the short way: what a classifier can say of a file without being asked hunk by hunk.

Most files of a large change hold a line that no rule could explain, or nothing but what one rule explains;
both can be told from the text of the patch with a few passes. Whatever is not told here is asked in full.
"""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Final

from werkrevisor_core.diff.hunks import parse_header
from werkrevisor_core.errors import RuleError
from werkrevisor_core.facade import NamedClassifier, describe
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.classes import Classification, WholePatch
from werkrevisor_core.watchdog import Progress

_SHOWN: Final = 120
HOOK: Final = "werkrevisor_classifier"
"""The hook in whose name a classifier fails."""


class Glance:
    """Asks classifiers about whole files."""

    def __init__(self, classifiers: Sequence[NamedClassifier], progress: Progress) -> None:
        """Take the classifiers that are on, and where the one that runs is noted."""
        self._enter = progress.enter
        able = [(one, getattr(one.classifier, "rules_out", None)) for one in classifiers]
        self._rule_out = [(one, method) for one, method in able if method is not None]
        self._all_can = len(self._rule_out) == len(classifiers)
        able = [(one, getattr(one.classifier, "explain_whole", None)) for one in classifiers]
        self._explain = [(one, method) for one, method in able if method is not None]

    def ruled_out(self, file: FileChange, text: bytes) -> int:
        """Return where the first changed line begins that all classifiers rule out, -1 where there is none.

        Args:
            file: the file.
            text: the text of its hunks.

        Raises:
            RuleError: a classifier raised, or answered what it may not.
        """
        at = _first_change(text) if self._all_can else -1
        agreed = 0
        for one, method in cycle(self._rule_out):
            if at < 0 or agreed == len(self._rule_out):
                break
            found = self._ask(one, method, file, text, at)
            if found == at:
                agreed += 1
                continue
            if not isinstance(found, int) or (found != -1 and not _begins_change(text, at, found)):
                raise RuleError(one.name, HOOK, f"ruled out {found!r}, which is no place of a changed line")
            at, agreed = found, 1
        return at

    def explained_whole(self, file: FileChange, text: bytes) -> Classification | None:
        """Return the result for a file all of whose changed lines one classifier explains at once, else None.

        Args:
            file: the file.
            text: the text of its hunks, known to hold nothing that hides.

        Raises:
            RuleError: a classifier raised, or answered what it may not.
        """
        for one, method in self._explain:
            found = self._ask(one, method, file, text)
            if found is None:
                continue
            if not isinstance(found, WholePatch):
                raise RuleError(one.name, HOOK, f"explained a patch with {type(found).__name__} instead of WholePatch")
            if found.lines == file.added + file.removed:
                why = in_short(found.lines, found.proof)
                return Classification((one.name,), why, None, (), found.lines, found.rebound)
        return None

    def _ask(self, one: NamedClassifier, method: Callable[..., object], *given: object) -> object:
        self._enter(one.index)
        try:
            return method(*given)
        except BaseException as error:
            raise failure(one, error) from error


def _first_change(text: bytes) -> int:
    removed, added = text.find(b"\n-"), text.find(b"\n+")
    first = min(removed, added) if removed >= 0 and added >= 0 else max(removed, added)
    return first + 1 if first >= 0 else -1


def _begins_change(text: bytes, at: int, found: int) -> bool:
    return found >= at and text[found - 1 : found + 1] in (b"\n+", b"\n-")


def in_short(lines: int, proof: str) -> str:
    """Return the proof of a file in one line, given its number of changed lines and the proof of the first."""
    return f"{lines} changed {'line' if lines == 1 else 'lines'}: {proof}"


def unexplained_at(text: bytes, at: int) -> Classification:
    """Return the result for a file with a changed line that no rule explains.

    Args:
        text: the text of its hunks.
        at: where that line begins (at its marker).
    """
    header = text.rfind(b"\n@@ ", 0, at) + 1
    body = text.index(b"\n", header)
    old_start, old_count, new_start, new_count, _ = parse_header(text[header:body])
    if text[at : at + 1] == b"+":
        number, other = new_start + (new_count == 0), b"\n-"
    else:
        number, other = old_start + (old_count == 0), b"\n+"
    number += text.count(b"\n", body + 1, at) - text.count(other, body, at) - text.count(b"\n\\", body, at)
    return unexplained(text[at : text.index(b"\n", at)], number)


def unexplained(line: bytes, number: int) -> Classification:
    """Return the result for a file, given the changed line that no rule explains, with its marker and number."""
    text = line[1 : 1 + 4 * _SHOWN].decode("utf-8", "replace").strip()
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    verb = "adds" if line[:1] == b"+" else "removes"
    return Classification((), f"line {number} {verb} what no rule explains: {shown}", number)


def failure(one: NamedClassifier, error: BaseException) -> BaseException:
    """Return what is raised instead of an error inside a classifier: a failure of its rule, or Ctrl-C as it is."""
    if isinstance(error, (KeyboardInterrupt, RuleError)):
        return error
    if isinstance(error, StopIteration):
        return RuleError(one.name, HOOK, "yielded fewer explanations than the file has hunks")
    return RuleError(one.name, HOOK, describe(error))

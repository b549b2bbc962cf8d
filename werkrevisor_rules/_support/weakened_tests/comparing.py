"""Compares two versions of one test."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from attrs import define, field

from werkrevisor_core.models.ports import Side
from werkrevisor_rules._support.weakened_tests.bodies import Body
from werkrevisor_rules._support.weakened_tests.cases import case_rows, runs, skipped_rows
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Role
from werkrevisor_rules._support.weakened_tests.demands import Assertion, is_base
from werkrevisor_rules._support.weakened_tests.judging import any_truth, judged, kept, matched
from werkrevisor_rules._support.weakened_tests.marks import changed_settings, limits_of, settings
from werkrevisor_rules._support.weakened_tests.sizes import lower_bound, only_part, only_size
from werkrevisor_rules._support.weakened_tests.strictness import MOCK, STRICT, VAGUE, Op
from werkrevisor_rules._support.weakened_tests.versions import Version, demands_of_marks
from werkrevisor_rules._support.weakening import Kind, Weakened

_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|/[^/]+/")
_PROMISED: Final = re.compile(r"\b(?:rejects|resolves)\b|page|locator|getBy|\w+Async\b")
_VAGUE: Final = frozenset({Op.NOT_NULL, Op.TRUTHY, Op.NO_ERROR})
_EASY: Final = VAGUE | {Op.COMPARE, Op.NO_ERROR}
MAX_TEXT: Final = 160
"""Characters of what stood or stands in a place; the rest is cut."""


def short(text: str | None) -> str | None:
    """Return the beginning of a text for a reader."""
    return text if text is None or len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."


@define(eq=False)
class Pair:
    """A test before and after, with all that is needed to compare them."""

    old: Declaration
    new: Declaration
    before: Version
    after: Version
    elsewhere: Callable[[Assertion], bool]
    with_code: Callable[[Iterable[str]], bool]
    commented: Callable[[str], int | None]
    excused: frozenset[str] = frozenset()
    found: list[Weakened] = field(factory=list)
    more_cases: bool = field(default=False, init=False)

    @cached_property
    def bodies(self) -> tuple[Body, Body]:
        """The two bodies."""
        return self.before.body(self.old), self.after.body(self.new)

    def weakened(self) -> list[Weakened]:
        """Return what got weaker."""
        old, new = self.bodies
        if self.old.role is Role.TEST and (not old.empty or demands_of_marks(self.old)):
            self._hidden()
            self._settings(old, new)
            self._cases(old, new)
        self._assertions()
        return self.found

    def _say(self, kind: Kind, line: int, was: str | None, now: str | None, note: str = "") -> None:
        """Report something at a line of the new version."""
        name = self.new.full_name
        self.found.append(Weakened(self.new.path, line, Side.NEW, kind, name, short(was), short(now), note))

    def _say_of_old(self, kind: Kind, line: int, was: str, now: str | None = None) -> None:
        """Report something at a line of the old version."""
        self.found.append(Weakened(self.old.path, line, Side.OLD, kind, self.new.full_name, short(was), short(now)))

    def _hidden(self) -> None:
        if self.new.hidden and not self.old.hidden:
            self._say(Kind.UNDISCOVERED, self.new.line, None, self.new.hidden)

    def _settings(self, old: Body, new: Body) -> None:
        before = [*settings(self.old, old), *self.before.skips_around(self.old)]
        after = [*settings(self.new, new), *self.after.skips_around(self.new)]
        limited, still = limits_of(self.old), [one for one in after if one.kind is Kind.TIMEOUT_RAISED]
        if limited and not still:
            self._say(Kind.TIMEOUT_RAISED, self.new.line, limited[0].text, None)
        for was, now in changed_settings(before, after):
            if _squeezed(now.text) in self.excused:
                continue
            if now.kind is Kind.SKIP_ADDED and self._was_silent_return(now.condition):
                continue
            self._say(now.kind, now.line, None if was is None else was.text, now.text)

    def _was_silent_return(self, condition: str) -> bool:
        """Return whether the old version ended without a word under the same condition."""
        return bool(condition) and condition in self.bodies[0].returns

    def _cases(self, old: Body, new: Body) -> None:
        before, _ = case_rows(self.old, old, self.before.constants(self.old.path))
        after, elsewhere = case_rows(self.new, new, self.after.constants(self.new.path))
        if _all_values(self.old) and not _all_values(self.new) and any(m.name == "EnumSource" for m in self.new.marks):
            self._say(Kind.CASES_DROPPED, self.new.line, "all values", "some of them")
        times, now = runs(self.old), runs(self.new)
        if times and now is not None and 2 * now <= times:
            self._say(Kind.CASES_DROPPED, self.new.line, f"{times} runs", f"{now} runs")
        self.more_cases = len(after) > max(1, len(before)) or (elsewhere and not before)
        skipped = len(skipped_rows(after)) - len(skipped_rows(before))
        if skipped > 0:
            self._say(Kind.SKIP_ADDED, self.new.line, None, skipped_rows(after)[-1])
        if not before or len(after) >= len(before) or (elsewhere and not after):
            return
        gone = list((Counter(before) - Counter(after)).elements())
        if not after and old.assertions and len(new.assertions) >= len(old.assertions) * min(len(before), 2):
            return  # the loop was unrolled
        if not after and self._unrolled(gone, new):
            return
        lost = [row for row in gone if not self._row_elsewhere(row)]
        if lost:
            kind = Kind.CASES_DROPPED if after else Kind.DATA_EMPTIED
            self._say_of_old(kind, self.old.line, lost[0], f"{len(after)} of {len(before)} cases")

    def _unrolled(self, gone: Sequence[str], new: Body) -> bool:
        words = new.words
        literals = [word for row in gone for word in row.split() if word[:1].isdigit() or word[:1] in "\"'"]
        return bool(literals) and sum(word in words for word in literals) >= 0.8 * len(literals)

    def _row_elsewhere(self, row: str) -> bool:
        words = tuple(row.split())
        literals = {word for word in words if word[:1].isdigit() or word[:1] in "\"'`"}
        if not literals:
            return False
        probe = Assertion(Op.CUSTOM, words, (), 0, 0, row)
        return self.elsewhere(probe)

    def _assertions(self) -> None:
        pairs = matched(self.before.effective(self.old), self.after.effective(self.new))
        for was, now in pairs.equal:
            looser = Kind.LOOSENED if any_truth(was, now) else self._other_bound(was, now)
            if looser is not None:
                self._say(looser, now.line, was.text, now.text)
            self._structure(was, now)
        others = [*(now for _, now in pairs.equal), *(now for _, now in pairs.rewritten), *pairs.come]
        for was, now in pairs.rewritten:
            kind = judged(was, now)
            if kind is not None and not _told_apart(was, now, others):
                self._say(kind, now.line, was.text, now.text, now.void)
            else:
                self._structure(was, now)
        gone = list(pairs.gone)
        for made in pairs.come:
            if made.void and (gone or made.void.startswith("the test raises")):
                self._say(Kind.ALWAYS_TRUE, made.line, gone.pop(0).text if gone else None, made.text, made.void)
        self._gone(
            gone,
            [now for _, now in (*pairs.equal, *pairs.rewritten)],
            pairs.come,
            [*(now for _, now in pairs.rewritten), *pairs.come],
        )

    @staticmethod
    def _other_bound(was: Assertion, now: Assertion) -> Kind | None:
        """Return in which way a comparison with the same number is a wider one: `>=` for `>`."""
        return lower_bound(was, now) if was.op is Op.COMPARE and was.name != now.name else None

    def _structure(self, was: Assertion, now: Assertion) -> None:
        """Report guards that only the new version of an assertion has."""
        if was.void or now.void:
            return
        for kind in ("swallow", "return", "if-return", "if", "loop"):
            before = [guard.text for guard in was.guards if guard.kind == kind]
            after = [guard for guard in now.guards if guard.kind == kind]
            fresh = [guard for guard in after if guard.text not in before]
            if len(after) <= len(before) or not fresh:
                continue
            if kind in ("if", "loop", "if-return") and self._no_way_around(kind, fresh[0].text, was, now):
                continue
            weaker = Kind.SWALLOWED if kind == "swallow" else Kind.UNREACHABLE
            self._say(weaker, fresh[0].line, was.text, f"{fresh[0].text}: {now.text}")
            return
        if was.awaited and not now.awaited and _PROMISED.search(now.text):
            self._say(Kind.UNREACHABLE, now.line, was.text, now.text, "the promise is not awaited")

    def _no_way_around(self, kind: str, text: str, was: Assertion, now: Assertion) -> bool:
        """Return whether a new condition takes nothing away, e.g. a loop, or an `else` that checks as well."""
        if kind == "loop":
            return True
        if kind == "if-return":
            return any(text == skipped for _, skipped, _ in self.bodies[0].skips)
        others = [
            one for one in self.bodies[1].assertions if one.guards and one.guards[-1].kind == "if" and one is not now
        ]
        plain = text.removeprefix("else ")
        opposite = {f"else {plain}"} if plain == text else {plain}
        del was
        return any(one.guards[-1].text in opposite for one in others)

    def _a_case(self, made: Assertion, now: Sequence[Assertion]) -> bool:
        """Return whether a demand is one of the cases that the new version goes through."""
        if not any(one.op is made.op or one.op is Op.EQUAL for one in now):
            return False
        new = self.bodies[1]
        words = {*new.words, *(word for mark in self.new.marks if mark.expand for word in mark.expand().words)}
        literals = [
            word
            for word in (*made.subject, *made.expected)
            if word[:1].isdigit() or (word[:1] in "\"'" and len(word) > 2)
        ]
        return all(any(word == other or word.strip("\"'") in other for other in words) for word in literals)

    @staticmethod
    def _told_otherwise(made: Assertion, changed: Sequence[Assertion]) -> bool:
        """Return whether a vague demand gave way to a strict one of the same thing."""
        if made.op not in _VAGUE or not made.subject:
            return False
        strict = [one for one in changed if one.op in STRICT and not one.void]
        return any(made.subject[0] in one.subject[:1] + one.expected[:1] for one in strict)

    def _gone(
        self,
        gone: Sequence[Assertion],
        still: Sequence[Assertion],
        come: Sequence[Assertion],
        changed: Sequence[Assertion],
    ) -> None:
        for made in gone:
            if not made.void and (line := self.commented(made.text)) is not None:
                self._say(Kind.COMMENTED_OUT, line, made.text, None)
                continue
            if made.op is Op.PLAN and not any(one.guards for one in (*still, *come)):
                continue  # every assertion is reached
            if made.void or (made.op is Op.CUSTOM and self._renamed_helper(made, come)):
                continue
            if kept(made, (*still, *come)) or self.elsewhere(made) or self.with_code(made.tokens):
                continue
            if (
                _in_raising(made, self.bodies[0].assertions, (*still, *come))
                or self._rewritten_beyond_pairing(gone, come)
                or self._told_otherwise(made, changed)
            ):
                continue
            if self.more_cases and self._a_case(made, (*still, *come)):
                continue
            if made.op is Op.NO_ERROR and self.old.role is Role.FUNCTION:
                continue  # a set-up that fails otherwise
            kind = Kind.MOCK_VERIFY_DROPPED if made.op in MOCK else Kind.ASSERTION_REMOVED
            if made.op is Op.RAISES and not is_base(made.types) and any(one.op is Op.RAISES for one in still):
                continue
            self._say_of_old(kind, made.line, made.text)

    @staticmethod
    def _renamed_helper(made: Assertion, come: Sequence[Assertion]) -> bool:
        return any(one.op is Op.CUSTOM for one in come) or not made.subject

    @staticmethod
    def _rewritten_beyond_pairing(gone: Sequence[Assertion], come: Sequence[Assertion]) -> bool:
        """Return whether as many demands came as went, none of them vague: a rewrite too far-reaching to pair."""
        unknown = [one for one in come if one.op is Op.CUSTOM]
        if unknown:
            return True
        solid = [one for one in come if not one.void and one.op not in _EASY]
        demanding = [one for one in gone if one.op not in _VAGUE]
        return len(solid) >= max(1, len(demanding))


def _told_apart(was: Assertion, now: Assertion, others: Iterable[Assertion]) -> bool:
    """Return whether other demands say together what one said: a message by itself, entries one by one."""
    literals = {word for word in (*was.message, *was.expected) if word[:1] in "\"'`" and len(word) > 2}
    if was.op is Op.RAISES:
        wanted = _letters(*was.message)
        return (
            now.types == was.types
            and bool(wanted)
            and any(wanted in _letters(*one.expected, *one.subject, *one.message) for one in others if one is not now)
        )
    if not literals or not (only_size(was, now) or only_part(was, now)):
        return False
    return literals <= {word for one in others if one.op in STRICT or one.op is was.op for word in one.tokens}


def _in_raising(made: Assertion, old: Iterable[Assertion], new: Iterable[Assertion]) -> bool:
    """Return whether a demand of an exception says now what was compared with a text by itself."""
    types = {one.types for one in new if one.op is Op.RAISES and one.types}
    if made.op is Op.EQUAL and len(made.expected) == 1 and made.expected[0] in types:
        return True
    literals = [word for word in (*made.subject, *made.expected) if word[:1] in "\"'`" and len(word) > 2]
    before, after = ([one.text for one in side if one.op is Op.RAISES and not one.void] for side in (old, new))
    if not literals or any(word in text for word in literals for text in before):
        return False
    told = [[_letters(quoted) for quoted in _QUOTED.findall(text)] for text in after]
    return any(all(any(_letters(word) in quoted for quoted in texts) for word in literals) for texts in told)


def _letters(*words: str) -> str:
    return "".join(char for word in words for char in word if char.isalnum())


def _all_values(test: Declaration) -> bool:
    """Return whether a test of JUnit runs with every value of an enumeration."""
    return any(mark.name == "EnumSource" and "names" not in mark.text for mark in test.marks)


def _squeezed(text: str) -> str:
    return "".join(text.split())

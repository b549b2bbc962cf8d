"""Looks for demands of the old version in other tests of the new one."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from attrs import define

from werkrevisor_rules._support.weakened_tests.declarations import Declaration
from werkrevisor_rules._support.weakened_tests.demands import Assertion
from werkrevisor_rules._support.weakened_tests.judging import kept
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakened_tests.versions import Version

_CANDIDATES: Final = 40
_COMMON: Final = frozenset(
    {
        "assert",
        "self",
        "expect",
        "void",
        "public",
        "test",
        "func",
        "testing",
        "this",
        "class",
        "await",
        "async",
        "return",
        "const",
    }
)


@define(eq=False)
class Moves:
    """The tests of a change that are new or changed, to be searched by demand and by word."""

    come: Sequence[Declaration]
    changed: Sequence[tuple[Declaration, Declaration]]
    before: Version
    after: Version

    @cached_property
    def _added(self) -> list[tuple[Declaration, Assertion]]:
        """Assertions that only the new version has, anywhere in the change."""
        out: list[tuple[Declaration, Assertion]] = []
        for found in self.come:
            out += [(found, one) for one in self.after.effective(found)]
        for was, now in self.changed:
            if was.raw == now.raw or now.hidden:
                continue
            before = {one.key for one in self.before.effective(was)}
            out += [(now, one) for one in self.after.effective(now) if one.key not in before]
        return out

    @cached_property
    def _new_words(self) -> list[tuple[Declaration, frozenset[str]]]:
        changed = [*self.come, *(now for was, now in self.changed if was.raw != now.raw)]
        return [(found, frozenset((*self.after.body(found).words, *_mark_words(found)))) for found in changed]

    @cached_property
    def _added_by_key(self) -> dict[object, list[tuple[Declaration, Assertion]]]:
        out: dict[object, list[tuple[Declaration, Assertion]]] = defaultdict(list)
        for found, one in self._added:
            out[one.key].append((found, one))
        return out

    @cached_property
    def _added_by_word(self) -> dict[str, list[tuple[Declaration, Assertion]]]:
        out: dict[str, list[tuple[Declaration, Assertion]]] = defaultdict(list)
        for found, one in self._added:
            for word in one.tokens:
                out[word].append((found, one))
        return out

    @cached_property
    def _tests_by_word(self) -> dict[str, list[int]]:
        out: dict[str, list[int]] = defaultdict(list)
        for index, (_, words) in enumerate(self._new_words):
            for word in words:
                out[word].append(index)
        return out

    def _near(self, made: Assertion) -> list[tuple[Declaration, Assertion]]:
        """Return added demands that share the rarest word with a demand; at most so many that the rest is no match."""
        lists = [self._added_by_word.get(word, []) for word in made.tokens]
        return min(lists, key=len, default=[])[:_CANDIDATES]

    def _tests_with(self, words: Iterable[str]) -> list[int]:
        """Return indices of changed tests that hold all of some words, as far as they are looked for."""
        sought = set(words)
        lists = [self._tests_by_word.get(word, []) for word in sought]
        rarest = min(lists, key=len, default=[])[:_CANDIDATES]
        return [index for index in rarest if sought <= self._new_words[index][1]]

    def elsewhere(self, made: Assertion, besides: Declaration) -> bool:
        """Return whether a demand moved to another test of the change."""
        if any(found is not besides for found, _ in self._added_by_key.get(made.key, ())):
            return True
        if made.op is Op.CUSTOM:  # a row of data, or a check of an unknown helper
            wanted = {word for word in made.subject if word[:1].isdigit() or word[:1] in "\"'`"}
            return bool(wanted) and any(self._new_words[i][0] is not besides for i in self._tests_with(wanted))
        others = [one for found, one in self._near(made) if found is not besides]
        return len(made.tokens) >= 2 and kept(made, others)

    def lives_on(self, found: Declaration, demands: Sequence[Assertion]) -> bool:
        """Return whether all that a removed test demanded stands in new or paired tests."""
        real = [one for one in demands if not one.void and one.op is not Op.CUSTOM]
        if real and all(self._moved_to(one) for one in real):
            return True
        words = frozenset((*self.before.body(found).words,))
        literals = {word for word in words if word[:1].isdigit() or (word[:1] in "\"'`" and len(word) > 2)}
        names = {word for word in words if re.fullmatch(r"[A-Za-z_]\w{3,}", word)} - _COMMON - {found.name}
        if not literals or len(demands) > 3:
            return False
        near = (self._new_words[index][1] for index in self._tests_with(literals))
        return any(len(names & other) >= 0.6 * len(names) for other in near)

    def _moved_to(self, made: Assertion) -> bool:
        if made.key in self._added_by_key:
            return made.op is not Op.NO_ERROR or len(made.tokens) > 1
        return len(made.tokens) >= 2 and kept(made, [one for _, one in self._near(made)])


def _mark_words(found: Declaration) -> list[str]:
    out: list[str] = []
    for mark in found.marks:
        if mark.expand is not None:
            out += mark.expand().words
    return out

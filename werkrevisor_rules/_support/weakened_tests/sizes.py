"""Tells what demands say about sizes and bounds: which one implies another, and which one leaves more room."""

import re
from collections.abc import Iterable
from typing import Final

from werkrevisor_rules._support.weakened_tests.demands import Assertion, number_of
from werkrevisor_rules._support.weakened_tests.durations import milliseconds, unit_of
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakening import Kind

NOISE: Final = frozenset({"self", "this", "len", "size", "Ok", "Some", "t", "err"})
"""Words that tell nothing about what is demanded."""

_SIZES: Final = frozenset(
    {"len", "size", "count", "length", "Count", "Length", "call_count", "Len", "callCount", "called_once"}
)
_CALL_LISTS: Final = frozenset({"mock_calls", "call_args_list", "calls", "mock", "getCalls", "args_list"})
_WITH_CONTENT: Final = frozenset({Op.EQUAL, Op.CONTAINS, Op.PATTERN, Op.ANY_ORDER, Op.SNAPSHOT})
_CONVERSIONS: Final = frozenset(
    {"collect", "Vec", "_", "toList", "ToList", "list", "toArray", "ToArray", "to_vec", "iter", "stream"}
)
_SETS: Final = frozenset({"set", "frozenset", "toSet", "Set", "toHashSet", "HashSet"})
_WRAPPERS: Final = frozenset({"Ok", "Err", "Some"})
_OF_SIZE: Final = frozenset({Op.EQUAL, Op.SIZE, Op.COMPARE})
_UPPER: Final = re.compile(r"<=?|.*(?:less|below|before|atmost|lte?$).*")
_LOWER: Final = re.compile(r">=?|.*(?:greater|above|after|atleast|gte?$|more).*")
_INCLUSIVE: Final = re.compile(r"[<>]=|.*(?:equal|atleast|atmost|[gl]te$).*")


def core(words: Iterable[str]) -> frozenset[str]:
    """Return the words and literals among tokens."""
    return frozenset(word for word in words if word[:1].isalnum() or word[:1] in "\"'`_")


def implied_size(gone: Assertion, other: Assertion) -> bool:
    """Return whether an exact comparison of a whole collection says how long it is."""
    sized = gone.op in (Op.SIZE, Op.CALLED_TIMES) or (
        gone.op is Op.EQUAL and bool(_SIZES & {*gone.subject, *gone.expected})
    )
    if not sized or other.op not in (Op.EQUAL, Op.ANY_ORDER, Op.SNAPSHOT):
        return False
    subject = (core(gone.subject) | core(gone.expected)) - _SIZES - NOISE
    subject = frozenset(word for word in subject if not word[:1].isdigit())
    sides = [core(side) - _CALL_LISTS - _SIZES - NOISE for side in (other.subject, other.expected)]
    return bool(subject) and subject in sides


def only_size(old: Assertion, new: Assertion) -> bool:
    """Return whether the contents were compared before, and only how many there are is now."""
    if old.op not in _WITH_CONTENT or new.op not in _OF_SIZE or _SIZES & {*old.subject, *old.expected}:
        return False
    sizes = _SIZES & {*new.subject, *new.expected}
    if not sizes and new.op is not Op.SIZE:
        return False
    before = {core(side) - _CONVERSIONS for side in (old.subject, old.expected)} - {frozenset()}
    after = {core(side) - sizes - _CONVERSIONS for side in (new.subject, new.expected)} - {frozenset()}
    same = before & after
    return bool(same) and all(side in same or _is_number(side) for side in after)


def only_set(old: Assertion, new: Assertion) -> bool:
    """Return whether two values are compared as sets now: in any order, and however often each entry comes."""
    words = {*new.subject, *new.expected} - {*old.subject, *old.expected}
    if not (old.op is new.op is Op.EQUAL and words & _SETS):
        return False
    before = (core(old.subject), core(old.expected))
    after = [core(side) - _SETS for side in (new.subject, new.expected)]
    return any(side in before for side in after) and all(any(side <= other for other in before) for side in after)


def only_part(old: Assertion, new: Assertion) -> bool:
    """Return whether of a whole that was compared only a part is now: fewer entries, or one of its members."""
    if old.op not in (Op.EQUAL, Op.CONTAINS) or new.op is not old.op or old.negated or new.negated:
        return False
    before, after = (core(one.expected) - _WRAPPERS for one in (old, new))
    if not after < before:
        return False
    if old.subject == new.subject:
        return old.name == new.name and (old.op is Op.CONTAINS or old.name == "matches")
    deeper = len(new.subject) > len(old.subject) and new.subject[: len(old.subject)] == old.subject
    return deeper and new.subject[len(old.subject)] in (".", "[") and len(before) > 1


def _is_number(side: frozenset[str]) -> bool:
    return all(word[:1].isdigit() for word in side)


def lower_bound(old: Assertion, new: Assertion) -> Kind | None:
    """Return in which way a new bound leaves more room than the old demand: it is half or double as large, or zero."""
    direction, bound = _bound(new)
    if old.op is Op.DIFFERS:
        zero = (old.subject, old.expected).count(("0",)) == 1
        return Kind.LOOSENED if zero and direction > 0 and bound == 0 and _INCLUSIVE.fullmatch(_plain(new)) else None
    other, before = _bound(old)
    if not direction or direction != other or bound is None or before is None:
        return None
    if direction < 0:
        return Kind.TOLERANCE_RAISED if bound > before >= 0 and bound >= 2 * before else None
    if bound == before == 0:
        closer = _INCLUSIVE.fullmatch(_plain(new)) and not _INCLUSIVE.fullmatch(_plain(old))
        return Kind.LOOSENED if closer and not (old.negated or new.negated) else None
    return Kind.LOOSENED if bound < before and 2 * bound <= before else None


def _plain(made: Assertion) -> str:
    return made.name.replace("_", "").lower()


def _bound(made: Assertion) -> tuple[int, float | None]:
    """Return the direction of a bound (-1 at most, 1 at least, 0 unknown) and its number."""
    name = _plain(made)
    direction = -1 if _UPPER.fullmatch(name) else 1 if _LOWER.fullmatch(name) else 0
    if (number := _figure(made.expected)) is not None:
        return (-direction if made.negated else direction), number
    if (number := _figure(made.subject)) is not None:
        return (direction if made.negated else -direction), number
    return 0, None


def _figure(side: tuple[str, ...]) -> float | None:
    """Return the number that a side is, or the span of time that it says."""
    if len(side) == 1:
        return number_of(side)
    text = " ".join(side)
    return milliseconds(text) if unit_of(text) else None

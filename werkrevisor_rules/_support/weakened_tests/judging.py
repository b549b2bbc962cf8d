"""Pairs the assertions of two versions of a test and says which demand less than before."""

from collections.abc import Iterable, Sequence

from attrs import evolve

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.demands import Assertion, is_base
from werkrevisor_rules._support.weakened_tests.sizes import (
    NOISE,
    core,
    implied_size,
    lower_bound,
    only_part,
    only_set,
    only_size,
)
from werkrevisor_rules._support.weakened_tests.strictness import LOOSE, MOCK, STRICT, VAGUE, Op, loose_inside, matcher
from werkrevisor_rules._support.weakening import Kind


@frozen(eq=False)
class Matched:
    """The assertions of two versions: equal ones, rewritten ones, and those left on one side only."""

    equal: tuple[tuple[Assertion, Assertion], ...]
    rewritten: tuple[tuple[Assertion, Assertion], ...]
    gone: tuple[Assertion, ...]
    come: tuple[Assertion, ...]


def without_copies(found: Sequence[Assertion]) -> list[Assertion]:
    """Leave out an assertion that repeats the one before it, with nothing between them."""
    out: list[Assertion] = []
    for one in found:
        before = out[-1] if out else None
        if (
            before is not None
            and before.key == one.key
            and 0 <= one.line - before.end_line <= 1
            and one.op is not Op.CUSTOM
        ):
            out[-1] = evolve(before, end_line=one.end_line)
            continue
        out.append(one)
    return out


def matched(old: Sequence[Assertion], new: Sequence[Assertion]) -> Matched:
    """Pair assertions: equal ones first, then by likeness."""
    olds, news = without_copies(old), without_copies(new)
    waiting: dict[object, list[Assertion]] = {}
    for one in news:
        waiting.setdefault(one.key, []).append(one)
    equal, left = [], []
    for one in olds:
        same = waiting.get(one.key)
        if same:
            equal.append((one, same.pop(0)))
        else:
            left.append(one)
    taken = {id(pair[1]) for pair in equal}
    come = [one for one in news if id(one) not in taken]
    rewritten = _alike(left, come)
    gone_ids = {id(pair[0]) for pair in rewritten}
    come_ids = {id(pair[1]) for pair in rewritten}
    return Matched(
        tuple(equal),
        tuple(rewritten),
        tuple(one for one in left if id(one) not in gone_ids),
        tuple(one for one in come if id(one) not in come_ids),
    )


_LIMIT = 300
"""Assertions per side up to which every pair is looked at; beyond it only neighbours are."""


def _alike(old: list[Assertion], new: list[Assertion]) -> list[tuple[Assertion, Assertion]]:
    scored = []
    for i, one in enumerate(old):
        around = (
            range(len(new)) if len(old) * len(new) <= _LIMIT * _LIMIT else range(max(0, i - 5), min(len(new), i + 6))
        )
        for j in around:
            score = likeness(one, new[j])
            if score >= 0.34:
                scored.append((-score, abs(i - j), i, j))
    pairs, used_old, used_new = [], set(), set()
    for _, _, i, j in sorted(scored):
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append((i, j))
    return [(old[i], new[j]) for i, j in sorted(pairs)]


def likeness(one: Assertion, other: Assertion) -> float:
    """Return how alike two demands are, 0 to 1 and a little more for the same subject."""
    if _only_some_error(one, other):
        return 0.9
    if one.op is Op.RAISES and other.op is Op.RAISES:
        return 1.0 if one.types == other.types else 0.9
    if (one.op is Op.RAISES) != (other.op is Op.RAISES) and not (one.subject and one.subject == other.subject):
        return 0.0
    if one.op is Op.PLAN or other.op is Op.PLAN or one.op is Op.NO_MORE_CALLS or other.op is Op.NO_MORE_CALLS:
        return 1.0 if one.op is other.op else 0.0
    sides = ({one.subject, one.expected} & {other.subject, other.expected}) - {()}
    tokens, others = one.tokens, other.tokens
    union = len(tokens | others)
    share = len(tokens & others) / union if union else 0.0
    if any(len(core(side)) for side in sides):
        share = max(share, 0.5) + 0.3
    if only_size(one, other):
        share = max(share, 0.8)
    subject, second = core(one.subject), core(other.subject)
    if subject and second:
        share = max(share, 0.8 * len(subject & second) / len(subject | second))
    return share + (0.1 if one.op is other.op and share > 0 else 0)


def judged(  # noqa: C901, PLR0911, PLR0912 (one way to demand less after the other)
    old: Assertion, new: Assertion
) -> Kind | None:
    """Return in which way a rewritten assertion demands less, or None."""
    if new.void and not old.void:
        return Kind.ALWAYS_TRUE
    if old.op is Op.RAISES and new.op is Op.RAISES:
        return _raising(old, new)
    if old.op is Op.RAISES and new.op in (Op.TRUTHY, Op.NOT_NULL, Op.TYPE):
        return Kind.EXCEPTION_WIDENED
    if old.op is Op.RAISES and _only_some_error(old, new):
        return Kind.EXCEPTION_WIDENED
    if old.op is Op.SNAPSHOT and new.op is Op.RAISES and "hrow" in old.name and not (new.message or new.types):
        return Kind.LOOSENED
    if only_size(old, new) or only_part(old, new) or only_set(old, new):
        return Kind.LOOSENED
    if new.op is Op.COMPARE and old.op in (Op.COMPARE, Op.DIFFERS):
        return lower_bound(old, new) if _same_subject(old, new) else None
    if old.op is Op.TYPE and new.op is Op.TYPE and old.expected != new.expected and _types_wider(old, new):
        return Kind.EXCEPTION_WIDENED
    if old.op is new.op is Op.APPROX or (old.op is new.op is Op.SNAPSHOT and old.number is not None):
        return _tolerance(old, new)
    if old.op in MOCK or new.op in MOCK:
        return _mock(old, new)
    if old.op in STRICT and new.op in LOOSE:
        return _loosened(old, new)
    if old.op in (Op.CONTAINS, Op.PATTERN, Op.APPROX, Op.ANY_ORDER, Op.ONE_OF) and new.op in (Op.NOT_NULL, Op.TRUTHY):
        same = new.subject in (old.subject, old.expected)
        return Kind.LOOSENED if same and not _boolean_port(old, new) else None
    if old.op is new.op and old.op in (Op.EQUAL, Op.CONTAINS, Op.RAISES):
        inside = loose_inside(" ".join(new.expected)) - loose_inside(" ".join(old.expected))
        if inside > 0 and _same_subject(old, new):
            return Kind.LOOSENED
    return None


def _same_subject(old: Assertion, new: Assertion) -> bool:
    sides = ({old.subject, old.expected} & {new.subject, new.expected}) - {()}
    if any(core(side) for side in sides):
        return True
    first, second = core(old.subject) | core(old.expected), core(new.subject) | core(new.expected)
    if new.op is Op.ONE_OF and first <= second:
        return True
    return bool(second) and len(first & second) >= 0.7 * len(second)


def _boolean_port(old: Assertion, new: Assertion) -> bool:
    """Return whether a boolean expression says what the matcher said, e.g. `assertTrue(a.equals(b))`."""
    if new.op is not Op.TRUTHY:
        return False
    wanted = core(old.expected)
    return bool(wanted) and wanted <= core(new.subject) and "is_ok" not in new.subject


_FALSY = frozenset({"[]", "{}", "()", "0", "''", '""', "set()"})


def _loosened(  # noqa: C901, PLR0911 (one exception after the other)
    old: Assertion, new: Assertion
) -> Kind | None:
    if not _same_subject(old, new):
        return None
    if old.op is Op.NULL and new.op in (Op.NOT_NULL, Op.DIFFERS, Op.TYPE):
        return None  # the opposite is expected
    if old.op is Op.EMPTY and new.op not in (Op.TRUTHY, Op.COMPARE):
        return None
    if new.op is Op.NOT_NULL and ("".join(old.expected) in _FALSY or "".join(old.subject) in _FALSY):
        return None  # the opposite is expected
    if new.op is Op.TRUTHY and new.negated and "".join(old.expected) in _FALSY:
        return None  # `== []` and `not`
    if new.op is Op.TRUTHY and (_boolean_port(old, new) or matcher(new.name) is Op.EQUAL):
        return None
    if new.op is Op.DIFFERS and old.expected == new.expected:
        return None  # the opposite is expected
    if old.op is Op.SNAPSHOT and new.op in (Op.CONTAINS, Op.PATTERN):
        return Kind.LOOSENED
    if old.op is Op.SIZE and new.op in (Op.CONTAINS, Op.ANY_ORDER):
        return None
    if new.op is Op.APPROX and old.op is not Op.EQUAL:
        return None
    if new.op is Op.COMPARE and old.op is Op.NULL:
        return None
    return Kind.LOOSENED


def _raising(old: Assertion, new: Assertion) -> Kind | None:
    if old.types != new.types and is_base(new.types) and not is_base(old.types):
        return Kind.EXCEPTION_WIDENED
    if "|" in new.types and set(old.types.split("|")) < set(new.types.split("|")):
        return Kind.EXCEPTION_WIDENED
    if old.types and not new.types and not new.message:
        return Kind.EXCEPTION_WIDENED
    if (old.name, new.name) == ("EqualError", "ErrorContains"):
        return Kind.LOOSENED
    if old.message and not new.message and (old.types == new.types or is_base(new.types)):
        return Kind.LOOSENED
    return None


def _only_some_error(old: Assertion, new: Assertion) -> bool:
    """Return whether it is only compared whether there is an error, as in `(err != nil) != wantErr`."""
    error = old.subject[-1:] and old.subject[-1] in new.tokens
    return bool(old.types and error) and new.op is Op.EQUAL and "nil" in new.tokens


_EXACT_TRUTHS = frozenset(
    {"toBe", "toEqual", "toStrictEqual", "equal", "equals", "eql", "true", "false", "strictEqual"}
)
_ANY_TRUTHS = frozenset({"toBeTruthy", "toBeFalsy", "ok"})


def any_truth(old: Assertion, new: Assertion) -> bool:
    """Return whether exactly true became anything that counts as true, in JavaScript."""
    compared = any(word in ("===", "==", "!==", "!=", "<", ">", "<=", ">=", "!") for word in new.subject)
    return old.op is Op.TRUTHY and old.name in _EXACT_TRUTHS and new.name in _ANY_TRUTHS and not compared


def _types_wider(old: Assertion, new: Assertion) -> bool:
    name = "".join(word for word in new.expected if word not in ("class", ".", "typeof", "(", ")"))
    before = "".join(word for word in old.expected if word not in ("class", ".", "typeof", "(", ")"))
    return is_base(name) and not is_base(before)


def _tolerance(old: Assertion, new: Assertion) -> Kind | None:
    if old.number is None or new.number is None or not _same_subject(old, new):
        return None
    return Kind.TOLERANCE_RAISED if new.number >= 2 * old.number and new.number > old.number else None


def _mock(old: Assertion, new: Assertion) -> Kind | None:  # noqa: PLR0911 (one way after the other)
    if new.op is Op.CALLED and new.negated:
        return None  # never called is as strict as can be
    if old.op is Op.CALLED_WITH and new.op is Op.CALLED:
        return Kind.MOCK_VERIFY_DROPPED
    if old.op is Op.CALLED_TIMES and new.op is Op.CALLED:
        return Kind.MOCK_VERIFY_DROPPED
    if old.op in STRICT and new.op in VAGUE:
        return Kind.MOCK_VERIFY_DROPPED
    if old.op is Op.CALLED_WITH and new.op is Op.CALLED_WITH:
        never = any("never" in word.lower() for word in (*old.message, *new.message))
        if old.message and not new.message and "exactly" not in new.text and not never:
            return None
        if "Match" in old.name or old.tokens <= new.tokens:
            return None
        if loose_inside(" ".join((*new.subject, *new.expected))) > loose_inside(
            " ".join((*old.subject, *old.expected))
        ):
            return Kind.MOCK_VERIFY_DROPPED
    return None


_OPPOSITES = ({Op.NOT_NULL, Op.EMPTY}, {Op.NOT_NULL, Op.NULL}, {Op.TRUE, Op.FALSE}, {Op.RAISES, Op.NO_ERROR})


def kept(gone: Assertion, still: Iterable[Assertion]) -> bool:
    """Return whether a demand lives on inside another one, e.g. as part of a tuple that is compared."""
    wanted = gone.tokens - NOISE
    if gone.op in (Op.NO_MORE_CALLS, Op.PLAN):
        still = [one for one in still if one.op is gone.op]
    elif gone.op is Op.CALLED_TIMES:  # with which arguments it is called does not say how often
        still = [one for one in still if one.op not in MOCK or one.op is gone.op or "nce" in one.name]
    if not wanted and gone.op not in (Op.EQUAL, Op.EMPTY, Op.TRUTHY):
        return False
    for other in still:
        if {gone.op, other.op} in _OPPOSITES or (gone.op is other.op is Op.TRUTHY and gone.negated != other.negated):
            continue
        if (
            other.void
            or (other.op is Op.DIFFERS) != (gone.op is Op.DIFFERS)
            or (other.op in VAGUE and gone.op not in VAGUE and not _boolean_port(gone, other))
        ):
            continue
        have = other.tokens
        if wanted and wanted <= have and not _calculated(gone, other):
            return True
        if implied_size(gone, other) or _in_composed(gone, other):
            return True
    return False


def _in_composed(gone: Assertion, other: Assertion) -> bool:
    """Return whether a value stands in a tuple, list or object that is compared as a whole."""
    literals = {word for word in gone.expected if word[:1] in "\"'" and len(word) > 4}
    if gone.op is not Op.EQUAL or other.op is not Op.EQUAL or not literals:
        return False
    return any(
        side[:1] in (("(",), ("[",), ("{",)) and "," in side and literals <= set(side)
        for side in (other.subject, other.expected)
    )


def _calculated(gone: Assertion, other: Assertion) -> bool:
    """Return whether the other demand is about a sum or the like of what the first compared."""
    words = (*other.subject, *other.expected)
    return (
        other.op is Op.EQUAL
        and " + " in f" {' '.join(words)} "
        and "+" not in (*gone.subject, *gone.expected)
        and not any(word[:1] in "\"'`" for word in words if len(word) > 12)
    )

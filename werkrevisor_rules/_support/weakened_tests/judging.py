"""Pairs the assertions of two versions of a test and says which demand less than before."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import evolve

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.demands import Assertion, is_base
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


def _core(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[:1].isalnum() or word[:1] in "\"'`_")


def likeness(one: Assertion, other: Assertion) -> float:
    """Return how alike two demands are, 0 to 1 and a little more for the same subject."""
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
    if any(len(_core(side)) for side in sides):
        share = max(share, 0.5) + 0.3
    subject, second = _core(one.subject), _core(other.subject)
    if subject and second:
        share = max(share, 0.8 * len(subject & second) / len(subject | second))
    return share + (0.1 if one.op is other.op and share > 0 else 0)


def judged(  # noqa: C901, PLR0911 (one way to demand less after the other)
    old: Assertion, new: Assertion
) -> Kind | None:
    """Return in which way a rewritten assertion demands less, or None."""
    if new.void and not old.void:
        return Kind.ALWAYS_TRUE
    if old.op is Op.RAISES and new.op is Op.RAISES:
        return _raising(old, new)
    if old.op is Op.RAISES and new.op in (Op.TRUTHY, Op.NOT_NULL, Op.TYPE):
        return Kind.EXCEPTION_WIDENED
    if old.op is Op.TYPE and new.op is Op.TYPE and old.expected != new.expected and _types_wider(old, new):
        return Kind.EXCEPTION_WIDENED
    if old.op is new.op is Op.APPROX or (old.op is new.op is Op.SNAPSHOT and old.number is not None):
        return _tolerance(old, new)
    if old.op in MOCK or new.op in MOCK:
        return _mock(old, new)
    if old.op in STRICT and new.op in LOOSE:
        return _loosened(old, new)
    if old.op in (Op.CONTAINS, Op.PATTERN, Op.APPROX, Op.ANY_ORDER, Op.ONE_OF) and new.op in (Op.NOT_NULL, Op.TRUTHY):
        return Kind.LOOSENED if old.subject == new.subject and not _boolean_port(old, new) else None
    if old.op is new.op and old.op in (Op.EQUAL, Op.CONTAINS, Op.RAISES):
        inside = loose_inside(" ".join(new.expected)) - loose_inside(" ".join(old.expected))
        if inside > 0 and _same_subject(old, new):
            return Kind.LOOSENED
    return None


def _same_subject(old: Assertion, new: Assertion) -> bool:
    sides = ({old.subject, old.expected} & {new.subject, new.expected}) - {()}
    if any(_core(side) for side in sides):
        return True
    first, second = _core(old.subject) | _core(old.expected), _core(new.subject) | _core(new.expected)
    return bool(second) and len(first & second) >= 0.7 * len(second)


def _boolean_port(old: Assertion, new: Assertion) -> bool:
    """Return whether a boolean expression says what the matcher said, e.g. `assertTrue(a.equals(b))`."""
    if new.op is not Op.TRUTHY:
        return False
    wanted = _core(old.expected)
    return bool(wanted) and wanted <= _core(new.subject) and "is_ok" not in new.subject


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
    if old.message and not new.message and (old.types == new.types or is_base(new.types)):
        return Kind.LOOSENED
    return None


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
    wanted = gone.tokens - _NOISE
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
        if _implied_size(gone, other) or _in_composed(gone, other):
            return True
    return False


_NOISE = frozenset({"self", "this", "len", "size", "Ok", "Some", "t", "err"})


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
    first = next((word for word in gone.subject if word in gone.tokens), "")
    del first
    return (
        other.op is Op.EQUAL
        and " + " in f" {' '.join(words)} "
        and "+" not in (*gone.subject, *gone.expected)
        and not any(word[:1] in "\"'`" for word in words if len(word) > 12)
    )


_SIZES = frozenset(
    {"len", "size", "count", "length", "Count", "Length", "call_count", "Len", "callCount", "called_once"}
)


_CALL_LISTS = frozenset({"mock_calls", "call_args_list", "calls", "mock", "getCalls", "args_list"})


def _implied_size(gone: Assertion, other: Assertion) -> bool:
    """Return whether an exact comparison of a whole collection says how long it is."""
    sized = gone.op in (Op.SIZE, Op.CALLED_TIMES) or (
        gone.op is Op.EQUAL and bool(_SIZES & {*gone.subject, *gone.expected})
    )
    if not sized or other.op not in (Op.EQUAL, Op.ANY_ORDER, Op.SNAPSHOT):
        return False
    subject = (_core(gone.subject) | _core(gone.expected)) - _SIZES - _NOISE
    subject = frozenset(word for word in subject if not word[:1].isdigit())
    sides = [_core(side) - _CALL_LISTS - _SIZES - _NOISE for side in (other.subject, other.expected)]
    return bool(subject) and subject in sides


def counted(found: Iterable[Assertion]) -> Counter[object]:
    """Count assertions by key."""
    return Counter(one.key for one in found)

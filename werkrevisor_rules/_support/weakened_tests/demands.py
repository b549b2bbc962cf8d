"""The demands that assertions make, and how a boolean expression is taken apart into them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from attrs import define, evolve

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.durations import milliseconds, unit_of
from werkrevisor_rules._support.weakened_tests.strictness import BASE_EXCEPTIONS, Op
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, bare, chain, named


@frozen
class Guard:
    """What decides whether an assertion is reached or its failure heard: its kind, text and line."""

    kind: str
    text: str
    line: int


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Assertion:
    """One demand of a test.

    `subject` and `expected` are canonical tokens; where a framework does not tell which is which, both
    orders mean the same. `number` is a tolerance, `types` an exception, `message` what its text must be.
    `void` says why it can never fail.
    """

    op: Op
    subject: tuple[str, ...]
    expected: tuple[str, ...]
    line: int
    end_line: int
    text: str
    name: str = ""
    negated: bool = False
    number: float | None = None
    types: str = ""
    message: tuple[str, ...] = ()
    void: str = ""
    awaited: bool = True
    guards: tuple[Guard, ...] = ()

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Equal keys are the same demand, however it is written."""
        sides = frozenset({" ".join(self.subject), " ".join(self.expected)})
        op = Op.EQUAL if self.op in (Op.EQUAL, Op.SIZE) else self.op
        return (op, sides, self.negated, self.number, self.types, self.message, self.void)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The words and literals of both sides."""
        return frozenset(word for word in (*self.subject, *self.expected) if word[:1].isalnum() or word[:1] in "\"'`_")


FAILS: Final = frozenset(
    {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "fail", "panic!", "panic", "Failf", "FailNowf", "error"}
)
"""Calls that fail a test at once."""

_NO_TESTS: Final = frozenset({"log", "console", "logger", "fmt", "errors", "Promise", "status", "http"})
_TRUTHS: Final = frozenset({"true", "True", "1"})
_UNTRUTHS: Final = frozenset({"false", "False"})
_NOTHING: Final = (("None",), ("null",), ("nil",), ("undefined",))
EMPTY: Final = (('""',), ("''",), ("[", "]"), ("{", "}"), ("(", ")"))
"""What is empty, in tokens."""
_ABSOLUTE: Final = frozenset({"abs", "Abs", "fabs"})
_NUMBER: Final = re.compile(r"-?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?")
_NEVER_NEGATIVE: Final = re.compile(r"(?:\b(?:len|size|count|length|Count|Length|abs)\b.*) >= 0")
_OVER_NOTHING: Final = re.compile(r"\bin (?:\[ \]|\( \)|\{ \})")
_NOTHING_RUN: Final = re.compile(r"[-=]> \{ \}")
_SIZED: Final = re.compile(r"\b(?:len|size|count|length|Count|Length)\b")
_PREDICATES: Final = {
    "equals": Op.EQUAL,
    "Equals": Op.EQUAL,
    "DeepEqual": Op.EQUAL,
    "Equal": Op.EQUAL,
    "SequenceEqual": Op.EQUAL,
    "contentEquals": Op.EQUAL,
    "is": Op.EQUAL,
    "contains": Op.CONTAINS,
    "Contains": Op.CONTAINS,
    "containsKey": Op.CONTAINS,
    "includes": Op.CONTAINS,
    "startsWith": Op.CONTAINS,
    "startswith": Op.CONTAINS,
    "StartsWith": Op.CONTAINS,
    "HasPrefix": Op.CONTAINS,
    "HasSuffix": Op.CONTAINS,
    "endsWith": Op.CONTAINS,
    "endswith": Op.CONTAINS,
    "starts_with": Op.CONTAINS,
    "ends_with": Op.CONTAINS,
    "matches": Op.PATTERN,
    "match": Op.PATTERN,
    "fullmatch": Op.PATTERN,
    "search": Op.PATTERN,
    "MatchString": Op.PATTERN,
    "IsMatch": Op.PATTERN,
    "test": Op.PATTERN,
    "isinstance": Op.TYPE,
    "any": Op.ONE_OF,
    "isclose": Op.APPROX,
    "is_ok": Op.TRUTHY,
    "is_err": Op.TRUTHY,
    "is_some": Op.NOT_NULL,
    "isPresent": Op.NOT_NULL,
    "isNotEmpty": Op.NOT_NULL,
    "isNotNull": Op.NOT_NULL,
    "isNullOrEmpty": Op.EMPTY,
    "is_none": Op.NULL,
    "isEmpty": Op.EMPTY,
    "is_empty": Op.EMPTY,
    "IsEmpty": Op.EMPTY,
}


def number_of(words: Iterable[str]) -> float | None:
    """Return the first number among words, or None."""
    for word in words:
        if found := _NUMBER.fullmatch(word.rstrip("fFdDlLmM")):
            return float(found[0].replace("_", ""))
    return None


_TOLERANCES: Final = ("delta", "abs", "rel", "atol", "rtol", "abs_tol", "rel_tol", "tolerance", "tol", "epsilon")
_PLACES: Final = ("places", "decimal", "significant", "digits")


def tolerance(args: Sequence[Node]) -> float | None:
    """Return how far two numbers may be apart: a named argument, or the third one; places become a difference."""
    keyed = {key: value for key, value in map(named, args) if key}
    places = next((number_of(keyed[name].words) for name in _PLACES if name in keyed), None)
    if places is not None:
        return float(10.0**-places)
    plain = [arg for arg in args if not named(arg)[0]]
    given = next((keyed[name] for name in _TOLERANCES if name in keyed), plain[2] if len(plain) > 2 else None)
    if given is None:
        return None
    return milliseconds(given.text) if unit_of(given.text) else number_of(given.words)


def words_of(node: Node | None) -> tuple[str, ...]:
    """Return the canonical tokens of a node inside parentheses, none for None."""
    return () if node is None else tuple(bare(node).words)


def listed(args: Iterable[Node]) -> tuple[str, ...]:
    """Return the tokens of arguments with a comma behind each."""
    return tuple(word for arg in args for word in (*words_of(arg), ","))


def exception_of(words: Iterable[str]) -> str:
    """Return the last part of the name of an exception type, without `.class` and the like."""
    kept = "".join(word for word in words if word not in ("class", "::", "java", "typeof", "(", ")", "<", ">"))
    return kept.rstrip(".").rsplit(".", 1)[-1] if not kept.startswith("{") else kept


class Builder:
    """Makes demands that share a place and what stands around it."""

    def __init__(self, node: Node, guards: tuple[Guard, ...], *, awaited: bool) -> None:
        self.node, self.guards, self.awaited = node, guards, awaited

    def made(self, op: Op, subject: tuple[str, ...], expected: tuple[str, ...], **given: object) -> Assertion:
        """Return a demand; `given` are further fields of `Assertion`."""
        node = self.node
        made = Assertion(
            op,
            subject,
            expected,
            node.line,
            node.end_line,
            node.text,
            awaited=self.awaited,
            guards=self.guards,
            **given,  # type: ignore[arg-type]
        )
        void = made.void or _void(made)
        return made if void == made.void else evolve(made, void=void)

    def truth(self, node: Node, *, holds: bool = True) -> list[Assertion]:
        """Return what the demand that an expression is true (or false) amounts to."""
        out: list[Assertion] = []
        stack = [(node, holds)]
        while stack:
            at, wanted = stack.pop()
            at = bare(at)
            if at.kind is Kind.UNARY and at.op in ("!", "not") and at.parts:
                stack.append((at.parts[-1], not wanted))
            elif at.kind is Kind.BINARY and at.op in (("and", "&&") if wanted else ("or", "||")):
                stack.extend((part, wanted) for part in reversed(at.parts))
            else:
                out.append(self._atom(at, wanted=wanted))
        return out

    def _atom(self, node: Node, *, wanted: bool) -> Assertion:
        words = tuple(node.words)
        if node.kind is Kind.BINARY and len(node.parts) >= 2:
            return self._binary(node, words, wanted=wanted)
        if node.type == "Tuple" and len(node.parts) > 1:
            return self.made(Op.TRUTHY, words, (), void="a tuple is always true")
        if node.type in ("ListComp", "GeneratorExp") and node.parts and node.parts[0].kind is Kind.BINARY:
            return self.made(Op.TRUTHY, words, (), void="a list is true whatever its entries say")
        if node.kind in (Kind.CONSTANT, Kind.NUMBER):
            holds = (node.text in _TRUTHS) == wanted
            return self.made(Op.TRUTHY if holds else Op.FAIL, words, (), void="it is a constant" if holds else "")
        links = chain(node)
        args = links[-1].args
        predicate = None if args is None else self._predicate(links, args, words, wanted=wanted)
        return predicate or self.made(Op.TRUTHY, words, (), negated=not wanted)

    def _predicate(
        self, links: list[Link], args: tuple[Node, ...], words: tuple[str, ...], *, wanted: bool
    ) -> Assertion | None:
        """Return the demand of a call that answers yes or no, e.g. `a.equals(b)`."""
        name = links[-1].name.rstrip("!")
        if links[0].name == "errors" and name in ("Is", "As") and len(args) > 1:
            return self.made(Op.RAISES, words_of(args[0]), (), types=" ".join(words_of(args[1])))
        if name == "matches" and links[-1].name != name and args:
            pattern = words_of(args[-1])
            void = "the pattern takes anything" if pattern == ("_",) else ""
            return self.made(Op.EQUAL, words_of(args[0]), pattern, name=name, void=void, negated=not wanted)
        if name == "all" and _OVER_NOTHING.search(" ".join(words)):
            return self.made(Op.TRUTHY, words, (), void="it goes through nothing")
        op = _PREDICATES.get(name)
        if op is None:
            return None
        if op is Op.APPROX and wanted and len(args) > 1:
            return self.made(op, words_of(args[0]), words_of(args[1]), name=name, number=tolerance(args))
        subject = tuple(word for arg in args[:1] for word in words_of(arg))
        if len(args) < 2 and len(links) > 1:
            subject = words[: max(0, len(words) - 4 - len(subject))]
        expected = tuple(word for arg in args[-1:] for word in words_of(arg))
        return self.made(op if wanted else Op.DIFFERS, subject, expected, name=name, negated=not wanted)

    def _binary(  # noqa: PLR0911 (one return per group of operators)
        self, node: Node, words: tuple[str, ...], *, wanted: bool
    ) -> Assertion:
        left, right, op = node.parts[0], node.parts[-1], node.op
        sides = (words_of(left), words_of(right))
        if op in ("is", "instanceof") and right.kind is not Kind.CONSTANT and node.type != "Compare":
            return self.made(Op.TYPE, *sides)
        if op in ("==", "===", "is", "eq", "!=", "!==", "is not"):
            compared = difference(left) if sides[1] in EMPTY else None
            return self._equality(compared or sides, equal=(op in ("==", "===", "is", "eq")) == wanted)
        if op in ("in", "not in"):
            inside = Op.ONE_OF if right.kind is Kind.COLLECTION else Op.CONTAINS
            return self.made(inside if (op == "in") == wanted else Op.DIFFERS, sides[1], sides[0])
        if op in ("<", "<=", ">", ">="):
            if _ABSOLUTE & set(words):
                return self.made(Op.APPROX, *sides, number=number_of(sides[1]))
            return self.made(Op.COMPARE, *sides, name=op, negated=not wanted)
        if op in ("or", "||"):
            void = "a part of it is always true" if any(map(_is_true, node.parts)) else ""
            return self.made(Op.ONE_OF, words, (), void=void)
        if op in ("and", "&&") and not wanted and any(part.text in _UNTRUTHS for part in node.parts):
            return self.made(Op.TRUTHY, words, (), void="a part of it is never true")
        return self.made(Op.TRUTHY, words, (), negated=not wanted)

    def _equality(self, sides: tuple[tuple[str, ...], tuple[str, ...]], *, equal: bool) -> Assertion:
        if sides[1] in _NOTHING or sides[0] in _NOTHING:
            subject = sides[0] if sides[1] in _NOTHING else sides[1]
            if subject[-1:] and subject[-1].lower().endswith("err"):
                return self.made(Op.NO_ERROR if equal else Op.RAISES, subject, ())
            return self.made(Op.NULL if equal else Op.NOT_NULL, subject, ())
        if not equal and (sides[0] in EMPTY or sides[1] in EMPTY):
            return self.made(Op.NOT_NULL, sides[0] if sides[1] in EMPTY else sides[1], ())
        approx = next((side for side in sides if "approx" in side), ())
        if approx and equal:
            start = max(i for i, word in enumerate(approx) if word in ("=", "approx"))
            return self.made(Op.APPROX, *sides, number=number_of(approx[start:]))
        return self.made(Op.EQUAL if equal else Op.DIFFERS, *sides)


def _is_true(node: Node) -> bool:
    """Return whether a literal is true by itself; texts count unless they are empty."""
    node = bare(node)
    return node.text in _TRUTHS or (node.kind is Kind.STRING and len(node.text.strip("bru\"'`")) > 0)


def difference(node: Node) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the two values whose difference a call gives, as with `cmp.Diff(want, got)`, None for anything else."""
    links = chain(bare(node.parts[0] if node.type == "expression_list" and len(node.parts) == 1 else node))
    if links[-1].name != "Diff" or len(links[-1].args or ()) < 2:
        return None
    first, second, *_ = links[-1].args or ()
    return words_of(first), words_of(second)


def _void(made: Assertion) -> str:
    """Say why an assertion can never fail, or nothing."""
    if made.op in (Op.EQUAL, Op.CONTAINS, Op.APPROX) and made.subject and made.subject == made.expected:
        return "a value is compared with itself"
    if made.op is Op.NO_ERROR and _NOTHING_RUN.search(made.text):
        return "nothing is run"
    return "a size is never negative" if made.op is Op.COMPARE and _never_negative(made) else ""


def _never_negative(made: Assertion) -> bool:
    text = f"{' '.join(made.subject)} {made.name} {' '.join(made.expected)}"
    name = made.name.replace("_", "").lower()
    at_least = ("equal" in name and "greater" in name) or name in ("atleast", "gte")
    zero = ("0",) in (made.expected[-1:], made.subject[-1:])
    return _NEVER_NEGATIVE.search(text) is not None or (at_least and zero and _SIZED.search(text) is not None)


def is_base(types: str) -> bool:
    """Return whether an exception type is so general that nearly any failure has it."""
    return types.rsplit(".", 1)[-1] in BASE_EXCEPTIONS


def failing_calls(node: Node) -> Iterator[Node]:
    """Yield the calls and throws below a node that fail a test."""
    for at in node.walk():
        if at.kind is Kind.THROW:
            yield at
        elif at.kind is Kind.CALL:
            links = chain(at)
            fails = links[-1].called and links[-1].name in FAILS
            if fails and (len(links) == 1 or links[0].name not in _NO_TESTS):
                yield at

"""Reads expectations: a subject, then a chain of matchers, as in `expect(x).toBe(y)` or `x.Should().Be(y)`."""

import re
from typing import Final

from attrs import evolve

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.demands import (
    Assertion,
    Builder,
    exception_of,
    number_of,
    words_of,
)
from werkrevisor_rules._support.weakened_tests.strictness import Op, matcher
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, bare, chain, named

EXPECT: Final = frozenset(
    {
        "expect",
        "assertThat",
        "assertThatThrownBy",
        "expectTypeOf",
        "expectThat",
        "assertThatCode",
        "that",
        "That",
        "assertType",
        "assertThatExceptionOfType",
        "verifyThat",
        "assertThatObject",
        "expectType",
        "assertWithMessage",
    }
)
"""Calls whose argument is the subject of the matchers behind them."""

__MODIFIERS_NAMES: Final = (
    "to be been is that which and has have with at of same but does still also deep own ordered nested resolves "
    "rejects not any all as extracting describedas withfailmessage asinstanceof poll soft isnot doesnot "
    "eventually both using usingrecursivecomparison ignoringcase because message and_ asstring aslist tohave "
    "ignoringfields satisfies isassertion first last element size ascaseinsensitive value"
)
_MODIFIERS: Final = frozenset(__MODIFIERS_NAMES.split())
_CONDITIONS: Final = (Kind.BINARY, Kind.UNARY, Kind.CONSTANT)
_MATCHER: Final = re.compile(r"(?:has|is|does|to|be|have|contains?|should)[A-Z]|Have|Be[A-Z]|Contain")
_CAUSE: Final = re.compile(r"has\w*(?:Cause|Suppressed)")
_HOLDING: Final = frozenset({"is", "not", "allOf", "both", "describedAs"})
# What stands without a call behind `expect` in Chai; any other property is undefined and demands nothing.
__CHAI_NAMES: Final = (
    "called calledonce calledtwice calledthrice exist ok true false empty null undefined nan arguments finite sealed "
    "frozen extensible rejected fulfilled"
)
_CHAI: Final = frozenset(__CHAI_NAMES.split())
_TOLERANCES: Final = frozenset({"within", "withprecision", "usingtolerance", "withtolerance", "percent", "offset"})
_PROPERTIES: Final = frozenset(
    {"called", "calledonce", "exist", "ok", "true", "false", "empty", "null", "undefined", "ofkind"}
)
_NOT_CALLED: Final = re.compile(r"to(?:Be|Equal|Have|Match|Throw|Contain|Strict)\w*")
_PLAIN: Final = frozenset({Op.TRUE, Op.NULL, Op.EMPTY})


@frozen(eq=False)
class Subject:
    """What is looked at: its tokens, its node where there is one, and whether the matcher is negated."""

    words: tuple[str, ...]
    node: Node | None = None
    negated: bool = False


def expectation(build: Builder, links: list[Link], head: int) -> list[Assertion]:
    """Return the demands of a chain whose link `head` holds the subject."""
    name, rest = links[head].name, links[head + 1 :]
    given = [argument for argument in links[head].args or () if not named(argument)[0]]
    subject = Subject(words_of(given[0]) if given else (), given[0] if given else None)
    if name == "assertThatExceptionOfType":
        thrown = next((words_of((link.args or (None,))[0]) for link in rest if link.name == "isThrownBy"), ())
        told = matched(build, Subject(thrown), [link for link in rest if link.name != "isThrownBy"]) if thrown else []
        return [build.made(Op.RAISES, (), (), types=exception_of(subject.words)), *told]
    if name in ("assertThat", "that", "That") and len(given) > 1:
        return _constraint(build, subject, given)
    if not rest and given:
        if name == "That":
            return build.truth(given[0])
        return [build.made(Op.TRUTHY, subject.words, (), void="no matcher is called")]
    made = matched(build, subject, rest)
    if name != "assertThatThrownBy":
        return made
    return [_raised(one) if one.op is Op.TYPE else one for one in made]


def _raised(one: Assertion) -> Assertion:
    return evolve(one, op=Op.RAISES, types=exception_of(one.expected), expected=())


def _constraint(build: Builder, subject: Subject, given: list[Node]) -> list[Assertion]:
    """Return the demand of `assertThat(x, matcher)`, as Hamcrest and NUnit have it."""
    last = given[-1] if given[-1].kind is Kind.CALL or len(given) == 2 else given[1]
    constraint = chain(bare(last))
    if len(given) == 2 and given[0].kind is Kind.STRING and last.kind in _CONDITIONS:
        return build.truth(last)  # the reason, then what holds
    if given[-1].kind is Kind.STRING and not any(matcher(link.name) for link in constraint):
        return build.truth(given[0])
    if constraint[0].name == "Throws":
        return [_throws(build, constraint)]
    return _conditions(build, evolve(subject, node=None), constraint)


def _conditions(build: Builder, subject: Subject, links: list[Link]) -> list[Assertion]:
    """Return the demands of a condition of Hamcrest, which may hold others: `is(not(x))`, `allOf(a, b)`."""
    out: list[Assertion] = []
    if links[-1].name in ("contains", "arrayContaining"):  # in Hamcrest all entries in their order
        links = [*links[:-1], Link("containsExactly", links[-1].args, node=links[-1].node)]
    waiting = [(subject, links)]
    while waiting:
        about, at = waiting.pop(0)
        link = at[-1]
        given = link.args or ()
        if len(at) > 1 or link.name not in _HOLDING or not given:
            out += matched(build, about, at)
            continue
        about = evolve(about, negated=about.negated != (link.name == "not"))
        for argument in given:
            inner = chain(bare(argument)) if argument.kind is Kind.CALL else []
            if inner and (matcher(inner[-1].name) or inner[-1].name in _HOLDING):
                waiting.append((about, inner))
            else:
                out += matched(build, about, [Link("equalTo", (argument,), node=link.node)])
    return out


def _throws(build: Builder, links: list[Link]) -> Assertion:
    last = links[-1]
    given = "".join(word for arg in last.args or () for word in words_of(arg))
    kind = last.types or given or links[min(1, len(links) - 1)].name
    return build.made(Op.RAISES, (), (), types=exception_of(re.findall(r"[\w.]+", kind)), name="Throws")


def matched(build: Builder, subject: Subject, links: list[Link]) -> list[Assertion]:
    """Return one demand per matcher of the chain behind a subject."""
    out: list[Assertion] = []
    for index, link in enumerate(links):
        name = link.name.replace("_", "").lower()
        final = index == len(links) - 1
        if name in ("not", "isnot"):
            subject = evolve(subject, negated=True)
        if name in _TOLERANCES and out:
            out[-1] = evolve(out[-1], op=Op.APPROX, number=number_of(w for arg in link.args or () for w in arg.words))
            continue
        op = _op(link, name, final=final, first=not out)
        if op is not None:
            out.append(_one(build, op, subject, link))
    if out or not links or any(link.called for link in links):
        return out
    name = links[-1].name.lower()
    if name in _PROPERTIES:
        return [build.made(matcher(name) or Op.TRUTHY, subject.words, (), negated=subject.negated)]
    return [build.made(Op.TRUTHY, subject.words, (), void="no matcher is called")]


def _op(link: Link, name: str, *, final: bool, first: bool) -> Op | None:
    """Return what a link of a chain of matchers demands, None where it only leads on."""
    op = matcher(link.name)
    if name == "tohaveproperty" and len(link.args or ()) > 1:
        return Op.EQUAL
    if op is None:
        unknown = link.called and final and name not in _MODIFIERS
        return Op.CUSTOM if unknown and (first or _MATCHER.match(link.name)) else None
    if name in _MODIFIERS and not (final and (link.called or op in _PLAIN)):
        return None
    leads_on = not link.called and not final and (op is not Op.RAISES or name in ("throws", "throw"))
    return None if leads_on or name == "rejects" else op


def _one(build: Builder, op: Op, subject: Subject, link: Link) -> Assertion:
    args = link.args or ()
    expected = tuple(word for arg in args for word in words_of(arg))
    if op is Op.RAISES:
        return _raises(build, subject, link)
    if _CAUSE.search(link.name):
        subject = evolve(subject, words=(*subject.words, ".", "cause"), node=None)
    if op is Op.EQUAL and link.name == "toHaveProperty":
        subject = evolve(subject, words=(*subject.words, ".", *words_of(args[0])), node=None)
        expected = tuple(words_of(args[1]))
    if subject.node is not None and (wanted := _boolean(op, expected)) is not None:
        return evolve(build.truth(subject.node, holds=wanted != subject.negated)[0], name=link.name)
    number = None
    if op in (Op.APPROX, Op.SNAPSHOT) and args:
        number = number_of(args[-1].words)
        if link.name == "toBeCloseTo" and number is not None:
            number = float(10.0**-number)
    elif op is Op.EQUAL and {"offset", "within", "Offset"} & set(expected):
        op, number = Op.APPROX, number_of(expected[-3:])
    if op is Op.EQUAL and args and args[0].type == "regex":
        op = Op.PATTERN
    op = _negated(op) if subject.negated else op
    if op is Op.EQUAL and expected[:2] == ("anyOf", "("):
        op = Op.ONE_OF
    void = _void(op, subject, link, expected)
    return build.made(op, subject.words, expected, name=link.name, number=number, void=void, negated=subject.negated)


def _boolean(op: Op, expected: tuple[str, ...]) -> bool | None:
    """Return which truth value is demanded, None where it is another demand."""
    if op in (Op.TRUE, Op.FALSE):
        return op is Op.TRUE
    value = "".join(expected).rsplit(".", 1)[-1].lower()
    return value == "true" if op is Op.EQUAL and value in ("true", "false") else None


def _negated(op: Op) -> Op:
    return {
        Op.EQUAL: Op.DIFFERS,
        Op.CONTAINS: Op.DIFFERS,
        Op.NULL: Op.NOT_NULL,
        Op.EMPTY: Op.NOT_NULL,
    }.get(op, op)


def _void(op: Op, subject: Subject, link: Link, expected: tuple[str, ...]) -> str:
    if not link.called and op is Op.EQUAL and _NOT_CALLED.fullmatch(link.name):
        return f"{link.name} is named, not called"
    if not link.called and link.node is not None and link.node.type == "member_expression":
        return "" if link.name.lower() in _CHAI else f"{link.name} demands nothing"
    node = subject.node
    is_function = node is not None and bare(node).kind is Kind.LAMBDA
    if op is Op.TYPE and is_function and any("unction" in word for word in expected):
        return "a function is always one"
    return ""


def _raises(build: Builder, subject: Subject, link: Link) -> Assertion:
    args = link.args or ()
    texts = [arg for arg in args if arg.kind is Kind.STRING or arg.type == "regex"]
    types = [arg for arg in args if arg not in texts and arg.kind is not Kind.LAMBDA]
    message = tuple(word for arg in texts for word in arg.words)
    kind = exception_of(link.types.split()) or exception_of(word for arg in types[:1] for word in arg.words)
    return build.made(
        Op.RAISES, subject.words, (), types=kind, message=message, name=link.name, negated=subject.negated
    )

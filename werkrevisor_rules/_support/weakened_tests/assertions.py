"""Reads assertions that are one call, as in `assertEquals(a, b)`, and finds the assertions of any chain."""

import re
from functools import lru_cache
from typing import Final

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.demands import (
    FAILS,
    Assertion,
    Builder,
    exception_of,
    listed,
    number_of,
    tolerance,
    words_of,
)
from werkrevisor_rules._support.weakened_tests.fluent import fluent_demands
from werkrevisor_rules._support.weakened_tests.matchers import EXPECT, Subject, expectation, matched
from werkrevisor_rules._support.weakened_tests.mocks import VERIFY, mock_demand
from werkrevisor_rules._support.weakened_tests.strictness import Op, matcher
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, named

__ROOTS_NAMES: Final = (
    "Assert assert require self Assertions assertions t chai StringAssert CollectionAssert FileAssert "
    "should Should is suite s a r c tc JUnitAssert Truth MatcherAssert ClassicAssert it kotlin g NUnit Xunit"
)
_ROOTS: Final = frozenset(__ROOTS_NAMES.split())
_CUSTOM: Final = re.compile(
    r"_?(?:assert|verify|expect|check|should|ensure|require|must|validate|compare)[A-Z_]\w*"
    r"|assert|verify|check|expect|require"
)
_OWN_CHECK: Final = re.compile(r"(?:assert|verify|expect|should)[A-Z]")
_OWN: Final = re.compile(r"assert[A-Z]")
_NAMED: Final = re.compile(r"assert|verify|expect|should|prop")
_ASSERTING: Final = frozenset({"assert", "require", "Assert", "assertions"})
_WRAPPERS: Final = frozenset({"multiple", "assertall", "softly", "all", "assertsoftly", "multipleasync", "all_"})
_MOCKED: Final = frozenset({Op.CALLED_WITH, Op.CALLED_TIMES, Op.CALLED, Op.NO_MORE_CALLS})
_ONE_SIDED: Final = frozenset({Op.NULL, Op.NOT_NULL, Op.EMPTY, Op.NO_ERROR, Op.TRUTHY})
_SUITES: Final = frozenset({"s", "t", "suite", "a", "r", "c", "g", "tc"})
_TESTIFY: Final = frozenset({"erroris", "errorcontains", "errorastype", "equalerror", "erroras", "error"})
_IS_CLASS: Final = re.compile(r"(?:\.|::) class\b")
_BY_NAME: Final = re.compile(r"assertThat(\w*Exception)")
_SHOULD: Final = re.compile(r"[sS]hould[A-Z]")
_RAISED: Final = re.compile(r"shouldThrow\w*|Throw(?:Async|Exactly)?")
_THROWING: Final = frozenset({"rejects", "throws", "doesNotReject", "doesNotThrow"})
_T: Final = re.compile(r"(?:\w+ \. )?(?:t|tb|b|c|T)(?: \( \))?")


@frozen(eq=False)
class Call:
    """An assertion that is a call: its chain, the link that asserts, its name, and its arguments."""

    links: list[Link]
    link: Link
    name: str
    node: Node
    args: tuple[Node, ...]

    @property
    def root(self) -> str:
        """The first name of the chain."""
        return self.links[0].name.rstrip("!")

    @property
    def plain(self) -> bool:
        """Whether it is called without an object."""
        return len(self.links) == 1

    @property
    def given(self) -> list[Node]:
        """The arguments without a keyword."""
        return [arg for arg in self.args if not named(arg)[0]]

    @property
    def keyed(self) -> dict[str, Node]:
        """The arguments with a keyword."""
        return {named(arg)[0]: named(arg)[1] for arg in self.args if named(arg)[0]}


@lru_cache(maxsize=4096)
def _may_assert(name: str) -> bool:
    """Return whether a name in a chain can make it an assertion; most calls of a test are none."""
    plain = name.rstrip("!").removeprefix("debug_").removeprefix("prop_")
    if matcher(plain) is not None or name in EXPECT or name in VERIFY or name in _ASSERTING:
        return True
    return name in ("Should", "should") or _CUSTOM.fullmatch(plain) is not None


def assertions_of_chain(links: list[Link], build: Builder) -> list[Assertion]:  # noqa: PLR0911 (one per style)
    """Return the demands that one chain of calls makes; empty where it is no assertion."""
    root = links[0]
    if not any(_may_assert(link.name) for link in links):
        return []
    if root.name == "expect" and len(links) > 1 and not root.called and links[1].name not in ("soft", "poll"):
        op = matcher(links[-1].name)
        return [build.made(op, ("expect", "."), ())] if op is Op.PLAN else []
    if (told := fluent_demands(build, links)) is not None:
        return told
    if (head := _head(links)) is not None:
        return expectation(build, links, head)
    should = next((i for i, link in enumerate(links) if link.name in ("Should", "should") and i > 0), None)
    if should is not None and len(links) > should + 1 and links[0].name != "then":
        return matched(build, Subject(_before(build.node, links, should)), links[should + 1 :])
    if (mock := mock_demand(build, links)) is not None:
        return [mock]
    # A chain of assertions of the project's own: `log.assertEqual(a).assertMatch(b)`.
    own = [i for i, link in enumerate(links) if link.called and i and _OWN.match(link.name)]
    if len(own) > 1:
        return [made for i in own for made in _called(build, links[: i + 1], links[i].node or build.node)]
    # `shouldThrow<X> { ... }.message shouldBe "y"`: what is raised is demanded as well.
    raised = next((i for i, link in enumerate(links[:-1]) if link.called and _RAISED.fullmatch(link.name)), None)
    first = [] if raised is None else _called(build, links[: raised + 1], links[raised].node or build.node)
    return [*first, *_called(build, links, build.node)]


def _head(links: list[Link]) -> int | None:
    if links[0].name == "expect" and len(links) > 2 and links[1].name in ("soft", "poll"):
        return 1
    near = (i for i, link in enumerate(links) if link.called and (i < 3 or link.name.startswith("assertThat")))
    heads = [i for i in near if links[i].name in EXPECT]
    # Further down, `expect` is Rust's way to unwrap.
    heads = [i for i in heads if i == 0 or links[i].name != "expect"]
    return heads[-1] if heads else None


def _before(node: Node, links: list[Link], index: int) -> tuple[str, ...]:
    """Return the tokens of a chain before one of its links."""
    words = tuple(node.words)
    name = links[index].name
    at = next((i for i in range(len(words) - 1, -1, -1) if words[i] == name), len(words))
    return words[: max(0, at - 1)]


def _called(build: Builder, links: list[Link], node: Node) -> list[Assertion]:
    """Return the demand of an assertion that is one call, e.g. `assertEquals(a, b)`."""
    last = next((link for link in reversed(links) if link.called), None)
    if last is None:
        return []
    if matcher(last.name) is None and not _CUSTOM.fullmatch(last.name):
        # What follows an assertion uses its result: `assertThrows(...).getMessage()`.
        asserts = (link for link in links if link.called and link.name.startswith(("assert", "expectThrows")))
        last = next((link for link in asserts if matcher(link.name.rstrip("!"))), last)
    name = last.name.rstrip("!").removeprefix("debug_").removeprefix("prop_")
    call = Call(links, last, name, node, last.args or ())
    op = matcher(name)
    if op is None or not _asserts(call, op):
        return _custom(build, call)
    if op in (Op.RAISES, Op.FAIL) and name in FAILS and not call.plain and call.root not in _ROOTS:
        return []
    if op is Op.RAISES and name in FAILS and call.root in ("t", "s", "self", "it"):
        return [build.made(Op.FAIL, (), (), name=name)]
    named_so = _NAMED.match(name.lower().replace("_", "")) is not None
    if call.root in _SUITES and not (len(links) > 2 or named_so or len(call.args) > 1 or op is Op.NO_ERROR):
        return []
    if len(call.args) > 1 and _T.fullmatch(call.args[0].text):
        call = Call(links, last, name, node, call.args[1:])
    return _demand(build, op, call)


def _asserts(call: Call, op: Op) -> bool:
    """Return whether a call with a name of a matcher is an assertion, by how it is called."""
    rooted = not call.plain and (call.root in _ROOTS or call.links[-2].name in _ASSERTING)
    raising = op is Op.RAISES and (call.root == "pytest" or call.name in ("raises", "shouldThrow", "warns"))
    return (
        rooted
        or raising
        or op in _MOCKED
        or _NAMED.match(call.name.lower().replace("_", "")) is not None
        or (op is Op.FAIL and call.plain)
        or call.node.type == "infix_expression"
    )


def _custom(build: Builder, call: Call) -> list[Assertion]:
    """Return the demand of a check that is no framework's: what it demands is not known."""
    if call.name == "expect" and len(call.links) == 2 and call.args and _IS_CLASS.search(call.args[0].text):
        return [build.made(Op.RAISES, (), (), types=exception_of(call.args[0].words))]  # the rule of JUnit 4
    if call.name.lower() in _WRAPPERS or (call.name.startswith("expect") and call.name.islower() and not call.plain):
        return []  # Rust's `expect` and `expect_err` unwrap
    asserting = call.root in _ASSERTING and len(call.links) == 2
    if not (asserting or _CUSTOM.fullmatch(call.name)) or call.root == "console":
        return []
    if call.name == "require" and [arg.kind for arg in call.args] == [Kind.STRING]:
        return []  # a module of Node
    near = call.plain or call.root in _ROOTS or len(call.links) <= 3
    return [build.made(Op.CUSTOM, listed(call.args), (), name=call.name)] if near else []


def _demand(  # noqa: PLR0911 (one return per kind of demand)
    build: Builder, op: Op, call: Call
) -> list[Assertion]:
    given = call.given
    if call.links[-1] is call.link and not call.plain and _SHOULD.match(call.name) and call.root != "Should":
        return _shouldly(build, op, call)
    if op in (Op.TRUE, Op.FALSE):
        real = [arg for arg in given if arg.kind is not Kind.STRING]
        return build.truth(real[0], holds=op is Op.TRUE) if real else []
    if op is Op.RAISES:
        return [_raising(build, call)]
    if op in _MOCKED and op is not Op.NO_MORE_CALLS:
        if call.root == "sinon" and given:
            return [build.made(op, words_of(given[0]), listed(given[1:]), name=call.name)]
        subject = _before(call.node, call.links, len(call.links) - 1)
        return [build.made(op, subject, listed(call.args), name=call.name)]
    if op in (Op.FAIL, Op.PLAN, Op.NO_MORE_CALLS):
        words = () if op is Op.FAIL else tuple(word for arg in given for word in words_of(arg))
        return [build.made(op, words, (), name=call.name)]
    return [_compared(build, op, call)]


def _shouldly(build: Builder, op: Op, call: Call) -> list[Assertion]:
    """Return the demand of `x.ShouldBe(y)`, whose subject stands before it."""
    at = call.node.get("callee") or call.node
    about = at.get("object")
    if op in (Op.TRUE, Op.FALSE) and about is not None:
        return build.truth(about, holds=op is Op.TRUE)
    if op is Op.RAISES:
        return [_raising(build, call)]
    number = tolerance(call.args) if op is Op.APPROX else None
    subject = _before(call.node, call.links, len(call.links) - 1)
    return [build.made(op, subject, listed(call.given[:1]), name=call.name, number=number)]


def _compared(build: Builder, op: Op, call: Call) -> Assertion:
    given, keyed, name = call.given, call.keyed, call.name
    if call.node.type == "method_invocation" and len(given) > 1 + (op not in _ONE_SIDED) and _leads(given):
        given = given[1:]
    if "expected" in keyed and "actual" in keyed:
        given = [keyed["expected"], keyed["actual"]]
    if call.node.type == "infix_expression":
        subject = _before(call.node, call.links, len(call.links) - 1)
        return build.made(op, subject, tuple(word for arg in call.args for word in arg.words), name=name)
    if len(given) == 1 and not call.plain and _OWN_CHECK.match(name) and op in (Op.EQUAL, Op.PATTERN, Op.CONTAINS):
        return build.made(op, (call.links[0].name,), words_of(given[0]), name=name)
    if op in _ONE_SIDED or len(given) < 2:
        return build.made(op, words_of(given[0]) if given else (), (), name=name)
    number = None
    if op is Op.APPROX:
        number = tolerance(call.args)
    elif op is Op.EQUAL and len(given) == 3 and given[2].kind is Kind.NUMBER:
        op, number = Op.APPROX, number_of(given[2].words)
    return build.made(op, words_of(given[0]), words_of(given[1]), name=name, number=number)


def _leads(given: list[Node]) -> bool:
    """Return whether the first argument is the message, as in JUnit 4, and not the last one, as in JUnit 5."""
    return given[0].kind is Kind.STRING and given[-1].kind is not Kind.STRING


def _raising(build: Builder, call: Call) -> Assertion:
    given, key = call.given, call.name.lower().replace("_", "")
    if key in _TESTIFY:  # the error comes first, then what it is
        subject = words_of(given[0]) if given else ()
        wanted = words_of(given[1]) if len(given) > 1 and key != "error" else ()
        if key in ("errorcontains", "equalerror"):
            return build.made(Op.RAISES, subject, (), message=wanted, name=call.name)
        return build.made(Op.RAISES, subject, (), types=" ".join(wanted), name=call.name)
    if call.root in ("assert", "t") and call.name in _THROWING:  # in Node the function or promise comes first
        given = given[1:]
    texts = [arg for arg in given if arg.kind is Kind.STRING or arg.type == "regex"]
    types = [arg for arg in given if arg.kind is not Kind.LAMBDA and arg not in texts]
    kind = exception_of(call.link.types.split()) or exception_of(word for arg in types[:1] for word in arg.words)
    if types and types[0].type == "Tuple":
        kind = "|".join(sorted(exception_of(part.words) for part in types[0].parts))
    if not kind and (by_name := _BY_NAME.fullmatch(call.name)):
        kind = by_name[1]
    message = call.keyed.get("match") or (texts[0] if texts and "regex" in key else None)
    words = () if message is None else tuple(message.words)
    return build.made(Op.RAISES, (), (), types=kind, message=words, name=call.name)

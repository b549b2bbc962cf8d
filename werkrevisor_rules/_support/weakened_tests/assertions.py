"""Finds the assertions of a function, with what each demands and what stands around it."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import evolve, frozen

from werkrevisor_rules._support.weakened_tests.strictness import BASE_EXCEPTIONS, Op, matcher
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, bare, chain, named


@frozen
class Guard:
    """What decides whether an assertion is reached or its failure heard: its kind, text and line."""

    kind: str
    text: str
    line: int


@frozen(eq=False)
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

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys are the same demand, however it is written."""
        sides = frozenset({" ".join(self.subject), " ".join(self.expected)})
        op = Op.EQUAL if self.op in (Op.EQUAL, Op.SIZE) else self.op
        return (op, sides, self.negated, self.number, self.types, self.message, self.void)

    @property
    def tokens(self) -> frozenset[str]:
        """The words and literals of both sides."""
        return frozenset(word for word in (*self.subject, *self.expected) if word[:1].isalnum() or word[:1] in "\"'`_")


_EXPECT: Final = frozenset(
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
_MODIFIERS: Final = frozenset(
    """to be been is that which and has have with at of same but does still also deep own ordered nested resolves
    rejects not any all as extracting describedas withfailmessage asinstanceof poll soft isnot doesnot eventually both using
    usingrecursivecomparison ignoringcase because message and_ asstring aslist tohave ignoringfields satisfies
    isassertion first last element size ascaseinsensitive value""".split()
)
_ROOTS: Final = frozenset(
    "Assert assert require self Assertions assertions t chai sinon StringAssert CollectionAssert FileAssert should is suite "
    "s a r c tc JUnitAssert Truth MatcherAssert ClassicAssert it kotlin g NUnit Xunit".split()
)
_CUSTOM: Final = re.compile(
    r"_?(?:assert|verify|expect|check|should|ensure|require|must|validate|compare)[A-Z_]\w*|(?:assert|verify|check|expect|require)"
)
_OWN_CHECK: Final = re.compile(r"(?:assert|verify|expect|should)[A-Z]")
_OWN: Final = re.compile(r"assert[A-Z]")
_FAILS: Final = frozenset(
    {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "fail", "panic!", "panic", "Failf", "FailNowf", "error"}
)
_WRAPPERS: Final = frozenset({"multiple", "assertall", "softly", "all", "assertsoftly", "multipleasync", "all_"})
_TRUTHS: Final = frozenset({"true", "True", "1"})
_NUMBER: Final = re.compile(r"-?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?")
_NEVER_NEGATIVE: Final = re.compile(r"(?:\b(?:len|size|count|length|Count|Length|abs)\b.*) >= 0")
_CALL_PREDICATES: Final = {
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


def _words(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(bare(node).words)


class _Builder:
    """Makes assertions that share a place and surroundings."""

    def __init__(self, node: Node, guards: tuple[Guard, ...], *, awaited: bool) -> None:
        self.node, self.guards, self.awaited = node, guards, awaited

    def made(self, op: Op, subject: tuple[str, ...], expected: tuple[str, ...], **given: object) -> Assertion:
        base = Assertion(
            op,
            subject,
            expected,
            self.node.line,
            self.node.end_line,
            self.node.text,
            awaited=self.awaited,
            guards=self.guards,
        )
        made = evolve(base, **given)  # type: ignore[arg-type]
        return evolve(made, void=made.void or _void(made))

    def truth(self, node: Node, *, holds: bool = True) -> list[Assertion]:
        """Return what the demand that an expression is true (or false) amounts to."""
        out: list[Assertion] = []
        stack = [(node, holds)]
        while stack:
            at, wanted = stack.pop()
            at = bare(at)
            if at.kind is Kind.UNARY and at.op in ("!", "not") and at.parts:
                stack.append((at.parts[-1], not wanted))
            elif at.kind is Kind.BINARY and at.op in ("and", "&&") and wanted:
                stack.extend((part, wanted) for part in reversed(at.parts))
            elif at.kind is Kind.BINARY and at.op in ("or", "||") and not wanted:
                stack.extend((part, wanted) for part in reversed(at.parts))
            else:
                out.append(self._atom(at, wanted))
        return out

    def _atom(self, node: Node, wanted: bool) -> Assertion:  # noqa: FBT001 (private; the value is computed)
        words = tuple(node.words)
        if node.kind is Kind.BINARY and len(node.parts) >= 2:
            return self._binary(node, words, wanted)
        if node.kind is Kind.COLLECTION and node.type == "Tuple" and len(node.parts) > 1:
            return self.made(Op.TRUTHY, words, (), void="a tuple is always true")
        if node.kind is Kind.CONSTANT or node.kind is Kind.NUMBER:
            void = "it is a constant" if (node.text in _TRUTHS) == wanted else ""
            return self.made(Op.FAIL if not void else Op.TRUTHY, words, (), void=void)
        links = chain(node)
        last = links[-1]
        op = _CALL_PREDICATES.get(last.name.rstrip("!")) if last.called else None
        if last.name == "matches!" and last.args:
            pattern = _words(last.args[-1])
            void = "the pattern takes anything" if pattern == ("_",) else ""
            return self.made(Op.EQUAL, _words(last.args[0]), pattern, void=void, negated=not wanted)
        if op and last.args is not None:
            if wanted and last.name == "Is" or links[0].name == "errors" and last.name in ("Is", "As"):
                return self.made(Op.RAISES, _words(last.args[0]), (), types=" ".join(_words(last.args[-1])))
            subject = tuple(word for arg in last.args[:1] for word in _words(arg))
            if len(last.args) < 2 and len(links) > 1:
                subject = words[: max(0, len(words) - 4 - len(subject))]
            expected = tuple(word for arg in last.args[-1:] for word in _words(arg))
            return self.made(op if wanted else Op.DIFFERS, subject, expected, name=last.name, negated=not wanted)
        if links[0].name == "errors" and last.name in ("Is", "As") and last.args and len(last.args) > 1:
            return self.made(Op.RAISES, _words(last.args[0]), (), types=" ".join(_words(last.args[1])))
        return self.made(Op.TRUTHY, words, (), negated=not wanted)

    def _binary(self, node: Node, words: tuple[str, ...], wanted: bool) -> Assertion:  # noqa: FBT001
        left, right = node.parts[0], node.parts[-1]
        op, sides = node.op, (_words(left), _words(right))
        if op in ("is", "instanceof") and right.kind is not Kind.CONSTANT and node.type != "Compare":
            return self.made(Op.TYPE, *sides)
        equal = op in ("==", "===", "is", "eq")
        if equal or op in ("!=", "!==", "is not"):
            nothing = ("None",), ("null",), ("nil",), ("undefined",)
            if sides[1] in nothing or sides[0] in nothing:
                subject = sides[0] if sides[1] in nothing else sides[1]
                if subject[-1:] and subject[-1].lower().endswith("err"):
                    none = equal == wanted
                    return self.made(Op.NO_ERROR if none else Op.RAISES, subject, ())
                return self.made(Op.NULL if equal == wanted else Op.NOT_NULL, subject, ())
            approx = next((side for side in sides if "approx" in side), ())
            if approx and equal == wanted:
                tolerance = number_of(approx[max(i for i, word in enumerate(approx) if word in ("=", "approx")) :])
                return self.made(Op.APPROX, sides[0], sides[1], number=tolerance)
            return self.made(Op.EQUAL if equal == wanted else Op.DIFFERS, *sides)
        if op in ("in", "not in"):
            many = right.kind is Kind.COLLECTION
            inside = (op == "in") == wanted
            return self.made((Op.ONE_OF if many else Op.CONTAINS) if inside else Op.DIFFERS, sides[1], sides[0])
        if op in ("<", "<=", ">", ">=") and ("abs" in words or "Abs" in words or "fabs" in words):
            return self.made(Op.APPROX, sides[0], sides[1], number=number_of(sides[1]))
        if op in ("<", "<=", ">", ">="):
            return self.made(Op.COMPARE, *sides, name=op, negated=not wanted)
        if op in ("or", "||"):
            void = "a part of it is always true" if any(part.text in _TRUTHS for part in node.parts) else ""
            return self.made(Op.ONE_OF, words, (), void=void)
        return self.made(Op.TRUTHY, words, (), negated=not wanted)


def _void(made: Assertion) -> str:
    """Say why an assertion can never fail, or nothing."""
    if made.op in (Op.EQUAL, Op.CONTAINS, Op.APPROX) and made.subject and made.subject == made.expected:
        return "a value is compared with itself"
    text = " ".join(made.subject)
    if made.op is Op.COMPARE and (
        _NEVER_NEGATIVE.search(f"{text} {made.name} {' '.join(made.expected)}") or _at_least_zero(made, text)
    ):
        return "a size is never negative"
    return ""


def _at_least_zero(made: Assertion, text: str) -> bool:
    name = made.name.replace("_", "").lower()
    zero = made.expected[-1:] == ("0",) or made.subject[-1:] == ("0",)
    sized = re.search(r"\b(?:len|size|count|length|Count|Length)\b", text + " " + " ".join(made.expected))
    return bool(zero and sized and "equal" in name and "greater" in name) or bool(
        zero and sized and name in ("atleast", "gte")
    )


def _first_is_t(args: tuple[Node, ...]) -> bool:
    return bool(args) and bool(re.fullmatch(r"(?:\w+ \. )?(?:t|tb|b|c|T)(?: \( \))?", args[0].text))


def assertions_of_chain(links: list[Link], node: Node, guards: tuple[Guard, ...], *, awaited: bool) -> list[Assertion]:
    """Return the demands that one chain of calls makes; empty where it is no assertion."""
    build = _Builder(node, guards, awaited=awaited)
    root, last = links[0], links[-1]
    if root.name == "expect" and len(links) > 1 and not root.called:
        op = matcher(last.name)
        return [build.made(op, ("expect", "."), ())] if op is Op.PLAN else []
    heads = [
        i
        for i, link in enumerate(links)
        if link.called and i <= 2 and (link.name in _EXPECT if link.name != "expect" else i == 0)
    ]
    if root.name == "expect" and len(links) > 2 and links[1].name in ("soft", "poll"):
        heads = [1]
    if heads:
        return _expectation(build, links, heads[-1])
    should = next((i for i, link in enumerate(links) if link.name in ("Should", "should") and i > 0), None)
    if should is not None and len(links) > should + 1:
        subject = _before(node, links, should)
        return _matched(build, subject, links[should + 1 :])
    mock = _mock(build, links, node)
    if mock:
        return mock
    # A chain of assertions of the project's own: `log.assertEqual(a).assertMatch(b)`.
    own = [i for i, link in enumerate(links) if link.called and i and _OWN.match(link.name)]
    if len(own) > 1:
        return [made for i in own for made in _called(build, links[: i + 1], links[i].node or node)]
    return _called(build, links, node)


def _before(node: Node, links: list[Link], index: int) -> tuple[str, ...]:
    """Return the tokens of a chain before one of its links."""
    words = tuple(node.words)
    name = links[index].name
    at = next((i for i in range(len(words) - 1, -1, -1) if words[i] == name), len(words))
    return words[: max(0, at - 1)]


def _expectation(build: _Builder, links: list[Link], head: int) -> list[Assertion]:
    args = links[head].args or ()
    given = [argument for argument in args if not named(argument)[0]]
    subject = _words(given[0]) if given else ()
    rest = links[head + 1 :]
    if links[head].name == "assertThatExceptionOfType":
        return [build.made(Op.RAISES, (), (), types=_exception(subject))]
    if links[head].name in ("assertThat", "that", "That") and len(given) > 1:  # Hamcrest, NUnit
        constraint = chain(bare(given[-1] if given[-1].kind is Kind.CALL or len(given) == 2 else given[1]))
        if any(matcher(link.name) for link in constraint):
            return _matched(build, subject, constraint)
        return build.truth(given[0]) if given[-1].kind is Kind.STRING else _matched(build, subject, constraint)
    if not rest and links[head].name == "That" and given:
        return build.truth(given[0])
    if not rest:
        if links[head].name in ("assertThatThrownBy", "assertThatCode"):
            return [build.made(Op.TRUTHY, subject, (), void="no matcher is called")]
        return [build.made(Op.TRUTHY, subject, (), void="no matcher is called")] if given else []
    made = _matched(build, subject, rest, given[0] if given else None)
    if links[head].name == "assertThatThrownBy":
        made = [
            evolve(one, op=Op.RAISES, types=_exception(one.expected), expected=()) if one.op is Op.TYPE else one
            for one in made
        ]
    return made


def _exception(words: Iterable[str]) -> str:
    """Return the name of an exception type, without `.class` and the like."""
    kept = "".join(word for word in words if word not in ("class", "::", "java", "typeof", "(", ")", "<", ">"))
    return kept.rstrip(".").rsplit(".", 1)[-1] if not kept.startswith("{") else kept


def _matched(build: _Builder, subject: tuple[str, ...], links: list[Link], node: Node | None = None) -> list[Assertion]:
    """Return one assertion per matcher of a chain behind its subject."""
    out: list[Assertion] = []
    negated = False
    number: float | None = None
    if links and links[0].name == "Throws":
        last = links[-1]
        kind = (
            last.types
            or "".join(word for arg in last.args or () for word in _words(arg))
            or links[min(1, len(links) - 1)].name
        )
        return [build.made(Op.RAISES, (), (), types=_exception(re.findall(r"[\w.]+", kind)), name="Throws")]
    for index, link in enumerate(links):
        name = link.name.replace("_", "").lower()
        if name in ("not", "isnot"):
            negated = True
        if name in ("within", "withprecision", "usingtolerance", "withtolerance", "percent", "offset") and out:
            number = number_of(word for arg in link.args or () for word in arg.words)
            out[-1] = evolve(out[-1], op=Op.APPROX, number=number)
            continue
        op = matcher(link.name)
        if op is None and link.called and name not in _MODIFIERS and index == len(links) - 1 and not out:
            op = Op.CUSTOM
        final = index == len(links) - 1
        if op is None or (name in _MODIFIERS and not (final and (link.called or op in (Op.TRUE, Op.NULL, Op.EMPTY)))):
            continue
        if not link.called and not final and op not in (Op.RAISES,):
            continue
        if name == "rejects" or (name in ("throws", "throw") and not link.called and not final):
            continue
        out.append(_one(build, op, subject, link, node, negated=negated))
    if not out and links and not any(link.called for link in links):
        prop = links[-1].name.lower()
        if prop in ("called", "calledonce", "exist", "ok", "true", "false", "empty", "null", "undefined", "ofkind"):
            return [build.made(matcher(prop) or Op.TRUTHY, subject, (), negated=negated)]
        return [build.made(Op.TRUTHY, subject, (), void="no matcher is called")]
    return out


def _one(
    build: _Builder, op: Op, subject: tuple[str, ...], link: Link, node: Node | None, *, negated: bool
) -> Assertion:
    args = link.args or ()
    expected = tuple(word for arg in args for word in _words(arg))
    name = link.name
    void = ""
    number = None
    if (
        not link.called
        and op
        not in (
            Op.TRUE,
            Op.FALSE,
            Op.NULL,
            Op.EMPTY,
            Op.CALLED,
            Op.NOT_NULL,
            Op.TRUTHY,
            Op.RAISES,
            Op.CALLED_TIMES,
            Op.FAIL,
        )
        and name[:1].islower()
        and name.startswith(("toBe", "toEqual", "toHave", "toMatch", "toThrow", "toContain", "toStrict"))
    ):
        void = f"{name} is named, not called"
    if op is Op.EMPTY and name[:1].isupper() and not link.called:
        op = Op.EMPTY
    if op is Op.RAISES:
        types = [arg for arg in args if arg.kind not in (Kind.STRING, Kind.LAMBDA) and arg.type != "regex"]
        texts = [arg for arg in args if arg.kind is Kind.STRING or arg.type == "regex"]
        message = tuple(word for arg in texts for word in arg.words)
        kind = _exception(link.types.split()) or _exception(word for arg in types[:1] for word in arg.words)
        return build.made(op, subject, (), types=kind, message=message, name=name, negated=negated)
    if op is Op.TYPE and node is not None and bare(node).kind is Kind.LAMBDA and any("unction" in w for w in expected):
        void = "a function is always one"
    if op in (Op.APPROX, Op.SNAPSHOT) and args:
        number = number_of(args[-1].words)
        if name.lower() == "tobecloseto":
            number = None if number is None else 10.0**-number
    if op is Op.TRUE and node is not None:
        return build.truth(node, holds=not negated)[0]
    if op is Op.FALSE and node is not None:
        return build.truth(node, holds=negated)[0]
    if op is Op.EQUAL and len(args) == 1 and "".join(expected).rsplit(".", 1)[-1].lower() in ("true", "false") and node is not None:
        return evolve(build.truth(node, holds=(expected[-1].lower() == "true") != negated)[0], name=name)
    if op is Op.EQUAL and expected[:2] == ("anyOf", "("):
        op = Op.ONE_OF
    if negated and op in (Op.EQUAL, Op.NULL, Op.CONTAINS, Op.EMPTY):
        op = Op.NOT_NULL if op in (Op.NULL, Op.EMPTY) else Op.DIFFERS
    if op is Op.EQUAL and any(word in expected for word in ("offset", "within", "Offset")):
        op, number = Op.APPROX, number_of(expected[-3:])
    return build.made(op, subject, expected, name=name, number=number, void=void, negated=negated)


def _mock(build: _Builder, links: list[Link], node: Node) -> list[Assertion]:
    """Return the demand on a mock that a chain makes: Mockito, MockK, Moq, NSubstitute."""
    index = next(
        (
            i
            for i, link in enumerate(links)
            if link.name
            in ("verify", "coVerify", "Verify", "Received", "verifyOrder", "verifySequence", "DidNotReceive")
            and link.called
        ),
        None,
    )
    if index is None:
        return []
    link = links[index]
    args = link.args or ()
    texts = [" ".join(named(arg)[1].words) for arg in args]
    times = next(
        (
            text
            for text in texts
            if re.match(r"(?:\w+ \. )*(?:times|never|atLeast|atMost|only|Times|timeout|calls|atLeastOnce)\b", text)
        ),
        "",
    )
    keyed = {named(arg)[0]: named(arg)[1].text for arg in args if named(arg)[0]}
    times = times or next((f"{key} = {value}" for key, value in keyed.items()), "")
    if link.name == "Received":
        times = texts[0] if texts else "1"
    inside = tuple(word for arg in args if arg.kind is Kind.LAMBDA for word in arg.words)
    subject = inside or (_words(args[0]) if args else ())
    called = links[index + 1 :]
    expected = tuple(word for later in called for arg in (later.args or ()) for word in (*_words(arg), ","))
    name = " . ".join(later.name for later in called)
    compact = times.replace(" ", "").rsplit("Mockito.", 1)[-1]
    exact = {"times(1)": "", "Times.Once": "", "Times.Once()": "", "exactly=1": "", "1": "", "Times.Exactly(1)": ""}
    weak = bool(re.match(r"(?:\w+\.)*(?:atLeast|AtLeast|Times\.AtLeast|atMost)|atLeast=", compact))
    void = "it holds for no call at all" if re.search(r"[aA]tLeast(?:\(|=)0\)?$", compact) else ""
    op = Op.CALLED if weak else Op.CALLED_WITH
    shown = exact.get(compact, compact)
    return [
        build.made(
            op,
            (*subject, *name.split()),
            expected,
            message=(shown,) if shown and not weak else (),
            void=void,
            name=link.name,
        )
    ]


def _called(build: _Builder, links: list[Link], node: Node) -> list[Assertion]:
    """Return the demand of an assertion that is one call, e.g. `assertEquals(a, b)`."""
    last = next((link for link in reversed(links) if link.called), None)
    if last is None:
        return []
    if matcher(last.name) is None and not _CUSTOM.fullmatch(last.name):
        # What follows an assertion uses its result: `assertThrows(...).getMessage()`.
        asserts = (link for link in links if link.called and link.name.startswith(("assert", "expectThrows")))
        last = next((link for link in asserts if matcher(link.name.rstrip("!"))), last)
    name = last.name.rstrip("!")
    root = links[0].name.rstrip("!")
    op = matcher(name)
    args = last.args or ()
    if op in (Op.RAISES, Op.FAIL) and name in _FAILS and len(links) > 1 and root not in _ROOTS:
        return []
    plain = len(links) == 1
    known = name.lower().replace("_", "").startswith(("assert", "verify", "expect", "shouldbe", "should", "prop"))
    rooted = not plain and (root in _ROOTS or links[-2].name in ("assert", "Assert", "require", "assertions"))
    mocked = op in (Op.CALLED_WITH, Op.CALLED_TIMES, Op.CALLED, Op.NO_MORE_CALLS)
    raising = op is Op.RAISES and (root == "pytest" or name in ("raises", "shouldThrow", "expectThrows", "warns"))
    if name in ("require", "assume", "check") and (
        plain and build.node.type == "call_expression" and len(args) == 1 and args[0].kind is Kind.STRING
    ):
        return []
    failing = op is Op.FAIL and (plain or rooted)
    okay = plain and name in ("assert", "check") and bool(args)
    infix = node.type == "infix_expression" and op is not None
    if op is None or not (known or rooted or mocked or raising or failing or okay or infix):
        if name.lower() in _WRAPPERS or (name.startswith("expect") and len(links) > 1 and name.islower()):
            return []  # Rust's `expect` and `expect_err` unwrap
        asserting = links[0].name in ("assert", "require", "Assert", "assertions") and len(links) == 2
        if (
            (_CUSTOM.fullmatch(name) or asserting)
            and (plain or root in _ROOTS or len(links) <= 3)
            and root != "console"
        ):
            words = tuple(word for arg in args for word in (*_words(arg), ","))
            return [build.made(Op.CUSTOM, words, (), name=name)]
        return []
    if root in ("t", "s", "self", "it") and op in (Op.RAISES,) and name in _FAILS:
        return [build.made(Op.FAIL, (), (), name=name)]
    if root in ("s", "t", "suite", "a", "r", "c", "g", "tc") and not (
        len(links) > 2 or known or len(args) > 1 or op is Op.NO_ERROR
    ):
        return []
    if _first_is_t(args) and len(args) > 1:
        args = args[1:]
    return _simple(build, op, name, links, last, args, node)


def _simple(
    build: _Builder, op: Op, name: str, links: list[Link], last: Link, args: tuple[Node, ...], node: Node
) -> list[Assertion]:
    keyed = {named(arg)[0]: named(arg)[1] for arg in args if named(arg)[0]}
    given = [arg for arg in args if not named(arg)[0]]
    if op is Op.TRUE or op is Op.FALSE:
        real = [arg for arg in given if arg.kind is not Kind.STRING]
        return build.truth(real[0], holds=op is Op.TRUE) if real else []
    if op is Op.RAISES:
        return [_raising(build, name, last, given, keyed)]
    if op in (Op.CALLED_WITH, Op.CALLED_TIMES, Op.CALLED):
        if links[0].name == "sinon" and given:
            expected = tuple(word for arg in given[1:] for word in (*_words(arg), ","))
            return [build.made(op, _words(given[0]), expected, name=name)]
        subject = tuple(node.words)[:0] or _before(node, links, len(links) - 1)
        expected = tuple(word for arg in args for word in (*_words(arg), ","))
        return [build.made(op, subject, expected, name=name)]
    if op in (Op.FAIL, Op.PLAN, Op.NO_MORE_CALLS):
        words = () if op is Op.FAIL else tuple(word for arg in given for word in _words(arg))
        return [build.made(op, words, (), name=name)]
    if op is Op.EQUAL and "expected" in keyed and "actual" in keyed:
        given = [keyed["expected"], keyed["actual"]]
    if node.type == "infix_expression":
        return [
            build.made(op, _before(node, links, len(links) - 1), tuple(w for arg in args for w in arg.words), name=name)
        ]
    if len(given) == 1 and len(links) > 1 and _OWN_CHECK.match(name) and matcher(name) in (Op.EQUAL, Op.PATTERN, Op.CONTAINS):
        return [build.made(op, (links[0].name,), _words(given[0]), name=name)]
    if op in (Op.NULL, Op.NOT_NULL, Op.EMPTY, Op.NO_ERROR, Op.TRUTHY) or len(given) < 2:
        return [build.made(op, _words(given[0]) if given else (), (), name=name)]
    first, second = _words(given[0]), _words(given[1])
    number = None
    if op is Op.APPROX:
        tolerance = keyed.get("delta") or (given[2] if len(given) > 2 else None)
        number = number_of(tolerance.words) if tolerance is not None else None
        places = keyed.get("places")
        if places is not None and (value := number_of(places.words)) is not None:
            number = 10.0**-value
    elif op is Op.EQUAL and len(given) == 3 and given[2].kind is Kind.NUMBER:
        op, number = Op.APPROX, number_of(given[2].words)
    return [build.made(op, first, second, name=name, number=number)]


def _raising(build: _Builder, name: str, last: Link, given: list[Node], keyed: dict[str, Node]) -> Assertion:
    lambdas = [arg for arg in given if arg.kind is Kind.LAMBDA]
    texts = [arg for arg in given if arg.kind is Kind.STRING or arg.type == "regex"]
    types = [arg for arg in given if arg not in lambdas and arg not in texts]
    key = name.lower().replace("_", "")
    if key in (
        "erroris",
        "errorcontains",
        "errorastype",
        "equalerror",
        "erroras",
    ):  # testify: the error, then what it is
        wanted = " ".join(_words(given[1])) if len(given) > 1 else ""
        if key in ("errorcontains", "equalerror"):
            return build.made(Op.RAISES, _words(given[0]), (), message=_words(given[1]) if len(given) > 1 else ())
        return build.made(Op.RAISES, _words(given[0]), (), types=wanted, name=name)
    if key == "error":
        return build.made(Op.RAISES, _words(given[0]) if given else (), (), name=name)
    kind = _exception(last.types.split()) or _exception(word for arg in types[:1] for word in arg.words)
    message = keyed.get("match") or (texts[0] if texts and "regex" in key else None)
    words = () if message is None else tuple(message.words)
    return build.made(Op.RAISES, (), (), types=kind, message=words, name=name)


def is_base(types: str) -> bool:
    """Return whether an exception type is so general that nearly any failure has it."""
    return types.rsplit(".", 1)[-1] in BASE_EXCEPTIONS or types in BASE_EXCEPTIONS


def failing_calls(node: Node) -> Iterator[Node]:
    """Yield the calls and throws below a node that fail a test."""
    for at in node.walk():
        if at.kind is Kind.THROW:
            yield at
        elif at.kind is Kind.CALL:
            links = chain(at)
            if (
                links[-1].called
                and links[-1].name in _FAILS
                and (len(links) == 1 or links[0].name not in ("log", "console", "logger", "fmt", "errors", "Promise", "status", "http"))
            ):
                yield at

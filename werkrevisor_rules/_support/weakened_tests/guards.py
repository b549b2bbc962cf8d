"""What keeps the statements of a body from being reached, or their failures from being heard."""

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from werkrevisor_rules._support.weakened_tests.demands import EMPTY, Assertion, Guard, difference, failing_calls
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, bare

SWALLOWED: Final = {
    "python": frozenset({"", "Exception", "BaseException", "AssertionError"}),
    "java": frozenset({"Throwable", "Error", "AssertionError", "AssertionFailedError"}),
    "kotlin": frozenset({"Throwable", "Error", "AssertionError", "AssertionFailedError"}),
    "csharp": frozenset({"", "Exception", "XunitException", "AssertionException", "System.Exception"}),
}
"""Types whose catching swallows a failed assertion; in other languages any catch does."""

LATER: Final = frozenset({"setTimeout", "setImmediate", "nextTick", "queueMicrotask", "setInterval"})
"""Calls that run a function after the test, unless it waits for it."""

_WAITED_FOR: Final = frozenset({"done", "resolve", "reject", "next", "cb", "callback"})
_OPENED: Final = ("expression_statement",)
_DECLARING: Final = frozenset(
    {"lexical_declaration", "variable_declaration", "local_variable_declaration", "local_declaration_statement"}
)


LEADS_OUT: Final = (Kind.OTHER, Kind.ASSIGN, Kind.IF, Kind.RETURN)
"""Kinds of statements that can keep those behind them from being reached."""


def raises_assertion(fails: Iterable[Node]) -> bool:
    """Return whether calls that fail are those of a test, not of the code in a test's helper."""
    return any("AssertionError" in node.text or "fail" in node.text.lower() for node in fails)


def resolved(made: Assertion, names: frozenset[str], value: Node) -> Assertion:
    """Put what `if got := f(); got != want` calls in the place of `got`."""
    if len(made.subject) != 1 or made.subject[0] not in names:
        return made
    if made.op is Op.EQUAL and made.expected in EMPTY and (sides := difference(value)) is not None:
        return evolve(made, subject=sides[0], expected=sides[1])
    return evolve(made, subject=tuple(value.words))


def conditions(guards: Iterable[Guard]) -> str:
    """Return the conditions among guards as one text."""
    return " and ".join(guard.text for guard in guards if guard.kind in ("if", "if-return"))


def header(catch: Node) -> str:
    """Return what a catch catches, as it is written."""
    if catch.type == "ExceptHandler":
        kind = catch.get("type")
        return "" if kind is None else kind.text
    body = catch.get("body")
    return " ".join(catch.tokens[catch.start : catch.end if body is None else body.start])


def way_out(part: Node) -> Guard | None:
    """Return what a statement keeps those behind it from: a return, or one under a condition."""
    at = _opened(part)
    if at.kind is Kind.RETURN:
        return Guard("return", at.text, at.line)
    if at.type == "let_declaration" and len(at.parts) > 2 and at.parts[-1].kind is Kind.BLOCK:  # Rust's `let ... else`
        return Guard("if-return", f"let {at.parts[0].text}", at.line) if _returns(at.parts[-1]) else None
    if at.kind is not Kind.IF or at.get("alternative") is not None:
        return None
    then = at.get("consequence") or at.get("body") or (at.parts[-1] if len(at.parts) > 1 else None)
    if then is None or any(True for _ in failing_calls(then)) or not _returns(then):
        return None
    return Guard("if-return", bare(at.get("condition") or at.parts[0]).text, at.line)


def _opened(node: Node) -> Node:
    while node.type in _OPENED and len(node.parts) == 1:
        node = node.parts[0]
    return node


def _returns(block: Node) -> bool:
    """Return whether a block ends with a return."""
    inner = block
    while inner.kind is Kind.BLOCK and inner.parts:
        inner = inner.parts[-1]
    return _opened(inner).kind is Kind.RETURN


def is_late(name: str, function: Node, *, waited: bool) -> bool:
    """Return whether a call of this name runs a function when the test may have ended already."""
    return (name in LATER or (name == "then" and not waited)) and not _WAITED_FOR & set(function.words)


def local_function(part: Node) -> str:
    """Return the name of the function that a statement makes and does not hand on; empty where it makes none."""
    at = _opened(part)
    while at.type in _DECLARING and at.parts:
        at = _opened(at.parts[-1])
    if at.kind is Kind.FUNCTION or at.type == "local_function_statement":
        if getattr(getattr(at, "source", None), "decorator_list", ()):
            return ""  # the decorator hands it on
        name = at.name
    elif at.kind is Kind.ASSIGN and (value := at.get("value")) is not None and bare(value).kind is Kind.LAMBDA:
        given = at.get("name")
        name = "" if given is None else given.text
    else:
        return ""
    return name if name.isidentifier() else ""


def caught_at(links: list[Link]) -> int | None:
    """Return the place of a `.catch(...)` in a chain that drops what is rejected."""
    found = [i for i, link in enumerate(links) if link.name == "catch" and link.args]
    if not found or any(True for _ in failing_calls((links[found[-1]].args or ())[0])):
        return None
    return found[-1]

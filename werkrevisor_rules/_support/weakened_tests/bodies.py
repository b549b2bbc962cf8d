"""Reads one function's body: its assertions and what guards them, its calls, skips and tables of cases."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import evolve, field

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.assertions import assertions_of_chain
from werkrevisor_rules._support.weakened_tests.demands import Assertion, Builder, Guard, failing_calls
from werkrevisor_rules._support.weakened_tests.durations import limit_among
from werkrevisor_rules._support.weakened_tests.frameworks import FACTS
from werkrevisor_rules._support.weakened_tests.guards import (
    LEADS_OUT,
    SWALLOWED,
    caught_at,
    conditions,
    header,
    is_late,
    local_function,
    raises_assertion,
    resolved,
    way_out,
)
from werkrevisor_rules._support.weakened_tests.strictness import Op
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Link, Node, bare, chain
from werkrevisor_rules._support.weakened_tests.tables import Table, iterated, literal_rows, rows_of

_WORD: Final = re.compile(r"[A-Za-z_][\w.]*")
_SWALLOWERS: Final = frozenset({"runCatching", "catch_unwind", "AssertionScope_discard"})
_IF_PRESENT: Final = frozenset({"ifPresent", "IfPresent", "if_present", "ifSome"})
_RETRIES_IN: Final = re.compile(r"\bretr(?:y|ies) : (\d+)")
_PROMISING: Final = frozenset({"javascript", "typescript", "tsx"})
_NEVER: Final = frozenset({"false", "False", "0"})
# Playwright's `test.slow()` allows three times as long; the usual limit is thirty seconds.
_SLOW: Final = "90_000"
_RAISING: Final = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertWarns", "warns"})
_OPTIONAL_LAMBDAS: Final = frozenset(
    {"let", "ifPresent", "also", "run", "takeIf", "map", "apply", "if_let", "IfPresent"}
)


@frozen(eq=False)
class Body:
    """What a body holds."""

    assertions: tuple[Assertion, ...] = ()
    calls: tuple[tuple[Link, ...], ...] = field(default=(), repr=False)
    skips: tuple[tuple[str, str, int], ...] = ()
    settings: tuple[tuple[str, str, int], ...] = ()
    tables: tuple[Table, ...] = ()
    loops: tuple[str, ...] = ()
    words: frozenset[str] = field(default=frozenset(), repr=False)
    empty: bool = False
    returns: tuple[str, ...] = ()


class _Reader:
    def __init__(self, language: str, top: Node) -> None:
        self.language, self.top = language, top
        self.facts = FACTS[language]
        self.assertions: list[Assertion] = []
        self.calls: list[tuple[Link, ...]] = []
        self.skips: list[tuple[str, str, int]] = []
        self.settings: list[tuple[str, str, int]] = []
        self.loops: list[Node] = []
        self.assigned: dict[str, Node] = {}
        self.returns: list[str] = []
        self.stack: list[tuple[Node, tuple[Guard, ...], bool]] = []

    def read(self, *tops: Node) -> None:
        self.stack += [(top, (), False) for top in reversed(tops)]
        while self.stack:
            node, guards, awaited = self.stack.pop()
            self._visit(node, guards, awaited=awaited)

    def _push(self, node: Node | None, guards: tuple[Guard, ...], *, awaited: bool = False) -> None:
        if node is not None:
            self.stack.append((node, guards, awaited))

    def _rest(self, node: Node, guards: tuple[Guard, ...], done: tuple[Node | None, ...] = ()) -> None:
        for part in reversed(node.parts):
            if part.parts and not any(part is other for other in done):
                self._push(part, guards)

    def _visit(  # noqa: C901, PLR0912 (one branch per kind of node)
        self, node: Node, guards: tuple[Guard, ...], *, awaited: bool
    ) -> None:
        kind = node.kind
        if kind is Kind.OTHER or kind is Kind.BLOCK:  # most of them
            self._sequence(node, guards)
        elif kind is Kind.CALL or kind is Kind.MEMBER:
            self._chain(node, guards, awaited=awaited)
        elif kind is Kind.ASSERT:
            self._assert(node, guards)
        elif kind is Kind.IF:
            self._if(node, guards)
        elif kind is Kind.LOOP:
            self._loop(node, guards)
        elif kind is Kind.TRY:
            self._try(node, guards)
        elif kind is Kind.WITH:
            self._with(node, guards)
        elif kind in (Kind.AWAIT, Kind.RETURN):
            for part in reversed(node.parts):
                self._push(part, guards, awaited=True)
        elif kind is Kind.THROW:
            self._throw(node, guards)
        elif kind is Kind.BINARY and node.op in ("&&", "||", "??") and len(node.parts) == 2:
            self._push(node.parts[1], (*guards, Guard("if", node.parts[0].text, node.line)))
            self._push(node.parts[0], guards)
        elif kind is Kind.LAMBDA and (body := node.get("body")) is not None and body.kind is not Kind.BLOCK:
            self._push(body, guards, awaited=True)
        elif kind is Kind.LAMBDA and len(node.parts) == 1 and node.type == "lambda_literal":
            self._push(node.parts[0], guards, awaited=True)
        else:
            self._sequence(node, guards)

    def _sequence(self, node: Node, guards: tuple[Guard, ...]) -> None:
        """Visit the parts in order; what follows a way out stands behind it."""
        if node.kind is Kind.ASSIGN and (value := node.get("value")) is not None and (name := node.get("name")):
            self.assigned[name.text] = value
        waiting: list[tuple[Node, tuple[Guard, ...], bool]] = []
        in_block = node.kind is Kind.BLOCK
        for part in node.parts:
            if not part.parts and part.kind is not Kind.RETURN:
                continue  # a name or a literal
            around = guards
            if in_block and (made := local_function(part)) and self._count[made] == 1:
                around = (*guards, Guard("return", f"{made} is never called", part.line))
            waiting.append((part, around, False))
            if part.kind in LEADS_OUT and (out := way_out(part)) is not None:
                guards = (*guards, out)
                if out.kind == "if-return":
                    self.returns.append(out.text)
        waiting.reverse()
        self.stack += waiting

    @cached_property
    def _count(self) -> Counter[str]:
        return Counter(self.top.words)

    def _assert(self, node: Node, guards: tuple[Guard, ...]) -> None:
        if not node.parts:
            return
        build = Builder(node, guards, awaited=True)
        self.assertions += build.truth(node.get("condition") or node.parts[0])
        self._rest(node, guards)

    def _throw(self, node: Node, guards: tuple[Guard, ...]) -> None:
        if self.facts.skip_calls.search(node.text) or "SkipException" in node.text or "SkipTest" in node.text:
            self.skips.append((node.text, conditions(guards), node.line))
        self._rest(node, guards)

    def _if(self, node: Node, guards: tuple[Guard, ...]) -> None:
        condition = node.get("condition") or node.get("value")
        then, other = node.get("consequence") or node.get("body"), node.get("alternative")
        if then is None and len(node.parts) >= 2 and condition is None:
            condition, then = node.parts[0], node.parts[1]
        elif then is None and condition is not None:
            after = [part for part in node.parts if part is not condition]
            then = after[0] if after else None
            other = after[1] if len(after) > 1 and other is None else other
        text = "" if condition is None else bare(condition).text
        if (
            condition is not None
            and then is not None
            and node.type not in ("match_expression", "switch_statement", "Match")
        ):
            self._failing(node, condition, then, guards)
        for part in reversed(node.parts):
            if part is condition or part.type.endswith(("initializer", "declaration")):
                self._push(part, guards)
            elif part is other:
                self._push(part, (*guards, Guard("if", f"else {text}", node.line)))
            else:
                self._push(part, (*guards, Guard("if", text, node.line)))

    def _failing(self, node: Node, condition: Node, then: Node, guards: tuple[Guard, ...]) -> None:
        """Take `if cond { t.Fatal() }` for the demand that the condition does not hold."""
        fails = list(failing_calls(then))
        inner = [part for part in then.walk() if part.kind in (Kind.IF, Kind.LOOP, Kind.TRY)]
        if not fails or inner or (self.language in ("python", "kotlin") and not raises_assertion(fails)):
            return
        build = Builder(node, guards, awaited=True)
        made = build.truth(condition, holds=False)
        start = next((part for part in node.parts if part.type == "short_var_declaration"), None)
        if start is not None and (value := start.get("value")) is not None and (name := start.get("name")) is not None:
            names = frozenset(name.text.split(" , "))
            made = [resolved(one, names, value) for one in made]
        self.assertions += made

    def _loop(self, node: Node, guards: tuple[Guard, ...]) -> None:
        subject = node.get("subject")
        if subject is not None:
            self.loops.append(bare(subject))
        text = "" if subject is None else subject.text
        condition = node.get("condition")
        if condition is not None and bare(condition).text in _NEVER:
            guards = (*guards, Guard("return", f"while {condition.text}", node.line))
        elif subject is not None and rows_of(iterated(subject)) == ():
            guards = (*guards, Guard("return", f"a loop over {subject.text}", node.line))
        for part in reversed(node.parts):
            self._push(part, guards if part is subject else (*guards, Guard("loop", text, node.line)))

    def _try(self, node: Node, guards: tuple[Guard, ...]) -> None:
        catches = [part for part in node.parts if part.kind is Kind.CATCH]
        swallows = [part for part in catches if self._swallows(part)]
        wanted = self._wanted(node, catches, guards)
        if wanted:
            self.assertions.append(wanted)
        inside = (*guards, Guard("swallow", header(swallows[0]), swallows[0].line)) if swallows else guards
        last = next((part for part in node.parts if part.kind is Kind.FINALLY or part is node.get("finalbody")), None)
        if last is not None and any(part.kind is Kind.RETURN for part in last.walk()):
            inside = (*inside, Guard("swallow", "return in finally", last.line))
        for part in reversed(node.parts):
            if part.kind is Kind.CATCH:
                self._push(part, (*guards, Guard("catch", header(part), part.line)))
            elif part.kind is Kind.FINALLY:
                self._push(part, guards)
            else:
                self._push(part, inside)

    def _wanted(self, node: Node, catches: list[Node], guards: tuple[Guard, ...]) -> Assertion | None:
        """Take `try { f(); fail(); } catch (E e) {}` for the demand that E is raised."""
        body = node.get("body") or (node.parts[0] if node.parts else None)
        fails = body is not None and any(at.kind is Kind.CALL for at in failing_calls(body))
        other = node.get("alternative")  # Python's `else` of a `try`
        if not catches or not (fails or (other is not None and any(True for _ in failing_calls(other)))):
            return None
        words = [word for word in _WORD.findall(header(catches[0])) if word not in ("catch", "final")]
        wanted = words[-1 if self.language in ("kotlin", "python") else 0] if words else ""
        made = Builder(node, guards, awaited=True).made(Op.RAISES, (), (), types=wanted.rsplit(".", 1)[-1])
        caught = header(catches[0])
        return evolve(made, text=f"except {caught}" if self.language == "python" else caught)

    def _swallows(self, catch: Node) -> bool:
        if any(True for _ in failing_calls(catch)):
            return False
        body = catch.get("body") or catch
        reader = _Reader(self.language, body)
        reader.read(body)
        if reader.assertions or any(part.kind is Kind.THROW for part in catch.walk()):
            return False
        types = SWALLOWED.get(self.language)
        if types is None:
            return True
        names = {word.rsplit(".", 1)[-1] for word in _WORD.findall(header(catch))} - {
            "catch",
            "e",
            "ex",
            "except",
            "as",
        }
        return bool(names & types) or ("" in types and not names)

    def _with(self, node: Node, guards: tuple[Guard, ...]) -> None:
        inside, raising = guards, False
        for part in node.parts:
            if part.type != "withitem":
                continue
            links = chain(bare(part.parts[0])) if part.parts else []
            if links and links[-1].name == "suppress":
                types = {word.rsplit(".", 1)[-1] for arg in links[-1].args or () for word in _WORD.findall(arg.text)}
                if types & SWALLOWED["python"]:
                    inside = (*inside, Guard("swallow", part.text, part.line))
            if links and links[-1].name in _RAISING:
                raising = True
                self._only_throws(node, part)
        body = node.get("body")
        for part in reversed(node.parts):
            if raising and part is body and len(part.parts) > 1:
                last = part.parts[-1]
                self._push(last, (*inside, Guard("return", "behind what raises, in its block", last.line)))
                self._rest(part, inside, (last,))
            else:
                self._push(part, guards if part.type == "withitem" else inside)

    def _only_throws(self, node: Node, item: Node) -> None:
        body = node.get("body")
        if body is not None and len(body.parts) == 1 and body.parts[0].kind is Kind.THROW:
            build = Builder(item, (), awaited=True)
            self.assertions.append(build.made(Op.RAISES, (), (), void="the test raises the error itself"))

    def _chain(self, node: Node, guards: tuple[Guard, ...], *, awaited: bool) -> None:
        links = chain(node)
        if links[-1].called:
            self._call(links, node, guards)
        caught = caught_at(links)
        waited = awaited or self.language not in _PROMISING
        own = guards if caught is None else (*guards, Guard("swallow", "catch", node.line))
        self.assertions += assertions_of_chain(links, Builder(node, own, awaited=awaited))
        for index in range(len(links) - 1, -1, -1):
            link = links[index]
            if not link.args:
                continue
            around = (*(guards if caught is None or index >= caught else own), *self._around(links, index, node))
            for argument in reversed(link.args):
                if not argument.parts:
                    continue
                late = argument.kind is Kind.LAMBDA and is_late(link.name, argument, waited=waited)
                behind = (Guard("return", f"{link.name}: the test does not wait for it", node.line),) if late else ()
                self._push(argument, (*around, *behind))
        root = links[0].node
        if root is not None and root.kind is Kind.CALL:
            callee = root.get("callee")
            if callee is not None and bare(callee).kind is Kind.LAMBDA:  # a function that is called where it is made
                self._push(bare(callee), guards, awaited=awaited)
        elif root is not None and root.kind not in (Kind.MEMBER, Kind.NAME):
            self._rest(root, guards)

    def _call(self, links: list[Link], node: Node, guards: tuple[Guard, ...]) -> None:
        """Keep a call, and what it sets or skips."""
        self.calls.append(tuple(links))
        last = links[-1]
        if self.facts.skip_calls.fullmatch(".".join(link.name for link in links)):
            self._skip(links, node, guards)
        elif self._sets(last.name) and not (len(links) == 1 and last.name == "setTimeout"):
            self.settings.append(
                (
                    last.name,
                    limit_among(last.name, [arg.text for arg in last.args or () if arg.kind is not Kind.LAMBDA]),
                    node.line,
                )
            )
        elif last.name == "slow" and links[0].name == "test":
            self.settings.append((last.name, _SLOW, node.line))
        elif last.name == "configure" and (found := _RETRIES_IN.search(node.text)):
            self.settings.append(("retries", found[1], node.line))

    def _around(self, links: list[Link], index: int, node: Node) -> tuple[Guard, ...]:
        """Return what a call decides about the functions that are handed to it."""
        name = links[index].name
        if name in _SWALLOWERS:
            return (Guard("swallow", name, node.line),)
        if name in _IF_PRESENT or (name in _OPTIONAL_LAMBDAS and "?" in node.text):
            return (Guard("if", f"?.{name}", node.line),)
        makes_tests = name == "map" and "ynamicTest" in node.text
        if index and (makes_tests or name in ("forEach", "each", "ForEach", "for_each")):
            subject = node.get("object") or (node.get("callee") or node).get("object") or links[index - 1].node
            if subject is not None:
                self.loops.append(bare(subject))
            return (Guard("loop", "", node.line),)
        return ()

    def _sets(self, name: str) -> bool:
        return bool(self.facts.retries.fullmatch(name) or self.facts.limits.fullmatch(name))

    def _skip(self, links: list[Link], node: Node, guards: tuple[Guard, ...]) -> None:
        arguments = [arg.text for arg in links[-1].args or () if arg.kind is not Kind.STRING]
        condition = " and ".join(text for text in (conditions(guards), *arguments) if text)
        self.skips.append((".".join(link.name for link in links), condition, node.line))


def _told(made: Assertion) -> bool:
    """Return whether a failing call is told already by the condition or the `try` around it."""
    return made.op is Op.FAIL and not made.subject and not made.void


def _parts_of_call(top: Node) -> list[Node]:
    at = top
    while at.kind is not Kind.CALL and len(at.parts) == 1:
        at = at.parts[0]
    return [argument for argument in chain(at)[-1].args or () if argument.kind is Kind.LAMBDA] or [top]


def read_body(top: Node, language: str, known: Mapping[str, Node] | None = None, *, is_call: bool = False) -> Body:
    """Read a function (or a call with its function, where `is_call`).

    Args:
        top: the declaration's node.
        language: its language.
        known: constants of the file by name, for loops over them.
        is_call: whether the node is a call to which the function is handed, as in JavaScript.
    """
    reader = _Reader(language, top)
    reader.read(*(_parts_of_call(top) if is_call else [top]))
    tables, loops = [], []
    for subject in map(iterated, reader.loops):
        name = chain(subject)[0].name if subject.kind in (Kind.NAME, Kind.CALL, Kind.MEMBER) else ""
        loops.append(name)
        literal = subject if literal_rows(subject) is not None else reader.assigned.get(name) or (known or {}).get(name)
        rows = rows_of(literal)
        if rows is not None and literal is not None:
            tables.append(Table(rows, literal.line))
    words = frozenset(top.words)
    return Body(
        tuple(one for one in reader.assertions if not _told(one)),
        tuple(reader.calls),
        tuple(reader.skips),
        tuple(reader.settings),
        tuple(tables),
        tuple(loops),
        words,
        empty=not reader.assertions and not reader.calls,
        returns=tuple(reader.returns),
    )

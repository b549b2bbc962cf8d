"""Lists the declarations of JavaScript and TypeScript, whose tests are calls."""

# ruff: noqa: ANN401 (nodes of tree-sitter, which is loaded only when a test file changed)

import re
from typing import Any, Final

from attrs import evolve

from werkrevisor_rules._support.weakened_tests.around import Around, Known
from werkrevisor_rules._support.weakened_tests.bounds import Bounds, NotComparable
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Listing, Mark, Role, lines_of
from werkrevisor_rules._support.weakened_tests.frameworks import FACTS
from werkrevisor_rules._support.weakened_tests.grammars import GRAMMARS
from werkrevisor_rules._support.weakened_tests.parsing import Converter, faults_of, parse, text_of

_SUITES: Final = re.compile(r"[fx]?(?:describe|context)|suite")
_HOOKS: Final = re.compile(r"(?:before|after)(?:Each|All)?|setup|teardown|suiteSetup|suiteTeardown")
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression"})
_DESCEND: Final = frozenset(
    {
        "program",
        "export_statement",
        "statement_block",
        "if_statement",
        "else_clause",
        "for_statement",
        "for_in_statement",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "labeled_statement",
        "ERROR",
    }
)


class CallOutline:
    """The listing of one text, built by descending into suites and plain blocks only."""

    def __init__(self, path: str, language: str, data: bytes, bounds: Bounds, known: Known) -> None:
        self.path, self.language, self.data, self.bounds, self.known = path, language, data, bounds, known
        self.facts = FACTS[language]
        self.converter = Converter(GRAMMARS[language], data)
        self.found: list[Declaration] = []

        self.tests = 0

    def listing(self) -> Listing:
        """Parse and list.

        Raises:
            NotComparable: a bound is reached.
        """
        root = parse(self.language, self.data, self.bounds)
        stack: list[tuple[Any, Around, int]] = [(root, Around(), 0)]
        while stack:
            node, here, depth = stack.pop()
            if depth > self.bounds.depth:
                raise NotComparable(f"it nests deeper than {self.bounds.depth} levels")
            stack.extend(reversed(self._children(node, here, depth)))
        text = self.data.decode("utf-8", "replace")
        return Listing(self.path, self.language, tuple(self.found), faults_of(root), text)

    def _children(self, node: Any, here: Around, depth: int) -> list[tuple[Any, Around, int]]:
        below: list[tuple[Any, Around, int]] = []
        if node.type == "if_statement":
            condition = node.child_by_field_name("condition")
            text = "" if condition is None else text_of(condition, self.data)
            here = evolve(here, marks=(*here.marks, Mark("if", text, node.start_point[0] + 1)))
        if node.type == "for_in_statement" and (rows := node.child_by_field_name("right")) is not None:
            here = evolve(here, marks=(*here.marks, self._each(rows)))
        for child in node.named_children:
            type_ = child.type
            if type_ in ("function_declaration", "generator_function_declaration"):
                self._function(child, here)
            elif type_ in ("lexical_declaration", "variable_declaration"):
                self._constant(child, here)
            elif type_ in ("expression_statement", "call_expression", "await_expression"):
                below += self._statement(child, here, depth)
            elif type_ == "class_declaration":
                self._add(Role.FUNCTION, self._name(child), child, here)
            elif type_ in _DESCEND:
                below.append((child, here, depth + 1))
        return below

    def _each(self, rows: Any) -> Mark:
        return Mark("each", text_of(rows, self.data), rows.start_point[0] + 1, self.converter.lazily(rows))

    def _name(self, raw: Any) -> str:
        name = raw.child_by_field_name("name")
        return "" if name is None else text_of(name, self.data)

    def _function(self, raw: Any, here: Around) -> None:
        self._add(Role.FUNCTION, self._name(raw), raw, here)

    def _constant(self, raw: Any, here: Around) -> None:
        for declarator in raw.named_children:
            value = declarator.child_by_field_name("value")
            role = Role.FUNCTION if value is not None and value.type in _FUNCTIONS else Role.CONSTANT
            self._add(role, self._name(declarator), declarator, here)

    def _statement(self, raw: Any, here: Around, depth: int) -> list[tuple[Any, Around, int]]:
        call = raw
        while call.type in ("expression_statement", "await_expression") and call.named_children:
            call = call.named_children[0]
        if call.type != "call_expression":
            self._add(Role.STATEMENT, "", raw, here)
            return []
        key = self.known.key(self.data[raw.start_byte : raw.end_byte], here)
        if (same := self.known.get(key)) is not None:
            self.found.append(same.at(raw.start_point[0] + 1, self.converter.lazily(raw), here.marks))
            self._count()
            return []
        names, cases = self._names(call)
        arguments = call.child_by_field_name("arguments")
        given = [] if arguments is None else [item for item in arguments.named_children if item.type != "comment"]
        body = next((item for item in given if item.type in _FUNCTIONS), None)
        title = text_of(given[0], self.data) if given else ""
        marks = tuple(Mark(name, ".".join(names), raw.start_point[0] + 1) for name in names)
        options = [item for item in given[1:] if item.type in ("object", "number", "identifier")]
        marks += tuple(
            Mark("options", text_of(item, self.data), item.start_point[0] + 1, self.converter.lazily(item))
            for item in options
        )
        marks += tuple(
            Mark("each", text_of(item, self.data), item.start_point[0] + 1, self.converter.lazily(item))
            for item in cases
        )
        root = names[0] if names else ""
        is_suite = any(_SUITES.fullmatch(name) for name in names[:2])
        if is_suite and (body is not None or len(given) > 1):
            inner = Around((*here.scope, title), (*here.marks, *marks))
            self._add(Role.STATEMENT, f"suite {title}", raw, evolve(inner, scope=here.scope), marks, head=body)
            return [] if body is None else [(body.child_by_field_name("body") or body, inner, depth + 1)]
        if self.facts.tests.fullmatch(root) and (body is not None or self._is_title(given)) and title != "skip":
            self._add(Role.TEST, title, raw, here, marks)
            self.known.keep(key, self.found[-1])
            self._count()
            return []
        if _HOOKS.fullmatch(names[-1] if names else "") and body is not None:
            self._add(Role.FUNCTION, names[-1], raw, here)
            return []
        self._add(Role.STATEMENT, ".".join(names), raw, here)
        # Tests that a loop makes: `rows.forEach(row => { it(...) })`.
        within = [item for item in given if item.type in _FUNCTIONS]
        rows = call.child_by_field_name("function")
        rows = rows.child_by_field_name("object") if names[-1:] == ["forEach"] and rows is not None else None
        if rows is not None:
            here = evolve(here, marks=(*here.marks, self._each(rows)))
        return [(item.child_by_field_name("body") or item, here, depth + 1) for item in within]

    @staticmethod
    def _is_title(given: list[Any]) -> bool:
        return bool(given) and given[0].type in ("string", "template_string") and len(given) <= 3

    def _count(self) -> None:
        self.tests += 1
        if self.tests > self.bounds.tests:
            raise NotComparable(f"it has more than {self.bounds.tests} tests")

    def _names(self, call: Any) -> tuple[list[str], list[Any]]:
        """Return the names of a chain of calls, root first, and the arguments of its inner calls."""
        names: list[str] = []
        cases: list[Any] = []
        at = call.child_by_field_name("function")
        while at is not None:
            if at.type == "member_expression":
                prop = at.child_by_field_name("property")
                names.append("" if prop is None else text_of(prop, self.data))
                at = at.child_by_field_name("object")
            elif at.type == "call_expression":
                inner = at.child_by_field_name("arguments")
                if inner is not None:
                    cases.append(inner)
                at = at.child_by_field_name("function")
            elif at.type == "parenthesized_expression" and at.named_children:
                inner = at.named_children[0]
                if inner.type == "ternary_expression":
                    names.append("if")
                    inner = inner.child_by_field_name("consequence")
                at = inner
            else:
                names.append(text_of(at, self.data) if at.child_count == 0 else "")
                at = None
        names.reverse()
        return names, cases

    def _add(  # noqa: PLR0913, PLR0917 (what a declaration is made of)
        self,
        role: Role,
        name: str,
        raw: Any,
        here: Around,
        marks: tuple[Mark, ...] = (),
        head: Any = None,
    ) -> None:
        end = raw.end_byte if head is None else head.start_byte
        source = self.data[raw.start_byte : end].decode("utf-8", "replace")
        line = raw.start_point[0] + 1
        self.found.append(
            Declaration(
                role,
                name,
                self.path,
                self.language,
                line,
                raw.end_point[0] + 1 if head is None else line,
                " ".join(source.split()),
                self.converter.lazily(raw),
                here.scope,
                marks,
                here.marks,
                layout=lines_of(source),
            )
        )

"""Parses a text with tree-sitter within bounds, and brings its nodes to `syntax`; loaded only when needed."""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import monotonic
from typing import Any, Final

from werkrevisor_rules._support.weakened_tests.bounds import Bounds, NotComparable
from werkrevisor_rules._support.weakened_tests.grammars import GRAMMARS, Grammar
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Node

_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"()[]{}"))
_NO_ANGLES: Final = bytes(set(range(256)) - set(b"<>;{}"))
# Grammars with type arguments keep every reading of `a<a<a<...` alive, in memory that grows with its square.
_MANY_ANGLES: Final = re.compile(rb"<{500}")
# As calls the arguments of these macros are parsed too; the text keeps its length.
_RUST_MACROS: Final = re.compile(rb"\b((?:debug_|prop_)?assert\w*|matches|panic|unreachable|todo|unimplemented|vec)!")
# The grammar takes the angles before a lambda for comparisons; as part of the name they do no harm.
_KOTLIN_TYPES: Final = re.compile(rb"\b(\w+)<([\w.?]+)>(?=\s*[{(])")
_CHUNK: Final = 1 << 16
_CLOSERS: Final = frozenset({")", "]", "}"})


def check_bounds(data: bytes, bounds: Bounds) -> None:
    """Refuse a text that is too large, has too long a line or nests too deep.

    Raises:
        NotComparable: it does.
    """
    if len(data) > bounds.file_bytes:
        raise NotComparable(f"it has more than {bounds.file_bytes} bytes")
    if len(data) > bounds.line_length and max(map(len, data.split(b"\n"))) > bounds.line_length:
        raise NotComparable(f"it has a line of more than {bounds.line_length} bytes")
    brackets = data.translate(None, _NO_BRACKETS)
    for _ in range(bounds.depth):
        shorter = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(shorter) == len(brackets):
            break
        brackets = shorter
    # Brackets in strings may have no partner; so many of them have none in no honest file.
    if len(brackets) > 10 * bounds.depth or _MANY_ANGLES.search(data.translate(None, _NO_ANGLES)):
        raise NotComparable(f"it nests deeper than {bounds.depth} levels")


@cache
def _parser(language: str) -> Any:
    from tree_sitter import Language, Parser  # noqa: PLC0415 (heavy, and only for changed test files)

    grammar = GRAMMARS[language]
    return Parser(Language(getattr(import_module(grammar.module), grammar.entry)()))


def parse(language: str, data: bytes, bounds: Bounds) -> Any:
    """Return the root node of tree-sitter's tree.

    Raises:
        NotComparable: the parser was not done in time.
    """
    if language == "rust":
        data = _RUST_MACROS.sub(rb"\1_", data)
    elif language == "kotlin":
        data = _KOTLIN_TYPES.sub(lambda found: re.sub(rb"\W", b"_", found[0]), data)
    stop = monotonic() + bounds.seconds_per_file
    late = False

    def chunk(offset: int, _point: object) -> bytes:
        nonlocal late
        late = late or monotonic() > stop
        return b"" if late else data[offset : offset + _CHUNK]

    tree = _parser(language).parse(chunk)
    if late:
        raise NotComparable(f"its parser needs more than {bounds.seconds_per_file:g} seconds")
    return tree.root_node


def text_of(raw: Any, data: bytes) -> str:
    """Return the text of a node with single blanks."""
    return " ".join(data[raw.start_byte : raw.end_byte].decode("utf-8", "replace").split())


class Converter:
    """Brings tree-sitter's nodes of one text to `syntax`."""

    def __init__(self, grammar: Grammar, data: bytes) -> None:
        self.grammar = grammar
        self.data = data

    def lazily(self, raw: Any) -> Callable[[], Node]:
        """Return a function that converts a node once, when it is first called."""
        return cache(lambda: self.convert(raw))

    def convert(self, top: Any) -> Node:
        """Convert a node and all below it."""
        tokens: list[str] = []
        result = self._node(top, tokens)
        stack: list[tuple[Any, Node, int, Any]] = [(top, result, 0, top.children)]
        while stack:
            raw, node, index, children = stack.pop()
            if index == len(children):
                self._close(node, tokens)
                continue
            stack.append((raw, node, index + 1, children))
            child = children[index]
            if child.type in self.grammar.comments:
                continue
            if not child.is_named and not child.child_count:
                self._token(node, child, tokens)
                continue
            below = self._node(child, tokens)
            self._place(raw, node, index, child, below, last=index == len(children) - 1)
            if child.child_count and child.type not in self.grammar.strings:
                stack.append((child, below, 0, child.children))
                continue
            tokens.append(self._leaf(child))
            below.end = len(tokens)
            if below.kind in (Kind.NAME, Kind.OTHER):
                below.name = tokens[-1]
        return result

    def _node(self, raw: Any, tokens: list[str]) -> Node:
        kind = self.grammar.kinds.get(raw.type, Kind.OTHER)
        line, end = raw.start_point[0] + 1, raw.end_point[0] + 1
        return Node(kind, raw.type, line, end, tokens=tokens, start=len(tokens), end=len(tokens))

    def _leaf(self, raw: Any) -> str:
        text: str = self.data[raw.start_byte : raw.end_byte].decode("utf-8", "replace")
        if raw.type in self.grammar.strings and text[:1] == "'" and '"' not in text:
            return '"' + text[1:-1] + '"'
        return text

    def _token(self, node: Node, raw: Any, tokens: list[str]) -> None:
        text = self._leaf(raw)
        if text == ";" or not text:
            return
        if text in _CLOSERS and tokens and tokens[-1] == ",":
            tokens.pop()
        if (not node.op and node.parts and node.kind in (Kind.BINARY, Kind.OTHER, Kind.MEMBER)) or (
            not node.op and not node.parts and node.kind is Kind.UNARY
        ):
            node.op = text
        tokens.append(text)

    def _place(self, raw: Any, node: Node, index: int, child: Any, below: Node, *, last: bool) -> None:
        roles, type_ = self.grammar.roles, node.type
        node.parts.append(below)
        name = raw.field_name_for_child(index)
        role = roles.get((type_, name)) if name else None
        role = role or roles.get((type_, child.type)) or roles.get((type_, f"#{len(node.parts) - 1}"))
        role = role or (roles.get((type_, "#last")) if last else None)
        if role:
            node.fields.setdefault(role, below)

    def _close(self, node: Node, tokens: list[str]) -> None:
        node.end = max(node.start, len(tokens))
        name = node.get("name")
        if name is not None:
            generic = next((part for part in name.parts if "type_argument" in part.type), None)
            node.name = name.parts[0].text if generic is not None and name.parts else name.text
            if generic is not None:
                node.fields.setdefault("types", generic)
        elif node.kind is Kind.NAME:
            node.name = node.text
        if node.type in ("generic_function", "generic_name") and node.parts:
            node.name = node.parts[0].name or node.parts[0].text
        if node.type == "infix_expression" and "args" in node.fields:
            value = node.fields["args"]
            node.fields["args"] = Node(
                Kind.ARGS, "args", value.line, value.end_line, [value], tokens=tokens, start=value.start, end=value.end
            )
        if node.type == "keyed_element" or (node.type == "value_argument" and node.op == "="):
            self._keyword(node)
        elif node.type == "value_argument" and len(node.parts) == 1:
            node.fields.setdefault("only", node.parts[0])
        loop = next((part for part in node.parts if part.type == "range_clause"), None)
        if loop is not None and "subject" in loop.fields:
            node.fields.setdefault("subject", loop.fields["subject"])
        if node.type == "for_statement" and "subject" not in node.fields and self.grammar.module.endswith("kotlin"):
            named = [part for part in node.parts if part.type not in ("variable_declaration", "block")]
            if named:
                node.fields["subject"] = named[0]

    def _keyword(self, node: Node) -> None:
        if len(node.parts) >= 2:
            node.fields["keyword"], node.fields["value"] = node.parts[0], node.parts[-1]

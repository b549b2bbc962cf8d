"""Parses a text with tree-sitter within bounds, and brings its nodes to `syntax`; loaded only when needed."""

# ruff: noqa: ANN401 (nodes of tree-sitter, which is loaded only when a test file changed)

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
_RUST_MACROS: Final = re.compile(
    rb"\b((?:debug_|prop_)?assert\w*|matches|panic|unreachable|todo|unimplemented|vec(?!!\s*\[))!"
)
# The grammar takes the angles before a lambda for comparisons; as part of the name they do no harm.
_KOTLIN_TYPES: Final = re.compile(rb"\b(\w+)<([\w.?]+)>(?=\s*[{(])")
QUICKCHECK: Final = "quickly"
"""The name of the module that stands for a block of QuickCheck."""
_BLOCK_NAMES: Final = {b"proptest!": b"drawn", b"quickcheck!": QUICKCHECK.encode()}
_TEST_BLOCKS: Final = re.compile(rb"\b(?:proptest|quickcheck)!(?=\s*\{)")
_GIVEN: Final = re.compile(rb"\bfn\s+\w+\s*\(")
_DRAWN: Final = re.compile(rb"\bin\b")
_PARENTHESES: Final = re.compile(rb"[()]")
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
        data = _RUST_MACROS.sub(rb"\1_", _without_test_macros(data))
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


_MOST_FAULTS: Final = 100


def faults_of(root: Any, besides: str = "") -> tuple[tuple[int, int], ...]:
    """Return the ranges of lines that the grammar could not read; a single one over all where there are many.

    Args:
        root: the root node.
        besides: a type of node that is not looked into.
    """
    found: list[tuple[int, int]] = []
    stack = [root] if root.has_error else []
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            found.append((node.start_point[0] + 1, node.end_point[0] + 1))
            if len(found) > _MOST_FAULTS:
                return ((1, root.end_point[0] + 1),)
        else:
            stack += [
                child for child in node.children if (child.has_error or child.is_missing) and child.type != besides
            ]
    return tuple(found)


def _without_test_macros(data: bytes) -> bytes:
    """Make modules of blocks of tests that a macro takes, and blank what its functions are given.

    The grammar sees words without order in a macro. `text in ".*"` is no parameter either. The text
    keeps its length.
    """
    if b"proptest!" not in data and b"quickcheck!" not in data:
        return data
    made = bytearray(_TEST_BLOCKS.sub(lambda found: b"mod %s" % _BLOCK_NAMES[found[0]], data))
    at = 0
    for found in _GIVEN.finditer(data):
        if found.start() < at:
            continue
        at = _closed(data, found.end())
        inner = data[found.end() : at]
        if _DRAWN.search(inner):
            made[found.end() : found.end() + len(inner)] = re.sub(rb"[^\n]", b" ", inner)
    return bytes(made)


def _closed(data: bytes, at: int) -> int:
    """Return where the bracket before a place is closed; the end of the text where it is not."""
    depth = 1
    for found in _PARENTHESES.finditer(data, at):
        depth += 1 if found[0] == b"(" else -1
        if depth == 0:
            return found.start()
    return len(data)


def text_of(raw: Any, data: bytes) -> str:
    """Return the text of a node with single blanks."""
    return " ".join(data[raw.start_byte : raw.end_byte].decode("utf-8", "replace").split())


class Lazily:
    """A node that is converted when it is first asked for."""

    __slots__ = ("_converter", "_node", "_raw")

    def __init__(self, converter: "Converter", raw: Any) -> None:
        self._converter, self._raw = converter, raw
        self._node: Node | None = None

    def __call__(self) -> Node:
        """Return the node."""
        if self._node is None:
            self._node = self._converter.convert(self._raw)
        return self._node


# Nodes without children share these; nothing is ever added to them.
_NO_PARTS: Final[list[Node]] = []
_NO_FIELDS: Final[dict[str, Node]] = {}


@cache
def _with_roles(module: str, entry: str) -> frozenset[str]:
    grammar = next(one for one in GRAMMARS.values() if (one.module, one.entry) == (module, entry))
    return frozenset(type_ for type_, _ in grammar.roles)


class Converter:
    """Brings tree-sitter's nodes of one text to `syntax`."""

    def __init__(self, grammar: Grammar, data: bytes) -> None:
        self.grammar = grammar
        self.data = data
        self.with_roles = _with_roles(grammar.module, grammar.entry)

    def lazily(self, raw: Any) -> Callable[[], Node]:
        """Return a function that converts a node once, when it is first called."""
        return Lazily(self, raw)

    def convert(self, top: Any) -> Node:
        """Convert a node and all below it."""
        tokens: list[str] = []
        comments, strings, with_roles = self.grammar.comments, self.grammar.strings, self.with_roles
        result = self._node(top, top.type, tokens)
        stack = [(top, result, enumerate(top.children), top.child_count - 1)]
        while stack:
            raw, node, children, last = stack[-1]
            for index, child in children:
                type_ = child.type
                if type_ in comments:
                    continue
                leaf = not child.child_count or type_ in strings
                if leaf and not child.is_named:
                    self._token(node, child, type_, tokens)
                    continue
                below = self._leaf_node(child, type_, node.line, tokens) if leaf else self._node(child, type_, tokens)
                node.parts.append(below)
                if node.type in with_roles:
                    self._place(raw, node, index, below, last=index == last)
                if not leaf:
                    stack.append((child, below, enumerate(child.children), child.child_count - 1))
                    break
            else:
                stack.pop()
                self._close(node, tokens)
        return result

    def _node(self, raw: Any, type_: str, tokens: list[str]) -> Node:
        line, end, at = raw.start_point[0] + 1, raw.end_point[0] + 1, len(tokens)
        return Node(self.grammar.kinds.get(type_, Kind.OTHER), type_, line, end, [], {}, "", "", tokens, at, at)

    def _leaf_node(self, raw: Any, type_: str, line: int, tokens: list[str]) -> Node:
        """Make a leaf; it is said to stand in the line of what it belongs to, which is cheaper."""
        kind, at, text = self.grammar.kinds.get(type_, Kind.OTHER), len(tokens), self._leaf(raw, type_)
        tokens.append(text)
        name = text if kind is Kind.NAME or kind is Kind.OTHER else ""
        return Node(kind, type_, line, line, _NO_PARTS, _NO_FIELDS, name, "", tokens, at, at + 1)

    def _leaf(self, raw: Any, type_: str) -> str:
        text: str = self.data[raw.start_byte : raw.end_byte].decode("utf-8", "replace")
        if type_ in self.grammar.strings and text[:1] == "'" and '"' not in text:
            return '"' + text[1:-1] + '"'
        return text

    def _token(self, node: Node, raw: Any, text: str, tokens: list[str]) -> None:
        # What has no name has its text for a type.
        if raw.child_count:
            text = self._leaf(raw, text)
        if text == ";" or raw.start_byte == raw.end_byte:
            return
        if text in _CLOSERS and tokens and tokens[-1] == ",":
            tokens.pop()
        if not node.op:
            if node.kind is Kind.UNARY:
                node.op = "" if node.parts else text
            elif node.parts and node.kind in (Kind.BINARY, Kind.OTHER, Kind.MEMBER):
                node.op = text
        tokens.append(text)

    def _place(self, raw: Any, node: Node, index: int, below: Node, *, last: bool) -> None:
        """Give a child its role: by its field, its type, its place among the named ones."""
        roles, type_ = self.grammar.roles, node.type
        name = raw.field_name_for_child(index)
        role = roles.get((type_, name)) if name else None
        role = role or roles.get((type_, below.type)) or roles.get((type_, f"#{len(node.parts) - 1}"))
        role = role or (roles.get((type_, "#last")) if last else None)
        if role:
            node.fields.setdefault(role, below)

    def _close(self, node: Node, tokens: list[str]) -> None:
        node.end = max(node.start, len(tokens))
        if node.fields:
            self._named(node)
        elif node.kind is Kind.NAME:
            node.name = node.text
        if node.type in ("generic_function", "generic_name") and node.parts:
            node.name = node.parts[0].name or node.parts[0].text
        elif node.type == "infix_expression" and "args" in node.fields:
            value = node.fields["args"]
            node.fields["args"] = Node(
                Kind.ARGS, "args", value.line, value.end_line, [value], {}, "", "", tokens, value.start, value.end
            )
        elif node.type == "keyed_element" or (node.type == "value_argument" and node.op == "="):
            self._keyword(node)
        elif node.kind is Kind.LOOP and "subject" not in node.fields:
            self._subject(node)

    @staticmethod
    def _named(node: Node) -> None:
        name = node.get("name")
        if name is None:
            return
        generic = next((part for part in name.parts if "type_argument" in part.type), None)
        node.name = name.parts[0].text if generic is not None else name.text
        if generic is not None:
            node.fields.setdefault("types", generic)

    def _subject(self, node: Node) -> None:
        """Find what a loop goes through where the grammar has no field for it."""
        ranged = next((part for part in node.parts if part.type == "range_clause"), None)
        if ranged is not None and "subject" in ranged.fields:
            node.fields["subject"] = ranged.fields["subject"]
        elif self.grammar.module.endswith("kotlin") and node.type == "for_statement":
            named = [part for part in node.parts if part.type not in ("variable_declaration", "block")]
            node.fields.update({"subject": named[0]} if named else {})

    def _keyword(self, node: Node) -> None:
        if len(node.parts) >= 2:
            node.fields["keyword"], node.fields["value"] = node.parts[0], node.parts[-1]

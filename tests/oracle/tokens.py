"""An oracle that is independent of the classifiers: both versions of a file are parsed with tree-sitter.

Two versions are the same if their syntax trees are, leaf by leaf, once imports and insignificant
white space are left out. The oracle knows nothing of hunks or lines.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from attrs import frozen
from tree_sitter import Language, Node, Parser, Tree


@frozen
class Grammar:
    """A tree-sitter grammar and what an import is in it."""

    module: str
    function: str
    imports: frozenset[str]


_JVM_IMPORTS = frozenset({"import_declaration", "package_declaration", "import", "package_header", "import_header"})
_SCRIPT_IMPORTS = frozenset({"import_statement"})
GRAMMARS = {
    "java": Grammar("tree_sitter_java", "language", _JVM_IMPORTS),
    "kt": Grammar("tree_sitter_kotlin", "language", _JVM_IMPORTS),
    "kts": Grammar("tree_sitter_kotlin", "language", _JVM_IMPORTS),
    "js": Grammar("tree_sitter_javascript", "language", _SCRIPT_IMPORTS),
    "jsx": Grammar("tree_sitter_javascript", "language", _SCRIPT_IMPORTS),
    "mjs": Grammar("tree_sitter_javascript", "language", _SCRIPT_IMPORTS),
    "ts": Grammar("tree_sitter_typescript", "language_typescript", _SCRIPT_IMPORTS),
    "tsx": Grammar("tree_sitter_typescript", "language_tsx", _SCRIPT_IMPORTS),
    "go": Grammar("tree_sitter_go", "language", frozenset({"import_declaration"})),
    "rs": Grammar("tree_sitter_rust", "language", frozenset({"use_declaration"})),
    "c": Grammar("tree_sitter_c", "language", frozenset()),
    "h": Grammar("tree_sitter_c", "language", frozenset()),
    "cpp": Grammar("tree_sitter_cpp", "language", frozenset()),
    "cc": Grammar("tree_sitter_cpp", "language", frozenset()),
    "hpp": Grammar("tree_sitter_cpp", "language", frozenset()),
}
"""File extension -> grammar."""

_SPACE = re.compile(rb"[ \t\r\n\f\v]+")
_QUOTED = re.compile(rb"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
_DIRECTIVE = re.compile(rb"^([ \t]*#[^\n]*[^\\\s])[ \t\r]+$", re.MULTILINE)
_LOOSE = frozenset({"comment", "line_comment", "block_comment", "multiline_comment", "preproc_arg", "doc_comment"})
Token = tuple[str, bytes]


@cache
def _parser(extension: str) -> Parser:
    grammar = GRAMMARS[extension]
    return Parser(Language(getattr(import_module(grammar.module), grammar.function)()))


def same_program(extension: str, old: bytes, new: bytes) -> bool | None:
    """Tell whether two versions of a file are the same program but for imports and white space.

    Returns:
        None where the old version does not parse, so that the oracle cannot tell.
    """
    before, after = (_parser(extension).parse(_parseable(extension, text)) for text in (old, new))
    if before.root_node.has_error:
        return None
    if after.root_node.has_error:
        return False
    return list(tokens(extension, before)) == list(tokens(extension, after))


def _parseable(extension: str, text: bytes) -> bytes:
    """Mend what the grammars stumble over: white space behind a directive of C, a last line of Go without an end."""
    module = GRAMMARS[extension].module
    if module in ("tree_sitter_c", "tree_sitter_cpp"):
        return _DIRECTIVE.sub(rb"\1", text)
    return text + b"\n" if module == "tree_sitter_go" else text


def tokens(extension: str, tree: Tree) -> Iterator[Token]:
    """Yield the tree as a flat list: each inner node opens and closes, each leaf has its text."""
    imports = GRAMMARS[extension].imports
    stack: list[Node | Token] = [tree.root_node]
    seen_import = False
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            yield item
            continue
        if item.type in imports:
            seen_import = True
            yield from _import(item)
            continue
        text = item.text or b""
        if item.type in _LOOSE:
            yield item.type, _loose(text) if item.type == "preproc_arg" else _SPACE.sub(b" ", text).strip()
            continue
        if item.type in ("empty_statement", ";") and imports is _SCRIPT_IMPORTS:
            continue  # which statement a semicolon ends hangs on the imports between
        if item.child_count == 0:
            if text.strip():
                yield item.type, _jsx(text) if item.type == "jsx_text" else text
            continue
        # A directive such as 'use client' works only where nothing stands before it.
        directive = _is_directive(item) and not seen_import
        yield item.type, b"directive" if directive else b"("
        stack.append((item.type, b")"))
        stack += reversed(item.children)


def _is_directive(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and node.parent is not None
        and node.parent.type == "program"
        and node.children[0].type == "string"
    )


def _loose(text: bytes) -> bytes:
    """Fold white space outside of quotes."""
    parts = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        parts += [_SPACE.sub(b" ", text[at : quoted.start()]), quoted.group(0)]
        at = quoted.end()
    parts.append(_SPACE.sub(b" ", text[at:]))
    return b"".join(parts).strip()


def _jsx(text: bytes) -> bytes:
    """Fold text of JSX as its compiler does: lines are trimmed, blank ones vanish."""
    lines = text.split(b"\n")
    trimmed = [
        line.strip(b" \t\r") if 0 < i < len(lines) - 1 else line.lstrip(b" \t\r") if i else line.rstrip(b" \t\r")
        for i, line in enumerate(lines)
    ]
    return b" ".join(line for line in trimmed if line) if len(lines) > 1 else text


def _import(node: Node) -> Iterator[Token]:
    """Yield nothing for an import that only binds names; else the import, which has an effect."""
    text = _SPACE.sub(b" ", node.text or b"")
    match node.type:
        case "import_statement":
            clause = next((child for child in node.children if child.type == "import_clause"), None)
            odd = any(child.type in ("import_attribute", "import_require_clause") for child in node.children)
            if clause is None or odd or not re.search(rb"[\w$]", clause.text or b""):
                yield "effect", text
        case "import_declaration" if node.children and node.children[0].type == "import" and b'"' in text:
            for line in re.findall(rb'(?:^|[(\n;]|import)\s*((?:[_.]\s*)"[^"]*"|"C")', node.text or b""):
                yield "effect", line
        case "use_declaration":
            before = node.prev_named_sibling
            exposed = any(child.type == "visibility_modifier" for child in node.children)
            if exposed or (before is not None and before.type == "attribute_item"):
                yield "effect", text
        case "package_declaration" | "package_header":
            if re.search(rb"[@;{].*\S", text.rstrip(b"; \n")):
                yield "effect", text
        case _:
            return

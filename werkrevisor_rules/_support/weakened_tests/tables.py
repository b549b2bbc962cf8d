"""Finds the rows of literal collections that tests go through, in every language's way to write one."""

from typing import Final

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.syntax import Kind, Node, bare, chain


@frozen(eq=False)
class Table:
    """A literal collection that a test loops over: its rows in canonical text, and its line."""

    rows: tuple[str, ...]
    line: int


def literal_rows(node: Node | None) -> list[Node] | None:  # noqa: PLR0911 (one return per way to write one)
    """Return the rows of a literal collection, or None where it is none."""
    if node is None:
        return None
    node = bare(node)
    while node.type in ("expression_list", "reference_expression", "unary_expression") and len(node.parts) == 1:
        node = bare(node.parts[0])
    if node.type == "composite_literal":
        node = node.parts[-1]
        return list(node.parts)
    made = node.type in ("array_creation_expression", "implicit_array_creation_expression")
    if node.kind is Kind.COLLECTION or made or node.type == "literal_value":
        if made:
            return literal_rows(next((part for part in node.parts if part.kind is Kind.COLLECTION), None))
        return list(node.parts)
    if node.kind is Kind.CALL:
        links = chain(node)
        if links[-1].called and links[-1].name in (
            "listOf",
            "arrayOf",
            "of",
            "asList",
            "setOf",
            "Stream",
            "mapOf",
            "vec!",
            "sequenceOf",
        ):
            return list(links[-1].args or ())
    if node.type == "macro_invocation" and node.parts[0].text == "vec":
        return list(node.parts[-1].parts)
    return None


_PASSED_ON: Final = frozenset(
    {
        "items",
        "entries",
        "entrySet",
        "keys",
        "values",
        "iter",
        "into_iter",
        "enumerate",
        "stream",
        "asSequence",
        "asIterable",
        "withIndex",
        "forEach",
        "forEachIndexed",
        "AsEnumerable",
        "Select",
        "zip",
        "sorted",
        "reversed",
        "list",
        "tuple",
    }
)


def iterated(node: Node) -> Node:
    """Return what a loop goes through, without the calls that only hand it on, e.g. `{...}.items()`."""
    node = bare(node)
    if node.kind is not Kind.CALL or literal_rows(node) is not None:
        return node
    links = chain(node)
    root = links[0].node
    if links[-1].name not in _PASSED_ON or root is None:
        return node
    if len(links) > 1 and not links[0].called and root.kind is Kind.COLLECTION:
        return root
    given = links[-1].args or ()
    if given and (len(links) == 1 or links[0].name in ("Object", "Arrays", "List", "Stream")):
        return iterated(given[0])
    return node


def rows_of(node: Node | None) -> tuple[str, ...] | None:
    """Return the rows of a literal collection in canonical text, or None where it is none."""
    rows = literal_rows(node)
    if rows is None:
        return None
    texts = [row.text for row in rows]
    if node is not None and bare(node).type == "Dict":  # Python lists the keys first, then the values
        half = len(texts) // 2
        texts = [f"{key} : {value}" for key, value in zip(texts[:half], texts[half:], strict=False)]
    return tuple(texts)

"""Finds the rows of literal collections that tests go through, in every language's way to write one."""

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
    if node.kind is Kind.COLLECTION or node.type in ("literal_value", "array_creation_expression"):
        if node.type == "array_creation_expression":
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
    if node.type in ("index_expression", "macro_invocation") and node.text.startswith("vec!"):
        return list(node.parts[-1].parts)
    return None


def rows_of(node: Node | None) -> tuple[str, ...] | None:
    """Return the rows of a literal collection in canonical text, or None where it is none."""
    rows = literal_rows(node)
    return None if rows is None else tuple(row.text for row in rows)

"""What every reader of a config format returns: scalars, lists and tables that know their lines."""

from collections.abc import Iterator
from typing import Final

from werkrevisor_core.records import frozen

MAX_TEXT: Final = 1_000_000
"""Characters of a file above which it is not read."""
MAX_DEPTH: Final = 50
"""Nesting above which a file is not read."""
MAX_NODES: Final = 100_000
"""Nodes of a document that are visited at most; aliases can make it larger than its text."""


class UnreadableConfig(ValueError):
    """A file cannot be read within the bounds, or its text is not valid; the message says why."""


@frozen
class Scalar:
    """A single value as text; `line` is that of its first character, 1-based."""

    line: int
    text: str = ""
    literal: bool = False


@frozen
class Items:
    """A list."""

    line: int
    items: tuple["Node", ...] = ()


@frozen
class Entry:
    """One key of a table with its value; `line` is that of the key."""

    key: str
    line: int
    value: "Node"


@frozen
class Table:
    """A table; keys occur once."""

    line: int
    entries: tuple[Entry, ...] = ()

    def entry(self, key: str) -> Entry | None:
        """Return the entry of a key, None where there is none."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def get(self, key: str) -> "Node | None":
        """Return the value of a key, None where there is none."""
        entry = self.entry(key)
        return None if entry is None else entry.value


Node = Scalar | Items | Table


def text_of(node: Node | None) -> str | None:
    """Return the text of a scalar, None for anything else."""
    return node.text if isinstance(node, Scalar) else None


def table_of(node: Node | None) -> Table:
    """Return a table, an empty one in place of anything else."""
    return node if isinstance(node, Table) else Table(0)


def items_of(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, a single value as a list of one, nothing for nothing."""
    if node is None:
        return ()
    return node.items if isinstance(node, Items) else (node,)


def texts_of(node: Node | None) -> tuple[str, ...]:
    """Return the texts of a list's scalars."""
    return tuple(item.text for item in items_of(node) if isinstance(item, Scalar))


def walk(node: Node) -> Iterator[tuple[tuple[str, ...], int, Node]]:
    """Yield (keys down to it, line of its key, node) for every node, parents first; items have the key `[]`.

    Raises:
        UnreadableConfig: there are more nodes than `MAX_NODES`.
    """
    waiting: list[tuple[tuple[str, ...], int, Node]] = [((), node.line, node)]
    seen = 0
    while waiting:
        keys, line, found = waiting.pop()
        seen += 1
        if seen > MAX_NODES:
            raise UnreadableConfig("it has too many values")
        yield keys, line, found
        if isinstance(found, Table):
            waiting += [((*keys, entry.key), entry.line, entry.value) for entry in reversed(found.entries)]
        elif isinstance(found, Items):
            waiting += [((*keys, "[]"), item.line, item) for item in reversed(found.items)]

"""Reads TOML into nodes with lines; the standard library parses it, a scan of the text finds the lines."""

import tomllib
from typing import Any, Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.tree import (
    MAX_DEPTH,
    MAX_TEXT,
    Entry,
    Items,
    Node,
    Scalar,
    Table,
    UnreadableConfig,
    table_of,
)

_HEADER: Final = lazy(r"\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?")
_KEY: Final = lazy(r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART: Final = lazy(r"[\w-]+|\"([^\"]*)\"|'([^']*)'")
_LONGEST: Final = 2_000
_MOST_DOTS: Final = 500
"""Dots on one line above which a text is not read: the time that the parser needs for a key grows with their square."""


def read_toml(text: str) -> Table:
    """Return what a TOML text says.

    Raises:
        UnreadableConfig: it is not valid, too long or nested too deeply.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise UnreadableConfig("a line has too many dots")
    try:
        root = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise UnreadableConfig(str(fault) or "it is nested too deeply") from None
    return table_of(_node(root, (), 1, _lines(text), 0))


def _lines(text: str) -> dict[tuple[str, ...], list[int]]:
    """Return the lines of each dotted key, in order, by the names of its tables and its own."""
    found: dict[tuple[str, ...], list[int]] = {}
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        start = line[:_LONGEST]
        if header := _HEADER.fullmatch(start):
            section = _names(header.group(1))
            found.setdefault(section, []).append(number)
        elif key := _KEY.match(start):
            found.setdefault((*section, *_names(key.group(1))), []).append(number)
    return found


def _names(text: str) -> tuple[str, ...]:
    return tuple(
        next((group for group in match.groups() if group is not None), match.group(0)) for match in _PART.finditer(text)
    )


def _node(value: Any, keys: tuple[str, ...], line: int, lines: dict[tuple[str, ...], list[int]], depth: int) -> Node:  # noqa: ANN401 (what tomllib returns)
    if depth > MAX_DEPTH:
        raise UnreadableConfig("it is nested too deeply")
    if isinstance(value, dict):
        entries = []
        for key, inner in value.items():
            found = lines.get((*keys, key), [])
            # Of a key in an array of tables each table takes its own line.
            at = found.pop(0) if len(found) > 1 else found[0] if found else line
            entries.append(Entry(key, at, _node(inner, (*keys, key), at, lines, depth + 1)))
        return Table(line, tuple(entries))
    if isinstance(value, list):
        items = []
        for item in value:
            at = lines[keys].pop(0) if isinstance(item, dict) and len(lines.get(keys, ())) > 1 else line
            items.append(_node(item, keys, at, lines, depth + 1))
        return Items(line, tuple(items))
    return Scalar(line, str(value).lower() if isinstance(value, bool) else str(value))

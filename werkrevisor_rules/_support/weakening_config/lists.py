"""Compares lists of paths, globs and names: of what is looked at, what is on, and what is left out."""

import re
from collections.abc import Sequence
from typing import Final

from werkrevisor_core.patterns import lazy

_HARMLESS: Final = lazy(
    r".*pragma:? no.?cover.*|.*TYPE_CHECKING.*|.*__main__.*|.*abstractmethod.*|.*NotImplemented.*|.*Protocol.*"
    r"|[\^:\s]*\\?\.(?:\\?\.\\?\.|\\?\{3\})[\s$]*|.*overload.*|\$\(NoWarn\)|\$\{\w+\}|.*node_modules.*|.*[/.]?(?:dist|venv|\.git|build|target)/?\**"
)
"""Entries of lists of what is left out that leave out no code of anybody's."""
_BRACES: Final = lazy(r"([^{]*)\{([^{}]*,[^{}]*)\}(.*)")
_MOST_BRANCHES: Final = 64
_LONGEST_GLOB: Final = 300
_MOST_PAIRS: Final = 100
"""Entries of a list that are compared with each of another."""


def leaves_out_more(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether a list of what is left out got an entry that leaves out code."""
    return any(not _HARMLESS.fullmatch(item) for item in {*new} - {*old})


def covers_less(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether a list of what is looked at lost something; an empty one stands for everything."""
    if not new:
        return False
    gone = lost(old, new)
    before = frozenset(_expanded(old))
    come = [item for item in _expanded(new) if item not in before]
    # One entry in the place of another is a new spelling, unless it is a part of the old one.
    return len(come) < len(gone) or any(_part_of(item, other) for item in come for other in gone[:_MOST_PAIRS])


def lost(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the entries that a list lost and that no other entry includes."""
    items = _expanded(new)
    known = frozenset(items)
    if {"ALL", "all", "*", "**", "."} & known:
        return []
    return [
        item
        for item in _expanded(old)
        if item not in known and not any(_includes(other, item) for other in items[:_MOST_PAIRS])
    ]


def _expanded(items: Sequence[str]) -> tuple[str, ...]:
    """Return globs with each branch of `{a,b}` as one of its own, as far as there are not too many."""
    out: list[str] = []
    waiting = list(reversed(items))
    while waiting:
        item = waiting.pop()
        found = _BRACES.fullmatch(item) if len(item) < _LONGEST_GLOB else None
        if found is None or len(out) + len(waiting) > len(items) + _MOST_BRANCHES:
            out.append(item)
        else:
            waiting += [f"{found[1]}{branch}{found[3]}" for branch in reversed(found[2].split(","))]
    return tuple(out)


def _includes(other: str, item: str) -> bool:
    return item.startswith(other) and (item[len(other) :].isdigit() or item[len(other) :].startswith("/"))


def _part_of(new: str, old: str) -> bool:
    """Tell whether a path or glob is within another glob, by the literal pieces of the wider one."""
    if "*" not in old:
        return new.startswith(old.rstrip("/") + "/")
    pieces = [piece for piece in re.split(r"\*+/?|\?", old) if piece]
    at = 0
    for piece in pieces:
        found = new.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return (
        bool(pieces)
        and new.startswith(pieces[0] if not old.startswith("*") else "")
        and new.endswith(pieces[-1])
        and len(new) > len(old)
    )

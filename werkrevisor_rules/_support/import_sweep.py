"""Explains a whole patch of the plainest kind with a few passes of compiled patterns.

Most changes of imports have nothing but whole imports, each on one line, up to the last change of each
hunk. Such a patch is matched as a whole; whatever is otherwise is left to `import_hunks`, which reads
statement by statement. What is explained here is explained there too, in the same words.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from werkrevisor_core.models.classes import Rebinding, WholePatch
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding, proof_of, rebindings
from werkrevisor_rules._support.views import begins_in_comment

HEADER: Final = rb"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@"
"""The begin of a hunk, up to its heading."""
BLANK: Final = rb" [ \t]*+\n"
"""A blank context line."""
_NEW_START: Final = lazy(rb"@@ -[\d,]+ \+(\d+)")
_NAME: Final = lazy(rb"[\w$*]++(?=[ \t]*+(?:[,}]|\Z))")
_ADDED: Final = b"+"
_NONE: Final = frozenset[bytes]()
_ANY: Final = frozenset({b"*"})


Change = Sequence[bytes]
"""The groups of a changed line: marker, import, names, and whatever else its language needs; last the module."""


def names_of(bound: bytes) -> Sequence[bytes]:
    """Return the names in a list of what is bound, such as `a, {b as c, d::e}`: what ends each of its parts."""
    if b"," in bound or b"::{" in bound:
        return _NAME.findall(bound)
    return (bound.strip(b"{} \t").split()[-1].rpartition(b":")[2],)


class StaysModule(NamedTuple):
    """How to tell that a file is a module in both of its versions, and no script.

    Args:
        hunk: tells it from the heading and the lines of a hunk, where these show it.
        text: tells it of one whole version.
    """

    hunk: Callable[[bytes, bytes], bool]
    text: Callable[[bytes], bool]


class Sweep(NamedTuple):
    """How the plainest patches of a language look.

    Args:
        shape: matches the text of all hunks where nothing but imports, blank lines and a package clause stands up
            to the last changed line of each, so that the language's own reader knows the place from the hunk alone.
        change: finds every changed line of such a text that its reader explains, with the line end before it and
            without its own; its groups are the marker, the import, what of it binds names, and last the module
            where the order matters. A changed line that is not found is not counted, and so not explained.
        bindings: what a changed line binds, from its groups; never empty.
        names: the names alone, from the third group.
        ordered: whether an import may not move from one hunk to another.
        stays: for languages in which the first import makes another kind of program of a file.
    """

    shape: re.Pattern[bytes]
    change: re.Pattern[bytes]
    bindings: Callable[[Change], Sequence[Binding]]
    names: Callable[[bytes], Sequence[bytes]] = names_of
    ordered: bool = False
    stays: StaysModule | None = None


def sweep_over(sweep: Sweep, text: bytes, *, strict: bool) -> WholePatch | None:
    """Explain a patch as a whole; None where it needs a closer look.

    Args:
        sweep: the shapes of the language.
        text: all hunks, in visible ASCII; nothing else is known of the file.
        strict: whether lines that bind a name anew are not explained.
    """
    if sweep.shape.fullmatch(text) is None or b"\v" in text or _may_begin_in_comment(text):
        return None
    changes = sweep.change.findall(text)
    several = b"\n@@ " in text
    if not changes or (several and sweep.ordered and _module_moves(changes)):
        return None
    if sweep.stays is not None and not _stays(sweep.stays, text):
        return None
    rebound: tuple[Rebinding, ...] = ()
    names = _both_ways(sweep, changes)
    if names:
        if several or strict:
            return None
        rebound = _rebindings(sweep, text, names)
    return WholePatch(len(changes), proof_of(sweep.bindings(changes[0])), rebound)


def _may_begin_in_comment(text: bytes) -> bool:
    return b"*" in text and b"*/" in text and any(map(begins_in_comment, text.split(b"\n@@ ")))


def _stays(stays: StaysModule, text: bytes) -> bool:
    for part in text.split(b"\n@@ "):
        header, _, lines = part.partition(b"\n")
        if not stays.hunk(header.rpartition(b"@@")[2].removeprefix(b" "), lines):
            return False
    return True


def _module_moves(changes: Sequence[Change]) -> bool:
    come = {change[-1] for change in changes if change[0] == _ADDED}
    return any(change[-1] in come for change in changes if change[0] != _ADDED)


def _both_ways(sweep: Sweep, changes: Sequence[Change]) -> frozenset[bytes]:
    """Return the names that may be bound anew; `*` alone where it may be any.

    An import that goes in one place and comes in another binds nothing anew.
    """
    gone = {change[1]: change[2] for change in changes if change[0] != _ADDED}
    come = {change[1]: change[2] for change in changes if change[0] == _ADDED}
    if not gone or not come:
        return _NONE
    names = sweep.names
    went = {name for line, bound in gone.items() if line not in come for name in names(bound)}
    came = {name for line, bound in come.items() if line not in gone for name in names(bound)}
    if b"*" in went or b"*" in came:
        return _ANY if went and came else _NONE
    return _NONE if went.isdisjoint(came) else frozenset(went & came)


def _rebindings(sweep: Sweep, text: bytes, names: frozenset[bytes]) -> tuple[Rebinding, ...]:
    """Return which of the names the lines of a patch of one hunk bind anew."""
    removed: list[Binding] = []
    added: list[Binding] = []
    places: dict[Binding, int] = {}
    for match in sweep.change.finditer(text):
        change = match.groups()
        if names is not _ANY and names.isdisjoint(sweep.names(change[2])):
            continue
        bindings = sweep.bindings(change)
        if change[0] == _ADDED:
            added += bindings
            for binding in bindings:
                places.setdefault(binding, match.start() + 1)
        else:
            removed += bindings
    found = rebindings(removed, added)
    lines = _lines(text, sorted({at for one in found if (at := _place(places, one)) is not None}))
    return tuple(Rebinding(one.name, one.was, one.now, lines.get(_place(places, one))) for one in found)


def _place(places: dict[Binding, int], one: Rebinding) -> int | None:
    """Return where the added line begins that binds a name anew."""
    origin = one.now.split(", ", 1)[0]
    return places.get(Binding(one.name, origin), places.get(Binding("*", origin)))


def _lines(text: bytes, places: Sequence[int]) -> dict[int | None, int]:
    """Return the numbers of the added lines that begin at ascending places."""
    start = _NEW_START.match(text)
    out: dict[int | None, int] = {}
    if start is None:
        return out
    body = text.index(b"\n")
    number, at = int(start[1]), body + 1
    for place in places:
        number += text.count(b"\n", at, place) - text.count(b"\n-", at - 1, place - 1)
        out[place] = number
        at = place
    return out

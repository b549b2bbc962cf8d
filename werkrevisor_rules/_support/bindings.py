"""Which names import lines bind, and which of them mean something else afterwards."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from werkrevisor_core.models.classes import Rebinding

_PACKAGE: Final = "package clause"
_SHOWN: Final = 5
"""Wildcards that are named for one name; each of thousands of names could come from each of thousands of them."""
_FEW: Final = 20
"""Origins of one name up to which it is looked for what covers them; beyond, a human is asked rather too often."""


class Binding(NamedTuple):
    """A name and where it comes from, e.g. `Map` from `java.util.Map`; `*` for a wildcard."""

    name: str
    origin: str


def proof_of(bindings: Sequence[Binding]) -> str:
    """Return the proof of an import line in a few words; a line that binds nothing is a package clause."""
    if not bindings:
        return _PACKAGE
    more = f" and {len(bindings) - 1} more" if len(bindings) > 1 else ""
    return f"binds {bindings[0].name} from {bindings[0].origin}{more}"


def rebindings(removed: Iterable[Binding], added: Iterable[Binding]) -> tuple[Rebinding, ...]:
    """Return the names that came from one module and now come from another, sorted.

    A wildcard may bind any name: one in place of another rebinds `*`, and a name that comes or goes
    while a wildcard of another package does the opposite counts as rebound too.

    Args:
        removed: what the removed import lines bound.
        added: what the added import lines bind.

    Returns:
        One rebinding per name, without its line.
    """
    gone, come = set(removed), set(added)
    names = {binding.name for binding in gone}
    if "*" not in names and not any(binding.name in names or binding.name == "*" for binding in come):
        return ()
    was, now = _by_name(gone - come), _by_name(come - gone)
    out = {name: (was[name], now[name]) for name in was.keys() & now.keys()}
    for name in was.keys() - now.keys() - {"*"}:
        if other := _other_wildcards(was[name], now.get("*", ())):
            out[name] = (was[name], other)
    for name in now.keys() - was.keys() - {"*"}:
        if other := _other_wildcards(now[name], was.get("*", ())):
            out[name] = (other, now[name])
    return tuple(Rebinding(name, ", ".join(old), ", ".join(new)) for name, (old, new) in sorted(out.items()))


def _by_name(bindings: set[Binding]) -> dict[str, tuple[str, ...]]:
    names: dict[str, list[str]] = {}
    for binding in sorted(bindings):
        names.setdefault(binding.name, []).append(binding.origin)
    return {name: tuple(origins) for name, origins in names.items()}


def _other_wildcards(origins: tuple[str, ...], wildcards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first wildcards that do not cover one of the origins themselves."""
    few = origins[:_FEW] if len(origins) <= _FEW else ()
    others = (wild for wild in wildcards if not any(origin.startswith(wild[:-1]) for origin in few))
    return tuple(islice(others, _SHOWN))

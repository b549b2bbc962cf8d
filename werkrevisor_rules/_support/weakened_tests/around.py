"""What stands around a declaration, and which declarations of the other version can be taken over as they are."""

from typing import Final

from attrs import define, field

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Mark


@frozen(eq=False)
class Around:
    """What stands around a declaration: names of scopes, their marks, whether their tests are found."""

    scope: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    hidden: str = ""
    bases: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """All that a declaration in it takes from it."""
        return (self.scope, self.hidden, self.bases, tuple((mark.name, mark.text) for mark in self.marks))


_MOST: Final = 20_000
"""Declarations that are kept to be taken over."""


@define(eq=False)
class Known:
    """The declarations of one version of a file, to be found by their bytes and by what is around them.

    Most of a changed file is as it was. What is equal need not be taken apart again.
    """

    _found: dict[tuple[object, ...], Declaration] = field(factory=dict, init=False)
    _keys: dict[int, tuple[Around, tuple[object, ...]]] = field(factory=dict, init=False)

    def key(self, source: bytes, around: Around) -> tuple[object, ...]:
        """Return by what a declaration is found."""
        known = self._keys.get(id(around))
        if known is None:
            known = self._keys[id(around)] = (around, around.key)  # kept, so that its id stays its own
        return (source, known[1])

    def get(self, key: tuple[object, ...]) -> Declaration | None:
        """Return the declaration of a key, None where there is none."""
        return self._found.get(key)

    def keep(self, key: tuple[object, ...], found: Declaration) -> None:
        """Keep a declaration for the other version."""
        if len(self._found) < _MOST:
            self._found[key] = found

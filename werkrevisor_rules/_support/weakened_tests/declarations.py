"""What is listed of a source file before anything is compared: its tests, functions, constants, statements."""

from collections.abc import Callable
from enum import Enum, auto

from attrs import define, field

from werkrevisor_rules._support.weakened_tests.syntax import Node


class Role(Enum):
    """What a declaration is."""

    TEST = auto()
    FUNCTION = auto()
    CONSTANT = auto()
    STATEMENT = auto()


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Mark:
    """An annotation, attribute, decorator, modifier or condition on a declaration or around it."""

    name: str
    text: str
    line: int
    expand: Callable[[], Node] | None = field(default=None, repr=False)


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Declaration:
    """One declaration of one version of a file.

    `raw` is its text with single blanks, marks included; it serves to tell whether anything changed.
    `hidden` says why its framework does not run it, empty where it does. `bases` are the base classes
    of the class around it.
    """

    role: Role
    name: str
    path: str
    language: str
    line: int
    end_line: int
    raw: str = field(repr=False)
    expand: Callable[[], Node] = field(repr=False)
    scope: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    inherited: tuple[Mark, ...] = ()
    hidden: str = ""
    bases: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """Scope and name, for the reader and for pairing."""
        return " > ".join((*self.scope, self.name))

    @property
    def state(self) -> tuple[object, ...]:
        """All that decides how it runs: equal states need no comparison."""
        return (self.raw, self.hidden, tuple((mark.name, mark.text) for mark in self.inherited))


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Listing:
    """One version of a file: its declarations, comments by line, and whether all of it parsed."""

    path: str
    language: str
    declarations: tuple[Declaration, ...] = ()

    broken: bool = False
    text: str = field(default="", repr=False)

    @property
    def tests(self) -> tuple[Declaration, ...]:
        """The tests, hidden ones included."""
        return tuple(found for found in self.declarations if found.role is Role.TEST)

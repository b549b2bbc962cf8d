"""What is listed of a source file before anything is compared: its tests, functions, constants, statements."""

import re
from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import Final

from attrs import define, field

from werkrevisor_rules._support.weakened_tests.syntax import Node

_BARE_RETURN: Final = re.compile(r"\breturn[ \t\r]*\n")


def lines_of(source: str) -> str:
    """Return a text's lines where their ends mean something: behind a comment, behind a bare `return`."""
    if "//" in source or ("return" in source and _BARE_RETURN.search(source)):
        return "\n".join(line.strip() for line in source.split("\n"))
    return ""


def indents_of(lines: Iterable[str]) -> str:
    """Return how far each line that is not blank is indented beyond the first one."""
    depths = [len(line) - len(stripped) for line in lines if (stripped := line.lstrip())]
    return " ".join(str(depth - depths[0]) for depth in depths)


OUT_OF_SIGHT: Final = "no framework looks for tests under its new path"
"""Why the tests of a file that lies elsewhere now are not run."""
NO_TEST_CLASS: Final = "a class that is no TestCase and has another name than Test* is not collected"
"""Why the tests of a class are not run by pytest, unless another class inherits them."""


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
    of the class around it. `layout` tells of its lines and indents, where they mean something.
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
    layout: str = field(default="", repr=False)

    @property
    def full_name(self) -> str:
        """Scope and name, for the reader and for pairing."""
        return " > ".join((*self.scope, self.name))

    def at(self, line: int, expand: Callable[[], Node], inherited: tuple[Mark, ...]) -> "Declaration":
        """Return the same declaration at another place of its file."""
        return Declaration(
            self.role,
            self.name,
            self.path,
            self.language,
            line,
            self.end_line - self.line + line,
            self.raw,
            expand,
            self.scope,
            self.marks,
            inherited,
            self.hidden,
            self.bases,
            self.layout,
        )

    @property
    def state(self) -> tuple[object, ...]:
        """All that decides how it runs: equal states need no comparison."""
        return (self.raw, self.hidden, self.layout, tuple((mark.name, mark.text) for mark in self.inherited))


@define(eq=False)  # not frozen: made by the thousand, and nothing changes them
class Listing:
    """One version of a file: its declarations, its text, and the ranges of lines that did not parse."""

    path: str
    language: str
    declarations: tuple[Declaration, ...] = ()
    faults: tuple[tuple[int, int], ...] = ()
    text: str = field(default="", repr=False)

    @property
    def tests(self) -> tuple[Declaration, ...]:
        """The tests, hidden ones included."""
        return tuple(found for found in self.declarations if found.role is Role.TEST)

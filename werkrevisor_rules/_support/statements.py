"""What the import grammars have in common: a statement, and what a grammar can answer."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.import_sweep import Sweep
from werkrevisor_rules._support.lexing import nested_comment
from werkrevisor_rules._support.views import begins_in_comment

BLANKS: Final = lazy(rb"(?:[ \t\r\n\f]+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
"""White space and comments of the C kind between statements."""

ANY_CHANGE: Final = lazy(rb"\n[+-]")
"""Any changed line."""

_FLAT: Final = lazy(rb"(?:[ \t\r\n\f]+|//[^\n]*)+")
_WIDEST_INDENT: Final = 300
_REST: Final = lazy(rb"[ \t\r]*(?=\n|\Z)")


TYPES: Final = 0
"""An import of types as a whole, of which nothing is left."""
INLINE_TYPES: Final = 1
"""An import of types one by one, which some compilers keep for its effect."""
VALUES: Final = 2
"""An import that loads its module."""


class Statement(NamedTuple):
    """One import statement (or package clause) at `text[start:end]`.

    `plain` says that it stands alone on its lines, in the form that the grammar explains. A
    `barrier` binds no name, so it is there for its effect and other imports may not cross it. `kind`
    says how much of it is left when the program runs. `frame` marks what only opens or closes a list
    of imports, and `list_span` says where the list that a statement belongs to begins and ends.
    """

    start: int
    end: int
    plain: bool
    bindings: tuple[Binding, ...] = ()
    module: str = ""
    barrier: bool = False
    kind: int = VALUES
    frame: bool = False
    list_span: tuple[int, int] | None = None


class Grammar(Protocol):
    """The import statements of one language."""

    barrier: re.Pattern[bytes] | None
    """Finds a barrier anywhere in a file; None where the language has none."""

    def quick(self, lines: Sequence[bytes], last: int, *, known: bool) -> list[tuple[int, Statement]] | None:
        """Return the changed imports of a hunk of the simplest shape, None where it needs a closer look.

        Args:
            lines: the lines of the hunk with markers.
            last: the index of the last changed line.
            known: whether the hunk begins at the begin of the file.

        Returns:
            Indices of changed lines with the statement that each is as a whole; blank lines are left out.
        """

    sweep: Sweep
    """The plainest patches."""

    def never(self, text: bytes) -> re.Pattern[bytes]:
        """Return what finds a line break and the changed line behind it that is no part of an import for sure.

        Args:
            text: the text of all hunks of a file; what could be an import in another text may be none in this.
        """

    def may_touch(self, hunk: bytes) -> bool:
        """Tell fast whether the text of a hunk could hold an import statement at all."""

    def prefix(self, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
        """Return text to put before a hunk whose surroundings are not known, None to refuse it."""

    def statements(self, text: bytes, limit: int, *, known: bool) -> list[Statement]:
        """Return the statements that begin before `limit`, as far as the text is understood.

        Args:
            text: begins at the begin of the file, or with what `prefix` gave.
            limit: where the last changed line ends.
            known: whether `text` begins at the begin of the file.
        """

    def disturbs(self, text: bytes, statements: Sequence[Statement], touched: Sequence[Statement]) -> bool:
        """Tell whether a changed statement may stand where it changes what its neighbours mean, or where none may.

        Args:
            text: one side of the hunk, or of the whole file.
            statements: all that were read in it.
            touched: those with a changed line.
        """

    def wakes(self, lines: Sequence[bytes], *, whole: bool) -> bool:
        """Tell whether it matters that code stands above these lines in one version only.

        Args:
            lines: the lines between the first code of the two versions.
            whole: whether these are all of them, and no more could follow behind the hunk.
        """


def behind_nested_blanks(text: bytes, at: int) -> int:
    """Return the index behind white space and comments, where block comments may hold others.

    Raises:
        LexDoubt: a comment is not closed.
    """
    while True:
        if blank := _FLAT.match(text, at):
            at = blank.end()
        elif text.startswith(b"/*", at):
            at = nested_comment(text, at)
        else:
            return at


def stands_alone(text: bytes, start: int, end: int) -> bool:
    """Tell whether nothing but white space shares the lines of `text[start:end]`."""
    return begins_line(text, start) and _REST.match(text, end) is not None


def begins_line(text: bytes, start: int) -> bool:
    """Tell whether nothing but white space stands before `start` on its line."""
    floor = max(0, start - _WIDEST_INDENT)
    line = text.rfind(b"\n", floor, start) + 1
    return (line > 0 or floor == 0) and not text[line:start].strip(b" \t\r")


def assumed_prefix(lines: Sequence[bytes]) -> bytes:
    """Return an opened comment where the lines begin inside a block comment, else nothing."""
    return b"/*\n" if begins_in_comment(b"\n".join(lines)) else b""


def text_of(name: bytes) -> str:
    """Decode a name for people."""
    return name.decode("utf-8", "replace")


def is_plain(name: str) -> bool:
    """Tell whether a name holds no character that some reader takes for white space or punctuation."""
    return name.isascii() or all(character.isascii() or character.isalnum() for character in name)

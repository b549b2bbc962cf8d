"""The import statements and package clauses of Java and Kotlin, which stand before all declarations."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.import_sweep import BLANK, HEADER, Change, Sweep
from werkrevisor_rules._support.lexing import LexDoubt
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.statements import (
    BLANKS,
    Statement,
    assumed_prefix,
    behind_nested_blanks,
    is_plain,
    stands_alone,
    text_of,
)

_CONTEXT: Final = 32
_HEADING: Final = lazy(rb"(?:import|package)\b")
_NEVER: Final = lazy(rb"\n[+-](?![^\S\n]*+(?:import|package))")


def _shape(line: bytes, package: bytes) -> re.Pattern[bytes]:
    """Return the shape of a patch whose import lines and package clauses look so."""
    idle = BLANK + rb"| //[^\n\\*]*+\n"
    return lazy(
        rb"(?:" + HEADER + rb"(?: (?:import|package)\b[^\n*\"`]*+| ?)\n(?:" + idle + rb")*+"
        rb"(?: " + package + rb"\n|(?:[+-]" + line + rb"\n|" + idle + rb")*+ " + line + rb"\n)"
        rb"(?:[ +-]" + line + rb"\n|" + idle + rb")*+(?: (?!package|[ \t]*+(?:\.|as\b))[^\n]*+\n)*+)+"
    )


class _Sectioned(ABC):
    """A language whose imports form a section at the begin of the file, one statement a line."""

    barrier: re.Pattern[bytes] | None = None
    sweep: Sweep
    _clause: re.Pattern[bytes]
    _other: re.Pattern[bytes]
    _escapes: re.Pattern[bytes] = lazy(rb"\\u")
    _goes_on: re.Pattern[bytes] = lazy(rb"(?!)")

    def never(self, text: bytes) -> re.Pattern[bytes]:  # noqa: ARG002 (one protocol)
        """Find a changed line that begins neither like an import nor like a package clause."""
        return _NEVER

    def may_touch(self, hunk: bytes) -> bool:
        """Tell whether there is an import or package line."""
        return b"import" in hunk or b"package" in hunk

    def prefix(self, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
        """Take the hunk for a part of the import section unless its heading is a declaration."""
        if heading.strip() and not _HEADING.match(heading):
            return None
        return assumed_prefix(lines)

    def statements(self, text: bytes, limit: int, *, known: bool) -> list[Statement]:  # noqa: ARG002 (one protocol)
        """Read the section, up to `limit` or to what does not belong to it."""
        out: list[Statement] = []
        at = 0
        if text.startswith(b"#!"):
            at = text.find(b"\n") + 1 or len(text)
        with suppress(LexDoubt):
            while (at := self._behind_blanks(text, at)) < limit:
                clause = self._clause.match(text, at)
                match = clause or self._other.match(text, at)
                if match is None:
                    break
                if clause is not None:
                    bindings = self._bindings(clause)
                    if out and not bindings:
                        return []  # a package clause behind another clause: this is no program
                    if self._goes_on.match(text, self._behind_blanks(text, clause.end())):
                        break
                    plain = stands_alone(text, at, clause.end()) and is_plain(text_of(clause.group()))
                    out.append(Statement(at, clause.end(), plain, bindings))
                at = match.end()
        # An escape may stand for the end of a comment, so nothing behind one is sure.
        return [] if out and self._escapes.search(text, 0, out[-1].end) else out

    def quick(self, lines: Sequence[bytes], last: int, *, known: bool) -> list[tuple[int, Statement]] | None:  # noqa: ARG002
        """Read a hunk of blank lines, plain statements and `//` comments up to its last change."""
        out: list[tuple[int, Statement]] = []
        clause = self._clause.match
        behind_clause = shown = False
        for index in range(last + 1):
            line = lines[index]
            match = clause(line, 1)
            if match is not None:
                bindings = self._bindings(match)
                odd_order = behind_clause and not bindings
                if odd_order or line[match.end() :].strip(SPACE) or not is_plain(text_of(match.group())):
                    return None
                behind_clause = True
                if line[0] == _CONTEXT:
                    shown = True
                else:
                    out.append((index, Statement(0, 0, True, bindings)))
            elif line[1:].strip(SPACE) and (line[0] != _CONTEXT or line[1:3] != b"//" or b"\\u" in line):
                return None
        below = lines[last + 1 :]
        if any(self._goes_on.match(line[1:].lstrip()) for line in below):
            return None
        if behind_clause and any(line[1:8] == b"package" for line in below):
            return None
        # Without another clause in sight the package clause could stand below.
        return out if shown or any(clause(line, 1) for line in below) else None

    def disturbs(self, text: bytes, statements: Sequence[Statement], touched: Sequence[Statement]) -> bool:
        """Say yes where nothing shows that the package clause does not stand below a changed import."""
        if len(statements) > len(touched) or any(not one.bindings for one in statements):
            return False
        try:
            at = self._behind_blanks(text, statements[-1].end)
        except LexDoubt:
            return True
        return at >= len(text) or text.startswith((b"/*", b"@"), at)

    def wakes(self, lines: Sequence[bytes], *, whole: bool) -> bool:  # noqa: ARG002 (one protocol)
        """Say no: nothing in this language counts only at the head of a file."""
        return False

    def _bound_by(self, change: Change) -> tuple[Binding, ...]:
        clause = self._clause.match(change[1])
        return () if clause is None else self._bindings(clause)

    @abstractmethod
    def _bindings(self, match: re.Match[bytes]) -> tuple[Binding, ...]:
        """Return what a clause binds; nothing for a package clause."""

    def _behind_blanks(self, text: bytes, at: int) -> int:
        blank = BLANKS.match(text, at)
        return blank.end() if blank else at


_JAVA_NAME: Final = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_PLAIN_JAVA: Final = rb"[A-Za-z_$][\w$]*+"
_JAVA_LINE: Final = rb"import[ \t]++(?:static[ \t]++)?(?:" + _PLAIN_JAVA + rb"\.)*+(" + _PLAIN_JAVA + rb"|\*)[ \t]*+;"


class JavaImports(_Sectioned):
    """`import a.B;`, `import static a.B.c;`, both with a wildcard, and `package a;`."""

    _clause = lazy(
        rb"(?:import[ \t]+(static[ \t]+)?|(package)[ \t]+)((?:"
        + _JAVA_NAME
        + rb"\.)*+)("
        + _JAVA_NAME
        + rb"|(?(2)(?!)|\*))[ \t]*;"  # a package has no wildcard
    )
    _other = lazy(rb"(?!)")

    def __init__(self) -> None:
        """Prepare the plainest patches."""
        self.sweep = Sweep(
            _shape(rb"import[ \t]++[\w$.* \t]++;[ \t]*+", rb"package[ \t]++[\w$. \t]++;[ \t]*+"),
            lazy(rb"\n([+-])(" + _JAVA_LINE + rb")[ \t]*+(?=\n)"),
            self._bound_by,
            lambda name: (name,),
        )

    def _bindings(self, match: re.Match[bytes]) -> tuple[Binding, ...]:
        if match[2]:
            return ()
        name = match[4].decode("utf-8", "replace")
        return (Binding(name, text_of(match[3]) + name),)


_PLAIN_KOTLIN: Final = rb"[A-Za-z_]\w*+"
_KOTLIN_LINE: Final = (
    rb"import[ \t]++(?:" + _PLAIN_KOTLIN + rb"\.)*+"
    rb"(" + _PLAIN_KOTLIN + rb"(?:[ \t]++as[ \t]++" + _PLAIN_KOTLIN + rb")?+|\*)[ \t]*+(?:;[ \t]*+)?+(?=\n)"
)
_KOTLIN_NAME: Final = rb"(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*|`[^`\n\r]+`)"


class KotlinImports(_Sectioned):
    """`import a.B`, `import a.*`, `import a.B as C`, and `package a`; a semicolon may follow."""

    _clause = lazy(
        rb"(?:import[ \t]+|(package)[ \t]+)((?:"
        + _KOTLIN_NAME
        + rb"\.)*+)("
        + _KOTLIN_NAME
        + rb"|(?(1)(?!)|\*))(?(1)|(?:[ \t]+as[ \t]+("  # a package has neither wildcard nor other name
        + _KOTLIN_NAME
        + rb"))?)[ \t]*(?:;|(?=[ \t\r]*(?:\n|\Z|//|/\*)))"
    )
    _goes_on = lazy(rb"\.|as(?![\w\x80-\xff])")  # the name or the path goes on in the next line
    _other = lazy(
        rb"@file:[\w.: \t]*(?:\[[^\]\n]*\]|\((?:[\w.,:= \t\r\n]|\"(?:[^\"\\\n$]|\\[^\n])*\")*\))?[ \t]*(?=\r?\n|\Z)"
    )

    def __init__(self) -> None:
        """Prepare the plainest patches."""
        self.sweep = Sweep(
            _shape(
                rb"import[ \t]++[\w.* \t]++(?:;[ \t]*+)?+",
                rb"package[ \t]++[\w. \t]++(?:;[ \t]*+)?+",
            ),
            lazy(rb"\n([+-])(" + _KOTLIN_LINE + rb")"),
            self._bound_by,
            lambda name: (name.split()[-1],),
        )

    def _behind_blanks(self, text: bytes, at: int) -> int:
        return behind_nested_blanks(text, at)

    def _bindings(self, match: re.Match[bytes]) -> tuple[Binding, ...]:
        if match[1]:
            return ()
        origin = text_of(match[2] + match[3])
        return (Binding(text_of(match[4] or match[3]).strip("`"), origin),)

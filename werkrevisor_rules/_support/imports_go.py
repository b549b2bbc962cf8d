"""The import declarations of Go, single and in blocks."""

import re
from collections.abc import Sequence
from typing import Final

from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.statements import BLANKS, Statement, assumed_prefix, stands_alone, text_of

_PACKAGE: Final = re.compile(rb"package[ \t]+[A-Za-z_\x80-\xff][\w\x80-\xff]*[ \t]*(?:;|(?=[ \t\r]*(?:\n|\Z|//|/\*)))")
_OPEN: Final = re.compile(rb"import[ \t]*\(")
_IMPORT: Final = re.compile(rb"import(?=[ \t]*[\"A-Za-z_.\x80-\xff])[ \t]*")
_SPEC: Final = re.compile(
    rb'(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*|\.)[ \t]*)?"([^"\\\n\r`]+)"[ \t]*(?:;|(?=[ \t\r]*(?:\n|\Z|//|/\*|\))))'
)
_PATH: Final = re.compile(rb"[\w.~+/@-]+")
_HEADING: Final = re.compile(rb"import\b|package\b")
_VERSION: Final = re.compile(r"v[0-9]+")
_CGO: Final = re.compile(rb'^[ \t]*(?:import[ \t]*)?"C"', re.MULTILINE)
_DIRECTIVE: Final = re.compile(rb"(?:^|\n)[ \t]*//(?:go:|export |line |[ \t]*#|[ \t]*\+build)[^\n]*\r?\n[ \t\r\n]*$")


class GoImports:
    """`import "a"`, `import b "a"`, and both in a block, each on its own line."""

    one_by_one = False
    head_matters = False
    barrier: re.Pattern[bytes] | None = re.compile(rb'^[ \t]*(?:import[ \t]*)?(?:[_.][ \t]*"|"C")', re.MULTILINE)

    def line(self, body: bytes) -> tuple[Binding, ...] | None:
        """Return what a single import declaration binds."""
        match = _IMPORT.match(body)
        spec = match and _SPEC.match(body, match.end())
        if not spec or body[spec.end() :].strip(b" \t\r"):
            return None
        statement = _statement(body, 0, spec, alone=True)
        return statement.bindings if statement.plain else None

    def may_touch(self, hunk: bytes) -> bool:
        """Tell whether there is an import declaration."""
        return b"import" in hunk

    def prefix(self, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
        """Open an import block where the hunk shows only the end of one."""
        if heading.strip() and not _HEADING.match(heading):
            return None
        for line in lines:
            body = line.strip()
            if body.startswith((b"import", b"package")):
                break
            if body.startswith(b")"):
                return b"import (\n"
        return assumed_prefix(lines)

    def statements(self, text: bytes, limit: int, *, known: bool) -> list[Statement]:  # noqa: ARG002 (one protocol)
        """Read package clause and imports, up to `limit` or to the first declaration."""
        out: list[Statement] = []
        at = 0
        while at < limit:
            if blank := BLANKS.match(text, at):
                at = blank.end()
            elif match := _PACKAGE.match(text, at):
                at = match.end()
            elif match := _OPEN.match(text, at):
                block, end = _block(text, match)
                if end is None:
                    break
                out += block
                at = end
            elif (match := _IMPORT.match(text, at)) and (spec := _SPEC.match(text, match.end())):
                out.append(_statement(text, at, spec, alone=stands_alone(text, at, spec.end())))
                at = spec.end()
            else:
                break
        return out

    def disturbs(self, text: bytes, touched: Sequence[Statement]) -> bool:
        """Say yes near cgo, whose comments are code, and right below a directive."""
        if _CGO.search(text):
            return True
        return any(_DIRECTIVE.search(text, max(0, one.start - 300), one.start) for one in touched)

    def wakes(self, lines: Sequence[bytes]) -> bool:  # noqa: ARG002 (one protocol)
        """Say no: nothing in this language counts only at the head of a file."""
        return False


def _block(text: bytes, opening: re.Match[bytes]) -> tuple[list[Statement], int | None]:
    """Read the block behind `import (`; return its statements and its end, None where it is not understood."""
    first = Statement(opening.start(), opening.end(), stands_alone(text, *opening.span()), frame=True)
    out = [first]
    at = opening.end()
    while True:
        if blank := BLANKS.match(text, at):
            at = blank.end()
        elif spec := _SPEC.match(text, at):
            out.append(_statement(text, at, spec, alone=stands_alone(text, at, spec.end())))
            at = spec.end()
        elif text[at : at + 1] == b")":
            plain = stands_alone(text, at, at + 1) and len(out) > 1
            out[0] = first._replace(plain=first.plain and plain)
            out.append(Statement(at, at + 1, out[0].plain, frame=True))
            return out, at + 1
        else:
            return out, None


def _statement(text: bytes, start: int, spec: re.Match[bytes], *, alone: bool) -> Statement:  # noqa: ARG001
    path = text_of(spec[2])
    alias = text_of(spec[1]) if spec[1] else ""
    barrier = alias in ("_", ".") or path == "C"
    plain = alone and not barrier and _PATH.fullmatch(spec[2]) is not None
    bindings = () if barrier else (Binding(alias or package_name(path), path),)
    return Statement(start, spec.end(), plain, bindings, path, barrier)


def package_name(path: str) -> str:
    """Return the name that an import path most likely binds: its last part that is no major version."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    stem, dot, version = parts[-1].rpartition(".")
    return stem if dot and _VERSION.fullmatch(version) else parts[-1]

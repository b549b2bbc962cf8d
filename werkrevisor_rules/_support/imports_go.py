"""The import declarations of Go, single and in blocks."""

import re
from collections.abc import Sequence
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.import_sweep import BLANK, HEADER, Change, Sweep
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.statements import BLANKS, Statement, assumed_prefix, is_plain, stands_alone, text_of

_CONTEXT: Final = 32
_PACKAGE: Final = lazy(rb"package[ \t]+[A-Za-z_\x80-\xff][\w\x80-\xff]*[ \t]*(?:;|(?=[ \t\r]*(?:\n|\Z|//|/\*)))")
_OPEN: Final = lazy(rb"import[ \t]*\(")
_IMPORT: Final = lazy(rb"import(?=[ \t]*[\"A-Za-z_.\x80-\xff])[ \t]*")
_KEYWORD: Final = (
    rb"break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package"
    rb"|range|return|select|struct|switch|type|var"
)
_SPEC: Final = lazy(
    rb"(?!(?:" + _KEYWORD + rb")(?![\w\x80-\xff]))"
    rb'(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*|\.)[ \t]*)?"([^"\\\n\r`]+)"[ \t]*(?:;|(?=[ \t\r]*(?:\n|\Z|//|/\*|\))))'
)
_PATH: Final = lazy(rb"[\w.~+/@-]+")
_HEADING: Final = lazy(rb"import\b|package\b")
_VERSION: Final = lazy(r"v[0-9]+")
_DIRECTIVE: Final = lazy(rb"(?:^|\n)[ \t]*//(?:go:|export |line |[ \t]*#|[ \t]*\+build)[^\n]*\r?\n[ \t\r\n]*$")

_NEVER: Final = lazy(rb"\n[+-](?![^\S\n]*+(?:import|\)|\n))[\w. \t\r\x80-\xff]*+(?!\")")
_NEVER_HERE: Final = lazy(rb"\n[+-](?![^\S\n]*+import)")
_LINE: Final = (
    rb"((?:(?!_[ \t\"]|(?:" + _KEYWORD + rb")(?!\w))[A-Za-z_]\w*+[ \t]*+)?+\"(?!C\")([\w.~+/@-]++)\")"
    rb"[ \t]*+(?:;[ \t]*+)?+(?=\n)"
)
_SHAPE: Final = lazy(
    HEADER + rb"(?: (?:import|package)\b(?![^\n]*?(?:\"\"\"|\br#*+\"))[^\n*`]*+| ?)\n"
    rb"(?:" + BLANK + rb"| [ \t]*+package [^\n]*+\n)*+ [ \t]*+import \([ \t]*+\n"
    rb"(?:[ +-][ \t]*+(?![_.][ \t\"])\w*+[ \t]*+\"(?!C\")[^\"\\\n`]++\"[ \t]*+(?:;[ \t]*+)?+\n|"
    + BLANK
    + rb")*+ [ \t]*+\)[ \t]*+\n(?: [^\n]*+\n)*+"
)
_CHANGE: Final = lazy(rb"\n([+-])[ \t]*+(" + _LINE + rb")")


def _bound_by(change: Change) -> tuple[Binding]:
    return (Binding(_bound_names(change[2])[0].decode(), change[-1].decode()),)


def _bound_names(bound: bytes) -> tuple[bytes]:
    """Return the name that a path with or without a name before it binds."""
    name, _, path = bound.rstrip(b'"').partition(b'"')
    return (name.strip() or package_name(path.decode()).encode(),)


class GoImports:
    """`import "a"`, `import b "a"`, and both in a block, each on its own line."""

    sweep = Sweep(_SHAPE, _CHANGE, _bound_by, _bound_names, ordered=True)
    barrier: re.Pattern[bytes] | None = lazy(rb'^[ \t]*(?:import[ \t]*)?(?:[_.][ \t]*"|"C")', re.MULTILINE)

    def quick(self, lines: Sequence[bytes], last: int, *, known: bool) -> list[tuple[int, Statement]] | None:  # noqa: ARG002
        """Read a hunk that shows a package clause and one unchanged block without comments."""
        out: list[tuple[int, Statement]] = []
        inside = False
        for index, line in enumerate(lines):
            body = line[1:].strip(SPACE)
            if not body:
                continue
            changed = line[0] != _CONTEXT
            if inside and (spec := _SPEC.match(body)) is not None and spec.end() == len(body):
                statement = _statement(0, spec, alone=True)
                if statement.barrier or (changed and not statement.plain):
                    return None
                if changed:
                    out.append((index, statement))
            elif changed:
                return None
            elif inside and body == b")":
                return out if index > last else None
            elif not inside and body == b"import (":
                inside = True
            elif inside or not body.startswith(b"package "):
                return None
        return None

    def never(self, text: bytes) -> re.Pattern[bytes]:
        """Find a changed line with no path in which an import or the end of a block cannot begin."""
        return _NEVER if b"import" in text else _NEVER_HERE

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
                out.append(_statement(at, spec, alone=stands_alone(text, at, spec.end())))
                at = spec.end()
            else:
                break
        return out

    def disturbs(self, text: bytes, statements: Sequence[Statement], touched: Sequence[Statement]) -> bool:
        """Say yes near cgo, whose comments are code, and right below a directive."""
        if any(one.module == "C" for one in statements):
            return True
        return any(_DIRECTIVE.search(text, max(0, one.start - 300), one.start) for one in touched)

    def wakes(self, lines: Sequence[bytes], *, whole: bool) -> bool:  # noqa: ARG002 (one protocol)
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
            out.append(_statement(at, spec, alone=stands_alone(text, at, spec.end())))
            at = spec.end()
        elif text[at : at + 1] == b")":
            plain = stands_alone(text, at, at + 1) and len(out) > 1
            out[0] = first._replace(plain=first.plain and plain)
            out.append(Statement(at, at + 1, out[0].plain, frame=True))
            span = (first.start, at + 1)
            return [one._replace(list_span=span) for one in out], at + 1
        else:
            return out, None


def _statement(start: int, spec: re.Match[bytes], *, alone: bool) -> Statement:
    path = text_of(spec[2])
    alias = text_of(spec[1]) if spec[1] else ""
    barrier = alias in ("_", ".") or path == "C"
    plain = alone and not barrier and is_plain(alias) and _PATH.fullmatch(spec[2]) is not None
    bindings = () if barrier else (Binding(alias or package_name(path), path),)
    return Statement(start, spec.end(), plain, bindings, path, barrier)


def package_name(path: str) -> str:
    """Return the name that an import path most likely binds: its last part that is no major version."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    stem, dot, version = parts[-1].rpartition(".")
    return stem if dot and _VERSION.fullmatch(version) else parts[-1]

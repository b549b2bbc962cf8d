"""The import declarations of JavaScript and TypeScript."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.import_sweep import BLANK, HEADER, Change, StaysModule, Sweep
from werkrevisor_rules._support.lexing import LexDoubt
from werkrevisor_rules._support.lexing_ecmascript import regions, tokens
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.statements import (
    BLANKS,
    INLINE_TYPES,
    TYPES,
    VALUES,
    Statement,
    assumed_prefix,
    begins_line,
    is_plain,
    stands_alone,
    text_of,
)

_CONTEXT: Final = 32
_BEHIND: Final = rb"[ \t]*(?:['\"`#(;/@*.,?:&|+=<>)\]}%^-]|with\b|assert\b)"
_NOT_BEHIND: Final = lazy(_BEHIND)
"""What must be looked at closer where it follows an import."""
_JOINS: Final = frozenset(b"%c" % code for code in b".,?:&|=<>)]}%^*")
"""Characters with which no statement can begin."""
_ENDS: Final = frozenset(b"%c" % code for code in b"}'\"`")
"""Characters that may end a statement without a semicolon."""
_CALL: Final = lazy(rb"(?!(?:if|while|for|with|switch|catch|function|async)\b)[A-Za-z_$][\w$.]*\([^\n]*\)\Z")
"""A line at the top level that is a call, and nothing else begins it."""
_CONTINUES: Final = lazy(
    rb"[(\[`+/{-]|(?:in|instanceof|as|satisfies|of|else|catch|finally|while|from|extends|implements)(?![\w$])"
)
"""With what an expression or statement may go on that has no semicolon."""
_LONGEST_COMMENT: Final = 5000
_NAME: Final = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_STAR: Final = rb"\*[ \t\r\n]*as[ \t\r\n]+(?P<star%d>" + _NAME + rb")"
_LIST: Final = rb"\{(?P<list%d>[\w$\x80-\xff, \t\r\n]*)\}"
_IMPORT: Final = lazy(
    rb"import(?:[ \t\r\n]+(?P<type>type)(?=[ \t\r\n]*[{*]|[ \t\r\n]+(?!from[ \t\r\n]*['\"])[A-Za-z_$\x80-\xff]))?"
    rb"(?:[ \t\r\n]+(?P<default>" + _NAME + rb")(?:[ \t\r\n]*,[ \t\r\n]*(?:" + _STAR % 1 + rb"|" + _LIST % 1 + rb"))?"
    rb"|[ \t\r\n]*(?:" + _STAR % 2 + rb"|" + _LIST % 2 + rb"))"
    rb"[ \t\r\n]*(?<![\w$]from)from[ \t\r\n]*(?:'(?P<single>[^'\"\\\n]+)'|\"(?P<double>[^'\"\\\n]+)\")(?P<end>[ \t]*;)?"
)
_BARE: Final = lazy(rb"import[ \t\r\n]*(?:'([^'\\\n]*)'|\"([^\"\\\n]*)\")[ \t]*;?")
_ITEM: Final = lazy(rb"(?:(type)[ \t\r\n]+)?(" + _NAME + rb")(?:[ \t\r\n]+as[ \t\r\n]+(" + _NAME + rb"))?")
_ATTRIBUTES: Final = lazy(rb"(?:with|assert)(?![\w$])")
_ODD_MODULE: Final = lazy(
    r"(?:data|https?|blob|file|ftp|javascript|about|ws|wss)\s*:|//|[\\!\s\x00-\x1f%]", re.IGNORECASE
)
_PRAGMA: Final = lazy(
    rb"@(?:ts-|jest|vitest|jsx|flow|vite|no-?flow|preserve|emotion|babel|swc)|<reference|<amd|eslint|prettier-ignore|biome|istanbul"
    rb"|[cv]8 ignore|webpack|tslint|jshint|jslint|globals? |exported |deno-|@module|sourceMapping|oxlint|rome-"
)
_HEADING: Final = lazy(rb"import\b")
_CUT: Final = lazy(rb"[ \t]*\}[ \t]*from[ \t]*['\"]")
_PIECE: Final = lazy(rb"import|from[ \t]*['\"]")
_NEVER: Final = lazy(rb"\n[+-][\w$, \t\r{}*\x80-\xff]*+[^\w$, \t\r{}*\x80-\xff'\"\n]")
_NEVER_HERE: Final = lazy(rb"\n[+-](?![^\S\n]*+import)")

_PLAIN: Final = rb"[A-Za-z_$][\w$]*+"
_ITEM_AS: Final = rb"(?!type\b)" + _PLAIN + rb"(?:[ \t]++as[ \t]++" + _PLAIN + rb")?+"
_NAMED: Final = (
    rb"(?:\*[ \t]*+as[ \t]++" + _PLAIN + rb"|\{[ \t]*+" + _ITEM_AS + rb"(?:[ \t]*+,[ \t]*+" + _ITEM_AS + rb")*+"
    rb"[ \t]*+(?:,[ \t]*+)?+\})"
)
_CHANGE: Final = lazy(
    rb"\n([+-])(import(?:[ \t]++(?!type\b)|(?=[{*]))"
    rb"(" + _PLAIN + rb"(?:[ \t]*+,[ \t]*+" + _NAMED + rb")?+|" + _NAMED + rb")(?:[ \t]++|(?<=\}))from[ \t]*+"
    rb"(['\"])(?![^'\"\n]*//)([\w@./$-]++)\4(?:[ \t]*+;)?+)[ \t]*+(?=\n)"
)
_LINE: Final = (
    rb"import(?![\w$])[ \t]*+(?!type[ \t]*\{[ \t]*\})(?:[\w$*]|\{[ \t]*+[\w$])[\w$ \t,{}*]*+"
    rb"(?:(?<=from)|(?<=from[ \t]))(?:'[^'\"\\\n]++'|\"[^'\"\\\n]++\")[ \t]*+(?:;[ \t]*+)?+"
)
_CODE_FOLLOWS: Final = rb"[^\n]*+\n(?:" + BLANK + rb")*+(?:[+-]| (?!" + _BEHIND + rb")[ \t]*+[^ \t\n])"
_SHAPE: Final = lazy(
    rb"(?:" + HEADER + rb"(?: import\b(?![^\n]*?(?:\"\"\"|\br#*+\"))[^\n*`]*+| ?)\n"
    rb"(?: " + _LINE + rb"\n|[+-](?=" + _CODE_FOLLOWS + rb")" + _LINE + rb"\n|" + BLANK + rb")*+"
    rb"(?: (?!import[ \t]*+['\"])[^\n]*+\n)*+)+"
)


_MARK: Final = (
    rb"(?:import\b(?![ \t]*[(.=])|export[ \t]*[{*]"
    rb"|export[ \t]+(?:default|const|let|var|function|class|async|type|interface|enum|abstract|declare)\b)"
)
"""What stands in modules alone, and not in scripts."""
_MARK_SHOWN: Final = lazy(rb"\n " + _MARK)
_MARK_LINE: Final = lazy(rb"^" + _MARK, re.MULTILINE)
_OTHER_TEXT: Final = lazy(rb"/\*|\*/|`")
_IMPORT_REMOVED: Final = lazy(rb"\n-[ \t]*import\b")
_IMPORT_ADDED: Final = lazy(rb"\n\+[ \t]*import\b")


def _shows_module(heading: bytes, lines: bytes) -> bool:
    """Tell whether a hunk shows that both versions of its file are modules."""
    if _HEADING.match(heading) is not None:
        return True
    body = b"\n" + lines
    mark = _MARK_SHOWN.search(body)
    if mark is not None and _OTHER_TEXT.search(body, 0, mark.end()) is None:
        return True
    return _IMPORT_REMOVED.search(body) is not None and _IMPORT_ADDED.search(body) is not None


def _is_module(text: bytes) -> bool:
    """Tell whether a whole file is a module for sure."""
    marks = _MARK_LINE.finditer(text)
    first = next(marks, None)
    if first is None or not _OTHER_TEXT.search(text):
        return first is not None
    try:
        found = regions(text)
    except LexDoubt:
        return _OTHER_TEXT.search(text, 0, first.start()) is None
    return any(found.at(mark.start()) < 0 for mark in (first, *marks))


class EcmaScriptImports:
    """Default, namespace and named imports of a module by a plain specifier.

    Args:
        jsx: whether the files may hold JSX text.
        types: whether the language has imports of types.
        scripts: whether a file without imports and exports is a script, in which names and `this` mean something else.
    """

    barrier: re.Pattern[bytes] | None = lazy(
        rb"\bimport(?:[ \t\r\n]|/\*[^*]*\*/)*(?:['\"]|(?:type[ \t\r\n]*)?\{[ \t\r\n]*\})"
    )

    def __init__(self, *, jsx: bool, types: bool, scripts: bool) -> None:
        """Keep what may stand in the files."""
        stays = StaysModule(_shows_module, _is_module) if scripts else None
        self.sweep = Sweep(_SHAPE, _CHANGE, _bound_by, ordered=True, stays=stays)
        self._jsx = jsx
        self._types = types

    def quick(self, lines: Sequence[bytes], last: int, *, known: bool) -> list[tuple[int, Statement]] | None:  # noqa: ARG002
        """Read a hunk of blank lines and single-line imports up to its last change, with code behind it."""
        out: list[tuple[int, Statement]] = []
        code_follows = False
        for index, line in enumerate(lines):
            body = line[1:]
            if not body.strip(SPACE):
                continue
            if index > last:
                if _BARE.match(body) or (not code_follows and _NOT_BEHIND.match(body)):
                    return None
                code_follows = True
                continue
            statement = self._statement(body, 0) if body[:6] == b"import" else None
            if statement is None or statement.barrier or statement.end != len(body.rstrip(SPACE)):
                return None
            if line[0] != _CONTEXT:
                if not statement.plain:
                    return None
                out.append((index, statement))
        return out if code_follows else None

    def never(self, text: bytes) -> re.Pattern[bytes]:
        """Find a changed line with a character that no import has, which has only names before its module."""
        return _NEVER if _PIECE.search(text) else _NEVER_HERE

    def may_touch(self, hunk: bytes) -> bool:
        """Tell whether there is an import, or the end of one."""
        return _PIECE.search(hunk) is not None

    def prefix(self, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
        """Open an import where the hunk shows only the end of one."""
        if heading.strip() and not _HEADING.match(heading):
            return None
        for line in lines:
            if _CUT.match(line):
                return b"import {\n"
            if line.lstrip()[:6] in (b"import", b"export"):
                break
        return assumed_prefix(lines)

    def statements(self, text: bytes, limit: int, *, known: bool) -> list[Statement]:  # noqa: ARG002 (one protocol)
        """Read the imports at the top level, up to `limit` or to what is not understood."""
        out: list[Statement] = []
        if b"<!--" in text:
            return out
        at = text.find(b"\n") + 1 if text[:2] == b"#!" else 0
        open_above = False
        with suppress(LexDoubt):
            while at < limit and (found := self._next_import(text, at, limit)) is not None:
                start, behind = found
                open_above = open_above if behind is None else behind in _ENDS
                statement = self._statement(text, start)
                if statement is None or _is_joined(text, statement.end, open_above=open_above):
                    break
                out.append(statement)
                at = statement.end
        return out

    def _statement(self, text: bytes, start: int) -> Statement | None:
        """Read one import; one of types is not plain in a language without types."""
        statement = _statement(text, start)
        if statement is None or self._types or statement.kind == VALUES:
            return statement
        return statement._replace(plain=False)

    def _next_import(self, text: bytes, at: int, limit: int) -> tuple[int, bytes | None] | None:
        """Return where the next import declaration begins, and the end of the code above it.

        The latter is None where no code stands between, the whole None where no import can be found.
        """
        blank = BLANKS.match(text, at)
        at = blank.end() if blank is not None else at
        if text.startswith(b"import", at) and text[at + 6 : at + 7] not in (b"(", b"."):
            return at, None
        depth = 0
        comments: list[tuple[int, int]] = []
        for token in tokens(text, at):
            if token.start >= limit:
                break
            if token.name == "c":
                comments.append((token.start, token.end))
            elif token.name == "bracket":
                depth += _step(text[token.start])
                if depth < 0:
                    break
            elif token.name == "tag" and (self._jsx or text[token.end : token.end + 1] == b"/"):
                break
            elif token.name == "import" and not depth and not _is_expression(text, token.end):
                behind = _last_code(text, token.start, comments)
                if not begins_line(text, token.start) or behind not in (b";", *_ENDS):
                    break
                return token.start, behind
        return None

    def disturbs(
        self,
        text: bytes,
        statements: Sequence[Statement],  # noqa: ARG002 (one protocol)
        touched: Sequence[Statement],
    ) -> bool:
        """Say yes where a tool reads the comment above."""
        comments = (_comment_before(text, one.start) for one in touched)
        return any(comment and _PRAGMA.search(comment) for comment in comments)

    def wakes(self, lines: Sequence[bytes], *, whole: bool) -> bool:
        """Tell whether directives or pragmas stand in the lines, which count only at the head of a file."""
        return not whole or any(
            line.lstrip()[:1] in (b"'", b'"', b"`", b"#", b"(") or b"@" in line or _PRAGMA.search(line)
            for line in lines
        )


def _bound_by(change: Change) -> list[Binding]:
    """Return what a changed line of the plainest form binds."""
    module = change[-1].decode()
    whole, _, items = change[2].decode().partition("{")
    parts = [part for part in whole.split(",") if part.strip()]
    listed = [item.split() for item in items.rstrip("} \t").split(",") if item.strip()]
    return [
        *(Binding(part.split()[-1], f"{module} ({'*' if '*' in part else 'default'})") for part in parts),
        *(Binding(words[-1], module if words[0] == words[-1] else f"{module} ({words[0]})") for words in listed),
    ]


def _last_code(text: bytes, end: int, comments: Sequence[tuple[int, int]]) -> bytes:
    """Return the last byte of code before `end`, a brace for that of a call, empty where it is far away."""
    for begin, behind in reversed(comments):
        if text[behind:end].strip():
            break
        end = begin
    near = text[max(0, end - 200) : end].rstrip()
    above, _, line = near.rpartition(b"\n")
    if _CALL.match(line) and (above or end <= 200) and above.rstrip()[-1:] not in (b"@", b"."):
        return b"}"
    return near[-1:]


def _is_joined(text: bytes, end: int, *, open_above: bool) -> bool:
    """Tell whether what follows may go on with an expression that the import would stand in."""
    blank = BLANKS.match(text, end)
    at = blank.end() if blank is not None else end
    return text[at : at + 1] in _JOINS or (open_above and _CONTINUES.match(text, at) is not None)


def _step(bracket: int) -> int:
    return 1 if bracket in b"([{" else -1


def _is_expression(text: bytes, end: int) -> bool:
    """Tell whether the word `import` that ends at `end` calls or names something (`import(`, `import.meta`)."""
    return text[end : end + 200].lstrip()[:1] in (b"(", b".")


def _comment_before(text: bytes, start: int) -> bytes:
    """Return the comment that ends right above a statement, empty where there is none."""
    above = text[max(0, start - _LONGEST_COMMENT) : start].rstrip(b" \t\r\n")
    line = above[above.rfind(b"\n") + 1 :]
    if line.lstrip()[:2] == b"//":
        return line
    if above.endswith(b"*/"):
        return above[max(0, above.rfind(b"/*")) :]
    return b""


def _statement(text: bytes, start: int) -> Statement | None:
    """Read the import at `start`; None where it is of another form."""
    bare = _BARE.match(text, start)
    if bare is not None:
        return Statement(start, bare.end(), False, (), text_of(bare[1] or bare[2] or b""), barrier=True)
    match = _IMPORT.match(text, start)
    if match is None:
        return None
    end = match.end()
    if not match["end"]:
        blank = BLANKS.match(text, end)
        after = blank.end() if blank else end
        if _ATTRIBUTES.match(text, after):
            return None
        if text[after : after + 1] == b";":
            return None
    module = text_of(match["single"] or match["double"])
    bindings, values = _bindings(match, module)
    if bindings is None:
        return Statement(start, end, False, (), module)
    kind = TYPES if match["type"] else VALUES if values else INLINE_TYPES
    plain = stands_alone(text, start, end) and bool(bindings) and not _ODD_MODULE.search(module)
    return Statement(start, end, plain, tuple(bindings), module, not bindings, kind)


def _bindings(match: re.Match[bytes], module: str) -> tuple[list[Binding] | None, bool]:
    """Return what an import binds, and whether any of it is a value; None where a name is odd."""
    out: list[Binding] = []
    values = False
    if match["default"]:
        out.append(Binding(text_of(match["default"]), f"{module} (default)"))
        values = True
    if star := match["star1"] or match["star2"]:
        out.append(Binding(text_of(star), f"{module} (*)"))
        values = True
    items = (match["list1"] or match["list2"] or b"").split(b",")
    if not items[-1].strip():
        items.pop()
    for item in items:
        found = _ITEM.fullmatch(item.strip(b" \t\r\n"))
        if found is None:
            return None, False
        name = text_of(found[3] or found[2])
        out.append(Binding(name, module if name == text_of(found[2]) else f"{module} ({text_of(found[2])})"))
        values = values or not found[1]
    if not all(is_plain(binding.name) and is_plain(binding.origin) for binding in out):
        return None, False
    return out, values

"""The private `use` declarations of Rust at module level."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.lexing import LEXICONS, LexDoubt, nested_comment
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.statements import Statement, assumed_prefix, is_plain, stands_alone, text_of

_CONTEXT: Final = 32
_MAX_NESTING: Final = 30
_TOKEN: Final = re.compile(
    rb"(?P<c>//[^\n]*)|(?P<nest>/\*)"
    rb'|(?P<raw>(?<![0-9A-Za-z_])[bc]?r#*")'
    rb"|(?P<l>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]+|\\[^\n][^'\n]*)')"
    rb"|(?P<skip>'[A-Za-z_])"
    rb"|(?P<bracket>[(){}\[\];])"
    rb"|(?P<use>(?<![\w#\x80-\xff])use(?=[ \t\r\n:{]))"
    rb"|(?P<bad>[\"'])",
    re.DOTALL,
)
_USE: Final = re.compile(rb"use(?![\w\x80-\xff])([\w\x80-\xff:{}, \t\r\n*]+);")
_MODULE: Final = re.compile(rb"(?:\A|\])\s*(?:pub(?:\([^()]*\))?\s+)?mod\s+[A-Za-z_]\w*\s*\Z")
_CUT_MODULE: Final = re.compile(rb"(?:\A|\]|\n)(?:pub(?:\([^()]*\))?\s+)?mod\s+[A-Za-z_]\w*\s*\Z")
_PATH_PART: Final = re.compile(rb"[ \t\r\n]*(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*)|(\*)|([{},])|(::))[ \t\r\n]*")
_HEADING: Final = re.compile(rb"(?:use|(?:pub(?:\([^)]*\))? +)?(?:use|mod)|extern)\b")
_CLOSED: Final = re.compile(rb".*[;}]\s*\Z", re.DOTALL)


class RustImports:
    """`use a::b;`, `use a::{b, c as d};`, nested and with wildcards, where they stand in a module."""

    head_matters = False
    barrier: re.Pattern[bytes] | None = None

    def quick(self, lines: Sequence[bytes], last: int, *, known: bool) -> list[tuple[int, Statement]] | None:
        """Read a hunk of blank lines and single-line declarations at column 0 up to its last change."""
        out: list[tuple[int, Statement]] = []
        for index in range(last + 1):
            line = lines[index]
            match = _USE.match(line, 1)
            changed = line[0] != _CONTEXT
            if match is None:
                if line[1:].strip(SPACE):
                    return None
                continue
            if line[match.end() :].strip(SPACE) or (changed and not known):
                return None
            known = True  # whatever stands above, the next item begins here
            if changed:
                bindings = _tree(match[1])
                if not bindings:
                    return None
                out.append((index, Statement(0, 0, True, tuple(bindings))))
        return out

    def may_touch(self, hunk: bytes) -> bool:
        """Tell whether there is a `use`."""
        return b"use" in hunk

    def prefix(self, heading: bytes, lines: Sequence[bytes]) -> bytes | None:
        """Refuse a hunk inside of an item, unless it shows where that item ends."""
        if heading.strip() and not _HEADING.match(heading) and not _CLOSED.match(heading):
            ends = next((place for place, line in enumerate(lines) if line[:1] in (b"}", b")")), None)
            use = next((place for place, line in enumerate(lines) if line.lstrip()[:4] == b"use "), len(lines))
            if ends is None or ends > use:
                return None
        return assumed_prefix(lines)

    def statements(self, text: bytes, limit: int, *, known: bool) -> list[Statement]:
        """Read the `use` declarations up to `limit` or to what is not understood."""
        reader = _Reader(text, known=known)
        with suppress(LexDoubt):
            reader.read(limit)
        return reader.out

    def disturbs(self, text: bytes, touched: Sequence[Statement]) -> bool:  # noqa: ARG002 (one protocol)
        """Say no: what matters here decides already whether a statement is plain."""
        return False

    def wakes(self, lines: Sequence[bytes]) -> bool:  # noqa: ARG002 (one protocol)
        """Say no: nothing in this language counts only at the head of a file."""
        return False


class _Reader:
    """Walks over a text, with the open brackets and what has been read since the last item ended."""

    def __init__(self, text: bytes, *, known: bool) -> None:
        self.out: list[Statement] = []
        self._text = text
        self._known = known
        self._open: list[str] = []  # per open bracket: "mod" or the bracket
        self._boundary: int | None = 0 if known else None
        self._comments: list[tuple[int, int]] = []
        if known and text.startswith(b"#!") and not text.startswith(b"#!["):
            self._boundary = text.find(b"\n") + 1 or len(text)

    def read(self, limit: int) -> None:
        at = self._boundary or 0
        while (match := _TOKEN.search(self._text, at)) is not None and match.start() < limit:
            name = match.lastgroup
            at = match.end()
            if name == "bad":
                raise LexDoubt("an open literal")
            if name in ("nest", "c"):
                at = nested_comment(self._text, match.start()) if name == "nest" else at
                self._comments.append((match.start(), at))
            elif name == "raw":
                at = LEXICONS["rust"].special["raw"](self._text, match.start())
            elif name == "bracket":
                self._bracket(match)
            elif name == "use":
                at = self._use(match.start()) or at

    def _end_item(self, at: int) -> None:
        self._boundary = at
        self._comments.clear()

    def _bracket(self, match: re.Match[bytes]) -> None:
        found = match.group()
        if found == b";":
            if not self._open or self._open[-1] == "mod":
                self._end_item(match.end())
            return
        if found in (b"(", b"["):
            self._open.append("(")
        elif found == b"{":
            form = _CUT_MODULE if self._boundary is None else _MODULE
            module = bool(form.search(self._since(match.start()))) and all(one == "mod" for one in self._open)
            self._open.append("mod" if module else "{")
            if module:
                self._end_item(match.end())
        else:
            if self._open:
                self._open.pop()
            elif self._known:
                raise LexDoubt("a bracket that closes nothing")
            in_module = not self._open or self._open[-1] == "mod"
            inner_attribute = found == b"]" and self._since(match.end()).lstrip()[:2] == b"#!"
            if in_module and (found == b"}" or inner_attribute):
                self._end_item(match.end())

    def _since(self, end: int) -> bytes:
        """Return the code since the last item ended, without comments."""
        parts = []
        at = self._boundary or 0
        for begin, behind in self._comments:
            parts.append(self._text[at:begin])
            at = behind
        parts.append(self._text[at:end])
        return b"".join(parts)

    def _use(self, start: int) -> int | None:
        match = _USE.match(self._text, start)
        if match is None:
            return None
        documented = any(_is_doc(self._text[begin:end]) for begin, end in self._comments)
        in_module = all(one == "mod" for one in self._open)
        if not self._known and not self._open:
            in_module = self._text[start - 1 : start] in (b"\n", b"")
        bindings = _tree(match[1])
        plain = (
            self._boundary is not None
            and in_module
            and not self._since(start).strip()
            and not documented
            and bool(bindings)
            and stands_alone(self._text, start, match.end())
        )
        self.out.append(Statement(start, match.end(), plain, tuple(bindings or ())))
        if not self._open or self._open[-1] == "mod":
            self._end_item(match.end())
        return match.end()


def _is_doc(comment: bytes) -> bool:
    """Tell whether a comment documents the item below."""
    return (comment[:3] == b"///" and comment[3:4] != b"/") or (
        comment[:3] == b"/**" and comment[3:4] not in (b"*", b"/")
    )


def _tree(text: bytes) -> list[Binding] | None:
    """Return what a use tree binds; None where it is of another form or binds a trait without a name."""
    words: list[str] = []
    at = 0
    while at < len(text):
        match = _PATH_PART.match(text, at)
        if match is None:
            return None
        words.append(text_of(match[1] or match[2] or match[3] or match[4]))
        at = match.end()
    out: list[Binding] = []
    try:
        end = _branch(words, 0, "", out, 0)
    except (IndexError, ValueError):
        return None
    return out if end == len(words) and all(map(is_plain, words)) else None


def _branch(words: list[str], at: int, base: str, out: list[Binding], depth: int) -> int:
    """Read one branch of a use tree from `words[at]`; return the index behind it.

    Raises:
        ValueError: the tree has another form.
        IndexError: it ends too early.
    """
    if depth > _MAX_NESTING:
        raise ValueError("nested too deep")
    path = base
    if words[at] == "::":
        path, at = path + "::", at + 1
    while True:
        word = words[at]
        if word == "{":
            return _braces(words, at + 1, path, out, depth)
        if word == "*":
            out.append(Binding("*", f"{path}*"))
            return at + 1
        if word in ("::", "}", ","):
            raise ValueError("a path part is missing")
        if words[at + 1 : at + 2] == ["::"]:
            path, at = f"{path}{word}::", at + 2
            continue
        origin = path.removesuffix("::") if word == "self" and path else path + word
        name = origin.rsplit("::", 1)[-1]
        at += 1
        if words[at : at + 1] == ["as"]:
            name, at = words[at + 1], at + 2
            if name == "_" or not name.isidentifier():
                raise ValueError("no name is bound")
        out.append(Binding(name, origin))
        return at


def _braces(words: list[str], at: int, path: str, out: list[Binding], depth: int) -> int:
    while words[at] != "}":
        at = _branch(words, at, path, out, depth + 1)
        if words[at] == ",":
            at += 1
        elif words[at] != "}":
            raise ValueError("a comma is missing")
    return at + 1

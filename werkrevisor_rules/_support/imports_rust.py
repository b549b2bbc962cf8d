"""The private `use` declarations of Rust at module level."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.import_sweep import BLANK, HEADER, Change, Sweep
from werkrevisor_rules._support.lexing import LEXICONS, LexDoubt, nested_comment
from werkrevisor_rules._support.space import SPACE
from werkrevisor_rules._support.statements import ANY_CHANGE, Statement, assumed_prefix, is_plain, stands_alone, text_of

_CONTEXT: Final = 32
_INNER: Final = (b"#!", b"//!", b"/*!")
"""With what attributes and documentation begin that belong to what they stand in, and must come first there."""
_LONGEST_HEAD: Final = 4096
_MAX_NESTING: Final = 30
_TOKEN: Final = lazy(
    rb"(?P<c>//[^\n]*)|(?P<nest>/\*)"
    rb'|(?P<raw>(?<![0-9A-Za-z_])[bc]?r#*")'
    rb"|(?P<l>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]+|\\[^\n][^'\n]*)')"
    rb"|(?P<skip>'[A-Za-z_])"
    rb"|(?P<bracket>[(){}\[\];])"
    rb"|(?P<use>(?<![\w#\x80-\xff])use(?=[ \t\r\n:{]))"
    rb"|(?P<bad>[\"'])",
    re.DOTALL,
)
_USE: Final = lazy(rb"use(?![\w\x80-\xff])([\w\x80-\xff:{}, \t\r\n*]+);")
_MODULE: Final = lazy(rb"(?:\A|\])\s*(?:pub(?:\([^()]*\))?\s+)?mod\s+[A-Za-z_]\w*\s*\Z")
_CUT_MODULE: Final = lazy(rb"(?:\A|\]|\n)(?:pub(?:\([^()]*\))?\s+)?mod\s+[A-Za-z_]\w*\s*\Z")
_PATH_PART: Final = lazy(rb"[ \t\r\n]*(?:([A-Za-z_\x80-\xff][\w\x80-\xff]*)|(\*)|([{},])|(::))[ \t\r\n]*")
_HEADING: Final = lazy(rb"(?:use|(?:pub(?:\([^)]*\))? +)?(?:use|mod)|extern)\b")
_CLOSED: Final = lazy(rb".*[;}]\s*\Z", re.DOTALL)

_NEVER: Final = lazy(rb"\n[+-][\w:{}, \t\r*;\x80-\xff]*+[^\w:{}, \t\r*;\x80-\xff\n]")

_PLAIN: Final = rb"[A-Za-z_]\w*+"
_ITEM: Final = (
    rb"(?!self\b)" + _PLAIN + rb"(?:::(?!self\b)" + _PLAIN + rb")*+(?:[ \t]++as[ \t]++(?!_\b)" + _PLAIN + rb")?+"
)
_LINE: Final = (
    rb"use[ \t]++((?:::)?+(?:" + _PLAIN + rb"::)*+"
    rb"(?:\*|\{[ \t]*+" + _ITEM + rb"(?:[ \t]*+,[ \t]*+" + _ITEM + rb")*+[ \t]*+(?:,[ \t]*+)?+\}|" + _ITEM + rb"))"
    rb"[ \t]*+;[ \t]*+(?=\n)"
)
_SHAPE: Final = lazy(
    rb"(?:(?:@@ -1(?:,[1-9]\d*+)?+ \+1(?:,[1-9]\d*+)?+ @@ ?\n|"
    + HEADER
    + rb"(?: (?:use|(?:pub(?:\([^)\n]*\))? +)?(?:use|mod)|extern)\b[^\n*\"`]*+| ?)\n(?:"
    + BLANK
    + rb")*+ use[ \t][\w:{}, \t*]*+;[ \t]*+\n)"
    rb"(?:[ +-]use[ \t][\w:{}, \t*]++;[ \t]*+\n|" + BLANK + rb")*+(?: (?![ \t]*+(?:#!|//!|/\*!))[^\n]*+\n)*+)+"
)
_CHANGE: Final = lazy(rb"\n([+-])(" + _LINE + rb")")


def _bound_by(change: Change) -> list[Binding]:
    """Return what a changed line with at most one list binds."""
    base, brace, items = change[2].decode().partition("{")
    parts = items.rstrip("} \t").split(",") if brace else [base]
    paths = [part.split() for part in parts if part.strip()]
    return [Binding(words[-1].rpartition("::")[2], (base if brace else "") + words[0]) for words in paths]


class RustImports:
    """`use a::b;`, `use a::{b, c as d};`, nested and with wildcards, where they stand in a module."""

    sweep = Sweep(_SHAPE, _CHANGE, _bound_by)
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
        return None if any(line[1:].lstrip().startswith(_INNER) for line in lines[last + 1 :]) else out

    def never(self, text: bytes) -> re.Pattern[bytes]:
        """Find a changed line with a character that no `use` has."""
        return _NEVER if b"use" in text else ANY_CHANGE

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

    def disturbs(
        self,
        text: bytes,  # noqa: ARG002 (one protocol)
        statements: Sequence[Statement],  # noqa: ARG002
        touched: Sequence[Statement],  # noqa: ARG002
    ) -> bool:
        """Say no: what matters here decides already whether a statement is plain."""
        return False

    def wakes(self, lines: Sequence[bytes], *, whole: bool) -> bool:  # noqa: ARG002 (one protocol)
        """Say no: nothing in this language counts only at the head of a file."""
        return False


class _Reader:
    """Walks over a text, with the open brackets and what has been read since the last item ended."""

    def __init__(self, text: bytes, *, known: bool) -> None:
        self.out: list[Statement] = []
        self._text = text
        self._known = known
        self._open: list[bool] = []  # per open bracket: whether it opens a module
        self._foreign = 0  # how many of them open something else
        self._boundary: int | None = 0 if known else None
        self._comments: list[tuple[int, int]] = []
        self._begun = False  # whether an item stands before in the file or module
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
                self._check_inner(match.start())
            elif name == "raw":
                at = LEXICONS["rust"].special["raw"](self._text, match.start())
            elif name == "bracket":
                self._bracket(match)
            elif name == "use":
                at = self._use(match.start()) or at

    def _check_inner(self, start: int) -> None:
        """Take nothing for understood where what must come first stands below an item."""
        if self._begun and self._in_module() and self._text.startswith(_INNER, start):
            self.out.clear()
            raise LexDoubt("an inner attribute or documentation below an item")

    def _end_item(self, at: int, *, begun: bool = True) -> None:
        self._begun = begun
        self._boundary = at
        self._comments.clear()

    def _in_module(self) -> bool:
        return not self._foreign

    def _bracket(self, match: re.Match[bytes]) -> None:
        found = match.group()
        if found == b";":
            if self._in_module():
                self._end_item(match.end())
        elif found in (b"(", b"["):
            if found == b"[" and self._text[match.start() - 1 : match.start()] == b"!":
                self._check_inner(match.start() - 2)
            self._push(module=False)
        elif found == b"{":
            form = _CUT_MODULE if self._boundary is None else _MODULE
            module = self._in_module() and form.search(self._since(match.start())) is not None
            self._push(module=module)
            if module:
                self._end_item(match.end(), begun=False)
        else:
            self._close(found, match.end())

    def _push(self, *, module: bool) -> None:
        self._open.append(module)
        self._foreign += not module

    def _close(self, found: bytes, end: int) -> None:
        if self._open:
            self._foreign -= not self._open.pop()
        elif self._known:
            raise LexDoubt("a bracket that closes nothing")
        if self._in_module() and found == b"}":
            self._end_item(end)
        elif self._in_module() and found == b"]" and self._since(end).lstrip()[:2] == b"#!":
            self._end_item(end, begun=self._begun)

    def _since(self, end: int) -> bytes:
        """Return the code since the last item ended, without comments; only the begin of what is very long."""
        at = self._boundary or 0
        end = min(end, at + _LONGEST_HEAD)
        parts = []
        for begin, behind in self._comments:
            if begin >= end:
                break
            parts.append(self._text[at:begin])
            at = behind
        parts.append(self._text[at:end])
        return b"".join(parts)

    def _use(self, start: int) -> int | None:
        match = _USE.match(self._text, start)
        if match is None:
            return None
        bindings = _tree(match[1])
        plain = bool(bindings) and self._stands_free(start) and stands_alone(self._text, start, match.end())
        self.out.append(Statement(start, match.end(), plain, tuple(bindings or ())))
        if self._in_module():
            self._end_item(match.end())
        return match.end()

    def _stands_free(self, start: int) -> bool:
        """Tell whether an item may begin here, with no attribute or documentation above."""
        if self._boundary is None or start - self._boundary > _LONGEST_HEAD or not self._in_module():
            return False
        if not self._known and not self._open and self._text[start - 1 : start] not in (b"\n", b""):
            return False
        documented = any(_is_doc(self._text[begin : begin + 4]) for begin, _ in self._comments)
        return not documented and not self._since(start).strip()


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

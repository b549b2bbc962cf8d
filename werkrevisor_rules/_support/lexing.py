"""Finds what is no code in a source text: comments and literals, language by language.

A text is taken to begin in code. What cannot be told for sure raises `LexDoubt`, and the caller
must then take the text for not understood. Every scan is one pass of a compiled regex over the
text; no pattern here can take more than linear time per token.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

COMMENT: Final = "comment"
LITERAL: Final = "literal"

_MAX_NESTING: Final = 50


class LexDoubt(ValueError):
    """The text has a place where this reader cannot tell code from comment or literal."""


@frozen
class Regions:
    """The parts of a text that are no code, in order: parallel lists of begin, end and kind."""

    starts: list[int]
    ends: list[int]
    kinds: list[str]

    def at(self, position: int) -> int:
        """Return the index of the region that holds the byte at `position`, -1 for code.

        A position at the begin of a region lies in it, one at its end does not.
        """
        index = bisect_right(self.starts, position) - 1
        return index if index >= 0 and position < self.ends[index] else -1

    def inside(self, position: int) -> int:
        """Return the index of the region that begins before `position` and goes on there, else -1."""
        index = self.at(position)
        return index if index >= 0 and self.starts[index] < position else -1


@frozen
class Lexicon:
    """The lexical rules of one family of languages.

    Args:
        tokens: one regex whose group names say what was found: `c` a whole comment, `l` a whole
            literal, `bad` an opener that is not closed where it must be, `skip` code that only looks like
            an opener, any other name a key of `special`.
        special: scanners for what a regex cannot follow; each returns the end of the token.
        special_kinds: the kind of region that each special token makes.
        multiline: bytes one of which must occur in a text where a literal spans lines.
        quotes: bytes one of which must occur on a line that holds any literal or comment.
        hazard: what makes a text of this language not understood wherever it stands.
    """

    tokens: re.Pattern[bytes]
    multiline: tuple[bytes, ...]
    quotes: re.Pattern[bytes]
    special: Mapping[str, Callable[[bytes, int], int]] = {}
    special_kinds: Mapping[str, str] = {}
    hazard: re.Pattern[bytes] | None = None

    def may_span(self, text: bytes) -> bool:
        """Tell whether a literal in this text could go over a line end."""
        return any(mark in text for mark in self.multiline)

    def regions(self, text: bytes) -> Regions:
        """Find comments and literals.

        Raises:
            LexDoubt: a comment or literal is not closed, or the text is otherwise not understood.
        """
        starts: list[int] = []
        ends: list[int] = []
        kinds: list[str] = []
        search = self.tokens.search
        at = 0
        while (match := search(text, at)) is not None:
            name = match.lastgroup or "bad"
            start, at = match.span()
            if name == "skip":
                continue
            if name == "bad":
                raise LexDoubt(f"an open comment or literal at byte {start}")
            if name in self.special:
                at = self.special[name](text, start)
            starts.append(start)
            ends.append(at)
            kinds.append(COMMENT if name == "c" else self.special_kinds.get(name, LITERAL))
        return Regions(starts, ends, kinds)


_NEST: Final = lazy(rb"/\*|\*/")


def nested_comment(text: bytes, start: int) -> int:
    """Return the end of a block comment that may hold others.

    Raises:
        LexDoubt: it is not closed.
    """
    depth = 0
    for match in _NEST.finditer(text, start):
        depth += 1 if match.group() == b"/*" else -1
        if not depth:
            return match.end()
    raise LexDoubt(f"an open comment at byte {start}")


def _raw_cpp(text: bytes, start: int) -> int:
    """Return the end of a C++ raw string; `start` is its prefix."""
    quote = text.index(b'"', start)
    paren = text.find(b"(", quote, quote + 18)
    if paren < 0:
        raise LexDoubt(f"a raw string without its parenthesis at byte {start}")
    closer = b")" + text[quote + 1 : paren] + b'"'
    end = text.find(closer, paren)
    if end < 0:
        raise LexDoubt(f"an open raw string at byte {start}")
    return end + len(closer)


_RUST_RAW: Final = lazy(rb'[bc]?r(#*)"')


def _raw_rust(text: bytes, start: int) -> int:
    match = _RUST_RAW.match(text, start)
    if match is None:  # pragma: no cover (the caller has matched the same text)
        raise LexDoubt("a raw string that is none")
    closer = b'"' + match[1]
    end = text.find(closer, match.end())
    if end < 0:
        raise LexDoubt(f"an open raw string at byte {start}")
    return end + len(closer)


_RAW_OPENS: Final = lazy(rb'\$*("{3,})')


def _raw_csharp(text: bytes, start: int) -> int:
    """Return the end of a C# raw string of three or more quotes."""
    match = _RAW_OPENS.match(text, start)
    if match is None:  # pragma: no cover (the caller has matched the same text)
        raise LexDoubt("a raw string that is none")
    end = text.find(match[1], match.end())
    if end < 0:
        raise LexDoubt(f"an open raw string at byte {start}")
    end += len(match[1])
    while text[end : end + 1] == b'"':
        end += 1
    return end


_KOTLIN_PART: Final = lazy(rb'\\.|\$\{|"""|["\n]', re.DOTALL)
_KOTLIN_RAW_PART: Final = lazy(rb'\$\{|"""+')
_KOTLIN_CODE: Final = lazy(rb'[{}]|//|/\*|"""|"|\'(?:[^\'\\\n]|\\[^\n])+\'|\'')


def kotlin_string(text: bytes, start: int) -> int:
    """Return the end of a Kotlin string, raw or not, with its templates and what they nest.

    Raises:
        LexDoubt: it is not closed, or nests too deep.
    """
    return _kotlin_string(text, start, 0)


def _kotlin_string(text: bytes, start: int, depth: int) -> int:
    if depth > _MAX_NESTING or text[start - 1 : start] == b"$":
        raise LexDoubt("strings nested too deep, or a string of several dollars")
    raw = text.startswith(b'"""', start)
    parts = _KOTLIN_RAW_PART if raw else _KOTLIN_PART
    at = start + (3 if raw else 1)
    while (match := parts.search(text, at)) is not None:
        at = match.end()
        found = match.group()
        if found == b"${":
            at = _kotlin_template(text, at, depth)
        elif found == b"\n":
            break
        elif raw or found == b'"':
            return at
        elif found == b'"""':  # the end of the string, and an empty one
            return at - 2
    raise LexDoubt(f"an open string at byte {start}")


def _kotlin_template(text: bytes, at: int, depth: int) -> int:
    """Return the index behind the brace that closes a `${`."""
    open_braces = 1
    while (match := _KOTLIN_CODE.search(text, at)) is not None:
        found = match.group()
        at = match.end()
        if found == b"{":
            open_braces += 1
        elif found == b"}":
            open_braces -= 1
            if not open_braces:
                return at
        elif found[:1] == b'"':
            at = _kotlin_string(text, match.start(), depth + 1)
        elif found[:1] != b"'" or len(found) < 3:
            raise LexDoubt(f"a comment or an open character inside a template at byte {match.start()}")
    raise LexDoubt("an open template")


def _tokens(*alternatives: bytes) -> re.Pattern[bytes]:
    return lazy(b"|".join(alternatives), re.DOTALL)


_LINE: Final = rb"//[^\n]*"
_BLOCK: Final = rb"/\*.*?\*/"
_STRING: Final = rb'"(?:[^"\\\n]|\\.)*"'
_CHAR: Final = rb"'(?:[^'\\\n]|\\.)*'"

_C_LIKE: Final = Lexicon(
    _tokens(
        rb"(?P<c>//(?:[^\\\n]|\\\r?\n|\\)*|" + _BLOCK + rb")",
        rb'(?P<raw>\b(?:u8|[uUL])?R")',
        rb"(?P<l>" + _STRING + rb"|(?:(?<![0-9A-Za-z_])|(?<=\bL)|(?<=\bu)|(?<=\bU)|(?<=\bu8))" + _CHAR + rb")",
        rb"(?P<skip>(?<![0-9A-Za-z_.])[0-9][0-9A-Za-z_.]*+(?:'[0-9A-Za-z_.]++)++)",
        rb"(?P<bad>/\*|[\"'])",
    ),
    (b'R"', b"\\\n", b"\\\r\n", b"\\ ", b"\\\t", b"??/"),
    lazy(rb"[\"']|//|/\*|\?\?/|\\"),
    {"raw": _raw_cpp},
    # A mark that goes over a line end, and a backslash that some compilers see in spite of the space behind it.
    hazard=lazy(rb"\?\?/|[/*R]\\[ \t\r]*\n|//[^\n]*\\[ \t]+\r?\n"),
)
_JAVA: Final = Lexicon(
    _tokens(
        rb"(?P<c>" + _LINE + rb"|" + _BLOCK + rb")",
        rb'(?P<l>"""(?:[^"\\]|\\.|"(?!""))*"""|' + _STRING + rb"|" + _CHAR + rb")",
        rb"(?P<bad>/\*|[\"'])",
    ),
    (b'"""', b"\\u"),
    lazy(rb"[\"']|//|/\*|\\u"),
    hazard=lazy(rb"\\u+00(?:0[aAdD]|2[27aAfF]|5[cC])"),
)
_KOTLIN: Final = Lexicon(
    _tokens(
        rb"(?P<c>" + _LINE + rb")",
        rb"(?P<nest>/\*)",
        rb'(?P<text>")',
        rb"(?P<l>" + _CHAR + rb"|`[^`\n]+`)",
        rb"(?P<bad>[\"'`])",
    ),
    (b'"""', b"${"),
    lazy(rb"[\"'`]|//|/\*"),
    {"nest": nested_comment, "text": kotlin_string},
    {"nest": COMMENT},
)
_GO: Final = Lexicon(
    _tokens(
        rb"(?P<c>" + _LINE + rb"|" + _BLOCK + rb")",
        rb"(?P<l>" + _STRING + rb"|" + _CHAR + rb"|`[^`]*`)",
        rb"(?P<bad>/\*|[\"'`])",
    ),
    (b"`",),
    lazy(rb"[\"'`]|//|/\*"),
)
_RUST: Final = Lexicon(
    _tokens(
        rb"(?P<c>" + _LINE + rb")",
        rb"(?P<nest>/\*)",
        rb'(?P<raw>(?<![0-9A-Za-z_])[bc]?r#*")',
        rb"(?P<l>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]+|\\[^\n][^'\n]*)')",
        rb"(?P<skip>'[A-Za-z_])",
        rb"(?P<bad>[\"'])",
    ),
    (b'"', b"/**", b"/*!"),
    lazy(rb"[\"']|//|/\*"),
    {"nest": nested_comment, "raw": _raw_rust},
    {"nest": COMMENT},
)
_CSHARP: Final = Lexicon(
    _tokens(
        rb"(?P<c>" + _LINE + rb"|" + _BLOCK + rb")",
        rb'(?P<raw>\$*"{3,})',
        rb'(?P<l>@"(?:[^"]|"")*"|\$"(?:[^"\\\n{]|\\.|\{\{)*"|(?<![$@])' + _STRING + rb"|" + _CHAR + rb")",
        rb"(?P<bad>/\*|[\"'])",
    ),
    (b'"""', b'@"', b'@$"', b'$"'),
    lazy(rb"[\"']|//|/\*"),
    {"raw": _raw_csharp},
    hazard=lazy(rb"^[ \t]*#[ \t]*[a-z]", re.MULTILINE),  # what stands there or is left out is no code
)
_JSON: Final = Lexicon(
    # JSON5, which some tools read from such files, has quotes of both kinds and goes on behind a backslash.
    _tokens(
        rb"(?P<c>" + _LINE + rb"|" + _BLOCK + rb")",
        rb"(?P<l>" + _STRING + rb"|" + _CHAR + rb")",
        rb"(?P<bad>/\*|[\"'])",
    ),
    (b"\\\n", b"\\\r\n"),
    lazy(rb"[\"']|//|/\*"),
)

LEXICONS: Final[Mapping[str, Lexicon]] = {
    "c": _C_LIKE,
    "java": _JAVA,
    "kotlin": _KOTLIN,
    "go": _GO,
    "rust": _RUST,
    "csharp": _CSHARP,
    "json": _JSON,
}
"""Family -> lexical rules; ECMAScript has its own module, since its slashes need more than a regex."""

FAMILIES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl", "proto"), "c"
    ),
    "java": "java",
    **dict.fromkeys(("kt", "kts"), "kotlin"),
    "go": "go",
    "rs": "rust",
    "cs": "csharp",
    **dict.fromkeys(("json", "jsonc"), "json"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"), "ecmascript"),
}
"""Extension -> family of the file types whose lexical rules are known here."""

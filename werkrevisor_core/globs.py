"""Matches paths against many globs with the meaning that `.gitignore` gives them.

A glob without a slash (but at its end) matches at any depth, with one it starts at the root. A glob
that matches a folder matches all below it; one that ends in a slash matches nothing but folders.
`*` and `?` stop at slashes, `**` does not. A glob cannot be negated, since sets of globs only grow.

All globs are compiled into one automaton of google-re2, so neither a glob nor a path can make a
match slow, and a path costs one look-up however many globs there are. Paths may hold anything: a
newline is a character like others, and a byte that is not UTF-8 is matched as U+FFFD.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from attrs import define, field

from werkrevisor_core.records import frozen

MAX_LENGTH: Final = 4096
"""Longest glob in characters; longer ones are refused."""

_MEMORY: Final = 64 << 20
_CLASSES: Final = {
    # Without the slash, which a bracket never matches.
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-.0-~",
    "lower": "a-z",
    "print": " -.0-~",
    "punct": r"!-.:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_PLAIN: Final = re.compile(r"[0-9A-Za-z_]+")
_POSIX: Final = re.compile(r"\[:([a-z]+):\]")


class GlobFault(ValueError):
    """A glob means nothing; the message goes behind the name of its config key."""


def fold(path: str) -> str:
    """Return the path with composed characters (NFC) and without the difference of case."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def glob_fault(patterns: Sequence[str]) -> str | None:
    """Return what is wrong with the first glob that means nothing, or None; fit for `setting(check=...)`."""
    for pattern in patterns:
        try:
            translate(pattern)
        except GlobFault as fault:
            return str(fault)
    return None


@lru_cache(maxsize=2048)
def translate(pattern: str, *, folded: bool = False) -> str:
    """Return the google-re2 pattern that finds the paths which a glob matches.

    Args:
        pattern: the glob.
        folded: whether it will be searched in paths that went through `fold`.

    Raises:
        GlobFault: the glob is empty, a comment, negated, or not well formed.
    """
    text = _stripped(pattern)
    if fault := _refusal(text):
        raise GlobFault(f"has an invalid glob {pattern!r} ({fault})")
    folder_only = text.endswith("/")
    parts = text.removesuffix("/").split("/")
    if parts[0] == "" and len(parts) > 1:
        del parts[0]
    elif len(parts) == 1:
        parts.insert(0, "**")
    try:
        return "(?s)^" + _joined(parts, folder_only=folder_only, folded=folded)
    except GlobFault as fault:
        raise GlobFault(f"has an invalid glob {pattern!r} ({fault})") from None


def _stripped(pattern: str) -> str:
    """Drop blanks at the end, as git does, unless a backslash keeps them."""
    while pattern.endswith(" ") and not pattern.endswith("\\ "):
        pattern = pattern[:-1]
    return pattern


def _refusal(text: str) -> str | None:
    if not text.strip("/"):
        return "it matches nothing"
    if text[0] == "#":
        return r"it is a comment; write \# for a name that begins with #"
    if text[0] == "!":
        return r"a glob cannot be negated; write \! for a name that begins with !"
    if len(text) > MAX_LENGTH:
        return f"it is longer than {MAX_LENGTH} characters"
    if any("\ud800" <= char <= "\udfff" for char in text):
        return "it is not valid text"
    return None


def _joined(parts: list[str], *, folder_only: bool, folded: bool) -> str:
    out = []
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part in ("", ".", ".."):
            raise GlobFault("no path has such a part between its slashes")
        if part != "**":
            out.append(_segment(part, folded=folded))
            out.append("/" if folder_only or not last else r"(?:/|\z)")
        elif not last:
            out.append("(?:.+/)?")
        elif folder_only:
            out.append(".+/")
    return "".join(out)


def _segment(part: str, *, folded: bool) -> str:
    text = unicodedata.normalize("NFC", part) if folded else part
    out = []
    at = 0
    while at < len(text):
        if plain := _PLAIN.match(text, at):
            out.append(plain[0].lower() if folded else plain[0])
            at = plain.end()
            continue
        char = text[at]
        at += 1
        if char == "*":
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            body, at = _bracket(text, at)
            out.append(f"(?i:{body})" if folded else body)
        else:
            if char == "\\":
                if at == len(text):
                    raise GlobFault("nothing follows its backslash")
                char = text[at]
                at += 1
            out.append("".join(map(_literal, fold(char) if folded else char)))
    return "".join(out)


def _literal(char: str) -> str:
    return char if char.isalnum() or char == "_" else f"\\x{{{ord(char):x}}}"


def _bracket(text: str, at: int) -> tuple[str, int]:
    """Translate the bracket whose inside starts at `at`; return it and the index behind it."""
    negated = text[at : at + 1] in ("!", "^")
    start = at = at + negated
    out: list[str] = []
    while at < len(text):
        if text[at] == "]" and at > start:
            inside = "".join(out)
            return (f"[^/{inside}]" if negated else f"[{inside}]"), at + 1
        if posix := _POSIX.match(text, at):
            if posix[1] not in _CLASSES:
                raise GlobFault(f"it has no class of characters [:{posix[1]}:]")
            out.append(_CLASSES[posix[1]])
            at = posix.end()
            continue
        low, at = _one(text, at)
        high = low
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in ("", "]"):
            high, at = _one(text, at + 1)
        out.append(_span(low, high))
    raise GlobFault("its bracket is not closed")


def _one(text: str, at: int) -> tuple[str, int]:
    if text[at] != "\\":
        return text[at], at + 1
    if at + 1 == len(text):
        raise GlobFault("nothing follows its backslash")
    return text[at + 1], at + 2


def _span(low: str, high: str) -> str:
    if low > high:
        raise GlobFault(f"its range {low}-{high} runs backwards")
    # A bracket never matches the slash, and neither end can be one, since a slash ends the part.
    spans = [(low, "."), ("0", high)] if low < "/" < high else [(low, high)]
    return "".join(f"\\x{{{ord(first):x}}}-\\x{{{ord(last):x}}}" for first, last in spans)


@define
class _Automaton:
    """The globs as one set of google-re2, built when first asked.

    The set holds one more expression that matches everything. Where a look-up does not even report
    that one, google-re2 ran out of memory, and the expressions are tried one by one instead.
    """

    patterns: tuple[str, ...]
    folded: bool = False

    @cached_property
    def expressions(self) -> tuple[str, ...]:
        """The globs, translated.

        Raises:
            GlobFault: one of them means nothing.
        """
        return tuple(translate(pattern, folded=self.folded) for pattern in self.patterns)

    @cached_property
    def _options(self) -> Any:  # noqa: ANN401 (google-re2 has no types)
        import re2  # noqa: PLC0415 (costs milliseconds, and a review may have no glob)

        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.max_mem = _MEMORY
        return options

    @cached_property
    def _set(self) -> Any:  # noqa: ANN401 (google-re2 has no types)
        import re2  # noqa: PLC0415

        built = re2.Set.SearchSet(self._options)
        for expression in (*self.expressions, ""):
            built.Add(expression)
        built.Compile()
        return built

    @cached_property
    def _single(self) -> tuple[Any, ...]:
        import re2  # noqa: PLC0415

        return tuple(re2.compile(expression, self._options) for expression in self.expressions)

    def first(self, text: str) -> int | None:
        """Return the index of the first expression found in `text`, or None."""
        found: list[int] = self._set.Match(text)
        if not found:
            return next((index for index, one in enumerate(self._single) if one.search(text)), None)
        index = found[0] if len(found) == 1 else min(found)
        return None if index == len(self.expressions) else index


@frozen
class Globs:
    """Globs that are compiled once and matched often.

    Args:
        patterns: the globs, in the order in which a match names them.
        folded: whether a path matches also after NFC and case folding of both sides.

    Raises:
        GlobFault: one of them means nothing.
    """

    patterns: tuple[str, ...]
    folded: bool = False
    _exact: _Automaton = field(init=False, repr=False, eq=False)
    _loose: _Automaton | None = field(init=False, repr=False, eq=False)
    _fits: bool = field(init=False, repr=False, eq=False)

    @_exact.default
    def _build_exact(self) -> _Automaton:
        return _Automaton(self.patterns)

    @_loose.default
    def _build_loose(self) -> _Automaton | None:
        return _Automaton(self.patterns, folded=True) if self.folded else None

    def __attrs_post_init__(self) -> None:
        """Translate the globs once now, which tells every fault."""
        _ = (self._loose or self._exact).expressions

    @_fits.default
    def _build_fits(self) -> bool:
        # Then what matches an ASCII path as it stands matches it in lower case as well.
        return not any("[" in pattern for pattern in self.patterns)

    def match(self, path: str) -> str | None:
        """Return the text of the first glob that matches a path, or None.

        Args:
            path: as git has it, decoded with `surrogateescape`; never with a leading slash.
        """
        index = self.first(path)
        return None if index is None else self.patterns[index]

    def first(self, path: str) -> int | None:
        """Return the index of the first glob that matches a path, or None."""
        if not self.patterns:
            return None
        if path.isascii():
            if self._loose is None:
                return self._exact.first(path)
            if self._fits:
                return self._loose.first(path.lower())
            text = path
        else:
            text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        found = [self._exact.first(text)]
        if self._loose is not None:
            found.append(self._loose.first(fold(text)))
        return min((index for index in found if index is not None), default=None)

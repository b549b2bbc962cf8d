"""Splits shell text into its commands and tells for each whether its failure fails the whole.

No shell is run and nothing is expanded. Quotes, comments, here-documents and continued lines are
understood; of control flow so much that a condition, a `||`, a pipe or an early `exit` is seen.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening_config.tree import MAX_DEPTH, MAX_TEXT, UnreadableConfig

_TOKEN: Final = lazy(
    r"(?P<space>[ \t\r]+|\\\n)"
    r"|(?P<comment>(?<![^\s;&|()])\#[^\n]*)"
    r"|(?P<operator>\n|;;|;|&&|\|\||\|&|&(?!>)|\||\(|\))"
    r"|(?P<redirection>\d*(?:<<-?|>>|>&|<&|&>|>|<)[ \t]*)"
    r"|(?P<word>(?:\$\{\{[^\n{}]*\}\}|\$(?!\()|'[^']*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\\.|[^\s;&|()<>'\"`\\$])+|\$\()",
    re.DOTALL,
)
_BRACKET: Final = lazy(r"[()]")
_QUOTE: Final = lazy(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_OPENING: Final = frozenset({"if", "while", "until", "elif", "!"})
_GOING_ON: Final = frozenset({"then", "do", "else", "{", "time", "elif", "if", "while", "until", "!"})
_CLOSING: Final = frozenset({"fi", "done", "esac", "}"})
_FAILS: Final = lazy(r"false|exit(?: (?!0\b).*)?|return (?!0\b).*")
_NEVER: Final = lazy(r"(?:^| and )(?:false|\[ 1 = 0 \]|not \((?:true|:)\))(?:$| and )")
_LONGEST_GROUP: Final = 50
_SHOWN: Final = 200
_ENDS_BY_STATUS: Final = lazy(r"exit\s+\"?\$|PIPESTATUS")


@frozen
class Command:
    """One simple command: its words without quotes, its 1-based line, and what keeps its failure from counting.

    `ignored` says in the text's own words why a failure does not count, empty where it counts;
    `condition` is the condition under which it runs; `again` whether it is run once more on failure.
    """

    words: tuple[str, ...]
    line: int
    ignored: str = ""
    condition: str = ""
    again: bool = False


@define
class _Part:
    """A command as it stands between two operators."""

    words: list[str] = field(factory=list)
    line: int = 0
    operator: str = ""
    depth: int = 0
    condition: str = ""
    asked: str = ""


def commands(text: str, line: int = 1, *, stops: bool = True, pipefail: bool = False) -> tuple[Command, ...]:
    """Return the commands of a shell text in order.

    Args:
        text: the text.
        line: the line at which it begins.
        stops: whether the shell ends at the first failure (`-e`).
        pipefail: whether a pipe fails where any of its commands does.

    Raises:
        UnreadableConfig: the text is too long or has a quote that is not closed.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    parts = _Splitter(line).split(text)
    pipefail = pipefail or any(part.words[:1] == ["set"] and "pipefail" in part.words for part in parts)
    return tuple(_judged(parts, stops=stops or _ENDS_BY_STATUS.search(text) is not None, pipefail=pipefail))


def unquoted(word: str) -> str:
    """Return a word as the command gets it, without its quotes."""
    return _QUOTE.sub(lambda match: next(group for group in match.groups() if group is not None), word)


class _Splitter:
    """Collects words into parts and follows the nesting of control flow."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._parts: list[_Part] = []
        self._part = _Part()
        self._conditions: list[str] = []
        self._asking = ""

    def split(self, text: str) -> list[_Part]:
        at, awaited = 0, None
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise UnreadableConfig(f"line {self._line}: a quote is not closed")
            kind, token = str(found.lastgroup), found.group(0)
            at = found.end()
            if kind == "redirection":
                target = _TOKEN.match(text, at)
                if target is not None and target.lastgroup == "word":
                    at = target.end()
                    awaited = unquoted(target.group(0)) if "<<" in token else awaited
            elif kind == "word":
                at = self._word(text, at, token)
            elif kind == "operator":
                self._operator(token)
                if awaited is not None and found.group(0) == "\n":
                    at = self._here_document(text, at, awaited)
                    awaited = None
            if kind != "word":
                self._line += token.count("\n")
        self._operator("\n")
        return self._parts

    def _here_document(self, text: str, at: int, end: str) -> int:
        found = re.compile(rf"^[ \t]*{re.escape(end)}[ \t]*$", re.MULTILINE).search(text, at)
        stop = found.end() if found else len(text)
        self._line += text.count("\n", at, stop)
        return stop

    def _word(self, text: str, at: int, part: str) -> int:
        """Add a word of which `part` is the beginning; what a substitution holds is a part of it."""
        if not self._part.words:
            self._part.line = self._line
        start = at - len(part)
        while True:
            if part == "$(":
                at = self._behind_bracket(text, at)
            found = _TOKEN.match(text, at)
            if found is None or found.lastgroup != "word":
                break
            part, at = found.group(0), found.end()
        self._line += text.count("\n", start, at)
        word = unquoted(text[start:at])
        self._part.words.append(word)
        if len(self._part.words) == 1:
            self._keyword(word)
        return at

    def _behind_bracket(self, text: str, at: int) -> int:
        depth = 1
        for found in _BRACKET.finditer(text, at):
            depth += 1 if found.group(0) == "(" else -1
            if not depth:
                return found.end()
        raise UnreadableConfig(f"line {self._line}: a bracket is not closed")

    def _keyword(self, word: str) -> None:
        if word in _OPENING:
            self._asking = word
        if word in ("if", "while", "until", "{", "for", "case", "select"):
            self._open()
        elif word == "else" and self._conditions:
            self._conditions[-1] = f"not ({self._conditions[-1]})"
        elif word in _CLOSING and self._conditions:
            self._conditions.pop()
        if word in _GOING_ON or word in _CLOSING:
            self._part.words.clear()

    def _open(self) -> None:
        self._conditions.append("")
        if len(self._conditions) > MAX_DEPTH:
            raise UnreadableConfig(f"line {self._line}: it is nested too deeply")

    def _operator(self, mark: str) -> None:
        part = self._part
        if mark == "(":
            # A subshell, or the brackets of a function's name.
            if part.words:
                part.words.clear()
            self._open()
            return
        if part.words:
            part.operator, part.depth, part.asked = mark, len(self._conditions), self._asking
            part.condition = " and ".join(found for found in self._conditions if found)
            if self._asking in ("if", "elif", "while", "until") and self._conditions:
                self._conditions[-1] = " ".join((self._conditions[-1], *part.words)).strip()[:_SHOWN]
            self._parts.append(part)
            self._part = _Part()
        elif self._parts and mark in ("|", "||", "&&", "&"):
            self._parts[-1].operator = mark
        if mark in ("\n", ";", ";;"):
            self._asking = ""
        if mark == ")" and self._conditions:
            self._conditions.pop()


def _judged(parts: Sequence[_Part], *, stops: bool, pipefail: bool) -> list[Command]:
    found: list[Command] = []
    ends, idle_from = _chains(parts)
    for index, part in enumerate(parts):
        if part.words[0] == "set":
            flags = [word for word in part.words[1:] if word[:1] in ("+", "-") and word[1:2] != "o"]
            stops = (stops or any(word[0] == "-" and "e" in word for word in flags)) and "+e" not in part.words
            continue
        if part.asked:
            ignored, again = f"asked by `{part.asked}`", False
        elif part.operator == "|" and not pipefail and index + 1 < len(parts):
            ignored, again = f"| {_shown(parts[index + 1])}", False
        else:
            ignored, again = _fate(parts, part, ends[index])
            if not ignored and not stops and ends[index] + 1 < idle_from and parts[ends[index]].operator != "||":
                ignored = "the shell goes on after a failure"
        before = parts[index - 1] if index else _Part([""])
        dead = (before.words[0], before.operator) in (("true", "||"), (":", "||"), ("false", "&&"))
        if not dead and not _NEVER.search(part.condition):
            found.append(Command(tuple(part.words), part.line, ignored, part.condition, again))
        if part.words[0] == "exit" and not part.depth and before.operator not in ("&&", "||", "|"):
            break
    return found


def _lead(part: _Part) -> list[str]:
    """Return the program of a command and its verb, where it has one."""
    return list(itertools.takewhile(lambda word: not word.startswith("-"), part.words[:2]))


def _shown(part: _Part) -> str:
    return " ".join(part.words)[:_SHOWN]


def _chains(parts: Sequence[_Part]) -> tuple[list[int], int]:
    """Return where the chain of `&&` and pipes ends that each part stands in, and from where on nothing happens."""
    ends = list(range(len(parts)))
    for index in range(len(parts) - 2, -1, -1):
        if parts[index].operator in ("&&", "|", "|&"):
            ends[index] = ends[index + 1]
    idle_from = len(parts)
    while (
        idle_from and parts[idle_from - 1].words[0] in ("exit", "echo") and parts[idle_from - 1].words != ["exit", "0"]
    ):
        idle_from -= 1
    return ends, idle_from


def _fate(parts: Sequence[_Part], part: _Part, end: int) -> tuple[str, bool]:
    """Return why the failure of a command does not count (empty where it does), and whether it is run again."""
    if parts[end].operator == "&":
        return "&", False
    if parts[end].operator != "||" or end + 1 == len(parts):
        return "", False
    group = [parts[end + 1]]
    for other in parts[end + 2 : end + _LONGEST_GROUP]:
        inside = other.depth > part.depth
        if other.depth < part.depth or (not inside and group[-1].operator not in ("&&", "|")):
            break
        group.append(other)
    if any(_FAILS.fullmatch(_shown(other)) for other in group):
        return "", False
    if any(_lead(other) == _lead(part) for other in group):
        return "", True
    return f"|| {_shown(group[0])}", False

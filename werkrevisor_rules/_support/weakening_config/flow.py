"""Reads flow text, which is JSON, JSON with comments, and the lists and tables in brackets of YAML."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.tree import (
    MAX_DEPTH,
    MAX_TEXT,
    Entry,
    Items,
    Node,
    Scalar,
    Table,
    UnreadableConfig,
)

_YAML_SPACE: Final = lazy(r"(?:[ \t\r\n]|(?<=[ \t\n])#[^\n]*|\A#[^\n]*)*")
_JSON_SPACE: Final = lazy(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_DOUBLE: Final = lazy(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_CONTINUED: Final = lazy(r"\\\n[ \t]*")
_SINGLE: Final = lazy(r"'((?:[^']|'')*)'")
_JSON_PLAIN: Final = lazy(r"[^\s,\[\]{}:/\"']+")
_PLAIN: Final = lazy(r"(?:[^,\[\]{}:#\n]|:(?![\s,\[\]{}])|(?<!\s)#)+")
_PROPERTY: Final = lazy(r"([*&!])([^\s,\[\]{}]*)")
_ESCAPE: Final = lazy(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|\n|.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "e": "\x1b", "a": "\a", "v": "\v"}


def unescaped(text: str) -> str:
    """Return the text of a double-quoted scalar without its escapes."""

    def one(match: re.Match[str]) -> str:
        name = match.group(1)
        if name[0] in "uUx" and len(name) > 1:
            return chr(min(int(name[1:], 16), 0x10FFFF))
        return "" if name[0] == "\n" else _ESCAPES.get(name, name)

    return _ESCAPE.sub(one, text) if "\\" in text else text


def folded_lines(lines: Sequence[str]) -> str:
    """Return the lines of a quoted or plain scalar as one: joined by a blank, a blank line being a line end."""
    out, blanks = lines[0].rstrip(" \t"), 0
    for number, line in enumerate(lines[1:], 2):
        text = line.strip(" \t")
        if not text and number < len(lines):
            blanks += 1
        else:
            out += "\n" * blanks + text if blanks else " " + text
            blanks = 0
    return out


class FlowReader:
    """Reads one flow value after another from a text."""

    def __init__(self, text: str, *, json: bool, anchors: dict[str, Node] | None = None) -> None:
        """Take the text; `json` says which comments it may have, `anchors` are YAML's nodes by name."""
        self._text = text
        self._anchors = {} if anchors is None else anchors
        self._space, self._plain = (_JSON_SPACE, _JSON_PLAIN) if json else (_YAML_SPACE, _PLAIN)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, at: int) -> int:
        """Return the 1-based line of an offset."""
        return bisect_right(self._starts, at)

    def value(self, at: int, depth: int = 0) -> tuple[Node, int]:
        """Return the value at an offset and the offset behind it.

        Raises:
            UnreadableConfig: there is none, or it is nested too deeply.
        """
        if depth > MAX_DEPTH:
            raise UnreadableConfig("it is nested too deeply")
        at = self.skip(at)
        mark = self._text[at : at + 1]
        if mark in ("*", "&", "!") and (found := _PROPERTY.match(self._text, at)):
            return self._property(found, depth)
        if mark == "{":
            return self._table(at, depth)
        if mark == "[":
            return self._list(at, depth)
        return self.scalar(at)

    def _property(self, found: re.Match[str], depth: int) -> tuple[Node, int]:
        """Return what an alias names, or the value behind an anchor or a tag."""
        mark, name = found.group(1), found.group(2)
        if mark == "*":
            if name not in self._anchors:
                raise self.fault(found.start(), f"the alias {name!r} has no anchor above")
            return self._anchors[name], found.end()
        node, at = self.value(found.end(), depth + 1)
        if mark == "&":
            self._anchors[name] = node
        return node, at

    def skip(self, at: int) -> int:
        """Return the offset behind white space and comments."""
        found = self._space.match(self._text, at)
        return found.end() if found else at

    def scalar(self, at: int) -> tuple[Scalar, int]:
        """Return the quoted or plain scalar at an offset and the offset behind it.

        Raises:
            UnreadableConfig: there is none, or its quote is not closed.
        """
        mark = self._text[at : at + 1]
        if mark in ('"', "'"):
            found = (_DOUBLE if mark == '"' else _SINGLE).match(self._text, at)
            if found is None:
                raise self.fault(at, "a quote is not closed")
            lines = (_CONTINUED.sub("", found.group(1)) if mark == '"' else found.group(1)).split("\n")
            text = lines[0] if len(lines) == 1 else folded_lines(lines)
            return Scalar(self.line(at), unescaped(text) if mark == '"' else text.replace("''", "'")), found.end()
        found = self._plain.match(self._text, at)
        if found is None:
            raise self.fault(at, "a value is missing")
        return Scalar(self.line(at), found.group(0).strip()), found.end()

    def fault(self, at: int, why: str) -> UnreadableConfig:
        """Return the error for an offset."""
        return UnreadableConfig(f"line {self.line(at)}: {why}")

    def _list(self, start: int, depth: int) -> tuple[Items, int]:
        items: list[Node] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "]":
            item, at = self.value(at, depth + 1)
            at = self.skip(at)
            if self._text[at : at + 1] == ":":
                # A pair in a list is a table of one.
                value, at = self.value(at + 1, depth + 1)
                item = Table(item.line, (Entry(self._key(item), item.line, value),))
            items.append(item)
            at = self._separator(at, "]")
        return Items(self.line(start), tuple(items)), at + 1

    def _table(self, start: int, depth: int) -> tuple[Table, int]:
        entries: dict[str, Entry] = {}
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "}":
            key, at = self.scalar(at)
            at = self.skip(at)
            value: Node = Scalar(key.line)
            if self._text[at : at + 1] == ":":
                at = self.skip(at + 1)
                if self._text[at : at + 1] not in ",}":
                    value, at = self.value(at, depth + 1)
            if key.text in entries:
                raise self.fault(at, f"the key {key.text!r} stands twice")
            entries[key.text] = Entry(key.text, key.line, value)
            at = self._separator(self.skip(at), "}")
        return Table(self.line(start), tuple(entries.values())), at + 1

    def _key(self, node: Node) -> str:
        if not isinstance(node, Scalar):
            raise UnreadableConfig(f"line {node.line}: a key is no text")
        return node.text

    def _separator(self, at: int, end: str) -> int:
        at = self.skip(at)
        mark = self._text[at : at + 1]
        if mark == ",":
            return self.skip(at + 1)
        if mark != end:
            raise self.fault(at, f"a comma or {end} is missing")
        return at


def read_json(text: str) -> Node:
    """Return what a JSON text says; comments and commas before a bracket's end are allowed.

    Raises:
        UnreadableConfig: it is not valid, too long or nested too deeply.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    reader = FlowReader(text, json=True)
    value, at = reader.value(0)
    if reader.skip(at) != len(text):
        raise reader.fault(at, "text follows the value")
    return value

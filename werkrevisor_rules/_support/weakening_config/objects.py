"""Finds the literal settings in JavaScript and TypeScript: keys of object literals with their plain values.

Nothing is run. A value that is no literal (a call, a variable) is kept as its text, so a change of it is
seen only where the text tells.
"""

import re
from typing import Final

from attrs import define, field

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

_TOKEN: Final = lazy(
    r"(?P<space>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r"|(?P<string>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`)"
    r"|(?P<regex>(?<=[=(,:\[!&|?{};\s])/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,100}\]){1,300}/[a-z]*)"
    r"|(?P<mark>[{}\[\](),:;])"
    r"|(?P<other>[\w$.]+|.)",
    re.DOTALL,
)


@define
class _Open:
    """A bracket that is not closed yet."""

    mark: str
    line: int
    key: str = ""
    key_line: int = 0
    text: list[str] = field(factory=list)
    entries: dict[str, Entry] = field(factory=dict)
    items: list[Node] = field(factory=list)
    waits: bool = False
    value: Node | None = None


def read_objects(text: str) -> Table:
    """Return the object literals of a text as one table; keys outside every object are those of the root.

    Objects that stand in no other object are merged into the root: `export default {...}`,
    `defineConfig({...})` and `module.exports = {...}` read the same.

    Raises:
        UnreadableConfig: it is too long, nested too deeply, or its brackets do not match.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    root = _Open("", 1)
    stack, line = [root], 1
    for found in _TOKEN.finditer(text):
        kind, token = found.lastgroup, found.group(0)
        if kind == "mark":
            _mark(stack, token, line)
        elif token in ("'", '"', "`"):
            raise UnreadableConfig(f"line {line}: a quote is not closed")
        elif kind != "space":
            stack[-1].text.append(_plain(token) if kind == "string" else token)
            if stack[-1].value is None and len(stack[-1].text) == 1:
                stack[-1].line = line
        line += token.count("\n")
    if len(stack) != 1:
        raise UnreadableConfig("its brackets do not match")
    return _closed_table(root)


def _plain(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1])


def _mark(stack: list[_Open], mark: str, line: int) -> None:
    top = stack[-1]
    if mark in "{[(":
        if len(stack) > MAX_DEPTH:
            raise UnreadableConfig("it is nested too deeply")
        stack.append(_Open(mark, line))
    elif mark in ")]}":
        if len(stack) == 1 or "{[(".index(top.mark) != "}])".index(mark):
            raise UnreadableConfig(f"line {line}: a bracket does not match")
        _finish(top)
        stack.pop()
        _take(stack[-1], top)
    elif mark == ":" and top.mark in ("{", "") and not top.waits and len(top.text) == 1:
        top.key, top.key_line, top.waits, top.text = top.text[0], top.line, True, []
    elif mark in ",;":
        _finish(top)
    else:
        top.text.append(mark)


def _take(outer: _Open, inner: _Open) -> None:
    """Put what a bracket held into the one around it."""
    node: Node
    if inner.mark == "[":
        node = Items(inner.line, tuple(inner.items))
    elif inner.mark == "{":
        node = _closed_table(inner)
    else:
        # The objects and lists among the arguments of a call stand for the call.
        parts = [item for item in inner.items if not isinstance(item, Scalar)]
        many = Items(inner.line, tuple(parts))
        node = parts[0] if len(parts) == 1 else many if parts else Scalar(inner.line, "".join(outer.text) + "()")
    if outer.value is None or isinstance(outer.value, Scalar) or not isinstance(node, Scalar):
        outer.value = node
    outer.line = outer.line if outer.text else node.line


def _finish(top: _Open) -> None:
    """End an entry, an item or a statement."""
    value = top.value if top.value is not None else Scalar(top.line, " ".join(top.text)) if top.text else None
    if value is not None:
        if top.waits:
            top.entries[top.key] = Entry(top.key, top.key_line, value)
        elif top.mark == "" and isinstance(value, Table):
            top.entries.update({entry.key: entry for entry in value.entries})
        elif top.mark == "" and isinstance(value, Items):
            top.entries["items"] = Entry("items", value.line, value)
        else:
            top.items.append(value)
    top.text, top.value, top.waits = [], None, False


def _closed_table(top: _Open) -> Table:
    _finish(top)
    return Table(top.line, tuple(top.entries.values()))

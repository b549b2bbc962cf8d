"""Reads YAML as configs use it: block and flow style, anchors, aliases and merges; no tag is obeyed.

Nothing is loaded: values stay text, an alias is the very node it names, and sizes are bounded. What
this reader does not know is unreadable, never skipped. The grammar of tree-sitter is no way out: its
scanner for YAML ends the process on 100,000 nested dashes.
Source: YAML 1.2.2, chapters 6 to 8.
"""

from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.flow import FlowReader, folded_lines
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

_INDENT: Final = lazy(r" *")
_COMMENT: Final = lazy(r"[ \t]*(?:#.*)?\Z")
_PROPERTY: Final = lazy(r"(?:&([^\s,\[\]{}]+)|!\S*)(?:\s+|\Z)")
_HEADER: Final = lazy(r"([|>])(?:[+-]?([1-9])?|([1-9])[+-]?)(?:\s+#.*|\s*)\Z")
_KEY_END: Final = lazy(r":(?=[ \t]|\Z)")
_BEHIND: Final = lazy(r"[ \t]#")
_BORDER: Final = lazy(r"(?:---|\.\.\.)(?:[ \t]|\Z)")
_MARK: Final = lazy(r"(?:(?:---|\.\.\.)[ \t]*(?:#.*)?\Z|%)")
_NO_KEY: Final = ("[", "{", "*", "#", "&", "!", "|", ">", "%", "@", "`")


def read_yaml(text: str) -> Node:
    """Return what a YAML text says; several documents become a list of them.

    Raises:
        UnreadableConfig: it is not valid, too long, nested too deeply, or uses what is not known here.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    return _Reader(text.removeprefix("\ufeff").replace("\r\n", "\n")).documents()


class _Reader:
    """A cursor over lines; `_columns` holds where the content of each line begins, behind its dashes."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._columns = [len(match.group(0)) if (match := _INDENT.match(line)) else 0 for line in self._lines]
        self._anchors: dict[str, Node] = {}
        self._flow = FlowReader(text, json=False, anchors=self._anchors)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._at = 0

    def documents(self) -> Node:
        found: list[Node] = []
        while self._skip_blank(between=True):
            if self._is_border():
                raise self._fault("a document begins on the line of its mark")
            found.append(self._block(0, 0))
            if self._skip_blank() and not self._is_border():
                raise self._fault("what stands here belongs to nothing above")
        return found[0] if len(found) == 1 else Items(1, tuple(found))

    def _skip_blank(self, *, between: bool = False) -> bool:
        """Go to the next line with content; tell whether there is one."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not _COMMENT.match(line, self._columns[self._at]) and not (between and _MARK.match(line)):
                return True
            self._at += 1
        return False

    def _is_border(self) -> bool:
        return _BORDER.match(self._lines[self._at]) is not None

    def _rest(self) -> str:
        return self._lines[self._at][self._columns[self._at] :]

    def _fault(self, why: str) -> UnreadableConfig:
        return UnreadableConfig(f"line {self._at + 1}: {why}")

    def _block(self, least: int, depth: int) -> Node:
        """Read the node that begins at the current line, which is indented by `least` or more."""
        if depth > MAX_DEPTH:
            raise UnreadableConfig("it is nested too deeply")
        rest, column = self._rest(), self._columns[self._at]
        if rest.startswith("\t"):
            raise self._fault("it is indented by a tab")
        if rest == "-" or rest.startswith("- "):
            return self._items(column, depth)
        if rest.startswith("? ") or rest == "?":
            raise self._fault("the key is not on one line with its value")
        if self._key() is not None:
            return self._table(column, depth)
        return self._value(least - 1, depth)

    def _items(self, column: int, depth: int) -> Items:
        line, items = self._at + 1, []
        while self._skip_blank() and self._columns[self._at] == column and not self._is_border():
            rest = self._rest()
            if rest != "-" and not rest.startswith("- "):
                break
            start = self._at
            self._columns[start] = column + len(rest) - len(rest[1:].lstrip(" "))
            if _COMMENT.match(rest, 1):
                self._at += 1
                items.append(self._nested(column, start, depth, dashes=False))
            else:
                items.append(self._after_properties(column, depth))
        return Items(line, tuple(items))

    def _after_properties(self, column: int, depth: int) -> Node:
        """Read what follows a dash: anchors and tags may stand before a whole block."""
        found = _PROPERTY.match(self._rest())
        if found is None:
            return self._block(column + 1, depth + 1)
        return self._value(column, depth)

    def _nested(self, column: int, start: int, depth: int, *, dashes: bool) -> Node:
        """Read the value that begins below its key or dash, or return an empty one."""
        if self._skip_blank() and not self._is_border():
            own = self._columns[self._at]
            rest = self._rest()
            if own > column or (dashes and own == column and (rest == "-" or rest.startswith("- "))):
                return self._block(column + 1, depth + 1)
        return Scalar(start + 1)

    def _key(self) -> tuple[str, int] | None:
        """Return the key at the cursor and the column behind its colon, None where there is no key."""
        line, column = self._lines[self._at], self._columns[self._at]
        if line[column : column + 1] in ('"', "'"):
            scalar, end = self._flow.scalar(self._starts[self._at] + column)
            end -= self._starts[self._at]
            while line[end : end + 1] == " ":
                end += 1
            return (scalar.text, end + 1) if _KEY_END.match(line, end) else None
        if line.startswith(_NO_KEY, column):
            return None
        found = _KEY_END.search(line, column)
        comment = _BEHIND.search(line, column)
        if found is None or (comment is not None and comment.start() < found.start()):
            return None
        return line[column : found.start()].strip(), found.end()

    def _table(self, column: int, depth: int) -> Table:
        line = self._at + 1
        entries: dict[str, Entry] = {}
        merged: list[Node] = []
        while self._skip_blank() and self._columns[self._at] == column and not self._is_border():
            key = self._key()
            if key is None:
                raise self._fault("a key is missing")
            start = self._at
            behind = self._lines[start][key[1] :]
            self._columns[start] = key[1] + len(behind) - len(behind.lstrip(" \t"))
            value = self._value(column, depth, dashes=True)
            if key[0] == "<<":
                merged.append(value)
            elif key[0] in entries:
                raise UnreadableConfig(f"line {start + 1}: the key {key[0]!r} stands twice")
            else:
                entries[key[0]] = Entry(key[0], start + 1, value)
        return Table(line, (*entries.values(), *_merged(merged, entries)))

    def _value(self, parent: int, depth: int, *, dashes: bool = False) -> Node:
        """Read the value at the cursor: properties, then a scalar, a flow value, an alias or a nested block."""
        anchor = None
        while found := _PROPERTY.match(self._rest()):
            anchor = found.group(1) or anchor
            self._columns[self._at] += found.end()
        node = self._bare_value(parent, depth, dashes=dashes)
        if anchor is not None:
            self._anchors[anchor] = node
        return node

    def _bare_value(self, parent: int, depth: int, *, dashes: bool) -> Node:
        rest, start = self._rest(), self._at
        if _COMMENT.match(rest):
            self._at += 1
            return self._nested(parent, start, depth, dashes=dashes)
        if rest[0] in "|>":
            return self._block_scalar(parent)
        if rest[0] == "*":
            name = _BEHIND.split(rest[1:], maxsplit=1)[0].strip()
            self._at += 1
            if name not in self._anchors:
                raise UnreadableConfig(f"line {start + 1}: the alias {name!r} has no anchor above")
            return self._anchors[name]
        if rest[0] in "[{\"'":
            return self._flow_value()
        if rest[0] in "@`%":
            raise self._fault(f"a value cannot begin with {rest[0]}")
        return self._plain(parent)

    def _flow_value(self) -> Node:
        node, end = self._flow.value(self._starts[self._at] + self._columns[self._at])
        last = self._flow.line(max(end - 1, 0)) - 1
        if not _COMMENT.match(self._lines[last], end - self._starts[last]):
            raise UnreadableConfig(f"line {last + 1}: text follows the value")
        self._at = last + 1
        return node

    def _plain(self, parent: int) -> Scalar:
        line, parts = self._at + 1, []
        while True:
            text = self._rest()
            comment = _BEHIND.search(text)
            shown = text[: comment.start()] if comment else text
            if _KEY_END.search(shown):
                raise self._fault("a key stands inside a value")
            parts.append(shown.strip())
            self._at += 1
            start = self._at
            if comment or not self._continues(parent):
                return Scalar(line, folded_lines(parts))
            parts += [""] * (self._at - start)

    def _continues(self, parent: int) -> bool:
        """Tell whether the next line with content goes on with a plain scalar."""
        at = self._at
        while at < len(self._lines) and not self._lines[at].strip():
            at += 1
        if at == len(self._lines) or self._columns[at] <= parent or self._lines[at][self._columns[at]] == "#":
            return False
        if _BORDER.match(self._lines[at]):
            return False
        self._at = at
        return True

    def _block_scalar(self, parent: int) -> Scalar:
        header = _HEADER.match(self._rest())
        if header is None:
            raise self._fault("the header of a block of text is odd")
        digit = header.group(2) or header.group(3)
        self._at += 1
        first = self._at
        indent = max(parent, 0) + int(digit) if digit else None
        body: list[str] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            own = len(line) - len(line.lstrip(" "))
            if line.strip(" \t"):
                if own <= parent or (indent is not None and own < indent) or (own == 0 and self._is_border()):
                    break
                indent = own if indent is None else indent
            body.append(line[indent or 0 :])
            self._at += 1
        while body and not body[-1].strip():
            body.pop()
        literal = header.group(1) == "|"
        return Scalar(first + 1, "\n".join(body) if literal else _folded(body), literal)


def _folded(body: list[str]) -> str:
    """Return lines as `>` joins them: by a blank, but for blank lines and for those that are indented more."""
    out, before = "", ""
    for number, line in enumerate(body):
        kept = not line.strip() or line[0] in " \t" or before[:1] in (" ", "\t")
        if number:
            out += "\n" if kept else "" if not before.strip() else " "
        out += line
        before = line
    return out


def _merged(values: list[Node], own: dict[str, Entry]) -> list[Entry]:
    """Return the entries that `<<` brings from other tables and that the table does not have itself."""
    found: dict[str, Entry] = {}
    for value in values:
        for table in value.items if isinstance(value, Items) else (value,):
            if not isinstance(table, Table):
                raise UnreadableConfig(f"line {table.line}: what is merged is no table")
            for entry in table.entries:
                if entry.key not in own:
                    found.setdefault(entry.key, entry)
    return list(found.values())

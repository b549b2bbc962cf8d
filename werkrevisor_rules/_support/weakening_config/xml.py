"""Reads XML into elements with lines. A document type is refused, so no entity can be declared or expanded."""

from typing import Final, NoReturn
from xml.parsers import expat

from attrs import define, field

from werkrevisor_rules._support.weakening_config.tree import MAX_DEPTH, MAX_NODES, MAX_TEXT, UnreadableConfig

_ELSEWHERE: Final = "it has a document type, which is not read"


@define
class Element:
    """An element: its name without a namespace, its line, attributes, children and own text."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(factory=list)
    text: str = ""

    def child(self, name: str) -> "Element | None":
        """Return the first child of a name."""
        return next((child for child in self.children if child.name == name), None)

    def child_text(self, name: str) -> str:
        """Return the text of the first child of a name, empty where there is none."""
        found = self.child(name)
        return "" if found is None else found.text.strip()


def read_xml(text: str) -> Element:
    """Return the root element of an XML text.

    Raises:
        UnreadableConfig: it is not well formed, too long, nested too deeply, or has a document type.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    return _Builder().read(text)


class _Builder:
    def __init__(self) -> None:
        self._stack: list[Element] = [Element("", 0, {})]
        self._count = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, text: str) -> Element:
        try:
            # What is declared about the encoding does not hold for a text that is decoded already.
            self._parser.Parse(text.encode("utf-8", "replace"), True)
        except (expat.ExpatError, LookupError, ValueError) as fault:
            raise UnreadableConfig(str(fault)) from None
        return self._stack[0].children[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_NODES or len(self._stack) > MAX_DEPTH:
            raise UnreadableConfig("it has too many elements")
        element = Element(name.rsplit(":", 1)[-1], self._parser.CurrentLineNumber, attributes)
        self._stack[-1].children.append(element)
        self._stack.append(element)

    def _end(self, _name: str) -> None:
        self._stack.pop()

    def _characters(self, data: str) -> None:
        self._stack[-1].text += data

    def _refuse(self, *_given: object) -> NoReturn:
        raise UnreadableConfig(_ELSEWHERE)

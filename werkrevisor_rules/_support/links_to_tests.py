"""Checks links of a document that name tests: does the file exist, and does the name stand in it?"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.markdown import Markdown

_LINK: Final = lazy(r"\[([^\[\]]{1,1000})\]\(<?([^()<>]{1,1000})>?\)")
_SCHEME: Final = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WORD: Final = r"[\w$]+"
_TITLE: Final = lazy(r"\s+[\"'].*", re.DOTALL)


@frozen
class LinkToTest:
    """A link in a document: where it stands, its text, and the path that it leads to.

    `path` is None where the link does not lead into the repository.
    """

    line: int
    name: str
    path: str | None


def links_below(document: Markdown, folder: str, title: str) -> tuple[LinkToTest, ...]:
    """Return the links under every heading of this title, up to the next heading.

    Args:
        document: the document.
        folder: the folder of the document, from which relative links start.
        title: the heading.
    """
    found = []
    for heading in document.titled(title):
        for number in document.below(heading, nested=False):
            if document.is_text[number - 1]:
                for name, target in _LINK.findall(document.lines[number - 1]):
                    found.append(LinkToTest(number, name.strip("` "), resolve(folder, target)))
    return tuple(found)


def resolve(folder: str, target: str) -> str | None:
    """Return the path in the repository that a link leads to, or None where it leads elsewhere."""
    target = _TITLE.sub("", target.strip())
    if _SCHEME.match(target):
        return None
    path = unquote(target.partition("#")[0].partition("?")[0])
    if not path:
        return None
    joined = posixpath.normpath(path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path))
    return None if joined.startswith("../") or joined in ("..", ".") else joined


def faults(links: Sequence[LinkToTest], contents: Contents) -> Iterator[tuple[LinkToTest, str]]:
    """Yield every link that proves nothing, with why in a few words; each file is read once."""
    files: dict[str, frozenset[str] | str] = {}
    for link in links:
        if link.path is None:
            yield link, "leads to no file of the repository"
            continue
        if link.path not in files:
            files[link.path] = _words(contents, link.path)
        words = files[link.path]
        if isinstance(words, str):
            yield link, words
        elif missing := [name for name in _names(link) if name not in words]:
            yield link, f"names {missing[0]}, which does not stand in that file"


def _words(contents: Contents, path: str) -> frozenset[str] | str:
    """Return the words of a file at the head, or why there are none."""
    try:
        data = contents.read(Side.NEW, path)
    except ContentsUnavailable:
        return "leads to a file that cannot be read here"
    if data is None:
        return "leads to a file that does not exist at the head"
    return frozenset(re.findall(_WORD, data.decode("utf-8", "replace")))


def _names(link: LinkToTest) -> list[str]:
    """Return the names inside the file: `file.Class.test_x` gives `Class` and `test_x`."""
    names: list[str] = re.findall(_WORD, link.name)
    stem = posixpath.basename(link.path or "").partition(".")[0]
    return names[1:] if names[:1] == [stem] else names

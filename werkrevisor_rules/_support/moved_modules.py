"""Proves that a change set moves a module from where an import named it to where it names it now.

A move is proved only if the two names can each mean one file of this repository, and git sees that
very file renamed. What cannot be proved counts as not moved.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from attrs import field

from werkrevisor_core.errors import ContentsUnavailable
from werkrevisor_core.models.change import ChangeSet, Status
from werkrevisor_core.models.classes import Rebinding
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen

_PACKAGE: Final = lazy(r"^[ \t]*+package[ \t]++([\w.]++)[ \t]*+;?[ \t]*+\r?$", re.MULTILINE)
_GO_MODULE: Final = lazy(r'^module[ \t]+"?([^\s"]+)', re.MULTILINE)
_JVM: Final = (".java", ".kt", ".kts", ".groovy", ".scala")
_SCRIPT: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte")
_MEMBER: Final = lazy(r" \([^()]*\)$")
_SCRIPT_NEIGHBOUR: Final = lazy(r"""["'`]\.""")
_RUST_NEIGHBOUR: Final = lazy(r"\b(?:super|self)\s*::|\bmod\b|\binclude|\bpath\s*=")
_EMITTED: Final = lazy(r"\.[cm]?jsx?$")

_Pair = tuple[tuple[str, ...], tuple[str, ...]]
"""The paths that the old name can mean, and those that the new name can mean."""


@frozen
class Moves:
    """The renames of a change set, and the files around them.

    `renames` maps old paths to new ones; `unread` are the new paths of those with identical content,
    which nobody reads; `go_folders` are the old and new folders of those in Go.
    """

    renames: Mapping[str, str]
    unread: frozenset[str]
    go_folders: frozenset[tuple[str, str]]
    contents: Contents = field(repr=False)

    def proved(self, path: str, rebinding: Rebinding) -> bool:
        """Tell whether this change set moved the module that an import in `path` names anew."""
        if not self.renames:
            return False
        family = _FAMILIES.get(posixpath.splitext(path)[1].lower())
        return family is not None and family(self, path, rebinding)

    def prefetch(self, paths: Iterable[str]) -> None:
        """Ask in one go for what it takes to judge the imports of these files."""
        folders = {posixpath.dirname(path) for path in paths if path.endswith(".go")}
        for folder in tuple(folders):
            folders.update(folder[:end] for end, char in enumerate(folder) if char == "/")
        wanted = [(Side.NEW, posixpath.join(folder, "go.mod")) for folder in (*folders, "") if folders]
        self.contents.prefetch(
            wanted + [pair for old, new in self.renames.items() for pair in ((Side.OLD, old), (Side.NEW, new))]
        )

    def renamed(self, pairs: Iterator[_Pair]) -> Iterator[tuple[str, str]]:
        """Yield old and new path of every pair that is a renamed file, where each name can mean that file alone."""
        for was, now in pairs:
            for old in was:
                new = self.renames.get(old)
                if new in now and new and self._only(Side.OLD, was, old) and self._only(Side.NEW, now, new):
                    yield old, new

    def keeps_meaning(self, path: str, relative: re.Pattern[str]) -> bool:
        """Tell whether a moved file is read by somebody, or names no neighbour: in its new place it has others."""
        if path not in self.unread:
            return True
        text = self.text(path)
        return text is not None and relative.search(text) is None

    def text(self, path: str, side: Side = Side.NEW) -> str | None:
        """Return the text of a path, or None where it is not known or not there."""
        try:
            data = self.contents.read(side, path)
        except ContentsUnavailable:
            return None
        return None if data is None else data.decode("utf-8", "replace")

    def absent(self, side: Side, path: str) -> bool:
        """Tell whether it is sure that neither a file nor a folder of this path exists."""
        try:
            return self.contents.read(side, path) is None
        except ContentsUnavailable:
            return False

    def _only(self, side: Side, paths: tuple[str, ...], path: str) -> bool:
        # A name that the path lies below is the folder of that path and no file.
        return all(other == path or path.startswith(other + "/") or self.absent(side, other) for other in paths)


def moves(change: ChangeSet, contents: Contents) -> Moves:
    """Return the moves of a change set."""
    renamed = [file for file in change.files if file.status is Status.RENAMED]
    unread = frozenset(file.path for file in renamed if not file.added + file.removed)
    folders = frozenset(
        (posixpath.dirname(file.old_path), posixpath.dirname(file.path))
        for file in renamed
        if file.old_path.endswith(".go") and not file.old_path.endswith("_test.go")
    )
    return Moves(MappingProxyType({file.old_path: file.path for file in renamed}), unread, folders, contents)


def _shorter(was: list[str], now: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield both names, then both without an equal last part, and so on: a module and its members."""
    while was and now:
        yield was, now
        if was[-1] != now[-1]:
            return
        was, now = was[:-1], now[:-1]


def _jvm(moved: Moves, path: str, rebinding: Rebinding) -> bool:
    """`a.b.C` is `a/b/C.java` below the source root that the package of the importing file tells.

    The moved file has to say the same of itself, since Kotlin does not tie a package to its folder.
    """
    text = moved.text(path)
    folder = posixpath.join(posixpath.dirname(path), "")
    tail = posixpath.join(_package(text).replace(".", "/"), "")
    if text is None or not ("/" + folder).endswith("/" + tail):
        return False
    root = folder.removesuffix(tail)

    def paths(parts: list[str]) -> tuple[str, ...]:
        return tuple(root + "/".join(parts) + ending for ending in _JVM)

    def in_place(side: Side, path: str) -> bool:
        return posixpath.dirname(path) == root + _package(moved.text(path, side)).replace(".", "/")

    names = _shorter(rebinding.was.split("."), rebinding.now.split("."))
    files = moved.renamed((paths(was), paths(now)) for was, now in names)
    return any(in_place(Side.OLD, old) and in_place(Side.NEW, new) for old, new in files)


def _package(text: str | None) -> str:
    found = _PACKAGE.search(text) if text is not None else None
    return "" if found is None else found[1]


def _script(moved: Moves, path: str, rebinding: Rebinding) -> bool:
    """`./x` is `x` with any ending or the index of a folder `x`, seen from the importing file.

    What it exports under the name may stand behind it, e.g. `./x (default)`.
    """

    def paths(module: str) -> tuple[str, ...]:
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        stems = {place: None, _EMITTED.sub("", place): None, place + "/index": None}
        return (place, *(stem + ending for stem in stems for ending in _SCRIPT))

    was, now = (_MEMBER.sub("", module) for module in (rebinding.was, rebinding.now))
    same_member = rebinding.was.removeprefix(was) == rebinding.now.removeprefix(now)
    if not same_member or not all(module.startswith(("./", "../")) for module in (was, now)):
        return False
    files = moved.renamed(iter([(paths(was), paths(now))]))
    return any(moved.keeps_meaning(new, _SCRIPT_NEIGHBOUR) for _, new in files)


def _rust(moved: Moves, path: str, rebinding: Rebinding) -> bool:
    """`crate::a::b` is `a/b.rs` or `a/b/mod.rs` below the `src` folder of the importing file."""
    root, found, _ = path.rpartition("src/")
    was, now = (module.split("::") for module in (rebinding.was, rebinding.now))
    if not found or was[0] != "crate" or now[0] != "crate" or (root and not root.endswith("/")):
        return False

    def paths(parts: list[str]) -> tuple[str, ...]:
        return tuple(root + found + "/".join(parts) + ending for ending in (".rs", "/mod.rs"))

    files = moved.renamed((paths(old), paths(new)) for old, new in _shorter(was[1:], now[1:]))
    return any(moved.keeps_meaning(new, _RUST_NEIGHBOUR) for _, new in files)


def _go(moved: Moves, path: str, rebinding: Rebinding) -> bool:
    """A package is a folder below its `go.mod`: a new one at the head, and the old one gone."""
    was, now = (_go_folder(moved, path, module) for module in (rebinding.was, rebinding.now))
    if was is None or now is None or (was, now) not in moved.go_folders:
        return False
    return moved.absent(Side.OLD, now) and moved.absent(Side.NEW, was)


def _go_folder(moved: Moves, path: str, module: str) -> str | None:
    folder = posixpath.dirname(path)
    while True:
        text = moved.text(posixpath.join(folder, "go.mod"))
        named = _GO_MODULE.search(text) if text is not None else None
        if named is not None:
            below = module.removeprefix(named[1] + "/")
            return posixpath.join(folder, below) if below != module else None
        if not folder:
            return None
        folder = posixpath.dirname(folder)


_FAMILIES: Final[Mapping[str, Callable[[Moves, str, Rebinding], bool]]] = MappingProxyType(
    {
        ".go": _go,
        ".rs": _rust,
        **dict.fromkeys((".java", ".kt", ".kts"), _jvm),
        **dict.fromkeys((".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"), _script),
    }
)

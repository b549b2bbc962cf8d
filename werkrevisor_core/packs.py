"""Finds the entry points that installed distributions announce.

`importlib.metadata` does the same and brings the parsers of mails and addresses with it, which took
a tenth of a small review. So the usual case, folders with `*.dist-info` on the path, is read here,
and anything else (archives, eggs, other finders) is left to it.
"""

import importlib
import os
import re
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from typing import Final, NamedTuple

from werkrevisor_core.errors import RegistryError

_ENTRY: Final = re.compile(r"([^=]+?)\s*=\s*([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\]\s*)?$")


class Announced(NamedTuple):
    """One entry point: its name, the object that it names, and the distribution that has it."""

    name: str
    module: str
    attribute: str
    pack: str
    version: str

    def load(self) -> object:
        """Import the object; raises whatever the import raises."""
        found: object = importlib.import_module(self.module)
        for part in filter(None, self.attribute.split(".")):
            found = getattr(found, part)
        return found


def announced(group: str) -> list[Announced]:
    """Return the entry points of a group, each distribution once: the first on the path counts.

    Raises:
        RegistryError: an entry point cannot be read; one that is left out could be a gate.
    """
    folders = list(dict.fromkeys(sys.path))
    if not all(map(_is_plain, folders)) or any(map(_finds_distributions, sys.meta_path)):
        return _by_importlib(group)
    found: list[Announced] = []
    seen: set[str] = set()
    for folder in folders:
        for info in _infos(folder or "."):
            name = _normalized(os.path.basename(info))  # noqa: PTH119 (pathlib is not loaded yet)
            if name not in seen:
                seen.add(name)
                found += _read(info, group)
    return found


def _is_plain(folder: str) -> bool:
    """Tell whether an entry of the path is a folder, or is not there at all."""
    return not folder.endswith(".egg") and (os.path.isdir(folder or ".") or not os.path.exists(folder))  # noqa: PTH112, PTH110


def _finds_distributions(finder: object) -> bool:
    return finder is not PathFinder and hasattr(finder, "find_distributions")


def _infos(folder: str) -> list[str]:
    """Return the folders in a folder that describe a distribution, by name."""
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []
    return [f"{folder}/{name}" for name in sorted(names) if name.lower().endswith((".dist-info", ".egg-info"))]


def _normalized(info: str) -> str:
    """Return the name of a distribution as PEP 503 compares names."""
    return re.sub(r"[-_.]+", "-", info.rpartition(".")[0].partition("-")[0]).lower()


def _read(info: str, group: str) -> Iterator[Announced]:
    text = _text(f"{info}/entry_points.txt")
    if f"[{group}]" not in text:
        return
    name, version = _identity(_text(f"{info}/METADATA") or _text(f"{info}/PKG-INFO"))
    here = False
    for line in map(str.strip, text.split("\n")):
        if line.startswith("["):
            here = line == f"[{group}]"
        elif here and line and not line.startswith("#"):
            entry = _ENTRY.match(line)
            if entry is None:
                raise RegistryError(f"the pack {name} {version} announces what cannot be read: {line!r}")
            yield Announced(entry[1], entry[2], entry[3] or "", name, version)


def _identity(metadata: str) -> tuple[str, str]:
    """Return name and version from the header of a distribution's metadata."""
    head = metadata.partition("\n\n")[0].split("\n")
    fields = dict(line.split(": ", 1) for line in head if line.startswith(("Name: ", "Version: ")))
    return fields.get("Name", "?").strip(), fields.get("Version", "?").strip()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def _by_importlib(group: str) -> list[Announced]:
    import importlib.metadata  # noqa: PLC0415 (costs 20 ms)

    return [
        Announced(
            point.name,
            point.module,
            point.attr or "",
            point.dist.name if point.dist is not None else point.name,
            point.dist.version if point.dist is not None else "?",
        )
        for point in importlib.metadata.entry_points(group=group)
    ]

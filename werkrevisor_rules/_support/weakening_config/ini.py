"""Reads INI files (`setup.cfg`, `tox.ini`, `.coveragerc`, `.editorconfig`, `*.properties`) with their lines."""

from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening_config.tree import MAX_TEXT, Entry, Scalar, Table, UnreadableConfig

_SECTION: Final = lazy(r"\[(.+)\]\s*(?:[#;].*)?")
_MARK: Final = lazy(r"[=:]")
_COMMENT: Final = lazy(r"\s[#;]")


def read_ini(text: str) -> Table:
    """Return sections with their options; a value of several lines keeps its line ends.

    Options before any section stand in the section with the empty name. Of options of one name in one
    section the last holds, which is what most readers do.

    Raises:
        UnreadableConfig: the text is too long.
    """
    if len(text) > MAX_TEXT:
        raise UnreadableConfig("it is too long")
    sections: dict[str, tuple[int, dict[str, tuple[int, int, list[str]]]]] = {"": (1, {})}
    options, values = sections[""][1], list[str]()
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.rstrip()
        bare = line.lstrip()
        if not bare or bare[0] in "#;":
            continue
        if line[0] in " \t" and values:
            values.append(bare)
        elif found := _SECTION.fullmatch(bare):
            options, values = sections.setdefault(found.group(1).strip(), (number, {}))[1], []
        elif found := _MARK.search(bare):
            value = _COMMENT.split(bare[found.end() :], maxsplit=1)[0].strip()
            values = [value]
            options[bare[: found.start()].strip()] = (number, number if value else number + 1, values)
    return Table(
        1,
        tuple(
            Entry(name, line, Table(line, tuple(_entry(key, *option) for key, option in found.items())))
            for name, (line, found) in sections.items()
        ),
    )


def _entry(key: str, line: int, first: int, values: list[str]) -> Entry:
    return Entry(key, line, Scalar(first, "\n".join(value for value in values if value)))

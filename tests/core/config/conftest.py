"""Sections like those of rules, and layers from text."""

import re
from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Literal

import pytest
from attrs import frozen

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.rule import Merge, setting


class Weight(IntEnum):
    LOW = 1
    HIGH = 2


def no_bad_regex(value):
    for name, patterns in value.items():
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error:
                return f".{name} has an invalid regex {pattern!r}"
    return None


def no_negative(value):
    return None if value >= 0 else f"must not be negative and is {value}"


def always_breaks(_value):
    raise RuntimeError("a fault of the rule, not of the user")


@frozen
class Size:
    """Size of a change."""

    max_files: int = setting(30, "Most files.", check=no_negative)
    max_lines: int = setting(1000, "Most lines.", check=no_negative)


@frozen
class Mechanical:
    """Mechanical files.

    Not part of the description.
    """

    enabled: bool = setting(True, "Whether it is on.")
    whitespace_significant: tuple[str, ...] = setting(("*.py",), "Globs.")
    imports: Mapping[str, tuple[str, ...]] = setting(
        MappingProxyType({"java": ("import .*;",), "ts": ("import .*",)}),
        "Regexes per extension.",
        merge=Merge.ENTRIES,
        check=no_bad_regex,
    )


@frozen
class Prose:
    """One rule of prose."""

    id: str
    pattern: str
    weight: Weight = Weight.LOW


@frozen
class Wide:
    """Every type that a setting can have."""

    ratio: float = setting(0.5, "A share.")
    style: Literal["a", "b"] = setting("a", "A choice.")
    weight: Weight = setting(Weight.LOW, "An enum of numbers.")
    rules: tuple[Prose, ...] = setting((), "Tables.")
    tags: frozenset[str] = setting(frozenset(), "A set.")
    either: int | str = setting(0, "One of two.")
    maybe: str | None = setting(None, "Perhaps.")
    table: Mapping[str, int] = setting(MappingProxyType({}), "A table that is replaced.")
    broken: int = setting(0, "A check that raises.", check=lambda value: always_breaks(value) if value else None)


@pytest.fixture(scope="session")
def sections():
    return {"size": Size, "mechanical": Mechanical, "wide": Wide}


@pytest.fixture
def weight():
    return Weight


@pytest.fixture
def prose():
    return Prose


def as_layer(name, kind, text):
    return Layer(name, kind, text.encode() if isinstance(text, str) else text)


@pytest.fixture
def config(sections):
    """Load a host, a repository and a command line layer; each text, bytes or tables, or None."""

    def of(host=None, repository=None, command_line=None, known_elsewhere=None):
        given = (
            ("host.toml", LayerKind.HOST, host),
            (".werkrevisor.toml", LayerKind.REPOSITORY, repository),
            ("command line", LayerKind.COMMAND_LINE, command_line),
        )
        layers = [as_layer(name, kind, text) for name, kind, text in given if text is not None]
        return load(layers, sections, known_elsewhere)

    return of


@pytest.fixture
def faults(config):
    """Return the faults of a host file as sentences."""

    def of(host):
        loaded = config(host)
        assert loaded.warnings == ()
        return [str(fault) for fault in loaded.faults]

    return of

"""Structured settings as plain data: for the digest, the schema's defaults and `config show`."""

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

import attrs

from werkrevisor_core.config.structure import fields_of

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def plain(value: object) -> Plain:
    """Return a setting as JSON has it: tuples as lists, sets sorted, enums as a config file names them.

    Raises:
        TypeError: the value is no setting.
    """
    if isinstance(value, Enum):
        return value.value if isinstance(value.value, str) else value.name.lower()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [plain(item) for item in sorted(value)]
    if attrs.has(type(value)):
        return table(value)
    raise TypeError(f"{type(value).__name__} is no type of a setting")


def table(settings: object) -> dict[str, Plain]:
    """Return the settings of one section by key."""
    return {name: plain(getattr(settings, name)) for name in fields_of(type(settings))}

"""JSON Schema (2020-12) of the config files, generated from the settings classes.

Editors complete and check with it. What only code can check (globs, regular expressions, keys that
must fit together) is left to `werkrevisor config check`.
"""

import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, Union, get_args, get_origin

import attrs

from werkrevisor_core.config.layers import CONFIG_VERSION
from werkrevisor_core.config.plain import plain
from werkrevisor_core.config.sections import CORE_SECTIONS
from werkrevisor_core.config.structure import choices, fields_of, info_of

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

_SCALARS: Final[Mapping[type, Schema]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    float: {"type": "number"},
    str: {"type": "string"},
}


def schema(sections: Mapping[str, type], *, repository: bool = False) -> Schema:
    """Return the schema of a host file, or of a repository's file.

    Args:
        sections: the settings class of each section; the core's are added.
        repository: whether only the keys that a repository may set are wanted.
    """
    tables = {
        name: _settings(cls, repository=repository) for name, cls in sorted({**CORE_SECTIONS, **sections}.items())
    }
    version = {"type": "integer", "const": CONFIG_VERSION, "description": "Version of the config format."}
    return {
        "$schema": DIALECT,
        "title": "werkrevisor: config of a repository" if repository else "werkrevisor: config of a host",
        "type": "object",
        "properties": {"version": version, **{name: table for name, table in tables.items() if table["properties"]}},
        "additionalProperties": False,
    }


def _settings(cls: type, *, repository: bool) -> Schema:
    properties: dict[str, Schema] = {}
    required = []
    for name, field in fields_of(cls).items():
        info = info_of(field)
        if repository and info.host_only:
            continue
        properties[name] = of_type(field.type)
        if info.doc:
            properties[name]["description"] = info.doc + (" Host only." if info.host_only else "")
        if info.host_only:
            properties[name]["x-host-only"] = True
        if field.default is attrs.NOTHING:
            required.append(name)
        elif not isinstance(field.default, attrs.Factory):  # type: ignore[arg-type]
            properties[name]["default"] = plain(field.default)
    table: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if cls.__doc__:
        table["description"] = cls.__doc__.strip().split("\n\n")[0].replace("\n    ", " ")
    return {**table, "required": required} if required else table


def of_type(wanted: Any) -> Schema:  # noqa: ANN401 (a type form)
    """Return the schema of a setting's type; see `structure.structured` for the types.

    Raises:
        TypeError: a setting cannot be of this type.
    """
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is None and isinstance(wanted, type):
        return _of_class(wanted)
    if origin is tuple and args[1:] == (...,):
        return {"type": "array", "items": of_type(args[0])}
    if origin is frozenset:
        return {"type": "array", "items": of_type(args[0]), "uniqueItems": True}
    if origin is Mapping or origin is dict:
        return {"type": "object", "additionalProperties": of_type(args[1])}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, types.UnionType):
        options = [of_type(arg) for arg in args if arg is not type(None)]
        return options[0] if len(options) == 1 else {"anyOf": options}
    raise TypeError(f"a setting cannot be of the type {wanted}")


def _of_class(wanted: type) -> Schema:
    if wanted in _SCALARS:
        return dict(_SCALARS[wanted])
    if issubclass(wanted, Enum):
        return {"enum": list(choices(wanted))}
    if attrs.has(wanted):
        return _settings(wanted, repository=False)
    raise TypeError(f"a setting cannot be of the type {wanted}")

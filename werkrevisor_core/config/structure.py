"""Turns TOML values into the exact types of a settings class, without any coercion.

A hand-written reader and not a cattrs converter: it gathers every fault with section and key, and
costs a start of the command line nothing. An int is taken for a float, a list for a tuple; nothing
else changes its type.
"""

import math
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Literal, Union, get_args, get_origin

import attrs

from werkrevisor_core.config.issues import Issues, LayerKind, Place
from werkrevisor_core.config.wording import described, key_name, printable, shortened, unknown
from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.rule import SETTING, Merge, SettingInfo

INVALID: Final = object()
"""Returned for a value that is not of its type; the fault is noted then."""

_TYPE_NAMES: Final[Mapping[type, str]] = {bool: "bool", int: "int", float: "float", str: "str"}
MAX_MESSAGE: Final = 400
"""Longest message of a check that is repeated, in characters."""

_INT_BITS: Final = 63
_PLAIN: Final = SettingInfo("", host_only=False, merge=Merge.REPLACE)


def fields_of(cls: type) -> Mapping[str, "attrs.Attribute[Any]"]:
    """Return the fields of an attrs class by name, with resolved types."""
    fields = attrs.fields_dict(cls)
    if any(isinstance(field.type, str) for field in fields.values()):
        attrs.resolve_types(cls)
        fields = attrs.fields_dict(cls)
    return fields


def info_of(field: "attrs.Attribute[Any]") -> SettingInfo:
    """Return what a field was declared to be; plain attrs fields have no description."""
    info = field.metadata.get(SETTING, _PLAIN)
    return info if isinstance(info, SettingInfo) else _PLAIN


def read_section(table: Mapping[str, object], cls: type, section: str, issues: Issues) -> dict[str, object]:
    """Return the valid keys of one section of one layer, structured.

    Args:
        table: the section as TOML has it.
        cls: its settings class.
        section: its name.
        issues: takes faults and warnings.
    """
    fields = fields_of(cls)
    values: dict[str, object] = {}
    for key, value in table.items():
        field = fields.get(key)
        if field is None:
            issues.unknown((section, key_name(key)), "key", key, fields)
        elif info_of(field).host_only and issues.kind is LayerKind.REPOSITORY:
            issues.fault(section, key, " may be set by the host only, not by the repository")
        else:
            got = _read_key(value, field, Place(section, key), issues)
            if got is not INVALID:
                values[key] = got
    return values


def _read_key(value: object, field: "attrs.Attribute[Any]", at: Place, issues: Issues) -> object:
    if info_of(field).merge is not Merge.ENTRIES:
        return _checked(structured(value, field.type, at, issues), field, at, issues)
    if not isinstance(value, Mapping):
        return _mismatch("table", value, at, issues)
    entries: dict[str, object] = {}
    for name, item in value.items():
        # One by one: a fault in one entry must neither hide that of another nor spoil it.
        got = structured({name: item}, field.type, at, issues)
        if got is not INVALID and _checked(got, field, at, issues) is not INVALID and isinstance(got, Mapping):
            entries.update(got)
    return types.MappingProxyType(entries)


def _checked(value: object, field: "attrs.Attribute[Any]", at: Place, issues: Issues) -> object:
    """Run the validator of a field on a value of the right type."""
    if value is INVALID or field.validator is None:
        return value
    try:
        field.validator(None, field, value)
    except ValueError as error:
        issues.fault(at.section, at.key, at.trail + _said(error))
    except Exception as error:  # a check that breaks must end as a fault, not as a traceback
        issues.fault(at.section, at.key, f"{at.trail} could not be checked ({type(error).__name__})")
    else:
        return value
    return INVALID


def _said(error: ValueError) -> str:
    """Return the message of a check, bounded, with what joins it to the key: it may begin with a dot.

    A check repeats values as it likes, and those of a repository are hostile.
    """
    text = str(error.args[0] if error.args else error)
    message = printable(text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}...")
    return message if message.startswith(".") else f" {message}"


def structured(value: object, wanted: Any, at: Place, issues: Issues) -> object:  # noqa: ANN401 (a type form)
    """Return the value in the wanted type, or INVALID with the fault noted.

    Args:
        value: what TOML (or a command line) gives.
        wanted: bool, int, float, str, an enum, an attrs class, `tuple[T, ...]`, `frozenset[T]`,
            `Mapping[str, T]`, `Literal` or a union of these.
        at: where the value stands.
        issues: takes the fault.

    Raises:
        TypeError: the settings class is declared with another type.
    """
    if not isinstance(wanted, type) or get_origin(wanted) is not None:
        return _generic(value, wanted, at, issues)
    if wanted in _TYPE_NAMES:
        return _scalar(value, wanted, at, issues)
    if issubclass(wanted, Enum):
        return _member(value, wanted, at, issues)
    if attrs.has(wanted):
        return _table(value, wanted, at, issues)
    raise _unsupported(wanted, at)


def _generic(value: object, wanted: Any, at: Place, issues: Issues) -> object:  # noqa: ANN401 (a type form)
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is frozenset or (origin is tuple and args[1:] == (...,)):
        return _items(value, args[0], at, issues, origin)
    if origin is Mapping or origin is dict:
        return _entries(value, args[1], at, issues)
    if origin is Literal:
        return value if isinstance(value, str) and value in args else _no_choice(value, args, at, issues)
    if origin in (Union, types.UnionType):
        return _one_of(value, [arg for arg in args if arg is not type(None)], at, issues)
    raise _unsupported(wanted, at)


def _unsupported(wanted: object, at: Place) -> TypeError:
    return TypeError(f"[{at.section}] {at.key}: a setting cannot be of the type {wanted}")


def _mismatch(wanted: str, value: object, at: Place, issues: Issues) -> object:
    issues.fault(at.section, at.key, f"{at.trail}: expected {wanted}, got {described(value)}")
    return INVALID


def _scalar(value: object, wanted: type, at: Place, issues: Issues) -> object:
    if wanted is float and type(value) is int:
        value = float(value) if value.bit_length() <= _INT_BITS else math.inf
    if type(value) is not wanted:
        return _mismatch(_TYPE_NAMES[wanted], value, at, issues)
    if isinstance(value, int) and value.bit_length() > _INT_BITS:
        return _mismatch("int of at most 64 bits", value, at, issues)
    if isinstance(value, float) and not math.isfinite(value):
        return _mismatch("finite float", value, at, issues)
    return value


def _items(
    value: object,
    wanted: Any,  # noqa: ANN401 (a type form)
    at: Place,
    issues: Issues,
    build: Callable[[list[object]], object],
) -> object:
    if not isinstance(value, (list, tuple)):
        return _mismatch("list", value, at, issues)
    items: list[object] = []
    for index, item in enumerate(value):
        if wanted is ChangeKind and issues.kind is LayerKind.REPOSITORY and _newer_kind(item):
            # A newer version may know it; what is ignored approves nothing.
            trail = f'{at.trail}: "{shortened(str(item))}"'
            issues.unknown((at.section, at.key), "change kind", str(item), ChangeKind, trail)
            continue
        items.append(structured(item, wanted, at.item(index), issues))
    return INVALID if any(item is INVALID for item in items) else build(items)


def _newer_kind(item: object) -> bool:
    return isinstance(item, str) and item not in set(ChangeKind)


def _entries(value: object, wanted: Any, at: Place, issues: Issues) -> object:  # noqa: ANN401 (a type form)
    if not isinstance(value, Mapping):
        return _mismatch("table", value, at, issues)
    entries = {name: structured(item, wanted, at.entry(name), issues) for name, item in value.items()}
    return INVALID if any(item is INVALID for item in entries.values()) else types.MappingProxyType(entries)


def choices(wanted: type[Enum]) -> Mapping[str, Enum]:
    """Return the members of an enum by the text that a config file uses: value, or name in lower case."""
    return {member.value if isinstance(member.value, str) else member.name.lower(): member for member in wanted}


def _member(value: object, wanted: type[Enum], at: Place, issues: Issues) -> object:
    if isinstance(value, wanted):
        return value
    known = choices(wanted)
    if isinstance(value, str) and value in known:
        return known[value]
    return _no_choice(value, tuple(known), at, issues)


def _no_choice(value: object, known: tuple[str, ...], at: Place, issues: Issues) -> object:
    if not isinstance(value, str):
        return _mismatch(f"one of {', '.join(known)}", value, at, issues)
    issues.fault(at.section, at.key, f'{at.trail}: "{shortened(value)}" {unknown("value", value, known)}')
    return INVALID


def _one_of(value: object, wanted: list[Any], at: Place, issues: Issues) -> object:
    if len(wanted) == 1:
        return structured(value, wanted[0], at, issues)
    for option in wanted:
        trial = Issues(issues.name, issues.kind)
        got = structured(value, option, at, trial)
        if got is not INVALID:
            return got
    return _mismatch(" or ".join(getattr(option, "__name__", str(option)) for option in wanted), value, at, issues)


def _table(value: object, wanted: type, at: Place, issues: Issues) -> object:
    """Structure a table inside a value, e.g. one rule of a list of rules."""
    if isinstance(value, wanted):
        return value
    if not isinstance(value, Mapping):
        return _mismatch("table", value, at, issues)
    fields = fields_of(wanted)
    values: dict[str, object] = {}
    for name, item in value.items():
        place = at.entry(name)
        if name not in fields:
            issues.unknown((at.section, at.key), "key", name, fields, place.trail)
            continue
        values[name] = _checked(structured(item, fields[name].type, place, issues), fields[name], place, issues)
    missing = [name for name, field in fields.items() if field.default is attrs.NOTHING and name not in values]
    for name in missing:
        issues.fault(at.section, at.key, f"{at.entry(name).trail} is missing")
    if missing or any(item is INVALID for item in values.values()):
        return INVALID
    return built(wanted, values, at, issues)


def built(cls: type, values: Mapping[str, object], at: Place, issues: Issues) -> object:
    """Return an instance, or INVALID with the fault noted where its values do not fit together."""
    try:
        return cls(**values)
    except ValueError as error:
        issues.fault(at.section, at.key, at.trail + _said(error))
    except Exception as error:  # as for the check of a single key
        issues.fault(at.section, at.key, f"{at.trail} could not be checked ({type(error).__name__})")
    return INVALID

"""Merges config layers: plugin defaults, host file, repository file, command line; later ones win per key.

A user's mistake never raises. Every fault of every layer is gathered in `Config.faults`, and the
review that reads such a config ends as ERROR.
"""

import types
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar, cast

from attrs import Factory, define, field

from werkrevisor_core.config.issues import ConfigFault, Issues, Layer, LayerKind, Place
from werkrevisor_core.config.parse import TomlFault, parse
from werkrevisor_core.config.plain import table
from werkrevisor_core.config.sections import CORE_SECTIONS, PluginsSettings
from werkrevisor_core.config.structure import INVALID, built, fields_of, info_of, read_section
from werkrevisor_core.config.wording import described, key_name, printable
from werkrevisor_core.errors import RegistryError
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Merge

__all__ = ["CONFIG_VERSION", "DEFAULT", "Config", "ConfigFault", "Layer", "LayerKind", "load", "parsed", "plugins_of"]

CONFIG_VERSION: Final = 1
"""Version of the config format. A file without `version` is of the one before, and is read alike."""

DEFAULT: Final = "default"
"""Origin of a value that no layer sets."""

T = TypeVar("T")


@frozen
class Config:
    """The merged config of one review.

    `faults` end the review as ERROR. `warnings` are sentences on unknown names in the repository's
    layer, which are ignored. `unread` are the known sections that no active rule reads.
    """

    _sections: Mapping[str, object]
    _origins: Mapping[tuple[str, str], str] = field(repr=False)
    faults: tuple[ConfigFault, ...] = ()
    warnings: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def sections(self) -> Mapping[str, object]:
        """All sections by name, sorted; each an instance of its settings class."""
        return self._sections

    def section(self, name: str) -> object:
        """Return the settings of a section; a key with a fault has the value of the layers before.

        Raises:
            KeyError: no active rule and no part of the core has this section.
        """
        return self._sections[name]

    def core(self, cls: type[T]) -> T:
        """Return the settings of the core's section that `cls` describes.

        Raises:
            KeyError: `cls` is no class of `CORE_SECTIONS`.
        """
        for name, owned in CORE_SECTIONS.items():
            if owned is cls:
                return cast(T, self._sections[name])
        raise KeyError(cls.__name__)

    def origin(self, section: str, key: str) -> str:
        """Return the name of the layer that set a key, or `default`.

        Args:
            section: name of the section.
            key: the key, or `key.entry` for one entry of a table that is merged by entries.
        """
        return self._origins.get((section, key), DEFAULT)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all merged values, hexadecimal; equal configs have equal digests."""
        import hashlib  # noqa: PLC0415 (only a review that is rendered needs it)
        import json  # noqa: PLC0415

        values = {name: table(settings) for name, settings in self._sections.items()}
        text = json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


@define
class _Merged:
    """The values and origins of all layers so far; lives as long as one load."""

    values: dict[str, dict[str, object]] = Factory(dict)
    origins: dict[tuple[str, str], str] = Factory(dict)
    touched: dict[str, Issues] = Factory(dict)

    def add(self, section: str, cls: type, found: Mapping[str, object], issues: Issues) -> None:
        """Lay the values of one section of one layer over those of the layers before."""
        self.touched[section] = issues
        values = self.values.setdefault(section, {})
        fields = fields_of(cls)
        for key, value in found.items():
            merge = info_of(fields[key]).merge
            before = values.get(key, fields[key].default)
            earlier = self.origins.get((section, key))
            self.origins[section, key] = issues.name
            if merge is Merge.EXTEND and isinstance(value, tuple):
                values[key] = (*cast("tuple[object, ...]", before), *value)
                self.origins[section, key] = f"{earlier}, {issues.name}" if earlier else issues.name
            elif merge is Merge.ENTRIES and isinstance(value, Mapping):
                values[key] = types.MappingProxyType({**cast("Mapping[str, object]", before), **value})
                self.origins.update({(section, f"{key}.{entry}"): issues.name for entry in value})
            else:
                values[key] = value


def load(
    layers: Sequence[Layer], sections: Mapping[str, type], known_elsewhere: Mapping[str, type] | None = None
) -> Config:
    """Merge layers into one config; a user's mistake ends in `Config.faults`, never in an exception.

    Args:
        layers: host, repository, command line, in this order; any may be missing.
        sections: the settings class of each active rule's section; the core's are added.
        known_elsewhere: sections of rules that are switched off: known, and not read.

    Raises:
        RegistryError: a rule declares a section of the core with a class of its own.
    """
    active = _active(sections)
    elsewhere = {name: cls for name, cls in (known_elsewhere or {}).items() if name not in active}
    merged = _Merged()
    gathered: list[Issues] = []
    unread: set[str] = set()
    for layer in layers:
        issues = Issues(printable(layer.name), layer.kind)
        gathered.append(issues)
        for name, content in _tables(layer, issues).items():
            if name in elsewhere:
                unread.add(name)
            elif name not in active:
                issues.unknown((key_name(name), ""), "section", name, {**active, **elsewhere})
            elif not isinstance(content, Mapping):
                issues.fault(name, "", f": expected table, got {described(content)}")
            else:
                found = read_section(content, active[name], name, issues)
                merged.add(name, active[name], found, issues)
    built_sections = {name: _build(name, active[name], merged) for name in sorted(active)}
    for issues in gathered:
        issues.close()
    return Config(
        types.MappingProxyType(built_sections),
        types.MappingProxyType(merged.origins),
        tuple(fault for issues in gathered for fault in issues.faults),
        tuple(warning for issues in gathered for warning in issues.warnings),
        tuple(sorted(unread)),
    )


def _active(sections: Mapping[str, type]) -> dict[str, type]:
    for name, cls in sections.items():
        if CORE_SECTIONS.get(name, cls) is not cls:
            raise RegistryError(f"The section [{name}] belongs to the core; {cls.__module__} must name another one.")
    return {**CORE_SECTIONS, **sections}


def _build(name: str, cls: type, merged: _Merged) -> object:
    values = merged.values.get(name)
    if not values:
        return cls()
    settings = built(cls, values, Place(name, ""), merged.touched[name])
    return cls() if settings is INVALID else settings


def parsed(layer: Layer) -> Layer:
    """Return the layer with its file read, so that it is read once however often it is loaded.

    A layer that cannot be read comes back as it is; `load` then says why.
    """
    if isinstance(layer.data, bytes):
        try:
            return Layer(layer.name, layer.kind, parse(layer.data))
        except TomlFault:
            return layer
    return layer


def plugins_of(layers: Sequence[Layer]) -> PluginsSettings:
    """Return the host's word on which rules are on; needed before the rules' sections are known.

    Faults are left to `load`, which sees the same layers.
    """
    host = []
    for layer in layers:
        data = parsed(layer).data
        if layer.kind is not LayerKind.REPOSITORY and isinstance(data, Mapping):
            kept = {name: content for name, content in data.items() if name == "plugins"}
            host.append(Layer(layer.name, layer.kind, kept))
    return load(host, {}).core(PluginsSettings)


def _tables(layer: Layer, issues: Issues) -> Mapping[str, object]:
    """Return the sections of a layer; a fault is noted where it cannot be read."""
    data = layer.data
    if isinstance(data, bytes):
        try:
            data = parse(data)
        except TomlFault as fault:
            issues.fault("", "", str(fault))
            return {}
    if "version" in data:
        _check_version(data["version"], issues)
    return {name: content for name, content in data.items() if name != "version"}


def _check_version(version: object, issues: Issues) -> None:
    if type(version) is not int or version < 1:
        issues.fault("", "version", f": expected int {CONFIG_VERSION}, got {described(version)}")
    elif version > CONFIG_VERSION:
        text = (
            f" {described(version).removeprefix('int ')} is newer than what this werkrevisor reads ({CONFIG_VERSION})"
        )
        if issues.kind is LayerKind.REPOSITORY:
            issues.warn("", "version", f"{text}; what it does not know is ignored")
        else:
            issues.fault("", "version", f"{text}; update werkrevisor")

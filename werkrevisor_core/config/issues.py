"""Where the faults and warnings of config layers are gathered, so that all are reported at once."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import Factory, define

from werkrevisor_core.config.wording import key_name, unknown
from werkrevisor_core.records import frozen

MAX_ISSUES = 100
"""Most faults (and most warnings) of one layer that are spelt out; the others are counted."""


class LayerKind(StrEnum):
    """Whose word a layer is; it decides what the layer may set and how unknown names are taken."""

    HOST = "host"
    REPOSITORY = "repository"
    COMMAND_LINE = "command line"


@frozen
class Layer:
    """One config layer.

    Args:
        name: how messages and origins call it, e.g. `host.toml` or `.werkrevisor.toml`.
        kind: whose word it is.
        data: the bytes of a TOML file, or its tables.
    """

    name: str
    kind: LayerKind
    data: bytes | Mapping[str, object]


@frozen
class ConfigFault:
    """One thing that is wrong in a layer.

    `section` and `key` are empty where the fault belongs to none. `message` follows the key with
    the space, colon or dot that joins them. `kind` is that of the layer.
    """

    layer: str
    section: str
    key: str
    message: str
    kind: LayerKind = LayerKind.HOST

    def __str__(self) -> str:
        """Return the sentence for the user."""
        return sentence(self.layer, self.section, self.key, self.message)


def sentence(layer: str, section: str, key: str, message: str) -> str:
    """Return `layer: [section] key` and the message."""
    place = " ".join(part for part in (f"[{section}]" if section else "", key) if part)
    return f"{layer}: {place}{message}" if place else f"{layer}{message}"


@define
class Issues:
    """The faults and warnings of one layer, bounded; a collector that lives as long as one load."""

    name: str
    kind: LayerKind
    faults: list[ConfigFault] = Factory(list)
    warnings: list[str] = Factory(list)
    fault_count: int = 0
    warning_count: int = 0

    def fault(self, section: str, key: str, message: str) -> None:
        """Note a fault."""
        self.fault_count += 1
        if self.fault_count <= MAX_ISSUES:
            self.faults.append(ConfigFault(self.name, section, key, message, self.kind))

    def warn(self, section: str, key: str, message: str) -> None:
        """Note something that is ignored and shown."""
        self.warning_count += 1
        if self.warning_count <= MAX_ISSUES:
            self.warnings.append(sentence(self.name, section, key, message))

    def unknown(self, place: tuple[str, str], what: str, given: str, known: Iterable[str], trail: str = "") -> None:
        """Note an unknown name: a warning in the repository's layer, which a newer version may know.

        Args:
            place: section and key in which it stands.
            what: the kind of name, e.g. `key`.
            given: the name.
            known: the names that would be right.
            trail: path behind the key, for a name in a value.
        """
        lenient = self.kind is LayerKind.REPOSITORY
        spelt_out = (self.warning_count if lenient else self.fault_count) < MAX_ISSUES
        text = f"{trail} {unknown(what, given, known)}" if spelt_out else ""
        if lenient:
            self.warn(*place, f"{text}; it is ignored" if text else "")
        else:
            self.fault(*place, text)

    def close(self) -> None:
        """Say how many were not spelt out."""
        if self.fault_count > MAX_ISSUES:
            rest = self.fault_count - MAX_ISSUES
            self.faults.append(ConfigFault(self.name, "", "", f": {rest} more faults", self.kind))
        if self.warning_count > MAX_ISSUES:
            self.warnings.append(f"{self.name}: {self.warning_count - MAX_ISSUES} more unknown names, ignored as well")


@frozen
class Place:
    """Where a value stands: section, key, and the path behind the key, e.g. `.java[0]`."""

    section: str
    key: str
    trail: str = ""

    def entry(self, name: str) -> "Place":
        """Return the place of an entry of a table."""
        return Place(self.section, self.key, f"{self.trail}.{key_name(name)}")

    def item(self, index: int) -> "Place":
        """Return the place of an item of a list."""
        return Place(self.section, self.key, f"{self.trail}[{index}]")

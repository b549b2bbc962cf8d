"""Prints a merged config as TOML, each value with the layer it came from.

No secret can show up here: a config names the variable or the file that holds one, never the secret.
"""

import json
from collections.abc import Iterator, Mapping

from werkrevisor_core.config.layers import CONFIG_VERSION, Config
from werkrevisor_core.config.plain import Plain, plain
from werkrevisor_core.config.structure import fields_of, info_of
from werkrevisor_core.config.wording import key_name, printable
from werkrevisor_core.rule import Merge

WIDTH = 100
"""Lists longer than this many characters are broken over lines of about this length."""


def show(config: Config) -> str:
    """Return the config as TOML that `load` would read again, with origins as comments.

    Args:
        config: the merged config.
    """
    lines = [f"version = {CONFIG_VERSION}"]
    for name, settings in config.sections.items():
        lines += ["", f"[{name}]", *_section(config, name, settings)]
    for name in config.unread:
        lines += ["", f"# [{name}] is set, but its rule is switched off"]
    return "\n".join(lines) + "\n"


def _section(config: Config, section: str, settings: object) -> Iterator[str]:
    tables: list[tuple[str, Mapping[str, object]]] = []
    for key, field in fields_of(type(settings)).items():
        value = getattr(settings, key)
        if info_of(field).merge is Merge.ENTRIES and isinstance(value, Mapping):
            tables.append((key, value))
        elif value is None:
            yield f"# {key} is not set"
        else:
            yield from _entry(key, plain(value), config.origin(section, key))
    for key, entries in tables:
        yield f"[{section}.{key}]"
        for entry, value in entries.items():
            yield from _entry(_key(entry), plain(value), config.origin(section, f"{key}.{entry}"))


def _entry(key: str, value: Plain, origin: str) -> Iterator[str]:
    """Yield `key = value  # origin`; a list that is too long for one line is filled over several."""
    short = _flat(value)
    if not isinstance(value, list) or len(short) <= WIDTH:
        yield f"{key} = {short}  # {printable(origin)}"
        return
    yield f"{key} = [  # {printable(origin)}"
    line = "   "
    for item in map(_flat, value):
        if len(line) > 3 and len(line) + len(item) + 2 > WIDTH:
            yield line
            line = "   "
        line += f" {item},"
    yield line
    yield "]"


def _flat(value: Plain) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_flat(item)}" for name, item in value.items()) + "}"
    return str(value)


def _string(text: str) -> str:
    # JSON's escapes are TOML's too, as long as no character is split in two halves.
    quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return printable(quoted)


def _key(name: str) -> str:
    plain_name = key_name(name)
    return name if plain_name == name else _string(name)

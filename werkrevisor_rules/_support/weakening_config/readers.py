"""Reads one file, before or after the change, into its checks and settings."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from attrs import field

from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening_config.actions import action_checks, workflow_checks, workflow_settings
from werkrevisor_rules._support.weakening_config.build_files import gradle_settings, maven_settings, msbuild_settings
from werkrevisor_rules._support.weakening_config.definitions import (
    make_checks,
    nox_checks,
    package_checks,
    shell_checks,
    tox_checks,
    tox_table_checks,
)
from werkrevisor_rules._support.weakening_config.files import reader_of, tool_of
from werkrevisor_rules._support.weakening_config.flatten import (
    environment,
    flattened,
    ini_settings,
    overrides,
    python_settings,
)
from werkrevisor_rules._support.weakening_config.flow import read_json
from werkrevisor_rules._support.weakening_config.gitlab import pipeline_checks
from werkrevisor_rules._support.weakening_config.ini import read_ini
from werkrevisor_rules._support.weakening_config.objects import read_objects
from werkrevisor_rules._support.weakening_config.pipelines import hook_checks, other_checks
from werkrevisor_rules._support.weakening_config.scripts import Place, script_checks
from werkrevisor_rules._support.weakening_config.settings import Setting
from werkrevisor_rules._support.weakening_config.steps import Check
from werkrevisor_rules._support.weakening_config.toml import read_toml
from werkrevisor_rules._support.weakening_config.tree import Node, Table, table_of, text_of
from werkrevisor_rules._support.weakening_config.yaml import read_yaml


@frozen
class Read:
    """What one version of a file says."""

    checks: tuple[Check, ...] = ()
    settings: tuple[Setting, ...] = field(default=())


def read_config(path: str, text: str) -> Read:
    """Return the checks and settings of a file; nothing for a file that decides nothing here.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    name = reader_of(path)
    if name is None:
        return Read()
    checks = tuple(_CHECKS[name](text, path)) if name in _CHECKS else ()
    settings = tuple(_SETTINGS[name](text, path)) if name in _SETTINGS else ()
    return Read(checks, settings)


_SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tool:pytest": "pytest",
        "pytest": "pytest",
        "mypy": "mypy",
        "flake8": "flake8",
        "tox": "tox",
        "tool:interrogate": "interrogate",
    }
)


def _python_ini(text: str, path: str) -> Iterator[Setting]:
    name = path.rsplit("/", 1)[-1].lower()
    for section in read_ini(text).entries:
        table = table_of(section.value)
        if name == ".coveragerc" or section.key.startswith("coverage:"):
            yield from ini_settings(table, "coverage", path, section.key.removeprefix("coverage:"))
        elif "pylintrc" in name or section.key.lower().startswith("pylint"):
            yield from python_settings(ini_settings(table, "pylint", path))
        elif section.key.startswith("mypy-"):
            for module in section.key.removeprefix("mypy-").split(","):
                yield from ini_settings(table, "mypy", path, f"overrides.{module.strip()}")
        elif section.key in _SECTIONS:
            yield from python_settings(ini_settings(table, _SECTIONS[section.key], path))


def _pyproject(text: str, path: str) -> Iterator[Setting]:
    tools = table_of(read_toml(text).get("tool"))
    for tool in ("coverage", "mypy", "ruff", "flake8", "pylint", "pyright", "bandit", "interrogate", "tox"):
        table = table_of(tools.get(tool))
        plain = Table(table.line, tuple(entry for entry in table.entries if entry.key != "overrides"))
        yield from python_settings(flattened(plain, tool, path))
        yield from overrides(table.get("overrides"), path) if tool == "mypy" else ()
    pytest = table_of(tools.get("pytest"))
    yield from python_settings(flattened(pytest.get("ini_options") or pytest, "pytest", path))


def _python_toml(text: str, path: str) -> Iterator[Setting]:
    root, tool = read_toml(text), tool_of(path)
    if tool == "pytest":
        yield from python_settings(flattened(root.get("pytest") or root, tool, path))
    else:
        yield from python_settings(flattened(root, "coverage" if tool.startswith("coverage") else tool, path))


def _pyproject_checks(text: str, path: str) -> Iterator[Check]:
    tools = table_of(read_toml(text).get("tool"))
    yield from tox_table_checks(table_of(tools.get("tox")), path)
    scripts: list[tuple[str, Node]] = []
    for group in table_of(table_of(tools.get("hatch")).get("envs")).entries:
        scripts += [(entry.key, entry.value) for entry in table_of(table_of(group.value).get("scripts")).entries]
    for tool, name in (("poe", "tasks"), ("pdm", "scripts"), ("taskipy", "tasks")):
        scripts += [(entry.key, entry.value) for entry in table_of(table_of(tools.get(tool)).get(name)).entries]
    for name, node in scripts:
        command = table_of(node).get("cmd") or table_of(node).get("shell") or node
        commands = command.items if not isinstance(command, Table) and hasattr(command, "items") else (command,)
        for one in commands:
            yield from script_checks(text_of(one) or "", one.line, Place(path, name, f"make {name}"))


def _tox_toml_checks(text: str, path: str) -> Iterator[Check]:
    if tool_of(path) == "tox":
        yield from tox_table_checks(read_toml(text), path)


def _package(text: str, path: str) -> Iterator[Setting]:
    root = table_of(read_json(text))
    for key, tool in (
        ("jest", "jest"),
        ("nyc", "nyc"),
        ("c8", "c8"),
        ("mocha", "mocha"),
        ("eslintConfig", "eslint"),
        ("vitest", "vitest"),
    ):
        yield from flattened(root.get(key), tool, path)


def _objects(text: str, path: str) -> Iterator[Setting]:
    root, tool = read_objects(text), tool_of(path)
    if path.rsplit("/", 1)[-1].startswith("vite."):
        yield from flattened(root.get("test"), tool, path, "test")
    else:
        yield from flattened(root, tool, path)


def _entries(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#"))


def _cargo(text: str, path: str) -> Iterator[Setting]:
    tool = "golangci" if "golangci" in path else "cargo"
    yield from flattened(read_toml(text), tool, path)


def _properties(text: str, path: str) -> Iterator[Setting]:
    name = path.rsplit("/", 1)[-1].split(".", 1)[0]
    tool = {"sonar-project": "sonar", "gradle": "gradle"}.get(name, "editorconfig")
    for section in read_ini(text).entries:
        yield from ini_settings(table_of(section.value), tool, path, section.key if tool == "editorconfig" else "")


_CHECKS: Final[Mapping[str, Callable[[str, str], Iterator[Check]]]] = MappingProxyType(
    {
        "workflow": workflow_checks,
        "action": action_checks,
        "gitlab": pipeline_checks,
        "pipeline": other_checks,
        "hooks": hook_checks,
        "make": make_checks,
        "package": package_checks,
        "nox": nox_checks,
        "pyproject": _pyproject_checks,
        "python-toml": _tox_toml_checks,
        "python-ini": tox_checks,
        "shell": shell_checks,
    }
)
_SETTINGS: Final[Mapping[str, Callable[[str, str], Iterator[Setting]]]] = MappingProxyType(
    {
        "package": _package,
        "pyproject": _pyproject,
        "python-toml": _python_toml,
        "python-ini": _python_ini,
        "json": lambda text, path: flattened(read_json(text), tool_of(path), path),
        "yaml": lambda text, path: flattened(read_yaml(text), tool_of(path), path),
        "objects": _objects,
        "cargo": _cargo,
        "maven": maven_settings,
        "msbuild": msbuild_settings,
        "gradle": gradle_settings,
        "properties": _properties,
        "ignore": lambda text, path: iter((Setting("ignore", "entries", path, 1, values=_entries(text)),)),
        "workflow": workflow_settings,
        "gitlab": environment,
        "arguments": lambda text, path: iter((Setting("mvn", "arguments", path, 1, text),)),
    }
)

"""Reads other CI systems into checks, as far as their commands go: CircleCI, Woodpecker, Drone, Travis, Azure, ...

What starts them and what holds them back is not known; so a step that is gone is seen, a filter is not.
"""

from collections.abc import Iterator
from typing import Final

from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.checks import action_of, checks_of
from werkrevisor_rules._support.weakening_config.scripts import ON_CHANGE, Place, script_checks
from werkrevisor_rules._support.weakening_config.steps import Check, Limit
from werkrevisor_rules._support.weakening_config.tree import Node, Scalar, Table, items_of, text_of, walk
from werkrevisor_rules._support.weakening_config.yaml import read_yaml

_SCRIPTS: Final = frozenset({"run", "command", "commands", "script", "bash", "sh", "cmds", "pwsh", "powershell"})
_SOFT: Final = {
    ("failure", "ignore"), ("continueOnError", "true"), ("ignore_error", "true"), ("soft_fail", "true"),
    ("allow_failure", "true"), ("continue-on-error", "true"), ("optional", "true"),
}  # fmt: skip


def other_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a CI file of any system that keeps commands in YAML.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    for keys, _, node in walk(read_yaml(text)):
        if not isinstance(node, Table):
            continue
        limits = tuple(
            Limit(Kind.NON_FAILING, f"{entry.key}: {text_of(entry.value)}", entry.line)
            for entry in node.entries
            if (entry.key, text_of(entry.value)) in _SOFT
        )
        for entry in node.entries:
            if entry.key in _SCRIPTS:
                label = next((key for key in reversed(keys) if key not in ("[]", "steps", *_SCRIPTS)), "")
                for line in _lines(entry.value):
                    yield from script_checks(line.text, line.line, Place(path, label, limits=limits))


def _lines(node: Node) -> Iterator[Scalar]:
    for item in items_of(node):
        if isinstance(item, Scalar):
            yield item


def hook_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the hooks of a pre-commit configuration as checks that `pre-commit run` calls.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    for keys, _, node in walk(read_yaml(text)):
        if keys != ("repos", "[]", "hooks", "[]") or not isinstance(node, Table):
            continue
        name = text_of(node.get("id")) or ""
        words = [name, *(text_of(item) or "" for item in items_of(node.get("args")))]
        found = checks_of([name, "--check", *words[1:]] if name == "black" else words)
        command = found[0] if found else action_of(f"hooks/{name}", {})
        if command is None:
            continue
        limits = [
            Limit(Kind.NON_FAILING, "stages: manual", entry.line)
            for entry in node.entries
            if entry.key == "stages" and [text_of(item) for item in items_of(entry.value)] == ["manual"]
        ]
        yield Check(command, path, node.line, name, tuple(limits), "pre-commit", events=ON_CHANGE)

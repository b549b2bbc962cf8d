"""Runs whole reviews in tests: real rules, real config, scripted judges, no git and no fork."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from werkrevisor_core.config.layers import Layer, LayerKind
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.result import Review
from werkrevisor_core.registry import LoadedRule, Registry, load_registry
from werkrevisor_core.session import Sources, prepare, switched
from werkrevisor_core.testing.build import DictContents, Text, change_set, to_bytes
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel
from werkrevisor_core.watchdog import Progress

Judge = ScriptedJev | ScriptedModel


def run(
    *files: FileChange,
    host: Text = "",
    repository: Text | None = None,
    judges: Sequence[Judge] = (),
    rules: Sequence[LoadedRule] = (),
    registry: Registry | None = None,
    **given: Any,
) -> Review:
    """Review file changes with all installed rules.

    Args:
        files: the changed files (`werkrevisor_core.testing.build`).
        host: TOML of the host's file.
        repository: TOML of the base's `.werkrevisor.toml`, None where there is none.
        judges: scripted Jev and model.
        rules: further rules (`werkrevisor_core.testing.scripted.rule`).
        registry: the rules to take instead of the installed ones.
        given: fields of `Sources` (`change`, `contents`, `repository_file`, `history`, `notes`).
    """
    return review(sources(*files, host=host, repository=repository, **given), judges, rules, registry)


def sources(*files: FileChange, host: Text = "", repository: Text | None = None, **given: Any) -> Sources:
    """Build what a review is made from."""
    fields: dict[str, Any] = {
        "change": given.pop("change", None) or change_set(*files),
        "contents": DictContents(),
        "host": Layer("host.toml", LayerKind.HOST, to_bytes(host)),
    }
    built = Sources(**{**fields, **given})
    if repository is None:
        return built
    return evolve(built, repository_file=evolve(built.repository_file, old=to_bytes(repository)))


def review(
    given: Sources, judges: Sequence[Judge] = (), rules: Sequence[LoadedRule] = (), registry: Registry | None = None
) -> Review:
    """Review prepared sources."""
    found = registry or load_registry()
    found = Registry((*found.rules, *rules, *(judge.as_rule() for judge in judges)))
    ready = prepare(switched(found, given.host, given.command_line), given, Progress())
    return ready if isinstance(ready, Review) else ready.run()

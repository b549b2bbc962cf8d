"""The composition root: puts registry, config, source and engine together for one review.

Both front ends come through here; nothing below knows where the layers of a config come from.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, field

from werkrevisor_core.config.examine import REPOSITORY_FILE, examine, mends
from werkrevisor_core.config.layers import Config, ConfigFault, Layer, LayerKind, load, parsed, plugins_of
from werkrevisor_core.config.sections import (
    CategoriesSettings,
    EngineSettings,
    GateSettings,
    PathJudgeSettings,
    ReviewSettings,
)
from werkrevisor_core.engine import ReviewInput, failed, review
from werkrevisor_core.facade import Facade
from werkrevisor_core.models.change import ChangeSet, FileChange, Status
from werkrevisor_core.models.context import ConfigChange, History
from werkrevisor_core.models.forge import PullRequestFacts
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.models.replay import Fingerprints, Replay
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.registry import Registry
from werkrevisor_core.rule import NoSettings
from werkrevisor_core.watchdog import Progress


@frozen
class RepositoryFile:
    """The repository's config file at the base and at the head.

    `old` and `new` are the bytes, None where that side has no such file; `new_regular` is False
    where the new version is a symlink or the like, `new_readable` False where nobody could read it.
    `old_fault` says why the base's version, which is there, could not be read.
    """

    old: bytes | None = None
    new: bytes | None = None
    new_regular: bool = True
    new_readable: bool = True
    old_fault: str = ""


@frozen
class Sources:
    """What a review is made from, besides the rules."""

    change: ChangeSet
    contents: Contents = field(factory=NoContents)
    repository_file: RepositoryFile = RepositoryFile()
    host: Layer | None = None
    command_line: Layer | None = None
    history: History = History()
    notes: tuple[str, ...] = ()
    forge: PullRequestFacts | None = None
    replay: Replay | None = None
    fingerprints: Fingerprints | None = None
    earlier: Contents | None = None


@frozen
class Prepared:
    """A review that can start: its input and the facade of its rules."""

    given: ReviewInput
    facade: Facade
    config: Config

    def run(self) -> Review:
        """Run the review."""
        return review(self.given, self.facade)


def switched(registry: Registry, host: Layer | None, command_line: Layer | None = None) -> Registry:
    """Return the registry with the rules switched as the host says.

    Raises:
        RegistryError: the host names a rule that is not installed or may not be switched off.
    """
    plugins = plugins_of([layer for layer in (host, command_line) if layer is not None])
    return registry.switched(plugins.disable, plugins.enable)


def engine_of(host: Layer | None) -> EngineSettings:
    """Return the host's `[engine]`, which is needed before the change is read; faults are left to `prepare`."""
    data = None if host is None else parsed(host).data
    if host is None or not isinstance(data, Mapping):
        return EngineSettings()
    kept = {name: content for name, content in data.items() if name == "engine"}
    return load([Layer(host.name, host.kind, kept)], {}).core(EngineSettings)


def load_config(registry: Registry, layers: Sequence[Layer]) -> Config:
    """Load layers against the sections of the active rules; those of disabled rules are known."""
    return load(layers, active_sections(registry), registry.sections)


def active_sections(registry: Registry) -> dict[str, type]:
    """Return section name -> settings class of the rules that are on."""
    return {
        rule.info.section_name: rule.info.settings for rule in registry.active if rule.info.settings is not NoSettings
    }


def prepare(registry: Registry, sources: Sources, progress: Progress) -> Prepared | Review:
    """Load the config and set the review up.

    Args:
        registry: the rules, already switched.
        sources: what the review is made from.
        progress: where the running rule will be noted.

    Returns:
        The review, ready to run; or a finished one with the verdict ERROR where the config is at fault.
    """
    host = [parsed(layer) for layer in (sources.host,) if layer is not None]
    command_line = [layer for layer in (sources.command_line,) if layer is not None]
    file = sources.repository_file
    base = [] if file.old is None else [parsed(Layer(REPOSITORY_FILE, LayerKind.REPOSITORY, file.old))]
    config = _with_fault(load_config(registry, [*host, *base, *command_line]), file.old_fault)
    change = _config_change(registry, sources, [*host, *command_line])
    notes = sources.notes
    if not sources.change.faults and mends(config, change, _paths(sources.change)):
        config = load_config(registry, [*host, *command_line])
        notes = (
            *notes,
            f"The base's own {REPOSITORY_FILE} is faulty; this change makes it valid, so it is left out here.",
        )
    engine = config.core(EngineSettings)
    if config.faults:
        return failed(sources.change, (_config_reason(config),), engine.mode, notes)
    given = ReviewInput(
        change=sources.change,
        engine=engine,
        categories=config.core(CategoriesSettings),
        path_judge=config.core(PathJudgeSettings),
        contents=sources.contents,
        history=sources.history,
        config_change=change,
        config_warnings=config.warnings,
        config_digest=config.digest,
        notes=notes,
        forge=sources.forge,
        gate=config.core(GateSettings),
        review=config.core(ReviewSettings),
        replay=sources.replay,
        fingerprints=sources.fingerprints,
        earlier=sources.earlier,
    )
    return Prepared(given, Facade(registry.active, config.sections, progress), config)


def _with_fault(config: Config, why: str) -> Config:
    """Add what keeps the base's file from being read at all; its change may mend it like any other fault."""
    if not why:
        return config
    fault = ConfigFault(REPOSITORY_FILE, "", "", f": {why}", LayerKind.REPOSITORY)
    return evolve(config, faults=(*config.faults, fault))


def _config_reason(config: Config) -> Reason:
    return Reason(
        "config",
        Level.ERROR,
        "The config is at fault, so nothing was judged.",
        tuple(Evidence(note=str(fault)) for fault in config.faults),
        "The host's operator mends the host file; the repository's file is mended by a change of that file alone.",
        "config",
    )


def _config_change(registry: Registry, sources: Sources, layers: Sequence[Layer]) -> ConfigChange | None:
    """Judge what the change does to the repository's file; None where it does not touch it."""
    touching = [file for file in sources.change.files if REPOSITORY_FILE in file.paths]
    if not touching:
        return None
    file = sources.repository_file
    if _gone(touching):
        return ConfigChange(REPOSITORY_FILE, removed=True)
    if not file.new_regular:
        return ConfigChange(REPOSITORY_FILE, regular=False)
    if not file.new_readable or file.new is None:
        return ConfigChange(REPOSITORY_FILE, readable=False)
    return examine(layers, file.new, active_sections(registry), registry.sections)


def _gone(touching: Sequence[FileChange]) -> bool:
    return all(
        (file.path == REPOSITORY_FILE and file.status is Status.REMOVED) or file.path != REPOSITORY_FILE
        for file in touching
    ) and not any(file.status is Status.COPIED for file in touching)


def _paths(change: ChangeSet) -> list[str]:
    return [path for file in change.files for path in file.paths]

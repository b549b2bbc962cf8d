"""Finds, checks and switches rules.

A pack is a distribution with an entry point in the group `werkrevisor` that names a package. Every
module in one of its step folders that has a `RULE` is a rule; nothing else lists it. Whatever is
wrong with a pack stops the start with one message: a rule that silently is not there lets through
what it should have stopped.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Final

import pluggy

from werkrevisor_core import hookspecs
from werkrevisor_core.errors import RegistryError
from werkrevisor_core.markers import PROJECT
from werkrevisor_core.packs import Announced, announced
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import NoSettings, Phase, RuleInfo

HOOKS: Final = {
    Phase.CLASSIFY: frozenset({"werkrevisor_classifier"}),
    Phase.CARRY_OVER: frozenset({"werkrevisor_carry_over"}),
    Phase.GATES: frozenset({"werkrevisor_gate", "werkrevisor_coverage"}),
    Phase.JEV: frozenset({"werkrevisor_judge"}),
    Phase.ENGINES: frozenset({"werkrevisor_review"}),
    Phase.ADJUST: frozenset({"werkrevisor_adjust"}),
    Phase.ESCALATE: frozenset({"werkrevisor_escalate"}),
    Phase.REPORT: frozenset({"werkrevisor_report"}),
}
"""Which hooks a rule of each phase may implement."""

_MARK: Final = f"{PROJECT}_impl"


@frozen
class FoundRule:
    """A rule module and the pack that brought it."""

    info: RuleInfo
    module: ModuleType
    pack: str
    pack_version: str


@frozen
class LoadedRule:
    """A rule, on or off, and why."""

    info: RuleInfo
    module: ModuleType
    pack: str
    pack_version: str
    on: bool
    why: str


@frozen
class Registry:
    """All installed rules, sorted by name."""

    rules: tuple[LoadedRule, ...]

    @property
    def active(self) -> tuple[LoadedRule, ...]:
        """The rules that are on."""
        return tuple(rule for rule in self.rules if rule.on)

    @property
    def sections(self) -> Mapping[str, type]:
        """Config sections of all rules, on or off: section name -> settings class."""
        return {
            rule.info.section_name: rule.info.settings for rule in self.rules if rule.info.settings is not NoSettings
        }

    def switched(self, disable: Iterable[str], enable: Iterable[str] = ()) -> "Registry":
        """Return the registry with rules switched off; `enable` wins over `disable`.

        Raises:
            RegistryError: an unknown name, or a rule that may not be switched off.
        """
        off, on = frozenset(disable), frozenset(enable)
        known = {rule.info.name for rule in self.rules}
        for name in sorted((off | on) - known):
            raise RegistryError(
                f"[plugins] names the rule {name!r}, which is not installed; known rules: {_names(known)}"
            )
        for rule in self.rules:
            if rule.info.essential and rule.info.name in off - on:
                raise RegistryError(
                    f"[plugins] disable names {rule.info.name!r}, which cannot be switched off: "
                    "without it something that nobody read could pass"
                )
        return Registry(tuple(_switch(rule, off - on, on) for rule in self.rules))


def _switch(rule: LoadedRule, off: frozenset[str], on: frozenset[str]) -> LoadedRule:
    name = rule.info.name
    why = "[plugins] disable" if name in off else "[plugins] enable" if name in on else "default"
    return LoadedRule(rule.info, rule.module, rule.pack, rule.pack_version, name not in off, why)


def load_registry(packs: Iterable[FoundRule] | None = None) -> Registry:
    """Load every installed pack and check it.

    Args:
        packs: the rules to take instead of the installed ones (for tests).

    Raises:
        RegistryError: a pack that fails to load, a rule that does not fit, a duplicate name, a
            misspelt hook.
    """
    found = sorted(packs if packs is not None else find_rules(), key=lambda rule: rule.info.name)
    _refuse_duplicates(found)
    _check_sections(found)
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    for rule in found:
        _register(manager, rule)
    return Registry(tuple(LoadedRule(r.info, r.module, r.pack, r.pack_version, True, "default") for r in found))


def find_rules() -> list[FoundRule]:
    """Import the packs that are installed and return their rules.

    Raises:
        RegistryError: a pack cannot be imported, or has no rules.
    """
    rules: list[FoundRule] = []
    for point in announced(PROJECT):
        name, version = point.pack, point.version
        try:
            rules += rules_of(_package(point), name, version)
        except RegistryError:
            raise
        except (Exception, SystemExit) as error:  # a pack that ends the program would pass for GREEN
            raise RegistryError(
                f"the pack {name} {version} (entry point {point.name!r}) fails to load: {type(error).__name__}: {error}"
            ) from error
    return rules


def _package(point: Announced) -> ModuleType:
    package = point.load()
    if not isinstance(package, ModuleType):
        raise RegistryError(
            f"the pack {point.pack} {point.version} (entry point {point.name!r}) names no package of rules"
        )
    return package


def rules_of(package: ModuleType, pack: str, version: str) -> list[FoundRule]:
    """Return the rules in the step folders of a package.

    Raises:
        RegistryError: the package has none, or a module there does not fit.
    """
    rules = []
    for phase in Phase:
        folder = f"{package.__name__}.{phase.value}"
        try:
            found = importlib.util.find_spec(folder)
        except ModuleNotFoundError:
            found = None
        for path in pkgutil.iter_modules(found.submodule_search_locations) if found else ():
            if path.name.startswith("_"):
                continue
            module = importlib.import_module(f"{folder}.{path.name}")
            info = getattr(module, "RULE", None)
            if not isinstance(info, RuleInfo):
                raise RegistryError(f"the module {module.__name__} of the pack {pack} has no RULE = RuleInfo(...)")
            _check_place(info, module, phase)
            rules.append(FoundRule(info, module, pack, version))
    if not rules:
        raise RegistryError(f"the pack {pack} has no rule in any of its step folders ({', '.join(Phase)})")
    return rules


def _check_place(info: RuleInfo, module: ModuleType, phase: Phase) -> None:
    name = module.__name__.rpartition(".")[2]
    if info.name != name:
        raise RegistryError(f"the rule in {module.__name__} calls itself {info.name!r}; it must be named {name!r}")
    if info.phase is not phase:
        raise RegistryError(
            f"the rule {name!r} says phase {info.phase.value!r} and stands in the folder {phase.value!r}"
        )


def _refuse_duplicates(rules: list[FoundRule]) -> None:
    by_name: dict[str, FoundRule] = {}
    by_reason: dict[str, FoundRule] = {}
    for rule in rules:
        for seen, key, what in (
            (by_name, rule.info.name, "rule"),
            *((by_reason, r, "reason") for r in rule.info.reason_ids),
        ):
            other = seen.setdefault(key, rule)
            if other is not rule:
                raise RegistryError(
                    f"two modules bring the {what} {key!r}: {_whence(other)} and {_whence(rule)}; uninstall one of them"
                )


def _whence(rule: FoundRule) -> str:
    return f"{rule.module.__name__} ({rule.pack} {rule.pack_version})"


def _check_sections(rules: list[FoundRule]) -> None:
    owners: dict[str, FoundRule] = {}
    for rule in rules:
        if rule.info.settings is NoSettings:
            continue
        other = owners.setdefault(rule.info.section_name, rule)
        if other.info.settings is not rule.info.settings:
            raise RegistryError(
                f"the rules {other.info.name!r} ({other.pack}) and {rule.info.name!r} ({rule.pack}) both declare the "
                f"config section [{rule.info.section_name}] with different settings"
            )


def _register(manager: pluggy.PluginManager, rule: FoundRule) -> None:
    """Let pluggy check the hooks of one rule, and refuse what pluggy would let pass.

    Raises:
        RegistryError: no hook, a misspelt one, one of another phase, or wrong arguments.
    """
    where = f"the rule {rule.info.name!r} ({rule.pack} {rule.pack_version})"
    try:
        manager.register(rule.module, rule.info.name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise RegistryError(f"{where}: {' '.join(str(error).split())}") from error
    allowed = HOOKS.get(rule.info.phase, frozenset())
    hooks = hooks_of(rule.module)
    marked = {name for name in hooks if getattr(getattr(rule.module, name), _MARK, None) is not None}
    for name in sorted(hooks - marked):
        raise RegistryError(f"{where}: the function {name!r} looks like a hook and lacks @hookimpl")
    for name in sorted(marked - allowed):
        raise RegistryError(f"{where}: the hook {name!r} does not belong to the phase {rule.info.phase.value!r}")
    if not marked:
        raise RegistryError(f"{where}: it implements no hook; its phase has {_names(allowed)}")


def hooks_of(module: ModuleType) -> set[str]:
    """Return the names in a module that begin like a hook."""
    return {name for name in vars(module) if name.startswith(f"{PROJECT}_") and callable(getattr(module, name))}


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"

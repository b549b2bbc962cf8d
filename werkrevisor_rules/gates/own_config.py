"""Has every change of the repository's own config checked, and refuses a faulty one.

What it looks at:
    Whether the change touches `.werkrevisor.toml`, and what the new version holds. The change is
    judged by the config of the base branch. Names in that config which nobody here knows are a
    reason of their own.

Why:
    Who may loosen the gate decides what passes it; and a faulty config would end every later
    review as ERROR.

Example:
    `[size] max_files = "many"` in the new version gives RED, a valid change YELLOW.

Options:
    None.

Not covered:
    Whether the new values are wise; that is why a valid change needs a human, too.
"""

from collections.abc import Iterator
from typing import Final

from werkrevisor_core.globs import fold
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import ConfigChange, GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded

CONFIG_UNKNOWN = "config_unknown"
CONFIG_PATH: Final = ".werkrevisor.toml"

RULE = RuleInfo(name="own_config", phase=Phase.GATES, since="0.1.0", reasons=("own_config", CONFIG_UNKNOWN))


def _touched(context: ReviewContext) -> list[str]:
    """Return the changed paths that are the config, or could be taken for it by a file system."""
    paths = (path for file in context.change.files for path in file.paths)
    return sorted({path for path in paths if fold(path) == CONFIG_PATH})


def _judged(change: ConfigChange) -> tuple[Level, str, tuple[Evidence, ...]]:
    """Return level, message and evidence for a change of the config."""
    path = change.path
    if change.removed:
        return Level.YELLOW, "The change removes the repository's config.", (Evidence(path=path, note="removed"),)
    if not change.regular:
        return Level.RED, "The repository's config is no regular file any more.", (Evidence(path=path),)
    faults = tuple(Evidence(path=path, note=fault) for fault in change.faults)
    unknown = tuple(Evidence(path=path, note=name) for name in change.unknown)
    if faults:
        return Level.RED, f"The new config of the repository has {amount(len(faults), 'fault')}.", faults + unknown
    if not change.readable:
        return Level.YELLOW, "The new config of the repository could not be read here.", (Evidence(path=path),)
    if unknown:
        return Level.YELLOW, "The new config of the repository has names that nobody here knows.", unknown
    return (
        Level.YELLOW,
        "The change touches the repository's config, which decides what passes.",
        (Evidence(path=path),),
    )


def _reasons(context: ReviewContext) -> Iterator[Reason]:
    touched = _touched(context)
    change = context.config_change
    if change is None and touched:
        change = ConfigChange(CONFIG_PATH, readable=False)
    if change is not None:
        level, message, evidence = _judged(change)
        others = (Evidence(path=path, note="a spelling of the same name") for path in touched if path != change.path)
        red = level is Level.RED
        yield Reason(
            id=RULE.name,
            level=level,
            message=message,
            evidence=bounded((*evidence, *others)),
            advice="The author has to mend the config with a new commit."
            if red
            else "A human reviewer has to check the new config and approve this head.",
            rule=RULE.name,
        )
    if context.config_warnings:
        yield Reason(
            id=CONFIG_UNKNOWN,
            level=Level.YELLOW,
            message="The repository's config has names that nobody here knows; they have no effect.",
            evidence=bounded(Evidence(path=CONFIG_PATH, note=warning) for warning in context.config_warnings),
            advice="Correct the names in the config, or let the host install what knows them; "
            "until then a human reviewer has to approve this head.",
            rule=RULE.name,
        )


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return the reasons about the repository's config, new and present, or None."""
    reasons = tuple(_reasons(context))
    return GateResult(reasons) if reasons else None


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Judge the repository's config."""
    return evaluate(context)

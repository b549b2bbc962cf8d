"""Asks a human about every change of a risky path.

What it looks at:
    Every changed path, also the old one of a rename or copy, of mechanical files and documents too.
    A path matches as it stands, and after its characters are composed (NFC) and its case is folded.

Why:
    Some files decide what runs, who may approve and what an agent believes. Nobody should change
    them unseen, however small the change is.

Example:
    With `globs = ["**/auth/**"]` a changed import in `src/auth/Login.java` gives YELLOW.

Options:
    `globs` adds to the built-in globs. `drop_floor` lets a host drop groups of the built-in ones.

Not covered:
    What the change does. A file that a risky file includes, unless its own path is risky.
"""

from collections.abc import Iterator

from werkrevisor_core.globs import Globs
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded
from werkrevisor_rules._support.risky_paths import RiskyPathsSettings, risky_globs

RULE = RuleInfo(name="risky_paths", phase=Phase.GATES, since="0.1.0", settings=RiskyPathsSettings)


def _matches(file: FileChange, globs: Globs) -> Iterator[Evidence]:
    for path in file.paths:
        if (glob := globs.match(path)) is not None:
            side = Side.NEW if path == file.path else Side.OLD
            yield Evidence(path=path, side=side, note=f"matches the glob {glob}")


def evaluate(context: ReviewContext, settings: RiskyPathsSettings) -> GateResult | None:
    """Return one reason that names every risky path and the glob that it matches, or None."""
    globs = risky_globs(settings)
    evidence = [found for file in context.change.files for found in _matches(file, globs)]
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"The change touches {amount(len(evidence), 'risky path')}.",
        evidence=bounded(evidence),
        advice="A human reviewer has to look at these files and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: RiskyPathsSettings) -> GateResult | None:
    """Ask a human about risky paths."""
    return evaluate(context, settings)

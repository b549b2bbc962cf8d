"""Asks a human about files that nobody reads, since no model takes part.

What it looks at:
    In a mode without a model, every file that counts: code, documents, tests, generated files and
    binary files. Mechanical files and those that an approval covers do not count.

Why:
    A classifier ranks, it does not read. Without a model somebody else has to.

Example:
    In mode `classifier` a changed line of logic gives YELLOW, changed imports do not.

Options:
    None.

Not covered:
    Files that a model was to read and did not; `coverage` speaks for them.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded_paths

RULE = RuleInfo(name="not_reviewed", phase=Phase.GATES, since="0.1.0", essential=True)


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return one reason that names every file that nobody reads, or None."""
    files = context.counting()
    if context.mode.asks_model or not files:
        return None
    were = "was" if len(files) == 1 else "were"
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"{amount(len(files), 'file')} {were} read by nobody, since no model takes part in this mode.",
        evidence=bounded_paths((file.path, file.category.value) for file in files),
        advice="A human reviewer has to read these files and approve this head; the host can set a mode with a model.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Name what nobody reads."""
    return evaluate(context)

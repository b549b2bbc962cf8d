"""Asks a human about every change of a database schema.

What it looks at:
    Every changed file of the category `db_schema`, mechanical files too.

Why:
    A migration runs once, on data that cannot be made again, and no test has that data.

Example:
    A new `db/migration/V7__drop_column.sql` gives YELLOW.

Options:
    None; the globs of the category stand in the section `[categories]`.

Not covered:
    Statements that change a schema from within other files.
"""

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded_paths

RULE = RuleInfo(name="db_schema", phase=Phase.GATES, since="0.1.0")


def evaluate(context: ReviewContext) -> GateResult | None:
    """Return one reason that names every changed schema file, or None."""
    files = [file.change for file in context.files if file.category is Category.DB_SCHEMA]
    if not files:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"The change touches the database schema in {amount(len(files), 'file')}.",
        evidence=bounded_paths((file.path, file.status.value.replace("_", " ")) for file in files),
        advice="A human reviewer has to check the migration against real data and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext) -> GateResult | None:
    """Ask a human about schema changes."""
    return evaluate(context)

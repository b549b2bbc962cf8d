"""Holds the merge until the CI of this very head has succeeded.

What it looks at:
    The newest status per context on the judged head, other than the gate's own. Where the branch rule
    requires contexts, each of them; else all that there are. Statuses count only where an account of
    `[gate] ci_accounts` posted them; by default anyone but who opened the pull request or pushed to it.

Why:
    A status is posted by whoever may write, so an author could post his own. And a head on which
    nothing has run yet looks as clean as one on which everything has passed.

Example:
    A head without any status, or with one that is pending, failed or skipped where it is required,
    holds the merge; the verdict stays as it is.

Options:
    `[gate] ci_accounts` and `[gate] ci`: with `none` a head without any status may merge.

Not covered:
    What the CI checks, and whether the change weakens it (`risky_paths`, `tests_weakened`).
"""

from collections.abc import Iterator
from typing import Final

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.forge import CheckStatus, PullRequestFacts
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import bounded

RULE = RuleInfo(name="ci_status", phase=Phase.GATES, since="0.1.0", settings=GateSettings, section="gate")

_SUCCESS: Final = "success"
_SKIPPED: Final = "skipped"


def _counts(status: CheckStatus, facts: PullRequestFacts, settings: GateSettings) -> bool:
    creator = status.creator.casefold()
    if not creator:
        return False  # the forge names nobody where the account was deleted
    if settings.ci_accounts:
        return creator in {login.casefold() for login in settings.ci_accounts}
    return creator not in {login.casefold() for login in (facts.poster, *facts.involved)}


def _matches(pattern: str, context: str) -> bool:
    """Tell whether a required context, in which `*` stands for anything, names a context."""
    first, *others = pattern.split("*")
    if not others:
        return pattern == context
    last = others.pop()
    at = len(first)
    for part in others:
        found = context.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return context.startswith(first) and context.endswith(last) and at + len(last) <= len(context)


def _fault(status: CheckStatus, facts: PullRequestFacts, settings: GateSettings) -> Evidence | None:
    if not _counts(status, facts, settings):
        who = status.creator or "a deleted account"
        return Evidence(note=f"{status.context}: was posted by {who}, whose statuses do not count")
    return None if status.state == _SUCCESS else Evidence(note=f"{status.context}: is {status.state}")


def _required(statuses: list[CheckStatus], facts: PullRequestFacts, settings: GateSettings) -> Iterator[Evidence]:
    for pattern in facts.required_contexts:
        if pattern == facts.own_context:
            continue
        found = [status for status in statuses if _matches(pattern, status.context)]
        if not found:
            yield Evidence(note=f"{pattern}: has no status yet")
        yield from (fault for status in found if (fault := _fault(status, facts, settings)) is not None)


def _all(statuses: list[CheckStatus], facts: PullRequestFacts, settings: GateSettings) -> Iterator[Evidence]:
    told = [status for status in statuses if status.state != _SKIPPED]
    if not told and settings.ci != "none":
        yield Evidence(count=0, note="statuses of this head, and the host expects some")
    yield from (fault for status in told if (fault := _fault(status, facts, settings)) is not None)


def evaluate(context: ReviewContext, settings: GateSettings) -> GateResult | None:
    """Return a reason of level GREEN that names what is missing, pending or failed, or None."""
    facts = context.forge
    if facts is None:
        return None
    others = [status for status in facts.statuses if status.context != facts.own_context]
    wanted = [pattern for pattern in facts.required_contexts if pattern != facts.own_context]
    evidence = tuple((_required if wanted else _all)(others, facts, settings))
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.GREEN,
        message="The CI of this head has not succeeded.",
        evidence=bounded(evidence),
        advice="The merge follows when the CI has succeeded; the author mends what failed with a new commit.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: GateSettings) -> GateResult | None:
    """Hold the merge until the CI has succeeded."""
    return evaluate(context, settings)

"""Steps 9 and 11: the verdict is the worst level; the decision follows from it and from people."""

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve

from werkrevisor_core.errors import RuleError
from werkrevisor_core.models.context import Adjustment, Reading, ReviewContext
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Reason
from werkrevisor_core.records import frozen

OVERRIDABLE_ERRORS: Final = frozenset({"skipped_files", "out_of_budget", "model_unavailable"})
"""The only ERROR reasons that pass with a human approval of this exact head given after they were named."""


@frozen
class HumanApproval:
    """A human approval of this very head; `after_errors` where it came after the comment that names them."""

    login: str
    head: str
    after_errors: bool = False


def worst(reasons: Iterable[Reason], findings: Iterable[Finding]) -> Level:
    """Return the worst level of all reasons and findings, GREEN where there are none."""
    return max([Level.GREEN, *(reason.level for reason in reasons), *(finding.level for finding in findings)])


def floor(context: ReviewContext, reading: Reading, verdict: Level) -> tuple[Reason, ...]:
    """Return what the core itself holds against a GREEN verdict, whatever rules are installed.

    GREEN needs that everything was read: no fault in the input, and every file that counts was
    sent to the model in full and listed by it as read.
    """
    if verdict > Level.GREEN:
        return ()
    unread = [
        file.path for file in context.files if file.counts and (file.change.unread or file.path not in reading.read)
    ]
    if not unread and not context.change.faults and context.files:
        return ()
    evidence = tuple(Evidence(path=path, note="was not read") for path in unread[:20])
    return (
        Reason(
            "not_read",
            Level.YELLOW,
            "Something in this change was read by nobody, and no rule says so.",
            evidence,
            "A human reviewer decides; the host switches the rules back on that report it.",
            "core",
        ),
    )


def decide(
    reasons: Sequence[Reason], findings: Sequence[Finding], head: str | None, approval: HumanApproval | None
) -> Decision:
    """Return what the forge is told.

    Args:
        reasons: all reasons.
        findings: all findings; together with the reasons they make the verdict, and a RED among them
            is what no approval lifts, even where an ERROR hides it.
        head: the judged commit, None for a bare diff.
        approval: a human approval, if there is one; one of another head counts for nothing.
    """
    verdict = worst(reasons, findings)
    if verdict is Level.GREEN:
        return Decision.PASS
    approved = approval is not None and head is not None and approval.head == head
    if verdict in (Level.YELLOW, Level.ORANGE) and approved:
        return Decision.PASS
    if verdict is Level.ERROR and approved and approval is not None and approval.after_errors:
        errors = {reason.id for reason in reasons if reason.level is Level.ERROR}
        lesser = all(level is not Level.RED for level in [*(r.level for r in reasons), *(f.level for f in findings)])
        if errors <= OVERRIDABLE_ERRORS and lesser and all(item.level < Level.ERROR for item in findings):
            return Decision.PASS
    return Decision.WAIT if verdict is Level.YELLOW else Decision.BLOCK


def sort_reasons(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return reasons worst first, then by id and text."""
    return tuple(sorted(reasons, key=lambda reason: (-reason.level, reason.id, reason.message)))


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings by path and line."""
    return tuple(
        sorted(findings, key=lambda f: (f.path, f.start or 0, f.end or 0, f.side, f.reviewer, f.rule, f.message))
    )


def adjusted(findings: Sequence[Finding], adjustments: Iterable[Adjustment]) -> tuple[Finding, ...]:
    """Lower findings; a level that is not lower is ignored, and nothing is deleted."""
    out = list(findings)
    for adjustment in adjustments:
        finding = out[adjustment.index]
        if adjustment.level < finding.level:
            original = finding.original_level if finding.original_level is not None else finding.level
            out[adjustment.index] = evolve(
                finding, level=adjustment.level, original_level=original, note=adjustment.note or finding.note
            )
        elif adjustment.result_comment_only and finding.level is Level.GREEN:
            out[adjustment.index] = evolve(finding, line_comment=False, note=adjustment.note or finding.note)
    return tuple(out)


def crash_reasons(errors: Iterable[RuleError]) -> tuple[Reason, ...]:
    """Turn failures of rules into reasons: a crash is never a pass."""
    return tuple(
        Reason(
            "rule_crashed",
            Level.ERROR,
            f"The rule {error.rule} failed in {error.hook}: {error.cause}.",
            (),
            "The operator mends or updates the rule, or switches it off in the host's config; "
            "then the review runs again.",
            error.rule,
        )
        for error in errors
    )

"""What a verdict and a decision mean for the reader, in one sentence each."""

from collections.abc import Sequence
from typing import Final

from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level, Reason
from werkrevisor_core.render.visible import visible
from werkrevisor_core.steps.verdict import OVERRIDABLE_ERRORS

STATUS_LIMIT: Final = 140
"""Characters of a commit status description that every forge shows."""

_NEXT: Final = {
    (Level.GREEN, Decision.PASS): "Nothing stands against this change.",
    (Level.YELLOW, Decision.WAIT): "Nothing is wrong, but a human has to approve this head.",
    (Level.YELLOW, Decision.PASS): "A human approval answers what stands below.",
    (Level.ORANGE, Decision.BLOCK): "Something is doubtful. Mend it, or a human who disagrees approves this head.",
    (Level.ORANGE, Decision.PASS): "Something is doubtful, and a human approved it.",
    (Level.RED, Decision.BLOCK): "This must not be merged. Only a new commit lifts it; no approval does.",
    (Level.ERROR, Decision.BLOCK): "The review could not be done in full. Mend the fault below and review again.",
    (Level.ERROR, Decision.PASS): "The review is not complete, and a human approved this head knowing it.",
}
_LIFTABLE: Final = (
    "The review is not complete. Mend the cause, or a human reads what is named below and approves "
    "this head after this comment."
)
_SHORT: Final = {
    (Level.GREEN, Decision.PASS): "nothing stands against it",
    (Level.YELLOW, Decision.WAIT): "a human has to approve this head",
    (Level.YELLOW, Decision.PASS): "approved by a human",
    (Level.ORANGE, Decision.BLOCK): "doubtful, a human may approve this head",
    (Level.ORANGE, Decision.PASS): "doubtful, approved by a human",
    (Level.RED, Decision.BLOCK): "must not be merged, needs a new commit",
    (Level.ERROR, Decision.BLOCK): "the review could not be done in full",
    (Level.ERROR, Decision.PASS): "not complete, approved by a human",
}
_ADVICE: Final = {
    Level.GREEN: "Nothing has to be changed; the merge waits until this is settled.",
    Level.YELLOW: "A human reviewer reads this and approves this head.",
    Level.ORANGE: "The author mends this, or a human reviewer who disagrees approves this head.",
    Level.RED: "The author mends this in a new commit.",
    Level.ERROR: "The author or the maintainer mends the fault, then the review runs again.",
}


def next_step(review: Review) -> str:
    """Return the sentence that says what the verdict and the decision mean."""
    if review.verdict is Level.ERROR and review.decision is Decision.BLOCK and _human_may_lift(review):
        return _LIFTABLE
    return _NEXT.get((review.verdict, review.decision), _by_decision(review.decision))


def _by_decision(decision: Decision) -> str:
    return {
        Decision.PASS: "The forge may merge this head.",
        Decision.WAIT: "A human has to decide.",
        Decision.BLOCK: "This head must not be merged as it is.",
    }[decision]


def _human_may_lift(review: Review) -> bool:
    errors = [reason.id for reason in review.reasons if reason.level is Level.ERROR]
    worst_finding = max((finding.level for finding in review.findings), default=Level.GREEN)
    red = any(reason.level is Level.RED for reason in review.reasons) or worst_finding >= Level.RED
    return bool(errors) and not red and OVERRIDABLE_ERRORS.issuperset(errors)


def advice(reason: Reason) -> str:
    """Return what to do about a reason; the level's own advice where the rule gave none."""
    return reason.advice or _ADVICE[reason.level]


def deciding(review: Review) -> tuple[tuple[str, ...], int]:
    """Return what makes the verdict: reason ids of its level, each once, and the number of findings."""
    if review.verdict is Level.GREEN:
        return (), 0
    ids = dict.fromkeys(visible(reason.id, 60) for reason in review.reasons if reason.level is review.verdict)
    return tuple(ids), sum(1 for finding in review.findings if finding.level is review.verdict)


def number(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, e.g. `1 file`, `1,200 files`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def status_description(review: Review) -> str:
    """Return the one line of a commit status: it begins with the verdict and says why.

    At most `STATUS_LIMIT` characters; reasons that do not fit are counted.
    """
    start = f"{review.verdict.name}: {_SHORT.get((review.verdict, review.decision), review.decision.value)}"
    ids, findings = deciding(review)
    causes = [*ids, *([number(findings, "finding")] if findings else [])]
    if review.verdict is Level.GREEN and review.holds:
        causes = ["the merge still waits"]
    for shown in range(len(causes), 0, -1):
        line = f"{start} ({_listed(causes[:shown], len(causes) - shown)})"
        if len(line) <= STATUS_LIMIT:
            return line
    return start


def _listed(shown: Sequence[str], more: int) -> str:
    return ", ".join(shown) + (f" and {more} more" if more else "")

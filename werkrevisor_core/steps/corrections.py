"""Step 5, second half: small corrections inside a resolved conflict keep a carried approval (seed PR#73, 2)."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from werkrevisor_core.models.context import CarriedApproval, GateResult, ReviewContext
from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.steps.answers import stood
from werkrevisor_core.steps.kind import change_kind

_RISKY: Final = "risky_paths"


def with_corrections(
    context: ReviewContext, gates: GateResult, ratings: Sequence[BlockRating], yellow: float
) -> ReviewContext:
    """Return the context in which the files of harmless corrections are covered by their approval.

    All or nothing: with anything new beside the corrections, or with one of them in a risky path, with
    a gate against it, not rated or riskier than `yellow`, their files still count.
    """
    approvals = tuple(
        _accepted(approval) if _is_harmless(approval, context, gates, ratings, yellow) else approval
        for approval in context.approvals
    )
    if approvals == context.approvals:
        return context
    covered = frozenset(path for approval in approvals for path in approval.files)
    files = tuple(evolve(file, approved=True) if file.path in covered else file for file in context.files)
    return evolve(context, files=files, kind=change_kind(files), approvals=approvals)


def _accepted(approval: CarriedApproval) -> CarriedApproval:
    paths = frozenset(path for path, _ in approval.corrections)
    return evolve(approval, files=approval.files | paths, corrections=frozenset())


def _is_harmless(
    approval: CarriedApproval,
    context: ReviewContext,
    gates: GateResult,
    ratings: Sequence[BlockRating],
    yellow: float,
) -> bool:
    paths = {path for path, _ in approval.corrections}
    if not paths or any(file.path not in paths for file in context.counting()):
        return False
    low = {(r.path, r.index) for r in ratings if r.percentile is not None and r.percentile <= yellow}
    return (
        approval.corrections <= low
        and not any(_is_against(reason, paths, approval) for reason in gates.reasons)
        and not any(finding.path in paths and finding.level > Level.GREEN for finding in gates.findings)
    )


def _is_against(reason: Reason, paths: set[str], approval: CarriedApproval) -> bool:
    """Tell whether a gate's reason is about a corrected file and is new, or says that its path is risky."""
    if reason.level is Level.GREEN or not any(piece.path in paths for piece in reason.evidence):
        return False
    return reason.id == _RISKY or not stood(reason, approval.answers)

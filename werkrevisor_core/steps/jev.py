"""Step 5: Jev ranks the blocks of the files that count; it never counts as having read one."""

from collections.abc import Sequence
from typing import Final

from werkrevisor_core.models.context import ReviewContext
from werkrevisor_core.models.judges import BlockRating, BlockToRate, Judgement
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason

_MOST_EVIDENCE: Final = 20
RULE: Final = "path_judge"


def blocks_to_rate(context: ReviewContext) -> tuple[BlockToRate, ...]:
    """Return the blocks of the files that count, in the order of files and lines.

    Blocks that a carried approval of a person covers are not asked about.
    """
    approved = frozenset(block for approval in context.approvals for block in approval.approved_blocks)
    return tuple(
        BlockToRate(file.path, index, block)
        for file in context.files
        if file.counts
        for index, block in enumerate(block for hunk in file.change.patch.hunks() for block in hunk.blocks())
        if (file.path, index) not in approved
    )


def complete(blocks: Sequence[BlockToRate], judgement: Judgement) -> tuple[BlockRating, ...]:
    """Return one rating per block, most risky first; a block without a sound answer is an abstention."""
    answers = {(rating.path, rating.index): rating for rating in judgement.ratings}
    ratings = [answers.get((b.path, b.index)) or _abstention(b, "no answer for this block") for b in blocks]
    sound = [
        rating
        if rating.percentile is None or 0.0 <= rating.percentile <= 1.0
        else _abstention(block, "an answer outside of 0 to 1")
        for block, rating in zip(blocks, ratings, strict=True)
    ]
    return tuple(sorted(sound, key=lambda r: (-(2.0 if r.percentile is None else r.percentile), r.path, r.index)))


def _abstention(block: BlockToRate, why: str) -> BlockRating:
    return BlockRating(block.path, block.index, None, abstained=why)


def risk_reasons(ratings: Sequence[BlockRating], blocks: Sequence[BlockToRate], yellow: float) -> tuple[Reason, ...]:
    """Return YELLOW where a block is riskier than `yellow` (a percentile); an abstention counts as riskier."""
    lines = {(block.path, block.index): block.block.new_line for block in blocks}
    risky = [rating for rating in ratings if rating.percentile is None or rating.percentile > yellow]
    if not risky:
        return ()
    evidence = tuple(
        Evidence(path=r.path, line=lines[(r.path, r.index)], note=_describe(r)) for r in risky[:_MOST_EVIDENCE]
    )
    what = "changed block is" if len(risky) == 1 else "changed blocks are"
    return (
        Reason(
            RULE,
            Level.YELLOW,
            f"{len(risky)} {what} more likely than most changes here to be touched by a later fix, "
            "or could not be rated.",
            (Evidence(count=len(risky)), *evidence),
            "A human reviewer reads these blocks first and decides.",
            RULE,
        ),
    )


def _describe(rating: BlockRating) -> str:
    if rating.percentile is None:
        return f"not rated: {rating.abstained or 'no reason given'}"
    tags = f" ({', '.join(rating.tags)})" if rating.tags else ""
    return f"more likely than {rating.percentile:.0%} of the changes here{tags}"


def very_risky_findings(
    findings: Sequence[Finding], ratings: Sequence[BlockRating], blocks: Sequence[BlockToRate], red: float
) -> tuple[Finding, ...]:
    """Return the findings of level ORANGE and above that stand on a block of at least the percentile `red`."""
    risky = {(r.path, r.index) for r in ratings if r.percentile is not None and r.percentile >= red}
    spans = [
        (b.path, b.block.new_line, b.block.new_line + max(len(b.block.added), 1) - 1)
        for b in blocks
        if (b.path, b.index) in risky
    ]
    return tuple(
        finding
        for finding in findings
        if finding.level >= Level.ORANGE
        and finding.start is not None
        and any(
            path == finding.path and finding.start <= last and (finding.end or finding.start) >= first
            for path, first, last in spans
        )
    )


def confirmed_risk(findings: Sequence[Finding]) -> tuple[Reason, ...]:
    """Return RED for confirmed findings on very risky blocks, nothing where there are none."""
    if not findings:
        return ()
    evidence = tuple(
        Evidence(path=f.path, line=f.start, side=f.side, note=f.message) for f in findings[:_MOST_EVIDENCE]
    )
    return (
        Reason(
            RULE,
            Level.RED,
            "A very risky block has a finding that a second, independent reading confirms.",
            evidence,
            "The author changes the code with a new commit.",
            RULE,
        ),
    )

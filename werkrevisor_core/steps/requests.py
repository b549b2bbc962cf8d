"""Whom to ask for a review: the people of whom an approval is missing, and nobody needlessly.

A forge clears the official mark of earlier approvals where their author is asked again. So nobody whose
approval may be carried is asked, unless the automatic rounds have ended.
"""

from collections.abc import Iterable
from typing import Final

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.forge import PersonReview, PullRequestFacts
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.reviewers import Reviewers
from werkrevisor_core.steps.verdict import OVERRIDABLE_ERRORS

ESCALATED: Final = "red_escalated"
"""The reason with which the automatic rounds end (seed PR#62)."""


def to_request(
    review: Review, facts: PullRequestFacts, gate: GateSettings, approvals: Iterable[PersonReview]
) -> tuple[str, ...]:
    """Return the logins to ask for a review of this head, as the host spells them, sorted.

    Args:
        review: the finished review.
        facts: what the forge knows of the pull request.
        gate: whom the host lists.
        approvals: the human approvals that stand, of any head.
    """
    spelt = {login.casefold(): login for login in [*gate.human_reviewers, *_owners(gate)]}
    never = {login.casefold() for login in (facts.bot, facts.poster, *facts.involved)}
    if any(reason.id == ESCALATED for reason in review.reasons):
        wanted = {login.casefold() for login in gate.human_reviewers}
    elif review.withheld or not _asks_people(review):
        return ()
    else:
        wanted = _lacking(review, facts, gate, approvals)
        never |= {approval.login.casefold() for approval in approvals}
    return tuple(sorted(spelt[login] for login in wanted - never))


def _owners(gate: GateSettings) -> list[str]:
    return [login for logins in gate.reviewers.values() for login in logins]


def _asks_people(review: Review) -> bool:
    """Tell whether an approval could let this head pass."""
    errors = {reason.id for reason in review.reasons if reason.level is Level.ERROR}
    levels = [*(reason.level for reason in review.reasons), *(finding.level for finding in review.findings)]
    return review.decision is not Decision.PASS and Level.RED not in levels and errors <= OVERRIDABLE_ERRORS


def _lacking(
    review: Review, facts: PullRequestFacts, gate: GateSettings, approvals: Iterable[PersonReview]
) -> set[str]:
    reviewers = Reviewers.compile(gate)
    here = {approval.login for approval in approvals if approval.head == facts.head}
    paths = [path for file in review.change.files for path in file.paths]
    if not paths:
        return set(reviewers.everywhere)
    return {login for path in paths for login in reviewers.lacking(here, path)}

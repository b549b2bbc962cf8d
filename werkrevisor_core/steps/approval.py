"""Which reviews are human approvals, what they answer, and what else keeps a head from success.

Nothing that a forge shows decides by itself. An approval is judged by the head that it names, the
base branch at its time, whether a person ended it, and whether the host lists who gave it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import field

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.context import CarriedApproval, ReviewContext
from werkrevisor_core.models.forge import Marker, PersonReview, PullRequestFacts, ReviewState
from werkrevisor_core.models.verdict import Decision, Finding, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.reviewers import Reviewers
from werkrevisor_core.steps.answers import stood
from werkrevisor_core.steps.verdict import OVERRIDABLE_ERRORS, HumanApproval

_SHORT: Final = 12
_MOST_NOTES: Final = 20
_APPROVABLE: Final = (Level.YELLOW, Level.ORANGE)


@frozen
class Standing:
    """The human approvals of a pull request, of any head, and why the other approvals are none."""

    approvals: tuple[PersonReview, ...] = ()
    refused: tuple[str, ...] = ()


def standing(facts: PullRequestFacts, gate: GateSettings) -> Standing:
    """Tell human approvals from all others.

    Args:
        facts: what the forge knows; its markers say which approvals were official when first seen.
        gate: whom the host lists.
    """
    reviewers = Reviewers.compile(gate)
    recorded = frozenset(number for marker in facts.markers for number in marker.approvals)
    ordered = sorted(facts.reviews, key=lambda review: (review.at, review.id))
    counted: list[PersonReview] = []
    refused: dict[str, None] = {}
    for position, review in enumerate(ordered):
        if review.state is not ReviewState.APPROVED or _same(review.login, facts.bot):
            continue
        why = _refusal(review, ordered[position + 1 :], facts, reviewers, recorded)
        if why:
            refused[f"The approval of {review.login} for {review.head[:_SHORT]} does not count: {why}."] = None
        else:
            counted.append(review)
    return Standing(tuple(counted), tuple(refused)[-_MOST_NOTES:])


def _refusal(
    review: PersonReview,
    later: Sequence[PersonReview],
    facts: PullRequestFacts,
    reviewers: Reviewers,
    recorded: frozenset[int],
) -> str:
    """Return why an approval is no human one, empty where it is."""
    login = review.login
    theirs = [other for other in later if _same(other.login, login)]
    revoked = any(other.state is ReviewState.CHANGES_REQUESTED for other in theirs)
    taken_back = next((other for other in theirs if other.ended_by or other.ended_why), review)
    faults = (
        (
            not reviewers.lists(login),
            "the host lists this login neither in [gate] human_reviewers nor in [gate] reviewers",
        ),
        (_same(login, facts.poster), "it is by the one who opened the pull request"),
        (
            any(_same(login, other) for other in _involved(review, facts)),
            "whoever gave it pushed, authored or committed something in the pull request",
        ),
        (not review.official and review.id not in recorded, "the forge does not count it as official"),
        (bool(review.ended_by or review.ended_why), _ended(review)),
        (revoked, f"{login} requested changes afterwards"),
        (taken_back is not review, f"{login} approved again afterwards, and {_ended(taken_back)}"),
        (
            review.base_branch != facts.base_branch,
            f"the base branch was {review.base_branch} then and is {facts.base_branch} now",
        ),
    )
    return next((why for holds, why in faults if holds), "")


def _involved(review: PersonReview, facts: PullRequestFacts) -> Iterator[str]:
    """Yield who had a hand in the pull request, or in the approved head before its commits were written anew."""
    yield from facts.involved
    yield from (login for marker in facts.markers if marker.head == review.head for login in marker.involved)


def _ended(review: PersonReview) -> str:
    by = f"{review.ended_by or 'somebody'} ended it"
    return f"{by} ({review.ended_why})" if review.ended_why else by


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def withheld(facts: PullRequestFacts | None, gate: GateSettings) -> tuple[str, ...]:
    """Return why a head gets neither approval, success nor merge whatever is decided; nothing for a local range."""
    if facts is None:
        return ()
    gated = gate.branches or ((facts.default_branch,) if facts.default_branch else ())
    reasons = []
    if facts.base_branch not in gated:
        named = f"gated is only {', '.join(gated)}" if gated else "which branch is gated is not known"
        reasons.append(f"the base branch {facts.base_branch} is not gated ({named})")
    if facts.draft:
        reasons.append("the pull request is a draft")
    return tuple(reasons)


@frozen
class People:
    """Who has approved what, and whom the host lists."""

    reviewers: Reviewers
    here: tuple[PersonReview, ...] = ()
    carried: tuple[CarriedApproval, ...] = ()
    markers: tuple[Marker, ...] = field(default=(), repr=False)
    files: tuple[FileChange, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, context: ReviewContext, gate: GateSettings, approvals: Iterable[PersonReview]) -> "People":
        """Gather the approvals of the judged head and those that are carried to it."""
        facts, head = context.forge, context.change.head
        return cls(
            Reviewers.compile(gate),
            tuple(review for review in approvals if head is not None and review.head == head),
            tuple(approval for approval in context.approvals if approval.by),
            tuple(marker for marker in facts.markers if marker.head == head) if facts is not None else (),
            context.change.files,
        )

    def answered(self, reason: Reason) -> bool:
        """Tell whether approvals answer a YELLOW or ORANGE reason: of this head, or carried where it stood there."""
        paths = self.paths_of(reason)
        logins = {review.login for review in self.here}
        for approval in self.carried:
            if self.carries(approval, reason):
                logins.update(approval.by)
        return self.reviewers.cover_all(logins, paths)

    def carries(self, approval: CarriedApproval, reason: Reason) -> bool:
        """Tell whether a carried approval answers a reason: it stood there, and no file of it has anything new."""
        new = (path for file in self.files if file.path not in approval.files for path in file.paths)
        return stood(reason, approval.answers) and self.paths_of(reason).isdisjoint(new)

    def answered_finding(self, finding: Finding) -> bool:
        """Tell whether approvals of this head answer a finding."""
        return self.reviewers.cover_all({review.login for review in self.here}, (finding.path,))

    def answered_error(self, reason: Reason, named_at: float | None) -> bool:
        """Tell whether approvals that came after the comment which names an ERROR reason answer it."""
        logins = {review.login for review in self.here if named_at is not None and review.at > named_at}
        return self.reviewers.cover_all(logins, self.paths_of(reason))

    def named_at(self, errors: Sequence[Reason]) -> float | None:
        """Return since when a comment on this head names all these ERROR reasons, None where none does."""
        times = [marker.named_at for marker in self.markers if all(stood(error, marker.reasons) for error in errors)]
        return min(times, default=None)

    def paths_of(self, reason: Reason) -> frozenset[str]:
        """Return the paths that a reason is about: all of the change, unless each piece of evidence names one."""
        named = [piece.path for piece in reason.evidence if piece.path is not None]
        if named and len(named) == len(reason.evidence):
            return frozenset(named)
        return frozenset(path for file in self.files for path in file.paths)


def deciding(reasons: Sequence[Reason], findings: Sequence[Finding], people: People, head: str) -> HumanApproval | None:
    """Return the approval through which a decision may pass, None where something is not answered."""
    errors = [reason for reason in reasons if reason.level is Level.ERROR]
    named_at = people.named_at(errors) if errors else None
    open_reasons = [reason for reason in reasons if reason.level in _APPROVABLE and not people.answered(reason)]
    open_findings = [
        finding for finding in findings if finding.level in _APPROVABLE and not people.answered_finding(finding)
    ]
    logins = _names(people)
    if open_reasons or open_findings or not logins:
        return None
    lifted = bool(errors) and all(
        reason.id in OVERRIDABLE_ERRORS and people.answered_error(reason, named_at) for reason in errors
    )
    return HumanApproval(", ".join(logins), head, after_errors=lifted)


def _names(people: People) -> list[str]:
    logins = [review.login for review in people.here] + [login for one in people.carried for login in one.by]
    return sorted(set(logins))


def decided_by(reasons: Sequence[Reason], people: People, decision: Decision, head: str | None) -> tuple[str, ...]:
    """Return who decided what, on which head; nothing where the decision does not pass through a person."""
    if decision is not Decision.PASS or head is None:
        return ()
    return tuple(_sentences(reasons, people, head))


def _sentences(reasons: Sequence[Reason], people: People, head: str) -> Iterator[str]:
    stands = [reason for reason in reasons if reason.level is not Level.GREEN]
    if people.here and stands:
        logins = sorted({review.login for review in people.here})
        yield f"{_listed(logins)} approved this head ({head}), which answers {_ids(stands)}."
    for approval in people.carried:
        answered = [reason for reason in stands if people.carries(approval, reason)]
        what = f", which answers {_ids(answered)}" if answered else ""
        yield f"{_listed(approval.by)} approved the earlier head {approval.head}, and that is carried over{what}."


def _ids(reasons: Sequence[Reason]) -> str:
    return _listed(sorted({reason.id for reason in reasons}))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]

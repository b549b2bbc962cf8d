"""The port of the reporters: one pull request of a Gitea or Forgejo server, as it was judged and as it is now.

It imports neither the HTTP client nor the signing of markers until they are needed, so that a local review, which
loads the reporters with all other rules, does not pay for them.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from attrs import define, field

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.errors import WerkrevisorError
from werkrevisor_core.models.forge import Marker, PullRequestFacts
from werkrevisor_core.models.ports import Contents
from werkrevisor_core.models.publishing import Publication
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision
from werkrevisor_core.records import frozen
from werkrevisor_core.steps.approval import standing

if TYPE_CHECKING:
    from werkrevisor_core.marks.codec import Written
    from werkrevisor_core.marks.keys import Keyring
    from werkrevisor_core.steps.ledger import Turn
    from werkrevisor_gitea import wire
    from werkrevisor_gitea.client import Client
    from werkrevisor_gitea.facts import Collected
    from werkrevisor_gitea.pulls import Merged
    from werkrevisor_gitea.reviews import LineDraft

_SHORT: Final = 12
_DECIDING: Final = frozenset({"APPROVED", "REQUEST_CHANGES"})
_SCHEDULED: Final = "pull_scheduled_merge"
_CANCELLED: Final = "pull_cancel_scheduled_merge"


@frozen
class Now:
    """What the forge shows at one moment: the pull request, its reviews, plain comments, statuses of the head."""

    pull: "wire.PullRequest"
    reviews: "tuple[wire.Review, ...]"
    comments: "tuple[wire.IssueComment, ...]"
    statuses: "tuple[wire.Status, ...]"


@define
class Publishing:
    """One pull request that is being published; only one process at a time has one.

    `now` is what the forge showed when publishing began. `sequence` is the number of this review once its
    result comment stands, `comment_url` where that is.
    """

    client: "Client"
    seen: "Collected"
    keyring: "Keyring"
    gate: GateSettings
    contents: Contents
    now: Now
    sequence: int = 0
    comment_url: str = ""
    _posted: "list[wire.Status]" = field(factory=list)

    @property
    def facts(self) -> PullRequestFacts:
        """What was known when the review was made."""
        return self.seen.facts

    @property
    def number(self) -> int:
        """The number of the pull request."""
        return self.facts.number

    @property
    def head(self) -> str:
        """The judged head."""
        return self.facts.head

    @property
    def is_own(self) -> bool:
        """Whether the bot itself opened the pull request."""
        return self.facts.poster.casefold() == self.facts.bot.casefold()

    @property
    def is_scheduled(self) -> bool:
        """Whether the bot itself has scheduled the merge, after it had written its result for the judged head."""
        entries = [entry for entry in self.seen.timeline if entry.type in (_SCHEDULED, _CANCELLED)]
        marker = self.earlier_marker()
        if not entries or marker is None:
            return False
        last = entries[-1]
        return last.type == _SCHEDULED and self.is_bot(last.user) and last.id > marker.comment

    def is_bot(self, user: "wire.User | None") -> bool:
        """Tell whether an account is the bot."""
        return user is not None and user.login.casefold() == self.facts.bot.casefold()

    def is_merged(self) -> bool:
        """Read whether the pull request is merged by now; where that cannot be read, it counts as not."""
        try:
            return self.client.pulls.get(self.number).merged
        except WerkrevisorError:
            return False

    def moved(self, *, reviews: bool = False) -> str:
        """Read the pull request again and say what is not as it was judged; empty where nothing moved.

        Args:
            reviews: whether to look at what people said, too.
        """
        changed = self.changed_reviews(self.client.reviews.list(self.number)) if reviews else ""
        # The pull request comes last, so that next to nothing lies between this look and what follows it.
        return self.moved_in(self.client.pulls.get(self.number)) or changed

    def moved_in(self, pull: "wire.PullRequest") -> str:
        """Say what in a pull request is not as it was judged."""
        facts = self.facts
        pairs = (
            (
                pull.head.sha == facts.head,
                f"the head is {pull.head.sha[:_SHORT]} now and {facts.head[:_SHORT]} was judged",
            ),
            (pull.base.ref == facts.base_branch, f"the base branch is {pull.base.ref} now and was {facts.base_branch}"),
            (pull.draft == facts.draft, f"the pull request is {'a' if pull.draft else 'no'} draft now"),
            (not pull.merged, "the pull request has been merged"),
            (pull.merged or pull.state == "open", "the pull request has been closed"),
        )
        return next((text for holds, text in pairs if not holds), "")

    def changed_reviews(self, reviews: "Iterable[wire.Review]") -> str:
        """Say whether people said something new since the review was made."""
        if self._said(reviews) == self._said(self.seen.first.reviews):
            return ""
        return "somebody reviewed, or a review was taken back, since this review was made"

    def _said(self, reviews: "Iterable[wire.Review]") -> set[tuple[int, str, bool]]:
        people = (each for each in reviews if not self.is_bot(each.user) and each.state in _DECIDING)
        return {(each.id, each.state, each.dismissed) for each in people}

    def written_meanwhile(self) -> str:
        """Say whether the bot's comments are not those that the review was made from."""
        before, after = ({each.id: each.body for each in rows if self.is_bot(each.user)} for rows in self._comments())
        return "" if before == after else "another run has published meanwhile, or somebody edited the bot's comments"

    def _comments(self) -> "tuple[tuple[wire.IssueComment, ...], tuple[wire.IssueComment, ...]]":
        return self.seen.first.comments, self.now.comments

    def own_reviews(self) -> "tuple[wire.Review, ...]":
        """Read the bot's own reviews, pending ones included."""
        return tuple(each for each in self.client.reviews.list(self.number) if self.is_bot(each.user))

    def remove_pending(self) -> None:
        """Delete half-written reviews of the bot: the forge would put the next one into them."""
        for review in self.own_reviews():
            if review.state == "PENDING":
                self.client.reviews.delete(self.number, review.id)

    def approve(self, body: str) -> int:
        """Approve the judged head and nothing else; return the number of the approval."""
        from werkrevisor_gitea.reviews import Event  # noqa: PLC0415 (see the module's docstring)

        return self.client.reviews.create(self.number, Event.APPROVED, self.head, body).id

    def discuss(self, drafts: "Sequence[LineDraft]") -> None:
        """Write line comments on the judged head, all in one review."""
        from werkrevisor_gitea.reviews import Event  # noqa: PLC0415

        self.client.reviews.create(self.number, Event.COMMENT, self.head, comments=drafts)

    def newest_status(self, *, fresh: bool = False) -> "wire.Status | None":
        """Return the status of the judged head in the gate's context that counts, whoever posted it.

        Args:
            fresh: whether to ask again, since something that was sent may have arrived without an answer.
        """
        rows = self.client.statuses.list(self.head) if fresh else (*reversed(self._posted), *self.now.statuses)
        return next((each for each in rows if each.context == self.facts.own_context), None)

    def has_status(self, state: str, description: str) -> bool:
        """Tell whether the status that counts is the bot's own and says just this."""
        newest = self.newest_status()
        if newest is None or not self.is_bot(newest.creator):
            return False
        return (newest.status, newest.description) == (state, description)

    def post_status(self, state: str, description: str) -> bool:
        """Post a status of the judged head where the newest one differs; return whether it did."""
        if self.has_status(state, description):
            return False
        self.add_status(state, description)
        return True

    def add_status(self, state: str, description: str) -> None:
        """Post a status of the judged head."""
        from werkrevisor_gitea.statuses import State  # noqa: PLC0415

        context = self.facts.own_context
        made = self.client.statuses.create(self.head, State(state), context, description, self.comment_url)
        self._posted.append(made)

    def merge(self, style: str, title: str, message: str, *, schedule: bool) -> "Merged":
        """Merge the judged head, or schedule that."""
        from werkrevisor_gitea.pulls import MergeRequest  # noqa: PLC0415

        request = MergeRequest(self.head, style, title, message, when_checks_succeed=schedule)
        return self.client.pulls.merge(self.number, request)

    def marker(self, review: Review, turn: "Turn") -> "Written":
        """Return the signed marker of this review."""
        from werkrevisor_core.fingerprints import KeyedFingerprints  # noqa: PLC0415
        from werkrevisor_core.marks.codec import write_marker  # noqa: PLC0415
        from werkrevisor_core.steps.ledger import next_marker  # noqa: PLC0415

        approvals = standing(self.facts, self.gate).approvals
        prints = KeyedFingerprints(self.keyring.fingerprint_keys(self.seen.origin)).of(review.change.files)
        return write_marker(next_marker(review, self.facts, approvals, prints, turn), self.keyring)

    def earlier_marker(self) -> Marker | None:
        """Return the newest valid marker of the judged head, None where it has no result comment yet."""
        found = [marker for marker in self.facts.markers if marker.head == self.head]
        return max(found, key=lambda marker: marker.sequence, default=None)

    def next_turn(self) -> "Turn":
        """Return the number of a new result, and the time by the forge's clock.

        Raises:
            BadAnswer: the forge's answers carry no time.
        """
        from werkrevisor_core.steps.ledger import Turn  # noqa: PLC0415
        from werkrevisor_gitea.errors import BadAnswer  # noqa: PLC0415

        at = self.client.server_time()
        if at is None:
            raise BadAnswer(
                "the server's answers carry no Date, which tells approvals before from those after a comment"
            )
        return Turn(self.seen.ledger.next_sequence, at)


def gitea(publication: Publication) -> Publishing | None:
    """Return the port of a publication, None where it belongs to another forge."""
    return publication.port if isinstance(publication.port, Publishing) else None


def may_approve(publication: Publication, port: Publishing) -> bool:
    """Tell whether the judged head gets the bot's approval: it passes, and nothing withholds that."""
    review = publication.review
    return not publication.halted and review.decision is Decision.PASS and not review.withheld and not port.is_own


def may_succeed(publication: Publication) -> bool:
    """Tell whether the judged head gets success: it passes, and nothing holds the merge."""
    review = publication.review
    return not publication.halted and review.decision is Decision.PASS and not review.withheld and not review.holds


def may_merge(publication: Publication, port: Publishing) -> bool:
    """Tell whether the bot merges the judged head."""
    return may_approve(publication, port) and may_succeed(publication)

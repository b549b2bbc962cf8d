"""Reviews: list, write in one batch, take back, dismiss, resolve, request."""

from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.http import Call
from werkrevisor_gitea.wire import Review, ReviewComment


class Event(StrEnum):
    """What a review says. The forge turns any other word silently into a pending draft."""

    APPROVED = "APPROVED"
    REQUEST_CHANGES = "REQUEST_CHANGES"
    COMMENT = "COMMENT"
    PENDING = "PENDING"


@frozen
class LineDraft:
    """A line comment to write: a line of the new file, or (where `new_line` is 0) of the old one.

    The forge checks next to nothing (a line past the end is 500 and half a review), so the caller has.
    """

    path: str
    body: str
    new_line: int = 0
    old_line: int = 0

    def __attrs_post_init__(self) -> None:
        """Refuse what the forge would accept and put somewhere else.

        Raises:
            ValueError: not exactly one of the lines is above 0, or path or body is empty.
        """
        if sorted((self.new_line > 0, self.old_line > 0)) != [False, True] or min(self.new_line, self.old_line) < 0:
            raise ValueError("a line comment stands on exactly one line, counted from 1")
        if not self.path or not self.body:
            raise ValueError("a line comment needs a path and a text")


class Reviews:
    """Requests about the reviews of a pull request."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, number: int) -> tuple[Review, ...]:
        """List all reviews and requests for one, oldest first; pending ones of others are not shown."""
        path = self._api.below("pulls", number, "reviews")
        return self._api.pages(Review, path, key=lambda each: each.id, hidden=True)

    def create(
        self, number: int, event: Event, head: str, body: str = "", comments: Sequence[LineDraft] = ()
    ) -> Review:
        """Write a review of exactly one commit, with all its line comments. It is sent once.

        The forge stores the line comments one by one in a pending review and submits it last, so a failure
        leaves a pending review behind: remove the bot's own pending ones before writing, and write one
        review per account and pull request at a time.

        Raises:
            Refused: 422, e.g. the bot's own pull request, or a closed one.
            ServerFault: half of it may be there.
            BadAnswer: the forge made something else of it than was asked for.
        """
        drafts = [
            {"path": each.path, "body": each.body, "new_position": each.new_line, "old_position": each.old_line}
            for each in comments
        ]
        sent = {"event": event.value, "commit_id": head, "body": body, "comments": drafts}
        return self._said(self._api.post(Review, self._api.below("pulls", number, "reviews"), sent), event, head)

    def submit(self, number: int, review: int, event: Event, body: str = "") -> Review:
        """Submit a pending review; it then names the head of that moment, which may be a newer one."""
        path = self._api.below("pulls", number, "reviews", review)
        return self._said(self._api.post(Review, path, {"event": event.value, "body": body}), event, "")

    def delete(self, number: int, review: int) -> None:
        """Delete a review of the bot itself, with its line comments."""
        self._api.delete(self._api.below("pulls", number, "reviews", review))

    def dismiss(self, number: int, review: int, message: str) -> Review:
        """Dismiss an approval or a request for changes; needs repository admin."""
        path = self._api.below("pulls", number, "reviews", review, "dismissals")
        return self._api.post(Review, path, {"message": message, "priors": False})

    def comments(self, number: int, review: int) -> tuple[ReviewComment, ...]:
        """List the line comments of one review, replies included, by id (the forge gives them in random order)."""
        path = self._api.below("pulls", number, "reviews", review, "comments")
        return tuple(sorted(self._api.get(tuple[ReviewComment, ...], path), key=lambda each: each.id))

    def resolve(self, comment: int) -> None:
        """Resolve the thread whose first line comment this is; see `Features.resolve`."""
        self._api.send(Call("POST", self._api.below("pulls", "comments", comment, "resolve"), repeatable=True))

    def unresolve(self, comment: int) -> None:
        """Open a thread again; see `Features.resolve`."""
        self._api.send(Call("POST", self._api.below("pulls", "comments", comment, "unresolve"), repeatable=True))

    def reply(self, number: int, comment: int, body: str) -> ReviewComment:
        """Reply to a line comment; see `Features.replies`."""
        return self._api.post(
            ReviewComment, self._api.below("pulls", number, "comments", comment, "replies"), {"body": body}
        )

    def request(self, number: int, logins: Sequence[str]) -> tuple[Review, ...]:
        """Request reviews; who is requested already is skipped.

        The forge takes the names one after the other and stops at the first it refuses. **Requesting somebody
        who has approved takes that approval's `official` away.**

        Returns:
            The new requests.
        """
        path = self._api.below("pulls", number, "requested_reviewers")
        return self._api.post(tuple[Review, ...], path, {"reviewers": list(logins)})

    def unrequest(self, number: int, logins: Sequence[str]) -> None:
        """Take requests back."""
        self._api.delete(self._api.below("pulls", number, "requested_reviewers"), {"reviewers": list(logins)})

    @staticmethod
    def _said(review: Review, event: Event, head: str) -> Review:
        if review.state != event.value or (head and review.commit_id != head):
            raise BadAnswer(
                f"the server made a review {review.state} of {review.commit_id} where {event.value} of "
                f"{head or 'the head'} was asked for, so it was not believed"
            )
        return review

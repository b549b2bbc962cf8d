"""Pull requests: read, list, merge, take a schedule back."""

from enum import StrEnum
from typing import Final

from attrs import frozen

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.errors import BadAnswer, NotFound, Refused
from werkrevisor_gitea.http import Call
from werkrevisor_gitea.wire import Commit, PullRequest

_TRY_LATER: Final = "try again later"


class Merged(StrEnum):
    """What came of asking for a merge."""

    MERGED = "merged"
    SCHEDULED = "scheduled"


@frozen
class MergeRequest:
    """How to merge.

    The forge compares `head` with a direct merge (409 where it moved); **a schedule is pinned to nothing**.
    An empty title or message leaves the forge its own.
    """

    head: str
    style: str = "merge"
    title: str = ""
    message: str = ""
    when_checks_succeed: bool = False


class Pulls:
    """Requests about pull requests."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, number: int) -> PullRequest:
        """Read a pull request. Its `head.sha` is that of the branch, newer than its `refs/pull/N/head` for a moment."""
        return self._api.get(PullRequest, self._api.below("pulls", number))

    def list_open(self, base_branch: str = "") -> tuple[PullRequest, ...]:
        """List the open pull requests, to one base branch where it is named."""
        query = {"state": "open", **({"base_branch": base_branch} if base_branch else {})}
        found = self._api.pages(PullRequest, self._api.below("pulls"), query, key=lambda each: each.number)
        # Older servers ignore the parameter.
        return tuple(each for each in found if not base_branch or each.base.ref == base_branch)

    def commits(self, number: int) -> tuple[Commit, ...]:
        """List all commits of a pull request, newest first, with the accounts that the forge knows."""
        query = {"verification": "false", "files": "false"}
        return self._api.pages(Commit, self._api.below("pulls", number, "commits"), query, key=lambda each: each.sha)

    def merge(self, number: int, request: MergeRequest) -> Merged:
        """Merge, or schedule the merge. It is sent once.

        Raises:
            Refused: 405 with the reason (see `is_busy`), 409 where the head moved or it is scheduled already.
            Unreachable: with `maybe_done`, where it may have been done.
        """
        body: dict[str, object] = {"Do": request.style, "head_commit_id": request.head}
        body |= {"MergeTitleField": request.title} if request.title else {}
        body |= {"MergeMessageField": request.message} if request.message else {}
        body |= {"merge_when_checks_succeed": True} if request.when_checks_succeed else {}
        call = Call("POST", self._api.below("pulls", number, "merge"), body=body)
        status = self._api.send(call).status
        if status not in (200, 201):
            raise BadAnswer(f"the answer to {call.shown} has the unknown status {status}", request=call.shown)
        return Merged.MERGED if status == 200 else Merged.SCHEDULED

    def cancel_schedule(self, number: int) -> bool:
        """Take a scheduled merge back.

        Returns:
            Whether there was one.
        """
        try:
            self._api.delete(self._api.below("pulls", number, "merge"))
        except NotFound:
            return False
        return True


def is_busy(error: Refused) -> bool:
    """Tell whether the forge still checks for conflicts, or found one: it has the same words for both (405).

    Repeat a bounded time, then read `mergeable`.
    """
    return error.status == 405 and _TRY_LATER in error.says.lower()

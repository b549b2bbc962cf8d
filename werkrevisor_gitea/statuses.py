"""Statuses of a commit. The combined status is not used: the server computes it over one page."""

from enum import StrEnum

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.wire import Status


class State(StrEnum):
    """The states that mean the same on every server; the forge stores any other word too, as no success."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"


class Statuses:
    """Requests about commit statuses."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, sha: str) -> tuple[Status, ...]:
        """List every row of a commit with its creator, newest first; the first of a context is the one that counts."""
        path = self._api.below("commits", sha, "statuses")
        found = self._api.pages(Status, path, key=lambda each: each.id)
        return tuple(sorted(found, key=lambda each: -each.id))

    def create(self, sha: str, state: State, context: str, description: str = "", target_url: str = "") -> Status:
        """Add a status to a commit, of the base repository also for a fork. Every call adds a row; it is sent once.

        Raises:
            BadAnswer: the server stored something else.
        """
        sent = {"state": state.value, "context": context, "description": description, "target_url": target_url}
        made = self._api.post(Status, self._api.below("statuses", sha), sent)
        if (made.status, made.context) != (state.value, context):
            raise BadAnswer(
                f"the server stored the status {made.context}: {made.status} where {context}: {state.value} was sent"
            )
        return made

"""Webhooks of the repository; needs repository admin."""

from collections.abc import Iterable, Sequence
from typing import Final

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.wire import Hook

EVENTS: Final = ("pull_request", "push", "status", "issue_comment", "pull_request_comment")
"""What the service needs to hear of; `pull_request` stands for all its kinds (pushes, reviews, requests, labels)."""


class Hooks:
    """Requests about webhooks."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self) -> tuple[Hook, ...]:
        """List the webhooks; the forge never gives their secrets."""
        return self._api.pages(Hook, self._api.below("hooks"), key=lambda each: each.id)

    def create(self, url: str, secret: str, events: Sequence[str] = EVENTS) -> Hook:
        """Make an active webhook that delivers JSON."""
        config = {"url": url, "content_type": "json", "secret": secret}
        body = {"type": "gitea", "active": True, "events": list(events), "config": config}
        return self._api.post(Hook, self._api.below("hooks"), body)


_NEEDED: Final = (
    "pull_request",
    "pull_request_sync",
    "pull_request_review_approved",
    "pull_request_review_rejected",
    "pull_request_review_comment",
    "pull_request_comment",
    "issue_comment",
    "push",
    "status",
)
_GROUPS: Final = {
    "pull_request_review": frozenset(
        {"pull_request_review_approved", "pull_request_review_rejected", "pull_request_review_comment"}
    )
}
"""A name under which a server keeps several events."""


def missing_events(events: Iterable[str]) -> tuple[str, ...]:
    """Return the events that the service needs and a webhook lacks, as the server names them one by one."""
    held = {single for each in events for single in _GROUPS.get(each, (each,))}
    return tuple(each for each in _NEEDED if each not in held)

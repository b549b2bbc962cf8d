"""Takes back what earlier runs granted, where a pull request cannot be read well enough to be judged.

The forge takes back neither an approval nor a schedule by itself, so a run that ends as ERROR before it has a
review must not leave them standing. The next run that works grants them again.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from werkrevisor_core.config.sections import GiteaSettings
from werkrevisor_gitea.client import Client, open_client
from werkrevisor_gitea.errors import (
    ForgeError,
    NotAuthorised,
    NotFound,
    NoToken,
    Redirected,
    Renamed,
    Unreachable,
)
from werkrevisor_gitea.facts import own_context
from werkrevisor_gitea.people import is_same, login
from werkrevisor_gitea.statuses import State
from werkrevisor_gitea.wire import PullRequest

_HOPELESS: Final = (NoToken, NotAuthorised, NotFound, Redirected, Renamed, Unreachable)
"""Errors after which no other request would fare better."""
_DESCRIPTION: Final = "ERROR: the pull request could not be read; the next run tries again"


def withdraw(
    settings: GiteaSettings, number: int, error: ForgeError, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Take back approvals and schedule of the bot, and the success of the present head.

    Args:
        settings: the `[gitea]` section.
        number: of the pull request.
        error: what kept it from being read.
        environment: the environment variables of the process.

    Returns:
        What was taken back, and what could not be; it never raises for what the server does.
    """
    if isinstance(error, _HOPELESS):
        return ()
    try:
        with open_client(settings, environment) as client:
            return withdraw_with(client, number)
    except ForgeError:
        return ()  # the error that led here says it already


def withdraw_with(client: Client, number: int) -> tuple[str, ...]:
    """Do that with an open client.

    Raises:
        ForgeError: the pull request, or whose token it is, cannot be read.
    """
    pull, bot = client.pulls.get(number), client.me().login
    if pull.merged:
        return ()
    return tuple(
        sentence for step in (_success, _approvals, _schedule) for sentence in _tried(partial(step, client, pull, bot))
    )


def _tried(step: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Yield what a step says until it fails; what could not be read is the error that led here once more."""
    with suppress(ForgeError):
        yield from step()


def _success(client: Client, pull: PullRequest, bot: str) -> Iterator[str]:
    context, head = own_context(pull.base.ref), pull.head.sha
    newest = next((row for row in client.statuses.list(head) if row.context == context), None)
    if newest is not None and is_same(login(newest.creator), bot) and newest.status == State.SUCCESS:
        # It ends no review, so it carries no number.
        add = partial(client.statuses.create, head, State.ERROR, context, _DESCRIPTION)
        yield _done(add, f"The success of the head {head[:12]}")


def _approvals(client: Client, pull: PullRequest, bot: str) -> Iterator[str]:
    for review in client.reviews.list(pull.number):
        if review.state == "APPROVED" and is_same(login(review.user), bot):
            delete = partial(client.reviews.delete, pull.number, review.id)
            yield _done(delete, f"The bot's approval of {review.commit_id[:12]}")


def _done(call: Callable[[], object], what: str) -> str:
    try:
        call()
    except ForgeError as error:
        return f"{what} could not be taken back: {error}"
    return f"{what} is taken back."


def _schedule(client: Client, pull: PullRequest, _bot: str) -> Iterator[str]:
    if client.pulls.cancel_schedule(pull.number):
        yield "The scheduled merge is cancelled."

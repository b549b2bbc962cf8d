"""Takes back what earlier runs granted, where a pull request cannot be read well enough to be judged.

The forge takes back neither an approval nor a schedule by itself, so a run that ends as ERROR before it has a
review must not leave them standing. The next run that works grants them again.
"""

from collections.abc import Callable, Iterator, Mapping
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
    steps: tuple[Callable[[], Iterator[str]], ...] = (
        partial(_success, client, pull, bot),
        partial(_approvals, client, pull, bot),
        partial(_schedule, client, pull),
    )
    return tuple(sentence for step in steps for sentence in _tried(step))


def _tried(step: Callable[[], Iterator[str]]) -> Iterator[str]:
    try:
        yield from step()
    except ForgeError as error:
        yield f"What was granted before could not be taken back: {error}"


def _success(client: Client, pull: PullRequest, bot: str) -> Iterator[str]:
    context = own_context(pull.base.ref)
    newest = next((row for row in client.statuses.list(pull.head.sha) if row.context == context), None)
    if newest is not None and is_same(login(newest.creator), bot) and newest.status == State.SUCCESS:
        # It ends no review, so it carries no number.
        client.statuses.create(pull.head.sha, State.ERROR, context, _DESCRIPTION)
        yield f"The success of the head {pull.head.sha[:12]} is taken back."


def _approvals(client: Client, pull: PullRequest, bot: str) -> Iterator[str]:
    for review in client.reviews.list(pull.number):
        if review.state == "APPROVED" and is_same(login(review.user), bot):
            client.reviews.delete(pull.number, review.id)
            yield f"The bot's approval of {review.commit_id[:12]} is taken back."


def _schedule(client: Client, pull: PullRequest) -> Iterator[str]:
    if client.pulls.cancel_schedule(pull.number):
        yield "The scheduled merge is cancelled."

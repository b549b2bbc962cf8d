"""Checks of the server and of what the bot's account may do there."""

from collections.abc import Iterator
from time import time
from typing import Final
from urllib.parse import urlsplit

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_gitea.cli.check import Check, fail, note, ok
from werkrevisor_gitea.cli.host import Host
from werkrevisor_gitea.client import Client
from werkrevisor_gitea.probe import OLDEST, Features, Kind
from werkrevisor_gitea.wire import Repository

_MOST_SECONDS: Final = 60.0
"""Difference between the clocks from which on the order of a comment and an approval can be told wrong."""
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TRIED: Final = (1, 26)
_STYLES: Final = {
    "merge": "allow_merge_commits",
    "rebase": "allow_rebase",
    "rebase-merge": "allow_rebase_explicit",
    "squash": "allow_squash_merge",
    "fast-forward-only": "allow_fast_forward_only_merge",
}


def server_checks(host: Host, bot: Client, repository: Repository) -> Iterator[Check]:
    """Check server, token and rights.

    Args:
        host: the host's config.
        bot: the client of the bot's account, which the server accepted.
        repository: what the server says of the repository.

    Yields:
        One line per check.

    Raises:
        ForgeError: the server stopped answering.
    """
    yield from _address(host, repository)
    yield from _version(bot.features())
    yield _clock(bot)
    yield from _account(bot)
    yield from _repository(bot, repository)
    yield from _merge_style(host.gate, repository)


def _address(host: Host, repository: Repository) -> Iterator[Check]:
    here, there = urlsplit(host.gitea.url), urlsplit(repository.html_url)
    if here.scheme != "https" and here.hostname not in _LOOPBACK:
        yield fail("url", f"{host.gitea.url} is not encrypted, so everybody in between reads the token; use https")
    else:
        yield ok("url", f"{host.gitea.url} answers")
    if there.netloc and (here.scheme, here.netloc) != (there.scheme, there.netloc):
        yield note("url", f"the server calls itself {there.scheme}://{there.netloc} (ROOT_URL); links lead there")


def _version(features: Features) -> Iterator[Check]:
    name = f"{features.kind} {features.text}"
    if not features.version:
        yield note("version", f"{name} is no release; what it can do was found out by route")
    elif features.version[:2] < OLDEST[features.kind]:
        oldest = ".".join(map(str, OLDEST[features.kind]))
        yield fail("version", f"{name} has no branch rule that binds admins; update to {oldest} or newer")
    elif features.kind is Kind.GITEA and features.version[:2] == _TRIED:
        yield ok("version", name)
    else:
        yield note("version", f"{name} was not tried; what matters of it was read in its source")


def _clock(bot: Client) -> Check:
    there = bot.server_time()
    if there is None:
        return note("clock", "the server's answers carry no date, so its clock cannot be compared")
    ahead = time() - there
    if abs(ahead) > _MOST_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        return fail("clock", f"this machine is {abs(ahead):.0f} s {side} the server; let both take their time by NTP")
    return ok("clock", "agrees with the server's")


def _account(bot: Client) -> Iterator[Check]:
    me = bot.me()
    yield ok("token", f"accepted, of the account {me.login}")
    if missing := bot.missing_scopes():
        yield fail("scopes", f"the token lacks {', '.join(missing)}; make a new one with these scopes too")
    else:
        yield ok("scopes", "read:user, write:issue and write:repository are there")
    if me.is_admin:
        yield note("rights", f"{me.login} is a site admin, which the bot need not be")


def _repository(bot: Client, repository: Repository) -> Iterator[Check]:
    held = repository.permissions
    if repository.archived:
        yield fail("repository", f"{repository.full_name} is archived, so nothing can be published; unarchive it")
    else:
        yield ok("repository", f"{repository.full_name} is there")
    if held is None or not held.push:
        says = f"{bot.me().login} cannot write, so it can post no status and merge nothing; give it write access"
        yield fail("rights", says)
    else:
        yield ok("rights", f"{bot.me().login} can write{' and is repository admin' if held.admin else ''}")


def _merge_style(gate: GateSettings, repository: Repository) -> Iterator[Check]:
    style = gate.merge_style
    if gate.merge != "never" and not getattr(repository, _STYLES[style]):
        yield fail(
            "merge style", f'the repository does not allow "{style}"; allow it, or set another [gate] merge_style'
        )

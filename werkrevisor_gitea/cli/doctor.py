"""`werkrevisor doctor`: one line per check, with what to do; the exit status says whether all is well."""

import os
import sys
from collections.abc import Iterator, Mapping

from werkrevisor_core.errors import UsageError
from werkrevisor_core.models.verdict import Level
from werkrevisor_gitea.cli.check import Check, Outcome, fail
from werkrevisor_gitea.cli.checks_local import local_checks
from werkrevisor_gitea.cli.checks_rules import rule_checks
from werkrevisor_gitea.cli.checks_server import server_checks
from werkrevisor_gitea.cli.host import Host, admin_client, load_host
from werkrevisor_gitea.client import open_client
from werkrevisor_gitea.errors import (
    Archived,
    ForgeError,
    MissingScope,
    NotAuthorised,
    NoToken,
    Redirected,
    Renamed,
    Unreachable,
)


def run_doctor(config: str, admin_token_env: str = "") -> int:
    """Check everything and print a line for each.

    Args:
        config: path of the host's config file.
        admin_token_env: name of the variable with a repository admin's token; empty for the bot's own.

    Returns:
        0 where nothing failed, else 4.

    Raises:
        UsageError: the file cannot be read.
    """
    failed = False
    for check in examine(load_host(config), admin_token_env, os.environ):
        sys.stdout.write(f"{check}\n")
        sys.stdout.flush()  # a server may take its time, and what is known so far is of use
        failed = failed or check.outcome is Outcome.FAIL
    return int(Level.ERROR) if failed else 0


def examine(host: Host, admin_token_env: str, environment: Mapping[str, str]) -> Iterator[Check]:
    """Run all checks, each on what the ones before it have left possible.

    Yields:
        One line per check.
    """
    yield from local_checks(host, environment)
    if host.faults:
        return
    try:
        with open_client(host.gitea, environment) as bot:
            bot.version()
            bot.me()
            repository = bot.repository.get()
            yield from server_checks(host, bot, repository)
            with admin_client(host, bot, admin_token_env, environment) as admin:
                yield from rule_checks(host, bot, admin, repository)
    except UsageError as error:
        yield fail("config", error)
    except ForgeError as error:
        yield fail(_about(error), error)


def _about(error: ForgeError) -> str:
    subjects: tuple[tuple[tuple[type[ForgeError], ...], str], ...] = (
        ((NoToken, NotAuthorised), "token"),
        ((MissingScope,), "scopes"),
        ((Unreachable, Redirected), "url"),
        ((Renamed, Archived), "repository"),
    )
    return next((about for kinds, about in subjects if isinstance(error, kinds)), "server")

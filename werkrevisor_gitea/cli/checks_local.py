"""Checks of this machine: the config, git, key and secret."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from werkrevisor_core.config.sections import GiteaSettings
from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import git_version
from werkrevisor_gitea.cli.check import Check, fail, note, ok
from werkrevisor_gitea.cli.host import Host
from werkrevisor_gitea.cli.secret_files import LEAST_CHARACTERS, fault_of_secret, others_can_read


def local_checks(host: Host, environment: Mapping[str, str]) -> Iterator[Check]:
    """Check what needs no server.

    Args:
        host: the host's config.
        environment: the environment variables of the process.

    Yields:
        One line per check.
    """
    yield from _config(host)
    yield _git()
    yield from _key(host.gitea)
    yield from _hook_secret(host.gitea, environment)


def _config(host: Host) -> Iterator[Check]:
    for fault in host.faults:
        yield fail("config", fault)
    if not host.faults:
        yield ok("config", "valid")
    if not host.approvers:
        yield note("config", "[gate] human_reviewers names nobody, so what is YELLOW or ORANGE can never pass")


def _git() -> Check:
    try:
        version = ".".join(map(str, git_version()))
    except GitError as error:
        return fail("git", error)
    if git_version() < (2, 38):
        return fail("git", f"{version} carries no approval over a rebase; install git 2.38 or newer")
    return ok("git", version)


def _key(gitea: GiteaSettings) -> Iterator[Check]:
    if not gitea.key_file:
        yield fail("key", "[gitea] key_file names no key, so no marker can be signed; `werkrevisor init` makes one")
    elif fault := fault_of_secret(Path(gitea.key_file)):
        yield fail("key", fault)
    else:
        yield ok("key", "there, and readable by its owner alone")
    if gitea.token_file and (fault := others_can_read(Path(gitea.token_file))):
        yield fail("token", fault)


def _hook_secret(gitea: GiteaSettings, environment: Mapping[str, str]) -> Iterator[Check]:
    if gitea.hook_secret_file:
        fault = fault_of_secret(Path(gitea.hook_secret_file))
        yield fail("webhook secret", fault) if fault else ok("webhook secret", "there, and readable by its owner alone")
    elif gitea.hook_secret_env:
        held = environment.get(gitea.hook_secret_env, "").strip()
        if len(held) < LEAST_CHARACTERS:
            why = f"the environment variable {gitea.hook_secret_env} holds less than {LEAST_CHARACTERS} characters"
            yield fail("webhook secret", f"{why}; put a new one there, e.g. from openssl rand -hex 32")
        else:
            yield ok("webhook secret", "there")
    elif gitea.hook_url:
        yield fail("webhook secret", "[gitea] names none, so no delivery can be believed; set hook_secret_file")

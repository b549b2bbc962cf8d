"""What `doctor` and `protect` start from: the host's config, and the accounts that ask the server."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from attrs import evolve, frozen

from werkrevisor_core.cli.collect import host_layer
from werkrevisor_core.config.sections import GateSettings, GiteaSettings
from werkrevisor_core.registry import load_registry
from werkrevisor_core.session import load_config, switched
from werkrevisor_gitea.client import Client, open_client
from werkrevisor_gitea.errors import MissingRight, NotFound
from werkrevisor_gitea.protection import ADMINS, WRITERS, People, Wanted
from werkrevisor_gitea.wire import Repository

_ADMIN = frozenset({"admin", "owner"})


@frozen
class Host:
    """The parts of a host's config that the forge needs, and the sentences on what is wrong with the file."""

    gitea: GiteaSettings
    gate: GateSettings
    faults: tuple[str, ...]

    @property
    def approvers(self) -> tuple[str, ...]:
        """Everybody whose approval may count, each once."""
        named = (*self.gate.human_reviewers, *(login for logins in self.gate.reviewers.values() for login in logins))
        return tuple(dict.fromkeys(named))


def load_host(path: str) -> Host:
    """Load a host's config file.

    Raises:
        UsageError: the file cannot be read.
        RegistryError: a rule, or the host's word on rules, is at fault.
    """
    layer = host_layer(path)
    layers = [layer] if layer is not None else []
    config = load_config(switched(load_registry(), layer), layers)
    return Host(config.core(GiteaSettings), config.core(GateSettings), tuple(map(str, config.faults)))


@contextmanager
def admin_client(host: Host, bot: Client, token_env: str, environment: Mapping[str, str]) -> Iterator[Client]:
    """Yield the client that reads and sets rules: of the admin whose token is named, else the bot's own.

    Raises:
        NoToken: the named variable holds none.
    """
    if not token_env:
        yield bot
        return
    with open_client(evolve(host.gitea, token_env=token_env, token_file=""), environment) as client:
        yield client


def gated_branches(host: Host, repository: Repository) -> tuple[str, ...]:
    """Return the branches that the host gates: the default branch where it names none."""
    return host.gate.branches or (repository.default_branch,)


def wanted_of(host: Host, bot: Client, branch: str) -> Wanted:
    """Return what the rule of a branch has to say."""
    return Wanted(
        branch,
        bot.me().login,
        mergers=host.gate.mergers,
        approvers=host.approvers,
        schedule=host.gate.merge == "schedule",
        switches=bot.features().switches,
    )


def people_of(admin: Client, bot: str) -> People:
    """Ask who can write and who can change the rule, the bot aside; a group stands for whom the account may not know.

    Raises:
        ForgeError: the server does not say, though the account may know.
    """
    try:
        logins = _others(admin, bot)
    except MissingRight:
        return People((WRITERS,), (ADMINS,))
    try:
        permissions = admin.gather([partial(_permission, admin, login) for login in logins])
    except MissingRight:
        return People(logins, (ADMINS,))
    return People(logins, tuple(login for login, held in zip(logins, permissions, strict=True) if held in _ADMIN))


def _others(admin: Client, bot: str) -> tuple[str, ...]:
    found: Iterable[str] = (user.login for user in admin.repository.writers())
    return tuple(login for login in found if login.casefold() != bot.casefold())


def _permission(admin: Client, login: str) -> str:
    try:
        return admin.repository.permission(login).permission
    except NotFound:
        return ""  # deleted since the list was read

"""One review of a pull request, from the server to the server: collect, judge, publish.

The command line and the service both come through here; the judging itself is the core's.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import field, frozen

from werkrevisor_core.config.layers import Layer
from werkrevisor_core.config.sections import EngineSettings, GateSettings, GiteaSettings
from werkrevisor_core.engine import failed
from werkrevisor_core.errors import GitError, UsageError
from werkrevisor_core.facade import Facade
from werkrevisor_core.fingerprints import KeyedFingerprints
from werkrevisor_core.git.source import Limits
from werkrevisor_core.marks.keys import Keyring
from werkrevisor_core.models.change import ChangeSet, Origin, ReadFault
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.models.publishing import Publication, Published
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Level, Reason
from werkrevisor_core.registry import Registry
from werkrevisor_core.session import Prepared, Sources, prepare
from werkrevisor_core.steps.report import publish
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.client import Client, open_client
from werkrevisor_gitea.errors import ForgeError
from werkrevisor_gitea.facts import Collected, First, collect, read_first
from werkrevisor_gitea.locks import exclusive
from werkrevisor_gitea.publishing import Now, Publishing
from werkrevisor_gitea.repository_cache import Address, RepositoryCache, cache_root, folder_name, open_cache
from werkrevisor_gitea.source import Ends, PullRequestSource, open_pull_request
from werkrevisor_gitea.token import read_token
from werkrevisor_gitea.withdrawing import withdraw

_WAIT_SECONDS = 1800.0
_MOST_KEYS = 64 << 10


@frozen
class HostConfig:
    """What a host file says, as far as a review of a pull request needs it before anything is read."""

    layer: Layer
    registry: Registry
    gitea: GiteaSettings
    gate: GateSettings
    engine: EngineSettings
    command_line: Layer | None = None


@frozen
class Opened:
    """A review that can start, or that is finished because it cannot be done, and what publishing needs."""

    ready: Prepared | Review
    host: HostConfig
    seen: Collected = field(repr=False)
    keyring: Keyring = field(repr=False)
    contents: Contents = field(repr=False)


def read_keyring(settings: GiteaSettings) -> Keyring:
    """Read the host's keys.

    Raises:
        UsageError: none is named, or the file cannot be read or holds none.
    """
    path = settings.key_file
    if not path:
        raise UsageError("the host's config has no [gitea] key_file; `werkrevisor init` makes a key")
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_KEYS)
    except OSError as error:
        raise UsageError(
            f"the key file {path} cannot be read ({error.strerror}); name another in [gitea] key_file"
        ) from None
    return Keyring.parse(data.decode("utf-8", "replace"), f"the key file {path}")


def _nobody(_says: str) -> None:
    """Tell nobody."""


@contextmanager
def alone(
    host: HostConfig, number: int, environment: Mapping[str, str], tell: Callable[[str], None] = _nobody
) -> Iterator[None]:
    """Be the only one on this machine who publishes for a pull request; a child process is, too.

    Args:
        host: the host's config.
        number: of the pull request.
        environment: the environment variables of the process.
        tell: called with a sentence where it has to wait.

    Raises:
        Busy: another one is, for too long.
    """
    name = folder_name(host.gitea.url.rstrip("/"), f"{host.gitea.repository.lower()} {number}")
    path = cache_root(environment) / "publishing" / f"{name}.lock"
    with exclusive(path, _WAIT_SECONDS, "publishes a review of this pull request", tell):
        yield


@contextmanager
def opened(
    host: HostConfig, number: int, progress: Progress, environment: Mapping[str, str] = os.environ
) -> Iterator[Opened]:
    """Read everything about a pull request and set its review up.

    Args:
        host: the host's config.
        number: of the pull request.
        progress: where the running rule will be noted.
        environment: the environment variables of the process.

    Raises:
        ForgeError: the server cannot be read; without it there is nothing to judge and nowhere to say so.
        UsageError: the host's config names no key or token, or the folder of the copies cannot be used.
    """
    keyring = read_keyring(host.gitea)
    token = read_token(host.gitea, environment)
    with ExitStack() as stack:
        with open_client(host.gitea, environment) as client:
            first = read_first(client, number)
            address = _address(client, first)
            ca_file = environment.get("SSL_CERT_FILE", "")  # which httpx's own store follows, too
            cache = stack.enter_context(open_cache(cache_root(environment), address, token, ca_file=ca_file))
            seen = collect(client, first, keyring, cache.heads(number))
        # The client ends here: a review runs in a child process, which must not share its connections.
        ready, contents = _set_up(host, seen, keyring, cache, progress, stack)
        yield Opened(ready, host, seen, keyring, contents)


def _address(client: Client, first: First) -> Address:
    repository = first.repository
    return Address(client.url, repository.full_name, repository.id, repository.object_format_name)


def _set_up(  # noqa: PLR0913, PLR0917 (what was opened one after the other)
    host: HostConfig, seen: Collected, keyring: Keyring, cache: RepositoryCache, progress: Progress, stack: ExitStack
) -> tuple[Prepared | Review, Contents]:
    pull = seen.first.pull
    ends = Ends(pull.number, pull.head.sha, pull.base.sha, pull.base.ref, seen.first.repository.full_name)
    try:
        source = stack.enter_context(open_pull_request(cache, ends, Limits(diff_bytes=host.engine.max_diff_bytes)))
        sources = _sources(host, seen, keyring, source)
    except GitError as error:
        return _not_read(ends, host, str(error)), NoContents()
    return prepare(host.registry, sources, progress), sources.contents


def _sources(host: HostConfig, seen: Collected, keyring: Keyring, source: PullRequestSource) -> Sources:
    change = source.change_set()
    contents = source.contents(change)
    return Sources(
        change,
        contents,
        source.repository_file(change, contents),
        host=host.layer,
        command_line=host.command_line,
        history=seen.ledger.history,
        notes=seen.notes,
        forge=seen.facts,
        replay=source.replay(change),
        fingerprints=KeyedFingerprints(keyring.fingerprint_keys(seen.origin)),
        earlier=source.earlier(seen.ledger.last_complete),
    )


def _not_read(ends: Ends, host: HostConfig, why: str) -> Review:
    change = ChangeSet(
        (), Origin.GIT, ends.repository, ends.number, ends.base_branch, head=ends.head, faults=(ReadFault(why),)
    )
    advice = "The operator mends that, then the review runs again."
    return failed(change, (Reason("source", Level.ERROR, _sentence(why), (), advice, "source"),), host.engine.mode)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".removesuffix(".") + "."


def publish_review(given: Opened, review: Review, environment: Mapping[str, str] = os.environ) -> Published:
    """Publish a finished review; whoever calls holds `alone` since before the review was opened.

    Args:
        given: what the review was made from.
        review: the review.
        environment: the environment variables of the process.

    Returns:
        What was done, what stopped it, and what failed; it never raises for what the server does.
    """
    try:
        with open_client(given.host.gitea, environment) as client:
            port = Publishing(
                client, given.seen, given.keyring, given.host.gate, given.contents, _now(client, given.seen)
            )
            halted = port.moved_in(port.now.pull) or port.changed_reviews(port.now.reviews) or port.written_meanwhile()
            publication = Publication(review, given.seen.facts, port, halted)
            return publish(publication, Facade(given.host.registry.active, {}))
    except ForgeError as error:
        done = withdraw(given.host.gitea, given.seen.facts.number, error, environment)
        return Published(done, failed=(f"The review is not published: {error}",))


def _now(client: Client, seen: Collected) -> Now:
    number, head = seen.facts.number, seen.facts.head
    pull, reviews, comments, statuses = client.gather(
        [
            lambda: client.pulls.get(number),
            lambda: client.reviews.list(number),
            lambda: client.comments.list(number),
            lambda: client.statuses.list(head),
        ]
    )
    return Now(pull, reviews, comments, statuses)  # type: ignore[arg-type]

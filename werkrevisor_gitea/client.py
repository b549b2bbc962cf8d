"""The client: one server, one repository, one account; a group of typed methods per kind of thing."""

import threading
from collections.abc import Callable, Iterable, Mapping
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Final, Self, TypeVar

from werkrevisor_core.config.sections import GiteaSettings
from werkrevisor_core.errors import UsageError
from werkrevisor_gitea.api import Api, gather
from werkrevisor_gitea.branches import Branches
from werkrevisor_gitea.comments import Comments, Timeline
from werkrevisor_gitea.hooks import Hooks
from werkrevisor_gitea.http import Call, Http
from werkrevisor_gitea.probe import Features, missing_scopes, probe
from werkrevisor_gitea.pulls import Pulls
from werkrevisor_gitea.repositories import Repositories
from werkrevisor_gitea.reviews import Reviews
from werkrevisor_gitea.statuses import Statuses
from werkrevisor_gitea.token import read_token
from werkrevisor_gitea.wire import Instant, ServerSettings, User, Version

T = TypeVar("T")


class Client:
    """All requests to one repository; may be used by several threads, and as a context manager.

    Every method raises a `ForgeError` whose text is one sentence. What makes something is sent once; what
    reads, deletes or sets to a value is repeated a bounded number of times.
    """

    def __init__(self, http: Http, repository: str) -> None:
        """Make a client; nothing is sent yet.

        Args:
            http: the connection to one server, with its token.
            repository: `owner/name`.
        """
        api = Api(http, repository)
        self._api: Final = api
        self.url: Final = http.url
        self.repository: Final = Repositories(api)
        self.pulls: Final = Pulls(api)
        self.reviews: Final = Reviews(api)
        self.comments: Final = Comments(api)
        self.timeline: Final = Timeline(api)
        self.statuses: Final = Statuses(api)
        self.branches: Final = Branches(api)
        self.hooks: Final = Hooks(api)
        self._lock: Final = threading.Lock()
        self._features: Features | None = None
        self._me: User | None = None

    @property
    def repository_name(self) -> str:
        """The repository as `owner/name`."""
        return self._api.repository

    def version(self) -> Version:
        """Read the server's version."""
        return self._api.get(Version, ("version",))

    def settings(self) -> ServerSettings:
        """Return the server's limits."""
        return self._api.settings()

    def me(self) -> User:
        """Return the account of the token, which is asked for once."""
        with self._lock:
            if self._me is None:
                self._me = self._api.get(User, ("user",))
            return self._me

    def features(self) -> Features:
        """Return what the server can do, which is probed once."""
        with self._lock:
            if self._features is None:
                self._features = probe(self._api)
            return self._features

    def missing_scopes(self) -> tuple[str, ...]:
        """Return the scopes that the token lacks, of those that a review needs; nothing is changed by asking."""
        return missing_scopes(self._api)

    def server_time(self) -> Instant | None:
        """Read the server's clock; None where its answers carry no date."""
        answer = self._api.send(Call("GET", ("version",)))
        try:
            return Instant(parsedate_to_datetime(answer.headers.get("date", "")).timestamp())
        except (ValueError, OverflowError):
            return None

    def gather(self, calls: Iterable[Callable[[], T]]) -> tuple[T, ...]:
        """Run calls at the same time, at most 8 of them, and return their results in order.

        Raises:
            Exception: what the first call in order raised, after all have ended.
        """
        return gather(calls)

    def close(self) -> None:
        """Close the connections."""
        self._api.http.close()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()


def open_client(settings: GiteaSettings, environment: Mapping[str, str]) -> Client:
    """Make the client that a host's config describes.

    Args:
        settings: the `[gitea]` section.
        environment: the environment variables of the process, for the token.

    Returns:
        The client; nothing was sent yet.

    Raises:
        UsageError: the config names no server or no repository.
        NoToken: the token cannot be had.
    """
    for key, value in (("url", settings.url), ("repository", settings.repository)):
        if not value:
            raise UsageError(f"the host's config has no [gitea] {key}; set it, or run `werkrevisor init`")
    return Client(Http(settings.url, read_token(settings, environment)), settings.repository)

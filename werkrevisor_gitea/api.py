"""What all groups of the client share: typed requests below one repository, and the two kinds of lists."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

from attrs import evolve

from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.http import Answer, Call, Http, Query, Segment
from werkrevisor_gitea.reading import parse, structure
from werkrevisor_gitea.wire import ServerSettings

T = TypeVar("T")
Path = tuple[Segment, ...]

_THREADS: Final = 8
_MOST_PAGES: Final = 200
_READINGS: Final = 4
_PAGE: Final = 50
"""Entries per page that are asked for; the server's own maximum is 50 where nobody changed it."""


def gather(calls: Iterable[Callable[[], T]]) -> tuple[T, ...]:
    """Run calls at the same time, at most 8 of them, and return their results in order.

    Raises:
        Exception: what the first call in order raised, after all have ended.
    """
    waiting = list(calls)
    if len(waiting) < 2:
        return tuple(call() for call in waiting)
    with ThreadPoolExecutor(min(_THREADS, len(waiting))) as pool:
        futures = [pool.submit(call) for call in waiting]
    return tuple(future.result() for future in futures)


class Api:
    """Typed requests to one repository of one server; may be used by several threads."""

    def __init__(self, http: Http, repository: str) -> None:
        """Make the requests of one repository.

        Args:
            http: what carries them.
            repository: `owner/name`.
        """
        owner, _, name = repository.partition("/")
        self.http: Final = http
        self.repository: Final = repository
        self._repo: Final[Path] = ("repos", owner, name)
        self._limits: ServerSettings | None = None
        self._lock: Final = threading.Lock()

    def below(self, *path: Segment) -> Path:
        """Return a path below the repository."""
        return (*self._repo, *path)

    def send(self, call: Call) -> Answer:
        """Send a request as it is."""
        return self.http.send(call)

    def get(self, kind: type[T], path: Path, query: Query = MappingProxyType({})) -> T:
        """Read one thing, or a list that the forge gives whole."""
        call = Call("GET", path, query)
        return self._read(kind, call, self.http.send(call))

    def post(self, kind: type[T], path: Path, body: Mapping[str, Any]) -> T:
        """Make something and return it; it is never sent twice."""
        call = Call("POST", path, body=body)
        return self._read(kind, call, self.http.send(call))

    def patch(self, kind: type[T], path: Path, body: Mapping[str, Any]) -> T:
        """Set fields to values and return the whole; doing that twice is the same, so it may be repeated."""
        call = Call("PATCH", path, body=body, repeatable=True)
        return self._read(kind, call, self.http.send(call))

    def delete(self, path: Path, body: object = None) -> None:
        """Delete something."""
        self.http.send(Call("DELETE", path, body=body))

    def settings(self) -> ServerSettings:
        """Return the server's limits, which are asked for once."""
        with self._lock:
            if self._limits is None:
                self._limits = self.get(ServerSettings, ("settings", "api"))
            return self._limits

    def page_size(self) -> int:
        """Return how many entries a full page has; the server cuts silently what is asked beyond its maximum."""
        most = self.settings().max_response_items
        if most < 1:
            raise BadAnswer(f"the server says that a page holds {most} entries, so no list of it can be read")
        return min(_PAGE, most)

    def pages(
        self,
        kind: type[T],
        path: Path,
        query: Query = MappingProxyType({}),
        *,
        key: Callable[[T], object],
        hidden: bool = False,
    ) -> tuple[T, ...]:
        """Read a list whose pages the server counts in `X-Total-Count`, whole or not at all.

        The list may change while it is read. Entries are told apart by `key`, so one that moved to the next
        page counts once; a list that shrank, or lacks entries, is read anew.

        Args:
            kind: the model of one entry.
            path: of the list.
            query: what else to ask for.
            key: what tells two entries apart.
            hidden: whether the server counts entries that it does not show (pending reviews of others).

        Returns:
            The entries in the order of the server.

        Raises:
            BadAnswer: the list has no count, has more than 200 pages, or does not hold still.
        """
        call = Call("GET", path, {**query, "limit": self.page_size()})
        before: tuple[object, ...] | None = None
        for _ in range(_READINGS):
            pages, found = self._reading(kind, call, key)
            totals = [total for total, _ in pages]
            if min(totals) == totals[0] and (hidden or len(found) >= totals[0]):
                # Entries that are not shown cannot be counted, so one that slipped between two pages
                # (one was deleted, another came) is only noticed by a second reading.
                if not hidden or len(pages) == 1 or before == tuple(found):
                    return tuple(found.values())
                before = tuple(found)
        raise BadAnswer(f"{call.shown} changes while it is read; the next run tries again", request=call.shown)

    def _reading(
        self, kind: type[T], call: Call, key: Callable[[T], object]
    ) -> tuple[list[tuple[int, tuple[T, ...]]], dict[object, T]]:
        """Read all pages once: the first says how many there are, the others are read at the same time."""
        first = self._page(kind, call, 1)
        last = -(-first[0] // self.page_size())
        if last > _MOST_PAGES:
            raise BadAnswer(f"{call.shown} has {first[0]:,} entries, which is more than are read", request=call.shown)
        rest = gather([partial(self._page, kind, call, page) for page in range(2, last + 1)])
        pages = [first, *rest]
        return pages, {key(entry): entry for _, entries in pages for entry in entries}

    def _page(self, kind: type[T], call: Call, page: int) -> tuple[int, tuple[T, ...]]:
        paged = evolve(call, query={**call.query, "page": page})
        answer = self.http.send(paged)
        count = answer.headers.get("x-total-count", "")
        if not (count.isascii() and count.isdigit() and len(count) < 10):
            raise BadAnswer(
                f"the answer to {call.shown} does not say how many entries there are (X-Total-Count); "
                "check what stands between, it may drop headers",
                request=call.shown,
            )
        return int(count), self._read(tuple[kind, ...], paged, answer)  # type: ignore[valid-type]

    def unlisted_page(self, kind: type[T], path: Path, query: Query, page: int) -> Sequence[T | None]:
        """Read one page of a list that is not counted; null is an empty page, and entries may be null."""
        call = Call("GET", path, {**query, "limit": self.page_size(), "page": page})
        return self._read(tuple[kind | None, ...], call, self.http.send(call))  # type: ignore[valid-type]

    def _read(self, kind: type[T], call: Call, answer: Answer) -> T:
        return structure(kind, parse(answer.body, call.shown), call.shown)

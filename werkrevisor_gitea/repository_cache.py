"""One partial copy per repository on this machine, shared by all processes, bounded and kept tidy.

    folder/use.lock     held by everybody who reads; alone by who packs or drops the copy
    folder/fetch.lock   held by who fetches
    folder/git          the bare repository; every reviewed head is kept by refs/werkrevisor/NUMBER/ID

Nothing in it is needed: whoever deletes it loses time, and the overwritten heads that the server has
collected since.
"""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from attrs import field, frozen

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Server
from werkrevisor_core.git.partial import Bounds, NoSuchCommit, PartialStore
from werkrevisor_gitea.locks import Shared, exclusive, shared
from werkrevisor_gitea.token import Token

VARIABLE: Final = "WERKREVISOR_CACHE"
"""Environment variable that names the folder for all copies and locks."""
_REFS: Final = "refs/werkrevisor"
_MOST_PACKS: Final = 60
_KEPT_SECONDS: Final = 180 * 24 * 3600.0
_FETCH_SECONDS: Final = 900.0
_LATE_TRIES: Final = 4
_LATE_SECONDS: Final = 0.5
"""For a moment after a push the server has the new head of a fork only in the fork (seen: up to 2 s)."""


@frozen
class Address:
    """The repository that is copied: address of its server, `owner/name`, number, object format."""

    url: str
    repository: str
    repository_id: int
    object_format: str = "sha1"


def cache_root(environment: Mapping[str, str]) -> Path:
    """Return the folder for copies and locks: `WERKREVISOR_CACHE`, else one in the user's cache folder."""
    if named := environment.get(VARIABLE, ""):
        return Path(named)
    home = environment.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else Path("~/.cache").expanduser(), "werkrevisor")  # noqa: PTH117


def folder_name(url: str, rest: str) -> str:
    """Return a name for a folder or file that belongs to something on a server; two things share none."""
    readable = re.sub(r"[^a-z0-9.]+", "-", url.partition("://")[2].lower())[:40]
    digest = hashlib.sha256("\n".join((url, rest)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{digest[:16]}"


@frozen
class RepositoryCache:
    """An open copy; use `open_cache`."""

    folder: Path
    _store: PartialStore
    _tries: int = field(default=_LATE_TRIES)

    @property
    def git_folder(self) -> Path:
        """The bare repository, for the reader."""
        return self.folder / "git"

    def bring_head(self, number: int, head: str, base: str) -> None:
        """Fetch the two commits of a pull request by their ids and keep the head for good.

        Raises:
            GitError: one of them is not to be had; the text says why.
        """
        for attempt in range(1, self._tries + 1):
            try:
                with self._fetching():
                    self._store.bring_commits([head], lambda commit: f"{_REFS}/{number}/{commit}")
                    self._store.bring_commits([base], lambda _: f"{_REFS}/base")
            except NoSuchCommit:
                if attempt == self._tries:
                    raise
                time.sleep(_LATE_SECONDS * attempt)
            else:
                return

    def bring_earlier(self, number: int, commits: Sequence[str]) -> None:
        """Fetch commits of earlier rounds.

        Raises:
            GitError: one of them is not to be had any more.
        """
        with self._fetching():
            for commit in commits:
                self._store.bring_commits([commit], lambda each: f"{_REFS}/{number}/{each}")

    def bring_changes(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Fetch the contents of everything that differs between these pairs of commits, in one go.

        Raises:
            GitError: they are not to be had.
        """
        blobs = [blob for old, new in pairs for blob in self._store.changed_blobs(old, new)]
        self.bring_blobs(blobs)

    def bring_blobs(self, object_ids: Sequence[str]) -> None:
        """Fetch contents by id, those that are missing, in one go.

        Raises:
            GitError: they are not to be had.
        """
        if self._store.missing(dict.fromkeys(object_ids)):
            with self._fetching():
                self._store.bring_blobs(object_ids)

    def heads(self, number: int) -> tuple[str, ...]:
        """Return the heads of a pull request that were reviewed from here."""
        return tuple(name.rpartition("/")[2] for name in self._store.refs(f"{_REFS}/{number}/"))

    @contextmanager
    def _fetching(self) -> Iterator[None]:
        with exclusive(self.folder / "fetch.lock", _FETCH_SECONDS, "fetches this repository"):
            yield


@contextmanager
def open_cache(
    root: Path, address: Address, token: Token, bounds: Bounds | None = None, ca_file: str = ""
) -> Iterator[RepositoryCache]:
    """Open the copy of a repository, which is made where there is none.

    Args:
        root: the folder of all copies.
        address: the repository.
        token: the bot's; it reaches git in its environment only.
        bounds: what the copy may cost.
        ca_file: a file with the authorities that are trusted; the system's where none is named.

    Raises:
        UsageError: the folder cannot be used.
    """
    folder = root / "repositories" / _folder(address)
    url = f"{address.url}/{address.repository}.git"
    server = Server(address.url, url, f"Authorization: token {token.reveal()}", ca_file)
    store = PartialStore(str(folder / "git"), server, bounds or Bounds())
    with shared(folder / "use.lock") as lock:
        _tidy(lock, store)
        with exclusive(folder / "fetch.lock", _FETCH_SECONDS, "fetches this repository"):
            _make(store, address.object_format)
        yield RepositoryCache(folder, store)


def _folder(address: Address) -> str:
    return folder_name(address.url, str(address.repository_id))


def _make(store: PartialStore, object_format: str) -> None:
    folder = Path(store.folder)
    if (folder / "HEAD").is_file() and (folder / "config").is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)  # half made by a process that was killed
    try:
        folder.mkdir(mode=0o700, parents=True)
        store.create(object_format)
    except OSError as error:
        raise GitError(
            f"{folder} cannot be made ({error.strerror}); set {VARIABLE} to a folder with more room"
        ) from None


def _tidy(lock: Shared, store: PartialStore) -> None:
    """Pack the copy, or drop it where it is too large, if nobody else reads it just now."""
    if not Path(store.folder, "objects/pack").is_dir():
        return
    with lock.alone() as alone:
        if not alone:
            return
        _forget_old(Path(store.folder, _REFS))
        if store.size() > store.bounds.size * 3 // 4:
            shutil.rmtree(store.folder, ignore_errors=True)
        elif store.packs() > _MOST_PACKS:
            with suppress(GitError):  # slower, and nothing else
                store.repack()


def _forget_old(refs: Path) -> None:
    oldest = time.time() - _KEPT_SECONDS
    for ref in refs.rglob("*"):
        with suppress(OSError):
            if ref.is_file() and ref.stat().st_mtime < oldest:
                ref.unlink()

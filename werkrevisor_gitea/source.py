"""What changed in a pull request: read by the core's git source from a copy that holds all that is needed.

The core's git never asks a server. So everything is brought before it is read: the two commits, then the
contents on both sides of every changed file in one go, and later what a rule asks for.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from attrs import define, evolve, field, frozen

from werkrevisor_core.config.examine import REPOSITORY_FILE
from werkrevisor_core.errors import ContentsUnavailable, GitError
from werkrevisor_core.git.source import GitSource, Limits, open_source
from werkrevisor_core.models.change import REGULAR_MODES, ChangeSet, Origin
from werkrevisor_core.models.forge import Marker
from werkrevisor_core.models.ports import Contents, Side
from werkrevisor_core.models.replay import Replay, Replayed
from werkrevisor_core.session import RepositoryFile
from werkrevisor_gitea.repository_cache import RepositoryCache


@frozen
class Ends:
    """The two commits of a pull request by their full ids, and what they are called."""

    number: int
    head: str
    base: str
    base_branch: str
    repository: str


@define
class PullRequestSource:
    """The change of one pull request and the ports that go with it."""

    _cache: RepositoryCache
    _git: GitSource
    _ends: Ends

    def change_set(self) -> ChangeSet:
        """Read the change between the merge base and the head.

        Raises:
            GitError: the two have no common commit, or something is not to be had.
        """
        ends = self._ends
        bases = self._git.merge_bases(ends.base, ends.head)
        self._cache.bring_changes([(bases[0], ends.head)])
        change = self._git.change_set(ends.base, ends.head)
        return evolve(change, repository=ends.repository, pull_request=ends.number, base_branch=ends.base_branch)

    def contents(self, change: ChangeSet) -> "FetchingContents":
        """Return the contents port of the change."""
        return FetchingContents(
            self._cache, self._git, self._git.contents(change), (change.merge_base or "", change.head or "")
        )

    def replay(self, change: ChangeSet) -> "FetchingReplay":
        """Return the replay port of the change."""
        return FetchingReplay(
            self._cache,
            self._git,
            self._git.replay(change),
            self._ends.number,
            (change.merge_base or "", self._ends.head),
        )

    def earlier(self, marker: Marker | None) -> Contents | None:
        """Return the files of an earlier head, None where there is none or it is not to be had any more."""
        if marker is None or not marker.merge_base:
            return None
        with suppress(GitError):
            self._cache.bring_earlier(self._ends.number, [marker.head])
            change = ChangeSet((), Origin.GIT, merge_base=marker.merge_base, head=marker.head)
            return self.contents(change)
        return None

    def repository_file(self, change: ChangeSet, contents: Contents) -> RepositoryFile:
        """Read the repository's config file at the tip of the base branch and, where it is changed, at the head."""
        old, fault = self._at_the_base()
        if not any(REPOSITORY_FILE in file.paths for file in change.files):
            return RepositoryFile(old, old_fault=fault)
        try:
            return RepositoryFile(old, contents.read(Side.NEW, REPOSITORY_FILE), old_fault=fault)
        except ContentsUnavailable:
            regular = not any(
                file.path == REPOSITORY_FILE and file.new_mode is not None and file.new_mode not in REGULAR_MODES
                for file in change.files
            )
            return RepositoryFile(old, None, new_regular=regular, new_readable=False, old_fault=fault)

    def _at_the_base(self) -> tuple[bytes | None, str]:
        try:
            entry = self._git.entry(self._ends.base, REPOSITORY_FILE)
            if entry is not None and entry.mode in REGULAR_MODES:
                self._cache.bring_blobs([entry.object_id])
            return self._git.read_file(self._ends.base, REPOSITORY_FILE), ""
        except ContentsUnavailable as error:
            return None, str(error)


@define
class FetchingContents:
    """The contents port: what is not in the copy yet is fetched, all of one `prefetch` in one go.

    `commits` are the ids of the old and of the new side.
    """

    _cache: RepositoryCache
    _git: GitSource
    _inner: Contents
    _commits: tuple[str, str]
    _here: set[str] = field(factory=set)

    def prefetch(self, wanted: Iterable[tuple[Side, str]]) -> None:
        """Fetch these files in one go; what fails here fails again in `read`."""
        pairs = list(wanted)
        with suppress(GitError):
            self._bring([blob for side, path in pairs if (blob := self._blob(side, path))])
        self._inner.prefetch(pairs)

    def read(self, side: Side, path: str) -> bytes | None:
        """Return the bytes of a file, or None where that side has no such file.

        Raises:
            ContentsUnavailable: it cannot be read, or not be fetched.
        """
        try:
            self._bring([blob for blob in (self._blob(side, path),) if blob])
        except GitError as error:
            raise ContentsUnavailable(f"the contents of a file cannot be fetched: {error}") from None
        return self._inner.read(side, path)

    def _blob(self, side: Side, path: str) -> str:
        entry = self._git.entry(self._commits[side is Side.NEW], path)
        return entry.object_id if entry is not None and entry.mode in REGULAR_MODES else ""

    def _bring(self, blobs: list[str]) -> None:
        wanted = [blob for blob in dict.fromkeys(blobs) if blob not in self._here]
        if wanted:
            self._cache.bring_blobs(wanted)
            self._here.update(wanted)


@define
class FetchingReplay:
    """The replay port: brings the approved commits and all contents that a merge can look at, then merges."""

    _cache: RepositoryCache
    _git: GitSource
    _inner: Replay
    _number: int
    _ends: tuple[str, str]

    def replay(self, approved_base: str, approved: str) -> Replayed:
        """Merge again what lies between these two commits; never raises for what git or the server cannot do."""
        base, head = self._ends
        try:
            self._cache.bring_earlier(self._number, [approved_base, approved])
            self._cache.bring_changes([(approved_base, approved), (approved_base, base), (base, head)])
        except GitError as error:
            return Replayed(impossible=str(error))
        found = self._inner.replay(approved_base, approved)
        before = FetchingContents(self._cache, self._git, found.before, (approved_base, approved))
        return evolve(found, before=before)


@contextmanager
def open_pull_request(cache: RepositoryCache, ends: Ends, limits: Limits) -> Iterator[PullRequestSource]:
    """Bring the two commits of a pull request and open them.

    Raises:
        GitError: one of them is not to be had; the text says why.
    """
    cache.bring_head(ends.number, ends.head, ends.base)
    with open_source(cache.git_folder, limits) as git:
        yield PullRequestSource(cache, git, ends)

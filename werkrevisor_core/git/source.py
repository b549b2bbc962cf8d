"""The git source: what changed between two commits, and what files hold.

    with open_source(Path(".")) as source:
        head = source.resolve("HEAD")
        base = source.resolve(source.default_base())
        change = source.change_set(base, head)
        contents = source.contents(change)

The diff lies in a temporary file, so patches and contents can be read only until the source closes.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from attrs import define, field

from werkrevisor_core.diff.reader import read_diff
from werkrevisor_core.diff.source import FileSource
from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import SECONDS, Answer, Git, first_line
from werkrevisor_core.git.contents import FILE_BYTES, GitContents, read_entry
from werkrevisor_core.git.history import criss_cross, merge_bases
from werkrevisor_core.git.listing import compare, read_listing
from werkrevisor_core.git.objects import Entry, Objects
from werkrevisor_core.git.replay import GitReplay
from werkrevisor_core.git.repository import Location, default_base, open_repository, resolve
from werkrevisor_core.models.change import ChangeSet, FileChange, Origin, ReadFault
from werkrevisor_core.models.ports import Side
from werkrevisor_core.records import frozen

_HASH_BYTES: Final = {"sha1": 20, "sha256": 32}

_DIFF: Final = (
    "diff-tree",
    "-r",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--ignore-submodules=none",
    "--no-relative",
    "--find-renames=50%",
    "-l1000",
    # Git would pair empty files that have nothing to do with each other as renames.
    "--no-rename-empty",
    "--diff-algorithm=histogram",
    "--indent-heuristic",
    "--full-index",
    "--no-abbrev",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    f"-O{os.devnull}",
)
_PATCH: Final = (*_DIFF, "--patch", "--unified=3", "--inter-hunk-context=0")
_LIST: Final = (*_DIFF, "--raw", "--numstat", "-z")


@frozen
class Limits:
    """What reading git may cost: bytes of a diff, bytes of one file's contents, seconds per git command."""

    diff_bytes: int = 1 << 30
    file_bytes: int = FILE_BYTES
    seconds: float = SECONDS


@define
class GitSource:
    """An open repository. Commits are named by full ids, as `resolve` returns them."""

    _theirs: Git
    _git: Git
    _location: Location
    _limits: Limits
    _objects: Objects
    _files: list[int] = field(factory=list)

    def resolve(self, revision: str) -> str:
        """Return the full id of the commit that a revision names.

        Raises:
            GitError: nothing or more than one thing has this name.
        """
        return resolve(revision, self._theirs, shallow=bool(self._location.shallow))

    def default_base(self) -> str:
        """Return the full name of the ref of the main branch, e.g. `refs/heads/main`.

        Raises:
            GitError: there is none.
        """
        return default_base(self._theirs)

    def merge_bases(self, base: str, head: str) -> tuple[str, ...]:
        """Return the best common ancestors, at least one.

        Raises:
            GitError: there is none, or a shallow clone is too short to tell.
        """
        return merge_bases(base, head, self._git, self._location.shallow)

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the parents of a commit; none for a root commit.

        Raises:
            GitError: there is no such commit, or a shallow clone is cut off there.
        """
        parents = self._objects.commit(commit)[1]
        if parents and commit in self._location.shallow:
            raise GitError(f"this clone is shallow and cut off at {commit[:12]}: run `git fetch --unshallow`")
        return parents

    def change_set(self, base: str, head: str) -> ChangeSet:
        """Read everything that the head changes since it left the base.

        Several merge bases end as a fault of the change set. Where git's own list of the changed
        files and its diff differ, the file is `unread`.

        Raises:
            GitError: no merge base, a missing object, a diff that is too large, or git failed.
        """
        bases = self.merge_bases(base, head)
        files, faults = self._between(bases[0], head)
        return ChangeSet(files, Origin.GIT, merge_base=bases[0], head=head, faults=(*criss_cross(bases), *faults))

    def replay(self, change: ChangeSet) -> GitReplay:
        """Return the port that merges approved changes again onto the merge base of a change set."""
        if change.merge_base is None or change.head is None:
            raise GitError("nothing can be merged again onto a bare diff")
        return GitReplay(
            self._git, self._objects, self._between, (change.merge_base, change.head), self._limits.file_bytes
        )

    def _between(
        self, old: str, new: str, options: tuple[str, ...] = ()
    ) -> tuple[tuple[FileChange, ...], tuple[ReadFault, ...]]:
        """Return what changed between two commits, and what of it could not be read."""
        diff, listing = self._new_file("diff"), self._new_file("list")
        ends = (*options, old, new, "--")
        answers = self._git.write((((*_PATCH, *ends), diff), ((*_LIST, *ends), listing)), self._limits.diff_bytes)
        for answer in answers:
            if answer.status:
                raise self._failed(answer, old, new)
        found = read_diff(_source(diff))
        files = compare(found.files, read_listing(_source(listing)))
        self._files.remove(listing)
        os.close(listing)
        return files, found.faults

    def contents(self, change: ChangeSet) -> GitContents:
        """Return the contents port of a change set that this source has read."""
        if change.merge_base is None or change.head is None:
            raise GitError("the contents of a bare diff are not known")
        commits = {Side.OLD: change.merge_base, Side.NEW: change.head}
        return GitContents(self._objects, commits, self._limits.file_bytes)

    def entry(self, commit: str, path: str) -> Entry | None:
        """Return mode and object id of a path, None where the commit has nothing there.

        Raises:
            GitError: the commit cannot be read.
        """
        return self._objects.entry(commit, path)

    def read_file(self, commit: str, path: str) -> bytes | None:
        """Return the bytes of a regular file, None where the commit has nothing at this path.

        Raises:
            ContentsUnavailable: it is no regular file, too large, or missing in a partial clone.
            GitError: the commit cannot be read.
        """
        entry = self._objects.entry(commit, path)
        return None if entry is None else read_entry(self._objects, path, entry, self._limits.file_bytes)

    def close(self) -> None:
        """End what runs and close what is open."""
        self._objects.close()
        while self._files:
            os.close(self._files.pop())

    def _new_file(self, name: str) -> int:
        """Open a new file in our repository; it has no name any more, so it goes when it is closed."""
        path = os.path.join(self._git.directory, name)  # noqa: PTH118 - paths with odd bytes stay str
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(path)  # noqa: PTH108 - likewise
        self._files.append(descriptor)
        return descriptor

    def _failed(self, answer: Answer, base: str, head: str) -> GitError:
        reason = first_line(answer.complaint)
        if not self._location.is_partial:
            return GitError(f"git cannot compare {base[:12]} with {head[:12]}: {reason}")
        return GitError(
            f"this clone is partial and lacks contents that the review needs ({reason}): "
            f"run `git diff {base[:12]} {head[:12]}` in it once, which fetches them"
        )


def _source(descriptor: int) -> FileSource:
    return FileSource(descriptor, os.fstat(descriptor).st_size)


_USUAL: Final = Limits()


@contextmanager
def open_source(path: Path, limits: Limits = _USUAL) -> Iterator[GitSource]:
    """Open the repository that a folder belongs to.

    Raises:
        GitError: there is no repository, or no git.
    """
    with open_repository(path, limits.seconds) as (theirs, ours, location):
        objects = Objects(ours, _HASH_BYTES[location.object_format])
        with closing(GitSource(theirs, ours, location, limits, objects)) as source:
            yield source

"""A bare repository that is filled from one server, commit by commit and blob by blob, and only when told to.

Commits and folders come whole, contents only where they are asked for, all in one go. Nothing else in here
asks the server: what is missing is missing, and the reader says so.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Answer, Git, Server, find_git, first_line, plain
from werkrevisor_core.git.repository import write_empty
from werkrevisor_core.models.change import SUBMODULE_MODE
from werkrevisor_core.records import frozen

_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FETCH: Final = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
    "--recurse-submodules=no",
    "--no-show-forced-updates",
    "--filter=blob:none",
    "--stdin",
)
_ABSENT: Final = "000000"


class NoSuchCommit(GitError):
    """The server has no commit of this id, or does not give it away."""


@frozen
class Bounds:
    """What a fetch may cost: bytes of all packs together, seconds of one fetch."""

    size: int = 4 << 30
    seconds: float = 300.0


@frozen
class PartialStore:
    """A bare repository in `folder`, filled from one repository of a server."""

    folder: str
    server: Server
    bounds: Bounds = Bounds()

    def create(self, object_format: str) -> None:
        """Make the empty repository; its folder exists and is empty."""
        write_empty(self.folder, object_format)

    def bring_commits(self, commits: Sequence[str], ref: Callable[[str], str]) -> None:
        """Fetch commits with their history and folders, and keep each by a ref.

        Args:
            commits: full ids.
            ref: the name of the ref for an id.

        Raises:
            NoSuchCommit: the server does not have one of them.
            GitError: the server cannot be reached, refuses, is too slow or sends too much.
        """
        for commit in commits:
            _check(commit)
        lacking = self.missing(commits)
        if lacking:
            self._fetch([f"{commit}:{ref(commit)}" for commit in lacking], ())
        kept = {name for name in commits if name not in lacking}
        for commit in kept:
            self._keep(commit, ref(commit))

    def _keep(self, commit: str, ref: str) -> None:
        answer = self._git().run("update-ref", ref, commit)
        if answer.status:
            raise GitError(f"the commit {commit[:12]} cannot be kept in {plain(self.folder)}: {_why(answer)}")

    def bring_blobs(self, object_ids: Iterable[str]) -> None:
        """Fetch contents, all that are missing in one go.

        Raises:
            GitError: as for commits.
        """
        lacking = self.missing(dict.fromkeys(object_ids))
        if lacking:
            # Without a negotiation: the server need not know what else is here.
            self._fetch(lacking, ("-c", "fetch.negotiationAlgorithm=noop"))

    def missing(self, object_ids: Iterable[str]) -> list[str]:
        """Return those of the ids that are not here, in order."""
        asked = list(object_ids)
        if not asked:
            return []
        with _lines(self.folder, asked) as file:
            answer = self._git().run("cat-file", "--batch-check", "--buffer", into=file)
        if answer.status or len(answer.lines) != len(asked):
            raise GitError(
                f"{plain(self.folder)} cannot be read: {_why(answer)}; delete that folder, it is only a cache"
            )
        return [name for name, line in zip(asked, answer.lines, strict=True) if line.endswith(" missing")]

    def changed_blobs(self, old: str, new: str) -> list[str]:
        """Return the ids of the contents of all files that differ between two commits, on both sides.

        Raises:
            GitError: one of them is not here.
        """
        answer = self._git().run("diff-tree", "-r", "--raw", "--no-renames", "--no-abbrev", "-z", old, new, "--")
        if answer.status:
            raise GitError(f"git cannot compare {old[:12]} with {new[:12]}: {_why(answer)}")
        found: dict[str, None] = {}
        for entry in answer.out.split(b"\0"):
            if entry.startswith(b":"):
                found |= dict.fromkeys(_blobs(entry[1:].decode("ascii").split(" ")))
        return list(found)

    def refs(self, prefix: str) -> list[str]:
        """Return the names of the refs below a prefix."""
        return self._git().run("for-each-ref", "--format=%(refname)", prefix).lines

    def size(self) -> int:
        """Return the bytes of all packs, unfinished ones included."""
        with os.scandir(Path(self.folder, "objects/pack")) as files:
            return sum(_size_of(file) for file in files)

    def packs(self) -> int:
        """Return the number of packs."""
        return sum(1 for _ in Path(self.folder, "objects/pack").glob("*.pack"))

    def repack(self) -> None:
        """Make one pack of many; only the one process that uses the folder may do that.

        Raises:
            GitError: git failed.
        """
        # It has to know that what is missing may be missing; there is no protocol to fetch it by.
        server = evolve(self.server, origin="none:", url="none:")
        answer = evolve(self._git(), server=server).run("repack", "-a", "-d", "-q")
        if answer.status:
            raise GitError(f"{plain(self.folder)} cannot be packed: {_why(answer)}")

    def _git(self) -> Git:
        return evolve(find_git(self.folder, self.bounds.seconds), repository=self.folder)

    def _fetch(self, wanted: Sequence[str], options: Sequence[str]) -> None:
        git = evolve(self._git(), server=self.server)
        with _lines(self.folder, wanted) as file:
            answer = git.run(*options, *_FETCH, "origin", into=file, guard=self._guard)
        if answer.status:
            raise _failed(answer, self.server.url)

    def _guard(self) -> None:
        size = self.size()
        if size > self.bounds.size:
            raise GitError(
                f"the copy of this repository has more than {self.bounds.size:,} bytes, so the fetch was stopped: "
                f"the change is too large, or delete {plain(self.folder)}, which is only a cache"
            )


def _check(commit: str) -> None:
    if not _ID.fullmatch(commit):
        raise GitError(f"the server names the commit `{plain(commit)}`, which is no full commit id")


def _blobs(fields: Sequence[str]) -> Iterator[str]:
    old_mode, new_mode, old, new = fields[:4]
    for mode, object_id in ((old_mode, old), (new_mode, new)):
        if mode not in (_ABSENT, SUBMODULE_MODE):
            yield object_id


def _size_of(file: os.DirEntry[str]) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # renamed just now; its new name is counted the next time
        return 0


@contextmanager
def _lines(folder: str, lines: Iterable[str]) -> Iterator[int]:
    """Yield an open file without a name that holds these lines."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.writelines(line.encode("ascii") + b"\n" for line in lines)
        file.seek(0)
        yield file.fileno()


def _why(answer: Answer) -> str:
    return first_line(answer.complaint)


_SAYS: Final = (
    ("not our ref", "the server does not have that commit (any more): it was overwritten and collected"),
    ("couldn't find remote ref", "the server does not have that commit (any more): it was overwritten and collected"),
    ("not found", "the repository is not there, or the bot's account may not read it"),
    ("could not read Username", "the server does not accept the token for git"),
    ("Authentication failed", "the server does not accept the token for git"),
    ("error: 403", "the bot's account, or its token, may not read the repository by git"),
    ("unable to update url base", "the server points elsewhere, where the token is not sent; is it renamed?"),
    ("redirect", "the server points elsewhere, where the token is not sent; is it renamed?"),
    (
        "filtering not recognized",
        "the server does not support partial clones; switch on [git] DISABLE_PARTIAL_CLONE=false",
    ),
)


def _failed(answer: Answer, url: str) -> GitError:
    said = answer.complaint
    for needle, meaning in _SAYS:
        if needle.lower() in said.lower():
            kind = NoSuchCommit if "commit" in meaning else GitError
            return kind(f"git cannot fetch from {url}: {meaning}")
    return GitError(f"git cannot fetch from {url}: {_why(answer)}")

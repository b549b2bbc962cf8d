"""The replay port over git: an approved change, merged again by git's own merge.

`git merge-tree` (git 2.38 and newer) merges three commits that we make up: the merge base of the
approved head, the approved head on it, and the merge base of the new head on it. So the merge has
exactly one base, whatever the real history looks like, and never the tip of the base branch. All that
is made lies in our own bare repository and goes with it.
"""

import os
from collections.abc import Callable, Iterator
from typing import Final

from attrs import define

from werkrevisor_core.diff.source import BytesSource
from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Git, first_line, git_version
from werkrevisor_core.git.contents import GitContents
from werkrevisor_core.git.listing import read_listing
from werkrevisor_core.git.objects import Objects
from werkrevisor_core.models.change import REGULAR_MODES, FileChange, ReadFault
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.replay import Region, Replayed

OLDEST: Final = (2, 38)
"""The oldest git that merges without a work tree (release notes of git 2.38)."""
_AUTHOR: Final = ("-c", "user.name=werkrevisor", "-c", "user.email=werkrevisor@invalid")
_MERGE: Final = ("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages")
_RAW: Final = (
    *("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"),
    *("--find-renames=50%", "-l1000", "--no-rename-empty", f"-O{os.devnull}"),
)
Between = Callable[[str, str, tuple[str, ...]], tuple[tuple[FileChange, ...], tuple[ReadFault, ...]]]


@define
class GitReplay:
    """Merges approved changes again onto the merge base of one change set, and compares with its head.

    `ends` are merge base and head of the judged change set, `between` compares two commits, `most` are
    the bytes above which a file is not read.
    """

    _git: Git
    _objects: Objects
    _between: Between
    _ends: tuple[str, str]
    _most: int

    def replay(self, approved_base: str, approved: str) -> Replayed:
        """Merge again what lies between these two commits; never raises for what git cannot do."""
        try:
            return self._replayed(approved_base, approved)
        except GitError as fault:
            return Replayed(impossible=str(fault))

    def _replayed(self, approved_base: str, approved: str) -> Replayed:
        version = git_version(self._git)
        if version < OLDEST:
            raise GitError(f"git {'.'.join(map(str, version))} cannot merge again what was approved: install git 2.38")
        base, head = self._ends
        start = self._commit(self._tree(approved_base))
        ours = self._commit(self._tree(approved), start)
        theirs = self._commit(self._tree(base), start)
        tree, conflicts = self._merge(ours, theirs)
        merged = self._commit(tree)
        return Replayed(
            approved=self._read(approved_base, approved),
            result=self._read(base, merged),
            difference=self._read(merged, head, "--no-renames"),
            conflicts={path: self._regions(merged, path, (ours, theirs)) for path in conflicts},
            base_touched=dict(self._touched(approved_base, base)),
            before=GitContents(self._objects, {Side.OLD: approved_base, Side.NEW: approved}, self._most),
        )

    def _tree(self, commit: str) -> str:
        return self._objects.commit(commit)[0]

    def _commit(self, tree: str, *parents: str) -> str:
        """Make a commit that nobody can foresee the id of: conflicts are marked with it."""
        on = [word for parent in parents for word in ("-p", parent)]
        answer = self._git.run(*_AUTHOR, "commit-tree", *on, "-m", os.urandom(16).hex(), tree)
        if answer.status or not answer.lines:
            raise GitError(f"git cannot merge again what was approved: {first_line(answer.complaint)}")
        return answer.lines[0]

    def _merge(self, ours: str, theirs: str) -> tuple[str, list[str]]:
        answer = self._git.run(*_MERGE, ours, theirs)
        tree, _, rest = answer.out.partition(b"\0")
        if answer.status not in (0, 1) or not tree:
            raise GitError(f"git cannot merge again what was approved: {first_line(answer.complaint)}")
        names = rest.decode("utf-8", "surrogateescape").split("\0")
        return tree.decode("ascii"), sorted({name for name in names if name})

    def _read(self, old: str, new: str, *options: str) -> tuple[FileChange, ...]:
        files, faults = self._between(old, new, options)
        if faults:
            raise GitError(f"what was approved cannot be compared with this head: {faults[0].why}")
        return files

    def _regions(self, commit: str, path: str, labels: tuple[str, str]) -> tuple[Region, ...]:
        """Return the lines in conflict; none where the conflict is not one of lines, or cannot be read."""
        entry = self._objects.entry(commit, path)
        if entry is None or entry.mode not in REGULAR_MODES:
            return ()
        found = self._objects.one(entry.object_id, self._most)
        if found is None or found.data is None:
            return ()
        return tuple(_marked(found.data, *(label.encode("ascii") for label in labels)))

    def _touched(self, old: str, new: str) -> Iterator[tuple[str, str]]:
        answer = self._git.run(*_RAW, old, new, "--")
        if answer.status:
            raise GitError(f"git cannot compare {old[:12]} with {new[:12]}: {first_line(answer.complaint)}")
        for listed in read_listing(BytesSource(answer.out)).files.values():
            if listed.old_blob != listed.new_blob:
                yield listed.path, listed.old_path


def _marked(data: bytes, ours: bytes, theirs: bytes) -> Iterator[Region]:
    first = middle = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.startswith(b"<<<<<<< " + ours):
            first, middle = number, 0
        elif first and line.rstrip(b"\r") == b"=======":
            # Text may have such a line, too; the last one makes the approved side too long, never too short.
            middle = number
        elif first and line.startswith(b">>>>>>> " + theirs):
            yield Region(first, middle, number)
            first = 0

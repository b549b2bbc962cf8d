"""Reads objects by id over one running `git cat-file --batch`, and finds paths in trees.

Requests are ids only, so a path with any byte in it can be asked for, and a tree entry says what
kind of file it is before anything is read.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Final

from attrs import define, field

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Dialogue, Git, plain
from werkrevisor_core.records import frozen

TREE_MODE: Final = "040000"
_ROUND: Final = 50
"""Requests sent before their answers are read; 50 ids of SHA-256 have 3 kB, less than any pipe holds."""
_ROUND_BYTES: Final = 32 << 20
"""Bytes of the answers after which the rest of a round is asked for again, to bound the memory."""
_MANY_TREES: Final = 4_000
"""Folders kept parsed; a folder of 200 entries takes about 40 kB."""
_LARGEST_COMMIT: Final = 16 << 20
_LARGEST_TREE: Final = 64 << 20
"""Bytes of a commit and of a folder; a folder of a million files has about 40 MB."""


@frozen
class Entry:
    """What a tree says of a path: mode (six octal digits) and object id."""

    mode: str
    object_id: str


@frozen
class Found:
    """An object: its type and size, and its bytes unless it is larger than was asked for."""

    kind: str
    size: int
    data: bytes | None = field(repr=False)


@define
class Objects:
    """Objects of a repository; the git process starts at the first question."""

    _git: Git
    _hash_bytes: int
    _stack: ExitStack = field(factory=ExitStack)
    _dialogue: Dialogue | None = None
    _trees: dict[str, dict[bytes, Entry]] = field(factory=dict)
    _roots: dict[str, str] = field(factory=dict)

    def close(self) -> None:
        """End the git process; a later question starts another."""
        self._dialogue = None
        self._stack.close()

    def read(self, object_ids: Iterable[str], most: int) -> Iterator[tuple[str, Found | None]]:
        """Yield every id with its object, None where the repository lacks it.

        Args:
            object_ids: full ids, answered in this order.
            most: bytes above which an object is not read.

        Raises:
            GitError: git stopped or takes too long.
        """
        waiting = list(object_ids)
        for start in range(0, len(waiting), _ROUND):
            yield from self._round(waiting[start : start + _ROUND], most)

    def _round(self, object_ids: list[str], most: int) -> Iterator[tuple[str, Found | None]]:
        while object_ids:
            dialogue = self._open()
            dialogue.send("".join(f"{object_id}\n" for object_id in object_ids).encode("ascii"))
            answers = self._answers(dialogue, object_ids, most)
            yield from answers
            object_ids = object_ids[len(answers) :]

    def _answers(self, dialogue: Dialogue, object_ids: list[str], most: int) -> list[tuple[str, Found | None]]:
        """Read answers until all are there, or until what comes is too much.

        Then the process is ended, since it would send all the rest; the caller asks again.
        """
        answers: list[tuple[str, Found | None]] = []
        together = 0
        for object_id in object_ids:
            words = dialogue.line().split(b" ")
            if len(words) != 3:
                answers.append((object_id, None))
                continue
            kind, size = words[1].decode("ascii", "replace"), int(words[2])
            data = dialogue.take(size + 1)[:-1] if size <= most else None
            answers.append((object_id, Found(kind, size, data)))
            together += size
            if data is None or together > _ROUND_BYTES:
                self.close()
                break
        return answers

    def _open(self) -> Dialogue:
        if self._dialogue is None:
            self._dialogue = self._stack.enter_context(self._git.talk("cat-file", "--batch"))
        return self._dialogue

    def one(self, object_id: str, most: int) -> Found | None:
        """Return one object; see `read`."""
        ((_, found),) = self.read([object_id], most)
        return found

    def commit(self, commit: str) -> tuple[str, tuple[str, ...]]:
        """Return (tree, parents) of a commit, as written in it.

        Raises:
            GitError: there is no such commit.
        """
        found = self.one(commit, _LARGEST_COMMIT) if commit.isalnum() else None
        if found is None or found.kind != "commit" or found.data is None:
            raise GitError(f"the commit {plain(commit)[:12]} cannot be read: run `git fsck` in the repository")
        header = found.data.partition(b"\n\n")[0].decode("ascii", "replace").split("\n")
        tree = header[0].removeprefix("tree ")
        return tree, tuple(line.removeprefix("parent ") for line in header if line.startswith("parent "))

    def entry(self, commit: str, path: str) -> Entry | None:
        """Return what a commit has at a path, None where it has nothing there.

        Raises:
            GitError: the commit or a folder on the way cannot be read.
        """
        if commit not in self._roots:
            self._roots[commit] = self.commit(commit)[0]
        entry = Entry(TREE_MODE, self._roots[commit])
        for name in path.encode("utf-8", "surrogateescape").split(b"/"):
            if entry.mode != TREE_MODE:
                return None
            found = self._tree(entry.object_id).get(name)
            if found is None:
                return None
            entry = found
        return entry

    def _tree(self, object_id: str) -> dict[bytes, Entry]:
        known = self._trees.get(object_id)
        if known is not None:
            return known
        found = self.one(object_id, _LARGEST_TREE)
        if found is None or found.kind != "tree" or found.data is None:
            raise GitError(f"the folder {object_id[:12]} cannot be read: run `git fsck` in the repository")
        tree = parse_tree(found.data, self._hash_bytes)
        if len(self._trees) >= _MANY_TREES:
            self._trees.clear()
        self._trees[object_id] = tree
        return tree


def parse_tree(data: bytes, hash_bytes: int) -> dict[bytes, Entry]:
    r"""Parse a tree object: per entry the mode in octal, a space, the name, `\0`, the id in bytes.

    Raises:
        GitError: the object is damaged.
    """
    entries: dict[bytes, Entry] = {}
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        mode, space, name = data[at:end].partition(b" ")
        at = end + 1 + hash_bytes
        if end < 0 or not space or at > len(data) or name in entries:
            raise GitError("a folder in the repository is damaged: run `git fsck` in it")
        entries[name] = Entry(_canonical(mode), data[end + 1 : at].hex())
    return entries


def _canonical(mode: bytes) -> str:
    """Return a mode as git shows it: six digits, and for a regular file only whether it is executable."""
    if mode.startswith(b"100") and len(mode) == 6:
        return "100755" if mode[3:4] in b"1357" else "100644"
    return mode.decode("ascii", "replace").zfill(6)

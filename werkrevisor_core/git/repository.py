"""Looks into a repository once, then reads it through a bare repository of our own.

The user's repository is only asked where it lies and what a revision means; `git rev-parse` and
`git for-each-ref` start nothing that a configuration could name. Everything else runs in a bare
repository that borrows the objects and has neither refs, attributes, hooks, grafts nor a
configuration but ours, so nothing in the reviewed repository changes what we see.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from attrs import evolve

from werkrevisor_core.diff.names import NameFault, unquote
from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import Answer, Git, find_git, first_line, git_version, plain
from werkrevisor_core.records import frozen

OLDEST: Final = (2, 32)
"""The oldest git that can be told to read no user configuration (release notes of git 2.32)."""

_PINNED: Final = (
    *("-c", "safe.directory=*"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.warnAmbiguousRefs=true"),
    # A commit graph may name other parents than the commits themselves.
    *("-c", "core.commitGraph=false"),
    *("-c", "core.multiPackIndex=false"),
)
_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DEFAULTS: Final = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
)

_SMALL: Final = 64 << 20
"""Bytes read of a file in the git directory; a `shallow` with a million commits has 41 MB."""

_CONFIG: Final = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\thooksPath = /dev/null
\tfsmonitor = false
\tuseReplaceRefs = false
\tcommitGraph = false
\tmultiPackIndex = false
\tquotePath = false
\tbigFileThreshold = 512m
\twarnAmbiguousRefs = true
[diff]
\trenames = true
\trenameLimit = 1000
\talgorithm = histogram
\tindentHeuristic = true
\tnoprefix = false
\tmnemonicPrefix = false
\tsuppressBlankEmpty = false
\tsubmodule = short
\tignoreSubmodules = none
[merge]
\tdirectoryRenames = false
\trenames = true
\trenameLimit = 1000
[gc]
\tauto = 0
[maintenance]
\tauto = false
[protocol]
\tallow = never
"""


@frozen
class Location:
    """Where a repository lies, and what kind it is.

    `objects` is the folder of its objects, `object_format` is `sha1` or `sha256`, `shallow` holds the
    ids of the commits at which a shallow clone is cut off.
    """

    objects: str
    object_format: str
    shallow: frozenset[str]

    @property
    def is_partial(self) -> bool:
        """Whether objects may be missing that a promisor remote has."""
        with suppress(OSError), os.scandir(Path(self.objects, "pack")) as packs:
            return any(pack.name.endswith(".promisor") for pack in packs)
        return False


def locate(path: Path, git: Git) -> Location:
    """Find the repository that a folder belongs to.

    Raises:
        GitError: there is none, or git cannot read it.
    """
    answer = git.run(*_PINNED, "rev-parse", "--show-object-format", "--absolute-git-dir")
    # The git directory comes last, since its name may hold line breaks.
    object_format, _, rest = answer.out.decode("utf-8", "surrogateescape").partition("\n")
    if answer.status or not rest.endswith("\n") or object_format not in ("sha1", "sha256"):
        raise _not_found(path, git, answer)
    common = _common_dir(rest[:-1])
    shallow = _read_regular(os.path.join(common, "shallow")).decode("ascii", "replace")  # noqa: PTH118
    return Location(os.path.realpath(os.path.join(common, "objects")), object_format, frozenset(shallow.split()))  # noqa: PTH118


def _not_found(path: Path, git: Git, answer: Answer) -> GitError:
    version = git_version(git)
    if version < OLDEST:
        return GitError(f"git {'.'.join(map(str, version))} is too old: install git 2.38 or newer")
    where = plain(str(path))
    if "not a git repository" in answer.complaint:
        return GitError(
            f"there is no git repository in {where} or above it: go into one, name one with --repo, "
            "or review a diff with --diff"
        )
    return GitError(f"the git repository in {where} cannot be read: {first_line(answer.complaint)}")


def _common_dir(git_dir: str) -> str:
    """Return the directory that linked work trees share (gitrepository-layout, `commondir`)."""
    named = _read_regular(os.path.join(git_dir, "commondir"))  # noqa: PTH118
    return os.path.join(git_dir, os.fsdecode(named.rstrip(b"\r\n"))) if named else git_dir  # noqa: PTH118


def _read_regular(path: str) -> bytes:
    """Return what a small file of the git directory holds; nothing where there is none.

    Raises:
        GitError: it is no regular file (a FIFO would hang us), or it cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    except OSError as fault:
        raise GitError(f"{plain(path)} cannot be read: {fault.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise GitError(f"{plain(path)} is no regular file, so this repository is not read")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(_SMALL)
    finally:
        os.close(descriptor)


def resolve(revision: str, git: Git, *, shallow: bool = False) -> str:
    """Return the full id of the commit that a revision names in the user's repository.

    Args:
        revision: a branch, a tag, an id or anything else that `git rev-parse` knows.
        git: git in the user's repository.
        shallow: whether the clone is shallow; only for the error text.

    Raises:
        GitError: nothing or more than one thing has this name, or it is no commit.
    """
    shown = plain(revision)
    if "\0" in revision or not revision:
        raise GitError(f"`{shown}` names no commit: give a branch, a tag or a commit id")
    answer = git.run(*_PINNED, "rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
    found = answer.lines[-1] if answer.lines else ""
    if answer.status and "short object ID" in answer.complaint:
        raise GitError(f"`{shown}` is ambiguous: more than one commit id begins so; give more digits")
    if answer.status or not _ID.fullmatch(found):
        why = " (this clone is shallow: `git fetch --unshallow` may bring it)" if shallow else ""
        raise GitError(f"`{shown}` names no commit in this repository: give a branch, a tag or a commit id{why}")
    if "is ambiguous" in answer.complaint and not _ID.fullmatch(revision):
        raise GitError(
            f"`{shown}` is ambiguous, e.g. both a branch and a tag: give its full name, like `refs/heads/{shown}`"
        )
    return found


def default_base(git: Git) -> str:
    """Return the full name of the ref of the main branch: origin/HEAD, else main, else master.

    A remote's `main` or `master` counts where there is no local one.

    Raises:
        GitError: there is none of them.
    """
    answer = git.run(*_PINNED, "for-each-ref", "--format=%(refname) %(symref)", *_DEFAULTS)
    found = dict(line.split(" ", 1) for line in answer.lines)
    for name in _DEFAULTS:
        if name in found:
            return found[name] or name
    raise GitError("there is no origin/HEAD, main or master to compare with: name the base with --base")


@contextmanager
def open_repository(path: Path, seconds: float) -> "Iterator[tuple[Git, Git, Location]]":
    """Open a repository.

    Yields:
        The git that looks into the user's repository, the git of our own bare repository, and where
        the user's one lies. Our own is removed on exit.

    Raises:
        GitError: there is no repository, or no git.
    """
    if not path.is_dir():
        raise GitError(f"{plain(str(path))} is no folder: name the folder of a git repository")
    theirs = find_git(os.path.realpath(path), seconds)
    location = locate(path, theirs)
    folder = _new_folder()
    try:
        _write_bare(folder, location)
        yield theirs, evolve(theirs, directory=folder, repository=folder), location
    finally:
        _remove(folder)


def _new_folder() -> str:
    """Make an empty folder that only we can enter; `tempfile` would cost 5 ms of start-up."""
    parent = os.path.realpath(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - mkdir fails where something lies
    folder = os.path.join(parent, f"werkrevisor-{os.urandom(12).hex()}")  # noqa: PTH118
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102
    except OSError as fault:
        raise GitError(f"no temporary folder can be made in {plain(parent)}: {fault.strerror}; set TMPDIR") from None
    return folder


def _remove(folder: str) -> None:
    for parent, folders, files in os.walk(folder, topdown=False):
        for name in files:
            with suppress(OSError):
                os.unlink(os.path.join(parent, name))  # noqa: PTH108, PTH118
        for name in folders:
            with suppress(OSError):
                os.rmdir(os.path.join(parent, name))  # noqa: PTH106, PTH118
    with suppress(OSError):
        os.rmdir(folder)  # noqa: PTH106


def write_empty(folder: str, object_format: str) -> None:
    """Make a bare repository without anything in it, with our own configuration.

    Args:
        folder: where; it exists.
        object_format: `sha1` or `sha256`.
    """
    sha256 = object_format == "sha256"
    config = _CONFIG.format(version=int(sha256)) + ("[extensions]\n\tobjectFormat = sha256\n" if sha256 else "")
    root = Path(folder)
    for name in ("refs", "objects/info", "objects/pack"):
        (root / name).mkdir(parents=True)
    (root / "config").write_text(config)
    # HEAD names no existing branch: git 2.43 and newer would read attributes from it.
    (root / "HEAD").write_text("ref: refs/heads/none\n")


def _write_bare(folder: str, location: Location) -> None:
    write_empty(folder, location.object_format)
    root = Path(folder)
    lenders = [os.fsencode(location.objects), *_relative_lenders(location.objects)]
    (root / "objects/info/alternates").write_bytes(b"".join(_quoted(path) + b"\n" for path in lenders))
    if location.shallow:
        (root / "shallow").write_text("".join(f"{commit}\n" for commit in sorted(location.shallow)))


def _relative_lenders(objects: str) -> list[bytes]:
    """Return the folders from which the user's repository borrows by a relative path.

    Git follows such a path only from the repository that it runs in, absolute ones from any.
    """
    base = os.fsencode(objects)
    found = []
    for line in _read_regular(os.path.join(objects, "info", "alternates")).split(b"\n"):  # noqa: PTH118
        with suppress(NameFault):
            path = unquote(line)
            if path and not path.startswith((b"#", b"/")):
                found.append(os.path.normpath(os.path.join(base, path)))  # noqa: PTH118
    return found


def _quoted(path: bytes) -> bytes:
    r"""Quote a path as git reads it in `info/alternates`: C style, so that any byte but NUL may occur."""
    inner = b"".join(b"%c" % byte if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in path)
    return b'"' + inner + b'"'

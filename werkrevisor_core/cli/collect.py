"""What `review` and `explain` share: from the options to a review that is ready to run."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from attrs import evolve

from werkrevisor_core.config.examine import REPOSITORY_FILE
from werkrevisor_core.config.layers import Layer, LayerKind
from werkrevisor_core.diff.reader import read_diff
from werkrevisor_core.diff.source import FileSource
from werkrevisor_core.errors import ContentsUnavailable, UsageError
from werkrevisor_core.models.change import ChangeSet, Origin, ReadFault
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.registry import load_registry
from werkrevisor_core.session import Prepared, RepositoryFile, Sources, engine_of, prepare, switched
from werkrevisor_core.watchdog import Progress

if TYPE_CHECKING:
    from werkrevisor_core.git.source import GitSource

_MOST_CONFIG: Final = 1 << 20
_COPY: Final = 1 << 20


@contextmanager
def prepared(options: argparse.Namespace, progress: Progress) -> Iterator[Prepared | Review]:
    """Yield the review that the options ask for, ready to run (or finished, with a faulty config).

    Raises:
        UsageError: the options ask for something that cannot be done.
        RegistryError: a rule or the host's word on rules is at fault.
    """
    host = host_layer(options.config)
    command_line = _command_line(options)
    registry = switched(load_registry(), host, command_line)
    with _sources(options, engine_of(host).max_diff_bytes) as sources:
        yield prepare(registry, evolve(sources, host=host, command_line=command_line), progress)


def host_layer(path: str | None) -> Layer | None:
    """Read the host's config file; None where none is named.

    Raises:
        UsageError: the file cannot be read.
    """
    if path is None:
        return None
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_CONFIG + 1)
    except OSError as error:
        raise UsageError(f"the config file {path} cannot be read: {error.strerror}; pass another --config") from error
    if len(data) > _MOST_CONFIG:
        raise UsageError(f"the config file {path} is larger than {_MOST_CONFIG >> 20} MB; pass another --config")
    return Layer(path, LayerKind.HOST, data)


def _command_line(options: argparse.Namespace) -> Layer | None:
    if options.mode is None:
        return None
    return Layer("command line", LayerKind.COMMAND_LINE, {"engine": {"mode": options.mode}})


@contextmanager
def _sources(options: argparse.Namespace, most: int) -> Iterator[Sources]:
    if options.diff is not None:
        if options.base is not None or options.head is not None:
            raise UsageError("--diff reads a finished diff, so leave out --base and --head beside it")
        with _diff_file(options.diff, most) as file:
            yield Sources(_bare_change(file, most))
        return
    from werkrevisor_core.git.source import Limits, open_source  # noqa: PLC0415 (a bare diff needs no git)

    with open_source(Path(options.repo), Limits(diff_bytes=most)) as source:
        yield _git_sources(source, options.base, options.head)


def _bare_change(file: IO[bytes], most: int) -> ChangeSet:
    size = os.fstat(file.fileno()).st_size
    if size > most:
        why = f"the diff is larger than {most:,} bytes ([engine] max_diff_bytes), so nothing of it was read"
        return ChangeSet((), Origin.DIFF, faults=(ReadFault(why),))
    found = read_diff(FileSource(file.fileno(), size))
    return ChangeSet(found.files, Origin.DIFF, faults=found.faults)


@contextmanager
def _diff_file(name: str, most: int) -> Iterator[IO[bytes]]:
    """Open the diff as a regular file; standard input and pipes are copied into one first."""
    with ExitStack() as stack:
        try:
            file = _standard_input() if name == "-" else stack.enter_context(Path(name).open("rb"))
            if name == "-" or not Path(name).is_file():
                file = _copied(file, stack.enter_context(_nameless_file()), most)
        except OSError as error:
            what = "standard input" if name == "-" else name
            raise UsageError(f"the diff {what} cannot be read ({error.strerror}); name another with --diff") from error
        yield file


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise UsageError("--diff - reads standard input, which is closed; name a file instead")
    return sys.stdin.buffer


def _nameless_file() -> IO[bytes]:
    from tempfile import TemporaryFile  # noqa: PLC0415 (costs 15 ms, and most reviews need none)

    return TemporaryFile()


def _copied(source: IO[bytes], target: IO[bytes], most: int) -> IO[bytes]:
    """Copy a stream up to the first byte that is too much; it may be endless."""
    left = most + 1
    while left and (chunk := source.read(min(left, _COPY))):
        target.write(chunk)
        left -= len(chunk)
    target.flush()
    return target


def _git_sources(source: "GitSource", base: str | None, head: str | None) -> Sources:
    head_name = "HEAD" if head is None else head
    head_id = source.resolve(head_name)
    if base is None and not source.parents(head_id):
        raise UsageError(
            f"{head_name} is the first commit of this repository, so there is nothing to compare it with; "
            "make a second commit, or pass --base and --head"
        )
    base_name = source.default_base() if base is None else base
    change = source.change_set(source.resolve(base_name), head_id)
    if change.merge_base == head_id:
        raise UsageError(
            f"{head_name} has no commit that {base_name} lacks, so there is nothing to review; "
            "pass --base (e.g. --base HEAD~1) or --head"
        )
    notes = ("Uncommitted work is not reviewed: the review reads commits only.",) if head is None else ()
    change = evolve(change, base_branch=base_name)
    return Sources(change, source.contents(change), _repository_file(source, change), notes=notes)


def _repository_file(source: "GitSource", change: ChangeSet) -> RepositoryFile:
    """Read the repository's config file at the merge base and, where the change touches it, at the head."""
    old, fault = _at_the_base(source, change)
    if not any(REPOSITORY_FILE in file.paths for file in change.files):
        return RepositoryFile(old, old_fault=fault)
    try:
        return RepositoryFile(old, source.contents(change).read(Side.NEW, REPOSITORY_FILE), old_fault=fault)
    except ContentsUnavailable:
        regular = not any(
            file.path == REPOSITORY_FILE and file.new_mode not in (None, "100644", "100755") for file in change.files
        )
        return RepositoryFile(old, None, new_regular=regular, new_readable=False, old_fault=fault)


def _at_the_base(source: "GitSource", change: ChangeSet) -> tuple[bytes | None, str]:
    try:
        return source.read_file(change.merge_base or "", REPOSITORY_FILE), ""
    except ContentsUnavailable as error:
        return None, str(error)

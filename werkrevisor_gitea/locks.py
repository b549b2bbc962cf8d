"""Locks between processes, on files: they end with the process that holds them, however it ends."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from werkrevisor_core.errors import UsageError

_TICK: Final = 0.05
_QUIET_SECONDS: Final = 2.0
"""Time after which whoever waits is told so."""


class Busy(UsageError):
    """Another process holds the lock for too long."""


def _nobody(_says: str) -> None:
    """Tell nobody."""


@contextmanager
def exclusive(path: Path, seconds: float, what: str, tell: Callable[[str], None] = _nobody) -> Iterator[None]:
    """Hold a lock alone; a child process that is forked meanwhile holds it, too.

    Args:
        path: the file, which is made and stays.
        seconds: how long to wait for it.
        what: what the other process does, for the error.
        tell: called once with a sentence where it takes a while.

    Raises:
        Busy: another process has held it all that time.
    """
    descriptor = _opened(path)
    try:
        start, told = time.monotonic(), False
        while not _taken(descriptor, fcntl.LOCK_EX):
            waited = time.monotonic() - start
            if waited > seconds:
                raise Busy(f"another process {what} and has not ended within {seconds:.0f} s; try again later")
            if waited > _QUIET_SECONDS and not told:
                tell(f"another process {what}; this one waits up to {seconds:.0f} s for it")
                told = True
            time.sleep(_TICK)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def shared(path: Path) -> Iterator["Shared"]:
    """Hold a lock together with others."""
    descriptor = _opened(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield Shared(descriptor)
    finally:
        os.close(descriptor)


class Shared:
    """A lock that is held together with others."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Try to be the only one for a while; yields whether that is so. It does not wait."""
        alone = _taken(self._descriptor, fcntl.LOCK_EX)
        try:
            yield alone
        finally:
            # A failed attempt gives the lock up (flock(2)), so it is taken again in any case.
            fcntl.flock(self._descriptor, fcntl.LOCK_SH)


def _taken(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(
            f"the folder {path.parent} cannot be used ({error.strerror}); set WERKREVISOR_CACHE to another"
        ) from None

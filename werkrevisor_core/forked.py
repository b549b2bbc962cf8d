"""Does a part of pure work in a forked process, on a second processor, while this one does the rest.

The result is bytes. Whatever goes wrong there is no error here: there is then no result, and the
caller does the work itself, where its failure is seen and named. The process ends by itself after its
time, or when this one has ended.
"""

import gc
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SECONDS: Final = 30
"""Time after which the forked process is ended; it is there to save time, so there is no use in waiting longer."""
_LOOK_SECONDS: Final = 0.5


def pays() -> bool:
    """Tell whether there is a second processor to run on."""
    return hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1


@contextmanager
def forked(work: Callable[[], bytes], seconds: int = SECONDS) -> Iterator[Callable[[], bytes | None]]:
    """Start work in a forked process, which is ended at the latest when the context is left.

    Args:
        work: makes the result; must not print, and not write what others read.
        seconds: after this time the process is ended.

    Yields:
        A function, to be called once: waits for the result and returns it, None where there is none.
    """
    reader, writer = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:  # pragma: no cover (runs in another process)
        os.close(reader)
        _work_and_exit(work, writer, seconds, parent)
    os.close(writer)
    running = True

    def result() -> bytes | None:
        nonlocal running
        with open(reader, "rb", closefd=False) as stream:
            data = stream.read()
        running = False
        _, status = os.waitpid(child, 0)
        return data if status == 0 else None

    try:
        yield result
    finally:
        os.close(reader)
        if running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _work_and_exit(work: Callable[[], bytes], writer: int, seconds: int, parent: int) -> None:  # pragma: no cover
    status = 1
    try:
        _end_in_time(seconds, parent)
        gc.disable()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # whoever reads what the parent prints must not wait for this process
            os.dup2(null, stream)
        with open(writer, "wb") as result:
            result.write(work())
        status = 0
    finally:  # the child must never return into the code of its parent, whatever was raised
        os._exit(status)


def _end_in_time(seconds: int, parent: int) -> None:  # pragma: no cover (runs in another process)
    """End this process soon after its parent or its time has ended; inside C code, after that time on a processor."""
    end = time.monotonic() + seconds

    def look(_signal: int, _frame: object) -> None:
        if os.getppid() != parent or time.monotonic() > end:
            os._exit(1)

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

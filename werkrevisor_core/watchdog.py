"""Ends a review whose rule hangs, even one that hangs inside a C function.

A thread could not do that: a regular expression that backtracks holds the interpreter's lock. So
the review runs in a forked child, which notes the running rule in shared memory, and the parent
watches. The parent has everything that it needs to render the ERROR itself.
"""

import mmap
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn

_POLL_SECONDS: Final = 0.1


class Progress:
    """Which rule runs now, in memory that a parent process can read.

    `enter` costs far below a microsecond, since classifiers enter once per file.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self._view = memoryview(self._memory).cast("Q")

    def index_of(self, name: str) -> int:
        """Return the number that stands for a rule; must be asked before the review is forked."""
        if name not in self._names:
            self._names.append(name)
        return self._names.index(name) + 1

    def enter(self, index: int) -> None:
        """Note that the rule with this number runs from now on; 0 is the core."""
        view = self._view
        view[0] = index
        view[1] += 1

    def state(self) -> tuple[str, int]:
        """Return the name of the running rule ("" for the core) and the count of entries so far."""
        index = self._view[0]
        return (self._names[index - 1] if 0 < index <= len(self._names) else ""), self._view[1]


def supervise(work: Callable[[], int], progress: Progress, limit: float, on_end: Callable[[str, str], int]) -> int:
    """Run `work` in a child process and return its exit status.

    Args:
        work: renders the review and returns the exit status.
        progress: where `work` notes which rule runs.
        limit: seconds that one rule may take.
        on_end: called in this process with the rule's name and what happened, when the rule took
            longer, or when the child died; renders the ERROR and returns the exit status.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work_and_exit(work)
    os.close(writer)
    try:
        hung = _wait(reader, progress, limit)
    finally:
        os.close(reader)
    if hung:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    rule = progress.state()[0]
    if hung:
        return on_end(rule, f"did not end within {limit:g} seconds")
    if os.WIFSIGNALED(status):
        return on_end(rule, f"was running when the process was ended by signal {os.WTERMSIG(status)}")
    return os.waitstatus_to_exitcode(status)


def _work_and_exit(work: Callable[[], int]) -> NoReturn:
    status = 70  # EX_SOFTWARE: an error of our own, with its traceback on stderr
    try:
        status = work()
        sys.stdout.flush()
    except BrokenPipeError:
        status = 141
    except SystemExit as exit_:
        status = exit_.code if isinstance(exit_.code, int) else 70
    except BaseException:  # the child must never return into the parent's code
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)


def _wait(reader: int, progress: Progress, limit: float) -> bool:
    """Wait for the child's end of the pipe to close; True where a rule stayed longer than `limit`."""
    seen: tuple[str, int] | None = None
    since = time.monotonic()
    while not select.select([reader], [], [], _POLL_SECONDS)[0]:
        state = progress.state()
        if state != seen:
            seen, since = state, time.monotonic()
        elif state[0] and time.monotonic() - since > limit:
            return True
    return False

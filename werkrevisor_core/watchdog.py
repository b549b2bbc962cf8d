"""Ends a review whose rule hangs, even one that hangs inside a C function.

A thread could not do that: a regular expression that backtracks holds the interpreter's lock. So
the review runs in a forked child, which notes the running rule in shared memory, and the parent
watches. The parent has everything that it needs to render the ERROR itself. The child's exit status
alone counts for nothing, since any rule can end the process: it hands its status over in a pipe.
"""

import gc
import mmap
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn

INTERNAL_STATUS: Final = 70
"""Exit status of a fault of this program (EX_SOFTWARE of sysexits.h)."""
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

    def start_output(self) -> None:
        """Note that the result is being printed from now on."""
        self._view[2] = 1

    @property
    def output_started(self) -> bool:
        """Whether a part of the result may have been printed."""
        return bool(self._view[2])


def _silent(_seconds: float, _rule: str) -> None:
    """Report nothing."""


def supervise(
    work: Callable[[], int],
    progress: Progress,
    limit: float,
    on_end: Callable[[str, str], int],
    on_wait: Callable[[float, str], None] = _silent,
) -> int:
    """Run `work` in a child process and return its exit status.

    Args:
        work: renders the review, flushes what it printed, and returns the exit status, 0 to 255.
        progress: where `work` notes which rule runs.
        limit: seconds that one rule may take.
        on_end: called in this process with the rule's name and what happened, when the rule took
            longer, or when the child ended before its work; renders the ERROR and returns the exit
            status.
        on_wait: called several times a second with the seconds so far and the running rule's name.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    gc.freeze()  # what is here already stays, so the child need not look at it again and copy its pages
    child = os.fork()
    if child == 0:
        os.close(reader)
        # A large change makes millions of objects and no cycles, so looking for those seldom is enough.
        gc.set_threshold(100_000, 20, 100)
        gc.enable()
        _work_and_exit(work, writer)
    os.close(writer)
    said = None
    try:
        said = _wait(reader, progress, limit, on_wait)
    finally:  # whether it hangs or we are interrupted: no child is left behind
        os.close(reader)
        if said is None:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return said[0] if said else on_end(progress.state()[0], _what(status, limit, hung=said is None))


def _what(status: int, limit: float, *, hung: bool) -> str:
    if hung:
        return f"did not end within {limit:g} seconds"
    if os.WIFSIGNALED(status):
        return f"was running when the process was ended by signal {os.WTERMSIG(status)}"
    return f"was running when the process ended with the exit status {os.waitstatus_to_exitcode(status)}"


def _work_and_exit(work: Callable[[], int], writer: int) -> NoReturn:
    status = INTERNAL_STATUS  # with its traceback on stderr
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        status = work()
    except BrokenPipeError:
        status = 141
    except KeyboardInterrupt:
        status = 130
    except BaseException:  # the child must never return into the parent's code; a SystemExit is no verdict either
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os.write(writer, bytes([status & 0xFF]))
        os._exit(status)


def _wait(reader: int, progress: Progress, limit: float, on_wait: Callable[[float, str], None]) -> bytes | None:
    """Return the child's status as one byte, none where it ended without; None where a rule stayed too long."""
    seen: tuple[str, int] | None = None
    started = since = time.monotonic()
    while not select.select([reader], [], [], _POLL_SECONDS)[0]:
        state, now = progress.state(), time.monotonic()
        if state != seen:
            seen, since = state, now
        elif state[0] and now - since > limit:
            return None
        if not progress.output_started:
            on_wait(now - started, state[0])
    return os.read(reader, 1)

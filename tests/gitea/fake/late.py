"""Work that the server does after it has answered: queues of push processing, merges and deliveries.

A test may let it run by itself (after `delay` seconds) or hold it, look at the window, and let it run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Task = Callable[[], None]


class Late:
    """One worker and a queue ordered by the time at which each task is due.

    Args:
        delay: seconds between a call and its late effects.
    """

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.failures: list[BaseException] = []
        self._queue: list[tuple[float, int, Task]] = []
        self._count = 0
        self._running = 0
        self._held = False
        self._closed = False
        self._change = threading.Condition()
        self._worker = threading.Thread(target=self._work, name="fake-late", daemon=True)
        self._worker.start()

    def add(self, task: Task, steps: float = 1) -> None:
        """Queue a task that is due after so many delays."""
        with self._change:
            self._count += 1
            self._queue.append((time.monotonic() + steps * self.delay, self._count, task))
            self._queue.sort(key=lambda entry: entry[:2])
            self._change.notify_all()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold all late work inside the block: the window after a push stays open."""
        with self._change:
            self._held = True
        try:
            yield
        finally:
            with self._change:
                self._held = False
                self._change.notify_all()

    def run_all(self) -> None:
        """Do all late work now, in order, also what it brings about; a hold does not matter."""
        while True:
            with self._change:
                if not self._queue:
                    if not self._running:
                        return
                    self._change.wait(0.01)
                    continue
                task = self._queue.pop(0)[2]
                self._running += 1
            self._do(task)

    def run_one(self) -> None:
        """Do the one task that is due first; a test walks through a window with it."""
        with self._change:
            if not self._queue:
                return
            task = self._queue.pop(0)[2]
            self._running += 1
        self._do(task)

    def close(self) -> None:
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._worker.join(timeout=5)

    def _do(self, task: Task) -> None:
        try:
            task()
        except Exception as error:  # kept, and raised when the fake is closed
            self.failures.append(error)
        finally:
            with self._change:
                self._running -= 1
                self._change.notify_all()

    def _work(self) -> None:
        while True:
            with self._change:
                if self._closed:
                    return
                now = time.monotonic()
                if self._held or not self._queue:
                    self._change.wait()
                    continue
                if self._queue[0][0] > now:
                    self._change.wait(self._queue[0][0] - now)
                    continue
                task = self._queue.pop(0)[2]
                self._running += 1
            self._do(task)

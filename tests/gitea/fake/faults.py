"""Faults that a test plans: which call goes wrong, in which way, and what happens just before it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from enum import Enum

from attrs import Factory, define, frozen

from .routing import Request


class Kind(Enum):
    """The ways in which a call can go wrong."""

    NONE = "nothing goes wrong; the callback is all"
    STATUS = "an error status, before anything was done"
    DROP = "the connection is closed, before anything was done"
    LOST = "it was done, and the connection is closed instead of an answer"
    CUT = "it was done, and half of the answer arrives"
    GARBAGE = "it was done, and the answer is 200 with invalid JSON"
    DELAY = "the answer comes late"
    TRICKLE = "it was done, and the answer comes byte by byte for a while"


@define
class Fault:
    """One planned fault.

    Attributes:
        method: of the call, or empty for any.
        path: a regular expression that is searched in the path with its query.
        nth: which of the calls that fit, from 1.
        every: that one and all after it.
        user: only calls of this login; empty for any.
        before: called just before the call is looked at, outside every lock.
    """

    kind: Kind = Kind.NONE
    method: str = ""
    path: str = ""
    nth: int = 1
    every: bool = False
    user: str = ""
    status: int = 502
    seconds: float = 0.0
    before: Callable[[], None] | None = None
    seen: int = 0

    def takes(self, request: Request, user: str) -> bool:
        """Count a call if it fits, and tell whether this is the one."""
        fits = (not self.method or self.method == request.method) and (not self.user or self.user == user)
        if not fits or not re.search(self.path, request.target):
            return False
        self.seen += 1
        return self.seen == self.nth or (self.every and self.seen > self.nth)


@frozen
class Record:
    """A call that came in over HTTP."""

    method: str
    target: str
    user: str
    body: bytes


@define
class Faults:
    """All planned faults and the log of the calls."""

    planned: list[Fault] = Factory(list)
    calls: list[Record] = Factory(list)
    _lock: threading.Lock = Factory(threading.Lock)

    def plan(self, fault: Fault) -> Fault:
        self.planned.append(fault)
        return fault

    def before(self, nth: int, callback: Callable[[], None], *, user: str = "", path: str = "") -> Fault:
        """Call back just before the nth call (from 1) that comes from now on."""
        return self.plan(Fault(nth=nth, before=callback, user=user, path=path))

    def clear(self) -> None:
        """Forget planned faults and the log."""
        with self._lock:
            self.planned.clear()
            self.calls.clear()

    def choose(self, request: Request, user: str) -> list[Fault]:
        """Log a call and return the faults that strike it."""
        with self._lock:
            self.calls.append(Record(request.method, request.target, user, request.body))
            return [fault for fault in self.planned if fault.takes(request, user)]

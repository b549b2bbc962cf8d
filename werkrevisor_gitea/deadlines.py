"""Connections on which every step ends by the deadline of the request that is under way.

The time-outs of an HTTP client hold for one read or write. A server that sends a byte now and then, in the
middle of a header or of the greeting of TLS, keeps within them for days.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import httpcore

_PIECE: Final = 8192
"""Bytes that are written at a time; between two pieces the deadline is looked at."""
_LEAST_SECONDS: Final = 0.001


class Deadlines(httpcore.NetworkBackend):
    """Makes the connections; each thread has the deadline of its own request."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Make it.

        Args:
            clock: seconds that only ever grow; deadlines are by it.
        """
        self._clock: Final = clock
        self._inner: Final = httpcore.SyncBackend()
        self._local: Final = threading.local()

    @contextmanager
    def until(self, deadline: float) -> Iterator[None]:
        """Set the deadline for what this thread sends and reads meanwhile."""
        self._local.deadline = deadline
        try:
            yield
        finally:
            del self._local.deadline

    def within(self, timeout: float | None, late: type[Exception]) -> float | None:
        """Return how long one step may take.

        Args:
            timeout: what the client allows for one step.
            late: what to raise where the deadline has passed.
        """
        deadline = getattr(self._local, "deadline", None)
        if deadline is None:
            return timeout
        left = deadline - self._clock()
        if left <= _LEAST_SECONDS:
            raise late("the deadline of the request has passed")
        return float(left if timeout is None else min(timeout, left))

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect."""
        allowed = self.within(timeout, httpcore.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, allowed, local_address, socket_options), self)


class _Stream(httpcore.NetworkStream):
    """One connection."""

    def __init__(self, inner: httpcore.NetworkStream, deadlines: Deadlines) -> None:
        self._inner = inner
        self._deadlines = deadlines

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadlines.within(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            allowed = self._deadlines.within(timeout, httpcore.WriteTimeout)
            self._inner.write(buffer[start : start + _PIECE], allowed)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        allowed = self._deadlines.within(timeout, httpcore.ConnectTimeout)
        with _broken_off(self._inner.get_extra_info("socket"), allowed):
            return _Stream(self._inner.start_tls(ssl_context, server_hostname, allowed), self._deadlines)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 (the interface says so)
        return self._inner.get_extra_info(info)


@contextmanager
def _broken_off(connection: socket.socket, seconds: float | None) -> Iterator[None]:
    """Break a connection off after so many seconds: a greeting is many reads in one call."""
    late = threading.Event()
    # A second descriptor of it, since TLS takes the first one away.
    with connection.dup() as same:

        def end() -> None:
            late.set()
            with suppress(OSError):
                same.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(seconds if seconds is not None else threading.TIMEOUT_MAX, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except httpcore.ConnectError:
            if late.is_set():
                raise httpcore.ConnectTimeout("the deadline of the request has passed") from None
            raise
        finally:
            timer.cancel()

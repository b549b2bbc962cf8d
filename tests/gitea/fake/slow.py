"""A server of raw bytes that takes its time: what it does in the end differs from what the deadline brings about."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

PATIENCE = 8.0
"""Seconds after which it gives up and hangs up; no client in a test waits so long."""
_TICK = 0.02


def trickling(start: bytes, piece: bytes = b" ") -> Callable[[socket.socket], None]:
    """Return how to answer with a start and then a piece, again and again."""

    def answer(connection: socket.socket) -> None:
        end = time.monotonic() + PATIENCE
        connection.sendall(start)
        while time.monotonic() < end:
            connection.sendall(piece)
            if len(piece) < 1024:
                time.sleep(_TICK)

    return answer


def silent(connection: socket.socket) -> None:
    """Read, and answer nothing."""
    connection.settimeout(PATIENCE)
    while connection.recv(1 << 16):
        pass


def saying(body: bytes, kind: bytes = b"application/json") -> Callable[[socket.socket], None]:
    """Return how to answer with this body, whole and at once."""

    def answer(connection: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nX-Total-Count: 0\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % (kind, len(body)) + body)
        while connection.recv(1 << 16):
            connection.sendall(head % (kind, len(body)) + body)

    return answer


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ANSWERS = {
    "never answers": silent,
    "a header that never ends": trickling(OK + b"X-Long: ", b"a"),
    "a word before the answer, for ever": trickling(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a body that trickles": trickling(OK + b"Content-Length: 1000000\r\n\r\n["),
    "a body without an end that trickles": trickling(OK + b"\r\n["),
    "pieces without an end": trickling(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
}
FLOOD = trickling(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"2000\r\n" + b" " * 8192 + b"\r\n")
"""An answer that never ends and comes as fast as it can be read."""
GREETING = trickling(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc", b"\x00")
"""The beginning of a greeting of TLS, byte by byte."""


@contextmanager
def serving(answer: Callable[[socket.socket], None]) -> Iterator[tuple[int, list[bytes]]]:
    """Answer every connection on loopback in the same way; yields the port and what each sent first."""
    heard: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            heard.append(connection.recv(1 << 16))
            answer(connection)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1], heard
        listener.shutdown(socket.SHUT_RDWR)

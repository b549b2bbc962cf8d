"""The fake server: a real HTTP server on loopback with a state that behaves like Gitea 1.26.4."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

from . import (
    routes_content,
    routes_issues,
    routes_pulls,
    routes_repo,
    routes_reviews,
    routes_server,
    routes_statuses,
    transport,
)
from .faults import Fault, Faults, Kind
from .model import User
from .repository import Git
from .routing import API, Refused, Reply, Request, Router, authenticate
from .state import State

MODULES = (routes_server, routes_content, routes_reviews, routes_pulls, routes_issues, routes_statuses, routes_repo)
VERSION = "1.26.4"
TICK = 0.05
"""Seconds between two bytes of an answer that trickles."""


class Closed(Exception):
    """The connection is to be closed without an answer."""


class FakeGitea:
    """A forge for tests.

    Args:
        delay: seconds between a call and its late effects (a first, a second half of it).
        version: what it says it is.
        seed: makes the random order of line comments repeatable.
        hidden: expressions of paths that this server does not know, for what another version lacks.

    Attributes:
        url: where it listens.
        state: its rows; change them only under `state.lock`.
        faults: what shall go wrong, and the log of the calls.
    """

    def __init__(
        self, *, delay: float = 0.02, version: str = VERSION, seed: int = 1, hidden: tuple[str, ...] = ()
    ) -> None:
        self.state = State(delay, version, seed)
        self.faults = Faults()
        self._hidden = [re.compile(pattern) for pattern in hidden]
        self._router = Router([route for module in MODULES for route in module.ROUTES])
        self._server: Server | None = None
        self._port = 0
        self.listen()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def listen(self) -> None:
        """Listen, again on the same port after `refuse`."""
        fake = self

        class Handler(Connection):
            owner = fake

        self._server = Server(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        self.state.url = self.url
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def refuse(self) -> None:
        """Stop listening: connections are refused until `listen`."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server.hang_up()
            self._server = None

    def close(self) -> None:
        """Stop, forget everything, and raise the first fault of late work if there was one."""
        self.refuse()
        self.state.close()
        if self.state.late.failures:
            raise self.state.late.failures[0]

    def settle(self) -> None:
        """Do all late work now."""
        self.state.late.run_all()

    def prune(self, full_name: str) -> None:
        """Collect what no ref of a repository holds any more, as a server does some day."""
        with self.state.lock:
            repo = self.state.repo(*full_name.split("/"))
            if repo is None:
                raise LookupError(f"the fake has no repository {full_name!r}")
            Git(repo.path).run("reflog", "expire", "--expire=now", "--all")
            Git(repo.path).run("gc", "-q", "--prune=now")

    def admin_token(self, name: str = "boss") -> str:
        """Return a token of a site admin, who is made if need be."""
        with self.state.lock:
            user = self.state.user(name) or self.state.add_user(name, f"{name}-Passw0rd1", is_admin=True)
            return self.state.add_token(user, "admin", ("all",)).sha

    def call(self, name: str, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Call the API in process as a user: no HTTP, no faults, no log.

        Returns:
            The status and the decoded JSON (or the bytes).
        """
        with self.state.lock:
            user = self._user(name)
            token = next((token for token in self.state.tokens if token.user is user and "all" in token.scopes), None)
            token = token or self.state.add_token(user, "in-process", ("all",))
        data = b"" if body is None else json.dumps(body).encode()
        reply = self.answer(Request(method, API + path, {"authorization": f"token {token.sha}"}, data))
        return reply.status, reply.json if reply.has_json else reply.body

    def _user(self, name: str) -> User:
        found = self.state.user(name)
        if found is None:
            raise LookupError(f"the fake has no user {name!r}")
        return found

    def answer(self, request: Request) -> Reply:
        """Answer a request without faults."""
        if any(pattern.search(request.path) for pattern in self._hidden):
            return Reply(404, body=b"404 page not found\n", headers={"Content-Type": "text/plain; charset=utf-8"})
        if request.path.startswith(API):
            return self._router.answer(self.state, request)
        return transport.answer(self.state, request)

    def answer_with_faults(self, request: Request) -> tuple[Reply, list[Fault]]:
        """Answer a request as the planned faults want it.

        Raises:
            Closed: the connection shall be closed.
        """
        struck = self.faults.choose(request, self._caller(request))
        for fault in struck:
            if fault.before is not None:
                fault.before()
            if fault.kind is Kind.DELAY:
                time.sleep(fault.seconds)
            if fault.kind is Kind.DROP:
                raise Closed
            if fault.kind is Kind.STATUS:
                page = b"<html><body>bad gateway</body></html>"
                return Reply(fault.status, body=page, headers={"Content-Type": "text/html"}), []
        reply = self.answer(request)
        if any(fault.kind is Kind.LOST for fault in struck):
            raise Closed
        if any(fault.kind is Kind.GARBAGE for fault in struck):
            return Reply(200, body=b'{"id": 1, "state": "succ', headers={"Content-Type": "application/json"}), []
        return reply, struck

    def _caller(self, request: Request) -> str:
        with contextlib.suppress(Refused), self.state.lock:
            user = authenticate(self.state, request)[0]
            return user.name if user else ""
        return ""


class Server(ThreadingHTTPServer):
    """Threads end with the process; a port can be taken again at once."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close every connection, also those that are kept for a next call."""
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that goes away is part of the tests."""


class Connection(BaseHTTPRequestHandler):
    """Reads requests of one connection and writes the answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    owner: FakeGitea

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the standard library
        """Stay quiet."""

    def _serve(self) -> None:
        request = Request(
            self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, self._read()
        )
        try:
            reply, struck = self.owner.answer_with_faults(request)
        except Closed:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        seconds = max((fault.seconds for fault in struck if fault.kind is Kind.TRICKLE), default=0.0)
        self._write(reply, cut=any(fault.kind is Kind.CUT for fault in struck), seconds=seconds)

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(iter(self._chunk, b""))
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
        self.rfile.readline()
        return data

    def _write(self, reply: Reply, *, cut: bool, seconds: float = 0.0) -> None:
        """Write an answer: half of it where it is cut, its last bytes one by one where it takes some seconds."""
        data = reply.data()
        self.send_response(reply.status)
        if reply.has_json:
            self.send_header("Content-Type", "application/json;charset=utf-8")
        for name, value in reply.headers.items():
            if name != "Content-Length":
                self.send_header(name, value)
        if "token" in urlsplit(self.path).query:
            self.send_header("X-Gitea-Warning", "token and access_token API authentication is deprecated")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        pieces = min(len(data), int(seconds / TICK))
        self.wfile.write(data[: len(data) // 2] if cut else data[: len(data) - pieces])
        for place in range(len(data) - pieces, len(data)):
            time.sleep(TICK)
            self.wfile.write(data[place : place + 1])
        if cut:
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815 - names of the standard library

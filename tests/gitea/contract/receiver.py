"""A receiver of webhooks on loopback, and the making of a hook that sends to it."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import Factory, define
from contract.forge import Project, eventually

SECRET = "0123456789abcdef" * 2
EVENTS = [
    "pull_request",
    "push",
    "status",
    "issue_comment",
    "pull_request_review",
    "pull_request_comment",
    "pull_request_sync",
]


@define
class Delivery:
    """One delivery as it came in; header names in lower case."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def kind(self) -> tuple[str, str, str | None]:
        """Event, event type and action."""
        return self.headers["x-gitea-event"], self.headers["x-gitea-event-type"], self.json.get("action")


@define
class Receiver:
    """Collects deliveries on loopback."""

    port: int = 0
    got: list[Delivery] = Factory(list)
    answer: int = 204

    def kinds(self) -> list[tuple[str, str, str | None]]:
        return [delivery.kind for delivery in self.got]

    def of(self, action: str) -> list[Delivery]:
        """Return the deliveries of an action: a push from before the hook may still be announced to it."""
        return [delivery for delivery in self.got if delivery.json.get("action") == action]

    def wait(self, *kind: str | None) -> Delivery:
        """Return the first delivery of a kind; wait for it."""
        found: list[Delivery] = eventually(lambda: [one for one in self.got if one.kind == kind])
        assert found, (kind, self.kinds())
        return found[0]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Listen on a free port as long as the block lasts."""
    receiver = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Delivery(self.path, headers, raw))
            self.send_response(receiver.answer)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def hook(
    project: Project, receiver: Receiver, events: list[str] | None = None, kind: str = "json", **config: str
) -> Any:
    """Make a hook by the bot that sends to the receiver, and return it."""
    body = {"type": "gitea", "active": True, "events": events or EVENTS}
    config = {"url": f"http://127.0.0.1:{receiver.port}/hook", "content_type": kind, "secret": SECRET, **config}
    return project.forge.made("bot", "POST", f"{project.api}/hooks", {**body, "config": config})

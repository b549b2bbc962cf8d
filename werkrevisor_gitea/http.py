"""The one module that speaks HTTP: time-outs, bounds, what may be repeated, and where the token may go.

The token is sent to the configured address and nowhere else: no redirect is followed, no proxy and no
`.netrc` of the environment is used, no address that an answer holds is ever called.
"""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, NoReturn
from urllib.parse import quote, urlencode

import httpcore
import httpx
from attrs import field, frozen

from werkrevisor_core import __version__
from werkrevisor_gitea.deadlines import Deadlines
from werkrevisor_gitea.errors import BadAnswer, ForgeError, Refused, Unreachable
from werkrevisor_gitea.faults import fault_of
from werkrevisor_gitea.token import Token

Segment = str | int
Query = Mapping[str, str | int]

_BUSY: Final = frozenset({429, 502, 503, 504})
"""What a proxy, or a server under load, answers instead of the forge itself."""
_SAFE: Final = frozenset({"GET", "DELETE"})


@frozen
class Limits:
    """How long to wait and how much to read; seconds and bytes.

    `connect_seconds` and `read_seconds` hold for one step, `total_seconds` for a request with all its attempts,
    `session_seconds` for everything that is asked of the server, from the first request on.
    """

    connect_seconds: float = 10.0
    read_seconds: float = 30.0
    total_seconds: float = 120.0
    session_seconds: float = 900.0
    body_bytes: int = 64 << 20
    attempts: int = 4
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    connections: int = 8


@frozen
class Call:
    """One request: path segments as they are (they are encoded here), query, JSON body.

    `repeatable` says whether doing it twice is the same as doing it once; None stands for what the
    method says (GET and DELETE are, POST and PATCH are not).
    """

    method: str
    path: tuple[Segment, ...]
    query: Query = MappingProxyType({})
    body: object = None
    repeatable: bool | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again although it may have been done."""
        return self.method in _SAFE if self.repeatable is None else self.repeatable

    @property
    def shown(self) -> str:
        """Method and path, for messages."""
        return f"{self.method} {self.encoded_path}"

    @property
    def encoded_path(self) -> str:
        """The path below `/api/v1`, each segment percent-encoded.

        Raises:
            Refused: a segment is empty or made of dots, which would lead to another path.
        """
        for segment in self.path:
            if str(segment) in ("", ".", ".."):
                raise Refused(f'"{segment}" is no name that can stand in an address of the forge', says="")
        return "".join(f"/{quote(str(each), safe='', errors='surrogateescape')}" for each in self.path)


@frozen
class Answer:
    """A successful answer (2xx): header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Http:
    """Sends requests to one server with one token; may be used by several threads.

    One of them is for one visit to the server, which has an end (`Limits.session_seconds`).
    """

    def __init__(  # noqa: PLR0913 (the rest are bounds and, for tests, the world)
        self,
        url: str,
        token: Token | None,
        *,
        limits: Limits = Limits(),
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a client for one server; nothing is sent yet.

        Args:
            url: the server's address from the host's config, e.g. `https://git.example.org/gitea`.
            token: the bot's token; None asks as nobody.
            limits: time-outs and bounds.
            transport: what carries the requests instead of the network, for tests.
            clock: seconds that only ever grow.
            sleep: waits so many seconds.
        """
        self.url: Final = url.rstrip("/")
        self._token: Final = token
        self._limits: Final = limits
        self._transport = transport
        self._clock: Final = clock
        self._sleep: Final = sleep
        self._client: httpx.Client | None = None
        self._deadlines: Final = Deadlines(clock)
        self._end: float | None = None
        self._lock: Final = threading.Lock()

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()

    def send(self, call: Call) -> Answer:
        """Send a request and return the answer, which is a success.

        It is sent again, a bounded number of times and waiting longer each time, where that is safe: when
        it had not reached the server, when the server put it off (429), or when it is repeatable.

        Raises:
            ForgeError: every other outcome, as the one of its kinds that says what to do.
        """
        again = False
        deadline = self._deadline(call)
        for attempt in range(1, self._limits.attempts + 1):
            retry_after = ""
            try:
                answer = self._once(call, deadline)
            except _NotSent as error:
                if self._is_last(attempt, deadline):
                    raise self._unreachable(call, error.why, maybe_done=again) from None
            except _Lost as error:
                if not call.is_repeatable or self._is_last(attempt, deadline):
                    raise self._unreachable(call, error.why, maybe_done=True) from None
                again = True
            else:
                if answer.status < 300:
                    return answer
                if again and call.method == "DELETE" and answer.status == 404:
                    return Answer(204, {}, b"")  # the lost attempt had done it
                if not self._may_retry(call, answer.status) or self._is_last(attempt, deadline):
                    self._fail(call, answer)
                again = again or answer.status != 429
                retry_after = answer.headers.get("retry-after", "")
            self._wait(call, self._pause(attempt, retry_after), deadline, again=again)
        raise AssertionError("the loop returns or raises")  # pragma: no cover

    def _deadline(self, call: Call) -> float:
        """Return until when a request has to be done.

        Raises:
            Unreachable: the visit to the server has taken too long already.
        """
        now = self._clock()
        with self._lock:
            if self._end is None:
                self._end = now + self._limits.session_seconds
        if now >= self._end:
            why = f"it has not answered everything within {self._limits.session_seconds:.0f} s"
            raise self._unreachable(call, why, maybe_done=False)
        return min(now + self._limits.total_seconds, self._end)

    def _may_retry(self, call: Call, status: int) -> bool:
        return status == 429 or (status in _BUSY and call.is_repeatable)

    def _is_last(self, attempt: int, deadline: float) -> bool:
        return attempt == self._limits.attempts or self._clock() + self._pause(attempt) >= deadline

    def _pause(self, attempt: int, retry_after: str = "") -> float:
        seconds = self._limits.first_wait_seconds * 2.0 ** (attempt - 1)
        if retry_after.isascii() and retry_after.isdigit():
            seconds = max(seconds, float(retry_after[:9]))
        return seconds

    def _wait(self, call: Call, seconds: float, deadline: float, *, again: bool) -> None:
        if seconds > self._limits.longest_wait_seconds or self._clock() + seconds >= deadline:
            raise self._unreachable(call, f"it asks to come back in {seconds:.0f} s", maybe_done=again)
        self._sleep(seconds)

    def _fail(self, call: Call, answer: Answer) -> NoReturn:
        if answer.status in _BUSY:
            why = f"it, or what stands before it, answered {answer.status}"
            raise self._unreachable(call, why, maybe_done=answer.status != 429 and call.method != "GET")
        text = answer.body.decode("utf-8", "replace")
        says = text if self._token is None else self._token.hide_in(text)
        headers = answer.headers if self._token is None else _without(self._token, answer.headers)
        raise fault_of(answer.status, headers, says, call.shown)

    def _unreachable(self, call: Call, why: str, *, maybe_done: bool) -> Unreachable:
        error = Unreachable(
            f"the server at {self.url} cannot be reached ({why}); check [gitea] url, the network and the server",
            request=call.shown,
        )
        error.maybe_done = maybe_done and call.method != "GET"
        return error

    def _once(self, call: Call, deadline: float) -> Answer:
        url = f"{self.url}/api/v1{call.encoded_path}"
        if call.query:
            url += "?" + urlencode(call.query, errors="surrogateescape", quote_via=quote)
        content = None if call.body is None else _encoded(call.body)
        with _translated(), self._deadlines.until(deadline):
            client = self._opened()
            with client.stream(call.method, url, headers=self._headers(content), content=content) as response:
                body = self._read(response, call, deadline)
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status_code, headers, body)

    def _headers(self, content: bytes | None) -> dict[str, str]:
        # "identity": a few compressed bytes could unfold to more than the bound in one chunk.
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": f"werkrevisor/{__version__}",
        }
        if self._token is not None:
            headers["Authorization"] = f"token {self._token.reveal()}"
        if content is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def _read(self, response: httpx.Response, call: Call, deadline: float) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise BadAnswer(f"the answer to {call.shown} is compressed although that was refused", request=call.shown)
        parts, size = [], 0
        for part in response.iter_bytes():  # as they came: nothing is encoded, see above
            size += len(part)
            if size > self._limits.body_bytes:
                raise BadAnswer(
                    f"the answer to {call.shown} is larger than {self._limits.body_bytes:,} bytes, so it was not "
                    "read; look for enormous comments there and delete them",
                    request=call.shown,
                )
            if self._clock() > deadline:
                raise _Lost(f"the answer was not whole after {self._limits.total_seconds:.0f} s")
            parts.append(part)
        return b"".join(parts)

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(
                    transport=self._transport or self._network(),
                    timeout=httpx.Timeout(self._limits.read_seconds, connect=self._limits.connect_seconds),
                    follow_redirects=False,
                    trust_env=False,
                )
            return self._client

    def _network(self) -> httpx.HTTPTransport:
        # The system's own store of authorities, to which an operator adds a private one (or SSL_CERT_FILE).
        # An http:// address never becomes https, since redirects are not followed, and the store costs 20 ms.
        is_encrypted = self.url.startswith("https:")
        verify = ssl.create_default_context() if is_encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return _Network(verify, self._limits.connections, self._deadlines)


class _Network(httpx.HTTPTransport):
    """The transport of httpx over connections of our own, for which httpx has no argument."""

    def __init__(self, verify: ssl.SSLContext, connections: int, deadlines: Deadlines) -> None:
        super().__init__(verify=verify, trust_env=False)
        self._pool = httpcore.ConnectionPool(
            ssl_context=verify, max_connections=connections, keepalive_expiry=5.0, network_backend=deadlines
        )


def _without(token: Token, headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name: token.hide_in(value) for name, value in headers.items()}


class _NoAnswer(Exception):
    """No whole answer came."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class _NotSent(_NoAnswer):
    """The server never got the request."""


class _Lost(_NoAnswer):
    """The server may have got the request."""


@contextmanager
def _translated() -> Iterator[None]:
    """Turn the errors of httpx into ours, without its texts: they may quote what was sent."""
    try:
        yield
    except httpx.ConnectTimeout:
        raise _NotSent("connecting took too long") from None
    except httpx.PoolTimeout:
        raise _NotSent("all connections are busy") from None
    except httpx.ConnectError as error:
        raise _NotSent(_why_not_connected(error)) from None
    except httpx.TimeoutException:
        raise _Lost("it did not answer in time") from None
    except httpx.RemoteProtocolError:
        raise _Lost("it broke off in the middle of an answer, or speaks no HTTP") from None
    except httpx.TransportError:
        raise _Lost("the connection broke") from None
    except (httpx.InvalidURL, httpx.HTTPError):
        raise ForgeError("[gitea] url is no address; it must look like https://git.example.org") from None


def _why_not_connected(error: httpx.ConnectError) -> str:
    text = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return (
            "its certificate is not trusted here: add its authority to the system's store, "
            "or name a file with it in SSL_CERT_FILE"
        )
    if "SSL" in text or "TLS" in text:
        return "no encrypted connection came about; is it http:// that is spoken there?"
    if "Name or service not known" in text or "name resolution" in text or "nodename nor servname" in text:
        return "its name is not known"
    return "the connection was refused" if "refused" in text.lower() else "no connection came about"


def _encoded(body: object) -> bytes:
    # Lone surrogates (names that are no UTF-8) must not reach the wire: a server may cut the text there.
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")

"""What goes over the wire: where the token goes, what is repeated, what is bounded, one sentence for each failure."""

import ast
import logging
import ssl
import traceback
from pathlib import Path

import httpcore
import httpx
import pytest

import werkrevisor_gitea
from werkrevisor_gitea.errors import (
    Archived,
    BadAnswer,
    ForgeError,
    MissingRight,
    MissingScope,
    NotAuthorised,
    NotFound,
    Redirected,
    Refused,
    Renamed,
    ServerFault,
    Unreachable,
)
from werkrevisor_gitea.http import Call, Http, Limits

GET = Call("GET", ("user",))
POST = Call("POST", ("repos", "acme", "shop", "issues", 1, "comments"), body={"body": "x"})
DELETE = Call("DELETE", ("repos", "acme", "shop", "issues", "comments", 7))
SECRET = "s3cr3t-t0ken-0123456789"  # noqa: S105 - made up; that of conftest.py


def failing(world, call, answers, **limits):
    """Send a call that must fail; returns the error, checked to be one sentence that shows no secret."""
    world.answers = answers
    with pytest.raises(ForgeError) as caught:
        world.http(**limits).send(call)
    text = str(caught.value)
    assert "\n" not in text
    assert SECRET not in text
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    return caught.value


class TestTheToken:
    def test_it_goes_into_the_header_of_the_configured_address(self, world, reply):
        world.answers = [reply(200, {})]
        world.http("https://forge.test/git/").send(Call("GET", ("repos", "acme", "a b/ü%2F"), {"page": 2}))
        (asked,) = world.asked
        assert str(asked.url) == "https://forge.test/git/api/v1/repos/acme/a%20b%2F%C3%BC%252F?page=2"
        assert asked.headers["authorization"] == f"token {SECRET}"
        assert SECRET not in str(asked.url)

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_no_redirect_is_followed(self, world, reply, status):
        error = failing(world, GET, [reply(status, location="https://evil.test/api/v1/user")])
        assert type(error) is Redirected
        assert "https://evil.test/api/v1/user" in str(error)
        assert len(world.asked) == 1

    def test_a_redirect_that_says_it_back_is_not_quoted_with_it(self, world, reply):
        error = failing(world, GET, [reply(302, location=f"https://evil.test/?t={SECRET}")])
        assert "https://evil.test/?t=***" in str(error)

    def test_it_is_in_no_repr_and_no_log(self, world, reply, caplog):
        caplog.set_level(logging.DEBUG)
        world.answers = [reply(200, {})]
        http = world.http()
        http.send(GET)
        assert SECRET not in repr(vars(http))
        assert SECRET not in caplog.text

    def test_a_server_that_says_it_back_is_not_quoted_with_it(self, world, reply):
        error = failing(world, GET, [reply(422, {"message": f"bad header token {SECRET}"})])
        assert "bad header token ***" in str(error)

    def test_no_proxy_of_the_environment_gets_it(self, fake_server, monkeypatch):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody listens there
        http = Http(fake_server.url, None)
        assert http.send(Call("GET", ("version",))).status == 200
        http.close()

    def test_without_one_nobody_asks(self, world, reply):
        world.answers = [reply(200, {})]
        world.http(token=None).send(GET)
        assert "authorization" not in world.asked[0].headers


class TestPaths:
    @pytest.mark.parametrize("segment", ["", ".", ".."])
    def test_a_segment_that_leads_elsewhere_is_refused(self, world, reply, segment):
        error = failing(world, Call("GET", ("repos", "acme", segment)), [reply(200, {})])
        assert type(error) is Refused
        assert world.asked == []

    def test_a_name_that_is_no_utf_8_keeps_its_bytes(self, world, reply):
        world.answers = [reply(200, {})]
        world.http().send(Call("GET", ("contents", "a\udce9")))
        assert world.asked[0].url.raw_path == b"/api/v1/contents/a%E9"

    def test_a_query_that_is_no_utf_8_keeps_its_bytes(self, world, reply):
        world.answers = [reply(200, {})]
        world.http().send(Call("GET", ("pulls",), {"base_branch": "a\udce9&b"}))
        assert world.asked[0].url.query == b"base_branch=a%E9%26b"

    def test_half_a_character_in_a_body_does_not_end_the_request(self, world, reply):
        world.answers = [reply(200, {})]
        world.http().send(Call("POST", ("x",), body={"body": "a\udce9\ud800"}))
        assert world.asked[0].content == b'{"body": "a??"}'


class TestStatuses:
    @pytest.mark.parametrize(
        ("sent", "kind", "says"),
        [
            ((401, {"message": "invalid username, password or token"}), NotAuthorised, "does not accept the token"),
            (
                (403, {"message": "token does not have at least one of required scope(s), required=[write:issue], x"}),
                MissingScope,
                "lacks the scope write:issue",
            ),
            ((403, {"message": "Must be repo admin"}), MissingRight, 'may not do GET /user ("Must be repo admin")'),
            ((403,), MissingRight, "may not do GET /user"),
            ((404, {"errors": None, "message": "not found"}), NotFound, "GET /user is not there, or"),
            ((423, {"message": "acme/shop is archived"}), Archived, "unarchive it"),
            ((405, {"message": "Does not have enough approvals"}), Refused, "Does not have enough approvals"),
            ((409, {"message": "head out of date"}), Refused, "head out of date"),
            ((413,), Refused, "413"),
            ((418,), Refused, "418"),
            ((500, {"message": ""}), ServerFault, "GET /user failed on the server with 500"),
            ((501,), ServerFault, "501"),
        ],
    )
    def test_each_is_one_sentence_with_what_to_do(self, world, reply, sent, kind, says):
        error = failing(world, GET, [reply(*sent)])
        assert type(error) is kind
        assert says in str(error)
        assert (error.status, error.request) == (sent[0], "GET /user")
        assert len(world.asked) == 1

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_a_renamed_repository_is_named(self, world, reply, method):
        where = "/api/v1/repos/acme/shop-renamed/pulls"
        error = failing(world, Call(method, ("repos", "acme", "shop", "pulls")), [reply(301, location=where)])
        assert type(error) is Renamed
        assert "acme/shop-renamed now; put that into [gitea] repository" in str(error)
        assert len(world.asked) == 1

    def test_what_a_server_says_is_cut_and_cannot_forge_lines(self, world, reply):
        error = failing(world, GET, [reply(422, {"message": "a\nb\x1b[31m\u202e" + "c" * 5000})])
        assert error.says.startswith("a b [31m ccc")
        assert len(error.says) < 320

    @pytest.mark.parametrize("body", [b"<html>login</html>", b"[" * 100_000, b'{"message": 7}', b'["x"]', b"\xff"])
    def test_a_body_that_is_no_message_is_no_second_error(self, world, body):
        error = failing(world, GET, [httpx.Response(404, content=body)])
        assert type(error) is NotFound
        assert error.says == ""


LOST = [httpx.ReadTimeout("t"), httpx.ReadError("r"), httpx.RemoteProtocolError("p"), httpx.WriteError("w")]
NOT_SENT = [httpx.ConnectError("[Errno 111] Connection refused"), httpx.ConnectTimeout("t"), httpx.PoolTimeout("p")]


class TestRepeating:
    @pytest.mark.parametrize("fault", [*LOST, *NOT_SENT], ids=lambda fault: type(fault).__name__)
    def test_reading_is_repeated_with_growing_waits(self, world, reply, fault):
        world.answers = [fault, fault, reply(200, {})]
        assert world.http().send(GET).status == 200
        assert world.waited == [0.5, 1.0]

    @pytest.mark.parametrize("status", [429, 502, 503, 504])
    def test_a_busy_server_is_asked_again(self, world, reply, status):
        world.answers = [reply(status), reply(200, {})]
        assert world.http().send(GET).status == 200
        assert world.waited == [0.5]

    @pytest.mark.parametrize("fault", LOST, ids=lambda fault: type(fault).__name__)
    def test_what_may_have_been_done_is_not_done_again(self, world, fault):
        error = failing(world, POST, [fault])
        assert type(error) is Unreachable
        assert error.maybe_done is True
        assert len(world.asked) == 1

    @pytest.mark.parametrize("fault", NOT_SENT, ids=lambda fault: type(fault).__name__)
    def test_what_was_never_sent_is_sent_again(self, world, reply, fault):
        world.answers = [fault, reply(201, {})]
        assert world.http().send(POST).status == 201

    @pytest.mark.parametrize("status", [502, 503, 504])
    def test_a_proxy_may_have_passed_it_on(self, world, reply, status):
        error = failing(world, POST, [reply(status)])
        assert type(error) is Unreachable
        assert error.maybe_done is True
        assert len(world.asked) == 1

    def test_what_was_put_off_is_sent_again(self, world, reply):
        world.answers = [reply(429), reply(201, {})]
        assert world.http().send(POST).status == 201

    def test_setting_to_a_value_may_be_repeated(self, world, reply):
        world.answers = [httpx.ReadTimeout("t"), reply(200, {"id": 7, "body": "x"})]
        assert world.client().comments.edit(7, "x").body == "x"

    def test_it_ends(self, world):
        error = failing(world, GET, [httpx.ConnectError("[Errno 111] Connection refused")])
        assert type(error) is Unreachable
        assert "https://forge.test cannot be reached (the connection was refused)" in str(error)
        assert error.maybe_done is False
        assert (len(world.asked), world.waited) == (4, [0.5, 1.0, 2.0])

    def test_deleting_what_the_lost_attempt_deleted_is_done(self, world, reply):
        world.answers = [httpx.ReadTimeout("t"), reply(404, {"message": "not found"})]
        assert world.http().send(DELETE).status == 204

    def test_deleting_what_never_was_is_not_found(self, world, reply):
        assert type(failing(world, DELETE, [reply(404, {"message": "not found"})])) is NotFound

    def test_it_waits_as_long_as_it_is_told_to(self, world, reply):
        world.answers = [reply(429, retry_after=7), reply(200, {})]
        world.http().send(GET)
        assert world.waited == [7.0]

    @pytest.mark.parametrize("said", ["3600", "9" * 400])
    def test_it_does_not_wait_for_hours(self, world, reply, said):
        error = failing(world, GET, [reply(503, retry_after=said)])
        assert "asks to come back in" in str(error)
        assert world.waited == []

    @pytest.mark.parametrize("said", ["Wed, 21 Oct 2026 07:28:00 GMT", "-5", "1.5", "²", ""])
    def test_another_word_on_when_to_come_back_counts_as_none(self, world, reply, said):
        world.answers = [httpx.Response(503, headers=[(b"retry-after", said.encode())]), reply(200, {})]
        world.http().send(GET)
        assert world.waited == [0.5]


class Slow(httpx.SyncByteStream):
    """A body of chunks; each moves the clock."""

    def __init__(self, world, chunks, seconds):
        self.world, self.chunks, self.seconds = world, chunks, seconds
        self.given = 0

    def __iter__(self):
        for _ in range(self.chunks):
            self.world.now += self.seconds
            self.given += 1
            yield b" " * 1024


class TestBounds:
    def test_a_body_that_is_too_large_is_not_read_on(self, world):
        body = Slow(world, 1_000_000, 0)
        error = failing(world, GET, [httpx.Response(200, stream=body)], body_bytes=10 * 1024)
        assert type(error) is BadAnswer
        assert "larger than 10,240 bytes" in str(error)
        assert body.given == 11

    def test_a_body_of_exactly_the_bound_is_read(self, world):
        world.answers = [httpx.Response(200, stream=Slow(world, 10, 0))]
        assert len(world.http(body_bytes=10 * 1024).send(GET).body) == 10 * 1024

    def test_a_body_that_trickles_has_an_end(self, world):
        stream = Slow(world, 1_000_000, 9.0)
        error = failing(world, GET, [httpx.Response(200, stream=stream)], total_seconds=60)
        assert type(error) is Unreachable
        assert "not whole after 60 s" in str(error)
        assert stream.given == 7
        assert len(world.asked) == 1

    def test_all_attempts_together_have_an_end(self, world):
        def late(request):
            world.now += 25
            raise httpx.ReadTimeout("", request=request)

        error = failing(world, GET, [late], total_seconds=60, attempts=9)
        assert type(error) is Unreachable
        assert "did not answer in time" in str(error)
        assert world.waited == [0.5, 1.0]  # 25, 25.5 to 50.5, 51.5 to 76.5 seconds
        assert error.maybe_done is False

    def test_a_request_that_may_have_been_done_stays_so_while_it_is_put_off(self, world, reply):
        call = Call("PATCH", ("user",), body={}, repeatable=True)
        error = failing(world, call, [httpx.ReadError(""), reply(429, retry_after=3600)])
        assert "asks to come back in 3600 s" in str(error)
        assert error.maybe_done is True

    def test_a_visit_has_an_end_though_every_answer_comes_in_time(self, world, reply):
        def late(request):
            world.now += 50
            return reply(200, {})

        world.answers = [late]
        http = world.http(total_seconds=60, session_seconds=100)
        for _ in range(2):
            http.send(GET)
        with pytest.raises(Unreachable, match=r"has not answered everything within 100 s") as caught:
            http.send(POST)
        assert len(world.asked) == 2
        assert caught.value.maybe_done is False

    def test_a_compressed_answer_is_refused_unread(self, world):
        body = Slow(world, 10, 0)
        error = failing(world, GET, [httpx.Response(200, stream=body, headers={"content-encoding": "gzip"})])
        assert type(error) is BadAnswer
        assert body.given == 0
        assert world.asked[0].headers["accept-encoding"] == "identity"


class TestCertificates:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "SSL_CERT_FILE"),
            ("[SSL: WRONG_VERSION_NUMBER] wrong version number", "is it http://"),
            ("[Errno -2] Name or service not known", "its name is not known"),
            ("something else", "no connection came about"),
        ],
    )
    def test_why_there_is_no_connection(self, world, text, says):
        assert says in str(failing(world, GET, [httpx.ConnectError(text)]))

    def test_an_encrypted_address_is_verified_against_the_systems_authorities(self, monkeypatch):
        given = {}
        pool = httpcore.ConnectionPool

        def connections(**options):
            given.update(options)
            return pool(**options)

        monkeypatch.setattr(httpcore, "ConnectionPool", connections)
        with pytest.raises(Unreachable):
            Http("https://127.0.0.1:9", None, limits=Limits(attempts=1)).send(GET)
        assert given["ssl_context"].verify_mode is ssl.CERT_REQUIRED
        assert given["ssl_context"].check_hostname is True
        assert given["ssl_context"].cert_store_stats()["x509_ca"] > 0


def test_one_module_speaks_http():
    """All others go through it, so what holds for it holds for every request."""
    folder = Path(werkrevisor_gitea.__file__).parent
    found = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in {name.partition(".")[0] for name in names} & {
                "http",
                "httpcore",
                "httpx",
                "requests",
                "socket",
            }:
                found.setdefault(name, set()).add(path.relative_to(folder).as_posix())
    assert found == {"httpx": {"http.py"}, "httpcore": {"http.py", "deadlines.py"}, "socket": {"deadlines.py"}}

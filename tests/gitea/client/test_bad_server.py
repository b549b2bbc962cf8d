"""A server that is down, slow, cut off or talks nonsense: one sentence each, and nothing done twice."""

import pytest
from contract.forge import eventually
from fake import FakeGitea
from fake.faults import Fault, Kind

from werkrevisor_gitea.client import Client
from werkrevisor_gitea.errors import BadAnswer, Unreachable
from werkrevisor_gitea.http import Http, Limits
from werkrevisor_gitea.token import Token


@pytest.fixture
def server():
    with FakeGitea() as server:
        yield server


@pytest.fixture
def ask(server):
    http = Http(
        server.url,
        Token(server.admin_token()),
        limits=Limits(read_seconds=0.3, connect_seconds=0.3, first_wait_seconds=0.01, attempts=3),
    )
    with Client(http, "boss/shop") as client:
        yield client


def counted(server, method):
    return len([call for call in server.faults.calls if call.method == method])


def test_down(server, ask):
    server.refuse()
    with pytest.raises(Unreachable, match=r"cannot be reached \(the connection was refused\)"):
        ask.me()


def test_back_again(server, ask):
    server.faults.plan(Fault(Kind.DROP))
    assert ask.me().login == "boss"


@pytest.mark.parametrize(
    ("kind", "says"), [(Kind.DROP, "broke"), (Kind.LOST, "broke"), (Kind.DELAY, "did not answer in time")]
)
def test_gone_for_good(server, ask, kind, says):
    server.faults.plan(Fault(kind, every=True, seconds=0.6))
    with pytest.raises(Unreachable, match=says):
        ask.me()
    assert counted(server, "GET") == 3


@pytest.mark.parametrize("kind", [Kind.CUT, Kind.GARBAGE])
def test_half_an_answer_or_nonsense_is_never_used(server, ask, kind):
    server.faults.plan(Fault(kind, every=True))
    with pytest.raises((BadAnswer, Unreachable)) as caught:
        ask.me()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [Kind.DROP, Kind.LOST, Kind.CUT, Kind.DELAY])
def test_what_may_have_been_done_is_not_done_again(server, ask, kind):
    server.call("boss", "POST", "/user/repos", {"name": "shop"})
    server.faults.plan(Fault(kind, method="POST", seconds=0.6))
    with pytest.raises((Unreachable, BadAnswer)):
        ask.hooks.create("http://127.0.0.1:9/hook", "s" * 32)
    assert counted(server, "POST") == 1
    server.faults.clear()
    made = 0 if kind is Kind.DROP else 1
    assert len(eventually(ask.hooks.list, lambda hooks: len(hooks) == made)) == made


def test_an_open_port_that_says_nothing_of_http(server):
    http = Http(server.url.replace("http://", "https://"), None, limits=Limits(first_wait_seconds=0.01, attempts=2))
    with Client(http, "a/b") as client, pytest.raises(Unreachable, match="is it http:// that is spoken there"):
        client.version()

"""A server that is slow in any way: the request ends by its deadline, and nothing is sent twice that may be done.

Every single read is within its time-out here, so that only the deadline of the whole request can end it.
"""

import time

import pytest
from fake.slow import ANSWERS, FLOOD, GREETING, PATIENCE, serving

from werkrevisor_gitea.errors import BadAnswer, Unreachable
from werkrevisor_gitea.http import Call, Http, Limits
from werkrevisor_gitea.token import Token

LIMITS = Limits(connect_seconds=30, read_seconds=30, total_seconds=0.4, first_wait_seconds=0.01)
GET = Call("GET", ("user",))
POST = Call("POST", ("repos", "a", "b", "issues", 1, "comments"), body={"body": "x"})


def sent(port, call, scheme="http", limits=LIMITS):
    http = Http(f"{scheme}://127.0.0.1:{port}", Token("secret"), limits=limits)
    try:
        http.send(call)
    finally:
        http.close()


@pytest.mark.parametrize("how", ANSWERS)
def test_reading_ends_by_the_deadline(how):
    with serving(ANSWERS[how]) as (port, _), pytest.raises(Unreachable, match=r"in time|was not whole after"):
        sent(port, GET)


@pytest.mark.parametrize("how", ANSWERS)
def test_what_may_be_done_is_sent_once(how):
    with serving(ANSWERS[how]) as (port, heard), pytest.raises(Unreachable) as caught:
        sent(port, POST)
    assert caught.value.maybe_done is True
    assert len(heard) == 1


def test_a_greeting_of_tls_that_trickles():
    with serving(GREETING) as (port, _), pytest.raises(Unreachable, match="connecting took too long") as caught:
        sent(port, POST, scheme="https")
    assert caught.value.maybe_done is False


def test_an_answer_without_an_end_is_not_kept():
    limits = Limits(body_bytes=100_000, total_seconds=30)
    with serving(FLOOD) as (port, _), pytest.raises(BadAnswer, match="is larger than 100,000 bytes"):
        sent(port, GET, limits=limits)


def test_a_request_that_nobody_reads():
    body = {"body": "x" * 30_000_000}  # more than the buffers of both sides hold
    with serving(lambda connection: time.sleep(PATIENCE)) as (port, _), pytest.raises(Unreachable) as caught:
        sent(port, Call("POST", ("x",), body=body))
    assert "did not answer in time" in str(caught.value)

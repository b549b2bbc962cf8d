"""A client over made-up answers, and one of the bot's account on the forge under contract."""

import json

import httpx
import pytest
from attrs import Factory, define

from werkrevisor_gitea.client import Client
from werkrevisor_gitea.http import Http, Limits
from werkrevisor_gitea.token import Token

URL = "https://forge.test"
SECRET = "s3cr3t-t0ken-0123456789"  # noqa: S105 - made up


@define
class World:
    """A server of made-up answers with a clock of its own.

    `answers` are taken one after the other, the last again and again: a response, an exception, or a
    function of the request. `waited` are the seconds slept.
    """

    answers: list = Factory(list)
    asked: list = Factory(list)
    waited: list = Factory(list)
    now: float = 0.0

    def handle(self, request):
        self.asked.append(request)
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def sleep(self, seconds):
        self.waited.append(seconds)
        self.now += seconds

    def http(self, url=URL, token=SECRET, **limits):
        return Http(
            url,
            Token(token) if token else None,
            limits=Limits(**limits),
            transport=httpx.MockTransport(self.handle),
            clock=lambda: self.now,
            sleep=self.sleep,
        )

    def client(self, **limits):
        return Client(self.http(**limits), "acme/shop")


@pytest.fixture
def world():
    return World()


NOTHING = object()


def answer(status=200, content=NOTHING, **headers):
    """A response of JSON; a header `x_total_count` is written with underscores."""
    sent = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    return httpx.Response(status, content=b"" if content is NOTHING else json.dumps(content).encode(), headers=sent)


@pytest.fixture
def reply():
    return answer


@pytest.fixture
def client_of(forge, project):
    """Return what makes the client of a role for the project (or of a token)."""
    made = []

    def client(role="bot", *, token="", repository="", **limits):
        http = Http(forge.url, Token(token or forge.tokens[role]), limits=Limits(**limits))
        made.append(Client(http, repository or project.full_name))
        return made[-1]

    yield client
    for each in made:
        each.close()

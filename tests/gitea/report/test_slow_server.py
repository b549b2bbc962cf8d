"""`werkrevisor review URL --publish` as a process, on a server that is slow or talks nonsense: a sentence, and an end.

Its time-outs are made small; that each single byte comes in time is the point.
"""

import subprocess
import sys

import pytest
from contract.forge import Change, Project
from fake import Fault, Kind
from fake.slow import ANSWERS, FLOOD, saying, serving
from report_ground import Host, State

from werkrevisor_core.models.verdict import Level

PROGRAM = """
import functools, sys
from werkrevisor_core.cli.main import main
from werkrevisor_gitea import client, http, repository_cache
limits = http.Limits(total_seconds=1.0, session_seconds=20, body_bytes=2_000_000, first_wait_seconds=0.01)
client.Http = functools.partial(http.Http, limits=limits)
repository_cache.Bounds = functools.partial(repository_cache.Bounds, seconds=2.0)
sys.exit(main(sys.argv[1:]))
"""
ERROR = int(Level.ERROR)


def published(host, number, url=""):
    """Review and publish as a process of its own, which must not take a minute."""
    url = url or host.forge.url
    given = ["review", f"{url}/{host.project.full_name}/pulls/{number}", "--config", str(host.file), "--publish"]
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *given],
        cwd=host.folder,
        env=host.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def complaint(done):
    """Return the one sentence of a review that could not be made."""
    assert (done.returncode, done.stdout) == (ERROR, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("werkrevisor: ")
    assert "s3cret" not in line
    return line.removeprefix("werkrevisor: ")


@pytest.fixture
def stranger(tmp_path):
    """The host of a server that is none; its address comes with the port."""

    class Strange(Host):
        port = 0

        @property
        def forge(self):
            return self

        url = property(lambda self: f"http://127.0.0.1:{self.port}")

        def name(self, role):
            return role

    (tmp_path / "key").write_text("5a" * 32)
    host = Strange(Project(None, "acme/shop"), tmp_path, {"PATH": "/usr/bin:/bin"}, {})
    host.environment["WERKREVISOR_CACHE"] = str(tmp_path / "cache")
    host.token("s3cret")
    yield host
    host.project.remove()


@pytest.mark.parametrize("how", ANSWERS)
def test_a_server_that_is_slow_from_the_start(stranger, how):
    with serving(ANSWERS[how]) as (stranger.port, _):
        said = complaint(published(stranger, 7))
    assert said.startswith(f"the server at {stranger.url} cannot be reached (")
    assert said.endswith("); check [gitea] url, the network and the server")


def test_an_answer_without_an_end(stranger):
    with serving(FLOOD) as (stranger.port, _):
        said = complaint(published(stranger, 7))
    assert "is larger than 2,000,000 bytes, so it was not read" in said


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<html><body>Please log in</body></html>", "it is no valid JSON"),
        (b"", "it is empty"),
        (b'{"id": 1', "it is no valid JSON"),
        (b"\xff\xfe", "it is no valid JSON"),
        (b"[" * 200_000, "it is nested too deeply"),
        (b'{"a":' * 200_000, "it is nested too deeply"),
        (b"null", "expected an object, got null"),
        (b"[]", "expected an object, got list"),
        (b"{}", "required field missing"),
        (b'{"id": ' + b"9" * 5000 + b"}", "it is no valid JSON"),
        (b'{"id": NaN, "login": "x"}', "it is no valid JSON"),
        (b'{"id": true, "login": null}', "expected"),
    ],
    ids=[
        "html",
        "nothing",
        "cut",
        "no utf-8",
        "deep lists",
        "deep objects",
        "null",
        "list",
        "empty",
        "long",
        "nan",
        "odd",
    ],
)
def test_an_answer_that_is_not_what_was_asked_for(stranger, body, says):
    with serving(saying(body)) as (stranger.port, _):
        said = complaint(published(stranger, 7))
    assert says in said
    assert "is not what Gitea or Forgejo documents" in said


@pytest.fixture
def slowed(faked, tmp_path):
    """A pull request on the fake, and its host."""
    project = faked.project()
    (tmp_path / "key").write_text("5a" * 32)
    host = Host(project, tmp_path, {"PATH": "/usr/bin:/bin", "WERKREVISOR_CACHE": str(tmp_path / "cache")}, {})
    host.token(faked.tokens["bot"])
    yield host, project.change()
    faked.fake.faults.clear()
    project.remove()


def healed(host, change: Change):
    """Publish once more, undisturbed: one of everything stands there."""
    host.forge.fake.faults.clear()
    done = published(host, change.number)
    assert done.returncode == int(Level.YELLOW), done.stderr
    state = State.of(change)
    assert len(state.comments()) == 1
    assert state.statuses(change.head)[0] == "pending"
    assert len(set(state.statuses(change.head))) == len(state.statuses(change.head))
    assert (state.approved(), state.own_reviews("PENDING")) == ([], [])


@pytest.mark.parametrize(
    ("method", "path"), [("POST", r"/issues/\d+/comments$"), ("POST", r"/statuses/"), ("GET", r"/pulls/\d+$")]
)
def test_a_server_that_becomes_slow(slowed, method, path):
    host, change = slowed
    trickle = Fault(Kind.TRICKLE, method, path, nth=1 if method == "POST" else 2, every=True, seconds=5)
    host.forge.fake.faults.plan(trickle)
    done = published(host, change.number)
    assert trickle.seen >= trickle.nth
    assert done.returncode == ERROR
    assert done.stdout.startswith("YELLOW, wait.")
    assert "cannot be reached (" in done.stderr.splitlines()[-1]
    assert change.get()["merged"] is False
    healed(host, change)


def test_a_server_whose_git_is_slow(slowed):
    host, change = slowed
    trickle = Fault(Kind.TRICKLE, path="/git-upload-pack$", every=True, seconds=15)
    host.forge.fake.faults.plan(trickle)
    done = published(host, change.number)
    assert trickle.seen > 0
    assert done.returncode == ERROR
    assert done.stdout.startswith("ERROR, block.")
    assert "took too long and was stopped" in done.stdout
    assert State.of(change).statuses(change.head) == ["error"]
    healed(host, change)

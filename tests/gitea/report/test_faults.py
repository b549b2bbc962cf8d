"""Whatever is wrong between the bot and the server is one clear sentence and ERROR, and the next run mends it."""

import pytest
from fake import Fault, Kind
from report_ground import Host, State, command

from werkrevisor_core.models.verdict import Decision, Level

USAGE = 64


@pytest.fixture
def change(host):
    return host.project.change()


def sentence(done):
    """Return the one sentence of a command that could not review."""
    (line,) = done.stderr.splitlines()
    assert line.startswith("werkrevisor: ")
    assert done.stdout == ""
    return line.removeprefix("werkrevisor: ")


def test_a_wrong_token(host, change):
    host.token("0" * 40)
    done = command(host, change, "--publish")
    assert done.returncode == int(Level.ERROR)
    assert sentence(done).startswith("the server does not accept the token")


def test_a_token_without_a_scope(host, change):
    host.token(host.forge.token("bot", ("read:user", "read:repository")))
    done = command(host, change, "--publish")
    assert done.returncode == int(Level.ERROR)
    assert "the token lacks the scope read:issue" in sentence(done)


def test_an_account_that_may_read_only_says_what_it_may_not_do(host, change):
    host.token(host.forge.tokens["reader"])
    review, published = host.review(change)
    assert review.verdict is Level.YELLOW
    (why,) = published.failed
    assert "the bot's account may not do POST" in why
    assert change.get()["merged"] is False
    host.token(host.forge.tokens["bot"])
    _, again = host.review(change)
    assert again.whole, again
    assert State.of(change).statuses(change.head) == ["pending"]


def test_an_archived_repository(host, change):
    host.forge.made("owner", "PATCH", host.project.api, {"archived": True})
    done = command(host, change, "--publish")
    host.forge.made("owner", "PATCH", host.project.api, {"archived": False})
    assert done.returncode == int(Level.ERROR)
    assert "archived" in done.stderr
    assert State.of(change).approved() == []


def test_a_pull_request_that_is_not_there(host, change):
    change.number = 4711
    done = command(host, change)
    assert done.returncode == int(Level.ERROR)
    assert "is not there, or the bot's account may not see it" in sentence(done)


def test_a_renamed_repository(host, change):
    host.forge.made("owner", "PATCH", host.project.api, {"name": f"new-{host.project.full_name.split('/')[1]}"})
    done = command(host, change)
    host.forge.remember(f"{host.forge.org}/new-{host.project.full_name.split('/')[1]}")
    assert done.returncode == int(Level.ERROR)
    assert sentence(done).startswith(f"the repository is called {host.forge.org}/new-")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://other.test/{name}/pulls/1", "is not a pull request of"),
        ("{server}/else/where/pulls/1", "is not a pull request of"),
        ("{server}/{name}/issues/1", "names no pull request"),
        ("{server}/{name}/pulls/0", "names no pull request"),
        ("{server}/{name}/pulls/1?x=y", "names no pull request"),
    ],
)
def test_a_url_of_something_else_never_gets_the_token(host, change, url, words):
    done = command(host, change, url=url.format(server=host.forge.url, name=host.project.full_name))
    assert done.returncode == USAGE
    assert words in sentence(done)


@pytest.mark.parametrize("key", ["url", "repository"])
def test_a_config_without_a_server_or_a_repository(host, change, key):
    file = host.file
    lines = [line for line in file.read_text().split("\n") if not line.startswith(f"{key} = ")]
    (host.folder / "bare.toml").write_text("\n".join(lines))
    done = command(host, change, "--config", str(host.folder / "bare.toml"))
    assert done.returncode == USAGE
    assert sentence(done) == f"the host's config has no [gitea] {key}; set it, or run `werkrevisor init`"


@pytest.mark.parametrize(("secret", "words"), [("key", "key file"), ("BOT_TOKEN", "BOT_TOKEN is empty or not set")])
def test_a_secret_that_is_missing(host, change, secret, words):
    host.environment.pop(secret, None)
    (host.folder / secret).unlink(missing_ok=True)
    done = command(host, change)
    assert done.returncode in (USAGE, int(Level.ERROR))
    assert words in sentence(done)


@pytest.fixture
def broken(faked, tmp_path):
    """A pull request on the fake, whatever else is under contract, and its host."""
    project = faked.project()
    (tmp_path / "key").write_text("5a" * 32)
    host = Host(project, tmp_path, {"PATH": "/usr/bin:/bin", "WERKREVISOR_CACHE": str(tmp_path / "cache")}, {})
    host.token(faked.tokens["bot"])
    yield host, project.change()
    faked.fake.faults.clear()
    project.remove()


def test_a_server_that_is_down(broken, faked):
    host, change = broken
    faked.fake.refuse()
    try:
        done = command(host, change, "--publish")
    finally:
        faked.fake.listen()
    assert done.returncode == int(Level.ERROR)
    assert "cannot be reached (the connection was refused)" in sentence(done)


def test_answers_that_are_no_json(broken, faked):
    host, change = broken
    faked.fake.faults.plan(Fault(Kind.GARBAGE, path=r"/pulls/\d+$", every=True))
    done = command(host, change, "--publish")
    faked.fake.faults.clear()
    assert done.returncode == int(Level.ERROR)
    assert sentence(done).endswith("it is no valid JSON") or "valid JSON" in done.stderr
    assert State.of(change).comments() == []


@pytest.mark.parametrize(
    "fault",
    [
        Fault(Kind.STATUS, path="/git-upload-pack$", every=True, status=500),
        Fault(Kind.CUT, path="/git-upload-pack$", every=True),
        Fault(Kind.DROP, path="service=git-upload-pack", every=True),
        Fault(Kind.STATUS, path="service=git-upload-pack", every=True, status=403),
    ],
    ids=["failing", "cut off", "gone", "forbidden"],
)
def test_commits_that_cannot_be_fetched_end_as_a_published_error(broken, faked, fault):
    host, change = broken
    fault.seen = 0
    faked.fake.faults.plan(fault)
    review, published = host.review(change)
    faked.fake.faults.clear()
    assert (review.verdict, review.decision) == (Level.ERROR, Decision.BLOCK)
    (reason,) = review.reasons
    assert (reason.id, reason.message.startswith("Git cannot fetch from")) == ("source", True)
    assert published.whole, published
    state = State.of(change)
    assert state.statuses(change.head) == ["error"]
    assert state.approved() == []
    again, _ = host.review(change)
    assert again.verdict is Level.YELLOW
    assert state.statuses(change.head)[0] == "pending"
    assert len(state.comments()) == 1


def test_a_head_that_the_server_does_not_give_away(broken):
    host, change = broken
    from werkrevisor_gitea import repository_cache  # noqa: PLC0415 - only here

    cache = repository_cache.RepositoryCache.bring_head

    def lost(self, number, head, base):
        return cache(self, number, "1" * 40, base)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repository_cache.RepositoryCache, "bring_head", lost)
        patch.setattr(repository_cache.time, "sleep", lambda seconds: None)
        review, _ = host.review(change)
    assert review.verdict is Level.ERROR
    assert "the server does not have that commit (any more)" in review.reasons[0].message


def test_the_token_reaches_neither_the_copy_nor_an_argument(broken):
    host, change = broken
    host.review(change)
    token = host.environment["BOT_TOKEN"].encode()
    files = [path for path in (host.folder / "cache").rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if token in path.read_bytes()] == []

"""`werkrevisor init`: files that only their owner reads, never overwritten, and what to do next."""

import stat
import tomllib

import pytest

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_gitea.cli.init import Answers, host_file


@pytest.fixture
def init(operator):
    def run(*arguments, url=operator.url, repository=operator.repository):
        given = ["--url", url, "--repository", repository, "--directory", operator.folder / "new"]
        return operator.run("init", *given, *arguments)

    return run


def files(operator):
    return {path.name: path for path in (operator.folder / "new").iterdir()}


def test_from_nothing(init, operator, forge, project):
    name = project.full_name.partition("/")[2]
    assert init("--token-env", "BOT", "--hook-url", "https://review.example.org/hook") == 4  # no rule yet
    made = files(operator)
    assert set(made) == {f"{name}.toml", f"{name}.key", f"{name}.hook-secret"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.values()} == {0o600}
    key, secret = (made[f"{name}.{ending}"].read_text() for ending in ("key", "hook-secret"))
    assert len(key.strip()) == len(secret.strip()) == 64
    assert key != secret
    gitea = tomllib.loads(made[f"{name}.toml"].read_text())["gitea"]
    assert (gitea["url"], gitea["repository"], gitea["token_env"]) == (operator.url, project.full_name, "BOT")
    text = "\n".join(operator.lines)
    assert key.strip() not in text
    assert secret.strip() not in text
    assert forge.tokens["bot"] not in text


def test_it_says_what_to_do_on_the_server_and_ends_with_doctor(init, operator, forge, project):
    init("--token-env", "BOT", "--hook-url", "https://review.example.org/hook")
    text = "\n".join(operator.lines)
    assert f"{operator.url}/{project.full_name}/settings/hooks" in text
    assert "target URL    https://review.example.org/hook" in text
    assert "read:user, write:issue, write:repository" in text
    assert f'"{forge.name("bot")}"' in text.partition("As things stand:")[0]
    assert "werkrevisor/main" in text
    assert "Put the token into the environment variable BOT." in text
    host = operator.folder / "new" / f"{project.full_name.partition('/')[2]}.toml"
    assert f"werkrevisor review {operator.url}/{project.full_name}/pulls/1 --config {host}" in text
    assert f"werkrevisor doctor --config {host}" in text
    assert f"werkrevisor protect --config {host} --apply" in text
    assert operator.found("ok", "token: ") == [f"token: accepted, of the account {forge.name('bot')}"]
    assert operator.found("FAIL", "branch main: no rule protects")


def test_then_protect_and_the_webhook_are_all_that_is_left(init, operator, forge, project):
    init("--token-env", "BOT", "--hook-url", "https://review.example.org/hook")
    name = project.full_name.partition("/")[2]
    made = files(operator)
    config = {"url": "https://review.example.org/hook", "content_type": "json"}
    hook = {"type": "gitea", "active": True, "config": {**config, "secret": made[f"{name}.hook-secret"].read_text()}}
    hook["events"] = ["pull_request", "push", "status", "issue_comment", "pull_request_comment"]
    forge.made("owner", "POST", f"{project.api}/hooks", hook)
    assert operator.run("protect", "--config", made[f"{name}.toml"], "--apply") == 0
    assert operator.run("doctor", "--config", made[f"{name}.toml"]) == 0


def test_a_second_time_keeps_everything(init, operator):
    init("--token-env", "BOT")
    before = {name: path.read_bytes() for name, path in files(operator).items()}
    init("--token-env", "OTHER", url="https://other.example.org")
    assert {name: path.read_bytes() for name, path in files(operator).items()} == before
    assert sum(line.startswith("kept  ") for line in operator.lines) == 3


def test_a_link_that_waits_there_is_not_followed(init, operator, project):
    target = operator.folder / "elsewhere"
    (operator.folder / "new").mkdir()
    (operator.folder / "new" / f"{project.full_name.partition('/')[2]}.key").symlink_to(target)
    assert init("--token-env", "BOT") == 4
    assert not target.exists()


def test_no_server_yet(nowhere):
    folder = nowhere.folder / "new"
    given = ("--url", "http://127.0.0.1:9", "--repository", "acme/shop", "--directory", folder)
    assert nowhere.run("init", *given, "--token-file", nowhere.secret("token")) == 4
    assert (folder / "shop.toml").is_file()
    assert '"the-bot"' in "\n".join(nowhere.lines)
    assert "cannot be reached" in nowhere.failed[-1]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"url": "git.example.org"}, "[gitea] url must look like https://git.example.org"),
        ({"url": "https://user:s3cr3t@git.example.org"}, "[gitea] url must look like"),
        ({"repository": "shop"}, "[gitea] repository must be written owner/name"),
        ({"repository": "../../etc/x"}, "[gitea] repository must be written owner/name"),
        ({"repository": "acme/.."}, "[gitea] repository must be written owner/name"),
        ({"repository": "./shop"}, "[gitea] repository must be written owner/name"),
    ],
)
def test_an_answer_that_cannot_stand_in_a_host_file(init, operator, given, says):
    assert init(**given) == 64
    assert says in operator.complaint
    assert "s3cr3t" not in operator.complaint
    assert not (operator.folder / "new").exists()


def test_two_sources_of_one_token(init, operator):
    assert init("--token-env", "BOT", "--token-file", "/x") == 64
    assert "token_env and token_file are both set" in operator.complaint


def test_a_folder_that_cannot_be_made(operator):
    (operator.folder / "file").write_text("")
    given = ("--url", operator.url, "--repository", "a/b", "--directory", operator.folder / "file" / "x")
    assert operator.run("init", *given) == 64
    assert "cannot be made (Not a directory)" in operator.complaint


@pytest.mark.parametrize("odd", ['a"b', "a\\b", "a\nb", "a\x7fb", "ä", "'''", "\u2028"])
def test_whatever_a_path_holds_the_file_says_the_same(odd):
    text = host_file(Answers("https://git.example.org", "a/b", token_file=f"/{odd}"), f"/k/{odd}", f"/s/{odd}")
    gitea = tomllib.loads(text)["gitea"]
    assert (gitea["token_file"], gitea["key_file"], gitea["hook_secret_file"]) == (f"/{odd}", f"/k/{odd}", f"/s/{odd}")
    assert load([Layer("x", LayerKind.HOST, text.encode())], {}).faults == ()

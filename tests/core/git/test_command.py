"""Running git: time, size, complaints, and what reaches it."""

import os
import shutil

import pytest

from werkrevisor_core.errors import GitError
from werkrevisor_core.git.command import find_git, first_line, plain
from werkrevisor_core.git.source import Limits, open_source

GIT = shutil.which("git")


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return what makes a git of a few lines of shell."""

    def make(script, seconds=30.0):
        program = tmp_path / "bin/git"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        return find_git(str(tmp_path), seconds)

    return make


def test_answer(fake):
    answer = fake("echo out; echo err >&2; exit 3").run("x")
    assert (answer.status, answer.out, answer.complaint, answer.lines) == (3, b"out\n", "err\n", ["out"])


def test_time_out(fake):
    with pytest.raises(GitError, match="`git slow` took too long and was stopped"):
        fake("sleep 60", 0.2).run("-c", "a=b", "slow")


def test_time_out_while_talking(fake):
    with fake("sleep 60", 0.2).talk("x") as dialogue, pytest.raises(GitError, match="took too long to answer"):
        dialogue.line()


def test_end_while_talking(fake):
    with fake("read line; exec 0<&-; echo $line").talk("x") as dialogue:
        dialogue.send(b"hello\n")
        assert dialogue.line() == b"hello"
        with pytest.raises(GitError, match="git stopped"):
            dialogue.take(1)
        with pytest.raises(GitError, match="git stopped"):
            dialogue.send(b"hello\n")


def test_complaints_without_end_are_bounded(fake):
    answer = fake("yes complaint | head -c 1000000 >&2; echo done").run("x")
    assert answer.out == b"done\n"
    assert len(answer.complaint) == 4096


def test_file_that_gets_too_large(fake, tmp_path):
    with (tmp_path / "out").open("wb") as out, pytest.raises(GitError, match="larger than 1,000 bytes"):
        fake("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done").write([(["x"], out.fileno())], 1000)


def test_file_that_is_just_too_large(fake, tmp_path):
    with (tmp_path / "out").open("wb") as out:
        fake("printf 12345").write([(["x"], out.fileno())], 5)
    with (tmp_path / "out").open("wb") as out, pytest.raises(GitError, match="larger than 4 bytes"):
        fake("printf 12345").write([(["x"], out.fileno())], 4)


def test_diff_that_is_too_large(repo):
    repo.commit({"a": "1\n"})
    repo.commit({"a": "2\n" * 1000})
    with (
        open_source(repo.path, Limits(diff_bytes=1000)) as source,
        pytest.raises(GitError, match="the diff is larger than 1,000 bytes and was not read: split the change"),
    ):
        source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))


@pytest.mark.parametrize("failing", ["--patch", "--raw"])
def test_git_that_fails_midway(repo, fake, failing):
    repo.commit({"a": "1\n"})
    repo.commit({"a": "2\n"})
    fake(f'case "$*" in *{failing}*) echo "fatal: broken pipe dream" >&2; exit 128;; esac; exec {GIT} "$@"')
    with open_source(repo.path) as source, pytest.raises(GitError, match="broken pipe dream"):
        source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD"))


@pytest.mark.parametrize("lost", ["--patch", "--raw"])
def test_output_that_is_lost_is_no_empty_change(repo, fake, lost):
    repo.commit({"a": "1\n"})
    repo.commit({"a": "2\n"})
    fake(f'case "$*" in *{lost}*) exit 0;; esac; exec {GIT} "$@"')
    with open_source(repo.path) as source:
        (file,) = source.change_set(source.resolve("HEAD~1"), source.resolve("HEAD")).files
    assert file.path == "a"
    assert file.unread is not None


def test_only_what_is_needed_reaches_git(fake, monkeypatch):
    git = fake("env")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    names = {line.partition("=")[0] for line in git.run("x").lines} - {"PWD", "OLDPWD", "_", "SHLVL"}
    assert names == {
        "PATH",
        "LC_ALL",
        "HOME",
        "XDG_CONFIG_HOME",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_GLOBAL",
        "GIT_ATTR_NOSYSTEM",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_GRAFT_FILE",
        "GIT_ALLOW_PROTOCOL",
        "GIT_NO_LAZY_FETCH",
        "GIT_OPTIONAL_LOCKS",
        "GIT_TERMINAL_PROMPT",
        "GIT_ASKPASS",
        "GIT_PAGER",
        "GIT_LITERAL_PATHSPECS",
    }


def test_git_that_cannot_be_started(fake, tmp_path):
    git = fake("exit 0")
    os.truncate(tmp_path / "bin/git", 0)
    (tmp_path / "bin/git").write_bytes(b"\0\0\0\0")
    with pytest.raises(GitError, match="git could not be started"):
        git.run("x")


@pytest.mark.parametrize(
    ("complaint", "reason"),
    [
        ("warning: w\nfatal: bad object x\n", "bad object x"),
        ("error: a\nfatal: b\n", "a"),
        ("something\nelse\n", "something"),
        ("", "it gave no reason"),
        ("fatal: \x1b[31mred\n", "\\x1b[31mred"),
    ],
)
def test_reason(complaint, reason):
    assert first_line(complaint) == reason


def test_plain():
    assert plain("ä b") == "ä b"
    assert plain("a\n\u202e\udcff") == "a\\x0a\\x202e\\xdcff"
    assert plain("x" * 200) == "x" * 200
    assert plain("x" * 201) == "x" * 200 + "..."

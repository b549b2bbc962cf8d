"""Pipes, terminals, interrupts: the program leaves quietly and leaves nothing behind."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = (sys.executable, "-m", "werkrevisor_core.cli.main")
HOSTILE = "b\n\x1b[2J\x9b31m\u202e\u200b.java"


@pytest.fixture
def on_terminal(changed):
    """Run a review whose standard output is a terminal; returns what arrives there."""

    def run(**env):
        ours, theirs = pty.openpty()
        given = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        process = subprocess.Popen(
            [*PROGRAM, "review"], cwd=changed.path, env={**given, "TERM": "xterm", **env}, stdout=theirs
        )
        os.close(theirs)
        parts = []
        while True:
            try:
                parts.append(os.read(ours, 4096))
            except OSError:  # EIO: the other end is closed
                break
            if not parts[-1]:
                break
        os.close(ours)
        assert process.wait(60) == 1
        return b"".join(parts).decode()

    return run


def test_a_terminal_gets_colour(on_terminal):
    assert "\x1b[1;33mYELLOW" in on_terminal()


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_refused(on_terminal, env):
    assert "\x1b" not in on_terminal(**env)


def test_an_empty_no_color_refuses_nothing(on_terminal):
    assert "\x1b[1;33mYELLOW" in on_terminal(NO_COLOR="")


@pytest.mark.parametrize("command", [("review",), ("review", "--format", "json"), ("explain",), ("rules",)])
def test_hostile_file_names_do_not_drive_the_terminal(repo, werkrevisor, command):
    repo.commit({"a": "a\n"})
    repo.commit({HOSTILE: "\x1b]0;title\x07\n"})
    base = () if command == ("rules",) else ("--base", "HEAD~1")
    out = werkrevisor(*command, *base).out
    assert out
    assert not {char for char in out if char != "\n" and not char.isprintable()}


def test_hostile_file_names_stay_whole_in_the_json(repo, werkrevisor):
    repo.commit({"a": "a\n"})
    repo.commit({HOSTILE: "x\n", b"\xff\xfe.java": "x\n"})
    ran = werkrevisor("review", "--base", "HEAD~1", "--format", "json")
    assert [file["path"] for file in json.loads(ran.out)["files"]] == [HOSTILE, "\udcff\udcfe.java"]


@pytest.mark.parametrize("format_", ["text", "markdown", "json", "sarif"])
def test_an_output_that_knows_only_ascii(repo, process, format_):
    repo.commit({"a": "a\n"})
    repo.commit({"sécurité/排查.java": "x\n"})
    ran = process("review", "--base", "HEAD~1", "--format", format_, PYTHONIOENCODING="ascii")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.isascii()


@pytest.mark.parametrize("command", [("review", "--format", "json"), ("explain",), ("rules",)])
def test_a_reader_that_leaves_is_no_error(repo, command):
    repo.commit({"a": "a\n"})
    repo.commit({f"{number:04}-{'x' * 80}.java": "x\n" for number in range(2000)})
    base = () if command == ("rules",) else ("--base", "HEAD~1")
    with subprocess.Popen(
        [*PROGRAM, *command, *base], cwd=repo.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        if command != ("rules",):  # whose output is smaller than a pipe
            assert process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(60), err) == (141, b"")


@pytest.mark.parametrize("command", [("review",), ("review", "--format", "json"), ("explain",), ("rules",)])
def test_an_output_that_is_full_is_one_sentence(changed, command):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *command], cwd=changed.path, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 74
    assert done.stderr == (
        "werkrevisor: the result cannot be written (No space left on device); make room, or send it elsewhere\n"
    )


SLEEPER = """
import time
from pathlib import Path
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.rule import Phase, RuleInfo
RULE = RuleInfo("odd", Phase.GATES, "1")
@hookimpl
def werkrevisor_gate(context):
    Path({started!r}).touch()
    time.sleep(600)
"""


@pytest.mark.parametrize("way", ["Ctrl-C", "SIGINT", "SIGTERM"])
def test_an_interrupt_leaves_nothing_behind(changed, pack, tmp_path, way):
    number, status = (signal.SIGTERM, 143) if way == "SIGTERM" else (signal.SIGINT, 130)
    started, scratch = tmp_path / "started", tmp_path / "scratch"
    scratch.mkdir()
    env = {**os.environ, **pack(SLEEPER.format(started=str(started))), "TMPDIR": str(scratch)}
    with subprocess.Popen(
        [*PROGRAM, "review"],
        cwd=changed.path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while not started.exists():
            assert process.poll() is None
            time.sleep(0.02)
        assert len(list(scratch.iterdir())) == 1  # control: there is something to leave behind
        (os.killpg if way == "Ctrl-C" else os.kill)(process.pid, number)  # a terminal tells the whole group
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (status, b"", b"")
    assert list(scratch.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_review_leaves_no_temporary_folder(changed, process, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    assert process("review", TMPDIR=str(scratch)).status == 1
    assert process("review", "--base", "nonsense", TMPDIR=str(scratch)).status == 64
    assert list(scratch.iterdir()) == []

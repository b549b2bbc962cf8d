"""Real repositories in temporary folders, made without any configuration of the machine, and the command line."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from werkrevisor_core.cli.main import main

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


@frozen
class Repo:
    """A repository under test and the few commands that the tests need."""

    path: Path

    @classmethod
    def new(cls, path: Path, *options: str) -> "Repo":
        path.mkdir(parents=True)
        repo = cls(path)
        repo.git("init", "-q", "-b", "main", *options)
        return repo

    def git(self, *arguments: str | bytes, given: bytes = b"", check: bool = True) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=ENVIRONMENT, input=given, capture_output=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments!r}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, path: str | bytes, data: str | bytes) -> None:
        target = self.path / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)

    def commit(self, files: dict[str, str | bytes] | None = None, message: str = "c") -> str:
        """Write files, commit everything in the work tree, return the commit's id."""
        for path, data in (files or {}).items():
            self.write(path, data)
        self.git("add", "-A")
        return self.commit_index(message)

    def commit_index(self, message: str = "c") -> str:
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commit_blobs(self, files: dict[str, str], message: str = "c") -> str:
        """Commit files by their bytes, past the work tree and every filter."""
        for path, text in files.items():
            self.git("update-index", "--add", "--cacheinfo", f"100644,{self.blob(text.encode())},{path}")
        return self.commit_index(message)

    def blob(self, data: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", "--no-filters", given=data)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.new(tmp_path / "repo")


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that only exists once the code of a hostile repository ran."""
    return tmp_path / "canary"


@pytest.fixture
def trap(tmp_path: Path, canary: Path) -> Path:
    """A program that makes the canary."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\necho ran >> '{canary}'\nexit 1\n")
    program.chmod(0o755)
    return program


@pytest.fixture(scope="session")
def new_repo() -> Callable[[Path], Repo]:
    """Return what makes another repository in a folder."""
    count = itertools.count()
    return lambda folder: Repo.new(folder / f"repo{next(count)}")


PROGRAM = (sys.executable, "-m", "werkrevisor_core.cli.main")


@frozen
class Ran:
    """What a command did: exit status, standard output, standard error."""

    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one sentence of a user's mistake, checked to be one."""
        assert self.status == 64, self
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("werkrevisor: ")
        return line.removeprefix("werkrevisor: ")


@pytest.fixture
def werkrevisor(repo, monkeypatch, capfd) -> Callable[..., Ran]:
    """Run a command in the folder of the repository, or in `cwd`."""

    def run(*arguments: object, cwd: Path | None = None) -> Ran:
        monkeypatch.chdir(cwd or repo.path)
        capfd.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:  # argparse leaves so
            status = left.code
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return run


@pytest.fixture
def process(repo, tmp_path) -> Callable[..., Ran]:
    """Run a command as a process of its own; `given` is its standard input, `env` adds to the environment."""

    def run(*arguments: object, given: bytes = b"", cwd: Path | None = None, **env: str) -> Ran:
        done = subprocess.run(
            [*PROGRAM, *map(str, arguments)],
            input=given,
            cwd=cwd or repo.path,
            env={**os.environ, **env},
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def judged(repo, tmp_path, werkrevisor):
    """Review the last commit, as a range or as a diff; returns (result, path -> file, reason id -> reason)."""

    def run(way="range", *, host="", diff=None, options=()):
        (tmp_path / "host.toml").write_text(host)
        source = ("--base", "HEAD~1")
        if way == "diff" or diff is not None:
            text = repo.git("diff", *options, "HEAD~1", "HEAD") + "\n" if diff is None else diff
            data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
            (tmp_path / "change.diff").write_bytes(data)
            source = ("--diff", tmp_path / "change.diff")
        ran = werkrevisor("review", "--format", "json", "--config", tmp_path / "host.toml", *source)
        assert ran.err == ""
        result = json.loads(ran.out)
        assert ran.status == ["GREEN", "YELLOW", "ORANGE", "RED", "ERROR"].index(result["verdict"])
        files = {file["path"]: file for file in result["files"]}
        return result, files, {reason["id"]: reason for reason in result["reasons"]}

    return run

"""Real repositories in temporary folders, made without any configuration of the machine."""

import itertools
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

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

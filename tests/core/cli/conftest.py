"""The command line as a user meets it: inside this process where that is enough, else as a process."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from werkrevisor_core.cli.main import main

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
def pack(tmp_path) -> Callable[[str], dict[str, str]]:
    """Install a pack with one gate from its source; returns the environment in which it is installed."""

    def install(source: str, name: str = "odd") -> dict[str, str]:
        site = tmp_path / "site"
        gates = site / "odd_pack" / "gates"
        gates.mkdir(parents=True, exist_ok=True)
        (site / "odd_pack" / "__init__.py").touch()
        (gates / "__init__.py").touch()
        (gates / f"{name}.py").write_text(source)
        info = site / "odd_pack-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-pack\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[werkrevisor]\nodd = odd_pack\n")
        return {"PYTHONPATH": str(site)}

    return install


@pytest.fixture
def changed(repo):
    """A repository with a branch `topic` of one changed line of code, checked out; returns the repository."""
    repo.commit({"src/Shop.java": "class Shop {\n    int price = 1;\n}\n", "README.md": "# Shop\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"src/Shop.java": "class Shop {\n    int price = 2;\n}\n"})
    return repo

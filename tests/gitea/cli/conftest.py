"""An operator at a terminal: a host file with its secrets, and the commands that need the forge."""

import tomllib
from functools import partial
from pathlib import Path

import pytest
from attrs import Factory, define

from werkrevisor_core.cli.main import main
from werkrevisor_gitea.http import Http


@define
class Operator:
    """Writes a host file and runs commands; `lines` are those of the last one."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture
    url: str
    repository: str
    gate: dict = Factory(dict)
    gitea: dict = Factory(dict)
    lines: list = Factory(list)
    complaint: str = ""

    @property
    def config(self):
        return self.folder / "host.toml"

    def token(self, value, name="BOT"):
        self.monkeypatch.setenv(name, value)
        return self

    def secret(self, name, text="0123456789abcdef" * 4, mode=0o600):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    def write(self):
        gitea = {"url": self.url, "repository": self.repository, "token_env": "BOT", "key_file": self.secret("key")}
        text = "version = 1\n"
        for section, given in (("gitea", {**gitea, **self.gitea}), ("gate", self.gate)):
            text += f"[{section}]\n" + "".join(f"{name} = {_toml(value)}\n" for name, value in given.items())
        assert tomllib.loads(text)
        self.config.write_text(text)

    def run(self, *arguments):
        self.capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = left.code
        out, self.complaint = self.capsys.readouterr()
        self.lines = out.splitlines()
        return status

    def doctor(self, *arguments):
        self.write()
        return self.run("doctor", "--config", self.config, *arguments)

    def protect(self, *arguments):
        self.write()
        return self.run("protect", "--config", self.config, *arguments)

    def found(self, outcome, about=""):
        """The sentences of the last doctor's lines with this outcome, on this subject."""
        start = f"{outcome:<5} {about}"
        return [line[6:] for line in self.lines if line.startswith(start)]

    @property
    def failed(self):
        return self.found("FAIL")


def _toml(value):
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


@pytest.fixture
def operator(tmp_path, monkeypatch, capsys, forge, project):
    """The operator of the forge under contract, with one human reviewer named."""
    monkeypatch.setenv("BOT", forge.tokens["bot"])
    operator = Operator(tmp_path, monkeypatch, capsys, forge.url, project.full_name)
    operator.gate["human_reviewers"] = [forge.name("reviewer")]
    return operator


@pytest.fixture
def faulty(tmp_path, monkeypatch, capsys, faked):
    """An operator of a forge that can be told to fail, and its repository."""
    project = faked.project()
    monkeypatch.setenv("BOT", faked.tokens["bot"])
    operator = Operator(tmp_path, monkeypatch, capsys, faked.url, project.full_name)
    operator.gate["human_reviewers"] = [faked.name("reviewer")]
    yield operator, project
    faked.fake.faults.clear()
    project.remove()


@pytest.fixture
def nowhere(tmp_path, monkeypatch, capsys):
    """An operator whose server nobody runs."""
    monkeypatch.setenv("BOT", "0123456789abcdef")
    monkeypatch.setattr("werkrevisor_gitea.client.Http", partial(Http, sleep=lambda seconds: None))
    return Operator(tmp_path, monkeypatch, capsys, "http://127.0.0.1:9", "acme/shop")

"""A pull request with a memory on a forge: real pushes, approvals and dismissals, scripted Jev and model.

What `review URL --publish` does is done here for every head: it is read from the server, judged, and
published there, and the next review knows only what the server and the copy of the repository say.
"""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, evolve, field, frozen
from contract.forge import Change, Forge, Project, eventually
from fake import FakeGitea
from report_ground import State

from werkrevisor_core.models.publishing import Published
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.registry import Registry
from werkrevisor_core.session import Prepared
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.cli.review import load_host
from werkrevisor_gitea.reviewing import alone, opened, publish_review

Files = dict[str, str | bytes | Path | None]
"""What stands at each path: text, bytes, a link to somewhere (a path), or nothing."""

SHOP = "class Shop {\n" + "".join(f"    int line{number} = {number};\n" for number in range(40)) + "}\n"
OTHER = "class Other {\n    int a = 1;\n    int b = 2;\n}\n"
BASE: Files = {"src/Shop.java": SHOP, "src/Other.java": OTHER, "docs/a.md": "# A\n\nText.\n"}
SHOP_APPROVED = SHOP.replace("line5 = 5", "line5 = 55").replace("line30 = 30", "line30 = 33")
OTHER_APPROVED = OTHER.replace("a = 1", "a = 9")
CHANGE: Files = {"src/Shop.java": SHOP_APPROVED, "src/Other.java": OTHER_APPROVED}
"""Three blocks in two files: main code without tests, which needs a human."""


@frozen
class Round:
    """One reviewed head: the review, what came of publishing it, and what Jev and the model were asked."""

    review: Review
    published: Published
    model: ScriptedModel
    jev: ScriptedJev

    @property
    def asked(self) -> list[str]:
        """The paths that the model got, none where it was not asked."""
        return [file.path for file in self.model.requests[0].files] if self.model.requests else []


@define
class Ground:
    """A repository of the forge, a pull request in it, and a host that reviews it."""

    project: Project
    folder: Path
    rows: dict[str, str] = field(factory=dict)
    more: str = ""
    mode: str = "combined"
    approvable: str = '["docs_only", "tests_only", "mechanical_only"]'
    change: Change = field(init=False)

    @property
    def forge(self) -> Forge:
        return self.project.forge

    @property
    def bot(self) -> State:
        """What the bot has on the forge."""
        return State.of(self.change)

    @property
    def head(self) -> str:
        return self.project.git("rev-parse", "topic")

    def open(self, files: Files) -> Change:
        """Push a branch with these files by the author, and open a pull request of it."""
        self.project.branch("topic")
        self.write(files)
        self.project.commit("change")
        self.project.push("topic", "author")
        self.change = self.project.open("author", "topic").ready()
        return self.change

    def write(self, files: Files) -> None:
        for path, data in files.items():
            target = self.project.folder / path
            target.unlink(missing_ok=True)
            if isinstance(data, Path):
                target.symlink_to(data)
            elif data is not None:
                self.project.write({path: data})

    def base(self, files: Files) -> str:
        """Let the base branch move by one commit of the owner."""
        self.project.git("checkout", "-q", "main")
        self.write(files)
        sha = self.project.commit("the base moves")
        self.project.push("main", "owner")
        return sha

    def rebase(self, *resolved: Files, onto: str = "main") -> str:
        """Rebase the branch and force it onto the forge; each conflict in turn is resolved with these files."""
        self.project.git("checkout", "-q", "-f", "topic")
        self.project.git("rebase", "-q", onto, check=not resolved)
        for files in resolved:
            self.write(files)
            self.project.git("add", "-A")
            self.project.git("-c", "core.editor=true", "rebase", "--continue")
        return self.pushed()

    def commit(self, files: Files, role: str = "author", **variables: str) -> str:
        """Put one more commit on the branch, and let a role push it."""
        self.project.git("checkout", "-q", "topic")
        self.write(files)
        self.project.git("add", "-A")
        self.project.git("commit", "-q", "--allow-empty", "-m", "more", **variables)
        return self.pushed(role)

    def pushed(self, role: str = "author") -> str:
        """Force the branch onto the forge, and wait until the forge is done with that."""
        sha = self.head
        self.project.git("checkout", "-q", "-f", "topic")
        self.project.push("topic", role, "-f")
        assert eventually(self.change.get, lambda found: found["head"]["sha"] == sha)["head"]["sha"] == sha
        eventually(self.change.pushes, lambda rows: any(sha in row["commit_ids"] for row in rows), patience=3)
        self.forge.rest()
        return sha

    def approve(self, role: str = "reviewer", commit: str = "") -> int:
        return int(self.change.approve(role, commit or self.head)["id"])

    def review(self, jev: float | None = 0.1, findings: Sequence[Finding] = (), *, may_stop: bool = False) -> Round:
        """Review the head as it is on the server, and publish the result there, unless the forge moves meanwhile."""
        model, judge = ScriptedModel(tuple(findings)), ScriptedJev(default=jev)
        host = load_host(str(self._file()))
        host = evolve(host, registry=Registry((*host.registry.rules, model.as_rule(), judge.as_rule())))
        environment = {
            "PATH": os.environ["PATH"],
            "BOT_TOKEN": self.forge.tokens["bot"],
            "WERKREVISOR_CACHE": str(self.folder / "cache"),
        }
        number = self.change.number
        with alone(host, number, environment), opened(host, number, Progress(), environment) as given:
            review = given.ready.run() if isinstance(given.ready, Prepared) else given.ready
            published = publish_review(given, review, environment)
        assert published.whole or (may_stop and published.stopped), published
        return Round(review, published, model, judge)

    def _file(self) -> Path:
        people = ", ".join(f'"{self.forge.name(role)}"' for role in ("reviewer", "second"))
        gate = {"branches": '["main"]', "ci": '"none"', "merge": '"never"', "human_reviewers": f"[{people}]"}
        key = self.folder / "key"
        if not key.exists():
            key.write_text(secrets.token_hex(32) + "\n")
        path = self.folder / "host.toml"
        path.write_text(
            f'[engine]\nmode = "{self.mode}"\n\n[gitea]\nurl = "{self.forge.url}"\n'
            f'repository = "{self.project.full_name}"\ntoken_env = "BOT_TOKEN"\nkey_file = "{key}"\n\n'
            f"[categories]\nauto_approvable = {self.approvable}\n\n[gate]\n"
            + "".join(f"{name} = {value}\n" for name, value in {**gate, **self.rows}.items())
            + self.more
        )
        return path

    def assert_carried(self) -> Round:
        """Review the head: it passes, and neither Jev nor the model was asked. The forge shows that."""
        found = self.review()
        assert (found.asked, found.jev.calls) == ([], [])
        assert found.review.decision is Decision.PASS
        assert all(file.approved for file in found.review.files)
        assert self.bot.approved() == [self.head]
        assert self.bot.statuses(self.head) == ["success"]
        return found

    def assert_not_carried(self, **given: object) -> Round:
        """Review the head: it does not pass, and the bot approves nothing."""
        found = self.review(**given)
        assert found.review.decision is not Decision.PASS
        assert found.model.requests
        assert self.bot.approved() == []
        assert "success" not in self.bot.statuses(self.head)
        return found

    def assert_all_reviewed(self) -> Round:
        """Review the head: nothing of it is covered, and the model gets every file that counts."""
        found = self.assert_not_carried()
        assert not any(file.approved for file in found.review.files)
        assert found.asked == [file.path for file in found.review.files if not file.mechanical]
        return found


Start = Callable[..., Ground]


@pytest.fixture
def started(forge: Forge, tmp_path: Path) -> Iterator[Start]:
    """Return what makes a repository whose rules dismiss stale approvals, and a pull request in it."""
    with starting(forge, tmp_path) as start:
        yield start


@pytest.fixture
def started_on_the_fake(fake_server: FakeGitea, tmp_path: Path) -> Iterator[Start]:
    """Return the same for the fake alone, which can be told to collect what no branch holds."""
    forge = Forge(fake_server.url, fake_server.admin_token(), quiet=0.0, fake=fake_server)
    try:
        forge.set_up()
        with starting(forge, tmp_path) as start:
            yield start
    finally:
        forge.clean_up()


@contextmanager
def starting(forge: Forge, folder: Path) -> Iterator[Start]:
    made: list[Project] = []

    def start(base: Files = BASE, change: Files = CHANGE, *, role: str = "reviewer", **given: object) -> Ground:
        project = forge.project(base)
        made.append(project)
        project.protect(required_approvals=1, dismiss_stale_approvals=True, enable_push=True)
        ground = Ground(project, folder, **given)
        ground.open(change)
        first = ground.review()
        assert first.review.verdict <= Level.ORANGE
        if role:
            ground.approve(role)
        return ground

    try:
        yield start
    finally:
        for project in made:
            project.remove()


@pytest.fixture
def approved(started: Start) -> Ground:
    """A pull request whose head the bot reviewed and a person approved; the base has not moved yet."""
    return started()

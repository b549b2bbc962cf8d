"""The ground of the tests that publish: a host's config for a repository of the forge, and reviews of it."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import define, evolve
from contract.forge import CODE, Change, Project

from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.session import Prepared
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea.cli.review import load_host
from werkrevisor_gitea.reviewing import alone, opened, publish_review

BLANK = CODE.replace("package a\n\n", "package a\n\n\n")
"""The code with one more blank line: mechanical, so GREEN without a model."""
DOUBTFUL = CODE.replace("return 1\n", "return 101\n")
"""The code with another number in it: YELLOW without a model, since nobody read it."""


@define
class Host:
    """A host's config, and reviews by it."""

    project: Project
    folder: Path
    environment: dict[str, str]
    more: dict[str, str]
    seen: object = None

    @property
    def forge(self):
        return self.project.forge

    @property
    def file(self):
        gate = {"branches": '["main"]', "ci": '"none"', "human_reviewers": f'["{self.forge.name("reviewer")}"]'}
        rows = "\n".join(f"{key} = {value}" for key, value in {**gate, **self.more}.items())
        path = self.folder / "host.toml"
        path.write_text(
            f'[engine]\nmode = "rules"\n\n[gitea]\nurl = "{self.forge.url}"\n'
            f'repository = "{self.project.full_name}"\ntoken_env = "BOT_TOKEN"\n'
            f'key_file = "{self.folder / "key"}"\n\n[gate]\n{rows}\n'
        )
        return path

    def token(self, token):
        self.environment["BOT_TOKEN"] = token

    def review(self, change, adjust=lambda review: review):
        """Review and publish; return the review and what came of publishing it."""
        config = load_host(str(self.file))
        with (
            alone(config, change.number, self.environment),
            opened(config, change.number, Progress(), self.environment) as given,
        ):
            self.seen = given.seen
            review = adjust(given.ready.run() if isinstance(given.ready, Prepared) else given.ready)
            return review, publish_review(given, review, self.environment)


PROGRAM = "import sys; from werkrevisor_core.cli.main import main; sys.exit(main(sys.argv[1:]))"


def command(host, change, *more, url=""):
    """Run the command line as a process."""
    url = url or f"{host.forge.url}/{host.project.full_name}/pulls/{change.number}"
    arguments = ["review", url, "--config", str(host.file), *more]
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=host.folder,
        env=host.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.fixture
def host(project, tmp_path):
    """The host of the project's repository."""
    (tmp_path / "key").write_text(secrets.token_hex(32) + "\n")
    environment = {
        "PATH": os.environ["PATH"],
        "BOT_TOKEN": project.forge.tokens["bot"],
        "WERKREVISOR_CACHE": str(tmp_path / "cache"),
    }
    return Host(project, tmp_path, environment, {})


@define
class State:
    """What stands on the forge for one pull request."""

    change: Change
    bot: str

    @classmethod
    def of(cls, change):
        return cls(change, change.forge.name("bot"))

    def comments(self):
        rows = self.change.forge.get("bot", f"{self.change.issue}/comments")
        return [row for row in rows if row["user"]["login"] == self.bot]

    def own_reviews(self, state):
        return [row for row in self.change.reviews() if row["user"]["login"] == self.bot and row["state"] == state]

    def approved(self):
        """Return the heads that the bot's approvals name."""
        return [row["commit_id"] for row in self.own_reviews("APPROVED")]

    def statuses(self, sha, context="werkrevisor/main"):
        """Return the states of the bot's statuses of a commit, newest first."""
        rows = self.change.forge.get("bot", f"{self.change.project.api}/commits/{sha}/statuses?limit=50")
        rows = [row for row in rows if row["context"] == context and row["creator"]["login"] == self.bot]
        return [row["status"] for row in sorted(rows, key=lambda row: -row["id"])]

    def all(self, *shas):
        """Return everything that the bot has on the forge, to compare two moments."""
        lines = [row for review in self.own_reviews("COMMENT") for row in self.change.line_comments(review["id"])]
        return {
            "comments": [row["body"] for row in self.comments()],
            "approved": self.approved(),
            "pending": len(self.own_reviews("PENDING")),
            "lines": sorted((row["path"], row["position"], row["body"]) for row in lines),
            "statuses": [self.statuses(sha) for sha in shas],
            "merged": self.change.get()["merged"],
        }


@pytest.fixture
def green(project):
    """A pull request of which nothing has to be judged."""
    return project.change("Space out", {"a.go": BLANK})


@pytest.fixture
def yellow(project):
    """A pull request that a human has to approve."""
    return project.change("Change F1", {"a.go": DOUBTFUL})


def hinted(review):
    """Add hints to a review, one for each line, which hold its merge."""
    path = review.change.files[0].path
    findings = tuple(Finding("model", "style", path, Level.GREEN, f"look at {line}", line, line) for line in (1, 3))
    return evolve(review, findings=findings, holds=("the line comment is not answered",))

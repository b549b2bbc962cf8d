"""A pull request with a memory: a real repository, comments and statuses as a forge keeps them, people who review."""

import itertools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import define, evolve, field
from scenarios.rebased import APPROVED, BASE, OTHER

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.fingerprints import KeyedFingerprints
from werkrevisor_core.git.source import open_source
from werkrevisor_core.marks.codec import Comment, read_comments, write_marker
from werkrevisor_core.marks.keys import Keyring, Origin
from werkrevisor_core.models.forge import CheckStatus, LineComment, PersonReview, ReviewState
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.registry import load_registry
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.render.wording import status_description
from werkrevisor_core.steps.approval import standing
from werkrevisor_core.steps.ledger import Turn, next_marker, read_ledger, tagged
from werkrevisor_core.testing.build import pull_request
from werkrevisor_core.testing.run import review, sources
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel

ORIGIN = Origin("https://git.example.org", 3)
RING = Keyring.parse("11" * 32)
PRINTS = KeyedFingerprints(RING.fingerprint_keys(ORIGIN))
HOST = """
[engine]
mode = "combined"
[gate]
human_reviewers = ["bob", "eve", "Ada"]
[categories]
auto_approvable = ["docs_only", "tests_only", "mechanical_only"]
"""
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_EDITOR": "true",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A"), ("EMAIL", "a@b"))
    },
}


@define
class PullRequest:
    """A branch `topic` against `main`; times are counted up, so everything that happens has its own."""

    path: Path
    host: str = HOST
    comments: list[Comment] = field(factory=list)
    statuses: list[tuple[str, str]] = field(factory=list)
    reviews: list[PersonReview] = field(factory=list)
    line_comments: list[LineComment] = field(factory=list)
    base: str = "main"
    clock: itertools.count = field(factory=lambda: itertools.count(1))
    registry: object = field(factory=load_registry)

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=ENVIRONMENT, capture_output=True, check=False, text=True
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments!r}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def commit(self, files: dict[str, str | bytes | None], branch: str = "topic") -> str:
        """Commit files on a branch (None removes one) and return the commit's id."""
        self.git("checkout", "-q", branch)
        for name, data in files.items():
            target = self.path / name
            if data is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.encode() if isinstance(data, str) else data)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "c")
        return self.head(branch)

    def head(self, branch: str = "topic") -> str:
        return self.git("rev-parse", branch)

    def rebase(self, *resolved: dict[str, str], onto: str = "main") -> str:
        """Rebase the branch; each conflict in turn is resolved with these files."""
        self.git("checkout", "-q", "topic")
        self.git("rebase", "-q", onto, check=not resolved)
        for files in resolved:
            for name, data in files.items():
                (self.path / name).write_text(data)
            self.git("add", "-A")
            self.git("-c", "core.editor=true", "rebase", "--continue")
        return self.head()

    def approve(self, login: str = "bob", head: str = "", **given: object) -> PersonReview:
        at = float(next(self.clock))
        made = PersonReview(int(at), login, ReviewState.APPROVED, head or self.head(), self.base, at)
        self.reviews.append(evolve(made, **given))
        return self.reviews[-1]

    def request_changes(self, login: str = "bob") -> None:
        self.approve(login, state=ReviewState.CHANGES_REQUESTED)

    def end(self, approval: PersonReview, **given: object) -> None:
        """Change what the forge shows of an approval, e.g. who dismissed it."""
        self.reviews[self.reviews.index(approval)] = evolve(approval, **given)

    def review(self, judges: Sequence[object] = (), **facts: object) -> Review:
        """Review the head as it is, and write comment and status as a reporter does."""
        with open_source(self.path) as source:
            head, base = source.resolve("refs/heads/topic"), source.resolve(f"refs/heads/{self.base}")
            change = evolve(source.change_set(base, head), base_branch=self.base)
            read = read_comments(self.comments, "werkrevisor", RING, ORIGIN, 7)
            ledger = read_ledger(self.statuses, read.markers, read.broken, 7, head)
            known = {
                "head": head,
                "base_branch": self.base,
                "reviews": tuple(self.reviews),
                "statuses": (CheckStatus("build", "success", "ci"),),
                "markers": read.markers,
                "edited": ledger.edited,
                "ignored": read.ignored,
                "line_comments": tuple(self.line_comments),
            }
            forge = pull_request(**{**known, **facts})
            last = ledger.last_complete
            given = sources(
                change=change,
                host=self.host,
                contents=source.contents(change),
                forge=forge,
                history=ledger.history,
                replay=source.replay(change),
                fingerprints=PRINTS,
                earlier=None if last is None else source.contents(evolve(change, head=last.head)),
            )
            found = review(given, judges, (), self.registry)
            turn = Turn(ledger.next_sequence, float(next(self.clock)))
            approvals = standing(forge, GateSettings(human_reviewers=("bob", "eve"))).approvals
            marker = next_marker(found, forge, approvals, PRINTS.of(change.files), turn)
        self._publish(head, render_comment(found) + "\n" + write_marker(marker, RING).text, found, turn)
        return found

    def _publish(self, head: str, body: str, found: Review, turn: Turn) -> None:
        self.comments = [comment for comment in self.comments if head not in comment.body.partition("<!--")[0]]
        self.comments.append(Comment(turn.sequence, "werkrevisor", body))
        self.statuses.append((head, tagged(status_description(found), 7, turn.sequence, 140)))


@pytest.fixture(scope="session")
def registry():
    return load_registry()


@pytest.fixture(scope="session")
def make_pull(registry):
    """Return what makes a pull request whose branches `main` and `topic` start at the same first commit."""

    def make(path: Path) -> PullRequest:
        path.mkdir()
        made = PullRequest(path, registry=registry)
        made.git("init", "-q", "-b", "main")
        made.git("commit", "-q", "--allow-empty", "-m", "first")
        made.git("branch", "topic")
        return made

    return make


@pytest.fixture
def approved(pull: PullRequest) -> PullRequest:
    """A pull request whose head A was reviewed and approved by bob; main has not moved yet."""
    pull.commit({"src/Shop.java": BASE, "src/Other.java": OTHER, "docs/a.md": "# A\n\nText.\n"}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"src/Shop.java": APPROVED, "src/Other.java": OTHER.replace("a = 1", "a = 9")})
    first = pull.review([ScriptedModel(), ScriptedJev()])
    assert (first.verdict, first.decision) == (Level.YELLOW, Decision.WAIT)
    pull.approve()
    return pull


@pytest.fixture
def pull(tmp_path: Path, make_pull) -> PullRequest:
    return make_pull(tmp_path / "repo")

"""The data base of the fake: everything it remembers, behind one lock."""

from __future__ import annotations

import itertools
import random
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from .late import Late
from .model import Comment, Hook, Pull, Repo, Review, Rule, Team, Token, User
from .repository import Git

DEFAULT_UNITS = {
    "repo.code": "write",
    "repo.issues": "write",
    "repo.pulls": "write",
}


class State:
    """All rows, and the ways to add and find them.

    Args:
        delay: seconds between a call and its late effects.
        version: what `GET /version` says.
        seed: makes the random order of line comments repeatable.
    """

    def __init__(self, delay: float, version: str, seed: int) -> None:
        self.url = ""
        self.version = version
        self.lock = threading.RLock()
        self.late = Late(delay)
        self.random = random.Random(seed)  # noqa: S311 - an order, not a secret
        self.root = Path(tempfile.mkdtemp(prefix="fake-gitea-"))
        self.users: list[User] = []
        self.tokens: list[Token] = []
        self.teams: list[Team] = []
        self.repos: list[Repo] = []
        self.moved: dict[str, Repo] = {}
        self.between_line_comments: Callable[[], None] | None = None
        self._ids = {
            kind: itertools.count(1) for kind in ("user", "token", "team", "repo", "pull", "review", "comment")
        }
        self._ids |= {kind: itertools.count(1) for kind in ("rule", "hook", "status")}

    def next_id(self, kind: str) -> int:
        return next(self._ids[kind])

    @staticmethod
    def now() -> int:
        return int(time.time())

    def close(self) -> None:
        self.late.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def add_user(self, name: str, password: str = "", *, is_admin: bool = False, is_org: bool = False) -> User:
        user = User(self.next_id("user"), name, self.now(), password, is_admin, is_org)
        self.users.append(user)
        return user

    def add_token(self, user: User, name: str, scopes: tuple[str, ...]) -> Token:
        token = Token(self.next_id("token"), user, name, secrets.token_hex(20), scopes)
        self.tokens.append(token)
        return token

    def add_team(self, org: User, name: str, mode: int, units: dict[str, str]) -> Team:
        team = Team(self.next_id("team"), org, name, mode, units)
        self.teams.append(team)
        return team

    def add_repo(self, owner: User, name: str, branch: str = "main", parent: Repo | None = None) -> Repo:
        number = self.next_id("repo")
        path = self.root / f"{number}.git"
        Git.create(path, branch)
        repo = Repo(number, owner, name, path, self.now(), default_branch=branch, parent=parent, updated=self.now())
        self.repos.append(repo)
        return repo

    def add_rule(self, repo: Repo, name: str, options: dict[str, object]) -> Rule:
        rule = Rule(self.next_id("rule"), name, options, self.now(), len(repo.rules) + 1, self.now())
        repo.rules.append(rule)
        return rule

    def add_hook(
        self, repo: Repo, url: str, content_type: str, secret: str, events: list[str], *, active: bool
    ) -> Hook:
        hook = Hook(self.next_id("hook"), url, content_type, secret, events, active, self.now())
        repo.hooks.append(hook)
        return hook

    def add_review(
        self, pull: Pull, user: User | None, kind: str, *, commit: str = "", team: Team | None = None
    ) -> Review:
        now = self.now()
        review = Review(self.next_id("review"), pull, user, team, kind, "", commit, now, now)
        pull.reviews.append(review)
        return review

    def add_comment(self, pull: Pull, user: User, kind: str, body: str = "") -> Comment:
        now = self.now()
        comment = Comment(self.next_id("comment"), pull, user, kind, body, now, now)
        pull.comments.append(comment)
        pull.updated = now
        return comment

    def user(self, name: str) -> User | None:
        return next((user for user in self.users if user.name.lower() == name.lower()), None)

    def token(self, sha: str) -> Token | None:
        return next((token for token in self.tokens if token.sha == sha), None)

    def repo(self, owner: str, name: str) -> Repo | None:
        wanted = f"{owner}/{name}".lower()
        return next((repo for repo in self.repos if repo.full_name.lower() == wanted), None)

    def pull(self, repo: Repo, index: int) -> Pull | None:
        return next((pull for pull in repo.pulls if pull.index == index), None)

    def comment(self, repo: Repo, number: int) -> Comment | None:
        rows = (comment for pull in repo.pulls for comment in pull.comments)
        return next((comment for comment in rows if comment.id == number), None)

    def all_pulls(self) -> list[Pull]:
        return [pull for repo in self.repos for pull in repo.pulls]

    def remove_user(self, user: User) -> None:
        """Forget a user with everything of theirs."""
        for repo in [repo for repo in self.repos if repo.owner is user]:
            self.remove_repo(repo)
        self.tokens = [token for token in self.tokens if token.user is not user]
        self.teams = [team for team in self.teams if team.org is not user]
        for team in self.teams:
            team.members = [member for member in team.members if member is not user]
        self.users.remove(user)

    def remove_repo(self, repo: Repo) -> None:
        """Forget a repository; pull requests that come from it lose their head repository and are closed."""
        for pull in self.all_pulls():
            if pull.head_repo is repo and pull.repo is not repo:
                pull.head_repo = None
                if not pull.closed:
                    pull.closed, pull.closed_at = True, self.now()
        self.repos.remove(repo)
        self.moved = {name: target for name, target in self.moved.items() if target is not repo}
        shutil.rmtree(repo.path, ignore_errors=True)

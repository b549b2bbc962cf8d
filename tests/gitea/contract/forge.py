"""The ground of the contract: users, repositories and pushes on a forge, by plain HTTP and git.

Nothing here knows which forge it talks to. Names carry a suffix of the run, so that a real server can be
used again and again; everything that was made is deleted at the end.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from attrs import Factory, define, field

ROLES = ("owner", "author", "reviewer", "second", "bot", "reader", "forker")
CODE = "package a\n\n" + "".join(f"func F{i}() int {{\n\treturn {i}\n}}\n\n" for i in range(20))
PATIENCE = 20.0
ALL = ("all",)


def eventually(read: Callable[[], Any], holds: Callable[[Any], bool] = bool, *, patience: float = PATIENCE) -> Any:
    """Read until something holds, and return what was read last: the caller asserts it."""
    end = time.monotonic() + patience
    while True:
        found = read()
        if holds(found) or time.monotonic() > end:
            return found
        time.sleep(0.02)


@define
class Forge:
    """A forge under test and an account of each role.

    Attributes:
        url: its root.
        admin: the token of a site admin.
        quiet: seconds after which an effect that did not come will not come.
        fake: the fake behind it, or None for a real server.
    """

    url: str
    admin: str
    quiet: float
    fake: Any = None
    suffix: str = Factory(lambda: secrets.token_hex(4))
    tokens: dict[str, str] = Factory(dict)
    team: int = 0
    _client: httpx.Client = field(init=False)
    _repos: list[str] = Factory(list)
    _count: Iterator[int] = Factory(lambda: itertools.count(1))

    def __attrs_post_init__(self) -> None:
        self._client = httpx.Client(timeout=60, trust_env=False)

    @property
    def org(self) -> str:
        return f"org-{self.suffix}"

    def name(self, role: str) -> str:
        """Return the login of a role."""
        return f"{role}-{self.suffix}"

    def api(
        self, role: str | None, method: str, path: str, body: Any = None, *, token: str = "", **options: Any
    ) -> httpx.Response:
        """Call the API as a role, as the site admin (`admin`), with a token, or as nobody (None)."""
        token = token or {"admin": self.admin, None: ""}.get(role) or self.tokens.get(role or "", "")
        headers = {"Authorization": f"token {token}"} if token else {}
        headers |= options.pop("headers", {})
        content = {} if body is None else {"json": body}
        return self._client.request(method, f"{self.url}/api/v1{path}", headers=headers, **content, **options)

    def get(self, role: str | None, path: str) -> Any:
        """Return the JSON of a GET that must succeed."""
        answer = self.api(role, "GET", path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    def made(self, role: str | None, method: str, path: str, body: Any = None) -> Any:
        """Make a call that must succeed and return its JSON, if it has any."""
        answer = self.api(role, method, path, body)
        assert answer.is_success, (method, path, answer.status_code, answer.text)
        return answer.json() if "json" in answer.headers.get("content-type", "") and answer.content else None

    def set_up(self) -> None:
        """Make an account of each role, an organisation and its team of maintainers."""
        for role in ROLES:
            self.add_account(role)
        self.made("owner", "POST", "/orgs", {"username": self.org, "visibility": "public"})
        team = {"name": "maintainers", "permission": "write", "units": ["repo.code", "repo.pulls", "repo.issues"]}
        self.team = self.made("owner", "POST", f"/orgs/{self.org}/teams", {**team, "includes_all_repositories": True})[
            "id"
        ]
        self.made("owner", "PUT", f"/teams/{self.team}/members/{self.name('second')}")

    def add_account(self, role: str) -> None:
        name = self.name(role)
        account = {"username": name, "email": f"{name}@example.com", "password": self.password(role)}
        self.made("admin", "POST", "/admin/users", {**account, "must_change_password": False})
        self.tokens[role] = self.token(role, ALL)

    def password(self, role: str) -> str:
        return f"{role}-Passw0rd-{self.suffix}"

    def token(self, role: str, scopes: tuple[str, ...]) -> str:
        """Return a new token of a role with these scopes."""
        body = {"name": f"t{next(self._count)}-{secrets.token_hex(3)}", "scopes": list(scopes)}
        path = f"{self.url}/api/v1/users/{self.name(role)}/tokens"
        answer = self._client.post(path, json=body, auth=(self.name(role), self.password(role)))
        assert answer.status_code == 201, answer.text
        return str(answer.json()["sha1"])

    def clean_up(self) -> None:
        """Delete what was made; a name that is gone already is fine."""
        for full_name in self._repos:
            self.api("admin", "DELETE", f"/repos/{full_name}")
        self.api("admin", "DELETE", f"/orgs/{self.org}")
        for role in self.tokens:
            self.api("admin", "DELETE", f"/admin/users/{self.name(role)}?purge=true")
        self._client.close()

    def project(self, files: dict[str, str | bytes] | None = None, **settings: Any) -> Project:
        """Make a repository of the organisation with the roles as collaborators and a first commit."""
        name = f"repo-{next(self._count)}"
        self.made("owner", "POST", f"/orgs/{self.org}/repos", {"name": name, "default_branch": "main", **settings})
        self.remember(f"{self.org}/{name}")
        for role, right in (("author", "write"), ("reviewer", "write"), ("bot", "admin"), ("reader", "read")):
            path = f"/repos/{self.org}/{name}/collaborators/{self.name(role)}"
            self.made("owner", "PUT", path, {"permission": right})
        project = Project(self, f"{self.org}/{name}")
        project.git("init", "-q", "-b", "main")
        project.write(files or {"a.go": CODE, "b.txt": "1\n2\n3\n"})
        project.commit("initial")
        project.push("main", "owner")
        # Until the first push has been followed up, pull requests answer 404.
        eventually(lambda: self.api("owner", "GET", f"{project.api}/pulls").status_code, lambda code: code == 200)
        return project

    def remember(self, full_name: str) -> None:
        """Note a repository that is to be deleted at the end."""
        self._repos.append(full_name)

    def rest(self) -> None:
        """Let everything happen that is going to happen."""
        if self.fake is None:
            time.sleep(self.quiet)
        else:
            self.fake.settle()

    @contextmanager
    def window(self) -> Iterator[None]:
        """Hold the late effects of pushes, where the forge lets us: a window that is else short stays open."""
        if self.fake is None:
            yield
            return
        with self.fake.state.late.held():
            yield


@define
class Project:
    """A repository on the forge with a clone to push from."""

    forge: Forge
    full_name: str
    folder: Path = Factory(lambda: Path(tempfile.mkdtemp(prefix="contract-")))
    _clock: Iterator[int] = Factory(lambda: itertools.count(1_790_000_000, 60))

    @property
    def api(self) -> str:
        return f"/repos/{self.full_name}"

    def git(self, *arguments: str, check: bool = True, **variables: str) -> str:
        """Run git in the clone and return what it printed."""
        now = f"{next(self._clock)} +0000"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.com",
            "GIT_AUTHOR_DATE": now,
            "GIT_COMMITTER_DATE": now,
            **variables,
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, capture_output=True, check=False, timeout=120
        )
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        for path, data in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.encode() if isinstance(data, str) else data)

    def replace(self, path: str, old: str, new: str) -> None:
        target = self.folder / path
        text = target.read_text()
        assert old in text
        target.write_text(text.replace(old, new))

    def commit(self, message: str, *options: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)
        return self.git("rev-parse", "HEAD")

    def push(self, branch: str, role: str, *options: str, repo: str = "", check: bool = True) -> str:
        """Push HEAD to a branch with the role's token in a header, as the product will do it."""
        credentials = self.credentials(role)
        url = f"{self.forge.url}/{repo or self.full_name}.git"
        return self.git("push", "-q", *options, url, f"HEAD:refs/heads/{branch}", check=check, **credentials)

    def credentials(self, role: str) -> dict[str, str]:
        """Return the environment that carries a token to git: not in the address, not in the arguments."""
        return {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: token {self.forge.tokens[role]}",
        }

    def branch(self, name: str, at: str = "main") -> None:
        self.git("checkout", "-q", "-B", name, at)

    def open(self, role: str, head: str, title: str = "Change", base: str = "main", body: str = "") -> Change:
        """Open a pull request and wait until it is known to be mergeable."""
        wanted = {"head": head, "base": base, "title": title, "body": body}
        answer = eventually(
            lambda: self.forge.api(role, "POST", f"{self.api}/pulls", wanted), lambda found: found.status_code != 404
        )
        assert answer.status_code == 201, answer.text
        return Change(self, answer.json()["number"])

    def change(
        self, title: str = "Change F1", edit: dict[str, str | bytes] | None = None, branch: str = "topic"
    ) -> Change:
        """Push a branch by the author that changes one line, and open a pull request of it."""
        self.branch(branch)
        self.write(edit or {"a.go": CODE.replace("return 1\n", "return 101\n")})
        self.commit(title)
        self.push(branch, "author")
        return self.open("author", branch, title).ready()

    def protect(self, branch: str = "main", **options: Any) -> Any:
        body = {"rule_name": branch, **options}
        return self.forge.made("owner", "POST", f"{self.api}/branch_protections", body)

    def status(self, role: str, sha: str, state: str, context: str = "werkrevisor/main") -> httpx.Response:
        body = {"state": state, "context": context, "description": "d", "target_url": "https://example.com/r/1"}
        return self.forge.api(role, "POST", f"{self.api}/statuses/{sha}", body)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@define
class Change:
    """A pull request."""

    project: Project
    number: int

    @property
    def forge(self) -> Forge:
        return self.project.forge

    @property
    def api(self) -> str:
        return f"{self.project.api}/pulls/{self.number}"

    @property
    def issue(self) -> str:
        return f"{self.project.api}/issues/{self.number}"

    @property
    def head(self) -> str:
        """The commit that is checked out in the clone, which pushed it."""
        return self.project.git("rev-parse", "HEAD")

    def get(self, role: str = "bot") -> Any:
        return self.forge.get(role, self.api)

    def listed(self, role: str = "bot") -> Any:
        """Return the same pull request out of the list."""
        rows = self.forge.get(role, f"{self.project.api}/pulls?state=all&limit=50")
        return next(row for row in rows if row["number"] == self.number)

    def ready(self) -> Change:
        """Wait until the conflict check is done and the pull request is mergeable."""
        assert eventually(self.get, lambda found: found["mergeable"])["mergeable"]
        return self

    def edit(self, role: str = "author", **fields: Any) -> httpx.Response:
        return self.forge.api(role, "PATCH", self.api, fields)

    def reviews(self, role: str = "bot") -> list[Any]:
        rows: list[Any] = self.forge.get(role, f"{self.api}/reviews?limit=50")
        return rows

    def review_of(self, role: str, state: str = "APPROVED") -> Any:
        """Return the newest review of a role in a state."""
        own = [row for row in self.reviews() if row["user"] and row["user"]["login"] == self.forge.name(role)]
        return [row for row in own if row["state"] == state][-1]

    def review(
        self, role: str, event: str, body: str = "", comments: list[Any] | None = None, commit: str = ""
    ) -> httpx.Response:
        wanted = {"event": event, "body": body, "comments": comments or []}
        if commit:
            wanted["commit_id"] = commit
        return self.forge.api(role, "POST", f"{self.api}/reviews", wanted)

    def approve(self, role: str, commit: str = "") -> Any:
        answer = self.review(role, "APPROVED", "ok", commit=commit or self.head)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def line_comments(self, review: int, role: str = "bot") -> list[Any]:
        """Return the line comments of a review by their number: the forge sends them in no order."""
        rows = self.forge.get(role, f"{self.api}/reviews/{review}/comments")
        return sorted(rows, key=lambda row: row["id"])

    def drafts(self, role: str) -> list[Any]:
        return [row for row in self.reviews(role) if row["state"] == "PENDING"]

    def timeline(self, *kinds: str, role: str = "bot") -> list[Any]:
        rows = self.forge.get(role, f"{self.issue}/timeline?limit=50") or []
        return [row for row in rows if row and (not kinds or row["type"] in kinds)]

    def pushes(self) -> list[Any]:
        """Return the decoded push entries of the timeline."""
        return [json.loads(row["body"]) for row in self.timeline("pull_push")]

    def push(self, path: str = "a.go", old: str = "return 5\n", new: str = "return 505\n", role: str = "author") -> str:
        """Push one more commit to the head branch."""
        self.project.replace(path, old, new)
        sha = self.project.commit("more")
        self.project.push("topic", role)
        return sha

    def settled(self, sha: str) -> Change:
        """Wait until a push was followed up: its entry is there and the conflict check is done."""
        eventually(self.pushes, lambda rows: any(sha in row["commit_ids"] for row in rows))
        eventually(self.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
        self.forge.rest()
        return self

    def merge(self, role: str = "bot", sha: str = "", **options: Any) -> httpx.Response:
        """Merge pinned to a head, again while the forge says to try later."""
        body = {"Do": "merge", "head_commit_id": sha or self.head, **options}
        answer: httpx.Response = eventually(
            lambda: self.forge.api(role, "POST", f"{self.api}/merge", body),
            lambda found: "try again later" not in found.text,
        )
        return answer

    def schedule(self, role: str = "bot", sha: str = "") -> httpx.Response:
        return self.merge(role, sha, merge_when_checks_succeed=True)

    def cancel(self, role: str = "bot") -> httpx.Response:
        return self.forge.api(role, "DELETE", f"{self.api}/merge")

    def becomes_merged(self) -> bool:
        return bool(eventually(self.get, lambda found: found["merged"])["merged"])

    def stays_open(self) -> bool:
        """Tell whether it is still not merged after the time in which it would have been."""
        self.forge.rest()
        return not eventually(self.get, lambda found: found["merged"], patience=self.forge.quiet)["merged"]

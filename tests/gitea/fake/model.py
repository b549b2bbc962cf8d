"""What the fake remembers: users, repositories, pull requests, reviews, comments, statuses, rules, hooks.

These are the rows of its data base: mutable, compared by identity, changed only under the lock of the
state. Dates are seconds since 1970, as the server keeps them.
"""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define

READ, WRITE, ADMIN, OWNER = 1, 2, 3, 4
MODES = {"none": 0, "read": READ, "write": WRITE, "admin": ADMIN, "owner": OWNER}
MODE_NAMES = {number: name for name, number in MODES.items()}

APPROVED, REQUEST_CHANGES, COMMENT = "APPROVED", "REQUEST_CHANGES", "COMMENT"
PENDING, REQUEST_REVIEW = "PENDING", "REQUEST_REVIEW"
DECISIVE = (APPROVED, REQUEST_CHANGES)


@define(eq=False)
class User:
    """A person, a bot or an organisation."""

    id: int
    name: str
    created: int
    password: str = ""
    is_admin: bool = False
    is_org: bool = False
    mail: str = ""

    @property
    def email(self) -> str:
        return "" if self.is_org else self.mail or f"{self.name}@example.com"


@define(eq=False)
class Token:
    """An access token and what it may be used for."""

    id: int
    user: User
    name: str
    sha: str
    scopes: tuple[str, ...]


@define(eq=False)
class Team:
    """Members of an organisation and what they may do in all of its repositories."""

    id: int
    org: User
    name: str
    mode: int
    units: dict[str, str]
    members: list[User] = Factory(list)
    all_repositories: bool = True


@define(eq=False)
class Rule:
    """A branch protection; `options` holds every field of the API by its name there."""

    id: int
    name: str
    options: dict[str, object]
    created: int
    priority: int = 1
    updated: int = 0

    def on(self, option: str) -> bool:
        return bool(self.options[option])

    def names(self, option: str) -> list[str]:
        value = self.options[option]
        return [str(name) for name in value] if isinstance(value, list) else []


@define(eq=False)
class Hook:
    """A webhook of one repository."""

    id: int
    url: str
    content_type: str
    secret: str
    events: list[str]
    active: bool
    created: int
    authorization: str = ""
    branch_filter: str = ""


@define(eq=False)
class Status:
    """One row of commit statuses: there is no update, each POST adds a row."""

    index: int
    sha: str
    state: str
    context: str
    description: str
    target_url: str
    creator: User
    created: int


@define(eq=False)
class Repo:
    """A repository: its settings and a bare git repository on disk."""

    id: int
    owner: User
    name: str
    path: Path
    created: int
    private: bool = False
    archived: bool = False
    empty: bool = True
    default_branch: str = "main"
    parent: Repo | None = None
    collaborators: dict[str, int] = Factory(dict)
    rules: list[Rule] = Factory(list)
    hooks: list[Hook] = Factory(list)
    statuses: list[Status] = Factory(list)
    pulls: list[Pull] = Factory(list)
    updated: int = 0

    @property
    def full_name(self) -> str:
        return f"{self.owner.name}/{self.name}"


@define(eq=False)
class Schedule:
    """A merge that waits for its checks: pinned to no commit."""

    doer: User
    style: str
    message: str
    delete_branch: bool


@define(eq=False)
class Pull:
    """A pull request."""

    id: int
    index: int
    repo: Repo
    poster: User
    title: str
    body: str
    base: str
    head_repo: Repo | None
    head_branch: str
    merge_base: str
    created: int
    updated: int
    reviews: list[Review] = Factory(list)
    comments: list[Comment] = Factory(list)
    closed: bool = False
    checking: bool = True
    conflict: bool = False
    behind: int = 0
    locked: bool = False
    content_version: int = 0
    schedule: Schedule | None = None
    closed_at: int = 0
    merged_at: int = 0
    merged_by: User | None = None
    merge_commit: str = ""

    @property
    def merged(self) -> bool:
        return bool(self.merge_commit)

    @property
    def draft(self) -> bool:
        return self.title.upper().startswith(("WIP:", "[WIP]"))

    @property
    def mergeable(self) -> bool:
        return not (self.checking or self.conflict or self.draft)

    @property
    def ref(self) -> str:
        return f"refs/pull/{self.index}/head"


@define(eq=False)
class Review:
    """A review, a draft of one, or a request for one."""

    id: int
    pull: Pull
    user: User | None
    team: Team | None
    kind: str
    body: str
    commit: str
    created: int
    updated: int
    stale: bool = False
    official: bool = False
    dismissed: bool = False


@define(eq=False)
class Comment:
    """A row of the timeline: comments, line comments (kind `code`) and events."""

    id: int
    pull: Pull
    user: User
    kind: str
    body: str
    created: int
    updated: int
    review: Review | None = None
    review_id: int = 0
    path: str = ""
    line: int = 0
    commit: str = ""
    hunk: str = ""
    resolver: User | None = None
    old_ref: str = ""
    new_ref: str = ""
    old_title: str = ""
    new_title: str = ""
    assignee: User | None = None
    team: Team | None = None
    removed: bool = False

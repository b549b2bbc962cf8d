"""The JSON of Gitea and Forgejo that we use, as frozen models with the forge's own field names.

Fields that decide something have no default: an answer without them is refused. Unknown fields are
ignored; null stands for the default where there is one. Times are seconds since the epoch (UTC), 0
where the forge has none. How JSON becomes these models is in `reading.py`.
"""

from typing import NewType

from attrs import frozen

Instant = NewType("Instant", float)
"""Seconds since the epoch, UTC; an RFC 3339 text on the wire."""

_NEVER = Instant(0.0)


@frozen
class Version:
    """What `/version` says, e.g. `1.26.4` or `16.0.0+gitea-1.22.0`."""

    version: str


@frozen
class ServerSettings:
    """Limits of the server's API."""

    max_response_items: int = 50
    default_paging_num: int = 30


@frozen
class User:
    """An account; the id is negative for one that was deleted."""

    id: int
    login: str
    email: str = ""
    is_admin: bool = False


@frozen
class Team:
    """A team of an organisation."""

    id: int
    name: str
    permission: str = ""


@frozen
class Permissions:
    """What the asking account may do in a repository."""

    admin: bool = False
    push: bool = False
    pull: bool = False


@frozen
class UserPermission:
    """What some account may do in a repository: `none`, `read`, `write`, `admin` or `owner`."""

    permission: str
    user: User | None = None


@frozen
class Repository:
    """A repository; `permissions` are those of the asking account."""

    id: int
    full_name: str
    owner: User
    name: str
    default_branch: str = ""
    archived: bool = False
    private: bool = False
    empty: bool = False
    fork: bool = False
    permissions: Permissions | None = None
    clone_url: str = ""
    html_url: str = ""
    object_format_name: str = "sha1"
    allow_merge_commits: bool = True
    allow_rebase: bool = True
    allow_rebase_explicit: bool = True
    allow_squash_merge: bool = True
    allow_fast_forward_only_merge: bool = True


@frozen
class PullBranch:
    """Base or head of a pull request; `repo` is None and `repo_id` -1 where a fork was deleted.

    `sha` is empty for a base whose branch is gone.
    """

    ref: str
    sha: str = ""
    label: str = ""
    repo_id: int = -1
    repo: Repository | None = None


@frozen
class PullRequest:
    """A pull request; open requests for a review stand among the reviews."""

    number: int
    state: str
    base: PullBranch
    head: PullBranch
    id: int = 0
    title: str = ""
    body: str = ""
    user: User | None = None
    draft: bool = False
    is_locked: bool = False
    mergeable: bool = False
    merged: bool = False
    merged_at: Instant = _NEVER
    merged_by: User | None = None
    merge_commit_sha: str = ""
    merge_base: str = ""
    comments: int = 0
    changed_files: int = 0
    html_url: str = ""
    created_at: Instant = _NEVER
    updated_at: Instant = _NEVER


@frozen
class Identity:
    """Who stands in a commit as author or committer."""

    name: str = ""
    email: str = ""
    date: Instant = _NEVER


@frozen
class CommitBody:
    """The part of a commit that git wrote."""

    author: Identity | None = None
    committer: Identity | None = None
    message: str = ""


@frozen
class Commit:
    """A commit; `author` and `committer` are accounts, None where the mail address belongs to none."""

    sha: str
    commit: CommitBody
    author: User | None = None
    committer: User | None = None


@frozen
class Review:
    """A review, or a request for one (`REQUEST_REVIEW`, with an empty `commit_id`).

    `state` is APPROVED, PENDING, COMMENT, REQUEST_CHANGES, REQUEST_REVIEW or empty. `stale`,
    `official` and `dismissed` are what the forge shows; see the traps in the docs of the history.
    """

    id: int
    state: str
    commit_id: str = ""
    body: str = ""
    user: User | None = None
    team: Team | None = None
    stale: bool = False
    official: bool = False
    dismissed: bool = False
    comments_count: int = 0
    submitted_at: Instant = _NEVER
    updated_at: Instant = _NEVER
    html_url: str = ""


@frozen
class ReviewComment:
    """A line comment: `position` is a line of the new file, `original_position` of the old; the other is 0.

    `resolver` is None while it is open. `pull_request_review_id` is the review it belongs to; replies of
    other people have the same.
    """

    id: int
    body: str
    path: str
    pull_request_review_id: int = 0
    user: User | None = None
    resolver: User | None = None
    position: int = 0
    original_position: int = 0
    commit_id: str = ""
    original_commit_id: str = ""
    created_at: Instant = _NEVER
    updated_at: Instant = _NEVER
    html_url: str = ""


@frozen
class IssueComment:
    """A plain comment. Any writer can edit one of the bot, and it still shows the bot as its user."""

    id: int
    body: str
    user: User | None = None
    created_at: Instant = _NEVER
    updated_at: Instant = _NEVER
    html_url: str = ""


@frozen
class TimelineEntry:
    """One entry of a timeline; which fields are filled depends on `type`.

    `dismiss_review`: `review_id`, `body`. `review`: `review_id`, `body`. `review_request`: `assignee` or
    `assignee_team`, `removed_assignee`. `change_target_branch`: `old_ref`, `new_ref`. `change_title`:
    `old_title`, `new_title`. `pull_push`: `body` is JSON.
    """

    id: int
    type: str
    user: User | None = None
    body: str = ""
    review_id: int = 0
    old_ref: str = ""
    new_ref: str = ""
    old_title: str = ""
    new_title: str = ""
    assignee: User | None = None
    assignee_team: Team | None = None
    removed_assignee: bool = False
    created_at: Instant = _NEVER
    updated_at: Instant = _NEVER


@frozen
class Status:
    """One row of the statuses of a commit; `id` counts per commit, the newest of a context is the highest."""

    id: int
    status: str
    context: str = ""
    description: str = ""
    target_url: str = ""
    creator: User | None = None
    created_at: Instant = _NEVER
    updated_at: Instant = _NEVER


@frozen
class BranchCommit:
    """The commit at the tip of a branch."""

    id: str
    message: str = ""


@frozen
class Branch:
    """A branch and what any reader may know of its protection."""

    name: str
    commit: BranchCommit
    protected: bool = False
    required_approvals: int = 0
    enable_status_check: bool = False
    status_check_contexts: tuple[str, ...] = ()
    user_can_push: bool = False
    user_can_merge: bool = False
    effective_branch_protection_name: str = ""


@frozen
class BranchProtection:
    """A rule that protects branches; readable with repository admin only.

    Forgejo has `apply_to_admins` where Gitea has `block_admin_merge_override`; each is None where the
    server does not know it. `enable_bypass_allowlist` and its lists are of Gitea 1.27.
    """

    rule_name: str
    priority: int = 0
    enable_push: bool = False
    enable_push_whitelist: bool = False
    push_whitelist_usernames: tuple[str, ...] = ()
    push_whitelist_teams: tuple[str, ...] = ()
    push_whitelist_deploy_keys: bool = False
    enable_force_push: bool = False
    enable_force_push_allowlist: bool = False
    force_push_allowlist_usernames: tuple[str, ...] = ()
    force_push_allowlist_teams: tuple[str, ...] = ()
    force_push_allowlist_deploy_keys: bool = False
    enable_merge_whitelist: bool = False
    merge_whitelist_usernames: tuple[str, ...] = ()
    merge_whitelist_teams: tuple[str, ...] = ()
    enable_status_check: bool = False
    status_check_contexts: tuple[str, ...] = ()
    required_approvals: int = 0
    enable_approvals_whitelist: bool = False
    approvals_whitelist_username: tuple[str, ...] = ()
    approvals_whitelist_teams: tuple[str, ...] = ()
    block_on_rejected_reviews: bool = False
    block_on_official_review_requests: bool = False
    block_on_outdated_branch: bool = False
    dismiss_stale_approvals: bool = False
    ignore_stale_approvals: bool = False
    require_signed_commits: bool = False
    protected_file_patterns: str = ""
    unprotected_file_patterns: str = ""
    block_admin_merge_override: bool | None = None
    apply_to_admins: bool | None = None
    enable_bypass_allowlist: bool = False
    bypass_allowlist_usernames: tuple[str, ...] = ()
    bypass_allowlist_teams: tuple[str, ...] = ()


@frozen
class HookConfig:
    """Where a webhook delivers to; the forge never gives the secret back."""

    url: str = ""
    content_type: str = ""


@frozen
class Hook:
    """A webhook of a repository."""

    id: int
    type: str = ""
    active: bool = False
    events: tuple[str, ...] = ()
    config: HookConfig = HookConfig()
    branch_filter: str = ""


@frozen
class FileContents:
    """A file at a commit; `content` is base64, empty where the file is too large for the API."""

    type: str
    path: str
    sha: str
    size: int = 0
    encoding: str = ""
    content: str = ""
    target: str = ""

"""The JSON of users, repositories, branches, rules, hooks and statuses, field by field as recorded."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from . import access
from .model import ADMIN, MODE_NAMES, READ, WRITE, Hook, Repo, Rule, Status, Team, User
from .repository import Git
from .state import State

JSON = dict[str, Any]
NEVER = "0001-01-01T00:00:00Z"
EPOCH = "1970-01-01T00:00:00Z"


def date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def date_or_none(seconds: int) -> str | None:
    return date(seconds) if seconds else None


GHOST = -1
"""The number of everybody whose account was deleted."""


def user_json(state: State, user: User | None) -> JSON | None:
    """Return a user, or null for nobody."""
    if user is None:
        return None
    face = hashlib.md5(user.name.encode(), usedforsecurity=False).hexdigest()
    return {
        "id": user.id,
        "login": user.name,
        "login_name": "",
        "source_id": 0,
        "full_name": "",
        "email": user.email,
        "avatar_url": f"{state.url}/avatars/{face}",
        "html_url": f"{state.url}/{user.name}",
        "language": "",
        "is_admin": user.is_admin,
        "last_login": EPOCH,
        "created": date(user.created),
        "restricted": False,
        "active": True,
        "prohibit_login": False,
        "location": "",
        "website": "",
        "description": "",
        "visibility": "public",
        "followers_count": 0,
        "following_count": 0,
        "starred_repos_count": 0,
        "username": user.name,
    }


def team_json(team: Team | None, org: JSON | None = None) -> JSON | None:
    if team is None:
        return None
    return {
        "id": team.id,
        "name": team.name,
        "description": "",
        "organization": org,
        "includes_all_repositories": team.all_repositories,
        "permission": MODE_NAMES[team.mode] if team.mode >= ADMIN else "none",
        "units": sorted(team.units),
        "units_map": dict(team.units),
        "can_create_org_repo": False,
    }


def api_url(state: State, repo: Repo) -> str:
    return f"{state.url}/api/v1/repos/{repo.full_name}"


def web_url(state: State, repo: Repo) -> str:
    return f"{state.url}/{repo.full_name}"


def permissions(state: State, repo: Repo, doer: User | None) -> JSON:
    mode = access.mode(state, repo, doer)
    return {"admin": mode >= ADMIN, "push": mode >= WRITE, "pull": mode >= READ}


REPO_DEFAULTS: JSON = {
    "has_code": True,
    "has_issues": True,
    "internal_tracker": {
        "enable_time_tracker": True,
        "allow_only_contributors_to_track_time": True,
        "enable_issue_dependencies": True,
    },
    "has_wiki": True,
    "has_pull_requests": True,
    "has_projects": True,
    "projects_mode": "all",
    "has_releases": True,
    "has_packages": False,
    "has_actions": False,
    "ignore_whitespace_conflicts": False,
    "allow_merge_commits": True,
    "allow_rebase": True,
    "allow_rebase_explicit": True,
    "allow_squash_merge": True,
    "allow_fast_forward_only_merge": True,
    "allow_rebase_update": True,
    "allow_manual_merge": False,
    "autodetect_manual_merge": False,
    "default_delete_branch_after_merge": False,
    "default_merge_style": "merge",
    "default_allow_maintainer_edit": True,
    "avatar_url": "",
    "internal": False,
    "mirror_interval": "",
    "object_format_name": "sha1",
    "mirror_updated": NEVER,
    "topics": [],
    "licenses": [],
}


def repo_json(state: State, repo: Repo | None, doer: User | None) -> JSON | None:
    """Return a repository as one user sees it."""
    if repo is None:
        return None
    host = state.url.split("://")[-1].split(":")[0]
    parent = {} if repo.parent is None else {"parent": repo_json(state, repo.parent, doer)}
    return {
        "id": repo.id,
        "owner": user_json(state, repo.owner),
        "name": repo.name,
        "full_name": repo.full_name,
        "description": "",
        "empty": repo.empty,
        "private": repo.private,
        "fork": repo.parent is not None,
        "template": False,
        **parent,
        "mirror": False,
        "size": 0,
        "language": "",
        "languages_url": f"{api_url(state, repo)}/languages",
        "html_url": web_url(state, repo),
        "url": api_url(state, repo),
        "link": "",
        "ssh_url": f"git@{host}:{repo.full_name}.git",
        "clone_url": f"{web_url(state, repo)}.git",
        "original_url": "",
        "website": "",
        "stars_count": 0,
        "forks_count": 0,
        "watchers_count": 0,
        "branch_count": len([name for name in Git(repo.path).refs() if name.startswith("refs/heads/")]),
        "open_issues_count": 0,
        "open_pr_counter": len([pull for pull in repo.pulls if not pull.closed]),
        "release_counter": 0,
        "default_branch": repo.default_branch,
        "archived": repo.archived,
        "created_at": date(repo.created),
        "updated_at": date(repo.updated),
        "archived_at": EPOCH,
        "permissions": permissions(state, repo, doer),
        **REPO_DEFAULTS,
    }


def status_json(state: State, repo: Repo, status: Status) -> JSON:
    return {
        "id": status.index,
        "status": status.state,
        "target_url": status.target_url,
        "description": status.description,
        "url": f"{api_url(state, repo)}/statuses/{status.sha}",
        "context": status.context,
        "creator": None if status.creator.id == GHOST else user_json(state, status.creator),
        "created_at": date(status.created),
        "updated_at": date(status.created),
    }


def rule_json(rule: Rule) -> JSON:
    return {
        "branch_name": "" if access.is_special(rule.name) else rule.name,
        "rule_name": rule.name,
        "priority": rule.priority,
        **rule.options,
        "created_at": date(rule.created),
        "updated_at": date(rule.updated),
    }


def hook_json(hook: Hook) -> JSON:
    """Return a hook; its secret is never shown."""
    return {
        "id": hook.id,
        "name": "",
        "type": "gitea",
        "branch_filter": hook.branch_filter,
        "config": {"content_type": hook.content_type, "url": hook.url},
        "events": hook.events,
        "authorization_header": hook.authorization,
        "active": hook.active,
        "updated_at": date(hook.created),
        "created_at": date(hook.created),
    }


def person(git: Git, sha: str, role: str) -> JSON:
    """Return the author (`a`) or committer (`c`) of a commit as payloads name them."""
    name, email = git.run("log", "-1", f"--format=%{role}n%n%{role}e", sha).split("\n")
    return {"name": name, "email": email, "username": ""}


def payload_commit(state: State, repo: Repo, sha: str, *, files: bool) -> JSON:
    """Return a commit in the form of branches and webhooks."""
    git = Git(repo.path)
    changed: dict[str, list[str]] = {"A": [], "D": [], "M": []}
    if files:
        for line in git.run("show", "--format=", "--name-status", "--no-renames", sha).splitlines():
            kind, _, name = line.partition("\t")
            changed.setdefault(kind, []).append(name)
    return {
        "id": sha,
        "message": git.run("log", "-1", "--format=%B", sha),
        "url": f"{web_url(state, repo)}/commit/{sha}",
        "author": person(git, sha, "a"),
        "committer": person(git, sha, "c"),
        "verification": None if files else UNVERIFIED,
        "timestamp": git.run("log", "-1", "--format=%cI", sha),
        "added": changed["A"] if files else None,
        "removed": changed["D"] if files else None,
        "modified": changed["M"] if files else None,
    }


UNVERIFIED: JSON = {
    "verified": False,
    "reason": "gpg.error.not_signed_commit",
    "signature": "",
    "signer": None,
    "payload": "",
}


def branch_json(state: State, repo: Repo, name: str, sha: str, doer: User | None) -> JSON:
    """Return a branch; the rule's name is for those with admin rights, its whitelists for nobody."""
    rule = access.rule_of(repo, name)
    return {
        "name": name,
        "commit": payload_commit(state, repo, sha, files=False),
        "protected": rule is not None,
        "required_approvals": rule.options["required_approvals"] if rule else 0,
        "enable_status_check": rule.on("enable_status_check") if rule else False,
        "status_check_contexts": rule.names("status_check_contexts") if rule else [],
        "user_can_push": access.may_push(state, repo, name, doer),
        "user_can_merge": access.may_merge(state, repo, name, doer),
        "effective_branch_protection_name": rule.name if rule and access.is_admin(state, repo, doer) else "",
    }

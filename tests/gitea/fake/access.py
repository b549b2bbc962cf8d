"""Who may do what: rights in a repository, branch rules and official reviews."""

from __future__ import annotations

import fnmatch

from .model import ADMIN, OWNER, READ, WRITE, Pull, Repo, Rule, Team, User
from .state import State

RULE_DEFAULTS: dict[str, object] = {
    "enable_push": False,
    "enable_push_whitelist": False,
    "push_whitelist_usernames": [],
    "push_whitelist_teams": [],
    "push_whitelist_deploy_keys": False,
    "enable_force_push": False,
    "enable_force_push_allowlist": False,
    "force_push_allowlist_usernames": [],
    "force_push_allowlist_teams": [],
    "force_push_allowlist_deploy_keys": False,
    "enable_merge_whitelist": False,
    "merge_whitelist_usernames": [],
    "merge_whitelist_teams": [],
    "enable_status_check": False,
    "status_check_contexts": None,  # null, not an empty list, until some are named
    "required_approvals": 0,
    "enable_approvals_whitelist": False,
    "approvals_whitelist_username": [],
    "approvals_whitelist_teams": [],
    "block_on_rejected_reviews": False,
    "block_on_official_review_requests": False,
    "block_on_outdated_branch": False,
    "dismiss_stale_approvals": False,
    "ignore_stale_approvals": False,
    "require_signed_commits": False,
    "protected_file_patterns": "",
    "unprotected_file_patterns": "",
    "block_admin_merge_override": False,
}


def teams_of(state: State, repo: Repo, user: User) -> list[Team]:
    return [team for team in state.teams if team.org is repo.owner and user in team.members]


def mode(state: State, repo: Repo, user: User | None) -> int:
    """Return what a user may do in a repository: 0 nothing, else READ to OWNER."""
    public = 0 if repo.private else READ
    if user is None:
        return public
    if user.is_admin or user is repo.owner:
        return OWNER
    team = max((team.mode for team in teams_of(state, repo, user)), default=0)
    return max(public, team, repo.collaborators.get(user.name.lower(), 0))


def shown_mode(state: State, repo: Repo, user: User) -> int:
    """Return the right that `/permission` shows: it does not know what a team below admin gives."""
    if user.is_admin or user is repo.owner:
        return OWNER
    teams = [team.mode for team in teams_of(state, repo, user) if team.mode >= ADMIN]
    return max([0 if repo.private else READ, repo.collaborators.get(user.name.lower(), 0), *teams])


def may_write(state: State, repo: Repo, user: User | None) -> bool:
    return mode(state, repo, user) >= WRITE


def is_admin(state: State, repo: Repo, user: User | None) -> bool:
    return mode(state, repo, user) >= ADMIN


def is_special(name: str) -> bool:
    return any(letter in name for letter in "*?[]{}\\")


def matches(rule: Rule, branch: str) -> bool:
    """Tell whether a rule is for a branch; a star does not cross a slash, two do."""
    if not is_special(rule.name):
        return rule.name.lower() == branch.lower()
    if "**" not in rule.name and rule.name.count("/") != branch.count("/"):
        return False
    return fnmatch.fnmatchcase(branch, rule.name.replace("**", "*"))


def rule_of(repo: Repo, branch: str) -> Rule | None:
    """Return the one rule that applies to a branch."""
    found = sorted(repo.rules, key=lambda rule: (rule.priority, is_special(rule.name), rule.id))
    return next((rule for rule in found if matches(rule, branch)), None)


def listed(state: State, repo: Repo, rule: Rule, user: User, lists: tuple[str, str]) -> bool:
    """Tell whether a user is in one of two lists of a rule: that of names, and that of teams."""
    names, teams = lists
    if user.name.lower() in (name.lower() for name in rule.names(names)):
        return True
    return any(team.name in rule.names(teams) for team in teams_of(state, repo, user))


def may_merge(state: State, repo: Repo, branch: str, user: User | None) -> bool:
    """Tell whether a user may merge into a branch; nobody is above a merge whitelist."""
    if user is None:
        return False
    rule = rule_of(repo, branch)
    if rule is None or not rule.on("enable_merge_whitelist"):
        return may_write(state, repo, user)
    return listed(state, repo, rule, user, ("merge_whitelist_usernames", "merge_whitelist_teams"))


def may_push(state: State, repo: Repo, branch: str, user: User | None) -> bool:
    if user is None or not may_write(state, repo, user):
        return False
    rule = rule_of(repo, branch)
    if rule is None:
        return True
    if not rule.on("enable_push"):
        return False
    if not rule.on("enable_push_whitelist"):
        return True
    return listed(state, repo, rule, user, ("push_whitelist_usernames", "push_whitelist_teams"))


def may_force_push(state: State, repo: Repo, branch: str, user: User | None) -> bool:
    rule = rule_of(repo, branch)
    if user is None or rule is None:
        return may_push(state, repo, branch, user)
    if not rule.on("enable_force_push") or not may_push(state, repo, branch, user):
        return False
    if not rule.on("enable_force_push_allowlist"):
        return True
    return listed(state, repo, rule, user, ("force_push_allowlist_usernames", "force_push_allowlist_teams"))


def is_official(state: State, pull: Pull, user: User) -> bool:
    """Tell whether a review of this user counts for the base branch of a pull request."""
    rule = rule_of(pull.repo, pull.base)
    if rule is None or not rule.on("enable_approvals_whitelist"):
        return may_write(state, pull.repo, user)
    return listed(state, pull.repo, rule, user, ("approvals_whitelist_username", "approvals_whitelist_teams"))


def is_official_team(pull: Pull, team: Team) -> bool:
    rule = rule_of(pull.repo, pull.base)
    if rule is None:
        return False
    if not rule.on("enable_approvals_whitelist"):
        return team.mode >= WRITE
    return team.name in rule.names("approvals_whitelist_teams")


def may_request_reviews(state: State, pull: Pull, user: User) -> bool:
    """Tell whether a user may choose reviewers; a site admin as such may not."""
    repo = pull.repo
    if repo.archived:
        return False
    if user in (pull.poster, repo.owner) or user.name.lower() in repo.collaborators:
        return True
    return bool(teams_of(state, repo, user))

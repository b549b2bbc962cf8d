"""Conflict checks, branch rules, merging and the schedule."""

from __future__ import annotations

import fnmatch
import re

from . import access, webhooks
from .model import APPROVED, REQUEST_CHANGES, REQUEST_REVIEW, Pull, Repo, Rule, Schedule, Status, User
from .repository import Git
from .routing import Refused
from .state import State

STYLES = ("merge", "rebase", "rebase-merge", "squash", "fast-forward-only")
FAILED = ("error", "failure", "warning")
PASSED = ("success", "skipped")
LATER = "Please try again later"


def check_later(state: State, pull: Pull) -> None:
    """Start the conflict check: until it has run, nobody can merge."""
    pull.checking = True
    state.late.add(lambda: finish_check(state, pull), 0.5)


def finish_check(state: State, pull: Pull) -> None:
    with state.lock:
        if pull.merged or pull.repo not in state.repos:
            return
        check_now(state, pull)
        if pull.schedule is not None:
            wake(state, pull)


def check_now(state: State, pull: Pull) -> None:
    """Look for conflicts and note the merge base."""
    git = Git(pull.repo.path)
    base, head = git.branch(pull.base), bring_head(pull) or git.ref(pull.ref)
    if not base or not head or pull.merged:
        return
    pull.merge_base = git.merge_base(base, head)
    pull.behind = git.count(f"{head}..{base}")
    pull.conflict = git.try_merge(base, head).conflict
    pull.checking = False


def bring_head(pull: Pull) -> str:
    """Return the branch that a merge takes, with its objects in the base repository."""
    if pull.head_repo is None:
        return ""
    sha = Git(pull.head_repo.path).branch(pull.head_branch)
    if sha and pull.head_repo is not pull.repo:
        Git(pull.repo.path).copy_objects(Git(pull.head_repo.path), sha)
    return sha


def newest_statuses(repo: Repo, sha: str) -> list[Status]:
    """Return the newest row of each context, oldest context first."""
    newest = {status.context: status for status in repo.statuses if status.sha == sha}
    return sorted(newest.values(), key=lambda status: status.index)


def combine(states: list[str]) -> str:
    """Combine states as 1.26 does: a warning is a failure, an unknown word never a success."""
    if any(state in FAILED for state in states):
        return "failure"
    return "success" if states and all(state in PASSED for state in states) else "pending"


def checks_pass(pull: Pull, rule: Rule) -> bool:
    """Tell whether the required statuses of the head branch are there and successful."""
    if not rule.on("enable_status_check"):
        return True
    head = bring_head(pull)
    if not head:
        raise Refused(500, "")
    statuses = newest_statuses(pull.repo, head)
    wanted = rule.names("status_check_contexts")
    if not statuses:
        return False
    if not wanted:
        return combine([status.state for status in statuses]) == "success"
    chosen = [[status.state for status in statuses if fnmatch.fnmatchcase(status.context, name)] for name in wanted]
    return all(chosen) and combine([state for states in chosen for state in states]) == "success"


def blocked_by(pull: Pull, rule: Rule | None) -> str:
    """Return why the rule of the base forbids the merge, or an empty text; the order is the server's."""
    if rule is None:
        return ""
    counted = [review for review in pull.reviews if review.official and not review.dismissed]
    fresh = [review for review in counted if not (rule.on("ignore_stale_approvals") and review.stale)]
    approvals = len([review for review in fresh if review.kind == APPROVED])
    required = rule.options["required_approvals"]
    rejected = any(review.kind == REQUEST_CHANGES for review in counted)
    requested = any(review.kind == REQUEST_REVIEW and review.official for review in pull.reviews)
    reasons = {
        "Not all required status checks successful": not checks_pass(pull, rule),
        "Does not have enough approvals": isinstance(required, int) and approvals < required,
        "There are requested changes": rule.on("block_on_rejected_reviews") and rejected,
        "There are official review requests": rule.on("block_on_official_review_requests") and requested,
        "The head branch is behind the base branch": rule.on("block_on_outdated_branch") and pull.behind > 0,
        "Changed protected files": bool(protected_files(pull, rule)),
    }
    return next((text for text, holds in reasons.items() if holds), "")


def protected_files(pull: Pull, rule: Rule) -> list[str]:
    """Return the changed files under a protected pattern; a star crosses neither dots nor slashes."""
    parts = str(rule.options["protected_file_patterns"]).lower().split(";")
    patterns = [pattern_of(part.strip()) for part in parts if part.strip()]
    git = Git(pull.repo.path)
    names = git.run("diff", "--name-only", pull.merge_base, git.ref(pull.ref)).lower().splitlines() if patterns else []
    return [name for name in names if any(pattern.fullmatch(name) for pattern in patterns)]


def pattern_of(glob: str) -> re.Pattern[str]:
    """Return a glob of files as an expression: one star stops at a dot and at a slash, two do not."""
    parts = re.split(r"(\*\*|\*|\?)", glob)
    stars = {"**": ".*", "*": "[^./]*", "?": "[^./]"}
    return re.compile("".join(stars.get(part) or re.escape(part) for part in parts))


def is_empty(pull: Pull) -> bool:
    """Tell whether the base is the head already; the server then answers as if it were checking, for ever."""
    git = Git(pull.repo.path)
    return git.branch(pull.base) == git.ref(pull.ref)


def check_mergeable(state: State, pull: Pull, doer: User, *, scheduling: bool, force: bool = False) -> None:
    """Refuse what may not be merged, with the texts and in the order of the server."""
    if pull.merged:
        raise Refused(405, "The PR is already merged")
    if pull.closed:
        raise Refused(404, "not found", errors=None)
    if not access.may_merge(state, pull.repo, pull.base, doer):
        raise Refused(405, "User not allowed to merge PR")
    if pull.draft:
        raise Refused(405, "Work in progress PRs cannot be merged")
    if pull.checking or pull.conflict or is_empty(pull):
        raise Refused(405, LATER)
    rule = access.rule_of(pull.repo, pull.base)
    why = blocked_by(pull, rule)
    overrides = force and access.is_admin(state, pull.repo, doer)
    overrides = overrides and not (rule is not None and rule.on("block_admin_merge_override"))
    if why and not scheduling and not overrides:
        raise Refused(405, why)


def merge(state: State, pull: Pull, doer: User, style: str, message: str, *, expected: str = "") -> None:
    """Merge the head branch as it is now; `expected` is the only thing that pins it."""
    if style not in STYLES:
        raise Refused(405, f"{style} is not allowed an allowed merge style for this repository")
    git = Git(pull.repo.path)
    base, head = git.branch(pull.base), bring_head(pull)
    if expected and expected != head:
        raise Refused(409, "head out of date")
    sha = merged_commit(git, base, head, style=style, message=message, name=doer.name)
    if not sha:
        raise Refused(409, "merge conflict")
    git.set_ref(f"refs/heads/{pull.base}", sha)
    pull.closed, pull.closed_at = True, state.now()
    pull.merged_at, pull.merged_by, pull.merge_commit = state.now(), doer, sha
    pull.schedule = None
    state.add_comment(pull, doer, "merge_pull")
    webhooks.pull_changed(state, pull, doer, "closed")
    webhooks.pushed(state, pull.repo, doer, ref=f"refs/heads/{pull.base}", old=base, new=sha)
    for other in state.all_pulls():
        if other.repo is pull.repo and other.base == pull.base and not other.closed:
            check_later(state, other)


def merged_commit(git: Git, base: str, head: str, *, style: str, message: str, name: str) -> str:
    """Return the commit that a style of merging makes, or an empty text for a conflict."""
    if style == "fast-forward-only":
        return head if git.is_ancestor(base, head) else ""
    if style in ("rebase", "rebase-merge"):
        rebased = git.rebase(base, head, name)
        if style == "rebase" or not rebased:
            return rebased
        return git.commit_tree(git.run("rev-parse", f"{rebased}^{{tree}}"), [base, rebased], message, name)
    trial = git.try_merge(base, head)
    if trial.conflict:
        return ""
    return git.commit_tree(trial.tree, [base] if style == "squash" else [base, head], message, name)


def default_message(pull: Pull, style: str) -> str:
    if style == "squash":
        return f"{pull.title} (#{pull.index})"
    return f"Merge pull request '{pull.title}' (#{pull.index}) from {pull.head_branch} into {pull.base}"


def schedule(state: State, pull: Pull, doer: User, style: str, message: str, *, delete_branch: bool) -> None:
    """Remember that a merge shall happen: who, how, and no commit."""
    if pull.schedule is not None:
        text = f"pull request is already scheduled to auto merge when checks succeed [pull_id: {pull.id}]"
        raise Refused(409, text)
    pull.schedule = Schedule(doer, style, message, delete_branch)
    state.add_comment(pull, doer, "pull_scheduled_merge")
    wake(state, pull)


def wake(state: State, pull: Pull, sha: str = "") -> None:
    """Queue a look at the schedule, for the head as it is now or for the commit that got a success."""
    head = Git(pull.repo.path).ref(pull.ref)
    if sha and (sha != head or pull.checking or pull.conflict or pull.merged):
        return
    state.late.add(lambda: merge_scheduled(state, pull, sha or head), 0.5)


def wake_all(state: State, repo: Repo, sha: str) -> None:
    """Queue a look at every pull request of a repository that has this head."""
    for pull in repo.pulls:
        wake(state, pull, sha)


def merge_scheduled(state: State, pull: Pull, sha: str) -> None:
    """Merge a scheduled pull request if the rules let its scheduler; else it stays scheduled."""
    with state.lock:
        waiting = pull.schedule
        if (
            waiting is None
            or pull.head_repo is None
            or pull.repo not in state.repos
            or Git(pull.repo.path).ref(pull.ref) != sha
        ):
            return
        rule = access.rule_of(pull.repo, pull.base)
        try:
            if rule is not None and not checks_pass(pull, rule):
                return
            check_mergeable(state, pull, waiting.doer, scheduling=False)
            merge(state, pull, waiting.doer, waiting.style, waiting.message)
        except Refused:
            return

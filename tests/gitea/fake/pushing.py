"""What a push does: the branch at once, everything else of it late and in two steps.

First the ref of the pull request and its timeline entry, then stale flags and dismissals. A push while the
pull request is closed does none of it, not even after it is reopened.
"""

from __future__ import annotations

import json
from functools import partial

from . import access, merging, webhooks
from .model import APPROVED, Comment, Pull, Repo, User
from .repository import ZERO, Git
from .state import State

PUSHED_TEXT = "New commits pushed, approval review dismissed automatically according to repository settings"
HEADS = "refs/heads/"


def received(state: State, repo: Repo, pusher: User, before: dict[str, str], after: dict[str, str]) -> None:
    """Note which branches a push has changed and queue what follows."""
    for ref in sorted(before.keys() | after.keys()):
        old, new = before.get(ref, ZERO), after.get(ref, ZERO)
        if old != new and ref.startswith(HEADS):
            state.late.add(partial(branch_pushed, state, repo, pusher, ref=ref, old=old, new=new))


def branch_pushed(state: State, repo: Repo, pusher: User, *, ref: str, old: str, new: str) -> None:
    """Follow up a push of one branch: the first step."""
    with state.lock:
        if repo not in state.repos:
            return
        repo.empty, repo.updated = False, state.now()
        branch = ref.removeprefix(HEADS)
        webhooks.pushed(state, repo, pusher, ref=ref, old=old, new=new)
        if new == ZERO:
            branch_deleted(state, repo, pusher, branch)
            return
        forced = old != ZERO and not Git(repo.path).is_ancestor(old, new)
        touched = [pull for pull in open_pulls(state) if pull.head_repo is repo and pull.head_branch == branch]
        for pull in touched:
            head_pushed(state, pull, pusher, old, new, forced=forced)
            state.late.add(partial(judge_reviews, state, pull, pusher, old, new), 0.5)
        for pull in open_pulls(state):
            if pull.repo is repo and pull.base == branch:
                merging.check_later(state, pull)


def open_pulls(state: State) -> list[Pull]:
    return [pull for pull in state.all_pulls() if not pull.closed]


def head_pushed(state: State, pull: Pull, pusher: User, old: str, new: str, *, forced: bool) -> None:
    """Move the ref of a pull request, write the timeline entry, start the conflict check."""
    git = Git(pull.repo.path)
    if pull.head_repo is not None and pull.head_repo is not pull.repo:
        git.copy_objects(Git(pull.head_repo.path), new)
    git.set_ref(pull.ref, new)
    push_entries(state, pull, pusher, old, new, forced=forced)
    merging.check_later(state, pull)


def push_entries(state: State, pull: Pull, pusher: User, old: str, new: str, *, forced: bool) -> None:
    """Write the entries of a push; a forced one rewrites the older entries too."""
    git = Git(pull.repo.path)
    base = git.branch(pull.base)
    if not forced:
        shas = git.commits(new, f"^{old}", f"^{base}") if old != ZERO else []  # a new branch writes none
        if shas:
            add_push(state, pull, pusher, shas, forced=False)
        return
    merge_base = git.merge_base(base, new)
    fresh = git.commits(new, *([f"^{merge_base}"] if merge_base else []))
    fresh = forget_overwritten(pull, fresh)
    if fresh:
        add_push(state, pull, pusher, fresh, forced=False)
    add_push(state, pull, pusher, [old, new], forced=True)


def forget_overwritten(pull: Pull, fresh: list[str]) -> list[str]:
    """Drop overwritten commits from older entries and return the commits that none of them names."""
    kept = set(fresh)
    for comment in [comment for comment in pull.comments if comment.kind == "pull_push"]:
        content = json.loads(comment.body)
        if content["is_force_push"]:
            continue
        left = [sha for sha in content["commit_ids"] if sha in kept]
        if not left:
            pull.comments.remove(comment)
            continue
        comment.body = push_body(left, forced=False)
        fresh = [sha for sha in fresh if sha not in left]
    return fresh


def push_body(shas: list[str], *, forced: bool) -> str:
    return json.dumps({"is_force_push": forced, "commit_ids": shas}, separators=(",", ":"))


def add_push(state: State, pull: Pull, pusher: User, shas: list[str], *, forced: bool) -> Comment:
    return state.add_comment(pull, pusher, "pull_push", push_body(shas, forced=forced))


def judge_reviews(state: State, pull: Pull, pusher: User, old: str, new: str) -> None:
    """Set stale flags and dismiss approvals: the second step, by the rule of the real server."""
    with state.lock:
        if pull.repo not in state.repos:
            return
        git = Git(pull.repo.path)
        base = git.merge_base(git.branch(pull.base), git.ref(pull.ref))
        pull.merge_base = pull.merge_base if pull.merged else base or pull.merge_base
        if old != ZERO and git.content_changed(new, old, base):
            for review in pull.reviews:
                review.stale = True
            rule = access.rule_of(pull.repo, pull.base)
            if rule is not None and rule.on("dismiss_stale_approvals"):
                dismiss_approvals(state, pull, pusher)
        for review in pull.reviews:
            if review.commit == new:
                review.stale = False
        webhooks.pull_changed(state, pull, pusher, "synchronized")


def dismiss_approvals(state: State, pull: Pull, pusher: User) -> None:
    for review in pull.reviews:
        if review.kind == APPROVED and not review.dismissed:
            review.dismissed = True
            entry = state.add_comment(pull, pusher, "dismiss_review", PUSHED_TEXT)
            entry.review_id = review.id
            merging.wake(state, pull)


def branch_deleted(state: State, repo: Repo, doer: User, branch: str) -> None:
    """Close the pull requests that came from a branch."""
    for pull in open_pulls(state):
        if pull.head_repo is repo and pull.head_branch == branch:
            close(state, pull, doer)
            entry = state.add_comment(pull, doer, "delete_branch")
            entry.old_ref = branch


def close(state: State, pull: Pull, doer: User) -> None:
    pull.closed, pull.closed_at = True, state.now()
    state.add_comment(pull, doer, "close")
    webhooks.pull_changed(state, pull, doer, "closed")


def reopen(state: State, pull: Pull, doer: User) -> None:
    """Open a pull request again; what was pushed in between is not looked at."""
    pull.closed, pull.closed_at = False, 0
    state.add_comment(pull, doer, "reopen")
    webhooks.pull_changed(state, pull, doer, "reopened")


def retarget(state: State, pull: Pull, doer: User, base: str) -> None:
    """Change the base: reviews stay as they are, push entries are replaced by one of who retargets."""
    git = Git(pull.repo.path)
    entry = state.add_comment(pull, doer, "change_target_branch")
    entry.old_ref, entry.new_ref = pull.base, base
    pull.base = base
    pull.comments = [comment for comment in pull.comments if comment.kind != "pull_push"]
    head = git.ref(pull.ref)
    shas = git.commits(head, f"^{git.branch(base)}")
    if shas:
        add_push(state, pull, doer, shas, forced=False)
    merging.check_now(state, pull)
    changes = {"ref": {"from": base}}  # the new name, as the real server has it
    webhooks.pull_changed(state, pull, doer, "edited", changes)

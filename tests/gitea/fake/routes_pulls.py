"""Routes of pull requests: list, open, edit, close, merge, schedule."""

from __future__ import annotations

from . import access, merging, pushing, webhooks
from .model import Pull, Repo
from .repository import Git
from .routing import Call, Refused, Reply, Route, not_found, paged
from .wire_pull import pull_json

NO_CHANGES = "Invalid PullRequest: There are no changes between the head and the base"


def list_pulls(call: Call) -> Reply:
    """List pull requests, the newest first, each with the head that the base repository knows."""
    state = call.query.get("state", "all")  # without the parameter the closed ones are in it
    rows = [pull for pull in call.repo.pulls if state == "all" or pull.closed == (state == "closed")]
    base, poster = call.query.get("base_branch", ""), call.query.get("poster", "")
    rows = [pull for pull in rows if (not base or pull.base == base) and (not poster or pull.poster.name == poster)]
    page, headers = paged(call, rows[::-1])
    return Reply(200, [pull_json(call.state, pull, call.user, listed=True) for pull in page], headers=headers)


def get_pull(call: Call) -> Reply:
    pull = call.pull()
    return Reply(200, pull_json(call.state, pull, call.user))


def head_of(call: Call, head: str) -> tuple[Repo, str]:
    """Return repository and branch of `branch`, `owner:branch` or `owner/repo:branch`."""
    owner, colon, branch = head.partition(":")
    if not colon:
        return call.repo, head
    name, slash, repo_name = owner.partition("/")
    family = [repo for repo in call.state.repos if repo.parent is call.repo or repo is call.repo]
    own = [repo for repo in family if repo.owner.name.lower() == name.lower() and (not slash or repo.name == repo_name)]
    if not own:
        raise not_found()
    return own[0], branch


def get_by_branches(call: Call) -> Reply:
    """Return some pull request of these branches, in any state: not a way to find the open one."""
    repo, branch = head_of(call, call.names["head"])
    found = [
        pull
        for pull in call.repo.pulls
        if (pull.head_repo, pull.head_branch, pull.base) == (repo, branch, call.names["base"])
    ]
    if not found:
        raise not_found()
    return Reply(200, pull_json(call.state, found[0], call.user))


def create_pull(call: Call) -> Reply:
    """Open a pull request."""
    state, body = call.state, call.body
    base, head = str(body.get("base", "")), str(body.get("head", ""))
    if base == head:
        raise Refused(422, NO_CHANGES)
    head_repo, branch = head_of(call, head)
    git, head_git = Git(call.repo.path), Git(head_repo.path)
    base_sha, head_sha = git.branch(base), head_git.branch(branch)
    if not base_sha or not head_sha:
        raise not_found()
    same = [
        pull for pull in call.repo.pulls if (pull.head_repo, pull.head_branch, pull.base) == (head_repo, branch, base)
    ]
    if any(not pull.closed for pull in same):
        raise Refused(
            409, f"pull request already exists for these targets [head_branch: {branch}, base_branch: {base}]"
        )
    git.copy_objects(head_git, head_sha)
    now = state.now()
    pull = Pull(
        id=state.next_id("pull"),
        index=len(call.repo.pulls) + 1,
        repo=call.repo,
        poster=call.doer,
        title=str(body.get("title", "")),
        body=str(body.get("body", "")),
        base=base,
        head_repo=head_repo,
        head_branch=branch,
        merge_base=git.merge_base(base_sha, head_sha),
        created=now,
        updated=now,
    )
    call.repo.pulls.append(pull)
    git.set_ref(pull.ref, head_sha)
    shas = git.commits(head_sha, f"^{base_sha}")
    if shas:
        pushing.add_push(state, pull, call.doer, shas, forced=False)
    merging.check_later(state, pull)
    webhooks.pull_changed(state, pull, call.doer, "opened")
    return Reply(201, pull_json(state, pull, call.user))


def edit_pull(call: Call) -> Reply:
    """Change title, text, state or base: answered with 201, as the real server does."""
    pull, body, state = call.pull(), call.body, call.state
    if call.doer is not pull.poster and not call.may_write():
        raise Refused(403)
    if body.get("content_version") not in (None, pull.content_version):
        raise Refused(409, "the issue is already changed")
    if body.get("title") and body["title"] != pull.title:
        retitle(call, pull, str(body["title"]))
    if body.get("body") is not None and body["body"] != pull.body:
        old, pull.body = pull.body, str(body["body"])
        pull.content_version += 1
        webhooks.pull_changed(state, pull, call.doer, "edited", {"body": {"from": old}})
    if body.get("state") is not None:
        set_state(call, pull, str(body["state"]))
    base = str(body.get("base") or pull.base)
    if base != pull.base and not pull.merged:
        set_base(call, pull, base)
    pull.updated = state.now()
    return Reply(201, pull_json(state, pull, call.user))


def retitle(call: Call, pull: Pull, title: str) -> None:
    old, pull.title = pull.title, title
    entry = call.state.add_comment(pull, call.doer, "change_title")
    entry.old_title, entry.new_title = old, title
    webhooks.pull_changed(call.state, pull, call.doer, "edited", {"title": {"from": old}})


def set_state(call: Call, pull: Pull, wanted: str) -> None:
    if pull.merged:
        raise Refused(412, "cannot change state of this pull request, it was already merged")
    if wanted not in ("open", "closed"):
        raise Refused(412, f"unknown state: {wanted}")
    if wanted == "closed" and not pull.closed:
        pushing.close(call.state, pull, call.doer)
    elif wanted == "open" and pull.closed:
        pushing.reopen(call.state, pull, call.doer)


def set_base(call: Call, pull: Pull, base: str) -> None:
    if not Git(call.repo.path).branch(base):
        raise not_found(f"new base '{base}' not exist", ...)  # type: ignore[arg-type]
    if pull.closed:
        raise Refused(422, f"issue is closed [id: {pull.id}, repo_id: {call.repo.id}]")
    others = [other for other in call.repo.pulls if other is not pull and not other.closed]
    if any(
        (other.head_repo, other.head_branch, other.base) == (pull.head_repo, pull.head_branch, base) for other in others
    ):
        raise Refused(409, "pull request already exists for these targets")
    pushing.retarget(call.state, pull, call.doer, base)


def is_merged(call: Call) -> Reply:
    if not call.pull().merged:
        raise not_found()
    return Reply(204)


def merge_pull(call: Call) -> Reply:
    """Merge, or schedule the merge; only a direct merge compares `head_commit_id`."""
    pull, body, state = call.pull(), call.body, call.state
    style = str(body.get("Do") or body.get("do") or "")
    if not style:
        raise Refused(422, "[Do]: Required")
    scheduling = bool(body.get("merge_when_checks_succeed"))
    force = bool(body.get("force_merge"))
    merging.check_mergeable(state, pull, call.doer, scheduling=scheduling, force=force)
    title = str(body.get("MergeTitleField") or body.get("merge_title_field") or "").strip()
    text = str(body.get("MergeMessageField") or body.get("merge_message_field") or "").strip()
    message = (title or merging.default_message(pull, style)) + (f"\n\n{text}" if text else "")
    delete = bool(body.get("delete_branch_after_merge"))
    if scheduling:
        merging.schedule(state, pull, call.doer, style, message, delete_branch=delete)
        return Reply(201, headers={"Content-Type": "text/plain"})
    merging.merge(state, pull, call.doer, style, message, expected=str(body.get("head_commit_id") or ""))
    if delete and pull.head_repo is not None:
        Git(pull.head_repo.path).run("update-ref", "-d", f"refs/heads/{pull.head_branch}")
    return Reply(200, headers={"Content-Type": "text/plain"})


def cancel_schedule(call: Call) -> Reply:
    """Take a schedule back: its doer may, and everybody who may merge."""
    pull = call.pull()
    if pull.schedule is None:
        raise not_found()
    if pull.schedule.doer is not call.doer and not access.may_merge(call.state, call.repo, pull.base, call.doer):
        raise Refused(403, "user has no permission to cancel the scheduled auto merge")
    pull.schedule = None
    call.state.add_comment(pull, call.doer, "pull_cancel_scheduled_merge")
    return Reply(204)


PULLS = "/repos/{owner}/{repo}/pulls"
PULL = f"{PULLS}/{{index}}"

ROUTES = (
    Route("GET", PULLS, list_pulls, "repository", ("pulls",)),
    Route("POST", PULLS, create_pull, "repository", ("pulls", "token", "open")),
    Route("GET", PULL, get_pull, "repository", ("pulls",)),
    Route("PATCH", PULL, edit_pull, "repository", ("pulls", "token")),
    Route("GET", f"{PULL}/merge", is_merged, "repository", ("pulls",)),
    Route("POST", f"{PULL}/merge", merge_pull, "repository", ("pulls", "token", "open")),
    Route("DELETE", f"{PULL}/merge", cancel_schedule, "repository", ("pulls", "token", "open")),
    Route("GET", f"{PULLS}/{{base}}/{{head*}}", get_by_branches, "repository", ("pulls",)),  # last: it fits much
)

"""Webhook deliveries: signed, one attempt each, after the answer, in no promised order."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import uuid
from functools import partial
from urllib.parse import urlencode, urlsplit

from attrs import frozen

from .model import Comment, Hook, Pull, Repo, Review, Status, User
from .repository import ZERO, Git
from .state import State
from .wire import JSON, date, payload_commit, repo_json, user_json, web_url
from .wire_pull import comment_json, issue_json, pull_json

TIMEOUT = 5
REVIEW_EVENTS = {
    "APPROVED": ("pull_request_approved", "pull_request_review_approved"),
    "REQUEST_CHANGES": ("pull_request_rejected", "pull_request_review_rejected"),
    "COMMENT": ("pull_request_comment", "pull_request_review_comment"),
}
# What a hook stores for an event, by what it is asked for; `pull_request` stands for all of its parts.
PULL_EVENTS = (
    "pull_request_assign",
    "pull_request_label",
    "pull_request_milestone",
    "pull_request_comment",
    "pull_request_review",
    "pull_request_review_request",
    "pull_request_sync",
)


@frozen
class Event:
    """What happened.

    Attributes:
        name: the header `X-Gitea-Event`.
        kind: the header `X-Gitea-Event-Type`.
        stored: the event that a hook must have asked for.
    """

    name: str
    kind: str
    stored: str
    payload: JSON
    branch: str = ""


def stored_events(asked: list[str]) -> list[str]:
    """Return the events that a hook keeps for what it was created with."""
    asked = asked or ["push"]
    kept: list[str] = [event for event in ("push", "status", "create", "delete", "issue_comment") if event in asked]
    if "pull_request" in asked or "pull_request_only" in asked:
        kept.append("pull_request")
    kept += [event for event in PULL_EVENTS if event in asked or "pull_request" in asked]
    return kept


def announce(state: State, repo: Repo, event: Event) -> None:
    """Queue the deliveries of an event to every hook that wants it."""
    body = encoded(event)
    for hook in repo.hooks:
        if hook.active and event.stored in hook.events:
            state.late.add(partial(deliver, hook, event, body))


def encoded(event: Event) -> bytes:
    return json.dumps(event.payload, indent=2, ensure_ascii=False).encode("utf-8", "replace")


def deliver(hook: Hook, event: Event, body: bytes) -> None:
    """Send one delivery; whatever comes of it, there is no second attempt."""
    form = hook.content_type == "form"
    sent = urlencode({"payload": body.decode()}).encode() if form else body
    headers = signed_headers(hook, event, body)
    headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
    target = urlsplit(hook.url)
    connection = http.client.HTTPConnection(target.hostname or "", target.port or 80, timeout=TIMEOUT)
    try:
        connection.request("POST", f"{target.path or '/'}{'?' + target.query if target.query else ''}", sent, headers)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return
    finally:
        connection.close()


def signed_headers(hook: Hook, event: Event, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery; signatures are over the JSON, also when it is sent as a form."""
    delivery = str(uuid.uuid4())
    key = hook.secret.encode()
    sha256 = hmac.new(key, body, hashlib.sha256).hexdigest() if key else ""
    sha1 = hmac.new(key, body, hashlib.sha1).hexdigest() if key else ""
    headers = {"X-Hub-Signature": f"sha1={sha1}", "X-Hub-Signature-256": f"sha256={sha256}"}
    for brand in ("Gitea", "Gogs", "GitHub"):
        headers[f"X-{brand}-Delivery"] = delivery
        headers[f"X-{brand}-Event"] = event.name
        headers[f"X-{brand}-Event-Type"] = event.kind
    for brand in ("Gitea", "Gogs"):
        headers[f"X-{brand}-Signature"] = sha256
    for brand in ("Gitea", "GitHub"):
        headers[f"X-{brand}-Hook-Installation-Target-Type"] = "repository"
    if hook.authorization:
        headers["Authorization"] = hook.authorization
    return headers


def pull_event(state: State, pull: Pull, sender: User, action: str, **more: object) -> JSON:
    """Return the payload of a pull request event."""
    changes = {"changes": more["changes"]} if "changes" in more else {}
    return {
        "action": action,
        "number": pull.index,
        **changes,
        "pull_request": pull_json(state, pull, None),
        "requested_reviewer": more.get("reviewer"),
        "repository": repo_json(state, pull.repo, None),
        "sender": user_json(state, sender),
        "commit_id": "",
        "review": more.get("review"),
    }


def pull_changed(state: State, pull: Pull, sender: User, action: str, changes: JSON | None = None) -> None:
    """Announce opened, closed, reopened, edited and synchronized."""
    more: JSON = {} if changes is None else {"changes": {**changes, "added_labels": None, "removed_labels": None}}
    kind = "pull_request_sync" if action == "synchronized" else "pull_request"
    announce(state, pull.repo, Event("pull_request", kind, kind, pull_event(state, pull, sender, action, **more)))


def reviewed(state: State, review: Review) -> None:
    """Announce a submitted review: its kind and text, and neither its commit nor its line comments."""
    if review.user is None or review.kind not in REVIEW_EVENTS:
        return
    name, kind = REVIEW_EVENTS[review.kind]
    content = {"type": kind, "content": review.body}
    who = user_json(state, review.user)
    payload = pull_event(state, review.pull, review.user, "reviewed", reviewer=who, review=content)
    announce(state, review.pull.repo, Event(name, kind, "pull_request_review", payload))


def review_requested(state: State, pull: Pull, sender: User, reviewer: User, *, added: bool) -> None:
    action = "review_requested" if added else "review_request_removed"
    payload = pull_event(state, pull, sender, action, reviewer=user_json(state, reviewer))
    kind = "pull_request_review_request"
    announce(state, pull.repo, Event("pull_request", kind, kind, payload))


def commented(state: State, comment: Comment, sender: User, action: str, old: str | None = None) -> None:
    """Announce that a comment was created, edited or deleted."""
    pull = comment.pull
    changes = {"body": {"from": old}, "added_labels": None, "removed_labels": None}
    payload = {
        "action": action,
        "issue": issue_json(state, pull),
        "pull_request": pull_json(state, pull, None),
        "comment": comment_json(state, comment),
        **({} if old is None else {"changes": changes}),
        "repository": repo_json(state, pull.repo, None),
        "sender": user_json(state, sender),
        "is_pull": True,
    }
    announce(state, pull.repo, Event("issue_comment", "pull_request_comment", "pull_request_comment", payload))


def status_set(state: State, repo: Repo, status: Status) -> None:
    payload = {
        "commit": payload_commit(state, repo, status.sha, files=True),
        "context": status.context,
        "created_at": date(status.created),
        "description": status.description,
        "id": status.index,
        "repository": repo_json(state, repo, None),
        "sender": user_json(state, status.creator),
        "sha": status.sha,
        "state": status.state,
        "target_url": status.target_url,
        "updated_at": date(status.created),
    }
    announce(state, repo, Event("status", "status", "status", payload))


def pushed(state: State, repo: Repo, pusher: User, *, ref: str, old: str, new: str) -> None:
    """Announce a push of a branch that still exists."""
    if new != ZERO:
        announce(state, repo, push_event(state, repo, pusher, ref=ref, old=old, new=new))


def push_event(state: State, repo: Repo, pusher: User, *, ref: str, old: str, new: str) -> Event:
    git = Git(repo.path)
    start = repo.default_branch if old == ZERO else old
    shas = git.commits(new, *([f"^{old}"] if old != ZERO else [f"^{start}"] if git.branch(start) != new else []))[-30:]
    commits = [payload_commit(state, repo, sha, files=True) for sha in reversed(shas)]
    payload = {
        "ref": ref,
        "before": old,
        "after": new,
        "compare_url": f"{web_url(state, repo)}/compare/{start}...{new}",
        "commits": commits,
        "total_commits": len(commits),
        "head_commit": payload_commit(state, repo, new, files=True),
        "repository": repo_json(state, repo, None),
        "pusher": user_json(state, pusher),
        "sender": user_json(state, pusher),
    }
    return Event("push", "push", "push", payload)


def send_sample(state: State, repo: Repo, hook: Hook, doer: User) -> None:
    """Send a made-up push of the default branch to one hook, if it asked for pushes at all."""
    if "push" not in hook.events:
        return
    tip = Git(repo.path).branch(repo.default_branch)
    event = push_event(state, repo, doer, ref=f"refs/heads/{repo.default_branch}", old=tip, new=tip)
    state.late.add(partial(deliver, hook, event, encoded(event)))

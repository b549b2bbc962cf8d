"""Routes of the issue side of a pull request: comments, timeline, lock, reactions. They need the issue scope."""

from __future__ import annotations

from datetime import datetime

from . import webhooks
from .model import Comment, Pull
from .routing import Call, Refused, Reply, Route, not_found, page_of
from .wire import date, user_json
from .wire_pull import comment_json, issue_json, timeline_json

WITH_TEXT = ("comment", "code", "review", "dismiss_review")


def pull_or_crash(call: Call) -> Pull:
    """Return the pull request; an unknown number is 500 on these routes, not 404."""
    found = call.state.pull(call.repo, call.number("index"))
    if found is None:
        raise Refused(500, "")
    return found


def within(call: Call, comment: Comment) -> bool:
    since, before = (call.query.get(name, "") for name in ("since", "before"))
    after = not since or comment.updated >= datetime.fromisoformat(since).timestamp()
    return after and (not before or comment.updated <= datetime.fromisoformat(before).timestamp())


def get_issue(call: Call) -> Reply:
    return Reply(200, issue_json(call.state, call.pull()))


def list_comments(call: Call) -> Reply:
    """List plain comments: all of them, whatever page and limit say."""
    pull = pull_or_crash(call)
    rows = [comment for comment in pull.comments if comment.kind == "comment" and within(call, comment)]
    found = [comment_json(call.state, comment) for comment in rows]
    return Reply(200, found, headers={"X-Total-Count": str(len(rows))})


def create_comment(call: Call) -> Reply:
    pull, body = pull_or_crash(call), str(call.body.get("body") or "")
    if not body:
        raise Refused(422, "[Body]: Required")
    if pull.locked and not call.may_write():
        raise Refused(403, "You cannot comment on a locked issue.")
    comment = call.state.add_comment(pull, call.doer, "comment", body)
    webhooks.commented(call.state, comment, call.doer, "created")
    return Reply(201, comment_json(call.state, comment))


def comment_named(call: Call) -> Comment:
    found = call.state.comment(call.repo, call.number("id"))
    if found is None:
        raise not_found(errors=[f"comment does not exist [id: {call.number('id')}, issue_id: 0]"])
    return found


def own_comment(call: Call) -> Comment:
    """Return a comment that the caller may change: the author's own, and any for writers."""
    comment = comment_named(call)
    if call.doer is not comment.user and not call.may_write():
        raise Refused(403)
    return comment


def get_comment(call: Call) -> Reply:
    comment = comment_named(call)
    return Reply(200, comment_json(call.state, comment)) if comment.kind == "comment" else Reply(204)


def edit_comment(call: Call) -> Reply:
    """Change a text; the comment still shows its first author."""
    comment = own_comment(call)
    if comment.kind not in WITH_TEXT:
        return Reply(204)
    body = str(call.body.get("body") or "")
    if not body:
        raise Refused(422, "[Body]: Required")
    old, comment.body = comment.body, body
    comment.updated = call.state.now()
    if old != body:
        webhooks.commented(call.state, comment, call.doer, "edited", old)
    return Reply(200, comment_json(call.state, comment))


def delete_comment(call: Call) -> Reply:
    comment = own_comment(call)
    if comment.kind not in WITH_TEXT:
        raise Refused(400)
    comment.pull.comments.remove(comment)
    webhooks.commented(call.state, comment, call.doer, "deleted")
    return Reply(204)


def timeline(call: Call) -> Reply:
    """List everything, oldest first; line comments are taken out after paging, and an empty page is null."""
    pull = pull_or_crash(call)
    page, size = page_of(call)
    rows = [comment for comment in pull.comments if within(call, comment)]
    rows = rows[(page - 1) * size : page * size]
    seen = [timeline_json(call.state, comment) for comment in rows if comment.kind != "code"]
    return Reply(200, seen or None, headers={"X-Total-Count": str(len(seen))})


def lock(call: Call) -> Reply:
    pull = pull_or_crash(call)
    if not pull.locked:
        pull.locked = True
        call.state.add_comment(pull, call.doer, "lock", str(call.body.get("lock_reason") or ""))
    return Reply(204)


def unlock(call: Call) -> Reply:
    pull = pull_or_crash(call)
    if pull.locked:
        pull.locked = False
        call.state.add_comment(pull, call.doer, "unlock")
    return Reply(204)


def react(call: Call) -> Reply:
    content = {"user": user_json(call.state, call.doer), "content": str(call.body.get("content") or "")}
    return Reply(201, {**content, "created_at": date(call.state.now())})


ISSUES = "/repos/{owner}/{repo}/issues"
ISSUE = f"{ISSUES}/{{index}}"

ROUTES = (
    Route("GET", f"{ISSUES}/comments/{{id}}", get_comment, "issue"),
    Route("PATCH", f"{ISSUES}/comments/{{id}}", edit_comment, "issue", ("open", "token")),
    Route("DELETE", f"{ISSUES}/comments/{{id}}", delete_comment, "issue", ("token",)),
    Route("POST", f"{ISSUES}/comments/{{id}}/reactions", react, "issue", ("token",)),
    Route("GET", ISSUE, get_issue, "issue"),
    Route("GET", f"{ISSUE}/comments", list_comments, "issue"),
    Route("POST", f"{ISSUE}/comments", create_comment, "issue", ("token", "open")),
    Route("GET", f"{ISSUE}/timeline", timeline, "issue"),
    Route("PUT", f"{ISSUE}/lock", lock, "issue", ("token", "admin")),
    Route("DELETE", f"{ISSUE}/lock", unlock, "issue", ("token", "admin")),
    Route("POST", f"{ISSUE}/reactions", react, "issue", ("token",)),
)

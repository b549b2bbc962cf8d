"""Routes of commit statuses: every POST is a row, the combined state is that of one page."""

from __future__ import annotations

from collections.abc import Callable

from . import merging, webhooks, wire
from .model import Status
from .repository import Git
from .routing import Call, Refused, Reply, Route, not_found, page_of, paged

ORDERS: dict[str, Callable[[Status], tuple[int, int]]] = {
    "recentupdate": lambda status: (-status.created, status.index),
    "leastupdate": lambda status: (status.created, status.index),
    "oldest": lambda status: (status.created, status.index),
    "leastindex": lambda status: (-status.index, 0),
    "highestindex": lambda status: (status.index, 0),
}


def create_status(call: Call) -> Reply:
    """Add a row: no context is special, no state is checked, and anybody who writes code may do it."""
    git = Git(call.repo.path)
    sha = git.ref(call.names["sha"])
    if not sha:
        raise Refused(500, "")
    earlier = [status for status in call.repo.statuses if status.sha == sha]
    body = {key: str(call.body.get(key) or "") for key in ("state", "context", "description", "target_url")}
    status = Status(
        index=len(earlier) + 1,
        sha=sha,
        state=body["state"],
        context=body["context"],
        description=body["description"],
        target_url=body["target_url"],
        creator=call.doer,
        created=call.state.now(),
    )
    call.repo.statuses.append(status)
    webhooks.status_set(call.state, call.repo, status)
    if status.state == "success":
        merging.wake_all(call.state, call.repo, sha)
    return Reply(201, wire.status_json(call.state, call.repo, status))


def commit_of(call: Call) -> str:
    git, ref = Git(call.repo.path), call.names["ref"]
    sha = git.branch(ref) or (git.ref(ref) if len(ref) >= 7 else "")
    if not sha:
        raise not_found(f"object does not exist [id: {ref}, rel_path: ]")
    return sha


def list_statuses(call: Call) -> Reply:
    """List every row of a commit: the newest second first, and within a second the oldest row first."""
    sha = commit_of(call)
    order = ORDERS.get(call.query.get("sort", ""), ORDERS["recentupdate"])
    rows = sorted((status for status in call.repo.statuses if status.sha == sha), key=order)
    wanted = call.query.get("state", "")
    rows = [status for status in rows if not wanted or status.state == wanted]
    page, headers = paged(call, rows)
    return Reply(200, [wire.status_json(call.state, call.repo, status) for status in page], headers=headers)


def combined(call: Call) -> Reply:
    """Combine the newest row of each context that is on this page, the newest contexts on the first."""
    sha = commit_of(call)
    newest = merging.newest_statuses(call.repo, sha)[::-1]
    _, headers = paged(call, newest)
    page, size = page_of(call)
    rows = newest[(page - 1) * size : page * size][::-1]
    url = f"{wire.api_url(call.state, call.repo)}/commits/{sha}"
    content = {
        "state": merging.combine([status.state for status in rows]),
        "sha": sha,
        "total_count": len(rows),
        "statuses": [wire.status_json(call.state, call.repo, status) for status in rows] or None,
        "repository": wire.repo_json(call.state, call.repo, call.user),
        "commit_url": url,
        "url": f"{url}/status",
    }
    return Reply(200, content, headers=headers)


REPO = "/repos/{owner}/{repo}"

ROUTES = (
    Route("POST", f"{REPO}/statuses/{{sha}}", create_status, "repository", ("token", "writer")),
    Route("GET", f"{REPO}/statuses/{{ref}}", list_statuses),
    Route("GET", f"{REPO}/commits/{{ref*}}/statuses", list_statuses),
    Route("GET", f"{REPO}/commits/{{ref*}}/status", combined),
)

"""Routes of content: diffs, files, commits, blobs, trees and raw files, with their traps."""

from __future__ import annotations

import base64
import re
from typing import Any
from urllib.parse import quote

from . import wire
from .model import Pull, Repo
from .repository import Git
from .routing import Call, Refused, Reply, Route, links, not_found, page_of

FULL_SHA = re.compile(r"[0-9a-f]{40}")
LARGEST_BLOB = 10 * 1024 * 1024
KINDS = {"A": "added", "D": "deleted", "M": "changed", "T": "changed", "R": "renamed", "C": "copied"}


def diff(call: Call) -> Reply:
    """Return the diff of what the base repository has of the head: it can be pinned to no commit."""
    pull = call.pull()
    options = ["--binary"] if call.query.get("binary") == "true" else []
    data = Git(call.repo.path).output("diff", *options, f"{pull.merge_base}...{pull.ref}")
    return Reply(200, body=data, headers={"Content-Type": "text/plain; charset=utf-8"})


def patch(call: Call) -> Reply:
    pull = call.pull()
    data = Git(call.repo.path).output("format-patch", "--stdout", "--binary", f"{pull.merge_base}..{pull.ref}")
    return Reply(200, body=data, headers={"Content-Type": "text/plain; charset=utf-8"})


def changed_files(pull: Pull) -> list[dict[str, Any]]:
    """Return name, old name, status and line counts of every changed file."""
    git = Git(pull.repo.path)
    head = git.ref(pull.ref)
    base = git.merge_base(git.branch(pull.base), head) if not pull.merged else pull.merge_base
    fields = git.run("diff", "-z", "--name-status", "-M", base, head).split("\0")
    counts = numstat(git.run("diff", "-z", "--numstat", "-M", base, head).split("\0"))
    rows = []
    while len(fields) > 1:
        kind = fields.pop(0)[:1]
        old = fields.pop(0) if kind in "RC" else ""
        name = fields.pop(0)
        added, removed = counts[name]
        status = KINDS[kind] if added + removed or kind != "M" else "unchanged"
        rows.append({"filename": name, "old": old, "status": status, "additions": added, "deletions": removed})
    return rows


def numstat(fields: list[str]) -> dict[str, tuple[int, int]]:
    found = {}
    while len(fields) > 1:
        added, removed, name = fields.pop(0).split("\t", 2)
        if not name:  # a rename: the two names follow
            name = fields[1]
            del fields[:2]
        found[name] = (int(added) if added != "-" else 0, int(removed) if removed != "-" else 0)
    return found


def file_json(call: Call, row: dict[str, Any], head: str) -> wire.JSON:
    path = quote(row["filename"].encode("utf-8", "surrogateescape"), safe="/@")
    web, api = wire.web_url(call.state, call.repo), wire.api_url(call.state, call.repo)
    return {
        "filename": row["filename"],
        **({"previous_filename": row["old"]} if row["status"] == "renamed" else {}),
        "status": row["status"],
        "additions": row["additions"],
        "deletions": row["deletions"],
        "changes": row["additions"] + row["deletions"],
        "html_url": f"{web}/src/commit/{head}/{path}",
        "contents_url": f"{api}/contents/{path}?ref={head}",
        "raw_url": f"{web}/raw/commit/{head}/{path}",
    }


def counted(call: Call, rows: list[Any]) -> tuple[list[Any], dict[str, str]]:
    """Return one page with the five headers that lists of files and commits have."""
    page, size = page_of(call)
    last = -(-len(rows) // size)
    headers = {
        "X-Total-Count": str(len(rows)),
        "X-Page": str(page),
        "X-PerPage": str(size),
        "X-PageCount": str(last),
        "X-HasMore": "true" if page < last else "false",
    }
    if last > 1:
        headers["Link"] = ",".join(links(call, page, last))
    return rows[(page - 1) * size : page * size], headers


def files(call: Call) -> Reply:
    """List changed files; two of the parameters crash the real server, so they do here."""
    if call.query.get("skip-to") or call.query.get("whitespace", "show-all") != "show-all":
        return Reply(500, body=b"Internal Server Error\n", headers={"Content-Type": "text/plain; charset=utf-8"})
    pull = call.pull()
    page, headers = counted(call, changed_files(pull))
    head = Git(call.repo.path).ref(pull.ref)
    return Reply(200, [file_json(call, row, head) for row in page], headers=headers)


def commit_json(call: Call, repo: Repo, sha: str, *, with_files: bool) -> wire.JSON:
    """Return a commit as lists of commits have it."""
    git, api = Git(repo.path), wire.api_url(call.state, repo)
    when, tree, parents = git.run("log", "-1", "--format=%ct%n%T%n%P", sha).split("\n")
    date = wire.date(int(when))
    names = git.run("show", "--format=", "--name-only", sha).splitlines() if with_files else None
    return {
        "url": f"{api}/git/commits/{sha}",
        "sha": sha,
        "created": date,
        "html_url": f"{wire.web_url(call.state, repo)}/commit/{sha}",
        "commit": {
            "url": f"{api}/git/commits/{sha}",
            "author": {**identity(git, sha, "a"), "date": date},
            "committer": {**identity(git, sha, "c"), "date": date},
            "message": git.run("log", "-1", "--format=%B", sha),
            "tree": {"url": f"{api}/git/trees/{tree}", "sha": tree, "created": date},
            "verification": wire.UNVERIFIED,
        },
        "author": account(call, git, sha, "a"),
        "committer": account(call, git, sha, "c"),
        "parents": [{"url": f"{api}/git/commits/{one}", "sha": one, "created": wire.NEVER} for one in parents.split()],
        "files": None if names is None else [{"filename": name, "status": "modified"} for name in names],
        "stats": None,
    }


def identity(git: Git, sha: str, role: str) -> wire.JSON:
    found = wire.person(git, sha, role)
    return {"name": found["name"], "email": found["email"]}


def account(call: Call, git: Git, sha: str, role: str) -> wire.JSON | None:
    """Return the user whose address a commit names: anybody can write any address there."""
    email = wire.person(git, sha, role)["email"]
    user = next((user for user in call.state.users if user.email and user.email == email), None)
    return wire.user_json(call.state, user)


def commits(call: Call) -> Reply:
    """List the commits of a pull request, the newest first."""
    pull = call.pull()
    git = Git(call.repo.path)
    base = git.branch(pull.base)
    if not base and not pull.merged:
        raise not_found("invalid base branch or revision")
    shas = git.commits(pull.ref, f"^{pull.merge_base}")[::-1]
    page, headers = counted(call, shas)
    with_files = call.query.get("files", "true") != "false"
    return Reply(200, [commit_json(call, call.repo, sha, with_files=with_files) for sha in page], headers=headers)


def compare(call: Call) -> Reply:
    """List the commits between two refs; there is no diff and no merge base in it."""
    base, dots, head = re.split(r"(\.\.\.?)", call.names["spec"], maxsplit=1)
    git = Git(call.repo.path)
    one, other = (git.branch(name) or git.ref(name) for name in (base, head))
    if not one or not other:
        raise not_found()
    start = git.merge_base(one, other) if dots == "..." else one
    shas = git.commits(other, f"^{start}")[::-1]
    rows = [commit_json(call, call.repo, sha, with_files=True) for sha in shas]
    return Reply(200, {"total_commits": len(rows), "commits": rows})


def commit_at(call: Call) -> str:
    """Return the commit of `ref`: a branch, or a full commit id; nothing else."""
    git, ref = Git(call.repo.path), call.query.get("ref", "") or call.repo.default_branch
    sha = git.branch(ref) or (ref if FULL_SHA.fullmatch(ref) and git.has_commit(ref) else "")
    if not sha:
        raise not_found(errors=[f"object does not exist [id: {ref}, rel_path: ]"])
    return sha


def entries(git: Git, sha: str, path: str, *options: str) -> list[tuple[str, str, str, int, str]]:
    """Return mode, type, id, size and path of tree entries."""
    found = []
    for line in git.run("ls-tree", "-z", "-l", *options, sha, "--", *([path] if path else [])).split("\0"):
        if line:
            head, name = line.split("\t", 1)
            mode, kind, blob, size = head.split()
            found.append((mode, kind, blob, int(size) if size.isdigit() else 0, name))
    return found


def contents(call: Call) -> Reply:
    """Return a file with its bytes, or the list of a directory."""
    path = call.names.get("path", "").strip("/")
    if ".git" in path.split("/"):
        raise Refused(500, "")
    git, sha = Git(call.repo.path), commit_at(call)
    rows = entries(git, sha, path)
    if not rows:
        raise not_found("GetContentsOrList", [f"object does not exist [id: , rel_path: {path}]"])
    if path and rows[0][1] != "tree":
        return Reply(200, content_json(call, sha, rows[0], with_bytes=True))
    inside = entries(git, sha, f"{path}/") if path else rows
    return Reply(200, [content_json(call, sha, row, with_bytes=False) for row in inside])


def content_json(call: Call, sha: str, row: tuple[str, str, str, int, str], *, with_bytes: bool) -> wire.JSON:
    mode, kind, blob, size, path = row
    git = Git(call.repo.path)
    what = {"120000": "symlink", "160000": "submodule", "040000": "dir"}.get(mode, "file")
    data = git.output("cat-file", "blob", blob) if kind == "blob" else b""
    full = with_bytes and what == "file" and size <= LARGEST_BLOB
    api, web = wire.api_url(call.state, call.repo), wire.web_url(call.state, call.repo)
    ref, where = call.query.get("ref", "") or call.repo.default_branch, quote(path)
    address, page = f"{api}/contents/{where}?ref={ref}", f"{web}/src/commit/{sha}/{where}"
    blob_url = f"{api}/git/{'trees' if what == 'dir' else 'blobs'}/{blob}"
    when = git.run("log", "-1", "--format=%ct", sha, "--", path)
    return {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": blob,
        "last_commit_sha": git.run("log", "-1", "--format=%H", sha, "--", path),
        "last_committer_date": wire.date(int(when)),
        "last_author_date": wire.date(int(when)),
        "type": what,
        "size": size,
        "encoding": "base64" if full else None,
        "content": base64.b64encode(data).decode() if full else None,
        "target": data.decode("utf-8", "replace") if what == "symlink" else None,
        "url": address,
        "html_url": page,
        "git_url": blob_url,
        "download_url": None if what in ("dir", "submodule") else f"{web}/raw/commit/{sha}/{where}",
        "submodule_git_url": None,
        "_links": {"self": address, "git": blob_url, "html": page},
    }


def raw(call: Call) -> Reply:
    """Return a file; the trap: an unknown, short or upper-case ref is the default branch, with 200."""
    git, ref = Git(call.repo.path), call.query.get("ref", "")
    if FULL_SHA.fullmatch(ref) and not git.has_commit(ref):
        raise not_found("unable to find a git ref")
    sha = git.branch(ref) or (ref if FULL_SHA.fullmatch(ref) else git.branch(call.repo.default_branch))
    rows = entries(git, sha, call.names["path"])
    if not rows:
        raise not_found()
    if rows[0][1] != "blob":
        raise not_found("getBlobForEntry")
    data = git.output("cat-file", "blob", rows[0][2])
    kind = "application/octet-stream" if b"\0" in data else "text/plain; charset=utf-8"
    return Reply(200, body=data, headers={"Content-Type": kind})


def tree(call: Call) -> Reply:
    git, sha = Git(call.repo.path), call.names["sha"]
    if not git.ok("cat-file", "-e", f"{sha}^{{tree}}"):
        raise Refused(400, f"sha not found [{sha}]")
    rows = entries(git, sha, "", *(["-r", "-t"] if call.query.get("recursive") else []))
    api = wire.api_url(call.state, call.repo)
    listed = [
        {
            "path": path,
            "mode": mode,
            "type": kind,
            "size": size,
            "sha": blob,
            "url": "" if kind == "commit" else f"{api}/git/{'trees' if kind == 'tree' else 'blobs'}/{blob}",
        }
        for mode, kind, blob, size, path in rows
    ]
    content = {"sha": sha, "url": f"{api}/git/trees/{sha}", "tree": listed, "truncated": False, "page": 1}
    return Reply(200, {**content, "total_count": len(listed)}, headers={"X-Total-Count": str(len(listed))})


def blob(call: Call) -> Reply:
    git, sha = Git(call.repo.path), call.names["sha"]
    if not git.ok("cat-file", "-e", f"{sha}^{{blob}}"):
        raise Refused(400, f"object does not exist [id: {sha}, rel_path: ]")
    data = git.output("cat-file", "blob", sha)
    url = f"{wire.api_url(call.state, call.repo)}/git/blobs/{sha}"
    text = base64.b64encode(data).decode()
    return Reply(200, {"content": text, "encoding": "base64", "url": url, "sha": sha, "size": len(data)})


REPO = "/repos/{owner}/{repo}"
PULL = f"{REPO}/pulls/{{index}}"

ROUTES = (
    Route("GET", f"{PULL}.diff", diff, "repository", ("pulls",)),
    Route("GET", f"{PULL}.patch", patch, "repository", ("pulls",)),
    Route("GET", f"{PULL}/files", files, "repository", ("pulls",)),
    Route("GET", f"{PULL}/commits", commits, "repository", ("pulls",)),
    Route("GET", f"{REPO}/compare/{{spec*}}", compare),
    Route("GET", f"{REPO}/contents", contents),
    Route("GET", f"{REPO}/contents/{{path*}}", contents),
    Route("GET", f"{REPO}/raw/{{path*}}", raw),
    Route("GET", f"{REPO}/git/trees/{{sha}}", tree),
    Route("GET", f"{REPO}/git/blobs/{{sha}}", blob),
)

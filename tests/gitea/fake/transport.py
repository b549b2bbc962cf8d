"""Git over HTTP, by git's own backend; pushes are checked by the rules and followed up."""

from __future__ import annotations

import os
import re
import subprocess

from . import access, pushing
from .model import READ, WRITE, Repo, Token, User
from .repository import ENVIRONMENT, Git
from .routing import Refused, Reply, Request, authenticate
from .state import State

PATH = re.compile(r"/([^/]+)/([^/]+?)(?:\.git)?/(info/refs|git-upload-pack|git-receive-pack)")
CHALLENGE = Reply(
    401,
    body=b"Unauthorized\n",
    headers={"WWW-Authenticate": 'Basic realm="Gitea"', "Content-Type": "text/plain; charset=utf-8"},
)


def is_git(path: str) -> bool:
    return PATH.fullmatch(path) is not None


def answer(state: State, request: Request) -> Reply:
    """Answer one request of git: outside the lock, since a clone may be slow."""
    found = PATH.fullmatch(request.path)
    if found is None:
        return plain(404, b"Not found\n")
    owner, name, service = found.groups()
    try:
        with state.lock:
            user, token, _ = authenticate(state, request)
            repo = state.repo(owner, name)
            moved = state.moved.get(f"{owner}/{name}".lower())
    except Refused:
        return CHALLENGE
    if repo is None and moved is not None:
        place = request.target.replace(f"/{owner}/{name}", f"/{moved.full_name}", 1)
        return Reply(307, headers={"Location": place, "Content-Type": "text/plain"})
    writing = "git-receive-pack" in (service, request.query.get("service"))
    refused = refusal(state, repo, user, token, writing=writing)
    if refused is not None or repo is None:
        return refused or plain(404, b"Not found\n")
    return run_backend(state, repo, user, request, service)


def refusal(state: State, repo: Repo | None, user: User | None, token: Token | None, *, writing: bool) -> Reply | None:
    """Return the answer to somebody who may not do this, or None."""
    if user is None and (writing or repo is None or repo.private):
        return CHALLENGE
    if repo is None or access.mode(state, repo, user) < READ:
        return plain(404, b"Not found\n")
    scopes = {"all", "write:repository"} | (set() if writing else {"read:repository"})
    lacks_scope = token is not None and not scopes & set(token.scopes)
    lacks_right = access.mode(state, repo, user) < (WRITE if writing else READ)
    if lacks_scope or lacks_right or (writing and repo.archived):
        return plain(403, b"Forbidden\n")
    return None


def plain(status: int, text: bytes) -> Reply:
    return Reply(status, body=text, headers={"Content-Type": "text/plain; charset=utf-8"})


def run_backend(state: State, repo: Repo, user: User | None, request: Request, service: str) -> Reply:
    if service != "git-receive-pack":
        return backend(repo, request, service, dict(ENVIRONMENT))
    with state.lock:
        git = Git(repo.path)
        before = git.refs()
        reply = backend(repo, request, service, {**ENVIRONMENT, **forbidden(state, repo, user, request.body)})
        if user is not None:
            pushing.received(state, repo, user, before, git.refs())
        return reply


def forbidden(state: State, repo: Repo, user: User | None, body: bytes) -> dict[str, str]:
    """Return the branches of a push that its user may not push, or not with force."""
    wanted = set(re.findall(rb"[0-9a-f]{40} [0-9a-f]{40} (refs/heads/[^\0\n]+?)[\0\n]?(?=[0-9a-f]{4}|\0|$)", body))
    names = [ref.decode() for ref in wanted]
    branches = {ref: ref.removeprefix("refs/heads/") for ref in names}
    no = [ref for ref, name in branches.items() if not access.may_push(state, repo, name, user)]
    gentle = [ref for ref, name in branches.items() if not access.may_force_push(state, repo, name, user)]
    return {"FAKE_FORBIDDEN": " ".join(no), "FAKE_NO_FORCE": " ".join(gentle)}


def backend(repo: Repo, request: Request, service: str, environment: dict[str, str]) -> Reply:
    """Run `git http-backend` as a CGI program."""
    variables = {
        **environment,
        "GIT_PROJECT_ROOT": str(repo.path),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REMOTE_USER": "somebody",
        "PATH_INFO": f"/{service}",
        "REQUEST_METHOD": request.method,
        "QUERY_STRING": request.target.partition("?")[2],
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(request.body)),
        "HTTP_CONTENT_ENCODING": request.headers.get("content-encoding", ""),
        "HTTP_GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        "GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        "PATH": os.environ["PATH"],
    }
    done = subprocess.run(["git", "http-backend"], env=variables, input=request.body, capture_output=True, check=False)
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
    status = int(headers.pop("Status", "200").split(" ", 1)[0])
    headers.setdefault("Content-Type", "text/plain")
    return Reply(status if head else 500, body=body, headers=headers)

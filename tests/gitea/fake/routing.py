"""Requests, answers and the table of routes: rights are checked in the order of the real server."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from attrs import Factory, define, field, frozen

from . import access
from .model import OWNER, Pull, Repo, Review, Token, User
from .state import State

API = "/api/v1"
PAGE, MOST = 30, 50
WRITING = ("POST", "PUT", "PATCH", "DELETE")


@define
class Request:
    """What came in."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        found = parse_qs(urlsplit(self.target).query, keep_blank_values=True)
        return {key: values[0] for key, values in found.items()}


@define
class Reply:
    """What goes out: JSON, or the bytes of `body`."""

    status: int
    json: Any = None
    body: bytes = b""
    headers: dict[str, str] = Factory(dict)
    has_json: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.has_json = self.json is not None or (
            not self.body and "Content-Type" not in self.headers and self.status == 200
        )

    def data(self) -> bytes:
        return (
            (json.dumps(self.json, ensure_ascii=False) + "\n").encode("utf-8", "replace")
            if self.has_json
            else self.body
        )


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str | None = None, *, errors: Any = ...) -> None:
        super().__init__(message)
        self.status, self.message, self.errors = status, message, errors


def not_found(message: str = "not found", errors: list[str] | None = None) -> Refused:
    return Refused(404, message, errors=errors)


@define
class Call:
    """One call of the API after the checks: who, where, what."""

    state: State
    request: Request
    user: User | None
    token: Token | None
    names: dict[str, str]
    repo_or_none: Repo | None = None
    basic: bool = False

    @property
    def doer(self) -> User:
        if self.user is None:
            raise Refused(401, "token is required")
        return self.user

    @property
    def repo(self) -> Repo:
        if self.repo_or_none is None:
            raise not_found()
        return self.repo_or_none

    @property
    def query(self) -> dict[str, str]:
        return self.request.query

    @property
    def body(self) -> dict[str, Any]:
        try:
            found = json.loads(self.request.body or b"{}")
        except ValueError:
            raise Refused(422, "invalid JSON") from None
        return found if isinstance(found, dict) else {}

    def pull(self) -> Pull:
        found = self.state.pull(self.repo, self.number("index"))
        if found is None:
            raise not_found()
        return found

    def number(self, name: str) -> int:
        text = self.names[name]
        return int(text) if text.isdigit() else -1

    def review(self, pull: Pull) -> Review:
        """Return the review that the path names, unless it is somebody else's draft."""
        wanted = self.number("id")
        found = next((review for review in pull.reviews if review.id == wanted), None)
        if found is None or (found.kind == "PENDING" and not self.sees_draft(found)):
            raise not_found("GetReviewByID")
        return found

    def sees_draft(self, review: Review) -> bool:
        return self.user is not None and (self.user.is_admin or self.user is review.user)

    def may_write(self) -> bool:
        return access.may_write(self.state, self.repo, self.user)

    def is_admin(self) -> bool:
        return access.is_admin(self.state, self.repo, self.user)


Handler = Callable[[Call], Reply]


@frozen
class Route:
    """One line of the table.

    Attributes:
        needs: what is checked first: "" nothing, or some of "token", "writer", "admin", "owner", "open"
            (not archived), "pulls" (a repository with commits), "site".
    """

    method: str
    path: str
    handler: Handler
    scope: str = "repository"
    needs: tuple[str, ...] = ()

    def pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{(\w+)(\*?)\}", self.path)
        text = re.escape(parts[0])
        for name, rest, tail in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            text += f"(?P<{name}>{'.+' if rest else '[^/]+'})" + re.escape(tail)
        return re.compile(text)


class Router:
    """Finds the handler of a call and checks what must hold before it runs."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = [(route, route.pattern()) for route in routes]

    def answer(self, state: State, request: Request) -> Reply:
        """Answer one call of the API under the lock of the state."""
        try:
            with state.lock:
                return self._checked(state, request)
        except Refused as refused:
            return error(state, refused)

    def _checked(self, state: State, request: Request) -> Reply:
        user, token, basic = authenticate(state, request)
        path = request.path.removeprefix(API)
        found = [(route, match) for route, pattern in self._routes if (match := pattern.fullmatch(path))]
        fitting = [(route, match) for route, match in found if route.method == request.method]
        if not found:
            raise not_found()
        if not fitting:
            raise Refused(405)
        route, match = fitting[0]
        check_scope(token, route.scope, request.method)
        names = {name: unquote(value) for name, value in match.groupdict().items()}
        call = Call(state, request, user, token, names, basic=basic)
        if "repo" in names:
            moved = assign_repo(call)
            if moved is not None:
                return moved
        for need in route.needs:
            check_need(call, need)
        return route.handler(call)


def authenticate(state: State, request: Request) -> tuple[User | None, Token | None, bool]:
    """Return who calls; a token may come as such, or as the password of basic authentication."""
    header = request.headers.get("authorization", "")
    kind, _, rest = header.partition(" ")
    if kind.lower() in ("token", "bearer"):
        token = state.token(rest)
        if token is None:
            raise Refused(401, "invalid username, password or token")
        return token.user, token, False
    if kind.lower() == "basic":
        name, password = basic_pair(rest)
        token = state.token(password) or state.token(name)
        if token is not None:
            return token.user, token, False
        user = state.user(name)
        if user is None or not user.password or user.password != password:
            raise Refused(401, "invalid username, password or token")
        return user, None, True
    return None, None, False


def basic_pair(text: str) -> tuple[str, str]:
    try:
        name, _, password = base64.b64decode(text).decode().partition(":")
    except (binascii.Error, ValueError):
        return "", ""
    return name, password


def check_scope(token: Token | None, category: str, method: str) -> None:
    """Refuse a token without the scope that the route and the method need."""
    if token is None or not category or "all" in token.scopes:
        return
    write = f"write:{category}"
    wanted = write if method in WRITING else f"read:{category}"
    if wanted in token.scopes or write in token.scopes:
        return
    owned = ",".join(token.scopes)
    raise Refused(
        403,
        f"token does not have at least one of required scope(s), required=[{wanted}], token scope={owned}",
    )


def assign_repo(call: Call) -> Reply | None:
    """Find the repository of the path; a renamed one is a redirect, an invisible one is not there."""
    state, owner, name = call.state, call.names["owner"], call.names["repo"]
    repo = state.repo(owner, name)
    if repo is None:
        target = state.moved.get(f"{owner}/{name}".lower())
        if target is None:
            raise not_found()
        old = f"/repos/{quote(owner)}/{quote(name)}"
        place = call.request.target.replace(old, f"/repos/{target.full_name}", 1)
        page = b"" if call.request.method != "GET" else f'<a href="{place}">Moved Permanently</a>.\n\n'.encode()
        return Reply(301, body=page, headers={"Location": place, "Content-Type": "text/html; charset=utf-8"})
    if access.mode(state, repo, call.user) == 0:
        raise not_found()
    call.repo_or_none = repo
    return None


def check_need(call: Call, need: str) -> None:
    """Check one of the needs of a route."""
    if need == "token":
        _ = call.doer
    elif need == "site" and not (call.user and call.user.is_admin):
        raise Refused(403, "user should be the site admin")
    elif need == "open" and call.repo.archived:
        raise Refused(423, f"{call.repo.full_name} is archived")
    elif need == "pulls" and call.repo.empty:
        raise not_found()
    elif need == "writer" and not call.may_write():
        raise Refused(403, "user should have a permission to write to a repo")
    elif need == "admin" and not call.is_admin():
        raise Refused(403, "user should be an owner or a collaborator with admin write of a repository")
    elif need == "owner" and access.mode(call.state, call.repo, call.user) < OWNER:
        raise Refused(403, "user should be the owner of the repo")


def error(state: State, refused: Refused) -> Reply:
    """Return the JSON of an error; some have no body at all."""
    if refused.message is None:
        return Reply(refused.status, headers={"Content-Type": "text/plain"})
    content: dict[str, Any] = {"message": refused.message, "url": f"{state.url}/api/swagger"}
    if refused.errors is not ...:
        content["errors"] = refused.errors
    return Reply(refused.status, content)


def page_of(call: Call) -> tuple[int, int]:
    """Return the page, from 1, and its size as the server caps it."""
    page, limit = (call.query.get(name, "") for name in ("page", "limit"))
    size = int(limit) if limit.isdigit() and int(limit) else PAGE
    return max(int(page) if page.isdigit() else 1, 1), min(size, MOST)


def paged(call: Call, rows: list[Any], *, link: bool = True) -> tuple[list[Any], dict[str, str]]:
    """Return one page of rows with the headers that count them."""
    page, size = page_of(call)
    headers = {"X-Total-Count": str(len(rows))}
    last = -(-len(rows) // size)
    if link and last > 1:
        headers["Link"] = ",".join(links(call, page, last))
    return rows[(page - 1) * size : page * size], headers


def links(call: Call, page: int, last: int) -> list[str]:
    """Return the parts of a Link header; its addresses come from the root URL, not from the request."""
    wanted = [("next", page + 1), ("last", last)] if page < last else []
    wanted += [("first", 1), ("prev", page - 1)] if page > 1 else []
    query = {key: value for key, value in call.query.items() if key != "page"}
    stem = f"{call.state.url}{call.request.path}?" + "".join(f"{key}={quote(value)}&" for key, value in query.items())
    return [f'<{stem}page={number}>; rel="{name}"' for name, number in wanted]

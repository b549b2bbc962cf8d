"""What a status that is no success means, as one sentence that says what to do."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from werkrevisor_gitea.errors import (
    Archived,
    BadAnswer,
    ForgeError,
    MissingRight,
    MissingScope,
    NotAuthorised,
    NotFound,
    Redirected,
    Refused,
    Renamed,
    ServerFault,
)

SCOPES: Final = ("read:user", "write:issue", "write:repository")
"""The scopes that the bot's token needs."""

_SENTENCES: Final[Mapping[int, tuple[type[ForgeError], str]]] = MappingProxyType(
    {
        401: (
            NotAuthorised,
            (
                "the server does not accept the token{because}; make a new one for the bot's account with the scopes "
                f"{', '.join(SCOPES)}, and put it where [gitea] token_env or token_file says"
            ),
        ),
        404: (
            NotFound,
            (
                "{request} is not there, or the bot's account may not see it{because}; check [gitea] repository and "
                "the number, and give the bot's account access"
            ),
        ),
        423: (
            Archived,
            "the repository is archived, so nothing can be written to it{because}; unarchive it first",
        ),
    }
)

_MOST_SAID: Final = 300
_REQUIRED: Final = re.compile(r"required=\[([a-z:,\s]+)\]")
_MOVED: Final = re.compile(r"/api/v1/repos/([^/?#]+)/([^/?#]+)")


def fault_of(status: int, headers: Mapping[str, str], body: str, request: str) -> ForgeError:
    """Say what an answer means that is no success.

    Args:
        status: the HTTP status, 300 or above, or 1xx.
        headers: of the answer, names in lower case.
        body: its text, without the token.
        request: method and path of the request.

    Returns:
        The error to raise.
    """
    says = _said(body)
    because = f' ("{says}")' if says else ""
    kind, text = _meaning(status, says, because, request)
    if 300 <= status < 400:
        kind, text = _redirect(status, headers.get("location", ""), request)
    return kind(text, request=request, status=status, says=says)


def _meaning(status: int, says: str, because: str, request: str) -> tuple[type[ForgeError], str]:
    if status == 403:
        return _forbidden(says, because, request)
    if status in _SENTENCES:
        kind, text = _SENTENCES[status]
    elif 400 <= status < 500:
        kind, text = Refused, "the server refuses {request} with {status}{because}"
    elif status >= 500:
        kind, text = (
            ServerFault,
            ("{request} failed on the server with {status}{because}; its own log says why; the next run tries again"),
        )
    else:
        kind, text = BadAnswer, "the server answered {request} with the unknown status {status}"
    return kind, text.format(request=request, status=status, because=because)


def _forbidden(says: str, because: str, request: str) -> tuple[type[ForgeError], str]:
    if "scope" in says:
        found = _REQUIRED.search(says)
        lacks = f"the scope {found[1]}" if found else "a scope"
        return MissingScope, (
            f"the token lacks {lacks} for {request}; make a new one for the bot's account with the scopes "
            f"{', '.join(SCOPES)}"
        )
    return MissingRight, (
        f"the bot's account may not do {request}{because}; make it a collaborator with the right it needs "
        "(write to review, administrator to read and set the branch rule)"
    )


def _redirect(status: int, location: str, request: str) -> tuple[type[ForgeError], str]:
    if found := _MOVED.search(urlsplit(location).path):
        name = _clean(f"{unquote(found[1])}/{unquote(found[2])}")
        return Renamed, f"the repository is called {name} now; put that into [gitea] repository"
    where = _clean(location) or "an unknown place"
    return Redirected, (
        f"the server answers {request} with a redirect ({status}) to {where}, where the token is not sent; "
        "put the address that answers by itself into [gitea] url"
    )


def _said(body: str) -> str:
    """Return what the forge says in words, short and clean; nothing of a page of HTML."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    message = found.get("message") if isinstance(found, dict) else None
    return _clean(message) if isinstance(message, str) else ""


def _clean(text: str) -> str:
    visible = "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(visible.split())
    return words if len(words) <= _MOST_SAID else f"{words[:_MOST_SAID]}..."

"""What kind of server this is and what it can do: asked once, by `/version` and then by route."""

import re
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import frozen

from werkrevisor_gitea.api import Api, gather
from werkrevisor_gitea.errors import ForgeError, MissingScope, NotAuthorised, Unreachable
from werkrevisor_gitea.http import Call
from werkrevisor_gitea.wire import Version


class Kind(StrEnum):
    """Which of the two servers."""

    GITEA = "Gitea"
    FORGEJO = "Forgejo"


@frozen
class Switches:
    """What a server does otherwise and matters here, but cannot be asked by route.

    `no_override` is the field of a branch rule that keeps admins from merging past it. `bypass_list`: whether a
    rule has a list of people whom it does not bind. `line_of_blame`: whether a line comment comes back with
    its line in the commit that last touched it, not in the reviewed head; match own comments by id there.
    """

    no_override: str = "block_admin_merge_override"
    bypass_list: bool = False
    line_of_blame: bool = False
    status_webhook: bool = True


# Read in the sources of Gitea 1.27.0 and Forgejo 16, not run; Gitea 1.26.4 was run.
_FORGEJO: Final = Switches(no_override="apply_to_admins", line_of_blame=True, status_webhook=False)
_GITEA: Final = MappingProxyType({(1, 26): Switches(), (1, 27): Switches(bypass_list=True)})

OLDEST: Final = MappingProxyType({Kind.GITEA: (1, 23), Kind.FORGEJO: (7, 0)})
"""First version whose branch rule can bind admins and ignore stale approvals; an older one cannot be protected."""


@frozen
class Features:
    """What the server is and can do.

    `resolve`: threads can be resolved over the API (Gitea 1.26). `replies`: line comments can be replied to
    (Gitea 1.27).
    """

    kind: Kind
    version: tuple[int, ...]
    text: str
    resolve: bool
    replies: bool
    switches: Switches


def kind_and_version(text: str) -> tuple[Kind, tuple[int, ...]]:
    """Tell what a version text stands for: `1.26.4`, `1.28.0+dev-3-gabc`, `16.0.0+gitea-1.22.0`.

    Returns:
        The kind, and the leading numbers; no numbers where there are none.
    """
    kind = Kind.FORGEJO if "+gitea-" in text else Kind.GITEA
    found = re.match(r"v?(\d{1,6}(?:\.\d{1,6}){0,3})", text)
    return kind, tuple(int(each) for each in found[1].split(".")) if found else ()


def switches_of(kind: Kind, version: tuple[int, ...]) -> Switches:
    """Return the switches of the newest version in the table that is not newer than this one."""
    if kind is Kind.FORGEJO:
        return _FORGEJO
    return next((_GITEA[each] for each in sorted(_GITEA, reverse=True) if version[:2] >= each), Switches())


def probe(api: Api) -> Features:
    """Ask the server what it is and can do; nothing is changed by that.

    Raises:
        ForgeError: it cannot be reached, or does not accept the token.
    """
    text = api.get(Version, ("version",)).version
    kind, version = kind_and_version(text)
    resolve, replies = (
        (False, False)
        if kind is Kind.FORGEJO
        else gather(
            [
                lambda: _has_route(api, "pulls", "comments", 0, "resolve"),
                lambda: _has_route(api, "pulls", 0, "comments", 0, "replies"),
            ]
        )
    )
    return Features(kind, version, text, resolve, replies, switches_of(kind, version))


def missing_scopes(api: Api) -> tuple[str, ...]:
    """Return the scopes that the token lacks, of those that a review needs.

    The forge lists no scopes, so each is tried on something that cannot exist; nothing is changed.

    Raises:
        NotAuthorised: the token is not accepted at all.
        Unreachable: the server does not answer.
    """
    tries = {
        "read:user": Call("GET", ("user",)),
        "write:issue": Call("PATCH", api.below("issues", "comments", 0), body={"body": "-"}, repeatable=True),
        "write:repository": Call("POST", api.below("pulls", 0, "reviews"), body={}, repeatable=True),
    }
    return tuple(scope for scope, call in tries.items() if _lacks_scope(api, call))


def _lacks_scope(api: Api, call: Call) -> bool:
    try:
        api.send(call)
    except MissingScope:
        return True
    except (NotAuthorised, Unreachable):
        raise
    except ForgeError:
        return False
    return False


def _has_route(api: Api, *path: str | int) -> bool:
    """Tell whether there is a POST route, by posting to a comment that cannot exist.

    Without the route a wildcard for GET is what matches, and the answer is 405 (seen on 1.26.4).
    """
    try:
        api.send(Call("POST", api.below(*path), body={}, repeatable=True))
    except ForgeError as error:
        if isinstance(error, (NotAuthorised, Unreachable)):
            raise
        return error.status in (400, 404, 422)
    return False

"""Every exception that the forge package raises on purpose.

ForgeError                  something between us and the forge; its text is one sentence for the user
|-- NoToken                 the config names no token, or it cannot be read
|-- Unreachable             no answer in time, or none that came from the server itself
|-- NotAuthorised           401: the token is wrong, expired or deleted
|-- MissingScope            403: the token lacks a scope
|-- MissingRight            403: the bot's account lacks a right
|-- NotFound                404: not there, or not visible to the bot
|-- Archived                423: the repository is archived
|-- Renamed                 301: the repository has another name now
|-- Redirected              any other redirect; none is followed
|-- Refused                 405, 409, 413, 422 and other 4xx: the forge will not do it, and says why
|-- ServerFault             5xx: the forge failed, mostly without a word
`-- BadAnswer               an answer that is not what Gitea documents: no JSON, too large, cut off, a wrong type
"""

from werkrevisor_core.errors import WerkrevisorError


class ForgeError(WerkrevisorError):
    """Base of all errors of the forge package.

    Attributes:
        request: method and path of the request, without host, query and token; empty where none was made.
        status: the HTTP status; 0 where there was no answer.
        says: what the forge said, cleaned; empty where it said nothing.
    """

    def __init__(self, text: str, *, request: str = "", status: int = 0, says: str = "") -> None:
        super().__init__(text)
        self.request = request
        self.status = status
        self.says = says


class NoToken(ForgeError):
    """The config names no token, or what it names cannot be read."""


class Unreachable(ForgeError):
    """No answer came.

    Attributes:
        maybe_done: whether the server may have done what was asked, because the request had been sent.
            Nothing that is not safe to repeat was repeated.
    """

    maybe_done = False


class NotAuthorised(ForgeError):
    """The forge does not know the token."""


class MissingScope(ForgeError):
    """The token lacks a scope."""


class MissingRight(ForgeError):
    """The account of the token lacks a right."""


class NotFound(ForgeError):
    """What was asked for is not there, or the account of the token may not see it."""


class Archived(ForgeError):
    """The repository is archived, so it cannot be written to."""


class Renamed(ForgeError):
    """The repository has another name now."""


class Redirected(ForgeError):
    """The server points elsewhere, where the token is not sent."""


class Refused(ForgeError):
    """The forge will not do it; `says` is its reason (e.g. 405 and 409 of a merge, 422 of a review)."""


class ServerFault(ForgeError):
    """The forge failed; it may have done a part of what was asked."""


class BadAnswer(ForgeError):
    """An answer that is not what the forge documents; nothing of it was used."""

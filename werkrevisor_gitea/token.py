"""The bot's token: where it comes from, and a box that does not show it by accident."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

from werkrevisor_core.config.sections import GiteaSettings
from werkrevisor_gitea.errors import NoToken

_MOST_BYTES: Final = 4096
_TOKEN: Final = re.compile(r"[!-~]+\Z")
"""Printable ASCII without spaces: what may stand in a header, and all that Gitea and Forgejo make."""


@frozen
class Token:
    """A secret that shows in no log, repr or traceback; `reveal` is for the request's header alone."""

    _value: str = field(repr=False)

    def reveal(self) -> str:
        """Return the secret."""
        return self._value

    def hide_in(self, text: str) -> str:
        """Return the text without the secret, for words that come from a server."""
        return text.replace(self._value, "***")

    def __str__(self) -> str:
        """Return a text that shows nothing."""
        return "Token(***)"


def read_token(settings: GiteaSettings, environment: Mapping[str, str]) -> Token:
    """Read the bot's token from where the host's config says.

    Args:
        settings: the `[gitea]` section.
        environment: the environment variables of the process.

    Returns:
        The token.

    Raises:
        NoToken: none is named, or it is missing, unreadable or cannot be a token. The text never
            repeats any of it.
    """
    if settings.token_env:
        return _token(environment.get(settings.token_env, ""), f"the environment variable {settings.token_env}")
    if settings.token_file:
        return _token(_first_line(settings.token_file), f"the token file {settings.token_file}")
    raise NoToken(
        "[gitea] names no token; put the name of an environment variable into token_env, or a path into token_file"
    )


def _token(value: str, where: str) -> Token:
    value = value.strip()
    if not value:
        raise NoToken(f"{where} is empty or not set; put the token of the bot's account there")
    if not _TOKEN.match(value):
        raise NoToken(
            f"{where} holds spaces, line breaks or characters that no token has; "
            "it must hold the token and nothing else"
        )
    return Token(value)


def _first_line(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise NoToken(
            f"the token file {path} cannot be read ({error.strerror}); name another in [gitea] token_file"
        ) from None
    if len(data) > _MOST_BYTES:
        raise NoToken(f"the token file {path} is larger than {_MOST_BYTES:,} bytes, so it is no token file")
    return data.decode("utf-8", "replace")

"""The repository itself: what it is, who may do what in it, files of it."""

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.wire import FileContents, Repository, Team, User, UserPermission


class Repositories:
    """Requests about the repository."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self) -> Repository:
        """Read the repository, with what the bot's account may do in it."""
        return self._api.get(Repository, self._api.below())

    def permission(self, login: str) -> UserPermission:
        """Read what an account may do; asking about others needs repository admin."""
        return self._api.get(UserPermission, self._api.below("collaborators", login, "permission"))

    def collaborators(self) -> tuple[User, ...]:
        """List the collaborators (no members of teams); needs read only."""
        return self._api.pages(User, self._api.below("collaborators"), key=lambda each: each.id)

    def writers(self) -> tuple[User, ...]:
        """List who can write, through a team too: whom the forge would let be assigned. Site admins are not listed."""
        return self._api.get(tuple[User, ...], self._api.below("assignees"))

    def teams(self) -> tuple[Team, ...]:
        """List the teams of the organisation that have access."""
        return self._api.get(tuple[Team, ...], self._api.below("teams"))

    def contents(self, path: str, ref: str) -> FileContents:
        """Read a file at a full commit id or a branch (never a short id: the forge does not know it)."""
        return self._api.get(FileContents, self._api.below("contents", *path.split("/")), {"ref": ref})

"""Who may approve what: the people that `[gate]` lists, and the paths that need one of their own."""

from collections.abc import Collection

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.globs import Globs
from werkrevisor_core.records import frozen


@frozen
class Owned:
    """Paths that need an approval of one of these people; `glob` is how the host wrote it."""

    glob: str
    globs: Globs
    logins: frozenset[str]


@frozen
class Reviewers:
    """The listed people. Logins are compared without case, as the forges do."""

    everywhere: frozenset[str]
    owned: tuple[Owned, ...]

    @classmethod
    def compile(cls, gate: GateSettings) -> "Reviewers":
        """Compile `[gate] human_reviewers` and `[gate] reviewers`."""
        owned = (
            Owned(glob, Globs((glob,), folded=True), frozenset(map(str.casefold, logins)))
            for glob, logins in gate.reviewers.items()
        )
        return cls(frozenset(map(str.casefold, gate.human_reviewers)), tuple(owned))

    def lists(self, login: str) -> bool:
        """Tell whether the host lists a login at all."""
        name = login.casefold()
        return name in self.everywhere or any(name in owned.logins for owned in self.owned)

    def covers(self, logins: Collection[str], path: str) -> bool:
        """Tell whether approvals of these people are enough for a path.

        Under globs of `[gate] reviewers` each glob needs one of its own people, elsewhere one of
        `[gate] human_reviewers` is enough.
        """
        names = {login.casefold() for login in logins}
        owned = [owned for owned in self.owned if owned.globs.match(path) is not None]
        return all(names & one.logins for one in owned) if owned else bool(names & self.everywhere)

    def lacking(self, logins: Collection[str], path: str) -> frozenset[str]:
        """Return the people (casefolded) of whom one could still approve a path; nobody where it is covered."""
        if self.covers(logins, path):
            return frozenset()
        names = {login.casefold() for login in logins}
        owned = [one.logins for one in self.owned if one.globs.match(path) is not None]
        return frozenset(name for one in owned if not names & one for name in one) if owned else self.everywhere

    def cover_all(self, logins: Collection[str], paths: Collection[str]) -> bool:
        """Tell whether approvals of these people are enough for all paths; without a path, for the whole."""
        if not paths:
            return bool({login.casefold() for login in logins} & self.everywhere)
        return all(self.covers(logins, path) for path in paths)

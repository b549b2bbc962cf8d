"""Branches and the rules that protect them."""

from collections.abc import Mapping
from typing import Any

from werkrevisor_gitea.api import Api
from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.wire import Branch, BranchProtection


class Branches:
    """Requests about branches; everything about rules needs repository admin."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, name: str) -> Branch:
        """Read a branch. Only an admin is told the name of its rule; a writer sees no whitelist."""
        # The route takes the rest of the path as the name, so its slashes stay slashes.
        return self._api.get(Branch, self._api.below("branches", *name.split("/")))

    def binding(self, name: str) -> BranchProtection | None:
        """Read the one rule that binds a branch; None where it is not protected.

        Raises:
            MissingRight: the account is no repository admin.
            BadAnswer: the server does not say which rule it is.
        """
        branch = self.get(name)
        if not branch.protected:
            return None
        rules = self.protections()
        wanted = branch.effective_branch_protection_name or name
        for rule in rules:
            if rule.rule_name.casefold() == wanted.casefold():
                return rule
        raise BadAnswer(f"the server says that the branch {name} is protected, and not by which rule")

    def protections(self) -> tuple[BranchProtection, ...]:
        """List all rules (the forge does not page them)."""
        return self._api.get(tuple[BranchProtection, ...], self._api.below("branch_protections"))

    def protection(self, rule: str) -> BranchProtection:
        """Read one rule by its name."""
        return self._api.get(BranchProtection, self._api.below("branch_protections", rule))

    def create_protection(self, rule: Mapping[str, Any]) -> BranchProtection:
        """Make a rule; `rule_name` names it."""
        return self._api.post(BranchProtection, self._api.below("branch_protections"), rule)

    def edit_protection(self, name: str, rule: Mapping[str, Any]) -> BranchProtection:
        """Set the given fields of a rule."""
        return self._api.patch(BranchProtection, self._api.below("branch_protections", name), rule)

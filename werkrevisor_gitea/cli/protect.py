"""`werkrevisor protect`: prints the branch rule that binds everybody, and sets it with `--apply`."""

import json
import os
import sys
from collections.abc import Iterator, Mapping

from werkrevisor_core.cli.output import complain
from werkrevisor_core.config.wording import printable
from werkrevisor_core.models.verdict import Level
from werkrevisor_gitea.cli.check import Outcome
from werkrevisor_gitea.cli.checks_rules import branch_checks
from werkrevisor_gitea.cli.host import admin_client, gated_branches, load_host, people_of, wanted_of
from werkrevisor_gitea.client import Client, open_client
from werkrevisor_gitea.errors import ForgeError, MissingRight
from werkrevisor_gitea.protection import (
    People,
    Wanted,
    can_change_the_rule,
    differences,
    is_plain,
    priority_before,
    rule_for,
)
from werkrevisor_gitea.wire import BranchProtection


def run_protect(config: str, admin_token_env: str = "", *, apply: bool = False) -> int:
    """Print the rule for every gated branch and what is different now; set it where asked to.

    Args:
        config: path of the host's config file.
        admin_token_env: name of the variable with a repository admin's token; empty for the bot's own.
        apply: whether to set the rule.

    Returns:
        0 where the rule binds (now), 4 where it does not or the server refused.

    Raises:
        UsageError: the file cannot be read, or names no server or repository.
    """
    host = load_host(config)
    if host.faults:
        return complain(f"the config is at fault: {host.faults[0]}; see `werkrevisor config check`", int(Level.ERROR))
    try:
        with (
            open_client(host.gitea, os.environ) as bot,
            admin_client(host, bot, admin_token_env, os.environ) as admin,
        ):
            branches = gated_branches(host, bot.repository.get())
            people = people_of(admin, bot.me().login)
            bound = [_branch(admin, wanted_of(host, bot, branch), people, apply=apply) for branch in branches]
            _say(f"The rule can be changed by {can_change_the_rule(people)}.")
    except ForgeError as error:
        return complain(str(error), int(Level.ERROR))
    return 0 if all(bound) else int(Level.ERROR)


def _branch(admin: Client, wanted: Wanted, people: People, *, apply: bool) -> bool:
    branch, taken = wanted.branch, True
    if is_plain(branch):
        try:
            present = admin.branches.binding(branch)
        except MissingRight:
            _say(f"The rule for {branch} (the present one cannot be read with this account):")
            _say(json.dumps(rule_for(wanted, None), indent=2))
            raise
        rule = rule_for(wanted, present)
        _say(f"The rule for {branch}:")
        _say(json.dumps(rule, indent=2))
        for line in _changes(branch, present, rule):
            _say(line)
        if apply:
            _set(admin, branch, present, rule)
            taken = _taken(admin.branches.binding(branch), rule)
    checks = list(branch_checks(admin, wanted, people))
    for check in checks:
        _say(str(check))
    return taken and all(check.outcome is not Outcome.FAIL for check in checks)


def _changes(branch: str, present: BranchProtection | None, rule: Mapping[str, object]) -> Iterator[str]:
    if present is None:
        yield f"No rule binds {branch} now."
        return
    different = differences(present, {name: value for name, value in rule.items() if name != "rule_name"})
    yield f"Now the rule {present.rule_name} binds it" + (", with these differences:" if different else ", the same.")
    for each in different:
        yield f"  {each.name}: {json.dumps(each.now)} instead of {json.dumps(each.wanted)}"


def _taken(present: BranchProtection | None, rule: Mapping[str, object]) -> bool:
    """Tell whether the server took the rule over; it silently drops people who lack access."""
    left = differences(present, {name: value for name, value in rule.items() if name != "rule_name"})
    for each in left:
        _say(
            f"The server did not take {each.name}: {json.dumps(each.wanted)}, it has {json.dumps(each.now)}; "
            "give everybody named there access to the repository first."
        )
    return not left


def _set(admin: Client, branch: str, present: BranchProtection | None, rule: Mapping[str, object]) -> None:
    """Change the branch's own rule, or make one that comes before a pattern which binds it now."""
    if present is not None and present.rule_name.casefold() == branch.casefold():
        admin.branches.edit_protection(
            present.rule_name, {name: value for name, value in rule.items() if name != "rule_name"}
        )
        return
    first = {} if present is None else {"priority": priority_before(admin.branches.protections())}
    admin.branches.create_protection({**rule, **first})


def _say(text: str) -> None:
    sys.stdout.writelines(f"{printable(line)}\n" for line in text.split("\n"))

"""The branch rule that binds everybody, how a present one differs from it, and its holes with who could use them.

Pure: what the forge says comes in as wire models, sentences come out. What does bind was tried on a
Gitea 1.26.4 by writer, owner and site admin (spec section 10); a required status alone binds nobody
who can write code, since he can post it himself.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
from attrs import frozen

from werkrevisor_gitea.probe import Switches
from werkrevisor_gitea.wire import BranchProtection

SITE_ADMINS: Final = "every site admin"
ADMINS: Final = "every repository admin"
WRITERS: Final = "everybody who can write"
DEPLOY_KEYS: Final = "every deploy key that can write"

_SPECIAL: Final = frozenset("*?[]{}\\")
"""What makes a rule's name, or a required context, a pattern for the forge."""


@frozen
class Wanted:
    """What a rule has to say for one gated branch.

    `mergers` are people who may merge by hand, `approvers` those whose approval may count, the bot aside.
    `schedule` is whether the forge merges by itself ([gate] merge = "schedule").
    """

    branch: str
    bot: str
    mergers: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    schedule: bool = False
    switches: Switches = Switches()

    @property
    def context(self) -> str:
        """The status that must be success; one per base branch, since a status belongs to a commit."""
        return f"werkrevisor/{self.branch}"


@frozen
class People:
    """Who can do what in the repository besides the bot, as far as the bot's account may know.

    `writers` can write code, `admins` (of them) can change the rule too. Site admins are never listed.
    """

    writers: tuple[str, ...] = ()
    admins: tuple[str, ...] = ()


@frozen
class Hole:
    """Something that a rule lets through (or, with `stuck`, keeps the bot itself from doing).

    `who` are the logins, and groups of people, who could use it.
    """

    says: str
    who: tuple[str, ...]
    todo: str
    stuck: bool = False

    def __str__(self) -> str:
        """Return the whole sentence."""
        who = ", ".join(self.who) or "nobody, while only the bot may merge"
        who = "" if self.stuck else f" (usable by {who})"
        return f"{self.says}{who}; {self.todo}"


@frozen
class Difference:
    """A field of a rule that is not as it should be."""

    name: str
    now: Any
    wanted: Any


def is_plain(name: str) -> bool:
    """Tell whether the forge takes a branch name literally where it expects a pattern."""
    return not _SPECIAL & set(name)


def rule_for(wanted: Wanted, present: BranchProtection | None) -> Mapping[str, Any]:
    """Return the rule that binds, as the forge's API takes it.

    Args:
        wanted: what it has to say.
        present: the rule that binds the branch now. What it demands beyond is kept: further required
            statuses, more approvals, signed commits, protected files.

    Returns:
        Field name -> value, complete.
    """
    old = present or BranchProtection(wanted.branch)
    names = _named(wanted.bot, *wanted.approvers)
    rule: dict[str, Any] = {
        "rule_name": wanted.branch,
        "enable_push": False,
        "enable_push_whitelist": False,
        "push_whitelist_usernames": [],
        "push_whitelist_teams": [],
        "push_whitelist_deploy_keys": False,
        "enable_force_push": False,
        "enable_force_push_allowlist": False,
        "force_push_allowlist_usernames": [],
        "force_push_allowlist_teams": [],
        "force_push_allowlist_deploy_keys": False,
        "enable_merge_whitelist": True,
        "merge_whitelist_usernames": list(_named(wanted.bot, *wanted.mergers)),
        "merge_whitelist_teams": [],
        "enable_status_check": True,
        "status_check_contexts": list(dict.fromkeys((wanted.context, *_contexts(old)))),
        "required_approvals": max(1, old.required_approvals),
        "enable_approvals_whitelist": True,
        "approvals_whitelist_username": list(names),
        "approvals_whitelist_teams": [],
        "block_on_rejected_reviews": True,
        "block_on_official_review_requests": old.block_on_official_review_requests,
        "block_on_outdated_branch": old.block_on_outdated_branch,
        "dismiss_stale_approvals": True,
        "ignore_stale_approvals": True,
        "require_signed_commits": old.require_signed_commits,
        "protected_file_patterns": old.protected_file_patterns,
        "unprotected_file_patterns": "",
        wanted.switches.no_override: True,
    }
    if wanted.switches.bypass_list or old.enable_bypass_allowlist:
        rule |= {"enable_bypass_allowlist": False, "bypass_allowlist_usernames": [], "bypass_allowlist_teams": []}
    return rule


def differences(present: BranchProtection | None, rule: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the fields of a rule that are not as they should be; lists of names are compared as sets."""
    if present is None:
        return tuple(Difference(name, None, value) for name, value in rule.items())
    now = attrs.asdict(present, recurse=False)
    return tuple(
        Difference(name, _shown(now.get(name)), value)
        for name, value in rule.items()
        if _comparable(name, now.get(name)) != _comparable(name, value)
    )


def priority_before(rules: Iterable[BranchProtection]) -> int:
    """Return a priority that comes before all the rules'; never 0, which the forge takes as "none given"."""
    return min((-1, *(rule.priority - 1 for rule in rules)))


def holes(present: BranchProtection | None, wanted: Wanted, people: People) -> tuple[Hole, ...]:
    """Return every hole of the rule that binds a gated branch.

    Args:
        present: the rule; None where none binds the branch.
        wanted: what it has to say.
        people: who can do what in the repository.

    Returns:
        The holes; none only where nobody but the bot and the named mergers can get a change in.
    """
    writers = people.writers or (WRITERS,)
    scheduled = _schedule_holes(wanted, people)
    if present is None:
        says = f"no rule protects the branch {wanted.branch}, so anything can be pushed and merged there"
        return (Hole(says, (*writers, SITE_ADMINS), _APPLY), *scheduled)
    found = _Finder(present, wanted, people, writers)
    return (
        *found.pushes(),
        *found.merges(),
        *found.statuses(),
        *found.approvals(),
        *found.stuck(),
        *scheduled,
    )


_APPLY: Final = "run `werkrevisor protect --config FILE --apply`"


@frozen
class _Finder:
    """The parts of `holes`; each looks at a few fields of one rule."""

    rule: BranchProtection
    wanted: Wanted
    people: People
    writers: tuple[str, ...]

    @property
    def trusted(self) -> frozenset[str]:
        return frozenset(each.casefold() for each in (self.wanted.bot, *self.wanted.mergers))

    @property
    def mergers(self) -> tuple[str, ...]:
        """Who could use what a rule fails to demand of a merge: the named people, and more where it names none."""
        if not self.rule.enable_merge_whitelist:
            return (*self.writers, SITE_ADMINS)
        users = (each for each in self.rule.merge_whitelist_usernames if not self._is_bot(each))
        forced = () if self._binds_admins else (*self.people.admins, SITE_ADMINS)
        return (*users, *_teams(self.rule.merge_whitelist_teams), *forced)

    @property
    def _binds_admins(self) -> bool:
        return bool(getattr(self.rule, self.wanted.switches.no_override))

    def pushes(self) -> Iterable[Hole]:
        rule, name = self.rule, self.wanted.branch
        if rule.enable_push and (
            who := self._listed(
                rule.enable_push_whitelist,
                rule.push_whitelist_usernames,
                rule.push_whitelist_teams,
                keys=rule.push_whitelist_deploy_keys,
            )
        ):
            yield Hole(f"commits can be pushed to {name} past any review", who, _APPLY)
        if rule.enable_force_push and (
            who := self._listed(
                rule.enable_force_push_allowlist,
                rule.force_push_allowlist_usernames,
                rule.force_push_allowlist_teams,
                keys=rule.force_push_allowlist_deploy_keys,
            )
        ):
            yield Hole(f"the history of {name} can be overwritten", who, _APPLY)
        if rule.unprotected_file_patterns.strip("; "):
            says = f"files of {name} under {rule.unprotected_file_patterns} can be pushed past any review"
            yield Hole(says, self.writers, _APPLY)

    def merges(self) -> Iterable[Hole]:
        rule = self.rule
        if not rule.enable_merge_whitelist:
            yield Hole("everybody who can write may merge and schedule merges", (*self.writers, SITE_ADMINS), _APPLY)
        else:
            others = [each for each in rule.merge_whitelist_usernames if each.casefold() not in self.trusted]
            if who := (*others, *_teams(rule.merge_whitelist_teams)):
                todo = f"name who may in [gate] mergers, then {_APPLY}"
                yield Hole("more people may merge than the host's config names", who, todo)
        if not self._binds_admins:
            yield Hole("admins can force a merge past the rule", (*self.people.admins, SITE_ADMINS), _APPLY)
        if rule.enable_bypass_allowlist and (
            who := self._listed(True, rule.bypass_allowlist_usernames, rule.bypass_allowlist_teams, keys=False)
        ):
            yield Hole("people are named whom the rule does not bind", who, _APPLY)

    def statuses(self) -> Iterable[Hole]:
        if not self.rule.enable_status_check or self.wanted.context not in self.rule.status_check_contexts:
            says = f"the status {self.wanted.context} is not required by its plain name, so a merge needs no verdict"
            yield Hole(says, self.mergers, _APPLY)

    def approvals(self) -> Iterable[Hole]:
        rule = self.rule
        if rule.required_approvals < 1:
            yield Hole("no approval is required", self.mergers, _APPLY)
        if not rule.enable_approvals_whitelist:
            says = "the approval of everybody who can write counts, of a second account of the author too"
            yield Hole(says, self.writers if self.mergers else (), _APPLY)
        else:
            known = {each.casefold() for each in (self.wanted.bot, *self.wanted.approvers)}
            others = [each for each in rule.approvals_whitelist_username if each.casefold() not in known]
            if who := (*others, *_teams(rule.approvals_whitelist_teams)):
                todo = f"name them in [gate] human_reviewers or reviewers, or {_APPLY}"
                yield Hole("the forge counts approvals of people whom the host's config does not name", who, todo)
        if not rule.ignore_stale_approvals:
            yield Hole("an approval of an old head counts for the forge", self.mergers, _APPLY)
        if not rule.dismiss_stale_approvals:
            yield Hole("an approval stays when other commits are pushed", self.mergers, _APPLY)
        if not rule.block_on_rejected_reviews:
            yield Hole("a request for changes does not keep the forge from merging", self.mergers, _APPLY)

    def stuck(self) -> Iterable[Hole]:
        rule = self.rule
        if rule.enable_merge_whitelist and not any(map(self._is_bot, rule.merge_whitelist_usernames)):
            yield Hole(f"the bot {self.wanted.bot} itself may not merge", (), _APPLY, stuck=True)
        if rule.enable_approvals_whitelist and not any(map(self._is_bot, rule.approvals_whitelist_username)):
            yield Hole(f"the approval of the bot {self.wanted.bot} itself does not count", (), _APPLY, stuck=True)

    def _listed(self, listed: bool, users: Iterable[str], teams: Iterable[str], *, keys: bool) -> tuple[str, ...]:
        if not listed:
            return self.writers
        named = tuple(each for each in users if not self._is_bot(each))
        return (*named, *_teams(teams), *((DEPLOY_KEYS,) if keys else ()))

    def _is_bot(self, login: str) -> bool:
        return login.casefold() == self.wanted.bot.casefold()


def _schedule_holes(wanted: Wanted, people: People) -> Iterable[Hole]:
    """A schedule is pinned to no commit, and whoever can write can push one and post its statuses."""
    if not wanted.schedule or not people.writers:
        return ()
    says = (
        "a scheduled merge takes whatever head first satisfies the rule, and whoever can write "
        "can push one and post its statuses"
    )
    return (Hole(says, (*people.writers, SITE_ADMINS), 'set [gate] merge to "pinned"'),)


def can_change_the_rule(people: People) -> str:
    """Say who can take a rule away altogether; no rule can prevent that."""
    return ", ".join((*people.admins, SITE_ADMINS))


def _contexts(rule: BranchProtection) -> tuple[str, ...]:
    return rule.status_check_contexts if rule.enable_status_check else ()


def _named(*logins: str) -> tuple[str, ...]:
    return tuple({each.casefold(): each for each in reversed(logins)}.values())[::-1]


def _teams(teams: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"the team {each}" for each in teams)


def _comparable(name: str, value: Any) -> object:  # noqa: ANN401 (a field of a rule)
    if not isinstance(value, list | tuple):
        return value
    # Logins and teams are the same in any case of letters; contexts are not.
    return frozenset(value if name == "status_check_contexts" else (str(each).casefold() for each in value))


def _shown(value: Any) -> Any:  # noqa: ANN401 (a field of a rule)
    return list(value) if isinstance(value, tuple) else value

"""Checks of what binds people: branch rules with every hole, reviewers, the webhook."""

from collections.abc import Iterator

from werkrevisor_gitea.cli.check import Check, fail, note, ok
from werkrevisor_gitea.cli.host import Host, gated_branches, people_of, wanted_of
from werkrevisor_gitea.client import Client
from werkrevisor_gitea.errors import ForgeError, MissingRight, NotFound
from werkrevisor_gitea.hooks import missing_events
from werkrevisor_gitea.protection import People, Wanted, can_change_the_rule, holes, is_plain
from werkrevisor_gitea.wire import Hook, Repository

_AS_ADMIN = "make the bot repository admin, or name an admin's token with --admin-token-env"


def rule_checks(host: Host, bot: Client, admin: Client, repository: Repository) -> Iterator[Check]:
    """Check the rule of every gated branch, the reviewers and the webhook.

    Args:
        host: the host's config.
        bot: the client of the bot's account.
        admin: the client of an account that may read rules, webhooks and rights.
        repository: what the server says of the repository.

    Yields:
        One line per check, and one per hole.
    """
    people = people_of(admin, bot.me().login)
    for branch in gated_branches(host, repository):
        yield from branch_checks(admin, wanted_of(host, bot, branch), people)
    if people.writers:
        yield note("branch rules", f"can be changed by {can_change_the_rule(people)}; no rule prevents that")
    yield from _reviewers(host, bot, admin)
    yield from _webhook(host, admin)


def branch_checks(admin: Client, wanted: Wanted, people: People) -> Iterator[Check]:
    """Check the rule of one gated branch.

    Args:
        admin: the client of an account that may read rules.
        wanted: the branch, and what its rule has to say.
        people: who can do what in the repository.

    Yields:
        One line per hole with who could use it, or one that says that there is none.
    """
    branch = wanted.branch
    about = f"branch {branch}"
    if not is_plain(branch):
        yield fail(about, "its name is a pattern for the forge's rules, so no rule names it alone; rename the branch")
        return
    try:
        rule = admin.branches.binding(branch)
    except NotFound:
        yield fail(about, "there is no such branch; name another in [gate] branches")
        return
    except MissingRight:
        yield fail(about, f"its rule cannot be read; {_AS_ADMIN}")
        return
    found = holes(rule, wanted, people)
    for hole in found:
        yield fail(about, hole)
    if not found:
        yield ok(about, "nobody but the bot and [gate] mergers can get a change in")


def _reviewers(host: Host, bot: Client, admin: Client) -> Iterator[Check]:
    me = bot.me().login.casefold()
    for login in dict.fromkeys((*host.approvers, *host.gate.mergers)):
        if login.casefold() == me:
            yield fail("reviewers", f"{login} is the bot itself, whose approval is no human one; take it out of [gate]")
            continue
        try:
            held = admin.repository.permission(login).permission
        except NotFound:
            yield fail("reviewers", f"there is no account {login}; mend its name in [gate]")
        except MissingRight:
            yield note("reviewers", f"whether {login} can read the repository cannot be told; {_AS_ADMIN}")
        else:
            if held == "none":
                yield fail("reviewers", f"{login} cannot read the repository; make {login} a collaborator")


def _webhook(host: Host, admin: Client) -> Iterator[Check]:
    url = host.gitea.hook_url
    if not url:
        yield note("webhook", "[gitea] hook_url is not set, so only the command line reviews here")
        return
    try:
        found = [hook for hook in admin.hooks.list() if hook.config.url.rstrip("/") == url.rstrip("/")]
    except MissingRight:
        yield fail("webhook", f"it cannot be looked for; {_AS_ADMIN}")
        return
    except ForgeError as error:
        yield fail("webhook", error)
        return
    if not found:
        yield fail(
            "webhook", f"none delivers to {url}; make it in the repository's settings, or see `werkrevisor init`"
        )
    elif faults := [fault for hook in found for fault in _faults_of(hook)]:
        yield from (fail("webhook", fault) for fault in faults)
    elif len(found) > 1:
        yield fail("webhook", f"{len(found)} deliver to {url}; delete all but one")
    else:
        yield ok("webhook", f"delivers to {url}; whether its secret is the same shows only with a delivery")


def _faults_of(hook: Hook) -> Iterator[str]:
    if not hook.active:
        yield f"number {hook.id} is switched off; switch it on"
    if hook.config.content_type != "json":
        yield f"number {hook.id} does not deliver JSON; set its content type to application/json"
    if missing := missing_events(hook.events):
        yield f"number {hook.id} does not tell of {', '.join(missing)}; switch these events on"

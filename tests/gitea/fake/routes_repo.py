"""Routes of a repository: settings, forks, branches, rules, collaborators and webhooks."""

from __future__ import annotations

from typing import Any

from . import access, wire
from .model import MODE_NAMES, MODES, READ, WRITE, Hook, Rule, User
from .repository import Git
from .routing import Call, Refused, Reply, Route, not_found, paged
from .webhooks import send_sample, stored_events

USER_LISTS = {
    "push_whitelist_usernames": WRITE,
    "force_push_allowlist_usernames": WRITE,
    "merge_whitelist_usernames": WRITE,
    "approvals_whitelist_username": READ,  # WRITE where everybody can read: no row says that somebody may
}
ONLY_OWN = (
    "Only admins can query all permissions, repo admins can query all repo permissions, "
    "collaborators can query only their own"
)
TEAM_LISTS = (
    "push_whitelist_teams",
    "force_push_allowlist_teams",
    "merge_whitelist_teams",
    "approvals_whitelist_teams",
)


def get_repo(call: Call) -> Reply:
    return Reply(200, wire.repo_json(call.state, call.repo, call.user))


def create_repo(call: Call) -> Reply:
    """Make an empty repository for the caller or for an organisation of theirs."""
    owner = call.doer
    if "org" in call.names:
        found = call.state.user(call.names["org"])
        if found is None:
            raise not_found()
        owner = found
    name = str(call.body["name"])
    if call.state.repo(owner.name, name) is not None:
        raise Refused(409, "The repository with the same name already exists.")
    repo = call.state.add_repo(owner, name, str(call.body.get("default_branch") or "main"))
    repo.private = bool(call.body.get("private"))
    return Reply(201, wire.repo_json(call.state, repo, call.user))


def edit_repo(call: Call) -> Reply:
    """Rename, archive, hide or change the default branch."""
    repo, body = call.repo, call.body
    if body.get("name") and body["name"] != repo.name:
        call.state.moved[repo.full_name.lower()] = repo
        repo.name = str(body["name"])
    repo.archived = bool(body.get("archived", repo.archived))
    repo.private = bool(body.get("private", repo.private))
    repo.default_branch = str(body.get("default_branch", repo.default_branch))
    return Reply(200, wire.repo_json(call.state, repo, call.user))


def delete_repo(call: Call) -> Reply:
    call.state.remove_repo(call.repo)
    return Reply(204)


def fork(call: Call) -> Reply:
    """Fork a repository; its branches are there when this is answered."""
    parent = call.repo
    name = str(call.body.get("name") or parent.name)
    if call.state.repo(call.doer.name, name) is not None:
        raise Refused(409, "The repository with the same name already exists.")
    repo = call.state.add_repo(call.doer, name, parent.default_branch, parent)
    Git(repo.path).run("fetch", "-q", str(parent.path), "refs/heads/*:refs/heads/*")
    repo.private = parent.private
    answer = wire.repo_json(call.state, repo, call.user)
    repo.empty = False
    return Reply(202, answer)


def list_branches(call: Call) -> Reply:
    git = Git(call.repo.path)
    names = [ref.removeprefix("refs/heads/") for ref in git.refs() if ref.startswith("refs/heads/")]
    rows = [wire.branch_json(call.state, call.repo, name, git.branch(name), call.user) for name in names]
    page, headers = paged(call, rows)
    return Reply(200, page, headers=headers)


def get_branch(call: Call) -> Reply:
    name = call.names["branch"]
    sha = Git(call.repo.path).branch(name)
    if not sha:
        raise not_found("The target couldn't be found.", [])
    return Reply(200, wire.branch_json(call.state, call.repo, name, sha, call.user))


def names_checked(call: Call, option: str, names: list[Any]) -> list[str]:
    """Return the users of a list; unknown ones are an error, those without the right are dropped in silence."""
    kept = []
    for name in names:
        user = call.state.user(str(name))
        if user is None:
            raise Refused(422, f"user does not exist [uid: 0, name: {name}]")
        needed = USER_LISTS[option] if call.repo.private else WRITE
        if access.mode(call.state, call.repo, user) >= needed:
            kept.append(user.name)
    return kept


def options_of(call: Call, old: dict[str, object]) -> dict[str, object]:
    """Return the options of a rule with those of the body over the old ones."""
    body = call.body
    options = dict(old)
    for option in access.RULE_DEFAULTS:
        if body.get(option) is not None:
            options[option] = body[option]
    for option in USER_LISTS:
        wanted = options[option]
        options[option] = names_checked(call, option, wanted if isinstance(wanted, list) else [])
    own = {team.name for team in call.state.teams if team.org is call.repo.owner}
    for option in TEAM_LISTS:
        for name in body.get(option) or []:
            if name not in own:
                raise Refused(422, f"team does not exist [team_id: 0, org_id: {call.repo.owner.id}, name: {name}]")
    return settled(options)


def settled(options: dict[str, object]) -> dict[str, object]:
    """Clear what has no meaning while its switch is off, as the real server stores it."""
    pushes = bool(options["enable_push"])
    options["enable_push_whitelist"] = pushes and options["enable_push_whitelist"]
    forces = pushes and bool(options["enable_force_push"])
    options["enable_force_push"] = forces
    options["enable_force_push_allowlist"] = forces and options["enable_force_push_allowlist"]
    return options


def rule_named(call: Call) -> Rule:
    found = next((rule for rule in call.repo.rules if rule.name == call.names["name"]), None)
    if found is None:
        raise not_found()
    return found


def list_rules(call: Call) -> Reply:
    return Reply(200, [wire.rule_json(rule) for rule in call.repo.rules])


def get_rule(call: Call) -> Reply:
    return Reply(200, wire.rule_json(rule_named(call)))


def create_rule(call: Call) -> Reply:
    name = str(call.body.get("rule_name") or call.body.get("branch_name") or "")
    if not name:
        raise Refused(400, "both rule_name and branch_name are empty")
    if any(rule.name == name for rule in call.repo.rules):
        raise Refused(403, "Branch protection already exist")
    last = max((rule.priority for rule in call.repo.rules), default=0)
    rule = call.state.add_rule(call.repo, name, options_of(call, dict(access.RULE_DEFAULTS)))
    rule.priority = int(call.body.get("priority") or last + 1)
    return Reply(201, wire.rule_json(rule))


def edit_rule(call: Call) -> Reply:
    rule = rule_named(call)
    rule.options, rule.updated = options_of(call, rule.options), call.state.now()
    rule.priority = int(call.body.get("priority", rule.priority))
    return Reply(200, wire.rule_json(rule))


def delete_rule(call: Call) -> Reply:
    call.repo.rules.remove(rule_named(call))
    return Reply(204)


def person(call: Call) -> User:
    found = call.state.user(call.names["name"])
    if found is None:
        raise not_found("user does not exist", [])
    return found


def list_collaborators(call: Call) -> Reply:
    users = [call.state.user(name) for name in call.repo.collaborators]
    page, headers = paged(call, [wire.user_json(call.state, user) for user in users])
    return Reply(200, page, headers=headers)


def list_assignees(call: Call) -> Reply:
    """List who can write in their own right or by a team; a site admin without either is not listed."""
    state, repo = call.state, call.repo
    found = [
        user
        for user in state.users
        if not user.is_org
        and (
            user is repo.owner
            or repo.collaborators.get(user.name.lower(), 0) >= WRITE
            or any(team.mode >= WRITE for team in access.teams_of(state, repo, user))
        )
    ]
    return Reply(200, [wire.user_json(state, user) for user in found])


def is_collaborator(call: Call) -> Reply:
    if person(call).name.lower() not in call.repo.collaborators:
        raise not_found()
    return Reply(204)


def put_collaborator(call: Call) -> Reply:
    call.repo.collaborators[person(call).name.lower()] = MODES[str(call.body.get("permission") or "write")]
    return Reply(204)


def delete_collaborator(call: Call) -> Reply:
    call.repo.collaborators.pop(person(call).name.lower(), None)
    return Reply(204)


def get_permission(call: Call) -> Reply:
    """Tell what a user may do; only the user and admins may ask."""
    user = person(call)
    if not call.is_admin() and call.doer is not user:
        raise Refused(
            403,
            ONLY_OWN,
        )
    mode = MODE_NAMES[access.shown_mode(call.state, call.repo, user)]
    return Reply(200, {"permission": mode, "role_name": mode, "user": wire.user_json(call.state, user)})


def hook_of(call: Call) -> Hook:
    found = next((hook for hook in call.repo.hooks if hook.id == call.number("id")), None)
    if found is None:
        raise not_found()
    return found


def list_hooks(call: Call) -> Reply:
    page, headers = paged(call, [wire.hook_json(hook) for hook in call.repo.hooks])
    return Reply(200, page, headers=headers)


def get_hook(call: Call) -> Reply:
    return Reply(200, wire.hook_json(hook_of(call)))


def create_hook(call: Call) -> Reply:
    """Make a hook; it is off unless the body says otherwise."""
    body = call.body
    config = body.get("config") or {}
    if not body.get("type"):
        raise Refused(422, "[Type]: Required")
    for key in ("url", "content_type"):
        if key not in config:
            raise Refused(422, f"Missing config option: {key}")
    secret, active = str(config.get("secret", "")), bool(body.get("active"))
    events = stored_events([str(event) for event in body.get("events") or []])
    hook = call.state.add_hook(
        call.repo, str(config["url"]), str(config["content_type"]), secret, events, active=active
    )
    hook.authorization = str(body.get("authorization_header", ""))
    hook.branch_filter = str(body.get("branch_filter", ""))
    return Reply(201, wire.hook_json(hook))


def edit_hook(call: Call) -> Reply:
    hook, body = hook_of(call), call.body
    config = body.get("config") or {}
    hook.url = str(config.get("url", hook.url))
    hook.secret = str(config.get("secret", hook.secret))
    hook.content_type = str(config.get("content_type", hook.content_type))
    hook.active = bool(body.get("active", hook.active))
    # An edit that names no events leaves only pushes (seen on 1.26.4).
    hook.events = stored_events([str(event) for event in body.get("events") or ("push",)])
    return Reply(200, wire.hook_json(hook))


def delete_hook(call: Call) -> Reply:
    call.repo.hooks.remove(hook_of(call))
    return Reply(204)


def try_hook(call: Call) -> Reply:
    send_sample(call.state, call.repo, hook_of(call), call.doer)
    return Reply(204)


REPO = "/repos/{owner}/{repo}"
ADMIN_NEEDS = ("token", "admin")


ROUTES = (
    Route("POST", "/user/repos", create_repo, "repository", ("token",)),
    Route("POST", "/orgs/{org}/repos", create_repo, "organization", ("token",)),
    Route("GET", REPO, get_repo),
    Route("PATCH", REPO, edit_repo, "repository", ADMIN_NEEDS),
    Route("DELETE", REPO, delete_repo, "repository", ("token", "owner")),
    Route("POST", f"{REPO}/forks", fork, "repository", ("token",)),
    Route("GET", f"{REPO}/branches", list_branches),
    Route("GET", f"{REPO}/branches/{{branch*}}", get_branch),
    Route("GET", f"{REPO}/branch_protections", list_rules, "repository", ADMIN_NEEDS),
    Route("POST", f"{REPO}/branch_protections", create_rule, "repository", (*ADMIN_NEEDS, "open")),
    Route("GET", f"{REPO}/branch_protections/{{name*}}", get_rule, "repository", ADMIN_NEEDS),
    Route("PATCH", f"{REPO}/branch_protections/{{name*}}", edit_rule, "repository", (*ADMIN_NEEDS, "open")),
    Route("DELETE", f"{REPO}/branch_protections/{{name*}}", delete_rule, "repository", (*ADMIN_NEEDS, "open")),
    Route("GET", f"{REPO}/assignees", list_assignees, "repository", ("token",)),
    Route("GET", f"{REPO}/collaborators", list_collaborators, "repository", ("token",)),
    Route("GET", f"{REPO}/collaborators/{{name}}", is_collaborator, "repository", ("token",)),
    Route("PUT", f"{REPO}/collaborators/{{name}}", put_collaborator, "repository", ADMIN_NEEDS),
    Route("DELETE", f"{REPO}/collaborators/{{name}}", delete_collaborator, "repository", ADMIN_NEEDS),
    Route("GET", f"{REPO}/collaborators/{{name}}/permission", get_permission, "repository", ("token",)),
    Route("GET", f"{REPO}/hooks", list_hooks, "repository", ADMIN_NEEDS),
    Route("POST", f"{REPO}/hooks", create_hook, "repository", ADMIN_NEEDS),
    Route("GET", f"{REPO}/hooks/{{id}}", get_hook, "repository", ADMIN_NEEDS),
    Route("PATCH", f"{REPO}/hooks/{{id}}", edit_hook, "repository", ADMIN_NEEDS),
    Route("POST", f"{REPO}/hooks/{{id}}/tests", try_hook, "repository", ADMIN_NEEDS),
    Route("DELETE", f"{REPO}/hooks/{{id}}", delete_hook, "repository", ADMIN_NEEDS),
)

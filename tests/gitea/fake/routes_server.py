"""Routes of the server itself: version, limits, users, tokens, organisations and teams."""

from __future__ import annotations

from .model import MODES, OWNER, Team, User
from .routing import Call, Refused, Reply, Route, not_found
from .state import DEFAULT_UNITS
from .wire import GHOST, date, team_json, user_json

LIMITS = {
    "max_response_items": 50,
    "default_paging_num": 30,
    "default_git_trees_per_page": 1000,
    "default_max_blob_size": 10485760,
    "default_max_response_size": 104857600,
}


def version(call: Call) -> Reply:
    return Reply(200, {"version": call.state.version})


def settings(call: Call) -> Reply:
    return Reply(200, LIMITS)


def own_user(call: Call) -> Reply:
    return Reply(200, user_json(call.state, call.doer))


def user_named(call: Call) -> User:
    found = call.state.user(call.names["name"])
    if found is None:
        raise not_found("user redirect does not exist", [])
    return found


def get_user(call: Call) -> Reply:
    return Reply(200, user_json(call.state, user_named(call)))


def create_user(call: Call) -> Reply:
    name = str(call.body["username"])
    if call.state.user(name) is not None:
        raise Refused(422, f"user already exists [name: {name}]")
    user = call.state.add_user(name, str(call.body.get("password", "")))
    return Reply(201, user_json(call.state, user))


def delete_user(call: Call) -> Reply:
    user = user_named(call)
    if call.query.get("purge") != "true" and any(repo.owner is user for repo in call.state.repos):
        raise Refused(422, "user has repositories")
    call.state.remove_user(user)
    # What the account wrote stays, under the name of nobody.
    user.id, user.name, user.mail = GHOST, "Ghost", "ghost@localhost"
    return Reply(204)


def rename_user(call: Call) -> Reply:
    user, name = user_named(call), str(call.body["new_username"])
    if call.state.user(name) is not None:
        raise Refused(422, f"user already exists [name: {name}]")
    user.mail, user.name = user.email, name
    return Reply(204)


def create_token(call: Call) -> Reply:
    """Make a token: only with a password, never with another token."""
    user = user_named(call)
    if not call.basic:
        raise Refused(401, "auth required")
    token = call.state.add_token(user, str(call.body["name"]), tuple(call.body.get("scopes", [])))
    content = {"id": token.id, "name": token.name, "sha1": token.sha, "token_last_eight": token.sha[-8:]}
    return Reply(
        201, {**content, "scopes": list(token.scopes), "created_at": date(call.state.now()), "last_used_at": None}
    )


def org_json(call: Call, org: User) -> dict[str, object]:
    return {
        "id": org.id,
        "name": org.name,
        "full_name": "",
        "email": "",
        "avatar_url": "",
        "description": "",
        "website": "",
        "location": "",
        "visibility": "public",
        "repo_admin_change_team_access": False,
        "username": org.name,
    }


def org_named(call: Call) -> User:
    found = call.state.user(call.names["org"])
    if found is None or not found.is_org:
        raise not_found("GetOrgByName", [])
    return found


def owns(call: Call, org: User) -> bool:
    own = [team for team in call.state.teams if team.org is org and team.mode == OWNER]
    return call.doer.is_admin or any(call.doer in team.members for team in own)


def create_org(call: Call) -> Reply:
    """Make an organisation; its team of owners has the caller as its only member."""
    org = call.state.add_user(str(call.body["username"]), is_org=True)
    units = dict.fromkeys(DEFAULT_UNITS, "owner")
    call.state.add_team(org, "Owners", OWNER, units).members.append(call.doer)
    return Reply(201, org_json(call, org))


def delete_org(call: Call) -> Reply:
    org = org_named(call)
    if not owns(call, org):
        raise Refused(403, "Must be an organization owner")
    if any(repo.owner is org for repo in call.state.repos):
        raise Refused(500, "")
    call.state.remove_user(org)
    return Reply(204)


def create_team(call: Call) -> Reply:
    org = org_named(call)
    if not owns(call, org):
        raise Refused(403, "Must be an organization owner")
    mode = str(call.body.get("permission", "read"))
    wanted = call.body.get("units") or list(DEFAULT_UNITS)
    team = call.state.add_team(org, str(call.body["name"]), MODES[mode], dict.fromkeys(wanted, mode))
    team.all_repositories = bool(call.body.get("includes_all_repositories"))
    return Reply(201, team_json(team, org_json(call, org)))


def list_teams(call: Call) -> Reply:
    org = org_named(call)
    if not call.doer.is_admin and not any(call.doer in team.members for team in call.state.teams if team.org is org):
        raise Refused(403, "Must be an organization member")
    return Reply(200, [team_json(team) for team in call.state.teams if team.org is org])


def team_of(call: Call) -> Team:
    found = next((team for team in call.state.teams if team.id == call.number("team")), None)
    if found is None:
        raise not_found()
    if found.mode < OWNER and not owns(call, found.org) and call.doer not in found.members:
        raise Refused(403, "Must be a team member")
    return found


def list_members(call: Call) -> Reply:
    return Reply(200, [user_json(call.state, member) for member in team_of(call).members])


def add_member(call: Call) -> Reply:
    team, user = team_of(call), user_named(call)
    if not owns(call, team.org):
        raise Refused(403, "Must be an organization owner")
    if user not in team.members:
        team.members.append(user)
    return Reply(204)


def remove_member(call: Call) -> Reply:
    team, user = team_of(call), user_named(call)
    if user in team.members:
        team.members.remove(user)
    return Reply(204)


def repo_teams(call: Call) -> Reply:
    """Return the teams that have a repository; only organisations have any."""
    if not call.repo.owner.is_org:
        raise Refused(405, "repo is not owned by an organization")
    return Reply(200, [team_json(team) for team in call.state.teams if team.org is call.repo.owner])


ROUTES = (
    Route("GET", "/version", version, ""),
    Route("GET", "/settings/api", settings, ""),
    Route("GET", "/user", own_user, "user", ("token",)),
    Route("GET", "/users/{name}", get_user, "user"),
    Route("POST", "/users/{name}/tokens", create_token, "user"),
    Route("POST", "/admin/users", create_user, "admin", ("token", "site")),
    Route("DELETE", "/admin/users/{name}", delete_user, "admin", ("token", "site")),
    Route("POST", "/admin/users/{name}/rename", rename_user, "admin", ("token", "site")),
    Route("POST", "/orgs", create_org, "organization", ("token",)),
    Route("DELETE", "/orgs/{org}", delete_org, "organization", ("token",)),
    Route("GET", "/orgs/{org}/teams", list_teams, "organization", ("token",)),
    Route("POST", "/orgs/{org}/teams", create_team, "organization", ("token",)),
    Route("GET", "/teams/{team}/members", list_members, "organization", ("token",)),
    Route("PUT", "/teams/{team}/members/{name}", add_member, "organization", ("token",)),
    Route("DELETE", "/teams/{team}/members/{name}", remove_member, "organization", ("token",)),
    Route("GET", "/repos/{owner}/{repo}/teams", repo_teams, "repository", ("token",)),
)

"""Branch rules: storing and showing them, and what each of them blocks."""

import pytest
from contract.forge import eventually

STRICT = {
    "enable_status_check": True,
    "status_check_contexts": ["werkrevisor/main"],
    "required_approvals": 1,
    "dismiss_stale_approvals": True,
    "ignore_stale_approvals": True,
    "block_on_rejected_reviews": True,
    "block_admin_merge_override": True,
}


def test_a_rule_says_what_was_set_and_the_defaults(project):
    rule = project.protect(**STRICT)
    assert rule["rule_name"] == rule["branch_name"] == "main"
    assert rule["priority"] == 1
    for option, value in STRICT.items():
        assert rule[option] == value
    for option in ("enable_push", "enable_merge_whitelist", "enable_approvals_whitelist", "enable_force_push"):
        assert rule[option] is False
    assert rule["merge_whitelist_usernames"] == []
    assert rule["approvals_whitelist_username"] == []
    assert project.forge.get("bot", f"{project.api}/branch_protections/main") == rule
    assert project.forge.get("bot", f"{project.api}/branch_protections") == [rule]


def test_contexts_are_null_until_some_are_named(project):
    assert project.protect()["status_check_contexts"] is None


def test_rules_are_for_admins(forge, project):
    project.protect()
    for role in ("author", "second", "reader"):
        for method, path in (("GET", ""), ("GET", "/main"), ("DELETE", "/main")):
            answer = forge.api(role, method, f"{project.api}/branch_protections{path}")
            assert answer.status_code == 403
    assert forge.api(None, "GET", f"{project.api}/branch_protections").status_code == 401
    assert len(forge.get("bot", f"{project.api}/branch_protections")) == 1


def test_editing_a_rule_changes_only_what_is_named(forge, project):
    project.protect(**STRICT)
    answer = forge.api("bot", "PATCH", f"{project.api}/branch_protections/main", {"required_approvals": 2})
    assert answer.status_code == 200
    rule = answer.json()
    assert rule["required_approvals"] == 2
    assert rule["status_check_contexts"] == ["werkrevisor/main"]
    assert rule["block_admin_merge_override"] is True
    assert forge.get("bot", f"{project.api}/branch_protections/main") == rule


def test_an_empty_list_clears_a_list_of_a_rule(forge, project):
    project.protect(enable_merge_whitelist=True, merge_whitelist_usernames=[forge.name("bot")], **STRICT)
    path = f"{project.api}/branch_protections/main"
    assert forge.made("bot", "PATCH", path, {"required_approvals": 0})["merge_whitelist_usernames"] == [
        forge.name("bot")
    ]
    rule = forge.made("bot", "PATCH", path, {"merge_whitelist_usernames": [], "status_check_contexts": []})
    assert rule["merge_whitelist_usernames"] == []
    assert rule["status_check_contexts"] == []
    assert forge.get("bot", f"{project.api}/branches/main")["user_can_merge"] is False


def test_making_a_rule_twice_and_deleting_it(forge, project):
    project.protect()
    path = f"{project.api}/branch_protections"
    assert forge.api("bot", "POST", path, {"rule_name": "main"}).status_code == 403
    assert forge.api("bot", "POST", path, {}).status_code == 400
    assert forge.api("bot", "DELETE", f"{path}/main").status_code == 204
    assert forge.get("bot", path) == []
    assert forge.api("bot", "PATCH", f"{path}/main", {"required_approvals": 1}).status_code == 404


def test_lists_of_a_rule_drop_those_without_the_right_and_refuse_unknown_names(forge, project):
    names = [forge.name(role) for role in ("bot", "reader", "second")]
    rule = project.protect(
        enable_merge_whitelist=True,
        merge_whitelist_usernames=names,
        merge_whitelist_teams=["maintainers"],
        enable_approvals_whitelist=True,
        approvals_whitelist_username=names,
    )
    kept = {forge.name("bot"), forge.name("second")}
    assert set(rule["merge_whitelist_usernames"]) == kept
    assert set(rule["approvals_whitelist_username"]) == kept
    assert rule["merge_whitelist_teams"] == ["maintainers"]
    body = {"rule_name": "other", "merge_whitelist_usernames": ["nobody-of-this-name"]}
    assert forge.api("bot", "POST", f"{project.api}/branch_protections", body).status_code == 422


def test_what_a_branch_shows_to_whom(forge, project):
    project.protect(**STRICT, enable_merge_whitelist=True, merge_whitelist_usernames=[forge.name("bot")])
    shown = {role: forge.get(role, f"{project.api}/branches/main") for role in ("bot", "author", "reader", "owner")}
    for row in shown.values():
        assert row["name"] == "main"
        assert row["commit"]["id"] == project.git("rev-parse", "main")
        assert row["protected"] is True
        assert row["required_approvals"] == 1
        assert row["enable_status_check"] is True
        assert row["status_check_contexts"] == ["werkrevisor/main"]
        assert row["user_can_push"] is False
    assert {role: row["user_can_merge"] for role, row in shown.items()} == {
        "bot": True,
        "author": False,
        "reader": False,
        "owner": False,
    }
    names = {role: row["effective_branch_protection_name"] for role, row in shown.items()}
    assert names == {"bot": "main", "author": "", "reader": "", "owner": "main"}


def test_an_unprotected_branch(forge, project):
    row = forge.get("author", f"{project.api}/branches/main")
    assert row["protected"] is False
    assert (row["required_approvals"], row["enable_status_check"], row["status_check_contexts"]) == (0, False, [])
    assert (row["user_can_push"], row["user_can_merge"]) == (True, True)
    assert forge.get("reader", f"{project.api}/branches/main")["user_can_merge"] is False


@pytest.mark.parametrize(
    ("rule", "branch", "fits"),
    [("rel/*", "rel/1", True), ("rel/*", "rel/1/2", False), ("rel/**", "rel/1/2", True), ("MAIN", "main", True)],
)
def test_names_of_rules(forge, project, rule, branch, fits):
    if branch != "main":
        project.push(branch, "owner")
    project.protect(rule, required_approvals=3)
    row = eventually(
        lambda: forge.get("bot", f"{project.api}/branches/{branch}"), lambda found: found["protected"] is fits
    )
    assert row["protected"] is fits
    assert row["required_approvals"] == (3 if fits else 0)


def test_a_plain_name_wins_over_a_pattern_only_by_priority(forge, project):
    project.protect("m*", required_approvals=5)
    project.protect("main", required_approvals=1)
    assert [rule["priority"] for rule in forge.get("bot", f"{project.api}/branch_protections")] == [1, 2]
    assert forge.get("bot", f"{project.api}/branches/main")["required_approvals"] == 5


# --- pushes


def test_a_rule_without_pushes_stops_everybody(forge, project):
    project.protect()
    project.write({"b.txt": "pushed\n"})
    project.commit("direct")
    old = forge.get("bot", f"{project.api}/branches/main")["commit"]["id"]
    for role in ("owner", "author", "bot"):
        project.push("main", role, check=False)
    assert forge.get("bot", f"{project.api}/branches/main")["commit"]["id"] == old


def test_a_push_whitelist(forge, project):
    project.protect(enable_push=True, enable_push_whitelist=True, push_whitelist_usernames=[forge.name("bot")])
    project.write({"b.txt": "pushed\n"})
    sha = project.commit("direct")
    project.push("main", "author", check=False)
    assert forge.get("bot", f"{project.api}/branches/main")["commit"]["id"] != sha
    project.push("main", "bot")
    assert forge.get("bot", f"{project.api}/branches/main")["commit"]["id"] == sha


def test_a_protected_branch_cannot_be_forced(forge, project):
    project.protect(enable_push=True)
    sha = project.commit("amended", "--amend")
    project.push("main", "owner", "-f", check=False)
    assert forge.get("bot", f"{project.api}/branches/main")["commit"]["id"] != sha


# --- merges: each rule with its words


def refused(change, message, role="bot"):
    answer = change.merge(role)
    assert answer.status_code == 405
    assert answer.json()["message"] == message


def test_required_statuses(project):
    project.protect(enable_status_check=True, status_check_contexts=["werkrevisor/main", "ci/*"])
    change = project.change()
    refused(change, "Not all required status checks successful")
    project.status("bot", change.head, "success")
    refused(change, "Not all required status checks successful")
    project.status("bot", change.head, "pending", "ci/a")
    refused(change, "Not all required status checks successful")
    project.status("bot", change.head, "success", "ci/a")
    project.status("bot", change.head, "failure", "ci/b/c")
    refused(change, "Not all required status checks successful")
    project.status("bot", change.head, "success", "ci/b/c")
    assert change.merge().status_code == 200


@pytest.mark.parametrize("state", ["pending", "failure", "error", "warning", "bananas"])
def test_states_that_are_no_success(project, state):
    project.protect(enable_status_check=True, status_check_contexts=["werkrevisor/main"])
    change = project.change()
    project.status("bot", change.head, "success")
    project.status("bot", change.head, state)
    refused(change, "Not all required status checks successful")


def test_a_status_of_another_context_does_not_help(project):
    project.protect(enable_status_check=True, status_check_contexts=["werkrevisor/main"])
    change = project.change()
    project.status("bot", change.head, "success", "werkrevisor/release")
    refused(change, "Not all required status checks successful")


def test_required_approvals_and_rejections(project):
    project.protect(required_approvals=1, block_on_rejected_reviews=True)
    change = project.change()
    change.approve("reader")
    refused(change, "Does not have enough approvals")
    change.approve("reviewer")
    change.review("second", "REQUEST_CHANGES", "no", commit=change.head)
    refused(change, "There are requested changes")
    change.approve("second")
    assert change.merge().status_code == 200


def test_stale_approvals_count_unless_they_are_ignored(forge, project):
    project.protect(required_approvals=1)
    change = project.change()
    change.approve("reviewer")
    sha = change.push()
    change.settled(sha)
    path = f"{project.api}/branch_protections/main"
    forge.made("bot", "PATCH", path, {"ignore_stale_approvals": True})
    refused(change, "Does not have enough approvals")
    forge.made("bot", "PATCH", path, {"ignore_stale_approvals": False})
    assert change.merge().status_code == 200


def test_official_review_requests_block(forge, project):
    project.protect(block_on_official_review_requests=True)
    change = project.change()
    forge.made("bot", "POST", f"{change.api}/requested_reviewers", {"reviewers": [forge.name("reviewer")]})
    refused(change, "There are official review requests")
    change.review("reviewer", "COMMENT", "done")
    assert change.merge().status_code == 200


def test_an_outdated_branch_blocks(forge, project):
    project.protect(block_on_outdated_branch=True, enable_push=True)
    change = project.change()
    head = change.head
    project.branch("work", "main")
    project.write({"b.txt": "other\n"})
    tip = project.commit("base moves")
    project.push("main", "owner")
    eventually(change.get, lambda found: found["base"]["sha"] == tip)
    change.stays_open()
    answer = change.merge(sha=head)
    assert answer.status_code == 405
    assert answer.json()["message"] == "The head branch is behind the base branch"


@pytest.mark.parametrize(("pattern", "blocked"), [("src/*", False), ("src/**", True), ("other;SRC/*.go", True)])
def test_protected_files_block(project, pattern, blocked):
    project.protect(protected_file_patterns=pattern)
    change = project.change("Change", {"src/a.go": "package a\n"})
    answer = change.merge()
    assert answer.status_code == (405 if blocked else 200)
    if blocked:
        assert answer.json()["message"] == "Changed protected files"


def test_the_order_of_reasons(project):
    project.protect(**STRICT)
    change = project.change()
    change.review("second", "REQUEST_CHANGES", "no", commit=change.head)
    refused(change, "Not all required status checks successful")
    project.status("bot", change.head, "success")
    refused(change, "Does not have enough approvals")
    change.approve("reviewer")
    refused(change, "There are requested changes")


def test_nobody_is_above_a_merge_whitelist(forge, project):
    project.protect(
        enable_merge_whitelist=True, merge_whitelist_usernames=[forge.name("bot")], block_admin_merge_override=True
    )
    change = project.change()
    for role in ("author", "second", "owner", "admin"):
        refused(change, "User not allowed to merge PR", role)
        assert change.schedule(role).status_code == 405
        assert change.merge(role, force_merge=True).status_code == 405
    assert change.merge("bot").status_code == 200


def test_an_owner_may_override_a_rule_unless_it_forbids_it(forge, project):
    project.protect(**{**STRICT, "block_admin_merge_override": False})
    change = project.change()
    refused(change, "Not all required status checks successful", "owner")
    assert change.merge("author", force_merge=True).status_code == 405
    forge.made("owner", "PATCH", f"{project.api}/branch_protections/main", {"block_admin_merge_override": True})
    assert change.merge("owner", force_merge=True).status_code == 405
    forge.made("owner", "PATCH", f"{project.api}/branch_protections/main", {"block_admin_merge_override": False})
    assert change.merge("owner", force_merge=True).status_code == 200

"""`werkrevisor protect`: prints the rule, sets it, and then nobody but the bot can merge."""

import json

import pytest

from werkrevisor_gitea.protection import SITE_ADMINS


def printed(operator, branch="main"):
    """The rule as JSON from the output."""
    text = "\n".join(operator.lines)
    start = text.index("{", text.index(f"The rule for {branch}"))
    return json.JSONDecoder().raw_decode(text[start:])[0]


def test_it_prints_and_changes_nothing(operator, forge, project):
    assert operator.protect() == 4
    assert printed(operator)["merge_whitelist_usernames"] == [forge.name("bot")]
    assert "No rule binds main now." in operator.lines
    assert operator.failed[0].startswith("branch main: no rule protects the branch main")
    assert forge.get("owner", f"{project.api}/branch_protections") == []


def test_it_applies_and_then_has_nothing_to_say(operator, forge, project):
    operator.gate["merge"] = "pinned"
    assert operator.protect("--apply") == 0
    assert operator.found("ok") == ["branch main: nobody but the bot and [gate] mergers can get a change in"]
    (rule,) = forge.get("owner", f"{project.api}/branch_protections")
    assert rule["merge_whitelist_usernames"] == [forge.name("bot")]
    assert sorted(rule["approvals_whitelist_username"]) == sorted([forge.name("bot"), forge.name("reviewer")])
    assert rule["status_check_contexts"] == ["werkrevisor/main"]
    assert rule["block_admin_merge_override"] is True
    assert operator.protect() == 0
    assert "Now the rule main binds it, the same." in operator.lines


def test_it_says_who_can_take_the_rule_away(operator, forge):
    operator.protect()
    assert operator.lines[-1] == f"The rule can be changed by {forge.name('owner')}, {SITE_ADMINS}."


def test_it_shows_what_is_otherwise_and_keeps_what_is_stricter(operator, forge, project):
    project.protect(required_approvals=2, enable_status_check=True, status_check_contexts=["ci"], enable_push=True)
    operator.protect()
    assert "  enable_push: true instead of false" in operator.lines
    assert '  status_check_contexts: ["ci"] instead of ["werkrevisor/main", "ci"]' in operator.lines
    assert operator.protect("--apply") == 0
    (rule,) = forge.get("owner", f"{project.api}/branch_protections")
    assert (rule["required_approvals"], rule["status_check_contexts"]) == (2, ["werkrevisor/main", "ci"])


def test_a_pattern_that_binds_the_branch_is_overruled_not_changed(operator, forge, project):
    project.protect("ma*", required_approvals=3, enable_push=True)
    assert operator.protect("--apply") == 0
    rules = {rule["rule_name"]: rule for rule in forge.get("owner", f"{project.api}/branch_protections")}
    assert rules["ma*"]["enable_push"] is True
    assert (rules["main"]["enable_push"], rules["main"]["required_approvals"]) == (False, 3)
    assert rules["main"]["priority"] < rules["ma*"]["priority"]


def test_every_gated_branch_gets_its_own(operator, forge, project):
    project.branch("release/1")
    project.push("release/1", "owner")
    operator.gate["branches"] = ["main", "release/1"]
    assert operator.protect("--apply") == 0
    rules = {rule["rule_name"]: rule for rule in forge.get("owner", f"{project.api}/branch_protections")}
    assert rules["main"]["status_check_contexts"] == ["werkrevisor/main"]
    assert rules["release/1"]["status_check_contexts"] == ["werkrevisor/release/1"]


def test_named_mergers_may_merge_too(operator, forge):
    operator.gate["mergers"] = [forge.name("owner")]
    assert operator.protect("--apply") == 0
    assert printed(operator)["merge_whitelist_usernames"] == [forge.name("bot"), forge.name("owner")]


def test_whom_the_server_drops_silently_is_named(operator, forge):
    operator.gate["mergers"] = [forge.name("reader")]
    assert operator.protect("--apply") == 4
    dropped = [line for line in operator.lines if line.startswith("The server did not take merge_whitelist_usernames")]
    assert len(dropped) == 1
    assert forge.name("reader") in dropped[0]
    assert "give everybody named there access" in dropped[0]


def test_a_schedule_stays_a_hole(operator, forge):
    operator.gate["merge"] = "schedule"
    assert operator.protect("--apply") == 4
    (hole,) = operator.failed
    assert "a scheduled merge takes whatever head first satisfies the rule" in hole
    assert forge.name("author") in hole


@pytest.mark.parametrize("who", ["author", "second", "owner", "admin"])
def test_scenario_enforcement_nobody_else_merges(operator, forge, project, who):
    """A spoofed status and a friend's approval are there, and still nobody but the bot can merge."""
    assert operator.protect("--apply") == 0
    change = project.change()
    assert project.status("author", change.head, "success").status_code == 201
    change.approve("second")
    for options in ({}, {"force_merge": True}, {"merge_when_checks_succeed": True}):
        answer = change.merge(who, **options)
        assert (answer.status_code, answer.json()["message"]) == (405, "User not allowed to merge PR")
    assert change.merge("bot").status_code == 405
    change.approve("bot")
    assert change.merge("bot", "1" * 40).status_code == 409
    assert change.merge("bot").status_code == 200
    assert change.get()["merged_by"]["login"] == forge.name("bot")


class TestAccounts:
    def test_a_bot_that_is_no_admin_prints_the_rule_and_is_told_what_to_do(self, operator, forge, project):
        project.protect()
        operator.token(forge.tokens["author"])
        assert operator.protect() == 4
        assert printed(operator)["merge_whitelist_usernames"] == [forge.name("author")]
        assert operator.complaint.startswith("werkrevisor: the bot's account may not do GET")
        operator.protect("--apply")
        (rule,) = forge.get("owner", f"{project.api}/branch_protections")
        assert rule["enable_merge_whitelist"] is False

    def test_an_admin_may_lend_a_token(self, operator, forge, project):
        operator.token(forge.tokens["author"]).token(forge.tokens["owner"], "ADMIN")
        assert operator.protect("--apply", "--admin-token-env", "ADMIN") == 0
        (rule,) = forge.get("owner", f"{project.api}/branch_protections")
        assert rule["merge_whitelist_usernames"] == [forge.name("author")]

    def test_a_variable_without_a_token(self, operator):
        assert operator.protect("--admin-token-env", "NOBODY") == 4
        assert "the environment variable NOBODY is empty or not set" in operator.complaint


def test_no_server(nowhere):
    assert nowhere.protect() == 4
    assert "http://127.0.0.1:9 cannot be reached (the connection was refused)" in nowhere.complaint


def test_a_faulty_config(nowhere):
    nowhere.gate["merge"] = "sometimes"
    assert nowhere.protect() == 4
    assert "host.toml: [gate] merge" in nowhere.complaint


def test_no_file(nowhere):
    assert nowhere.run("protect", "--config", "/nonexistent/host.toml") == 64


def test_a_branch_whose_name_is_a_pattern(operator, project):
    project.branch("a{b}")
    project.push("a{b}", "owner")
    operator.gate["branches"] = ["a{b}"]
    assert operator.protect("--apply") == 4
    assert operator.failed == [
        "branch a{b}: its name is a pattern for the forge's rules, so no rule names it alone; rename the branch"
    ]

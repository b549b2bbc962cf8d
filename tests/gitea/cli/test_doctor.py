"""`werkrevisor doctor`: a line for each check, what to do where it fails, and 0 or 4."""

import time

import pytest

from werkrevisor_gitea.protection import SITE_ADMINS

EVENTS = ["pull_request", "push", "status", "issue_comment", "pull_request_comment"]
HOOK = "https://review.example.org/hook"
ABOUT = ("config", "git", "key", "url", "clock", "token", "scopes", "repository", "rights", "branch main")


@pytest.fixture
def well(operator, project, forge):
    """An operator with whom all is well."""
    operator.gitea |= {"hook_url": HOOK, "hook_secret_file": operator.secret("hook")}
    hook = {"url": HOOK, "content_type": "json", "secret": "s" * 32}
    events = ["pull_request", "push", "status", "issue_comment", "pull_request_comment"]
    forge.made(
        "owner", "POST", f"{project.api}/hooks", {"type": "gitea", "active": True, "events": events, "config": hook}
    )
    assert operator.protect("--apply") == 0
    return operator


def test_all_is_well(well, forge):
    assert well.doctor() == 0, well.lines
    assert well.failed == []
    assert [about for about in ABOUT if not well.found("ok", f"{about}: ")] == []
    assert well.found("ok", "webhook: ") == [
        f"webhook: delivers to {HOOK}; whether its secret is the same shows only with a delivery"
    ]
    assert well.found("note", "branch rules: ") == [
        f"branch rules: can be changed by {forge.name('owner')}, {SITE_ADMINS}; no rule prevents that"
    ]
    assert forge.tokens["bot"] not in "\n".join(well.lines)


class TestTheBranchRule:
    def test_every_hole_is_a_line_with_who_could_use_it(self, well, forge, project):
        loose = {"enable_merge_whitelist": False, "required_approvals": 0, "block_admin_merge_override": False}
        forge.made("owner", "PATCH", f"{project.api}/branch_protections/main", loose)
        assert well.doctor() == 4
        assert [line.partition(" (usable by ")[0] for line in well.failed] == [
            "branch main: everybody who can write may merge and schedule merges",
            "branch main: admins can force a merge past the rule",
            "branch main: no approval is required",
        ]
        assert all(forge.name("owner") in line and SITE_ADMINS in line for line in well.failed)
        assert forge.name("author") in well.failed[0]
        assert forge.name("second") in well.failed[0]
        assert forge.name("reader") not in well.failed[0]

    def test_no_rule(self, operator):
        assert operator.doctor() == 4
        assert operator.failed[0].startswith("branch main: no rule protects the branch main")

    def test_a_rule_that_another_overrules(self, well, forge, project):
        project.protect("ma*", enable_push=True, priority=-100)
        assert well.doctor() == 4
        assert "branch main: commits can be pushed to main past any review" in well.failed[0]

    def test_a_branch_that_is_not_there(self, well):
        well.gate["branches"] = ["main", "gone"]
        assert well.doctor() == 4
        assert well.failed == ["branch gone: there is no such branch; name another in [gate] branches"]

    def test_a_schedule(self, well):
        well.gate["merge"] = "schedule"
        assert well.doctor() == 4
        (hole,) = well.failed
        assert 'set [gate] merge to "pinned"' in hole

    def test_an_account_that_may_not_read_it(self, well, forge):
        well.token(forge.tokens["author"])
        assert well.doctor() == 4
        assert "branch main: its rule cannot be read; make the bot repository admin, or name" in well.failed[0]

    def test_an_admin_may_lend_a_token(self, well, forge):
        well.token(forge.tokens["author"]).token(forge.tokens["owner"], "ADMIN")
        assert well.doctor("--admin-token-env", "ADMIN") == 4
        assert [line for line in well.failed if "cannot be read" in line] == []
        assert f"branch main: the bot {forge.name('author')} itself may not merge" in well.failed[-2]


class TestPeople:
    def test_an_unknown_reviewer(self, well):
        well.gate["human_reviewers"] += ["nobody-at-all"]
        assert well.doctor() == 4
        assert well.failed == ["reviewers: there is no account nobody-at-all; mend its name in [gate]"]

    def test_the_bot_itself_as_reviewer(self, well, forge):
        well.gate["human_reviewers"] += [forge.name("bot")]
        assert well.doctor() == 4
        assert well.failed[0].startswith(f"reviewers: {forge.name('bot')} is the bot itself")

    def test_no_reviewer_at_all_is_a_note(self, well):
        well.gate["human_reviewers"] = []
        well.doctor()
        assert "names nobody, so what is YELLOW or ORANGE can never pass" in well.found("note", "config: ")[0]


class TestTheWebhook:
    def edited(self, well, forge, project, *, events=EVENTS, **fields):
        (hook,) = forge.get("owner", f"{project.api}/hooks")
        forge.made("owner", "PATCH", f"{project.api}/hooks/{hook['id']}", {**fields, "events": events})
        assert well.doctor() == 4
        (line,) = well.failed
        return line

    def test_none(self, operator):
        operator.gitea |= {"hook_url": HOOK, "hook_secret_file": operator.secret("hook")}
        assert operator.doctor() == 4
        assert f"webhook: none delivers to {HOOK}; make it in the repository's settings" in operator.failed[-1]

    def test_switched_off(self, well, forge, project):
        assert "is switched off; switch it on" in self.edited(well, forge, project, active=False)

    def test_another_content_type(self, well, forge, project):
        config = {"url": HOOK, "content_type": "form"}
        assert "does not deliver JSON" in self.edited(well, forge, project, config=config)

    def test_too_few_events(self, well, forge, project):
        line = self.edited(well, forge, project, events=["push"])
        assert "does not tell of pull_request, pull_request_sync," in line

    def test_an_edit_that_leaves_only_pushes(self, well, forge, project):
        (hook,) = forge.get("owner", f"{project.api}/hooks")
        forge.made("owner", "PATCH", f"{project.api}/hooks/{hook['id']}", {"active": True})
        assert well.doctor() == 4
        assert "does not tell of pull_request," in well.failed[0]

    def test_two_of_them(self, well, forge, project):
        config = {"url": HOOK, "content_type": "json", "secret": "s" * 32}
        hook = {"type": "gitea", "active": True, "config": config}
        hook["events"] = EVENTS
        forge.made("owner", "POST", f"{project.api}/hooks", hook)
        assert well.doctor() == 4
        assert well.failed == [f"webhook: 2 deliver to {HOOK}; delete all but one"]

    def test_not_wanted(self, operator):
        operator.doctor()
        assert "only the command line reviews here" in operator.found("note", "webhook: ")[0]

    def test_no_secret(self, operator):
        operator.gitea["hook_url"] = HOOK
        operator.doctor()
        assert "names none, so no delivery can be believed" in operator.found("FAIL", "webhook secret: ")[0]

    def test_a_secret_in_the_environment(self, operator):
        operator.gitea |= {"hook_url": HOOK, "hook_secret_env": "HOOK"}
        operator.token("x" * 31, "HOOK").doctor()
        assert "HOOK holds less than 32 characters" in operator.found("FAIL", "webhook secret: ")[0]
        operator.token("x" * 32, "HOOK").doctor()
        assert operator.found("ok", "webhook secret: ") == ["webhook secret: there"]


class TestTheAccount:
    def test_a_wrong_token(self, operator):
        operator.token("0" * 40)
        assert operator.doctor() == 4
        (line,) = operator.failed
        assert line.startswith("token: the server does not accept the token")
        assert "0" * 40 not in "\n".join(operator.lines)

    def test_no_token(self, operator):
        operator.monkeypatch.delenv("BOT")
        assert operator.doctor() == 4
        assert operator.failed == [
            "token: the environment variable BOT is empty or not set; put the token of the bot's account there"
        ]

    def test_missing_scopes(self, operator, forge):
        operator.token(forge.token("bot", ("read:user", "read:repository", "read:issue")))
        assert operator.doctor() == 4
        assert operator.found("FAIL", "scopes: ") == [
            "scopes: the token lacks write:issue, write:repository; make a new one with these scopes too"
        ]

    def test_a_token_that_may_not_even_ask_who_it_is(self, operator, forge):
        operator.token(forge.token("bot", ("write:repository", "write:issue")))
        assert operator.doctor() == 4
        assert operator.failed[0].startswith("scopes: the token lacks the scope read:user")

    def test_a_reader(self, operator, forge):
        operator.token(forge.tokens["reader"])
        assert operator.doctor() == 4
        assert f"rights: {forge.name('reader')} cannot write" in operator.found("FAIL", "rights: ")[0]

    def test_a_repository_that_it_cannot_see(self, operator, forge):
        operator.repository = f"{forge.org}/nope"
        assert operator.doctor() == 4
        (line,) = operator.failed
        assert line.startswith("server: GET /repos/")
        assert "check [gitea] repository" in line

    def test_a_renamed_repository(self, operator, forge, project):
        new = f"{project.full_name}-new"
        forge.made("owner", "PATCH", project.api, {"name": new.partition("/")[2]})
        forge.remember(new)
        assert operator.doctor() == 4
        assert operator.failed == [f"repository: the repository is called {new} now; put that into [gitea] repository"]

    def test_an_archived_repository(self, operator, forge, project):
        forge.made("owner", "PATCH", project.api, {"archived": True})
        assert operator.doctor() == 4
        assert "is archived, so nothing can be published; unarchive it" in operator.found("FAIL", "repository: ")[0]


class TestThisMachine:
    def test_a_faulty_config_ends_it(self, operator):
        operator.gate["merge"] = "sometimes"
        assert operator.doctor() == 4
        assert "host.toml: [gate] merge" in operator.failed[0]
        assert operator.found("ok", "url") == []

    def test_no_key(self, operator):
        operator.gitea["key_file"] = str(operator.folder / "nowhere")
        assert operator.doctor() == 4
        assert "nowhere cannot be read (No such file or directory)" in operator.found("FAIL", "key: ")[0]

    def test_a_key_that_others_can_read(self, operator):
        operator.gitea["key_file"] = operator.secret("open", mode=0o644)
        assert operator.doctor() == 4
        (line,) = operator.found("FAIL", "key: ")
        assert "can be read or written by others (mode 0644); run: chmod 600" in line

    def test_a_key_that_is_too_short(self, operator):
        operator.gitea["key_file"] = operator.secret("short", "x" * 31)
        assert operator.doctor() == 4
        assert "holds less than 32 characters" in operator.found("FAIL", "key: ")[0]

    def test_a_token_file_that_others_can_read(self, operator, forge):
        operator.gitea |= {"token_file": operator.secret("token", forge.tokens["bot"], 0o640), "token_env": ""}
        assert operator.doctor() == 4
        assert "can be read or written by others; run: chmod 600" in operator.found("FAIL", "token: ")[0]

    def test_an_old_git(self, operator, monkeypatch):
        monkeypatch.setattr("werkrevisor_gitea.cli.checks_local.git_version", lambda: (2, 37, 9))
        assert operator.doctor() == 4
        assert operator.found("FAIL", "git: ") == [
            "git: 2.37.9 carries no approval over a rebase; install git 2.38 or newer"
        ]

    @pytest.mark.parametrize(("ahead", "says"), [(3600, "3600 s ahead of"), (-3600, "3600 s behind")])
    def test_a_clock_that_is_wrong(self, operator, monkeypatch, ahead, says):
        monkeypatch.setattr("werkrevisor_gitea.cli.checks_server.time", lambda: time.time() + ahead)
        assert operator.doctor() == 4
        (line,) = operator.found("FAIL", "clock: ")
        assert any(text in line for text in (says, says.replace("3600", "3599"), says.replace("3600", "3601")))

    def test_no_server(self, nowhere):
        assert nowhere.doctor() == 4
        (line,) = nowhere.failed
        assert line.startswith("url: the server at http://127.0.0.1:9 cannot be reached (the connection was refused); ")

    def test_no_url_in_the_config(self, nowhere):
        nowhere.gitea["url"] = ""
        assert nowhere.doctor() == 4
        assert nowhere.failed == ["config: the host's config has no [gitea] url; set it, or run `werkrevisor init`"]

    def test_no_file_is_a_mistake_of_the_user(self, nowhere):
        assert nowhere.run("doctor", "--config", nowhere.folder / "nope.toml") == 64
        assert nowhere.run("doctor") == 64

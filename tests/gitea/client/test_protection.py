"""The rule that binds, how a present one differs, and each of its holes with who could use it."""

import attrs
import pytest

from werkrevisor_gitea.probe import Switches
from werkrevisor_gitea.protection import (
    DEPLOY_KEYS,
    SITE_ADMINS,
    WRITERS,
    People,
    Wanted,
    can_change_the_rule,
    differences,
    holes,
    is_plain,
    priority_before,
    rule_for,
)
from werkrevisor_gitea.wire import BranchProtection

WANTED = Wanted("main", "bot", mergers=("chief",), approvers=("anna", "bruno"))
PEOPLE = People(writers=("author", "chief", "owner"), admins=("owner",))


def binding(wanted=WANTED, **changed):
    """The rule that binds, as the server gives it back, with some fields otherwise."""
    rule = {name: tuple(value) if isinstance(value, list) else value for name, value in rule_for(wanted, None).items()}
    return BranchProtection(**{**rule, **changed})


def only(rule, people=PEOPLE, wanted=WANTED):
    (hole,) = holes(rule, wanted, people)
    return hole


class TestTheRule:
    def test_it_has_no_hole(self):
        assert holes(binding(), WANTED, PEOPLE) == ()

    def test_it_says_what_the_spec_says(self):
        rule = rule_for(WANTED, None)
        assert rule["merge_whitelist_usernames"] == ["bot", "chief"]
        assert rule["approvals_whitelist_username"] == ["bot", "anna", "bruno"]
        assert rule["status_check_contexts"] == ["werkrevisor/main"]
        on = ("enable_merge_whitelist", "enable_status_check", "enable_approvals_whitelist", "dismiss_stale_approvals")
        assert all(rule[name] is True for name in (*on, "ignore_stale_approvals", "block_admin_merge_override"))
        assert rule["required_approvals"] == 1
        assert rule["enable_push"] is rule["enable_force_push"] is False

    def test_what_the_present_rule_demands_beyond_is_kept(self):
        present = binding(
            status_check_contexts=("ci/build", "lint*"),
            required_approvals=3,
            require_signed_commits=True,
            protected_file_patterns="LICENSE",
            block_on_outdated_branch=True,
            block_on_official_review_requests=True,
        )
        rule = rule_for(WANTED, present)
        assert rule["status_check_contexts"] == ["werkrevisor/main", "ci/build", "lint*"]
        assert rule["required_approvals"] == 3
        assert rule["protected_file_patterns"] == "LICENSE"
        assert rule["require_signed_commits"] is rule["block_on_outdated_branch"] is True
        assert rule["block_on_official_review_requests"] is True

    def test_contexts_of_a_switched_off_check_are_not_required_all_at_once(self):
        present = binding(enable_status_check=False, status_check_contexts=("ci/never",))
        assert rule_for(WANTED, present)["status_check_contexts"] == ["werkrevisor/main"]

    def test_a_name_stands_in_it_once(self):
        rule = rule_for(Wanted("main", "bot", mergers=("Bot",), approvers=("anna", "ANNA")), None)
        assert rule["merge_whitelist_usernames"] == ["bot"]
        assert rule["approvals_whitelist_username"] == ["bot", "anna"]

    def test_each_server_gets_the_field_that_it_knows(self):
        forgejo = rule_for(attrs.evolve(WANTED, switches=Switches(no_override="apply_to_admins")), None)
        assert forgejo["apply_to_admins"] is True
        assert "block_admin_merge_override" not in forgejo
        assert "enable_bypass_allowlist" not in forgejo
        newer = rule_for(attrs.evolve(WANTED, switches=Switches(bypass_list=True)), None)
        assert newer["enable_bypass_allowlist"] is False

    @pytest.mark.parametrize("name", ["main", "release/1.x", "feature-ä", "a!b"])
    def test_a_plain_name(self, name):
        assert is_plain(name)

    @pytest.mark.parametrize("name", ["release/*", "{a,b}", "a]b", "what?", "a\\b"])
    def test_a_name_that_is_a_pattern(self, name):
        assert not is_plain(name)


class TestDifferences:
    def test_none(self):
        assert differences(binding(), rule_for(WANTED, None)) == ()

    def test_order_and_case_of_names_do_not_matter(self):
        present = binding(approvals_whitelist_username=("BRUNO", "bot", "Anna"))
        assert differences(present, rule_for(WANTED, None)) == ()

    def test_case_of_a_context_matters(self):
        (found,) = differences(binding(status_check_contexts=("Werkrevisor/main",)), rule_for(WANTED, None))
        assert (found.name, found.now) == ("status_check_contexts", ["Werkrevisor/main"])

    def test_each_field_that_is_otherwise(self):
        found = differences(binding(enable_push=True, required_approvals=0), rule_for(WANTED, None))
        assert [(each.name, each.now, each.wanted) for each in found] == [
            ("enable_push", True, False),
            ("required_approvals", 0, 1),
        ]

    def test_all_where_there_is_no_rule(self):
        rule = rule_for(WANTED, None)
        assert [each.name for each in differences(None, rule)] == list(rule)


HOLES = [
    ({"enable_push": True}, "commits can be pushed to main past any review", ("author", "chief", "owner")),
    (
        {"enable_push": True, "enable_push_whitelist": True, "push_whitelist_usernames": ("bot", "ci")},
        "commits can be pushed to main past any review",
        ("ci",),
    ),
    (
        {
            "enable_push": True,
            "enable_push_whitelist": True,
            "push_whitelist_teams": ("core",),
            "push_whitelist_deploy_keys": True,
        },
        "commits can be pushed to main past any review",
        ("the team core", DEPLOY_KEYS),
    ),
    ({"enable_force_push": True}, "the history of main can be overwritten", ("author", "chief", "owner")),
    (
        {"unprotected_file_patterns": "docs/**"},
        "files of main under docs/** can be pushed past any review",
        ("author", "chief", "owner"),
    ),
    (
        {"enable_merge_whitelist": False},
        "everybody who can write may merge and schedule merges",
        ("author", "chief", "owner", SITE_ADMINS),
    ),
    (
        {"merge_whitelist_usernames": ("bot", "chief", "author"), "merge_whitelist_teams": ("core",)},
        "more people may merge than the host's config names",
        ("author", "the team core"),
    ),
    ({"block_admin_merge_override": False}, "admins can force a merge past the rule", ("owner", SITE_ADMINS)),
    ({"block_admin_merge_override": None}, "admins can force a merge past the rule", ("owner", SITE_ADMINS)),
    (
        {"enable_bypass_allowlist": True, "bypass_allowlist_usernames": ("owner",)},
        "people are named whom the rule does not bind",
        ("owner",),
    ),
    ({"enable_status_check": False}, "the status werkrevisor/main is not required by its plain name", ("chief",)),
    (
        {"status_check_contexts": ("werkrevisor/*", "werkrevisor")},
        "the status werkrevisor/main is not required by its plain name",
        ("chief",),
    ),
    ({"required_approvals": 0}, "no approval is required", ("chief",)),
    (
        {"enable_approvals_whitelist": False},
        "the approval of everybody who can write counts",
        ("author", "chief", "owner"),
    ),
    (
        {"approvals_whitelist_username": ("bot", "friend", "anna"), "approvals_whitelist_teams": ("core",)},
        "the forge counts approvals of people whom the host's config does not name",
        ("friend", "the team core"),
    ),
    ({"ignore_stale_approvals": False}, "an approval of an old head counts for the forge", ("chief",)),
    ({"dismiss_stale_approvals": False}, "an approval stays when other commits are pushed", ("chief",)),
    ({"block_on_rejected_reviews": False}, "a request for changes does not keep the forge from merging", ("chief",)),
]


class TestHoles:
    @pytest.mark.parametrize(("changed", "says", "who"), HOLES)
    def test_each_is_one_sentence_with_who_could_use_it(self, changed, says, who):
        hole = only(binding(**changed))
        assert hole.says.startswith(says)
        assert hole.who == who
        assert not hole.stuck
        assert f"(usable by {', '.join(who)}); " in str(hole)
        assert "protect --config FILE --apply" in hole.todo

    def test_no_rule_is_the_largest(self):
        hole = only(None)
        assert hole.says.startswith("no rule protects the branch main")
        assert hole.who == ("author", "chief", "owner", SITE_ADMINS)

    def test_who_can_write_need_not_be_known(self):
        assert only(None, People()).who == (WRITERS, SITE_ADMINS)

    def test_every_field_of_the_rule_is_looked_at(self):
        """Whatever one field of the rule is otherwise, either there is a hole or the rule is only stricter."""
        stricter = {
            "rule_name": "MAIN",
            "enable_push_whitelist": True,
            "push_whitelist_usernames": ("x",),
            "push_whitelist_teams": ("x",),
            "push_whitelist_deploy_keys": True,
            "enable_force_push_allowlist": True,
            "force_push_allowlist_usernames": ("x",),
            "force_push_allowlist_teams": ("x",),
            "force_push_allowlist_deploy_keys": True,
            "block_on_official_review_requests": True,
            "block_on_outdated_branch": True,
            "require_signed_commits": True,
            "protected_file_patterns": "x",
        }
        looked_at = {name for changed, _, _ in HOLES for name in changed}
        assert set(rule_for(WANTED, None)) <= looked_at | set(stricter)
        for name, value in stricter.items():
            assert holes(binding(**{name: value}), WANTED, PEOPLE) == ()

    def test_a_rule_that_binds_no_merger_but_the_bot_still_lacks_something(self):
        alone = Wanted("main", "bot", approvers=("anna",))
        hole = only(binding(alone, required_approvals=0), wanted=alone)
        assert hole.who == ()
        assert "(usable by nobody, while only the bot may merge)" in str(hole)

    def test_logins_are_the_same_in_any_case(self):
        assert holes(binding(merge_whitelist_usernames=("BOT", "Chief")), WANTED, PEOPLE) == ()

    def test_a_bypass_of_the_bot_alone_is_none(self):
        changed = {"enable_bypass_allowlist": True, "bypass_allowlist_usernames": ("bot",)}
        assert holes(binding(**changed), WANTED, PEOPLE) == ()

    @pytest.mark.parametrize(
        ("changed", "says"),
        [
            ({"merge_whitelist_usernames": ("chief",)}, "the bot bot itself may not merge"),
            ({"approvals_whitelist_username": ("anna", "bruno")}, "the approval of the bot bot itself does not count"),
        ],
    )
    def test_what_keeps_the_bot_from_its_work_is_said_too(self, changed, says):
        hole = only(binding(**changed))
        assert hole.stuck
        assert str(hole) == f"{says}; run `werkrevisor protect --config FILE --apply`"

    def test_forgejo_has_another_field_for_admins(self):
        wanted = attrs.evolve(WANTED, switches=Switches(no_override="apply_to_admins"))
        assert holes(binding(wanted), wanted, PEOPLE) == ()
        assert only(binding(wanted, apply_to_admins=False), wanted=wanted).who == ("owner", SITE_ADMINS)


class TestSchedule:
    SCHEDULED = attrs.evolve(WANTED, schedule=True)

    def test_it_is_a_hole_while_anybody_but_the_bot_can_write(self):
        hole = only(binding(), wanted=self.SCHEDULED)
        assert hole.says.startswith("a scheduled merge takes whatever head first satisfies the rule")
        assert hole.who == ("author", "chief", "owner", SITE_ADMINS)
        assert hole.todo == 'set [gate] merge to "pinned"'

    def test_it_is_none_where_nobody_else_can(self):
        assert holes(binding(), self.SCHEDULED, People()) == ()

    def test_it_is_said_without_a_rule_too(self):
        assert len(holes(None, self.SCHEDULED, PEOPLE)) == 2


def test_a_priority_comes_first_and_is_never_0():
    assert priority_before([]) == -1
    assert priority_before([BranchProtection("*", priority=1), BranchProtection("x", priority=3)]) == -1
    assert priority_before([BranchProtection("*", priority=-4)]) == -5


def test_who_can_take_a_rule_away():
    assert can_change_the_rule(PEOPLE) == "owner, every site admin"

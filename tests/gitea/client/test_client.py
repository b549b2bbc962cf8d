"""The client on a forge: the same assertions on the fake and on a real server."""

import pytest
from contract.forge import eventually

from werkrevisor_gitea.errors import (
    Archived,
    BadAnswer,
    MissingRight,
    MissingScope,
    NotAuthorised,
    NotFound,
    Refused,
    Renamed,
    ServerFault,
)
from werkrevisor_gitea.pulls import Merged, MergeRequest, is_busy
from werkrevisor_gitea.reviews import Event, LineDraft
from werkrevisor_gitea.statuses import State


def merged(bot, number, wanted):
    """Merge, again while the forge still checks for conflicts."""

    def ask():
        try:
            return bot.pulls.merge(number, wanted)
        except Refused as error:
            return error

    found = eventually(ask, lambda given: not (isinstance(given, Refused) and is_busy(given)))
    if isinstance(found, Refused):
        raise found
    return found


@pytest.fixture
def bot(client_of):
    return client_of()


class TestReading:
    def test_server_and_account(self, bot, forge):
        assert bot.version().version == forge.get("bot", "/version")["version"]
        assert bot.settings().max_response_items == 50
        assert bot.me().login == forge.name("bot")
        assert bot.me() is bot.me()

    def test_the_repository_and_who_may_what(self, bot, forge, client_of, project):
        repository = bot.repository.get()
        assert repository.full_name == project.full_name
        assert (repository.permissions.admin, repository.permissions.push) == (True, True)
        held = client_of("reader").repository.get().permissions
        assert (held.admin, held.push, held.pull) == (False, False, True)
        assert bot.repository.permission(forge.name("author")).permission == "write"
        assert bot.repository.permission(forge.name("owner")).permission == "owner"
        assert bot.repository.permission(forge.name("reader")).permission == "read"

    def test_writers_are_those_of_teams_too(self, bot, forge):
        found = {user.login for user in bot.repository.writers()}
        assert found >= {forge.name(role) for role in ("author", "bot", "second", "owner")}
        assert forge.name("reader") not in found
        assert forge.name("reader") in {user.login for user in bot.repository.collaborators()}
        assert "maintainers" in {team.name for team in bot.repository.teams()}

    def test_a_branch_with_a_slash(self, bot, project):
        project.branch("feature/x")
        sha = project.commit("more")
        project.push("feature/x", "author")
        found = bot.branches.get("feature/x")
        assert (found.name, found.commit.id, found.protected) == ("feature/x", sha, False)

    def test_a_file_at_a_commit(self, bot, project):
        found = bot.repository.contents("b.txt", project.git("rev-parse", "HEAD"))
        assert (found.type, found.content) == ("file", "MQoyCjMK")

    def test_a_pull_request_and_its_commits(self, bot, forge, project):
        change = project.change()
        pull = bot.pulls.get(change.number)
        assert (pull.state, pull.base.ref, pull.head.sha) == ("open", "main", change.head)
        assert pull.user.login == forge.name("author")
        (commit,) = bot.pulls.commits(change.number)
        assert (commit.sha, commit.commit.author.email) == (change.head, "ada@example.com")
        assert commit.author is None
        assert [found.number for found in bot.pulls.list_open("main")] == [change.number]
        assert bot.pulls.list_open("other") == ()

    def test_the_servers_clock(self, bot):
        assert bot.server_time() > 1_700_000_000

    @pytest.mark.parametrize("date", ["", "soon", "Mon, 99 Foo 2026", f"Mon, 01 Jan {'9' * 30} 00:00:00 GMT"])
    def test_a_server_without_a_clock(self, world, reply, date):
        world.answers = [reply(200, {}, **({"date": date} if date else {}))]
        assert world.client().server_time() is None


class TestReviews:
    def test_a_batch_is_one_review_with_its_line_comments(self, bot, project):
        change = project.change()
        drafts = [LineDraft("a.go", "new side", new_line=4), LineDraft("a.go", "old side", old_line=8)]
        review = bot.reviews.create(change.number, Event.COMMENT, change.head, "two remarks", drafts)
        assert (review.state, review.commit_id, review.comments_count) == ("COMMENT", change.head, 2)
        found = bot.reviews.comments(change.number, review.id)
        assert [(each.path, each.body, each.position, each.original_position) for each in found] == [
            ("a.go", "new side", 4, 0),
            ("a.go", "old side", 0, 8),
        ]
        assert [each.id for each in bot.reviews.list(change.number)] == [review.id]

    def test_an_approval_is_given_and_taken_back(self, bot, project):
        change = project.change()
        review = bot.reviews.create(change.number, Event.APPROVED, change.head)
        assert (review.state, review.official) == ("APPROVED", True)
        bot.reviews.delete(change.number, review.id)
        assert bot.reviews.list(change.number) == ()

    def test_dismissing_keeps_the_words(self, bot, client_of, project):
        change = project.change()
        review = client_of("reviewer").reviews.create(change.number, Event.APPROVED, change.head, "ok")
        assert bot.reviews.dismiss(change.number, review.id, "not yet").dismissed is True
        with pytest.raises(MissingRight):
            client_of("author").reviews.dismiss(change.number, review.id, "mine")

    def test_resolving_is_seen(self, bot, client_of, forge, project):
        change = project.change()
        review = bot.reviews.create(change.number, Event.COMMENT, change.head, "", [LineDraft("a.go", "x", new_line=4)])
        (comment,) = bot.reviews.comments(change.number, review.id)
        client_of("author").reviews.resolve(comment.id)
        assert bot.reviews.comments(change.number, review.id)[0].resolver.login == forge.name("author")
        bot.reviews.unresolve(comment.id)
        assert bot.reviews.comments(change.number, review.id)[0].resolver is None

    def test_requests_come_and_go(self, bot, forge, project):
        change = project.change()
        (made,) = bot.reviews.request(change.number, [forge.name("reviewer")])
        assert (made.state, made.user.login) == ("REQUEST_REVIEW", forge.name("reviewer"))
        assert bot.reviews.request(change.number, [forge.name("reviewer")]) == ()
        bot.reviews.unrequest(change.number, [forge.name("reviewer")])
        assert bot.reviews.list(change.number) == ()

    def test_ones_own_pull_request_cannot_be_approved(self, client_of, project):
        change = project.change()
        with pytest.raises(Refused, match="approve your own pull is not allowed"):
            client_of("author").reviews.create(change.number, Event.APPROVED, change.head)

    def test_an_unknown_commit_fails_and_leaves_a_draft_that_can_be_removed(self, bot, project):
        change = project.change()
        with pytest.raises(ServerFault):
            bot.reviews.create(change.number, Event.COMMENT, "1" * 40, "x", [LineDraft("a.go", "x", new_line=4)])
        (draft,) = bot.reviews.list(change.number)
        assert draft.state == "PENDING"
        bot.reviews.delete(change.number, draft.id)
        assert bot.reviews.list(change.number) == ()

    @pytest.mark.parametrize("state", ["PENDING", "REQUEST_CHANGES", ""])
    def test_what_the_server_made_otherwise_is_not_believed(self, world, reply, state):
        world.answers = [reply(200, {"id": 1, "state": state, "commit_id": "c" * 40})]
        with pytest.raises(BadAnswer, match="where APPROVED of c"):
            world.client().reviews.create(7, Event.APPROVED, "c" * 40)

    def test_a_review_of_another_commit_is_not_believed(self, world, reply):
        world.answers = [reply(200, {"id": 1, "state": "APPROVED", "commit_id": "d" * 40})]
        with pytest.raises(BadAnswer, match="a review APPROVED of d"):
            world.client().reviews.create(7, Event.APPROVED, "c" * 40)

    @pytest.mark.parametrize(
        "given",
        [
            {},
            {"new_line": 1, "old_line": 1},
            {"new_line": -1},
            {"new_line": 3, "old_line": -1},
            {"new_line": 0},
            {"new_line": 1, "path": ""},
            {"new_line": 1, "body": ""},
        ],
    )
    def test_a_line_comment_that_stands_nowhere_cannot_be_written(self, given):
        with pytest.raises(ValueError, match="a line comment"):
            LineDraft(**{"path": "a.go", "body": "x", **given})


class TestComments:
    def test_written_edited_deleted(self, bot, forge, project):
        change = project.change()
        made = bot.comments.create(change.number, "one <!-- marker -->")
        assert (made.body, made.user.login) == ("one <!-- marker -->", forge.name("bot"))
        assert bot.comments.edit(made.id, "two").body == "two"
        assert [(each.id, each.body) for each in bot.comments.list(change.number)] == [(made.id, "two")]
        bot.comments.delete(made.id)
        assert bot.comments.list(change.number) == ()

    def test_sixty_comments_are_all_read(self, bot, project):
        change = project.change()
        made = bot.gather([lambda n=n: bot.comments.create(change.number, f"c{n}").id for n in range(60)])
        assert [each.id for each in bot.comments.list(change.number)] == sorted(made)

    def test_the_timeline_has_them_all(self, bot, project):
        change = project.change()
        made = [bot.comments.create(change.number, f"c{n}").id for n in range(55)]
        drafts = [LineDraft("a.go", f"x{n}", new_line=4) for n in range(60)]
        review = bot.reviews.create(change.number, Event.COMMENT, change.head, "many", drafts)
        last = bot.comments.create(change.number, "last").id
        found = bot.timeline.list(change.number, hidden=review.comments_count, expected=[*made, last])
        assert [each.id for each in found if each.type == "comment"] == [*made, last]
        assert "code" not in {each.type for each in found}

    def test_an_unknown_comment(self, bot, project):
        project.change()
        with pytest.raises(NotFound):
            bot.comments.edit(10**9, "x")


class TestStatuses:
    def test_every_row_with_who_posted_it(self, bot, client_of, forge, project):
        head = project.change().head
        bot.statuses.create(head, State.PENDING, "werkrevisor/main", "YELLOW: waits")
        client_of("author").statuses.create(head, State.SUCCESS, "werkrevisor/main")
        found = bot.statuses.list(head)
        assert [(each.status, each.context, each.creator.login) for each in found] == [
            ("success", "werkrevisor/main", forge.name("author")),
            ("pending", "werkrevisor/main", forge.name("bot")),
        ]

    def test_more_than_a_page(self, bot, project):
        head = project.change().head
        bot.gather([lambda n=n: bot.statuses.create(head, State.SUCCESS, f"ci/{n}") for n in range(60)])
        assert len(bot.statuses.list(head)) == 60

    def test_what_the_server_stored_otherwise_is_not_believed(self, world, reply):
        world.answers = [reply(201, {"id": 1, "status": "bananas", "context": "werkrevisor/main"})]
        with pytest.raises(BadAnswer, match="werkrevisor/main: bananas where werkrevisor/main: success"):
            world.client().statuses.create("c" * 40, State.SUCCESS, "werkrevisor/main")


class TestMerging:
    def test_it_is_pinned_to_the_head(self, bot, project):
        change = project.change()
        with pytest.raises(Refused, match="head out of date") as caught:
            merged(bot, change.number, MergeRequest("1" * 40))
        assert caught.value.status == 409
        assert not is_busy(caught.value)
        assert merged(bot, change.number, MergeRequest(change.head, title="T", message="M")) is Merged.MERGED
        assert bot.pulls.get(change.number).merged is True
        with pytest.raises(Refused, match="already merged"):
            merged(bot, change.number, MergeRequest(change.head))

    def test_a_schedule_is_made_and_taken_back(self, bot, project):
        project.protect(enable_status_check=True, status_check_contexts=["werkrevisor/main"])
        change = project.change()
        wanted = MergeRequest(change.head, when_checks_succeed=True)
        assert merged(bot, change.number, wanted) is Merged.SCHEDULED
        assert bot.pulls.cancel_schedule(change.number) is True
        assert bot.pulls.cancel_schedule(change.number) is False

    def test_the_words_for_a_conflict_and_for_a_check_that_runs(self, world, reply):
        world.answers = [reply(405, {"message": "Please try again later"})]
        with pytest.raises(Refused) as caught:
            world.client().pulls.merge(7, MergeRequest("c" * 40))
        assert is_busy(caught.value)

    @pytest.mark.parametrize("status", [202, 204])
    def test_an_answer_that_is_neither_is_not_believed(self, world, reply, status):
        world.answers = [reply(status)]
        with pytest.raises(BadAnswer, match=f"unknown status {status}"):
            world.client().pulls.merge(7, MergeRequest("c" * 40))


class TestRules:
    def test_they_are_made_read_and_changed(self, bot):
        assert bot.branches.binding("main") is None
        bot.branches.create_protection({"rule_name": "main", "enable_push": False, "required_approvals": 1})
        assert bot.branches.edit_protection("main", {"required_approvals": 2}).required_approvals == 2
        assert bot.branches.binding("main").required_approvals == 2
        assert [rule.rule_name for rule in bot.branches.protections()] == ["main"]
        assert bot.branches.protection("main").enable_push is False

    def test_a_pattern_that_binds_is_found(self, bot):
        bot.branches.create_protection({"rule_name": "ma*", "enable_push": False, "required_approvals": 1})
        assert bot.branches.binding("main").rule_name == "ma*"

    def test_a_writer_may_not_read_them(self, client_of, bot):
        bot.branches.create_protection({"rule_name": "main"})
        with pytest.raises(MissingRight):
            client_of("author").branches.binding("main")


def test_webhooks_are_made_and_listed(bot):
    made = bot.hooks.create("http://127.0.0.1:9/hook", "s" * 32)
    (found,) = bot.hooks.list()
    assert (found.id, found.active, found.config.content_type) == (made.id, True, "json")
    assert found.config.url == "http://127.0.0.1:9/hook"


class TestRefusals:
    """Each ends in one sentence of its own kind."""

    def test_a_wrong_token(self, client_of):
        with pytest.raises(NotAuthorised, match="does not accept the token"):
            client_of(token="0" * 40).me()

    def test_a_missing_scope(self, client_of, forge):
        reader = client_of(token=forge.token("bot", ("read:repository", "read:user", "read:issue")))
        with pytest.raises(MissingScope, match="lacks the scope write:repository"):
            reader.statuses.create("c" * 40, State.SUCCESS, "x")

    def test_a_missing_right(self, client_of, project):
        head = project.change().head
        with pytest.raises(MissingRight, match="should have a permission to write"):
            client_of("reader").statuses.create(head, State.SUCCESS, "x")

    def test_an_unknown_repository(self, client_of, forge):
        with pytest.raises(NotFound, match=r"check \[gitea\] repository"):
            client_of(repository=f"{forge.org}/nope").pulls.get(1)

    def test_a_renamed_repository(self, client_of, forge, project):
        number = project.change().number
        forge.made("owner", "PATCH", project.api, {"name": f"{project.full_name.partition('/')[2]}-new"})
        forge.remember(f"{project.full_name}-new")
        bot = client_of()
        for ask in (lambda: bot.pulls.get(number), lambda: bot.comments.create(number, "x")):
            with pytest.raises(Renamed, match=f"called {project.full_name}-new now"):
                ask()

    def test_an_archived_repository(self, client_of, forge, project):
        change = project.change()
        forge.made("owner", "PATCH", project.api, {"archived": True})
        bot = client_of()
        assert bot.pulls.get(change.number).number == change.number
        with pytest.raises(Archived, match="unarchive it"):
            bot.comments.create(change.number, "x")

    def test_a_deleted_fork(self, client_of, forge, project):
        forge.made("forker", "POST", f"{project.api}/forks", {"name": f"fork-{forge.suffix}"})
        fork = f"{forge.name('forker')}/fork-{forge.suffix}"
        project.branch("topic")
        project.replace("b.txt", "2\n", "two\n")
        project.commit("fork")
        project.push("topic", "forker", repo=fork)
        change = project.open("forker", f"{forge.name('forker')}:topic")
        forge.made("forker", "DELETE", f"/repos/{fork}")
        pull = client_of().pulls.get(change.number)
        assert (pull.state, pull.head.repo, pull.head.ref) == ("closed", None, f"refs/pull/{change.number}/head")

"""What kind of server answers, and what it can do."""

import pytest

from werkrevisor_gitea.errors import NotAuthorised
from werkrevisor_gitea.probe import Kind, Switches, kind_and_version, switches_of


@pytest.mark.parametrize(
    ("text", "kind", "version"),
    [
        ("1.26.4", Kind.GITEA, (1, 26, 4)),
        ("v1.26.4", Kind.GITEA, (1, 26, 4)),
        ("1.28.0+dev-130-g8731ea4bbb", Kind.GITEA, (1, 28, 0)),
        ("16.0.0+gitea-1.22.0", Kind.FORGEJO, (16, 0, 0)),
        ("development", Kind.GITEA, ()),
        ("", Kind.GITEA, ()),
        ("9" * 5000, Kind.GITEA, (999999,)),
    ],
)
def test_kind_and_version(text, kind, version):
    assert kind_and_version(text) == (kind, version)


@pytest.mark.parametrize(
    ("kind", "version", "expected"),
    [
        (Kind.GITEA, (1, 26, 4), Switches("block_admin_merge_override", bypass_list=False)),
        (Kind.GITEA, (1, 27, 3), Switches("block_admin_merge_override", bypass_list=True)),
        (Kind.GITEA, (2, 0), Switches("block_admin_merge_override", bypass_list=True)),
        (Kind.GITEA, (), Switches()),
        (Kind.FORGEJO, (16, 0, 0), Switches("apply_to_admins", line_of_blame=True, status_webhook=False)),
    ],
)
def test_switches_are_those_of_the_newest_version_that_is_not_newer(kind, version, expected):
    assert switches_of(kind, version) == expected


class TestRoutes:
    def probed(self, world, reply, version, statuses):
        def answer(request):
            if request.url.path.endswith("/version"):
                return reply(200, {"version": version})
            return reply(next(status for end, status in statuses.items() if request.url.path.endswith(end)), {})

        world.answers = [answer]
        return world.client().features()

    def test_a_route_that_knows_no_such_comment_is_there(self, world, reply):
        found = self.probed(world, reply, "1.27.0", {"/resolve": 404, "/replies": 404})
        assert (found.resolve, found.replies) == (True, True)

    def test_a_wildcard_that_takes_no_post_is_no_route(self, world, reply):
        found = self.probed(world, reply, "1.26.4", {"/resolve": 404, "/replies": 405})
        assert (found.resolve, found.replies) == (True, False)

    def test_forgejo_has_neither_and_is_not_asked(self, world, reply):
        found = self.probed(world, reply, "16.0.0+gitea-1.22.0", {})
        assert (found.kind, found.resolve, found.replies) == (Kind.FORGEJO, False, False)
        assert len(world.asked) == 1

    def test_it_is_asked_once(self, world, reply):
        world.answers = [lambda request: reply(404 if request.method == "POST" else 200, {"version": "1.26.4"})]
        client = world.client()
        assert client.features() is client.features()
        assert len(world.asked) == 3

    def test_a_bad_token_is_said_and_not_taken_for_a_missing_route(self, world, reply):
        world.answers = [
            lambda request: reply(200, {"version": "1.26.4"}) if request.method == "GET" else reply(401, {})
        ]
        with pytest.raises(NotAuthorised):
            world.client().features()


def test_the_forge_under_contract(client_of, forge):
    found = client_of().features()
    assert (found.kind, found.resolve, found.replies) == (Kind.GITEA, True, False)
    assert found.text == forge.get("bot", "/version")["version"]


class TestScopes:
    def test_all_are_there(self, client_of):
        assert client_of().missing_scopes() == ()

    @pytest.mark.parametrize(
        ("scopes", "missing"),
        [
            (("read:user", "write:repository", "write:issue"), ()),
            (("read:user", "write:repository"), ("write:issue",)),
            (("read:user", "write:repository", "read:issue"), ("write:issue",)),
            (("read:user", "read:repository", "write:issue"), ("write:repository",)),
            (("write:repository", "write:issue"), ("read:user",)),
            (("read:user",), ("write:issue", "write:repository")),
        ],
    )
    def test_what_lacks_is_named(self, client_of, forge, scopes, missing):
        assert client_of(token=forge.token("bot", scopes)).missing_scopes() == missing

    def test_asking_changes_nothing(self, client_of, project, forge):
        change = project.change()
        before = change.get(), change.timeline(), change.reviews()
        client_of().missing_scopes()
        client_of().features()
        assert (change.get(), change.timeline(), change.reviews()) == before

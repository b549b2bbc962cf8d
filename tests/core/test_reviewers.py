import pytest

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.reviewers import Reviewers

PEOPLE = Reviewers.compile(
    GateSettings(human_reviewers=("Bob", "eve"), reviewers={"db/**": ("dora",), "*.sql": ("sam", "dora")})
)


@pytest.mark.parametrize(
    ("login", "listed"), [("bob", True), ("BOB", True), ("Dora", True), ("sam", True), ("x", False)]
)
def test_a_login_is_listed_anywhere_whatever_its_case(login, listed):
    assert PEOPLE.lists(login) is listed


@pytest.mark.parametrize(
    ("logins", "path", "covered"),
    [
        ({"bob"}, "src/a.py", True),
        ({"dora"}, "src/a.py", False),
        (set(), "src/a.py", False),
        ({"bob", "eve"}, "db/a.py", False),
        ({"Dora"}, "db/a.py", True),
        ({"dora"}, "DB/a.py", True),
        ({"sam"}, "x.sql", True),
        ({"sam"}, "db/x.sql", False),
        ({"sam", "dora"}, "db/x.sql", True),
        ({"dora"}, "db/x.sql", True),
    ],
)
def test_a_path_under_a_glob_needs_one_of_its_own(logins, path, covered):
    assert PEOPLE.covers(logins, path) is covered


def test_the_globs_that_lack_an_approval_are_named():
    assert PEOPLE.needed({"sam"}, "db/x.sql") == ("db/**",)
    assert PEOPLE.needed({"bob"}, "db/x.sql") == ("db/**", "*.sql")


def test_several_paths_need_all_of_their_people_and_none_needs_one_for_everything():
    assert PEOPLE.cover_all({"bob", "dora"}, ["src/a.py", "db/a.py"])
    assert not PEOPLE.cover_all({"bob"}, ["src/a.py", "db/a.py"])
    assert PEOPLE.cover_all({"bob"}, [])
    assert not PEOPLE.cover_all({"dora"}, [])


def test_who_lists_nobody_has_no_human_reviewer():
    nobody = Reviewers.compile(GateSettings())
    assert not nobody.lists("bob")
    assert not nobody.covers({"bob"}, "a")

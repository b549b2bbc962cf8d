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


@pytest.mark.parametrize(
    ("logins", "path", "people"),
    [
        ({"sam"}, "db/x.sql", {"dora"}),
        ({"bob"}, "db/x.sql", {"dora", "sam"}),
        ({"dora"}, "db/x.sql", set()),
        ({"dora"}, "src/a.py", {"bob", "eve"}),
        ({"bob"}, "src/a.py", set()),
    ],
)
def test_it_is_told_who_could_still_approve_a_path(logins, path, people):
    assert PEOPLE.lacking(logins, path) == people


def test_several_paths_need_all_of_their_people_and_none_needs_one_for_everything():
    assert PEOPLE.cover_all({"bob", "dora"}, ["src/a.py", "db/a.py"])
    assert not PEOPLE.cover_all({"bob"}, ["src/a.py", "db/a.py"])
    assert PEOPLE.cover_all({"bob"}, [])
    assert not PEOPLE.cover_all({"dora"}, [])


def test_who_lists_nobody_has_no_human_reviewer():
    nobody = Reviewers.compile(GateSettings())
    assert not nobody.lists("bob")
    assert not nobody.covers({"bob"}, "a")

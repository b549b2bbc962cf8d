"""Commit statuses: rows, creators, combining, paging."""

import pytest


@pytest.fixture
def head(project):
    return project.git("rev-parse", "HEAD")


def rows(project, head, query=""):
    return project.forge.get("bot", f"{project.api}/commits/{head}/statuses{query}")


def combined(project, head, query=""):
    return project.forge.get("bot", f"{project.api}/commits/{head}/status{query}")


def test_a_status_says_status_and_is_asked_for_as_state(forge, project, head):
    answer = project.status("bot", head, "pending")
    assert answer.status_code == 201
    row = answer.json()
    assert row["status"] == "pending"
    assert "state" not in row
    assert row["context"] == "werkrevisor/main"
    assert (row["description"], row["target_url"]) == ("d", "https://example.com/r/1")
    assert row["creator"]["login"] == forge.name("bot")
    assert row["id"] == 1
    assert rows(project, head) == [row]
    assert forge.get("bot", f"{project.api}/statuses/{head}") == [row]


def test_every_post_is_a_row_and_the_newest_of_a_context_counts(project, head):
    for state in ("pending", "failure", "success"):
        assert project.status("bot", head, state).status_code == 201
    project.status("author", head, "failure", "ci")
    found = rows(project, head, "?sort=leastindex")
    assert [(row["id"], row["context"], row["status"]) for row in found] == [
        (4, "ci", "failure"),
        (3, "werkrevisor/main", "success"),
        (2, "werkrevisor/main", "failure"),
        (1, "werkrevisor/main", "pending"),
    ]
    assert {row["context"]: row["status"] for row in combined(project, head)["statuses"]} == {
        "ci": "failure",
        "werkrevisor/main": "success",
    }


def test_every_writer_may_set_every_context_and_is_named(forge, project, head):
    for role in ("author", "second", "bot"):
        assert project.status(role, head, "success").status_code == 201
    wanted = [forge.name(role) for role in ("bot", "second", "author")]
    assert [row["creator"]["login"] for row in rows(project, head, "?sort=leastindex")] == wanted
    refused = project.status("reader", head, "success")
    assert refused.status_code == 403
    assert refused.json()["message"] == "user should have a permission to write to a repo"
    assert project.forge.api(None, "POST", f"{project.api}/statuses/{head}", {"state": "success"}).status_code == 401


@pytest.mark.parametrize(
    ("states", "wanted"),
    [
        (["success"], "success"),
        (["success", "pending"], "pending"),
        (["success", "failure"], "failure"),
        (["success", "error"], "failure"),
        (["success", "warning"], "failure"),
        (["pending", "failure"], "failure"),
        (["success", "skipped"], "success"),
        (["skipped"], "success"),
        (["success", "bananas"], "pending"),
        (["bananas"], "pending"),
    ],
)
def test_how_states_combine(project, head, states, wanted):
    for number, state in enumerate(states):
        assert project.status("bot", head, state, f"c{number}").status_code == 201
    found = combined(project, head)
    assert found["state"] == wanted
    assert sorted(row["status"] for row in found["statuses"]) == sorted(states)


def test_no_status_at_all_is_pending_with_null(project, head):
    found = combined(project, head)
    assert (found["state"], found["statuses"], found["total_count"]) == ("pending", None, 0)
    assert rows(project, head) == []


def test_the_combined_state_is_that_of_one_page(forge, project, head):
    project.status("bot", head, "success", "old")
    for number in range(2):
        project.status("bot", head, "success", f"c{number}")
    project.status("bot", head, "failure", "new")
    first, second = (combined(project, head, f"?limit=2&page={page}") for page in (1, 2))
    assert (first["state"], first["total_count"]) == ("failure", 2)
    assert (second["state"], second["total_count"]) == ("success", 2)
    assert [row["context"] for row in first["statuses"]] == ["c1", "new"]
    assert [row["context"] for row in second["statuses"]] == ["old", "c0"]
    answer = forge.api("bot", "GET", f"{project.api}/commits/{head}/status?limit=2")
    assert answer.headers["x-total-count"] == "4"
    assert 'rel="next"' in answer.headers["link"]


def test_rows_are_paged(forge, project, head):
    for number in range(5):
        project.status("bot", head, "success", f"c{number}")
    answer = forge.api("bot", "GET", f"{project.api}/commits/{head}/statuses?sort=leastindex&limit=2&page=2")
    assert [row["context"] for row in answer.json()] == ["c2", "c1"]
    assert answer.headers["x-total-count"] == "5"
    assert 'rel="next"' in answer.headers["link"]
    assert rows(project, head, "?limit=2&page=4") == []


def test_a_status_belongs_to_the_commit_and_not_to_a_pull_request(project):
    project.push("release", "owner")
    change = project.change()
    other = project.open("author", "topic", base="release").ready()
    project.status("bot", change.head, "success")
    for one in (change, other):
        assert combined(project, one.get()["head"]["sha"])["state"] == "success"


def test_unknown_commits(project):
    assert project.status("bot", "0" * 39 + "1", "success").status_code == 500
    assert project.forge.api("bot", "GET", f"{project.api}/commits/{'0' * 39}1/status").status_code == 404


def test_a_branch_names_its_commit(project, head):
    project.status("bot", head, "success")
    assert combined(project, "main")["sha"] == head
    assert [row["status"] for row in rows(project, "main")] == ["success"]


def test_rows_of_one_second_come_oldest_first(project, head):
    # Newest first holds for seconds only: who wants the newest row takes the greatest id.
    for number in range(6):
        project.status("bot", head, "success", f"c{number % 2}")
    found = rows(project, head)
    assert len(found) == 6
    by_second = sorted(sorted(found, key=lambda row: row["id"]), key=lambda row: row["created_at"], reverse=True)
    assert found == by_second


def test_an_empty_context_is_one_of_its_own(project, head):
    answer = project.forge.api("bot", "POST", f"{project.api}/statuses/{head}", {"state": "success"})
    assert answer.status_code == 201
    assert answer.json()["context"] == ""

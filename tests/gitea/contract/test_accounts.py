"""Accounts that are renamed or deleted, and what of them stays in a pull request."""

import secrets

import pytest
from contract.forge import CODE, eventually


@pytest.fixture
def stranger(forge, project):
    """An account of its own with write access; the name of its role."""
    role = f"x{secrets.token_hex(3)}"
    forge.add_account(role)
    forge.made("owner", "PUT", f"{project.api}/collaborators/{forge.name(role)}", {"permission": "write"})
    return role


def opened(project, role):
    """Open a pull request by a role, which also comments, reviews and posts a status."""
    project.branch("topic")
    project.write({"a.go": CODE.replace("return 1\n", "return 101\n")})
    mail = f"{project.forge.name(role)}@example.com"
    project.git("commit", "-q", "-a", "-m", "Change F1", GIT_AUTHOR_EMAIL=mail, GIT_COMMITTER_EMAIL=mail)
    project.push("topic", role)
    change = project.open(role, "topic").ready()
    assert change.review(role, "COMMENT", "a word").status_code == 200
    project.forge.made(role, "POST", f"{change.issue}/comments", {"body": "another"})
    assert project.status(role, change.head, "success", "ci").status_code == 201
    change.push(role=role)
    change.settled(change.head)
    assert project.status(role, change.head, "success", "ci").status_code == 201
    return change


def names(change):
    """Return under which login (and number) each thing of a pull request stands there."""
    forge, api = change.forge, change.project.api
    (commit, *_) = forge.get("bot", f"{change.api}/commits?limit=50")[::-1]
    (comment,) = forge.get("bot", f"{change.issue}/comments")
    (status,) = forge.get("bot", f"{api}/commits/{change.head}/statuses")
    return {
        "pull request": change.get()["user"],
        "review": change.reviews()[0]["user"],
        "comment": comment["user"],
        "push": change.timeline("pull_push")[0]["user"],
        "status": status["creator"],
        "author": commit["author"],
    }


def test_a_renamed_account_has_its_new_name_everywhere(forge, project, stranger):
    change = opened(project, stranger)
    new = f"new-{forge.name(stranger)}"
    path = f"/admin/users/{forge.name(stranger)}/rename"
    assert forge.api("admin", "POST", path, {"new_username": new}).status_code == 204
    found = names(change)
    assert {thing: user["login"] for thing, user in found.items()} == dict.fromkeys(found, new)
    forge.made("admin", "DELETE", f"/admin/users/{new}?purge=true")


def test_a_deleted_account_is_a_ghost_and_posted_no_status(forge, project, stranger):
    change = opened(project, stranger)
    forge.made("admin", "DELETE", f"/admin/users/{forge.name(stranger)}")
    eventually(change.get, lambda found: found["user"]["login"] == "Ghost")
    found = names(change)
    assert found.pop("status") is None
    assert found.pop("author") is None
    assert {thing: (user["id"], user["login"]) for thing, user in found.items()} == dict.fromkeys(found, (-1, "Ghost"))


def test_a_deleted_reviewer_is_null_among_the_requested(forge, project, stranger):
    change = project.change()
    change.approve(stranger)
    forge.made("admin", "DELETE", f"/admin/users/{forge.name(stranger)}")
    (review,) = eventually(change.reviews, lambda rows: rows[0]["user"]["login"] == "Ghost")
    assert (review["state"], review["commit_id"], review["official"]) == ("APPROVED", change.head, True)
    assert change.get()["requested_reviewers"] == [None]

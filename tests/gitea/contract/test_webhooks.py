"""Webhooks: what is sent when, and how it is signed."""

import hashlib
import hmac
import json
from urllib.parse import parse_qs

from contract.forge import eventually
from contract.receiver import SECRET, hook


def test_making_showing_and_deleting_a_hook(forge, project, receiver):
    made = hook(project, receiver)
    assert made["config"] == {"content_type": "json", "url": f"http://127.0.0.1:{receiver.port}/hook"}
    assert made["active"] is True
    assert set(made["events"]) >= {
        "push",
        "status",
        "pull_request",
        "pull_request_sync",
        "pull_request_review",
        "pull_request_comment",
    }
    assert [row["id"] for row in forge.get("bot", f"{project.api}/hooks")] == [made["id"]]
    path = f"{project.api}/hooks/{made['id']}"
    assert forge.get("bot", path)["config"] == made["config"]
    assert forge.api("author", "GET", f"{project.api}/hooks").status_code == 403
    edited = forge.api("bot", "PATCH", path, {"active": False})
    assert (edited.status_code, edited.json()["active"]) == (200, False)
    assert forge.api("bot", "DELETE", path).status_code == 204
    assert forge.get("bot", f"{project.api}/hooks") == []


def test_a_hook_is_off_unless_it_is_switched_on(forge, project, receiver):
    config = {"url": f"http://127.0.0.1:{receiver.port}/hook", "content_type": "json"}
    made = forge.made("bot", "POST", f"{project.api}/hooks", {"type": "gitea", "config": config})
    assert made["active"] is False
    assert made["events"] == ["push"]


def test_opening_is_announced_and_signed(forge, project, receiver):
    hook(project, receiver)
    change = project.change()
    delivery = receiver.wait("pull_request", "pull_request", "opened")
    signature = hmac.new(SECRET.encode(), delivery.raw, hashlib.sha256).hexdigest()
    assert delivery.headers["x-gitea-signature"] == signature
    assert delivery.headers["x-hub-signature-256"] == f"sha256={signature}"
    assert delivery.headers["content-type"] == "application/json"
    assert len(delivery.headers["x-gitea-delivery"]) == 36
    payload = delivery.json
    assert payload["number"] == change.number
    assert payload["pull_request"]["head"]["sha"] == change.head
    assert payload["pull_request"]["base"]["ref"] == "main"
    assert payload["repository"]["full_name"] == project.full_name
    assert payload["sender"]["login"] == forge.name("author")
    assert payload["review"] is None


def test_a_push_to_the_head(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    old = change.head
    sha = change.push()
    push = eventually(lambda: [one.json for one in receiver.got if one.json.get("after") == sha])[0]
    assert (push["ref"], push["before"]) == ("refs/heads/topic", old)
    assert push["pusher"]["login"] == forge.name("author")
    assert [commit["id"] for commit in push["commits"]] == [sha]
    sync = eventually(lambda: [one.json for one in receiver.of("synchronized") if sha in one.raw.decode()])[0]
    assert sync["pull_request"]["head"]["sha"] == sha
    assert "before" not in sync


def test_reviews_are_announced_without_their_lines(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    change.approve("reviewer")
    change.review("reviewer", "REQUEST_CHANGES", "no")
    change.review("bot", "COMMENT", "", [{"path": "a.go", "new_position": 8, "body": "x"}], change.head)
    approved = receiver.wait("pull_request_approved", "pull_request_review_approved", "reviewed").json
    assert approved["review"] == {"type": "pull_request_review_approved", "content": "ok"}
    assert approved["sender"]["login"] == forge.name("reviewer")
    rejected = receiver.wait("pull_request_rejected", "pull_request_review_rejected", "reviewed").json
    assert rejected["review"]["content"] == "no"
    comment = receiver.wait("pull_request_comment", "pull_request_review_comment", "reviewed").json
    assert comment["review"] == {"type": "pull_request_review_comment", "content": ""}
    forge.rest()
    assert len(receiver.of("reviewed")) == 3


def test_comments(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    comment = forge.made("author", "POST", f"{change.issue}/comments", {"body": "/werkrevisor review"})["id"]
    path = f"{project.api}/issues/comments/{comment}"
    forge.made("author", "PATCH", path, {"body": "/werkrevisor explain"})
    forge.api("author", "DELETE", path)
    created = receiver.wait("issue_comment", "pull_request_comment", "created").json
    assert created["comment"]["body"] == "/werkrevisor review"
    assert created["is_pull"] is True
    assert created["issue"]["number"] == change.number
    assert created["pull_request"]["number"] == change.number
    edited = receiver.wait("issue_comment", "pull_request_comment", "edited").json
    assert edited["changes"]["body"] == {"from": "/werkrevisor review"}
    assert edited["comment"]["body"] == "/werkrevisor explain"
    assert receiver.wait("issue_comment", "pull_request_comment", "deleted").json["comment"]["id"] == comment


def test_statuses(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    project.status("author", change.head, "success", "ci")
    payload = receiver.wait("status", "status", None).json
    assert (payload["sha"], payload["state"], payload["context"]) == (change.head, "success", "ci")
    assert payload["sender"]["login"] == forge.name("author")


def test_edits_are_one_delivery_for_each_field(forge, project, receiver):
    project.push("release", "owner")
    change = project.change()
    hook(project, receiver)
    change.edit(title="WIP: other", body="text")
    change.edit(base="release")
    found = eventually(lambda: receiver.of("edited"), lambda rows: len(rows) >= 3)
    assert [delivery.kind for delivery in found] == [("pull_request", "pull_request", "edited")] * 3
    changes = [sorted(key for key in delivery.json["changes"] if key in ("title", "body", "ref")) for delivery in found]
    assert sorted(changes) == [["body"], ["ref"], ["title"]]
    ref = next(delivery.json for delivery in found if "ref" in delivery.json["changes"])
    # The trap: `from` is the new base.
    assert ref["changes"]["ref"]["from"] == "release"
    assert ref["pull_request"]["base"]["ref"] == "release"


def test_requests_closing_reopening_merging(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    body = {"reviewers": [forge.name("second")]}
    forge.api("bot", "POST", f"{change.api}/requested_reviewers", body)
    forge.api("bot", "DELETE", f"{change.api}/requested_reviewers", body)
    asked = receiver.wait("pull_request", "pull_request_review_request", "review_requested").json
    assert asked["requested_reviewer"]["login"] == forge.name("second")
    receiver.wait("pull_request", "pull_request_review_request", "review_request_removed")
    change.edit(state="closed")
    assert receiver.wait("pull_request", "pull_request", "closed").json["pull_request"]["merged"] is False
    change.edit(state="open")
    receiver.wait("pull_request", "pull_request", "reopened")
    receiver.got.clear()
    assert change.ready().merge().status_code == 200
    assert receiver.wait("pull_request", "pull_request", "closed").json["pull_request"]["merged"] is True
    push = receiver.wait("push", "push", None).json
    assert push["ref"] == "refs/heads/main"


def test_silent_things(forge, project, receiver):
    project.protect(enable_status_check=True, status_check_contexts=["x"])
    change = project.change()
    review = change.review(
        "reviewer", "APPROVED", "ok", [{"path": "a.go", "new_position": 8, "body": "x"}], change.head
    ).json()
    line = change.line_comments(review["id"])[0]["id"]
    hook(project, receiver)
    forge.made("bot", "POST", f"{change.api}/reviews/{review['id']}/dismissals", {"message": "x"})
    assert forge.api("author", "POST", f"{project.api}/pulls/comments/{line}/resolve").status_code == 204
    assert change.schedule().status_code == 201
    assert change.cancel().status_code == 204
    assert change.review("reviewer", "PENDING", "draft").status_code == 200
    forge.made("bot", "PATCH", f"{project.api}/branch_protections/main", {"required_approvals": 1})
    forge.rest()
    # A push from before the hook was made may still be announced to it.
    assert [kind for kind in receiver.kinds() if kind[1] not in ("push", "pull_request_sync")] == []


def test_a_form_is_signed_over_the_json(forge, project, receiver):
    change = project.change()
    hook(project, receiver, kind="form")
    forge.made("author", "POST", f"{change.issue}/comments", {"body": "form ä & = +"})
    delivery = eventually(lambda: [one for one in receiver.got if one.headers["x-gitea-event"] == "issue_comment"])[0]
    assert delivery.headers["content-type"] == "application/x-www-form-urlencoded"
    payload = parse_qs(delivery.raw.decode())["payload"][0]
    assert json.loads(payload)["comment"]["body"] == "form ä & = +"
    signature = hmac.new(SECRET.encode(), payload.encode(), hashlib.sha256).hexdigest()
    assert delivery.headers["x-gitea-signature"] == signature


def test_without_a_secret_the_signature_is_empty(forge, project, receiver):
    change = project.change()
    hook(project, receiver, secret="")
    forge.made("author", "POST", f"{change.issue}/comments", {"body": "x"})
    found = eventually(lambda: receiver.of("created"))
    assert found[0].headers["x-gitea-signature"] == ""
    assert found[0].headers["x-hub-signature-256"] == "sha256="


def test_there_is_one_attempt(forge, project, receiver):
    change = project.change()
    hook(project, receiver)
    receiver.answer = 503
    forge.made("author", "POST", f"{change.issue}/comments", {"body": "x"})
    eventually(lambda: receiver.of("created"))
    forge.rest()
    assert len(receiver.of("created")) == 1


def test_a_hook_can_be_tried(forge, project, receiver):
    deaf = hook(project, receiver, events=["status"])
    made = hook(project, receiver, events=["push"])
    assert forge.api("author", "POST", f"{project.api}/hooks/{made['id']}/tests").status_code == 403
    # The sample is a push: a hook that did not ask for pushes gets nothing, and the answer does not say so.
    assert forge.api("bot", "POST", f"{project.api}/hooks/{deaf['id']}/tests").status_code == 204
    assert forge.api("bot", "POST", f"{project.api}/hooks/{made['id']}/tests").status_code == 204
    tip = project.git("rev-parse", "main")

    def samples():
        return [one.json for one in receiver.got if one.json.get("before") == one.json.get("after") == tip]

    payload = eventually(samples)[0]
    assert payload["ref"] == "refs/heads/main"
    assert payload["sender"]["login"] == forge.name("bot")
    forge.rest()
    assert len(samples()) == 1


def test_only_the_wanted_events_are_sent(forge, project, receiver):
    change = project.change()
    hook(project, receiver, events=["status"])
    forge.made("author", "POST", f"{change.issue}/comments", {"body": "x"})
    project.status("bot", change.head, "success")
    receiver.wait("status", "status", None)
    forge.rest()
    assert len(receiver.got) == 1

"""The names of all fields: those that a real Gitea 1.26.4 was recorded with, for every kind of answer.

`fields.json` has, per kind, the fields that were always there and those that were there sometimes. An answer
has all of the first and nothing beyond both: a field that the fake lacks or makes up is found here.
"""

import json
from pathlib import Path

import pytest
from attrs import Factory, define
from contract.forge import eventually
from contract.receiver import hook

KNOWN = {
    kind: (set(fields["always"].split()), set(fields["sometimes"].split()))
    for kind, fields in json.loads((Path(__file__).parent / "fields.json").read_text()).items()
}
LINE = {"path": "a.go", "new_position": 8, "old_position": 0, "body": "x"}


@define
class Names:
    """Checks the fields of answers and notes which kinds were seen."""

    seen: set = Factory(set)

    def check(self, kind, found):
        for one in found if isinstance(found, list) else [found]:
            always, sometimes = KNOWN[kind]
            assert always - set(one) == set(), kind
            assert set(one) - always - sometimes == set(), kind
            self.seen.add(kind)
        return found

    def user(self, found):
        self.check("user", found)

    def repository(self, found):
        self.check("repository", found)
        self.user(found["owner"])
        self.check("permissions", found["permissions"])

    def pull(self, found, kind="pull_request"):
        self.check(kind, found)
        self.user(found["user"])
        for side in ("base", "head"):
            self.check("side", found[side])
            self.repository(found[side]["repo"])


@pytest.fixture
def names():
    return Names()


def test_fields_of_the_server(forge, names):
    names.check("version", forge.get(None, "/version"))
    names.check("settings", forge.get(None, "/settings/api"))
    names.user(forge.get("bot", "/user"))
    names.check("error", forge.api(None, "GET", "/user").json())
    names.check("error", forge.api("bot", "GET", f"/repos/{forge.org}/nope/pulls").json())
    assert names.seen == {"version", "settings", "user", "error"}


def test_fields_of_a_pull_request(forge, project, names):
    change = project.change()
    change.approve("reviewer")
    names.pull(change.get())
    names.pull(change.listed(), "pull_request_listed")
    names.repository(forge.get("bot", project.api))
    names.check("file", forge.get("bot", f"{change.api}/files"))
    for commit in names.check("commit", forge.get("bot", f"{change.api}/commits")):
        names.check("git_commit", commit["commit"])
        names.check("signature", commit["commit"]["author"])
    names.check("comparison", forge.get("bot", f"{project.api}/compare/main...topic"))
    names.check("contents", forge.get("bot", f"{project.api}/contents/a.go"))
    names.check("contents", forge.get("bot", f"{project.api}/contents"))
    tree = names.check("tree", forge.get("bot", f"{project.api}/git/trees/{change.head}"))
    names.check("tree_entry", tree["tree"])
    names.check("blob", forge.get("bot", f"{project.api}/git/blobs/{tree['tree'][0]['sha']}"))
    assert change.merge().status_code == 200
    names.pull(change.get())
    assert len(names.seen) == 15


def test_fields_of_reviews_and_comments(forge, project, names):
    change = project.change()
    body = {"reviewers": [forge.name("reviewer")], "team_reviewers": ["maintainers"]}
    requests = names.check("review", forge.made("bot", "POST", f"{change.api}/requested_reviewers", body))
    names.check("team", requests[1]["team"])
    review = names.check("review", change.review("bot", "COMMENT", "", [LINE], change.head).json())
    names.check("review", change.reviews())
    names.check("line_comment", change.line_comments(review["id"]))
    comment = names.check("comment", forge.made("bot", "POST", f"{change.issue}/comments", {"body": "x"}))
    names.check("comment", forge.get("bot", f"{change.issue}/comments"))
    path = f"{project.api}/issues/comments/{comment['id']}"
    names.check("comment", forge.made("bot", "PATCH", path, {"body": "y"}))
    names.check("reaction", forge.made("bot", "POST", f"{path}/reactions", {"content": "eyes"}))
    names.check("timeline", change.timeline())
    assert names.seen == {"review", "team", "line_comment", "comment", "reaction", "timeline"}


def test_fields_of_statuses_rules_branches_and_hooks(forge, project, receiver, names):
    names.check("rule", project.protect(required_approvals=1))
    names.check("rule", forge.get("bot", f"{project.api}/branch_protections"))
    branch = names.check("branch", forge.get("author", f"{project.api}/branches/main"))
    names.check("payload_commit", branch["commit"])
    names.check("verification", branch["commit"]["verification"])
    names.check("status", project.status("bot", branch["commit"]["id"], "success").json())
    combined = names.check("combined_status", forge.get("bot", f"{project.api}/commits/main/status"))
    names.check("status", combined["statuses"])
    names.repository(combined["repository"])
    names.check("hook", hook(project, receiver))
    names.check("hook", forge.get("bot", f"{project.api}/hooks"))
    wanted = {"rule", "branch", "payload_commit", "verification", "status", "combined_status", "hook"}
    assert names.seen == wanted | {"repository", "user", "permissions"}


def test_fields_of_deliveries(forge, project, receiver, names):
    project.push("release", "owner")
    change = project.change()
    hook(project, receiver)
    change.approve("reviewer")
    change.review("reviewer", "REQUEST_CHANGES", "no")
    change.review("bot", "COMMENT", "x")
    comment = forge.made("author", "POST", f"{change.issue}/comments", {"body": "x"})["id"]
    forge.made("author", "PATCH", f"{project.api}/issues/comments/{comment}", {"body": "y"})
    project.status("bot", change.head, "success")
    change.edit(title="Other", body="text", base="release")
    forge.made("bot", "POST", f"{change.api}/requested_reviewers", {"reviewers": [forge.name("second")]})
    sha = change.push()
    kinds = {
        "pull_request_review_approved",
        "pull_request_review_rejected",
        "pull_request_review_comment",
        "pull_request_comment",
        "status",
        "pull_request",
        "pull_request_review_request",
        "push",
        "pull_request_sync",
    }
    pushed = eventually(lambda: [one for one in receiver.got if one.json.get("after") == sha])
    synchronized = eventually(lambda: [one for one in receiver.of("synchronized") if sha in one.raw.decode()])
    assert pushed
    assert synchronized
    for delivery in receiver.got:
        payload, kind = delivery.json, delivery.headers["x-gitea-event-type"]
        names.check(f"payload {kind}", payload)
        names.repository(payload["repository"])
        names.user(payload["sender"])
        if payload.get("pull_request"):
            names.pull(payload["pull_request"], "pull_request_in_payload")
        if payload.get("issue"):
            names.check("issue", payload["issue"])
        if payload.get("review"):
            names.check("review_in_payload", payload["review"])
        if payload.get("changes"):
            names.check("changes", payload["changes"])
        names.check("payload_commit", payload.get("commits", []))
    assert {f"payload {kind}" for kind in kinds} <= names.seen
    assert {"issue", "changes", "review_in_payload", "payload_commit"} <= names.seen

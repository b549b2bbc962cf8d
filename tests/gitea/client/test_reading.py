"""From JSON to models: odd values of real servers are read, everything else is one clear error."""

import json
from pathlib import Path

import pytest

from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.reading import parse, structure
from werkrevisor_gitea.wire import (
    BranchProtection,
    Hook,
    IssueComment,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    Status,
    TimelineEntry,
    User,
)

USER = {"id": 3, "login": "author"}


def broken(kind, value):
    with pytest.raises(BadAnswer) as caught:
        structure(kind, value, "GET /x")
    text = str(caught.value)
    assert text.startswith("the answer to GET /x is not what Gitea or Forgejo documents (")
    assert "\n" not in text
    return text


class TestParse:
    @pytest.mark.parametrize(
        ("data", "why"),
        [
            (b"", "it is empty"),
            (b" \n", "it is empty"),
            (b"<html>sign in</html>", "it is no valid JSON"),
            (b'{"a": 1', "it is no valid JSON"),
            (b'{"a": NaN}', "it is no valid JSON"),
            (b'{"a": -Infinity}', "it is no valid JSON"),
            (b'{"a": "\xff"}', "it is no valid JSON"),
            (b'{"a": ' + b"9" * 10_000 + b"}", "it is no valid JSON"),
            (b"[" * 100_000, "it is nested too deeply"),
            (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "it is nested too deeply"),
        ],
    )
    def test_what_is_no_json_is_one_sentence(self, data, why):
        with pytest.raises(BadAnswer) as caught:
            parse(data, "GET /x")
        assert why in str(caught.value)
        assert caught.value.request == "GET /x"

    def test_nothing_of_the_body_is_quoted(self):
        with pytest.raises(BadAnswer) as caught:
            parse(b'{"token": "s3cr3t', "GET /x")
        assert "s3cr3t" not in str(caught.value)


class TestStructure:
    def test_unknown_fields_are_ignored(self):
        assert structure(User, {**USER, "new": {"deep": [1]}}, "GET /x") == User(3, "author")

    def test_null_is_the_default_where_there_is_one(self):
        comment = structure(IssueComment, {"id": 1, "body": "x", "user": None, "created_at": None}, "GET /x")
        assert comment == IssueComment(1, "x")

    def test_null_is_an_empty_list(self):
        assert structure(tuple[User, ...], None, "GET /x") == ()

    def test_entries_of_a_timeline_may_be_null(self):
        found = structure(tuple[TimelineEntry | None, ...], [None, {"id": 1, "type": "close"}], "GET /x")
        assert found == (None, TimelineEntry(1, "close"))

    @pytest.mark.parametrize(
        ("text", "seconds"),
        [
            ("2026-11-30T17:49:25Z", 1_796_060_965.0),
            ("2026-11-30T18:49:25+01:00", 1_796_060_965.0),
            ("1970-01-01T00:00:00Z", 0.0),
            ("0001-01-01T00:00:00Z", 0.0),
            ("", 0.0),
        ],
    )
    def test_times_are_seconds(self, text, seconds):
        assert structure(IssueComment, {"id": 1, "body": "x", "created_at": text}, "GET /x").created_at == seconds

    @pytest.mark.parametrize(
        ("kind", "value", "why"),
        [
            (User, {"login": "a"}, "required field missing @ id"),
            (User, {"id": None, "login": "a"}, "expected a number, got null @ id"),
            (User, {"id": "3", "login": "a"}, "expected a number, got text @ id"),
            (User, {"id": True, "login": "a"}, "expected a number, got true or false @ id"),
            (User, {"id": 3.0, "login": "a"}, "expected a number, got number @ id"),
            (User, {"id": 3, "login": 4}, "expected a text, got number @ login"),
            (User, {"id": 3, "login": "a", "is_admin": 1}, "expected true or false, got number @ is_admin"),
            (User, [], "expected an object, got list"),
            (User, None, "expected an object, got null"),
            (tuple[User, ...], {}, "expected a list, got object"),
            (tuple[User, ...], "abc", "expected a list, got text"),
            (tuple[User, ...], [USER, 7], "expected an object, got number @ [1]"),
            (IssueComment, {"id": 1, "body": "x", "created_at": 5}, "expected a time, got number @ created_at"),
            (IssueComment, {"id": 1, "body": "x", "created_at": "soon"}, "expected a time like"),
            (IssueComment, {"id": 1, "body": "x", "created_at": "2026-11-30T17:49:25"}, "a time with its zone"),
            (IssueComment, {"id": 1, "body": "x", "user": "author"}, "expected an object, got text @ user"),
            (PullRequest, {"number": 1, "state": "open", "base": {"ref": "main"}}, "required field missing @ head"),
            (PullRequest, {"number": 1, "state": "open", "base": {}, "head": {"ref": "t"}}, "missing @ base.ref"),
            (BranchProtection, {"rule_name": "main", "merge_whitelist_usernames": [7]}, "whitelist_usernames[0]"),
        ],
    )
    def test_another_shape_is_one_sentence_with_the_place(self, kind, value, why):
        assert why in broken(kind, value)

    def test_many_faults_are_not_all_listed(self):
        assert "and 7 more" in broken(tuple[User, ...], [7] * 10)

    def test_a_hostile_value_is_not_quoted(self):
        assert "evil" not in broken(User, {"id": "evil\n" * 1000, "login": "a"})


RECORDED = Path(__file__).parent / "recorded"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("branch-protection", BranchProtection),
        ("comments", tuple[IssueComment, ...]),
        ("deleted-fork", PullRequest),
        ("hook", Hook),
        ("pull-request", PullRequest),
        ("repository", Repository),
        ("review-comments", tuple[ReviewComment, ...]),
        ("reviews", tuple[Review, ...]),
        ("statuses", tuple[Status, ...]),
        ("timeline", tuple[TimelineEntry | None, ...]),
    ],
)
def test_what_a_real_server_answered_is_read(name, kind):
    data = (RECORDED / f"{name}.json").read_bytes()
    found = structure(kind, parse(data, "GET /x"), "GET /x")
    rows, raw = (found, json.loads(data)) if isinstance(found, tuple) else ((found,), [json.loads(data)])
    assert len(rows) == len(raw) > 0
    for row, sent in zip(rows, raw, strict=True):
        for field in ("id", "number", "state", "status", "context", "body", "path", "commit_id", "rule_name", "type"):
            if hasattr(row, field) and sent.get(field) is not None:
                assert getattr(row, field) == sent[field]


def test_a_deleted_fork_has_no_repository():
    found = structure(PullRequest, parse((RECORDED / "deleted-fork.json").read_bytes(), ""), "")
    assert (found.head.repo, found.head.repo_id, found.head.ref) == (None, -1, "refs/pull/1/head")
    assert found.state == "closed"

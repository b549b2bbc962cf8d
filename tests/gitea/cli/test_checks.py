"""Checks whose servers cannot be had here: other versions, other names, unencrypted addresses."""

import pytest
from attrs import evolve

from werkrevisor_core.config.sections import GateSettings, GiteaSettings
from werkrevisor_gitea.cli.check import Outcome
from werkrevisor_gitea.cli.checks_server import _address, _merge_style, _version
from werkrevisor_gitea.cli.host import Host
from werkrevisor_gitea.hooks import missing_events
from werkrevisor_gitea.probe import Features, Switches, kind_and_version
from werkrevisor_gitea.wire import Repository, User

REPOSITORY = Repository(1, "acme/shop", User(1, "acme"), "shop", html_url="https://git.example.org/acme/shop")


def host(url):
    return Host(GiteaSettings(url=url), GateSettings(), ())


@pytest.mark.parametrize(
    ("text", "outcome", "says"),
    [
        ("1.26.4", Outcome.OK, "Gitea 1.26.4"),
        ("1.22.6", Outcome.FAIL, "update to 1.23 or newer"),
        ("1.27.0", Outcome.NOTE, "was not tried"),
        ("16.0.0+gitea-1.22.0", Outcome.NOTE, "Forgejo 16.0.0+gitea-1.22.0 was not tried"),
        ("1.21.11-1+gitea-1.21.11", Outcome.FAIL, "update to 7.0 or newer"),
        ("development", Outcome.NOTE, "is no release"),
    ],
)
def test_versions(text, outcome, says):
    kind, version = kind_and_version(text)
    (check,) = _version(Features(kind, version, text, True, False, Switches()))
    assert check.outcome is outcome
    assert says in check.says


@pytest.mark.parametrize(
    "url", ["https://git.example.org", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:8"]
)
def test_an_address_that_keeps_the_token_safe(url):
    assert next(iter(_address(host(url), REPOSITORY))).outcome is Outcome.OK


@pytest.mark.parametrize("url", ["http://git.example.org", "http://localhost.example.org", "http://10.0.0.1"])
def test_an_address_that_shows_the_token_to_everybody_in_between(url):
    check = next(iter(_address(host(url), REPOSITORY)))
    assert check.outcome is Outcome.FAIL
    assert "use https" in check.says


def test_a_server_that_calls_itself_otherwise_is_noted():
    checks = list(_address(host("https://other.example.org"), REPOSITORY))
    assert [check.outcome for check in checks] == [Outcome.OK, Outcome.NOTE]
    assert "calls itself https://git.example.org" in checks[1].says
    assert len(list(_address(host("https://other.example.org"), evolve(REPOSITORY, html_url="")))) == 1


def test_events_that_a_server_keeps_in_groups():
    held = ("pull_request", "pull_request_sync", "pull_request_review", "pull_request_comment", "issue_comment")
    assert missing_events((*held, "push", "status")) == ()
    assert missing_events(held) == ("push", "status")


@pytest.mark.parametrize("style", ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"])
def test_a_merge_style_that_the_repository_does_not_allow(style):
    names = ("merge_commits", "rebase", "rebase_explicit", "squash_merge", "fast_forward_only_merge")
    none = evolve(REPOSITORY, **{f"allow_{name}": False for name in names})
    (check,) = _merge_style(GateSettings(merge_style=style), none)
    assert check.outcome is Outcome.FAIL
    assert f'does not allow "{style}"' in check.says
    assert list(_merge_style(GateSettings(merge_style=style), REPOSITORY)) == []
    assert list(_merge_style(GateSettings(merge_style=style, merge="never"), none)) == []

"""Every field of every answer that a review reads, as null and as another type: no traceback, and no pass.

The pull request has an approval that does not count, a request for changes, a forged status and an open hint, so
whatever is lost of that must not let it pass.
"""

import copy
import os

import attrs
import pytest
from report_ground import Host, State, hinted

from werkrevisor_core.models.verdict import Decision
from werkrevisor_core.session import Prepared
from werkrevisor_core.watchdog import Progress
from werkrevisor_gitea import api, wire
from werkrevisor_gitea.cli.review import load_host
from werkrevisor_gitea.errors import ForgeError
from werkrevisor_gitea.reviewing import opened

MODELS = [each for each in vars(wire).values() if isinstance(each, type) and attrs.has(each)]
NAMES = {field.name for model in MODELS for field in attrs.fields(model)}
OTHER = {str: 7, int: "7", bool: "yes", list: {"a": 1}, dict: [1], type(None): 1.5}


def places(value, path=()):
    """Yield where fields stand that we know of: names, and 0 for the first of a list."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name in NAMES:
                yield (*path, name)
            if name in NAMES - {"repo"}:  # the repository is asked for by itself
                yield from places(each, (*path, name))
    elif isinstance(value, list) and value:
        yield (*path, 0)
        yield from places(value[0], (*path, 0))


def changed(value, path, new):
    """Return a copy with another value at a place."""
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        if not inner:  # another page of the list
            return value
        inner = inner[step]
    if not inner:
        return value
    inner[path[-1]] = OTHER[type(inner[path[-1]])] if new is OTHER else new
    return value


@pytest.fixture
def busy(faked, tmp_path):
    """A host and a pull request of which the forge has a lot to say."""
    project = faked.project()
    (tmp_path / "key").write_text("5a" * 32)
    environment = {"PATH": os.environ["PATH"], "WERKREVISOR_CACHE": str(tmp_path / "cache")}
    host = Host(project, tmp_path, environment, {"human_reviewers": f'["{faked.name("reviewer")}"]'})
    host.token(faked.tokens["bot"])
    project.push("lax", "owner")
    change = project.change()
    change.edit(base="lax")
    change.approve("reviewer")
    change.edit(base="main")
    change.approve("second")
    host.review(change, hinted)
    change.review("reviewer", "REQUEST_CHANGES", "no")
    project.status("author", change.head, "success")
    faked.rest()
    yield host, change
    project.remove()


def decision(host, change):
    """Review without publishing."""
    with opened(load_host(str(host.file)), change.number, Progress(), host.environment) as given:
        return (given.ready.run() if isinstance(given.ready, Prepared) else given.ready).decision


@pytest.mark.parametrize("new", [None, OTHER], ids=["null", "another type"])
def test_nothing_that_is_missing_lets_a_head_pass(busy, monkeypatch, new):
    host, change = busy
    answers, asked = {}, []
    parse = api.parse

    def recorded(data, request):
        value = parse(data, request)
        answers.setdefault(request, value)
        return value

    monkeypatch.setattr(api, "parse", recorded)
    assert decision(host, change) is not Decision.PASS
    cases = [(request, place) for request, value in answers.items() for place in places(value)]
    assert len(cases) > 100

    def mutated(data, request):
        value = parse(data, request)
        return changed(value, asked[-1][1], new) if request == asked[-1][0] else value

    monkeypatch.setattr(api, "parse", mutated)
    refused = []
    for case in cases:
        asked.append(case)
        try:
            found = decision(host, change)
        except ForgeError as error:
            refused.append(str(error))
        else:
            assert found is not Decision.PASS, case
    assert len(refused) > 20
    assert [says for says in refused if "\n" in says or not says] == []
    assert State.of(change).approved() == []

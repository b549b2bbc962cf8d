"""Each call of `doctor` and `protect` failed in turn: never "all is well", and the next run finishes what was begun."""

import pytest
from fake import Fault, Kind

FAULTS = [Kind.STATUS, Kind.GARBAGE]
HOOK = "https://review.example.org/hook"
API = "/api/v1/"


def calls_of(project):
    faults = project.forge.fake.faults
    return sum(call.target.startswith(API) and call.user == project.forge.name("bot") for call in faults.calls)


def failing(project, kind, number):
    faults = project.forge.fake.faults
    faults.clear()
    faults.plan(Fault(kind, path=API, nth=number, user=project.forge.name("bot"), status=500))


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("merge", ["pinned", "schedule"])
def test_doctor_never_calls_well_what_it_could_not_see(faulty, kind, merge):
    operator, project = faulty
    operator.gate["merge"] = merge
    operator.gitea |= {"hook_url": HOOK, "hook_secret_file": operator.secret("hook")}
    events = ["pull_request", "push", "status", "issue_comment", "pull_request_comment"]
    hook = {"type": "gitea", "active": True, "events": events, "config": {"url": HOOK, "content_type": "json"}}
    project.forge.made("owner", "POST", f"{project.api}/hooks", hook)
    operator.protect("--apply")
    project.forge.fake.faults.clear()
    well = 0 if merge == "pinned" else 4
    assert operator.doctor() == well
    undisturbed, last = operator.lines, calls_of(project)
    assert last > 12
    for number in range(1, last + 1):
        failing(project, kind, number)
        status = operator.doctor()
        assert status == 4 or operator.lines == undisturbed, (number, operator.lines)
        assert operator.complaint == "", number
        if merge == "schedule":
            assert operator.found("ok", "branch main") == [], number


@pytest.mark.parametrize("kind", FAULTS)
def test_protect_says_that_it_failed_and_finishes_the_next_time(faulty, kind):
    operator, project = faulty
    project.branch("release")
    project.push("release", "owner")
    operator.gate["branches"] = ["main", "release"]
    project.protect("main", enable_push=True, required_approvals=3)
    assert operator.protect("--apply") == 0
    wanted = rules(project)
    assert set(wanted) == {"main", "release"}
    reset(project)
    project.forge.fake.faults.clear()
    assert operator.protect("--apply") == 0
    last = calls_of(project)
    assert last > 12
    for number in range(1, last + 1):
        reset(project)
        failing(project, kind, number)
        status = operator.protect("--apply")
        assert status == 4 or rules(project) == wanted, number
        if operator.complaint:
            assert operator.complaint.startswith("werkrevisor: "), number
            assert operator.complaint.count("\n") == 1, number
        for name, rule in rules(project).items():
            assert rule == wanted[name] or (name, rule["enable_push"]) == ("main", True), number
        project.forge.fake.faults.clear()
        assert operator.protect("--apply") == 0, number
        assert rules(project) == wanted, number


def rules(project):
    rows = project.forge.get("owner", f"{project.api}/branch_protections")
    return {row["rule_name"]: {key: row[key] for key in row if not key.endswith("_at")} for row in rows}


def reset(project):
    """Put the rules back to what they were before the first run."""
    project.forge.made("owner", "DELETE", f"{project.api}/branch_protections/release")
    project.forge.made("owner", "DELETE", f"{project.api}/branch_protections/main")
    project.protect("main", enable_push=True, required_approvals=3)

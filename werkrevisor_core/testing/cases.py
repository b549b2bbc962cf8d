"""Runs one rule over the cases of a TOML file: changes in, expected reasons and findings out.

    [[case]]
    name = "a changed licence asks a person"
    settings = { globs = ["LICENSE"] }

    [[case.file]]
    path = "LICENSE"
    old = "MIT\\n"
    new = "GPL\\n"

    [[case.reason]]
    id = "licence_files"
    level = "yellow"
    evidence = [{ path = "LICENSE" }]

A case without `reason` and `finding` expects that the rule has nothing to say. Of an expected reason,
finding or piece of evidence only the keys that are written are compared; that there are as many of
them as expected always is. In a test file:

    CASES = load_cases(Path(__file__).parent / "cases" / "licence_files.toml")

    @pytest.mark.parametrize("case", CASES, ids=str)
    def test_case(case):
        run_case(licence_files, case)
"""

import inspect
from collections.abc import Iterable
from enum import Enum
from types import ModuleType
from typing import Any, Final

import attrs

from werkrevisor_core.config.issues import Issues, LayerKind, Place
from werkrevisor_core.config.structure import INVALID, built, read_section
from werkrevisor_core.models.change import ChangeSet, FileChange, Origin, ReadFault, Status
from werkrevisor_core.models.classes import Classification, JudgedFile, Rebinding
from werkrevisor_core.models.context import ConfigChange, GateResult, History, Reading, ReviewContext, Round
from werkrevisor_core.models.forge import CheckStatus, PullRequestFacts
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.models.verdict import Evidence, Finding, Reason
from werkrevisor_core.rule import RuleInfo
from werkrevisor_core.testing.build import BASE, HEAD, DictContents, change, pull_request
from werkrevisor_core.testing.case_files import Case, CaseFault, FileSpec, ForgeSpec, load_cases

__all__ = ["HOOKS", "Case", "CaseFault", "build_context", "load_cases", "run_case"]

HOOKS: Final = ("werkrevisor_gate", "werkrevisor_coverage", "werkrevisor_escalate")
"""Hooks whose rules can be run by case files; a rule of such a phase has exactly one of them."""


def run_case(module: ModuleType, case: Case) -> None:
    """Run the hook of a rule's module on a case and compare; it is called twice, which it must bear.

    Raises:
        AssertionError: the rule says something else; the text lists what was expected and what came.
        CaseFault: the settings are not valid, or the module has no hook that case files can run.
    """
    info, hook = _rule(module)
    context = build_context(case)
    offered = {
        "context": context,
        "reading": Reading(case.reading.read, case.reading.partly, case.reading.sent, case.reading.asked),
        "verdict": case.verdict,
        "settings": _settings(info, case),
    }
    takes = [name for name in inspect.signature(hook).parameters if name in offered]
    first, second = (hook(**{name: offered[name] for name in takes}) for _ in range(2))
    if first != second:
        raise AssertionError(f"{case.name}: a second call of {info.name} gives another result:\n{first}\n{second}")
    reasons, findings = _said(first)
    faults = [*_compared("reason", case.reason, reasons), *_compared("finding", case.finding, findings)]
    faults += [fault for reason in reasons for fault in _unfit(reason, info)]
    if faults:
        raise AssertionError("\n".join([f"{case.name}:", *faults, "The rule said:", *_listed(reasons, findings)]))


def _rule(module: ModuleType) -> tuple[RuleInfo, Any]:
    info = getattr(module, "RULE", None)
    hooks = [getattr(module, name) for name in HOOKS if hasattr(module, name)]
    if not isinstance(info, RuleInfo) or len(hooks) != 1:
        raise CaseFault(f"{module.__name__} must have a RULE and one of the hooks {', '.join(HOOKS)}")
    return info, hooks[0]


def _settings(info: RuleInfo, case: Case) -> object:
    issues = Issues(case.name, LayerKind.HOST)
    values = read_section(case.settings, info.settings, info.section_name, issues)
    settings = built(info.settings, values, Place(info.section_name, ""), issues)
    if issues.faults or settings is INVALID:
        raise CaseFault("\n".join(str(fault) for fault in issues.faults))
    return settings


def build_context(case: Case) -> ReviewContext:
    """Return the context that a case describes."""
    specs = [_numbered(spec, number) for spec in case.file for number in range(1, spec.times + 1)]
    files = tuple(sorted(map(_judged, specs), key=lambda file: file.path))
    return ReviewContext(
        change=ChangeSet(
            files=tuple(file.change for file in files),
            origin=Origin.DIFF if case.bare else Origin.GIT,
            faults=tuple(ReadFault(fault.why, fault.path, fault.line) for fault in case.fault),
            repository="" if case.bare else "example/shop",
            base_branch=None if case.bare else "main",
            merge_base=None if case.bare else BASE,
            head=None if case.bare else HEAD,
        ),
        files=files,
        kind=case.kind,
        mode=case.mode,
        contents=NoContents() if case.bare else _contents(case, specs),
        auto_approvable=case.auto_approvable,
        history=History(tuple(Round(past.head, past.verdict, past.complete) for past in case.round)),
        config_change=None if case.config_change is None else ConfigChange(**attrs.asdict(case.config_change)),
        config_warnings=case.config_warnings,
        forge=None if case.forge is None else _forge(case.forge),
    )


def _forge(spec: ForgeSpec) -> PullRequestFacts:
    return pull_request(
        poster=spec.poster,
        bot=spec.bot,
        involved=frozenset(spec.involved),
        own_context=spec.own_context,
        required_contexts=spec.required_contexts,
        edited=spec.edited,
        statuses=tuple(CheckStatus(status.context, status.state, status.creator) for status in spec.status),
    )


def _numbered(spec: FileSpec, number: int) -> FileSpec:
    if spec.times == 1:
        return spec

    def text(pattern: str | None) -> str | None:
        return None if pattern is None else pattern.replace("{n}", str(number))

    path, old, new, old_path = str(text(spec.path)), text(spec.old), text(spec.new), text(spec.old_path)
    return attrs.evolve(spec, path=path, old=old, new=new, old_path=old_path)


def _status(spec: FileSpec) -> Status:
    if spec.status is not None:
        return spec.status
    if spec.old_path not in (None, spec.path):
        return Status.RENAMED
    if spec.old is None:
        return Status.ADDED
    return Status.REMOVED if spec.new is None else Status.MODIFIED


def _judged(spec: FileSpec) -> JudgedFile:
    given = {
        key: value for key in ("old_mode", "new_mode", "added", "removed") if (value := getattr(spec, key)) is not None
    }
    file: FileChange = change(
        spec.path,
        _status(spec),
        spec.old,
        spec.new,
        old_path=spec.old_path or spec.path,
        binary=spec.binary,
        unread=spec.unread,
        **given,
    )
    rebound = tuple(Rebinding(found.name, found.was, found.now, found.line) for found in spec.rebound)
    classification = Classification(spec.rules, "", rebound=rebound)
    return JudgedFile(file, classification, spec.category, spec.approved, spec.old_category)


def _contents(case: Case, specs: Iterable[FileSpec]) -> Contents:
    old, new = dict(case.contents.get("old", {})), dict(case.contents.get("new", {}))
    hidden = set()
    for spec in specs:
        if not spec.known:
            hidden |= {spec.path, spec.old_path or spec.path}
        if spec.old is not None:
            old[spec.old_path or spec.path] = spec.old
        if spec.new is not None:
            new[spec.path] = spec.new
    return DictContents(old, new, frozenset(hidden))


def _said(result: object) -> tuple[tuple[Reason, ...], tuple[Finding, ...]]:
    if result is None:
        return (), ()
    if isinstance(result, Reason):
        return (result,), ()
    if isinstance(result, GateResult):
        return result.reasons, result.findings
    raise AssertionError(f"the hook returned {type(result).__name__}, which it may not")


def _compared(noun: str, expected: tuple[Any, ...], got: tuple[Any, ...]) -> list[str]:
    if len(expected) != len(got):
        return [f"- expected {len(expected)} {noun}(s), got {len(got)}"]
    return [
        f"- {noun} {number}: {difference}"
        for number, (wanted, found) in enumerate(zip(expected, got, strict=True), 1)
        for difference in _differences(wanted, found)
    ]


def _differences(wanted: Any, found: Any) -> list[str]:
    out = []
    for field in attrs.fields(type(wanted)):
        want, have = getattr(wanted, field.name), getattr(found, field.name)
        if want is None:
            continue
        if field.name == "evidence":
            out += _compared("evidence", want, have)
        elif (want not in have) if field.name == "message" else (want != have):
            out.append(f"{field.name} is {_shown(have)}, expected {_shown(want)}")
    return out


def _unfit(reason: Reason, info: RuleInfo) -> list[str]:
    """Return what every reason must have and this one lacks."""
    checks = {
        f"- its id {reason.id} is not among the reasons of RULE": reason.id in info.reason_ids or not info.reason_ids,
        f"- the reason {reason.id} names the rule {reason.rule!r}, not {info.name!r}": reason.rule == info.name,
        f"- the reason {reason.id} has no advice on what to do next": bool(reason.advice),
        f"- the message of {reason.id} is no sentence with a full stop": reason.message.endswith("."),
    }
    return [text for text, holds in checks.items() if not holds]


def _listed(reasons: tuple[Reason, ...], findings: tuple[Finding, ...]) -> list[str]:
    out = []
    for reason in reasons:
        out.append(f"  reason {reason.id}, {reason.level.name.lower()}: {reason.message}")
        out += [f"    evidence {_facts(evidence)}" for evidence in reason.evidence]
    out += [f"  finding {_facts(finding)}" for finding in findings]
    return out or ["  nothing"]


def _facts(thing: Evidence | Finding) -> str:
    values = {field.name: getattr(thing, field.name) for field in attrs.fields(type(thing))}
    return ", ".join(f"{name} = {_shown(value)}" for name, value in values.items() if value not in (None, ""))


def _shown(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value) if isinstance(value.value, str) else value.name.lower()
    return repr(value)

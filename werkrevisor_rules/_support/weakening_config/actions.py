"""Reads the workflows and composite actions of GitHub, Gitea and Forgejo into checks."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import field

from werkrevisor_core.patterns import lazy
from werkrevisor_core.records import frozen
from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.checks import action_of
from werkrevisor_rules._support.weakening_config.flatten import environment
from werkrevisor_rules._support.weakening_config.scripts import ON_CHANGE, Place, script_checks
from werkrevisor_rules._support.weakening_config.settings import Setting
from werkrevisor_rules._support.weakening_config.steps import PULL_REQUEST, Check, Limit
from werkrevisor_rules._support.weakening_config.tree import (
    Entry,
    Items,
    Node,
    Scalar,
    Table,
    items_of,
    table_of,
    text_of,
    texts_of,
)
from werkrevisor_rules._support.weakening_config.yaml import read_yaml

_PULL: Final = ("pull_request", "pull_request_target")
_PUSH: Final = ("push", "merge_group")
_DOCUMENTS: Final = lazy(
    r"!?[\"']?(?:.*/)?(?:\*{0,2}/?\*?\*?\.?(?:md|mdx|rst|adoc|txt|png|svg|jpe?g|gif)|docs?(?:/.*)?|LICEN[CS]E.*|README.*|CHANGELOG.*|CHANGES.*"
    r"|NOTICE.*|AUTHORS.*|CODEOWNERS|CONTRIBUTING.*|\.gitignore|\.editorconfig|ISSUE_TEMPLATE(?:/.*)?|\.?all-contributorsrc)[\"']?"
)
_NUMBER: Final = lazy(r"[-_ ]?v?\d[\w.]*$")
_TYPES: Final = frozenset({"opened", "synchronize", "reopened"})
_HARMLESS: Final = lazy(
    r"\(*\s*(?:always\(\)|success\(\)|!\s*cancelled\(\)|true"
    r"|.*\bmatrix\..*|.*\brunner\.(?:os|arch)\b.*"
    r"|github\.event_name\s*==\s*'(?:pull_request|pull_request_target|merge_group)'"
    r"|github\.event_name\s*!=\s*'(?:schedule|push|workflow_dispatch|release)'"
    r"|contains\(\s*fromJSON\(.*pull_request.*"
    r"|github\.repository(?:_owner)?\s*==.*|github\.event\.repository\.fork\s*==\s*false"
    r"|!?\s*github\.event\.pull_request\.draft(?:\s*==\s*false)?"
    r"|github\.event\.pull_request\.head\.repo\.full_name\s*!=\s*github\.(?:event\.pull_request\.base\.repo\.full_name|repository)"
    r")\s*\)*"
)
"""Conditions under which a pull request is still checked."""


@frozen
class _Frame:
    """What holds for the steps of a job or action."""

    path: str
    label: str = ""
    limits: tuple[Limit, ...] = ()
    definition: str = ""
    directory: str = ""
    interpreter: str = ""
    events: Mapping[str, int] = field(default=ON_CHANGE)


def workflow_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a workflow that a pull request, a push to it or a caller starts.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    root = table_of(read_yaml(text))
    events = _events(root.get("on"))
    frames = []
    if "workflow_call" in events:
        frames.append(_Frame(path, definition=f"uses {path}", interpreter=_shell(root)))
    starting = {name: entry.line for name, entry in events.items() if name in (*_PULL, *_PUSH)}
    if starting:
        # A pull request counts; what a push does is of interest only where no pull request starts anything.
        pulling: list[str] = [name for name in _PULL if name in starting]
        chosen = pulling or list(starting)
        limits = tuple(_filters(table_of(events[chosen[0]].value))) if len(chosen) == 1 else ()
        started = {PULL_REQUEST: starting[pulling[0]]} if pulling else starting
        frames.append(_Frame(path, limits=limits, interpreter=_shell(root), events=started))
    for frame in frames:
        for job in table_of(root.get("jobs")).entries:
            yield from _job(job, frame)


def workflow_settings(text: str, path: str) -> Iterator[Setting]:
    """Yield the variables of a workflow that tell tools how much to refuse, and on what the jobs with checks run.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    yield from environment(text, path)
    for job in table_of(table_of(read_yaml(text)).get("jobs")).entries:
        matrix = table_of(table_of(table_of(job.value).get("strategy")).get("matrix"))
        if not matrix.entries or next(_job(job, _Frame(path)), None) is None:
            continue
        for entry in matrix.entries:
            names = tuple(dict.fromkeys(_NUMBER.sub("", text) for text in texts_of(entry.value)))
            # Versions come and go; a system or a flavour that is gone is no longer checked at all.
            if all(names):
                yield Setting("matrix", f"{job.key}.{entry.key}", path, entry.line, values=names)


def action_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a composite action.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    folder = path.rpartition("/")[0]
    runs = table_of(table_of(read_yaml(text)).get("runs"))
    yield from _steps(runs.get("steps"), _Frame(path, definition=f"uses {folder}", interpreter="bash"))


def _events(node: Node | None) -> dict[str, Entry]:
    if isinstance(node, Table):
        return {entry.key: entry for entry in node.entries}
    return {item.text: Entry(item.text, item.line, item) for item in items_of(node) if isinstance(item, Scalar)}


def _filters(event: Table) -> Iterator[Limit]:
    """Yield what an event leaves out: branches, paths, kinds of events."""
    for entry in event.entries:
        values = texts_of(entry.value)
        kept = frozenset(value for value in values if not value.startswith("!"))
        left_out = frozenset(value[1:] for value in values if value.startswith("!"))
        if entry.key == "types":
            if _TYPES - kept:
                yield Limit(Kind.PATH_FILTER, "types", entry.line, kept & _TYPES, allows=True)
        elif entry.key in ("branches", "paths"):
            yield Limit(Kind.PATH_FILTER, entry.key, entry.line, kept, allows=True)
            yield from _left_out(f"{entry.key} left out", entry.line, left_out)
        elif entry.key in ("branches-ignore", "paths-ignore"):
            yield from _left_out(entry.key, entry.line, frozenset(values))


def _left_out(text: str, line: int, values: frozenset[str]) -> Iterator[Limit]:
    code = frozenset(value for value in values if not _DOCUMENTS.fullmatch(value))
    if code:
        yield Limit(Kind.PATH_FILTER, text, line, code)


def _shell(table: Table) -> str:
    return text_of(table_of(table_of(table.get("defaults")).get("run")).get("shell")) or ""


def _job(entry: Entry, frame: _Frame) -> Iterator[Check]:
    job = table_of(entry.value)
    defaults = table_of(table_of(job.get("defaults")).get("run"))
    inner = _Frame(
        frame.path,
        entry.key,
        (*_limits(job), *frame.limits),
        frame.definition,
        text_of(defaults.get("working-directory")) or "",
        _shell(job) or frame.interpreter,
        frame.events,
    )
    if (uses := job.entry("uses")) is not None:
        yield from _action(uses, job, inner)
    yield from _steps(job.get("steps"), inner)


def _limits(table: Table) -> Iterator[Limit]:
    for entry in table.entries:
        text = (text_of(entry.value) or "").strip()
        if entry.key == "continue-on-error" and text != "false" and "matrix." not in text:
            yield Limit(Kind.NON_FAILING, f"continue-on-error: {text}", entry.line)
        elif entry.key == "if":
            for part in _conditions(text):
                yield Limit(Kind.CI_STEP_DROPPED if _never(part) else Kind.PATH_FILTER, f"if: {part}", entry.line)


def _conditions(text: str) -> Iterator[str]:
    """Yield the parts of a condition that may keep a pull request from being checked."""
    text = text.strip().removeprefix("${{").removesuffix("}}").strip()
    for part in text.split("&&"):
        alternatives = part.split("||")
        if part.strip() and not any(_HARMLESS.fullmatch(" ".join(one.split())) for one in alternatives):
            yield " ".join(part.split())


def _never(condition: str) -> bool:
    return condition.strip("() ") in ("false", "'false'", "0", "''", "null", "failure()")


def _steps(node: Node | None, frame: _Frame) -> Iterator[Check]:
    for step in node.items if isinstance(node, Items) else ():
        table = table_of(step)
        limits = (*_limits(table), *frame.limits)
        name = text_of(table.get("name")) or text_of(table.get("id")) or ""
        label = " / ".join(part for part in (frame.label, name) if part)
        inner = _Frame(frame.path, label, limits, frame.definition, frame.directory, frame.interpreter, frame.events)
        if (uses := table.entry("uses")) is not None:
            yield from _action(uses, table, inner)
        if isinstance(run := table.get("run"), Scalar):
            yield from _run(run, table, inner)


def _run(run: Scalar, step: Table, frame: _Frame) -> Iterator[Check]:
    shell = text_of(step.get("shell")) or frame.interpreter
    stops = "{0}" not in shell or re.search(r"\s-[a-z]*e", shell) is not None
    folder = text_of(step.get("working-directory")) or frame.directory
    place = Place(frame.path, frame.label, frame.definition, folder, frame.limits, frame.events)
    yield from script_checks(run.text, run.line, place, stops=stops, pipefail=shell == "bash" or "pipefail" in shell)


def _action(uses: Entry, table: Table, frame: _Frame) -> Iterator[Check]:
    given = {
        entry.key: text for entry in table_of(table.get("with")).entries if (text := text_of(entry.value)) is not None
    }
    command = action_of(text_of(uses.value) or "", given)
    if command is not None:
        yield Check(
            command, frame.path, uses.line, frame.label, frame.limits, frame.definition, frame.directory, frame.events
        )

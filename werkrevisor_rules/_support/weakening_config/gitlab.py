"""Reads the pipeline of GitLab into checks."""

from collections.abc import Iterator
from typing import Final

from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import Kind
from werkrevisor_rules._support.weakening_config.options import number_of
from werkrevisor_rules._support.weakening_config.scripts import Place, script_checks
from werkrevisor_rules._support.weakening_config.steps import Check, Limit
from werkrevisor_rules._support.weakening_config.tree import (
    Entry,
    Items,
    Node,
    Scalar,
    Table,
    UnreadableConfig,
    items_of,
    table_of,
    text_of,
    texts_of,
)
from werkrevisor_rules._support.weakening_config.yaml import read_yaml

_NO_JOBS: Final = frozenset(
    {"stages", "variables", "include", "image", "services", "cache", "workflow", "default", "before_script",
     "after_script", "spec", "pages:deploy"}
)  # fmt: skip
_INHERITED: Final = ("before_script", "retry", "interruptible")
_MERGE_REQUEST: Final = lazy(r"merge_request|\$CI_MERGE_REQUEST")
_MAX_BASES: Final = 20


def pipeline_checks(text: str, path: str) -> Iterator[Check]:
    """Yield the checks of a pipeline.

    Raises:
        UnreadableConfig: it is not valid or out of bounds.
    """
    root = read_yaml(text)
    tables = [table_of(document) for document in root.items] if isinstance(root, Items) else [table_of(root)]
    for table in tables:
        common = _common(table)
        for entry in table.entries:
            if entry.key in _NO_JOBS or entry.key.startswith(".") or not isinstance(entry.value, Table):
                continue
            yield from _job(entry.key, _resolved(entry.value, table), common, path)


def _common(table: Table) -> dict[str, Entry]:
    """Return what holds for every job that does not say it itself."""
    found = {entry.key: entry for entry in table.entries if entry.key in _INHERITED}
    return found | {entry.key: entry for entry in table_of(table.get("default")).entries if entry.key in _INHERITED}


def _resolved(job: Table, root: Table) -> dict[str, Entry]:
    """Return the entries of a job with those of the templates that it extends."""
    found: dict[str, Entry] = {}
    waiting, seen = [job], 0
    while waiting:
        table = waiting.pop()
        seen += 1
        if seen > _MAX_BASES:
            raise UnreadableConfig(f"line {job.line}: the job extends too many templates")
        for entry in table.entries:
            found.setdefault(entry.key, entry)
        # Of several templates the last wins, and a stack hands out the last first.
        waiting += [base for name in texts_of(table.get("extends")) if isinstance(base := root.get(name), Table)]
    return found


def _job(name: str, job: dict[str, Entry], common: dict[str, Entry], path: str) -> Iterator[Check]:
    place = Place(path, name, limits=tuple(_limits({**common, **job})))
    for key in ("before_script", "script"):
        entry = job.get(key) or common.get(key)
        if entry is None:
            continue
        for line in _lines(entry.value):
            yield from script_checks(line.text, line.line, place, pipefail=True)


def _lines(node: Node) -> Iterator[Scalar]:
    for item in items_of(node):
        if isinstance(item, Scalar):
            yield item
        elif isinstance(item, Items):
            yield from (inner for inner in item.items if isinstance(inner, Scalar))


def _limits(job: dict[str, Entry]) -> Iterator[Limit]:
    for key, entry in job.items():
        text = text_of(entry.value) or ""
        if key == "allow_failure" and text != "false":
            yield Limit(Kind.NON_FAILING, f"allow_failure: {text or 'exit_codes'}", entry.line)
        elif key == "when" and text in ("manual", "never", "delayed"):
            kind = Kind.CI_STEP_DROPPED if text == "never" else Kind.NON_FAILING
            yield Limit(kind, f"when: {text}", entry.line)
        elif key == "retry":
            number = number_of(text or text_of(table_of(entry.value).get("max"))) or 0
            if number:
                yield Limit(Kind.RETRY_ADDED, "retry", entry.line, amount=number)
        elif key == "rules":
            yield from _rules(entry)
        elif key in ("only", "except"):
            yield from _references(entry)


def _rules(entry: Entry) -> Iterator[Limit]:
    """Yield a limit where no rule lets an ordinary merge request run the job."""
    for item in items_of(entry.value):
        rule = table_of(item)
        condition = text_of(rule.get("if")) or ""
        when = text_of(rule.get("when")) or "on_success"
        if rule.get("changes") is not None or rule.get("exists") is not None or not isinstance(item, Table):
            continue
        if when in ("never", "manual", "delayed"):
            if not condition:
                break
            continue
        if not condition or _MERGE_REQUEST.search(condition):
            if text_of(rule.get("allow_failure")) == "true":
                yield Limit(Kind.NON_FAILING, "rules: allow_failure", rule.line)
            return
    yield Limit(Kind.PATH_FILTER, "rules: not for every merge request", entry.line)
    for item in items_of(entry.value):
        yield Limit(Kind.PATH_FILTER, f"rule: {_shown(item)}", item.line)


def _shown(node: Node) -> str:
    return " ".join(f"{entry.key}: {' '.join(texts_of(entry.value))}" for entry in table_of(node).entries) or (
        text_of(node) or ""
    )


def _references(entry: Entry) -> Iterator[Limit]:
    table = (
        entry.value if isinstance(entry.value, Table) else Table(entry.line, (Entry("refs", entry.line, entry.value),))
    )
    for part in table.entries:
        values = frozenset(texts_of(part.value))
        if entry.key == "only" and part.key == "refs":
            if not values & {"merge_requests", "branches"}:
                yield Limit(Kind.PATH_FILTER, "only", part.line, values, allows=True)
        elif entry.key == "except" and part.key == "refs":
            if left_out := values - {"tags", "schedules", "triggers"}:
                yield Limit(Kind.PATH_FILTER, "except", part.line, left_out)
        else:
            yield Limit(Kind.PATH_FILTER, f"{entry.key}: {part.key}", part.line, values, allows=entry.key == "only")

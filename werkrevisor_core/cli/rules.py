"""`werkrevisor rules`: lists every rule, and maps every reason id and section to its one module."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from werkrevisor_core.cli.collect import host_layer
from werkrevisor_core.config.wording import printable
from werkrevisor_core.models.verdict import Level
from werkrevisor_core.registry import LoadedRule, load_registry
from werkrevisor_core.rule import NoSettings
from werkrevisor_core.session import load_config, switched


def run_rules(options: argparse.Namespace) -> int:
    """Print the rules.

    Returns:
        0, or 4 (ERROR) where the host's config is at fault, so that what is printed may not be what counts.
    """
    host = host_layer(options.config)
    registry = switched(load_registry(), host)
    rows = [_row(rule) for rule in registry.rules] + [_core_row(reason) for reason in CORE_REASONS]
    if options.format == "json":
        json.dump(rows, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.writelines(f"{printable(line)}\n" for row in rows for line in _lines(row))
    faults = () if host is None else load_config(registry, [host]).faults
    sys.stderr.writelines(f"error: {fault}\n" for fault in faults)
    return int(Level.ERROR) if faults else 0


def _lines(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"{row['name']}  ({row['phase']}, {row['pack']} {row['version']}, {row['state']})"
    yield f"  {row['says']}"
    yield f"  module {row['module']}"
    if row["reasons"]:
        yield f"  reasons: {', '.join(row['reasons'])}"
    if row["section"]:
        yield f"  section: [{row['section']}]"


CORE_REASONS = (
    ("config", "werkrevisor_core.session", "The config is at fault."),
    ("rule_crashed", "werkrevisor_core.steps.verdict", "A rule raised or returned what its hook does not allow."),
    ("rule_hung", "werkrevisor_core.cli.review", "A rule did not end in time, or ended the process."),
    ("not_read", "werkrevisor_core.steps.verdict", "Something was read by nobody, and no rule says so."),
    ("path_judge", "werkrevisor_core.steps.jev", "Jev rates a changed block as risky."),
    ("model_unavailable", "werkrevisor_core.steps.model", "The mode needs a model and there is none."),
    ("source", "werkrevisor_gitea.reviewing", "The commits of the pull request cannot be had or read."),
    ("model_kind", "werkrevisor_core.steps.model", "The model sees another kind of change."),
)
"""Reasons that the core itself gives: id, module, sentence."""


def _row(rule: LoadedRule) -> dict[str, Any]:
    info = rule.info
    state = "on" if rule.on else "off"
    if info.essential:
        state += ", cannot be switched off"
    return {
        "name": info.name,
        "phase": info.phase.value,
        "pack": rule.pack,
        "version": rule.pack_version,
        "on": rule.on,
        "state": f"{state}: {rule.why}",
        "says": (rule.module.__doc__ or "").strip().split("\n")[0],
        "module": rule.module.__name__,
        "reasons": list(info.reason_ids),
        "section": "" if info.settings is NoSettings else info.section_name,
    }


def _core_row(reason: tuple[str, str, str]) -> dict[str, Any]:
    name, module, says = reason
    return {
        "name": name,
        "phase": "core",
        "pack": "werkrevisor",
        "version": "",
        "on": True,
        "state": "on: core",
        "says": says,
        "module": module,
        "reasons": [name],
        "section": "path_judge" if name == "path_judge" else "",
    }

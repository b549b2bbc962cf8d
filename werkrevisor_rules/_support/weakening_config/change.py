"""Compares all files of one change: their checks together, their settings by tool and key."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.ports import Side
from werkrevisor_core.patterns import lazy
from werkrevisor_rules._support.weakening import ChangedText, Kind, Weakened
from werkrevisor_rules._support.weakening_config.readers import Read, read_config
from werkrevisor_rules._support.weakening_config.setting_table import find_row
from werkrevisor_rules._support.weakening_config.settings import Setting, compare_settings
from werkrevisor_rules._support.weakening_config.steps import Check, compare_checks
from werkrevisor_rules._support.weakening_config.tree import UnreadableConfig

MAX_TOTAL: Final = 16_000_000
"""Characters of both versions of all files that are compared in one change."""
_UNMARKED: Final = lazy(r"-m\s*=?\s*[\"']?not\s+(\w+)[\"']?(?!\s+(?:and|or)\b)")


def compare_files(files: Sequence[ChangedText]) -> list[Weakened]:
    """Return what the new versions of files refuse less, and which files could not be compared."""
    found: list[Weakened] = []
    old_checks: list[Check] = []
    new_checks: list[Check] = []
    old_settings: list[Setting] = []
    new_settings: list[Setting] = []
    room = MAX_TOTAL
    for file in files:
        room -= len(file.old or "") + len(file.new or "")
        try:
            before, after = _versions(file, room)
        except UnreadableConfig as fault:
            if file.old is not None:  # what comes new weakens nothing, and an unread file takes the place of nothing
                found.append(Weakened(file.path, None, Side.NEW, Kind.NOT_COMPARED, note=str(fault)))
            continue
        old_checks += before.checks
        new_checks += after.checks
        # A setting keeps its place although its file has another name.
        old_settings += [evolve(one, path=file.path) for one in before.settings]
        new_settings += [evolve(one, fresh=file.status is Status.ADDED) for one in after.settings]
    try:
        found += compare_checks(old_checks, new_checks)
    except UnreadableConfig as fault:
        found.append(Weakened(files[0].path, None, Side.NEW, Kind.NOT_COMPARED, note=str(fault)))
    found += compare_settings(old_settings, _without_new_markers(old_settings, new_settings), find_row)
    old_paths = {file.path: file.old_path for file in files}
    return [evolve(one, path=old_paths.get(one.path, one.path)) if one.side is Side.OLD else one for one in found]


def _versions(file: ChangedText, room: int) -> tuple[Read, Read]:
    if room < 0:
        raise UnreadableConfig("the change holds more of such files than are compared")
    old = Read() if file.old is None else read_config(file.old_path, file.old)
    new = Read() if file.new is None else read_config(file.path, file.new)
    return old, new


def _without_new_markers(old: Sequence[Setting], new: Sequence[Setting]) -> list[Setting]:
    """Return settings in which pytest leaves out no marker that the change itself brings: its tests are new too."""
    known, now = (
        {
            item.split(":")[0].split("(")[0].strip()
            for one in settings
            if (one.tool, one.key) == ("pytest", "markers")
            for item in one.lines
        }
        for settings in (old, new)
    )
    return [
        evolve(one, text=_UNMARKED.sub(lambda match: "" if match.group(1) in now - known else match.group(0), one.text))
        if (one.tool, one.key) == ("pytest", "addopts")
        else one
        for one in new
    ]

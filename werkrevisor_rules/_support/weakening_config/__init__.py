"""Compares the files that decide whether tests run at all: CI, test and coverage configuration, builds.

All such files of a change are compared together. A check that could refuse the change before must still
be able to: it may have moved to another file or job or be written in another way, but not be gone, be
made non-failing, be held back by a condition or filter, or look at less. Floors are compared as numbers.
What comes new cannot weaken anything.
"""

from collections.abc import Sequence

from werkrevisor_rules._support.weakening import ChangedText, Weakened
from werkrevisor_rules._support.weakening_config.files import reader_of


def concerns(path: str) -> bool:
    """Tell whether a file at a path decides whether tests run; this loads no reader."""
    return reader_of(path) is not None


def compare(files: Sequence[ChangedText]) -> list[Weakened]:
    """Return in which ways a change keeps tests and checks from running or from failing.

    Args:
        files: all changed files, of which only those are read that `concerns` names.

    Returns:
        Each weakening with a line of the change, and one entry of the kind `not-compared` for each
        file of which a version cannot be read within the bounds.
    """
    wanted = [file for file in files if concerns(file.path) or concerns(file.old_path)]
    if not wanted:
        return []
    from werkrevisor_rules._support.weakening_config.change import compare_files  # noqa: PLC0415 (loaded only where such a file changed)

    return compare_files(wanted)

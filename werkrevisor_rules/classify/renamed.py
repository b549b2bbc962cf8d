"""Explains a file that was renamed and has the very same content.

What it looks at:
    Status, modes, blob ids and counts of a renamed file: nothing but the path may differ. A similarity
    of 100 % is no proof, since it knows nothing of the order of lines.

Why:
    There is nothing to read in a file that only lies elsewhere (seed PR#11, 11.07).

Example:
    `old/A.java` renamed to `new/A.java` with no changed line is explained; with one changed import it
    is not.

Options:
    `[mechanical] enabled`.

Not covered:
    What the new path makes of the file, e.g. a test or a hook: gates ask about that.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange, Hunk, Status
from werkrevisor_core.models.classes import Classifier, Explained, WholeFile
from werkrevisor_core.models.ports import Contents
from werkrevisor_core.records import frozen
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.mechanical import MechanicalSettings

RULE = RuleInfo("renamed", Phase.CLASSIFY, "0.1.0", settings=MechanicalSettings, section="mechanical")

_IDENTICAL: Final = WholeFile("renamed, the content is the same")


@hookimpl
def werkrevisor_classifier(contents: Contents, settings: MechanicalSettings) -> Classifier | None:  # noqa: ARG001
    """Return the classifier, or None where mechanical changes are off."""
    return RenameClassifier() if settings.enabled else None


@frozen
class RenameClassifier:
    """Explains renames without any change."""

    def rules_out(self, file: FileChange, text: bytes, at: int) -> int:  # noqa: ARG002 (one protocol)
        """Return `at`: a file with a changed line is not renamed alone."""
        return at

    def explain(self, file: FileChange, hunks: Sequence[Hunk]) -> Iterator[Explained] | WholeFile | None:
        """Explain the whole file where it only has another path."""
        unchanged = not hunks and not file.added and not file.removed and not file.binary
        if file.status is not Status.RENAMED or not unchanged or file.path == file.old_path:
            return None
        same_mode = file.old_mode == file.new_mode
        same_blob = file.old_blob is None or file.new_blob is None or file.old_blob == file.new_blob
        return _IDENTICAL if same_mode and same_blob else None


__all__ = ["RULE", "RenameClassifier", "werkrevisor_classifier"]

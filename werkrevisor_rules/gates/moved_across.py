"""Asks a human about a rename that changes what the file is.

What it looks at:
    Old and new path of every renamed file, changed or not, also of mechanical ones: category,
    extension, whether a test framework discovers it, suffixes for a platform or a build
    (`_windows.go`, `.android.ts`, `.prod.yml`), source set, risky paths, folders whose files run
    because they lie there (CI, hooks, migrations), and the route that a web framework makes of it.

Why:
    An identical file at another place can be another thing: a test that no longer runs, a workflow
    that now does, a page under another address. The lines of the diff show nothing of it.

Example:
    `ring_test.go` to `ring_windows_test.go` gives YELLOW: the tests now run on Windows only.

Options:
    Those of `[risky_paths]`, which say what a risky path is.

Not covered:
    Discovery rules and routes that a project configures itself. A file removed in one place and
    added in another that git does not call a rename. A new spelling in upper or lower case, unless
    it changes test discovery or a suffix.
"""

from collections.abc import Iterator

from werkrevisor_core.globs import Globs, fold
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount, bounded
from werkrevisor_rules._support.places import changed_facets
from werkrevisor_rules._support.risky_paths import RiskyPathsSettings, risky_globs

RULE = RuleInfo(
    name="moved_across", phase=Phase.GATES, since="0.1.0", settings=RiskyPathsSettings, section="risky_paths"
)


def _differences(file: JudgedFile, globs: Globs) -> Iterator[str]:
    """Yield in a few words each thing that the file was at its old path and is not at the new one."""
    old, new = file.change.old_path, file.path
    if fold(old) != fold(new):
        if file.old_category not in (None, file.category):
            yield f"category: {file.old_category} -> {file.category}"
        was, now = globs.match(old), globs.match(new)
        if (was is None) != (now is None):
            yield f"risky path: {was or 'none'} -> {now or 'none'}"
    yield from changed_facets(old, new)


def evaluate(context: ReviewContext, settings: RiskyPathsSettings) -> GateResult | None:
    """Return one reason that names every such rename and what changed with it, or None."""
    renamed = [file for file in context.files if file.change.status is Status.RENAMED]
    if not renamed:
        return None
    globs = risky_globs(settings)
    evidence = [
        Evidence(path=file.path, was=file.change.old_path, now=file.path, note="; ".join(found))
        for file in renamed
        if (found := list(_differences(file, globs)))
    ]
    if not evidence:
        return None
    verb = "is" if len(evidence) == 1 else "are"
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=f"{amount(len(evidence), 'renamed file')} {verb} something else at the new path.",
        evidence=bounded(evidence),
        advice="A human reviewer has to see what each file is at its new path, and approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: RiskyPathsSettings) -> GateResult | None:
    """Ask a human about renames that change what a file is."""
    return evaluate(context, settings)

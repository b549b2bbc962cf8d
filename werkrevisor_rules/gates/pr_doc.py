"""Asks a human where the document that every change must bring is missing or proves nothing.

What it looks at:
    The added and changed files that match `[pr_doc] globs`: whether there is one, whether it has
    the required headings, and whether every link under "Verified by" leads to a test that exists at
    the head.

Why:
    A document that names its tests can be trusted only as far as those tests exist.

Example:
    `[test_shop.CartTest.test_empty](../tests/test_shop.py)` without a `test_empty` in that file
    gives YELLOW.

Options:
    `[pr_doc] globs` (off where empty), `required_headings` and `verified_by_heading`.

Not covered:
    Whether a test tests what the document says, and whether it passes. A name that stands only in
    a comment of the file counts as there.
"""

import posixpath
from collections.abc import Iterator, Sequence

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.ports import Contents
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import bounded
from werkrevisor_rules._support.links_to_tests import faults, links_below
from werkrevisor_rules._support.markdown import Markdown, read_markdown
from werkrevisor_rules._support.pr_documents import PrDocSettings, documents, head_text, prefetch

RULE = RuleInfo(name="pr_doc", phase=Phase.GATES, since="0.1.0", settings=PrDocSettings)


def _written(files: Sequence[JudgedFile]) -> list[JudgedFile]:
    """Leave out files whose words did not change: moving an old document is not writing one."""
    return [file for file in files if not file.mechanical and file.change.added + file.change.removed]


def _headings(path: str, document: Markdown, settings: PrDocSettings) -> Iterator[Evidence]:
    for title in settings.required_headings:
        if not document.titled(title):
            yield Evidence(path=path, note=f"lacks the heading {title}")


def _links(path: str, document: Markdown, settings: PrDocSettings, contents: Contents) -> Iterator[Evidence]:
    title = settings.verified_by_heading
    links = links_below(document, posixpath.dirname(path), title) if title else ()
    prefetch(contents, sorted({link.path for link in links if link.path is not None}))
    for link, why in faults(links, contents):
        yield Evidence(path=path, line=link.line, now=link.name, note=f"the link {why}")
    lines = {link.line for link in links}
    for heading in document.titled(title) if title else ():
        if lines.isdisjoint(document.below(heading, nested=False)):
            yield Evidence(path=path, line=heading.line, note="links no test")


def _document(file: JudgedFile, settings: PrDocSettings, contents: Contents) -> Iterator[Evidence]:
    text = head_text(contents, file.change)
    if text is None:
        yield Evidence(path=file.path, note="could not be read at the head")
        return
    document = read_markdown(text)
    yield from _headings(file.path, document, settings)
    yield from _links(file.path, document, settings, contents)


def evaluate(context: ReviewContext, settings: PrDocSettings) -> GateResult | None:
    """Return one reason with everything that the document lacks, or None."""
    if not settings.globs or not context.files:
        return None
    files = _written(documents(context, settings.globs))
    prefetch(context.contents, [file.path for file in files])
    evidence = [found for file in files for found in _document(file, settings, context.contents)]
    message = "The document of this change lacks something."
    if not files:
        message = "The change brings no document, although one is required."
        evidence = [Evidence(note=f"no added or changed file matches {glob}") for glob in settings.globs]
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message=message,
        evidence=bounded(evidence),
        advice="The author can add what is missing; else a human reviewer has to approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: PrDocSettings) -> GateResult | None:
    """Check the document of the change."""
    return evaluate(context, settings)

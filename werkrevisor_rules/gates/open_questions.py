"""Asks a human as long as the document of the change has an open question.

What it looks at:
    The changed documents of the `[pr_doc]` globs, as they are at the head, mechanical ones too: an
    open task `- [ ]` under the heading for open questions or one below it.

Why:
    A question that the author left open is one that a human has to answer.

Example:
    `- [ ] What happens to old rows?` under `## Open Questions` gives YELLOW, `- [x] ...` does not.

Options:
    `[pr_doc] globs` and `[pr_doc] open_questions_heading`.

Not covered:
    Questions in other words or places. A task inside a code block or a comment is none.
"""

from collections.abc import Iterator
from typing import Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.context import GateResult, ReviewContext
from werkrevisor_core.models.verdict import Evidence, Level, Reason
from werkrevisor_core.patterns import lazy
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import bounded
from werkrevisor_rules._support.markdown import read_markdown
from werkrevisor_rules._support.pr_documents import PrDocSettings, documents, head_text, prefetch

RULE = RuleInfo(name="open_questions", phase=Phase.GATES, since="0.1.0", settings=PrDocSettings, section="pr_doc")

_OPEN: Final = lazy(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[\s\](?:\s|$)")
_SHOWN: Final = 200


def _is_open(line: str) -> bool:
    # A renderer takes a lone carriage return for a line end.
    return any(_OPEN.match(piece) for piece in line.split("\r"))


def _questions(path: str, text: str, heading: str) -> Iterator[Evidence]:
    document = read_markdown(text)
    numbers = {number for title in document.titled(heading) for number in document.below(title, nested=True)}
    for number in sorted(numbers):
        line = document.lines[number - 1]
        if document.is_text[number - 1] and _is_open(line):
            yield Evidence(path=path, line=number, now=line.strip()[:_SHOWN])


def _unknown(file: FileChange) -> Iterator[Evidence]:
    yield Evidence(path=file.path, note="its text at the head is not known, so open questions cannot be ruled out")
    for hunk in file.patch.hunks():
        for _, number, line in hunk.numbered():
            text = line[1:].decode("utf-8", "replace")
            if line[:1] != b"-" and _is_open(text):
                yield Evidence(path=file.path, line=number, now=text.strip()[:_SHOWN])


def evaluate(context: ReviewContext, settings: PrDocSettings) -> GateResult | None:
    """Return one reason that names every open question with its line, or None."""
    files = [file.change for file in documents(context, settings.globs)]
    prefetch(context.contents, [file.path for file in files])
    evidence: list[Evidence] = []
    for file in files:
        text = head_text(context.contents, file)
        evidence += _unknown(file) if text is None else _questions(file.path, text, settings.open_questions_heading)
    if not evidence:
        return None
    reason = Reason(
        id=RULE.name,
        level=Level.YELLOW,
        message="The document of this change has open questions, or it could not be told whether it has any.",
        evidence=bounded(evidence),
        advice="The author can answer each question and tick it off; else a human reviewer has to approve this head.",
        rule=RULE.name,
    )
    return GateResult((reason,))


@hookimpl
def werkrevisor_gate(context: ReviewContext, settings: PrDocSettings) -> GateResult | None:
    """Ask a human about open questions."""
    return evaluate(context, settings)

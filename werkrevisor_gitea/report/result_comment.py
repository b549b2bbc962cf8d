"""Writes the result of a review as one comment per head, and edits it in place.

What it looks at:
    The bot's comment of this head, known by its signed marker.

Why:
    The comment tells people what to do, and its hidden marker tells the next review what was judged.

Example:
    A head that is reviewed again after an approval keeps its one comment, with the new decision in it. A
    run that finds nothing new writes nothing.

Options:
    None.

Not covered:
    A comment that somebody edited: its marker does not hold, so a new one is written (`history_edited`).
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.publishing import Publication, Reported, Stage
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_gitea.publishing import Publishing, gitea, may_approve, may_merge

if TYPE_CHECKING:
    from werkrevisor_core.marks.codec import Written

RULE = RuleInfo(name="result_comment", phase=Phase.REPORT, since="0.1.0")

_TIME: Final = re.compile(r"^- Time: [0-9.]+ s$", re.MULTILINE)
"""What differs between two runs that find the same."""


def outlook(publication: Publication, port: Publishing) -> str:
    """Return the sentence on what the bot does next; empty where the verdict says it all."""
    if port.is_own:
        return "The bot opened this pull request itself, so it neither approves nor merges it."
    if not may_merge(publication, port):
        return "The bot approves this head." if may_approve(publication, port) else ""
    return {
        "pinned": "The bot approves this head and merges it as soon as everything required is there.",
        "schedule": "The bot approves this head, and the merge is scheduled.",
        "never": "The bot approves this head; people merge it.",
    }[port.gate.merge]


def _text(publication: Publication, port: Publishing, written: "Written") -> str:
    from werkrevisor_core.render.comment import COMMENT_LIMIT, render_comment  # noqa: PLC0415 (local reviews need none)

    next_step = " ".join(part for part in (outlook(publication, port), written.note) if part)
    room = COMMENT_LIMIT - len(written.text) - 2
    return f"{render_comment(publication.review, outlook=next_step, limit=room)}\n{written.text}"


def _essence(body: str) -> str:
    return _TIME.sub("", body.replace("\r\n", "\n")).strip()


def evaluate(publication: Publication, port: Publishing) -> Reported:
    """Write the comment, edit it, or leave it as it is."""
    return Reported(tuple(_write(publication, port)))


def _write(publication: Publication, port: Publishing) -> Iterator[str]:
    from werkrevisor_core.steps.ledger import Turn  # noqa: PLC0415

    earlier = port.earlier_marker()
    here = next((each for each in port.now.comments if earlier is not None and each.id == earlier.comment), None)
    if earlier is None or here is None:
        turn = port.next_turn()
        made = port.client.comments.create(port.number, _text(publication, port, port.marker(publication.review, turn)))
        port.sequence, port.comment_url = turn.sequence, made.html_url
        yield "The result comment is written."
        return
    turn = Turn(earlier.sequence, earlier.at)
    written = port.marker(publication.review, turn)
    if written.text != here.body.rstrip().rpartition("\n")[2]:
        turn = port.next_turn()
        written = port.marker(publication.review, turn)
    text = _text(publication, port, written)
    if _essence(text) != _essence(here.body):
        port.client.comments.edit(here.id, text)
        yield "The result comment is brought up to date."
    port.sequence, port.comment_url = turn.sequence, here.html_url


@hookimpl
def werkrevisor_report(publication: Publication, stage: Stage) -> Reported | None:
    """Write down the result before anything that rests on it."""
    port = gitea(publication)
    return evaluate(publication, port) if port is not None and stage is Stage.RECORD else None

"""The report of a review, top to bottom: the one place where its order and its words are.

Every part is a paragraph or a `Section` whose items are made as far as there is room for them. The
style decides how pieces are written; `comment` and `text` put them together.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from werkrevisor_core.models.classes import JudgedFile
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Evidence, Finding, Level, Reason
from werkrevisor_core.records import frozen
from werkrevisor_core.render.ranking import ranking_items
from werkrevisor_core.render.sections import Item, Section
from werkrevisor_core.render.style import Style
from werkrevisor_core.render.visible import NOTE_LIMIT
from werkrevisor_core.render.wording import advice, deciding, next_step, number

MECHANICAL_SHOWN: Final = 3
"""Mechanical files that the comment names (seed PR#11, scenario 3)."""
EVIDENCE_SHOWN: Final = 50
"""Pieces of evidence that one reason shows."""
EVIDENCE_BYTES: Final = 8_000
"""Bytes that they take at most, so that no reason crowds out the others."""
_IDS_SHOWN: Final = 6
_HOLDS_SHOWN: Final = 5
_HOLD_LIMIT: Final = 200


@frozen
class _ReasonItem(Item):
    reason: Reason

    def text(self, style: Style) -> str:
        reason = self.reason
        title = f"{style.level(reason.level, reason.level.name)} {style.code(reason.id)}"
        if reason.rule and reason.rule != reason.id:
            title += f" (from {style.code(reason.rule)})"
        lines = [f"- {title}: {style.prose(reason.message)}"]
        lines += [f"  - {line}" for line in _evidence_lines(reason.evidence, style)]
        lines.append(f"  - What to do: {style.prose(advice(reason))}")
        return "\n".join(lines)


def _evidence_lines(evidence: Sequence[Evidence], style: Style) -> Iterator[str]:
    room = EVIDENCE_BYTES
    shown = 0
    for item in evidence[:EVIDENCE_SHOWN]:
        row = _evidence_line(item, style)
        room -= len(row.encode("utf-8"))
        if room < 0:
            break
        shown += 1
        if row:
            yield row
    if len(evidence) > shown:
        yield f"and {len(evidence) - shown:,} more."


def _evidence_line(item: Evidence, style: Style) -> str:
    facts = []
    if item.was is not None and item.now is not None:
        facts.append(f"{style.quote(item.was)} -> {style.quote(item.now)}")
    elif item.was is not None:
        facts.append(f"was {style.quote(item.was)}")
    elif item.now is not None:
        facts.append(f"now {style.quote(item.now)}")
    figure = [f"{item.count:,}"] if item.count is not None else []
    figure += [style.prose(item.note, NOTE_LIMIT)] if item.note else []
    figure += [f"(limit {item.limit:,})"] if item.limit is not None else []
    if figure:
        facts.append(" ".join(figure))
    lines = "" if item.line is None else str(item.line)
    if item.path is None and not lines:
        return ", ".join(facts)
    where = f"line {lines} of the input" if item.path is None else style.place(item.path, lines)
    if item.side is Side.OLD:
        where += " (old version)"
    # No colon behind a line number: `:100:` would be an emoji.
    return f"{where} - {', '.join(facts)}" if facts else where


@frozen
class _FindingItem(Item):
    finding: Finding

    def text(self, style: Style) -> str:
        finding = self.finding
        level = "hint" if finding.level is Level.GREEN else finding.level.name
        lines = [f"- {style.level(finding.level, level)} {_where(finding, style)} - {style.prose(finding.message)}"]
        lines[0] += f" ({style.code(finding.id)})"
        if finding.original_level is not None and finding.original_level is not finding.level:
            note = f": {style.prose(finding.note, NOTE_LIMIT)}" if finding.note else "."
            lines.append(f"  - Lowered, was {style.level(finding.original_level, finding.original_level.name)}{note}")
        elif finding.note:
            lines.append(f"  - {style.prose(finding.note, NOTE_LIMIT)}")
        if not finding.in_change:
            lines.append("  - This place is outside the change.")
        if finding.suggestion.strip():
            lines += ["  - Suggested:", style.block(finding.suggestion, "    ")]
        return "\n".join(lines)


def _where(finding: Finding, style: Style) -> str:
    lines = "" if finding.start is None else str(finding.start)
    if finding.start is not None and finding.end is not None and finding.end != finding.start:
        lines += f"-{finding.end}"
    return style.place(finding.path, lines) + (" (old version)" if finding.side is Side.OLD else "")


@frozen
class _ProseItem(Item):
    message: str

    def text(self, style: Style) -> str:
        return f"- {style.prose(self.message)}"


def headline(review: Review, style: Style, outlook: str = "") -> str:
    """Return verdict, decision and why, in one line.

    `outlook` is a sentence of our own on what the forge does next; empty where nothing is known.
    """
    verdict = style.level(review.verdict, f"{review.verdict.name}, {review.decision.value}.")
    parts = [verdict, next_step(review)]
    if outlook:
        parts.append(outlook)
    ids, findings = deciding(review)
    causes = [style.code(reason) for reason in ids[:_IDS_SHOWN]]
    if len(ids) > _IDS_SHOWN:
        causes.append(f"{len(ids) - _IDS_SHOWN} more")
    if findings:
        causes.append(number(findings, "finding"))
    if causes:
        parts.append(f"Why: {', '.join(causes)}.")
    if review.holds:
        held = [style.prose(hold, _HOLD_LIMIT) for hold in review.holds[:_HOLDS_SHOWN]]
        if len(review.holds) > _HOLDS_SHOWN:
            held.append(f"{len(review.holds) - _HOLDS_SHOWN} more")
        parts.append(f"The merge still waits: {'; '.join(held)}.")
    return " ".join(parts)


def mechanical_line(files: Sequence[JudgedFile], style: Style) -> str:
    """Return the line on the mechanical files (seed PR#11), empty where there is none."""
    mechanical = sorted((file for file in files if file.mechanical), key=lambda file: file.path)
    if not mechanical:
        return ""
    shown = ", ".join(
        f"{style.name(file.path)} ({', '.join(style.name(rule) for rule in file.classification.rules)})"
        for file in mechanical[:MECHANICAL_SHOWN]
    )
    more = len(mechanical) - MECHANICAL_SHOWN
    rest = f" and {more} more" if more > 0 else ""
    verb = "was" if len(mechanical) == 1 else "were"
    files_changed = f"{len(mechanical)} {'file' if len(mechanical) == 1 else 'files'}"
    return f"{files_changed} changed only mechanically and {verb} not reviewed by the model: {shown}{rest}."


def details(review: Review, style: Style, version: str) -> str:
    """Return the folded part: what the review cost and what it was made from."""
    mechanical = sum(1 for file in review.files if file.mechanical)
    approved = sum(1 for file in review.files if file.approved)
    counts = f"{number(len(review.files), 'file')}, {mechanical:,} mechanical, {approved:,} approved before"
    added = sum(file.change.added for file in review.files)
    removed = sum(file.change.removed for file in review.files)
    usage = review.usage
    model = "not asked"
    if usage.calls or usage.tokens_in or usage.tokens_out:
        tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} tokens out"
        model = f"{number(usage.calls, 'call')}, {tokens}, cost {usage.cost:.4f}, {usage.seconds:.1f} s"
    change = review.change
    rows = [
        f"Change: {review.kind.value}, {counts}, {number(added, 'line')} added, {removed:,} removed",
        f"Mode: {review.mode.value}",
        f"Merge base: {style.code(change.merge_base) if change.merge_base else 'not known (bare diff)'}",
        f"Head: {style.code(change.head) if change.head else 'not known (bare diff)'}",
        f"Model: {model}",
        f"Time: {review.seconds:.1f} s",
        f"Version: werkrevisor {version}",
    ]
    if review.config_digest:
        rows.append(f"Config: {style.code(review.config_digest)}")
    return style.folded("Kind, mode, cost and versions", rows)


def report(review: Review, style: Style, version: str, outlook: str = "") -> tuple[str | Section, ...]:
    """Return the parts of the report in order; text is shown whole, sections as far as there is room.

    Args:
        review: the finished review.
        style: how its pieces are written.
        version: of werkrevisor, for the folded part.
        outlook: a sentence of our own on what the forge does next.
    """
    worst_first = sorted(review.findings, key=lambda finding: -finding.level)
    findings = [_FindingItem(finding) for finding in worst_first if finding.level is not Level.GREEN]
    hints = [_FindingItem(finding) for finding in worst_first if finding.level is Level.GREEN]
    reasons = [_ReasonItem(reason) for reason in sorted(review.reasons, key=lambda reason: -reason.level)]
    return (
        headline(review, style, outlook),
        Section("Reasons", "reason", reasons),
        Section("Decided by", "decision", [_ProseItem(sentence) for sentence in review.decided_by]),
        mechanical_line(review.files, style),
        Section("Approvals carried over", "receipt", [_ProseItem(receipt) for receipt in review.receipts]),
        Section("Findings", "finding", findings),
        Section("Hints", "hint", hints),
        Section("What a human should read first", "rating", ranking_items(review.ratings)),
        Section("Notes", "note", [_ProseItem(note) for note in review.notes]),
        details(review, style, version),
    )

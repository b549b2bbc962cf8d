"""Carries the approval of an earlier head over a rebase or a merge that left the change as it was.

What it looks at:
    The newest head that a human approved, and the newest one that the gate itself found GREEN. The
    approved change is merged again onto the new base by git itself; what the new head has beside that is
    new, what it lacks is missing. The signed marker must hold the fingerprints of what was approved.

Why:
    A rebase makes new commits and leaves the change the same. Asking a person again for that teaches
    people to approve without reading; not asking for what is new would let it in unread.

Example:
    `main` moves on, the branch is rebased without a conflict: the approval holds, and neither Jev nor the
    model is asked. A block that the approved head lacks goes to the model; a missing one ends it all.

Options:
    `[gate] carry_over_approvals` and `[gate] carry_over_new_lines`.

Not covered:
    Whether the change still fits what the base has become; the CI tells that. An approval that a person
    ended, one for another base branch, and one of a head that was RED or not reviewed in full.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.markers import hookimpl
from werkrevisor_core.models.context import CarriedApproval, LineSpan, ReviewContext
from werkrevisor_core.models.forge import Marker, PullRequestFacts
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.replay import Replayed
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.records import frozen
from werkrevisor_core.reviewers import Reviewers
from werkrevisor_core.rule import Phase, RuleInfo
from werkrevisor_rules._support.evidence import amount
from werkrevisor_rules._support.replayed import Place, Placed, PlacedFile, placed

RULE = RuleInfo(name="carry_over", phase=Phase.CARRY_OVER, since="0.1.0", settings=GateSettings, section="gate")

_SHORT: Final = 12


@frozen
class _Approved:
    """An approved head: by whom (nobody for the gate itself), its marker, or why it cannot be carried."""

    head: str
    by: tuple[str, ...] = ()
    marker: Marker | None = None
    why: str = ""

    @property
    def name(self) -> str:
        """What is carried, as the beginning of a sentence."""
        return f"The approval of {self.head} by {', '.join(self.by)}" if self.by else f"The GREEN review of {self.head}"


def _by_people(context: ReviewContext, facts: PullRequestFacts) -> _Approved | None:
    """Return the newest head that people approved, other than the judged one."""
    earlier = [review for review in context.human_approvals if review.head != context.change.head]
    if not earlier:
        return None
    head = max(earlier, key=lambda review: (review.at, review.id)).head
    by = tuple(sorted({review.login for review in earlier if review.head == head}))
    markers = [marker for marker in facts.markers if marker.head == head]
    if not markers:
        return _Approved(head, by, why="that head has no valid result comment")
    marker = max(markers, key=lambda marker: marker.sequence)
    return _Approved(head, by, marker, _unfit(marker, facts))


def _unfit(marker: Marker, facts: PullRequestFacts) -> str:
    if marker.base_branch != facts.base_branch:
        return f"that head was reviewed for the base branch {marker.base_branch}"
    if not marker.complete or marker.verdict > Level.ORANGE:
        return f"that head was {marker.verdict.name}"
    if not marker.files:
        return "the change was too large to keep its fingerprints"
    return ""


def _by_the_gate(context: ReviewContext, facts: PullRequestFacts) -> _Approved | None:
    """Return the newest head that the gate itself approved, other than the judged one."""
    green = [
        marker
        for marker in facts.markers
        if marker.approved_by_bot and marker.head != context.change.head and not _unfit(marker, facts)
    ]
    if not green:
        return None
    marker = max(green, key=lambda marker: marker.sequence)
    return _Approved(marker.head, (), marker)


def _replayed(context: ReviewContext, approved: _Approved) -> Replayed:
    """Merge the approved change again, unless something says that it cannot be carried."""
    marker = approved.marker
    if approved.why or marker is None:
        return Replayed(impossible=approved.why)
    if context.change.faults:
        return Replayed(impossible=context.change.faults[0].why)
    if context.replay is None or context.fingerprints is None:
        return Replayed(impossible="what was approved cannot be merged again here")
    replayed = context.replay.replay(marker.merge_base, marker.head)
    if replayed.impossible:
        return replayed
    marks = context.fingerprints.like(marker, replayed.approved)
    if marks is None or {mark.path: mark for mark in marks} != {mark.path: mark for mark in marker.files}:
        return Replayed(impossible="what was approved is not what its marker remembers")
    return replayed


def _spans(files: Iterable[PlacedFile]) -> Iterator[LineSpan]:
    for file in files:
        for block, place in zip(file.blocks, file.places, strict=True):
            if place is Place.IN_PLACE and block.added:
                yield LineSpan(file.change.path, block.new_line, block.new_line + len(block.added) - 1)
            if place is Place.IN_PLACE and block.removed:
                last = block.old_line + len(block.removed) - 1
                yield LineSpan(file.change.path, block.old_line, last, Side.OLD)


def _receipt(approved: _Approved, context: ReviewContext, found: Placed, replayed: Replayed) -> str:
    new = found.count(Place.NEW, Place.CORRECTION)
    count = found.count(Place.IN_PLACE)
    touched = sum(not replayed.base_touched.keys().isdisjoint(row.change.paths) for row in found.files)
    base = f"the base changed {touched or 'none'} of these files in between"
    verb = "does not hold" if found.missing and approved.by else "holds"
    return (
        f"{approved.name} {verb} for {context.change.head}: {amount(count, 'block')} in place, {new} new, "
        f"{len(found.missing)} missing; {base}."
    )


def _of_people(
    context: ReviewContext, approved: _Approved, found: Placed, replayed: Replayed, settings: GateSettings
) -> CarriedApproval:
    receipt = _receipt(approved, context, found, replayed)
    if found.missing or approved.marker is None:
        return CarriedApproval(frozenset(), receipt, hints=(_missing(approved, found),))
    reviewers = Reviewers.compile(settings)
    own = [file for file in found.files if reviewers.cover_all(approved.by, file.change.paths)]
    return CarriedApproval(
        files=frozenset(file.change.path for file in own if file.in_place),
        receipt=receipt,
        by=approved.by,
        head=approved.head,
        answers=tuple(reason for reason in approved.marker.reasons if reason.level in (Level.YELLOW, Level.ORANGE)),
        approved_lines=tuple(_spans(own)),
        approved_blocks=frozenset(_blocks(own, Place.IN_PLACE)),
        corrections=_corrections(own, found, settings.carry_over_new_lines),
    )


def _blocks(files: Iterable[PlacedFile], wanted: Place) -> Iterator[tuple[str, int]]:
    for file in files:
        yield from ((file.change.path, index) for index, place in enumerate(file.places) if place is wanted)


def _corrections(own: Iterable[PlacedFile], found: Placed, most: int) -> frozenset[tuple[str, int]]:
    """Return the new blocks that only correct a conflict; none where anything else is new, or they are too long."""
    corrections = frozenset(_blocks(own, Place.CORRECTION))
    others = any(file.header_new or Place.NEW in file.places for file in found.files)
    if others or len(corrections) != found.count(Place.CORRECTION) or found.corrected_lines > most:
        return frozenset()
    return corrections


def _missing(approved: _Approved, found: Placed) -> Finding:
    paths = sorted(set(found.missing))
    where = f"in {paths[0]}" + (f" and {amount(len(paths) - 1, 'more file')}" if paths[1:] else "")
    verb = "is" if len(found.missing) == 1 else "are"
    return Finding(
        RULE.name,
        "missing_blocks",
        paths[0],
        Level.GREEN,
        f"{amount(len(found.missing), 'block')} of the approved head {approved.head[:_SHORT]} {verb} missing here "
        f"({where}), so nothing of that approval is carried over.",
    )


def _carried(context: ReviewContext, approved: _Approved, settings: GateSettings) -> CarriedApproval:
    replayed = _replayed(context, approved)
    if replayed.impossible:
        receipt = f"{approved.name} is not carried over: {replayed.impossible.rstrip('.')}."
        return CarriedApproval(frozenset(), receipt)
    files = context.change.files
    found = placed(files, replayed, context.contents, settings.carry_over_new_lines)
    if approved.by:
        return _of_people(context, approved, found, replayed, settings)
    receipt = _receipt(approved, context, found, replayed)
    return CarriedApproval(frozenset(), receipt, head=approved.head, reviewed_lines=tuple(_spans(found.files)))


def evaluate(context: ReviewContext, settings: GateSettings) -> CarriedApproval | None:
    """Return what earlier approvals cover, or None where there are none."""
    facts = context.forge
    if facts is None or facts.edited or context.change.head is None:
        return None
    people = _by_people(context, facts) if settings.carry_over_approvals else None
    gate = _by_the_gate(context, facts)
    carried = [_carried(context, approved, settings) for approved in (people, gate) if approved is not None]
    return _joined(carried)


def _joined(carried: list[CarriedApproval]) -> CarriedApproval | None:
    """Put the approval of people and that of the gate itself together."""
    if len(carried) < 2:
        return carried[0] if carried else None
    people, gate = carried
    return CarriedApproval(
        files=people.files,
        receipt=f"{people.receipt} {gate.receipt}",
        by=people.by,
        head=people.head,
        answers=people.answers,
        approved_lines=people.approved_lines,
        reviewed_lines=gate.reviewed_lines,
        approved_blocks=people.approved_blocks,
        corrections=people.corrections,
        hints=people.hints,
    )


@hookimpl
def werkrevisor_carry_over(context: ReviewContext, settings: GateSettings) -> CarriedApproval | None:
    """Carry earlier approvals over."""
    return evaluate(context, settings)

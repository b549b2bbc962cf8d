"""What the rule does with a replay that a test made up; real ones are in tests/scenarios."""

import pytest
from attrs import define, evolve, field

from werkrevisor_core.config.sections import GateSettings
from werkrevisor_core.models.change import ReadFault
from werkrevisor_core.models.context import LineSpan
from werkrevisor_core.models.forge import FileMark, Marker, PersonReview, ReasonMark, ReviewState
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.replay import Region, Replayed
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.testing.build import HEAD, change_set, context, judged, modified, pull_request, removed
from werkrevisor_rules.carry_over import carry_over

A, B = "1" * 40, "2" * 40
FILE = modified("src/a.py", "a\nb\nc\nd\ne\n", "a\nB\nc\nd\n")
MARKS = (FileMark("src/a.py", "0" * 32, ("1" * 32, "2" * 32)),)
SETTINGS = GateSettings(human_reviewers=("bob", "eve"))
YELLOW = ReasonMark("size", Level.YELLOW, "x")


def marker(head=A, sequence=1, **given):
    fields = {
        "server": "https://git.example.org",
        "repository_id": 3,
        "pull_request": 7,
        "base_branch": "main",
        "merge_base": "9" * 40,
        "head": head,
        "verdict": Level.YELLOW,
        "decision": Decision.WAIT,
        "complete": True,
        "sequence": sequence,
        "at": float(sequence),
        "files": MARKS,
        "reasons": (YELLOW, ReasonMark("ci_status", Level.GREEN, "y")),
    }
    return Marker(**{**fields, **given})


GREEN = marker(verdict=Level.GREEN, decision=Decision.PASS, approved_by_bot=True, reasons=())


def approval(login="bob", head=A, at=5.0):
    return PersonReview(int(at), login, ReviewState.APPROVED, head, "main", at)


@define
class Double:
    """Both ports of the rule: answers with a made-up replay and with the fingerprints that a test wants."""

    answer: Replayed = Replayed(result=(FILE,))
    marks: tuple[FileMark, ...] | None = MARKS
    asked: list[tuple[str, str]] = field(factory=list)

    def replay(self, approved_base, approved):
        self.asked.append((approved_base, approved))
        return self.answer

    def like(self, marker, files):
        return self.marks


def carried(*approvals, markers=None, answer=None, marks=MARKS, settings=SETTINGS, facts=None, **given):
    double = Double(answer or Replayed(result=(FILE,)), marks)
    forge = pull_request(markers=(marker(),) if markers is None else markers, **(facts or {}))
    fields = {"forge": forge, "human_approvals": approvals, "replay": double, "fingerprints": double}
    known = context(judged(FILE), **{**fields, **given})
    return carry_over.werkrevisor_carry_over(known, settings)


def test_an_approval_covers_a_change_that_stayed_the_same():
    found = carried(approval(), approval("eve"))
    assert found.files == {"src/a.py"}
    assert (found.by, found.head, found.answers) == (("bob", "eve"), A, (YELLOW,))
    assert found.approved_blocks == {("src/a.py", 0), ("src/a.py", 1)}
    assert found.approved_lines == (
        LineSpan("src/a.py", 2, 2),
        LineSpan("src/a.py", 2, 2, Side.OLD),
        LineSpan("src/a.py", 5, 5, Side.OLD),
    )
    assert (found.corrections, found.hints, found.reviewed_lines) == (frozenset(), (), ())
    assert found.receipt == (
        f"The approval of {A} by bob, eve holds for {HEAD}: 2 blocks in place, 0 new, 0 missing; "
        "the base changed none of these files in between."
    )


def test_the_replay_is_of_the_approved_head_on_its_own_merge_base():
    double = Double()
    known = context(
        judged(FILE),
        forge=pull_request(markers=(marker(),)),
        human_approvals=(approval(),),
        replay=double,
        fingerprints=double,
    )
    carry_over.evaluate(known, SETTINGS)
    assert double.asked == [("9" * 40, A)]


@pytest.mark.parametrize(
    "given",
    [
        {"forge": None},
        {"facts": {"edited": ("gone",)}},
        {"change": change_set(FILE, head=None)},
        {"human_approvals": ()},
        {"human_approvals": (approval(head=HEAD),)},
        {"settings": evolve(SETTINGS, carry_over_approvals=False)},
    ],
    ids=lambda given: next(iter(given)),
)
def test_without_an_earlier_approval_there_is_nothing_to_say(given):
    assert carried(approval(), **given) is None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"markers": ()}, "that head has no valid result comment"),
        ({"markers": (marker(B),)}, "that head has no valid result comment"),
        ({"markers": (marker(base_branch="lax"),)}, "that head was reviewed for the base branch lax"),
        ({"markers": (marker(verdict=Level.RED),)}, "that head was RED"),
        ({"markers": (marker(verdict=Level.ERROR, complete=False),)}, "that head was ERROR"),
        ({"markers": (marker(files=()),)}, "the change was too large to keep its fingerprints"),
        ({"markers": (marker(), marker(sequence=2, verdict=Level.RED))}, "that head was RED"),
        ({"replay": None}, "what was approved cannot be merged again here"),
        ({"fingerprints": None}, "what was approved cannot be merged again here"),
        ({"answer": Replayed(impossible="the commit is gone.")}, "the commit is gone"),
        ({"change": change_set(FILE, faults=(ReadFault("two merge bases"),))}, "two merge bases"),
        ({"marks": None}, "what was approved is not what its marker remembers"),
        ({"marks": (evolve(MARKS[0], header="f" * 32),)}, "what was approved is not what its marker remembers"),
        ({"marks": ()}, "what was approved is not what its marker remembers"),
    ],
)
def test_it_is_said_why_an_approval_is_not_carried(given, why):
    found = carried(approval(), **given)
    assert found.receipt == f"The approval of {A} by bob is not carried over: {why}."
    assert (found.files, found.by, found.approved_lines, found.corrections) == (frozenset(), (), (), frozenset())


def test_the_newest_approved_head_is_the_one_that_counts():
    found = carried(approval(at=5.0), approval(head=B, at=6.0), markers=(marker(), marker(B, 2)))
    assert found.head == B
    found = carried(approval(at=7.0), approval(head=B, at=6.0), markers=(marker(), marker(B, 2)))
    assert found.head == A


def test_a_missing_block_ends_it_with_a_hint():
    answer = Replayed(result=(FILE, removed("src/b.py", "x\n"), removed("src/c.py", "x\n")))
    answer = evolve(answer, difference=(removed("src/z.py", "x\n"), removed("src/y.py", "x\n")))
    found = carried(approval(), answer=answer)
    assert (found.files, found.by, found.answers) == (frozenset(), (), ())
    (hint,) = found.hints
    assert (hint.path, hint.level, hint.start) == ("src/y.py", Level.GREEN, None)
    assert hint.message == (
        f"2 blocks of the approved head {A[:12]} are missing here (in src/y.py and 1 more file), "
        "so nothing of that approval is carried over."
    )
    assert "by bob does not hold for" in found.receipt
    assert "2 missing" in found.receipt


def test_one_missing_block_is_named_with_its_file():
    found = carried(approval(), answer=Replayed(result=(FILE,), difference=(removed("src/z.py", "x\n"),)))
    assert found.hints[0].message.startswith(f"1 block of the approved head {A[:12]} is missing here (in src/z.py)")


NEW = Replayed(difference=(modified("src/a.py", "a\nb\nc\nd\n", "a\nB\nc\nd\n"),))
MARKED = "a\n<<<<<<<\nb2\n=======\nb3\n>>>>>>>\nc\nd\n"
CORRECTED = Replayed(
    difference=(modified("src/a.py", MARKED, "a\nB\nc\nd\n"),), conflicts={"src/a.py": (Region(2, 4, 6),)}
)


def test_a_new_block_leaves_its_file_to_be_judged():
    found = carried(approval(), answer=NEW)
    assert (found.files, found.by) == (frozenset(), ("bob",))
    assert found.approved_blocks == {("src/a.py", 1)}
    assert found.corrections == frozenset()
    assert "1 block in place, 1 new, 0 missing" in found.receipt


def test_a_new_block_inside_a_conflict_is_a_correction_up_to_the_hosts_limit():
    found = carried(approval(), answer=CORRECTED)
    assert found.corrections == {("src/a.py", 0)}
    assert found.files == frozenset()
    assert carried(approval(), answer=CORRECTED, settings=evolve(SETTINGS, carry_over_new_lines=0)).files == frozenset()
    assert not carried(approval(), answer=CORRECTED, settings=evolve(SETTINGS, carry_over_new_lines=0)).corrections


def test_a_correction_beside_something_new_is_none():
    other = modified("src/z.py", "x\n", "y\n")
    known = {"change": change_set(FILE, other)}
    answer = evolve(CORRECTED, difference=(*CORRECTED.difference, modified("src/z.py", "x\n", "y\n")))
    found = carried(approval(), answer=answer, **known)
    assert found.corrections == frozenset()
    assert found.by == ("bob",)


def test_people_of_some_paths_cover_only_those():
    owned = evolve(SETTINGS, reviewers={"src/a.py": ("dora",)})
    found = carried(approval(), settings=owned)
    assert (found.files, found.approved_lines, found.approved_blocks) == (frozenset(), (), frozenset())
    assert found.by == ("bob",)
    assert carried(approval("dora"), settings=owned).files == {"src/a.py"}
    assert not carried(approval(), answer=CORRECTED, settings=owned).corrections


def test_the_receipt_says_whether_the_base_touched_the_same_files():
    answer = Replayed(result=(FILE,), base_touched={"src/a.py": "src/a.py", "other": "other"})
    assert "the base changed 1 of these files in between" in carried(approval(), answer=answer).receipt


def test_the_gates_own_review_covers_no_file_and_lowers_findings():
    found = carried(markers=(GREEN, marker(HEAD, 3, approved_by_bot=True)))
    assert (found.files, found.by, found.answers, found.approved_lines) == (frozenset(), (), (), ())
    assert LineSpan("src/a.py", 2, 2) in found.reviewed_lines
    assert found.receipt.startswith(f"The GREEN review of {A} holds for {HEAD}: 2 blocks in place")


@pytest.mark.parametrize("given", [{"approved_by_bot": False}, {"files": ()}, {"base_branch": "lax"}])
def test_other_reviews_of_the_gate_are_not_carried(given):
    assert carried(markers=(evolve(GREEN, **given),)) is None


def test_both_approvals_stand_beside_each_other():
    found = carried(approval(head=B), markers=(GREEN, marker(B, 2)))
    assert (found.files, found.head) == ({"src/a.py"}, B)
    assert found.approved_lines == found.reviewed_lines != ()
    assert f"The approval of {B} by bob holds" in found.receipt
    assert f"The GREEN review of {A} holds" in found.receipt


def test_the_gates_own_review_is_carried_where_that_of_people_is_switched_off():
    settings = evolve(SETTINGS, carry_over_approvals=False)
    found = carried(approval(), markers=(GREEN,), settings=settings)
    assert (found.by, found.reviewed_lines != ()) == ((), True)

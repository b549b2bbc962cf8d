from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from attrs import evolve

from werkrevisor_core.errors import RuleError
from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.models.change import FileChange, Status
from werkrevisor_core.models.classes import Classification, Explained, LineProof, Rebinding, WholeFile
from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.steps import classify as steps
from werkrevisor_core.steps.classify import LONGEST_LINE, MAX_PROOF, classify, refusal
from werkrevisor_core.testing.build import DictContents, added, modified, patch, removed, renamed
from werkrevisor_core.testing.run import run
from werkrevisor_core.watchdog import Progress


class Words:
    """Explains each changed line that holds a word."""

    def __init__(self, word: bytes, *, rebound=()):
        self.word = word
        self.rebound = rebound
        self.hunks_asked = 0

    def explain(self, file, hunks) -> Iterator[Explained]:
        for hunk in hunks:
            self.hunks_asked += 1
            yield Explained(
                {i: f"has {self.word.decode()}" for i, line in enumerate(hunk.lines) if self.word in line}, self.rebound
            )


class Whole:
    def explain(self, file, hunks):
        return WholeFile("same content")


class Silent:
    def explain(self, file, hunks):
        return None


class Broken:
    def __init__(self, error):
        self.error = error

    def explain(self, file, hunks):
        raise self.error


class Short:
    def explain(self, file, hunks):
        return iter(())


class Odd:
    def explain(self, file, hunks):
        return iter(["lines"])


def judge(file: FileChange, **classifiers) -> tuple[Classification, list[str]]:
    progress = Progress()
    named = [NamedClassifier(name, progress.index_of(name), made) for name, made in sorted(classifiers.items())]
    (result,), errors = classify([file], named, progress)
    return result, [str(error) for error in errors]


FILE = modified("x", "one\nkeep\ntwo\n", "ONE a\nkeep\nTWO a b\n")


def test_a_file_is_mechanical_if_every_changed_line_is_explained():
    file = modified("x", "keep\n", "keep\nnew a\n")
    result, errors = judge(file, first=Words(b"a"))
    assert errors == []
    assert result.rules == ("first",)
    assert result.proof == (LineProof(2, True, "first", "has a"),)
    assert (result.proved_lines, result.why) == (1, "1 changed line: has a")


def test_the_first_line_that_nothing_explains_is_named():
    result, _ = judge(modified("x", "a\nb\nc\n", "a\nB a\nc\nz\n"), first=Words(b"a"))
    assert result.rules == ()
    assert result.line == 2
    assert result.why == "line 2 removes what no rule explains: b"


def test_rules_are_combined_line_by_line():
    file = modified("x", "k\n", "k\nfirst 1\nsecond 2\n")
    result, _ = judge(file, b=Words(b"first"), a=Words(b"second"))
    assert result.rules == ("a", "b")
    assert [(line.line, line.rule) for line in result.proof] == [(2, "b"), (3, "a")]


def test_a_rule_that_is_not_needed_is_not_named():
    file = modified("x", "k\n", "k\nboth\nboth only\n")
    assert judge(file, a=Words(b"both"), b=Words(b"only"))[0].rules == ("a",)
    assert judge(file, a=Words(b"only"), b=Words(b"both"))[0].rules == ("b",)
    assert judge(file, a=Words(b"both"), b=Words(b"both"))[0].rules == ("a",)


def test_later_hunks_are_not_asked_about_once_a_line_is_not_explained():
    middle = "k\n" * 20
    asked = Words(b"never")
    judge(modified("x", f"a\n{middle}b\n", f"A\n{middle}B\n"), one=asked)
    assert asked.hunks_asked == 1


def test_rebound_names_are_gathered():
    name = Rebinding("Map", "a", "b")
    assert judge(modified("x", "k\n", "k\na\n"), one=Words(b"a", rebound=(name,)))[0].rebound == (name,)


def test_a_whole_file_is_explained_only_where_no_line_changed():
    assert judge(renamed("a", "b"), one=Whole())[0].rules == ("one",)
    result, errors = judge(FILE, one=Whole())
    assert result.rules == ()
    assert "explained a whole file that has changed lines" in errors[0]


def test_no_line_to_explain_is_not_every_line_explained():
    assert judge(renamed("a", "b"), one=Silent())[0].why == "no line is shown that a rule could explain"
    assert judge(renamed("a", "b"), one=Words(b""))[0].rules == ()


def test_proof_is_bounded():
    many = "a\n" * 50
    result, _ = judge(modified("x", "k\n", f"k\n{many}"), one=Words(b"a"))
    assert (len(result.proof), result.proved_lines) == (MAX_PROOF, 50)


@pytest.mark.parametrize(
    ("classifier", "fault"),
    [
        (Broken(ValueError("no")), "ValueError: no"),
        (Broken(SystemExit()), "SystemExit"),
        (Short(), "fewer explanations"),
        (Odd(), "yielded str instead of Explained"),
    ],
)
def test_a_classifier_that_fails_makes_nothing_mechanical(classifier, fault):
    result, errors = judge(modified("x", "k\n", "k\na\n"), bad=classifier, good=Words(b"a"))
    assert result.rules == ()
    assert fault in errors[0]


def test_a_classifier_that_failed_is_not_asked_again():
    progress = Progress()
    named = [NamedClassifier("bad", 1, Broken(ValueError("no"))), NamedClassifier("good", 2, Words(b"a"))]
    results, errors = classify([FILE, modified("y", "k\n", "k\na\n")], named, progress)
    assert [result.rules for result in results] == [(), ("good",)]
    assert len(errors) == 1


def test_an_interrupt_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        judge(FILE, bad=Broken(KeyboardInterrupt()))


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (modified("x", "a\n", "b\n", unread="cut off"), "it was not read: cut off"),
        (added("x", "a\n"), "it is added"),
        (removed("x", "a\n"), "it is removed"),
        (evolve(renamed("a", "b"), status=Status.COPIED), "it is copied"),
        (evolve(modified("x", "a\n", "b\n"), status=Status.TYPE_CHANGED), "it is type changed"),
        (modified("x", "a\n", "b\n", binary=True), "it is binary"),
        (modified("x", "a\n", "b\n", crlf_headers=True), "converted to CRLF"),
        (modified("x", "a\n", "b\n", new_mode="100755"), "its mode changes from 100644 to 100755"),
        (modified("x", "a\n", "b\n", old_mode="120000", new_mode="120000"), "no regular file (mode 120000)"),
        (modified("x", "a\n", "b\n", old_mode="160000", new_mode="160000"), "no regular file (mode 160000)"),
        (modified("x", "a\n", "b\n", old_mode="100664", new_mode="100664"), "no regular file (mode 100664)"),
        (modified("x", "a\n", "b\n", old_mode=None, new_mode=None), "no regular file (mode unknown)"),
        (renamed("a", "b", "x\n", "y\n"), "it is renamed and changed"),
        (renamed("a", "b", "x\n", "y\n", old_mode=None, new_mode=None), "mode unknown"),
    ],
)
def test_what_is_odd_about_a_file_ends_the_question(file, why):
    assert why in (refusal(file) or "")
    assert judge(file, one=Words(b""))[0].rules == ()


def test_a_pure_rename_in_a_bare_diff_has_no_modes():
    assert refusal(renamed("a", "b", old_mode=None, new_mode=None)) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("a\0b", "a control character"),
        ("a\x1bb", "a control character"),
        (b"caf\xe9", "text that is not UTF-8"),
        ("user\u200b", "U+200B"),
        ("x = '\u202e'", "U+202E"),
        ("a\u2028b", "U+2028"),
        ("a\u0085b", "U+0085"),
        ("p\u0430yment", "mixed scripts (cyrillic, latin)"),
        ("a" * (LONGEST_LINE + 1), "too long to judge"),
    ],
)
def test_text_that_a_reader_may_see_otherwise_is_never_mechanical(line, why):
    new = b"k\n" + (line if isinstance(line, bytes) else line.encode()) + b"\n"
    result, _ = judge(modified("x", "k\n", new), one=Words(b""))
    assert result.rules == ()
    assert why in result.why


@pytest.mark.parametrize("line", ["größe = 'für'", "名前 = 1", "π = 3", "tab\there", "form\x0cfeed"])
def test_ordinary_text_of_any_language_is_judged(line):
    assert judge(modified("x", "k\n", f"k\n{line}\n"), one=Words(b""))[0].rules == ("one",)


def test_a_hidden_character_in_a_context_line_is_no_change():
    assert judge(modified("x", "\ufeffk\n", "\ufeffk\na\n"), one=Words(b"a"))[0].rules == ("one",)


def test_a_long_line_is_shown_in_part():
    result, _ = judge(modified("x", "k\n", "k\n" + "b" * 500 + "\n"), one=Words(b"a"))
    assert len(result.why) < 200


class Number:
    def explain(self, file, hunks):
        return 5


def test_an_answer_that_cannot_be_iterated_is_a_failure_of_the_rule():
    assert "TypeError" in judge(modified("x", "k\n", "k\na\n"), bad=Number())[1][0]


def test_hunks_that_hold_fewer_lines_than_claimed_are_not_explained():
    result, _ = judge(modified("x", "k\n", "k\na\n", added=2), one=Words(b"a"))
    assert (result.rules, result.why) == ((), "its hunks hold other lines than they claim")


def test_a_hunk_without_a_changed_line_proves_nothing():
    file = modified("x", "", "", patch=patch(b"@@ -1 +1 @@\n k\n"))
    assert judge(file, one=Words(b"k"))[0].why == "no changed line is shown"


def test_proof_ends_with_the_hunk_that_fills_it():
    many = "a\n" * MAX_PROOF
    result, _ = judge(modified("x", "k\n" * 20, many + "k\n" * 20 + "a\n"), one=Words(b"a"))
    assert (len(result.proof), result.proved_lines) == (MAX_PROOF, MAX_PROOF + 1)


def test_lines_that_several_rules_share_take_the_first_by_name():
    file = modified("x", "k\n", "k\na b\nb c\nc\n")
    assert judge(file, a=Words(b"a"), b=Words(b"b"), c=Words(b"c"))[0].rules == ("a", "c")


MANY = [modified(f"f{number}", "k\n", f"k\n{'a' if number % 3 else 'b'}\n") for number in range(9)]


@pytest.fixture
def shared(monkeypatch):
    """Let one half of any change be classified in another process."""
    monkeypatch.setattr(steps, "SHARED", 2)
    monkeypatch.setattr(steps, "pays", lambda: True)


def many(*classifiers, line_by_line=False):
    named = [NamedClassifier(f"rule{index}", index + 1, one) for index, one in enumerate(classifiers)]
    return classify(MANY, named, Progress(), line_by_line=line_by_line, divisible=True)


def test_a_half_that_is_classified_elsewhere_gets_the_same(shared):
    rebound = (Rebinding("a", "b", "c", 2),)
    classes, errors = many(Words(b"a", rebound=rebound))
    alone, _ = many(Words(b"a", rebound=rebound), line_by_line=True)
    assert errors == ()
    assert [evolve(one, proof=()) for one in classes] == [evolve(one, proof=()) for one in alone]
    assert [bool(one.rules) for one in classes] == [number % 3 > 0 for number in range(9)]


class FailsOn(Words):
    """Fails on one file."""

    def __init__(self, path):
        super().__init__(b"a")
        self.path = path

    def explain(self, file, hunks):
        if file.path == self.path:
            raise ValueError(self.path)
        return super().explain(file, hunks)


@pytest.mark.parametrize(("path", "left"), [("f1", []), ("f4", ["f1", "f2"]), ("f5", ["f1", "f2", "f4"])])
def test_a_failure_in_either_half_is_as_if_there_were_one(shared, path, left):
    classes, errors = many(FailsOn(path))
    assert [error.rule for error in errors] == ["rule0"]
    assert [file.path for file, one in zip(MANY, classes, strict=True) if one.rules] == left


def test_after_a_failure_nobody_relies_on_the_other_half(shared):
    classes, errors = many(FailsOn("f1"), Words(b"b"))
    assert len(errors) == 1
    assert [bool(one.rules) for one in classes] == [number % 3 == 0 for number in range(9)]


def test_the_other_half_has_its_own_note_of_what_runs(shared):
    progress = Progress()
    index = progress.index_of("one")
    classify(MANY, [NamedClassifier("one", index, Words(b"a"))], progress, divisible=True)
    assert progress.state()[0] == ""


def test_what_is_packed_is_unpacked():
    named = [NamedClassifier("one", 1, Words(b"a", rebound=(Rebinding("a", "b", "c"),)))]
    classes, _ = classify(MANY, named, Progress())
    assert list(steps.unpacked(steps.packed(MANY, named))) == [evolve(one, proof=()) for one in classes]


def test_a_failure_is_not_packed():
    with pytest.raises(RuleError):
        steps.packed(MANY, [NamedClassifier("one", 1, FailsOn("f3"))])


def test_what_reads_contents_is_asked_in_one_process_only(shared, monkeypatch):
    monkeypatch.setattr(steps, "forked", None)
    one = Words(b"a")
    classify(MANY, [NamedClassifier("one", 1, one)], Progress())
    assert one.hunks_asked == 9


@pytest.mark.parametrize("known", [True, False])
def test_only_a_review_of_a_bare_diff_is_divided(shared, monkeypatch, known):
    divided = []
    monkeypatch.setattr("werkrevisor_core.engine.MANY_FILES", 1)
    monkeypatch.setattr(steps, "packed", lambda *_: divided.append(1) or b"")
    monkeypatch.setattr(steps, "forked", nullcontext)
    monkeypatch.setattr(steps, "unpacked", lambda _: [Classification((), "elsewhere")] * 4)
    result = run(*MANY, contents=DictContents() if known else NoContents())
    assert [file.classification.why == "elsewhere" for file in result.files][1::2] == [not known] * 4
    assert divided == [1] * (not known)

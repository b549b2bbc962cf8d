"""The short way: what is told of a whole file, and that nothing is taken from a classifier that it may not say."""

import pytest
from attrs import evolve

from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.models.classes import Explained, Rebinding, WholePatch
from werkrevisor_core.steps.classify import LONGEST_LINE, classify
from werkrevisor_core.testing.build import modified
from werkrevisor_core.watchdog import Progress

NUMBERS = "\n".join(str(number) for number in range(1, 30)) + "\n"


class Words:
    """Explains changed lines that hold its word; rules out the others."""

    def __init__(self, word: bytes):
        self.word = word
        self.asked = 0

    def rules_out(self, file, text, at):
        while at > 0:
            if self.word not in text[at : text.index(b"\n", at)]:
                return at
            at = min((found for found in (text.find(b"\n-", at), text.find(b"\n+", at)) if found >= 0), default=-2) + 1
        return -1

    def explain(self, file, hunks):
        self.asked += 1
        for hunk in hunks:
            yield Explained({i: "a word" for i, line in enumerate(hunk.lines) if self.word in line})


class Whole(Words):
    """Explains any patch at once."""

    def __init__(self, answer):
        super().__init__(b"")
        self.answer = answer

    def explain_whole(self, file, text):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Says:
    """Rules out whatever it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def rules_out(self, file, text, at):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def explain(self, file, hunks):
        return None


def judge(file, *, line_by_line=False, **classifiers):
    progress = Progress()
    named = [NamedClassifier(name, progress.index_of(name), made) for name, made in sorted(classifiers.items())]
    (result,), errors = classify([file], named, progress, line_by_line=line_by_line)
    return result, [str(error) for error in errors]


def test_nobody_is_asked_in_full_where_all_rule_out_the_same_line():
    one, two = Words(b"x"), Words(b"y")
    result, _ = judge(modified("a", NUMBERS, NUMBERS.replace("\n9\n", "\n9\nz\n")), one=one, two=two)
    assert (result.rules, result.line, one.asked, two.asked) == ((), 10, 0, 0)
    assert result.why == "line 10 adds what no rule explains: z"


def test_each_is_asked_from_the_line_that_the_others_rule_out():
    one, two = Words(b"x"), Words(b"y")
    result, _ = judge(modified("a", NUMBERS, f"x\n{NUMBERS}y\nx\nz\n"), one=one, two=two)
    assert (result.why, one.asked) == ("line 33 adds what no rule explains: z", 0)


def test_where_no_line_is_ruled_out_by_all_they_are_asked_in_full():
    result, _ = judge(modified("a", "k\n", "k\nx\ny\n"), one=Words(b"x"), two=Words(b"y"))
    assert result.rules == ("one", "two")


def test_one_that_cannot_rule_anything_out_has_to_be_asked_in_full():
    class Plain:
        def explain(self, file, hunks):
            for hunk in hunks:
                yield Explained(dict.fromkeys(range(len(hunk.lines)), "any"))

    result, _ = judge(modified("a", "k\n", "k\nx\n"), one=Words(b"y"), two=Plain())
    assert result.rules == ("two",)


def test_without_classifiers_every_line_is_unexplained():
    assert judge(modified("a", "k\n", "k\nx\n"))[0].why == "line 2 adds what no rule explains: x"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("a\nb\nc\n", "a\nc\n", "line 2 removes what no rule explains: b"),
        (NUMBERS, NUMBERS.replace("\n20\n", "\n"), "line 20 removes what no rule explains: 20"),
        (NUMBERS, f"x\n{NUMBERS}".replace("\n20\n", "\nz\n"), "line 20 removes what no rule explains: 20"),
        ("x\nold", "x\nnew", "line 2 removes what no rule explains: old"),
    ],
)
def test_the_line_is_numbered_in_its_own_file(old, new, why):
    assert judge(modified("a", old, new), one=Words(b"x"))[0].why == why


def test_a_mark_for_the_end_of_the_file_is_no_line():
    result, _ = judge(modified("a", "x\nx", "x\nx\nz"), one=Words(b"x"))
    assert (result.line, result.why) == (3, "line 3 adds what no rule explains: z")


def test_what_is_shown_of_a_long_line_is_bounded():
    result, _ = judge(modified("a", "k\n", "k\n" + "b" * 500 + "\n"), one=Words(b"x"))
    assert result.why == "line 2 adds what no rule explains: " + "b" * 120 + "..."


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (ValueError("no"), "ValueError: no"),
        (3, "ruled out 3, which is no place of a changed line"),
        (-7, "ruled out -7"),
        (10_000, "ruled out 10000"),
        ("4", "ruled out '4'"),
        (None, "ruled out None"),
    ],
)
def test_a_wrong_answer_is_a_failure_of_the_rule(answer, fault):
    result, errors = judge(modified("a", "k\n", "k\nx\n"), bad=Says(answer))
    assert (result.rules, len(errors)) == ((), 1)
    assert fault in errors[0]


def test_a_place_before_the_one_asked_about_is_no_answer():
    file = modified("a", NUMBERS, f"x\n{NUMBERS}z\n")
    first = file.patch.text().index(b"\n+x") + 1
    assert "no place of a changed line" in judge(file, one=Words(b"x"), two=Says(first))[1][0]


REBOUND = (Rebinding("a", "b", "c", 2),)


def plain(old, new, **given):
    return evolve(modified("a", old, new, **given), plain=True)


def test_a_patch_that_one_explains_at_once_needs_no_lines():
    result, _ = judge(plain("k\n", "k\nx\n"), one=Words(b"x"), two=Whole(WholePatch(1, "all", REBOUND)))
    assert (result.rules, result.why, result.proof) == (("two",), "1 changed line: all", ())
    assert (result.proved_lines, result.rebound) == (1, REBOUND)


def test_line_by_line_it_is_asked_in_full():
    found = Whole(WholePatch(1, "all"))
    assert judge(plain("k\n", "k\nx\n"), line_by_line=True, one=found)[0].why == "1 changed line: a word"


@pytest.mark.parametrize("answer", [None, WholePatch(2, "all")])
def test_a_patch_with_other_lines_is_asked_about_in_full(answer):
    assert judge(plain("k\n", "k\nx\n"), one=Whole(answer))[0].why == "1 changed line: a word"


@pytest.mark.parametrize(
    "file",
    [
        modified("a", "k\n", "k\nx\n"),
        plain("k\n", "k\n" + "x" * (LONGEST_LINE + 1) + "\n"),
    ],
)
def test_a_patch_in_which_something_may_hide_is_not_explained_at_once(file):
    assert not judge(file, one=Whole(WholePatch(1, "all")))[0].why.endswith("all")


def test_long_texts_of_short_lines_are_explained_at_once():
    file = plain("k\n", "k\n" + "x\n" * LONGEST_LINE)
    assert judge(file, one=Whole(WholePatch(LONGEST_LINE, "all")))[0].why.endswith("all")


@pytest.mark.parametrize(
    ("answer", "fault"), [(ValueError("no"), "ValueError: no"), ("all", "explained a patch with str instead of")]
)
def test_a_wrong_word_on_a_patch_is_a_failure_of_the_rule(answer, fault):
    result, errors = judge(plain("k\n", "k\nx\n"), bad=Whole(answer))
    assert result.rules == ()
    assert fault in errors[0]


def test_an_interrupt_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        judge(plain("k\n", "k\nx\n"), one=Says(KeyboardInterrupt()))

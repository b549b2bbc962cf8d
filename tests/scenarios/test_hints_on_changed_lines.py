"""The scenarios of seed PR#91 through the whole engine, on a real repository."""

import pytest

from werkrevisor_core.models.forge import LineComment
from werkrevisor_core.models.verdict import Decision, Finding, Level
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.testing.scripted import ScriptedModel

DOC = "# Title\n\nFirst line.\nSecond line.\n\n## Part\n\nThird line.\n\nFourth line.\n\n## End\n\nLast line.\n"
NEXT = DOC.replace("Fourth line.", "Fourth line, changed.")
RULES = """
[[writing_rules.rules]]
id = "no-second"
pattern = "Second"
scope = "paragraph"
message = "Do not count."
"""


def hint(line, end=None, path="docs/a.md", level=Level.GREEN):
    return Finding("m", f"l{line}", path, level, "A small point.", line, end or line)


@pytest.fixture
def second_round(pull):
    """A pull request whose first head was reviewed and whose second head changes line 10 of a document."""
    pull.commit({"docs/a.md": DOC, "src/a.py": "a = 1\nb = 2\n"})
    first, _ = judged(pull)
    assert first.verdict is not Level.ERROR
    pull.commit({"docs/a.md": NEXT, "src/b.py": "c = 3\n"})
    return pull


def judged(pull, *findings):
    model = ScriptedModel(findings)
    pull.host = pull.host.replace('"combined"', '"llm"').replace('"docs_only"', '"docs_only", "refactoring"')
    return pull.review([model]), model


def by_line(review):
    return {finding.start: finding.line_comment for finding in review.findings}


def test_scenario_91_01_a_new_hint_on_text_of_the_last_round_stands_only_in_the_result_comment(second_round):
    review, _ = judged(second_round, hint(3))
    assert by_line(review) == {3: False}
    assert (review.verdict, review.decision, review.holds) == (Level.GREEN, Decision.PASS, ())
    assert "A small point." in render_comment(review)
    assert "The last round had seen this text, so it is no line comment." in render_comment(review)


def test_scenario_91_01_a_writing_rule_on_old_text(second_round):
    second_round.host += RULES
    review, _ = judged(second_round)
    assert [(f.id, f.start, f.end, f.line_comment) for f in review.findings] == [
        ("writing_rules/no-second", 3, 4, False)
    ]
    assert review.holds == ()


def test_scenario_91_02_a_hint_on_a_changed_line_still_holds_the_merge(second_round):
    review, _ = judged(second_round, hint(10), hint(3))
    assert by_line(review) == {3: False, 10: True}
    assert review.decision is Decision.PASS
    assert review.holds == ("the line comment on docs/a.md:10 is not answered",)


def test_scenario_91_02_in_the_first_round_every_hint_holds(pull):
    pull.commit({"docs/a.md": DOC})
    review, _ = judged(pull, hint(3))
    assert by_line(review) == {3: True}
    assert review.holds == ("the line comment on docs/a.md:3 is not answered",)


def test_scenario_91_02_a_file_that_cannot_be_read_at_the_last_head_counts_as_changed(second_round):
    second_round.commit({"docs/b.md": DOC})
    review, _ = judged(second_round, hint(3, path="docs/b.md"), hint(3))
    assert [(f.path, f.line_comment) for f in review.findings] == [("docs/a.md", False), ("docs/b.md", True)]


def test_scenario_91_02_doc_hint_line_comments_keeps_the_hint_and_not_the_writing_rule(second_round):
    second_round.host += RULES + "[review]\ndoc_hint_line_comments = true\n"
    review, _ = judged(second_round, hint(8))
    assert [(f.reviewer, f.line_comment) for f in review.findings] == [("writing_rules", False), ("scripted", True)]


@pytest.mark.parametrize(("line", "holds"), [(6, True), (1, True), (12, False)])
def test_scenario_91_02_a_finding_on_a_heading_covers_its_section(second_round, line, holds):
    assert by_line(judged(second_round, hint(line))[0]) == {line: holds}


def test_scenario_91_02_a_paragraph_rule_covers_its_paragraph(second_round):
    second_round.host += RULES
    second_round.commit({"docs/a.md": NEXT.replace("First line.", "First line, changed.")})
    review, _ = judged(second_round)
    assert [(f.start, f.end, f.line_comment) for f in review.findings] == [(3, 4, True)]


@pytest.mark.parametrize(("line", "end"), [(6, 6), (8, 10)])
def test_scenario_91_02_what_was_taken_out_below_the_anchor_counts_as_changed(second_round, line, end):
    second_round.commit({"docs/a.md": DOC.replace("Fourth line.\n\n", "")})
    assert by_line(judged(second_round, hint(line, end))[0]) == {line: True}


def test_scenario_91_findings_on_code_and_worse_ones_are_as_before(second_round):
    review, _ = judged(second_round, hint(1, path="src/a.py"), hint(3, level=Level.ORANGE))
    assert [(f.path, f.level, f.line_comment) for f in review.findings] == [
        ("docs/a.md", Level.ORANGE, True),
        ("src/a.py", Level.GREEN, True),
    ]


def test_scenario_91_open_line_comments_of_earlier_rounds_hold_until_they_are_answered(second_round):
    second_round.line_comments = [LineComment(1, "docs/a.md", 3, "c" * 40)]
    assert judged(second_round)[0].holds == ("the line comment on docs/a.md:3 is not answered",)
    second_round.line_comments = [LineComment(1, "docs/a.md", 3, "c" * 40, replied_by=("ada",))]
    assert judged(second_round)[0].holds == ()


def test_an_incomplete_round_is_no_last_round(pull):
    pull.commit({"docs/a.md": DOC})
    model = ScriptedModel(skips=frozenset({"docs/a.md"}))
    assert pull.review([model]).verdict is Level.ERROR
    pull.commit({"docs/a.md": NEXT})
    review, _ = judged(pull, hint(3))
    assert by_line(review) == {3: True}


def test_the_globs_of_pr_documents_are_documents(second_round):
    second_round.host += '[pr_doc]\nglobs = ["src/**"]\n'
    review, _ = judged(second_round, hint(1, path="src/a.py"))
    assert by_line(review) == {1: False}

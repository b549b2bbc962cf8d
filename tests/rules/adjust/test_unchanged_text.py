import pytest
from attrs import evolve

from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.verdict import Finding, Level
from werkrevisor_core.testing.build import DictContents, context, judged, modified
from werkrevisor_rules._support.pr_documents import PrDocSettings
from werkrevisor_rules.adjust import unchanged_text

OLD = "# A\n\none\ntwo\n\nthree\n"
NEW = "# A\n\none\ntwo\n\nthree\nfour\n"
DEFAULT = PrDocSettings()
HINT = Finding("m", "x", "a.md", Level.GREEN, "m", 3, 3, from_model=True)


def quiet(*findings, old=OLD, new=NEW, settings=DEFAULT, category=Category.DOCS, **given):
    known = context(
        judged(modified("a.md", old or "", new), category),
        contents=DictContents({}, {"a.md": new}),
        **{"earlier": DictContents({}, {} if old is None else {"a.md": old}), **given},
    )
    found = unchanged_text.werkrevisor_adjust(known, findings, settings)
    assert all(item.result_comment_only and item.level is Level.GREEN for item in found)
    return [item.index for item in found]


@pytest.mark.parametrize(
    ("given", "is_quiet"),
    [
        ({}, True),
        ({"end": None}, True),
        ({"end": 4}, True),
        ({"start": 7, "end": 7}, False),
        ({"start": 6, "end": 7}, False),
        ({"start": 1, "end": 1}, False),
        ({"start": 0, "end": 0}, False),
        ({"start": 4, "end": 3}, False),
        ({"start": 99, "end": 99}, False),
        ({"start": None, "end": None}, False),
        ({"side": Side.OLD}, False),
        ({"path": "b.md"}, False),
        ({"level": Level.YELLOW}, False),
        ({"from_model": False}, True),
    ],
)
def test_a_hint_on_lines_that_the_last_round_had_is_no_line_comment(given, is_quiet):
    assert quiet(evolve(HINT, **given)) == ([0] if is_quiet else [])


def test_in_a_first_round_every_hint_is_one():
    assert quiet(HINT, earlier=None) == []


def test_a_file_that_cannot_be_read_counts_as_changed():
    assert quiet(HINT, old=None) == []
    assert quiet(HINT, earlier=DictContents({}, {}, frozenset({"a.md"}))) == []


def test_only_documents_are_meant():
    assert quiet(HINT, category=Category.MAIN) == []
    assert quiet(HINT, category=Category.MAIN, settings=PrDocSettings(globs=("*.md",))) == [0]


def test_hints_of_the_model_stay_where_the_host_wants_it():
    rule = evolve(HINT, from_model=False)
    assert quiet(HINT, rule, doc_hint_line_comments=True) == [1]


def test_text_that_was_taken_out_between_or_beside_the_lines_changed_them():
    old = "a\n\none\nhalf\ntwo\nlast\n\nb\n"
    new = "a\n\none\ntwo\n\nb\n"
    assert quiet(evolve(HINT, start=3, end=4), old=old, new=new) == []
    assert quiet(evolve(HINT, start=3, end=4), old="a\n\none\ntwo\nlast\n\nb\n", new=new) == []
    assert quiet(evolve(HINT, start=3, end=4), old="a\n\nzero\none\ntwo\n\nb\n", new=new) == []
    assert quiet(evolve(HINT, start=3, end=3), old=old, new=new) == [0]
    assert quiet(evolve(HINT, start=1, end=2), old="a\n\nb\n", new="a\n\nb\n") == [0]


def test_a_heading_stands_for_its_section_with_all_that_is_nested_in_it():
    old = "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
    new = old.replace("b\n", "b, changed\n")
    lines = [1, 3, 5, 9, 11]
    assert quiet(*(evolve(HINT, start=line, end=line) for line in lines), old=old, new=new) == [1, 3, 4]


def test_a_file_whose_new_text_is_not_known_counts_as_changed():
    known = context(judged(modified("a.md", OLD, NEW), Category.DOCS), earlier=DictContents({}, {"a.md": OLD}))
    assert unchanged_text.evaluate(known, (HINT,), PrDocSettings()) == ()


def test_a_hint_in_a_document_of_five_megabytes_that_cannot_be_compared_is_on_changed_text():
    text = ("x" * 49 + "\n\n") * 100_000

    def count(new):
        known = context(
            judged(modified("a.md", "a\n", "b\n"), Category.DOCS),
            contents=DictContents({}, {"a.md": new}),
            earlier=DictContents({}, {"a.md": text}),
        )
        return len(unchanged_text.werkrevisor_adjust(known, (HINT,), DEFAULT))

    assert count(f"first\n\n{text}last\n") == 0
    assert count(f"{text}last\n") == 1  # the same beginning needs no comparison

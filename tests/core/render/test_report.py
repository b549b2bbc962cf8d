"""What stands in the comment and the text, and what happens where there is too much of it."""

import pytest

from werkrevisor_core.models.classes import ChangeKind, JudgedFile
from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Mode, Reason
from werkrevisor_core.render.comment import COMMENT_LIMIT, render_comment
from werkrevisor_core.render.report import mechanical_line
from werkrevisor_core.render.style import MarkdownStyle, PlainStyle
from werkrevisor_core.render.text import render_text
from werkrevisor_core.testing.build import change_set, judged, modified


def mechanical(path: str, *rules: str) -> JudgedFile:
    return judged(modified(path, "a\n", "b\n"), rules=rules)


def review(*files: JudgedFile, **given: object) -> Review:
    fields: dict[str, object] = {"verdict": Level.YELLOW, "decision": Decision.WAIT, **given}
    return Review(change_set(*(file.change for file in files)), files, ChangeKind.MIXED, Mode.RULES, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("style", [MarkdownStyle(), PlainStyle()])
def test_scenario_11_01_the_line_names_the_mechanical_file(style: MarkdownStyle | PlainStyle) -> None:
    files = (judged(modified("A.java", "a\n", "b\n")), mechanical("B.java", "imports"))
    assert (
        mechanical_line(files, style)
        == "1 file changed only mechanically and was not reviewed by the model: B.java (imports)."
    )


@pytest.mark.parametrize("style", [MarkdownStyle(), PlainStyle()])
def test_scenario_11_03_the_line_names_three_of_many_files(style: MarkdownStyle | PlainStyle) -> None:
    files = [*(mechanical(f"{name}.java", "imports") for name in "DCBA"), mechanical("a.c", "whitespace")]
    assert mechanical_line(files, style) == (
        "5 files changed only mechanically and were not reviewed by the model: "
        "A.java (imports), B.java (imports), C.java (imports) and 2 more."
    )


@pytest.mark.parametrize(
    ("count", "end"),
    [(2, "A.c (whitespace), B.c (whitespace)."), (3, "C.c (whitespace)."), (4, "C.c (whitespace) and 1 more.")],
)
def test_the_line_says_more_only_where_there_is_more(count: int, end: str) -> None:
    line = mechanical_line([mechanical(f"{name}.c", "whitespace") for name in "ABCD"[:count]], MarkdownStyle())
    assert line.startswith(f"{count} files changed only mechanically and were not reviewed by the model: A.c")
    assert line.endswith(end)


def test_no_mechanical_file_no_line() -> None:
    assert mechanical_line([judged(modified("A.java", "a\n", "b\n"))], MarkdownStyle()) == ""


def test_rules_of_a_file_are_joined() -> None:
    assert "A.java (imports, whitespace)." in render_comment(review(mechanical("A.java", "imports", "whitespace")))


def test_the_parts_stand_in_their_order() -> None:
    comment = render_comment(
        review(
            mechanical("A.java", "imports"),
            reasons=(Reason("size", Level.ORANGE, "m1"), Reason("risky_paths", Level.YELLOW, "m2")),
            receipts=("m4",),
            findings=(
                Finding("model", "h", "a.c", Level.GREEN, "m7"),
                Finding("model", "y", "b.c", Level.YELLOW, "m6"),
                Finding("model", "r", "c.c", Level.RED, "m5"),
            ),
            ratings=(BlockRating("m8.c", 0, 0.9),),
            notes=("m9",),
        )
    )
    marks = [
        "YELLOW, wait.",
        "m1",
        "m2",
        "changed only mechanically",
        "m4",
        "m5",
        "m6",
        "m7",
        "m8.c",
        "m9",
        "<details>",
    ]
    places = [comment.index(mark) for mark in marks]
    assert places == sorted(places)


def test_evidence_says_where_what_and_how_much() -> None:
    evidence = (
        Evidence("src/a.c", 100, Side.OLD, was="x = 1", now="", note="loosened"),
        Evidence("src/b.c", 3, was="y"),
        Evidence("src/c.c", now="z"),
        Evidence(count=1234, limit=1000, note="lines"),
        Evidence(count=5),
        Evidence(limit=6),
        Evidence(),
    )
    lines = render_comment(review(reasons=(Reason("x", Level.YELLOW, "m", evidence),))).split("\n")
    assert lines[5:12] == [
        "  - src/a.c:100 (old version) - `x = 1` -> (nothing), loosened",
        "  - src/b.c:3 - was `y`",
        "  - src/c.c - now `z`",
        "  - 1,234 lines (limit 1,000)",
        "  - 5",
        "  - (limit 6)",
        "  - What to do: A human reviewer reads this and approves this head.",
    ]


def test_evidence_is_bounded_and_the_rest_counted() -> None:
    evidence = tuple(Evidence(f"f{number}.c") for number in range(52))
    comment = render_comment(review(reasons=(Reason("x", Level.YELLOW, "m", evidence),)))
    assert "  - f49.c\n  - and 2 more.\n" in comment
    assert "f50.c" not in comment


def test_long_evidence_of_one_reason_leaves_room_for_the_next() -> None:
    evidence = tuple(Evidence(f"{number:03}" + "x" * 230, note="n" * 490) for number in range(40))
    reasons = tuple(Reason(name, Level.YELLOW, "m", evidence) for name in ("a", "b"))
    comment = render_comment(review(reasons=reasons))
    # 233 + 3 + 490 = 726 bytes each, and 11 times that is within 8,000
    assert comment.count("  - 010") == 2
    assert comment.count("  - and 29 more.\n") == 2


def test_a_lowered_finding_shows_what_it_was_and_why() -> None:
    finding = Finding("model", "x", "a.c", Level.GREEN, "Bad.", 3, 3, original_level=Level.RED, note="approved before")
    comment = render_comment(review(findings=(finding,)))
    assert "- **hint** a.c:3 - Bad. (`model/x`)\n  - Lowered, was **RED**: approved before\n" in comment


def test_the_ranking_never_says_safe() -> None:
    ratings = (
        BlockRating("b.c", 0, 0.5),
        BlockRating("a.c", 0, 0.1),
        BlockRating("a.c", 1, 0.92, ("churn",)),
        BlockRating("c.c", 0, 0.03),
        BlockRating("d.c", 0, None, abstained="no history"),
        BlockRating("d.c", 1, float("nan")),
    )
    for rendered in (render_comment(review(ratings=ratings)), render_text(review(ratings=ratings))):
        assert "safe" not in rendered.lower()
        assert (
            "- a.c is more likely than most changes here to be touched by a later fix (above 92 % of them; churn)\n"
            "- b.c is as likely as most changes here to be touched by a later fix (above 50 % of them)\n"
            "- c.c is less likely than most changes here to be touched by a later fix (above 3 % of them)\n"
            "- 1 block not rated - no history\n"
            "- 1 block not rated - no reason given\n"
        ) in rendered


def test_a_ranking_of_many_files_and_abstentions_is_counted() -> None:
    ratings = [BlockRating(f"f{number}.c", 0, 0.9 - number / 10) for number in range(8)]
    ratings += [BlockRating("g.c", number, None, abstained=f"cause {number}") for number in range(5)]
    comment = render_comment(review(ratings=tuple(ratings)))
    assert "f5.c" not in comment
    assert "- and 3 files ranked below these.\n" in comment
    assert "- 2 blocks not rated - other reasons\n" in comment


def _huge() -> Review:
    wide = "\U00020000" * 2000 + "`@all` "
    evidence = tuple(Evidence(wide, 1, was=wide, now=wide, note=wide) for _ in range(30))
    return review(
        *(mechanical(f"{wide}{number}", "imports") for number in range(9)),
        reasons=tuple(Reason(f"r{number}", Level.YELLOW, wide, evidence, wide) for number in range(20)),
        findings=tuple(
            Finding("model", wide, wide, level, wide, suggestion=wide) for level in Level for _ in range(300)
        ),
        receipts=(wide,) * 50,
        notes=(wide,) * 50,
        holds=(wide,) * 50,
        ratings=tuple(BlockRating(f"{wide}{number}", 0, 0.5, (wide,) * 9) for number in range(90)),
    )


def test_a_comment_has_at_most_60_000_bytes_and_says_what_it_leaves_out() -> None:
    comment = render_comment(_huge())
    assert len(comment.encode()) <= COMMENT_LIMIT == 60_000
    assert "- **YELLOW** `r0`: " in comment
    assert "more reasons did not fit in here; `werkrevisor review --format json` lists all." in comment
    assert "- 1,200 findings did not fit in here;" in comment
    assert "- 300 hints did not fit in here;" in comment
    assert comment.endswith("</details>\n")


def test_shown_and_left_out_add_up() -> None:
    findings = tuple(Finding("model", "x", f"f{number}.c", Level.RED, "m" * 500) for number in range(1000))
    comment = render_comment(review(findings=findings))
    shown = comment.count("- **RED** f")
    assert 0 < shown < 1000
    assert f"- {1000 - shown} more findings did not fit in here;" in comment


def test_text_is_bounded_as_well() -> None:
    assert len(render_text(_huge(), limit=50_000).encode()) <= 50_000


def test_hostile_text_cannot_drive_the_terminal() -> None:
    evil = "a\x1b[2Jb\x9bc\r\x07\udcff\u202e"
    given = review(
        mechanical(evil, evil),
        reasons=(Reason(evil, Level.YELLOW, evil, (Evidence(evil, 1, was=evil, now=evil, note=evil),), evil, evil),),
        findings=(Finding(evil, evil, evil, Level.RED, evil, suggestion=evil, note=evil),),
        receipts=(evil,),
        notes=(evil,),
        holds=(evil,),
        ratings=(BlockRating(evil, 0, 0.5, (evil,)), BlockRating(evil, 0, None, abstained=evil)),
        config_digest=evil,
    )
    shown = render_text(given)
    assert shown.replace("\n", "").isprintable()
    assert "a<U+001B>[2Jb<U+009B>c<U+000D><U+0007>\\xff<U+202E>" in shown


def test_colour_only_where_asked() -> None:
    given = review(reasons=(Reason("size", Level.ORANGE, "m"),))
    assert "\x1b" not in render_text(given)
    coloured = render_text(given, colour=True)
    assert coloured.startswith("\x1b[1;33mYELLOW, wait.\x1b[0m Nothing is wrong")
    assert "- \x1b[1;35mORANGE\x1b[0m size: m\n" in coloured


def test_what_the_forge_does_next_stands_in_the_first_line() -> None:
    given = review(verdict=Level.GREEN, decision=Decision.PASS)
    first = render_comment(given, outlook="The merge is scheduled.").split("\n")[0]
    assert first == "**GREEN, pass.** Nothing stands against this change. The merge is scheduled."
    assert "scheduled" not in render_comment(given)


def test_a_long_suggestion_is_cut_and_says_so() -> None:
    suggestion = "".join(f"line {number}\n" for number in range(1, 33))
    finding = Finding("model", "x", "a.c", Level.RED, "m", suggestion=suggestion)
    for rendered, bar in (
        (render_comment(review(findings=(finding,))), ""),
        (render_text(review(findings=(finding,))), "| "),
    ):
        assert f"    {bar}line 30\n    {bar}[... 2 more lines ...]\n" in rendered
        assert "line 31" not in rendered


def test_a_line_without_a_path_is_one_of_the_input() -> None:
    reason = Reason("skipped_files", Level.ERROR, "m", (Evidence(line=17, note="no header"),))
    assert "  - line 17 of the input - no header\n" in render_comment(review(reasons=(reason,)))

"""However hostile the text in it, a comment has the blocks that we wrote and no others."""

import pytest
from markdown_it import MarkdownIt

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Mode, Reason
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.testing.build import change_set, judged, renamed

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = [
    "`",
    "```\n",
    "\n# GREEN\n",
    "\n\n- GREEN\n  - pass",
    "| a |\n|---|\n| b |",
    "</details>\n<script>",
    "<!-- -->",
    "-->",
    "\n\n    code",
    "1. a",
    "- a",
    "> a",
    "---",
    "\n===\n",
    "*a* __b__ ~~c~~",
    "[a](b) ![a](b) <http://a.b>",
    "\n[a]: http://b.c\n",
    "a  \nb\\\nc",
    "@all #1 !5 :x: www.a.b",
    "[ ] a",
    "",
]


def comment(name: str) -> str:
    row = judged(renamed(name, f"{name}2"), rules=(name,))
    evidence = (Evidence(name, 1, was=name, now=name, note=name), Evidence(note=name or "x"))
    return render_comment(
        Review(
            change_set(row.change),
            (row,),
            ChangeKind.MIXED,
            Mode.RULES,
            Level.YELLOW,
            Decision.WAIT,
            (Reason(name, Level.YELLOW, name, evidence, name, f"{name}r"),),
            (
                Finding("m", name, name, Level.ORANGE, name, 1, 2, Side.OLD, Level.RED, name + "x", name),
                Finding("m", name, name, Level.GREEN, name, note=name, in_change=False),
            ),
            (name,),
            (name,),
            (BlockRating(name, 0, 0.5, (name,)), BlockRating(name, 0, None, (), name)),
            (name,),
            config_digest=f"{name}d",
        )
    )


def blocks(markdown: str) -> list[tuple[str, str]]:
    """Return the blocks, with their text where it must be ours alone."""
    ours = {"html_block", "heading_open"}
    return [
        (token.type, token.content if token.type in ours else "")
        for token in PARSER.parse(markdown)
        if not token.hidden and token.type not in ("paragraph_open", "paragraph_close")
    ]


@pytest.mark.parametrize("name", [name for name in HOSTILE if name])
def test_the_blocks_are_those_of_a_harmless_comment(name: str) -> None:
    assert blocks(comment(name)) == blocks(comment("x"))


@pytest.mark.parametrize("name", HOSTILE)
def test_the_inline_parts_are_text_code_and_our_bold_words(name: str) -> None:
    bold = []
    for token in PARSER.parse(comment(name)):
        for before, leaf in zip([None, *(token.children or [])], token.children or [], strict=False):
            assert leaf.type in {"text", "code_inline", "strong_open", "strong_close"}
            if before is not None and before.type == "strong_open":
                bold.append(leaf.content)
    assert set(bold) == {"YELLOW, wait.", "YELLOW", "ORANGE", "RED", "hint"}

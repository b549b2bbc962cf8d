"""The comment as people read it, pinned word by word; an intended change is one `--snapshot-update`."""

from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from werkrevisor_core.models.change import Origin
from werkrevisor_core.models.classes import Category, ChangeKind, JudgedFile
from werkrevisor_core.models.judges import BlockRating, Usage
from werkrevisor_core.models.ports import Side
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Evidence, Finding, Level, Mode, Reason
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.steps.verdict import decide, worst
from werkrevisor_core.testing.build import HEAD, added, change_set, judged, modified, renamed

SNAPSHOTS = Path(__file__).parent / "snapshots"

LOGIC = judged(modified("A.java", "int x;\n", "int y;\n"), why="line 1 is no import")
IMPORTS = judged(modified("B.java", "import a.B;\n", "import a.C;\n"), rules=("imports",), why="line 1: import")
LOGIN = "src/main/java/net/example/auth/Login.java"


def mechanical(path: str, *rules: str) -> JudgedFile:
    return judged(modified(path, "a\n", "b\n"), rules=rules)


def review(*files: JudgedFile, **given: object) -> Review:
    """Build a review whose verdict and decision follow from its reasons and findings."""
    reasons: tuple[Reason, ...] = given.get("reasons", ())  # type: ignore[assignment]
    findings: tuple[Finding, ...] = given.get("findings", ())  # type: ignore[assignment]
    fields: dict[str, object] = {
        "change": change_set(*(file.change for file in files)),
        "kind": ChangeKind.REFACTORING,
        "mode": Mode.RULES,
        "verdict": worst(reasons, findings),
        "decision": decide(reasons, findings, HEAD, None),
        "config_digest": "c0ffee",
        "seconds": 0.25,
    }
    return Review(files=files, **{**fields, **given})  # type: ignore[arg-type]


def stopped(name: str, level: Level, message: str, *evidence: Evidence, advice: str = "", rule: str = "") -> Review:
    """Build the review of a logic change with one reason."""
    return review(LOGIC, reasons=(Reason(name, level, message, evidence, advice, rule or name),))


def hostile(name: str) -> Review:
    """Build a review in which a hostile text stands wherever a change can put one."""
    return review(
        mechanical(name, "imports"),
        judged(renamed(name, f"src/{name}")),
        reasons=(
            Reason(
                "risky_paths",
                Level.YELLOW,
                f"The path {name} is risky.",
                (Evidence(name, 7, was=name, now=name, note=name),),
                f"A human reads {name}.",
                "risky_paths",
            ),
        ),
        findings=(
            Finding("model", "x", name, Level.ORANGE, name, 1, 2, suggestion=name),
            Finding("model", "y", name, Level.GREEN, name, 3, 3, Side.OLD, Level.RED, note=name),
        ),
        holds=(name,),
        receipts=(name,),
        ratings=(BlockRating(name, 0, 0.9, (name,)), BlockRating(name, 1, None, abstained=name)),
        notes=(name,),
    )


GREEN = {
    "green_clean": review(LOGIC, mode=Mode.LLM, usage=Usage(1234, 56, 0.0123, 4.5, 1)),
    "green_mechanical_only": review(IMPORTS, mechanical("a.c", "whitespace"), kind=ChangeKind.MECHANICAL_ONLY),
    "green_that_waits": review(LOGIC, mode=Mode.LLM, holds=("an open line comment", "the status ci/build")),
    "scenario_11_01_one_mechanical_file": review(LOGIC, IMPORTS, mode=Mode.LLM),
    "scenario_11_03_many_mechanical_files": review(
        *(mechanical(f"{letter}.java", "imports") for letter in "ABCD"), mechanical("a.c", "whitespace")
    ),
}

GATES = {
    "risky_paths": stopped(
        "risky_paths",
        Level.YELLOW,
        "The change touches 1 risky path.",
        Evidence(LOGIN, note="matches **/auth/**"),
        advice="A human reviewer has to look at these files and approve this head.",
    ),
    "size": stopped(
        "size",
        Level.ORANGE,
        "The change is larger than the config allows.",
        Evidence(count=31, limit=30, note="files"),
        Evidence(count=1200, limit=1000, note="lines added and removed"),
        Evidence("A.java", count=800, note="lines, among the largest"),
        advice="The author can split the change; a human reviewer can approve this head as it is.",
    ),
    "rebinding_imports": stopped(
        "rebinding_imports",
        Level.YELLOW,
        "An import binds a used name to another module.",
        Evidence("token.go", 4, was="crypto/rand", now="math/rand", note="rand"),
    ),
    "db_schema": stopped(
        "db_schema",
        Level.YELLOW,
        "The change touches the database schema in 1 file.",
        Evidence("db/V7__drop.sql", note="added"),
    ),
    "open_questions": stopped(
        "open_questions",
        Level.YELLOW,
        "The document of this change has open questions.",
        Evidence("docs/prs/7.md", 40, now="- [ ] Who may do this?"),
    ),
    "pr_doc": stopped(
        "pr_doc",
        Level.YELLOW,
        "The document of this change lacks something.",
        Evidence("docs/prs/7.md", note="has no heading 'The Problem'"),
        Evidence("docs/prs/7.md", 12, now="test_x.XTest.test_y", note="the link names a test that is not there"),
    ),
    "change_kind": stopped(
        "change_kind",
        Level.YELLOW,
        "A change of the kind feature needs a human.",
        Evidence(now="feature", note="kinds that need none: docs_only, tests_only"),
        advice="A human reviewer has to approve this head; the host can add the kind to [categories] auto_approvable.",
    ),
    "own_config_yellow": stopped(
        "own_config",
        Level.YELLOW,
        "The change touches the repository's config, which decides what passes.",
        Evidence(".werkrevisor.toml"),
    ),
    "own_config_red": stopped(
        "own_config",
        Level.RED,
        "The new config of the repository has 1 fault.",
        Evidence(".werkrevisor.toml", note="[mechanical] imports.java has an invalid regex '(unclosed'"),
        advice="The author has to mend the config with a new commit.",
    ),
    "file_modes": stopped(
        "file_modes",
        Level.YELLOW,
        "The lines of the diff do not tell what changed in 2 files.",
        Evidence("run.sh", was="100644", now="100755", note="executable"),
        Evidence("logo.png", was="100644", now="100644", note="binary"),
    ),
    "not_reviewed": stopped(
        "not_reviewed",
        Level.YELLOW,
        "1 file was read by nobody, since no model takes part in this mode.",
        Evidence("A.java", note="main"),
        advice="A human reviewer has to read these files and approve this head; the host can set a mode with a model.",
    ),
    "hidden_text": stopped(
        "hidden_text",
        Level.ORANGE,
        "The change holds text that a reader does not see as it is, in 2 places.",
        Evidence(LOGIN, 12, note="column 17: U+202E (right-to-left override)"),
        Evidence("a\u202egpj.exe", note="path, column 2: U+202E (right-to-left override)"),
        advice="The author can write such characters as escapes; a human reviewer who has looked at the bytes can "
        "approve this head.",
    ),
    "moved_across": stopped(
        "moved_across",
        Level.YELLOW,
        "1 renamed file is something else at the new path.",
        Evidence(
            "ring/ring_windows_test.go",
            was="ring/ring_test.go",
            now="ring/ring_windows_test.go",
            note="suffix: test -> windows test",
        ),
        advice="A human reviewer has to see what each file is at its new path, and approve this head.",
    ),
    "skipped_files": stopped(
        "skipped_files",
        Level.ERROR,
        "The review is incomplete: 2 parts of the change were not read in full.",
        Evidence("A.java", note="the model did not list it as read"),
        Evidence(line=17, note="text that belongs to no file"),
        rule="coverage",
    ),
    "path_judge": review(
        LOGIC,
        mode=Mode.CLASSIFIER,
        reasons=(
            Reason(
                "path_judge",
                Level.YELLOW,
                "1 block is more likely than most changes here to be touched by a later fix, or could not be rated.",
                (Evidence("A.java", 1, note="above 97 % of past changes"),),
                "A human reviewer reads these blocks first and decides.",
                "path_judge",
            ),
        ),
        ratings=(
            BlockRating("A.java", 0, 0.97, ("many authors", "fixed twice")),
            BlockRating("B.java", 0, 0.2),
            BlockRating("C.java", 0, None, abstained="no history of this file"),
        ),
    ),
    "empty": review(
        kind=ChangeKind.EMPTY,
        reasons=(
            Reason("empty", Level.YELLOW, "The change is empty, so there is nothing to judge.", (), "", "change_kind"),
        ),
    ),
    "unverified_input": review(
        LOGIC,
        change=change_set(LOGIC.change, origin=Origin.DIFF, merge_base=None, head=None, base_branch=None),
        reasons=(
            Reason(
                "unverified_input",
                Level.YELLOW,
                "The review read a bare diff, which may lack whole files.",
                (Evidence(count=1, note="files in the diff"),),
                "Review the git range instead.",
                "unverified_input",
            ),
        ),
    ),
    "writing_rules": review(
        judged(added("docs/a.md", "Very long.\n"), Category.DOCS),
        kind=ChangeKind.DOCS_ONLY,
        findings=(
            Finding("rules", "no-very", "docs/a.md", Level.GREEN, "Say it without 'very'.", 1, 1, suggestion="Long.\n"),
            Finding("rules", "short", "docs/a.md", Level.ORANGE, "A sentence has at most 25 words.", 3, 5),
        ),
    ),
}

ERRORS = {
    "config_error": stopped(
        "config",
        Level.ERROR,
        "The config is at fault, so nothing was judged.",
        Evidence(note="[mechanical] imports.java has an invalid regex '(unclosed'"),
        Evidence(note="[size] max_fils is no key; known are max_files and max_lines"),
        advice="The host's operator mends the host file.",
    ),
    "rule_crash": stopped(
        "rule_crashed",
        Level.ERROR,
        "The rule no_print failed in werkrevisor_gate: ZeroDivisionError: division by zero.",
        advice="The operator mends or updates the rule, or switches it off in the host's config.",
        rule="no_print",
    ),
    "rule_hang": stopped(
        "rule_hung",
        Level.ERROR,
        "The rule no_print did not end within 60 seconds.",
        advice="The operator mends or updates the rule, or switches it off in the host's config.",
        rule="no_print",
    ),
    "model_unavailable": stopped(
        "model_unavailable",
        Level.ERROR,
        "The mode needs a model, and no engine is installed and configured.",
        advice="The operator configures an engine or another `[engine] mode`.",
        rule="model",
    ),
}

FORGE = {
    "ci_status": review(
        LOGIC,
        mode=Mode.LLM,
        reasons=(
            Reason(
                "ci_status",
                Level.GREEN,
                "The CI of this head has not succeeded.",
                (Evidence(note="build: is pending"),),
                "The merge follows when the CI has succeeded; the author mends what failed with a new commit.",
                "ci_status",
            ),
        ),
        holds=("The CI of this head has not succeeded", "the line comment on docs/a.md:7 is not answered"),
    ),
    "status_forged": stopped(
        "status_forged",
        Level.RED,
        "A status of this head in the gate's name was not posted by the gate.",
        Evidence(note="werkrevisor/main was set to success by mallory"),
        advice="The maintainer asks who posted it; a new commit is reviewed anew.",
    ),
    "history_edited": stopped(
        "history_edited",
        Level.YELLOW,
        "Somebody changed or deleted result comments of earlier reviews, so nothing is carried over.",
        Evidence(note="The head cccccccccccc has a status of the bot, and its result comment is gone or not valid."),
        advice="A human reviewer finds out who did that and why, reads the change and approves this head.",
    ),
    "red_escalated": stopped(
        "red_escalated",
        Level.RED,
        "The automatic rounds end here: head after head is RED, and a human decides how to go on.",
        Evidence(count=3, limit=3, note="earlier heads in a row were RED"),
        advice="A human reviewer finds out whether the change or the judgement is wrong.",
        rule="red_rounds",
    ),
    "not_gated": review(
        LOGIC,
        mode=Mode.LLM,
        holds=("the base branch lax is not gated (gated is only main)", "the pull request is a draft"),
        withheld=("the base branch lax is not gated (gated is only main)", "the pull request is a draft"),
    ),
}

PEOPLE = {
    "decided_by_people": review(
        LOGIC,
        mode=Mode.LLM,
        decision=Decision.PASS,
        reasons=(Reason("risky_paths", Level.YELLOW, "The change touches 1 risky path.", (Evidence(LOGIN),)),),
        decided_by=(f"bob and eve approved this head ({HEAD}), which answers risky_paths.",),
        notes=(f"The approval of mallory for {'c' * 12} does not count: the host lists this login nowhere.",),
    ),
    "approved_yellow": review(
        LOGIC,
        judged(modified("C.java", "a\n", "b\n"), approved=True),
        mode=Mode.LLM,
        decision=Decision.PASS,
        reasons=(Reason("risky_paths", Level.YELLOW, "The change touches 1 risky path.", (Evidence(LOGIN),)),),
        receipts=(f"The approval of {'a' * 40} by ada holds for {HEAD}: 3 blocks in place, 0 new, 0 missing.",),
    ),
    "lowered_findings": review(
        LOGIC,
        mode=Mode.COMBINED,
        findings=(
            Finding(
                "model", "null", "A.java", Level.ORANGE, "May be None.", 3, 5, Side.NEW, Level.RED, note="unconfirmed"
            ),
            Finding("model", "far", "Z.java", Level.YELLOW, "See there.", in_change=False),
            Finding("model", "old", "A.java", Level.GREEN, "Too long.", 9, 9, Side.OLD, Level.ORANGE, note="approved"),
        ),
        notes=("Uncommitted work is not reviewed.",),
    ),
}

HOSTILE = {
    "hostile_backticks": hostile("a`b``c"),
    "hostile_pipes": hostile("a|b|\\|"),
    "hostile_html": hostile("<img src=x onerror=alert(1)>--></details><!--"),
    "hostile_mention": hostile("@all"),
    "hostile_reference": hostile("#1"),
    "hostile_pull_request": hostile("!5"),
    "hostile_newline": hostile("a\n# Heading\n- GREEN, pass.\r\n"),
    "hostile_right_to_left": hostile("evil\u202egpj.exe"),
    "hostile_zero_width": hostile("a\u200bb\ufeffc"),
    "hostile_bytes": hostile("caf\udce9.txt"),
    "hostile_terminal": hostile("\x1b[2J\x07"),
    "hostile_4000_characters": hostile("a" * 4_000),
    "hostile_link": hostile("[a](http://b.example) www.c.example"),
    "hostile_commit": hostile("deadbeef"),
    "hostile_emoji": hostile(":x:"),
    "hostile_emphasis": hostile("**GREEN** __init__ ~~x~~"),
}

CASES = {**GREEN, **GATES, **ERRORS, **FORGE, **PEOPLE, **HOSTILE}


@pytest.mark.parametrize("case", CASES)
def test_comment(case: str, snapshot: Snapshot) -> None:
    snapshot.snapshot_dir = SNAPSHOTS
    snapshot.assert_match(render_comment(CASES[case], version="1.2.3"), f"{case}.md")


def test_every_snapshot_belongs_to_a_case() -> None:
    assert {path.name for path in SNAPSHOTS.rglob("*") if path.is_file()} == {f"{case}.md" for case in CASES}


@pytest.mark.parametrize("case", ["hostile_4000_characters", "hostile_newline", "green_clean"])
def test_a_comment_is_the_same_each_time(case: str) -> None:
    assert render_comment(CASES[case]) == render_comment(CASES[case])

"""The scenarios of seed PR#11, through the whole engine, with the real rules and `config/werkprobe.toml`."""

from pathlib import Path

import pytest

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.models.result import Review
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.render.comment import render_comment
from werkrevisor_core.testing.build import DictContents, modified, renamed
from werkrevisor_core.testing.run import run
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel

WERKPROBE = (Path(__file__).parents[2] / "config" / "werkprobe.toml").read_text(encoding="utf-8")

A_OLD = "package net.example;\n\npublic class A {\n    int count() {\n        return 1;\n    }\n}\n"
A_NEW = A_OLD.replace("return 1;", "return 2;")
B_OLD = "package net.example;\n\nimport java.util.List;\n\npublic class B {\n    List<String> secret;\n}\n"
B_NEW = B_OLD.replace("import java.util.List;\n", "import java.util.List;\nimport java.util.Map;\n")
C_OLD = "int main(void) {\n  return 0;\n}\n"
C_NEW = "int main(void) {\n    return 0;\n}\n"


def a_java():
    return modified("A.java", A_OLD, A_NEW)


def b_java(path="B.java"):
    return modified(path, B_OLD, B_NEW)


def a_c():
    return modified("a.c", C_OLD, C_NEW)


def reason_ids(review: Review) -> list[str]:
    return [reason.id for reason in review.reasons]


def rules_of(review: Review, path: str) -> tuple[str, ...]:
    return next(file.classification.rules for file in review.files if file.path == path)


def one_file(file, **given) -> tuple[str, ...]:
    return run(file, host=WERKPROBE, judges=[ScriptedModel()], **given).files[0].classification.rules


def test_scenario_11_01_a_file_with_only_import_changes_is_not_sent_to_the_model():
    model = ScriptedModel()
    contents = DictContents({"A.java": A_OLD, "B.java": B_OLD}, {"A.java": A_NEW, "B.java": B_NEW})
    review = run(a_java(), b_java(), host=WERKPROBE, judges=[model], contents=contents)
    assert [file.path for file in model.requests[0].files] == ["A.java"]
    assert model.requests[0].files[0].content == A_NEW
    assert "B.java" not in model.prompt()
    assert "secret" not in model.prompt()
    line = "1 file changed only mechanically and was not reviewed by the model: B.java (imports)."
    assert line in render_comment(review)


def test_scenario_11_02_a_mechanical_file_missing_in_the_prompt_is_no_skipped_file():
    review = run(a_java(), b_java(), host=WERKPROBE, judges=[ScriptedModel()])
    assert "skipped_files" not in reason_ids(review)
    assert review.verdict is Level.GREEN
    assert review.decision is Decision.PASS


def test_scenario_11_03_the_comment_lists_many_mechanical_files_in_one_line():
    files = [b_java(f"{name}.java") for name in ("D", "E", "F", "G")]
    comment = render_comment(run(*files, a_c(), host=WERKPROBE))
    assert (
        "5 files changed only mechanically and were not reviewed by the model: "
        "D.java (imports), E.java (imports), F.java (imports) and 2 more." in comment
    )


IMPORT_LINES = {
    "import": ("import java.util.Map;", "java", "kt", "kts"),
    "package": ("package net.example;", "java", "kt", "kts"),
    "named": ("import { a, b } from './x';", "ts", "tsx", "js", "jsx", "mjs"),
    "use": ("use std::io::{Read, Write};", "rs"),
}


@pytest.mark.parametrize("way", ["added", "removed"])
@pytest.mark.parametrize(("line", "extension"), [(line, ext) for line, *exts in IMPORT_LINES.values() for ext in exts])
def test_scenario_11_04_an_import_line_is_mechanical(line, extension, way):
    rest = {"rs": "\nfn main() {}\n", "java": "\nclass A {}\n", "kt": "\nclass A\n", "kts": "\nval a = 1\n"}
    without = rest.get(extension, "\nexport const c = 1;\n")
    before, after = (without, f"{line}\n{without}") if way == "added" else (f"{line}\n{without}", without)
    assert one_file(modified(f"src/a.{extension}", before, after)) == ("imports",)


@pytest.mark.parametrize("way", ["added", "removed"])
@pytest.mark.parametrize(
    ("extension", "line"),
    [
        ("ts", "import './polyfill';"),
        ("rs", "mod helpers;"),
        ("py", "import os"),
        ("scala", "import a.b.C"),
    ],
)
def test_scenario_11_04_a_line_with_an_effect_is_not_mechanical(extension, line, way):
    rest = "\nx\n"
    before, after = (rest, f"{line}\n{rest}") if way == "added" else (f"{line}\n{rest}", rest)
    assert one_file(modified(f"src/a.{extension}", before, after)) == ()


@pytest.mark.parametrize("way", ["added", "removed"])
def test_scenario_11_04_a_member_of_a_whole_ts_import_is_mechanical(way):
    long = "import {\n  a,\n  b,\n  c,\n} from './x';\n\nexport const d = a + c;\n"
    short = long.replace("  b,\n", "")
    before, after = (short, long) if way == "added" else (long, short)
    assert one_file(modified("src/a.ts", before, after)) == ("imports",)


@pytest.mark.parametrize("way", ["added", "removed"])
@pytest.mark.parametrize("readable", [True, False])
def test_scenario_11_04_a_member_of_a_ts_import_that_begins_outside_the_hunk_is_not_mechanical(way, readable):
    long = "import {\n  a1,\n  a2,\n  a3,\n  a4,\n  b,\n  c,\n} from './x';\n\nexport const d = a1 + c;\n"
    short = long.replace("  b,\n", "")
    before, after = (short, long) if way == "added" else (long, short)
    contents = DictContents({"src/a.ts": before}, {"src/a.ts": after}) if readable else DictContents()
    assert one_file(modified("src/a.ts", before, after), contents=contents) == ()


@pytest.mark.parametrize("way", ["added", "removed"])
@pytest.mark.parametrize(("line", "rules"), [('\t"os"', ("imports",)), ('\t_ "embed"', ()), ('\t. "math"', ())])
def test_scenario_11_04_a_line_of_a_go_import_block(line, rules, way):
    short = 'package main\n\nimport (\n\t"fmt"\n)\n\nfunc main() { fmt.Println() }\n'
    long = short.replace('\t"fmt"\n', f'\t"fmt"\n{line}\n')
    before, after = (short, long) if way == "added" else (long, short)
    assert one_file(modified("main.go", before, after)) == rules


def test_scenario_11_05_one_changed_line_without_a_rule_makes_the_file_not_mechanical():
    after = B_OLD.replace(
        "import java.util.List;\n", "import java.util.List;\nimport java.util.Map;\nimport java.util.Set;\n"
    )
    after = after.replace("package net.example;", "package net.example.shop;")
    after = after.replace("    List<String> secret;\n", "    int x = 1;\n    List<String> secret;\n")
    model = ScriptedModel()
    contents = DictContents({"B.java": B_OLD}, {"B.java": after})
    review = run(modified("B.java", B_OLD, after), host=WERKPROBE, judges=[model], contents=contents)
    assert rules_of(review, "B.java") == ()
    assert "int x = 1;" in review.files[0].classification.why
    assert model.requests[0].files[0].content == after
    assert "+    int x = 1;" in model.requests[0].files[0].diff


@pytest.mark.parametrize("path", ["src/a.c", "src/A.java"])
def test_scenario_11_06_a_changed_indentation_is_mechanical(path):
    assert one_file(modified(path, "a {\n  b();\n}\n", "a {\n    b();\n}\n")) == ("whitespace",)


@pytest.mark.parametrize(
    "path",
    [
        *("app/a.py", "ci.yml", "x.yaml", "Makefile", "rules.mk", "README.md"),
        *("v.haml", "v.pug", "a.coffee", "a.nim", "a.fs"),
    ],
)
def test_scenario_11_06_a_changed_indentation_is_not_mechanical_where_it_has_a_meaning(path):
    assert one_file(modified(path, "a\n  b\nc\n", "a\n    b\nc\n")) == ()


def test_scenario_11_07_a_renamed_file_with_identical_content_is_mechanical():
    file = renamed("old/A.java", "new/A.java", A_OLD)
    assert (file.added, file.removed) == (0, 0)
    assert one_file(file) == ("renamed",)


def test_scenario_11_07_a_renamed_file_with_one_changed_line_is_not_mechanical():
    file = renamed("old/A.java", "new/A.java", B_OLD, B_OLD.replace("import java.util.List;", "import java.util.Set;"))
    assert (file.added, file.removed) == (1, 1)
    assert one_file(file) == ()


def test_scenario_11_08_a_pr_of_mechanical_files_only_is_green_without_a_model_call():
    model, jev = ScriptedModel(), ScriptedJev()
    review = run(b_java(), a_c(), host=WERKPROBE, judges=[model, jev])
    assert review.kind is ChangeKind.MECHANICAL_ONLY
    assert review.verdict is Level.GREEN
    assert model.requests == []
    assert jev.calls == []


def test_scenario_11_09_a_mechanical_change_of_a_risky_path_stays_yellow():
    model = ScriptedModel()
    review = run(b_java("src/main/java/net/example/auth/Login.java"), host=WERKPROBE, judges=[model])
    assert review.verdict is Level.YELLOW
    assert reason_ids(review) == ["risky_paths"]
    assert model.requests == []


def test_scenario_11_11_mechanical_files_do_not_count_for_the_size_limits():
    files = [b_java(f"B{number}.java") for number in range(31)]
    review = run(*files, a_java(), host=WERKPROBE, judges=[ScriptedModel()])
    assert "size" not in reason_ids(review)
    # 32 logic files show that the limit of 30 is at work.
    many = [modified(f"A{number}.java", A_OLD, A_NEW) for number in range(32)]
    assert "size" in reason_ids(run(*many, host=WERKPROBE, judges=[ScriptedModel()]))


def test_scenario_11_11_the_size_check_counts_one_file():
    files = [b_java(f"B{number}.java") for number in range(31)]
    host = WERKPROBE.replace("max_files = 30", "max_files = 0")
    size = next(r for r in run(*files, a_java(), host=host, judges=[ScriptedModel()]).reasons if r.id == "size")
    assert [(item.count, item.limit) for item in size.evidence if item.limit == 0] == [(1, 0)]


@pytest.mark.parametrize("layer", ["host", "repository"])
def test_scenario_11_12_an_invalid_import_regex_is_a_config_error(layer):
    bad = '[mechanical.imports]\njava = ["(unclosed"]\n'
    review = run(a_java(), host=bad) if layer == "host" else run(a_java(), repository=bad)
    assert review.verdict is Level.ERROR
    assert review.decision is Decision.BLOCK
    text = " ".join(item.note for reason in review.reasons for item in reason.evidence)
    assert "[mechanical] imports.java has an invalid regex '(unclosed'" in text
    assert "imports.java has an invalid regex" in render_comment(review)


def test_scenario_11_13_the_repository_config_replaces_the_import_regexes_per_extension():
    host = "[mechanical.imports]\nscala = ['import [\\w.]+']\n"
    files = (
        modified("a.scala", "\nobject A\n", "import a.b.C\n\nobject A\n"),
        modified("A.java", "\nclass A {}\n", "import java.util.Map;\n\nclass A {}\n"),
        modified("a.ts", "\nexport const c = 1;\n", "import { a, b } from './x';\n\nexport const c = 1;\n"),
    )
    review = run(*files, host=host, repository="[mechanical.imports]\njava = []\n")
    assert rules_of(review, "a.scala") == ("imports",)
    assert rules_of(review, "A.java") == ()
    assert rules_of(review, "a.ts") == ("imports",)

import re
import time

import pytest

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Rebinding
from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.testing.build import DictContents, change, modified
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import imports

JAVA = "package net.example;\n\nimport java.util.List;\n\nclass A {\n}\n"
ECMASCRIPT = "import { c } from './c';\n\nrun();\n"
RUST = "use std::fmt;\n\nfn f() {}\n"
TEXT = {
    "java": JAVA,
    "kt": "package net.example\n\nimport java.util.List\n\nclass A\n",
    "kts": "import java.util.List\n\nprintln()\n",
    "rs": RUST,
    "py": "import sys\n\nrun()\n",
    "scala": "import a.b.D\n\nobject X\n",
    **dict.fromkeys(("ts", "tsx", "js", "jsx", "mjs"), ECMASCRIPT),
}


def with_line(extension, line):
    """Return the text of a file without and with one line, above its first import (a package clause: on top)."""
    lines = TEXT[extension].split("\n")
    if line.startswith("package"):
        rest = [one for one in lines if not one.startswith("package")]
        return "\n".join(rest), "\n".join([line, *rest])
    at = next(index for index, one in enumerate(lines) if one.startswith(("import", "use")))
    return "\n".join(lines), "\n".join([*lines[:at], line, *lines[at:]])


SCENARIO_11_04 = [
    *((extension, "import java.util.Map;", ("imports",)) for extension in ("java", "kt", "kts")),
    *((extension, "package net.example;", ("imports",)) for extension in ("java", "kt", "kts")),
    *((one, "import { a, b } from './x';", ("imports",)) for one in ("ts", "tsx", "js", "jsx", "mjs")),
    ("ts", "import './polyfill';", ()),
    ("rs", "use std::io::{Read, Write};", ("imports",)),
    ("rs", "mod helpers;", ()),
    ("py", "import os", ()),
    ("scala", "import a.b.C", ()),
]


@pytest.mark.parametrize(("extension", "line", "rules"), SCENARIO_11_04)
def test_scenario_11_04_an_added_or_removed_import_line(judge_text, extension, line, rules):
    without, with_it = with_line(extension, line)
    path = f"src/a.{extension}"
    assert judge_text(path, without, with_it).rules == rules
    assert judge_text(path, with_it, without).rules == rules


def member(before, after):
    """Return an import of many names without and with the name b."""
    names = [*(f"  a{index}," for index in range(before)), *(f"  c{index}," for index in range(after))]
    text = "\n".join(["import {", *names, "} from './x';", "", "run();", ""])
    return text, text.replace(f"  c{0},", "  b,\n  c0,")


@pytest.mark.parametrize(("before", "rules"), [(2, ("imports",)), (3, ())])
def test_scenario_11_04_a_member_counts_where_the_hunk_shows_the_whole_import(judge_text, before, rules):
    without, with_it = member(before, 2)
    for old, new in ((without, with_it), (with_it, without)):
        assert judge_text("a.ts", old, new).rules == rules
        assert judge_text("a.ts", old, new, DictContents({"a.ts": old}, {"a.ts": new})).rules == rules


GO = 'package a\n\nimport (\n\t"fmt"\n%s)\n\nfunc f() {\n}\n'


@pytest.mark.parametrize(
    ("line", "rules"), [('\t"os"\n', ("imports",)), ('\t_ "embed"\n', ()), ('\t. "math"\n', ())], ids=repr
)
def test_scenario_11_04_an_import_in_a_block_of_go(judge_text, line, rules):
    assert judge_text("a.go", GO % "", GO % line).rules == rules
    assert judge_text("a.go", GO % line, GO % "").rules == rules


def test_an_import_in_a_block_that_the_hunk_cuts_is_not_explained(judge_text):
    old = GO % "".join(f'\t"x{index}"\n' for index in range(9))
    new = old.replace('\t"x5"\n', '\t"x5"\n\t"y"\n')
    assert judge_text("a.go", old, new, DictContents({"a.go": old}, {"a.go": new})).rules == ()


@pytest.mark.parametrize("extension", ["java", "kt", "ts", "go", "rs"])
def test_added_and_removed_files_are_none_of_its_business(judge, extension):
    assert judge(change(f"a.{extension}", Status.ADDED, None, "import a.B;\n")).rules == ()


def test_nothing_is_explained_where_mechanical_changes_are_off(judge_text):
    assert judge_text("A.java", *with_line("java", "import a.B;"), enabled=False).rules == ()


# --- where the hunk begins below the first line


def far(top, line):
    """Return a Java section of many imports without and with a line in its middle."""
    rows = [f"import a.B{index};" for index in range(20)]
    return "\n".join([top, *rows, ""]), "\n".join([top, *rows[:10], line, *rows[10:], ""])


def test_the_place_is_proved_from_the_first_line_of_the_file(judge_text):
    for top, rules in (("package a;", ("imports",)), ("/*", ()), ('class A { String s = """', ()), ("class A {", ())):
        old, new = far(top, "import c.D;")
        assert judge_text("A.java", old, new, DictContents({"A.java": old}, {"A.java": new})).rules == rules


def test_contents_that_do_not_fit_or_cannot_be_read_prove_nothing(judge_text):
    old, new = far("package a;", "import c.D;")
    assert judge_text("A.java", old, new, DictContents({"A.java": old}, {"A.java": old})).rules == ()
    assert judge_text("A.java", old, new, DictContents(unavailable=frozenset({"A.java"}))).rules == ()


@pytest.mark.parametrize(
    ("heading", "rules"),
    [
        (b"", ("imports",)),
        (b"package a;", ("imports",)),
        (b"import a.B0;", ("imports",)),
        (b"class A {", ()),
        (b"public class Gen {", ()),
    ],
)
def test_in_a_bare_diff_the_heading_tells_whether_a_hunk_is_in_the_import_section(judge_hunk, heading, rules):
    text = b"@@ -9,3 +9,4 @@ " + heading + b"\n import a.B;\n+import c.D;\n import e.F;\n \n"
    assert judge_hunk("A.java", text).rules == rules


def test_in_a_bare_diff_a_hunk_may_begin_inside_a_comment(judge_hunk):
    text = b"@@ -9,4 +9,5 @@\n import a.B;\n+import c.D;\n import e.F;\n */\n class A {}\n"
    assert judge_hunk("A.java", text).rules == ()
    text = b"@@ -9,4 +9,5 @@\n  * Licence\n  */\n import a.B;\n+import c.D;\n import e.F;\n"
    assert judge_hunk("A.java", text).rules == ("imports",)


def test_a_hunk_that_follows_the_first_line_without_context_is_not_at_the_begin_of_the_file(judge_hunk):
    text = b"@@ -1,0 +2 @@ class A {\n+import c.D;\n"
    assert judge_hunk("A.java", text).rules == ()


@pytest.mark.parametrize(
    ("path", "text", "rules"),
    [
        ("a.go", b'@@ -5,4 +5,5 @@ import (\n \t"a"\n \t"b"\n+\t"x"\n \t"c"\n )\n', ()),
        ("a.go", b'@@ -5,3 +5,4 @@ package a\n \n import "b"\n+import "x"\n \n', ("imports",)),
        ("a.go", b'@@ -5,3 +5,4 @@ const (\n \n import "b"\n+import "x"\n \n', ()),
        ("a.ts", b"@@ -5,4 +5,5 @@ import {\n   b,\n } from './x';\n+import y from './y';\n \n run();\n", ("imports",)),
        ("a.ts", b"@@ -5,2 +5,3 @@ export const tpl = (\n import x from './x';\n+import y from './y';\n run();\n", ()),
        ("a.rs", b"@@ -5,2 +5,3 @@ use a::b;\n use c::d;\n+use x::y;\n \n", ("imports",)),
        ("a.rs", b"@@ -5,3 +5,4 @@ use a::b;\n \n+use x::y;\n \n use c::d;\n", ()),
        ("a.rs", b"@@ -5,2 +5,3 @@ fn f() {\n use c::d;\n+use x::y;\n \n", ()),
        ("a.rs", b"@@ -5,3 +5,4 @@ fn f() {\n }\n use c::d;\n+use x::y;\n \n", ("imports",)),
        ("a.rs", b"@@ -5,3 +5,4 @@ fn f() {}\n mod t {\n     use c::d;\n+    use x::y;\n \n", ("imports",)),
    ],
)
def test_other_languages_in_a_bare_diff(judge_hunk, path, text, rules):
    assert judge_hunk(path, text).rules == rules


# --- the order of imports


def test_an_import_that_moves_to_another_hunk_may_cross_one_for_its_effect(judge_text):
    rows = [f"import {{ m{index} }} from './m{index}';" for index in range(12)]
    for effect, rules in (("import './polyfill';", ()), ("import { p } from './p';", ("imports",))):
        old = "\n".join([rows[0], *rows[1:6], effect, *rows[6:], "run();", ""])
        new = "\n".join([*rows[1:6], effect, *rows[6:], rows[0], "run();", ""])
        assert judge_text("a.ts", old, new, DictContents({"a.ts": old}, {"a.ts": new})).rules == rules
        assert judge_text("a.ts", old, new).rules == (), "in a bare diff nobody knows what stands between"


# --- names that mean something else


@pytest.mark.parametrize(
    ("path", "old", "new", "rebound"),
    [
        ("A.java", "import a.M;", "import b.M;", [Rebinding("M", "a.M", "b.M", 3)]),
        ("A.java", "import static a.M.f;", "import static b.M.f;", [Rebinding("f", "a.M.f", "b.M.f", 3)]),
        ("A.java", "import a.*;", "import b.*;", [Rebinding("*", "a.*", "b.*", 3)]),
        ("A.java", "import a.M;", "import b.*;", [Rebinding("M", "a.M", "b.*", 3)]),
        ("A.java", "import a.*;", "import b.M;", [Rebinding("M", "a.*", "b.M", 3)]),
        ("A.java", "import a.*;", "import a.M;", []),
        ("A.java", "import a.M;", "import b.N;", []),
        ("A.kt", "import a.M", "import b.N as M", [Rebinding("M", "a.M", "b.N", 3)]),
        ("A.kt", "import a.`is`", "import b.`is`", [Rebinding("is", "a.`is`", "b.`is`", 3)]),
        ("a.go", 'import "crypto/rand"', 'import "math/rand"', [Rebinding("rand", "crypto/rand", "math/rand", 3)]),
        ("a.go", 'import "x/y"', 'import "x/y/v2"', [Rebinding("y", "x/y", "x/y/v2", 3)]),
        ("a.go", 'import "a/yaml.v2"', 'import "a/yaml.v3"', [Rebinding("yaml", "a/yaml.v2", "a/yaml.v3", 3)]),
        ("a.ts", "import { v } from './a';", "import { v } from './b';", [Rebinding("v", "./a", "./b", 3)]),
        ("a.ts", "import { v } from './a';", "import { w as v } from './a';", [Rebinding("v", "./a", "./a (w)", 3)]),
        ("a.ts", "import v from './a';", "import * as v from './a';", [Rebinding("v", "./a (default)", "./a (*)", 3)]),
        ("a.rs", "use a::M;", "use b::{M, N};", [Rebinding("M", "a::M", "b::M", 3)]),
        ("a.rs", "use a::b::{self, c};", "use x::b;", [Rebinding("b", "a::b", "x::b", 3)]),
        ("a.rs", "use ::a::M;", "use b::N as M;", [Rebinding("M", "::a::M", "b::N", 3)]),
    ],
)
def test_names_that_come_from_another_module_are_in_the_proof(judge_text, path, old, new, rebound):
    head = {"a.go": "package a", "A.java": "package a;", "A.kt": "package a"}.get(path, "//! x")
    tail = {"a.ts": "run();", "a.go": "func f() {}", "a.rs": "fn f() {}"}.get(path, "class A")
    before, after = (f"{head}\n\n{line}\n\n{tail}\n" for line in (old, new))
    found = judge_text(path, before, after)
    assert (found.rules, list(found.rebound)) == (("imports",), rebound)
    assert judge_text(path, before, after, rebinding_imports="review").rules == (() if rebound else ("imports",))


def test_a_name_that_is_bound_anew_over_two_hunks_is_told_once(judge_text):
    rows = [f"import a.B{index};" for index in range(12)]
    old = "\n".join(["package a;", "import x.M;", *rows, ""])
    new = "\n".join(["package a;", *rows, "import y.M;", ""])
    found = judge_text("A.java", old, new, DictContents({"A.java": old}, {"A.java": new}))
    assert found.rebound == (Rebinding("M", "x.M", "y.M", 14),)
    assert judge_text("A.java", old, new, rebinding_imports="review").rules == ()


def test_the_proof_says_what_a_line_binds(judge_text):
    old, new = with_line("ts", "import { a, b } from './x';")
    assert [row.proof for row in judge_text("a.ts", old, new).proof] == ["binds a from ./x and 1 more"]
    old, new = with_line("java", "package net.example;")
    assert [row.proof for row in judge_text("A.java", old, new).proof] == ["package clause"]
    singles, block = 'package a\n\nimport "b"\n\nvar x = 1\n', 'package a\n\nimport (\n\t"b"\n)\n\nvar x = 1\n'
    assert {row.proof for row in judge_text("a.go", singles, block).proof} == {
        "binds b from b",
        "opens or closes a list of imports",
    }


# --- the rules of a config


def test_a_regex_of_the_config_has_to_match_the_whole_line(judge_text):
    imports = {"scala": (r"import [\w.]+", r"// ok")}
    for line, rules in (("import a.b.C", ("imports",)), ("import a.b.C; evil()", ()), (" import a.b.C", ())):
        assert judge_text("a.scala", "x\n", f"x\n{line}\n", imports=imports).rules == rules
    assert judge_text("a.scala", "x\r\n", "x\r\nimport a.b.C\r\n", imports=imports).rules == ("imports",)
    assert judge_text("a.scala", "x\n", "// ok\nx\n", imports=imports).rules == ("imports",)


def test_a_regex_sees_bytes_that_are_no_text_as_replacement(judge_text):
    found = judge_text("a.x", b"x\n", b"x\nimport \xff\n", imports={"x": ("import .",)})
    assert found.rules == (), "the core refuses text that is not UTF-8"


def test_an_empty_list_switches_an_extension_off(judge_text):
    assert judge_text("A.java", *with_line("java", "import a.B;"), imports={"java": ()}).rules == ()
    assert judge_text("a.ts", *with_line("ts", "import b from './b';"), imports={"java": ()}).rules == ()


def test_a_grammar_and_a_regex_may_stand_together(judge_text):
    imports = {"java": ("@java", r"// \$Id.*")}
    old, new = with_line("java", "import a.B;")
    assert judge_text("A.java", old, new.replace("class A", "// $Id: 1 $\nclass A"), imports=imports).rules == (
        "imports",
    )


@pytest.mark.parametrize(
    ("imports", "fault"),
    [
        ({"java": ("(unclosed",)}, ".java has an invalid regex '(unclosed'"),
        ({"java": ("@java", "a{2000}")}, ".java has an invalid regex 'a{2000}'"),
        ({"java": ("(?=a)",)}, ".java has an invalid regex '(?=a)'"),
        ({"java": ("\udc80",)}, ".java has an invalid regex '\\udc80'"),
        (
            {"java": ("@jova",)},
            ".java names an unknown import grammar '@jova'; the known ones are @ecmascript, @go, @java, @kotlin, @rust",
        ),
        ({"x": ("@java", "@kotlin")}, ".x names more than one import grammar; a language has one"),
        ({".java": ()}, "..java is no extension; write it without a dot"),
        ({"": ()}, ". is no extension; write it without a dot"),
    ],
)
def test_scenario_11_12_a_fault_in_the_import_rules_is_named(imports, fault):
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
        MechanicalSettings(imports=imports)


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|aa)+", "(.*)*b", "((a*)*)*c", "(a|a)*d"])
def test_no_regex_can_hang_on_a_long_line(judge, pattern):
    # 10,000 bytes are the most that the core lets through; with backtracking this would never end.
    file = modified("a.x", "x\n", "x\n" + "a" * 9_000 + "!\n")
    started = time.process_time()
    assert judge(file, imports={"x": (pattern,)}).rules == ()
    assert time.process_time() - started < 60


@pytest.mark.parametrize("pattern", ["(a+)+", "(.*)*b"])
def test_a_line_of_ten_megabytes_is_matched_in_linear_time(pattern):
    from werkrevisor_rules._support.mechanical import compile_regex  # noqa: PLC0415 (nothing else needs it)

    regex = compile_regex(pattern)
    started = time.process_time()
    assert regex.fullmatch("a" * 10_000_000 + "!") is None
    assert time.process_time() - started < 60


def test_every_hunk_gets_its_answer():
    middle = "    int x;\n" * 20
    file = modified(
        "A.java", f"import a.B;\n\nclass A {{\n{middle}}}\n", f"import a.C;\n\nclass A {{\n{middle}  int y;\n}}\n"
    )
    made = imports.werkrevisor_classifier(contents=NoContents(), settings=MechanicalSettings())
    answers = list(made.explain(file, file.patch.hunks()))
    assert [bool(answer.lines) for answer in answers] == [True, False]

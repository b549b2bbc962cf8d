"""What explains a patch as a whole says the same as what reads it statement by statement."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.models.classes import Rebinding
from werkrevisor_core.models.ports import NoContents
from werkrevisor_core.steps.classify import classify
from werkrevisor_core.testing.build import DictContents, modified, patch
from werkrevisor_core.watchdog import Progress
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import imports, renamed, whitespace

CORPUS = Path(__file__).parents[2] / "corpus"


def judge(file, *, contents=None, line_by_line=False, **settings):
    modules = (imports, renamed, whitespace)
    made = [
        module.werkrevisor_classifier(contents=contents or NoContents(), settings=MechanicalSettings(**settings))
        for module in modules
    ]
    named = [NamedClassifier(module.RULE.name, 0, one) for module, one in zip(modules, made, strict=True)]
    (result,), errors = classify([file], named, Progress(), line_by_line=line_by_line)
    assert not errors
    return result


def plain(path, old, new):
    file = modified(path, old, new)
    text = file.patch.text()
    return evolve(file, plain=text.isascii() and text.decode().replace("\n", "").replace("\t", "").isprintable())


def both(path, old, new, **settings):
    """Return the answer of both ways, which has to be one."""
    file = plain(path, old, new)
    fast, slow = judge(file, **settings), judge(file, line_by_line=True, **settings)
    assert evolve(fast, proof=()) == evolve(slow, proof=())
    return fast


def test_both_ways_agree_on_the_corpus():
    rows = [json.loads(line) for line in (CORPUS / "own.jsonl").read_text(encoding="utf-8").split("\n") if line]
    for row in rows:
        both(row["path"], row["old"], row["new"])


PATHS = ("a.java", "a.kt", "a.ts", "a.js", "a.tsx", "a.go", "a.rs")
LINES = {
    "java": r"""
import a.b.C;
import a.b.D;
import x.y.C;
import static a.b.C.of;
import a.*;
import b.*;
import  a.b.E ;
import a..b;
import a.b.C
 import a.b.F;
import a.b.G; // why
package a;
package b.c;
// note
// \u002a/
/* note */
/*
*/
@Tag
import;
import a.b.C;;
""",
    "kt": r"""
import a.b.C
import a.b.D
import x.y.C
import a.b.C as D
import a.*
import b.*
import a.b.E;
import a.`in`.F
import a..b
 import a.b.F
import a.b.G // why
package a
package b.c
// note
/* note */
/*
*/
@file:Tag
import a.b as
import a.b.C as `x y`
""",
    "ts": r"""
import { a } from './a';
import { b } from './a';
import { a } from './b';
import { a, b as c } from 'x'
import a from "a";
import * as a from 'a';
import a, { b } from 'a';
import a, * as b from 'a';
import type { a } from './a';
import { type a, b } from './a';
import './side';
import {} from './a';
import { a, } from './a';
import { a,, b } from './a';
import { a } from 'https://x/y';
import{a}from'a'
import { a } from './a' with { type: 'json' };
import type a from './a';
import type from './a';
(go)();
import { default as a } from 'a';
import a from'a';
import { a } from 'a'; b();
'use strict';
/*
*/
// @ts-ignore
} from './a';
import {
  a,
with (a) b
import type {} from './a';
import { a as type } from './a';
import { type } from './a';
import { a } from '../lib//a';
""",
    "go": r"""
"fmt"
"os"
x "a/fmt"
_ "side"
. "all"
"C"
"a/b/v2"
"a/c.v3"
"fmt"; "os"
"a b"
func "a"
"fmt" // why
import (
)
package a
import "one"
/*
*/
// note
x"a/os"
"fmt";
//go:embed x
""",
    "rs": r"""
use a::b;
use a::c;
use x::b;
use a::{b, c};
use a::{b as d, self};
use a::*;
use b::*;
use a::{b, c::{d, e}};
pub use a::b;
#[cfg(test)]
use ::a::b;
use a::b as _;
use a::b as c;
use a::{b,};
use a::{};
 use a::b;
use a::b; // why
mod x;
/// doc
/*
*/
use self::a;
use r#in::a;
use a::{b::c, d};
use a;
use crate::{a as b, c as d};
""",
}
LINES = {name: [line for line in text.split("\n") if line] for name, text in LINES.items()}
LINES["go"] = [line if line[:1] in "ip)/*" else "\t" + line for line in LINES["go"]]
LINES["js"] = LINES["tsx"] = LINES["ts"]
CODE = {
    "java": "class A {",
    "kt": "class A",
    "ts": "run();",
    "js": "run();",
    "tsx": "run();",
    "go": "func f() {",
    "rs": "fn f() {",
}
AROUND = ["", "", "", "  ", "\t"]


@st.composite
def changes(draw):
    """Draw (path, old, new) of a file that is mostly imports."""
    path = draw(st.sampled_from(PATHS))
    extension = path.rpartition(".")[2]
    common = LINES[extension][:4]
    line = st.one_of(
        st.sampled_from(common), st.sampled_from(LINES[extension]), st.sampled_from([*AROUND, CODE[extension]])
    )
    block = st.lists(line, max_size=5)
    new, old = [], []
    if draw(st.booleans()):
        head = ["package a", "", "import ("] if extension == "go" else draw(block)
        old, new = [*head], [*head]
    for _ in range(draw(st.integers(1, 3))):
        gone, come, kept = draw(st.lists(line, max_size=2)), draw(st.lists(line, max_size=2)), draw(block)
        old += [*gone, *kept]
        new += [*come, *kept]
    tail = [*([")"] if extension == "go" else []), "", CODE[extension], *["x"] * draw(st.sampled_from([0, 9]))]
    return path, "\n".join([*old, *tail, ""]), "\n".join([*new, *tail, ""])


@given(changes(), st.sampled_from(["human", "review", "allow"]))
def test_both_ways_agree(change, rebinding):
    path, old, new = change
    if old != new:
        both(path, old, new, rebinding_imports=rebinding)


SWEPT = [
    ("a.java", ["import a.B;", "import a.C;"], ["import a.B;", "import b.D;"], "binds C from a.C"),
    ("a.java", ["import static a.B.c;", "import d.E;"], ["import a.*;", "import d.E;"], "binds c from a.B.c"),
    ("a.kt", ["package x", "", "import a.B", "import a.C as D"], ["package x", "", "import a.B"], "binds D from a.C"),
    ("a.ts", ["import { a, b as c } from './a';", "export {};"], ["export {};"], "binds a from ./a and 1 more"),
    ("a.ts", ["export {};"], ["import d, * as e from 'x'", "export {};"], "binds d from x (default) and 1 more"),
    ("a.js", ["import d, { e } from 'x';", "export {};"], ["export {};"], "binds d from x (default) and 1 more"),
    ("a.go", ["package a", "import (", '\t"a/b"', ")"], ["package a", "import (", ")"], "binds b from a/b"),
    ("a.rs", ["use a::b;"], ["use a::{c as d, e};"], "binds b from a::b"),
]  # fmt: skip


BELOW = [
    ("a.java", "import a.Z;", "import b.C;", "import b.D;"),
    ("a.kt", "import a.Z", "import b.C", "import b.D"),
    ("a.ts", "import { z } from 'z';", "import { c } from 'b';", "import { d } from 'b';"),
    ("a.rs", "use a::Z;", "use b::C;", "use b::D;"),
]


def below(path, heading, above, gone, come):
    text = f"@@ -40,4 +40,4 @@ {heading}\n {above}\n-{gone}\n+{come}\n \n x();\n"
    given = patch(text.encode())
    file = evolve(plain(path, "a\n", "b\n"), patch=given, added=1, removed=1)
    fast, slow = judge(file), judge(file, line_by_line=True)
    assert evolve(fast, proof=()) == evolve(slow, proof=())
    return fast.rules


@pytest.mark.parametrize(("path", "above", "gone", "come"), BELOW)
def test_a_heading_that_may_open_a_comment_or_a_literal_is_refused(path, above, gone, come):
    assert below(path, above, above, gone, come) == ("imports",)
    for tail in (" /*", ' s = """', " x = `"):
        assert below(path, above + tail, above, gone, come) == ()


MODULE_OR_SCRIPT = [
    (["import { a } from './a';", "run();"], ["run();"], False),
    (["run();"], ["import { a } from './a';", "run();"], False),
    (["import { a } from './a';", "run();"], ["import { b } from './a';", "run();"], True),
    (["import { a } from './a';", "import './b';", "run();"], ["import './b';", "run();"], True),
    (["import { a } from './a';", "export { run };"], ["export { run };"], True),
    (["import { a } from './a';", "/*", "export {};", "*/"], ["/*", "export {};", "*/"], False),
    (["import { a } from './a';", "export.run();"], ["export.run();"], False),
]


@pytest.mark.parametrize("extension", ["ts", "js", "jsx", "tsx"])
@pytest.mark.parametrize(("old", "new", "explained"), MODULE_OR_SCRIPT)
def test_no_import_makes_a_module_of_a_script(extension, old, new, explained):
    found = both(f"a.{extension}", "\n".join([*old, ""]), "\n".join([*new, ""]))
    assert (found.rules == ("imports",)) is explained


def test_what_is_a_module_by_its_name_is_one_without_imports():
    assert both("a.mjs", "run();\n", "import { a } from './a';\nrun();\n").rules == ("imports",)


@pytest.mark.parametrize(("path", "old", "new", "proof"), SWEPT)
def test_the_plainest_patches_are_explained_as_a_whole(path, old, new, proof):
    found = both(path, "\n".join([*old, ""]), "\n".join([*new, ""]))
    assert found.rules == ("imports",)
    assert found.why.endswith(proof)
    assert found.proof == ()


@pytest.mark.parametrize(
    ("path", "old", "new", "rebound"),
    [
        ("a.java", ["import a.C;"], ["import b.C;"], Rebinding("C", "a.C", "b.C", 2)),
        ("a.java", ["import a.C;"], ["import b.*;"], Rebinding("C", "a.C", "b.*", 2)),
        ("a.kt", ["import a.C"], ["", "import b.D as C"], Rebinding("C", "a.C", "b.D", 3)),
        ("a.ts", ["import { c } from './a';"], ["import c from './a';"], Rebinding("c", "./a", "./a (default)", 2)),
        ("a.rs", ["use a::c;"], ["use b::{d, e as c};"], Rebinding("c", "a::c", "b::e", 2)),
    ],
)
def test_what_is_bound_anew_is_told_with_its_line(path, old, new, rebound):
    first = {"java": "import x.Y;", "kt": "import x.Y", "ts": "import { y } from 'y';", "rs": "use x::y;"}
    lines = [first[path.rpartition(".")[2]]]
    tail = ["", CODE[path.rpartition(".")[2]], ""]
    found = both(path, "\n".join([*lines, *old, *tail]), "\n".join([*lines, *new, *tail]))
    assert found.rebound == (rebound,)


def test_what_only_moves_binds_nothing_anew():
    found = both("a.java", "import a.B;\nimport c.D;\nimport e.F;\n", "import c.D;\nimport e.F;\nimport a.B;\n")
    assert (found.rules, found.rebound, found.proof) == (("imports",), (), ())


@pytest.mark.parametrize(
    "text",
    [
        # code between imports of another hunk, and a hunk that a comment ends in
        b"@@ -9,3 +9,3 @@ import x.Y;\n import a.B;\n-import c.D;\n+import c.E;\n */\n",
        b"@@ -9,3 +9,3 @@ class A {\n import a.B;\n-import c.D;\n+import c.E;\n \n",
        b"@@ -9,3 +9,3 @@\n import a.B;\n-import c.D;\n+import c.E;\n\v\n",
    ],
)
def test_a_doubtful_place_is_looked_at_closer(text):
    file = evolve(modified("a.java", "x\n", "y\n", patch=patch(text)), plain=True)
    assert judge(file).rules == judge(file, line_by_line=True).rules == ()


def test_a_file_whose_text_can_be_read_is_read():
    texts = "import a.B;\nimport c.D;\n\nclass A {}\n", "import a.B;\nimport c.E;\n\nclass A {}\n"
    found = judge(plain("a.java", *texts), contents=DictContents({"a.java": texts[0]}, {"a.java": texts[1]}))
    assert (found.rules, bool(found.proof)) == (("imports",), True)


def test_where_regexes_are_configured_lines_are_read_one_by_one():
    found = judge(plain("a.java", "import a.B;\n", "import a.B;\nimport c.E;\n"), imports={"java": ("@java", "use .*")})
    assert (found.rules, bool(found.proof)) == (("imports",), True)

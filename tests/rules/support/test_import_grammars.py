import pytest

from werkrevisor_rules._support.bindings import Binding
from werkrevisor_rules._support.imports_ecmascript import EcmaScriptImports
from werkrevisor_rules._support.imports_go import GoImports, package_name
from werkrevisor_rules._support.imports_java import JavaImports, KotlinImports
from werkrevisor_rules._support.imports_rust import RustImports


def plain(grammar, text, known=True):
    """Return what the plain statements of a text bind."""
    data = text.encode()
    found = grammar.statements(data, len(data), known=known)
    return [binding.name for statement in found if statement.plain for binding in statement.bindings]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("use a::{b, c::{d as e, f::*}, g::{self}};\n", ["b", "e", "*", "g"]),
        ("use {a, ::b};\n", ["a", "b"]),
        ("use a::{b c};\n", []),
        ("use a::{b,, c};\n", []),
        ("use a::::b;\n", []),
        ("use a::{;\n", []),
        ("use a::b as;\n", []),
        ("use a::b as 1;\n", []),
        ("use a::b};\n", []),
        ("use 1;\n", []),
        ("use ;\n", []),
        ("use a\u00a0b;\n", []),
        ("use " + "a::{" * 40 + "b" + "}" * 40 + ";\n", []),
        ("#!/usr/bin/env run-cargo-script\nuse a::b;\n", ["b"]),
        ("#!/usr/bin/env", []),
        ("#![deny(x)]\n#![allow(y)]\nuse a::b;\n", ["b"]),
        ("}\nuse a::b;\n", []),
        ('const X: &str = "\nuse a::b;\n', []),
        ("/* a\nuse a::b;\n", []),
        ("foo!(a);\nuse a::b;\n", ["b"]),
        ("static A: [u8; 2] = [1, 2];\nuse a::b;\n", ["b"]),
        ("// " + "x" * 5000 + "\nuse a::b;\n", []),
        ("//// no documentation\n/***/\nuse a::b;\n", ["b"]),
        ("use a::b;use c::d;\n", []),
        (" " * 400 + "use a::b;\n", []),
    ],
)
def test_rust(text, names):
    assert plain(RustImports(), text) == names


def test_rust_in_a_text_that_begins_anywhere():
    assert plain(RustImports(), "use a::b;\nuse c::d;\n", known=False) == ["d"], (
        "an attribute may stand above the first"
    )
    assert plain(RustImports(), "}\nuse a::b;\n    use c::d;\n", known=False) == ["b"]
    assert plain(RustImports(), "  mod x {\n  use a::b;\n", known=False) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a from './a'\nimport b from './b'\n", ["a", "b"]),
        ("import a from './a'\n;f()\n", []),
        ("import a from './a'\nwith ({})\n", []),
        ("import a from './a'\nwithin()\n", ["a"]),
        ("f(\n", []),
        (")\nimport a from './a'\n", []),
        ("f(import('a'))\nimport a from './a'\n", ["a"]),
        ("f()\nimport('a')\nimport a from './a'\n", ["a"]),
        ("f()\nimport.meta;\nimport a from './a'\n", ["a"]),
        ("f()\nexport default\nimport a from './a'\n", []),
        ("f()\n  import a from './a'\n", ["a"]),
        ("f(); import a from './a'\n", []),
        ("import { a as b, type c, } from './a'\n", ["b", "c"]),
        ("import { a b } from './a'\n", []),
        ("import { a\u00a0} from './a'\n", []),
        ("import { '\n", []),
        ("x = '\nimport a from './a'\n", []),
    ],
)
def test_ecmascript(text, names):
    assert plain(EcmaScriptImports(jsx=False, types=True, scripts=True), text) == names


def test_ecmascript_reads_no_further_than_it_is_asked():
    text = b"f();\n" * 9 + b"import a from './a';\n"
    assert EcmaScriptImports(jsx=True, types=True, scripts=True).statements(text, 10, known=True) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('package a\nimport ("b")\n', []),
        ('package a\nimport ( // x\n"b"\n)\n', ["b"]),
        ('package a\nimport (\n"b"; "c"\n"d"\n)\n', ["d"]),
        ("package a\nimport (\nb\n)\n", []),
        ("package a\nimport (\n)\n", []),
        ('package a; import "b"\n', []),
        ('package a // x\nimport b "c"\nimport . "d"\nimport _ "e"\n', ["b"]),
        ('package a\nvar x = 1\nimport "b"\n', []),
    ],
)
def test_go(text, names):
    assert plain(GoImports(), text) == names


@pytest.mark.parametrize(
    ("path", "name"),
    [("os", "os"), ("a/b", "b"), ("a/b/v2", "b"), ("a/yaml.v3", "yaml"), ("v2", "v2"), ("a/b.c", "b.c")],
)
def test_a_go_path_binds_its_last_part(path, name):
    assert package_name(path) == name


def test_go_looks_no_further_than_a_hunk_that_shows_no_block():
    assert GoImports().quick([b" package a", b" ", b"+", b" var x"], 2, known=True) is None
    assert GoImports().quick([b" package a", b"+"], 1, known=True) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("package a;\nimport b.C; import d.E;\n", []),
        ("// \\u000a\nimport b.C;\n", []),
        ("import b.C;\n// \\u000a\nclass A {}\n", ["C"]),
        ("import b.\u00e4;\nimport c.\u00a0;\n", ["\u00e4"]),
        ("#!x", []),
    ],
)
def test_java(text, names):
    assert plain(JavaImports(), text) == names


def test_kotlin_needs_its_comments_closed():
    assert plain(KotlinImports(), "/* /* */\nimport a.B\n") == []
    assert plain(KotlinImports(), "/* /* */ */\nimport a.B\n") == ["B"]


@pytest.mark.parametrize("grammar", [GoImports(), JavaImports(), KotlinImports(), RustImports()])
def test_only_ecmascript_cares_for_the_head_of_a_file(grammar):
    assert not grammar.wakes([b"'use client';"], whole=True)
    assert EcmaScriptImports(jsx=True, types=True, scripts=True).wakes([b"'use client';"], whole=True)
    assert not EcmaScriptImports(jsx=True, types=True, scripts=True).wakes([b"// words"], whole=True)
    assert EcmaScriptImports(jsx=True, types=True, scripts=True).wakes([b"// words"], whole=False)


def test_bindings_are_told_with_their_origin():
    found = JavaImports().statements(b"import static a.B.c;\n", 20, known=True)
    assert found[0].bindings == (Binding("c", "a.B.c"),)

"""The readers of config formats: what they say, and what they refuse."""

import pytest

from werkrevisor_rules._support.weakening_config.flow import read_json
from werkrevisor_rules._support.weakening_config.ini import read_ini
from werkrevisor_rules._support.weakening_config.objects import read_objects
from werkrevisor_rules._support.weakening_config.toml import read_toml
from werkrevisor_rules._support.weakening_config.tree import (
    MAX_TEXT,
    Items,
    Scalar,
    Table,
    UnreadableConfig,
    items_of,
    table_of,
    text_of,
    walk,
)
from werkrevisor_rules._support.weakening_config.xml import read_xml
from werkrevisor_rules._support.weakening_config.yaml import read_yaml


def plain(node):
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node.entries}


def lines(node):
    return {".".join(keys): line for keys, line, found in walk(node) if isinstance(found, Scalar)}


YAML = [
    ("", []),
    ("# nothing\n", []),
    ("just text\n", "just text"),
    ("a: 1\nb: two words # no\nc:\n", {"a": "1", "b": "two words", "c": ""}),
    ("on: [push, {a: b}, c: d]\n", {"on": ["push", {"a": "b"}, {"c": "d"}]}),
    ("- a\n-\n  b: c\n- - d\n  - e\n-\n", ["a", {"b": "c"}, ["d", "e"], ""]),
    ("a:\n- b\n- c: d\n  e: f\n", {"a": ["b", {"c": "d", "e": "f"}]}),
    ("'a b' : it\n\"c\" : 'it''s'\nd: \"x\\ty\\u0041\\x42\\q\"\n", {"a b": "it", "c": "it's", "d": "x\tyABq"}),
    ('a: "one\n  two \\\n  three"\n', {"a": "one two three"}),
    ("a: 'one\n\n  two\n  '\n", {"a": "one\ntwo "}),
    ("a: b\n  c\n\n  d # e\nf: g\n", {"a": "b c\nd", "f": "g"}),
    ("a: b # c\n  \nd: e\n", {"a": "b", "d": "e"}),
    ("a: b\n# c\nd: http://x:80/#y\n", {"a": "b", "d": "http://x:80/#y"}),
    ("a: |\n  x\n    y\n\nb: >-\n  x\n  y\n\n    z\n  w\n", {"a": "x\n  y", "b": "x y\n\n  z\nw"}),
    ("a: |2 # c\n   x\nb: >+1\n  y\nc: |\n", {"a": " x", "b": " y", "c": ""}),
    ("a: |\n\n  x\n", {"a": "\nx"}),
    ("- |\n x\n- y\n", ["x", "y"]),
    ("|\n x\n", "x"),
    ("x: &a\n  b: 1\n  c: 2\ny:\n  <<: *a # d\n  c: 3\nz: *a\n", {"x": {"b": "1", "c": "2"}, "y": {"c": "3", "b": "1"}, "z": {"b": "1", "c": "2"}}),
    ("- &a {b: 1}\n- &c {d: 2}\n- <<: [*a, *c]\n", [{"b": "1"}, {"d": "2"}, {"b": "1", "d": "2"}]),
    ("a: !reference [x, y]\nb: !t &z text\nc: *z\n", {"a": ["x", "y"], "b": "text", "c": "text"}),
    ("- !t\n  a: b\n- &x\n  c\n", [{"a": "b"}, "c"]),
    ("%YAML 1.2\n--- # c\na: 1\n...\n---\nb: 2\n", [{"a": "1"}, {"b": "2"}]),
    ("a:\n---\nb\n", [{"a": ""}, "b"]),
    ("a: b\n---\n- c\n---\nd: |\n x\n---\n", [{"a": "b"}, ["c"], {"d": "x"}]),
    ("a: |\n  x\n--- # e\nb: c\n---\ny\n", [{"a": "x"}, {"b": "c"}, "y"]),
    ("a: [\n  b, # c\n  'd',\n]\ne: {f, g: , h: [i]}\n", {"a": ["b", "d"], "e": {"f": "", "g": "", "h": ["i"]}}),
    ("# c\n[a, b]\n", ["a", "b"]),
    ("a: x:y\n-b: c\n", {"a": "x:y", "-b": "c"}),
    ("\ufeffa: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
    ("a : b\n\"c: d\n", None),
    ("text # a: b\n", "text"),
    ("*a : b\n", None),
    ("'a'\n", "a"),
    ("a:\n- b\nc: d\n", {"a": ["b"], "c": "d"}),
    ("two\n---\nb\n", ["two", "b"]),
    ("a: [&x b, !t c, *x, {d: *x}]\ne: *x\n", {"a": ["b", "c", "b", {"d": "b"}], "e": "b"}),
    ("a: [*x]\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), YAML)
def test_yaml(text, said):
    if said is None:
        with pytest.raises(UnreadableConfig):
            read_yaml(text)
    else:
        assert plain(read_yaml(text)) == said


def test_yaml_knows_its_lines():
    text = "a: 1\nb:\n  - c\n  - d: |\n      x\n      y\n"
    assert lines(read_yaml(text)) == {"a": 1, "b.[]": 3, "b.[].d": 4}
    block = table_of(items_of(table_of(read_yaml(text)).get("b"))[1]).get("d")
    assert (block.line, block.literal) == (5, True)


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c", "a: 1\na: 2", "- a\n  b: c", "\ta: b", "? a\n: b", "?\n", "--- a: b", "a: *b", "a: &b\n  - *b", "a: @b",
        "a: `b", "a: %b", "a: [b", "a: [b c: {", "a: {b: 1, b: 2}", "a: {[b]: c}", "a: [b] c", "a: 'b", "a: |x\n b",
        "a:\n  b: c\n   d: e", "a:\n    b: c\n  d: e", "<<: b\n", "a: b\n  c: d\n", "a: [[b]: c]", "[" * 60, "- " * 60,
        "a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 60)), "a" * (MAX_TEXT + 1), "a: b\nc\n", "a: [, ]",
    ],
)  # fmt: skip
def test_yaml_that_is_not_read(text):
    with pytest.raises(UnreadableConfig):
        read_yaml(text)


@pytest.mark.parametrize(
    "text",
    ["a: '" + " " * 300_000 + "\n'", "\n" * 300_000, "a: " + "#" * 300_000, "- a\n\n" * 30_000, "a: b" + " " * 300_000],
    ids=["quote", "blank", "hash", "items", "spaces"],
)
def test_yaml_of_a_length_that_hurts_is_read(text):
    assert read_yaml(text) is not None


def test_aliases_that_multiply_are_not_walked_to_the_end():
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    with pytest.raises(UnreadableConfig):
        list(walk(read_yaml(text)))


def test_json():
    text = '\ufeff// c\n{"a": [1, true, null,], /* d */ "b": {"c\\n": "x\\u0041"},}\n'
    assert plain(read_json(text)) == {"a": ["1", "true", "null"], "b": {"c\n": "xA"}}
    assert lines(read_json('{\n "a": 1,\n "b":\n 2}')) == {"a": 2, "b": 3}


@pytest.mark.parametrize(
    "text", ["", "{", "[1 2]", "{} x", '{"a": 1, "a": 2}', "[" * 99, "[/*", " " * (MAX_TEXT + 1), '{"a" 1}']
)
def test_json_that_is_not_read(text):
    with pytest.raises(UnreadableConfig):
        read_json(text)


def test_toml_with_its_lines():
    text = '[a]\nb = 1\nc.d = ["x",\n"y"]\n[[t]]\nx = 1\n[[t]]\nx = 2\n[a."q.r"]\nz = true\nu = { v = 1 }\n[m]\n'
    root = read_toml(text)
    assert plain(root) == {
        "a": {"b": "1", "c": {"d": ["x", "y"]}, "q.r": {"z": "true", "u": {"v": "1"}}},
        "t": [{"x": "1"}, {"x": "2"}],
        "m": {},
    }
    assert {key: line for key, line in lines(root).items() if "[]" not in key} == {
        "a.b": 2,
        "a.q.r.z": 10,
        "a.q.r.u.v": 11,
    }
    assert [entry.line for table in table_of(root).get("t").items for entry in table.entries] == [6, 8]


@pytest.mark.parametrize(
    "text",
    ["a = ", "a = " + "[" * 5_000, "." * 600, "a" * (MAX_TEXT + 1), "a = " + "[" * 60 + "]" * 60, "a." * 60 + "a = 1"],
)
def test_toml_that_is_not_read(text):
    with pytest.raises(UnreadableConfig):
        read_toml(text)


def test_ini():
    text = "\ufefftop = 1\n[a]\n# c\nb = x ; d\nlist =\n    one\n\n    two\nb: y\n[b] # e\nodd line\n"
    assert plain(read_ini(text)) == {"": {"top": "1"}, "a": {"b": "y", "list": "one\ntwo"}, "b": {}}
    assert lines(read_ini("[a]\nb = c\n"))["a.b"] == 2
    with pytest.raises(UnreadableConfig):
        read_ini("x" * (MAX_TEXT + 1))


def test_xml():
    root = read_xml('<m:a xmlns:m="u">\n  <b c="d">x</b>\n  <b/>\n</m:a>')
    assert (root.name, root.line, root.child_text("b"), root.child_text("z")) == ("a", 1, "x", "")
    assert [(child.line, child.attributes) for child in root.children] == [(2, {"c": "d"}), (3, {})]


@pytest.mark.parametrize(
    "text",
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<a>", "", "<a>" * 99, "x" * (MAX_TEXT + 1), '<?xml version="1.0" encoding="no"?><a/>'],
)  # fmt: skip
def test_xml_that_is_not_read(text):
    with pytest.raises(UnreadableConfig):
        read_xml(text)


JS = [
    ("module.exports = { a: 1, 'b': [\"c\", `d`] };\n", {"a": "1", "b": ["c", "d"]}),
    ("export default defineConfig({ test: { include: ['x'] } })\n", {"test": {"include": ["x"]}}),
    ("// c {\n/* } */ const a = { b: /[{]/, c: x ? 2 : 0, };\n", {"b": "/[{]/", "c": "x ? 2 : 0"}),
    ("export default [{ rules: { r: 'off' } }, other]\n", {"items": [{"rules": {"r": "off"}}, "other"]}),
    ("a({ b: 1 }, { c: 2 })\n", {"items": [{"b": "1"}, {"c": "2"}]}),
    ("x = { f() { return 1; }, g: [h(1), k({ z: 1 })] }\n", {"g": ["h()", {"z": "1"}]}),
    ("x = { ...y, a: 'it\\'s' }\n", {"a": "it's"}),
    ("a: 1\n", {"a": "1"}),
    ("x = { a: { b: 1 }.c(2) }\n", {"a": {"b": "1"}}),
    ("x = { a: { b: 1 } + c({}), d: e.f, g: (h) }\n", {"a": {}, "d": "e.f", "g": "()"}),
    ("type A = { b: string; c: d::e }\n", {"b": "string", "c": "d : : e"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), JS)
def test_objects(text, said):
    assert plain(read_objects(text)) == said


def test_objects_know_their_lines():
    assert lines(read_objects("module.exports = {\n  a: 1,\n  b: {\n    c: 'd',\n  },\n};\n")) == {"a": 2, "b.c": 4}


@pytest.mark.parametrize("text", ["{", "}", "{]", "{" * 60, "'x", "x" * (MAX_TEXT + 1), "/[" * 5_000])
def test_objects_that_are_not_read(text):
    with pytest.raises(UnreadableConfig):
        read_objects(text)


def test_nodes_of_another_kind_are_empty():
    assert (text_of(Table(1)), table_of(None), items_of(None), items_of(Scalar(1, "a"))) == (
        None,
        Table(0),
        (),
        (Scalar(1, "a"),),
    )

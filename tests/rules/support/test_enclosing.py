import pytest

from werkrevisor_rules._support.enclosing import enclosing_paths


def paths(text, name="a.py"):
    return enclosing_paths(name, text.encode().split(b"\n"))


def path_of(line, text, name="a.py"):
    lines = text.split("\n")
    return paths(text, name)[lines.index(line)]


PYTHON = "class A:\n    def f(self):\n        one\n\n        two\n    def g(self):\n        three\nfour"


def test_a_line_is_enclosed_by_the_lines_of_smaller_indentation_above():
    found = paths(PYTHON)
    assert found[0] == found[7] == b""
    assert found[1] == found[5] != b""
    assert found[2] == found[4] != found[6]


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (PYTHON.replace("class A", "class B"), False),
        (PYTHON.replace("def f", "def h"), False),
        (PYTHON.replace("        one\n", "        if x:\n            one\n"), True),
        (PYTHON.replace("        one\n", "        if x:\n"), True),
        ("import x\n\n" + PYTHON, True),
        (PYTHON.replace("        two", "            two"), False),
    ],
)
def test_what_encloses_a_line_tells_it_from_its_lookalike(changed, same):
    line = "            two" if "            two" in changed else "        two"
    assert (path_of(line, changed) == path_of("        two", PYTHON)) is same


def test_a_brace_of_its_own_is_named_by_the_line_above_it():
    one, two = "int f(void)\n{\n  a;\n}\n", "int g(void)\n{\n  a;\n}\n"
    assert path_of("  a;", one, "a.c") != path_of("  a;", two, "a.c")
    assert path_of("  a;", "{\n  a;\n}\n", "a.c") != path_of("  a;", one, "a.c")


def test_tabs_and_blanks_are_the_same_indentation():
    assert path_of("\t\tx", "a\n\tb\n\t\tx") == path_of("                x", "a\n        b\n                x")


def test_a_directive_of_the_preprocessor_encloses_nothing():
    text = "int f(void) {\n  a;\n#ifdef X\n  b;\n#endif\n  c;\n}\n"
    assert path_of("  a;", text, "a.c") == path_of("  c;", text, "a.c")
    assert path_of("#endif", text, "a.c") == b""
    assert path_of("  a;", text, "a.py") != path_of("  c;", text, "a.py")


@pytest.mark.parametrize("name", ["a.toml", "a.ini", "A.CFG", "a.conf"])
def test_a_section_title_encloses_what_follows(name):
    text = "[a]\nx = 1\n\n[b]\ny = 1\n  z = 2\n"
    assert path_of("x = 1", text, name) != path_of("y = 1", text, name)
    assert path_of("x = 1", text, name) == path_of("y = 1", text.replace("[b]\n", ""), name)
    assert path_of("[b]", text, name) == b""
    assert path_of("  z = 2", text, name) != path_of("  z = 2", text.replace("[b]", "[c]"), name)


def test_a_heading_encloses_its_paragraph():
    text = "# One\n\nfirst\n\n## Two\n\nsecond\n"
    assert path_of("first", text, "a.md") != path_of("second", text, "a.md")
    assert path_of("first", text, "a") == path_of("second", text, "a") == b""


def test_text_of_any_encoding_has_paths():
    assert enclosing_paths("a", [b"\xff\xfe", b"  x"])[1] != enclosing_paths("a", [b"\xff", b"  x"])[1]

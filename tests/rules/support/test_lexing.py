from contextlib import suppress

import pytest

from werkrevisor_rules._support import lexing_ecmascript
from werkrevisor_rules._support.lexing import COMMENT, LEXICONS, LITERAL, LexDoubt


def regions(family, text):
    find = lexing_ecmascript.regions if family == "ecmascript" else LEXICONS[family].regions
    found = find(text.encode())
    return [
        (kind, text.encode()[start:end].decode())
        for start, end, kind in zip(found.starts, found.ends, found.kinds, strict=True)
    ]


@pytest.mark.parametrize(
    ("family", "text", "expected"),
    [
        ("c", "a /* b */ c // d\ne", [(COMMENT, "/* b */"), (COMMENT, "// d")]),
        ("c", "a // b \\\n c\nd", [(COMMENT, "// b \\\n c")]),
        ("c", "a \"b\\\"c\" 'd' L'e' u8'f'", [(LITERAL, one) for one in ('"b\\"c"', "'d'", "'e'", "'f'")]),
        ("c", "x = 1'000'000;", []),
        ("c", 'R"(a)" LR"x()")x"', [(LITERAL, 'R"(a)"'), (LITERAL, 'LR"x()")x"')]),
        ("java", 'a """b "c" \\""" d""" "e"', [(LITERAL, '"""b "c" \\""" d"""'), (LITERAL, '"e"')]),
        ("kotlin", "/* a /* b */ c */ `d e`", [(COMMENT, "/* a /* b */ c */"), (LITERAL, "`d e`")]),
        ("kotlin", '"a${"b${c}"}d" e', [(LITERAL, '"a${"b${c}"}d"')]),
        ("kotlin", '"""a${"""b"""}""""', [(LITERAL, '"""a${"""b"""}""""')]),
        ("kotlin", '"a${\'}\'}b" ""', [(LITERAL, "\"a${'}'}b\""), (LITERAL, '""')]),
        ("kotlin", '"a\\n\\"b\\$" c', [(LITERAL, '"a\\n\\"b\\$"')]),
        ("kotlin", '"a"""', [(LITERAL, '"a"'), (LITERAL, '""')]),
        ("go", "`a\n\\` 'b' \"c\"", [(LITERAL, "`a\n\\`"), (LITERAL, "'b'"), (LITERAL, '"c"')]),
        ("rust", "f::<'a>('b', '\\'', b'\\\\')", [(LITERAL, one) for one in ("'b'", "'\\''", "'\\\\'")]),
        ("rust", 'r#"a"b"# "c\nd" \'é\'', [(LITERAL, 'r#"a"b"#'), (LITERAL, '"c\nd"'), (LITERAL, "'é'")]),
        ("rust", "/* /* */ a */ b", [(COMMENT, "/* /* */ a */")]),
        ("csharp", '@"a""\\" $"b" """c"d""" \'e\'', [(LITERAL, o) for o in ('@"a""\\"', '$"b"', '"""c"d"""', "'e'")]),
        ("csharp", '""""a""""" + 1', [(LITERAL, '""""a"""""')]),
        ("json", '{"a": 1} // b', [(LITERAL, '"a"'), (COMMENT, "// b")]),
        ("ecmascript", "a / b / c", []),
        ("ecmascript", "(/a[/]b/g).test('c')", [(LITERAL, "/a[/]b/g"), (LITERAL, "'c'")]),
        ("ecmascript", "return /'/ // d", [(LITERAL, "/'/"), (COMMENT, "// d")]),
        (
            "ecmascript",
            "`a${b ? `c` : {d: '}'}}e` /* f */",
            [(LITERAL, "`a${b ? `c` : {d: '}'}}e`"), (COMMENT, "/* f */")],
        ),
        ("ecmascript", "`${/`/.test(a) /* } */ + b / 2}`", [(LITERAL, "`${/`/.test(a) /* } */ + b / 2}`")]),
        ("ecmascript", "<p>a</p>; <br />", []),
        ("ecmascript", "(a) / b", []),
        ("ecmascript", "`\\``", [(LITERAL, "`\\``")]),
    ],
)
def test_comments_and_literals_are_found(family, text, expected):
    assert regions(family, text) == expected


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("c", "/* a"),
        ("c", '"a'),
        ("c", "'a"),
        ("c", 'R"(a'),
        ("c", 'R"a'),
        ("java", '"""a'),
        ("java", '"a\n"'),
        ("kotlin", "/* /* */"),
        ("kotlin", '"a'),
        ("kotlin", '"a\n"'),
        ("kotlin", '"""a"'),
        ("kotlin", '"${a'),
        ("kotlin", '"${/* } */ a}"'),
        ("kotlin", '"${\'}"'),
        ("kotlin", '$$"${a"'),
        ("kotlin", '"${' * 60 + "}" * 60),
        ("kotlin", "`a"),
        ("go", "`a"),
        ("rust", 'r#"a"'),
        ("rust", '"a'),
        ("rust", "/* a"),
        ("csharp", '"""a'),
        ("csharp", '$"{f("a")}"'),
        ("json", '"a'),
        ("ecmascript", "'a"),
        ("ecmascript", "/* a"),
        ("ecmascript", "`a"),
        ("ecmascript", "`${a"),
        ("ecmascript", "`${'a}`"),
        ("ecmascript", "(/a"),
        ("ecmascript", "f(a) /b/ 'c'"),
        ("ecmascript", "a++ /b/ c"),
        ("ecmascript", "yield /b/ c"),
        ("ecmascript", "a /* b */ /c/ d"),
        ("ecmascript", "a <!-- b"),
        ("ecmascript", "`${" * 60 + "}`" * 60),
    ],
)
def test_what_is_not_understood_is_said(family, text):
    with pytest.raises(LexDoubt):
        regions(family, text)


def test_a_place_is_inside_behind_the_begin_and_before_the_end():
    found = LEXICONS["json"].regions(b'a "b" c')
    assert [found.at(place) for place in (1, 2, 4, 5)] == [-1, 0, 0, -1]
    assert [found.inside(place) for place in (1, 2, 3, 4, 5)] == [-1, -1, 0, 0, -1]


@pytest.mark.parametrize("family", [*LEXICONS, "ecmascript"])
@pytest.mark.parametrize("unit", ['"', "'", "/*", "`", '"${', "//", "a/", 'R"(', "</"])
def test_hostile_text_takes_linear_time(family, unit):
    # With anything worse than linear growth this test would not end.
    with suppress(LexDoubt):
        regions(family, unit * (400_001 // len(unit)))


def test_an_oddly_placed_escape_is_a_hazard_in_java_only():
    hazard = LEXICONS["java"].hazard
    assert hazard is not None
    assert hazard.search(b"// \\u000a x")
    assert hazard.search(b"\\uuu0022")
    assert not hazard.search(b"\\u00e4")
    assert LEXICONS["go"].hazard is None

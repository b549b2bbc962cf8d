import pytest

from werkrevisor_rules._support.markdown import Heading, read_markdown


def headings(text):
    return [(heading.line, heading.level, heading.text) for heading in read_markdown(text).headings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B ##\n###### C #", [(1, 1, "A"), (2, 2, "B"), (3, 6, "C")]),
        ("   # A\n#\tB\n#\n# #", [(1, 1, "A"), (2, 1, "B"), (3, 1, ""), (4, 1, "")]),
        ("# A#\n# B \\#x", [(1, 1, "A#"), (2, 1, "B \\#x")]),
        ("####### A\n#B\n    # C\n\t# D", []),
        ("A\n===\n\nB\n--", [(1, 1, "A"), (4, 2, "B")]),
        ("A\nB\n---", []),
        ("\n---\n\n- A\n---\n> B\n---\n| C |\n---\n# D\n---", [(10, 1, "D")]),
        ("- a\nb\n---", []),
        ("- a\n\nb\n---", [(3, 2, "b")]),
        ("- # A\n  ## B\n# C", [(3, 1, "C")]),
        ("```\n# A\n```\n# B", [(4, 1, "B")]),
        ("````\n```\n# A\n````\n# B", [(5, 1, "B")]),
        ("~~~ x\n```\n# A\n~~~~ \n# B", [(5, 1, "B")]),
        ("``` a`b\n# A", [(2, 1, "A")]),
        ("    ```\n# A", [(2, 1, "A")]),
        ("```\n    ```\n# A", []),
        ("- a\n\n  ```\n  # A\n  ```\n# B", [(6, 1, "B")]),
        ("- ```\n  # A\n# B", [(3, 1, "B")]),
        ("<!-- # A -->\n# B\n<!--\n# C\n-->\n# D", [(2, 1, "B"), (6, 1, "D")]),
        ("- <!--\n# A", [(2, 1, "A")]),
        ("```\n# A", []),
        ("- " * 200_000 + "# A\n# B", [(2, 1, "B")]),
        ("", []),
    ],
)
def test_headings(text, expected):
    assert headings(text) == expected


def test_titles_are_compared_without_emphasis_case_and_colon():
    document = read_markdown("# **Open**  `questions`:\n## Open questions?\n### OPEN QUESTIONS")
    assert [heading.line for heading in document.titled("Open Questions")] == [1, 3]


def test_section_ends_at_the_next_heading_of_its_level():
    document = read_markdown("# A\na\n## B\nb\n# C\nc\n")
    first, second, third = document.headings
    assert document.below(first, nested=True) == range(2, 5)
    assert document.below(first, nested=False) == range(2, 3)
    assert document.below(second, nested=True) == range(4, 5)
    assert document.below(third, nested=True) == range(6, 8)
    assert second == Heading(3, 2, "B")


def test_lines_lose_their_carriage_return_and_code_is_no_text():
    document = read_markdown("a\r\n```\r\nb\r\n```\r\nc")
    assert document.lines == ("a", "```", "b", "```", "c")
    assert document.is_text == (True, False, False, False, True)

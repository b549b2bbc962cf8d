import re

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed|security)\.md")


def test_fragments_have_names_that_a_release_understands(root):
    names = {path.name for path in (root / "changelog.d").iterdir()} - {"README.md"}
    assert [name for name in names if not NAME.fullmatch(name)] == []


def test_fragments_say_something(root):
    fragments = [path for path in (root / "changelog.d").iterdir() if path.name != "README.md"]
    assert [path.name for path in fragments if len(path.read_text(encoding="utf-8").split()) < 5] == []

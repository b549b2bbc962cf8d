import pytest
from attrs import evolve

from werkrevisor_core.models.change import Status
from werkrevisor_core.testing.build import change, modified, renamed


@pytest.mark.parametrize(("added", "removed", "rules"), [(0, 0, ("renamed",)), (1, 1, ())])
def test_scenario_11_07_a_renamed_file_is_mechanical_only_with_identical_content(judge, added, removed, rules):
    new = "class A { int x; }\n" if added else "class A {}\n"
    file = renamed("old/A.java", "new/A.java", "class A {}\n", new)
    assert (file.added, file.removed) == (added, removed)
    assert judge(file).rules == rules


@pytest.mark.parametrize(
    "given",
    [
        {"new_mode": "100755"},
        {"old_mode": "120000", "new_mode": "120000"},
        {"old_mode": "160000", "new_mode": "160000"},
        {"binary": True},
        {"old_blob": "1" * 40, "new_blob": "2" * 40},
        {"added": 1},
        {"removed": 1},
        {"unread": "the diff is cut off"},
        {"status": Status.COPIED},
        {"status": Status.MODIFIED},
        {"path": "old/A.java"},
    ],
)
def test_anything_beside_the_path_makes_a_rename_more_than_a_rename(judge, given):
    assert judge(evolve(renamed("old/A.java", "new/A.java"), **given)).rules == ()


def test_equal_blobs_and_unknown_modes_are_no_objection(judge):
    file = evolve(renamed("old/A.java", "new/A.java"), old_blob="1" * 40, new_blob="1" * 40)
    assert judge(file).rules == ("renamed",)
    assert judge(evolve(file, old_mode=None, new_mode=None)).rules == ("renamed",)


def test_a_rename_with_changed_imports_only_is_reviewed(judge):
    assert judge(renamed("a/A.java", "b/A.java", "package a;\nclass A {}\n", "package b;\nclass A {}\n")).rules == ()


def test_no_rename_is_explained_where_mechanical_changes_are_off(judge):
    assert judge(renamed("a.c", "b.c"), enabled=False).rules == ()


def test_the_proof_says_what_is_the_same(judge):
    assert judge(renamed("a.c", "b.c")).why == "renamed, the content is the same"


def test_added_and_modified_files_are_none_of_its_business(judge):
    assert judge(change("a.java", Status.ADDED, None, "import a.B;\n")).rules == ()
    assert judge(modified("a.java", "x\n", "y\n")).rules == ()

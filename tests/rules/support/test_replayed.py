"""What a replay proves of each block; histories of real commits are in tests/scenarios."""

import pytest
from attrs import evolve

from werkrevisor_core.models.change import Status
from werkrevisor_core.models.replay import Region, Replayed
from werkrevisor_core.testing.build import DictContents, added, change, modified, removed, renamed
from werkrevisor_rules._support.replayed import Place, placed

BASE = "".join(f"{number}\n" for number in range(30))
HEAD = BASE.replace("3\n", "three\n", 1).replace("20\n", "20\nextra\n")
FILE = modified("a", BASE, HEAD)
MARKS = "<<<<<<< x\nthree\n=======\ndrei\n>>>>>>> y\n"
IN, FIXED, NEW = Place.IN_PLACE, Place.CORRECTION, Place.NEW


def found(*files, difference=(), result=None, most_lost=10, contents=None, **given):
    replay = Replayed(result=files if result is None else result, difference=difference, **given)
    return placed(files, replay, contents or DictContents(), most_lost)


def places(*files, **given):
    return [row.places for row in found(*files, **given).files]


def test_without_a_difference_everything_is_in_place():
    got = found(FILE)
    assert [row.places for row in got.files] == [(IN, IN)]
    assert (got.missing, got.corrected_lines, got.count(IN), got.count(NEW)) == ((), 0, 2, 0)
    assert got.files[0].in_place


@pytest.mark.parametrize(
    ("replay", "expected"),
    [
        (HEAD.replace("extra\n", ""), (IN, NEW)),
        (HEAD.replace("three\n", "3\n"), (NEW, IN)),
        (HEAD.replace("three\n", "tres\n"), (NEW, IN)),
        (HEAD.replace("extra\n", "extra\nmore\n"), (IN, NEW)),
        (HEAD.replace("20\nextra", "extra"), (IN, NEW)),
        (HEAD.replace("21\n", ""), (IN, NEW)),
        (HEAD.replace("10\n", "ten\n"), (IN, IN)),
    ],
)
def test_a_block_that_touches_the_difference_is_new(replay, expected):
    assert places(FILE, difference=[modified("a", replay, HEAD)], result=[]) == [expected]


@pytest.mark.parametrize(
    ("replay", "missing"),
    [
        (HEAD, []),
        (HEAD.replace("10\n", "ten\n"), ["a"]),
        (HEAD.replace("extra\n", "extra\nmore\n"), ["a"]),
        (HEAD.replace("extra\n", "other\n"), ["a"]),
        (HEAD.replace("extra\n", ""), []),
        (HEAD.replace("three\n", "3\nthree\n"), []),
        (HEAD.replace("10\n", ""), ["a"]),
    ],
)
def test_a_block_of_the_replay_that_the_head_lacks_is_missing(replay, missing):
    difference = [] if replay == HEAD else [modified("a", replay, HEAD)]
    assert list(found(FILE, difference=difference, result=[modified("a", BASE, replay)]).missing) == missing


def test_a_block_to_which_something_was_added_is_new_and_not_missing():
    more = HEAD.replace("extra\n", "extra\nmore\n")
    got = found(modified("a", BASE, more), difference=[modified("a", HEAD, more)], result=[FILE])
    assert [row.places for row in got.files] == [(IN, NEW)]
    assert got.missing == ()


CONFLICT = HEAD.replace("three\n", MARKS)
REGIONS = {"a": (Region(4, 6, 8),)}


def test_a_new_block_inside_a_conflict_is_a_correction():
    got = found(
        FILE, difference=[modified("a", CONFLICT, HEAD)], conflicts=REGIONS, result=[modified("a", BASE, CONFLICT)]
    )
    assert [row.places for row in got.files] == [(FIXED, IN)]
    assert got.missing == ()
    assert got.corrected_lines == 1


def test_a_block_that_is_not_wholly_inside_the_conflict_is_new():
    replay = CONFLICT.replace("4\n", "four\n", 1)
    assert places(FILE, difference=[modified("a", replay, HEAD)], conflicts=REGIONS, result=[]) == [(NEW, IN)]
    before = CONFLICT.replace("2\n", "two\n", 1)
    assert places(FILE, difference=[modified("a", before, HEAD)], conflicts=REGIONS, result=[]) == [(NEW, IN)]


@pytest.mark.parametrize(("at", "place"), [(3, NEW), (4, NEW), (5, FIXED), (8, FIXED), (9, NEW)])
def test_an_insertion_is_inside_a_conflict_behind_its_first_mark_and_before_its_last(at, place):
    lines = CONFLICT.split("\n")
    head = "\n".join([*lines[: at - 1], "put in", *lines[at - 1 :]])
    file = modified("a", BASE, head)
    got = found(file, difference=[modified("a", CONFLICT, head)], conflicts=REGIONS, result=[])
    block = next(index for index, block in enumerate(got.files[0].blocks) if b"put in" in block.added)
    assert got.files[0].places[block] is place


def test_a_conflict_that_the_head_resolves_as_the_base_has_it_drops_the_approved_side():
    base = BASE.replace("3\n", "drei\n", 1)
    head = base.replace("20\n", "20\nextra\n")
    replay = head.replace("drei\n", MARKS)
    got = found(
        modified("a", base, head),
        difference=[modified("a", replay, head)],
        conflicts=REGIONS,
        result=[modified("a", base, replay)],
    )
    assert got.missing == ("a",)


def resolved(instead, *, most=10, approved=()):
    """Resolve a conflict between five approved lines and one of the base."""
    long = "<<<<<<< x\n" + "mine\n" * 5 + "=======\ndrei\n>>>>>>> y\n"
    head = HEAD.replace("three\n", instead)
    replay = HEAD.replace("three\n", long)
    return found(
        modified("a", BASE, head),
        difference=[modified("a", replay, head)],
        conflicts={"a": (Region(4, 10, 12),)},
        result=[modified("a", BASE, replay)],
        approved=approved,
        most_lost=most,
    )


@pytest.mark.parametrize(("most", "missing"), [(5, ()), (4, ("a",))])
def test_a_resolution_that_loses_too_many_approved_lines_drops_them(most, missing):
    got = resolved("ours\n" * 5, most=most)
    assert (got.missing, got.corrected_lines) == (missing, 5)


@pytest.mark.parametrize(
    ("instead", "missing"),
    [
        ("ours\n" * 5, ()),
        ("ours\n" * 4, ("a",)),
        ("ours\n" * 4 + "\n", ("a",)),
        ("ours\n" * 4 + "}\n", ("a",)),
        ("mine\n" + "ours\n" * 4, ()),
        ("mine\n" * 5, ()),
        ("mine\n" * 5 + "drei\n", ()),
        ("", ("a",)),
        ("\n", ("a",)),
        ("drei\n" * 5, ("a",)),
    ],
)
def test_a_resolution_that_puts_fewer_lines_than_it_loses_drops_them(instead, missing):
    assert resolved(instead).missing == missing


def test_approved_lines_that_only_the_old_base_had_need_nothing_in_their_place():
    """Of the five lines in conflict the approved change added none: the base has other ones now."""
    assert resolved("ours\n", approved=(modified("a", BASE, "x" + BASE),)).missing == ()
    assert resolved("ours\n", approved=(modified("a", BASE, "mine\n" + BASE),)).missing == ("a",)


@pytest.mark.parametrize("base", ["drei\n", ""])
def test_a_resolution_that_only_adds_blank_lines_to_what_the_base_has_drops_the_approved_side(base):
    head = BASE.replace("3\n", base + "\n\n", 1)
    replay = BASE.replace("3\n", f"<<<<<<< x\n=======\n{base}>>>>>>> y\n", 1)
    got = found(
        modified("a", BASE.replace("3\n", base, 1), head),
        difference=[modified("a", replay, head)],
        conflicts={"a": (Region(4, 5, 6 + bool(base)),)},
        result=[],
    )
    assert got.missing == ("a",)


def test_a_correction_counts_the_lines_that_it_removes_too():
    head = BASE.replace("3\n4\n5\n", "")
    replay = BASE.replace("3\n4\n5\n", MARKS)
    got = found(modified("a", BASE, head), difference=[modified("a", replay, head)], conflicts=REGIONS, result=[])
    assert [row.places for row in got.files] == [(FIXED,)]
    assert got.corrected_lines == 3


OPAQUE = [
    modified("a", HEAD, HEAD + "x\n", new_mode="100755"),
    modified("a", HEAD, HEAD, new_mode="100755"),
    modified("a", "", "", binary=True),
    modified("a", HEAD, HEAD + "x\n", unread="cut"),
    modified("a", "x\n", "y\n", old_mode="120000", new_mode="120000"),
    change("a", Status.TYPE_CHANGED, "x\n", "y\n", old_mode="120000"),
    added("a", HEAD),
    removed("a", HEAD),
]


@pytest.mark.parametrize("difference", OPAQUE, ids=range(len(OPAQUE)))
def test_a_difference_that_lines_do_not_show_makes_the_whole_file_new(difference):
    got = found(FILE, difference=[difference], result=[])
    assert got.files[0].header_new
    assert not got.files[0].in_place
    assert got.files[0].places == (NEW, NEW)


def test_a_conflict_that_is_not_one_of_lines_makes_the_whole_file_new():
    got = found(FILE, conflicts={"a": ()}, result=[])
    assert got.files[0].places == (NEW, NEW)


def test_a_conflict_that_left_no_difference_is_no_resolution():
    assert found(FILE, conflicts=REGIONS).missing == ("a",)


def test_a_file_that_was_not_read_is_new():
    assert places(evolve(FILE, unread="cut"), result=[]) == [(NEW, NEW)]


def test_a_difference_at_the_old_path_of_a_rename_makes_it_new():
    file = renamed("old", "a", BASE, HEAD)
    assert places(file, difference=[removed("old", BASE)], result=[]) == [(NEW, NEW)]


def test_a_file_without_blocks_counts_as_one():
    binary = modified("logo.png", "", "", binary=True)
    same = found(binary)
    assert (same.count(IN), same.count(NEW), same.files[0].in_place) == (1, 0, True)
    other = found(binary, difference=[binary], result=[binary])
    assert (other.count(IN), other.count(NEW), other.missing) == (0, 1, ("logo.png",))


def test_a_file_that_only_the_replay_changes_is_missing_with_all_its_blocks():
    assert found(difference=[removed("a", HEAD)], result=[added("a", HEAD)]).missing == ("a",)
    assert found(difference=[added("a", BASE)], result=[removed("a", BASE)]).missing == ("a",)
    assert found(difference=[modified("a", HEAD, BASE)], result=[FILE]).missing == ("a", "a")
    mode = modified("a", "", "", new_mode="100755")
    back = modified("a", "", "", old_mode="100755")
    assert found(difference=[back], result=[mode]).missing == ("a",)


def test_a_rename_that_the_head_undoes_is_missing():
    file = renamed("old", "a", BASE, HEAD)
    head = modified("old", BASE, HEAD)
    got = found(head, difference=[removed("a", HEAD), added("old", HEAD)], result=[file])
    assert set(got.missing) == {"a"}


def test_a_file_that_keeps_its_blocks_and_loses_its_mode_is_new_and_not_missing():
    difference = modified("a", HEAD, HEAD, old_mode="100755", new_mode="100644")
    got = found(FILE, difference=[difference], result=[evolve(FILE, new_mode="100755")])
    assert (got.missing, got.files[0].header_new) == ((), True)


def test_a_difference_that_belongs_to_no_change_is_missing():
    assert found(FILE, difference=[modified("z", "a\n", "b\n")]).missing == ("z",)


CODE = (
    "class A:\n"
    + "".join(f"    a{number}\n" for number in range(10))
    + "class B:\n"
    + "".join(f"    b{number}\n" for number in range(10))
)
BEFORE = modified("a", CODE, CODE.replace("    a3\n", "    grant\n").replace("    b3\n", ""))
BEFORE_FILES = DictContents({"a": CODE}, {"a": CODE.replace("    a3\n", "    grant\n").replace("    b3\n", "")})


def touched(base, before=BEFORE_FILES, known=None, path="a", **given):
    head = base.replace("    a3\n", "    grant\n").replace("    b3\n", "")
    contents = known or DictContents({path: base}, {path: head})
    file = modified(path, base, head)
    replay = {"approved": (BEFORE,), "base_touched": {path: "a"}, "before": before, **given}
    return places(file, contents=contents, **replay)


def test_in_a_file_that_the_base_touched_a_block_keeps_what_encloses_it():
    assert touched(CODE.replace("    a8\n", "    other\n")) == [(IN, IN)]
    assert touched(CODE.replace("class A", "class C")) == [(NEW, IN)]
    assert touched(CODE.replace("class B", "class C")) == [(IN, NEW)]
    assert touched(CODE.replace("class A", "class C"), path="new") == [(NEW, IN)]
    assert touched(CODE.replace("class A", "class C"), base_touched={}) == [(IN, IN)]


def test_in_a_file_that_the_base_touched_a_block_stays_below_the_same_lines():
    flat = "start\none\ntwo\nend\n"
    approved = modified("a", flat, flat.replace("two\n", "two\ngrant\n"))
    before = DictContents({"a": flat}, {"a": flat.replace("two\n", "two\ngrant\n")})

    def at(base, head):
        contents = DictContents({"a": base}, {"a": head})
        replay = {"approved": (approved,), "base_touched": {"a": "a"}, "before": before}
        return places(modified("a", base, head), contents=contents, **replay)

    above = "one\ntwo\nend\n"
    assert at("top\n" + flat, "top\n" + flat.replace("two\n", "two\ngrant\n")) == [(IN,)]
    assert at(f"top\n{above}start\n", "top\none\ntwo\ngrant\nend\nstart\n") == [(NEW,)]
    assert at(f"top\n{above}", "top\none\ntwo\ngrant\nend\n") == [(IN,)]


def test_what_cannot_be_compared_there_is_new():
    edited = CODE.replace("    a8\n", "    other\n")
    assert touched(edited, approved=()) == [(NEW, NEW)]
    assert touched(edited, before=DictContents()) == [(NEW, NEW)]
    assert touched(edited, before=DictContents(unavailable=frozenset({"a"}))) == [(NEW, NEW)]
    assert touched(edited, known=DictContents({"a": "short\n"}, {"a": "short\n"})) == [(NEW, NEW)]


def test_a_file_that_both_sides_add_is_compared_with_the_approved_one():
    file = added("a", "class A:\n    x\n")
    contents = DictContents({}, {"a": "class A:\n    x\n"})
    replay = {"approved": (file,), "base_touched": {"a": "a"}, "before": contents}
    assert places(file, contents=contents, **replay) == [(IN,)]

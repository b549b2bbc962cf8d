import base64
import contextlib
import hashlib
import hmac
import json
import os
import zlib

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from werkrevisor_core.errors import UsageError
from werkrevisor_core.fingerprints import KeyedFingerprints, file_mark, framed, whole_mark
from werkrevisor_core.marks import codec, payload
from werkrevisor_core.marks.codec import Comment, MarkerFault, read_comments, read_marker, write_marker
from werkrevisor_core.marks.keys import Keyring, Origin, Purpose, new_key
from werkrevisor_core.models.forge import FileMark, Marker, ReasonMark
from werkrevisor_core.models.verdict import Decision, Level
from werkrevisor_core.testing.build import modified

ORIGIN = Origin("https://git.example.org", 3)
OLD, NEW = "11" * 32, "22" * 32
RING = Keyring.parse(f"{NEW}\n{OLD}\n")
HASH = "0123456789abcdef" * 2
MARKER = Marker(
    server="https://git.example.org",
    repository_id=3,
    pull_request=7,
    base_branch="main",
    merge_base="a" * 40,
    head="b" * 40,
    verdict=Level.YELLOW,
    decision=Decision.WAIT,
    complete=True,
    sequence=2,
    at=1700000000.5,
    config_digest="c0ffee",
    reasons=(ReasonMark("risky_paths", Level.YELLOW, "ab cd"),),
    files=(FileMark("caf\udce9.txt", HASH, (HASH, "f" * 32)), FileMark("logo.png", HASH, ())),
    approvals=(4, 9),
    approved_by_bot=True,
    named_at=1700000000.0,
    involved=("ada", "bob"),
)


def body(marker=MARKER, ring=RING, visible="GREEN, pass.\n\n"):
    return visible + write_marker(marker, ring).text + "\n"


def read(text, ring=RING, origin=ORIGIN, pull_request=7):
    return read_marker(text, ring, origin, pull_request)


def fault(text, ring=RING, origin=ORIGIN, pull_request=7):
    with pytest.raises(MarkerFault) as found:
        read(text, ring, origin, pull_request)
    return str(found.value)


def signed(inside: bytes, version=2, *, packed=None, key=None):
    """Sign anything with the host's own key, as only a leaked key could."""
    key = key or RING.newest
    packed = zlib.compress(inside) if packed is None else packed
    secret = key.derive(Purpose.MARKER, ORIGIN)
    tag = hmac.digest(secret, framed([b"marker", str(version).encode(), key.id.encode(), packed]), hashlib.sha256)
    return f"<!-- werkrevisor-marker {version} {key.id} {base64.b64encode(packed).decode()} {tag.hex()} -->"


def test_a_marker_comes_back_as_it_was_written():
    assert read(body()) == evolve(MARKER, key_id=RING.newest.id)


def test_a_marker_is_one_hidden_line_that_ends_no_html_comment_early():
    text = write_marker(MARKER, RING).text
    assert text.startswith("<!-- werkrevisor-marker 2 ")
    assert text.endswith(" -->")
    assert "\n" not in text
    assert "--" not in text[4:-3]


def test_line_ends_of_a_web_form_change_nothing():
    assert read(body().replace("\n", "\r\n")) == read(body())


def test_each_field_is_signed():
    text = write_marker(MARKER, RING).text
    _, label, version, key, packed, tag, end = text.split(" ")
    other = write_marker(evolve(MARKER, verdict=Level.GREEN), RING).text.split(" ")
    for changed in (
        [label, version, key, other[4], tag],
        [label, version, key, packed, other[5]],
        [label, "1", key, packed, tag],
        [label, version, Keyring.parse(OLD).newest.id, packed, tag],
    ):
        assert fault(" ".join(["<!--", *changed, end])) == "does not fit its signature"


@pytest.mark.parametrize(
    "field",
    [
        {"base_branch": "dev"},
        {"merge_base": "d" * 40},
        {"head": "d" * 40},
        {"verdict": Level.GREEN},
        {"decision": Decision.PASS},
        {"complete": False},
        {"sequence": 1},
        {"at": 1.0},
        {"config_digest": ""},
        {"reasons": ()},
        {"files": ()},
        {"approvals": ()},
        {"approved_by_bot": False},
        {"named_at": 1.0},
        {"involved": ("ada",)},
        {"pull_request": 8},
    ],
    ids=lambda field: next(iter(field)),
)
def test_no_field_can_change_without_changing_what_is_signed(field):
    assert payload.encode(evolve(MARKER, **field)) != payload.encode(MARKER)


def test_a_marker_of_another_repository_or_pull_request_is_none_here():
    assert fault(body(), origin=Origin("https://git.example.org", 4)) == "does not fit its signature"
    assert fault(body(), origin=Origin("https://other.example.org", 3)) == "does not fit its signature"
    assert fault(body(), pull_request=8) == "was made for another pull request"


def test_the_newest_key_signs_and_every_key_verifies():
    before = write_marker(MARKER, Keyring.parse(OLD)).text
    marker = read(before)
    assert marker is not None
    assert marker.key_id == RING.keys[1].id != RING.newest.id
    assert "was signed with the key" in fault(body(), ring=Keyring.parse(OLD))


def test_the_version_before_is_still_read():
    fields = json.loads(payload.encode(MARKER))
    for name in ("files", "approvals", "approved_by_bot", "named_at", "involved"):
        del fields[name]
    marker = read(signed(json.dumps(fields).encode(), version=1))
    assert marker is not None
    assert (marker.head, marker.files, marker.approvals, marker.approved_by_bot) == ("b" * 40, (), (), False)


@pytest.mark.parametrize("version", [0, 3, 9999])
def test_another_version_is_refused_by_its_number(version):
    assert fault(signed(payload.encode(MARKER), version)).startswith(f"has the format {version}, ")


@pytest.mark.parametrize("visible", ["> ", "    ", "x ", "`", "\t"])
def test_a_marker_in_the_visible_part_is_text(visible):
    assert read(visible + write_marker(MARKER, RING).text) is None


def test_a_quoted_marker_beside_the_real_one_changes_nothing():
    other = write_marker(evolve(MARKER, sequence=9), RING).text
    assert read(body(visible=f"    {other}\n> {other}\n\n")) == read(body())


def test_two_markers_or_one_in_the_middle_are_refused():
    text = write_marker(MARKER, RING).text
    assert fault(f"{text}\n{text}") == "is not the only one in it"
    assert fault(f"{text}\nmore text") == "does not stand at its end"


@pytest.mark.parametrize(
    "line",
    [
        "<!-- werkrevisor-marker -->",
        "<!-- werkrevisor-marker 2 x y z -->",
        "<!--werkrevisor-marker 2",
        "  <!-- werkrevisor-marker 2 " + "0" * 16 + " QUJD " + "0" * 64 + " -->",
        "<!-- werkrevisor-marker 2 " + "0" * 16 + " QUJD " + "0" * 64 + " --> x",
        "<!-- werkrevisor-marker 2 " + "0" * 16 + " " + "A" * 70_000 + " " + "0" * 64 + " -->",
    ],
)
def test_what_only_looks_like_a_marker_is_refused(line):
    assert fault(line) == "is not well formed"


def test_odd_base64_is_refused():
    assert fault(f"<!-- werkrevisor-marker 2 {RING.newest.id} QUJDR {'0' * 64} -->") == "is not well formed"


def fields(**changed):
    return json.dumps({**json.loads(payload.encode(MARKER)), **changed}).encode()


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (b"[" * 200_000, "is no JSON"),
        (b"{", "is no JSON"),
        (b"\xff", "is no JSON"),
        (b"[]", "has other fields"),
        (b"{}", "has other fields"),
        (fields(more=1), "has other fields"),
        (fields()[:-1] + b',"head":"x"}', "names a field twice"),
        (fields(sequence="2"), "has a field sequence of another type"),
        (fields(sequence=True), "has a field sequence of another type"),
        (fields(sequence=-1), "has a negative number"),
        (fields(at=1), "has a field at of another type"),
        (fields(at=float("nan")), "holds the number NaN"),
        (fields(verdict="FINE"), "names an unknown level"),
        (fields(decision="maybe"), "names an unknown decision"),
        (fields(reasons=[["a", "RED"]]), "has a row that is none"),
        (fields(reasons=["abc"]), "has a row that is none"),
        (fields(files=[["a", 1]]), "has a row that is none"),
        (fields(files=[["a", "xyz", ""]]), "has a fingerprint that is none"),
        (fields(files=[["a", HASH, HASH[:-1]]]), "has a fingerprint that is none"),
        (fields(files=[["a", "g" * 32]]), "has a fingerprint that is none"),
        (fields(files=[["a", HASH], ["a", HASH]]), "has two entries for one file"),
        (fields(approvals=["4"]), "has an approval without a number"),
        (fields(involved="ada"), "has a field involved of another type"),
        (fields(involved=[["ada"]]), "has a login that is none"),
    ],
)
def test_even_a_signed_payload_is_read_strictly(inside, why):
    assert fault(signed(inside)).startswith(why)


def test_a_payload_that_unpacks_to_too_much_is_refused():
    bomb = zlib.compress(b" " * (codec.UNPACKED + 1), 9)
    assert fault(signed(b"", packed=bomb)) == "unpacks to more than a marker can hold"
    assert fault(signed(b"", packed=b"no zlib")) == "cannot be unpacked"
    trailing = zlib.compress(payload.encode(MARKER)) + b"more"
    assert fault(signed(b"", packed=trailing)) == "unpacks to more than a marker can hold"


@given(st.text() | st.text(alphabet="<!- werkrevisomk012abcAB=\n>", max_size=300))
def test_no_text_of_others_is_a_marker(text):
    with contextlib.suppress(MarkerFault):
        assert read(text) is None


@given(
    st.builds(
        Marker,
        server=st.just(MARKER.server),
        repository_id=st.just(3),
        pull_request=st.just(7),
        base_branch=st.text(),
        merge_base=st.text(),
        head=st.text(),
        verdict=st.sampled_from(Level),
        decision=st.sampled_from(Decision),
        complete=st.booleans(),
        sequence=st.integers(0, 10**9),
        at=st.floats(0, 1e12),
        config_digest=st.text(),
        reasons=st.lists(st.builds(ReasonMark, st.text(), st.sampled_from(Level), st.text())).map(tuple),
        approvals=st.lists(st.integers(0, 10**12), unique=True).map(sorted).map(tuple),
        approved_by_bot=st.booleans(),
        named_at=st.floats(0, 1e12),
        involved=st.lists(st.text(), unique=True).map(sorted).map(tuple),
    )
)
def test_every_marker_comes_back(marker):
    assert read(write_marker(marker, RING).text) == evolve(marker, key_id=RING.newest.id)


def marks(files, blocks):
    return tuple(
        FileMark(
            f"src/main/java/net/example/shop/module{number}/Service{number}.java",
            os.urandom(16).hex(),
            tuple(os.urandom(16).hex() for _ in range(blocks)),
        )
        for number in range(files)
    )


def test_a_small_change_keeps_a_fingerprint_per_block():
    written = write_marker(evolve(MARKER, files=marks(100, 10)), RING)
    assert (written.note, len(written.text) <= codec.MARKER_ROOM) == ("", True)
    assert [len(mark.blocks or ()) for mark in written.marker.files] == [10] * 100


def test_twenty_thousand_blocks_keep_one_fingerprint_per_file_and_fit():
    given_marks = marks(500, 40)
    written = write_marker(evolve(MARKER, files=given_marks), RING)
    assert len(written.text) <= codec.MARKER_ROOM < 60_000
    assert written.note == ""
    secret = RING.newest.derive(Purpose.FINGERPRINT, ORIGIN)
    assert written.marker.files == tuple(whole_mark(secret, mark) for mark in given_marks)
    assert {mark.blocks for mark in written.marker.files} == {None}
    assert read(written.text) == written.marker


def test_past_that_the_fingerprints_are_dropped_and_the_comment_says_so():
    written = write_marker(evolve(MARKER, files=marks(5_000, 4)), RING)
    assert len(written.text) <= codec.MARKER_ROOM
    assert written.marker.files == ()
    assert written.marker.reasons == MARKER.reasons
    assert "no approval of this head is carried over" in written.note


def test_without_fingerprints_nobody_who_was_involved_needs_room():
    crowd = tuple(sorted(os.urandom(8).hex() for _ in range(6_000)))
    written = write_marker(evolve(MARKER, involved=crowd), RING)
    assert len(written.text) <= codec.MARKER_ROOM
    assert (written.marker.files, written.marker.involved) == ((), ())
    assert written.marker.reasons == MARKER.reasons
    assert "no approval of this head is carried over" in written.note


def test_reasons_without_room_are_dropped_last():
    many = tuple(ReasonMark(f"r{number}", Level.YELLOW, os.urandom(200).hex()) for number in range(400))
    written = write_marker(evolve(MARKER, reasons=many), RING)
    assert len(written.text) <= codec.MARKER_ROOM
    assert (written.marker.files, written.marker.reasons) == ((), ())


def test_with_hardly_any_room_the_shortest_form_is_written():
    written = write_marker(MARKER, RING, most=10)
    assert (written.marker.files, written.marker.reasons) == ((), ())
    assert read(written.text) == written.marker


def test_only_comments_of_the_bots_own_account_count():
    text = body()
    found = read_comments(
        [Comment(1, "mallory", text), Comment(2, "Werkrevisor", text), Comment(3, "ada", "nothing")],
        "werkrevisor",
        RING,
        ORIGIN,
        7,
    )
    assert [marker.comment for marker in found.markers] == [2]
    assert found.ignored == ("The comment 1 has a marker and is not the bot's, so it is ignored.",)
    assert found.broken == ()


def test_markers_come_by_sequence_and_a_copy_or_a_broken_one_is_named():
    first, second = body(evolve(MARKER, sequence=1)), body(evolve(MARKER, sequence=2))
    comments = [
        Comment(5, "werkrevisor", second),
        Comment(6, "werkrevisor", first),
        Comment(7, "werkrevisor", second),
        Comment(8, "werkrevisor", first.replace("marker 2", "marker 1")),
        Comment(9, "werkrevisor", "an answer to a command"),
    ]
    found = read_comments(comments, "werkrevisor", RING, ORIGIN, 7)
    assert [(marker.sequence, marker.comment) for marker in found.markers] == [(1, 6), (2, 5)]
    assert found.broken == (
        "The bot's comment 7 has a marker that stands in another comment, too.",
        "The bot's comment 8 has a marker that does not fit its signature.",
    )


def test_keys_are_read_newest_first_and_comments_between_them_are_left_out():
    ring = Keyring.parse(f"# made today\n\n{NEW}\n  {OLD}\n")
    assert [key.secret for key in ring.keys] == [bytes.fromhex(NEW), bytes.fromhex(OLD)]
    assert Keyring.parse(new_key()).newest != Keyring.parse(new_key()).newest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no key"),
        ("# nothing\n", "holds no key"),
        ("ab" * 31, "line 1 of the key file is no key"),
        (f"{NEW}\nsecret!", "line 2 of the key file is no key"),
        (f"{NEW}\n{NEW.upper()}", "line 2 of the key file repeats a key"),
    ],
)
def test_a_faulty_key_file_is_refused_without_repeating_it(text, why):
    with pytest.raises(UsageError) as found:
        Keyring.parse(text)
    assert why in str(found.value)
    assert "secret!" not in str(found.value)


def test_keys_differ_by_purpose_and_repository_and_are_shown_nowhere():
    key = RING.newest
    derived = {
        key.derive(purpose, origin)
        for purpose in Purpose
        for origin in (ORIGIN, Origin(ORIGIN.server, 4), Origin("https://git.example.org:3", 3))
    }
    assert len(derived) == 3 * len(Purpose)
    assert NEW not in repr(RING)
    assert repr(key.secret) not in repr(key)
    prints = KeyedFingerprints(RING.fingerprint_keys(ORIGIN))
    assert repr(key.derive(Purpose.FINGERPRINT, ORIGIN)) not in repr(prints)


def test_fingerprints_are_made_as_the_marker_keeps_them():
    file = modified("a.py", "a\nb\n", "a\nc\n")
    prints = KeyedFingerprints(RING.fingerprint_keys(ORIGIN))
    key = RING.keys[1].derive(Purpose.FINGERPRINT, ORIGIN)
    marker = evolve(MARKER, key_id=RING.keys[1].id)
    assert prints.like(marker, [file]) == (file_mark(key, file),)
    short = evolve(marker, files=(FileMark("x", "", None, HASH),))
    assert prints.like(short, [file]) == (whole_mark(key, file_mark(key, file)),)
    assert prints.like(evolve(marker, key_id="0" * 16), [file]) is None
    assert prints.of([file]) == (file_mark(RING.newest.derive(Purpose.FINGERPRINT, ORIGIN), file),)

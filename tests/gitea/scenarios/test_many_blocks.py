"""The result comment of a huge change keeps its size, and says so where it cannot keep the fingerprints."""

from werkrevisor_core.models.verdict import Decision

MOST = 60_000
NOTE = "The fingerprints of this change do not fit into the comment, so no approval of this head is carried over"


def many(files, blocks, value):
    """Return files in which every second line is one block of a change of the value."""
    lines = "".join(f"    int a{number} = {value};\n    int b{number} = 0;\n" for number in range(blocks))
    return {
        f"src/main/java/net/example/shop/part{number}/Service{number}.java": f"class Service{number} {{\n{lines}}}\n"
        for number in range(files)
    }


def bodies(ground):
    found = [row["body"] for row in ground.bot.comments()]
    assert all(len(body.encode()) <= MOST for body in found)
    return found


def test_an_approval_of_twenty_thousand_blocks_survives_a_rebase(started):
    ground = started(many(500, 40, 1), many(500, 40, 2))
    ground.review()
    (body,) = bodies(ground)
    assert len(body.encode()) > MOST / 4  # the fingerprints are in it
    assert NOTE not in body
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    found = ground.assert_carried()
    assert "20000 blocks in place, 0 new, 0 missing" in found.review.receipts[0]
    assert len(bodies(ground)) == 2


def test_past_that_no_approval_is_carried_and_the_comment_says_so(started):
    ground = started(many(2_000, 1, 1), many(2_000, 1, 2))
    assert ground.review().review.decision is Decision.PASS  # the approval of that very head
    (body,) = bodies(ground)
    assert NOTE in body
    ground.base({"docs/new.md": "New.\n"})
    ground.rebase()
    found = ground.assert_not_carried()
    assert found.review.receipts[0].endswith("is not carried over: the change was too large to keep its fingerprints.")
    assert not any(file.approved for file in found.review.files)
    assert len(bodies(ground)) == 2

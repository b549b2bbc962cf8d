"""Attempts to have an approval carried to something that the person never saw; none may succeed."""

import pytest
from scenarios.rebased import assert_not_carried, judged, move_main, started

FLAT = "{name}() {{\nfirst\nsecond\nthird\nreturn\n}}\n"


def test_a_lookalike_above_in_a_file_without_indentation(pull):
    guest = FLAT.format(name="guest")
    grant = "second\ngrant\n"
    started(pull, {"run.sh": guest}, {"run.sh": guest.replace("second\n", grant)})
    rest = guest.replace("first", "zero").replace("third", "tertium").replace("second", "twice")
    pull.commit({"run.sh": guest.replace("guest", "admin") + rest}, "main")
    pull.rebase()
    assert grant in (pull.path / "run.sh").read_text().partition("guest")[0], "git merged it into the wrong function"
    assert_not_carried(pull)


def test_an_author_of_the_approved_head_whose_name_was_squashed_away(pull):
    pull.commit({"a.py": "a = 1\n"}, "main")
    pull.git("checkout", "-q", "topic")
    pull.git("merge", "-q", "main")
    pull.commit({"a.py": "a = 2\n"})
    # At this head the forge names bob among the authors of the commits.
    judged(pull, involved=frozenset({"ada", "bob"}))
    pull.approve()
    move_main(pull)
    pull.rebase()
    # Ada wrote the same commits anew under her own name, so the forge names only her now.
    review = assert_not_carried(pull, involved=frozenset({"ada"}))
    assert any("pushed, authored or committed" in note for note in review.notes)


CHECKED = "def pay(order):\n    log(order)\n    send(order)\n    done(order)\n"
CHECK = "    check(order)\n    check_limit(order)\n"


@pytest.mark.parametrize("instead", ["\n", "    \n\n", "\n\t\n    \n"])
def test_a_resolved_conflict_that_puts_blank_lines_in_place_of_an_approved_check(pull, instead):
    started(pull, {"pay.py": CHECKED}, {"pay.py": CHECKED.replace("    send(order)\n", CHECK + "    send(order)\n")})
    base = CHECKED.replace("    send(order)\n", "    audit(order)\n    send(order)\n")
    pull.commit({"pay.py": base}, "main")
    pull.rebase({"pay.py": base.replace("    send(order)\n", instead + "    send(order)\n")})
    review = assert_not_carried(pull)
    assert any("missing here" in finding.message for finding in review.findings)

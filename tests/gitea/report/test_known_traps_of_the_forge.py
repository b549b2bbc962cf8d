"""Faults that tools of this kind had in the wild, as far as the forge has a part in them; numbers are their rows."""

from contract.forge import CODE, eventually
from report_ground import BLANK, DOUBTFUL, State

from werkrevisor_core.models.verdict import Decision, Level


def ids(review):
    return {reason.id for reason in review.reasons}


def test_trap_5_a_path_that_is_no_ascii_is_in_the_list_of_changed_files(host, project):
    change = project.change("Rename nothing", {"sécurité/Bug 排查.go": CODE})
    review, _ = host.review(change)
    assert [file.path for file in review.files] == ["sécurité/Bug 排查.go"]


def test_trap_21_a_binary_file_beside_a_text_keeps_neither_from_being_judged(host, project):
    change = project.change("Jar", {"lib.jar": b"PK\x03\x04\x00\xff" * 50, "tool.py": "print(1)\n"})
    review, published = host.review(change)
    assert published.whole, published
    assert {file.path: file.change.binary for file in review.files} == {"lib.jar": True, "tool.py": False}
    assert "file_modes" in ids(review)


def test_trap_23_the_file_sorted_last_of_130_is_seen(host, project):
    files = {f"a{number:03}.go": CODE for number in range(129)}
    change = project.change("Many", {**files, "zz/.gitea/workflows/ci.yml": "on: push\n", "zz/Dockerfile": "FROM x\n"})
    review, published = host.review(change)
    assert published.whole, published
    assert len(review.files) == 131
    risky = next(reason for reason in review.reasons if reason.id == "risky_paths")
    assert "zz/Dockerfile" in {piece.path for piece in risky.evidence}


def test_trap_27_added_removed_and_changed_files_are_told_apart(host, project):
    project.branch("topic")
    project.write({"new.txt": "1\n", "a.go": DOUBTFUL})
    (project.folder / "b.txt").unlink()
    project.commit("three kinds")
    project.push("topic", "author")
    review, _ = host.review(project.open("author", "topic").ready())
    found = {file.path: file.change.status.value for file in review.files}
    assert found == {"a.go": "modified", "b.txt": "removed", "new.txt": "added"}


def test_trap_29_a_submodule_alone_is_not_mechanical(host, project):
    project.branch("topic")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    project.git("commit", "-q", "-m", "bump")
    project.push("topic", "author")
    review, _ = host.review(project.open("author", "topic").ready())
    assert [(file.path, file.mechanical) for file in review.files] == [("sub", False)]
    assert review.decision is Decision.WAIT


def test_trap_53_a_merge_a_moment_after_a_push_does_not_pass_with_the_old_approval(host, project, yellow):
    project.protect(required_approvals=1, dismiss_stale_approvals=True)
    yellow.approve("reviewer")
    with host.forge.window():
        sha = yellow.push()
        eventually(yellow.get, lambda found: found["head"]["sha"] == sha)
        review, published = host.review(yellow)
    assert (review.change.head, review.decision) == (sha, Decision.WAIT)
    assert "The head is merged." not in published.done
    assert yellow.get()["merged"] is False


def test_trap_55_a_later_word_of_the_same_person_counts_and_dismissal_by_a_push_does_not(host, yellow):
    host.more["merge"] = '"never"'
    yellow.approve("reviewer")
    review, _ = host.review(yellow)
    assert review.decision is Decision.PASS
    yellow.review("reviewer", "REQUEST_CHANGES", "no")
    review, _ = host.review(yellow)
    assert review.decision is Decision.WAIT
    yellow.approve("reviewer")
    review, _ = host.review(yellow)
    assert review.decision is Decision.PASS
    approval = yellow.review_of("reviewer")
    path = f"{yellow.api}/reviews/{approval['id']}/dismissals"
    host.forge.made("owner", "POST", path, {"message": "I disagree", "priors": False})
    review, _ = host.review(yellow)
    assert review.decision is Decision.WAIT
    assert any("I disagree" in note for note in review.notes)


def test_trap_57_an_approval_for_another_base_does_not_count_though_the_diff_is_equal(host, project):
    project.push("feature", "owner")
    project.branch("topic")
    project.write({"a.go": DOUBTFUL})
    project.commit("Change F1")
    project.push("topic", "author")
    change = project.open("author", "topic", base="feature").ready()
    change.approve("reviewer")
    assert change.edit("author", base="main").status_code == 201
    eventually(change.get, lambda found: found["mergeable"])
    review, _ = host.review(change)
    assert review.decision is Decision.WAIT
    assert any("the base branch was feature then and is main now" in note for note in review.notes)


def test_trap_59_whoever_committed_is_no_approver_whoever_pushed(host, project):
    project.branch("topic")
    project.write({"a.go": DOUBTFUL})
    mail = f"{host.forge.name('reviewer')}@example.com"
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "Change F1", GIT_COMMITTER_EMAIL=mail)
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    change.approve("reviewer")
    review, _ = host.review(change)
    assert host.forge.name("reviewer") in host.seen.facts.involved
    assert review.decision is Decision.WAIT
    assert any("address that belong" in note or "addresses that belong" in note for note in review.notes)


def test_trap_63_no_status_or_a_pending_one_is_no_green_ci(host, project, green):
    host.more["ci"] = '"required"'
    for state in (None, "pending", "failure", "warning"):
        if state is not None:
            project.status("reviewer", green.head, state, "ci")
        review, published = host.review(green)
        assert review.holds == ("The CI of this head has not succeeded",), state
        assert published.whole, published
        assert "success" not in State.of(green).statuses(green.head)
    assert green.get()["merged"] is False


def test_trap_65_to_69_classes_do_not_change_on_the_forge(host, project):
    change = project.change("CI", {".gitea/workflows/ci.yml": "on: push\n"})
    review, _ = host.review(change)
    assert (review.verdict, "risky_paths" in ids(review)) == (Level.YELLOW, True)


def test_trap_79_a_huge_file_beside_a_small_change_is_judged_with_it(host, project):
    change = project.change(
        "Corpus", {"corpus.txt": "x" * 79 + "\n", "a.go": BLANK, "big.txt": ("y" * 99 + "\n") * 60_000}
    )
    review, published = host.review(change)
    assert published.whole, published
    assert {file.path for file in review.files} == {"a.go", "big.txt", "corpus.txt"}
    assert review.decision is not Decision.PASS

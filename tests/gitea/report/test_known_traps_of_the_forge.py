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


def test_trap_25_whom_a_renamed_folder_belonged_to_is_asked(host, project):
    owned = f'{{"payments/**" = ["{host.forge.name("second")}"]}}'
    host.more["reviewers"] = f'{owned}\n\n[risky_paths]\nglobs = ["/payments/"]'
    project.git("checkout", "-q", "main")
    project.write({"payments/pay.go": CODE})
    project.commit("payments")
    project.push("main", "owner")
    project.branch("topic")
    project.git("mv", "payments", "pay")
    project.commit("Rename")
    project.push("topic", "author")
    change = project.open("author", "topic").ready()
    review, _ = host.review(change)
    assert [(file.change.old_path, file.path) for file in review.files] == [("payments/pay.go", "pay/pay.go")]
    assert review.decision is Decision.WAIT
    asked = [row["user"]["login"] for row in change.reviews() if row["state"] == "REQUEST_REVIEW"]
    assert host.forge.name("second") in asked
    change.approve("reviewer")
    assert host.review(change)[0].decision is Decision.WAIT
    change.approve("second")
    assert host.review(change)[0].decision is Decision.PASS


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


def test_trap_57_an_approval_for_another_base_does_not_count_where_the_diff_is_another_one(host, project):
    project.push("feature", "owner")
    project.branch("topic")
    project.write({"a.go": DOUBTFUL})
    project.commit("Change F1")
    project.push("topic", "author")
    project.git("checkout", "-q", "main")
    project.write({"b.txt": "other\n"})
    project.commit("main moves")
    project.push("main", "owner")
    project.git("checkout", "-q", "topic")
    project.git("merge", "-q", "main")
    head = project.git("rev-parse", "HEAD")
    project.push("topic", "author")
    change = project.open("author", "topic", base="feature").ready()
    change.approve("reviewer", head)
    assert change.edit("author", base="main").status_code == 201
    eventually(change.get, lambda found: found["mergeable"])
    review, _ = host.review(change)
    assert [file.path for file in review.files] == ["a.go"]  # for feature it was b.txt, too
    assert review.decision is Decision.WAIT


def test_trap_59_a_second_account_of_the_author_is_no_approver_when_a_bot_rebased(host, project):
    """The commits are the reviewer's; somebody else rebased and pushed them, and so became their committer."""
    mail = f"{host.forge.name('reviewer')}@example.com"
    project.branch("topic")
    project.write({"a.go": DOUBTFUL})
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "Change F1", GIT_AUTHOR_EMAIL=mail, GIT_COMMITTER_EMAIL=mail)
    project.git("checkout", "-q", "main")
    project.write({"b.txt": "other\n"})
    project.commit("main moves")
    project.push("main", "owner")
    project.git("checkout", "-q", "topic")
    project.git("rebase", "-q", "main")
    assert project.git("log", "-1", "--format=%ae %ce").split() == [mail, "ada@example.com"]
    project.push("topic", "second")
    change = project.open("second", "topic").ready()
    change.approve("reviewer")
    review, _ = host.review(change)
    assert review.decision is Decision.WAIT
    assert any("pushed, authored or committed something" in note for note in review.notes)


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


def test_trap_61_a_reworded_and_rebased_commit_is_the_same_change(host, project, yellow):
    host.more["merge"] = '"never"'
    host.review(yellow)
    yellow.approve("reviewer")
    host.review(yellow)
    project.git("checkout", "-q", "main")
    project.write({"b.txt": "other\n"})
    project.commit("main moves")
    project.push("main", "owner")
    project.git("checkout", "-q", "topic")
    project.git("rebase", "-q", "main")
    sha = project.commit("Say it otherwise", "--amend")
    project.push("topic", "author", "-f")
    eventually(yellow.get, lambda found: found["head"]["sha"] == sha and found["mergeable"])
    review, published = host.review(yellow)
    assert published.whole, published
    assert (review.change.head, review.decision) == (sha, Decision.PASS)
    assert State.of(yellow).approved() == [sha]


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


def test_trap_65_a_lock_file_does_not_count_for_the_size(host, project):
    lock = "".join(f'pkg-{line}@^1.0.0:\n  version "1.0.{line}"\n' for line in range(2000))
    change = project.change("Update", {"yarn.lock": lock, "a.go": DOUBTFUL})
    review, _ = host.review(change)
    assert "size" not in ids(review)
    assert "risky_paths" in ids(review)


def test_trap_67_a_test_file_counts_for_the_size(host, project):
    change = project.change("Tests", {"tests/helper.py": "x = 1\n" * 3000})
    review, _ = host.review(change)
    assert "size" in ids(review)
    assert review.decision is Decision.BLOCK


def test_trap_69_a_change_of_a_workflow_alone_is_not_simple(host, project):
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

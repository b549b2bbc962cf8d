"""`werkrevisor review` on real repositories: formats, exit statuses, where base and head come from."""

import json
from pathlib import Path

import jsonschema
import pytest

import werkrevisor_core.render

SCHEMA = json.loads(Path(werkrevisor_core.render.__file__).with_name("review.schema.json").read_text())
OLD = "class Shop {\n    int price = 1;\n}\n"
NEW = "class Shop {\n    int price = 2;\n}\n"
DIFF = """\
diff --git a/src/Shop.java b/src/Shop.java
index 1111111..2222222 100644
--- a/src/Shop.java
+++ b/src/Shop.java
@@ -1,3 +1,3 @@
 class Shop {
-    int price = 1;
+    int price = 2;
 }
"""


@pytest.fixture
def review(werkrevisor):
    """Review and return (exit status, the JSON checked against its schema); nothing may be on standard error."""

    def run(*arguments, **given):
        ran = werkrevisor("review", "--format", "json", *arguments, **given)
        assert ran.err == ""
        result = json.loads(ran.out)
        jsonschema.validate(result, SCHEMA)
        return ran.status, result

    return run


@pytest.fixture
def host(tmp_path):
    def write(text):
        file = tmp_path / "host.toml"
        file.write_text(text)
        return "--config", file

    return write


def ids(result):
    return [reason["id"] for reason in result["reasons"]]


def paths(result):
    return [file["path"] for file in result["files"]]


def test_json_of_a_range(changed, review):
    status, result = review()
    assert status == 1
    assert (result["schema"], result["verdict"], result["decision"]) == ("werkrevisor/review/1", "YELLOW", "wait")
    assert (result["base"], result["head"]) == (changed.git("rev-parse", "main"), changed.git("rev-parse", "topic"))
    assert (result["mode"], result["change_kind"]) == ("classifier", "refactoring")
    (file,) = result["files"]
    assert (file["path"], file["old_path"], file["status"]) == ("src/Shop.java", None, "modified")
    assert (file["added"], file["removed"], file["mechanical"], file["counts"]) == (1, 1, [], True)
    assert file["why"] == "line 2 removes what no rule explains: int price = 1;"
    assert ids(result) == ["not_reviewed"]
    assert result["usage"]["mechanical_files"] == []


def test_text_is_the_default_format(changed, werkrevisor):
    ran = werkrevisor("review")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.startswith("YELLOW, wait.")
    assert "- YELLOW not_reviewed: " in ran.out
    assert "\x1b" not in ran.out
    assert werkrevisor("review", "--format", "text").out.splitlines()[0] == ran.out.splitlines()[0]


def test_markdown_is_the_comment(changed, werkrevisor):
    ran = werkrevisor("review", "--format", "markdown")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines()[0].startswith("**YELLOW")
    assert "`not_reviewed`" in ran.out
    assert ran.out.endswith("</details>\n")


def test_sarif_names_the_reason_and_the_file(changed, werkrevisor):
    ran = werkrevisor("review", "--format", "sarif")
    assert (ran.status, ran.err) == (1, "")
    log = json.loads(ran.out)
    assert log["version"] == "2.1.0"
    (result,) = [result for result in log["runs"][0]["results"] if "not_reviewed" in result["ruleId"]]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "src/Shop.java"


def test_exit_status_0_for_an_import_alone(repo, review):
    repo.commit({"src/Shop.java": f"import java.util.Map;\n\n{OLD}"})
    repo.commit({"src/Shop.java": f"import java.util.List;\nimport java.util.Map;\n\n{OLD}"})
    status, result = review("--base", "HEAD~1")
    assert (status, result["verdict"], result["decision"]) == (0, "GREEN", "pass")
    assert result["change_kind"] == "mechanical_only"
    assert result["files"][0]["mechanical"] == ["imports"]


def test_exit_status_2_for_a_change_that_is_too_large(changed, review, host):
    status, result = review(*host("[size]\nmax_lines = 1\n"))
    assert (status, result["verdict"], result["decision"]) == (2, "ORANGE", "block")
    assert ids(result) == ["size", "not_reviewed"]


def test_exit_status_3_for_a_config_that_the_change_breaks(repo, review):
    repo.commit({"a.md": "a\n"})
    repo.commit({".werkrevisor.toml": "[size]\nmax_lines = 'many'\n"})
    status, result = review("--base", "HEAD~1")
    assert (status, result["verdict"], result["decision"]) == (3, "RED", "block")
    assert ids(result)[0] == "own_config"


def test_exit_status_4_without_the_model_that_the_mode_needs(changed, review):
    status, result = review("--mode", "llm")
    assert (status, result["verdict"], result["decision"], result["mode"]) == (4, "ERROR", "block", "llm")
    assert "model_unavailable" in ids(result)


@pytest.mark.parametrize("format_", ["text", "markdown", "json", "sarif"])
def test_every_format_has_the_same_exit_status(changed, werkrevisor, host, format_):
    ran = werkrevisor("review", "--format", format_, *host("[size]\nmax_lines = 1\n"))
    assert ran.status == 2


def test_mode_of_the_command_line_wins_over_the_host(changed, review, host):
    assert review(*host('[engine]\nmode = "rules"\n'))[1]["mode"] == "rules"
    assert review(*host('[engine]\nmode = "rules"\n'), "--mode", "classifier")[1]["mode"] == "classifier"


def test_a_note_says_that_uncommitted_work_is_not_reviewed(changed, review):
    changed.write("src/Shop.java", "class Evil {}\n")
    changed.write("untracked.java", "class Untracked {}\n")
    _, result = review()
    assert result["notes"] == ["Uncommitted work is not reviewed: the review reads commits only."]
    assert paths(result) == ["src/Shop.java"]
    assert result["files"][0]["added"] == 1


def test_a_named_head_needs_no_note(changed, review):
    assert review("--head", "topic")[1]["notes"] == []


@pytest.mark.parametrize("name", ["main", "master"])
def test_the_base_is_the_main_branch(tmp_path, new_repo, review, name):
    repo = new_repo(tmp_path / "other")
    repo.commit({"a.java": OLD})
    repo.git("branch", "-m", name)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.java": NEW})
    assert review(cwd=repo.path)[1]["base"] == repo.git("rev-parse", name)


def test_the_base_is_rather_the_main_branch_of_origin(tmp_path, changed, new_repo, review):
    changed.git("checkout", "-q", "main")
    clone = new_repo(tmp_path / "clone")
    clone.git("remote", "add", "origin", str(changed.path))
    clone.git("fetch", "-q", "origin")
    clone.git("remote", "set-head", "origin", "main")
    clone.git("checkout", "-q", "-b", "work", "origin/topic")
    clone.git("branch", "main", "origin/topic")
    status, result = review(cwd=clone.path)
    assert (status, result["base"]) == (1, changed.git("rev-parse", "main"))


def test_only_what_the_branch_changed_counts(changed, review):
    changed.git("checkout", "-q", "main")
    merge_base = changed.git("rev-parse", "HEAD")
    changed.commit({"other.java": OLD})
    status, result = review("--head", "topic")
    assert (status, result["base"], paths(result)) == (1, merge_base, ["src/Shop.java"])


def test_base_and_head_may_be_any_revision(repo, review):
    first = repo.commit({"a.java": OLD})
    repo.git("tag", "-m", "t", "v1")
    second = repo.commit({"a.java": NEW})
    repo.commit({"b.java": NEW})
    for base, head in ((first, second), ("v1", "HEAD~1"), ("HEAD~2", second[:10]), ("v1^{commit}", "main~1")):
        _, result = review("--base", base, "--head", head)
        assert (result["base"], result["head"], paths(result)) == (first, second, ["a.java"])


def test_another_folder_with_repo(changed, review, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert paths(review("--repo", changed.path, cwd=elsewhere)[1]) == ["src/Shop.java"]
    assert paths(review("--repo", "../repo", cwd=elsewhere)[1]) == ["src/Shop.java"]


def test_from_a_subfolder_the_whole_repository_is_reviewed(changed, review):
    changed.commit({"top.java": OLD})
    assert paths(review(cwd=changed.path / "src")[1]) == ["src/Shop.java", "top.java"]


def test_a_bare_repository(changed, tmp_path, review):
    changed.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    _, result = review("--repo", tmp_path / "bare.git", "--base", "main", "--head", "topic")
    assert paths(result) == ["src/Shop.java"]


def test_a_linked_work_tree(changed, tmp_path, review):
    changed.git("worktree", "add", "-q", "-b", "second", str(tmp_path / "linked"), "main")
    changed.git("-C", str(tmp_path / "linked"), "cherry-pick", "topic")
    assert paths(review("--repo", tmp_path / "linked")[1]) == ["src/Shop.java"]


def test_the_path_of_a_submodule_is_that_repository(changed, tmp_path, new_repo, review):
    outer = new_repo(tmp_path / "outer")
    outer.commit({"a": "a\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(changed.path), "inner")
    outer.git("-C", "inner", "checkout", "-q", "topic")
    _, result = review("--repo", outer.path / "inner", "--base", "origin/main")
    assert paths(result) == ["src/Shop.java"]


def test_commits_that_change_nothing_together_are_no_pass(repo, review):
    repo.commit({"a.java": OLD})
    repo.commit({"a.java": NEW})
    repo.commit({"a.java": OLD})
    status, result = review("--base", "HEAD~2")
    assert (status, result["change_kind"], ids(result)) == (1, "empty", ["empty"])


def test_a_criss_cross_history_is_an_error(repo, review):
    repo.commit({"a": "0\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"t": "t\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"m": "m\n"})
    main, topic = repo.git("rev-parse", "main"), repo.git("rev-parse", "topic")
    repo.git("merge", "-q", "--no-ff", "-m", "x", topic)
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-ff", "-m", "x", main)
    status, result = review()
    assert (status, "skipped_files" in ids(result)) == (4, True)


def test_a_diff_file(tmp_path, repo, review):
    file = tmp_path / "a.diff"
    file.write_text(DIFF)
    status, result = review("--diff", file, cwd=tmp_path)
    assert (status, result["base"], result["head"]) == (1, None, None)
    assert paths(result) == ["src/Shop.java"]
    assert ids(result) == ["not_reviewed", "unverified_input"]
    assert result["notes"] == []


def test_a_diff_from_standard_input(tmp_path, process):
    ran = process("review", "--format", "json", "--diff", "-", given=DIFF.encode(), cwd=tmp_path)
    assert (ran.status, ran.err) == (1, "")
    assert paths(json.loads(ran.out)) == ["src/Shop.java"]


def test_an_endless_diff_is_an_error(tmp_path, repo, review, host):
    status, result = review(*host("[engine]\nmax_diff_bytes = 100000\n"), "--diff", "/dev/zero")
    assert (status, result["verdict"]) == (4, "ERROR")
    assert "skipped_files" in ids(result)
    assert "larger than 100,000 bytes" in json.dumps(result["reasons"])


def test_a_diff_that_is_no_diff_is_an_error(tmp_path, review):
    file = tmp_path / "a.diff"
    file.write_text("just some text\n")
    status, result = review("--diff", file)
    assert (status, "skipped_files" in ids(result)) == (4, True)


def test_an_empty_diff_is_no_pass(tmp_path, review):
    file = tmp_path / "a.diff"
    file.touch()
    status, result = review("--diff", file)
    assert (status, ids(result)) == (1, ["empty", "unverified_input"])

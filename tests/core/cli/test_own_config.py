"""The repository's config is that of the base; what the change makes of it is judged and never obeyed."""

import json

import pytest

JAVA = "class Shop {\n    int price = 1;\n}\n"
FAULTY = '[size]\nmax_lines = "many"\n'


@pytest.fixture
def review(werkrevisor):
    def run(*arguments):
        ran = werkrevisor("review", "--base", "HEAD~1", "--format", "json", *arguments)
        assert ran.err == ""
        result = json.loads(ran.out)
        return ran.status, result, {reason["id"]: reason for reason in result["reasons"]}

    return run


def test_the_version_of_the_base_counts(repo, review):
    repo.commit({".werkrevisor.toml": "[size]\nmax_lines = 2\n", "a.java": JAVA})
    repo.commit({"a.java": "x\n" * 5})
    status, _, reasons = review()
    assert (status, sorted(reasons)) == (2, ["not_reviewed", "size"])


def test_a_change_cannot_loosen_its_own_rules(repo, review):
    repo.commit({".werkrevisor.toml": "[size]\nmax_lines = 2\n", "a.java": JAVA})
    repo.commit({".werkrevisor.toml": "[size]\nmax_lines = 9000\n", "a.java": "x\n" * 5})
    status, _, reasons = review()
    assert status == 2
    assert {"size", "own_config", "risky_paths"} <= set(reasons)
    assert reasons["own_config"]["level"] == "YELLOW"


def test_the_work_tree_counts_for_nothing(repo, review):
    repo.commit({"a.java": JAVA})
    repo.commit({"a.java": JAVA.replace("1", "2")})
    repo.write(".werkrevisor.toml", FAULTY)
    assert review()[0] == 1


def test_a_faulty_config_of_the_host_is_an_error(repo, review, tmp_path):
    repo.commit({"a.java": JAVA})
    repo.commit({"a.java": JAVA.replace("1", "2")})
    (tmp_path / "host.toml").write_text('[mechanical.imports]\njava = ["(unclosed"]\n[size]\nmax_line = 1\n')
    status, result, reasons = review("--config", tmp_path / "host.toml")
    assert (status, result["verdict"], list(reasons)) == (4, "ERROR", ["config"])
    notes = [item["note"] for item in reasons["config"]["evidence"]]
    assert any("[mechanical] imports.java has an invalid regex '(unclosed'" in note for note in notes)
    assert any("[size] max_line" in note for note in notes)
    assert [file["path"] for file in result["files"]] == ["a.java"]
    assert result["files"][0]["counts"]


def test_a_faulty_config_of_the_base_is_an_error(repo, review):
    repo.commit({".werkrevisor.toml": FAULTY, "a.java": JAVA})
    repo.commit({"a.java": JAVA.replace("1", "2")})
    status, _, reasons = review()
    assert (status, list(reasons)) == (4, ["config"])
    assert reasons["config"]["evidence"][0]["note"].startswith(".werkrevisor.toml: [size] max_lines")


def test_a_host_only_key_in_the_base_is_an_error_by_name(repo, review):
    repo.commit({".werkrevisor.toml": '[engine]\nmode = "rules"\n', "a.java": JAVA})
    repo.commit({"a.java": JAVA.replace("1", "2")})
    status, _, reasons = review()
    assert status == 4
    assert "[engine] mode" in reasons["config"]["evidence"][0]["note"]


@pytest.mark.parametrize("mended", ["[size]\nmax_lines = 5\n", None])
def test_a_change_that_mends_the_base_is_yellow(repo, review, mended):
    repo.commit({".werkrevisor.toml": FAULTY, "a.java": JAVA})
    if mended is None:
        repo.git("rm", "-q", ".werkrevisor.toml")
    repo.commit({} if mended is None else {".werkrevisor.toml": mended})
    status, result, reasons = review()
    assert (status, result["verdict"]) == (1, "YELLOW")
    assert "own_config" in reasons
    assert any("this change makes it valid" in note for note in result["notes"])


def test_mending_beside_anything_else_is_an_error(repo, review):
    repo.commit({".werkrevisor.toml": FAULTY, "a.java": JAVA})
    repo.commit({".werkrevisor.toml": "[size]\nmax_lines = 5\n", "a.java": JAVA.replace("1", "2")})
    assert review()[0] == 4


def test_one_fault_for_another_is_an_error(repo, review):
    repo.commit({".werkrevisor.toml": FAULTY})
    repo.commit({".werkrevisor.toml": FAULTY.replace("max_lines", "max_files")})
    assert review()[0] == 4


def test_unknown_names_in_the_new_version_are_yellow(repo, review):
    repo.commit({"a.java": JAVA})
    repo.commit({".werkrevisor.toml": "[from_the_future]\nx = 1\n"})
    status, _, reasons = review()
    assert (status, reasons["own_config"]["level"]) == (1, "YELLOW")
    assert "from_the_future" in json.dumps(reasons["own_config"])


def test_unknown_names_in_the_version_of_the_base_are_yellow(repo, review):
    repo.commit({".werkrevisor.toml": "[from_the_future]\nx = 1\n", "a.java": f"import a.B;\n{JAVA}"})
    repo.commit({"a.java": f"import a.B;\nimport a.C;\n{JAVA}"})
    status, result, reasons = review()
    assert (status, result["change_kind"]) == (1, "mechanical_only")
    assert "from_the_future" in json.dumps(list(reasons.values()))


def test_a_symbolic_link_is_red(repo, review):
    repo.commit({"a.java": JAVA, "valid.toml": "[size]\nmax_lines = 9\n"})
    (repo.path / ".werkrevisor.toml").symlink_to("valid.toml")
    repo.commit()
    status, _, reasons = review()
    assert (status, reasons["own_config"]["level"]) == (3, "RED")


def test_a_symbolic_link_at_the_base_is_an_error_that_can_be_mended(repo, review):
    (repo.path / ".werkrevisor.toml").symlink_to("valid.toml")
    repo.commit({"a.java": JAVA, "valid.toml": "[size]\nmax_lines = 9\n"})
    repo.commit({"a.java": JAVA.replace("1", "2")})
    status, _, reasons = review()
    assert (status, list(reasons)) == (4, ["config"])
    assert "a symbolic link, not a regular file" in reasons["config"]["evidence"][0]["note"]
    repo.git("rm", "-q", ".werkrevisor.toml")
    repo.commit()
    assert review()[0] == 1

"""The core's own sections: defaults, who may set what, and what a value may be."""

import pytest

from werkrevisor_core.config.layers import Layer, LayerKind, load
from werkrevisor_core.config.sections import (
    CORE_SECTIONS,
    CategoriesSettings,
    EngineSettings,
    GateSettings,
    ModelSettings,
    PathJudgeSettings,
    ReviewSettings,
)
from werkrevisor_core.config.structure import fields_of, info_of
from werkrevisor_core.globs import Globs
from werkrevisor_core.models.classes import Category
from werkrevisor_core.models.verdict import Mode


def test_defaults_are_safe_without_tuning():
    assert EngineSettings().mode is Mode.CLASSIFIER
    assert EngineSettings().rule_timeout_seconds == 120
    assert CategoriesSettings().auto_approvable == ("mechanical_only", "docs_only", "tests_only", "refactoring")
    assert CategoriesSettings().main == ()
    assert (PathJudgeSettings().yellow_percentile, PathJudgeSettings().red_percentile) == (0.90, 0.99)
    assert ReviewSettings().doc_hint_line_comments is False
    assert ModelSettings().token_count_factor == 1.55
    gate = GateSettings()
    assert (gate.merge, gate.ci, gate.max_red_rounds) == ("pinned", "required", 3)
    assert (gate.carry_over_approvals, gate.carry_over_new_lines) == (True, 10)
    assert gate.branches == gate.human_reviewers == gate.ci_accounts == ()
    assert gate.reviewers == {}


def test_whole_sections_are_the_hosts_alone_and_the_others_are_not():
    host_only = {
        name for name, cls in CORE_SECTIONS.items() if all(info_of(f).host_only for f in fields_of(cls).values())
    }
    shared = {
        name for name, cls in CORE_SECTIONS.items() if not any(info_of(f).host_only for f in fields_of(cls).values())
    }
    assert host_only == {"engine", "gate", "gitea", "model", "plugins"}
    assert shared == {"categories", "path_judge", "review"}


def test_every_setting_is_described_by_one_sentence():
    for cls in CORE_SECTIONS.values():
        for name, field in fields_of(cls).items():
            doc = info_of(field).doc
            assert doc.endswith(".") and doc[0].isupper(), (cls.__name__, name)  # noqa: PT018 (one property)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[engine]\nrule_timeout_seconds = 0", "[engine] rule_timeout_seconds must be above 0 and is 0"),
        (
            '[engine]\nmode = "everybody"',
            '[engine] mode: "everybody" is not a known value; known: classifier, combined, llm, rules',
        ),
        ("[model]\ntoken_count_factor = 0", "[model] token_count_factor must be between 0.1 and 100 and is 0.0"),
        ("[model]\ncall_tokens = 0", "[model] call_tokens must be above 0 and is 0"),
        ("[path_judge]\nred_percentile = 99", "[path_judge] red_percentile must be between 0 and 1 and is 99.0"),
        ("[gate]\nmax_red_rounds = -1", "[gate] max_red_rounds must be 0 or more and is -1"),
        ('[gate]\nmerge = "now"', '[gate] merge: "now" is not a known value; known: never, pinned, schedule'),
        ('[gate]\nhuman_reviewers = [""]', "[gate] human_reviewers has a name that is empty or has a space in it"),
        ('[gate]\nbranches = ["a b"]', "[gate] branches has a name that is empty or has a space in it"),
        ('[gate]\nbranches = ["a", "a"]', "[gate] branches has a name twice"),
        (
            '[gate.reviewers]\n"src/**" = []',
            '[gate] reviewers names nobody for "src/**", so no change there could ever pass',
        ),
        (
            '[gate.reviewers]\n"src/**" = [" "]',
            '[gate] reviewers for "src/**" has a name that is empty or has a space in it',
        ),
        ('[plugins]\ndisable = ["a"]\nenable = ["a"]', "[plugins] disable and enable both name a"),
        ('[gitea]\nrepository = "shop"', "[gitea] repository must be written owner/name"),
        ('[gitea]\nrepository = "example/shop/x"', "[gitea] repository must be written owner/name"),
        ('[gitea]\ntoken_env = "$TOKEN"', "[gitea] token_env must be the name of an environment variable"),
        (
            '[gitea]\ntoken_env = "A"\ntoken_file = "b"',
            "[gitea] token_env and token_file are both set; name one of them",
        ),
    ],
)
def test_a_value_that_makes_no_sense_is_a_fault(text, message):
    (fault,) = load([Layer("host.toml", LayerKind.HOST, text.encode())], {}).faults
    assert str(fault) == f"host.toml: {message}"


@pytest.mark.parametrize("key", ["db_schema", "main", "config", "tests", "generated", "docs"])
def test_a_bad_glob_is_a_fault_of_either_layer(key):
    for kind in (LayerKind.HOST, LayerKind.REPOSITORY):
        (fault,) = load([Layer("file", kind, f'[categories]\n{key} = ["ok", "!no"]'.encode())], {}).faults
        assert str(fault).startswith(f"file: [categories] {key} has an invalid glob '!no'")


@pytest.mark.parametrize(
    "url",
    [
        "git.example.org",
        "ftp://git.example.org",
        "https://bot:hunter2@git.example.org",
        "https://hunter2@git.example.org",
        "https://git.example.org/?token=hunter2",
        "https://git.example.org/#hunter2",
        "https://git example.org",
    ],
)
def test_an_address_with_a_secret_in_it_is_refused_and_not_repeated(url):
    (fault,) = load([Layer("host.toml", LayerKind.HOST, f'[gitea]\nurl = "{url}"'.encode())], {}).faults
    assert str(fault).startswith("host.toml: [gitea] url must look like https://git.example.org")
    assert "hunter2" not in str(fault)


@pytest.mark.parametrize("url", ["https://git.example.org", "http://localhost:3000", "https://example.org/git/"])
def test_an_address_is_taken(url):
    assert load([Layer("host.toml", LayerKind.HOST, f'[gitea]\nurl = "{url}"'.encode())], {}).faults == ()


def test_a_secret_in_the_file_is_refused_and_not_repeated():
    (fault,) = load([Layer("host.toml", LayerKind.HOST, b'[gitea]\ntoken = "hunter2"')], {}).faults
    assert str(fault).startswith("host.toml: [gitea] token is not a known key; known: ")
    assert "did you mean token_env?" in str(fault)
    assert "hunter2" not in str(fault)


def category(path):
    settings = CategoriesSettings()
    return next((kind for kind in Category if Globs(getattr(settings, kind.value)).match(path)), Category.MAIN)


@pytest.mark.parametrize(
    ("expected", "paths"),
    [
        (
            Category.DB_SCHEMA,
            [
                "app/migrations/0001_initial.py",
                "src/main/resources/db/changelog/001-user.yaml",
                "db/migrate/20240101_add.rb",
                "db/schema.rb",
                "prisma/schema.prisma",
                "queries/report.sql",
                "tests/data/seed.sql",
                "alembic/versions/1.py",
            ],
        ),
        (
            Category.MAIN,
            [
                "src/main/java/net/example/Shop.java",
                "docs/conf.py",
                "docs/demo.html",
                "vendor/lib/a.go",
                "src/generated/Api.java",
                "src/latest.py",
                "src/contest.py",
                "bin/run",
                "a.rs",
                "web/page.mdx",
                "notes.txt",
            ],
        ),
        (
            Category.CONFIG,
            [
                "package.json",
                "tsconfig.json",
                "app.json",
                "a/map.json",
                "data/block.json",
                "data/bootstrap.json",
                "data/book.json",
                "ci.yml",
                "values.yaml",
                "a/lock.d/stack.yaml",
                "clock.yaml",
                ".github/workflows/ci.yml",
                ".gitea/scripts/deploy",
                "Dockerfile",
                "docker/Dockerfile.prod",
                "pyproject.toml",
                "requirements-dev.txt",
                "CMakeLists.txt",
                "go.mod",
                "pom.xml",
                ".eslintrc",
                ".gitignore",
                "tests/fixtures/a.yml",
            ],
        ),
        (
            Category.TESTS,
            [
                "src/test/java/net/example/ShopTest.java",
                "src/ShopTest.java",
                "pkg/shop_test.go",
                "tests/test_shop.py",
                "shop/test_shop.py",
                "conftest.py",
                "web/shop.test.tsx",
                "web/shop.spec.mts",
                "web/__tests__/shop.js",
                "spec/shop_spec.rb",
                "ShopTests.cs",
                "tests/README.md",
            ],
        ),
        (
            Category.GENERATED,
            [
                "package-lock.json",
                "web/npm-shrinkwrap.json",
                "pnpm-lock.yaml",
                "yarn.lock",
                "Cargo.lock",
                "poetry.lock",
                "packages.lock.json",
                "go.sum",
                "api/shop.pb.go",
                "api/shop_pb2.py",
                "lib/shop.g.dart",
                "static/jquery.min.js",
            ],
        ),
        (
            Category.DOCS,
            ["README.md", "docs/guide/start.rst", "LICENSE", "docs/notes.txt", "docs/img/flow.png", "CHANGELOG"],
        ),
    ],
)
def test_default_categories_over_many_languages(expected, paths):
    assert {path: category(path) for path in paths} == dict.fromkeys(paths, expected)

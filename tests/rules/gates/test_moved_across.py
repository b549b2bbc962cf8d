from pathlib import Path

import pytest

from werkrevisor_core.config.sections import CategoriesSettings
from werkrevisor_core.engine import judge_files
from werkrevisor_core.models.classes import Category, Classification
from werkrevisor_core.steps.kind import Categories
from werkrevisor_core.testing.build import modified, renamed
from werkrevisor_core.testing.cases import load_cases, run_case
from werkrevisor_rules._support.places import changed_facets
from werkrevisor_rules.gates import moved_across

CASES = load_cases(Path(__file__).parents[1] / "cases" / "moved_across.toml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case):
    run_case(moved_across, case)


def test_the_core_tells_the_category_of_both_paths():
    files = (modified("a.md", "x", "y"), renamed("tests/test_a.py", "src/a.py"))
    judged = judge_files(files, (Classification((), ""),) * 2, Categories.compile(CategoriesSettings()))
    assert [(file.old_category, file.category) for file in judged] == [
        (None, Category.DOCS),
        (Category.TESTS, Category.MAIN),
    ]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("a/x.go", "a/x_linux_amd64.go", "suffix: none -> linux amd64"),
        ("a/x.go", "a/_x.go", "suffix: none -> left out by go"),
        ("a/x.go", "linux.go", None),
        ("a/x.go", "a/x.b.go", None),
        ("src/a.ts", "src/a.server.ts", "suffix: none -> server"),
        ("config/.env.example", "config/.env.prod", "extension: example -> prod"),
        (".env.prod.local", ".env.local", "suffix: prod -> none"),
        ("conf/application.yml", "conf/application-prod.yml", "suffix: none -> prod"),
        ("conf/application-production.yml", "conf/application-prod.yml", None),
        ("net/socket_posix.cc", "net/socket_win.cc", "suffix: posix -> win"),
        ("net/socket_test.cc", "net/socket_checks.cc", "suffix: test -> none"),
        ("src/types.ts", "src/types.d.ts", "suffix: none -> d"),
        ("src/run.rs", "src/main.rs", "suffix: none -> main.rs"),
        ("src/main/java/A.java", "src/debug/java/A.java", "source set: main -> debug"),
        ("src/tool.rs", "src/bin/tool.rs", "source set: none -> src/bin"),
        ("pipelines/a.yml", ".gitea/workflows/a.yml", "run by its place: none -> workflow of gitea"),
        ("ci/old.yml", ".gitlab-ci.yml", "run by its place: none -> CI of .gitlab-ci.yml"),
        (".woodpecker/a.yml", ".woodpecker/b.yml", None),
        ("scripts/check", ".githooks/pre-commit", "run by its place: none -> hook pre-commit"),
        ("hooks/pre-push", "hooks/pre-commit", "run by its place: hook pre-push -> hook pre-commit"),
        ("hooks/useCart.ts", "hooks/useBasket.ts", None),
        ("db/migration/V1.sql", "db/migration/V9.sql", "run by its place: migration V1.sql -> migration V9.sql"),
        ("etc/job", "etc/cron.d/job", "run by its place: none -> cron.d job"),
        ("web/pages/about.vue", "web/pages/admin.vue", "route: about -> admin"),
        ("a/src/pages/about.vue", "b/src/pages/about.vue", None),
        ("src/lib/x.ts", "src/routes/pay/+server.ts", "route: none -> pay/+server"),
        ("src/x.ts", "api/x.ts", "route: none -> api/x"),
        ("src/check.ts", "src/middleware.ts", "route: none -> middleware"),
        ("tests/a.rs", "tests/common/a.rs", "test discovery: rust -> none"),
    ],
)  # fmt: skip
def test_what_a_path_says(old, new, changed):
    assert changed_facets(old, new) == (() if changed is None else (changed,))

import pytest

from werkrevisor_core.config.sections import CategoriesSettings
from werkrevisor_core.models.classes import Category, ChangeKind
from werkrevisor_core.steps.kind import Categories, change_kind
from werkrevisor_core.testing.build import added, judged, modified, removed, renamed

CATEGORIES = Categories.compile(
    CategoriesSettings(
        db_schema=("db/*.sql",),
        main=("db/x.sql", "app/test/main.py"),
        config=("*.toml",),
        tests=("test/",),
        generated=("gen/",),
        docs=("*.md", "gen/docs/"),
    )
)


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("db/x.sql", Category.DB_SCHEMA),
        ("app/test/main.py", Category.MAIN),
        ("app/test/a.py", Category.TESTS),
        ("test/a.toml", Category.CONFIG),
        ("gen/docs/a", Category.GENERATED),
        ("README.md", Category.DOCS),
        ("src/a.c", Category.MAIN),
        ("a\udcff.md", Category.DOCS),
        ("new\nline.md", Category.DOCS),
    ],
)
def test_the_first_category_in_their_order_holds(path, category):
    assert CATEGORIES.of(path) is category


def file(category, **given):
    change = given.pop("change", None) or modified("x", "a\n", "b\n")
    return judged(change, category, **given)


MAIN, TESTS, DOCS = Category.MAIN, Category.TESTS, Category.DOCS
MECHANICAL = {"rules": ("imports",)}


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ([], ChangeKind.EMPTY),
        ([file(MAIN, **MECHANICAL)], ChangeKind.MECHANICAL_ONLY),
        ([file(TESTS, **MECHANICAL), file(MAIN)], ChangeKind.REFACTORING),
        ([file(MAIN), file(DOCS)], ChangeKind.REFACTORING),
        ([file(DOCS)], ChangeKind.DOCS_ONLY),
        ([file(TESTS)], ChangeKind.TESTS_ONLY),
        ([file(Category.CONFIG)], ChangeKind.CONFIG),
        ([file(Category.DB_SCHEMA)], ChangeKind.DB_SCHEMA),
        ([file(Category.GENERATED)], ChangeKind.MIXED),
        ([file(MAIN), file(Category.GENERATED)], ChangeKind.MIXED),
        ([file(MAIN), file(Category.CONFIG)], ChangeKind.MIXED),
        ([file(TESTS), file(DOCS)], ChangeKind.MIXED),
        ([file(MAIN), file(TESTS)], ChangeKind.FEATURE),
        ([file(MAIN), file(TESTS), file(DOCS)], ChangeKind.FEATURE),
        ([file(MAIN), file(TESTS, change=added("t", ""))], ChangeKind.FEATURE),
        ([file(MAIN), file(TESTS, change=removed("t", "a\n"))], ChangeKind.MIXED),
        ([file(MAIN), file(TESTS, change=modified("t", "a\nb\n", "a\n"))], ChangeKind.MIXED),
        ([file(MAIN), file(TESTS, change=renamed("s", "t"))], ChangeKind.MIXED),
        ([file(MAIN, approved=True), file(DOCS)], ChangeKind.DOCS_ONLY),
        ([file(MAIN, approved=True), file(DOCS, **MECHANICAL)], ChangeKind.REFACTORING),
    ],
)
def test_the_kind_comes_from_the_files_that_count(files, kind):
    assert change_kind(files) is kind

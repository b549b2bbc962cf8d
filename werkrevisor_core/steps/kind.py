"""What a change set is: the category of each path and, from the files that count, the change kind."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from werkrevisor_core.config.sections import CategoriesSettings
from werkrevisor_core.globs import Globs
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Category, ChangeKind, JudgedFile

_ONE_CATEGORY: Final = {
    frozenset({Category.DOCS}): ChangeKind.DOCS_ONLY,
    frozenset({Category.TESTS}): ChangeKind.TESTS_ONLY,
    frozenset({Category.CONFIG}): ChangeKind.CONFIG,
    frozenset({Category.DB_SCHEMA}): ChangeKind.DB_SCHEMA,
    frozenset({Category.MAIN}): ChangeKind.REFACTORING,
    frozenset({Category.MAIN, Category.DOCS}): ChangeKind.REFACTORING,
}


@frozen
class Categories:
    """The globs of every category, in the order in which they are asked."""

    globs: tuple[tuple[Category, Globs], ...]

    @classmethod
    def compile(cls, settings: CategoriesSettings) -> "Categories":
        """Compile the globs of `[categories]`."""
        return cls(tuple((category, Globs(getattr(settings, category.value))) for category in Category))

    def of(self, path: str) -> Category:
        """Return the category of a path: the first that matches, else main."""
        for category, globs in self.globs:
            if globs.match(path) is not None:
                return category
        return Category.MAIN


def change_kind(files: Sequence[JudgedFile]) -> ChangeKind:
    """Tell the kind of a change set from its files that count.

    Documents beside main code do not make it another kind; beside anything else they do. Where
    every file that is not mechanical is covered by an approval, the kind is that of those files.
    """
    if not files:
        return ChangeKind.EMPTY
    counting = [file for file in files if file.counts] or [file for file in files if not file.mechanical]
    if not counting:
        return ChangeKind.MECHANICAL_ONLY
    found = frozenset(file.category for file in counting)
    if found - {Category.DOCS} == {Category.MAIN, Category.TESTS}:
        return ChangeKind.FEATURE if any(_adds_tests(file) for file in counting) else ChangeKind.MIXED
    return _ONE_CATEGORY.get(found, ChangeKind.MIXED)


def _adds_tests(file: JudgedFile) -> bool:
    return file.category is Category.TESTS and (file.change.status is Status.ADDED or file.change.added > 0)

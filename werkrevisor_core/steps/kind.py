"""What a change set is: the category of each path and, from the files that count, the change kind."""

from collections.abc import Sequence
from typing import Final

from werkrevisor_core.config.sections import CategoriesSettings
from werkrevisor_core.globs import Globs
from werkrevisor_core.models.change import Status
from werkrevisor_core.models.classes import Category, ChangeKind, JudgedFile
from werkrevisor_core.records import frozen

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
    """The globs of every category as one set, in the order in which they are asked."""

    globs: Globs
    owners: tuple[Category, ...]

    @classmethod
    def compile(cls, settings: CategoriesSettings) -> "Categories":
        """Compile the globs of `[categories]`."""
        named = [(glob, category) for category in Category for glob in getattr(settings, category.value)]
        return cls(Globs(tuple(glob for glob, _ in named)), tuple(category for _, category in named))

    def of(self, path: str) -> Category:
        """Return the category of a path: the first that matches, else main."""
        index = self.globs.first(path)
        return Category.MAIN if index is None else self.owners[index]


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

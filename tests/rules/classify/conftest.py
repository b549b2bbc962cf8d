"""Judges one change as the core does, with the classifiers alone."""

from types import ModuleType

import pytest

from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.classes import Classification
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.steps.classify import classify
from werkrevisor_core.testing.build import modified, patch
from werkrevisor_core.watchdog import Progress
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import imports, renamed, whitespace

RULES: tuple[ModuleType, ...] = (imports, renamed, whitespace)


def judge_change(file: FileChange, contents: Contents | None = None, **settings: object) -> Classification:
    made = []
    for index, module in enumerate(RULES):
        found = module.werkrevisor_classifier(
            contents=contents or NoContents(), settings=MechanicalSettings(**settings)
        )
        if found is not None:
            made.append(NamedClassifier(module.RULE.name, index, found))
    classes, errors = classify([file], made, Progress())
    assert not errors
    return classes[0]


@pytest.fixture
def judge():
    """Return a function that classifies a file change."""
    return judge_change


@pytest.fixture
def judge_text():
    """Return a function that classifies what happened to the text of a path."""

    def judged(path, old, new, contents=None, **settings):
        return judge_change(modified(path, old, new), contents, **settings)

    return judged


@pytest.fixture
def judge_hunk():
    """Return a function that classifies a modified file by the text of its hunks alone."""

    def judged(path, text, contents=None, **settings):
        lines = [line for line in text.split(b"\n") if not line.startswith(b"@@")]
        counts = {name: sum(line[:1] == mark for line in lines) for name, mark in (("added", b"+"), ("removed", b"-"))}
        file = modified(path, "x\n", "y\n", patch=patch(text), **counts)
        assert file.patch.hunks()
        return judge_change(file, contents, **settings)

    return judged


@pytest.fixture(scope="session")
def judge_pure():
    """The same as `judge_text`, for tests that run many examples."""
    return lambda path, old, new, contents=None: judge_change(modified(path, old, new), contents)

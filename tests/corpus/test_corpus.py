"""Zero wrong "mechanical" on the adversarial cases, and every control recognised.

`adversarial.jsonl` and `own.jsonl` are CC0. A case of the first is a diff as git prints it; one of
the second is a pair of texts, judged with and without the contents of the file (`needs = contents`
marks those that no hunk alone can tell). `expected_mechanical` null means that either answer passes.
"""

import json
from pathlib import Path

import pytest

from werkrevisor_core.diff.reader import read_diff
from werkrevisor_core.diff.source import BytesSource
from werkrevisor_core.facade import NamedClassifier
from werkrevisor_core.models.change import FileChange
from werkrevisor_core.models.ports import Contents, NoContents
from werkrevisor_core.steps.classify import classify
from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_core.watchdog import Progress
from werkrevisor_rules._support.mechanical import MechanicalSettings
from werkrevisor_rules.classify import imports, renamed, whitespace


def rows(name: str) -> list[dict[str, object]]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def mechanical(file: FileChange, contents: Contents) -> bool:
    made = [
        NamedClassifier(
            module.RULE.name, index, module.werkrevisor_classifier(contents=contents, settings=MechanicalSettings())
        )
        for index, module in enumerate((imports, renamed, whitespace))
    ]
    classes, errors = classify([file], made, Progress())
    assert not errors
    return bool(classes[0].rules)


ADVERSARIAL = rows("adversarial.jsonl")
OWN = rows("own.jsonl")


@pytest.mark.parametrize("row", ADVERSARIAL, ids=[row["id"] for row in ADVERSARIAL])
def test_adversarial_case(row):
    found = read_diff(BytesSource(row["diff"].encode("utf-8", "surrogateescape")))
    assert len(found.files) == 1
    assert found.files[0].path == row["path"]
    got = mechanical(found.files[0], NoContents())
    expected = row["expected_mechanical"]
    assert expected is None or got is expected, row["reason"]


@pytest.mark.parametrize("row", OWN, ids=[row["id"] for row in OWN])
def test_own_case(row):
    file = modified(row["path"], row["old"], row["new"])
    known = DictContents({row["path"]: row["old"]}, {row["path"]: row["new"]})
    assert mechanical(file, known) is row["expected_mechanical"], row["reason"]
    if row.get("needs") != "contents":
        assert mechanical(file, NoContents()) is row["expected_mechanical"], row["reason"]


def test_there_are_enough_cases():
    assert len(ADVERSARIAL) == 134
    assert sum(not row["expected_mechanical"] for row in OWN) >= 300
    assert sum(row["expected_mechanical"] for row in OWN) >= 100

"""The labelled hand-made changes to tests, through the gates: how many are found, how many called wrongly.

`tests_weakened.jsonl` is CC0: whole files before and after. `weakened` null means that either answer
passes. A case is found (or called) where evidence of `tests_weakened`, for renames `moved_across`,
names its path or that of a related file.
"""

import collections
import json
from pathlib import Path

import pytest

from werkrevisor_core.models.change import Status
from werkrevisor_core.testing.build import DictContents, change
from werkrevisor_core.testing.run import run

GATES = {"tests_weakened", "moved_across"}
ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "tests_weakened.jsonl").read_text(encoding="utf-8").split("\n")
    if line
]


def called(row) -> bool:
    files, old, new = [], {}, {}
    for file in (row, *row["related"]):
        path, old_path = file["path"], file["old_path"] or file["path"]
        files.append(change(path, Status(file["status"]), file["before"], file["after"], old_path=old_path))
        old |= {old_path: file["before"]} if file["before"] is not None else {}
        new |= {path: file["after"]} if file["after"] is not None else {}
    review = run(*files, contents=DictContents(old, new))
    paths = {path for file in files for path in file.paths}
    return any(piece.path in paths for reason in review.reasons if reason.id in GATES for piece in reason.evidence)


@pytest.fixture(scope="module")
def answers():
    return [(row, called(row)) for row in ROWS if row["weakened"] is not None]


def test_no_case_is_lost(answers):
    labels = collections.Counter(row["weakened"] for row, _ in answers)
    assert labels == {True: 130, False: 99}


def test_at_least_95_percent_of_the_weakened_are_found(answers):
    missed = [row["id"] for row, answer in answers if row["weakened"] and not answer]
    assert len(missed) <= 0.05 * 130, missed


def test_at_most_5_percent_of_the_others_are_called(answers):
    wrong = [row["id"] for row, answer in answers if not row["weakened"] and answer]
    assert len(wrong) <= 0.05 * 99, wrong

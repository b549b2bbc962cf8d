"""Scenario 11.10 of seed PR#11: an import that is replaced in a test file says nothing about its tests."""

from pathlib import Path

from werkrevisor_core.models.classes import ChangeKind
from werkrevisor_core.testing.build import DictContents, modified
from werkrevisor_core.testing.run import run
from werkrevisor_core.testing.scripted import ScriptedModel

WERKPROBE = (Path(__file__).parents[2] / "config" / "werkprobe.toml").read_text(encoding="utf-8")

A_OLD = "package net.example;\n\npublic class A {\n    int count() {\n        return 1;\n    }\n}\n"
A_NEW = A_OLD.replace("return 1;", "return 2;")
TEST_OLD = """package net.example;

import org.junit.Test;
import static org.junit.Assert.assertEquals;

public class ATest {
    @Test
    public void counts() {
        assertEquals(1, new A().count());
    }
}
"""
TEST_NEW = TEST_OLD.replace("org.junit.Test", "org.junit.jupiter.api.Test")
PATH = "src/test/java/net/example/ATest.java"
MAIN = "src/main/java/net/example/A.java"


def reviewed(new):
    contents = DictContents({MAIN: A_OLD, PATH: TEST_OLD}, {MAIN: A_NEW, PATH: new})
    files = (modified(MAIN, A_OLD, A_NEW), modified(PATH, TEST_OLD, new))
    return run(*files, host=WERKPROBE, judges=[ScriptedModel()], contents=contents)


def test_scenario_11_10_a_replaced_import_of_a_test_is_no_weakening():
    review = reviewed(TEST_NEW)
    assert "tests_weakened" not in [reason.id for reason in review.reasons]
    assert review.kind is ChangeKind.REFACTORING


def test_scenario_11_10_beside_a_replaced_import_a_lost_assertion_is_one():
    review = reviewed(TEST_NEW.replace("        assertEquals(1, new A().count());\n", "        new A().count();\n"))
    found = next(reason for reason in review.reasons if reason.id == "tests_weakened")
    assert [(piece.path, piece.line, piece.was) for piece in found.evidence] == [
        (PATH, 9, "assertEquals ( 1 , new A ( ) . count ( ) )")
    ]

"""The classifiers never say "mechanical" where the oracle says otherwise."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.check import Verdict, check
from oracle.mutations import mutate
from oracle.samples import SAMPLES
from oracle.tokens import same_program


@pytest.mark.parametrize("path", SAMPLES)
def test_the_oracle_reads_every_sample(path):
    extension = path.rpartition(".")[2]
    text = SAMPLES[path].encode()
    assert same_program(extension, text, text) is True


@pytest.mark.parametrize(
    ("extension", "old", "new", "same"),
    [
        ("java", "import a.B;\nclass A { }\n", "import a.C;\n\nclass A {\n}\n", True),
        ("java", "class A { int x; }\n", "class A { /* int x; */ }\n", False),
        ("java", 'class A { String s = "a b"; }\n', 'class A { String s = "a  b"; }\n', False),
        ("java", "class A { }\n", "class A {\n", False),
        ("go", 'package a\n\nimport "os"\n', "package a\n", True),
        ("go", 'package a\n\nimport _ "os"\n', "package a\n", False),
        ("ts", "import { a } from 'a';\n", "import 'a';\n", False),
        ("ts", "import { a } from 'a';\n", "import {} from 'a';\n", False),
        ("js", "'use client';\nf();\n", "import a from 'a';\n'use client';\nf();\n", False),
        ("js", "function f() { return x; }\n", "function f() { return\nx; }\n", False),
        ("rs", "#[cfg(test)]\nuse a::b;\nfn f() {}\n", "#[cfg(test)]\nfn f() {}\n", False),
        ("rs", "use a::b;\nfn f() {}\n", "fn f() {}\n", True),
        ("rs", "pub use a::b;\n", "use a::b;\n", False),
        ("kt", "import a.B\nval a = 1\n", "import a.C\nval a  = 1\n", True),
        ("kt", "val a = 1\n", "// val a = 1\n", False),
        ("c", "#define A(x) \\\n if (x) \\\n b()\n", "#define A(x) \\\n if (x) \\\n\n b()\n", False),
    ],
)
def test_the_oracle_knows_what_changes_a_program(extension, old, new, same):
    assert same_program(extension, old.encode(), new.encode()) is same


@pytest.mark.parametrize("path", SAMPLES)
@settings(max_examples=settings().max_examples)
@given(choose=st.randoms(use_true_random=False), readable=st.booleans())
def test_no_mutation_is_wrongly_mechanical(path, choose, readable):
    extension = path.rpartition(".")[2]
    old = mutate(SAMPLES[path], choose, extension) if choose.random() < 0.3 else SAMPLES[path]
    new = mutate(old, choose, extension)
    assert check(path, old.encode(), new.encode(), readable=readable) is not Verdict.WRONG, new


def test_the_mutations_reach_mechanical_changes_too():
    choose = random.Random(3)  # noqa: S311 (choices of a test)
    found = set()
    for path in list(SAMPLES) * 60:
        new = mutate(SAMPLES[path], choose, path.rpartition(".")[2], most=1)
        found.add(check(path, SAMPLES[path].encode(), new.encode(), readable=True))
    assert {Verdict.FOUND, Verdict.REFUSED} <= found

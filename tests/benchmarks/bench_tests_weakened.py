"""Time of the comparison of tests beside the parsers' own time for the same files, in the same run.

    python tests/benchmarks/bench_tests_weakened.py
    python tests/benchmarks/bench_tests_weakened.py --files 750 1500 3000 --tests 20 --runs 3

Each change has files of one language with some tests each, of which one got another expected value and
one lost an assertion; the last rows change every test, and move every file. Prints MB (both versions),
the processor's seconds of the parser alone and of the gate, MB/s and their ratio. Python files are beside
Python's own parser. The aim of issue 5: at most three times the parser's time for a change of 3,000
files, and time that grows linearly.
"""

import argparse
import ast
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module

from tree_sitter import Language, Parser

from werkrevisor_core.models.context import ReviewContext
from werkrevisor_core.testing.build import DictContents, added, context, modified, removed
from werkrevisor_rules._support.weakened_tests.grammars import GRAMMARS
from werkrevisor_rules.gates.tests_weakened import Settings, evaluate

FRAMES = {
    "java": ("src/test/java/a/F{n}Test.java", "package a;\n\nclass F{n}Test {{\n{body}}}\n"),
    "typescript": ("src/f{n}.test.ts", "import {{ f }} from './f';\n\ndescribe('f', () => {{\n{body}}});\n"),
    "go": ("f/f{n}_test.go", "package f\n\n{body}"),
    "rust": ("tests/f{n}.rs", "use f::*;\n\n{body}"),
    "python": ("tests/test_f{n}.py", "import f\n\n\n{body}"),
}
TESTS = {
    "java": '    @Test\n    void keeps{t}() {{\n        Cart cart = new Cart("c{t}");\n        cart.add("pen", {v});\n'
    "        assertEquals({v}, cart.count());\n"
    '        assertThat(cart.items()).containsExactly("pen");\n{more}    }}\n\n',
    "typescript": "  it('keeps {t}', () => {{\n    const cart = new Cart('c{t}');\n    cart.add('pen', {v});\n"
    "    expect(cart.count).toBe({v});\n    expect(cart.items).toEqual(['pen']);\n{more}  }});\n\n",
    "go": 'func TestKeeps{t}(t *testing.T) {{\n\tcart := New("c{t}")\n\tcart.Add("pen", {v})\n'
    '\tif cart.Count() != {v} {{\n\t\tt.Errorf("count %d", cart.Count())\n\t}}\n{more}}}\n\n',
    "rust": '#[test]\nfn keeps_{t}() {{\n    let mut cart = Cart::new("c{t}");\n    cart.add("pen", {v});\n'
    '    assert_eq!(cart.count(), {v});\n    assert_eq!(cart.items(), ["pen"]);\n{more}}}\n\n',
    "python": 'def test_keeps_{t}(db):\n    cart = f.Cart("c{t}")\n    cart.add("pen", {v})\n'
    '    assert cart.count() == {v}\n    assert cart.items() == ["pen"]\n{more}\n\n',
}
MORE = {
    "java": "        assertTrue(cart.open());\n",
    "typescript": "    expect(cart.open).toBe(true);\n",
    "go": "\trequire.True(t, cart.Open())\n",
    "rust": "    assert!(cart.open());\n",
    "python": "    assert cart.open()\n",
}


def text(language: str, file: int, tests: int, changed: Callable[[int], bool]) -> str:
    """Return a file of tests; those that changed expect another value, every second of them lost an assertion."""
    body = "".join(
        TESTS[language].format(t=f"{file}_{n}", v=n + changed(n), more="" if changed(n) and n % 2 else MORE[language])
        for n in range(tests)
    )
    return FRAMES[language][1].format(n=file, body=body)


def change(language: str, files: int, tests: int, how: str) -> tuple[ReviewContext, list[bytes]]:
    """Return a change of so many files, and all their texts."""
    old, new, changes = {}, {}, []
    for file in range(files):
        path = FRAMES[language][0].format(n=file)
        before = text(language, file, tests, lambda _: False)
        if how == "moved":
            other = FRAMES[language][0].format(n=f"{file}x")
            old[path], new[other] = before, before
            changes += [removed(path, before), added(other, before)]
            continue
        after = text(language, file, tests, (lambda _: True) if how == "all" else (lambda n: n < 2))
        old[path], new[path] = before, after
        # The gate reads contents; a short patch keeps the making of the change out of the figures.
        changes.append(modified(path, "a\n", "b\n"))
    texts = [one.encode() for side in (old, new) for one in side.values()]
    return context(*changes, contents=DictContents(old, new)), texts


def parse_all(language: str, texts: Sequence[bytes]) -> float:
    """Return the seconds that the parser alone needs."""
    if language == "python":
        started = time.process_time()
        for one in texts:
            ast.parse(one)
        return time.process_time() - started
    grammar = GRAMMARS[language]
    parser = Parser(Language(getattr(import_module(grammar.module), grammar.entry)()))
    started = time.process_time()
    for one in texts:
        parser.parse(one)
    return time.process_time() - started


def measured(language: str, files: int, tests: int, how: str, runs: int) -> tuple[str, ...]:
    """Return one row of figures: the best of the runs."""
    given, texts = change(language, files, tests, how)
    size = sum(map(len, texts)) / 1e6
    parser, gate = [], []
    for _ in range(runs):
        parser.append(parse_all(language, texts))
        started = time.process_time()
        evaluate(given, Settings())
        gate.append(time.process_time() - started)
    own, whole = min(parser), min(gate)
    return (language, how, str(files), f"{size:.1f}", f"{own:.2f}", f"{whole:.2f}", f"{size / own:.1f}",
            f"{size / whole:.1f}", f"{whole / own:.2f}")  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="+", default=[750, 1500, 3000])
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    row = "{:<12}{:<8}{:>6}{:>8}{:>9}{:>8}{:>13}{:>11}{:>8}\n"
    sys.stdout.write(
        row.format("language", "change", "files", "MB", "parser s", "gate s", "parser MB/s", "gate MB/s", "ratio")
    )
    for language in FRAMES:
        plan = [(files, "some") for files in given.files] + [(max(given.files), how) for how in ("all", "moved")]
        for files, how in plan:
            sys.stdout.write(row.format(*measured(language, files, given.tests, how, given.runs)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Random histories on real git: what git merges without a conflict is carried, and nothing else is.

The truth comes from how a history was made: the base edits other methods than the branch does, so a
rebase or merge leaves the branch's change as it was; a tampered head has one block of it moved,
doubled, deleted, edited or indented otherwise. The code under test is never asked what is right.
"""

import random

import pytest
from attrs import define, field
from hypothesis import settings

from werkrevisor_core.git.source import open_source
from werkrevisor_rules._support.replayed import placed

HISTORIES = min(settings().max_examples, 2_000)
TOGETHER = 20
METHODS = 12
LINES = 6


def method(name, file, number):
    body = [f"        {name}{file}_{number}_{line}()" for line in range(LINES)]
    return [f"    def {name}{file}_{number}(self):", *body, "        return None", ""]


def text_of(file):
    lines = []
    for number in range(METHODS):
        if number % 4 == 0:
            lines.append(f"class C{file}_{number}:")
        lines += method("m", file, number)
    return lines


def block(chance, file, number, line):
    """Return the lines that the branch puts in place of one line; each is unique."""
    new = [f"        new{file}_{number}_{line}_{index}()" for index in range(chance.randint(1, 3))]
    return chance.choice([new, [*new, line_of(file, number, line)], [line_of(file, number, line), *new], []])


def line_of(file, number, line):
    return f"        m{file}_{number}_{line}()"


def edited(lines, changes):
    """Replace single lines, named by their text, by others."""
    return [new for line in lines for new in changes.get(line, [line])]


@define
class History:
    """One random history; `changes` are the branch's edits per file, `paths` where the files are on the new base."""

    pull: object
    chance: random.Random
    paths: dict[int, str] = field(factory=dict)
    changes: dict[int, dict[str, list[str]]] = field(factory=dict)
    base: dict[int, list[str]] = field(factory=dict)

    def make(self):
        """Make the first base, the approved head and the next base; return the ids of the first two."""
        files = range(self.chance.randint(2, 4))
        old = {file: f"src/file{file}.py" for file in files}
        self.base = {file: text_of(file) for file in files}
        self._start({old[file]: self.base[file] for file in files})
        first = self.pull.head("main")
        self.pull.git("checkout", "-q", "-B", "topic", "main")
        for file in self.chance.sample(files, self.chance.randint(1, len(files))):
            self.changes[file] = self._edits(file, 0)
        approved = self._commit(
            "topic", {old[file]: edited(self.base[file], self.changes[file]) for file in self.changes}
        )
        self._next_base(old)
        return first, approved

    def _start(self, files):
        self.pull.git("checkout", "-q", "--orphan", "fresh")
        self.pull.git("rm", "-rfq", "--ignore-unmatch", ".")
        for path, lines in files.items():
            self._write(path, lines)
        self.pull.git("add", "-A")
        self.pull.git("commit", "-q", "-m", "first")
        self.pull.git("branch", "-q", "-M", "fresh", "main")

    def _edits(self, file, parity):
        """Edit one or two lines of methods with this parity."""
        numbers = self.chance.sample(range(parity, METHODS, 2), self.chance.randint(1, 3))
        found = {}
        for number in numbers:
            line = self.chance.randrange(1, LINES - 1)
            found[line_of(file, number, line)] = block(self.chance, f"{file}{'ab'[parity]}", number, line)
            # The line itself may stay; it then is that of the file.
            found[line_of(file, number, line)] = [
                line_of(file, number, line) if new.lstrip().startswith("m") else new
                for new in found[line_of(file, number, line)]
            ]
        return found

    def _next_base(self, old):
        self.pull.git("checkout", "-q", "main")
        self.paths = dict(old)
        for file, path in old.items():
            what = self.chance.choice(["nothing", "edit", "rename", "both", "class above"])
            if what in ("rename", "both"):
                self.paths[file] = f"lib/{file}/moved.py"
                (self.pull.path / self.paths[file]).parent.mkdir(parents=True, exist_ok=True)
                self.pull.git("mv", path, self.paths[file])
            if what in ("edit", "both"):
                self.base[file] = edited(self.base[file], self._edits(file, 1))
            if what == "class above":
                self.base[file] = [f"class New{file}:", *method("n", file, 0), *self.base[file]]
            self._write(self.paths[file], self.base[file])
        self._commit("main", {"docs/new.md": ["New."]})

    def bring_over(self):
        """Rebase the branch or merge the base into it; tell whether git did that without a conflict."""
        self.pull.git("checkout", "-q", "topic")
        command = self.chance.choice([("rebase", "main"), ("merge", "--no-edit", "main")])
        self.pull.git(*command[:1], "-q", *command[1:], check=False)
        clean = not self.pull.git("status", "--porcelain")
        for file in self.changes:
            path = self.pull.path / self.paths[file]
            clean = clean and path.exists() and path.read_text() == self._wanted(file)
        return clean

    def _wanted(self, file):
        return "\n".join(edited(self.base[file], self.changes[file])) + "\n"

    def tamper(self):
        """Change one block of the branch on its new head; return what was done."""
        file = self.chance.choice(sorted(self.changes))
        where = self.chance.choice(sorted(self.changes[file]))
        new = self.changes[file][where]
        lines = edited(self.base[file], self.changes[file])
        what = self.chance.choice(["moved", "doubled", "deleted", "edited", "indented"])
        added = [line for line in new if line != where]
        if not added or what == "deleted":
            what, other = "deleted", edited(self.base[file], {**self.changes[file], where: [where]})
        elif what == "moved":
            other = self._inserted(edited(self.base[file], {**self.changes[file], where: [where]}), added)
        elif what == "doubled":
            other = self._inserted(lines, added)
        else:
            change = (lambda line: "    " + line) if what == "indented" else (lambda line: line.replace("new", "odd"))
            other = [change(line) if line in added else line for line in lines]
        self._commit("topic", {self.paths[file]: other})
        return what

    def _inserted(self, lines, added):
        """Put lines in front of a method that is no place of the branch's own."""
        starts = [
            at
            for at, line in enumerate(lines)
            if line.startswith("    def m") and int(line.split("_")[1].split("(")[0]) % 2
        ]
        at = self.chance.choice(starts) + 1
        return [*lines[:at], *added, *lines[at:]]

    def _write(self, path, lines):
        target = self.pull.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n")

    def _commit(self, branch, files):
        for path, lines in files.items():
            self._write(path, lines)
        self.pull.git("add", "-A")
        self.pull.git("commit", "-q", "--allow-empty", "-m", "c")
        return self.pull.head(branch)


def is_carried(pull, first, approved):
    with open_source(pull.path) as source:
        change = source.change_set(source.resolve("refs/heads/main"), source.resolve("refs/heads/topic"))
        replayed = source.replay(change).replay(first, approved)
        assert replayed.impossible == ""
        found = placed(change.files, replayed, source.contents(change), 10)
        return not found.missing and all(file.in_place for file in found.files)


def one(pull, number):
    """Return whether a history's approval is carried, what is done to it then, and whether that is carried."""
    history = History(pull, random.Random(number))  # noqa: S311 (histories that are the same in each run)
    first, approved = history.make()
    if history.bring_over():
        return is_carried(pull, first, approved), history.tamper(), is_carried(pull, first, approved)
    pull.git("rebase", "--abort", check=False)
    pull.git("merge", "--abort", check=False)
    pull.git("reset", "-q", "--hard")
    return None


@pytest.mark.parametrize("start", range(0, HISTORIES, TOGETHER))
def test_nearly_all_approvals_survive_and_no_tampered_change_does(pull, start):
    rows = {number: row for number in range(start, start + TOGETHER) if (row := one(pull, number)) is not None}
    assert len(rows) >= 0.9 * TOGETHER
    assert sum(not carried for carried, _, _ in rows.values()) <= 0.05 * len(rows)
    assert {number: what for number, (_, what, carried) in rows.items() if carried} == {}
    assert len({what for _, what, _ in rows.values()}) >= 4

"""Random histories on real git: what git merges without a conflict is carried, and nothing else is.

The truth comes from how a history was made. The base edits other methods than the branch does, moves
files and puts classes above, so a rebase or merge leaves the branch's change as it was; where git lands
it in a look-alike, the head is not the text that the history wants. A tampered head has one block of
its change moved, doubled, deleted, edited or indented otherwise. The code under test is never asked
what is right; it only says whether the new head passes without anybody having been asked.
"""

import random
from enum import Enum

import pytest
from attrs import define, field
from hypothesis import settings

from werkrevisor_core.models.verdict import Decision
from werkrevisor_core.testing.scripted import ScriptedJev, ScriptedModel

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


FIRST_CLASS = 1 + 4 * (LINES + 3)
"""Lines of the first class of a file."""


def block(chance, file, number, line):
    """Return the lines that the branch puts in place of one line; each new one is unique."""
    old = line_of(file, number, line)
    new = [f"        new{file}_{number}_{line}_{index}()" for index in range(chance.randint(1, 3))]
    return chance.choice([new, [*new, old], [old, *new], []])


def line_of(file, number, line):
    return f"        m{file}_{number}_{line}()"


def edited(lines, changes):
    """Replace single lines, named by their text, by others."""
    return [new for line in lines for new in changes.get(line, [line])]


class Outcome(Enum):
    """What git makes of a history."""

    CONFLICT = "conflict"
    IN_PLACE = "in place"
    ELSEWHERE = "elsewhere"


@define
class History:
    """One random history; `changes` are the branch's edits per file.

    The new base has each file at its path of `paths`, with the lines of `above` on top of those of `base`.
    """

    pull: object
    chance: random.Random
    paths: dict[int, str] = field(factory=dict)
    changes: dict[int, dict[str, list[str]]] = field(factory=dict)
    base: dict[int, list[str]] = field(factory=dict)
    above: dict[int, list[str]] = field(factory=dict)

    def make(self):
        """Make the first base and the head that will be approved."""
        files = range(self.chance.randint(2, 4))
        self.paths = {file: f"src/file{file}.py" for file in files}
        self.base = {file: text_of(file) for file in files}
        self.above = {file: [] for file in files}
        self._start({self.paths[file]: self.base[file] for file in files})
        self.pull.git("checkout", "-q", "-B", "topic", "main")
        for file in self.chance.sample(files, self.chance.randint(1, len(files))):
            self.changes[file] = self._edits(file, 0)
        self._commit("topic", {self.paths[file]: edited(self.base[file], self.changes[file]) for file in self.changes})

    def _start(self, files):
        self.pull.git("checkout", "-q", "--orphan", "fresh")
        self.pull.git("rm", "-rfq", "--ignore-unmatch", ".")
        for path, lines in files.items():
            self._write(path, lines)
        self.pull.git("add", "-A")
        self.pull.git("commit", "-q", "-m", "first")
        self.pull.git("branch", "-q", "-M", "fresh", "main")

    def _edits(self, file, parity):
        """Edit single lines of one to three methods with this parity."""
        numbers = self.chance.sample(range(parity, METHODS, 2), self.chance.randint(1, 3))
        lines = {number: self.chance.randrange(1, LINES - 1) for number in numbers}
        return {line_of(file, number, line): block(self.chance, file, number, line) for number, line in lines.items()}

    def move_the_base(self):
        """Let the base move, rename and edit files, and put classes above."""
        self.pull.git("checkout", "-q", "main")
        for file, path in list(self.paths.items()):
            moves = self.chance.choice(["", "", f"lib/{file}/moved.py", f"lib/file{file}.py", f"src/other{file}.py"])
            if moves:
                self.paths[file] = moves
                (self.pull.path / moves).parent.mkdir(parents=True, exist_ok=True)
                self.pull.git("mv", path, moves)
            self._edit_the_base(file, self.chance.choice(["", "", "edit", "edit", "class", "look-alike", "rewrite"]))
            self._write(self.paths[file], [*self.above[file], *self.base[file]])
        self._commit("main", {"docs/new.md": ["New."]})

    def _edit_the_base(self, file, what):
        if what == "edit":
            self.base[file] = edited(self.base[file], self._edits(file, 1))
        elif what == "class":
            self.above[file] = [f"class New{file}:", *method("n", file, 0)]
        elif what in ("look-alike", "rewrite"):
            self.above[file] = [f"class Like{file}:", *self.base[file][1:FIRST_CLASS]]
        if what == "rewrite":
            first = [line.replace(" m", " r").replace("None", "0") for line in self.base[file][1:FIRST_CLASS]]
            self.base[file][1:FIRST_CLASS] = first

    def bring_over(self):
        """Rebase the branch or merge the base into it."""
        self.pull.git("checkout", "-q", "topic")
        command = self.chance.choice([("rebase", "-q", "main"), ("merge", "-q", "--no-edit", "main")])
        self.pull.git(*command, check=False)
        if self.pull.git("status", "--porcelain"):
            self.pull.git(command[0], "--abort")
            return Outcome.CONFLICT
        right = all((self.pull.path / self.paths[file]).read_text() == self._wanted(file) for file in self.changes)
        return Outcome.IN_PLACE if right else Outcome.ELSEWHERE

    def _wanted(self, file):
        return "\n".join([*self.above[file], *edited(self.base[file], self.changes[file])]) + "\n"

    def tamper(self):
        """Change one block of the branch on its new head; return what was done."""
        file = self.chance.choice(sorted(self.changes))
        where = self.chance.choice(sorted(self.changes[file]))
        added = [line for line in self.changes[file][where] if line != where]
        lines = edited(self.base[file], self.changes[file])
        without = edited(self.base[file], {**self.changes[file], where: [where]})
        what = self.chance.choice(["moved", "doubled", "deleted", "edited", "indented"]) if added else "deleted"
        if what == "deleted":
            other = without
        elif what == "moved":
            other = self._inserted(without, added)
        elif what == "doubled":
            other = self._doubled(lines, added)
        else:
            indents = [lambda line: "    " + line, lambda line: line[4:]]
            change = self.chance.choice(indents) if what == "indented" else (lambda line: line.replace("new", "odd"))
            other = [change(line) if line in added else line for line in lines]
        self._commit("topic", {self.paths[file]: [*self.above[file], *other]})
        return what

    def _doubled(self, lines, added):
        """Put lines of the branch a second time: right below the first, or at a random place."""
        end = lines.index(added[-1]) + 1
        return self.chance.choice([[*lines[:end], *added, *lines[end:]], self._inserted(lines, added)])

    def _inserted(self, lines, added):
        """Put lines in front of a method that is no place of the branch's own."""
        starts = [
            at
            for at, line in enumerate(lines)
            if line.startswith("    def ") and int(line.split("_")[1].split("(")[0]) % 2
        ]
        at = self.chance.choice(starts) + 1
        return [*lines[:at], *added, *lines[at:]]

    def _write(self, path, lines):
        target = self.pull.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n")

    def _commit(self, branch, files):
        self.pull.git("checkout", "-q", branch)
        for path, lines in files.items():
            self._write(path, lines)
        self.pull.git("add", "-A")
        self.pull.git("commit", "-q", "--allow-empty", "-m", "c")


def is_carried(pull):
    """Tell whether the head passes without the model and Jev; nothing but the approval can make it pass."""
    model, jev = ScriptedModel(), ScriptedJev()
    review = pull.review([model, jev])
    passes = review.decision is Decision.PASS
    assert not passes or (model.requests, jev.calls) == ([], [])
    return passes


def one(pull, number):
    """Return what git made of a history, whether its approval is carried, and the same after tampering."""
    history = History(pull, random.Random(number))  # noqa: S311 (histories that are the same in each run)
    pull.comments, pull.statuses, pull.reviews = [], [], []
    history.make()
    assert not is_carried(pull)
    pull.approve()
    history.move_the_base()
    outcome = history.bring_over()
    carried = outcome is not Outcome.CONFLICT and is_carried(pull)
    if outcome is not Outcome.IN_PLACE:
        return outcome, carried, "", False
    return outcome, carried, history.tamper(), is_carried(pull)


@pytest.mark.parametrize("start", range(0, HISTORIES, TOGETHER))
def test_nearly_all_approvals_survive_and_no_tampered_change_does(pull, start):
    rows = {number: one(pull, number) for number in range(start, start + TOGETHER)}
    in_place = [carried for outcome, carried, _, _ in rows.values() if outcome is Outcome.IN_PLACE]
    assert len(in_place) >= TOGETHER / 2
    assert sum(not carried for carried in in_place) <= 0.05 * len(in_place)
    elsewhere = {
        number for number, (outcome, carried, _, _) in rows.items() if outcome is Outcome.ELSEWHERE and carried
    }
    assert elsewhere == set()
    assert {number: what for number, (_, _, what, carried) in rows.items() if carried} == {}
    assert len({what for _, _, what, _ in rows.values() if what}) >= 3

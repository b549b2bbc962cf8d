"""One line of `doctor`: what was checked, whether it is well, and what to do where it is not."""

from enum import StrEnum

from attrs import frozen

from werkrevisor_core.config.wording import printable


class Outcome(StrEnum):
    """How a check ended; a note is nothing to mend."""

    OK = "ok"
    FAIL = "FAIL"
    NOTE = "note"


@frozen
class Check:
    """One line: the subject, how it ended, and a sentence that says what to do where it failed."""

    about: str
    outcome: Outcome
    says: str

    def __str__(self) -> str:
        """Return the line."""
        return printable(f"{self.outcome:<5} {self.about}: {self.says}")


def ok(about: str, says: str) -> Check:
    """Return a line on something that is well."""
    return Check(about, Outcome.OK, says)


def fail(about: str, says: object) -> Check:
    """Return a line on something that has to be mended."""
    return Check(about, Outcome.FAIL, str(says))


def note(about: str, says: str) -> Check:
    """Return a line on something that is as it is."""
    return Check(about, Outcome.NOTE, says)

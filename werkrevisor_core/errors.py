"""Every exception that the core raises on purpose.

WerkrevisorError
|-- UsageError            a mistake of the user: one sentence that says what to do
|   `-- GitError          git could not answer (no repository, unknown revision, time-out)
|-- RegistryError         a pack or rule that may not be loaded; stops the start
|-- RuleError             a rule raised or returned the wrong type; ends the review as ERROR
`-- ContentsUnavailable   the contents port cannot tell what a file holds
"""


class WerkrevisorError(Exception):
    """Base of all errors; its text is one sentence for the user."""


class UsageError(WerkrevisorError):
    """The user asked for something that cannot be done; the text says what to do instead."""


class GitError(UsageError):
    """Git could not answer; the text says why in the user's words."""


class RegistryError(WerkrevisorError):
    """A pack or a rule cannot be loaded; the text names it and the fault."""


class RuleError(WerkrevisorError):
    """A rule raised, or returned something that its hook does not allow.

    Attributes:
        rule: name of the rule.
        hook: name of the hook that was called.
        cause: what happened, without a traceback.
    """

    def __init__(self, rule: str, hook: str, cause: str) -> None:
        super().__init__(f"The rule `{rule}` failed in `{hook}`: {cause}")
        self.rule = rule
        self.hook = hook
        self.cause = cause


class ContentsUnavailable(WerkrevisorError):
    """The contents of a file cannot be read here, e.g. in a review of a bare diff."""

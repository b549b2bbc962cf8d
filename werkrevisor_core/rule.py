"""What a rule module declares about itself: one `RULE = RuleInfo(...)`, and how a setting is written."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar, cast

import attrs

from werkrevisor_core.records import frozen


class Phase(StrEnum):
    """The step of a review in which a rule runs; it is the name of the rule's folder."""

    CLASSIFY = "classify"
    CARRY_OVER = "carry_over"
    GATES = "gates"
    JEV = "jev"
    ENGINES = "engines"
    ADJUST = "adjust"
    ESCALATE = "escalate"
    REPORT = "report"


@frozen
class NoSettings:
    """The settings of a rule that has none."""


@frozen
class RuleInfo:
    """What a rule is.

    Args:
        name: the module's name; also the name of its tests, cases and docs page.
        phase: the step it runs in; the name of its folder.
        since: version of the distribution that brought it.
        reasons: ids of the reasons it can give; the name itself where nothing is said.
        settings: the frozen attrs class of its config section.
        section: name of that section; the rule's name where nothing is said. Rules may share a
            section only with the very same class.
        essential: whether a host may not switch it off, because without it something unread could
            pass.
    """

    name: str
    phase: Phase
    since: str
    reasons: tuple[str, ...] = ()
    settings: type = NoSettings
    section: str = ""
    essential: bool = False

    @property
    def reason_ids(self) -> tuple[str, ...]:
        """Ids of the reasons that this rule can give."""
        return self.reasons or ((self.name,) if self.phase is Phase.GATES else ())

    @property
    def section_name(self) -> str:
        """Name of the config section of this rule."""
        return self.section or self.name


T = TypeVar("T")


class Merge(StrEnum):
    """How a later config layer changes a key.

    It replaces the value, it replaces single entries of a table, or it only adds to a list, so that
    a repository cannot take away what its host put there.
    """

    REPLACE = "replace"
    ENTRIES = "entries"
    EXTEND = "extend"


@frozen
class SettingInfo:
    """What a config key is for: one sentence, who may set it, how layers combine."""

    doc: str
    host_only: bool
    merge: Merge


SETTING = "werkrevisor_setting"
"""Key of a `SettingInfo` in the metadata of an attrs field."""


def setting(
    default: T,
    doc: str,
    *,
    host_only: bool = False,
    merge: Merge = Merge.REPLACE,
    check: Callable[[T], str | None] | None = None,
) -> T:
    """Declare one config key as a field of a frozen attrs class.

    Args:
        default: the value where no layer sets the key; immutable.
        doc: one sentence for the docs, the schema and `config show`.
        host_only: whether only the host's file may set it.
        merge: how a later layer changes it.
        check: returns None, or what is wrong with the value, put behind the key's name in the
            error, e.g. `has an invalid regex '(unclosed'` or `.java has ...` for an entry of a table.

    Returns:
        The attrs field, typed as its value.
    """

    def validate(_instance: object, _attribute: "attrs.Attribute[T]", value: T) -> None:
        if check is not None and (fault := check(value)) is not None:
            raise ValueError(fault)

    info = SettingInfo(doc, host_only, merge)
    return cast(
        T, attrs.field(default=cast(Any, default), metadata={SETTING: info}, validator=validate if check else None)
    )

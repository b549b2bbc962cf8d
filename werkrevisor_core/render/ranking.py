"""Says in words what Jev's ranking means: how likely a later fix is, never that something is safe."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from werkrevisor_core.models.judges import BlockRating
from werkrevisor_core.records import frozen
from werkrevisor_core.render.sections import Item
from werkrevisor_core.render.style import Style
from werkrevisor_core.render.wording import number

FILES_SHOWN: Final = 5
"""Files of the ranking that are named."""
_TAGS_SHOWN: Final = 5
_ABSTENTIONS_SHOWN: Final = 3
_TAG_LIMIT: Final = 80


@frozen
class _RatedFile(Item):
    path: str
    percentile: float
    tags: tuple[str, ...]

    def text(self, style: Style) -> str:
        percent = round(min(max(self.percentile, 0), 1) * 100)
        likely = "as likely as most" if percent == 50 else f"{'more' if percent > 50 else 'less'} likely than most"
        tags = "".join(f"; {style.prose(tag, _TAG_LIMIT)}" for tag in self.tags[:_TAGS_SHOWN])
        rank = f"(above {percent} % of them{tags})"
        return f"- {style.name(self.path)} is {likely} changes here to be touched by a later fix {rank}"


@frozen
class _MoreFiles(Item):
    count: int

    def text(self, style: Style) -> str:  # noqa: ARG002 (nothing of it is hostile)
        return f"- and {number(self.count, 'file')} ranked below these."


@frozen
class _Abstention(Item):
    why: str
    count: int

    def text(self, style: Style) -> str:
        return f"- {number(self.count, 'block')} not rated - {style.prose(self.why, _TAG_LIMIT)}"


def ranking_items(ratings: Sequence[BlockRating]) -> tuple[Item, ...]:
    """Return the items of the ranking.

    Args:
        ratings: Jev's answers. A percentile that is no number counts as an abstention.

    Returns:
        The files with their riskiest block, most risky first, then what was not rated and why.
    """
    files: dict[str, BlockRating] = {}
    abstained: Counter[str] = Counter()
    for rating in ratings:
        if rating.percentile is None or not math.isfinite(rating.percentile):
            abstained[rating.abstained or "no reason given"] += 1
        elif rating.path not in files or rating.percentile > (files[rating.path].percentile or 0):
            files[rating.path] = rating
    ranked = sorted(files.values(), key=lambda rating: (-(rating.percentile or 0), rating.path))
    items: list[Item] = [_RatedFile(row.path, row.percentile or 0, row.tags) for row in ranked[:FILES_SHOWN]]
    if len(ranked) > FILES_SHOWN:
        items.append(_MoreFiles(len(ranked) - FILES_SHOWN))
    return (*items, *_abstentions(abstained))


def _abstentions(counts: Counter[str]) -> list[Item]:
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    items: list[Item] = [_Abstention(why, count) for why, count in rows[:_ABSTENTIONS_SHOWN]]
    rest = sum(count for _, count in rows[_ABSTENTIONS_SHOWN:])
    if rest:
        items.append(_Abstention("other reasons", rest))
    return items

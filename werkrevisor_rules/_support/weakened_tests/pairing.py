"""Pairs the tests of a whole change one by one: same place, same name, same body, same assertions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import define, field

from werkrevisor_rules._support.weakened_tests.declarations import Declaration, Role
from werkrevisor_rules._support.weakened_tests.versions import Version


@define(eq=False)
class Pairing:
    """The pairs, and what has no partner."""

    pairs: list[tuple[Declaration, Declaration]] = field(factory=list)
    gone: list[Declaration] = field(factory=list)
    come: list[Declaration] = field(factory=list)


def _family(language: str) -> str:
    return {"typescript": "js", "tsx": "js", "javascript": "js", "java": "jvm", "kotlin": "jvm"}.get(language, language)


def body_text(found: Declaration) -> str:
    """Return the text of a declaration without its name, marks and blanks."""
    text = found.raw
    if found.name and found.name in text:
        text = text.split(found.name, 1)[1]
    return "".join(text.split()).rstrip(";")


def _take(pairing: Pairing, old: list[Declaration], new: list[Declaration], key: object) -> None:
    """Pair what has the same key on both sides, in order; `key` is a function of a declaration."""
    by_key: dict[object, list[Declaration]] = defaultdict(list)
    for found in new:
        by_key[key(found)].append(found)  # type: ignore[operator]
    used: set[int] = set()
    rest: list[Declaration] = []
    for found in old:
        value = key(found)  # type: ignore[operator]
        same = by_key.get(value) if value else None
        if same:
            partner = same.pop(0)
            used.add(id(partner))
            pairing.pairs.append((found, partner))
        else:
            rest.append(found)
    old[:] = rest
    new[:] = [found for found in new if id(found) not in used]


def _place(found: Declaration) -> object:
    return (found.path, found.full_name)


def pair(
    old: Sequence[Declaration], new: Sequence[Declaration], moved: dict[str, str], before: Version, after: Version
) -> Pairing:
    """Pair tests over the change.

    Args:
        old: tests that ran before.
        new: tests of the new version, hidden ones included.
        moved: new paths by old paths of renamed files.
        before: the old version.
        after: the new version.
    """
    pairing = Pairing()
    olds = list(old)
    # A shadowed test stands before the one that runs; it pairs by its body only.
    news = sorted(new, key=lambda found: bool(found.hidden))
    moved_place = lambda found: (moved.get(found.path, found.path), found.full_name)  # noqa: E731
    _take(pairing, olds, news, lambda found: ((moved.get(found.path, found.path)), found.full_name, found.raw))
    hidden = [found for found in news if found.hidden and not found.hidden.startswith("a second")]
    shown = [found for found in news if not found.hidden]
    _take(pairing, olds, shown, moved_place)
    _take(pairing, olds, hidden, moved_place)
    rest = [*shown, *hidden, *(found for found in news if found.hidden.startswith("a second"))]
    _take(
        pairing,
        olds,
        rest,
        lambda found: (_family(found.language), body_text(found), "b") if len(body_text(found)) > 24 else None,
    )
    _take(pairing, olds, rest, lambda found: (moved.get(found.path, found.path), found.name))
    _take(pairing, olds, rest, lambda found: (_family(found.language), found.name) if len(found.name) > 6 else None)
    _same_assertions(pairing, olds, rest, before, after)
    pairing.gone, pairing.come = olds, [found for found in rest if found.role is Role.TEST]
    return pairing


_MANY = 400
"""Unpaired tests per side up to which each is compared with each."""


def _same_assertions(
    pairing: Pairing, old: list[Declaration], new: list[Declaration], before: Version, after: Version
) -> None:
    """Pair tests most of whose assertions are the same: a renamed test whose body changed as well."""
    if not old or not new or len(old) > _MANY or len(new) > _MANY:
        return
    keys_old = [(found, _keys(before, found)) for found in old]
    keys_new = [(found, _keys(after, found)) for found in new]
    scored = []
    for i, (one, keys) in enumerate(keys_old):
        for j, (other, others) in enumerate(keys_new):
            if not keys or not others or _family(one.language) != _family(other.language):
                continue
            share = len(keys & others) / len(keys | others)
            words = _share(before.body(one).words, after.body(other).words)
            near = 0.1 if one.path == other.path else 0.0
            score = max(share, words) + near
            if share >= 0.5 or words >= 0.75:
                scored.append((-score, i, j))
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairing.pairs.append((old[i], new[j]))
    old[:] = [found for i, found in enumerate(old) if i not in used_old]
    new[:] = [found for j, found in enumerate(new) if j not in used_new]


def _keys(version: Version, found: Declaration) -> frozenset[object]:
    return frozenset(one.key for one in version.effective(found))


def _share(one: Iterable[str], other: Iterable[str]) -> float:
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second) if first or second else 0.0

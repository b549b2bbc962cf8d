"""Judges what a change set does to the repository's own config file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from werkrevisor_core.config.layers import Config, Layer, LayerKind, load
from werkrevisor_core.models.context import ConfigChange

REPOSITORY_FILE: Final = ".werkrevisor.toml"
"""Path of the config file that a repository brings itself."""


def examine(
    layers: Sequence[Layer],
    new: bytes | None,
    sections: Mapping[str, type],
    known_elsewhere: Mapping[str, type] | None = None,
    path: str = REPOSITORY_FILE,
) -> ConfigChange:
    """Judge a new version of the repository's config file, on top of the host's layers.

    A version that is no regular file, or that cannot be read, is none to examine: the caller says so
    in a `ConfigChange` of its own.

    Args:
        layers: the layers of the review; the repository's present one is left out, since the new
            version takes its place.
        new: the new version; None where the change removes it.
        sections: as for `load`.
        known_elsewhere: as for `load`.
        path: the path of the file.

    Returns:
        The faults that the new version brings (those of the host's own layers are not its), and its
        unknown names.
    """
    if new is None:
        return ConfigChange(path, removed=True)
    trusted = [layer for layer in layers if layer.kind is not LayerKind.REPOSITORY]
    without = {str(fault) for fault in load(trusted, sections, known_elsewhere).faults}
    hosts = [layer for layer in trusted if layer.kind is LayerKind.HOST]
    commands = [layer for layer in trusted if layer.kind is LayerKind.COMMAND_LINE]
    changed = load([*hosts, Layer(path, LayerKind.REPOSITORY, new), *commands], sections, known_elsewhere)
    # A fault can come out in another layer than the one that brought it, where two keys must fit together.
    faults = tuple(str(fault) for fault in changed.faults if str(fault) not in without)
    return ConfigChange(path, faults=faults, unknown=changed.warnings)


def mends(config: Config, change: ConfigChange | None, paths: Iterable[str]) -> bool:
    """Say whether a change set does nothing but make the repository's faulty config valid.

    Args:
        config: the merged config of the review, from the version of the base.
        change: what the change set does to the file, None where it leaves it alone.
        paths: every path that the change set touches, old sides of renames included.

    Returns:
        True where each fault of `config` is the repository's, the new version (or its removal)
        brings none, and no other file is touched.
    """
    if change is None or not config.faults or change.faults or not change.regular or not change.readable:
        return False
    mine = all(fault.kind is LayerKind.REPOSITORY for fault in config.faults)
    return mine and set(paths) == {change.path}

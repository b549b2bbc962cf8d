"""The two markers of the plugin interface; this module imports nothing else of the project."""

from collections.abc import Callable
from typing import TypeVar, cast

import pluggy

PROJECT = "werkrevisor"
"""Name of the plugin project and of the entry point group in which packs announce themselves."""

F = TypeVar("F", bound=Callable[..., object])

hookspec = cast("Callable[[F], F]", pluggy.HookspecMarker(PROJECT))
hookimpl = cast("Callable[[F], F]", pluggy.HookimplMarker(PROJECT))

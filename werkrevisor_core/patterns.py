"""Regular expressions that are compiled when they are first used.

All modules together hold some hundred of them, a review of a few files needs ten, and compiling all
took a tenth of the start.
"""

import re
from typing import Any, AnyStr, Final, cast

_METHODS: Final = ("findall", "finditer", "fullmatch", "match", "pattern", "search", "split", "sub", "subn")


class _Uncompiled:
    """Stands for a compiled pattern; from the first use on it holds the methods of that one."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any attribute of re.Pattern)
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return self.__dict__[name]


def lazy(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves like `re.compile(text, flags)`, and is compiled at its first use.

    Only its methods and `pattern` are there; `re.sub` and the like do not take it.
    """
    return cast("re.Pattern[AnyStr]", _Uncompiled(text, flags))

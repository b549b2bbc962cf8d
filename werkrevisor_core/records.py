"""`frozen` as attrs has it, but cheap to define.

A start defines some two hundred classes. attrs writes and compiles a `__repr__` of its own for each,
a third of their cost; here all share one. `__slots__` cost a second making of the class, so only the
classes of which a review holds many ask for them.
"""

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen
else:

    def frozen(cls: type | None = None, **options: Any) -> Any:  # noqa: ANN401 (what attrs.frozen takes and gives)
        """Define a frozen class, like `attrs.frozen`."""
        if cls is None:
            return lambda each: frozen(each, **options)
        made = attrs.frozen(cls, **{"repr": False, "slots": False, **options})
        if "__repr__" not in vars(cls):
            made.__repr__ = represented
        return made


def represented(instance: object) -> str:
    """Return the class and the fields of an attrs instance, without those that are hidden (`repr=False`)."""
    fields = attrs.fields(type(instance))  # type: ignore[arg-type]  # only classes of attrs have this method
    shown = (f"{field.name}={getattr(instance, field.name)!r}" for field in fields if field.repr)
    return f"{type(instance).__qualname__}({', '.join(shown)})"


__all__ = ["frozen", "represented"]

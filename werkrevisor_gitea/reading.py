"""From bytes to wire models: one clear error for what is no JSON, too deep, or not of the documented shape."""

import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar, Union, get_args, get_origin

import attrs

from werkrevisor_gitea.errors import BadAnswer
from werkrevisor_gitea.wire import Instant

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")

_MOST_FAULTS: Final = 3


def parse(data: bytes, request: str) -> object:
    """Parse the body of an answer.

    Args:
        data: the body.
        request: method and path, for the error.

    Returns:
        What the JSON holds.

    Raises:
        BadAnswer: it is no JSON, is nested too deeply, or holds a number that JSON does not know.
    """
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except RecursionError:
        # The interpreter itself bounds the depth; nothing that the forge documents is deeper than ten.
        raise _bad(request, "it is nested too deeply") from None
    except ValueError:
        # The reason is left out: it may quote the body.
        raise _bad(request, "it is no valid JSON" if data.strip() else "it is empty") from None


def structure(kind: type[T], value: object, request: str) -> T:
    """Make a wire model (or a tuple of them) from parsed JSON.

    Args:
        kind: the model, or `tuple[Model, ...]` (a null then is an empty tuple).
        value: what `parse` returned.
        request: method and path, for the error.

    Returns:
        The model.

    Raises:
        BadAnswer: a field is missing or has another type than documented.
    """
    from cattrs import BaseValidationError, transform_error  # noqa: PLC0415 (costs 40 ms; a local review needs none)

    try:
        return _converter().structure(value, kind)
    except (BaseValidationError, _WrongShape) as error:
        if isinstance(error, _WrongShape):
            raise _bad(request, str(error)) from None
        faults = [
            fault.replace("@ $.", "@ ").replace("@ $[", "@ [").removesuffix(" @ $")
            for fault in transform_error(error, path="$", format_exception=_wording)
        ]
        more = f" and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
        raise _bad(request, "; ".join(faults[:_MOST_FAULTS]) + more) from None


class _WrongShape(Exception):
    """A value of another type than documented."""


def _bad(request: str, why: str) -> BadAnswer:
    return BadAnswer(
        f"the answer to {request} is not what Gitea or Forgejo documents ({why}); "
        "check that [gitea] url leads to the server itself and what stands between",
        request=request,
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _wording(error: BaseException, kind: type | None) -> str:
    if isinstance(error, KeyError):
        return "required field missing"
    return str(error) if isinstance(error, _WrongShape) else f"expected {getattr(kind, '__name__', 'another value')}"


def _name(value: object) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "number")


def _exactly(kind: type, says: str) -> Callable[[object, object], Any]:
    def check(value: object, _kind: object) -> object:
        if type(value) is not kind:
            raise _WrongShape(f"expected {says}, got {_name(value)}")
        return value

    return check


def _instant(value: object, _kind: object) -> Instant:
    if not isinstance(value, str):
        raise _WrongShape(f"expected a time, got {_name(value)}")
    if not value:
        return Instant(0.0)
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        raise _WrongShape("expected a time like 2026-01-31T12:00:00Z") from None
    if at.tzinfo is None:
        raise _WrongShape("expected a time with its zone")
    return Instant(max(at.timestamp(), 0.0))  # the year 1 is how Go writes "never"


def _is_tuple(kind: Any) -> bool:  # noqa: ANN401 (any type annotation)
    return get_origin(kind) is tuple


def _is_optional(kind: Any) -> bool:  # noqa: ANN401 (any type annotation)
    return get_origin(kind) in (Union, UnionType) and type(None) in get_args(kind)


@cache
def _converter() -> "Converter":
    from cattrs import Converter  # noqa: PLC0415 (see above)

    converter = Converter(detailed_validation=True, forbid_extra_keys=False)
    for kind, says in ((int, "a number"), (str, "a text"), (bool, "true or false")):
        converter.register_structure_hook(kind, _exactly(kind, says))
    converter.register_structure_hook(Instant, _instant)
    converter.register_structure_hook_factory(_is_tuple, lambda kind: _tuple_hook(converter, get_args(kind)[0]))
    converter.register_structure_hook_factory(_is_optional, lambda kind: _optional_hook(converter, kind))
    converter.register_structure_hook_factory(attrs.has, lambda kind: _model_hook(converter, kind))
    return converter


def _tuple_hook(converter: "Converter", item: Any) -> Callable[[object, object], tuple[Any, ...]]:  # noqa: ANN401
    def structured(value: object, _kind: object) -> tuple[Any, ...]:
        if value is None:
            return ()
        if not isinstance(value, list):
            raise _WrongShape(f"expected a list, got {_name(value)}")
        return tuple(converter.structure(value, list[item]))  # the path of a fault has the index, thanks to the list

    return structured


def _optional_hook(converter: "Converter", kind: Any) -> Callable[[object, object], Any]:  # noqa: ANN401
    inner = next(each for each in get_args(kind) if each is not type(None))
    return lambda value, _kind: None if value is None else converter.structure(value, inner)


def _model_hook(converter: "Converter", kind: type) -> Callable[[object, object], Any]:
    from cattrs.gen import make_dict_structure_fn  # noqa: PLC0415 (see above)

    inner: Callable[[Any, Any], Any] = make_dict_structure_fn(kind, converter)
    optional = {each.name for each in attrs.fields(kind) if each.default is not attrs.NOTHING}

    def structured(value: object, given: object) -> Any:  # noqa: ANN401 (an instance of `kind`)
        if not isinstance(value, dict):
            raise _WrongShape(f"expected an object, got {_name(value)}")
        # A null stands for the default where there is one: Go writes null for an empty list or pointer.
        return inner({key: each for key, each in value.items() if each is not None or key not in optional}, given)

    return structured

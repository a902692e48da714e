"""Named tuples of plain values as JSON, and from JSON, where nothing is believed but the types.

A field that is not there has its default; one that nobody knows is not read.
"""

from __future__ import annotations

import math
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from core.review.believable import sentence_of

LARGEST = 1 << 53  # of a whole number
LONGEST = 1 << 16  # characters of a text, and things in a list

Tuple = TypeVar("Tuple", bound=tuple[Any, ...])


def plain_values(value: Any) -> Any:  # noqa: ANN401 - any value of a named tuple
    """A value of a named tuple as JSON has it: named tuples as objects, enums by their names."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: plain_values(one) for name, one in zip(value._fields, value, strict=True)}
        return [plain_values(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def typed_values(kind: type[Tuple], value: object) -> Tuple:
    """A named tuple from what `plain_values` made of one.

    Args:
        kind: Its class; its fields are numbers, texts, enums, None, named tuples, and tuples of
            these.
        value: Any JSON value.

    Raises:
        TypeError, ValueError: It is not such a tuple.
    """
    if not isinstance(value, dict):
        raise TypeError("A value with names is no JSON object.")
    fields, defaults = _fields(kind), getattr(kind, "_field_defaults", {})
    there = {
        name: _typed(of, value[name])
        for name, of in fields.items()
        if name in value or name not in defaults
    }
    return kind(**there)


@cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(kind: Any, value: object) -> Any:  # noqa: ANN401
    if get_origin(kind) is UnionType:
        return None if value is None else _typed(get_args(kind)[0], value)
    if get_origin(kind) is tuple:
        return _several(get_args(kind), value)
    if issubclass(kind, Enum):
        return _enum(kind, value)
    if issubclass(kind, tuple):
        return typed_values(kind, value)
    return _plain(kind, value)


def _several(kinds: tuple[Any, ...], value: object) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) > LONGEST:
        raise TypeError("Values are no list, or too many.")
    if kinds[-1] is Ellipsis:
        return tuple(_typed(kinds[0], one) for one in value)
    return tuple(_typed(kind, one) for kind, one in zip(kinds, value, strict=True))


def _enum(kind: type[Enum], value: object) -> Enum:
    if not isinstance(value, str) or value not in kind.__members__:
        raise ValueError("A value is none of those that there are.")
    return kind[value]


def _plain(kind: type, value: object) -> object:
    if kind is str:
        text = sentence_of(value)
        if len(text) > LONGEST:
            raise ValueError("A text is too long.")
        return text
    if kind is bool:
        if type(value) is not bool:
            raise TypeError("A value is neither true nor false.")
        return value
    if type(value) not in ({int} if kind is int else {int, float}):
        raise TypeError("A value is no number.")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number) or not 0 <= number <= LARGEST:
        raise ValueError("A number cannot be so.")
    return value if kind is int else number

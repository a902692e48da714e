"""Names of Office Open XML, in the namespaces of both its editions (transitional, strict).

The elements of Word 2003, before there was a standard, have the names they have in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias, TypeVar

Starts: TypeAlias = dict[str, Callable[[dict[str, str]], None]]
Ends: TypeAlias = dict[str, Callable[[], None]]
_Action = TypeVar("_Action")

_OPEN = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
_WORD = (
    f"{_OPEN}/wordprocessingml/2006/main",
    f"{_STRICT}/wordprocessingml/main",
    "http://schemas.microsoft.com/office/word/2003/wordml",
)
_RELATIONSHIPS = (
    f"{_OPEN}/officeDocument/2006/relationships",
    f"{_STRICT}/officeDocument/relationships",
)
_NAMESPACES = {
    "w": _WORD,
    "m": (f"{_OPEN}/officeDocument/2006/math", f"{_STRICT}/officeDocument/math"),
    "aml": ("http://schemas.microsoft.com/aml/2001/core",),
    "mc": (f"{_OPEN}/markup-compatibility/2006",),
    "a": (f"{_OPEN}/drawingml/2006/main", f"{_STRICT}/drawingml/main"),
    "p": (f"{_OPEN}/presentationml/2006/main", f"{_STRICT}/presentationml/main"),
    "x": (f"{_OPEN}/spreadsheetml/2006/main", f"{_STRICT}/spreadsheetml/main"),
    "c": (f"{_OPEN}/drawingml/2006/chart", f"{_STRICT}/drawingml/chart"),
    "dgm": (f"{_OPEN}/drawingml/2006/diagram", f"{_STRICT}/drawingml/diagram"),
}
_OFF = frozenset({"0", "false", "off"})


def names_of(*names: str) -> frozenset[str]:
    """Names as the parser gives them, of elements written as "w:p"."""
    return frozenset(named(dict.fromkeys(names)))


def named(actions: dict[str, _Action]) -> dict[str, _Action]:
    """The same actions under the names the parser gives; "w:a w:b" stands for two elements."""
    return {name: action for names, action in actions.items() for name in _expanded(names)}


@cache
def _expanded(names: str) -> tuple[str, ...]:
    """The full names of the elements that one key stands for."""
    prefixes = (name.split(":") for name in names.split())
    return tuple(f"{it} {local}" for prefix, local in prefixes for it in _NAMESPACES[prefix])


def word_attribute(attributes: dict[str, str], name: str) -> str:
    """An attribute in the namespace of WordprocessingML, "" where it is missing."""
    for namespace in _WORD:
        found = attributes.get(f"{namespace} {name}")
        if found is not None:
            return found
    return ""


def relation_id(attributes: dict[str, str], name: str = "id") -> str:
    """The identifier of a relation, "" where it is missing."""
    keys = (f"{namespace} {name}" for namespace in _RELATIONSHIPS)
    return next((attributes[key] for key in keys if key in attributes), "")


def is_yes(value: str) -> bool:
    """The value of an attribute that is on or off; it is off where it is missing."""
    return value != "" and value not in _OFF


def is_on(attributes: dict[str, str]) -> bool:
    """The value of a property that is on or off; its mere presence turns it on."""
    return word_attribute(attributes, "val") not in _OFF

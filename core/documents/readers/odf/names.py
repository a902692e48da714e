"""Names of OpenDocument (ODF 1.3, part 3) as the reader uses them: "text:p"."""

from __future__ import annotations

from functools import lru_cache

_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:"
_OTHERS = {
    f"{_OPEN_DOCUMENT}drawing:1.0": "draw",  # the one that is not named like its prefix
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://www.w3.org/1999/xlink": "xlink",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}
_VERSION = ":1.0"


def _names(prefix: str, names: str) -> frozenset[str]:
    return frozenset(f"{prefix}:{name}" for name in names.split())


# Shapes that can have text of their own, apart from the paragraph they are anchored in.
BOXES = _names(
    "draw",
    "caption circle connector custom-shape ellipse line measure path polygon polyline rect"
    " regular-polygon text-box",
)
# What is not seen, or is no text: the marks of notes, readings above ruby, help, and how an index
# is made. A covered cell lies below a wider neighbour.
SKIPPED = (
    _names("office", "binary-data dde-source event-listeners font-face-decls forms meta scripts")
    | _names("office", "settings")
    | _names("svg-compatible", "desc title")
    | _names("table", "content-validations covered-table-cell dde-links tracked-changes")
    | _names("text", "note-citation ruby-text script tracked-changes index-title-template")
    | _names("text", "table-of-content-source alphabetical-index-source bibliography-source")
    | _names("text", "illustration-index-source object-index-source table-index-source")
    | _names("text", "user-index-source")
    | _names("presentation", "date-time-decl")
    | _names("style", "handout-master")
    | _names("math", "annotation annotation-xml")
)


@lru_cache(maxsize=4096)
def short_name(name: str) -> str:
    """The usual prefix and the local name, of "namespace local"; "" for a foreign name."""
    namespace, _, local = name.rpartition(" ")
    if prefix := _OTHERS.get(namespace):
        return f"{prefix}:{local}"
    if namespace.startswith(_OPEN_DOCUMENT) and namespace.endswith(_VERSION):
        return f"{namespace[len(_OPEN_DOCUMENT) : -len(_VERSION)]}:{local}"
    return ""


@lru_cache(maxsize=1024)
def _long_name(name: str) -> str:
    prefix, _, local = name.partition(":")
    for namespace, known in _OTHERS.items():
        if prefix == known:
            return f"{namespace} {local}"
    return f"{_OPEN_DOCUMENT}{prefix}{_VERSION} {local}"


def attribute(attributes: dict[str, str], name: str) -> str:
    """The value of the attribute "text:c", "" where there is none."""
    return attributes.get(_long_name(name), "")


def number(value: str) -> int:
    """A count in an attribute; 1 where it is missing or no count."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 1

"""How the cells of a workbook look."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

LINK = "link"
HEAD = "head"
NUMBER_HEAD = "number head"


class Kind(StrEnum):
    """What stands in a column, or how a line looks."""

    TEXT = "text"
    LONG = "long"  # text that is broken to the width of its column
    WHOLE = "whole"
    SHARE = "share"
    RESEMBLANCE = "resemblance"
    BITS = "bits"
    TIME = "time"
    CODE = "code"
    TITLE = "title"
    HEADING = "heading"
    WORDS = "words"  # of ours, broken to the width of their column
    LABEL = "label"  # a smaller heading
    FIGURE = "figure"  # a number beside what it counts


_TOP = {"valign": "top"}
_WORDS = {**_TOP, "align": "left", "indent": 1}
_SHADED = {"bold": True, "text_wrap": True, "bg_color": "#eef1f4", "bottom": 1}
FORMATS: Mapping[str, dict[str, Any]] = {
    Kind.TEXT: _WORDS,
    Kind.LONG: {**_TOP, "indent": 1, "text_wrap": True},
    Kind.WHOLE: {**_TOP, "num_format": "#,##0"},
    Kind.SHARE: {**_TOP, "num_format": "0.0%"},
    Kind.RESEMBLANCE: {**_TOP, "num_format": "0.000"},
    Kind.BITS: {**_TOP, "num_format": "#,##0.0"},
    Kind.TIME: {**_WORDS, "num_format": "yyyy-mm-dd hh:mm"},
    Kind.CODE: {**_WORDS, "font_name": "Courier New", "font_size": 9},
    Kind.TITLE: {**_WORDS, "bold": True, "font_size": 16},
    Kind.HEADING: {**_WORDS, "bold": True, "font_size": 12},
    Kind.WORDS: {**_WORDS, "text_wrap": True},
    Kind.LABEL: {**_WORDS, "bold": True, "text_wrap": True},
    Kind.FIGURE: {**_WORDS, "num_format": "#,##0"},
    LINK: {**_WORDS, "font_color": "#0b57a4", "underline": 1},
    HEAD: {**_SHADED, "align": "left", "indent": 1},
    NUMBER_HEAD: {**_SHADED, "align": "right"},
}


_OF_WORDS = (Kind.TEXT, Kind.LONG, Kind.WORDS, Kind.TIME, Kind.CODE)


class Column(NamedTuple):
    """A column of a sheet: its title, its width in characters, and what stands in it."""

    title: str
    width: float
    kind: Kind = Kind.TEXT

    @property
    def head(self) -> str:
        """How its title looks: above numbers it stands to the right, as they do."""
        return HEAD if self.kind in _OF_WORDS else NUMBER_HEAD

"""The templates of the report: everything that they write is escaped, whoever wrote it."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from core.reports.blocks import (
    Block,
    Figures,
    Heading,
    ItemList,
    PairHead,
    PassageList,
    Picture,
    Prose,
    Table,
)
from core.reports.visible import visible

HUES = 7
UNDERLINES = 4
_BREAK = Markup("<wbr>")
_TEMPLATES = {
    Figures: "figures",
    Heading: "heading",
    ItemList: "items",
    PairHead: "pair_head",
    PassageList: "passages",
    Picture: "picture",
    Prose: "prose",
    Table: "table",
}


@cache
def environment() -> Environment:
    """The templates with their filters."""
    made = Environment(
        loader=PackageLoader("core.reports.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters.update(breakable=_breakable, template=_template)
    made.globals.update(hues=HUES, underlines=UNDERLINES)
    return made


def _visible(value: object) -> object:
    """What is written: control characters of a text as their pictures, markup as it is."""
    return value if isinstance(value, Markup) else visible(str(value))


def _breakable(name: str) -> Markup:
    """A name that may be broken after / and _."""
    shown = escape(_visible(name))
    return shown.replace("/", "/" + _BREAK).replace("_", "_" + _BREAK)


def _template(block: Block) -> str:
    """The file that writes a block."""
    return f"blocks/{_TEMPLATES[type(block)]}.html.j2"

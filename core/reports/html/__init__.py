"""The report for people: one HTML file that needs nothing else.

Nothing is loaded from anywhere, which its content security policy enforces: style sheet and script
are allowed by their hashes. The script searches and sorts; without it nothing is missing. The file
is written as a stream: texts and passages are fetched one pair at a time.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from core.base.messages import N_, gettext, language
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.base.wording import comma_list, count
from core.reports import blocks
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.record import record_pieces
from core.reports.record.seal import SEAL_PLACEHOLDER, write_sealed
from core.reports.report_choice import Paper, logo_type
from core.reports.sections import contents, head_of, sections
from core.reports.shown_text import visible

HUES = 7
UNDERLINES = 4
_BREAK = Markup("<wbr>")

# Words that stand in the templates, and in the script.
_WORDS = {
    "logo": N_("Logo"),
    "sections": N_("Sections"),
    "in_table": N_("In the table"),
    "plot": N_("Where the passages stand: A across, B down"),
    "passage": N_("Passage {number}"),
    "passage_in": N_("{document}, passage {number}"),
}
_SCRIPT_WORDS = {
    "search": N_("Search the pairs"),
    "all": N_("Show all"),
    "found": N_("{found} of {total} pairs"),
    "none": N_("No pair has all of these words."),
    "some": N_("The first {shown} of {found} rows are shown; a search looks through all."),
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
    made.globals.update(hues=HUES, underlines=UNDERLINES, words=_WORDS)
    made.globals.update(gettext=gettext, count=count, comma_list=comma_list, language=language)
    return made


def _visible(value: object) -> object:
    """A value as it is written: control characters as their pictures, markup as it is."""
    return value if isinstance(value, Markup) else visible(str(value))


def _breakable(name: str) -> Markup:
    """A name that may be broken after / and _."""
    shown = escape(_visible(name))
    return shown.replace("/", "/" + _BREAK).replace("_", "_" + _BREAK)


def _template(block: blocks.Block) -> str:
    """The file that writes a block, which is called as its type."""
    return f"blocks/{type(block).__name__.lower()}.html.j2"


SIZES = {Paper.A4: "A4", Paper.LETTER: "letter"}


def page_style(head: blocks.Head, paper: Paper) -> str:
    """The style sheet. Text of a user stands in it only as escaped characters."""
    style = files("core.reports.html").joinpath("report.css").read_text(encoding="utf-8")
    running = " · ".join(words for words in (head.institution, head.title) if words)
    return (
        f"{style}@page {{ size: {SIZES[paper]}; @top-left {{ content: {_string(running)}; }} }}\n"
    )


def _string(words: str) -> str:
    """A string of CSS in which every character is an escape of six digits."""
    # A control character, as a line feed, cannot be in the margin of a page.
    shown = (character if character.isprintable() else "\ufffd" for character in words)
    return '"' + "".join(f"\\{ord(character):06x}" for character in shown) + '"'


LIMITS = ReportLimits()
PIECES_AT_ONCE = 100  # of the template: most are a few characters
ESCAPED = {code: f"\\u{code:04x}" for code in (ord("<"), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF)}


def write_html(path: Path, report: Report, *, progress: Progress = ignore) -> str:
    """Write the report as one HTML file, with its record and sealed.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs whose passages are written.

    Returns:
        The seal.

    Raises:
        ExportError: The file could not be written, or the logo cannot be shown.
    """
    report = replace(report, passages_of=cache(report.passages_of))  # the record needs them again
    head = head_of(report)
    style = page_style(head, report.choice.paper)
    script = _script()
    page = environment().get_template("report.html.j2")
    values = {
        "head": head,
        "logo": _data_uri(report.choice.logo),
        "contents": list(contents(report, LIMITS)),
        "sections": sections(report, LIMITS, progress),
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
        "seal": SEAL_PLACEHOLDER,
        "record": _record(report),
    }
    pieces = page.stream(values)
    pieces.enable_buffering(PIECES_AT_ONCE)
    return write_sealed(path, pieces)


def _script() -> str:
    """The script with its words, which are JSON that no "<" can end."""
    script = files("core.reports.html").joinpath("report.js").read_text(encoding="utf-8")
    words = {name: gettext(message) for name, message in _SCRIPT_WORDS.items()}
    text = json.dumps({"language": language().tag, **words}, ensure_ascii=False)
    return script.replace("WORDS_OF_THE_REPORT", text.translate(ESCAPED))


def _record(report: Report) -> Iterator[Markup]:
    """The record as a block of data, which no "<" can end; of very many pairs those of the table.

    JSON has "<" and what HTML forbids in strings only, where they may be written as escapes.
    """
    for piece in record_pieces(report, most=LIMITS.table_rows):
        stop_if_cancelled()
        yield Markup(piece.translate(ESCAPED))  # noqa: S704 - nothing ends it now


def _data_uri(picture: bytes) -> str:
    """The picture itself as an address; "" for none."""
    kind = logo_type(picture)
    return f"data:{kind};base64,{base64.b64encode(picture).decode()}" if kind else ""


def _hash(content: str) -> str:
    """The hash by which a content security policy allows a script or style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

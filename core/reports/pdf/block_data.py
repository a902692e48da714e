"""Sections of blocks as the values that `report.typ` reads from JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeAlias

from core.base.wording import counted
from core.reports.blocks import (
    Block,
    Cell,
    Figures,
    Head,
    Heading,
    ItemList,
    Line,
    PairHead,
    PassageList,
    Picture,
    Prose,
    Row,
    Section,
    ShownPassage,
    Side,
    Span,
    SpanKind,
    Table,
)
from core.reports.pdf.letters import (
    breakable,
    isolated,
    language_of_script,
    runs_from_right,
    visible,
    whole_letters,
)

Data: TypeAlias = dict[str, object]

LONGEST_NAME = 3000  # characters: no string of PDF/A has more than 32,767 bytes
_NAMES = (SpanKind.NAME, SpanKind.MAIN)


def head_data(head: Head) -> Data:
    """What stands above everything."""
    return {
        "title": _words(head.title),
        "subject": visible(head.subject),
        "institution": visible(head.institution),
        "lines": _lines(head.lines),
    }


def section_data(section: Section, most_rows: int | None = None) -> Data:
    """A section; its blocks are read now.

    Args:
        section: Of a report.
        most_rows: Of each table; None for all.
    """
    return {
        "id": section.id,
        "title": visible(section.title),
        "level": section.level,
        "blocks": [_block(block, most_rows) for block in section.blocks],
    }


def _block(block: Block, most_rows: int | None) -> Data:
    if isinstance(block, Table):
        return _table(block, most_rows)
    write: Callable[..., Data] = _WRITERS[type(block)]
    return write(block)


def _heading(block: Heading) -> Data:
    return {"is": "heading", "words": _words(block.words)}


def _prose(block: Prose) -> Data:
    return {"is": "prose", "lines": _lines(block.lines), "quiet": block.quiet}


def _items(block: ItemList) -> Data:
    return {"is": "items", "items": _lines(block.items)}


def _figures(block: Figures) -> Data:
    return {"is": "figures", "items": [list(map(visible, item)) for item in block.items]}


def _picture(block: Picture) -> Data:
    words = visible(block.words)
    return {"is": "picture", "svg": block.svg, "words": words, "width": block.width}


def _table(block: Table, most_rows: int | None) -> Data:
    left = most_rows
    parts = []
    for part in block.parts:
        rows = [_row(row) for row in islice(part, left)]
        if left is not None:
            left -= len(rows)
        parts.append(rows)
        if left == 0:
            break
    columns = [
        {"title": visible(one.title), "align": str(one.align), "weight": one.weight}
        for one in block.columns
    ]
    return {
        "is": "table",
        "caption": _words(block.caption),
        "columns": columns,
        "parts": parts,
        "kind": block.kind,
    }


def _row(row: Row) -> Data:
    data: Data = {"cells": [_cell(cell) for cell in row.cells]}
    if row.id:
        data["id"] = row.id
    if row.note:
        data["note"] = _note(row.note)
    return data


def _cell(cell: Cell) -> Data:
    data: Data = {"lines": _lines(cell.lines)}
    if cell.value is not None:
        data["value"] = cell.value
    return data


def _pair_head(block: PairHead) -> Data:
    return {
        "is": "pair",
        "number": f"{block.number:,}",
        "row": f"row-{block.number}",
        "a": _line(block.a),
        "b": _line(block.b),
        "facts": [list(map(visible, fact)) for fact in block.facts],
        "tags": list(map(visible, block.tags)),
        "verdict": _line(block.verdict),
        "note": _note(block.note) if block.note else None,
        "reasons": _lines(block.reasons),
        "plot": [[round(place, 4) for place in one] for one in block.plot],
    }


def _passages(block: PassageList) -> Data:
    return {"is": "passages", "passages": [_passage(one) for one in block.passages]}


def _passage(passage: ShownPassage) -> Data:
    return {
        "number": passage.number,
        "size": visible(passage.size),
        "numbers": visible(passage.numbers),
        "short": passage.is_short,
        "a": _side(passage.a),
        "b": _side(passage.b),
    }


def _side(side: Side) -> Data:
    text = "".join(span.text for span in side.spans if span.kind is not SpanKind.CUT)
    return {
        "place": visible(side.place),
        "spans": _line(whole_letters(side.spans)),
        "rtl": runs_from_right(text),
        "lang": language_of_script(text),
    }


def _note(words: str) -> Data:
    """What a person wrote: its direction is its own."""
    return {"words": _words(words), "rtl": runs_from_right(words)}


def _lines(lines: Iterable[Line]) -> list[object]:
    return [_line(line) for line in lines]


def _line(line: Line) -> list[object]:
    return [_span(span) for span in line]


def _span(span: Span) -> object:
    """The words alone, or the kind with the words and, for a link, its target."""
    is_name = span.kind in _NAMES
    text = visible(_shortened(span.text) if is_name else span.text)
    if span.kind is SpanKind.QUOTE:
        text = isolated(text)
    words = breakable(text, is_name=is_name)
    if span.target:
        return [str(span.kind), words, span.target]
    return words if span.kind is SpanKind.PLAIN and isinstance(words, str) else [span.kind, words]


def _shortened(name: str) -> str:
    """A name that a bookmark or the words of a link can hold beside another one."""
    more = len(name) - LONGEST_NAME
    if more <= 0:
        return name
    return f"{name[:LONGEST_NAME]} … ({counted(more, 'more character')})"


def _words(text: str) -> str | list[str]:
    return breakable(visible(text))


_WRITERS: dict[type, Callable[..., Data]] = {
    Figures: _figures,
    Heading: _heading,
    ItemList: _items,
    PairHead: _pair_head,
    PassageList: _passages,
    Picture: _picture,
    Prose: _prose,
}

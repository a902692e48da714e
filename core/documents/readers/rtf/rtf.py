"""Rich Text Format."""

from __future__ import annotations

import re

from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.rtf.parser import RtfParser
from core.documents.readers.shared.remarks import DAMAGED, Tally

_SUFFIXES = frozenset({".rtf"})
_START = re.compile(rb"(?:\xef\xbb\xbf)?[\s\0]{0,999}\{\s{0,99}\\rt(?:f|[^a-z])")


def _recognises(data: bytes, _suffix: str) -> bool:
    """By its first word; some programs write "rt" for "rtf"."""
    return _START.match(data) is not None


def _read(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    file = RtfParser(data[data.index(b"{") :], reading)
    beside = file.stories
    headers, footers = dict.fromkeys(beside.headers), dict.fromkeys(beside.footers)
    parts = [*headers, file.body, *beside.footnotes, *beside.endnotes, *footers]
    text = file.looks.faint.after("\n\n".join(part for part in parts if part))
    return Extracted(text, remarks=_remarks(file))


def _remarks(file: RtfParser) -> tuple[str, ...]:
    tally = Tally(deletions=file.deletions, hidden=file.hidden, comments=file.comments)
    tally.faint = file.looks.faint
    return (*tally.remarks(), *(() if file.is_whole else (DAMAGED,)))


READER = Reader("rtf", "an RTF file", "RTF", _SUFFIXES, _recognises, _read)

"""LaTeX: the text of the printed document, as far as the source tells it.

Formulas are kept as their signs, without markup, as they come out of a PDF. Numbers of sections,
references and citations are made by LaTeX and are not in the text. No file is included.
"""

from __future__ import annotations

import re

from core.documents.readers.latex.typesetter import Typesetter
from core.documents.readers.reader import Extracted, Reader, Reading, decoded

_SUFFIXES = frozenset({".tex", ".ltx", ".latex"})
# Names that say nothing about the format.
_SNIFFED = frozenset({"", ".txt", ".text"})
_HEAD = 1 << 16
_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|%[^\n]*+\n)*+\\document(?:class|style)\s{0,9}[\[{]")
_REFERENCE = re.compile(r"\\\w*(?:cite|ref)")
# What a citation leaves behind that is not in the text.
_LEFT_SPACE = re.compile(r"(?<=\w)[ \u00a0]+(?=[,.](?:\s|\Z))")
_COMMAND = re.compile(rb"\\(?:begin|end|section|chapter|emph|text\w\w|item|par|label|def)\b")


def _recognises(data: bytes, suffix: str) -> bool:
    """By its class of document; under a name that promises LaTeX, by any of its commands."""
    head = data[:_HEAD]
    if suffix in _SUFFIXES:
        return _COMMAND.search(head) is not None or _START.match(head) is not None
    return suffix in _SNIFFED and _START.match(head) is not None


def _read(data: bytes, reading: Reading) -> Extracted:
    source, encoding = decoded(data)
    typesetter = Typesetter(source, reading)
    text = typesetter.text()
    if _REFERENCE.search(source):
        text = _LEFT_SPACE.sub("", text)
    return Extracted(text, encoding, typesetter.remarks())


READER = Reader("latex", "a LaTeX file", "LaTeX", _SUFFIXES, _recognises, _read)

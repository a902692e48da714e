"""HTML: the text a browser would show, block by block, and the title before it."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.documents.limits import Limits
from core.documents.model import ProblemCode
from core.documents.readers.base import Extracted, Reader, UnreadableError, decoded
from core.documents.readers.html_cost import why_too_costly
from core.documents.readers.html_tags import (
    CELLS,
    CONTROLS,
    LINES,
    NOT_SHOWN,
    PARAGRAPHS,
    VERBATIM,
)

__all__ = ["READER"]

_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
_SNIFFED = frozenset({"", ".txt", ".text"})  # names that say nothing about the format
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,999}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--[^>]{0,999}-->\s{0,99})?"
    rb"<(?:!doctype\s{1,9}html|html|head|body)[\s>]",
    re.IGNORECASE,
)
_HIDDEN = "[hidden], [style*=display i]"
_DISPLAY_NONE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
# White space in the sense of HTML: a no-break space is none.
_SPACES = re.compile(r"[ \t\n\f\r]+")

# What stands between two pieces of text; of several, the widest counts.
_NOTHING: Final = 0
_SPACE: Final = 1
_CELL: Final = 2
_LINE: Final = 3
_PARAGRAPH: Final = 4
_SEPARATORS = ("", " ", "\t", "\n", "\n\n")
_GAPS = {
    **dict.fromkeys(PARAGRAPHS, _PARAGRAPH),
    **dict.fromkeys(LINES, _LINE),
    **dict.fromkeys(CELLS, _CELL),
    **dict.fromkeys(CONTROLS, _SPACE),
}


def _recognises(data: bytes, suffix: str) -> bool:
    """By its first tag where the name leaves it open, else by the name."""
    if suffix in _SNIFFED:
        return _START.match(data) is not None
    return suffix in _SUFFIXES


def _read(data: bytes, limits: Limits) -> Extracted:
    """The visible text of a page."""
    source, encoding = decoded(data)
    if reason := why_too_costly(source, limits.nesting):
        raise UnreadableError(ProblemCode.TOO_DEEP, reason)
    return Extracted(_visible_text(LexborHTMLParser(source)), encoding)


class _Writer:
    """Collects pieces of text and decides what separates them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = _NOTHING

    def separate(self, gap: int) -> None:
        """Have at least this gap before the next piece."""
        self._gap = max(self._gap, gap)

    def break_line(self) -> None:
        """End the line; twice in a row makes an empty one."""
        self._gap = _PARAGRAPH if self._gap >= _LINE else _LINE

    def write(self, text: str) -> None:
        """Add running text, its white space collapsed."""
        words = _SPACES.sub(" ", text)
        if words.startswith(" "):
            self.separate(_SPACE)
        if words != " " and words:
            self.write_verbatim(words.strip(" "))
            if words.endswith(" "):
                self.separate(_SPACE)

    def write_verbatim(self, text: str) -> None:
        """Add text as it is."""
        if text:
            if self._parts:
                ended = self._gap >= _LINE and self._parts[-1].endswith("\n")  # as "pre" does
                self._parts.append(_SEPARATORS[self._gap][ended:])
            self._parts.append(text)
            self._gap = _NOTHING

    def text(self) -> str:
        """Everything written."""
        return "".join(self._parts)


def _visible_text(tree: LexborHTMLParser) -> str:
    """The title and the text of the body; a tree without a body has its text in the root."""
    writer = _Writer()
    title = tree.css_first("title")
    if title is not None and title.parent is not None and title.parent.tag in {"head", "body"}:
        writer.write(title.text())
        writer.separate(_PARAGRAPH)
    root = tree.root
    if root is not None:
        _write_tree(root, _hidden_nodes(tree), writer)
    return writer.text()


def _hidden_nodes(tree: LexborHTMLParser) -> frozenset[int]:
    """The elements that are not shown. Pages that hide their body show it by a script."""
    return frozenset(
        node.mem_id
        for node in tree.css(_HIDDEN)
        if node.tag not in {"html", "body"}
        and ("hidden" in node.attributes or _DISPLAY_NONE.search(node.attributes["style"] or ""))
    )


def _write_tree(root: LexborNode, hidden: frozenset[int], writer: _Writer) -> None:
    """Write all text below an element, without recursion.

    On the stack, a node comes with whether its white space counts, a number is the gap that
    follows an element.
    """
    pending: list[tuple[LexborNode, bool] | int] = [(root, False)]
    while pending:
        item = pending.pop()
        if isinstance(item, int):
            writer.separate(item)
            continue
        node, verbatim = item
        tag = node.tag
        if tag == "-text":
            (writer.write_verbatim if verbatim else writer.write)(node.text_content or "")
        elif tag == "br":
            writer.break_line()
        elif tag is not None and tag not in NOT_SHOWN and node.mem_id not in hidden:
            _open(node, pending, verbatim=verbatim or tag in VERBATIM)
            writer.separate(_GAPS.get(tag, _NOTHING))


def _open(
    node: LexborNode, pending: list[tuple[LexborNode, bool] | int], *, verbatim: bool
) -> None:
    """Put the children of an element on the stack, the first on top, the gap after it below."""
    if gap := _GAPS.get(node.tag or ""):
        pending.append(gap)
    child = node.last_child
    while child is not None:
        pending.append((child, verbatim))
        child = child.prev


READER = Reader("html", _recognises, _read)

"""HTML: the text a browser would show, block by block, and the title before it.

White or tiny letters, by their own style, are text that nobody sees. White counts where nothing
tells of a background: a page with a style sheet may have one anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.readers import Extracted, Reader, Reading, decoded, plain
from core.documents.readers.shared.story import PALE, PALE_PART, Gap, Tally, TextFlow

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


# What a browser shows of them.
NOT_SHOWN = _tags(
    "audio canvas datalist head iframe noembed noframes noscript rp script style template title"
    " video"
)
VERBATIM = _tags("listing plaintext pre textarea xmp")
PARAGRAPHS = _tags(
    "article blockquote dl fieldset figure form h1 h2 h3 h4 h5 h6 hr main ol p pre section table ul"
)
LINES = _tags(
    "address aside body caption center dd details dialog dir div dt figcaption footer header hgroup"
    " legend li listing menu nav optgroup option plaintext search select summary tbody textarea"
    " tfoot thead tr xmp"
)
CELLS = _tags("td th")
CONTROLS = _tags("button input object")

_STYLED = "[style*=color i], [style*=font-size i]"
_FONTS = "font[color]"
_SHEETS = "style, link[rel*=stylesheet i], [bgcolor], [background], [style*=background i]"
_WHITE = (
    rf"(?:white|#fff|#{PALE}|rgba?\(\s*{PALE_PART}\s*,\s*{PALE_PART}\s*,\s*{PALE_PART}\s*"
    r"(?:,\s*1\s*)?\))"
)
_WHITE_STYLE = lazy_pattern(rf"(?:^|;)\s*color\s*:\s*{_WHITE}\s*(?:!|;|$)", re.IGNORECASE)
_WHITE_FONT = lazy_pattern(rf"\s*(?:white|#?{PALE})\s*", re.IGNORECASE)
_TINY = lazy_pattern(
    r"(?:^|;)\s*font-size\s*:\s*(?:0|[01](?:\.[0-9]{0,9})?\s*(?:px|pt)|0?\.0[0-9]{0,9}\s*r?em)"
    r"\s*(?:!|;|$)",
    re.IGNORECASE,
)


def faint_nodes(tree: LexborHTMLParser) -> Mapping[int, bool]:
    """Whether the text of such an element takes no room, by its number."""
    styled = [(node, node.attributes["style"] or "") for node in tree.css(_STYLED)]
    nodes = {node.mem_id: True for node, style in styled if _is_inner(node) and _TINY.search(style)}
    white = [node for node, style in styled if _WHITE_STYLE.search(style)]
    white += [
        node for node in tree.css(_FONTS) if _WHITE_FONT.fullmatch(node.attributes["color"] or "")
    ]
    if white and tree.css_first(_SHEETS) is None:
        nodes = {node.mem_id: False for node in white if _is_inner(node)} | nodes
    return nodes


def _is_inner(node: LexborNode) -> bool:
    """Pages that hide their body show it by a script."""
    return node.tag not in {"html", "body"}


_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
# Texts that may well quote a page from their first line on: Markdown, programs.
QUOTING = plain.TEXT.suffixes - {".txt", ".text"}
_START = lazy_pattern(
    rb"(?:\xef\xbb\xbf)?\s{0,999}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--[^>]{0,999}-->\s{0,99})?"
    rb"<(?:!doctype\s{1,9}html|html|head|body)[\s>]",
    re.IGNORECASE,
)
_HIDDEN = "[hidden], [style*=display i]"
_DISPLAY_NONE = lazy_pattern(r"display\s*:\s*none", re.IGNORECASE)
_NOTE_MARK = lazy_pattern(r"\s*(?:[\[(]?[0-9]{1,3}[\])]?|[*†‡§↑^]{1,3})\s*")
_GAPS = {
    **dict.fromkeys(PARAGRAPHS, Gap.PARAGRAPH),
    **dict.fromkeys(LINES, Gap.LINE),
    **dict.fromkeys(CELLS, Gap.CELL),
    **dict.fromkeys(CONTROLS, Gap.SPACE),
}


def _recognises(data: bytes, suffix: str) -> bool:
    """By the name, or by the first tag unless the name tells of a text that is to stay as it is."""
    if suffix in _SUFFIXES:
        return True
    return suffix not in QUOTING and _START.match(data) is not None


def _read(data: bytes, _reading: Reading) -> Extracted:
    source, encoding = decoded(data)
    visible, tally = _visible_text(source)
    return Extracted(visible, encoding, tally.remarks())


def visible_text(source: str) -> str:
    """What a browser would show of a page of HTML."""
    return _visible_text(source)[0]


def _visible_text(source: str) -> tuple[str, Tally]:
    """The title, the text of the body, and how much is hidden.

    A page without a body has its text in the root.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree, writer = LexborHTMLParser(source), TextFlow()
    title = tree.css_first("title")
    if title is not None and title.parent is not None and title.parent.tag in {"head", "body"}:
        writer.write(title.text())
        writer.separate(Gap.PARAGRAPH)
    root, tally = tree.root, Tally()
    if root is not None:
        _write_tree(root, _hidden_nodes(tree), faint_nodes(tree), writer, tally)
    return tally.faint.after(writer.text()), tally


def _hidden_nodes(tree: LexborHTMLParser) -> frozenset[int]:
    """The elements that are not shown. Pages that hide their body show it by a script."""
    return frozenset(
        node.mem_id
        for node in tree.css(_HIDDEN)
        if node.tag not in {"html", "body"}
        and ("hidden" in node.attributes or _DISPLAY_NONE.search(node.attributes["style"] or ""))
    )


def _write_tree(
    root: LexborNode,
    hidden: frozenset[int],
    faint: Mapping[int, bool],
    writer: TextFlow,
    tally: Tally,
) -> None:
    """Write all text below an element, without recursion, and count hidden text.

    On the stack, a node comes with whether its white space counts, a `Gap` is the one that
    follows an element.
    """
    pending: list[tuple[LexborNode, bool] | Gap] = [(root, False)]
    while pending:
        item = pending.pop()
        if isinstance(item, Gap):
            writer.separate(item)
            continue
        node, verbatim = item
        tag = node.tag
        if tag == "-text":
            text = node.text_content or ""
            if not text.isspace():
                tally.faint.end()
            (writer.write_verbatim if verbatim else writer.write)(text)
        elif tag == "br":
            writer.break_line()
        elif tag is None or tag in NOT_SHOWN or (tag == "a" and _is_note_mark(node)):
            continue
        elif node.mem_id in hidden:
            tally.hidden += bool(node.text(deep=True).strip())
        elif node.mem_id in faint:
            writer.separate(_GAPS.get(tag, Gap.NOTHING))
            writer.write(tally.faint.add(node.text(deep=True), is_tiny=faint[node.mem_id]))
            tally.faint.end()
        else:
            _open(node, pending, verbatim=verbatim or tag in VERBATIM)
            writer.separate(_GAPS.get(tag, Gap.NOTHING))


def _is_note_mark(link: LexborNode) -> bool:
    """Whether a link is the raised number of a note, or leads back from the note to it.

    It would be glued to the word before it, and a copy mostly has other numbers or none.
    """
    target = link.attributes.get("href") or ""
    return target.startswith("#") and _NOTE_MARK.fullmatch(link.text(deep=True)) is not None


def _open(
    node: LexborNode, pending: list[tuple[LexborNode, bool] | Gap], *, verbatim: bool
) -> None:
    """Put the children of an element on the stack, the first on top, the gap after it below."""
    if gap := _GAPS.get(node.tag or ""):
        pending.append(gap)
    child = node.last_child
    while child is not None:
        pending.append((child, verbatim))
        child = child.prev


READER = Reader(
    "html",
    N_("a web page"),
    N_("web page"),
    _SUFFIXES,
    _recognises,
    _read,
    libraries=("selectolax.lexbor",),
)

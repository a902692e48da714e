"""HTML: the text a browser would show, block by block, and the title before it.

Elements of a page whose text nobody sees: white or tiny letters, by their own style.

White counts where nothing tells of a background. A page with a style sheet may have one anywhere,
so that white letters are taken for seen there.

What it would cost to parse a page, told from its tags in one pass over them.

An HTML parser looks through all open elements at many tags, compares every attribute of a tag with
those before it, and opens unclosed formatting again in each new block. On pages made for it, or
broken by a program, that is quadratic: 300,000 nested elements take longer than anybody waits. The
pass follows the HTML standard (13.2.6, tree construction) only as far as that decides the cost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import plain
from core.documents.readers.reader import Extracted, Reader, Reading, decoded
from core.documents.readers.shared.remarks import Tally
from core.documents.readers.shared.text_flow import Gap, TextFlow

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

# How a parser treats them. Raw: their content is text up to their own end tag.
RAW = _tags("iframe noembed noframes script style textarea title xmp")
# Not counted: empty, or closed by the next of their kind.
SHALLOW = _tags(
    "a area base basefont bgsound body br col colgroup embed form head hr html image img input"
    " keygen link meta nobr param rb rp rt rtc source track wbr"
)
FORMATTING = _tags("b big code em font i s small strike strong tt u")
TABLE_PARTS = _tags("caption tbody td tfoot th thead tr")
# An end tag of what is not part of a table does not reach beyond these.
BOUNDARIES = _tags("applet caption marquee object select table td template th")
# What the start of an item closes.
ITEMS = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
# Closed by the next of their kind when nothing else was opened in them.
CHOICES = _tags("button optgroup option select")
# Their start closes a paragraph.
BLOCKS = _tags(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol p plaintext pre search"
    " section summary ul xmp"
)
SPECIAL = BLOCKS | BOUNDARIES | TABLE_PARTS | ITEMS.keys() | {"button"}
# What is not taken for an element of SVG or MathML inside of those.
BREAKOUT = (
    BLOCKS
    | FORMATTING
    | ITEMS.keys()
    | _tags("body br embed head hr img meta nobr ruby span sub sup table var")
)
# The start of an item reaches no further than these, the end of one no further than a list.
ITEM_WALLS = SPECIAL - {"address", "div", "p"}
LIST_WALLS = BOUNDARIES | {"ol", "ul"}


# Not left to the limits of the process that reads: 59 kB of unclosed formatting need over 500 MB,
# and a process that is killed costs all that comes after the page in its book, mail or archive.


_ATTRIBUTE = (
    r"[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>\"'][^\s>]*+)?+)?+"
)
# A comment, or a tag with its attributes. It always matches to the end: linear time.
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(?P<end>/?+)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>(?:[\s/]++|" + _ATTRIBUTE + r")*+)>?",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_SHORT = 400  # characters: a tag no longer than that has too few attributes to matter

_FOREIGN = "svg "  # before the names of elements in SVG and MathML
_PARAGRAPH = BOUNDARIES | {"button"}
_TABLE = frozenset({"table"})
_WORK = 1_000_000_000  # steps of the parser, about a nanosecond each
_STEP = 100  # one step of this pass in steps of the parser
_ELEMENT = 1_000  # an element takes half a kilobyte of memory, too
_END = 300
_COPY = 2_000  # an element opened again is more of a surprise
_ALIKE = 3  # of identical unclosed formatting elements a parser keeps three
# A page within both cannot reach the limits, whatever it contains.
_FEW_TAGS = 1_000
_FEW_CHARACTERS = 60_000
_ADVICE = "Such pages are not read; saving it again from a browser may mend it."


def check_cost(source: str, nesting: int) -> None:
    """Raise for a page that should not be parsed.

    Args:
        source: The page.
        nesting: How deep its elements may be nested.

    Raises:
        UnreadableError: TOO_DEEP.
    """
    if source.count("<") <= min(nesting, _FEW_TAGS) and len(source) <= _FEW_CHARACTERS:
        return
    stack = _Stack()
    position = 0
    while match := _MARKUP.search(source, position):
        position = match.end()
        end, name, attributes = match.groups()
        if name is None:
            continue
        name = name.lower()
        if end:
            stack.close(name)
        else:
            stack.open(name, attributes)
            if name in RAW:
                position = _end_of_raw(source, name, position)
        if stack.depth > nesting:
            detail = f"The elements of this page are nested more than {nesting:,} deep. {_ADVICE}"
            raise UnreadableError(ProblemCode.TOO_DEEP, detail, "nesting")
        if stack.work > _WORK:
            detail = f"This page has too many elements, some of them never closed. {_ADVICE}"
            raise UnreadableError(ProblemCode.TOO_DEEP, detail)


def _end_of_raw(source: str, name: str, position: int) -> int:
    """Where the end tag of an element with raw text begins."""
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


class _Stack:
    """The open elements, each with its attributes, and the steps that a parser has taken."""

    def __init__(self) -> None:
        self.work = 0
        self._open: list[tuple[str, str]] = []
        self._count: Counter[str] = Counter()
        # Formatting whose block was closed first: it is opened again in the next one.
        self._dangling: Counter[tuple[str, str]] = Counter()

    @property
    def depth(self) -> int:
        return len(self._open)

    def open(self, name: str, attributes: str) -> None:
        self.work += len(self._open) + _ELEMENT
        if len(attributes) > _SHORT:
            self.work += sum(1 for _ in _ATTRIBUTES.finditer(attributes)) ** 2
        if not self._is_foreign() or name in BREAKOUT:
            self._open_html(name, attributes)
        elif not attributes.endswith("/"):
            self._push((_FOREIGN + name, ""))

    def _open_html(self, name: str, attributes: str) -> None:
        """Close what a start tag closes, then open it."""
        if name in BLOCKS or name in ITEMS:
            self._cut(self._last("p", _PARAGRAPH))
        for item in ITEMS.get(name, ()):
            self._cut(self._last(item, ITEM_WALLS))
        if name in CHOICES and self._open and self._open[-1][0] == name:
            self._cut(len(self._open) - 1)
        if name in TABLE_PARTS:
            if not self._count["table"]:
                return
            self._end_table_part()
        if name not in SPECIAL:
            self._reopen()
        if name not in SHALLOW:
            self._push((name, attributes))
        if name in BLOCKS or name in ITEMS:
            self._reopen()

    def close(self, name: str) -> None:
        self.work += len(self._open) + _END
        if self._is_foreign() and self._count[_FOREIGN + name]:
            self._cut(self._last(_FOREIGN + name, SPECIAL))
        elif name in FORMATTING:
            self._end_formatting(name)
        else:
            self._end(name)

    def _end_formatting(self, name: str) -> None:
        """Close the last formatting element of a name, wherever it is."""
        last = next((element for element in reversed(self._dangling) if element[0] == name), None)
        if last:
            self._dangling -= Counter((last,))
        elif self._count[name]:
            del self._open[self._last(name, frozenset())]
            self._count[name] -= 1

    def _is_foreign(self) -> bool:
        """Whether the innermost element is one of SVG or MathML."""
        name = self._open[-1][0] if self._open else ""
        return name in {"svg", "math"} or name.startswith(_FOREIGN)

    def _push(self, element: tuple[str, str]) -> None:
        self._open.append(element)
        self._count[element[0]] += 1

    def _reopen(self) -> None:
        """Open again what was left dangling."""
        if self._dangling:
            self.work += self._dangling.total() * _COPY
            for element in self._dangling.elements():
                self._push(element)
            self._dangling.clear()

    def _end(self, name: str) -> None:
        """Close the last element of a name, with all in it, when an end tag could reach it."""
        if name == "p":
            walls = _PARAGRAPH
        elif name in TABLE_PARTS or name == "table":
            walls = _TABLE
        elif name == "li":
            walls = LIST_WALLS
        else:
            walls = BOUNDARIES if name in SPECIAL else SPECIAL
        self._cut(self._last(name, walls))

    def _end_table_part(self) -> None:
        """Close everything down to the table; the formatting in a cell ends with it."""
        self._cut(self._last("table", frozenset()) + 1)
        self._dangling.clear()

    def _last(self, name: str, walls: frozenset[str]) -> int:
        """Where the last element of a name is; behind the end when there is none before a wall."""
        if not self._count[name]:
            return len(self._open)
        for i in range(len(self._open) - 1, -1, -1):
            self.work += _STEP
            if self._open[i][0] == name:
                return i
            if self._open[i][0] in walls:
                break
        return len(self._open)

    def _cut(self, start: int) -> None:
        if start == len(self._open):
            return
        for element in self._open[start:]:
            self._count[element[0]] -= 1
            if element[0] in FORMATTING and self._dangling[element] < _ALIKE:
                self._dangling[element] += 1
        self.work += _STEP * (len(self._open) - start)
        del self._open[start:]


_STYLED = "[style*=color i], [style*=font-size i]"
_FONTS = "font[color]"
_SHEETS = "style, link[rel*=stylesheet i], [bgcolor], [background], [style*=background i]"
_WHITE = r"(?:white|#fff|#ffffff|rgba?\(\s*255\s*,\s*255\s*,\s*255\s*(?:,\s*1\s*)?\))"
_WHITE_STYLE = re.compile(rf"(?:^|;)\s*color\s*:\s*{_WHITE}\s*(?:!|;|$)", re.IGNORECASE)
_WHITE_FONT = re.compile(r"\s*(?:white|#?ffffff)\s*", re.IGNORECASE)
_TINY = re.compile(
    r"(?:^|;)\s*font-size\s*:\s*(?:0|[01](?:\.[0-9]{0,9})?\s*(?:px|pt)|0?\.0[0-9]{0,9}\s*r?em)"
    r"\s*(?:!|;|$)",
    re.IGNORECASE,
)


def faint_nodes(tree: LexborHTMLParser) -> Mapping[int, bool]:
    """Whether the text of such an element takes no room, by its number."""
    styled = [(node, node.attributes["style"] or "") for node in tree.css(_STYLED)]
    found = {node.mem_id: True for node, style in styled if _is_inner(node) and _TINY.search(style)}
    white = [node for node, style in styled if _WHITE_STYLE.search(style)]
    white += [
        node for node in tree.css(_FONTS) if _WHITE_FONT.fullmatch(node.attributes["color"] or "")
    ]
    if white and tree.css_first(_SHEETS) is None:
        found = {node.mem_id: False for node in white if _is_inner(node)} | found
    return found


def _is_inner(node: LexborNode) -> bool:
    """Pages that hide their body show it by a script."""
    return node.tag not in {"html", "body"}


_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
# Texts that may well quote a page from their first line on: Markdown, programs.
QUOTING = plain.TEXT.suffixes - {".txt", ".text"}
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,999}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--[^>]{0,999}-->\s{0,99})?"
    rb"<(?:!doctype\s{1,9}html|html|head|body)[\s>]",
    re.IGNORECASE,
)
_HIDDEN = "[hidden], [style*=display i]"
_DISPLAY_NONE = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\s*(?:[\[(]?[0-9]{1,3}[\])]?|[*†‡§↑^]{1,3})\s*")
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


def _read(data: bytes, reading: Reading) -> Extracted:
    source, encoding = decoded(data)
    visible, tally = _parsed(source, reading)
    return Extracted(visible, encoding, tally.remarks())


def visible_text(source: str, reading: Reading) -> str:
    """What a browser would show of a page of HTML.

    Raises:
        UnreadableError: TOO_DEEP.
    """
    return _parsed(source, reading)[0]


def _parsed(source: str, reading: Reading) -> tuple[str, Tally]:
    """What a browser would show, and what it would not."""
    check_cost(source, reading.limits.nesting)
    from selectolax.lexbor import LexborHTMLParser

    return _visible_text(LexborHTMLParser(source))


def _visible_text(tree: LexborHTMLParser) -> tuple[str, Tally]:
    """The title and the text of the body; a tree without a body has its text in the root."""
    writer = TextFlow()
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
    """Write all text below an element, without recursion, and count what is not shown.

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
    "a web page",
    "web page",
    _SUFFIXES,
    _recognises,
    _read,
    libraries=("selectolax.lexbor",),
)

"""HTML: the text a browser would show, block by block, and the title before it.

White or tiny letters are text that nobody sees. White counts where nothing tells of a background.

What the style sheets in a page hide counts where nothing may show it after all: no script, no sheet
beside the page, no rule for another medium or state, as for a menu that opens when pointed at.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

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

_STYLED = "[style*=display i], [style*=visibility i], [style*=font-size i], [style*=color i]"
_FONTS = "font[color]"
_BACKGROUNDS = "[bgcolor], [background], [style*=background i]"
_OTHER_SHEETS = "link[rel*=stylesheet i]"
_DECLARATION = lazy_pattern(
    r"(?:^|;)\s*(display|visibility|font-size|color)\s*:([^;!]*)(!\s*important)?", re.IGNORECASE
)
_WHITE_FONT = lazy_pattern(rf"\s*(?:white|#?{PALE})\s*", re.IGNORECASE)
_UNSEEN = {
    "display": lazy_pattern("none", re.IGNORECASE),
    "visibility": lazy_pattern("hidden|collapse", re.IGNORECASE),
    "font-size": lazy_pattern(
        r"0(?:\.0{1,9})?%?|[01](?:\.[0-9]{0,9})?\s*(?:px|pt)|0?\.0[0-9]{0,9}\s*r?em", re.IGNORECASE
    ),
    "color": lazy_pattern(
        rf"white|#fff|#{PALE}|rgba?\(\s*{PALE_PART}\s*,\s*{PALE_PART}\s*,\s*{PALE_PART}\s*"
        r"(?:,\s*1\s*)?\)",
        re.IGNORECASE,
    ),
}
_NO_RULE = lazy_pattern(r"""/\*.*?(?:\*/|\Z)|"[^"\n]*"|'[^'\n]*'""", re.DOTALL)
_BRACE = lazy_pattern(r"([{}])")
_STATE = lazy_pattern(r"::?[\w-]+(?:\([^()]*\))?")  # a:hover
_CLASS, _TAG = lazy_pattern(r"[.\[]"), lazy_pattern(r"(?:^|[\s>+~])[a-zA-Z]")
_Rank = tuple[bool, bool, int, int, int]  # important, of the element itself, names, classes, tags


class _Rule(NamedTuple):
    """What a rule says of the properties that may hide text: whether it does, and is important."""

    selectors: str
    declared: Mapping[str, tuple[bool, bool]]
    is_conditional: bool


def _declared(style: str) -> dict[str, tuple[bool, bool]]:
    declared = {}
    for match in _DECLARATION.finditer(style):
        name = match[1].lower()
        declared[name] = bool(_UNSEEN[name].fullmatch(match[2].strip())), bool(match[3])
    return declared


def _rules(sheet: str, *, is_conditional: bool) -> Iterator[_Rule]:
    opened: list[str] = []  # what the braces around belong to
    pieces = _BRACE.split(_NO_RULE.sub("", sheet))
    for text, brace in zip(pieces[::2], pieces[1::2], strict=False):
        if brace == "{":
            opened.append(text.rpartition(";")[2].strip())
        elif opened:
            selectors = opened.pop()
            if not selectors.startswith("@") and (declared := _declared(text)):
                yield _Rule(selectors, declared, is_conditional or bool(opened))


class _Styles:
    """How the elements of a page are to look, as far as it may hide their text."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._nodes: dict[int, LexborNode] = {}
        self._looks: dict[str, dict[int, tuple[_Rank, bool]]] = {name: {} for name in _UNSEEN}
        sheets = tree.css("style")
        if sheets and tree.css_first(f"script, {_OTHER_SHEETS}") is None:
            self._follow([rule for sheet in sheets for rule in _rules_of(sheet)])
        for node in tree.css(_STYLED):
            self._set(node, (True, 0, 0, 0), _declared(node.attributes["style"] or ""))
        has_background = tree.css_first(f"{_BACKGROUNDS}, {_OTHER_SHEETS}") is not None
        if has_background or any("background" in sheet.text().lower() for sheet in sheets):
            self._looks["color"] = {}
        else:
            for node in tree.css(_FONTS):
                if _WHITE_FONT.fullmatch(node.attributes["color"] or ""):
                    self._set(node, (False, 0, 0, 0), {"color": (True, False)})

    def _follow(self, rules: list[_Rule]) -> None:
        hiding = {
            name
            for rule in rules
            for name, (is_unseen, _) in rule.declared.items()
            if is_unseen and not rule.is_conditional
        }
        for rule in rules:
            declared = {name: rule.declared[name] for name in hiding & rule.declared.keys()}
            selectors = _STATE.sub("", rule.selectors)
            if rule.is_conditional or selectors != rule.selectors:  # it may show, but hides nothing
                declared = {
                    name: (False, True) for name, (unseen, _) in declared.items() if not unseen
                }
            for selector in selectors.split(",") if declared else ():
                classes, tags = _CLASS.findall(selector), _TAG.findall(selector.strip())
                rank = False, selector.count("#"), len(classes), len(tags)
                for node in self._matching(selector.strip() or "*"):
                    self._set(node, rank, declared)

    def _matching(self, selector: str) -> list[LexborNode]:
        from selectolax.lexbor import SelectolaxError

        try:
            return self._tree.css(selector)
        except SelectolaxError:
            return []

    def _set(
        self,
        node: LexborNode,
        rank: tuple[bool, int, int, int],
        declared: Mapping[str, tuple[bool, bool]],
    ) -> None:
        for name, (is_unseen, is_important) in declared.items():
            looks, look = self._looks[name], ((is_important, *rank), is_unseen)
            if node.mem_id not in looks or looks[node.mem_id][0] <= look[0]:
                self._nodes[node.mem_id] = node
                looks[node.mem_id] = look

    def unseen(self, name: str) -> Iterator[int]:
        """The elements whose text a property hides. Scripts show the bodies that pages hide."""
        looks = self._looks[name]
        seen = {number for number, (_, is_unseen) in looks.items() if not is_unseen}
        for number, (_, is_unseen) in looks.items():
            node = self._nodes[number]
            if is_unseen and node.tag not in {"html", "body"}:
                within = node.css("*") if seen and name != "display" else ()
                if seen.isdisjoint(it.mem_id for it in within):
                    yield number


def _rules_of(sheet: LexborNode) -> Iterator[_Rule]:
    media = (sheet.attributes.get("media") or "all").strip().lower()
    return _rules(sheet.text(), is_conditional=media != "all")


_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
# Texts that may well quote a page from their first line on: Markdown, programs.
QUOTING = plain.TEXT.suffixes - {".txt", ".text"}
_START = lazy_pattern(
    rb"(?:\xef\xbb\xbf)?\s{0,999}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!--[^>]{0,999}-->\s{0,99})?"
    rb"<(?:!doctype\s{1,9}html|html|head|body)[\s>]",
    re.IGNORECASE,
)
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
        styles = _Styles(tree)
        hidden = {node.mem_id for node in tree.css("[hidden]") if node.tag not in {"html", "body"}}
        hidden.update(styles.unseen("display"), styles.unseen("visibility"))
        tiny = dict.fromkeys(styles.unseen("font-size"), True)
        faint = dict.fromkeys(styles.unseen("color"), False) | tiny
        _write_tree(root, hidden, faint, writer, tally)
    return tally.faint.after(writer.text()), tally


def _write_tree(
    root: LexborNode,
    hidden: Container[int],
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

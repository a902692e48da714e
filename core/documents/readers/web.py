"""HTML: the text a browser would show, block by block, and the title before it.

White or tiny letters are text that nobody sees. White counts where nothing tells of a background.

What the style sheets in a page hide counts where nothing may show it after all: no script, no sheet
beside the page, no rule for another medium or state, as for a menu that opens when pointed at, and
none with selectors that are not understood here.
"""

from __future__ import annotations

import re
import sys
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

_STYLED = "[style*=display i], [style*=visibility i], [style*=font i], [style*=color i]"
_FONTS = "font[color], font[size]"
_BACKGROUNDS = "[bgcolor], [background], [style*=background i], meta[name=color-scheme i]"
_OTHER_SHEETS = "link[rel*=stylesheet i]"
_SCRIPTS = (
    "script, [onclick], [onload], [onchange], [ontoggle], [onmouseover], [href^='javascript:' i]"
)
_BACKGROUND = lazy_pattern("background|color-scheme", re.IGNORECASE)
_SHEET_BESIDE = lazy_pattern(r"<\?xml-stylesheet|@import", re.IGNORECASE)
_DECLARATION = lazy_pattern(
    r"(?:^|;)\s*(all|font|display|visibility|font-size|color)\s*:([^;!]*)(?:(!\s*important)\s*)?"
    r"(?=;|$)",
    re.IGNORECASE,
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
_AS_AROUND = lazy_pattern(
    r"inherit|unset|currentcolor|smaller|larger|[0-9.]{1,9}\s*(?:em|ex|ch|%)", re.IGNORECASE
)
_NO_RULE = lazy_pattern(
    r"""/\*.*?(?:\*/|\Z)|<!--|-->|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.DOTALL
)
_BRACE = lazy_pattern(r"([{}])")
_STATE = lazy_pattern(r"::?[\w-]+(?:\([^()]*\))?|\[[^\[\]]*\]")  # a:hover, details[open]
_BARE_STATE = lazy_pattern(r"(?:^|(?<=[\s>+~,]))(?=[:\[])")
_UNDERSTOOD = lazy_pattern(r"[\w\s.#*>+~,-]*")
_TAG = lazy_pattern(r"(?:^|[\s>+~])[a-zA-Z]")
_GROUPS = ("@media", "@supports", "@layer", "@container")
_Rank = tuple[bool, bool, int, int, int]  # important, of the element itself, names, classes, tags


class _Declared(NamedTuple):
    """What is said of a property that may hide text.

    Attributes:
        is_unseen: Whether it does; None where that is as around the element.
    """

    is_unseen: bool | None
    is_important: bool


class _Rule(NamedTuple):
    """What a rule says of such properties.

    Attributes:
        is_conditional: It holds for some media or states, and so may show, but hides nothing.
        is_understood: Otherwise it may show anything.
    """

    selectors: str
    declared: Mapping[str, _Declared]
    is_conditional: bool
    is_understood: bool


def _declared(style: str) -> dict[str, _Declared]:
    declared: dict[str, _Declared] = {}
    for match in _DECLARATION.finditer(style):
        name, value, is_important = match[1].lower(), match[2].strip(), bool(match[3])
        names = tuple(_UNSEEN) if name == "all" else ("font-size",) if name == "font" else (name,)
        for each in names:
            is_unseen = name in _UNSEEN and bool(_UNSEEN[name].fullmatch(value))
            is_around = each != "display" and not is_unseen and _AS_AROUND.fullmatch(value)
            if each not in declared or is_important >= declared[each].is_important:
                declared[each] = _Declared(None if is_around else is_unseen, is_important)
    return declared


def _rules(sheet: str, *, is_conditional: bool) -> Iterator[_Rule]:
    opened: list[str] = []  # what the braces around belong to
    pieces = _BRACE.split(sheet)
    for text, brace in zip(pieces[::2], pieces[1::2], strict=False):
        inner, _, selectors = text.rpartition(";") if brace == "{" else (text, "", "")
        if opened and not opened[-1].startswith("@") and (declared := _declared(inner)):
            around = opened[:-1]
            without_states = _STATE.sub("", _BARE_STATE.sub("*", opened[-1]))
            yield _Rule(
                without_states,
                declared,
                is_conditional or bool(around) or without_states != opened[-1],
                _UNDERSTOOD.fullmatch(without_states) is not None
                and all(it.startswith(_GROUPS) for it in around),
            )
        if brace == "{":
            opened.append(selectors.strip())
        elif opened:
            opened.pop()


class _Styles:
    """How the elements of a page are to look, as far as it may hide their text."""

    def __init__(self, tree: LexborHTMLParser, source: str) -> None:
        self._tree = tree
        self._nodes: dict[int, LexborNode] = {}
        self._looks: dict[str, dict[int, tuple[_Rank, bool | None]]] = {
            name: {} for name in _UNSEEN
        }
        sheets = tree.css("style")
        is_alone = sheets and tree.css_first(f"{_SCRIPTS}, {_OTHER_SHEETS}") is None
        if is_alone and not _SHEET_BESIDE.search(source):
            without_scripts = {sheet.mem_id for sheet in tree.css("noscript style")}
            self._follow(
                [
                    rule
                    for sheet in sheets
                    for rule in _rules_of(sheet, is_conditional=sheet.mem_id in without_scripts)
                ]
            )
        for node in tree.css(_STYLED):
            style = _NO_RULE.sub("", node.attributes["style"] or "")
            self._set(node, (True, 0, 0, 0), _declared(style))
        for node in tree.css(_FONTS):
            is_white = _WHITE_FONT.fullmatch(node.attributes.get("color") or "") is not None
            if "color" in node.attributes:
                self._set(node, (False, -1, 0, 0), {"color": _Declared(is_white, False)})
            if "size" in node.attributes:
                self._set(node, (False, -1, 0, 0), {"font-size": _Declared(False, False)})
        has_background = tree.css_first(f"{_BACKGROUNDS}, {_OTHER_SHEETS}") is not None
        if has_background or any(_BACKGROUND.search(sheet.text()) for sheet in sheets):
            self._looks["color"] = {}

    def _follow(self, rules: list[_Rule]) -> None:
        hiding = {
            name
            for rule in rules
            for name, (is_unseen, _) in rule.declared.items()
            if is_unseen and not rule.is_conditional
        }
        unsure = {
            name
            for rule in rules
            if not rule.is_understood
            for name, (is_unseen, _) in rule.declared.items()
            if not is_unseen
        }
        for rule in rules:
            declared = {
                name: it
                for name, it in rule.declared.items()
                if name in hiding - unsure and not (rule.is_conditional and it.is_unseen)
            }
            matching = self._matching(rule.selectors) if rule.is_understood and declared else {}
            for selector, nodes in matching.items():
                rank = False, selector.count("#"), selector.count("."), len(_TAG.findall(selector))
                if rule.is_conditional:  # what is left out of it would count, too
                    rank = False, sys.maxsize, 0, 0
                for node in nodes:
                    self._set(node, rank, declared)

    def _matching(self, selectors: str) -> dict[str, list[LexborNode]]:
        """The elements of each selector; none where browsers take no notice of the rule."""
        from selectolax.lexbor import SelectolaxError

        try:
            return {it: self._tree.css(it) for it in map(str.strip, selectors.split(","))}
        except SelectolaxError:
            return {}

    def _set(
        self, node: LexborNode, rank: tuple[bool, int, int, int], declared: Mapping[str, _Declared]
    ) -> None:
        for name, (is_unseen, is_important) in declared.items():
            looks, look = self._looks[name], ((is_important, *rank), is_unseen)
            if node.mem_id not in looks or looks[node.mem_id][0] <= look[0]:
                self._nodes[node.mem_id] = node
                looks[node.mem_id] = look

    def unseen(self, name: str) -> Iterator[int]:
        """The elements whose text a property hides. Scripts show the bodies that pages hide.

        But for `display`, what is within may be seen again: then its other parts are given, and
        those of its parts.
        """
        looks = {number: is_unseen for number, (_, is_unseen) in self._looks[name].items()}
        hiding = [self._nodes[number] for number, is_unseen in looks.items() if is_unseen]
        around_seen: set[int] = set()
        if hiding and name != "display":
            for number, is_unseen in looks.items():
                node = self._nodes[number].parent if is_unseen is False else None
                while node is not None and node.mem_id not in around_seen:
                    around_seen.add(node.mem_id)
                    node = node.parent
        pending = [node for node in hiding if node.tag not in {"html", "body"}]
        while pending:
            node = pending.pop()
            if node.mem_id not in around_seen:
                yield node.mem_id
                continue
            child = node.last_child
            while child is not None:
                if looks.get(child.mem_id) is None:  # else it is seen, or looked at by itself
                    pending.append(child)
                child = child.prev


def _rules_of(sheet: LexborNode, *, is_conditional: bool) -> Iterator[_Rule]:
    media, kind = ((sheet.attributes.get(name) or "").strip().lower() for name in ("media", "type"))
    if kind in {"", "text/css"}:
        text = _NO_RULE.sub("", sheet.text())
        yield from _rules(text, is_conditional=is_conditional or media not in {"", "all"})


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
        styles = _Styles(tree, source)
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
        if tag is None or tag in NOT_SHOWN or (tag == "a" and _is_note_mark(node)):
            continue
        if node.mem_id in hidden:
            tally.hidden += bool(node.text(deep=True).strip())
        elif node.mem_id in faint:
            writer.separate(_GAPS.get(tag, Gap.NOTHING))
            writer.write(tally.faint.add(node.text(deep=True), is_tiny=faint[node.mem_id]))
            tally.faint.end()
        elif tag == "-text":
            text = node.text_content or ""
            if not text.isspace():
                tally.faint.end()
            (writer.write_verbatim if verbatim else writer.write)(text)
        elif tag == "br":
            writer.break_line()
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

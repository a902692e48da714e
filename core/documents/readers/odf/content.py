"""The content of an OpenDocument file, element by element (ODF 1.3, part 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial

from core.base.patterns import lazy_pattern
from core.documents.readers.reader import Reading
from core.documents.readers.shared.remarks import FaintText, Tally
from core.documents.readers.shared.text_flow import Gap, Story
from core.documents.readers.shared.xml import Handler

_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:"
_OTHERS = {
    f"{_OPEN_DOCUMENT}drawing:1.0": "draw",  # the one that is not named like its prefix
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://www.w3.org/1999/xlink": "xlink",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}
_VERSION = ":1.0"


def _names(prefix: str, names: str) -> frozenset[str]:
    return frozenset(f"{prefix}:{name}" for name in names.split())


# Shapes that can have text of their own, apart from the paragraph they are anchored in.
BOXES = _names(
    "draw",
    "caption circle connector custom-shape ellipse line measure path polygon polyline rect"
    " regular-polygon text-box",
)
# What is not seen, or is no text: the marks of notes, readings above ruby, help, and how an index
# is made. A covered cell lies below a wider neighbour.
SKIPPED = (
    _names("office", "binary-data dde-source event-listeners font-face-decls forms meta scripts")
    | _names("office", "settings")
    | _names("svg-compatible", "desc title")
    | _names("table", "content-validations covered-table-cell dde-links tracked-changes")
    | _names("text", "note-citation ruby-text script tracked-changes index-title-template")
    | _names("text", "table-of-content-source alphabetical-index-source bibliography-source")
    | _names("text", "illustration-index-source object-index-source table-index-source")
    | _names("text", "user-index-source")
    | _names("presentation", "date-time-decl")
    | _names("style", "handout-master")
    | _names("math", "annotation annotation-xml")
)


@lru_cache(maxsize=4096)
def short_name(name: str) -> str:
    """The usual prefix and the local name, of "namespace local"; "" for a foreign name."""
    namespace, _, local = name.rpartition(" ")
    if prefix := _OTHERS.get(namespace):
        return f"{prefix}:{local}"
    if namespace.startswith(_OPEN_DOCUMENT) and namespace.endswith(_VERSION):
        return f"{namespace[len(_OPEN_DOCUMENT) : -len(_VERSION)]}:{local}"
    return ""


@lru_cache(maxsize=1024)
def _long_name(name: str) -> str:
    prefix, _, local = name.partition(":")
    for namespace, known in _OTHERS.items():
        if prefix == known:
            return f"{namespace} {local}"
    return f"{_OPEN_DOCUMENT}{prefix}{_VERSION} {local}"


def attribute(attributes: dict[str, str], name: str) -> str:
    """The value of the attribute "text:c", "" where there is none."""
    return attributes.get(_long_name(name), "")


def number(value: str, otherwise: int = 1) -> int:
    """A count in an attribute; another one where it is missing or no count."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else otherwise


_STORY_SPACES = lazy_pattern(r"[ \t\n\r]+")
_PADDING = " \t\n"


class OdfStory(Story):
    """Paragraphs, lists and tables, and the text boxes anchored in them.

    White space is treated as ODF 1.3, part 3, 6.1.2 has it: a run of it is one space, and none at
    the start of a paragraph.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._lists = 0
        self._drops_space = True
        self.in_paragraph = False

    def start_paragraph(self) -> None:
        """A paragraph or a heading begins."""
        self.end_paragraph()
        self.in_paragraph = True

    def write(self, text: str) -> None:
        """Characters of the open paragraph; outside of one they are nothing but layout."""
        if not self.in_paragraph:
            return
        words = _STORY_SPACES.sub(" ", text)
        if self._drops_space and words.startswith(" "):
            words = words[1:]
        if words:
            self._pieces.append(words)
            self._drops_space = words.endswith(" ")

    def write_verbatim(self, text: str) -> None:
        """A tab, a line break, counted spaces or a formula."""
        if self.in_paragraph and text:
            self._pieces.append(text)
            self._drops_space = False

    def drop_paragraph(self) -> bool:
        """Forget what the open paragraph has; returns whether that was anything."""
        had_text = not "".join(self._pieces).isspace() and bool(self._pieces)
        self._pieces.clear()
        self._boxes.clear()
        return had_text

    def end_paragraph(self) -> None:
        """The paragraph ends; text boxes anchored in it follow it."""
        if self._pieces:
            text = "".join(self._pieces).strip(_PADDING)
            self._pieces.clear()
            self._write(text, Gap.LINE if self._lists else Gap.PARAGRAPH)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._write(box, Gap.PARAGRAPH)
        self.in_paragraph = False
        self._drops_space = True

    def add_box(self, text: str) -> None:
        """A text box: it is read after the paragraph it is anchored in."""
        if self.in_paragraph:
            self._boxes.append(text)
        else:
            self._write(text, Gap.PARAGRAPH)

    def start_list(self) -> None:
        """A list begins, maybe in another."""
        if not self._lists and not self._cells:
            self._flow.separate(Gap.PARAGRAPH)
        self._lists += 1

    def end_list(self) -> None:
        """A list ends."""
        self._lists -= 1
        if not self._lists and not self._cells:
            self._flow.separate(Gap.PARAGRAPH)


_INHERITED = 50  # styles: a chain that is longer goes round in a circle
_HIDING = {
    "style:text-properties": ("text:display", "none"),
    "style:table-properties": ("table:display", "false"),
    "style:drawing-page-properties": ("presentation:visibility", "hidden"),
}
_LOOKS = ("color", "background-color", "font-size")  # of the namespace "fo"


@dataclass(slots=True)
class _Style:
    parent: str
    hides: bool | None = None
    looks: dict[str, str] = field(default_factory=dict)


class OdfStyles:
    """What was read of the styles; automatic ones go before common ones of the same name."""

    def __init__(self) -> None:
        self._styles: dict[tuple[str, str], _Style] = {}  # by family and name
        self._common: dict[tuple[str, str], _Style] = {}
        self._open: _Style | None = None
        self.master_pages: set[str] = set()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins, "style:style" or another."""
        if name == "style:style":
            key = attribute(attributes, "style:family"), attribute(attributes, "style:name")
            self._open = _Style(attribute(attributes, "style:parent-style-name"))
            self._styles[key] = self._open
            self.master_pages.add(attribute(attributes, "style:master-page-name"))
        elif self._open is not None and name in _HIDING:
            property_name, hiding = _HIDING[name]
            if value := attribute(attributes, property_name):
                self._open.hides = value == hiding
            said = {look: attribute(attributes, f"xsl-fo-compatible:{look}") for look in _LOOKS}
            if any(said.values()):
                self._open.looks = {look: value for look, value in said.items() if value}

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "style:style":
            self._open = None
        elif name == "office:styles":
            self._common = self._styles.copy()

    def forget_automatic(self) -> None:
        """Those of one part of the package mean nothing in the next."""
        self._styles = self._common.copy()

    def _line(self, family: str, name: str) -> Iterator[_Style]:
        """A style and those it is derived from."""
        for _ in range(_INHERITED):
            style = self._styles.get((family, name)) if name else None
            if style is None:
                return
            yield style
            name = style.parent

    def hides(self, family: str, name: str) -> bool:
        """Whether a style, or one it is derived from, hides."""
        return next(
            (style.hides for style in self._line(family, name) if style.hides is not None), False
        )

    def looks(self, family: str, name: str) -> dict[str, str]:
        """The colours and the size of letters, as a style says or one it is derived from."""
        looks: dict[str, str] = {}
        for style in self._line(family, name):
            looks = style.looks | looks
        return looks


_DELETIONS = frozenset({"text:deletion", "table:deletion"})


class OpenDocumentHandler(Handler):
    """Does what is written down for the start and the end of an element, and skips others.

    Whoever derives from it sets `_starts` and `_ends`, by names as "text:p".

    Attributes:
        tally: What is not in the text.
    """

    _starts: dict[str, Callable[[dict[str, str]], None]]
    _ends: dict[str, Callable[[], None]]
    _not_read = SKIPPED

    def __init__(self, styles: OdfStyles) -> None:
        self.tally = Tally()
        self._styles = styles
        self._stories = [OdfStory()]
        self._skipped = 0  # elements open in one that is not read

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        short = short_name(name)
        if self._skipped:
            self._skipped += 1
            self.tally.deletions += short in _DELETIONS
        elif short in self._not_read:
            self._skipped = 1
            self._pass_by(short, attributes)
        elif handle := self._starts.get(short):
            handle(attributes)
        elif short.startswith("style:"):
            self._styles.start(short, attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
            return
        short = short_name(name)
        if handle := self._ends.get(short):
            handle()
        elif short.startswith(("style:", "office:")):
            self._styles.end(short)

    def text(self, text: str) -> None:
        """Characters."""
        if self._skipped:
            self._pass_text_by(text)
        else:
            self._stories[-1].write(text)

    def _tell(self, what: Callable[[OdfStory], None]) -> Callable[[], None]:
        """A method of the story that is open when it is called."""
        return lambda: what(self._stories[-1])

    def _pass_by(self, short: str, attributes: dict[str, str]) -> None:
        """An element that is never read begins."""

    def _pass_text_by(self, text: str) -> None:
        """Characters of an element that is not read."""


_TINY = lazy_pattern(r"(?:0|[01](?:\.[0-9]*)?(?:pt|px))")
_WHITE, _NONE = "#ffffff", "transparent"


class OdfLooks:
    """Follows the styles of paragraphs and of the spans in them."""

    def __init__(self, styles: OdfStyles, faint: FaintText) -> None:
        self._styles = styles
        self._faint = faint
        self._open: list[dict[str, str]] = [{}]

    def start_paragraph(self, style: str) -> None:
        """A paragraph begins."""
        self._faint.end()
        self._open = [self._styles.looks("paragraph", style)]

    def start_span(self, style: str) -> None:
        """A span begins, in another or in a paragraph."""
        self._open.append(self._open[-1] | self._styles.looks("text", style))

    def end_span(self) -> None:
        """It ends."""
        if len(self._open) > 1:
            self._open.pop()

    def seen(self, text: str, *, is_on_page: bool) -> str:
        """What a reader sees of characters; what is behind them is known on a page only."""
        look = self._open[-1]
        is_tiny = _TINY.fullmatch(look.get("font-size", "")) is not None
        is_white = look.get("color", "").lower() == _WHITE
        is_shaded = look.get("background-color", _NONE) != _NONE
        if is_tiny or (is_white and is_on_page and not is_shaded):
            return self._faint.add(text, is_tiny=is_tiny)
        if not text.isspace():
            self._faint.end()
        return text


_SPACES = 1_000
_HEADINGS = frozenset(
    f"style:{name}{kind}" for name in ("header", "footer") for kind in ("", "-left", "-first")
)
_REPEATED = frozenset({"text:page-number", "text:page-count"})


class Content(OpenDocumentHandler):
    """What a text document or a presentation shows.

    Attributes:
        pages: The slides, or one text for a text document, without notes at the foot.
        notes: Footnotes and endnotes, by class.
        headings: Headers and footers, by the name of the master page and the element.
    """

    def __init__(self, reading: Reading, styles: OdfStyles, formula: Callable[[str], str]) -> None:
        super().__init__(styles)
        self._reading = reading
        self._formula = formula
        self.pages: list[str] = []
        self.notes: dict[str, list[str]] = {"footnote": [], "endnote": []}
        self.headings: list[tuple[str, str, str]] = []
        self._links: dict[str, str] = {}
        self._note_class = "footnote"
        self._master = ""
        self._is_on_slide = False
        self._is_hidden = False
        self._hides_paragraph = [False]
        self._looks = OdfLooks(styles, self.tally.faint)
        self._starts = self._make_starts()
        self._ends = self._make_ends()

    def end(self, name: str) -> None:
        """An element ends."""
        super().end(name)
        self._is_hidden = self._is_hidden and bool(self._skipped)

    def _pass_text_by(self, text: str) -> None:
        """Count what is hidden and has text."""
        if self._is_hidden and not text.isspace():
            self.tally.hidden += 1
            self._is_hidden = False

    def finish(self) -> None:
        """All was told: what is left is the text outside of slides."""
        if text := self._stories[0].text():
            self.pages.append(text)
        self._stories[0] = OdfStory()

    def running_heads(self) -> tuple[list[str], list[str]]:
        """Headers and footers of the pages that are used, each text once."""
        used = self._used_masters()
        heads: tuple[dict[str, None], dict[str, None]] = ({}, {})
        for master, name, text in self.headings:
            if text and master in used:
                heads[name.startswith("footer")][text] = None
        return list(heads[0]), list(heads[1])

    def _used_masters(self) -> set[str]:
        """The first kind of page, those that paragraphs ask for, and those that follow them."""
        used = {""}
        pending = [*list(self._links)[:1], "Standard", *self._styles.master_pages]
        while pending:
            master = pending.pop()
            if master not in used:
                used.add(master)
                pending.append(self._links.get(master, ""))
        return used

    # What elements mean.

    def _make_starts(self) -> dict[str, Callable[[dict[str, str]], None]]:
        return {
            "text:p": self._start_paragraph,
            "text:h": self._start_paragraph,
            "text:span": self._start_span,
            "text:s": self._spaces,
            "text:tab": lambda _: self._stories[-1].write_verbatim("\t"),
            "text:line-break": lambda _: self._stories[-1].write_verbatim("\n"),
            "text:list": lambda _: self._stories[-1].start_list(),
            "text:section": self._start_section,
            "text:hidden-text": self._start_hidden_text,
            "text:hidden-paragraph": self._note_hidden_paragraph,
            "text:note": self._start_note,
            "text:note-body": lambda _: self._push(),
            "office:annotation": self._start_comment,
            "table:table": lambda _: self._stories[-1].start_table(),
            "table:table-cell": lambda _: self._stories[-1].start_cell(),
            "draw:object": self._start_object,
            "draw:object-ole": self._start_object,
            "math:math": lambda _: self._push_line(),
            "draw:page": self._start_page,
            "presentation:footer-decl": lambda _: self._push_line(),
            "presentation:header-decl": lambda _: self._push_line(),
            "style:master-page": self._start_master,
            **dict.fromkeys(_HEADINGS, self._start_heading),
            **{name: lambda _: self._push() for name in BOXES},
            **dict.fromkeys(_REPEATED, self._start_page_number),
        }

    def _make_ends(self) -> dict[str, Callable[[], None]]:
        return {
            "text:span": self._looks.end_span,
            "text:p": self._end_paragraph,
            "text:h": self._end_paragraph,
            "text:list": self._tell(OdfStory.end_list),
            "text:note-body": lambda: self.notes[self._note_class].append(self._pop()),
            "table:table": self._tell(OdfStory.end_table),
            "table:table-cell": self._tell(OdfStory.end_cell),
            "table:table-row": self._tell(OdfStory.end_row),
            "math:math": self._end_formula,
            "draw:page": self._end_page,
            "style:master-page": self._end_master,
            "presentation:footer-decl": lambda: self._end_heading("footer"),
            "presentation:header-decl": lambda: self._end_heading("header"),
            **{name: partial(self._end_heading, name) for name in _HEADINGS},
            **dict.fromkeys(BOXES, self._end_box),
        }

    def _push(self) -> None:
        self._stories.append(OdfStory())
        self._hides_paragraph.append(False)

    def _pop(self) -> str:
        self._hides_paragraph.pop()
        return self._stories.pop().text()

    def _skip(self, *, hidden: bool = False) -> None:
        self._skipped = 1
        self._is_hidden = hidden

    def text(self, text: str) -> None:
        """Characters."""
        if not self._skipped:
            is_on_page = len(self._stories) == 1 and not self._stories[0].is_in_cell
            is_on_page = is_on_page and not self._is_on_slide
            text = self._looks.seen(text, is_on_page=is_on_page)
        super().text(text)

    def _start_span(self, attributes: dict[str, str]) -> None:
        style = attribute(attributes, "text:style-name")
        if self._styles.hides("text", style):
            self._skip(hidden=True)
        else:
            self._looks.start_span(style)

    def _start_paragraph(self, attributes: dict[str, str]) -> None:
        style = attribute(attributes, "text:style-name")
        self._stories[-1].start_paragraph()
        self._looks.start_paragraph(style)
        self._hides_paragraph[-1] = self._styles.hides("paragraph", style)

    def _end_paragraph(self) -> None:
        story = self._stories[-1]
        if self._hides_paragraph[-1]:
            self._hides_paragraph[-1] = False
            self.tally.hidden += story.drop_paragraph()
        story.end_paragraph()

    def _spaces(self, attributes: dict[str, str]) -> None:
        """More than a line can hold would only fill the memory."""
        count = number(attribute(attributes, "text:c"))
        self._stories[-1].write_verbatim(" " * min(count, _SPACES))

    def _start_section(self, attributes: dict[str, str]) -> None:
        if attribute(attributes, "text:display") == "none" or _is_hidden(attributes):
            self._skip(hidden=True)

    def _start_hidden_text(self, attributes: dict[str, str]) -> None:
        """Its text may be written as its content, or as an attribute alone."""
        if attribute(attributes, "text:is-hidden") != "false":
            self._skip()
            self.tally.hidden += 1

    def _note_hidden_paragraph(self, attributes: dict[str, str]) -> None:
        if _is_hidden(attributes):
            self._hides_paragraph[-1] = True

    def _start_note(self, attributes: dict[str, str]) -> None:
        is_endnote = attribute(attributes, "text:note-class") == "endnote"
        self._note_class = "endnote" if is_endnote else "footnote"

    def _start_comment(self, _attributes: dict[str, str]) -> None:
        self.tally.comments += 1
        self._skip()

    def _start_object(self, attributes: dict[str, str]) -> None:
        """A formula in another part of the package, or in place."""
        href = attribute(attributes, "xlink:href")
        if not href:
            return
        text = self._formula(href)
        self._stories[-1].write_verbatim(text)
        self.tally.objects += not text

    def _push_line(self) -> None:
        self._push()
        self._stories[-1].start_paragraph()

    def _end_formula(self) -> None:
        text = self._pop()
        self._stories[-1].write_verbatim(text)

    def _end_box(self) -> None:
        text = self._pop()
        self._stories[-1].add_box(text)

    def _start_page(self, attributes: dict[str, str]) -> None:
        self._reading.step()
        if self._styles.hides("drawing-page", attribute(attributes, "draw:style-name")):
            self.tally.hidden_slides += 1
            self.pages.append("")
            self._skip()
        else:
            self._push()
            self._is_on_slide = True

    def _end_page(self) -> None:
        self._is_on_slide = False
        self.pages.append(self._pop())

    def _start_master(self, attributes: dict[str, str]) -> None:
        self._master = attribute(attributes, "style:name")
        self._links[self._master] = attribute(attributes, "style:next-style-name")
        self._push()

    def _end_master(self) -> None:
        """What else it shows, on every slide, is decoration."""
        self._master = ""
        self._pop()

    def _start_heading(self, attributes: dict[str, str]) -> None:
        if attribute(attributes, "style:display") == "false":
            self._skip()
        else:
            self._push()

    def _end_heading(self, name: str) -> None:
        self.headings.append((self._master, name.removeprefix("style:"), self._pop()))

    def _start_page_number(self, _attributes: dict[str, str]) -> None:
        """In a header or on a slide it is another one on each page, and says nothing."""
        if self._master or self._is_on_slide:
            self._skip()


def _is_hidden(attributes: dict[str, str]) -> bool:
    return attribute(attributes, "text:is-hidden") == "true"

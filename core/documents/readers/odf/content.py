"""The content of an OpenDocument file, element by element (ODF 1.3, part 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from core.base.patterns import lazy_pattern
from core.documents.readers import Reading
from core.documents.readers.shared.story import PALE, Gap, Story, Tally
from core.documents.readers.shared.xml import Ends, Starts, StoryHandler, attribute, names_of

# Shapes that can have text of their own, apart from the paragraph they are anchored in.
BOXES = (
    "draw:caption draw:circle draw:connector draw:custom-shape draw:ellipse draw:line draw:measure "
    "draw:path draw:polygon draw:polyline draw:rect draw:regular-polygon draw:text-box"
)
# What is not seen, or is no text: the marks of notes, readings above ruby, help, and how an index
# is made. A covered cell lies below a wider neighbour.
_NOT_READ = (
    "office:binary-data office:dde-source office:event-listeners office:font-face-decls "
    "office:forms office:meta office:scripts office:settings svg-compatible:desc "
    "svg-compatible:title table:content-validations table:covered-table-cell table:dde-links "
    "table:tracked-changes text:note-citation text:ruby-text text:script text:tracked-changes "
    "text:index-title-template text:table-of-content-source text:alphabetical-index-source "
    "text:bibliography-source text:illustration-index-source text:object-index-source "
    "text:table-index-source text:user-index-source presentation:date-time-decl "
    "style:handout-master math:annotation math:annotation-xml"
)


def number(value: str, otherwise: int = 1) -> int:
    """A count in an attribute; another one where it is missing or no count."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else otherwise


_STORY_SPACES = lazy_pattern(r"[ \t\n\r]+")


class OdfStory(Story):
    """Paragraphs, lists and tables.

    White space is treated as ODF 1.3, part 3, 6.1.2 has it: a run of it is one space, and none at
    the start of a paragraph.

    Attributes:
        in_paragraph: One is open.
        hides_paragraph: Nobody sees it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lists = 0
        self._drops_space = True
        self.in_paragraph = self.hides_paragraph = False

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
            self.pieces.append(words)
            self._drops_space = words.endswith(" ")

    def write_verbatim(self, text: str) -> None:
        """A tab, a line break, counted spaces or a formula."""
        if self.in_paragraph and text:
            self.pieces.append(text)
            self._drops_space = False

    def drop_paragraph(self) -> bool:
        """Forget what the open paragraph has; returns whether that was anything."""
        had_text = not "".join(self.pieces).isspace() and bool(self.pieces)
        self.pieces.clear()
        self._boxes.clear()
        return had_text

    def end_paragraph(self) -> None:
        """The paragraph ends; text boxes anchored in it follow it."""
        self._write_pieces(Gap.LINE if self._lists else Gap.PARAGRAPH)
        self._write_boxes(Gap.PARAGRAPH)
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
        self._part_list()
        self._lists += 1

    def end_list(self) -> None:
        """A list ends."""
        self._lists -= 1
        self._part_list()

    def _part_list(self) -> None:
        if not self._lists and not self._cells:
            self._flow.separate(Gap.PARAGRAPH)


_INHERITED = 50  # styles: a chain that is longer goes round in a circle
_LOOKS = ("color", "background-color", "font-size")  # of the namespace "fo"


@dataclass(slots=True)
class _Style:
    parent: str
    hides: bool | None = None
    looks: dict[str, str] = field(default_factory=dict)


class OdfStyles:
    """What was read of the styles; automatic ones go before common ones of the same name.

    Attributes:
        starts, ends: What to do with the elements of styles.
    """

    def __init__(self) -> None:
        self._styles: dict[tuple[str, str], _Style] = {}  # by family and name
        self._common: dict[tuple[str, str], _Style] = {}
        self._open: _Style | None = None
        self.master_pages: set[str] = set()
        self.starts: Starts = {
            "style:style": self._start,
            "style:text-properties": lambda it: self._describe(it, "text:display", "none"),
            "style:table-properties": lambda it: self._describe(it, "table:display", "false"),
            "style:drawing-page-properties": lambda it: self._describe(
                it, "presentation:visibility", "hidden"
            ),
        }
        self.ends: Ends = {"style:style": self._end, "office:styles": self._end_common}

    def _start(self, attributes: dict[str, str]) -> None:
        key = attribute(attributes, "style:family"), attribute(attributes, "style:name")
        self._open = _Style(attribute(attributes, "style:parent-style-name"))
        self._styles[key] = self._open
        self.master_pages.add(attribute(attributes, "style:master-page-name"))

    def _describe(self, attributes: dict[str, str], property_name: str, hiding: str) -> None:
        """What the open style says; with a property that hides when it has this value."""
        if self._open is None:
            return
        if value := attribute(attributes, property_name):
            self._open.hides = value == hiding
        declared = {look: attribute(attributes, f"xsl-fo-compatible:{look}") for look in _LOOKS}
        if any(declared.values()):
            self._open.looks = {look: value for look, value in declared.items() if value}

    def _end(self) -> None:
        self._open = None

    def _end_common(self) -> None:
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


_DELETIONS = names_of("text:deletion table:deletion")


class OpenDocumentHandler(StoryHandler[OdfStory]):
    """Reads content, and the styles before it.

    Attributes:
        tally: What is not in the text.
    """

    def __init__(self, styles: OdfStyles, starts: Starts, ends: Ends) -> None:
        self.tally = Tally()
        self._styles = styles
        usual: Starts = {
            **dict.fromkeys(_NOT_READ.split(), self._skip),
            "office:annotation": self._skip_comment,
            "text:line-break": lambda _: self._stories[-1].write_verbatim("\n"),
        }
        super().__init__(OdfStory(), styles.starts | usual | starts, styles.ends | ends)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; deleted text is within elements that are not read."""
        if self._skipped:
            self.tally.deletions += name in _DELETIONS
        super().start(name, attributes)

    def text(self, text: str) -> None:
        """Characters."""
        if not self._skipped:
            self._stories[-1].write(text)

    def _skip_comment(self, attributes: dict[str, str]) -> None:
        self.tally.comments += 1
        self._skip(attributes)

    def _write_spaces(self, attributes: dict[str, str], most: int) -> None:
        count = number(attribute(attributes, "text:c"))
        self._stories[-1].write_verbatim(" " * min(count, most))


_TINY = lazy_pattern(r"(?:0|[01](?:\.[0-9]*)?(?:pt|px))")
_WHITE, _NONE = lazy_pattern(f"#{PALE}"), "transparent"
_SPACES = 1_000  # more than a line can hold would only fill the memory
_HEADINGS = tuple(
    f"style:{name}{kind}" for name in ("header", "footer") for kind in ("", "-left", "-first")
)


class Content(OpenDocumentHandler):
    """What a text document or a presentation shows.

    Attributes:
        pages: The slides, or one text for a text document, without notes at the foot.
        notes: Footnotes and endnotes, by class.
        headings: Headers and footers, by the name of the master page and the element.
    """

    def __init__(self, reading: Reading, styles: OdfStyles, formula: Callable[[str], str]) -> None:
        super().__init__(styles, self._content_starts(), self._content_ends())
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
        self._looks: list[dict[str, str]] = [{}]  # of the paragraph, and of the spans in it

    def end(self, name: str) -> None:
        """An element ends."""
        super().end(name)
        self._is_hidden = self._is_hidden and bool(self._skipped)

    def finish(self) -> None:
        """All was told: what is left is the text outside of slides."""
        if text := self._stories[0].text():
            self.pages.append(text)
        self._stories[0] = OdfStory()

    def running_heads(self) -> tuple[list[str], list[str]]:
        """Headers and footers of the pages that are used, each text once."""
        used = self._used_masters()
        headers_and_footers: tuple[dict[str, None], dict[str, None]] = ({}, {})
        for master, name, text in self.headings:
            if text and master in used:
                headers_and_footers[name.startswith("footer")][text] = None
        return list(headers_and_footers[0]), list(headers_and_footers[1])

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

    def _content_starts(self) -> Starts:
        return {
            "text:p text:h": self._start_paragraph,
            "text:span": self._start_span,
            "text:s": lambda it: self._write_spaces(it, _SPACES),
            "text:tab": lambda _: self._stories[-1].write_verbatim("\t"),
            "text:list": self._call_story(OdfStory.start_list),
            "text:section": self._start_section,
            "text:hidden-text": self._start_hidden_text,
            "text:hidden-paragraph": self._note_hidden_paragraph,
            "text:note": self._start_note,
            "text:note-body": lambda _: self._push(),
            "table:table": self._call_story(OdfStory.start_table),
            "table:table-cell": self._call_story(OdfStory.start_cell),
            "draw:object draw:object-ole": self._start_object,
            "math:math": lambda _: self._push_line(),
            "draw:page": self._start_page,
            "presentation:footer-decl presentation:header-decl": lambda _: self._push_line(),
            "style:master-page": self._start_master,
            **dict.fromkeys(_HEADINGS, self._start_heading),
            BOXES: lambda _: self._push(),
            "text:page-number text:page-count": self._start_page_number,
        }

    def _content_ends(self) -> Ends:
        return {
            "text:span": self._end_span,
            "text:p text:h": self._end_paragraph,
            "text:list": self._call_story(OdfStory.end_list),
            "text:note-body": lambda: self.notes[self._note_class].append(self._pop()),
            "table:table": self._call_story(OdfStory.end_table),
            "table:table-cell": self._call_story(OdfStory.end_cell),
            "table:table-row": self._call_story(OdfStory.end_row),
            "math:math": self._end_formula,
            "draw:page": self._end_page,
            "style:master-page": self._end_master,
            "presentation:footer-decl": lambda: self._end_heading("footer"),
            "presentation:header-decl": lambda: self._end_heading("header"),
            **{name: partial(self._end_heading, name) for name in _HEADINGS},
            BOXES: self._end_box,
        }

    def _push(self) -> None:
        self._stories.append(OdfStory())

    def _pop(self) -> str:
        return self._stories.pop().text()

    def _hide(self, attributes: dict[str, str]) -> None:
        """Skip an element, which counts as hidden if it has text."""
        self._skip(attributes)
        self._is_hidden = True

    def text(self, text: str) -> None:
        """Characters."""
        if not self._skipped:
            self._stories[-1].write(self._seen(text))
        elif self._is_hidden and not text.isspace():
            self.tally.hidden += 1
            self._is_hidden = False

    def _seen(self, text: str) -> str:
        """What a reader sees of characters; what is behind them is known on a page only."""
        look, faint = self._looks[-1], self.tally.faint
        is_on_page = len(self._stories) == 1 and not self._stories[0].is_in_cell
        is_tiny = _TINY.fullmatch(look.get("font-size", "")) is not None
        is_white = _WHITE.fullmatch(look.get("color", "")) is not None
        is_shaded = look.get("background-color", _NONE) != _NONE
        if is_tiny or (is_white and is_on_page and not self._is_on_slide and not is_shaded):
            return faint.add(text, is_tiny=is_tiny)
        if not text.isspace():
            faint.end()
        return text

    def _start_span(self, attributes: dict[str, str]) -> None:
        style = attribute(attributes, "text:style-name")
        if self._styles.hides("text", style):
            self._hide(attributes)
        else:
            self._looks.append(self._looks[-1] | self._styles.looks("text", style))

    def _end_span(self) -> None:
        if len(self._looks) > 1:
            self._looks.pop()

    def _start_paragraph(self, attributes: dict[str, str]) -> None:
        style = attribute(attributes, "text:style-name")
        self._stories[-1].start_paragraph()
        self.tally.faint.end()
        self._looks = [self._styles.looks("paragraph", style)]
        self._stories[-1].hides_paragraph = self._styles.hides("paragraph", style)

    def _end_paragraph(self) -> None:
        story = self._stories[-1]
        if story.hides_paragraph:
            story.hides_paragraph = False
            self.tally.hidden += story.drop_paragraph()
        story.end_paragraph()

    def _start_section(self, attributes: dict[str, str]) -> None:
        if attribute(attributes, "text:display") == "none" or _is_hidden(attributes):
            self._hide(attributes)

    def _start_hidden_text(self, attributes: dict[str, str]) -> None:
        """Its text may be written as its content, or as an attribute alone."""
        if attribute(attributes, "text:is-hidden") != "false":
            self._skip(attributes)
            self.tally.hidden += 1

    def _note_hidden_paragraph(self, attributes: dict[str, str]) -> None:
        if _is_hidden(attributes):
            self._stories[-1].hides_paragraph = True

    def _start_note(self, attributes: dict[str, str]) -> None:
        is_endnote = attribute(attributes, "text:note-class") == "endnote"
        self._note_class = "endnote" if is_endnote else "footnote"

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
            self._skip(attributes)
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
            self._skip(attributes)
        else:
            self._push()

    def _end_heading(self, name: str) -> None:
        self.headings.append((self._master, name.removeprefix("style:"), self._pop()))

    def _start_page_number(self, attributes: dict[str, str]) -> None:
        """In a header or on a slide it is another one on each page, and says nothing."""
        if self._master or self._is_on_slide:
            self._skip(attributes)


def _is_hidden(attributes: dict[str, str]) -> bool:
    return attribute(attributes, "text:is-hidden") == "true"

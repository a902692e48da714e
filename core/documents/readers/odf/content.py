"""The content of an OpenDocument file, element by element (ODF 1.3, part 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from core.documents.model import ProblemCode
from core.documents.readers.odf.handler import OpenDocumentHandler
from core.documents.readers.odf.names import BOXES, attribute, number
from core.documents.readers.odf.story import OdfStory
from core.documents.readers.odf.styles import OdfStyles
from core.documents.readers.reader import Reading
from core.documents.readers.shared.faint_text import FaintText
from core.documents.unreadable import UnreadableError

_TINY = re.compile(r"(?:0|[01](?:\.[0-9]*)?(?:pt|px))")
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


_STORIES = 64  # text boxes in text boxes
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
        found: tuple[dict[str, None], dict[str, None]] = ({}, {})
        for master, name, text in self.headings:
            if text and master in used:
                found[name.startswith("footer")][text] = None
        return list(found[0]), list(found[1])

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

    def _tell(self, what: Callable[[OdfStory], None]) -> Callable[[], None]:
        """A method of the story that is open when it is called."""
        return lambda: what(self._stories[-1])

    def _push(self) -> None:
        if len(self._stories) >= _STORIES:
            raise UnreadableError(
                ProblemCode.TOO_DEEP,
                f"The text boxes of this file are nested more than {_STORIES} deep.",
            )
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
        self._skip_hidden("text", style)
        if not self._skipped:
            self._looks.start_span(style)

    def _skip_hidden(self, family: str, style: str) -> None:
        if self._styles.hides(family, style):
            self._skip(hidden=True)

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

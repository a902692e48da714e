"""Word documents (docx, docm, dotx, dotm), ECMA-376 part 1, WordprocessingML.

Styles of a Word document that hide what they are applied to.

Hiding is on or off. A style has it from the next style on its way up that says anything, at last
from the defaults of the document; where the style of a paragraph and that of a run both hide, the
characters are seen (ECMA-376 part 1, 17.7.3, toggle properties).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading, mail, plain, rtf, web
from core.documents.readers.ooxml import (
    OfficeFile,
    OfficeHandler,
    Relation,
    graphic_text,
    is_on,
    is_yes,
    office_kind,
)
from core.documents.readers.shared import xml
from core.documents.readers.shared.story import (
    PALE,
    Fields,
    OmissionCounts,
    Tally,
    WordStory,
    is_symbol_font,
    symbol,
    symbols,
)

_ALL_STYLES = xml.names_of("w:styles")
_DEFAULTS = ""  # as the identifier of a style


class UnseenStyles(NamedTuple):
    """Identifiers of styles.

    Attributes:
        hidden: Those that hide; "" is that of a paragraph without one.
        white: Those that write in white, without a background of their own.
        shaded: Those of paragraphs with a background; "" is that of one without a style.
        shaded_letters: Those whose letters have one, as above.
    """

    hidden: frozenset[str]
    white: frozenset[str]
    shaded: frozenset[str]
    shaded_letters: frozenset[str]


class DocxStyles(xml.ElementHandler):
    """Reads the part with the styles; most documents hide nothing by them."""

    # Without which the part is not worth reading.
    TELLING = rb'vanish|[:<]shd[\s/>]|"[Ff].[Ff].[Ff]."'

    def __init__(self) -> None:
        self._style = _DEFAULTS  # they come first
        self._based_on: dict[str, str] = {}
        # What styles say for themselves, by the fields of `UnseenStyles`.
        self._says: dict[str, dict[str, bool]] = {field: {} for field in UnseenStyles._fields}
        self._of_letters = False
        self._default = _DEFAULTS
        super().__init__({"w:styles": self._start_styles}, {})

    def _start_styles(self, _attributes: dict[str, str]) -> None:
        """In a file of Word 2003 they stand before the document."""
        self._starts = xml.named(
            {
                "w:style": self._start,
                "w:basedOn": self._base,
                "w:vanish": lambda it: self._say("hidden", yes=is_on(it)),
                "w:color": lambda it: self._say("white", yes=is_white(it)),
                "w:pPr": self._set(_of_letters=False),
                "w:rPr": self._set(_of_letters=True),
                "w:shd": self._shade,
                "w:highlight": lambda _: self._say("shaded_letters", yes=True),
            }
        )

    def end(self, name: str) -> None:
        """An element ends; what follows the styles in one file is the document."""
        if name in _ALL_STYLES:
            self._starts = {}

    def _start(self, attributes: dict[str, str]) -> None:
        self._style = xml.attribute(attributes, "w:styleId")
        if xml.attribute(attributes, "w:type") == "paragraph":
            self._based_on.setdefault(self._style, _DEFAULTS)
            if is_yes(xml.attribute(attributes, "w:default")):
                self._default = self._style

    def _base(self, attributes: dict[str, str]) -> None:
        self._based_on[self._style] = xml.attribute(attributes, "w:val")

    def _say(self, what: str, *, yes: bool) -> None:
        self._says[what][self._style] = yes

    def _shade(self, attributes: dict[str, str]) -> None:
        """Of the paragraph or of its letters: one that has none takes nothing from the other."""
        self._say("shaded_letters" if self._of_letters else "shaded", yes=is_shaded(attributes))

    def unseen(self) -> UnseenStyles:
        """The styles whose characters are not seen."""
        hidden, white, shaded, shaded_letters = map(self._those, self._says.values())
        return UnseenStyles(
            self._with_default(hidden),
            frozenset(white - shaded - shaded_letters),
            self._with_default(shaded),
            self._with_default(shaded_letters),
        )

    def _with_default(self, styles: set[str]) -> frozenset[str]:
        """The styles, with that of a paragraph without one if it is that of the default."""
        return frozenset(styles - {_DEFAULTS} | ({""} if self._default in styles else set()))

    def _those(self, says: Mapping[str, bool]) -> set[str]:
        """The styles of which this is said."""
        known: dict[str, bool] = {}
        styles = {*self._based_on, *says, self._default}
        return {style for style in styles if self._is_so(style, says, known)}

    def _is_so(self, style: str, says: Mapping[str, bool], known: dict[str, bool]) -> bool:
        """A style says so, or the next on its way up that says anything."""
        way = []
        while style not in known:
            way.append(style)
            known[style] = says.get(style, False)  # also the answer for a way in a circle
            if style in says or style not in self._based_on:
                break
            style = self._based_on[style]
        known.update(dict.fromkeys(way, known[style]))
        return known[style]


class SectionHeading(NamedTuple):
    """A header or footer that a section shows."""

    relation: str
    is_header: bool
    pages: str  # "default", "first" or "even"


_SPACE = "http://www.w3.org/XML/1998/namespace space"
_PADDING = " \t\r\n"
_WHITE = lazy_pattern(PALE)
_TINY = frozenset({"1", "2"})  # half points


def is_white(attributes: dict[str, str]) -> bool:
    """Whether a colour is that of paper, or hardly another."""
    return _WHITE.fullmatch(xml.attribute(attributes, "w:val")) is not None


def is_shaded(attributes: dict[str, str]) -> bool:
    """Whether a shading has another colour than paper (ECMA-376 part 1, 17.3.5)."""
    pattern, fill = xml.attribute(attributes, "w:val"), xml.attribute(attributes, "w:fill")
    if pattern not in {"", "clear", "nil"} or xml.attribute(attributes, "w:themeFill"):
        return True
    return pattern != "nil" and fill != "auto" and _WHITE.fullmatch(fill) is None


class _RunFormat(NamedTuple):
    is_hidden: bool
    is_white: bool = False
    is_tiny: bool = False
    is_shaded: bool = False
    font: str = ""


class DocxStory(WordStory):
    """A story, and where the reading is in it.

    Attributes:
        fields: That have begun here.
        is_hidden: The style of the paragraph hides it.
        is_shaded: The paragraph has a background of its own.
        has_shaded_letters: Its style gives one to its letters.
        joins: The mark at the end of the paragraph is deleted or hidden.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fields = Fields()
        self.is_hidden = self.is_shaded = self.has_shaded_letters = self.joins = False
        self._carries = False  # the mark of the last one was: this one goes on with it

    def start_paragraph(self, styles: UnseenStyles) -> None:
        """A paragraph begins, or goes on."""
        if not self._carries:
            self.end_paragraph()  # of one in which this one stands
        self.use_style("", styles)
        self.joins = self._carries = False

    def use_style(self, style: str, styles: UnseenStyles) -> None:
        """The paragraph looks as its style says."""
        self.is_hidden = style in styles.hidden
        self.is_shaded = style in styles.shaded
        self.has_shaded_letters = style in styles.shaded_letters

    def leave_paragraph(self) -> None:
        """It ends, unless the next one goes on with it."""
        self._carries = self.joins
        if not self.joins:
            self.end_paragraph()

    def join(self, *, yes: bool) -> None:
        """Its end may be deleted or hidden."""
        self.joins |= yes


_NOT_READ = (
    "w:moveFrom w:rPrChange w:pPrChange w:sectPrChange w:tblPrChange w:trPrChange w:tcPrChange "
    "w:numberingChange w:tblPr w:tblGrid w:trPr w:tcPr w:sdtPr w:sdtEndPr w:customXmlPr "
    "w:smartTagPr w:rubyPr w:rt m:ctrlPr"
)


class DocxBody(OfficeHandler[DocxStory]):
    """Reads a part with a story in it, or with several: notes.

    Attributes:
        notes: Of a part with notes, their texts by their identifiers.
        headings: The headers and footers of the sections that have ended.
        references: To notes, in their order: whether it is an endnote, and its identifier.
    """

    def __init__(
        self,
        tally: Tally,
        styles: UnseenStyles,
        graphic: Callable[[str], str],
        chunk: Callable[[str], str | None],
    ) -> None:
        """With what reads a chart, and an inserted document, by the relation to it."""
        super().__init__(DocxStory(), graphic, self._body_starts(), self._body_ends())
        self._tally = tally
        self._styles = styles
        self._chunk = chunk
        self.notes: dict[str, str] = {}
        self.references: list[tuple[bool, str]] = []
        self.headings: list[SectionHeading] = []
        self._section: list[SectionHeading] = []
        self._has_title_page = False
        self._has_background = False
        self._is_mark = False
        self._note = ""
        self._reads_code = False
        self._tables = 0
        self._look = _RunFormat(is_hidden=False)
        self._outer_looks: list[_RunFormat] = []
        self._characters: list[str] | None = None
        self._keeps_spaces = False
        self._part_keeps_spaces = False
        self._left_out = OmissionCounts(tally)
        self._make_tables()

    def _make_tables(self) -> None:
        """What to do where an element begins: in the body, and in properties."""
        everywhere: xml.Starts = dict.fromkeys(_NOT_READ.split(), self._skip)
        of_sections: xml.Starts = {
            "w:headerReference": lambda it: self._ask_heading(it, is_header=True),
            "w:footerReference": lambda it: self._ask_heading(it, is_header=False),
            "w:titlePg": self._set(_has_title_page=True),
        }
        of_runs: xml.Starts = {
            "w:rStyle": self._use_run_style,
            "w:vanish": lambda it: self._look_so(is_hidden=is_on(it)),
            "w:color": lambda it: self._look_so(is_white=is_white(it)),
            "w:sz": self._size,
            "w:shd": lambda it: self._look_so(is_shaded=self._look.is_shaded or is_shaded(it)),
            "w:highlight": lambda _: self._look_so(is_shaded=True),
            "w:rFonts": self._font,
        }
        marks: xml.Starts = {
            "w:pStyle": self._use_style,
            "w:rPr": self._set(_is_mark=True),
            "w:shd": self._shade,
            "w:vanish w:specVanish": lambda it: self._stories[-1].join(yes=is_on(it)),
            "w:del w:moveFrom": lambda _: self._stories[-1].join(yes=True),
        }
        self._in_run: xml.Starts = xml.named(everywhere | of_runs)
        self._in_paragraph: xml.Starts = xml.named(everywhere | of_sections | marks)
        self._in_body: xml.Starts = xml.named(everywhere | of_sections) | self._starts
        self._starts = self._in_body

    def _body_starts(self) -> xml.Starts:
        return {
            "w:document w:hdr w:ftr w:footnotes w:endnotes": self._start_part,
            "w:background": self._set(_has_background=True),
            "w:p": lambda _: self._start_paragraph(),
            "w:pPr": lambda _: self._read_as(self._in_paragraph),
            "w:r m:r": lambda _: self._start_run(),
            "w:rPr": lambda _: self._read_as(self._in_run),
            "w:t m:t": self._start_text,
            "w:br w:cr": lambda _: self._add("\n"),
            "w:tab w:ptab": lambda _: self._add("\t"),
            "w:noBreakHyphen": lambda _: self._add("\u2011"),
            "w:sym": self._add_symbol,
            "w:fldChar": self._field,
            "w:instrText": self._set(_reads_code=True),
            "w:del": self._delete,
            "w:footnoteReference": lambda it: self._refer(it, is_endnote=False),
            "w:endnoteReference": lambda it: self._refer(it, is_endnote=True),
            "w:commentReference": lambda _: self._tally.count("comments"),
            "w:tbl": lambda _: self._start_table(),
            "w:tc": self._call_story(WordStory.start_cell),
            "w:txbxContent": lambda _: self._stories.append(DocxStory()),
            "w:footnote w:endnote": self._start_note,
            "w:altChunk": lambda it: self._add_chunk(xml.attribute(it, "r:id")),
            "w:subDoc": lambda _: self._tally.count("linked"),
        }

    def _body_ends(self) -> xml.Ends:
        return {
            "w:p": self._call_story(DocxStory.leave_paragraph),
            "w:pPr": lambda: self._read_as(self._in_body),
            "w:rPr": self._end_run_properties,
            "w:r m:r": self._end_run,
            "w:t m:t": self._end_text,
            "w:instrText": self._set(_reads_code=False),
            "m:num": lambda: self._add("/"),
            "w:tbl": self._end_table,
            "w:tr": self._call_story(WordStory.end_row),
            "w:tc": self._call_story(WordStory.end_cell),
            "w:txbxContent": self._end_box,
            "w:footnote w:endnote": self._end_note,
            "w:sectPr": self._end_section,
        }

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._skipped:
            return
        if self._reads_code:
            self._stories[-1].fields.add(text)
        elif self._characters is not None:
            self._characters.append(text)

    def _leave(self) -> str:
        """End the innermost story, and have its text."""
        return (self._stories.pop() if len(self._stories) > 1 else self._stories[0]).text()

    def finish(self) -> str:
        """The text, also of a part that broke off in the middle."""
        self._end_text()
        while len(self._stories) > 1:
            self._end_box()
        return self._stories[0].text()

    def _read_as(self, starts: xml.Starts) -> None:
        self._starts = starts

    # Sections.

    def _ask_heading(self, attributes: dict[str, str], *, is_header: bool) -> None:
        pages = xml.attribute(attributes, "w:type") or "default"
        self._section.append(SectionHeading(xml.attribute(attributes, "r:id"), is_header, pages))

    def _end_section(self) -> None:
        """A section ends; a first page of its own is shown only if it says so."""
        self.headings += [it for it in self._section if it.pages != "first" or self._has_title_page]
        self._section.clear()
        self._has_title_page = False

    # Runs.

    def _start_part(self, attributes: dict[str, str]) -> None:
        """The root of a part may say that white space counts everywhere."""
        self._part_keeps_spaces = attributes.get(_SPACE) == "preserve"

    def _start_run(self) -> None:
        """A run begins, in a paragraph whose style may hide it."""
        story = self._stories[-1]
        # What is behind a cell or in a box is not known here.
        is_shaded = (
            story.is_shaded
            or story.has_shaded_letters
            or self._has_background
            or bool(self._tables or len(self._stories) > 1)
        )
        self._outer_looks.append(self._look)
        self._look = _RunFormat(is_hidden=story.is_hidden, is_shaded=is_shaded)

    def _end_run(self) -> None:
        if self._outer_looks:
            self._look = self._outer_looks.pop()

    def _end_run_properties(self) -> None:
        if self._starts is self._in_run:
            self._starts = self._in_body

    def _look_so(self, **look: bool | str) -> None:
        self._look = self._look._replace(**look)  # type: ignore[arg-type]

    def _size(self, attributes: dict[str, str]) -> None:
        if xml.attribute(attributes, "w:val") in _TINY:
            self._look_so(is_tiny=True)

    def _font(self, attributes: dict[str, str]) -> None:
        font = xml.attribute(attributes, "w:ascii")
        if is_symbol_font(font):
            self._look_so(font=font)

    def _use_run_style(self, attributes: dict[str, str]) -> None:
        """Hiding is a property that two styles together undo (17.7.3, toggle properties)."""
        style = xml.attribute(attributes, "w:val")
        if style in self._styles.hidden:
            self._look_so(is_hidden=not self._look.is_hidden)
        if style in self._styles.white:
            self._look_so(is_white=True)

    def _start_text(self, attributes: dict[str, str]) -> None:
        """The element with the characters begins, unless they are code of a field."""
        if not self._stories[-1].fields.in_code:
            self._characters = []
            self._keeps_spaces = attributes.get(_SPACE, "") == "preserve" or self._part_keeps_spaces

    def _end_text(self) -> None:
        if self._characters:
            text = "".join(self._characters)
            self._show(text if self._keeps_spaces else text.strip(_PADDING))
        self._characters = None

    def _add(self, text: str) -> None:
        """Add characters, unless they are code of a field."""
        if not self._stories[-1].fields.in_code:
            self._show(text)

    def _show(self, text: str) -> None:
        """Add characters that look like the run."""
        if not text:
            return
        look = self._look
        self._left_out.add("hidden" if look.is_hidden else "", text)
        if look.is_hidden:
            self._write("")  # of several ways to say a thing, one that is hidden counts as well
            return
        text = symbols(text, look.font)
        if look.is_tiny or (look.is_white and not look.is_shaded):
            text = self._tally.faint.add(text, is_tiny=look.is_tiny)
        else:
            self._tally.faint.end()
        self._write(text)

    def _add_symbol(self, attributes: dict[str, str]) -> None:
        self._add(symbol(xml.attribute(attributes, "w:font"), xml.attribute(attributes, "w:char")))

    def _field(self, attributes: dict[str, str]) -> None:
        """A field has a code, and after a separator its result."""
        self._show(self._stories[-1].fields.change(xml.attribute(attributes, "w:fldCharType")))

    def _delete(self, attributes: dict[str, str]) -> None:
        self._skip(attributes)
        self._left_out.add("deletions", "-")

    # Paragraphs, and what stands among them.

    def _use_style(self, attributes: dict[str, str]) -> None:
        self._stories[-1].use_style(xml.attribute(attributes, "w:val"), self._styles)

    def _shade(self, attributes: dict[str, str]) -> None:
        """Of the paragraph, whatever its style says, or of the mark at its end."""
        if not self._is_mark:
            self._stories[-1].is_shaded = is_shaded(attributes)

    def _start_paragraph(self) -> None:
        self._tally.faint.end()
        self._is_mark = False
        self._stories[-1].start_paragraph(self._styles)

    def _start_table(self) -> None:
        self._tables += 1
        self._stories[-1].start_table()

    def _end_table(self) -> None:
        self._tables -= 1
        self._stories[-1].end_table()

    def _end_box(self) -> None:
        box = self._leave()
        self._stories[-1].add_box(box)

    def _refer(self, attributes: dict[str, str], *, is_endnote: bool) -> None:
        self.references.append((is_endnote, xml.attribute(attributes, "w:id")))

    def _start_note(self, attributes: dict[str, str]) -> None:
        self._note = xml.attribute(attributes, "w:id")
        self._stories.append(DocxStory())

    def _end_note(self) -> None:
        self.notes[self._note] = self._leave()

    def _add_chunk(self, relation: str) -> None:
        """A document inserted as a whole, between two paragraphs."""
        text = self._chunk(relation)
        if text is None:
            self._tally.count("inserted")
            return
        story = self._stories[-1]
        story.end_paragraph()
        story.add_box(text)
        story.end_paragraph()


_READERS = (rtf.READER, mail.MHTML, web.READER, plain.TEXT)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    return _DocxDocument(data, reading).extracted()


class _DocxDocument:
    def __init__(self, data: bytes, reading: Reading, *, is_inserted: bool = False) -> None:
        """Of what is inserted into an inserted document it is only counted how much there is."""
        self._file = file = OfficeFile(data, reading)
        self._reading = reading
        self._is_inserted = is_inserted
        self._left = reading.limits.characters  # of the documents inserted into this one
        self._remarks: dict[str, None] = {}  # on these
        self._main = file.main_part("word/document.xml")
        self._relations = file.relations(self._main)
        styles = DocxStyles()
        if part := self._part("styles", DocxStyles.TELLING):
            file.parse(part, styles)
        self._styles = styles.unseen()
        self._tally = Tally()

    def extracted(self) -> Extracted:
        text = self._text()
        return self._file.extracted(text, (*self._tally.remarks(), *self._remarks))

    def _text(self) -> str:
        body, text = self._story(self._main, dict(self._relations))
        headings = body.headings
        has_even = any(it.pages == "even" for it in headings)
        if has_even and self._part("settings", b"evenAndOddHeaders") is None:
            headings = [it for it in headings if it.pages != "even"]
        headers = self._headings(it for it in headings if it.is_header)
        footers = self._headings(it for it in headings if not it.is_header)
        notes = self._notes(body.references)
        if part := self._part("webSettings", b"sourceFileName"):  # a page of frames
            self._tally.linked += sum(name in _SOURCES for name, _ in self._file.elements(part))
        parts = (*headers, text, *notes, *footers)
        return self._tally.faint.after("\n\n".join(part for part in parts if part))

    def _part(self, kind: str, mark: bytes = b"") -> str | None:
        """The part of a kind, if it has a mark (a pattern): else it is not worth reading."""
        parts = (it for it in self._relations.values() if it.kind == kind)
        part = next((relation.target for relation in parts), None)
        is_worth_it = not mark or (
            part is not None and re.search(mark, self._file.read(part) or b"") is not None
        )
        return part if is_worth_it else None

    def _story(self, part: str, relations: dict[str, Relation]) -> tuple[DocxBody, str]:
        body = DocxBody(
            self._tally,
            self._styles,
            # Each once, however often it is named.
            graphic=lambda key: graphic_text(self._file, relations.pop(key, None)),
            chunk=lambda key: self._inserted(relations.pop(key, None)),
        )
        self._file.parse(part, body)
        return body, body.finish()

    def _inserted(self, relation: Relation | None) -> str | None:
        """The text of an inserted document, None where it is not read.

        Raises:
            UnreadableError: TOO_BIG, or what else is a matter of the whole file.
        """
        if self._is_inserted or relation is None or relation.kind != "aFChunk":
            return None
        data = self._file.read(relation.target)
        if data is None:
            return None
        self._reading.step()
        suffix = posixpath.splitext(relation.target)[1].lower()
        try:
            extracted = _read_inserted(data, replace(self._reading, suffix=suffix))
        except UnreadableError as error:
            if error.code == ProblemCode.TOO_BIG_UNPACKED:
                raise
            return None
        self._left -= len(extracted.text)
        if self._left < 0:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                "The documents inserted into this one have more than {characters} characters.",
                "characters",
                characters=f"{self._reading.limits.characters:,}",
            )
        self._remarks |= dict.fromkeys(extracted.remarks)
        return extracted.text.replace("\f", "\n\n").strip("\n")

    def _headings(self, headings: Iterable[SectionHeading]) -> list[str]:
        """Headers or footers, each text once; a page number is none."""
        texts: dict[str, None] = {}
        for key in dict.fromkeys(it.relation for it in headings):
            relation = self._relations.get(key)
            if relation is not None:
                texts[self._story(relation.target, self._file.relations(relation.target))[1]] = None
        return [text for text in texts if any(map(str.isalpha, text))]

    def _notes(self, references: list[tuple[bool, str]]) -> list[str]:
        """Footnotes, then endnotes, in the order in which the text refers to them."""
        texts = []
        for kind in ("footnotes", "endnotes"):
            asked = [key for is_endnote, key in references if is_endnote == (kind == "endnotes")]
            part = self._part(kind)
            if asked and part is not None:
                notes = self._story(part, {})[0].notes
                texts += [notes.get(key, "") for key in dict.fromkeys(asked)]
        return texts


def _read_inserted(data: bytes, reading: Reading) -> Extracted:
    if office_kind(data) == "docx":
        return _DocxDocument(data, reading, is_inserted=True).extracted()
    plain.refuse_foreign(data)
    reader = next(it for it in _READERS if it.recognises(data, reading.suffix))
    return reader.extracted(data, reading)


_SOURCES = xml.names_of("w:sourceFileName")


READER = Reader(
    "docx",
    N_("a Word document (docx)"),
    "Word (docx)",
    frozenset({".docx", ".docm", ".dotx", ".dotm"}),
    lambda data, _suffix: office_kind(data) == "docx",
    _read,
    never_text=True,
)

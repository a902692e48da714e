"""Word documents (docx, docm, dotx, dotm), ECMA-376 part 1, WordprocessingML.

Styles of a Word document that hide what they are applied to.

Hiding is on or off. A style has it from the next style on its way up that says anything, at last
from the defaults of the document; where the style of a paragraph and that of a run both hide, the
characters are seen (ECMA-376 part 1, 17.7.3, toggle properties).
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from core.base.messages import N_
from core.documents.foreign_formats import refuse_foreign
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import mail, plain, rtf, web
from core.documents.readers.ooxml.package import (
    Ends,
    OfficeFile,
    OfficeHandler,
    PartHandler,
    Relation,
    Starts,
    graphic_text,
    is_on,
    is_yes,
    named,
    names_of,
    office_kind,
    relation_id,
    word_attribute,
)
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.shared.remarks import LeftOut, Tally
from core.documents.readers.shared.text_flow import (
    Fields,
    WordStory,
    is_symbol_font,
    symbol,
    symbols,
)

_ALL_STYLES = names_of("w:styles")
_DEFAULTS = ""  # as the identifier of a style


class DocxStyles(PartHandler):
    """Reads the part with the styles; most documents hide nothing by them."""

    def __init__(self) -> None:
        self._style = _DEFAULTS  # they come first
        self._based_on: dict[str, str] = {}
        self._hides: dict[str, bool] = {}
        self._default = _DEFAULTS
        super().__init__({"w:styles": self._start_styles}, {})

    def _start_styles(self, _attributes: dict[str, str]) -> None:
        """In a file of Word 2003 they stand before the document."""
        self._starts = named(
            {"w:style": self._start, "w:basedOn": self._base, "w:vanish": self._vanish}
        )

    def end(self, name: str) -> None:
        """An element ends; what follows the styles in one file is the document."""
        if name in _ALL_STYLES:
            self._starts = {}

    def _start(self, attributes: dict[str, str]) -> None:
        self._style = word_attribute(attributes, "styleId")
        if word_attribute(attributes, "type") == "paragraph":
            self._based_on.setdefault(self._style, _DEFAULTS)
            if is_yes(word_attribute(attributes, "default")):
                self._default = self._style

    def _base(self, attributes: dict[str, str]) -> None:
        self._based_on[self._style] = word_attribute(attributes, "val")

    def _vanish(self, attributes: dict[str, str]) -> None:
        self._hides[self._style] = is_on(attributes)

    def hidden(self) -> frozenset[str]:
        """The identifiers of the styles that hide; "" is that of a paragraph without one."""
        known: dict[str, bool] = {}
        styles = {*self._based_on, *self._hides, self._default}
        hidden_styles = {style for style in styles if self._is_hidden(style, known)}
        without_style = {""} if self._default in hidden_styles else set()
        return frozenset(hidden_styles - {_DEFAULTS} | without_style)

    def _is_hidden(self, style: str, known: dict[str, bool]) -> bool:
        """A style says so, or the next on its way up that says anything."""
        way = []
        while style not in known:
            way.append(style)
            known[style] = self._hides.get(style, False)  # also the answer for a way in a circle
            if style in self._hides or style not in self._based_on:
                break
            style = self._based_on[style]
        hides = known[style]
        known.update(dict.fromkeys(way, hides))
        return hides


class SectionHeading(NamedTuple):
    """A header or footer that a section shows."""

    relation: str
    is_header: bool
    pages: str  # "default", "first" or "even"


class Sections:
    """Takes the properties of sections.

    Attributes:
        headings: Of the sections that have ended.
        starts: What to do with the elements.
    """

    def __init__(self) -> None:
        self.headings: list[SectionHeading] = []
        self._section: list[SectionHeading] = []
        self._has_title_page = False
        self.starts: Starts = named(
            {
                "w:headerReference": lambda it: self._ask(it, is_header=True),
                "w:footerReference": lambda it: self._ask(it, is_header=False),
                "w:titlePg": self._have_title_page,
            }
        )

    def _ask(self, attributes: dict[str, str], *, is_header: bool) -> None:
        pages = word_attribute(attributes, "type") or "default"
        self._section.append(SectionHeading(relation_id(attributes), is_header, pages))

    def _have_title_page(self, _attributes: dict[str, str]) -> None:
        self._has_title_page = True

    def end(self) -> None:
        """A section ends; a first page of its own is shown only if it says so."""
        self.headings += [it for it in self._section if it.pages != "first" or self._has_title_page]
        self._section.clear()
        self._has_title_page = False


_SPACE = "http://www.w3.org/XML/1998/namespace space"
_PADDING = " \t\r\n"
_WHITE = "FFFFFF"
_TINY = frozenset({"1", "2"})  # half points


class _RunFormat(NamedTuple):
    is_hidden: bool
    is_white: bool = False
    is_tiny: bool = False
    is_shaded: bool = False
    font: str = ""


class Runs:
    """Takes the elements inside of a paragraph that make its text.

    Attributes:
        properties: What to do with elements in the properties of a run.
    """

    def __init__(
        self, write: Callable[[str], None], tally: Tally, hidden_styles: frozenset[str]
    ) -> None:
        self._write = write
        self._tally = tally
        self._hidden_styles = hidden_styles
        self._look = _RunFormat(is_hidden=False)
        self._outer: list[_RunFormat] = []
        self._characters: list[str] | None = None
        self._keeps_spaces = False
        self._part_keeps_spaces = False
        self._left_out = LeftOut(tally)
        self.properties: Starts = named(
            {
                "w:rStyle": self._use_style,
                "w:vanish": lambda it: self._set(is_hidden=is_on(it)),
                "w:color": self._colour,
                "w:sz": self._size,
                "w:shd w:highlight": lambda _: self._set(is_shaded=True),
                "w:rFonts": self._font,
            }
        )

    def start_part(self, attributes: dict[str, str]) -> None:
        """The root of a part may say that white space counts everywhere."""
        self._part_keeps_spaces = attributes.get(_SPACE) == "preserve"

    def start(self, *, is_hidden: bool, is_shaded: bool) -> None:
        """A run begins, in a paragraph whose style may hide it."""
        self._outer.append(self._look)
        self._look = _RunFormat(is_hidden=is_hidden, is_shaded=is_shaded)

    def end(self) -> None:
        """A run ends."""
        if self._outer:
            self._look = self._outer.pop()

    def _set(self, **look: bool | str) -> None:
        self._look = self._look._replace(**look)  # type: ignore[arg-type]

    def _colour(self, attributes: dict[str, str]) -> None:
        if word_attribute(attributes, "val") == _WHITE:
            self._set(is_white=True)

    def _size(self, attributes: dict[str, str]) -> None:
        if word_attribute(attributes, "val") in _TINY:
            self._set(is_tiny=True)

    def _font(self, attributes: dict[str, str]) -> None:
        font = word_attribute(attributes, "ascii")
        if is_symbol_font(font):
            self._set(font=font)

    def _use_style(self, attributes: dict[str, str]) -> None:
        """Hiding is a property that two styles together undo (17.7.3, toggle properties)."""
        if word_attribute(attributes, "val") in self._hidden_styles:
            self._set(is_hidden=not self._look.is_hidden)

    def start_text(self, attributes: dict[str, str]) -> None:
        """The element with the characters begins."""
        self._characters = []
        self._keeps_spaces = attributes.get(_SPACE, "") == "preserve" or self._part_keeps_spaces

    def characters(self, text: str) -> None:
        """Characters anywhere in the part."""
        if self._characters is not None:
            self._characters.append(text)

    def end_text(self) -> None:
        """The element with the characters ends."""
        if self._characters:
            text = "".join(self._characters)
            self.add(text if self._keeps_spaces else text.strip(_PADDING))
        self._characters = None

    def add(self, text: str) -> None:
        """Add characters that look like this run."""
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

    def delete(self) -> None:
        """Here something was deleted."""
        self._left_out.add("deletions", "-")


@dataclass(slots=True)
class StoryPlace:
    """Where the reading is in one story.

    Attributes:
        fields: That have begun here.
        is_hidden: The style of the paragraph hides it.
        is_shaded: The paragraph has a background of its own.
        joins: The mark at the end of the paragraph is deleted or hidden.
        carries: That of the last one was: this one goes on with it.
    """

    story: WordStory = field(default_factory=WordStory)
    fields: Fields = field(default_factory=Fields)
    is_hidden: bool = False
    is_shaded: bool = False
    joins: bool = False
    carries: bool = False

    def start_paragraph(self, *, is_hidden: bool) -> None:
        """A paragraph begins, or goes on."""
        if not self.carries:
            self.story.end_paragraph()  # of one in which this one stands
        self.is_hidden = is_hidden
        self.is_shaded = self.joins = self.carries = False

    def end_paragraph(self) -> None:
        """It ends, unless the next one goes on with it."""
        self.carries = self.joins
        if not self.joins:
            self.story.end_paragraph()

    def shade(self) -> None:
        """It has a background of its own."""
        self.is_shaded = True

    def join(self, *, yes: bool) -> None:
        """Its end may be deleted or hidden."""
        self.joins |= yes


_NOT_READ = (
    "w:moveFrom w:rPrChange w:pPrChange w:sectPrChange w:tblPrChange w:trPrChange w:tcPrChange "
    "w:numberingChange w:tblPr w:tblGrid w:trPr w:tcPr w:sdtPr w:sdtEndPr w:customXmlPr "
    "w:smartTagPr w:rubyPr w:rt m:ctrlPr"
)


class DocxBody(OfficeHandler):
    """Reads a part with a story in it, or with several: notes.

    Attributes:
        notes: Of a part with notes, their texts by their identifiers.
        sections: With their headers and footers.
        references: To notes, in their order: whether it is an endnote, and its identifier.
    """

    def __init__(
        self,
        tally: Tally,
        hidden_styles: frozenset[str],
        graphic: Callable[[str], str],
        chunk: Callable[[str], str | None],
    ) -> None:
        """With what reads a chart, and an inserted document, by the relation to it."""
        self._tally = tally
        self._hidden_styles = hidden_styles
        self._graphic = graphic
        self._chunk = chunk
        self.notes: dict[str, str] = {}
        self.references: list[tuple[bool, str]] = []
        self.sections = Sections()
        self._has_background = False
        self._places = [StoryPlace()]  # a story, and in it those whose text becomes a part of it
        self._note = ""
        self._reads_code = False
        self._tables = 0
        self._runs = Runs(self._write, tally, hidden_styles)
        super().__init__(self._body_starts(), self._body_ends())
        self._make_tables()

    def _make_tables(self) -> None:
        """What to do where an element begins: in the body, and in properties."""
        skipped = named(dict.fromkeys(_NOT_READ.split(), self._skip))
        self._in_body: Starts = skipped | self.sections.starts | self._starts
        self._in_run: Starts = skipped | self._runs.properties
        marks: Starts = {
            "w:pStyle": self._use_style,
            "w:shd": lambda _: self._place.shade(),
            "w:vanish w:specVanish": lambda it: self._place.join(yes=is_on(it)),
            "w:del w:moveFrom": lambda _: self._place.join(yes=True),
        }
        self._in_paragraph: Starts = skipped | self.sections.starts | named(marks)
        self._starts = self._in_body

    def _body_starts(self) -> Starts:
        return {
            "w:document w:hdr w:ftr w:footnotes w:endnotes": self._runs.start_part,
            "w:background": lambda _: self._have_background(),
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
            "w:instrText": lambda _: self._read_code(yes=True),
            "w:del": self._delete,
            "w:footnoteReference": lambda it: self._refer(it, is_endnote=False),
            "w:endnoteReference": lambda it: self._refer(it, is_endnote=True),
            "w:commentReference": lambda _: self._tally.count("comments"),
            "w:tbl": lambda _: self._start_table(),
            "w:tc": lambda _: self._story.start_cell(),
            "w:txbxContent": lambda _: self._places.append(StoryPlace()),
            "w:footnote w:endnote": self._start_note,
            "w:altChunk": lambda it: self._add_chunk(relation_id(it)),
            "w:subDoc": lambda _: self._tally.count("linked"),
            "c:chart": lambda it: self._add_graphic(relation_id(it)),
            "dgm:relIds": lambda it: self._add_graphic(relation_id(it, "dm")),
        }

    def _body_ends(self) -> Ends:
        return {
            "w:p": self._end_paragraph,
            "w:pPr": lambda: self._read_as(self._in_body),
            "w:rPr": self._end_run_properties,
            "w:r m:r": self._runs.end,
            "w:t m:t": self._runs.end_text,
            "w:instrText": lambda: self._read_code(yes=False),
            "m:num": lambda: self._add("/"),
            "w:tbl": self._end_table,
            "w:tr": self._tell(WordStory.end_row),
            "w:tc": self._tell(WordStory.end_cell),
            "w:txbxContent": self._end_box,
            "w:footnote w:endnote": self._end_note,
            "w:sectPr": self.sections.end,
        }

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._skipped:
            return
        if self._reads_code:
            self._place.fields.add(text)
        else:
            self._runs.characters(text)

    def _leave(self) -> str:
        """End the innermost story, and have its text."""
        place = self._places.pop() if len(self._places) > 1 else self._places[0]
        return place.story.text()

    @property
    def _place(self) -> StoryPlace:
        return self._places[-1]

    @property
    def _story(self) -> WordStory:
        return self._place.story

    def finish(self) -> str:
        """The text, also of a part that broke off in the middle."""
        self._runs.end_text()
        while len(self._places) > 1:
            self._end_box()
        return self._story.text()

    def _read_as(self, starts: Starts) -> None:
        self._starts = starts

    def _use_style(self, attributes: dict[str, str]) -> None:
        self._place.is_hidden = word_attribute(attributes, "val") in self._hidden_styles

    def _have_background(self) -> None:
        self._has_background = True

    def _write(self, text: str) -> None:
        self._places[-1].story.pieces.append(text)
        self.written += 1

    def _add(self, text: str) -> None:
        """Add characters, unless they are code of a field."""
        if not self._place.fields.in_code:
            self._runs.add(text)

    def _start_run(self) -> None:
        place = self._place
        # What is behind a cell or in a box is not known here.
        is_shaded = (
            place.is_shaded or self._has_background or bool(self._tables or len(self._places) > 1)
        )
        self._runs.start(is_hidden=place.is_hidden, is_shaded=is_shaded)

    def _end_run_properties(self) -> None:
        if self._starts is self._in_run:
            self._starts = self._in_body

    def _start_text(self, attributes: dict[str, str]) -> None:
        if not self._place.fields.in_code:
            self._runs.start_text(attributes)

    def _add_symbol(self, attributes: dict[str, str]) -> None:
        font, code = word_attribute(attributes, "font"), word_attribute(attributes, "char")
        self._add(symbol(font, code))

    def _read_code(self, *, yes: bool) -> None:
        self._reads_code = yes

    def _field(self, attributes: dict[str, str]) -> None:
        """A field has a code, and after a separator its result."""
        if shown := self._place.fields.change(word_attribute(attributes, "fldCharType")):
            self._runs.add(shown)

    def _delete(self, _attributes: dict[str, str]) -> None:
        self._skipped = 1
        self._runs.delete()

    def _refer(self, attributes: dict[str, str], *, is_endnote: bool) -> None:
        self.references.append((is_endnote, word_attribute(attributes, "id")))

    def _start_paragraph(self) -> None:
        self._tally.faint.end()
        self._place.start_paragraph(is_hidden="" in self._hidden_styles)

    def _end_paragraph(self) -> None:
        self._place.end_paragraph()

    def _start_table(self) -> None:
        self._tables += 1
        self._story.start_table()

    def _end_table(self) -> None:
        self._tables -= 1
        self._story.end_table()

    def _end_box(self) -> None:
        box = self._leave()
        self._story.add_box(box)

    def _start_note(self, attributes: dict[str, str]) -> None:
        self._note = word_attribute(attributes, "id")
        self._places.append(StoryPlace())

    def _end_note(self) -> None:
        self.notes[self._note] = self._leave()

    def _add_chunk(self, relation: str) -> None:
        """A document inserted as a whole, between two paragraphs."""
        text = self._chunk(relation)
        if text is None:
            self._tally.count("inserted")
            return
        self._story.end_paragraph()
        self._story.add_box(text)
        self._story.end_paragraph()

    def _add_graphic(self, relation: str) -> None:
        if text := self._graphic(relation):
            self._story.add_box(text)
            self.written += 1


_READERS = (rtf.READER, mail.MHTML, web.READER, plain.TEXT)


class Chunks:
    """Reads the documents inserted into one.

    Attributes:
        remarks: Of the documents that were read.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._left = reading.limits.characters
        self.remarks: list[str] = []

    def text_of(self, part: str, data: bytes) -> str | None:
        """The text of a document in a part, None where it cannot be read.

        Raises:
            UnreadableError: TOO_BIG, or what else is a matter of the whole file.
        """
        self._reading.step()
        reading = replace(self._reading, suffix=posixpath.splitext(part)[1].lower())
        try:
            extracted = self._read(data, reading)
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
        self.remarks += extracted.remarks
        return extracted.text.replace("\f", "\n\n").strip("\n")

    def _read(self, data: bytes, reading: Reading) -> Extracted:
        if office_kind(data) == "docx":  # what is inserted into that is counted only
            return _extracted(data, reading, None)
        refuse_foreign(data)
        reader = next(it for it in _READERS if it.recognises(data, reading.suffix))
        return reader.extracted(data, reading)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    return _extracted(data, reading, Chunks(reading))


def _extracted(data: bytes, reading: Reading, chunks: Chunks | None) -> Extracted:
    file = OfficeFile(data, reading)
    document = _DocxDocument(file, chunks)
    text = document.text()
    inserted = chunks.remarks if chunks else ()
    return file.extracted(text, (*document.tally.remarks(), *dict.fromkeys(inserted)))


class _DocxDocument:
    def __init__(self, file: OfficeFile, chunks: Chunks | None) -> None:
        self._file = file
        self._chunks = chunks
        self._main = file.main_part("word/document.xml")
        self._relations = file.relations(self._main)
        self._hidden_styles = self._styles()
        self.tally = Tally()

    def text(self) -> str:
        body, text = self._story(self._main, dict(self._relations))
        headings = body.sections.headings
        headings = [it for it in headings if it.pages != "even" or self._has_even_pages()]
        headers = self._headings(it for it in headings if it.is_header)
        footers = self._headings(it for it in headings if not it.is_header)
        notes = self._notes(body.references)
        self._count_frames()
        parts = (*headers, text, *notes, *footers)
        return self.tally.faint.after("\n\n".join(part for part in parts if part))

    def _part(self, kind: str, mark: bytes = b"") -> str | None:
        """The part of a kind, if it has a mark without which it is not worth reading."""
        parts = (it for it in self._relations.values() if it.kind == kind and not it.is_external)
        part = next((relation.target for relation in parts), None)
        is_worth_it = not mark or (part is not None and mark in (self._file.read(part) or b""))
        return part if is_worth_it else None

    def _story(self, part: str, relations: dict[str, Relation]) -> tuple[DocxBody, str]:
        body = DocxBody(
            self.tally,
            self._hidden_styles,
            # Each once, however often it is named.
            graphic=lambda key: graphic_text(self._file, relations.pop(key, None)),
            chunk=lambda key: self._inserted(relations.pop(key, None)),
        )
        self._file.parse(part, body)
        return body, body.finish()

    def _inserted(self, relation: Relation | None) -> str | None:
        """The text of an inserted document, None where it is not read."""
        if self._chunks is None or relation is None or relation.is_external:
            return None
        data = self._file.read(relation.target) if relation.kind == "aFChunk" else None
        return None if data is None else self._chunks.text_of(relation.target, data)

    def _styles(self) -> frozenset[str]:
        """The styles that hide."""
        styles = DocxStyles()
        if part := self._part("styles", b"vanish"):
            self._file.parse(part, styles)
        return styles.hidden()

    def _has_even_pages(self) -> bool:
        return self._part("settings", b"evenAndOddHeaders") is not None

    def _headings(self, headings: Iterable[SectionHeading]) -> list[str]:
        """Headers or footers, each text once; a page number is none."""
        texts: dict[str, None] = {}
        for key in dict.fromkeys(it.relation for it in headings):
            relation = self._relations.get(key)
            if relation is not None and not relation.is_external:
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

    def _count_frames(self) -> None:
        """A page of frames shows other files."""
        if part := self._part("webSettings", b"sourceFileName"):
            self.tally.linked += sum(name in _SOURCES for name, _ in self._file.elements(part))


_SOURCES = names_of("w:sourceFileName")


READER = Reader(
    "docx",
    N_("a Word document (docx)"),
    "Word (docx)",
    frozenset({".docx", ".docm", ".dotx", ".dotm"}),
    lambda data, _suffix: office_kind(data) == "docx",
    _read,
    never_text=True,
)

"""The pages of a PDF file, read one by one with PDFium.

Text of a page that nobody sees, told from the text that scanners lay over their pictures.

Suspicious is what is written invisibly, in white, in tiny letters or beside the page. Whether white
letters are seen depends on what is behind them, so the page is drawn, and only then: letters on a
spot of a single colour are hidden. White letters may stand between words for spaces, so where some
text of a page is suspicious, every letter is asked which text it belongs to.
"""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.readers.pdf.lines import (
    Box,
    Line,
    address,
    by_address,
    in_columns,
    page_lines,
    turned_back,
)
from core.documents.readers.pdf.running_headers import PagesWithoutHeaders
from core.documents.readers.shared.story import comments

if TYPE_CHECKING:
    from pypdfium2 import PdfBitmap, PdfDocument, PdfPage, PdfPosConv, PdfTextPage

_ANNOTATIONS_MOST = 10_000  # annotations looked at on a page


def annotations_of(raw: ModuleType, page: PdfPage) -> Iterator[object]:
    """The annotations of a page, each open until the next is wanted."""
    for position in range(min(raw.FPDFPage_GetAnnotCount(page), _ANNOTATIONS_MOST)):
        annotation = raw.FPDFPage_GetAnnot(page, position)
        if annotation:
            yield annotation
            raw.FPDFPage_CloseAnnot(annotation)


def _has_note(raw: ModuleType, annotation: object, kind: int) -> bool:
    """Whether a reader sees words when pointing at an annotation; a popup repeats its parent's."""
    if kind in {raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP}:
        return False
    empty = 2  # bytes: the zero at the end
    return bool(raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0) > empty)


_WHITE = 240  # of 255 in each colour
_TINY = 1.0  # points from descenders to ascenders
_ASIDE = 1.0  # points at either end of a place that its neighbours may reach into
_HIDDEN_TEXT_PIXELS = 2_000_000
_CONTRAST = 16  # of 255: less is a single colour
_OBJECTS = 200  # looked at for a picture
_PICTURES = (3, 5)  # FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM


class ExtractedPage(NamedTuple):
    """What is on a page.

    Attributes:
        lines: The text that is seen.
        hidden_words: Number of words that are not seen.
        is_scan: The text was laid over a picture by a scanner.
        is_empty: There is nothing at all on it.
        is_damaged: It cannot be read.
        notes: Number of comments that lie beside the text.
        is_garbled: There are letters on it, but the fonts do not say which; they are left out.
    """

    lines: list[Line]
    hidden_words: int = 0
    is_scan: bool = False
    is_empty: bool = False
    is_damaged: bool = False
    notes: int = 0
    is_garbled: bool = False

    @property
    def is_picture(self) -> bool:
        """It shows something, but no text."""
        return not (self.lines or self.is_empty or self.is_damaged)


class _UnseenText:
    """Tells which letters of a page nobody sees, and counts their words.

    The letters of one text object, a piece, are drawn alike: PDFium is asked once for each.
    """

    def __init__(self, raw: ModuleType, page: PdfPage, text_page: PdfTextPage) -> None:
        self._raw = raw
        self._page = page
        at = address(text_page)
        self._piece_at = partial(by_address(raw, "FPDFText_GetTextObject"), at)
        self._box_at = partial(by_address(raw, "FPDFText_GetLooseCharBox"), at)
        self._box = raw.FS_RECTF()
        self._picture = _Picture(page)
        self._doubtful: set[int] = set()  # pieces that are invisible or pale
        self._small: set[int] = set()  # others whose letters may be tiny
        self.is_scan = False
        self.words = 0

    def look_at(self, lines: Sequence[Line]) -> None:
        """Find the pieces that may be unseen, and whether most of the text lies over a scan."""
        raw = self._raw
        if any(line.pieces > 1 for line in lines):
            pieces = self._texts()
        else:
            pieces = [*({self._piece_at(line.start) for line in lines} - {0})]
        modes = [*map(by_address(raw, "FPDFTextObj_GetTextRenderMode"), pieces)]
        unseen = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}
        invisible = {piece for piece, mode in zip(pieces, modes, strict=True) if mode in unseen}
        if invisible and _has_picture(raw, self._page):
            self.is_scan = len(invisible) == len(pieces) or self._are_most(invisible, lines)
        if not self.is_scan:
            self._doubtful |= invisible
        colours = in_columns(by_address(raw, "FPDFPageObj_GetFillColor"), pieces, ctypes.c_uint)
        self._doubtful.update(
            piece
            for piece, mode, found, *rgb, alpha in zip(pieces, modes, *colours, strict=True)
            if mode == raw.FPDF_TEXTRENDERMODE_FILL
            and found
            and (alpha < _CONTRAST or min(rgb) >= _WHITE)
        )
        size_of = by_address(raw, "FPDFTextObj_GetFontSize")
        matrix_of = by_address(raw, "FPDFPageObj_GetMatrix")
        _, sizes = in_columns(size_of, pieces, ctypes.c_float, 1, 1)
        _, _, _, cs, ds, _, _ = in_columns(matrix_of, pieces, ctypes.c_float, 6, 1)
        self._small = {
            piece
            for piece, size, c, d in zip(pieces, sizes, cs, ds, strict=True)
            if size * math.hypot(c, d) < _TINY
        } - invisible

    def _texts(self) -> list[int]:
        """The pieces of text on the page; there may be 10,000."""
        raw = self._raw
        kind_of = by_address(raw, "FPDFPageObj_GetType")
        object_in = by_address(raw, "FPDFFormObj_GetObject")
        object_on = partial(by_address(raw, "FPDFPage_GetObject"), address(self._page))
        texts = []
        waiting = [*map(object_on, range(raw.FPDFPage_CountObjects(self._page)))]
        while waiting:
            piece = waiting.pop()
            kind = kind_of(piece)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                texts.append(piece)
            elif kind == raw.FPDF_PAGEOBJ_FORM:
                count = by_address(raw, "FPDFFormObj_CountObjects")(piece)
                waiting += (object_in(piece, index) for index in range(count))
        return texts

    def _are_most(self, invisible: set[int], lines: Iterable[Line]) -> bool:
        """Whether more than half of the letters are invisible."""
        letters = Counter(
            piece
            for line in lines
            for piece in map(self._piece_at, range(line.start, line.end + 1))
            if piece  # else PDFium has added it
        )
        return 2 * sum(letters[piece] for piece in invisible) > letters.total()

    def may_be_in(self, line: Line) -> bool:
        """Whether letters of a line may be unseen."""
        indices = range(line.start, line.end + 1)
        return bool(self._doubtful or self._small) and any(map(self.is_doubtful, indices))

    def is_doubtful(self, index: int) -> bool:
        """Whether a letter may be unseen, by its index in PDFium's text."""
        piece = self._piece_at(index)
        return piece in self._doubtful or (piece in self._small and self._is_tiny(index))

    def _is_tiny(self, index: int) -> bool:
        """By its box: the fonts of pictures have any size."""
        self._box_at(index, ctypes.addressof(self._box))
        return bool(self._box.top - self._box.bottom < _TINY)

    def is_unseen(self, box: Box, words: int) -> bool:
        """Whether the place of so many words is blank, but for what its neighbours draw."""
        aside = min(_ASIDE, (box.right - box.left) / 4)
        inner = box._replace(left=box.left + aside, right=box.right - aside)
        unseen = box.height < _TINY or self._picture.is_blank(inner)
        self.words += words if unseen else 0
        return unseen

    def seen(self, lines: list[Line]) -> list[Line]:
        """The lines without those of which nothing is seen, all if nothing is seen of any."""
        left, bottom, right, top = self._page.get_bbox()
        seen = []
        words = 0
        for line in lines:
            x0, y0, x1, y1 = box = turned_back(line)
            is_aside = x1 < left or x0 > right or y1 < bottom or y0 > top
            is_hidden = self.may_be_in(line) and self._picture.is_blank(box)
            if is_aside or is_hidden or line.height < _TINY:
                words += len(line.text.split())
            else:
                seen.append(line)
        if lines and not seen:  # the text of a page that shows none: of a scan without its picture
            self.is_scan = True
            return lines
        self.words += words
        return seen


def _has_picture(raw: ModuleType, page: PdfPage) -> bool:
    """Whether there is something on the page that may show what the text says."""
    count = min(raw.FPDFPage_CountObjects(page), _OBJECTS)
    return any(
        raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, index)) in _PICTURES
        for index in range(count)
    )


class _Pixels(NamedTuple):
    width: int
    height: int
    stride: int
    shades: bytes
    converter: PdfPosConv


class _Picture:
    """A page as it is seen, in shades of grey, drawn when it is first looked at."""

    def __init__(self, page: PdfPage) -> None:
        self._page = page

    @cached_property
    def _pixels(self) -> _Pixels:
        width, height = self._page.get_size()
        scale = min(2.0, (_HIDDEN_TEXT_PIXELS / max(width * height, 1.0)) ** 0.5)
        with closing(self._page.render(scale=scale, grayscale=True)) as bitmap:
            return _Pixels(
                bitmap.width,
                bitmap.height,
                bitmap.stride,
                bytes(bitmap.buffer),
                bitmap.get_posconv(self._page),
            )

    def is_blank(self, box: Box) -> bool:
        """Whether a place on the page is of a single colour."""
        width, height, stride, shades, converter = self._pixels
        ends = converter.to_bitmap(box.left, box.bottom), converter.to_bitmap(box.right, box.top)
        (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*ends, strict=True))
        x0, y0 = max(0, x0), max(0, y0)
        x1, y1 = min(width, x1 + 1), min(height, y1 + 1)
        low, high = 255, 0
        for y in range(y0, y1):
            row = shades[y * stride + x0 : y * stride + x1]
            if row:
                low = min(low, *row)
                high = max(high, *row)
        return high - low < _CONTRAST


# Latin ligatures and the forms that Arabic letters take in a word.
_PRESENTATION = lazy_pattern("[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc]+")
_CONTROLS = lazy_pattern("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\u2060\ufeff\ufffe\uffff]+")
_REPLACED = (
    *(("\xa0", " "), ("\xad", "-"), ("\u2028", "\n")),
    # Bullets of Symbol, Wingdings and OpenSymbol, which have no code of their own.
    *(("\uf0b7", "•"), ("\uf0a7", "▪"), ("\uf095", "•"), ("\uf0d8", "➢"), ("\uf0fc", "✓")),
)
_MEANINGLESS = lazy_pattern(
    "[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]"
)
_LETTERS_MOST = 0.5
_MISSING_MOST = 0.05


def clean(text: str) -> str:
    """Ligatures as letters, without what only steers the setting of the text."""
    for character, replacement in _REPLACED:
        text = text.replace(character, replacement)
    text = _CONTROLS.sub("", text)
    return _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def is_meaningless(text: str) -> bool:
    """Whether most characters are none: the fonts do not say which letters they draw."""
    return _missing(text) > _LETTERS_MOST


def lacks_letters(text: str) -> bool:
    """Whether a part of the characters is none."""
    return _missing(text) > _MISSING_MOST


def _missing(text: str) -> float:
    """The share of characters that mean nothing."""
    count = len(_MEANINGLESS.findall(text))
    return count / max(len("".join(text.split())), 1) if count else 0.0


_DPI = 300
RECOGNISED_PIXELS = 16_000_000  # of a page drawn for text recognition


class PdfPages:
    """An open document."""

    def __init__(self, raw: ModuleType, document: PdfDocument, damage: type[Exception]) -> None:
        self._raw = raw
        self._document = document
        self._damage = damage
        self._form: object = None  # PDFium's handle on the form

    def __len__(self) -> int:
        return len(self._document)

    @contextmanager
    def with_fields(self) -> Iterator[None]:
        """Have the values of form fields among the text, also those the file does not draw."""
        raw = self._raw
        functions = raw.FPDF_FORMFILLINFO(version=2)
        if raw.FPDF_GetFormType(self._document):
            self._form = raw.FPDFDOC_InitFormFillEnvironment(
                self._document, ctypes.byref(functions)
            )
        try:
            yield
        finally:
            if self._form:
                raw.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = None

    def attachments(self) -> int:
        """How many files are inside the document."""
        count: int = self._raw.FPDFDoc_GetAttachmentCount(self._document)
        return max(0, count)

    def read(self, index: int) -> ExtractedPage:
        """One page; whatever PDFium cannot do with it makes it a damaged one."""
        try:
            page, notes = self._with_annotations(index)
            with closing(page), closing(page.get_textpage()) as text_page:
                unseen = _UnseenText(self._raw, page, text_page)
                lines = page_lines(self._raw, text_page, unseen)
                seen = unseen.seen(lines)
                is_empty = not lines and self._raw.FPDFPage_CountObjects(page) <= 0
        except self._damage:
            return ExtractedPage([], is_damaged=True)
        if is_meaningless(" ".join(line.text for line in seen)):
            return ExtractedPage([], unseen.words, notes=notes, is_garbled=True)
        return ExtractedPage(seen, unseen.words, unseen.is_scan, is_empty, notes=notes)

    def _with_annotations(self, index: int) -> tuple[PdfPage, int]:
        """A page with its form fields and free text as part of it, and how many notes it has."""
        raw, page = self._raw, self._document[index]
        drawn = {raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_WIDGET}
        has_drawn = False
        notes = 0
        for annotation in annotations_of(raw, page):
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            has_drawn = has_drawn or kind in drawn
            notes += kind not in drawn and _has_note(raw, annotation, kind)
        if not has_drawn:
            return page, notes
        with closing(page):
            if self._form:
                raw.FORM_OnAfterLoadPage(page, self._form)
            raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
            if self._form:
                raw.FORM_OnBeforeClosePage(page, self._form)
        return self._document[index], notes

    def picture(self, index: int) -> bytes | None:
        """A page drawn in shades of grey, as a PGM file; None where it cannot be drawn."""
        try:
            with closing(self._document[index]) as page:
                width, height = page.get_size()
                scale = min(_DPI / 72, (RECOGNISED_PIXELS / max(width * height, 1.0)) ** 0.5)
                with closing(page.render(scale=scale, grayscale=True)) as bitmap:
                    return _pgm(bitmap)
        except self._damage:
            return None


def _pgm(bitmap: PdfBitmap) -> bytes:
    """A bitmap of one byte per pixel as a PGM file.

    Source: the manual page of Netpbm, "pgm".
    """
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    pixels = memoryview(bitmap.buffer).cast("B")
    rows = [bytes(pixels[y * stride : y * stride + width]) for y in range(height)]
    return b"".join([f"P5 {width} {height} 255\n".encode(), *rows])


_MOST_PARTS = 10
_EXAMPLE = 60  # characters


def page_remarks(
    pages: Sequence[ExtractedPage], attachments: int, recognised: Container[int]
) -> Iterator[str]:
    """What was found on the pages.

    `recognised` has the indices of the pictures that were read after all.
    """
    if damaged := [index for index, page in enumerate(pages) if page.is_damaged]:
        yield nstored(
            "Page {pages} could not be read: this file is damaged there.",
            "Pages {pages} could not be read: this file is damaged there.",
            len(damaged),
            pages=page_numbers(damaged),
        )
    yield from _seen_or_not(pages, recognised)
    if notes := sum(page.notes for page in pages):
        yield comments(notes)
    if attachments:
        yield nstored(
            "{n} attached file is not part of the text.",
            "{n} attached files are not part of the text.",
            attachments,
        )


def _seen_or_not(pages: Sequence[ExtractedPage], recognised: Container[int]) -> Iterator[str]:
    if scans := [index for index, page in enumerate(pages) if page.is_scan]:
        remark = N_("The text was recognised by a scanner (OCR): expect wrong letters.")
        if len(scans) < len(pages):
            remark = nstored(
                "The text of page {pages} was recognised by a scanner (OCR): expect wrong letters.",
                "The text of pages {pages} was recognised by a scanner (OCR): expect wrong "
                "letters.",
                len(scans),
                pages=page_numbers(scans),
            )
        yield remark
    if hidden := [index for index, page in enumerate(pages) if page.hidden_words]:
        yield nstored(
            "{n} hidden word is not part of the text: nobody sees it on {pages}.",
            "{n} hidden words are not part of the text: nobody sees them on {pages}.",
            sum(page.hidden_words for page in pages),
            pages=nstored("page {pages}", "pages {pages}", len(hidden), pages=page_numbers(hidden)),
        )
    left = {index: page for index, page in enumerate(pages) if index not in recognised}
    if garbled := [index for index, page in left.items() if page.is_garbled]:
        yield nstored(
            "The text of page {pages} cannot be read: its fonts do not say which letters they "
            "draw.",
            "The text of pages {pages} cannot be read: its fonts do not say which letters they "
            "draw.",
            len(garbled),
            pages=page_numbers(garbled),
        )
    pictures = [index for index, page in left.items() if page.is_picture and not page.is_garbled]
    if pictures and len(pictures) < len(pages):
        yield nstored(
            "Page {pages} is a picture without text.",
            "Pages {pages} are pictures without text.",
            len(pictures),
            pages=page_numbers(pictures),
        )


def running_headers_remark(headers: PagesWithoutHeaders) -> str:
    """What was set aside as running heads, "" for nothing."""
    if not headers.affected:
        return ""
    examples = ", ".join(f"“{_short(clean(example))}”" for example in headers.examples)
    if not examples:
        return nstored(
            "Running heads and page numbers of {n} page are not part of the text.",
            "Running heads and page numbers of {n} pages are not part of the text.",
            headers.affected,
        )
    return nstored(
        "Running heads and page numbers ({examples}) of {n} page are not part of the text.",
        "Running heads and page numbers ({examples}) of {n} pages are not part of the text.",
        headers.affected,
        examples=examples,
    )


def _short(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[: _EXAMPLE - 1].rstrip()}…"


def page_numbers(indices: Iterable[int]) -> str:
    """Pages in words: "2", "1, 3 to 7 and 9"; of very many only the first."""
    numbers = [index + 1 for index in sorted(indices)]
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    parts: list[str] = []
    for run in ranges:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    if len(parts) > _MOST_PARTS:
        parts = [*parts[:_MOST_PARTS], "others"]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

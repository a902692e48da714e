"""Workbooks (xlsx, xlsm, xltx), ECMA-376 part 1, SpreadsheetML."""

from __future__ import annotations

from core.base.wording import first_read
from core.documents.model import ProblemCode
from core.documents.readers.ooxml.graphics import graphic_text
from core.documents.readers.ooxml.package import OfficeFile, Relation, office_kind
from core.documents.readers.ooxml.xlsx_parts import Formats, Strings, Workbook
from core.documents.readers.ooxml.xlsx_sheet import SheetReader
from core.documents.readers.reader import SHEETS, Extracted, Reader, Reading
from core.documents.readers.shared.remarks import Tally
from core.documents.unreadable import UnreadableError

_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"})


def _recognises(data: bytes, _suffix: str) -> bool:
    return office_kind(data) == "xlsx"


def _read(data: bytes, reading: Reading) -> Extracted:
    """Sheet by sheet; one that is hidden is an empty page."""
    file = OfficeFile(data, reading)
    main = file.main_part("officeDocument", "xl/workbook.xml")
    if main.endswith(".bin"):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "Binary workbooks (xlsb) are not read. Save it as xlsx, or as PDF.",
        )
    book = _XlsxBook(file, main, reading)
    text = "\f".join(book.sheets())
    return file.extracted(text, book.tally.remarks() + book.remarks)


class _XlsxBook:
    def __init__(self, file: OfficeFile, main: str, reading: Reading) -> None:
        self._file = file
        self._left = reading.limits.characters
        self._most = reading.limits.pages
        self._relations = file.relations(main)
        self._workbook = Workbook()
        file.parse(main, self._workbook)
        self._strings = Strings()
        self._formats = Formats()
        for relation in self._relations.values():
            if relation.kind == "sharedStrings" and not relation.is_external:
                file.parse(relation.target, self._strings)
            elif relation.kind == "styles" and not relation.is_external:
                file.parse(relation.target, self._formats)
        self.tally = Tally()
        self.remarks: tuple[str, ...] = ()

    def sheets(self) -> list[str]:
        sheets = self._workbook.sheets
        if len(sheets) > self._most:
            self.remarks = (first_read(self._most, len(sheets), "sheets"),)
        pages = []
        for sheet in sheets[: self._most]:
            relation = self._relations.get(sheet.relation)
            if sheet.is_hidden:
                self.tally.hidden_sheets += 1
            shows = relation is not None and not relation.is_external and not sheet.is_hidden
            pages.append(self._sheet(relation) if relation and shows else "")
        return pages

    def _sheet(self, relation: Relation) -> str:
        """The cells of a sheet, then the words in its drawings."""
        reader = SheetReader(
            self._strings.strings,
            self._formats,
            from_1904=self._workbook.from_1904,
            most=self._left,
        )
        self._file.parse(relation.target, reader)
        self._left -= reader.length
        self.tally.hidden_rows += reader.hidden
        texts = ["\n".join(reader.lines)]
        for drawing in self._file.relations(relation.target).values():
            if drawing.kind == "drawing" and not drawing.is_external:
                texts.append(graphic_text(self._file, drawing))
                charts = self._file.relations(drawing.target).values()
                texts += [graphic_text(self._file, chart) for chart in charts]
        return "\n\n".join(text for text in texts if text)


READER = Reader(
    "xlsx",
    "a workbook (xlsx)",
    "spreadsheet (xlsx)",
    _SUFFIXES,
    _recognises,
    _read,
    never_text=True,
    pages=SHEETS,
)

"""Workbooks (xlsx, xlsm, xltx), ECMA-376 part 1, SpreadsheetML."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from core.base.messages import N_, stored
from core.base.wording import readable_count
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.ooxml.package import (
    Ends,
    OfficeFile,
    PartHandler,
    Relation,
    Starts,
    graphic_text,
    names_of,
    office_kind,
    relation_id,
)
from core.documents.readers.reader import SHEETS, Extracted, Reader, Reading
from core.documents.readers.shared.remarks import Tally

PLAIN, DATE, PERCENT = "", "date", "percent"

# Numbers of formats that are built in (ECMA-376 part 1, 18.8.30), some only in East Asia.
_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)})
_PERCENTS = frozenset({9, 10})
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_DATE_CODE = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - have no zone
_LAST_DAY = 2_958_465.99999  # 9999-12-31


def whole(text: str) -> int:
    """A number that counts something, -1 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def format_kind(number: int, code: str) -> str:
    """What a format makes of numbers.

    Args:
        number: Of the format.
        code: "yyyy-mm-dd", "" for a format that is built in.
    """
    if not code:
        return DATE if number in _DATES else PERCENT if number in _PERCENTS else PLAIN
    positive = _NO_CODE.sub("", code.partition(";")[0])
    if "general" in positive.lower():
        return PLAIN
    if _DATE_CODE.search(positive):
        return DATE
    return PERCENT if "%" in positive else PLAIN


def shown(value: str, kind: str, *, from_1904: bool = False) -> str:
    """A number as it is read: "0.1" for "0.10000000000000001", a date for 44197."""
    try:
        number = float(value)
    except ValueError:
        return value.strip()
    if kind == DATE and 0 <= number <= _LAST_DAY:
        return _date(number, _EPOCH_1904 if from_1904 else _EPOCH)
    if kind == PERCENT:
        return f"{_shortest(round(number * 100, 10))}%"
    return _shortest(number)


def _shortest(number: float) -> str:
    """Fifteen digits count in a workbook."""
    text = f"{number:.15g}"
    return f"{number:.0f}" if "e+" in text and abs(number) < 1e21 else text


def _date(number: float, epoch: datetime) -> str:
    """The day, and the time where it is not midnight; less than a day is a time."""
    try:
        moment = epoch + timedelta(seconds=round(number * 86_400))
    except OverflowError:
        return _shortest(number)
    if number < 1:
        return f"{moment:%H:%M:%S}".removesuffix(":00")
    day = f"{moment.year:04}-{moment:%m-%d}"
    return f"{day} {moment:%H:%M:%S}".removesuffix(":00") if number % 1 else day


_ON = frozenset({"1", "true"})


_SHEET, _WORKBOOK_PROPERTIES = names_of("x:sheet"), names_of("x:workbookPr")


class Formats(PartHandler):
    """Reads what the styles of cells make of numbers."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._kinds: list[str] = []
        self._is_cell = False
        super().__init__(
            {
                "x:numFmt": self._name,
                "x:cellXfs": lambda _: self._count(is_cell=True),
                "x:xf": self._add,
            },
            {"x:cellXfs": lambda: self._count(is_cell=False)},
        )

    def kind(self, style: str) -> str:
        """The kind of a number in a cell with a style."""
        number = whole(style)
        return self._kinds[number] if 0 <= number < len(self._kinds) else PLAIN

    def _name(self, attributes: dict[str, str]) -> None:
        self._codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")

    def _count(self, *, is_cell: bool) -> None:
        self._is_cell = is_cell

    def _add(self, attributes: dict[str, str]) -> None:
        if self._is_cell:
            number = attributes.get("numFmtId", "0")
            code = self._codes.get(number, "")
            self._kinds.append(format_kind(whole(number), code))


class _XlsxText(PartHandler):
    """Collects the characters of some elements; how they are pronounced is not shown."""

    def __init__(self, elements: str, starts: Starts, ends: Ends) -> None:
        self._pieces: list[str] = []
        self._reads = False
        self._is_phonetic = False
        pronounced = {"x:rPh": lambda _: self._pronounce(is_phonetic=True)}
        shown_again = {"x:rPh": lambda: self._pronounce(is_phonetic=False)}
        super().__init__(
            {**starts, elements: lambda _: self._read(), **pronounced},
            {**ends, elements: self._stop, **shown_again},
        )

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""
        if self._reads:
            self._pieces.append(text)

    def _read(self) -> None:
        self._reads = not self._is_phonetic

    def _stop(self) -> None:
        self._reads = False

    def _pronounce(self, *, is_phonetic: bool) -> None:
        self._is_phonetic = is_phonetic


class Strings(_XlsxText):
    """Reads the strings that cells share."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        super().__init__("x:t", {}, {"x:si": self._end_string})

    def _end_string(self) -> None:
        self.strings.append("".join(self._pieces))
        self._pieces.clear()


_LETTERS = re.compile("[A-Z]{1,3}")
_BLANKS = re.compile(r"\s+")
_BOOLEANS = {"0": "FALSE", "1": "TRUE"}
_MOST_COLUMNS = 16_384


class SheetReader(_XlsxText):
    """Reads the cells.

    Attributes:
        lines: Rows, their cells separated by tabs.
        hidden: How many rows and columns with something in them are not shown.
        length: Characters of all lines.
    """

    def __init__(self, strings: list[str], formats: Formats, *, from_1904: bool, most: int) -> None:
        """With at most so many characters."""
        self._strings = strings
        self._formats = formats
        self._from_1904 = from_1904
        self._most = most
        self.lines: list[str] = []
        self.length = 0
        self._hidden_columns: set[int] = set()
        self._last_column = 0
        self._met_columns: set[int] = set()
        self._hidden_rows = 0
        self._cells: list[str] = []
        self._row_hides = False
        self._column = 0
        self._kind = "n"
        self._style = ""
        super().__init__(
            "x:v x:t",
            {"x:col": self._start_column, "x:row": self._start_row, "x:c": self._start_cell},
            {"x:row": self._end_row, "x:c": self._end_cell},
        )

    @property
    def hidden(self) -> int:
        """How many rows and columns with something in them are not shown."""
        return self._hidden_rows + len(self._met_columns)

    def _start_column(self, attributes: dict[str, str]) -> None:
        first, last = whole(attributes.get("min", "")), whole(attributes.get("max", ""))
        if attributes.get("hidden") in _ON and 0 < first <= last <= _MOST_COLUMNS:
            start = max(first, self._last_column + 1)  # they do not overlap
            self._hidden_columns.update(range(start, last + 1))
            self._last_column = max(last, self._last_column)

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._row_hides = attributes.get("hidden") in _ON
        self._column = 0

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._pieces.clear()
        self._column += 1
        if self._hidden_columns and (letters := _LETTERS.match(attributes.get("r", ""))):
            self._column = _column_number(letters[0])

    def _end_cell(self) -> None:
        """What a cell shows is one field of a line; an empty one leaves nothing."""
        text = _BLANKS.sub(" ", self._shown("".join(self._pieces))).strip()
        if not text:
            return
        if self._column in self._hidden_columns:
            self._met_columns.add(self._column)
            return
        self._cells.append(text)
        self.length += len(text) + 1
        if self.length > self._most:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                stored(
                    "This workbook has more than {most} characters. Split it.",
                    most=readable_count(self._most),
                ),
                "characters",
            )

    def _shown(self, value: str) -> str:
        if self._kind == "s":
            place = whole(value.strip())
            return self._strings[place] if 0 <= place < len(self._strings) else ""
        if self._kind == "n":
            kind = self._formats.kind(self._style)
            return shown(value, kind, from_1904=self._from_1904) if value else ""
        return _BOOLEANS.get(value, value) if self._kind == "b" else value

    def _end_row(self) -> None:
        if self._cells and self._row_hides:
            self._hidden_rows += 1
        elif self._cells:
            self.lines.append("\t".join(self._cells))
        self._cells.clear()


def _column_number(letters: str) -> int:
    """1 for "A", 27 for "AA"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"})


def _read(data: bytes, reading: Reading) -> Extracted:
    """Sheet by sheet; one that is hidden is an empty page."""
    file = OfficeFile(data, reading)
    main = file.main_part("officeDocument", "xl/workbook.xml")
    if main.endswith(".bin"):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            N_("Binary workbooks (xlsb) are not read. Save it as xlsx, or as PDF."),
        )
    book = _XlsxBook(file, main, reading)
    text = "\f".join(book.sheets())
    return file.extracted(text, book.tally.remarks())


class _XlsxBook:
    def __init__(self, file: OfficeFile, main: str, reading: Reading) -> None:
        self._file = file
        self._left = reading.limits.characters
        self._relations = file.relations(main)
        workbook = file.elements(main)
        self._sheets = [sheet for name, sheet in workbook if name in _SHEET]
        properties = [it for name, it in workbook if name in _WORKBOOK_PROPERTIES]
        self._from_1904 = bool(properties) and properties[-1].get("date1904") in _ON
        self._strings = Strings()
        self._formats = Formats()
        for relation in self._relations.values():
            if relation.kind == "sharedStrings" and not relation.is_external:
                file.parse(relation.target, self._strings)
            elif relation.kind == "styles" and not relation.is_external:
                file.parse(relation.target, self._formats)
        self.tally = Tally()

    def sheets(self) -> list[str]:
        pages = []
        for sheet in self._sheets:
            relation = self._relations.get(relation_id(sheet))
            is_hidden = sheet.get("state", "visible") != "visible"
            self.tally.hidden_sheets += is_hidden
            shows = relation is not None and not relation.is_external and not is_hidden
            pages.append(self._sheet(relation) if relation and shows else "")
        return pages

    def _sheet(self, relation: Relation) -> str:
        """The cells of a sheet, then the words in its drawings."""
        reader = SheetReader(
            self._strings.strings,
            self._formats,
            from_1904=self._from_1904,
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
    N_("a workbook (xlsx)"),
    N_("spreadsheet (xlsx)"),
    _SUFFIXES,
    lambda data, _suffix: office_kind(data) == "xlsx",
    _read,
    never_text=True,
    pages=SHEETS,
)

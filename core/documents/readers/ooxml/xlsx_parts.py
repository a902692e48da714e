"""Parts of a workbook around its sheets: the list of them, their strings, their formats."""

from __future__ import annotations

from typing import NamedTuple

from core.documents.readers.ooxml.names import Ends, Starts, named, relation_id
from core.documents.readers.ooxml.xlsx_numbers import PLAIN, format_kind, whole

_ON = frozenset({"1", "true"})


class Sheet(NamedTuple):
    """A sheet of a workbook, by its relation."""

    relation: str
    is_hidden: bool


class _XlsxPart:
    """Calls what belongs to each element."""

    def __init__(self, starts: Starts, ends: Ends) -> None:
        self._starts = named(starts)
        self._ends = named(ends)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if action := self._starts.get(name):
            action(attributes)

    def end(self, name: str) -> None:
        if action := self._ends.get(name):
            action()

    def text(self, text: str) -> None:
        """Characters, in pieces of any length."""


class Workbook(_XlsxPart):
    """Reads the list of sheets."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self.from_1904 = False
        super().__init__({"x:sheet": self._add, "x:workbookPr": self._set}, {})

    def _add(self, attributes: dict[str, str]) -> None:
        is_hidden = attributes.get("state", "visible") != "visible"
        self.sheets.append(Sheet(relation_id(attributes), is_hidden))

    def _set(self, attributes: dict[str, str]) -> None:
        self.from_1904 = attributes.get("date1904") in _ON


class Formats(_XlsxPart):
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


class Strings(_XlsxPart):
    """Reads the strings that cells share; how they are pronounced is not shown."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._pieces: list[str] = []
        self._reads = False
        self._is_phonetic = False
        super().__init__(
            {
                "x:t": lambda _: self._read(),
                "x:rPh": lambda _: self._pronounce(is_phonetic=True),
            },
            {
                "x:t": self._stop,
                "x:rPh": lambda: self._pronounce(is_phonetic=False),
                "x:si": self._end_string,
            },
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

    def _end_string(self) -> None:
        self.strings.append("".join(self._pieces))
        self._pieces.clear()

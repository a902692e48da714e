"""Workbooks of Excel 97 to 2003 and binary ones: the same text as that of an xlsx."""

from __future__ import annotations

import struct

import pytest

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits
from tests.bench.fuzz_seeds import (
    FIRST,
    FOREIGN,
    SECOND,
    seed_xls,
    seed_xlsb,
    xls,
    xls_record,
    xls_string,
    xlsb,
    xlsb_record,
)


def read(data, **reading):
    return reader_for(data, "").read(data, Reading(**reading))


def unreadable(data, **reading):
    with pytest.raises(UnreadableError) as caught:
        read(data, **reading)
    return caught.value.code


def label(row, column, text):
    return xls_record(0x204, struct.pack("<HHH", row, column, 0) + xls_string(text))


def test_every_kind_of_cell_is_read_as_it_is_shown():
    sheet = f"{FIRST} {FOREIGN}\t2023-03-15 12:00\t7\t0.02\ncomputed\n#N/A\n{SECOND}"

    assert reader_for(seed_xls(), "").kind == "xls"
    assert read(seed_xls()).text == f"{sheet}\n\nIn box\f{sheet}"
    assert read(seed_xlsb()) == (
        f"{FIRST} {FOREIGN}\t2023-03-15 12:00\t7\tcomputed\t9\t#N/A\tTRUE",
        "",
        ("1 hidden row or column is not part of the text.",),
    )


@pytest.mark.parametrize("cut", [9, 12, 17, 19, 25, 27, 30, 36, 37, 41])
def test_shared_strings_may_be_cut_anywhere(cut):
    """Behind a cut, characters begin with their width, and lengths do not."""
    wide, narrow = "Паром", "plain"
    content = struct.pack("<II", 2, 2)
    content += struct.pack("<HBHI", len(wide), 0x0D, 1, 3) + wide.encode("utf-16-le") + bytes(7)
    content += struct.pack("<HB", len(narrow), 0) + narrow.encode()
    first_characters, second_characters = range(17, 27), range(37, 42)
    behind = content[cut:]
    if cut in first_characters:
        behind = b"\1" + behind
    elif cut in second_characters:
        behind = b"\0" + behind
    strings = xls_record(0xFC, content[:cut]) + xls_record(0x3C, behind)
    cells = [xls_record(0xFD, struct.pack("<HHHI", 0, column, 0, column)) for column in range(2)]

    assert read(xls(b"".join(cells), strings=strings)).text == f"{wide}\t{narrow}"


def test_what_is_hidden_is_counted():
    columns = xls_record(0x7D, struct.pack("<6H", 1, 1, 0, 0, 1, 0))
    row = xls_record(0x208, struct.pack("<6HI", 1, 0, 1, 0, 0, 0, 0x20))
    note = xls_record(0x5D, struct.pack("<HHH", 0x15, 0x12, 0x19))
    note += xls_record(0x1B6, struct.pack("<10xHHI", 4, 0, 0)) + xls_record(0x3C, b"\0note")
    cells = label(0, 0, "seen") + label(0, 1, "aside") + label(1, 0, "below")

    text, _, remarks = read(xls(columns + row + cells + note))

    assert text == "seen"
    assert remarks == (
        "1 comment is not part of the text.",
        "2 hidden rows and columns are not part of the text.",
    )


def test_workbooks_of_excel_95_are_in_a_code_page():
    page = xls_record(0x42, struct.pack("<H", 1251))
    text = "Паром".encode("cp1251")
    cell = xls_record(0x204, struct.pack("<HHHH", 0, 0, 0, len(text)) + text)

    assert read(xls(cell, version=0x500, globals_=page)).text == "Паром"


def test_cells_far_apart_take_no_room():
    far = xls(label(0, 0, "near") + label(65_535, 255, "far"))
    farther = struct.pack("<IHBBI", 16_383, 0, 0, 0, 1 << 2 | 2)
    row = struct.pack("<IIHBB", 1_048_575, 0, 0, 0, 0)

    assert read(far).text == "near\nfar"
    assert read(xlsb(xlsb_record(0, row) + xlsb_record(2, farther))).text == "1"


def test_a_string_that_is_repeated_meets_the_limit():
    strings = xls_record(0xFC, struct.pack("<II", 1, 1) + xls_string("x" * 900))
    cells = xls_record(0xFD, struct.pack("<HHHI", 0, 0, 0, 0)) * 200

    limits = ReadingLimits(characters=100_000)
    assert unreadable(xls(cells, strings=strings), limits=limits) == ProblemCode.TOO_BIG


def test_a_workbook_that_breaks_off_says_so():
    whole = xls(label(0, 0, "seen"))
    stream = whole[512:].index(b"s\0e\0e\0n\0") + 512

    assert unreadable(whole.replace(b"\x09\x08", b"\0\0")) == ProblemCode.DAMAGED
    broken = whole[: stream + 8] + bytes(4) + whole[stream + 12 :]
    assert read(broken).remarks == ("The file is damaged; its text may be incomplete.",)

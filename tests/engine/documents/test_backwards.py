"""Text that is written backwards and shown forwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.backwards import seen_forwards
from core.documents.extraction import read_piece
from core.documents.readers import Reading
from core.documents.recognition import reader_for

MARK, END = "\u202e", "\u202c"
REMARK = (
    "2 passages are written backwards, behind marks that show them forwards: they are read as they "
    "are seen."
)


def backwards(text):
    return f"{MARK}{text[::-1]}{END}"


def test_what_is_seen_forwards_is_read_so():
    text = "\n".join(map(backwards, ("The ferry left", "at noon.")))
    piece = read_piece(text.encode(), reader_for(text.encode(), ".txt"), Reading(suffix=".txt"))
    assert (piece.text, piece.remarks) == ("The ferry left\nat noon.", (REMARK,))


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (f"The {MARK}yrref{END} left", "The ferry left"),
        (f"The {MARK}yrref", "The ferry"),
        (f"{MARK}eno\ntwo", "one\ntwo"),
        (f"{MARK}(tnalp a) e\u0301b{END}", "be\u0301 (a plant)"),
        (f"{MARK}eno\u2066two", "one\u2066two"),
        (f"{MARK}\u05e9\u05dc\u05d5\u05dd{END}", f"{MARK}\u05e9\u05dc\u05d5\u05dd{END}"),
        (MARK, MARK),
        (f"{MARK}yrr\ufeffef", "fe\ufeffrry"),
        (f"{MARK}yrr\u061cef", "fe\u061crry"),
        *(
            (f"{MARK}yrref{end}left{end}at noon", f"ferry{end}left{end}at noon")
            for end in "\t\n\x0b\f\r\x1c\x1d\x1e\x85\u2029"
        ),
    ],
)
def test_passages(written, seen):
    assert seen_forwards(written)[0] == seen


def test_the_next_cells_of_a_table_stay():
    table = b"<table><tr><td>&#x202e;yrref</td><td>left</td><td>at noon</td></tr></table>"
    piece = read_piece(table, reader_for(table, ".html"), Reading(suffix=".html"))
    assert piece.text == "ferry\tleft\tat noon"


@given(st.text())
def test_nothing_else_changes(text):
    text = text.replace(MARK, "")
    assert seen_forwards(text) == (text, ())

"""Presentations of PowerPoint 97 to 2003: slide by slide, each with its notes."""

from __future__ import annotations

import pytest

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.reader import SLIDES, Reading
from tests.bench.fuzz_seeds import (
    FIRST,
    FOREIGN,
    SECOND,
    compound,
    ppt,
    ppt_page,
    ppt_record,
    ppt_shape,
    seed_ppt,
)


def read(data, **reading):
    return reader_for(data, "").read(data, Reading(**reading))


def test_slides_have_their_title_first_and_their_notes_last():
    """Text may stand in the list of slides; footers and numbers are on every slide."""
    reader = reader_for(seed_ppt(), "")

    assert (reader.kind, reader.pages) == ("ppt", SLIDES)
    assert read(seed_ppt()).text == f"The ferry\n\n{FIRST}\nc\n\n{FOREIGN}\f{SECOND}"


def test_a_title_comes_first_and_a_line_break_is_one():
    data = ppt([(ppt_page(ppt_shape("one\vtwo"), ppt_shape("Title", 0)), b"")], [])

    assert read(data).text == "Title\n\none\ntwo"


def test_a_hidden_slide_is_an_empty_page():
    pages = [(ppt_page(ppt_shape(text), is_hidden=text == "b"), b"") for text in "abc"]

    text, _, remarks = read(ppt(pages, []))

    assert text == "a\f\fc"
    assert remarks == ("1 hidden slide is not part of the text.",)


def test_of_a_damaged_file_all_slides_are_read():
    page = ppt_page(ppt_shape("found"))

    text, _, remarks = read(compound({"PowerPoint Document": page, "Current User": b""}))

    assert text == "found"
    assert remarks == ("The file is damaged; its text may be incomplete.",)


def test_a_file_without_slides_is_damaged():
    with pytest.raises(UnreadableError) as caught:
        read(compound({"PowerPoint Document": ppt_record(1000, version=15)}))

    assert caught.value.code == ProblemCode.DAMAGED


def test_a_slide_is_read_once_however_often_it_is_listed():
    """A list is short, and what it points to may be long."""
    data = ppt([(ppt_page(ppt_shape("once")), b""), (ppt_page(ppt_shape("twice")), b"")], [])
    again = (2).to_bytes(4, "little") + bytes(8) + (0x101).to_bytes(4, "little")
    listed = (3).to_bytes(4, "little") + again[4:]

    assert read(data.replace(listed, again)).text == "once\f"

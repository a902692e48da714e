"""Faults of PDFium in the text of East Asian and Arabic pages, mended by the boxes of letters."""

from hypothesis import given
from hypothesis import strategies as st

from core.documents.readers.pdf.lines import corrected
from core.documents.readers.pdf.pages import clean


def boxes(*lefts, width=10.0):
    """Boxes in a row, ten high, from where they begin."""
    return [(left, 0.0, left + width, 10.0) for left in lefts]


def mended(text, places, made_up=()):
    return clean(corrected(text, lambda index: index in made_up, places.__getitem__))


class TestSpaces:
    TEXT = "第 10 条"
    PLACES = boxes(0, 10, 12, 22, 32, 34)

    def test_a_little_room_is_no_space(self):
        assert mended(self.TEXT, self.PLACES, made_up={1, 4}) == "第10条"

    def test_a_space_in_the_file_is_one(self):
        assert mended(self.TEXT, self.PLACES) == self.TEXT

    def test_a_gap_is_a_space(self):
        wide = boxes(0, 10, 30, 40, 50, 70)
        assert mended(self.TEXT, wide, made_up={1, 4}) == self.TEXT

    @given(st.text("abc de", max_size=20))
    def test_other_scripts_stay(self, text):
        assert mended(text, boxes(*range(0, 200, 10)), made_up=set(range(20))) == text


class TestLamAndAlef:
    def test_drawn_as_one_they_are_turned_round(self):
        assert (
            mended("\u0633\u0627\u0644\u0645", boxes(30, 20, 20, 10)) == "\u0633\u0644\u0627\u0645"
        )

    def test_the_article_stays(self):
        assert mended("\u0627\u0644\u0633", boxes(30, 20, 10)) == "\u0627\u0644\u0633"

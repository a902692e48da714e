"""Who a text is does not depend on its format, its line ends or the settings of a scan."""

import unicodedata

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.text import identity
from core.text.characters import ALONE, LETTER, MARK, alphabet
from core.text.identity import text_hashes

# These are in the reviews that people have: they never change.
GIVEN = {
    "The quick brown fox.": "e1932db48f40eb24f6cb0baacdccd12d",
    "Größe, Ähnlichkeit und 10² Öfen": "519c49be7a07e4eec5d8410236c2d361",
    "图书馆 and ｆｕｌｌ width, \U0001d400\U00020000": "d3a130c00cd4da99bcf4f332717ff1ca",
    "...": "ebf81ba115dffe7077e9e4a1556d5f7e",
}


@pytest.mark.parametrize("text", GIVEN)
def test_the_hash_of_a_text_never_changes(text):
    assert text_hashes([text]) == [GIVEN[text]]


SAME = [
    ("The quick brown fox", "the quick\r\n\tBROWN  fox.\n"),
    ("an example of it", "an exam-\nple of it"),
    ("soft hyphen", "soft hy\u00adphen"),
    ("“naïve” café", '"nai\u0308ve" cafe\u0301'),
    ("\ufb01le ｆｕｌｌ", "file full"),
    ("Straße", "straße"),
    ("图书馆", "图 书\n馆。"),
    ("x⁵", "x5"),
    ("It\u2019s here \u2013 now", "Its here - now"),
]
OTHER = [
    ("a fox", "a box"),
    ("one two", "two one"),
    ("page 1", "page 2"),
    ("cafe", "café"),
    ("...", "!!!"),
    ("图书馆", "图馆书"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_readers_disagree_on_does_not_count(one, other):
    assert text_hashes([one]) == text_hashes([other])


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_letters_and_their_order_count(one, other):
    assert text_hashes([one]) != text_hashes([other])


@settings(deadline=None)
@given(st.lists(st.text(max_size=30) | st.text("aé图-\n .", max_size=30)), st.data())
def test_a_text_is_the_same_beside_others_and_in_pieces(texts, data):
    together = text_hashes(texts)
    assert together == [text_hashes([text])[0] for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.text.pieces.PIECE", data.draw(st.integers(1, 8)))
        patch.setattr(identity, "PIECE", 3)
        patch.setattr(identity, "is_long", lambda text: len(text) > 2)
        assert text_hashes(texts) == together


@settings(deadline=None)
@given(st.text(max_size=60))
def test_it_is_the_hash_of_the_letters_in_utf_8(text):
    table = alphabet(ScanSettings())
    raised = dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹™℠", "\0")  # these are not what NFKC makes of them
    if not any(raised.get(one) for one in text):
        normal = [ord(one) for one in unicodedata.normalize("NFKC", text)]
        letters = "".join(
            chr(table.fold[code]) for code in normal if table.kind[code] in {LETTER, ALONE, MARK}
        )
        data = (letters or text).encode("utf-8", "surrogatepass")
        assert text_hashes([text]) == [xxhash.xxh3_128_hexdigest(data)]

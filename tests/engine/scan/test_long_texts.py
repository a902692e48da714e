"""Long texts: read piece by piece with the same result, and refused where they are too long."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.base.tasks import MemoryRoom
from core.documents.reading_settings import ReadingLimits
from core.errors import LongTextError
from core.scan import ingest
from core.scan.ingest import sign_within
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text import characters, tokenising
from core.text.characters import comparing_bytes
from core.text.shingling import shingle, tokenise
from core.text.word_counts import usual_weight

CHARACTERS = "abc  \n.-ﬁﷺé\u0301\u0327漢字Ü 1²™ \u00ad한ᄒ ᅡ\u200b,'ไทย\ud800"
EVERY_KIND = [
    ScanSettings(),
    ScanSettings(k=1),
    ScanSettings(unit="char", k=4),
    ScanSettings(unit="char", k=3, white_space="collapse"),
    ScanSettings(stem=True, drop_stop_words=True, language="english"),
    ScanSettings(bag=True, k=3),
]


@pytest.fixture
def short_pieces(monkeypatch):
    for module in (characters, tokenising):
        monkeypatch.setattr(module, "PIECE", 7)


def weights_of(shingles, settings):
    return shingles.all_weights(usual_weight(settings.unit)).tolist()


@pytest.mark.parametrize("settings", EVERY_KIND)
@given(text=st.text(st.sampled_from(CHARACTERS), max_size=120))
@example(text="111111111111\xad\u03011\xad")  # a mark moves in one part, nothing in the next
def test_shingles_and_spans_do_not_depend_on_pieces(settings, text):
    texts = [text, "x y z", text[:9]]
    with pytest.MonkeyPatch.context() as patch:
        whole, tokens = shingle(texts, settings), tokenise(text, settings)
        for module in (characters, tokenising):
            patch.setattr(module, "PIECE", 7)
        cut, cut_tokens = shingle(texts, settings), tokenise(text, settings)

    for one, other in zip(whole[:4], cut[:4], strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert weights_of(whole, settings) == weights_of(cut, settings)
    for one, other in zip(tokens, cut_tokens, strict=True):
        assert np.array_equal(one, other)


@given(text=st.text(st.sampled_from("ab-\n \u2010\u00adA."), max_size=200))
def test_broken_words_are_found_wherever_a_text_is_cut(text):
    with pytest.MonkeyPatch.context() as patch:
        whole = tokenising.find_breaks(text)
        patch.setattr(tokenising, "AT_ONCE", 3)
        assert tokenising.find_breaks(text) == whole


def test_a_text_of_nothing_but_broken_words_is_taken_as_it_is(monkeypatch):
    text = "ab-\ncd " * 20
    assert len(tokenising.find_breaks(text)) == 20
    monkeypatch.setattr(tokenising, "MOST_BREAKS", 19)
    assert tokenising.find_breaks(text) == []


def signed(texts, limits, settings=EVERY_KIND[0]):
    with MemoryRoom().claim() as claim:
        return sign_within(texts, settings, limits, claim)


@pytest.mark.usefixtures("short_pieces")
def test_a_text_of_too_many_words_is_refused_and_the_others_are_signed(monkeypatch):
    texts = ["some words", "one two three four five six", "and others"]
    found, refused = signed(texts, ReadingLimits(characters=32))

    assert found.units.tolist() == [2, 0, 2]
    assert list(refused) == [1]
    assert refused[1].limit == "characters"
    assert refused[1].detail == (
        "This text is longer than 5 words. Such a text is not compared, because that takes much "
        "memory. Split it, or raise the limit in the settings."
    )
    assert np.array_equal(
        found.signatures[[0, 2]], sign_texts(texts[::2], EVERY_KIND[0]).signatures
    )
    monkeypatch.setattr(ingest, "available_memory", lambda: 1000)
    _, refused = signed(texts, ReadingLimits())
    assert "half of what is free" in refused[1].detail
    assert not refused[1].limit  # no other would help


def test_a_short_text_is_refused_where_the_limit_is_shorter_still():
    found, refused = signed(["one two three", "four"], ReadingLimits(characters=13))

    assert found.units.tolist() == [0, 1]
    assert list(refused) == [0]


@pytest.mark.usefixtures("short_pieces")
def test_a_row_of_characters_that_grow_is_refused_before_they_do(monkeypatch):
    monkeypatch.setattr(tokenising, "LONGEST_PIECE", 1000)
    text = "\ufdfa" * 100

    with pytest.raises(LongTextError, match="which grow to 1800 in their normal form"):
        shingle([text], ScanSettings())
    _, refused = signed([text], ReadingLimits())
    assert "100 characters in a row without white space" in refused[0].detail


def test_signing_a_long_text_claims_what_it_takes():
    room = MemoryRoom(10)
    text = "ab " * 400_000
    with room.claim() as claim:
        sign_within([text], ScanSettings(), ReadingLimits(), claim)
        assert claim.size >= comparing_bytes(400_000)


@pytest.mark.parametrize(
    ("text", "words"),
    [("ab cd, ef", 3), ("漢字漢字", 4), ("été là", 2), ("\ufdfa", 4)],
)
def test_words_are_never_taken_for_fewer(text, words):
    assert words <= characters._words(text) <= 2 * words + 1

"""Texts that are compared with several others are read once, while there is room for them."""

import pytest

from core.evidence.passages import PairText
from core.settings import ScanSettings
from core.spark import evidence
from core.spark.evidence import ReadTexts
from core.text.set_aside import GAP, Reason, SetAside
from core.text.store import TextStore

TEXTS = ["one two three four", "five six seven", "eight nine ten eleven twelve"]
SETTINGS = ScanSettings()
ASIDE = {1: [SetAside(5, 8, Reason.QUOTATION)]}


@pytest.fixture
def read(monkeypatch):
    """The texts that are read, in their order."""
    texts = []

    def reading(text, *more, **named):
        texts.append(text)
        return PairText(text, *more, **named)

    monkeypatch.setattr(evidence, "PairText", reading)
    return texts


def made():
    texts = TextStore()
    texts.extend(TEXTS)
    texts.put_aside(ASIDE)
    return ReadTexts(texts, ["en", None, ""], SETTINGS)


def test_each_is_read_once(read):
    texts = made()

    for place in (0, 1, 0, 2, 1, 2, 0, 1, 2, 0):
        assert texts[place].text == TEXTS[place]

    assert sorted(read) == sorted(TEXTS)


def test_set_aside_and_languages_are_those_given():
    texts = made()

    assert (texts[1].values == GAP).tolist() == [False, True, False]
    assert not (texts[0].values == GAP).any()
    assert texts[0].language == "en"
    assert texts[2].language == PairText(TEXTS[2], SETTINGS).language


def test_those_of_long_ago_are_let_go(read, monkeypatch):
    monkeypatch.setattr(evidence, "KEPT", len(TEXTS[0]) + len(TEXTS[1]))
    texts = made()

    first, _ = texts[0], texts[1]
    assert texts[0] is first
    assert texts[2].text == TEXTS[2]
    again = texts[0]

    assert again is not first
    assert again.text == TEXTS[0]
    assert read.count(TEXTS[0]) == 2


def test_a_text_longer_than_all_that_is_kept(monkeypatch):
    monkeypatch.setattr(evidence, "KEPT", 1)
    texts = made()

    assert [texts[place].text for place in (2, 0)] == [TEXTS[2], TEXTS[0]]

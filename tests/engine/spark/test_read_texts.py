"""Texts that are compared with several others are read once, while there is room for them."""

import numpy as np
import pytest

from core.evidence.pair_texts import PairText
from core.evidence.passage_selection import OTHER_GAP
from core.settings import ScanSettings
from core.spark import read_texts
from core.spark.read_texts import ReadTexts
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

    monkeypatch.setattr(read_texts, "PairText", reading)
    return texts


def made():
    texts = TextStore()
    texts.extend(TEXTS)
    texts.put_aside(ASIDE)
    return ReadTexts(texts, ["en", None, ""], SETTINGS)


def test_each_is_read_once_for_each_side(read):
    texts = made()

    for x, y in ((0, 1), (0, 2), (1, 2), (0, 1), (2, 0)):
        texts.pair(x, y)

    assert sorted(read) == sorted([*TEXTS, *TEXTS])


def test_what_is_set_aside_is_told_apart_by_the_side():
    one, other = made().pair(1, 1)

    assert one.values[1] == GAP
    assert other.values[1] == OTHER_GAP
    assert np.array_equal(one.values[[0, 2]], other.values[[0, 2]])


def test_languages_are_those_given():
    texts = made()

    assert texts.pair(0, 1)[0].language == "en"
    assert texts.pair(2, 1)[0].language == PairText(TEXTS[2], SETTINGS).language


def test_those_of_long_ago_are_let_go(read, monkeypatch):
    monkeypatch.setattr(read_texts, "KEPT", len(TEXTS[0]) + len(TEXTS[1]))
    texts = made()

    first, _ = texts.pair(0, 1)
    assert texts.pair(0, 1)[0] is first
    texts.pair(2, 1)
    again, other = texts.pair(0, 1)

    assert again is not first
    assert (again.text, other.text) == (TEXTS[0], TEXTS[1])
    assert read.count(TEXTS[0]) == 2


def test_a_text_longer_than_all_that_is_kept(monkeypatch):
    monkeypatch.setattr(read_texts, "KEPT", 1)

    one, other = made().pair(2, 0)

    assert (one.text, other.text) == (TEXTS[2], TEXTS[0])

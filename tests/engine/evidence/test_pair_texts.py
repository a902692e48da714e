"""A text of a pair: what is set aside in it is never the same as what is set aside in another."""

from core.evidence.passage_selection import OTHER_GAP
from core.evidence.passages import PairText
from core.settings import ScanSettings
from core.text.set_aside import GAP, Reason, SetAside

TEXT = "five six seven"
SIX = SetAside(5, 8, Reason.QUOTATION)


def test_a_gap_in_the_second_text_is_not_as_one_in_the_first():
    text = PairText(TEXT, ScanSettings(), [SIX], "en")

    second = text.as_second

    assert text.values[1] == text.words("en").values[1] == text.words("en").forms[1] == GAP
    assert second.values[1] == second.words("en").values[1] == OTHER_GAP
    assert second.words("en").forms[1] == OTHER_GAP
    assert second.values[[0, 2]].tolist() == text.values[[0, 2]].tolist()
    assert text.as_second is second


def test_a_text_without_gaps_is_the_same_on_both_sides():
    text = PairText(TEXT, ScanSettings(), (), "en")

    assert text.as_second is text

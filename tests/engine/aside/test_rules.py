"""Rules are valid once they exist, and are the same again from JSON."""

import json

import pytest

from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.text.set_aside import Reason


def test_they_are_the_same_again():
    rules = AsideRules(
        quotations=True, common=5, phrases=(Phrase("a b", Reason.STANDARD), Phrase("字"))
    )

    assert AsideRules.of_json(json.loads(json.dumps(rules.as_json()))) == rules
    assert AsideRules.of_json({}) == NO_RULES
    assert rules
    assert not NO_RULES


def test_a_phrase_stands_there_once():
    rules = NO_RULES.with_phrases([Phrase("a"), Phrase("b")])
    rules = rules.with_phrases([Phrase("a", Reason.ASSIGNMENT)])

    assert set(rules.phrases) == {Phrase("a", Reason.ASSIGNMENT), Phrase("b")}
    assert rules.without_phrases([Phrase("a")]).phrases == (Phrase("b"),)


@pytest.mark.parametrize(
    "wrong",
    [
        {"common": 1},
        {"common": -3},
        {"common": 2**40},
        {"common": True},
        {"common": "5"},
        {"quotations": 1},
        {"phrases": "a"},
        {"phrases": [["a"]]},
        {"phrases": [["", "selection"]]},
        {"phrases": [["a", 1]]},
        {"phrases": [["a" * (1 << 21), "selection"]]},
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        AsideRules.of_json(wrong)


def test_a_reason_of_a_newer_version_counts_as_a_selection():
    assert AsideRules.of_json({"phrases": [["a", "whim"]], "more": 1}).phrases == (Phrase("a"),)


def test_what_finds_itself_is_no_reason_to_give():
    with pytest.raises(ValueError, match="quotation"):
        AsideRules(phrases=(Phrase("a", Reason.QUOTATION),))

"""A random check: drawn, judged, drawn again, undone; and one that somebody made up."""

import pytest

from core.documents.model import PairKey
from core.review.decisions import judged
from core.review.verdicts import draw_check
from core.scan.history import Command, entry_after
from core.scan.judgements import NO_CHECK, Judgements, RandomCheck

PAIRS = [PairKey.between(f"{one:032x}", f"{one + 1:032x}") for one in range(100)]


def after(judgements, command):
    return judged(judgements, [entry_after((), command, None)])


def test_a_check_draws_and_is_undone():
    before = Judgements()
    command, inverse = draw_check(before, PAIRS[:30], 70)
    drawn = after(before, command)
    assert drawn.check == RandomCheck(tuple(PAIRS[:30]), 70)
    assert after(drawn, inverse).check == NO_CHECK


def test_another_check_takes_the_place_of_the_first_and_gives_it_back():
    first = after(Judgements(), draw_check(Judgements(), PAIRS[:30], 70)[0])
    command, inverse = draw_check(first, PAIRS[30:60], 40)
    second = after(first, command)
    assert second.check != first.check
    assert after(second, inverse).check == first.check


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"texts": ["a"], "pairs": [0], "rest": 1},
        {"texts": ["a"], "pairs": [0, 1], "rest": 1},
        {"texts": ["a"], "pairs": [0, 0], "rest": -1},
        {"texts": ["a"], "pairs": [0, 0], "rest": "9"},
        {"texts": ["a" * 1000], "pairs": [0, 0], "rest": 1},
        {"texts": [1], "pairs": [0, 0], "rest": 1},
    ],
)
def test_one_that_cannot_be_is_refused(data):
    with pytest.raises((LookupError, TypeError, ValueError)):
        after(Judgements(), Command("random check", data))

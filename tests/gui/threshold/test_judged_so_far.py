"""What verdicts say of what is unread: silent before there are enough, exact where it counts."""

import re

import numpy as np

from core.scan.judgements import VERDICTS, Verdict
from neardup_gui.models.threshold import CheckedRows, JudgedSoFar, judged_so_far

CONFIRMED, NO_MATCH = (VERDICTS.index(one) for one in (Verdict.CONFIRMED, Verdict.NOT_A_MATCH))
RESEMBLANCES = np.linspace(1, 0.1, 200)


def verdicts(read):
    """Read from the top; what is more than half alike is confirmed."""
    said = np.where(RESEMBLANCES > 0.5, CONFIRMED, NO_MATCH).astype(np.uint8)
    said[read:] = 0
    return said


def test_a_few_verdicts_say_nothing():
    assert judged_so_far(RESEMBLANCES, verdicts(19)) == JudgedSoFar()


def test_verdicts_that_are_all_alike_make_no_curve():
    shown = judged_so_far(RESEMBLANCES, verdicts(40))
    assert shown.steps is None
    assert shown.words == ("40 pairs judged, 40 confirmed.",)
    assert shown.can_check


def test_what_is_below_is_expected_not_to_be_confirmed():
    shown = judged_so_far(RESEMBLANCES, verdicts(150))
    judged, expected, holds = shown.words
    assert judged == "150 pairs judged, 111 confirmed."
    assert expected.startswith(
        "Of 50 unread pairs at most 12 would be confirmed (with 95\N{NO-BREAK SPACE}%)."
    )
    assert holds.startswith("By resemblance alone 1")
    s, p = shown.steps
    assert (s[0], s[-1]) == (0, 1)
    assert (np.diff(p) >= 0).all()


def test_a_range_is_said_in_whole_numbers():
    random = np.random.default_rng(1)
    resemblances = np.linspace(1, 0.1, 2000)
    said = np.where(random.random(2000) < resemblances, CONFIRMED, NO_MATCH).astype(np.uint8)
    said[random.random(2000) < 0.5] = 0
    expected = judged_so_far(resemblances, said).words[1]
    unread, least, most = map(int, re.findall(r"\d+", expected.replace(",", ""))[:3])
    assert unread == int((said == 0).sum())
    assert 0 < least < unread * 0.55 < most < unread
    assert expected.startswith(f"Of {unread:,} unread pairs {least} to {most} would be confirmed")


def test_a_check_bounds_the_others_when_all_of_it_is_judged():
    said = verdicts(100)
    check = CheckedRows(np.array([120, 150, 180]), 97)
    assert judged_so_far(RESEMBLANCES, said, check).check == "Random check: 0 of 3 judged."
    said[[120, 150, 180]] = NO_MATCH
    shown = judged_so_far(RESEMBLANCES, said, check)
    assert shown.check.startswith(
        "Random check: 0 of 3 confirmed. With 95\N{NO-BREAK SPACE}% at most "
    )
    assert shown.check.endswith("of the 97 others that were unread then.")
    assert shown.checked == (3, 3)

"""Where signatures of a pair agree: against the search for candidates, and against the curve."""

from __future__ import annotations

import numpy as np
import pytest

from core.candidates.bands import meet_in_a_band
from core.candidates.scurve import BandCurve, meeting_of
from core.evidence.pairs import FoundBy, PairFigures
from core.reports.why_words import chance_of_meeting, grid_caption, why_listed
from core.settings import ScanSettings

BANDS = ScanSettings(bands=20, rows=5, min_resemblance=0.5)
BITS = ScanSettings(signature="simhash", max_distance=3)


def figures(resemblance: float) -> PairFigures:
    share = 2 * resemblance / (1 + resemblance)
    return PairFigures(resemblance, share, share, 40, 100, 40)


def test_the_bands_that_met_are_those_of_the_search() -> None:
    random = np.random.default_rng(5)
    for _ in range(200):
        a = random.integers(0, 2**32, 128, dtype=np.uint32)
        b = np.where(random.random(128) < 0.8, a, a + np.uint32(1))
        meeting = meeting_of(a, b, figures(0.8), BANDS)
        both = np.stack([a, b])
        zero, one = np.array([0]), np.array([1])
        assert meeting.met == bool(meet_in_a_band(both, zero, one, 20, 5)[0])
        assert meeting.agree.shape == (20, 5)
        assert meeting.bands == tuple(i for i in range(20) if meeting.agree[i].all())
        assert meeting.equal == int((a == b).sum())
        assert meeting.chance == pytest.approx(float(BandCurve(20, 5).probability(0.8)))


def test_bits_are_counted_in_both_halves() -> None:
    a = np.array([0b1011, 0], dtype=np.uint32)
    b = np.array([0b0010, 1 << 31], dtype=np.uint32)
    meeting = meeting_of(a, b, figures(0.9), BITS)
    assert (meeting.equal, meeting.values, meeting.met) == (61, 64, True)
    assert np.argwhere(~meeting.agree).tolist() == [[0, 0], [0, 3], [7, 7]]
    further = meeting_of(a, b ^ np.uint32(1 << 9), figures(0.9), BITS)
    assert not further.met
    assert "63" not in grid_caption(further, BITS)
    assert "59 of 64 bits are the same" in grid_caption(further, BITS)


def test_a_pair_says_which_bands_led_to_it() -> None:
    a = np.arange(128, dtype=np.uint32)
    b = a.copy()
    b[3] += 1  # in band 1
    b[5:100] += 1
    meeting = meeting_of(a, b, figures(0.3), BANDS)
    assert not meeting.met
    said = " ".join(why_listed(FoundBy.LSH | FoundBy.PASSAGE, figures(0.3), meeting, BANDS))
    assert "No band of the two signatures is the same." in said
    assert "both hold the same run of words" in said
    b[10:15] = a[10:15]
    said = " ".join(
        why_listed(FoundBy.LSH, figures(0.6), meeting_of(a, b, figures(0.6), BANDS), BANDS)
    )
    assert "band 3 of 20 is the same" in said
    assert "40 words" in said


def test_no_chance_is_rounded_to_none_or_all() -> None:
    a = np.arange(128, dtype=np.uint32)
    rare, sure = (meeting_of(a, a, figures(s), BANDS) for s in (0.05, 0.95))
    assert "<1%" in chance_of_meeting(rare, figures(0.05), BANDS)
    assert ">99%" in chance_of_meeting(sure, figures(0.95), BANDS)


def test_same_texts_needed_no_search() -> None:
    (said,) = why_listed(FoundBy.EXACT | FoundBy.LSH, figures(1.0), None, BANDS)
    assert "same words throughout" in said

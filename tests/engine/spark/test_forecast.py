"""What a sample says of all documents, held against what is there."""

import numpy as np
import pytest

from core.candidates.lsh import candidate_pairs
from core.errors import TooManyCandidatesError
from core.settings import ScanSettings
from core.signatures.methods import hamming_distance
from core.signatures.signing import sign_texts
from core.spark import forecast
from core.spark.forecast import Sample, check_budget, costs, draw, usual_budget
from core.spark.scan import copies, distinct
from tests.engine.spark.tables import documents, texts_with_copies

SETTINGS = ScanSettings(reworked="off")
SIMHASH = ScanSettings(signature="simhash", max_distance=6, reworked="off")


def different(settings, count=1200):
    """The signatures and digests of different texts, of which some are copies of others."""
    texts = texts_with_copies(count, seed=3, words=80)
    signed = sign_texts(texts, settings)
    _, first = np.unique(signed.digests[:, 0], return_index=True)
    return signed.signatures[first], signed.digests[first]


def drawn(signatures, digests, share, rng, reviewed=None):
    chosen = rng.random(len(signatures)) < share
    own = np.ones(len(signatures), dtype=bool) if reviewed is None else reviewed
    return Sample(len(signatures), share, signatures[chosen], digests[chosen], own[chosen])


def met(signatures, digests, bands, rows, reviewed=None):
    rows_in_use = np.arange(len(signatures))
    chunks = candidate_pairs(signatures, digests, rows_in_use, bands, rows, to_review=reviewed)
    return sum(len(chunk.x) for chunk in chunks)


@pytest.mark.parametrize("reviewed", [None, 400])
def test_a_whole_collection_is_counted(reviewed):
    signatures, digests = different(SETTINGS)
    mask = None if reviewed is None else np.arange(len(signatures)) < reviewed
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0), mask)

    for cost in costs(sample, SETTINGS)[:12]:
        wanted = met(signatures, digests, cost.settings.bands, cost.settings.rows, mask)
        assert cost.candidates == (wanted, wanted, wanted)


@pytest.mark.parametrize(("bands", "rows"), [(64, 2), (32, 4), (14, 9)])
@pytest.mark.parametrize("share", [0.1, 0.4])
def test_intervals_hold_what_is_there(bands, rows, share):
    settings = SETTINGS.with_changes(bands=bands, rows=rows)
    signatures, digests = different(settings)
    there = met(signatures, digests, bands, rows)
    rng = np.random.default_rng(5)

    told = [costs_of_own(drawn(signatures, digests, share, rng), settings) for _ in range(100)]

    held = sum(one.candidates.low <= there <= one.candidates.high for one in told)
    assert held >= 90
    mean = np.mean([one.candidates.expected for one in told])
    assert 0.8 * there < mean < 1.25 * there


def costs_of_own(sample, settings):
    return forecast._of_bands(sample, settings)


def test_the_interval_of_a_sample_without_pairs_still_allows_some():
    signatures = np.arange(300 * 128, dtype=np.uint32).reshape(300, 128)
    digests = np.arange(600, dtype=np.uint64).reshape(300, 2)
    sample = Sample(300_000, 1e-3, signatures, digests, np.ones(300, dtype=bool))

    candidates = forecast._of_bands(sample, SETTINGS).candidates

    assert (candidates.expected, candidates.low) == (0, 0)
    assert 1e5 < candidates.high < 1e7


def test_a_crowd_costs_what_it_will_and_not_all_its_pairs():
    rng = np.random.default_rng(1)
    signatures = rng.integers(0, 2**32, (2000, 128), dtype=np.uint32)
    signatures[:1500, :4] = 7  # two bands of 64 × 2 with all of these, in the whole 1,500,000
    digests = rng.integers(0, 2**63, (2000, 2)).astype(np.uint64)
    sample = Sample(2_000_000, 1e-3, signatures, digests, np.ones(2000, dtype=bool))

    cost = forecast._of_bands(sample, SETTINGS.with_changes(bands=64, rows=2))

    assert cost.in_crowds == pytest.approx(1_500_000)
    assert cost.largest == pytest.approx(1_500_000)
    assert cost.candidates.low >= 1_500_000
    assert cost.candidates.expected < 20_000_000  # all pairs of the crowd would be 10^12


def test_distances_are_told_from_one_search():
    signatures, digests = different(SIMHASH, 500)
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0))
    x, y = np.triu_indices(len(signatures), 1)
    differing = hamming_distance(signatures, x, y)

    told = {cost.choice: cost.candidates.expected for cost in costs(sample, SIMHASH)}

    assert told == {f"d = {d}": (differing <= d).sum() for d in range(7)}


def test_a_budget_is_refused_with_settings_that_would_do():
    signatures, digests = different(SETTINGS)
    settings = SETTINGS.with_changes(bands=128, rows=1)
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0))
    there = met(signatures, digests, 128, 1)
    fewer = met(signatures, digests, 32, 4)

    with pytest.raises(TooManyCandidatesError) as refused:
        check_budget(sample, settings, fewer + 5)
    check_budget(sample, settings, there)
    check_budget(sample, settings, 0)
    check_budget(sample, settings, None)
    with pytest.raises(TooManyCandidatesError, match="Longer shingles are needed: a larger k"):
        check_budget(sample, settings, 1)

    sentence = str(refused.value)
    assert sentence.startswith("With b × r = 128 × 1 ")
    assert f"the budget is {fewer + 5:,}." in sentence
    assert "32 × 4 compares" in sentence
    assert "64 × 2 compares" not in sentence
    assert sentence.endswith("With --budget 0 any number is compared.")
    assert usual_budget(10) == 20_000_000
    assert usual_budget(10**9) == 2 * 10**11


def test_what_is_drawn_depends_on_the_texts_alone(spark, monkeypatch):
    texts = texts_with_copies(300)
    signed = sign_texts(texts, SETTINGS)
    table = documents(spark, texts, SETTINGS, reference=range(0, 300, 3))
    frame = distinct(table, copies(table))
    monkeypatch.setattr(forecast, "LEAST", 90)

    # Fingerprints of long documents are too much for the driver: they are not asked for.
    sample = draw(frame.drop("fingerprints", "skip_grams"), SETTINGS)

    assert sample.documents == len(np.unique(signed.digests[:, 0]))
    assert sample.share == pytest.approx(90 / sample.documents)
    high = signed.digests[:, 0] / 2**64
    assert set(sample.digests[:, 0].tolist()) == {
        int(digest)
        for digest, place in zip(signed.digests[:, 0], high, strict=True)
        if place < sample.share
    }
    assert 0 < sample.reviewed.sum() < len(sample.reviewed)

"""The order in which pairs are listed, and how many are listed for what."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.candidates.reworked import CommonSkipGrams
from core.evidence.pairs import FoundBy, Pairs
from core.reports.list_words import list_in_words, not_listed_in_words
from core.reports.pair_words import ListedFor, listed_for
from core.scan import reworked
from core.scan.audit_results import CapKind
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.pair_list import ListCounts, PairList, count_pairs
from core.settings import PRESETS, ScanSettings
from core.signatures.signing import sign_texts

CAREFUL = ScanSettings(reworked="careful", min_resemblance=0.1)


def make_pairs(rows: list[tuple[float, float, FoundBy]]) -> Pairs:
    """Pairs by resemblance, share of reworked passages, and how they were found."""
    count = len(rows)
    resemblance, share, found = (np.array(column) for column in zip(*rows, strict=True))
    return Pairs.empty().with_columns(
        a=np.zeros(count, dtype=np.int32),
        b=np.arange(1, count + 1, dtype=np.int32),
        resemblance=resemblance,
        containment_a=resemblance,
        containment_b=resemblance,
        estimate=resemblance.astype(np.float32),
        shared_shingles=np.full(count, 9, dtype=np.int32),
        longest_run=np.full(count, 9, dtype=np.int32),
        run_words=np.full(count, 9, dtype=np.int32),
        exact_duplicate=np.zeros(count, dtype=np.bool_),
        found_by=found.astype(np.uint8),
        reworked_words=np.full(count, 9, dtype=np.int32),
        reworked_bits=np.full(count, 90, dtype=np.float32),
        reworked_share=share.astype(np.float32),
    )


PAIRS = make_pairs(
    [
        (0.50, 0.00, FoundBy.LSH),
        (0.30, -1.0, FoundBy.LSH),  # not measured
        (0.20, 0.90, FoundBy.LSH | FoundBy.REWORKED),
        (0.05, 0.60, FoundBy.REWORKED),
        (0.04, 0.10, FoundBy.PASSAGE | FoundBy.REWORKED),
    ]
)


def make_list(settings: ScanSettings) -> PairList:
    return PairList(settings=settings, documents=(), problems=(), every=PAIRS)


def test_pairs_in_other_words_come_before_pairs_that_are_only_more_alike():
    # (R + 2 S) / 3: .667, .417, .300 (by resemblance alone), .167, .080
    assert make_list(CAREFUL).pairs.b.tolist() == [3, 4, 2, 1, 5]
    assert PAIRS.ranked().b.tolist() == [1, 2, 3, 4, 5]


def test_without_reworked_passages_the_order_is_by_resemblance():
    alone = PAIRS.without_reworked()
    assert alone.reworked_words.tolist() == [-1] * 5
    assert alone.worst_first().b.tolist() == [1, 2, 3, 4, 5]


def test_equal_pairs_are_ordered_by_their_longest_run():
    pairs = make_pairs([(0.5, 0.5, FoundBy.LSH)] * 3)
    pairs = pairs.with_columns(longest_run=np.array([3, 9, 3], dtype=np.int32))
    assert pairs.worst_first().b.tolist() == [2, 1, 3]


def test_the_head_of_the_list_is_what_is_listed_for_its_resemblance():
    listed = make_list(CAREFUL.with_changes(list_passages=False))
    assert listed.pairs.b.tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (ListCounts(20, 1, 21), "20 pairs from 0.10 on, 1 more shares a passage of 30 words"),
        (
            ListCounts(20, 1, 24, 3),
            "20 pairs from 0.10 on, 1 more shares a passage of 30 words, 3 a reworked one",
        ),
        (ListCounts(20, 0, 21, 1), "20 pairs from 0.10 on, 1 more shares a reworked passage"),
        (ListCounts(0, 0, 2, 2), "no pair from 0.10 on, 2 more share a reworked passage"),
    ],
)
def test_how_many_are_listed_for_a_reworked_passage_alone_is_said(counts, words):
    assert list_in_words(counts, CAREFUL) == words


def test_each_pair_counts_for_one_reason():
    assert count_pairs(PAIRS, CAREFUL) == ListCounts(3, 1, 5, 1)
    none = CAREFUL.with_changes(list_passages=False)
    counts = count_pairs(PAIRS, none)
    assert (counts.listed, counts.below) == (3, 2)
    assert list_in_words(counts, none).endswith(", 1 a reworked one (not listed)")
    assert not_listed_in_words(counts, none) == (
        "1 more shares a passage of 30 words, 1 a reworked one below a resemblance of 0.10 and "
        "are not listed."
    )


def test_the_reason_is_marked():
    rows = zip(PAIRS.resemblance.tolist(), PAIRS.found_by.tolist(), strict=True)
    marks = [listed_for(ListedFor.of(value, ways, CAREFUL)) for value, ways in rows]
    assert marks == ["", "", "", "reworked only", "passage only"]


def test_who_wants_the_same_text_again_looks_for_nothing_reworked():
    (preset,) = (one.settings for one in PRESETS if one.name == "Same text again")
    assert (preset.list_passages, preset.reworked) == (False, "off")


def test_wording_that_is_too_common_is_told(monkeypatch):
    found = reworked.pair_by_skip_grams

    def with_common(*arguments):
        return found(*arguments)._replace(common=CommonSkipGrams(7, 300, 290, 1, 5))

    monkeypatch.setattr(reworked, "pair_by_skip_grams", with_common)
    monkeypatch.setattr(reworked, "MEASURED_ALL", {})  # as in a large folder
    texts = ["one two three four five six seven", "eight nine ten eleven twelve thirteen"]
    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(CAREFUL, pool)
        corpus.add(texts, sign_texts(texts, CAREFUL))
        (cap,) = PairLister(corpus).list_pairs(CAREFUL).caps
        off = CAREFUL.with_changes(reworked="off")
        assert not PairLister(corpus).list_pairs(off).caps
    assert cap.kind is CapKind.WORDING
    assert cap.sentence("b.txt").startswith("300 documents hold wording that stands in too many")

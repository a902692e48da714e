"""Texts of which many are alike, and what is known of pairs, for tests of the forecast."""

from __future__ import annotations

import numpy as np

from core.candidates.forecast import (
    LEVELS,
    BitSample,
    KnownBits,
    KnownPairs,
    Levels,
    bit_levels,
    level_of,
)
from core.reports.curve.state import FolderPairs, ThresholdState
from core.scan.pair_list import ListCounts

USUAL = ThresholdState(64, 2, 0.10, 128)


def folder_of(found=(), background=(), *, documents=5, listed=5, made_with=USUAL, **changes):
    """The pairs of a folder of `documents` documents, and a list of them."""
    return FolderPairs(
        found=np.array(found, dtype=float),
        background=np.array(background, dtype=float),
        documents=documents,
        counts=ListCounts(similar=listed, by_passage=0, listed=listed),
        made_with=made_with,
        **changes,
    )


def known_of(
    found,
    banding=(64, 2),
    *,
    threshold=0.1,
    sole=None,
    missed=(),
    passages=(),
    share=0.0,
    complete=False,
    listed=True,
    extra=None,
    identical=0,
    every=None,
    unsampled=False,
    background=(),
):
    """Pairs that the bands met, each in one of them alone (`sole`) or in several (-1, as usual).

    Args:
        found: Resemblances of pairs that bands met.
        banding: Bands and rows; None for bits.
        threshold: The resemblance from which pairs are listed.
        sole: The bands.
        missed: Resemblances of known pairs that no band met and no passage led to.
        passages: Resemblances of pairs that no band met and that share a passage.
        share: Of all pairs, those in the random sample.
        complete: Whether all pairs were compared.
        listed: Whether a list was made with this banding.
        extra: Number of candidates below the threshold.
        identical: Pairs with the same words.
        every: Resemblances of all pairs.
        unsampled: Whether no bands were tried at all.
        background: Resemblances of pairs drawn at random.
    """
    found, missed, passages = (
        np.array(values, dtype=float) for values in (found, missed, passages)
    )
    bands = banding[0] if banding else 0
    sole = np.full(len(found), -1) if sole is None else np.asarray(sole)

    def count(values):
        return np.bincount(level_of(values), minlength=LEVELS + 1).astype(float)

    all_known = np.concatenate([found, missed, passages])
    sums = np.bincount(level_of(all_known), all_known, minlength=LEVELS + 1)
    drawn = np.zeros(LEVELS + 1) if complete else count(found)
    by_band = np.zeros((LEVELS + 1, bands))
    if not complete:
        np.add.at(by_band, (level_of(found[sole >= 0]), sole[sole >= 0]), 1)
    levels = Levels(
        resemblance=np.where(
            count(all_known) > 0,
            sums / np.maximum(count(all_known), 1),
            np.arange(LEVELS + 1) / LEVELS,
        ),
        collided=count(found),
        missed=count(missed),
        passages=count(passages),
        sharing=count(passages),
        certain=count(all_known) if complete else count(passages),
        drawn=drawn,
        squares=drawn,
        drawn_only=np.zeros(LEVELS + 1),
        sole=by_band,
    )
    return KnownPairs(
        banding=banding,
        threshold=threshold,
        all_pairs=10**6,
        complete=complete,
        sampled=None if complete or unsampled else banding,
        share=share,
        is_listed=listed,
        extra_candidates=extra,
        identical=identical,
        levels=levels,
        every=None if every is None else count(np.array(every)),
        background=np.array(background, dtype=float),
    )


def bits_of(pairs, *, threshold=0.1, reach=64, candidates=None, identical=0):
    """Pairs of equal length that SimHash knows, as (resemblance, distance).

    Args:
        pairs: Those above the threshold, none of which share a passage.
        threshold: The resemblance from which pairs are listed.
        reach: Up to which distance all are known; 64 where all pairs were compared.
        candidates: How many pairs differ in 0, 1, ... bits; as many as are known by default.
        identical: Pairs with the same words.
    """
    s, distance = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    distance = distance.astype(np.int64)
    differing = (np.uint64(1) << distance.astype(np.uint64)) - np.uint64(1)
    sample = BitSample(
        s, 2 * s / (1 + s), distance, differing, np.ones(len(s)), np.zeros(len(s), dtype=bool)
    )
    count = np.bincount(distance) if candidates is None else np.asarray(candidates)
    return KnownBits(
        signature="simhash",
        threshold=threshold,
        complete=reach == 64,
        reach=reach,
        all_pairs=10**6,
        at_distance=np.pad(count.astype(float), (0, 65 - len(count))),
        spread=np.zeros(65),
        identical=identical,
        levels=bit_levels(sample, reach, weighted=False, by_rarity=False),
    )


def edited_texts(count, seed=1, edits=6):
    """Texts of 40 words, each an edit of one of the texts before it."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 200, 40)]]
    while len(texts) < count:
        words = list(texts[rng.integers(len(texts))])
        for position in rng.integers(0, 40, edits):
            words[position] = f"w{rng.integers(200)}"
        texts.append(words)
    return [" ".join(words) for words in texts]

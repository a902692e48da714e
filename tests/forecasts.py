"""Texts of which many are alike, and what is known of pairs, for tests of the forecast."""

from itertools import combinations

import numpy as np

from core.candidates.bands import agree_in_a_band
from core.candidates.forecast import LEVELS, BitLevels, BitSample, KnownBits, KnownPairs, level_of
from core.candidates.parameter_grid import FoundPairs
from core.evidence.pairs import pair_codes
from core.reports.curve.state import FolderPairs, ThresholdState
from core.scan.lister import PairLister
from core.scan.measured_pairs import count_levels
from core.scan.pair_list import DocumentCounts, ListCounts
from core.signatures.methods import hamming_distance
from tests.pairs import corpus_of

USUAL = ThresholdState(64, 2, 0.10, 128)


def folder_of(found=(), background=(), *, documents=5, listed=5, made_with=USUAL, **changes):
    """The pairs of a folder of `documents` documents, and a list of them."""
    return FolderPairs(
        found=np.array(found, dtype=float),
        background=np.array(background, dtype=float),
        documents=DocumentCounts(documents, 0),
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
    resemblance = np.array([*found, *missed, *passages], dtype=float)
    kinds = np.repeat(np.arange(3), [len(found), len(missed), len(passages)])
    codes, ones = np.arange(len(kinds), dtype=np.uint64), np.ones(len(kinds))
    pairs = FoundPairs.measured(codes, resemblance, ones)._replace(sharing=kinds == 2)
    if not complete:
        pairs.only_band[: len(found)] = -1 if sole is None else sole
        pairs = pairs._replace(drawn=kinds == 0)
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
        levels=count_levels(kinds == 0, pairs, banding, certain=complete),
        every=None if every is None else np.bincount(level_of(every), minlength=LEVELS + 1) * 1.0,
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
    there = np.bincount(distance) if candidates is None else np.asarray(candidates)
    return known_bits_of(
        bit_sample(2 * s / (1 + s), distance, differing), reach, threshold, there, identical
    )


def bit_sample(cosine, distance, differing):
    """Pairs of equal length that share no passage."""
    number = len(cosine)
    s = cosine / (2 - cosine)
    return BitSample(s, cosine, distance, differing, np.ones(number), np.zeros(number, dtype=bool))


def known_bits_of(sample, reach, threshold, there=(), identical=0):
    """What these pairs tell; `there` is how many pairs differ in 0, 1, ... bits."""
    return KnownBits(
        signature="simhash",
        threshold=threshold,
        complete=reach == 64,
        reach=reach,
        at_distance=np.pad(np.array(there, dtype=float), (0, 65 - len(there))),
        spread=np.zeros(65),
        identical=identical,
        levels=BitLevels(sample, reach, weighted=False, by_rarity=False),
    )


def edited_texts(count, seed=1, edits=6):
    """Texts of 40 words, each an edit of one of the texts before it."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 200, 40)]]
    while len(texts) < count:
        own = list(texts[rng.integers(len(texts))])
        for place in rng.integers(0, 40, edits):
            own[place] = f"w{rng.integers(200)}"
        texts.append(own)
    return [" ".join(words) for words in texts]


def listed_corpus(texts, settings, pool):
    """Texts of which a list was made, so that something is known of their pairs."""
    corpus = corpus_of(texts, settings, pool)
    PairLister(corpus, overlap=False).list_pairs(settings)
    return corpus


class Truth:
    """All pairs of different documents of a corpus, compared one by one."""

    def __init__(self, corpus):
        self.x, self.y = np.array(list(combinations(corpus.distinct().tolist(), 2))).T
        shared, sizes = corpus.evidence.measured(self.x, self.y).shared, corpus.evidence.sizes()
        self.resemblance = shared / (sizes[self.x] + sizes[self.y] - shared)
        copies = np.bincount(corpus.representatives(), minlength=len(corpus))
        self.counts = copies[self.x] * copies[self.y]
        self.shares = np.isin(pair_codes(self.x, self.y), corpus.shared_passages().codes)
        self.signatures = corpus.signed.signatures

    def found(self, setting):
        """Which pairs bands and rows find, or a distance of bits."""
        if isinstance(setting, int):
            return hamming_distance(self.signatures, self.x, self.y) <= setting
        return agree_in_a_band(self.signatures, self.x, self.y, *setting)

    def missed(self, least, setting):
        """Pairs from a resemblance on: all, those not found, and those sharing no passage either.

        Copies count: a pair of documents with two copies each stands for four.
        """
        above = self.resemblance >= least
        missed = above & ~self.found(setting)
        kinds = (above, missed, missed & ~self.shares)
        return tuple(int(self.counts[kind].sum()) for kind in kinds)

    def candidates(self, setting, below=2.0):
        """Pairs below a resemblance that are found."""
        return int((self.found(setting) & (self.resemblance < below)).sum())

"""Pairs of documents with the numbers that a test gives, and a corpus to find pairs in."""

from collections.abc import Sequence
from dataclasses import MISSING, fields

import numpy as np
from numpy.typing import ArrayLike

from core.candidates.bands import sorted_buckets
from core.candidates.lsh import pairs_of_buckets
from core.evidence.pairs import PairFigures, Pairs
from core.scan.corpus import Corpus
from core.signatures.signing import sign_texts

NEEDED = [field.name for field in fields(Pairs) if field.default_factory is MISSING]


def pairs_with(a: Sequence[int], b: Sequence[int], **columns: ArrayLike) -> Pairs:
    """Pairs of documents a and b; other numbers that are not given are 0 or not measured."""
    given = dict.fromkeys(NEEDED, np.zeros(len(a))) | {"a": a, "b": b} | columns
    types = {name: column.dtype for name, column in vars(Pairs.empty()).items()}
    return Pairs(**{name: np.asarray(column, dtype=types[name]) for name, column in given.items()})


def numbers_by_pair(pairs: Pairs, *names: str) -> dict[tuple[int, int], tuple[float, ...]]:
    """These numbers of each pair, by its documents."""
    columns = (getattr(pairs, name).tolist() for name in ("a", "b", *names))
    return {(a, b): tuple(numbers) for a, b, *numbers in zip(*columns, strict=True)}


def candidate_pairs(signatures, use, bands, rows, *, digests=None, to_review=None):
    """The pairs that agree in a band, in chunks; digests that are left out ascend with the rows."""
    if digests is None:
        digests = np.zeros((len(signatures), 2), dtype=np.uint64)
        digests[:, 1] = np.arange(len(signatures))
    if to_review is None:
        to_review = np.ones(len(signatures), dtype=np.bool_)
    buckets = sorted_buckets(signatures, use, bands, rows)
    return pairs_of_buckets(signatures, digests, to_review, buckets, bands, rows)


def listed(chunks):
    """The pairs of rows in chunks of candidates."""
    return [
        pair for chunk in chunks for pair in zip(chunk.x.tolist(), chunk.y.tolist(), strict=True)
    ]


def corpus_of(texts, settings, pool, to_review=None):
    corpus = Corpus(settings, pool)
    corpus.add(texts, sign_texts(texts, settings), to_review)
    return corpus


def figures(resemblance):
    """The numbers of two documents of equal length."""
    share = 2 * resemblance / (1 + resemblance)
    return PairFigures(resemblance, share, share, 40, 100, 40)

"""Pairs of documents with the numbers that a test gives, and a corpus to find pairs in."""

from collections.abc import Sequence
from dataclasses import MISSING, fields

import numpy as np
from numpy.typing import ArrayLike

from core.evidence.pairs import PairFigures, Pairs
from core.scan.corpus import Corpus
from core.signatures.signing import sign_texts

NEEDED = [field.name for field in fields(Pairs) if field.default_factory is MISSING]


def pairs_with(a: Sequence[int], b: Sequence[int], **columns: ArrayLike) -> Pairs:
    """Pairs of documents a and b; other numbers that are not given are 0 or not measured."""
    given = dict.fromkeys(NEEDED, np.zeros(len(a))) | {"a": a, "b": b} | columns
    types = {name: column.dtype for name, column in vars(Pairs.empty()).items()}
    return Pairs(**{name: np.asarray(column, dtype=types[name]) for name, column in given.items()})


def corpus_of(texts, settings, pool, to_review=None):
    corpus = Corpus(settings, pool)
    corpus.add(texts, sign_texts(texts, settings), to_review)
    return corpus


def figures(resemblance):
    """The numbers of two documents of equal length."""
    share = 2 * resemblance / (1 + resemblance)
    return PairFigures(resemblance, share, share, 40, 100, 40)

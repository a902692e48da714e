"""What a run would take, from a sample of its sources: pairs, bytes that are shuffled, core time.

Bytes are those of the rows that stages hand to each other: numbers and hashes as they are, texts as
Spark packs them, which is measured in the sample. Time is that of one core of this computer:
signing and comparing are measured in the sample; finding passages and reworked ones is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.cells import NAMED_TO_ALL, TOLD_TO_ALL
from core.spark.forecast import Cost, costs
from core.spark.sampled_texts import SampledTexts
from core.spark.sources.reading import BROADCAST_ROWS

BYTES_OF_BAND = 17  # of a document: hash, number, and whether it is to review
BYTES_OF_GRAM = 16  # hash and number
BYTES_OF_PAIR = 20  # numbers and ways
BLOCK = 1 << 15  # bytes that Spark packs at once (spark.io.compression.lz4.blockSize)
TIMED_CHARACTERS = 1 << 22
TIMED_PAIRS = 1 << 13


class Bill(NamedTuple):
    """What a run would take.

    Attributes:
        documents: How many there are.
        read: How many the sample has, of different words.
        choices: What the settings compare, then what others would.
        shuffled: Bytes by what is shuffled, in words.
        packed: Which part of their bytes texts take when they are.
        seconds: Of one core, by what is done, in words.
    """

    documents: int
    read: int
    choices: list[Cost]
    shuffled: dict[str, float]
    packed: float
    seconds: dict[str, float]


def bill_of(sampled: SampledTexts, documents: int, settings: ScanSettings, rows: int = 0) -> Bill:
    """What a run of so many documents would take under these settings.

    Args:
        sampled: Some of the documents.
        documents: How many there are.
        settings: Of the run.
        rows: How many of them are rows of tables.
    """
    sample, share = sampled.sample, sampled.sample.share
    choices = costs(sample, settings)
    pairs = choices[0].candidates.expected
    packed = packed_to(sampled.texts)
    shuffled = {
        "bands": float(sample.documents) * BYTES_OF_BAND * settings.bands,
        "fingerprints": sampled.grams * BYTES_OF_GRAM / share,
        "skip-grams": sampled.skip_grams * BYTES_OF_GRAM / share,
        "candidates": pairs * BYTES_OF_PAIR,
        **{what: size * packed for what, size in _of_texts(sampled, documents, rows, pairs)},
    }
    if settings.choice is None:
        del shuffled["bands"]
    sign, compare = _seconds(sampled, settings)
    seconds = {"signing": sign / share, "comparing": compare * pairs}
    return Bill(documents, len(sample.signatures), choices, shuffled, packed, seconds)


def packed_to(texts: Sequence[str]) -> float:
    """Which part of their bytes some texts take in a shuffle: 1 of none."""
    some = "".join(texts).encode("utf-8", "replace")
    codec = pa.Codec("lz4_raw")
    blocks = (some[start : start + BLOCK] for start in range(0, len(some), BLOCK))
    return sum(len(codec.compress(block)) for block in blocks) / len(some) if some else 1.0


def _of_texts(
    sampled: SampledTexts, documents: int, rows: int, pairs: float
) -> Iterator[tuple[str, float]]:
    """Bytes of texts by what they are shuffled for, before they are packed."""
    share, different = sampled.sample.share, sampled.sample.documents
    every = sampled.written / share
    if rows > BROADCAST_ROWS:
        yield "texts to be numbered", every * rows / documents
    in_pairs = min(different, 2 * pairs)
    compared = sampled.size / share * in_pairs / max(different, 1)
    # Of many pairs they go to who asks for them first, and from there to where they are compared.
    asked_for = every if in_pairs > NAMED_TO_ALL else compared
    for what in ("texts to be compared", "texts for passages"):
        yield what, compared + (asked_for if pairs > TOLD_TO_ALL else 0)


def _seconds(sampled: SampledTexts, settings: ScanSettings) -> tuple[float, float]:
    """How long one core takes to sign all texts of a sample, and to compare a pair of them."""
    lengths = np.array([len(text) for text in sampled.texts], dtype=np.int64)
    some = max(1, int(np.searchsorted(np.cumsum(lengths), TIMED_CHARACTERS)))
    texts = sampled.texts[:some]
    sign_texts(texts[:1], settings)  # what is compiled or loaded once is not counted
    began = time.perf_counter()
    signed = sign_texts(texts, settings)
    sign = (time.perf_counter() - began) * sampled.characters / max(lengths[:some].sum(), 1)
    x, y = np.triu_indices(min(len(texts), 1 + TIMED_PAIRS // 32), 1)
    x, y = x[:TIMED_PAIRS], y[:TIMED_PAIRS]
    if not len(x):
        return float(sign), 0.0
    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(settings, pool)
        corpus.add(texts, signed)
        corpus.evidence.measured(x[:1], y[:1])
        began = time.perf_counter()
        corpus.evidence.measured(x, y)
        return float(sign), (time.perf_counter() - began) / len(x)

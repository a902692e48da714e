"""What text-dedup does on Spark, written from its description, on the same engine and texts.

Its minhash_spark.py: text is cut at what is no letter, the words are joined to n-grams, every
distinct one is hashed, MinHash by random permutations modulo 2^61 - 1, bands of rows as bytes; rows
that share a band are grouped, and every one but the smallest is joined to the smallest by an edge.
Nothing is verified. Two signs that are no letters make an empty word there and none here, which
finds more where only punctuation differs.

The connected parts that it makes of the edges then (large star, small star, without GraphFrames)
are not needed to tell which pairs it finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from core.base.arrays import UInt64Array

PERMUTATIONS, NGRAM, THRESHOLD = 250, 5, 0.7  # its defaults
WORD = re.compile(r"\w+")
PRIME = np.uint64((1 << 61) - 1)
LARGEST = np.uint64((1 << 32) - 1)


class Bands(NamedTuple):
    """How signatures are cut."""

    count: int
    rows: int


def best_bands(threshold: float = THRESHOLD, permutations: int = PERMUTATIONS) -> Bands:
    """Bands and rows with the least false positives and negatives together, weighed alike."""
    grid = np.linspace(0, 1, 1001)
    best, chosen = np.inf, Bands(1, 1)
    for count in range(1, permutations + 1):
        for rows in range(1, permutations // count + 1):
            probability = 1 - (1 - grid**rows) ** count
            below = np.trapezoid(probability[grid <= threshold], grid[grid <= threshold])
            above = np.trapezoid(1 - probability[grid >= threshold], grid[grid >= threshold])
            if (below + above) / 2 < best:
                best, chosen = (below + above) / 2, Bands(count, rows)
    return chosen


class Keys(NamedTuple):
    """Makes the band keys of one text after the other, as its `generate_hash_values` does."""

    bands: Bands
    a: UInt64Array
    b: UInt64Array

    @staticmethod
    def make(bands: Bands) -> Keys:
        """With permutations of its seed."""
        rng = np.random.RandomState(42)
        a = rng.randint(1, int(PRIME), PERMUTATIONS, dtype=np.uint64)
        b = rng.randint(0, int(PRIME), PERMUTATIONS, dtype=np.uint64)
        return Keys(bands, a, b)

    def __call__(self, rows: Iterator[tuple[int, str]]) -> Iterator[tuple[tuple[int, bytes], int]]:
        """The keys of the texts of a partition, each with the number of its text."""
        for number, text in rows:
            words = WORD.findall(text.lower())
            grams = {
                " ".join(words[index : index + NGRAM]).encode()
                for index in range(max(1, len(words) - NGRAM + 1))
            }
            hashes = np.fromiter(
                (xxhash.xxh32_intdigest(gram) for gram in grams), np.uint64, len(grams)
            )
            values = ((hashes[:, None] * self.a + self.b) % PRIME & LARGEST).min(axis=0)
            for band in range(self.bands.count):
                part = values[band * self.bands.rows : (band + 1) * self.bands.rows]
                yield (band, part.byteswap().tobytes()), number


def edges(rows: tuple[tuple[int, bytes], Iterator[int]]) -> list[tuple[int, int]]:
    """Every document of a bucket with its smallest."""
    nodes = list(rows[1])
    if len(nodes) <= 1:
        return []
    smallest = min(nodes)
    return [(node, smallest) for node in nodes if node != smallest]


def pairs_of_documents(documents: DataFrame, bands: Bands | None = None) -> set[tuple[int, int]]:
    """The edges among documents, a table of `number` and `text`."""
    keys = Keys.make(bands or best_bands())
    rows = documents.select("number", "text").rdd.map(tuple)
    pairs = rows.mapPartitions(keys).groupByKey().flatMap(edges).distinct().collect()
    return {(min(pair), max(pair)) for pair in pairs}

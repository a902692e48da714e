"""What the texts of a run have in common, as rules need it: found by counting, then held whole.

A rule that compares all texts asks in how many documents some words in a row stand, or a line.
Each document says its own once, Spark counts, and what stands in enough documents goes to every
executor: of cover sheets and headings that is little, because each must be in a twentieth of all
documents; of templates and common passages it is bounded by `MOST_GRAMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from core.aside.common import LEAST_COMMON, LEAST_OF_TEMPLATE
from core.aside.grams import GramCounts, bits_for, gram_keys
from core.aside.repeated import (
    COVER_WORDS,
    Repeats,
    fewest_documents,
    headings_of,
    starts_of,
)
from core.aside.rules import AsideRules
from core.aside.words import Words, words_of
from core.base.parallel import batches
from core.base.wording import readable_count
from core.documents.roles import Role
from core.errors import ClusterError
from core.spark.columns import int64s
from core.spark.partitions import mapped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_GRAMS = 1 << 24  # and their counts: 256 MB on every executor
ROLE = "$.role"


class Together(NamedTuple):
    """What all texts say together; None for what is not asked.

    Attributes:
        common: Grams of `LEAST_COMMON` words that stand in enough documents.
        template: Grams of `LEAST_OF_TEMPLATE` words of templates.
        repeats: What repeats at the starts of documents and as a line.
    """

    common: GramCounts | None = None
    template: GramCounts | None = None
    repeats: Repeats | None = None


def together(documents: DataFrame, rules: AsideRules) -> Together:
    """Count what these rules ask, and what is in templates.

    Args:
        documents: `schemas.DOCUMENTS`.
        rules: What is set aside.

    Raises:
        ClusterError: So much stands in several documents that no executor could hold it.
    """
    bits = bits_for(documents.count())
    common = template = repeats = None
    if rules.common:
        grams = _Grams(_all_words, LEAST_COMMON, int(bits))
        common = _grams(documents, grams, rules.common, "raise the number behind common=")
    templates = documents.where(is_template())
    if not templates.isEmpty():
        grams = _Grams(_all_words, LEAST_OF_TEMPLATE, int(bits))
        template = _grams(templates, grams, 1, "give fewer templates")
    if rules.repeated:
        repeats = _repeats(documents, int(bits))
    return Together(common, template, repeats)


def is_template() -> str:
    """Which documents are templates, as a condition of Spark."""
    return f"get_json_object(document, '{ROLE}') = '{Role.TEMPLATE}'"


def _repeats(documents: DataFrame, bits: int) -> Repeats:
    from pyspark.sql import functions as F

    fewest = fewest_documents(documents.count())
    grams = _grams(documents, _Grams(starts_of, COVER_WORDS, bits), fewest, "do without “repeated”")
    lines = mapped(documents.select("text"), _headings, "line STRING")
    counted = lines.groupBy("line").count().where(F.col("count") >= fewest)
    return Repeats(fewest, grams, frozenset(row["line"] for row in counted.collect()))


def _grams(documents: DataFrame, work: _Grams, fewest: int, remedy: str) -> GramCounts:
    """The grams that stand in at least so many documents."""
    from pyspark.sql import functions as F

    grams = mapped(documents.select("text"), work, "gram LONG")
    counted = grams.groupBy("gram").count().where(F.col("count") >= fewest)
    table = counted.limit(MOST_GRAMS + 1).toArrow()
    if table.num_rows > MOST_GRAMS:
        raise ClusterError(
            f"What is to be set aside stands in more than {readable_count(MOST_GRAMS)} places, "
            f"more than an executor can hold: {remedy}."
        )
    keys = int64s(table.column("gram")).astype(np.uint64)
    order = np.argsort(keys)
    return GramCounts(keys[order], int64s(table.column("count"))[order], np.uint64(work.bits))


def _all_words(words: Words) -> Words:
    return words


@dataclass(frozen=True)
class _Grams:
    """Work of an executor: texts to the keys of their grams, each once for a text."""

    of: Callable[[Words], Words]
    length: int
    bits: int

    def __call__(self, parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            for texts in _slices(part):
                # A batch has no more texts than there are documents: their rows fit in the bits.
                words = self.of(words_of(texts, np.arange(len(texts), dtype=np.int64)))
                keys = gram_keys(words, self.length, np.uint64(self.bits))
                yield pa.record_batch({"gram": pa.array(keys.astype(np.int64))})


def _headings(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Texts to the lines that may be headings, each once for a text."""
    for part in parts:
        for texts in _slices(part):
            lines = [own for text in texts for own in {line.words for line in headings_of(text)}]
            yield pa.record_batch({"line": pa.array(lines, pa.string())})


def _slices(part: pa.RecordBatch) -> Iterator[list[str]]:
    texts = part.column("text").to_pylist()
    return (texts[some] for some in batches([len(text) for text in texts]))

"""Applies rules and templates to the documents of a run; changed documents are signed again.

The text that documents of a run have in common, as rules need it, is found by counting.

A rule that compares all texts needs the number of documents with a run of words, or with a line.
Each document gives its own once, Spark counts, and those in enough documents go to every
executor: of cover sheets and headings that is little, because each must be in a twentieth of all
documents; of templates and common passages it is bounded by `MOST_GRAMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.messages import gettext
from core.base.tasks import WorkerPool, batches
from core.base.wording import readable_count
from core.documents.model import Role
from core.errors import ClusterError
from core.exclusions import repeated
from core.exclusions.finding import Known, find_exclusions
from core.exclusions.rules import ExclusionRules
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_numbered
from core.spark.columns import (
    DOCUMENTS,
    Batches,
    bools,
    int64s,
    signed_columns,
    signed_of,
    texts_of,
)
from core.spark.files import exclusions_column
from core.spark.partitions import mapped
from core.text.set_aside import Reason, SetAside, merged
from core.text.store import TextStore

MOST_GRAMS = 1 << 24  # and their counts: 256 MB on every executor
ROLE = "$.role"


class CommonTextStatistics(NamedTuple):
    """The text that documents have in common; None for what no rule needs.

    Attributes:
        common: Grams of `LEAST_COMMON` words that stand in enough documents.
        template: Grams of `LEAST_OF_TEMPLATE` words of templates.
        repeats: Text that repeats at the starts of documents and as a line.
    """

    common: repeated.GramCounts | None = None
    template: repeated.GramCounts | None = None
    repeats: repeated.Repeats | None = None


def together(documents: DataFrame, rules: ExclusionRules) -> CommonTextStatistics:
    """Count the grams that these rules need, and those of templates.

    Args:
        documents: `columns.DOCUMENTS`.
        rules: What is set aside.

    Raises:
        ClusterError: So much stands in several documents that no executor could hold it.
    """
    bits = repeated.bits_for(documents.count())
    common = template = repeats = None
    if rules.common:
        grams = _Grams(_all_words, repeated.LEAST_COMMON, int(bits))
        common = _grams(documents, grams, rules.common, gettext("raise the number behind common="))
    templates = documents.where(is_template())
    if not templates.isEmpty():
        grams = _Grams(_all_words, repeated.LEAST_OF_TEMPLATE, int(bits))
        template = _grams(templates, grams, 1, gettext("give fewer templates"))
    if rules.repeated:
        repeats = _repeats(documents, int(bits))
    return CommonTextStatistics(common, template, repeats)


def is_template() -> str:
    """Which documents are templates, as a condition of Spark."""
    return f"get_json_object(document, '{ROLE}') = '{Role.TEMPLATE}'"


def _repeats(documents: DataFrame, bits: int) -> repeated.Repeats:
    fewest = repeated.fewest_documents(documents.count())
    grams = _grams(
        documents,
        _Grams(repeated.starts_of, repeated.COVER_WORDS, bits),
        fewest,
        gettext("do without “repeated”"),
    )
    lines = mapped(documents.select("text"), _headings, "line STRING")
    counted = lines.groupBy("line").count().where(F.col("count") >= fewest)
    return repeated.Repeats(fewest, grams, frozenset(row["line"] for row in counted.collect()))


def _grams(documents: DataFrame, work: _Grams, fewest: int, remedy: str) -> repeated.GramCounts:
    """The grams that stand in at least so many documents."""
    grams = mapped(documents.select("text"), work, "gram LONG")
    counted = grams.groupBy("gram").count().where(F.col("count") >= fewest)
    table = counted.limit(MOST_GRAMS + 1).toArrow()
    if table.num_rows > MOST_GRAMS:
        raise ClusterError(
            "What is to be set aside stands in more than {most} places, more than an executor "
            "can hold: {remedy}.",
            most=readable_count(MOST_GRAMS),
            remedy=remedy,
        )
    keys = int64s(table.column("gram")).astype(np.uint64)
    order = np.argsort(keys)
    return repeated.GramCounts(
        keys[order], int64s(table.column("count"))[order], np.uint64(work.bits)
    )


def _all_words(words: repeated.Words) -> repeated.Words:
    return words


@dataclass(frozen=True)
class _Grams:
    """Work of an executor: texts to the keys of their grams, each once for a text."""

    of: Callable[[repeated.Words], repeated.Words]
    length: int
    bits: int

    def __call__(self, parts: Batches) -> Batches:
        for part in parts:
            for texts in _slices(part):
                # A batch has no more texts than there are documents: their rows fit in the bits.
                words = self.of(repeated.words_of(texts, np.arange(len(texts), dtype=np.int64)))
                keys = repeated.gram_keys(words, self.length, np.uint64(self.bits))
                yield pa.record_batch({"gram": pa.array(keys.astype(np.int64))})


def _headings(parts: Batches) -> Batches:
    """Texts to the lines that may be headings, each once for a text."""
    for part in parts:
        for texts in _slices(part):
            lines = [
                heading
                for text in texts
                for heading in {line.words for line in repeated.headings_of(text)}
            ]
            yield pa.record_batch({"line": pa.array(lines, pa.string())})


def _slices(part: pa.RecordBatch) -> Iterator[list[str]]:
    texts = part.column("text").to_pylist()
    return (texts[part_slice] for part_slice in batches([len(text) for text in texts]))


Spans = dict[int, tuple[SetAside, ...]]


def set_aside(
    session: SparkSession, documents: DataFrame, rules: ExclusionRules, settings: ScanSettings
) -> DataFrame:
    """The documents with text set aside by these rules and templates, as on one machine.

    Args:
        session: Where to work.
        documents: `columns.DOCUMENTS`, signed without the names of files in submissions alone.
        rules: What is set aside.
        settings: How documents are signed.

    Raises:
        ClusterError: See `together.together`.
    """
    sent = session.sparkContext.broadcast(together(documents, rules))
    work = _Exclusions(rules, settings, sent)
    frame = documents.withColumn("template", F.expr(f"coalesce({is_template()}, false)"))
    return mapped(frame, work, DOCUMENTS)


@dataclass(frozen=True)
class _Exclusions:
    """Work of an executor: documents to the same with spans set aside in them."""

    rules: ExclusionRules
    settings: ScanSettings
    together: Broadcast[CommonTextStatistics]

    def __call__(self, parts: Batches) -> Batches:
        with WorkerPool(1) as pool:
            for part in parts:
                lengths = part.column("characters").to_pylist()
                for part_slice in batches(lengths):
                    yield self._done(
                        part.slice(part_slice.start, part_slice.stop - part_slice.start), pool
                    )

    def _done(self, part: pa.RecordBatch, pool: ThreadPoolExecutor) -> pa.RecordBatch:
        texts = texts_of(part)
        before = dict(texts.set_aside)
        spans = self._spans_of(texts, np.flatnonzero(bools(part.column("template"))).tolist(), pool)
        texts.exclude_spans(spans)
        changed = [row for row in range(len(texts)) if _differ(before.get(row, ()), spans[row])]
        signed = signed_of(part, self.settings)
        if changed:
            fresh = sign_numbered(texts, np.array(changed, np.int64), self.settings)
            rows = np.arange(len(texts), dtype=np.int64)
            rows[changed] = len(texts) + np.arange(len(changed))
            signed = SignedTexts.join([signed, fresh]).take(rows)
        columns: dict[str, Any] = dict(zip(part.schema.names, part.columns, strict=True))
        del columns["template"]
        columns |= {"aside": exclusions_column(spans, len(texts)), **signed_columns(signed)}
        return pa.record_batch(columns)

    def _spans_of(
        self, texts: TextStore, templates: Sequence[int], pool: ThreadPoolExecutor
    ) -> Spans:
        """The spans now set aside in each text, in reading order."""
        rules = replace(self.rules, common=0, repeated=False)
        looked = repeated.Texts(texts, texts.lengths, pool)
        by_row = {row: set(spans) for row, spans in find_exclusions(looked, rules, Known()).items()}
        for row, span in self._in_all(looked):
            by_row[row].add(span)
        for row, spans in texts.set_aside.items():
            by_row[row].update(
                file_name_span
                for file_name_span in spans
                if file_name_span.reason is Reason.FILE_NAME
            )
        for row in templates:
            by_row[row] = {SetAside(0, int(texts.lengths[row]), Reason.TEMPLATE)}
        return {row: tuple(sorted(spans)) for row, spans in by_row.items()}

    def _in_all(self, texts: repeated.Texts) -> Iterator[tuple[int, SetAside]]:
        """The spans of these texts that documents have in common."""
        in_common = self.together.value
        if in_common.common is not None:
            yield from repeated.shared_spans(
                texts, in_common.common, repeated.LEAST_COMMON, Reason.COMMON
            )
        if in_common.template is not None:
            yield from repeated.shared_spans(
                texts, in_common.template, repeated.LEAST_OF_TEMPLATE, Reason.TEMPLATE
            )
        if in_common.repeats is not None:
            starts = [repeated.starts_of(words) for words in texts.all_words()]
            lines = texts.each(repeated.headings_of, range(len(texts)))
            yield from repeated.repeated_spans(starts, lines, in_common.repeats)


def _differ(before: Sequence[SetAside], now: Sequence[SetAside]) -> bool:
    return not np.array_equal(merged(before), merged(now))

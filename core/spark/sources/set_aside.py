"""What rules and templates set aside in the documents of a run; what changed is signed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from core.aside.common import LEAST_COMMON, LEAST_OF_TEMPLATE, shared_spans
from core.aside.finding import Known, find_aside
from core.aside.grams import GramCounts
from core.aside.repeated import headings_of, repeated_spans, starts_of
from core.aside.rules import AsideRules
from core.aside.texts import Texts
from core.base.parallel import batches
from core.base.progress import never
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_numbered
from core.spark.columns import bools, signed_columns, signed_of, texts_of
from core.spark.partitions import mapped
from core.spark.schemas import DOCUMENTS
from core.spark.sources.read_rows import aside_column
from core.spark.sources.together import Together, is_template, together
from core.text.set_aside import Reason, SetAside, merged
from core.text.store import TextStore

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

Spans = dict[int, tuple[SetAside, ...]]


def set_aside(
    session: SparkSession, documents: DataFrame, rules: AsideRules, settings: ScanSettings
) -> DataFrame:
    """The documents with what these rules and templates say set aside, as one machine finds it.

    Args:
        session: Where to work.
        documents: `schemas.DOCUMENTS`, signed without the names of files in submissions alone.
        rules: What is set aside.
        settings: How documents are signed.

    Raises:
        ClusterError: See `together.together`.
    """
    from pyspark.sql import functions as F

    said = session.sparkContext.broadcast(together(documents, rules))
    work = _SetAside(rules, settings, said)
    told = documents.withColumn("template", F.expr(f"coalesce({is_template()}, false)"))
    return mapped(told, work, DOCUMENTS)


@dataclass(frozen=True)
class _SetAside:
    """Work of an executor: documents to the same with what is set aside in them."""

    rules: AsideRules
    settings: ScanSettings
    together: Broadcast[Together]

    def __call__(self, parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with ThreadPoolExecutor(1) as pool:
            for part in parts:
                lengths = part.column("characters").to_pylist()
                for some in batches(lengths):
                    yield self._done(part.slice(some.start, some.stop - some.start), pool)

    def _done(self, part: pa.RecordBatch, pool: ThreadPoolExecutor) -> pa.RecordBatch:
        texts = texts_of(part)
        before = dict(texts.set_aside)
        spans = self._found(texts, np.flatnonzero(bools(part.column("template"))).tolist(), pool)
        texts.put_aside(spans)
        changed = [row for row in range(len(texts)) if _differ(before.get(row, ()), spans[row])]
        signed = signed_of(part, self.settings)
        if changed:
            fresh = sign_numbered(texts, np.array(changed, np.int64), self.settings)
            rows = np.arange(len(texts), dtype=np.int64)
            rows[changed] = len(texts) + np.arange(len(changed))
            signed = SignedTexts.join([signed, fresh]).take(rows)
        columns: dict[str, Any] = dict(zip(part.schema.names, part.columns, strict=True))
        del columns["template"]
        columns |= {"aside": aside_column(spans, len(texts)), **signed_columns(signed)}
        return pa.record_batch(columns)

    def _found(self, texts: TextStore, templates: Sequence[int], pool: ThreadPoolExecutor) -> Spans:
        """What is set aside now in each text, in reading order."""
        own = replace(self.rules, common=0, repeated=False)
        looked = Texts(texts, texts.lengths, pool, never)
        found = {row: set(spans) for row, spans in find_aside(looked, own, Known()).items()}
        for row, span in self._in_all(looked):
            found[row].add(span)
        for row, spans in texts.set_aside.items():
            found[row].update(one for one in spans if one.reason is Reason.FILE_NAME)
        for row in templates:
            found[row] = {SetAside(0, int(texts.lengths[row]), Reason.TEMPLATE)}
        return {row: tuple(sorted(spans)) for row, spans in found.items()}

    def _in_all(self, texts: Texts) -> Iterator[tuple[int, SetAside]]:
        """What is told by comparing all texts: what they say together, where these say it."""
        said = self.together.value
        if said.common is not None:
            yield from _shared(texts, said.common, LEAST_COMMON, Reason.COMMON)
        if said.template is not None:
            yield from _shared(texts, said.template, LEAST_OF_TEMPLATE, Reason.TEMPLATE)
        if said.repeats is not None:
            starts = [starts_of(words) for words in texts.all_words()]
            lines = texts.each(headings_of, range(len(texts)))
            yield from repeated_spans(starts, lines, said.repeats)


def _shared(
    texts: Texts, grams: GramCounts, length: int, reason: Reason
) -> Iterator[tuple[int, SetAside]]:
    for words in texts.all_words():
        for row, span in shared_spans(words, grams, length, reason):
            yield int(words.numbers[row]), span


def _differ(before: Sequence[SetAside], now: Sequence[SetAside]) -> bool:
    return not np.array_equal(merged(before), merged(now))

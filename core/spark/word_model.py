"""What the words of all documents tell, learned from a sample as on one machine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from core.base.parallel import worker_count
from core.candidates.references import pairs_of
from core.evidence.reworked_store import ReworkedStore
from core.evidence.word_learning import (
    SAMPLED_CHARACTERS,
    SAMPLED_DOCUMENTS,
    choose_sample,
    learn_words,
)
from core.evidence.word_model import WordModel
from core.scan.reworked import threshold
from core.settings import ScanSettings
from core.spark.columns import digests_of, int64s, texts_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# What is set aside in the beginning of a text that is sampled.
ASIDE = (
    f"transform(filter(aside, s -> s.start < {SAMPLED_CHARACTERS}), s -> named_struct("
    f"'start', s.start, 'end', least(s.end, {SAMPLED_CHARACTERS}L), 'reason', s.reason)) AS aside"
)


def folder_words(distinct: DataFrame, documents: DataFrame, settings: ScanSettings) -> WordModel:
    """The same model as `Corpus.folder_words` gives of these documents.

    The beginnings of 2,000 documents at most, 34 million characters, are brought to the driver.

    Args:
        distinct: `schemas.SIGNED`, of documents with the same words the first.
        documents: `schemas.DOCUMENTS`.
        settings: Decide which words count.
    """
    smallest = (
        distinct.where("characters > 0")
        .select("number", "digest", "characters")
        .orderBy("digest")
        .limit(SAMPLED_DOCUMENTS)
        .toArrow()
    )
    chosen = choose_sample(digests_of(smallest.column("digest")), int64s(smallest["characters"]))
    texts = _beginnings(documents, smallest.take(pa.array(chosen)).select(["number"]))
    with ThreadPoolExecutor(worker_count()) as pool:
        store = ReworkedStore(settings, texts_of(texts), pool)
        words = store.beginnings(np.arange(texts.num_rows))
    characters = int64s(smallest["characters"])
    are_all = len(chosen) == len(characters) < SAMPLED_DOCUMENTS
    is_whole = are_all and int(characters.max(initial=0)) <= SAMPLED_CHARACTERS
    return learn_words(words.values, words.offsets, is_whole=is_whole)


def _beginnings(documents: DataFrame, chosen: pa.Table) -> pa.Table:
    """The beginnings of the texts with these numbers, in this order."""
    from pyspark.sql import functions as F

    session = documents.sparkSession
    found = (
        documents.selectExpr("number", f"substring(text, 1, {SAMPLED_CHARACTERS}) AS text", ASIDE)
        .join(F.broadcast(session.createDataFrame(chosen)), "number")
        .toArrow()
    )
    rows = np.argsort(int64s(found.column("number")))
    wanted = int64s(chosen.column("number"))
    return found.take(pa.array(rows[np.searchsorted(int64s(found["number"])[rows], wanted)]))


def reworked_threshold(model: WordModel, distinct: DataFrame, settings: ScanSettings) -> float:
    """The bits from which on a pair is listed for its strongest reworked passage.

    Args:
        model: Of these documents.
        distinct: `schemas.SIGNED`, of documents with the same words the first.
        settings: Say how much is to be listed; they look for reworked passages.
    """
    found, reviewed = distinct.selectExpr("count(*)", "count_if(reviewed)").collect()[0]
    # So many that more of them change nothing, and that the number fits.
    pairs = pairs_of(*np.minimum([[reviewed], [found]], 1 << 30))
    return threshold(model.pairs, settings.reworked, int(pairs[0]))

"""Equal documents are one, as in the corpus of one machine."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.columns import bools, int64s, signed_of
from core.spark.scan import copies, distinct
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

SETTINGS = ScanSettings()


def test_copies_and_those_that_stand_for_them_are_those_of_one_machine(spark):
    texts = [*texts_with_copies(60), "", "one two", "", "ONE, two!"]
    reference = {0, 5, 61, *range(20, 40)}
    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(SETTINGS, pool)
        to_review = np.array([row not in reference for row in range(len(texts))])
        corpus.add(texts, sign_texts(texts, SETTINGS), to_review)
        representatives, rows, reviewed = (
            corpus.representatives(),
            corpus.distinct(),
            corpus.reviewed(),
        )
        signed = corpus.signed.take(rows)
    assert 30 < len(rows) < 62
    assert (to_review != reviewed)[rows].any()

    table = documents(spark, texts, SETTINGS, reference=reference).cache()
    of_all = copies(table).cache()
    found = of_all.sort("number").toArrow()
    alone = distinct(table, of_all).sort("number").toArrow()

    with_words = [row for row, text in enumerate(texts) if text]
    assert int64s(found.column("number")).tolist() == [number_of(row) for row in with_words]
    first = row_of(int64s(found.column("representative")))
    np.testing.assert_array_equal(first, representatives[with_words])
    np.testing.assert_array_equal(bools(found.column("reviewed")), to_review[with_words])
    np.testing.assert_array_equal(row_of(int64s(alone.column("number"))), rows)
    np.testing.assert_array_equal(bools(alone.column("reviewed")), reviewed[rows])
    np.testing.assert_array_equal(signed_of(alone, SETTINGS).digests, signed.digests)
    np.testing.assert_array_equal(signed_of(alone, SETTINGS).signatures, signed.signatures)

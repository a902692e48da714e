"""The tables that the other tests begin with say what the engine says."""

import numpy as np

from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.columns import int64s, signed_of
from tests.engine.spark.tables import documents, row_of, texts_with_copies


def test_a_table_of_documents_holds_what_was_signed(spark):
    settings = ScanSettings()
    texts = texts_with_copies(20)
    signed = sign_texts(texts, settings)

    table = documents(spark, texts, settings).toArrow()

    rows = row_of(int64s(table.column("number")))
    assert sorted(rows.tolist()) == list(range(20))
    np.testing.assert_array_equal(signed_of(table, settings).digests, signed.digests[rows])

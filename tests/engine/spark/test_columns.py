"""What goes through Arrow comes back as it was."""

import numpy as np
import pyarrow as pa

from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.columns import digests_of, packed, signed_columns, signed_of, texts_of, unpacked

TEXTS = ["one two three four five six seven eight nine ten " * 20, "", "four five six seven", "ab"]


def test_signed_texts_come_back():
    settings = ScanSettings()
    signed = sign_texts(TEXTS, settings)

    batch = pa.record_batch(signed_columns(signed))
    back = signed_of(batch, settings)
    part = signed_of(batch.slice(1, 2), settings)

    for one, other in ((signed, back), (signed.take(np.array([1, 2])), part)):
        np.testing.assert_array_equal(one.units, other.units)
        np.testing.assert_array_equal(one.digests, other.digests)
        np.testing.assert_array_equal(one.signatures, other.signatures)
        for name in ("fingerprints", "skip_grams"):
            np.testing.assert_array_equal(getattr(one, name).values, getattr(other, name).values)
            np.testing.assert_array_equal(getattr(one, name).counts, getattr(other, name).counts)


def test_chunks_are_not_put_into_one_which_has_2_gib_at_most():
    rng = np.random.default_rng(3)
    values, counts = rng.integers(0, 2**32, 3000, dtype=np.uint32), np.full(300, 10)
    whole = packed(values, counts)
    sliced = [whole[0:0], whole[:7], whole[7:200], whole[200:].cast(pa.large_binary())]
    column = pa.chunked_array([*sliced[:3], *(one.cast(pa.binary()) for one in sliced[3:])])
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    try:
        found = unpacked(column, "<u4")
    finally:
        pa.set_memory_pool(before)

    assert pool.max_memory() < values.nbytes
    for one, (own, sizes) in ((column, found), (sliced[3], unpacked(sliced[3], "<u4"))):
        place = len(values) - len(own)
        np.testing.assert_array_equal(own, values[place:])
        np.testing.assert_array_equal(sizes, counts[: len(one)])
    assert not len(unpacked(pa.chunked_array([], pa.binary()), "<u8")[0])


def test_digests_sort_in_spark_as_in_the_engine(spark):
    rng = np.random.default_rng(5)
    digests = rng.integers(0, 2**64, (200, 2), dtype=np.uint64)
    digests[50:100, 0] = digests[0, 0]
    column = signed_columns(sign_texts(["a"], ScanSettings()))["digest"]
    assert column.type == pa.binary()

    from core.spark.columns import digest_column

    frame = spark.createDataFrame(pa.table({"digest": digest_column(digests)}))
    ordered = digests_of(frame.sort("digest").toArrow().column("digest"))

    np.testing.assert_array_equal(ordered, digests[np.lexsort((digests[:, 1], digests[:, 0]))])


def test_what_is_set_aside_comes_with_the_texts():
    aside = [None, [{"start": 2, "end": 5, "reason": "quotation"}]]
    texts = texts_of(pa.table({"text": ["abc", "abcdefg"], "aside": aside}))

    assert list(texts) == ["abc", "abcdefg"]
    assert [tuple(one) for one in texts.set_aside[1]] == [(2, 5, "quotation")]

"""Shared passages of a cluster are those of one machine, beside common text, too."""

import random

import numpy as np
import pytest

from core.candidates.shared_fingerprints import keys_of
from core.errors import ClusterError
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import passages
from core.spark.columns import int64s, unpacked
from core.spark.file_system import Stages
from core.spark.passages import dropped_bits, shared_passages
from core.spark.scan import copies, distinct
from core.text.set_aside import SetAside, merged
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

SETTINGS = ScanSettings(min_passage=12, reworked="off")


def words(rng, count):
    return [f"w{rng.randrange(10**9)}" for _ in range(count)]


def layered(rng, count):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [words(rng, rng.randrange(8, 45)) for _ in range(9)]
    pieces += ["".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(60)).split()]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.4]
        rng.shuffle(chosen)
        parts = [words(rng, rng.randrange(15)) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, words(rng, 10))))
    return texts


def alone(pool, texts, settings, aside, reference):
    corpus = Corpus(settings, pool)
    spans = {row: merged(own) for row, own in aside.items()}
    to_review = np.array([row not in reference for row in range(len(texts))])
    corpus.add(texts, sign_texts(texts, settings, set_aside=spans), to_review)
    corpus.texts.put_aside(aside)
    return corpus


def pairs_of(frame):
    found = frame.toArrow()
    x, y = row_of(int64s(found.column("x"))), row_of(int64s(found.column("y")))
    return sorted(zip(x.tolist(), y.tolist(), strict=True))


def keys_by_row(frame):
    found = frame.toArrow()
    values, counts = unpacked(found.column("fingerprints"), "<u8")
    rows = np.repeat(row_of(int64s(found.column("number"))), counts)
    return sorted(zip(keys_of(values, np.uint64(24)).tolist(), rows.tolist(), strict=True))


def test_passages_beside_common_text_are_those_of_one_machine(spark, pool, tmp_path, monkeypatch):
    rng = random.Random(3)
    texts = layered(rng, 300)
    texts += [texts[0], texts[7].upper(), *texts[20:50], "", "one two"]
    reference = set(range(10, 60))
    aside = {row: [SetAside(40, 300)] for row in range(60, 64)}
    corpus = alone(pool, texts, SETTINGS, aside, reference)
    expected = corpus.shared_passages()
    table = documents(spark, texts, SETTINGS, aside=aside, reference=reference).cache()
    own = distinct(table, copies(table)).cache()

    stages = Stages(spark, str(tmp_path))

    found = shared_passages(stages, own, table, SETTINGS)

    x, y = split_codes(expected.codes)
    assert pairs_of(found.pairs) == sorted(zip(x.tolist(), y.tolist(), strict=True))
    assert len(x) > 10
    assert found.common == (len(expected.holders), number_of(int(expected.holders[0])))
    assert found.avoided.tolist() == expected.avoided.tolist()
    more = [divmod(key, 1 << 24) for key in expected.more.tolist()]
    assert keys_by_row(found.more) == more
    assert len(more) > 20
    again = shared_passages(stages, own, table, SETTINGS)  # from the tables that are there
    assert again[1:2] == found[1:2]
    assert again.avoided.tolist() == found.avoided.tolist()

    monkeypatch.setattr(passages, "COMMON_AT_MOST", 10)
    with pytest.raises(ClusterError, match="More than 10 different runs of words"):
        shared_passages(stages, own, table, SETTINGS)


def test_passages_without_common_text(spark, pool, tmp_path):
    texts = texts_with_copies(60)
    expected = alone(pool, texts, SETTINGS, {}, ()).shared_passages()
    table = documents(spark, texts, SETTINGS, partitions=7).cache()
    own = distinct(table, copies(table))
    stages = Stages(spark, str(tmp_path))

    found = shared_passages(stages, own, table, SETTINGS)

    x, y = split_codes(expected.codes)
    assert pairs_of(found.pairs) == list(zip(x.tolist(), y.tolist(), strict=True))
    assert len(x) > 10
    assert found.common == (0, -1)
    assert found.more is None


def test_bits_are_those_of_one_machine_while_one_pairs_so_many():
    assert [dropped_bits(count) for count in (0, 1, 1 << 24, (1 << 24) + 1)] == [24, 24, 24, 0]

"""The words of a sample tell on Spark what they tell on one machine."""

import numpy as np
import pytest

from core.evidence import reworked_store
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import scan
from core.spark.scan import copies, distinct, folder_words, reworked_threshold
from core.text.set_aside import SetAside, merged
from tests.engine.spark.tables import documents, texts_with_copies

SETTINGS = ScanSettings(reworked="careful")


def corpus_of(texts, pool, aside, reference=()):
    corpus = Corpus(SETTINGS, pool)
    spans = {row: merged(own) for row, own in aside.items()}
    to_review = np.array([row not in reference for row in range(len(texts))])
    corpus.add(texts, sign_texts(texts, SETTINGS, set_aside=spans), to_review)
    corpus.texts.put_aside(aside)
    return corpus


@pytest.mark.parametrize("sampled", [None, 25])
def test_the_model_is_that_of_one_machine(spark, pool, monkeypatch, sampled):
    texts = [*texts_with_copies(60), "", "图书馆里有很多书。" * 40, " \U0001f600 ", "𝒶 b " * 700]
    texts.append("sea and wind over a stone hill " * 4000)
    if sampled is not None:
        monkeypatch.setattr(reworked_store, "SAMPLED_DOCUMENTS", sampled)
        monkeypatch.setattr(scan, "SAMPLED_DOCUMENTS", sampled)
        monkeypatch.setattr(reworked_store, "ALL_CHARACTERS", 10_000)
    # Beyond what is sampled of a text, across its end, and before it.
    aside = {
        3: [SetAside(10, 50)],
        64: [SetAside(5, 9), SetAside(99_990, 100_500), SetAside(110_000, 110_010)],
    }
    reference = {4, 9, 30}
    corpus = corpus_of(texts, pool, aside, reference)
    frame = documents(spark, texts, SETTINGS, aside=aside, reference=reference)
    different = distinct(frame, copies(frame)).cache()

    model = folder_words(different, frame, SETTINGS)

    assert model.to_bytes() == corpus.folder_words().to_bytes()
    assert len(model.pairs.scores) > 40
    expected = corpus.reworked.threshold("careful")
    assert reworked_threshold(model, different, SETTINGS) == expected
    different.unpersist()


def test_no_document_has_words(spark, pool):
    frame = documents(spark, [""], SETTINGS, partitions=1)

    model = folder_words(distinct(frame, copies(frame)), frame, SETTINGS)

    assert model.to_bytes() == corpus_of([""], pool, {}).folder_words().to_bytes()

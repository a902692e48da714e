"""Fingerprints by rarity of a whole folder: the same in any batches, on any threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.base import tasks
from core.errors import ScanCancelledError
from core.settings import ScanSettings
from core.signatures.methods import DocumentFrequencies, sign_by_rarity
from core.signatures.methods import sign as simhash
from core.text.shingling import shingle
from core.text.store import TextStore

OPTIONS = ScanSettings(signature="simhash", weights="tf-idf", k=2)


def some_texts(count):
    rng = np.random.default_rng(count)
    words = ["alpha", "beta", "gamma", "delta", "épsilon", "zeta", "eta", "theta"]
    return [" ".join(rng.choice(words, rng.integers(0, 40))) for _ in range(count)]


def signed(texts, threads=2, **options):
    with ThreadPoolExecutor(threads) as pool:
        store = TextStore()
        store.extend(texts)
        return sign_by_rarity(store, OPTIONS, pool, **options).signatures


def test_all_texts_are_counted_before_the_first_is_signed(monkeypatch):
    texts = some_texts(57)
    shingles = shingle(texts, OPTIONS)
    frequencies = DocumentFrequencies()
    frequencies.add(shingles)

    expected = simhash(shingles, OPTIONS, frequencies.rarity())

    assert np.array_equal(signed(texts), expected)
    monkeypatch.setattr(tasks, "BATCH_TEXTS", 10)
    assert np.array_equal(signed(texts, threads=4), expected)


def test_rarity_is_that_of_the_folder():
    """What is common in one folder is rare in another: the same text is signed differently."""
    text = "alpha beta gamma delta zeta eta theta"
    other = ["alpha beta gamma delta"] * 40

    assert signed([text]).tolist() != signed([text, *other])[:1].tolist()


def test_a_folder_without_texts():
    assert signed([]).shape == (0, 2)


def test_signing_can_be_cancelled():
    with pytest.raises(ScanCancelledError):
        signed(some_texts(5), cancelled=lambda: True)

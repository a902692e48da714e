"""The same pairs in whatever order the documents come, and whatever stands beside them."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core import find_pairs
from core.candidates import hamming, lsh, shared_fingerprints
from core.scan import comparing_all
from core.scan.corpus import Corpus
from core.scan.flow import scan
from core.settings import ScanSettings
from core.signatures.signing import sign_texts

BANDS = {"signature_size": 48, "bands": 24, "rows": 2, "min_resemblance": 0.2, "compare": "bands"}
DISTANCE = {"signature": "simhash", "max_distance": 8, "min_resemblance": 0.2, "compare": "bands"}
METHODS = {
    "fast similarity sketching": ScanSettings(k=2, **BANDS),
    "minhash": ScanSettings(k=2, signature="minhash", **BANDS),
    "bags": ScanSettings(k=2, bag=True, **BANDS),
    "all pairs": ScanSettings(k=2, min_resemblance=0.2),
    "characters": ScanSettings(unit="char", k=5, **BANDS),
    "simhash": ScanSettings(
        k=1, signature="simhash", weights="tf", max_distance=8, compare="bands"
    ),
    "rarity": ScanSettings(
        k=2, signature="simhash", weights="tf-idf", max_distance=8, compare="bands"
    ),
}
WORDS = [f"word{number}" for number in range(300)]
HAN = [chr(0x4E00 + number) for number in range(300)]


def form_letters(seed, count=60):
    """Texts around three templates in two scripts, with quotations, copies and anagrams."""
    rng = random.Random(seed)
    templates = [[rng.choice(words) for _ in range(40)] for words in (WORDS, WORDS, HAN)]
    texts = []
    for number in range(count):
        words = WORDS if number % 3 < 2 else HAN
        own = [word if rng.random() < 0.9 else rng.choice(words) for word in templates[number % 3]]
        if number % 5 == 0:
            own[10:10] = templates[(number + 1) % 3][5:25]
        texts.append(" ".join(own) if number % 3 < 2 else "".join(own))
    anagrams = [" ".join(rng.sample(texts[0].split(), len(texts[0].split()))) for _ in range(5)]
    return [*texts, *anagrams, *texts[:4], texts[0]]


def listed(texts, settings):
    """The pairs and all their numbers, by their texts."""
    pairs = find_pairs(texts, settings)
    names = ("resemblance", "estimate", "shared_shingles", "longest_run", "run_words", "found_by")
    numbers = zip(*(getattr(pairs, name).tolist() for name in names), strict=True)
    sides = zip(pairs.a, pairs.containment_a, pairs.b, pairs.containment_b, strict=True)
    return Counter(
        (*sorted([(texts[a], float(in_a)), (texts[b], float(in_b))]), *own)
        for (a, in_a, b, in_b), own in zip(sides, numbers, strict=True)
    )


@pytest.fixture
def small_limits(monkeypatch):
    """Crowds and common text in a few dozen documents."""
    monkeypatch.setattr(lsh, "BUCKET_LIMIT", 6)
    monkeypatch.setattr(lsh, "PART_LIMIT", 2)
    monkeypatch.setattr(hamming, "EQUAL_LIMIT", 2)
    monkeypatch.setattr(shared_fingerprints, "DOCUMENT_LIMIT", 8)
    monkeypatch.setattr(shared_fingerprints, "CHARACTERS_AT_ONCE", 1000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("settings", METHODS.values(), ids=METHODS.keys())
def test_the_order_of_the_documents_decides_nothing(settings):
    texts = form_letters(seed=1)
    first = listed(texts, settings)
    assert len(first) > 20

    for seed in range(3):
        again = random.Random(seed).sample(texts, len(texts))
        assert listed(again, settings) == first


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("method", ["fast similarity sketching", "bags", "characters", "simhash"])
def test_documents_that_are_like_none_change_nothing(method):
    settings, texts = METHODS[method].with_changes(reworked="off"), form_letters(seed=2)
    rng = random.Random(3)
    others = [" ".join(f"other{rng.random()}" for _ in range(40)) for _ in range(300)]

    assert listed([*others, *texts], settings) == listed(texts, settings)


def test_a_folder_read_in_two_orders_gives_the_same_pairs(tmp_path):
    """The names of the files decide in which order they are read."""
    texts, settings = form_letters(seed=4), METHODS["all pairs"]
    found = []
    for name, order in (("one", texts), ("other", texts[::-1])):
        (tmp_path / name).mkdir()
        for number, text in enumerate(order):
            (tmp_path / name / f"{number:03}.txt").write_text(text, encoding="utf-8")
        made = scan([tmp_path / name], settings)
        pairs = made.list_pairs().pairs
        own = [order[int(one.path.stem)] for one in made.documents]
        made.close()
        found.append(
            Counter(
                (frozenset((own[a], own[b])), resemblance)
                for a, b, resemblance in zip(pairs.a, pairs.b, pairs.resemblance, strict=True)
            )
        )

    assert found[0] == found[1]


def test_random_pairs_are_drawn_by_what_the_texts_say(monkeypatch):
    """On them rests what is forecast, and whether all pairs can be compared."""
    monkeypatch.setattr(comparing_all, "BACKGROUND_PAIRS", 50)
    texts = sorted(set(form_letters(seed=5)))

    def drawn(texts):
        with ThreadPoolExecutor(1) as pool:
            settings = ScanSettings(k=2)
            corpus = Corpus(settings, pool)
            corpus.add(texts, sign_texts(texts, settings))
            drawn_pairs = corpus.background_pairs()
            low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
            codes = drawn_pairs.codes
            assert ((codes >> high) < (codes & low)).all()
            return [
                (frozenset((texts[code >> high], texts[code & low])), resemblance)
                for code, resemblance in zip(codes, drawn_pairs.resemblance, strict=True)
            ]

    first = drawn(texts)
    assert len(first) == 50
    assert drawn(texts[::-1]) == first
    monkeypatch.setattr(comparing_all, "BACKGROUND_CHARACTERS", 1000)
    monkeypatch.setattr(comparing_all, "BACKGROUND_DOCUMENTS", 20)
    assert drawn(texts) == drawn(texts[::-1]) != first

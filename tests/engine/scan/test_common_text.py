"""Common passages: what very many documents hold is shown, with how many."""

import random
from concurrent.futures import ThreadPoolExecutor

from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.scan.common_text import common_texts
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts


def words(rng, count, prefix="w"):
    return " ".join(f"{prefix}{rng.randrange(10**9)}" for _ in range(count))


def corpus_of(texts, settings, pool):
    corpus = Corpus(settings, pool)
    corpus.add(texts, sign_texts(texts, settings))
    return corpus


def test_common_passages_are_found_whole_and_counted():
    rng = random.Random(1)
    header, footer = words(rng, 80, "h").capitalize(), words(rng, 50, "f")
    texts = []
    for number in range(2 * DOCUMENT_LIMIT):
        own = [words(rng, 60), words(rng, 90)]
        both = number % 3 != 0
        texts.append(f"{header}. {own[0]}\n\n{footer if both else ''} {own[1]}")
    settings = ScanSettings()
    with ThreadPoolExecutor(2) as pool:
        corpus = corpus_of(texts, settings, pool)
        found = common_texts(corpus, 10)
        only = common_texts(corpus, 1)

    assert [one.documents for one in found] == [200, 133]
    for one, whole in zip(found, (header, footer), strict=True):
        text = texts[one.document][one.start : one.end]
        assert text in whole
        assert len(text.split()) > len(whole.split()) - settings.passage_length
    assert only == found[:1]


def test_characters_have_common_passages_too():
    rng = random.Random(2)
    common = "".join(rng.choices("的一是在不了有和人这中大为上个国我以要他", k=400))
    texts = [
        common + "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(300))
        for _ in range(DOCUMENT_LIMIT + 1)
    ]
    settings = ScanSettings(unit="char", k=5)
    with ThreadPoolExecutor(2) as pool:
        found = common_texts(corpus_of(texts, settings, pool), 10)

    assert [one.documents for one in found] == [DOCUMENT_LIMIT + 1]
    text = texts[found[0].document][found[0].start : found[0].end]
    assert text in common
    assert len(text) > 400 - settings.passage_length


def test_there_is_none_where_nothing_is_common():
    rng = random.Random(3)
    with ThreadPoolExecutor(2) as pool:
        texts = [words(rng, 100) for _ in range(DOCUMENT_LIMIT)] * 2
        assert common_texts(corpus_of(texts, ScanSettings(), pool), 10) == []
        assert common_texts(corpus_of([], ScanSettings(), pool), 10) == []

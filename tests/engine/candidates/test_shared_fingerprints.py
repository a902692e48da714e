"""Passages beside common text: found, and the same however the work is cut."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audit.search import share_common_grams_only
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.scan.corpus import Corpus
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.shingling import shingle

OPTIONS = ScanSettings(min_resemblance=1.0)


def words(rng, count):
    return [f"w{rng.randrange(10**9)}" for _ in range(count)]


def corpus_of(texts, options, pool):
    corpus = Corpus(options, pool)
    corpus.add(texts, sign_texts(texts, options))
    return corpus


def folder(rng, common, runs, hosts=DOCUMENT_LIMIT + 5):
    """Documents that all hold a common text, and pairs of them that share one run each."""
    documents = [words(rng, 40) + common + words(rng, 40) for _ in range(hosts)]
    planted = []
    for run in runs:
        pair = sorted(rng.sample(range(hosts), 2))
        for document in pair:
            documents[document] = documents[document] + words(rng, 5) + run + words(rng, 5)
        planted.append(tuple(pair))
    return [" ".join(document) for document in documents], planted


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([12, 20, 25]), st.integers(0, 30))
def test_no_run_is_missed_because_part_of_it_is_common(seed, shared, start):
    """Runs of 30 words in two documents only, 12, 20 or 25 of them in all documents."""
    rng = random.Random(seed)
    common = words(rng, 60)
    runs = []
    for _ in range(20):
        before = rng.randrange(31 - shared)
        piece = common[start : start + shared]
        runs.append(words(rng, before) + piece + words(rng, 30 - shared - before))
    texts, planted = folder(rng, common, runs)

    pairs = find_pairs(texts, OPTIONS)

    assert set(planted) <= set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_passages_beside_common_text_in_a_script_without_spaces():
    rng = random.Random(9)
    common = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(80))
    texts = [f"{' '.join(words(rng, 20))} {common}" for _ in range(DOCUMENT_LIMIT + 5)]
    planted = set()
    for number in range(10):
        own = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(18))
        run = own[:9] + common[number : number + 32] + own[9:]
        for document in (number, number + 50):
            texts[document] += f" {' '.join(words(rng, 9))} {run}"
        planted.add((number, number + 50))

    pairs = find_pairs(texts, OPTIONS.with_changes(compare="bands"))

    assert planted <= set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_text_that_is_common_throughout_still_pairs_nobody(pool):
    rng = random.Random(1)
    texts, _ = folder(rng, words(rng, 200), [])

    passages = corpus_of(texts, OPTIONS, pool).shared_passages()

    assert len(passages.codes) == 0
    assert passages.holders.tolist() == list(range(len(texts)))
    assert len(passages.avoided) == 200 - 9  # every gram of ten words


def test_an_audit_tells_common_passages_from_others(pool):
    rng = random.Random(8)
    common = words(rng, 80)
    texts, planted = folder(rng, common, [words(rng, 12) + common[:18]])
    passages = corpus_of(texts, OPTIONS, pool).shared_passages()

    for pair in ((0, 1), (3, 40), *planted):
        two = shingle([texts[one] for one in pair], OPTIONS)
        only = share_common_grams_only(two, passages, OPTIONS)
        assert only == (pair not in planted)
    assert share_common_grams_only(shingle(["short", texts[0]], OPTIONS), passages, OPTIONS)


def test_common_text_in_layers():
    """What is chosen instead of common grams can be common itself, in other documents."""
    rng = random.Random(2)
    outer, inner = words(rng, 18), words(rng, 18)
    texts = []
    for number in range(6 * DOCUMENT_LIMIT):
        parts = [outer] if number % 3 else [outer + inner]
        if number % 2:
            parts.append(inner)
        texts.append(" ".join(sum(parts, words(rng, 20)) + words(rng, 20)))
    run = " ".join(outer[3:] + inner[:12] + words(rng, 3))
    texts[7] += " " + run
    texts[400] += " " + run

    pairs = find_pairs(texts, OPTIONS)

    assert (7, 400) in set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def layered(rng, count):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [words(rng, rng.randrange(8, 45)) for _ in range(12)]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.35]
        rng.shuffle(chosen)
        parts = [words(rng, rng.randrange(15)) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, words(rng, 10))))
    return texts


@pytest.mark.parametrize("characters", [1, 2000, 20_000])
def test_the_result_does_not_depend_on_how_the_documents_are_cut(characters, pool, monkeypatch):
    texts = layered(random.Random(3), 320)
    whole = corpus_of(texts, OPTIONS, pool).shared_passages()

    monkeypatch.setattr("core.candidates.shared_fingerprints.CHARACTERS_AT_ONCE", characters)
    cut = corpus_of(texts, OPTIONS, pool).shared_passages()

    assert len(whole.codes) > 0 < len(whole.more)
    for name in ("codes", "holders", "avoided"):
        assert getattr(cut, name).tolist() == getattr(whole, name).tolist()


def test_the_result_does_not_depend_on_the_order_of_the_documents(pool):
    texts = layered(random.Random(4), 320)
    order = list(range(len(texts)))
    random.Random(5).shuffle(order)

    pairs = find_pairs(texts, OPTIONS)
    shuffled = find_pairs([texts[place] for place in order], OPTIONS)

    found = {(order[a], order[b]) for a, b in zip(shuffled.a, shuffled.b, strict=True)}
    expected = set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    assert {tuple(sorted(pair)) for pair in found} == expected


def test_documents_that_are_added_give_what_a_fresh_scan_gives(pool):
    texts = layered(random.Random(6), 330)
    growing = Corpus(OPTIONS, pool)
    for start in range(0, len(texts), 110):
        part = texts[start : start + 110]
        growing.add(part, sign_texts(part, OPTIONS))
        growing.shared_passages()

    grown, fresh = growing.shared_passages(), corpus_of(texts, OPTIONS, pool).shared_passages()

    for name in ("codes", "holders", "avoided", "more"):
        assert getattr(grown, name).tolist() == getattr(fresh, name).tolist()


def test_a_text_that_is_asked_for_makes_common_what_a_scan_with_it_would(pool):
    rng = random.Random(7)
    settings_ = OPTIONS.with_changes(min_resemblance=0.99)
    found_any = 0
    for _ in range(4):
        texts = layered(rng, 2 * DOCUMENT_LIMIT + 80)
        corpus = corpus_of(texts[1:], settings_, pool)
        index = corpus.passage_index()
        with_it = corpus_of(texts, settings_, pool).shared_passages().codes
        partners = (with_it[with_it >> np.uint64(32) == 0]).astype(np.int64) - 1
        assert index.sharing(texts[0], is_copy=False).tolist() == partners.tolist()
        found_any += len(partners)
    assert found_any

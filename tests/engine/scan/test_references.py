"""References are compared with other documents and never with each other."""

import numpy as np
import pytest

from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.candidates.sorted_keys import BUCKET_LIMIT
from core.evidence.pairs import FoundBy, split_codes
from core.scan.audit_results import CapKind
from core.scan.common_text import common_texts
from core.scan.corpus import Corpus
from core.scan.groups import COPIES_SPELLED_OUT
from core.scan.in_memory import find_pairs
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs
from core.settings import ScanSettings
from core.signatures.signing import sign_texts

OPTIONS = ScanSettings(
    k=2, signature_size=64, bands=32, rows=2, min_resemblance=0.1, reworked="off"
)
SETTINGS = [
    OPTIONS.with_changes(compare="bands"),
    OPTIONS.with_changes(compare="all"),
    OPTIONS.with_changes(compare="bands", signature="minhash", bag=True),
    OPTIONS.with_changes(signature="simhash", weights="tf-idf", max_distance=8),
]


def texts_with_copies(rng, count=40):
    """Edits of each other, with copies of some and a text without words."""
    texts = [[f"w{word}" for word in rng.integers(0, 60, 40)]]
    while len(texts) < count:
        own = list(texts[rng.integers(len(texts))])
        for place in rng.integers(0, 40, rng.integers(0, 8)):
            own[place] = f"w{rng.integers(60)}"
        texts.append(own)
    joined = [" ".join(words) for words in texts]
    joined += [joined[number] for number in rng.integers(0, count, count)]
    return [*joined, ""]


def rows_of(pairs, kept=None):
    """The columns of the pairs that are kept."""
    kept = np.ones(len(pairs.a), dtype=np.bool_) if kept is None else kept
    return {name: column[kept].tolist() for name, column in vars(pairs).items()}


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: f"{one.signature}-{one.compare}")
@pytest.mark.parametrize("seed", range(4))
def test_the_pairs_are_those_of_all_without_pairs_of_references(settings, seed):
    rng = np.random.default_rng(seed)
    texts = texts_with_copies(rng)
    is_reference = rng.random(len(texts)) < rng.choice([0.1, 0.5, 0.9])
    every = find_pairs(texts, settings)
    found = find_pairs(texts, settings, reference=np.flatnonzero(is_reference).tolist())
    kept = ~(is_reference[every.a] & is_reference[every.b])
    assert 0 < kept.sum() < len(kept)
    assert rows_of(found) == rows_of(every, kept)


def test_copies_have_parts_of_their_own():
    first, second = "one two three four five six", "one two three four five seven"
    texts = [first, second, first, second, first]
    found = find_pairs(texts, OPTIONS, reference=[0, 1, 2])
    assert set(zip(found.a.tolist(), found.b.tolist(), strict=True)) == {
        (0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4),
    }  # fmt: skip
    copies = {(0, 4), (1, 3), (2, 4)}
    pairs = zip(found.a.tolist(), found.b.tolist(), found.found_by.tolist(), strict=True)
    assert {(a, b) for a, b, ways in pairs if ways == FoundBy.EXACT} == copies


def test_of_very_many_copies_one_to_review_stands_for_all():
    count = COPIES_SPELLED_OUT + 5
    texts = ["one two three four"] * count + ["one two three four five"]
    found = find_pairs(texts, OPTIONS, reference=[*range(COPIES_SPELLED_OUT), count])
    first = COPIES_SPELLED_OUT
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    assert pairs == sorted(
        (min(one, first), max(one, first)) for one in {*range(count + 1)} - {first}
    )


def test_nothing_is_measured_of_pairs_of_references(monkeypatch):
    from core.evidence.store import EvidenceStore

    asked = set()
    measured = EvidenceStore.measured

    def note(self, x, y, *rest):
        asked.update(zip(x.tolist(), y.tolist(), strict=True))
        return measured(self, x, y, *rest)

    monkeypatch.setattr(EvidenceStore, "measured", note)
    texts = [f"one two three four five six w{number}" for number in range(6)]
    settings = OPTIONS.with_changes(compare="bands")
    found = find_pairs(texts, settings, reference=[0, 1, 2])
    assert asked == set(zip(found.a.tolist(), found.b.tolist(), strict=True))
    assert (1, 2) not in asked
    assert (1, 3) in asked


def test_references_alone_make_no_pairs():
    assert not len(find_pairs(["one two three"] * 3, OPTIONS, reference=[0, 1, 2]).a)


def test_a_reference_that_is_not_there():
    with pytest.raises(IndexError):
        find_pairs(["one two three"] * 3, OPTIONS, reference=[3])


def corpus_with(texts, references, pool, settings):
    """A corpus in which the texts with these numbers are references."""
    to_review = np.ones(len(texts), dtype=np.bool_)
    to_review[references] = False
    corpus = Corpus(settings, pool)
    corpus.add(texts, sign_texts(texts, settings), to_review)
    return corpus


def random_words(rng, count):
    return " ".join(f"w{word}" for word in rng.integers(0, 10**6, count))


@pytest.mark.parametrize("share", [0.2, 0.6])
@pytest.mark.parametrize("compare", ["auto", "bands"])
def test_the_forecast_is_of_the_pairs_that_are_compared(pool, share, compare):
    settings = OPTIONS.with_changes(bands=4, rows=6, compare=compare)
    rng = np.random.default_rng(5)
    texts = texts_with_copies(rng, 60)
    references = np.flatnonzero(rng.random(len(texts)) < share)
    corpus = corpus_with(texts, references, pool, settings)
    PairLister(corpus).list_pairs(settings)
    known = known_pairs(corpus, settings)
    every = find_pairs(texts, settings.with_changes(compare="all"), reference=references.tolist())

    forecast = known.forecast(0.1)

    assert known.identical == every.exact_duplicate.sum()
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    pairs = [(x, y) for x in rows for y in rows if x < y and (reviewed[x] or reviewed[y])]
    assert known.all_pairs == len(pairs)
    assert known.complete == (compare == "auto")
    there = int((every.resemblance >= 0.1).sum())
    if known.complete:
        assert forecast.there == there
        assert forecast.by_bands.expected > 0
    else:
        missed = there - len(find_pairs(texts, settings, reference=references.tolist()))
        assert forecast.listed.low <= missed <= forecast.listed.high


@pytest.mark.parametrize("count", [40, 300])
def test_the_background_is_of_the_pairs_that_are_compared(pool, count):
    rng = np.random.default_rng(6)
    texts = [random_words(rng, 20) for _ in range(count)]
    references = np.arange(count) % 4 > 0
    corpus = corpus_with(texts, references, pool, OPTIONS)

    drawn = corpus.background_pairs()

    x, y = split_codes(drawn.codes)
    own = count // 4
    inside, across = own * (own - 1) // 2, own * (count - own)
    assert (x < y).all()
    assert not (references[x] & references[y]).any()
    if inside + across <= 2000:
        assert len(set(drawn.codes.tolist())) == inside + across
        assert drawn.share == 1
    else:
        assert 0 < drawn.share < 1
        both = int((~references[x] & ~references[y]).sum())
        expected = len(x) * inside / (inside + across)
        assert abs(both - expected) < 5 * expected**0.5


def test_the_background_of_one_document_to_review(pool):
    texts = [f"{random_words(np.random.default_rng(seed), 20)} end" for seed in range(3000)]
    drawn = corpus_with(texts, range(1, 3000), pool, OPTIONS).background_pairs()
    assert (np.minimum(*split_codes(drawn.codes)) == 0).all()
    assert not len(corpus_with(texts[:9], range(9), pool, OPTIONS).background())


def test_all_that_many_references_share_with_few_documents_is_compared(pool):
    """A thousand documents with a band in common are a crowd, because of their pairs."""
    letter = " ".join(f"w{number}" for number in range(60))
    count = 2 * BUCKET_LIMIT
    texts = [f"{letter} name{number}" for number in range(count)]
    settings = OPTIONS.with_changes(compare="bands")
    listing = PairLister(corpus_with(texts, range(3, count), pool, settings)).list_pairs(settings)
    assert len(listing.pairs) == 3 * (count - 3) + 3
    assert not [cap for cap in listing.caps if cap.kind is CapKind.CROWD]


def test_references_that_are_a_crowd_among_themselves_are_none(pool):
    letter = " ".join(f"w{number}" for number in range(60))
    texts = [f"{letter} name{number}" for number in range(BUCKET_LIMIT + 9)] + [
        "a b c d",
        "a b c e",
    ]
    settings = OPTIONS.with_changes(compare="bands")
    corpus = corpus_with(texts, range(BUCKET_LIMIT + 9), pool, settings)
    listing = PairLister(corpus).list_pairs(settings)
    assert len(listing.pairs) == 1
    assert listing.caps == []
    assert common_texts(corpus, 9) == []


def test_a_passage_that_many_references_hold_pairs_the_one_that_copied_it(pool):
    """What stands in over a hundred documents makes no pairs, because they would be too many."""
    rng = np.random.default_rng(7)
    passage, count = random_words(rng, 40), DOCUMENT_LIMIT + 60
    texts = [f"{random_words(rng, 100)} {passage} {random_words(rng, 100)}" for _ in range(count)]
    settings = ScanSettings(compare="bands")
    one, three = (
        PairLister(corpus_with(texts, range(own, count), pool, settings)).list_pairs(settings)
        for own in (1, 60)
    )
    assert len(one.pairs) == count - 1
    assert one.caps == []
    assert not len(three.pairs)
    assert [cap.kind for cap in three.caps] == [CapKind.COMMON]


def test_more_copies_than_are_listed_are_said_of_those_to_review_only(pool):
    texts = ["one two three"] * 40 + ["four five six"] * 40
    corpus = corpus_with(texts, range(40), pool, OPTIONS)
    (cap,) = PairLister(corpus).list_pairs(OPTIONS).caps
    assert (cap.kind, cap.size, cap.document) == (CapKind.COPIES, 40, 40)

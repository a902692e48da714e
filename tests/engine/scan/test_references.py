"""References are compared with other documents and never with each other."""

import numpy as np
import pytest

from core.evidence.pairs import FoundBy
from core.scan.duplicates import COPIES_SPELLED_OUT
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

OPTIONS = ScanSettings(k=2, signature_size=64, bands=32, rows=2, min_resemblance=0.1)
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


def test_of_very_many_copies_those_to_review_are_listed_with_the_first():
    texts = ["one two three four"] * (COPIES_SPELLED_OUT + 5)
    found = find_pairs(texts, OPTIONS, reference=range(COPIES_SPELLED_OUT))
    assert found.a.tolist() == [0] * 5
    assert found.b.tolist() == list(range(COPIES_SPELLED_OUT, COPIES_SPELLED_OUT + 5))


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

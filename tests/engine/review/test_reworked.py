"""Reworked passages in a review: their numbers, rows and grams, and what crafted ones say."""

import random
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields
from itertools import chain
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ReviewError
from core.evidence.pairs import FoundBy, Pairs, PassageEvidence
from core.evidence.reworked_store import ReworkedStore
from core.review import database as schema
from core.review import open_review, save_review
from core.review.stored_pairs import load_reworked, save_reworked, verify_values
from core.review.stored_signatures import pack_grams, unpack_grams
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.set_aside import SetAside
from core.text.shingling import Fingerprints
from tests.reviews import list_of
from tests.texts import folder_with

CAREFUL = ScanSettings(reworked="careful")


def words(count, seed):
    """Words of which few are frequent and most are rare."""
    rng = random.Random(seed)
    return [f"w{int(1000 ** rng.random())}x{seed % 3}" for _ in range(count)]


def exchanged(words, every):
    return [f"other{n}" if n % every == 0 else word for n, word in enumerate(words)]


def write(folder, texts):
    folder_with(folder, {name: " ".join(words) for name, words in texts.items()})


def documents(count=14, seed=0):
    """Unrelated texts, every fifth of which holds a reworked passage of the one before it."""
    texts = {f"{n:02}.txt": words(300, 100 * seed + n) for n in range(count)}
    names = list(texts)
    for before, after in zip(names[3::5], names[4::5], strict=False):
        texts[after][50:50] = exchanged(texts[before][100:180], 5)
    return texts


def rows(listed, names=None):
    """The pairs of a list by the names of their documents."""
    columns = [field.name for field in fields(Pairs) if field.name not in {"a", "b"}]
    names = names or [document.name for document in listed.documents]
    every = listed if isinstance(listed, Pairs) else listed.every
    return {
        (names[a], names[b]): [getattr(every, column)[row].item() for column in columns]
        for row, (a, b) in enumerate(zip(every.a.tolist(), every.b.tolist(), strict=True))
    }


@pytest.fixture
def saved(tmp_path):
    """A folder, and its review."""
    write(tmp_path / "docs", documents())
    done = scan([tmp_path / "docs"], CAREFUL)
    expected_rows = rows(done.list_pairs())
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    assert sum((values[7] & FoundBy.REWORKED) > 0 for values in expected_rows.values()) >= 2
    return tmp_path / "docs", tmp_path / "a.neardup", expected_rows


def test_a_review_lists_what_the_scan_listed_and_measures_nothing(saved, monkeypatch):
    _, path, expected_rows = saved

    with open_review(path) as review:
        monkeypatch.setattr(ReworkedStore, "_measure_part", None)
        monkeypatch.setattr(ReworkedStore, "beginnings", None)
        assert review.notes == ()
        assert rows(list_of(review.state)) == expected_rows


CHANGES = {
    "nothing": lambda _: None,
    "one more": lambda folder: write(folder, {"new.txt": exchanged(documents()["07.txt"], 4)}),
    "one less": lambda folder: (folder / "03.txt").unlink(),
    "another text": lambda folder: write(folder, {"04.txt": words(90, 77)}),
    "another name": lambda folder: (folder / "04.txt").rename(folder / "zz.txt"),
    "a copy": lambda folder: shutil.copy(folder / "04.txt", folder / "copy.txt"),
    "other spaces": lambda folder: (folder / "04.txt").write_text(
        (folder / "04.txt").read_text().replace(" ", "  ")
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_rescan_lists_what_a_fresh_scan_does(saved, change):
    folder, path, _ = saved
    change(folder)
    fresh = scan([folder], CAREFUL)
    expected_rows = rows(fresh.list_pairs())
    fresh.close()

    with open_review(path) as review:
        again = scan([folder], CAREFUL, previous=review.state)
        pair_list = again.list_pairs()
        state = again.state
        again.close()
        missing = {document.name for document in pair_list.documents if document.absence}
        remaining_rows = {
            both: row for both, row in rows(pair_list).items() if not missing & {*both}
        }

        assert remaining_rows == expected_rows
        save_review(path, state)
    with open_review(path) as review:
        assert review.notes == ()
        assert rows(list_of(review.state)) == rows(pair_list)


def test_what_is_set_aside_changes_what_a_fresh_scan_would_find(saved):
    _, path, rows_before = saved
    with open_review(path) as review:
        scanned = Scan.restored(review.state)
        spans = {3: [span_of(review.state.texts[3], 90, 190)]}
        after = scanned.with_exclusions(spans)
        pair_list = after.list_pairs()
        texts = list(review.state.texts)
        names = [document.name for document in pair_list.documents]
        after.close()

    assert rows(pair_list) == rows(find_pairs(texts, CAREFUL, set_aside=spans), names)
    assert rows(pair_list) != rows_before


def span_of(text, first, last):
    words = text.split(" ")
    return SetAside(len(" ".join(words[:first])), len(" ".join(words[:last])))


def changed(state, **columns):
    reworked = state.evidence.reworked._replace(**columns)
    return state._replace(evidence=state.evidence._replace(reworked=reworked))


def test_a_broken_model_is_refused(saved, monkeypatch):
    monkeypatch.setattr("core.review.saving._require_readable", lambda *_: None)
    _, path, _ = saved
    with open_review(path) as review:
        lie = changed(review.state, model=review.state.evidence.reworked.model[:-1])
        save_review(path.with_name("b.neardup"), lie)

    with pytest.raises(ReviewError, match="damaged"):
        open_review(path.with_name("b.neardup"))


def test_an_older_review_keeps_off_until_somebody_asks(tmp_path):
    write(tmp_path / "docs", documents())
    done = scan([tmp_path / "docs"], ScanSettings(reworked="off"))
    before = rows(done.list_pairs())
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    fresh = scan([tmp_path / "docs"], CAREFUL)
    expected_rows = rows(fresh.list_pairs())
    fresh.close()

    with open_review(tmp_path / "a.neardup") as review:
        assert not review.state.evidence.reworked.model
        kept = scan(review.state.folders, review.state.settings, previous=review.state)
        assert rows(kept.list_pairs()) == before
        kept.close()
        careful = scan(review.state.folders, CAREFUL, previous=review.state)
        assert rows(careful.list_pairs()) == expected_rows
        careful.close()


DOCUMENTS = 12
LENGTHS = np.full(DOCUMENTS, 500, dtype=np.int64)
IDS = np.arange(DOCUMENTS, 0, -1, dtype=np.int64)  # ids need not ascend with the places
MODEL = b"how rare words are" * 9

document_numbers = st.integers(0, DOCUMENTS - 1)
numbers = st.tuples(st.floats(1, 90, width=32), *[st.floats(0, 1)] * 3, st.integers(1, 90))
pairs = st.dictionaries(
    st.tuples(document_numbers, document_numbers).map(lambda two: tuple(sorted(two))),
    numbers | st.just((0.0, -1.0, -1.0, -1.0, -1)),
    max_size=30,
)


FIRST, SECOND = (20, 0.1, 0.2, 0.15, 9), (30, 0.2, 0.3, 0.25, 8)


def evidence(rows, model=MODEL):
    """The evidence of pairs (x, y) with bits, overlap, that of x and of y, and shared words."""
    ordered = sorted(rows.items())
    codes = np.array([x << 32 | y for (x, y), _ in ordered], dtype=np.uint64)
    bits, *shares, words = (
        np.array([values for _, values in ordered], dtype=np.float64).reshape(-1, 5).T
    )
    return PassageEvidence(codes, np.float32(bits), *shares, words.astype(np.int32), model)


def assert_same(first, second):
    assert first.model == second.model
    for left, right in zip(
        (first.codes, *first.columns), (second.codes, *second.columns), strict=True
    ):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


def connected():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(connection)
    return closing(connection)


def saved_rows(connection, evidence):
    with ThreadPoolExecutor(1) as pool:
        models = save_reworked(connection, evidence, IDS, pool)
    return SimpleNamespace(reworked=len(evidence.codes), models=models, run=None)


@settings(derandomize=True, max_examples=50)
@given(pairs, pairs, st.booleans())
def test_any_numbers_come_back(first, second, same_model):
    with connected() as connection:
        saved_rows(connection, evidence(first))
        expected = evidence(second, MODEL if same_model else b"another")
        facts = saved_rows(connection, expected)

        assert_same(load_reworked(connection, facts, IDS, LENGTHS), expected)
        verify_values(connection)


def test_without_a_model_nothing_is_left_of_an_earlier_one():
    with connected() as connection:
        saved_rows(connection, evidence({(1, 2): (80, 0.5, 0.7, 0.6, 40)}))
        facts = saved_rows(connection, PassageEvidence.none())

        assert_same(load_reworked(connection, facts, IDS, LENGTHS), PassageEvidence.none())
        assert facts.models == 0
        assert connection.execute("SELECT count(*) FROM word_model").fetchone() == (0,)


BAD = {
    "of another size": "UPDATE word_model SET size = size + 1",
    "of no size": "UPDATE word_model SET size = 0",
    "of a size that is none": "UPDATE word_model SET size = 'x'",
    "that swells": "UPDATE word_model SET size = 1000000000",
    "of another checksum": "UPDATE word_model SET checksum = checksum + 1",
    "that is gone": "DELETE FROM word_model",
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_model_that_cannot_be_so_is_refused(change):
    with connected() as connection:
        facts = saved_rows(connection, evidence({(1, 2): (80, 0.5, 0.7, 0.6, 40)}))
        connection.execute(change)

        with pytest.raises(ValueError, match=r"model|compressed value"):
            load_reworked(connection, facts, IDS, LENGTHS)


def test_pairs_follow_their_documents():
    known = evidence({(0, 1): FIRST, (0, 2): SECOND, (1, 2): (40, 0.3, 0.4, 0.5, 7)})

    moved = known.renumbered(np.array([2, -1, 0]))

    bits, overlap, in_x, in_y, words = SECOND
    assert_same(moved, evidence({(0, 2): (bits, overlap, in_y, in_x, words)}))


def test_evidence_is_merged_only_within_one_model():
    first, second = evidence({(0, 1): FIRST}), evidence({(0, 2): SECOND})
    both = evidence({(0, 1): FIRST, (0, 2): SECOND})
    only_bits = evidence({(0, 1): (20, -1, -1, -1, -1)})

    assert_same(first.together(second), both)
    assert_same(second.together(first), both)
    assert_same(first.together(both), both)
    assert_same(first.together(only_bits), first)
    assert_same(only_bits.together(first), first)
    newer = second._replace(model=b"newer")
    assert_same(first.together(newer), newer)
    assert_same(PassageEvidence.none().together(PassageEvidence.none()), PassageEvidence.none())


LAST = 2**24 - 1
document_rows = st.lists(
    st.lists(st.tuples(st.integers(0, 2**40 - 1), st.integers(0, 300) | st.integers(0, LAST))),
    max_size=6,
)


def grams_of(texts):
    """The grams of documents: of each, hash and place, in the order of their places."""
    values = [
        [gram << 24 | position for gram, position in sorted(grams, key=lambda two: two[1])]
        for grams in texts
    ]
    counts = np.array([len(grams) for grams in values], dtype=np.int64)
    return Fingerprints(np.array([*chain(*values)], dtype=np.uint64), counts)


@settings(derandomize=True)
@given(document_rows)
def test_any_grams_come_back(texts):
    grams = grams_of(texts)

    columns = pack_grams(grams)
    back = unpack_grams(columns)

    assert [bool(column) for column in columns] == [bool(grams) for grams in texts]
    np.testing.assert_array_equal(back.values, grams.values)
    np.testing.assert_array_equal(back.counts, grams.counts)
    assert back.values.dtype == np.uint64


def test_grams_of_a_text_take_six_bytes_each():
    text = " ".join(f"word{number * 7919 % 1000}" for number in range(2000))
    grams = sign_texts([text], ScanSettings(reworked="careful")).skip_grams

    (column,) = pack_grams(grams)

    assert grams.counts[0] > 300
    assert len(column) == 1 + 6 * grams.counts[0]


WRONG = {
    "of another size": b"\1" + b"x" * 7,
    "of no grams": b"\1",
    "of another width": b"\2" + b"x" * 7,
    "of no width": b"\0" + b"x" * 5,
    "behind the end of any text": b"\3" + b"\xff" * 16,
}


@pytest.mark.parametrize("column", WRONG.values(), ids=WRONG)
def test_broken_columns_are_refused(column):
    unpack_grams([b"", b"\1" + b"x" * 6])

    with pytest.raises(ValueError, match="skip-gram"):
        unpack_grams([b"\1" + b"x" * 6, column])

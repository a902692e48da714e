"""A review that somebody made on purpose, with right checksums, is refused in a sentence, or what
it shows is what its texts give.

All of them run through every command in `tests/bench/reviews_crafted.py`; here every eighth.
"""

import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import NeardupError
from core.evidence.pairs import ReworkedEvidence
from core.review import open_review, sample, save_review
from core.review.packing import decompressed
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan

BENCH = str(Path(__file__).parents[2] / "bench")
EVERY = 8


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The functions that make reviews, and a whole one."""
    sys.path.insert(0, BENCH)
    try:
        import crafted_reviews
    finally:
        sys.path.remove(BENCH)
    folder = tmp_path_factory.mktemp("crafted")
    crafted_reviews.make_documents(folder / "docs")
    crafted_reviews.make_review(folder / "docs", folder / "whole.neardup")
    return crafted_reviews, folder / "whole.neardup"


def listed(path):
    """The notes of a review, its pairs as they are listed, and as its texts give them."""
    with open_review(path) as review:
        scan = Scan.restored(review.state)
        pairs = scan.list_pairs().every
        state = review.state
        truth = find_pairs(list(state.texts), state.settings, set_aside=state.set_aside)
        scan.close()
        for name in (one.name for one in (*review.state.documents, *review.state.problems)):
            assert name.isprintable()
        assert all(note.isprintable() for note in review.notes)
        return review.notes, rows(pairs), rows(truth)


def rows(pairs):
    names = ("a", "b", "resemblance", "longest_run", "run_words", "shared_shingles", "estimate")
    columns = (getattr(pairs, name).tolist() for name in (*names, "exact_duplicate"))
    return sorted(zip(*columns, strict=True))


def assert_harmless(path):
    try:
        _, own, right = listed(path)
    except NeardupError as error:
        refusal = str(error)
    else:
        assert own == right
        return True
    assert refusal.isprintable()
    return False


def test_crafted_reviews_do_no_harm(tmp_path, made):
    crafted, whole = made
    every = list(crafted.crafted())
    assert len(every) > 300
    opened = 0
    for name, change in every[::EVERY]:
        if "bomb" not in name and "10 MB" not in name:
            path = tmp_path / "a.neardup"
            crafted.craft(whole, path, change)
            opened += assert_harmless(path)
            path.unlink()
    assert opened > 5


def test_damaged_reviews_do_no_harm(tmp_path, made):
    crafted, whole = made
    path = tmp_path / "a.neardup"
    data = whole.read_bytes()
    opened = 0
    for _name, damaged in crafted.damaged(data, data[::-1], 48, 7):
        path.write_bytes(damaged)
        opened += assert_harmless(path)
        for end in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    assert opened < 40


CHANGED = ["pairs one more shared", "a copy that is none", "signed 1 fingerprints gone"]


@pytest.mark.parametrize("name", CHANGED)
def test_numbers_that_texts_do_not_give_are_told_and_measured_again(
    tmp_path, made, monkeypatch, name
):
    crafted, whole = made
    path = tmp_path / "a.neardup"
    crafted.craft(whole, path, dict(crafted.crafted())[name])

    notes, own, right = listed(path)
    assert own == right
    assert notes[0].startswith("Numbers in this review are not those that its texts give")
    if name == CHANGED[0]:  # without the sample they would be shown: the test can fail
        monkeypatch.setattr("core.review.stored_scan.agrees_with_texts", lambda *_: True)
        notes, own, right = listed(path)
        assert own != right
        assert not notes


def test_of_a_large_review_a_part_is_measured(made):
    _, whole = made
    with open_review(whole) as review:
        # What the words of the folder tell is learned again from all of a sample.
        evidence = review.state.evidence._replace(reworked=ReworkedEvidence.none())
        state = review.state._replace(evidence=evidence)
        total = sum(one.characters for one in state.documents)
        asked = []

        class Watched(list):
            def __getitem__(self, number):
                asked.append(number)
                return super().__getitem__(number)

        watched = state._replace(texts=Watched(state.texts))
        assert sample.agrees_with_texts(watched, lambda: False, characters=6000)
        read = sum(state.documents[number].characters for number in asked)
        assert 3000 < read <= 6000 < total
        overlap = state.evidence.overlap
        wrong = state.evidence._replace(overlap=overlap._replace(words=overlap.words + 1))
        state = state._replace(evidence=wrong)
        assert not sample.agrees_with_texts(state, lambda: False, characters=6000)


def test_saving_over_a_crafted_review_is_refused_or_leaves_a_whole_one(tmp_path, made):
    crafted, whole = made
    refusals = []
    with open_review(whole) as review:
        for _name, change in list(crafted.crafted())[3::29]:
            path = tmp_path / f"{random.random()}.neardup"
            crafted.craft(whole, path, change)
            try:
                save_review(path, review.state)
            except NeardupError as error:
                refusals.append(str(error))
            else:
                assert_harmless(path)
        assert refusals
        assert all(sentence.isprintable() for sentence in refusals)


def test_a_compressed_value_has_the_size_it_says():
    import zlib

    data = zlib.compress(b"abc")
    assert decompressed(3, data) == b"abc"
    for size, wrong in ((2, data), (4, data), (-1, data), (3, data + b"x"), (3, data[:-1])):
        with pytest.raises((ValueError, zlib.error)):
            decompressed(size, wrong)
    with pytest.raises(ValueError, match="cannot be"):
        decompressed(1 << 40, data)


def test_a_row_is_not_read_when_it_is_larger_than_any_of_ours(tmp_path, made):
    crafted, whole = made
    path = tmp_path / "a.neardup"
    crafted.craft(whole, path, lambda edit: edit.document(name=b"x" * 2_000_000))
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("SELECT max(length(name)) FROM documents").fetchone()
    assert size == 2_000_000

    with pytest.raises(NeardupError, match="damaged"):
        open_review(path)

"""A scan that takes up an earlier one reads only what changed, and gives what a fresh one gives.

Folders that lose, rename, change and regain files at random: nothing is lost.

The same worlds go through hundreds of rescans in `tests/bench/rescans.py`.
"""

import os
import random
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.scan import ingest
from core.scan.changed_files import Changes
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.bench import rescans
from tests.texts import folder_with


@pytest.mark.parametrize("seed", range(3))
def test_a_rescan_loses_nothing_and_equals_a_fresh_scan(tmp_path, seed):
    world = rescans.World(tmp_path, seed)
    for _ in range(5):
        world.disturb()
        world.rescan()

    assert world.counts["rescans"] == 5


def test_the_ledger_sees_what_is_lost(tmp_path):
    world = rescans.World(tmp_path, 0)
    fewer = world.state._replace(documents=world.state.documents[1:], texts=world.state.texts[1:])

    with pytest.raises(AssertionError, match="lost"):
        world._check_ledger(world.state, fewer)


SETTINGS = ScanSettings(k=3)
COLUMNS = ("a", "b", "resemblance", "containment_a", "longest_run", "estimate", "found_by")


def text_of(number, edit=0):
    rng = random.Random(number // 3)
    words = [f"w{rng.randrange(5000)}" for _ in range(120)]
    rng = random.Random(1000 * number + edit)
    for _ in range(number % 3 * 8 + edit):
        words[rng.randrange(120)] = f"x{rng.randrange(5000)}"
    return " ".join(words)


@pytest.fixture
def folder(tmp_path):
    folder_with(tmp_path, {f"text{number:03}.txt": text_of(number) for number in range(60)})
    (tmp_path / "empty.txt").write_text("")
    return tmp_path


@pytest.fixture
def scanned(folder, open_scan):
    result = open_scan([folder], SETTINGS)
    result.pairs()
    return result


@pytest.fixture
def read(monkeypatch):
    """The names of the files that are opened from here on."""
    names = []
    real = os.open

    def open_and_note(path, flags, *arguments, **options):
        if str(path).endswith(".txt"):
            names.append(Path(path).name)
        return real(path, flags, *arguments, **options)

    monkeypatch.setattr("os.open", open_and_note)
    return names


def present_rows(result):
    """The numbers of the documents that are there."""
    return [number for number, document in enumerate(result.documents) if document.absence is None]


def present_pairs(result):
    """The pairs among these, numbered as they would be alone."""
    new_numbers = np.full(len(result.documents), -1)
    new_numbers[present_rows(result)] = np.arange(result.present)
    pairs = result.pairs()
    pairs = pairs.with_columns(a=new_numbers[pairs.a], b=new_numbers[pairs.b])
    return pairs.take((pairs.a >= 0) & (pairs.b >= 0))


def assert_same(result, expected):
    """The present documents and their pairs are those of a fresh scan."""
    rows = present_rows(result)
    assert [
        (document.name, document.file_hash) for document in (result.documents[row] for row in rows)
    ] == [(document.name, document.file_hash) for document in expected.documents]
    assert [result.texts[row] for row in rows] == list(expected.texts)
    assert sorted(result.problems) == sorted(expected.problems)
    pairs, expected_pairs = present_pairs(result), present_pairs(expected)
    assert len(expected_pairs)
    for column in COLUMNS:
        assert getattr(pairs, column).tolist() == getattr(expected_pairs, column).tolist(), column
    assert result.list_pairs().notes == expected.list_pairs().notes


def compare_with_a_fresh_scan(folder, previous, settings=SETTINGS):
    with (
        closing(scan([folder], settings, previous=previous)) as result,
        closing(scan([folder], settings)) as fresh,
    ):
        assert_same(result, fresh)


def test_nothing_changed_nothing_is_read(folder, scanned, read, open_scan):
    result = open_scan([folder], SETTINGS, previous=scanned.state)

    assert read == ["empty.txt"]
    assert_same(result, scanned)


def test_only_what_changed_is_read(folder, scanned, read, open_scan):
    (folder / "text007.txt").write_text(text_of(7, edit=30), encoding="utf-8")
    (folder / "a new one.txt").write_text(text_of(100), encoding="utf-8")
    (folder / "text030.txt").unlink()
    os.utime(folder / "text040.txt", ns=(1, 1))
    (folder / "text050.txt").rename(folder / "z moved.txt")
    (folder / "copy of text021.txt").write_bytes((folder / "text021.txt").read_bytes())

    result = open_scan([folder], SETTINGS, previous=scanned.state)

    assert sorted(set(read)) == [
        "a new one.txt",
        "copy of text021.txt",
        "empty.txt",
        "text007.txt",
        "text040.txt",
        "z moved.txt",
    ]
    fresh = open_scan([folder], SETTINGS)
    assert_same(result, fresh)
    moved = next(document for document in result.documents if document.name == "z moved.txt")
    assert moved.path == folder / "z moved.txt"
    assert [document.name for document in result.documents if document.absence] == ["text030.txt"]
    assert result.changes == Changes(
        added=("a new one.txt", "copy of text021.txt"),
        changed=("text007.txt",),
        moved=(("text050.txt", "z moved.txt"),),
        gone=("text030.txt",),
    )


def test_the_same_bytes_under_another_kind_of_name_are_another_text(folder, open_scan):
    page = b"<p>" + text_of(9).encode() + b"</p> <i>more</i> 1 < 2"
    (folder / "page.txt").write_bytes(page)
    (folder / "page.html").write_bytes(page)
    (folder / "only.txt").write_bytes(page + b".")
    first = open_scan([folder], SETTINGS)
    assert len({document.kind for document in first.documents}) == 2
    (folder / "only.txt").rename(folder / "only.html")

    compare_with_a_fresh_scan(folder, first.state)
    compare_with_a_fresh_scan(folder, first.state, SETTINGS.with_changes(k=4))


@pytest.mark.parametrize(
    "changes",
    [
        {"k": 4},
        {"unit": "char", "k": 9},
        {"bag": True},
        {"min_passage": 60},
        {"min_passage": 12},
        {"bands": 20, "rows": 5, "min_resemblance": 0.4},
        {"signature_size": 200},
        {"signature": "minhash"},
        {"signature": "simhash", "max_distance": 8},
        {"signature": "simhash", "weights": "tf-idf"},
        {"language": "english", "stem": True},
    ],
)
def test_other_settings_take_the_texts_and_read_no_file(folder, scanned, read, changes, open_scan):
    (folder / "text007.txt").write_text(text_of(7, edit=30), encoding="utf-8")
    open_scan([folder], SETTINGS.with_changes(**changes), previous=scanned.state)
    assert sorted(read) == ["empty.txt", "text007.txt"]

    compare_with_a_fresh_scan(folder, scanned.state, SETTINGS.with_changes(**changes))


def test_pairs_that_are_known_are_not_measured_again(folder, monkeypatch, open_scan):
    bands = SETTINGS.with_changes(compare="bands")  # to compare all, shingles are made anew
    first = open_scan([folder], bands)
    first.pairs()
    result = open_scan([folder], bands, previous=first.state)

    monkeypatch.setattr("core.evidence.store.shingles_and_beginnings", None)
    assert_same(result, first)


def test_rarity_is_weighed_anew_when_a_document_is_added(folder, open_scan):
    settings = SETTINGS.with_changes(signature="simhash", weights="tf-idf", max_distance=8)
    first = open_scan([folder], settings)
    first.pairs()
    (folder / "another.txt").write_text(text_of(1, edit=2), encoding="utf-8")

    compare_with_a_fresh_scan(folder, first.state, settings)


def test_a_scan_is_restored_without_its_files(folder, scanned):
    state = scanned.state
    for file in folder.iterdir():
        file.unlink()

    result = Scan.restored(state)

    assert_same(result, scanned)
    assert result.folders == (folder,)
    assert len(result.background()) == len(scanned.background())
    result.close()


def test_rescans_follow_one_another(folder, scanned, open_scan):
    state = scanned.state
    rng = random.Random(3)
    for step in range(4):
        for _ in range(5):
            number = rng.randrange(80)
            (folder / f"text{number:03}.txt").write_text(text_of(number, step), encoding="utf-8")
        victims = sorted(folder.glob("text*.txt"))
        rng.choice(victims).unlink()
        result = open_scan([folder], SETTINGS, previous=state)
        fresh = open_scan([folder], SETTINGS)
        assert_same(result, fresh)
        state = result.state


def test_texts_beyond_the_memory_give_the_same_pairs(folder, scanned, monkeypatch, open_scan):
    monkeypatch.setattr("core.scan.scan.text_memory", lambda: 0)
    monkeypatch.setattr("core.base.arrays.MEMORY_BYTES", 0)
    result = open_scan([folder], SETTINGS)

    assert result.state.texts._file is not None
    assert result._corpus._signatures.in_file
    assert_same(result, scanned)


def test_a_small_cache_of_shingles_gives_the_same_pairs(folder, scanned, monkeypatch, open_scan):
    monkeypatch.setattr("core.evidence.store.LIMIT", 500)

    assert_same(open_scan([folder], SETTINGS), scanned)


def test_texts_of_an_older_reader_are_not_taken_over(folder, scanned, open_scan):
    old = scanned.state._replace(texts_are_current=False)

    again = open_scan([folder], SETTINGS, previous=old)

    assert again.state.texts_are_current
    assert_same(again, scanned)


def test_other_limits_are_tried_on_what_was_remarked_on(tmp_path, open_scan):
    (tmp_path / "plain.html").write_text("<p>" + text_of(1))
    (tmp_path / "wrong.docx").write_text("<html><p>" + text_of(4))
    first = open_scan([tmp_path], SETTINGS)
    assert [len(document.remarks) for document in first.documents] == [0, 1]
    marked = first.state._replace(
        documents=[
            document._replace(remarks=(*document.remarks, "Cut.")) for document in first.documents
        ]
    )

    same = open_scan([tmp_path], SETTINGS, previous=marked)
    more = open_scan(
        [tmp_path],
        SETTINGS,
        reading=ReadingSettings(limits=ReadingLimits(seconds=9)),
        previous=marked,
    )

    assert list(same.documents) == list(marked.documents)
    assert list(more.documents) == list(first.documents)


def test_the_compiler_is_loaded_while_the_first_files_are_read_and_not_for_unchanged_ones(
    folder, monkeypatch
):
    events = []
    monkeypatch.setattr(ingest, "load_numba", lambda: events.append("loaded"))
    result_of = ingest.result_of
    monkeypatch.setattr(
        ingest, "result_of", lambda future: events.append("waited") or result_of(future)
    )

    with closing(scan([folder], SETTINGS)) as first:
        assert events[:2] == ["loaded", "waited"]
        events.clear()
        with closing(scan([folder], SETTINGS, previous=first.state)):
            assert "loaded" not in events

"""The flow from folders to pairs: batches, threads, cancelling, and what is left behind."""

from __future__ import annotations

import errno
import sys
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import core
from core.base.tasks import ROOM, WorkerPool, cancelled_by, result_of, results_of, worker_count
from core.documents.discovery import find_documents
from core.documents.isolation.pool import ReaderProcesses
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ScanCancelledError, StorageError
from core.scan import ingest
from core.scan.flow import scan
from core.scan.ingest import take_in
from core.scan.submissions import KnownDocuments
from core.settings import PRESETS, ScanSettings
from tests.texts import folder_with

SETTINGS = ScanSettings()


def write_texts(folder, count, words=200):
    for number in range(count):
        own = (f"w{number if place % 20 == 0 else number // 3}x{place}" for place in range(words))
        (folder / f"text{number:03}.txt").write_text(" ".join(own))


def engine_threads():
    return [one for one in threading.enumerate() if one.name.startswith("neardup-engine")]


def wait_for_no_engine_threads():
    for thread in engine_threads():
        thread.join(300)
    assert not engine_threads()


class StopAfter:
    """Says that the work is cancelled from the n-th question on."""

    def __init__(self, questions):
        self.left = questions

    def __call__(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("questions", [0, 5, 30, 45])
def test_a_cancelled_scan_leaves_no_thread(tmp_path, questions):
    write_texts(tmp_path, 40)

    with pytest.raises(ScanCancelledError):
        cancelled_by(StopAfter(questions))(scan)([tmp_path], SETTINGS)

    wait_for_no_engine_threads()


def test_a_scan_that_fails_leaves_no_thread(tmp_path):
    write_texts(tmp_path, 3)

    def fail(report):
        if report.done:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        scan([tmp_path], SETTINGS, progress=fail)

    wait_for_no_engine_threads()


def test_results_stay_readable_after_closing(tmp_path):
    write_texts(tmp_path, 5)
    result = scan([tmp_path], SETTINGS)
    pairs = result.pairs()
    result.close()

    wait_for_no_engine_threads()
    assert len(result.texts) == len(result.documents) == 5
    again = result.pairs()
    assert again.a.tolist() == pairs.a.tolist()
    assert again.resemblance.tolist() == pairs.resemblance.tolist()


def test_waiting_for_a_thread_is_cancelled_at_once():
    never_done = Future()

    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(result_of)(never_done)
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
        list(results_of([never_done]))
    assert never_done.cancelled()


def test_the_number_of_threads_does_not_change_the_result(tmp_path, monkeypatch):
    write_texts(tmp_path, 60)
    found = []
    for threads in (1, 2, 7):
        monkeypatch.setattr("core.scan.ingest.worker_count", lambda count=threads: count)
        monkeypatch.setattr("core.base.tasks.BATCH_TEXTS", 4 * threads)
        monkeypatch.setattr("core.evidence.store.SHINGLES_PER_TASK", 300 * threads)
        for preset in PRESETS:
            result = scan([tmp_path], preset.settings)
            pairs = result.pairs()
            result.close()
            columns = (pairs.a, pairs.b, pairs.resemblance, pairs.estimate, pairs.longest_run)
            found.append([column.tolist() for column in columns])

    assert found[:4] == found[4:8] == found[8:]
    assert any(columns[0] for columns in found)


def test_a_name_of_the_public_face_is_what_it_says_whatever_was_imported_before():
    for name in core.__all__:
        assert not isinstance(getattr(core, name), ModuleType), name


def test_a_text_too_long_for_the_memory_is_a_problem_and_the_scan_goes_on(tmp_path, monkeypatch):
    write_texts(tmp_path, 3)
    (tmp_path / "long.txt").write_text("word " * 2000)
    for module in ("characters", "tokenising"):
        monkeypatch.setattr(f"core.text.{module}.PIECE", 5000)
    monkeypatch.setattr("core.scan.ingest.available_memory", lambda: 100_000)

    result = scan([tmp_path], SETTINGS)
    result.close()

    assert len(result.documents) == 3
    assert [one.name for one in result.problems] == ["long.txt"]
    assert "longer than 961 words. To compare it needs more than 50 kB of memory, half of" in (
        result.problems[0].detail
    )


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    write_texts(tmp_path, 30)
    monkeypatch.setattr("core.scan.scan.text_memory", lambda: 0)

    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with pytest.raises(StorageError, match="is full"):
        scan([tmp_path], SETTINGS)
    wait_for_no_engine_threads()


def test_a_scan_that_needs_a_temporary_file_says_so_before_it_reads(tmp_path, monkeypatch):
    write_texts(tmp_path, 5)
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 100)
    told = []

    result = scan(
        [tmp_path],
        SETTINGS,
        announce=told.append,
        progress=lambda report: told.append("read") if report.done else None,
    )

    assert "temporary file" in told[0]
    assert told[1] == "read"
    assert told[0] in result.list_pairs().notes
    result.close()


def test_a_document_whose_every_a_is_cyrillic_is_found_and_says_so(tmp_path):
    words = " ".join(f"a{place} parade of alpha, beta and gamma" for place in range(40))
    (tmp_path / "plain.txt").write_text(words, encoding="utf-8")
    (tmp_path / "disguised.txt").write_text(words.replace("a", "а"), encoding="utf-8")

    with_letters, plain = scan([tmp_path], SETTINGS).documents
    (found,) = scan([tmp_path], SETTINGS).list_pairs().pairs.resemblance

    assert found == 1
    assert plain.remarks == ()
    assert with_letters.remarks[0].startswith("360 letters of other scripts stand within words")
    assert with_letters.text_hash == plain.text_hash


PAIRS_OF_WORDS = ScanSettings(k=2)
READING = ReadingSettings()


def batches_of(folder: Path):
    found, _ = find_documents([folder])
    known = KnownDocuments(None, PAIRS_OF_WORDS, READING)
    with ReaderProcesses(READING) as processes, ThreadPoolExecutor(2) as pool:
        return list(take_in(found, PAIRS_OF_WORDS, known, processes, pool))


@pytest.fixture
def folder(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text(f"these are the words of number {number}")
    (tmp_path / "07.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize("much", [1, 100, 1_000_000])
def test_small_files_with_long_texts_make_many_batches(folder, monkeypatch, much):
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", much * (2 * worker_count() + 1))

    parts = batches_of(folder)

    names = [document.name for batch in parts for document in batch.documents]
    assert names == [f"{number:02}.txt" for number in range(40) if number != 7]
    assert sum(batch.files for batch in parts) == 40
    assert [problem.name for batch in parts for problem in batch.problems] == ["07.txt"]
    for batch in parts:
        assert sum(map(len, batch.texts)) <= much + 40
        assert len(batch.signed.units) == len(batch.documents)


def test_texts_that_wait_are_counted_by_the_memory_they_take(folder, monkeypatch):
    folder_with(folder, {f"{number:02}.txt": f"{number} 图书馆 的 书" * 20 for number in range(40)})
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 1000 * (2 * worker_count() + 1))

    sizes = [[*map(sys.getsizeof, batch.texts)] for batch in batches_of(folder)]

    assert sum(map(len, sizes)) == 40
    assert all(sum(batch) <= 1000 + max(batch) for batch in sizes)


def test_large_texts_wait_for_their_turn_and_come_in_order(folder, monkeypatch):
    for number in range(0, 40, 3):
        (folder / f"{number:02}.txt").write_text(f"the many words of number {number} " * 100)
    whole = [one.name for batch in batches_of(folder) for one in batch.documents]
    monkeypatch.setattr(ingest, "LARGE_FILE", 1000)
    monkeypatch.setattr(ingest, "BYTES_AHEAD", 1)
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 100)
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset())
    monkeypatch.setattr(ingest, "FOREIGN_FILE", 1 << 20)  # each in a batch of its own

    assert [one.name for batch in batches_of(folder) for one in batch.documents] == whole
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset({".txt"}))
    assert [one.name for batch in batches_of(folder) for one in batch.documents] == whole
    assert ROOM.taken == 0


def test_texts_are_let_go_while_the_next_are_read(folder, monkeypatch):
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 2 * worker_count() + 1)  # one file at a time
    found, _ = find_documents([folder])
    known = KnownDocuments(None, PAIRS_OF_WORDS, READING)
    before: list[weakref.ref[np.ndarray]] = []
    kept: list[bool] = []

    def look() -> bool:
        kept.extend(signatures() is not None for signatures in before)
        return False

    with ReaderProcesses(READING) as processes, WorkerPool(2) as pool, cancelled_by(look):
        batches = take_in(found, PAIRS_OF_WORDS, known, processes, pool)
        while batch := next(batches, None):
            before.append(weakref.ref(batch.signed.signatures))
            del batch

    assert len(before) > 30  # a reader may be quicker than the next batch
    assert not any(kept)


def test_a_text_with_too_many_words_is_a_problem_that_names_the_limit(folder):
    found, _ = find_documents([folder])
    reading = ReadingSettings(limits=ReadingLimits(characters=49))
    (folder / "05.txt").write_text("these are the words of number 5, and a few more")
    known = KnownDocuments(None, PAIRS_OF_WORDS, reading)
    with ReaderProcesses(reading) as processes, ThreadPoolExecutor(2) as pool:
        (batch,) = take_in(found, PAIRS_OF_WORDS, known, processes, pool)

    assert len(batch.documents) == 38
    told = {problem.name: problem.detail for problem in batch.problems}
    assert "longer than 7 words" in told["05.txt"]

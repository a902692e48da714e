"""Batches of read and signed files: all of them, in their order, never too much at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.base.tasks import ROOM, never, worker_count
from core.documents.discovery import find_documents
from core.documents.isolation.pool import ReaderProcesses
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.scan import ingest
from core.scan.ingest import take_in
from core.scan.submissions import KnownDocuments
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=2)
READING = ReadingSettings()


def batches_of(folder: Path):
    found, _ = find_documents([folder])
    known = KnownDocuments(None, SETTINGS, READING)
    with ReaderProcesses(READING) as processes, ThreadPoolExecutor(2) as pool:
        return list(take_in(found, SETTINGS, known, processes, pool, never))


@pytest.fixture
def folder(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text(f"these are the words of number {number}")
    (tmp_path / "07.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize("much", [1, 100, 1_000_000])
def test_small_files_with_long_texts_make_many_batches(folder, monkeypatch, much):
    monkeypatch.setattr(ingest, "CHARACTERS_AHEAD", much * (2 * worker_count() + 1))

    parts = batches_of(folder)

    names = [document.name for batch in parts for document in batch.documents]
    assert names == [f"{number:02}.txt" for number in range(40) if number != 7]
    assert sum(batch.files for batch in parts) == 40
    assert [problem.name for batch in parts for problem in batch.problems] == ["07.txt"]
    for batch in parts:
        assert sum(map(len, batch.texts)) <= much + 40
        assert len(batch.signed.units) == len(batch.documents)


def test_large_texts_wait_for_their_turn_and_come_in_order(folder, monkeypatch):
    for number in range(0, 40, 3):
        (folder / f"{number:02}.txt").write_text(f"the many words of number {number} " * 100)
    whole = [one.name for batch in batches_of(folder) for one in batch.documents]
    monkeypatch.setattr(ingest, "LARGE_FILE", 1000)
    monkeypatch.setattr(ingest, "BYTES_AHEAD", 1)
    monkeypatch.setattr(ingest, "CHARACTERS_AHEAD", 100)
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset())
    monkeypatch.setattr(ingest, "FOREIGN_FILE", 1 << 20)  # each in a batch of its own

    assert [one.name for batch in batches_of(folder) for one in batch.documents] == whole
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset({".txt"}))
    assert [one.name for batch in batches_of(folder) for one in batch.documents] == whole
    assert ROOM.taken == 0


def test_a_text_with_too_many_words_is_a_problem_that_names_the_limit(folder):
    found, _ = find_documents([folder])
    reading = ReadingSettings(limits=ReadingLimits(characters=49))
    (folder / "05.txt").write_text("these are the words of number 5, and a few more")
    known = KnownDocuments(None, SETTINGS, reading)
    with ReaderProcesses(reading) as processes, ThreadPoolExecutor(2) as pool:
        (batch,) = take_in(found, SETTINGS, known, processes, pool, never)

    assert len(batch.documents) == 38
    told = {problem.name: problem.detail for problem in batch.problems}
    assert "longer than 7 words" in told["05.txt"]

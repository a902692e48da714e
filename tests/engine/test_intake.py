"""Batches of read and signed files: all of them, in their order, never too much at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core import intake
from core.documents import ReaderProcesses, ReadingSettings, find_documents
from core.intake import take_in
from core.known import KnownDocuments
from core.progress import never
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
    monkeypatch.setattr(intake, "MUCH_TEXT", much)

    parts = batches_of(folder)

    names = [document.name for batch in parts for document in batch.documents]
    assert names == [f"{number:02}.txt" for number in range(40) if number != 7]
    assert sum(batch.files for batch in parts) == 40
    assert [problem.name for batch in parts for problem in batch.problems] == ["07.txt"]
    for batch in parts:
        assert sum(map(len, batch.texts)) <= much + 40
        assert len(batch.signed.units) == len(batch.documents)

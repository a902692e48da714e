"""A reader process that was taken over costs its file one sentence, and no other file anything."""

import json
import struct
import sys
import threading
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from core.documents.discovery import find_documents
from core.documents.extraction import Failure, Piece
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import Problem, ProblemCode, ReadDocument
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.review import open_review, save_review
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.engine.documents.isolation.lying_reader import COPIED, DONE, ESCAPE, FORGE, ORDERS

PROGRAM = Path(__file__).with_name("lying_reader.py")
START = f"import runpy; runpy.run_path({str(PROGRAM)!r})['main']()"
HASH = "0123456789abcdef" * 2
HONEST = "The keeper of the lighthouse climbed the stairs."
LIMITS = ReadingLimits(memory_bytes=200 << 20, seconds=3600, characters=2_000_000)
CODES = {
    "hang": ProblemCode.TIMEOUT,
    "flood signs of life": ProblemCode.TIMEOUT,
    "swell": ProblemCode.OUT_OF_MEMORY,
    "flood documents": ProblemCode.TOO_BIG_UNPACKED,
    "flood problems": ProblemCode.TOO_BIG_UNPACKED,
    "flood texts": ProblemCode.TOO_BIG_UNPACKED,
    "commands in a detail": ProblemCode.DAMAGED,
}
SETTINGS = ScanSettings()
READ = {order for order in ORDERS if "the end" in order or "the next" in order} | {"end twice"}
# Given up after a sixth of its seconds without a sign of life, and after all of them with signs.
SLOW = {"hang": 12, "deaf after the end": 12, "flood signs of life": 4}


def order(processes: ReaderProcesses, lie: str) -> list[Piece | Failure]:
    return list(processes.read(lie.encode(), ".rtf", HASH))


def started(lie: str, program: str = START) -> ReaderProcesses:
    limits = replace(LIMITS, seconds=SLOW.get(lie, LIMITS.seconds))
    return ReaderProcesses(ReadingSettings(limits=limits), program)


def reader_threads() -> list[str]:
    return [
        thread.name for thread in threading.enumerate() if thread.name.startswith("neardup-reader")
    ]


def left() -> list[str]:
    """What runs that should not."""
    return reader_threads() + [str(child) for child in psutil.Process().children(recursive=True)]


@pytest.mark.parametrize(
    "lie", sorted(ORDERS.keys() - READ - {"commands in a remark", ESCAPE, FORGE})
)
def test_a_lying_reader_costs_its_file_a_sentence(lie):
    with started(lie) as processes:
        assert order(processes, HONEST)[0].text == HONEST

        *earlier, last = order(processes, lie)

        assert isinstance(last, Failure)
        assert last.code == CODES.get(lie, ProblemCode.CRASH)
        assert last.detail.endswith(".")
        assert len(last.detail) < 1_000
        assert last.detail.isprintable()
        assert not earlier or lie.startswith("flood ")
        assert order(processes, HONEST)[0].text == HONEST
    assert not left()


@pytest.mark.parametrize("lie", sorted(READ))
def test_a_reader_that_lies_after_a_file_costs_the_next_file_nothing(lie):
    with started(lie) as processes:
        for _ in range(2):
            assert [result.text for result in order(processes, lie)] == [DONE]
            assert [result.text for result in order(processes, HONEST)] == [HONEST]
    assert not left()


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_nobody_waits_for_a_pipe_that_somebody_else_holds():
    """What left the group of the process cannot be found any more; confinement is against that."""
    with started("") as processes:
        assert order(processes, ESCAPE)[0].code == ProblemCode.CRASH
        assert order(processes, HONEST)[0].text == HONEST
    assert not reader_threads()


def test_output_before_the_first_file_is_not_taken_for_an_answer():
    head = json.dumps({"is": "end", "task": "0"}).encode()
    before = struct.pack("<QQ", len(head), 0) + head
    program = START.replace("()", f"({before!r})")
    with started("", program) as processes:
        (result,) = order(processes, HONEST)

    assert result.code == ProblemCode.CRASH
    assert not left()


def test_a_sentence_commands_no_terminal():
    with started("") as processes:
        (read,) = order(processes, "commands in a remark")
        (failed,) = order(processes, "commands in a detail")

    assert read.remarks == ("\ufffd[2J\ufffdIt is.",)
    assert failed.detail == "\ufffd]0;x\ufffdIt is.\ufffdYes."


def test_of_the_file_itself_the_hash_is_ours():
    with started("") as processes:
        assert order(processes, HONEST)[0].file_hash == HASH


def test_a_part_is_never_taken_for_another_file(tmp_path, monkeypatch):
    """Neither where equal documents are stored once, nor where known ones are not read again."""
    monkeypatch.setattr("core.scan.flow.ReaderProcesses", partial(ReaderProcesses, start=START))
    (tmp_path / "1.rtf").write_text(FORGE)
    (tmp_path / "2.txt").write_bytes(COPIED)
    review = tmp_path / "a.neardup"
    lie, truth = COPIED[::-1].decode(), COPIED.decode()

    def texts(result: Scan) -> list[str]:
        return [result.texts[number] for number in range(len(result.documents))]

    with closing(scan([tmp_path], SETTINGS)) as result:
        assert texts(result) == [lie, truth]
        save_review(review, result.state)
    (tmp_path / "3.txt").write_bytes(COPIED)
    with open_review(review) as opened:
        assert [opened.state.texts[number] for number in range(2)] == [lie, truth]
        with closing(scan([tmp_path], SETTINGS, previous=opened.state)) as again:
            assert texts(again) == [lie, truth, truth]


def test_a_folder_of_liars_and_one_honest_file(tmp_path):
    """As a scan reads them: each is listed, with a sentence or its text."""
    orders = sorted(ORDERS.keys() - SLOW.keys() - {"swell", ESCAPE})
    for number, order_text in enumerate([*orders, HONEST]):
        (tmp_path / f"{number:03}.rtf").write_text(order_text)
    files, _ = find_documents([tmp_path])

    with started("") as processes:
        results = [list(read_file(file, processes))[-1] for file in files]

    assert len(results) == len(orders) + 1
    for lie, result in zip(orders, results, strict=False):
        assert isinstance(result, ReadDocument if lie in READ else ReadDocument | Problem), lie
    assert results[-1].text == HONEST
    assert not left()

"""The hostile files of `tests/hostile`, small: each is read or refused in a sentence.

In their full size they are scanned by `tests/bench/hostile.py`, which measures memory and time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.base.tasks import ROOM
from core.documents import Problem, ReadingSettings
from core.scan.flow import scan
from core.settings import ScanSettings

MAKERS = str(Path(__file__).parents[2] / "hostile")
SMALL = 0.0005
MADE_FOR_THE_MAIN_PROCESS, MADE = 40, 140  # at least


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Where the files are, and their names."""
    sys.path.insert(0, MAKERS)
    try:
        from hostile_set import AIMED_AT, write_set
    finally:
        sys.path.remove(MAKERS)
    assert len(AIMED_AT["main process"]) >= MADE_FOR_THE_MAIN_PROCESS
    folder = tmp_path_factory.mktemp("hostile")
    paths = list(write_set(folder, SMALL))
    assert len(paths) >= MADE
    return folder, [path.relative_to(folder).as_posix() for path in paths]


def test_each_is_read_or_refused_in_a_sentence_and_nothing_is_left(written):
    folder, _ = written
    result = scan([folder], ScanSettings(), reading=ReadingSettings(archives=True))
    result.list_pairs()
    result.close()

    inside = (*(document.path for document in result.documents),)
    files = {path for path in folder.rglob("*") if path.is_file()}
    refused = {path for path in files if any(_is_of(one, path, folder) for one in result.problems)}
    assert files == refused | set(inside)
    for problem in result.problems:
        assert problem.detail[0].isupper()
        assert problem.detail.endswith((".", "…"))
        assert problem.name.isprintable()
    assert ROOM.taken == 0


def _is_of(problem: Problem, path: Path, folder: Path) -> bool:
    """Whether a problem is that of a file, or of something inside of it."""
    name = path.relative_to(folder).as_posix()
    return problem.name == name or problem.name.startswith(f"{name}/")


def test_they_are_the_same_every_time(written, tmp_path):
    folder, names = written
    sys.path.insert(0, MAKERS)
    try:
        from hostile_set import write_set
    finally:
        sys.path.remove(MAKERS)
    again = tmp_path / "again"
    for path in write_set(again, SMALL):
        name = path.relative_to(again).as_posix()
        assert name in names
        if not name.endswith(".gz"):  # gzip notes the time
            assert path.read_bytes() == (folder / name).read_bytes()

"""Damaged files are refused in words: a reader raises nothing but `UnreadableError`.

The same seeds and mutations run for hours in `tests/bench/fuzz.py`.

The hostile files of `tests/hostile`, small: each is read or refused in a sentence.

In their full size they are scanned by `tests/bench/hostile.py`, which measures memory and time.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from core.base.tasks import ROOM
from core.documents import Problem, ReadingSettings
from core.documents.readers import READERS, Reading, UnreadableError, reader_for
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


BENCH = str(Path(__file__).parents[2] / "bench")
MUTATIONS = 40


@pytest.fixture(scope="module")
def fuzzing():
    """The seeds by their names, those that no reader takes, and the function that mutates."""
    sys.path.insert(0, BENCH)
    try:
        from fuzz_mutations import mutated
        from fuzz_seeds import REFUSED, SEEDS
    finally:
        sys.path.remove(BENCH)
    return SEEDS, REFUSED, mutated


def suffix_of(name):
    return Path(name).suffix.lower()


def seeds_of(reader, seeds):
    """The files that this reader recognises."""
    return {
        name: data for name, data in seeds.items() if reader_for(data, suffix_of(name)) is reader
    }


def read(data, suffix):
    """Read a file with its parts as a scan does; its text, one after the other."""
    reading = Reading(suffix=suffix, passwords=("ferry",))
    reader = reader_for(data, suffix)
    texts = [reader.read(data, reading).text] if reader.read else []
    parts = list(reader.parts(data, reading)) if reader.parts else []
    for part in parts:
        if isinstance(part.data, bytes):
            suffix = suffix_of(part.name)
            inner = reader_for(part.data, suffix)
            if inner.read:
                texts.append(inner.read(part.data, replace(reading, suffix=suffix)).text)
    return "\n".join(texts)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)
def test_a_seed_is_read(fuzzing, reader):
    seeds, refused, _ = fuzzing
    own = seeds_of(reader, seeds)
    assert own, "tests/bench/fuzz_seeds.py has no document of this format: add one"
    for name, data in own.items() if reader.isolated else [*own.items()][:1]:
        if name in refused:
            with pytest.raises(UnreadableError, match=r"password|not read"):
                read(data, suffix_of(name))
            continue
        words = set(read(data, suffix_of(name)).replace(".", " ").split())
        assert {"ferry", "Fluß", "c"} & words, name


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)
def test_mutations_raise_nothing_unplanned(fuzzing, reader):
    seeds, _, mutated = fuzzing
    own = seeds_of(reader, seeds)
    refusals = []
    for number in range(MUTATIONS):
        random = Random(f"{reader.kind} {number}")
        name = random.choice(sorted(own))
        data = mutated(own[name], random)
        try:
            read(data, suffix_of(name)).encode()
        except UnreadableError as refusal:
            refusals.append(refusal.detail)
    assert all(sentence.endswith(".") for sentence in refusals)

"""Whoever meets a limit says which: a remedy is offered by that alone."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents import ReadingSettings
from core.documents.extraction import Failure, extract
from core.documents.readers import READERS, reader_for
from core.documents.readers.reader import reading_of

BENCH = str(Path(__file__).parents[2] / "bench")
GENEROUS = ReadingSettings(archives=True, passwords=("ferry",))
TIGHT = {"characters": 3, "memory_bytes": 160}


@pytest.fixture(scope="module")
def seeds():
    """Small files of every format by their names."""
    sys.path.insert(0, BENCH)
    try:
        from fuzz_seeds import REFUSED, SEEDS
    finally:
        sys.path.remove(BENCH)
    return {name: data for name, data in SEEDS.items() if name not in REFUSED}


def failures(name, data, settings):
    suffix = Path(name).suffix.lower()
    found = extract(data, reading_of(settings, suffix))
    return [one for one in found if isinstance(one, Failure)]


@pytest.mark.parametrize("limit", TIGHT)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)
def test_who_meets_a_limit_names_it(seeds, reader, limit):
    tight = replace(GENEROUS, limits=replace(GENEROUS.limits, **{limit: TIGHT[limit]}))
    for name, data in seeds.items():
        if reader_for(data, Path(name).suffix.lower()) is reader:
            others = failures(name, data, GENEROUS)
            for failure in failures(name, data, tight):
                assert failure in others or failure.limit == limit, (name, failure)

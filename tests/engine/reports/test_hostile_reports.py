"""Hostile strings go through every format, and come back as what they are: text."""

import re

import pytest

from core.base.wording import printable_name
from core.reports.formats import EXPORTS
from tests.engine.reports.hostile import (
    HOSTILE,
    SCRIPTS,
    SEEN,
    VERY_LONG,
    make_report,
    tame,
)
from tests.engine.reports.report_readers import HOLDS, READERS, read

ENDINGS = [one.endings[0] for one in EXPORTS]
# Control characters but tab and line end, halves of pairs, and what no character is: XML and HTML
# forbid them, and spreadsheets and terminals stumble.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
TAME = [tame(number) for number in range(len(HOSTILE))]


@pytest.fixture
def written(tmp_path):
    """Writes a report in a format and reads it."""

    def write(ending, report):
        path = tmp_path / f"report{ending}"
        (one,) = (one for one in EXPORTS if one.endings[0] == ending)
        one.load()(path, report)
        return read(path)

    return write


def squeezed(text):
    """Without white space: lines are broken in one format as they are not in another."""
    return "".join(text.split())


def missing(strings, found):
    """The strings that are not among the words."""
    words = squeezed(" ".join(found.words))
    return [string for string in strings if squeezed(string) not in words]


def as_named(name, ending):
    """A name of a document as a format has it."""
    if ending == ".csv":  # what begins a formula after a separator is escaped
        return re.sub(r";(?=[=+@-])", r"\\x3b", name)
    return name.rpartition("/")[2] if ending == ".zip" else name


def as_noted(note, ending):
    """A note as a format has it."""
    return re.sub(r"(?<=;)(?=[=+@-])", "'", note) if ending == ".csv" else note


def test_every_format_has_its_reader():
    assert set(ENDINGS) <= set(READERS), "a format that no reader in report_readers.py opens"
    assert set(READERS) == set(HOLDS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_changes_how_a_file_is_built(written, ending):
    harmless, hostile = (written(ending, make_report(strings)) for strings in (TAME, HOSTILE))

    assert harmless.build == hostile.build


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_shown_is_what_was_meant(written, ending):
    report = make_report(SEEN)
    found = written(ending, report)

    names = [as_named(document.name, ending) for document in report.documents]
    assert missing(names, found) == []
    for part, strings in {
        "notes": [as_noted(string, ending) for string in SEEN[:-1]],
        "texts": [
            report.text_of(number)
            for number, string in enumerate(SEEN)
            if ending != ".pdf" or string not in SCRIPTS  # read in the order of the page there
        ],
        "phrases": SEEN,
    }.items():
        if part in HOLDS[ending]:
            assert missing(strings, found) == [], part


@pytest.mark.parametrize(
    "ending", [ending for ending in ENDINGS if ending not in {".csv", ".json"}]
)
def test_nothing_that_a_format_forbids_stands_in_it(written, ending):
    found = written(ending, make_report())

    assert [piece for piece in found.words if FORBIDDEN.search(piece)] == []
    assert missing([printable_name(f"{HOSTILE[-1]}.txt")], found) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hundred_thousand_characters_in_one_line(written, ending):
    report = make_report([*SCRIPTS, VERY_LONG])
    found = written(ending, report)

    assert found.words
    assert missing(SCRIPTS, found) == []

"""Passages as the PAN workshops have them, read back as their scorers do."""

import re
import zipfile
from dataclasses import replace
from itertools import pairwise
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from core.documents.model import Role
from core.errors import ScanCancelledError
from core.evidence.pairs import Pairs
from core.evidence.passages import Passage
from core.reports.choice import ReportChoice
from core.reports.pan import write_pan
from tests.bench.pan_measures import make_span, measure
from tests.engine.reports.test_reports import (
    NASTY,
    TEXT,
    document,
    make_pairs,
    make_report,
    shared,
)


def read(path):
    """The detections by their documents, as a scorer reads them, and the list of pairs."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert re.fullmatch(r"readme\.txt|pairs|[A-Za-z0-9._-]+\.xml", name)
            if name.endswith(".xml"):
                root = ET.fromstring(archive.read(name))
                assert root.tag == "document"
                for one in root:
                    assert (one.tag, one.get("name")) == ("feature", "detected-plagiarism")
                    key = root.get("reference"), one.get("source_reference")
                    spans = [
                        int(one.get(f"{side}_{what}"))
                        for side in ("this", "source")
                        for what in ("offset", "length")
                    ]
                    found.setdefault(key, []).append(tuple(spans))
        lines = archive.read("pairs").decode().splitlines()
        readme = archive.read("readme.txt").decode()
    return found, [tuple(map(unquote, line.split())) for line in lines], readme


def test_names_of_the_task_come_out_as_there(tmp_path):
    names = [f"susp/suspicious-document{n:05}.txt" for n in range(2)]
    names += [f"src/source-document{n:05}.txt" for n in range(2)]
    write_pan(tmp_path / "p.zip", make_report(names, pairs=make_pairs([(0, 2), (1, 3)])))
    found, pairs, _ = read(tmp_path / "p.zip")
    assert pairs == [
        ("suspicious-document00000.txt", "source-document00000.txt"),
        ("suspicious-document00001.txt", "source-document00001.txt"),
    ]
    assert found == {pair: [(0, 23, 4, 38)] for pair in pairs}
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        assert "suspicious-document00000-source-document00000.xml" in archive.namelist()


def test_any_name_is_given_back_and_no_file_is_lost(tmp_path):
    same = ["a/x.txt", "b/x.txt", "two words.txt", "100%.txt", "../../up.txt", "CON", ".."]
    names = [*NASTY, *same, "a/b/c/", "n" * 300]
    write_pan(tmp_path / "p.zip", make_report(names))
    found, pairs, _ = read(tmp_path / "p.zip")
    called = {name: name.rpartition("/")[2] or name for name in names}
    called |= {name: name for name in ("a/x.txt", "b/x.txt")}
    expected = [(called[a], called[b]) for a, b in pairwise(names)]
    assert pairs == expected
    assert set(found) == set(expected)
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        files = archive.namelist()
    assert len({name.lower() for name in files}) == len(files) == len(expected) + 2


def test_a_reference_is_the_source(tmp_path):
    documents = [replace(document("old.txt"), role=Role.REFERENCE), document("new.txt")]
    write_pan(tmp_path / "p.zip", make_report(documents=documents, pairs=make_pairs([(0, 1)])))
    found, pairs, _ = read(tmp_path / "p.zip")
    assert pairs == [("new.txt", "old.txt")]
    assert found == {("new.txt", "old.txt"): [(4, 38, 0, 23)]}


def test_there_is_no_text_in_it(tmp_path):
    report = make_report(choice=ReportChoice(passages=False), shown="Only =1.", notes=["Capped."])
    write_pan(tmp_path / "p.zip", report)
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        whole = b"".join(map(archive.read, archive.namelist())).decode()
    assert not [word for word in ("three four", "seven", TEXT) if word in whole]
    assert "Only =1.\n" in whole
    assert "Capped.\n" in whole


def test_a_pair_without_a_passage_and_a_scan_without_a_pair(tmp_path):
    alone = make_report(["a", "b"], passages_of=lambda a, b: shared())
    write_pan(tmp_path / "p.zip", alone)
    assert read(tmp_path / "p.zip")[:2] == ({}, [("a", "b")])
    write_pan(tmp_path / "none.zip", make_report(pairs=Pairs.empty()))
    found, pairs, readme = read(tmp_path / "none.zip")
    assert (found, pairs) == ({}, [])
    assert "No pair from" in readme


def test_one_report_gives_the_same_bytes_and_cancelling_writes_nothing(tmp_path):
    for name in ("a", "b"):
        write_pan(tmp_path / name, make_report())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with pytest.raises(ScanCancelledError):
        write_pan(tmp_path / "c", make_report(), cancelled=lambda: True)
    assert not (tmp_path / "c").exists()


def test_offsets_are_code_points(tmp_path):
    passage = Passage(2, 5, 0, 3, 3, ())
    report = make_report(["a", "b"], passages_of=lambda a, b: shared(passage))
    write_pan(tmp_path / "p.zip", report)
    assert read(tmp_path / "p.zip")[0] == {("a", "b"): [(2, 3, 0, 3)]}


def test_a_scorer_of_the_workshops_finds_every_passage(tmp_path):
    write_pan(tmp_path / "p.zip", make_report(["c", "a", "b"]))
    found, _, _ = read(tmp_path / "p.zip")
    cases = [make_span(*names, (0, 23), (4, 42)) for names in (("c", "a"), ("a", "b"))]
    detections = [
        make_span(*names, (at, at + length), (source, source + source_length))
        for names, spans in found.items()
        for at, length, source, source_length in spans
    ]
    assert measure(cases, detections).plagdet == 1

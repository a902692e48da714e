"""The record of a report: all that is needed to check it, and the seal over the file."""

import hashlib
import json
import re
from datetime import UTC, datetime

import pytest

from core.documents.model import PairKey
from core.reports.choice import ReportChoice
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.limits import ReportLimits
from core.reports.record.writing import found_seal, seal_of, sealed_file
from core.reports.withheld.key import NameKey
from core.review.decisions import decide
from core.review.verdicts import judge, write_note
from core.scan.flow import scan
from core.scan.judgements import Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings

MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "essays"
    place.mkdir()
    for name, last in (("a.txt", "alpha"), ("b.txt", "beta </script><b>"), ("c.txt", "gamma")):
        (place / name).write_text(f"{WORDS} {last} {last}", encoding="utf-8")
    (place / "<script><!--.txt").write_text(f"{WORDS} omega", encoding="utf-8")
    return place


@pytest.fixture
def judged(folder, pool):
    state = scan([folder], ScanSettings(), pool=pool).state
    pair = PairKey.of(state.documents[1], state.documents[2])
    state = decide(state, *judge(state.judgements, [pair], Verdict.CONFIRMED), who="Ada")
    note = "neardup-seal:" + "1" * 64 + " </script>"
    state = decide(state, *write_note(state.judgements, [pair], note), who="Ada")
    return Scan.restored(state, pool)


def report(scanned, **choice):
    return report_of(scanned, scanned.list_pairs(), choice=ReportChoice(created=MOMENT, **choice))


def record_in(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = text.split('<script type="application/json" id="record">')[1].split("</script>")[0]
    return json.loads(text)


@pytest.mark.parametrize("name", ["a.json", "a.html"])
def test_a_report_holds_what_is_needed_to_check_it(judged, folder, tmp_path, name):
    write_report(tmp_path / name, report(judged))

    record = record_in(tmp_path / name)
    assert record["created"] == "2026-03-04T05:06:07+00:00"
    assert record["versions"].keys() >= {"Python", "numpy", "numba"}
    documents = {one["document"]: one for one in record["document_list"]}
    assert documents.keys() == {one.name for one in folder.iterdir()}
    for one, known in documents.items():
        data = (folder / one).read_bytes()
        assert known["sha256"] == known["text_sha256"] == hashlib.sha256(data).hexdigest()
        assert known["xxh3"] == known["text_xxh3"]
        assert known["size"] == len(data)
    assert [one["kind"] for one in record["log"]] == ["judge", "note"]
    assert record["log"][0]["who"] == "Ada"
    assert record["log"][0]["data"]["said"][0]["is"] == "confirmed"
    assert record["ranks"] == list(range(1, len(record["pairs"]) + 1))
    assert len(record["passages"]) == len(record["pairs"])
    assert record["passages"][0]["passages"][0]["a_start"] == 0


@pytest.mark.parametrize("name", ["a.json", "a.html"])
def test_the_seal_is_told_stands_in_the_file_and_shows_any_change(judged, tmp_path, name):
    path = tmp_path / name
    written = write_report(path, report(judged))

    data = path.read_bytes()
    assert written.size == len(data)
    assert re.fullmatch("[0-9a-f]{64}", written.seal)
    assert found_seal(data) == seal_of(data) == written.seal
    by_hand = data.replace(written.seal.encode(), b"0" * 64)
    assert hashlib.sha256(by_hand).hexdigest() == written.seal
    for place in range(0, len(data), len(data) // 50):
        changed = bytearray(data)
        changed[place] ^= 1
        assert seal_of(bytes(changed)) != found_seal(bytes(changed))
    assert seal_of(data + b" ") != written.seal


@pytest.mark.parametrize("name", ["a.json", "a.html"])
def test_two_reports_of_one_moment_are_the_same(judged, tmp_path, name):
    write_report(tmp_path / name, report(judged))
    write_report(tmp_path / f"b{name}", report(judged))

    assert (tmp_path / name).read_bytes() == (tmp_path / f"b{name}").read_bytes()


def test_formats_without_a_seal_tell_none(judged, tmp_path):
    assert write_report(tmp_path / "a.csv", report(judged)).seal == ""


def test_where_names_are_withheld_hashes_tell_nothing_without_the_key(judged, tmp_path):
    key, choice = NameKey(), ReportChoice(created=MOMENT, names=False)
    made = report_of(judged, judged.list_pairs(), choice=choice, key=key)
    write_report(tmp_path / "a.json", made)
    write_report(tmp_path / "named.json", report(judged))

    record = record_in(tmp_path / "a.json")
    named = {one["document"]: one for one in record_in(tmp_path / "named.json")["document_list"]}
    for one in record["document_list"]:
        told = named[key.name_of(one["document"])]
        for name in ("sha256", "text_sha256", "text_xxh3", "text_hash"):
            assert one[name] == key.hash_of(told[name]) != told[name]
            assert len(one[name]) == len(told[name])
            assert one[name] != NameKey().hash_of(told[name])
        assert one["xxh3"] == one["modified"] == ""
    assert record["log"] == []


def test_of_very_many_pairs_a_page_holds_those_that_it_shows(judged, tmp_path, monkeypatch):
    few = ReportLimits(table_rows=1)
    monkeypatch.setattr("core.reports.html.writer.LIMITS", few)
    write_report(tmp_path / "a.html", report(judged))

    record = record_in(tmp_path / "a.html")
    assert len(record["pairs"]) == 1
    assert len(record["document_list"]) == 2
    assert record["pairs_before_filter"] > 1


def test_a_file_that_is_given_up_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="not found"), sealed_file(tmp_path / "a.json") as file:
        file.text.write("nothing is sealed")
    assert not list(tmp_path.iterdir())

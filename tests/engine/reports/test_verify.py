"""A report is checked against its files: what was changed in it, or in them, is found."""

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from core.commands.main import main
from core.documents.keys import PairKey
from core.errors import FolderError
from core.reports.choice import ReportChoice
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.record.seal import found_seal, seal_of
from core.review.decisions import decide
from core.review.verdicts import judge, write_note
from core.scan.flow import scan
from core.scan.judgements import Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.verify.checking import check
from core.verify.report_file import read_report

MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "essays"
    place.mkdir()
    for name, last in (("a.txt", "alpha"), ("b.txt", "beta"), ("c.txt", "gamma delta")):
        (place / name).write_text(f"{WORDS} {last} {last}", encoding="utf-8")
    return place


@pytest.fixture
def report(folder, tmp_path, pool):
    state = scan([folder], ScanSettings(k=3), pool=pool).state
    pair = PairKey.of(state.documents[0], state.documents[1])
    state = decide(state, *judge(state.judgements, [pair], Verdict.CONFIRMED), who="Ada")
    state = decide(state, *write_note(state.judgements, [pair], "As was said."), who="Ada")
    scanned = Scan.restored(state, pool)
    found = report_of(scanned, scanned.list_pairs(), choice=ReportChoice(created=MOMENT))
    assert len(found.pairs) == 3
    for name in ("a.json", "a.html"):
        write_report(tmp_path / name, found)
    return tmp_path


@pytest.mark.parametrize("name", ["a.json", "a.html"])
def test_a_report_agrees_with_its_files(report, folder, name, capsys):
    seal = read_report(report / name).seal

    assert main(["verify", str(report / name), str(folder), "--seal", seal]) == 0
    printed = capsys.readouterr().out
    assert f"Agrees: The seal is the one that was noted: {seal}" in printed
    assert "Agrees: 3 documents: bytes and texts are the same." in printed
    assert "Agrees: 3 pairs: every number is the same." in printed
    assert "Agrees: 3 pairs: the passages are the same." in printed
    assert "Changed" not in printed


def test_files_that_came_since_are_not_in_the_report(report, folder):
    (folder / "later.txt").write_text(WORDS, encoding="utf-8")

    outcome = check(read_report(report / "a.json").record, [folder])
    assert not outcome.changed
    assert not outcome.missing


def test_a_file_that_was_changed_and_one_that_is_gone_are_told(report, folder):
    (folder / "a.txt").write_text(f"{WORDS} other", encoding="utf-8")
    (folder / "c.txt").unlink()

    outcome = check(read_report(report / "a.html").record, [folder])
    assert outcome.changed == ["a.txt: the file and the text changed."]
    assert outcome.missing[0] == "c.txt: the file is not there or gave no text."
    assert outcome.missing[1].startswith("3 pairs could not be measured again")


def set_in(*path, to):
    def tamper(record):
        *way, last = path
        for step in way:
            record = record[step]
        assert record[last] != to
        record[last] = to

    return tamper


def swapped(record):
    record["pairs"][0], record["pairs"][1] = record["pairs"][1], record["pairs"][0]


def dropped(record):
    record["pairs"].pop()
    record["ranks"].pop()
    record["verdicts"]["not reviewed"] -= 1


FOUND_ANEW = {  # what the files or the log give otherwise, whoever seals it again
    "number": (set_in("pairs", 0, "resemblance", to=0.5), "resemblance is 0.5, the files give"),
    "count": (set_in("pairs", 0, "shared_shingles", to=1), "shared_shingles is 1, the files give"),
    "text": (set_in("document_list", 0, "text_sha256", to="0" * 64), "the text changed"),
    "file": (set_in("document_list", 0, "sha256", to="0" * 64), "the file changed"),
    "verdict": (set_in("pairs", 0, "verdict", to="not a match"), "verdict is “not a match”"),
    "who": (set_in("pairs", 0, "who", to="Bob"), "who is “Bob”, in the log “Ada”"),
    "when": (set_in("pairs", 0, "when", to="2020-01-01"), "when is “2020-01-01”"),
    "note": (set_in("pairs", 0, "note", to="Not at all."), "note is “Not at all.”"),
    "verdicts": (set_in("verdicts", "confirmed", to=2), "counts 2 pairs as “confirmed”"),
    "setting": (set_in("settings", "k", to=4), "the files give"),
    "order": (swapped, "is number 1, the files give 2"),
    "pairs": (dropped, "the files give this pair, the report has it not"),
    "found": (set_in("pairs_before_filter", to=4), "says that 4 pairs were found"),
    "passage": (set_in("passages", 0, "passages", 0, "a_end", to=9), "the passages are others"),
}
ONLY_BY_SEAL = {
    "date": set_in("created", to="2020-01-01T00:00:00+00:00"),
    "name": set_in("folders", 0, to="other"),
    "log": set_in("log", 0, "time", to="2020-01-01"),
}


def tampered(report, tamper, *, sealed_again):
    path = report / "a.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    tamper(record)
    path.write_text(json.dumps(record), encoding="utf-8")
    if sealed_again:
        data = path.read_bytes()
        path.write_bytes(data.replace(found_seal(data).encode(), seal_of(data).encode()))
    return path


@pytest.mark.parametrize("kind", FOUND_ANEW)
def test_what_the_files_or_the_log_give_otherwise_is_found(report, folder, capsys, kind):
    tamper, words = FOUND_ANEW[kind]
    path = tampered(report, tamper, sealed_again=True)

    assert main(["verify", str(path), str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "Agrees: The seal is whole" in printed
    assert words in printed


@pytest.mark.parametrize("kind", [*FOUND_ANEW, *ONLY_BY_SEAL])
def test_every_change_breaks_the_seal(report, folder, capsys, kind):
    tamper = ONLY_BY_SEAL.get(kind) or FOUND_ANEW[kind][0]
    noted = read_report(report / "a.json").seal
    path = tampered(report, tamper, sealed_again=False)

    assert main(["verify", str(path), str(folder)]) == 1
    assert "Changed: The seal is broken" in capsys.readouterr().out
    path = tampered(report, lambda _record: None, sealed_again=True)
    assert main(["verify", str(path), str(folder), "--seal", noted]) == 1
    assert "Changed: This is not the report whose seal was noted" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"<html>", b"\xff\xfe", b"[" * 100_000, b'{"document_list": 7}'],
)
def test_what_is_no_report_is_refused_in_a_sentence(tmp_path, folder, content, capsys):
    (tmp_path / "a.json").write_bytes(content)

    assert main(["verify", str(tmp_path / "a.json"), str(folder)]) == 2
    assert capsys.readouterr().err.startswith("neardup: ")


@pytest.mark.parametrize("key", ["pairs", "log", "settings", "document_list", "passages", "choice"])
@pytest.mark.parametrize("value", [None, 7, "x", [7], [{}], {"a": 1}])
def test_a_crafted_record_is_refused_in_a_sentence(report, folder, key, value):
    record = {**read_report(report / "a.json").record, key: value}

    with suppress(FolderError):
        outcome = check(record, [folder])
        assert outcome.changed or outcome.missing

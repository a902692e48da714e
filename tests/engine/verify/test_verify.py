"""A report is held against its files: what was changed in it, or in them, is found."""

import copy
import json
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from core.base.messages import in_language, load_language
from core.base.tasks import ignore
from core.commands.main import main
from core.documents.model import PairKey
from core.documents.reading_settings import ReadingSettings
from core.errors import FolderError, ReportError
from core.exclusions.rules import ExclusionRules
from core.reports.formats import EXPORTS, RESULTS, Result, write_report
from core.reports.from_scan import report_of
from core.reports.limits import ReportLimits
from core.reports.list_words import judged_in_words
from core.reports.pseudonyms.key import NameKey, open_key, save_key
from core.reports.record.seal import found_seal, seal_of
from core.reports.report_choice import Paper, ReportChoice, Scope, Texts
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.verdicts import judge, write_note
from core.scan import reworked
from core.scan.flow import scan
from core.scan.judgements import Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.verify import compare_pages, record_in, verify
from core.verify.comparison import (
    Finding,
    Outcome,
    Topic,
    TopicCount,
    Verification,
    finding_in_words,
    verdict_in_words,
    verification_in_words,
)
from core.verify.recomputation import claims_of, recomputed
from tests.bench.fuzz_seeds import compound
from tests.engine.documents.readers.test_doc import PASSWORD, locked
from tests.reviews import state_in
from tests.texts import folder_with, rows_of_csv

SETTINGS = ScanSettings(bands=32, rows=2, min_resemblance=0.2)
STORY = (
    "The harbour was quiet when the ferry came in, and nobody on the pier had expected it so late. "
    "A boy counted the lamps along the wall, lost count, and began again from the first one. "
    "Behind him the nets dried in the wind, and the smell of tar and salt hung over the boats. "
)
UNRELATED = (
    "Bread rises better in a warm kitchen, but a slow night in the cold gives it more of a taste. "
    "Weigh the flour, add the water little by little, and let the dough rest before the salt. "
)
CREATED = "2026-11-22T10:00:00+01:00"


def write_essays(folder):
    folder.mkdir()
    texts = {
        "Ann Smith.txt": STORY + "Ann wrote the end of it herself, on a Sunday.",
        "Bob Miller.txt": STORY + "Bob found another end, which he liked much better.",
        "Cleo.txt": UNRELATED + "Cleo bakes twice a week for all of the house.",
        "Dora.txt": UNRELATED + "Dora bakes when it rains, and never else at all.",
    }
    folder_with(folder, texts)
    return folder


def judge_essays(folder, pool):
    """A scan of the folder with a verdict, a note, and a phrase set aside."""
    read = scan([folder], SETTINGS, pool=pool)
    state = read.with_rules(ExclusionRules(quotations=True)).state
    a, b = (document for document in state.documents if document.name[0] in "AB")
    keys = [PairKey.of(a, b)]
    state = decide(state, *judge(state.judgements, keys, Verdict.CONFIRMED), who="Ruth")
    state = decide(state, *write_note(state.judgements, keys, "Copied."), who="Ruth")
    return Scan.restored(state, pool)


@pytest.fixture
def folder(tmp_path):
    return write_essays(tmp_path / "essays")


@pytest.fixture
def judged(folder, pool):
    return judge_essays(folder, pool)


@pytest.fixture
def edited(judged, folder, pool):
    """The same after Ann changed her essay: the verdict waits to be confirmed."""
    (folder / "Ann Smith.txt").write_text(STORY + "Ann wrote another end.", encoding="utf-8")
    read = scan([folder], SETTINGS, pool=pool, previous=judged.state)
    return read.with_rules(ExclusionRules(quotations=True))


@pytest.fixture(params=["html", "json"])
def kind(request):
    """What holds the record by itself; a PDF has it as an attachment, and takes a typesetter."""
    return request.param


@pytest.fixture
def report(judged, tmp_path, kind):
    return written(judged, tmp_path / f"report.{kind}")


@pytest.fixture
def as_json(judged, tmp_path):
    return written(judged, tmp_path / "report.json")


def written(read, path, choice=None, key=None):
    choice = choice or ReportChoice()
    pair_list = read.list_pairs()
    write_report(path, report_of(read, pair_list, choice=choice, key=key))
    return path


def wrong(check):
    return [finding for finding in check.findings if finding.contradicts]


def topics(check):
    return {finding.topic for finding in wrong(check)}


def sealed_again(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(found_seal(data).encode(), seal_of(data).encode(), 1))


def tampered(path, before, after, count=-1):
    """The report with something changed in it, wherever it stands."""
    data = path.read_bytes()
    assert before.encode() in data
    path.write_bytes(data.replace(before.encode(), after.encode(), count))


@pytest.mark.parametrize("names_told", [True, False])
@pytest.mark.parametrize("became", ["gone", "changed", "moved"])
def test_a_document_is_there_although_its_pair_is_not(judged, folder, tmp_path, became, names_told):
    """A report of the confirmed pairs lists no other document than theirs."""
    key = None if names_told else NameKey()
    choice = ReportChoice(scope=Scope.CONFIRMED, names=names_told)
    path = written(judged, tmp_path / "report.json", choice, key)
    if became == "changed":
        (folder / "Ann Smith.txt").write_text("I begin again.")
    else:
        (folder / "Ann Smith.txt").rename(folder.parent / "Ann.txt")
    if became == "moved":
        (folder.parent / "Ann.txt").rename(folder / "Ann.txt")

    found = verify(path, [folder], key=key)
    name_of = key.name_of if key else str
    files = [name_of(one.what) for one in wrong(found) if one.topic is Topic.FILES]
    assert files == ["Ann Smith.txt"]
    (count,) = (one for one in found.counts if one.topic is Topic.FILES)
    assert (count.checked, count.agreed) == (2, 1)


@pytest.mark.parametrize("kind", ["html", "json", "pdf"])
def test_a_report_agrees_with_its_files(report, folder, kind):
    check = verify(report, [folder])
    assert wrong(check) == []
    assert check.agrees
    assert check.kind == kind
    checked = {count.topic: count for count in check.counts}
    assert len(checked) == len(check.counts)
    *lines, seal = verification_in_words(check)
    assert ("of its record" in seal) == (kind == "pdf")  # its pages are not sealed
    (keyless,) = (line for line in lines if line.startswith("The seal has no key"))
    assert ("still its record" in keyless) == (kind == "pdf")
    assert checked[Topic.FILES].checked == 4
    assert checked[Topic.PAIRS].checked == 2
    assert all(count.checked == count.agreed for count in check.counts)
    assert (Topic.PAGE in checked) == (kind == "html")


def test_a_file_with_another_seal_than_its_own(report, folder):
    seal = found_seal(report.read_bytes())
    assert len(seal) == 64
    tampered(report, seal, seal[::-1])

    check = verify(report, [folder])
    assert topics(check) == {Topic.SEAL}
    assert check.seal == seal


def test_the_seal_of_a_pdf_is_that_of_its_record(judged, folder, tmp_path):
    path = tmp_path / "report.pdf"
    written_report = write_report(path, report_of(judged, judged.list_pairs()))
    check = verify(path, [folder], seal=written_report.seal)
    assert check.agrees
    assert check.seal == written_report.seal
    assert topics(verify(path, [folder], seal="0" * 64)) == {Topic.SEAL}


def changed(path, change):
    """A JSON report in which a value was changed, sealed again."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    sealed_again(path)


@pytest.mark.parametrize(
    ("change", "topic"),
    [
        (lambda data: data["pairs"][0].update(verdict="suspicious"), Topic.VERDICTS),
        (lambda data: data["pairs"][0].update(note="Harmless."), Topic.VERDICTS),
        (lambda data: data["verdicts"].update(confirmed=2), Topic.COUNTS),
        (lambda data: data.update(pairs_before_filter=3), Topic.COUNTS),
        (lambda data: data["settings"].update(min_resemblance=0.95), Topic.COUNTS),
        (lambda data: data.update(ranks=[1, 3]), Topic.PAIRS),
        (lambda data: data["pairs"].reverse(), Topic.PAIRS),
        (lambda data: (data["pairs"].pop(), data["ranks"].pop()), Topic.PAIRS),
        (lambda data: data["passages"][0]["passages"][0].update(a_end=9), Topic.PASSAGES),
        (lambda data: data["passages"].pop(), Topic.PASSAGES),
        (lambda data: data["groups"][0]["members"][0].update(overlap=1.0), Topic.GROUPS),
        (lambda data: data["document_list"].pop(), Topic.FILES),
        (lambda data: data["document_list"][0].update(document="Eve.txt"), Topic.FILES),
        (lambda data: data["set_aside_by"].update(quotations=False, common=2), Topic.SET_ASIDE),
    ],
)
def test_what_was_changed_is_found_although_it_was_sealed_again(as_json, folder, change, topic):
    changed(as_json, change)
    check = verify(as_json, [folder])
    assert topic in topics(check)
    assert Topic.SEAL not in topics(check)


def test_the_seal_and_the_review_find_a_date_and_a_reviewer(judged, as_json, folder, tmp_path):
    save_review(tmp_path / "a.neardup", judged.state)
    noted = found_seal(as_json.read_bytes())
    assert verify(as_json, [folder], seal=noted, review=tmp_path / "a.neardup").agrees
    time = state_in(tmp_path / "a.neardup").log[-2].time
    tampered(as_json, time, "2001" + time[4:])
    tampered(as_json, '"Ruth"', '"Rory"')
    sealed_again(as_json)

    assert verify(as_json, [folder]).agrees  # no file tells; it says so
    assert any("Who judged" in sentence for sentence in verify(as_json, [folder]).not_checked)
    assert topics(verify(as_json, [folder], seal=noted)) == {Topic.SEAL}
    assert topics(verify(as_json, [folder], review=tmp_path / "a.neardup")) == {Topic.REVIEW}


@pytest.mark.parametrize("kind", ["html"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("counted the lamps", "stole the lamps"),
        ("confirmed", "suspicious"),
        ('class="r" data-value="0.', 'class="r" data-value="0.9'),
        ("<h1>", "<h1>Not "),
        ("</style>", "#row-1{display:none}</style>"),
    ],
)
def test_what_the_page_shows_is_held_against_the_files(report, folder, before, after):
    page, mark, record = report.read_text(encoding="utf-8").partition('id="record"')
    head, tail = page.split("<main>")
    assert before in page
    if before in head:
        page = head.replace(before, after) + "<main>" + tail
    else:
        page = head + "<main>" + tail.replace(before, after)
    report.write_text(page + mark + record, encoding="utf-8", newline="")
    sealed_again(report)

    assert topics(verify(report, [folder])) == {Topic.PAGE}


def test_a_page_of_another_paper_with_a_logo_agrees(judged, folder, tmp_path):
    logo = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    choice = ReportChoice(paper=Paper.LETTER, institution="Harbour College", logo=logo)
    check = verify(written(judged, tmp_path / "report.html", choice), [folder])
    assert wrong(check) == []
    assert Topic.PAGE in {count.topic for count in check.counts}


@pytest.mark.parametrize(
    "command",
    [
        "report {0}.neardup {0}.html {0}.csv",
        "scan {1} --review={0}.neardup --report={0}.html --pairs={0}.csv",
    ],
)
def test_a_page_of_the_first_pairs_only_agrees(command, judged, folder, tmp_path, monkeypatch):
    """What the table beside it tells of all pairs is not counted on the page."""
    monkeypatch.setattr("core.reports.html.LIMITS", ReportLimits(table_rows=1))
    monkeypatch.setattr("core.verify.recomputation.MOST_PAIRS", 1)
    pages = EXPORTS[0]._replace(measured=1)
    monkeypatch.setattr("core.reports.formats.EXPORTS", (pages, *EXPORTS[1:]))
    monkeypatch.setitem(RESULTS, "report", Result("", (pages,)))
    monkeypatch.setattr(reworked, "MEASURED_WORDS", 0)
    written_to = tmp_path / "r"
    save_review(written_to.with_suffix(".neardup"), judged.state)
    arguments = f"{command} --all --quiet".split()
    assert main([argument.format(written_to, folder) for argument in arguments]) == 0

    for path in (written_to.with_suffix(".html"), written(judged, tmp_path / "by itself.html")):
        assert len(record_in(path).record["pairs"]) == 1
        assert "it was not measured how much" in path.read_text()
        assert wrong(verify(path, [folder])) == []
    assert all(row["overlap"] for row in rows_of_csv(written_to.with_suffix(".csv")))


@pytest.mark.parametrize("text", ["Something else altogether, in few words.", UNRELATED])
def test_a_file_that_changed_is_named_and_the_others_are_compared(report, folder, text):
    """A pair that only its new text gives contradicts nothing."""
    (folder / "Bob Miller.txt").write_text(text)
    check = verify(report, [folder])
    assert topics(check) == {Topic.FILES}
    about = [finding.what for finding in wrong(check) if finding.topic is Topic.FILES]
    assert len(about) == 1
    assert about[0].startswith("Bob Miller.txt")
    assert not any("Cleo" in finding.what for finding in wrong(check))
    compared = {count.topic: (count.agreed, count.checked) for count in check.counts}
    assert compared[Topic.PAIRS] == (1, 2)
    assert compared[Topic.VERDICTS] == (1, 1)


def test_a_finding_names_a_file_as_the_report_does(folder, tmp_path, pool):
    file = folder / "a\nb.txt"
    file.write_text(UNRELATED)
    report = written(judge_essays(folder, pool), tmp_path / "report.json")
    file.unlink()

    sentences = [finding_in_words(finding) for finding in verify(report, [folder]).findings]
    assert r"a\nb.txt is not among these files" in sentences

    forged = Finding(Topic.FILES, Outcome.MISSING, "a\nb\u202e.txt", "", "")
    assert finding_in_words(forged) == r"a\nb\u202e.txt is not among these files"


def test_a_file_that_came_decides_nothing_and_is_reported(report, folder):
    shutil.copy(folder / "Cleo.txt", folder / "Cleo again.txt")
    check = verify(report, [folder])
    assert check.agrees
    assert ("Cleo again.txt", Outcome.REMARK) in {
        (finding.what, finding.outcome) for finding in check.findings
    }


@pytest.mark.parametrize(
    "choice",
    [
        ReportChoice(scope=Scope.CONFIRMED),
        ReportChoice(scope=Scope.SUSPECTED, weak_traces=False, by_document=True),
        ReportChoice(weak_traces=False, by_document=True),
        ReportChoice(scope=Scope.PAIR, documents=(2, 3)),
        ReportChoice(scope=Scope.DOCUMENT, documents=(0,)),
        ReportChoice(scope=Scope.GROUP, documents=(0, 1)),
        ReportChoice(texts=Texts.NONE),
        ReportChoice(texts=Texts.FULL),
        ReportChoice(texts=Texts.CHANGES),
        ReportChoice(most_passages=1),
    ],
)
def test_a_report_of_a_part_agrees(judged, folder, tmp_path, choice, kind):
    assert wrong(verify(written(judged, tmp_path / f"part.{kind}", choice), [folder])) == []


def test_a_report_of_a_weak_trace_agrees(folder, tmp_path, pool, kind):
    """Nobody need read it, so it is not counted among what is not reviewed."""
    for path in folder.iterdir():
        path.unlink() if path.name != "Ann Smith.txt" else None
    trace = UNRELATED + "So it was, and the smell of tar and salt hung over the boats again."
    (folder / "Eve.txt").write_text(trace, encoding="utf-8")
    read = scan([folder], SETTINGS, pool=pool)
    assert read.list_pairs().pairs.weak_trace.tolist() == [True]

    for weak_traces, ways in ((True, 1), (False, 0)):
        choice = ReportChoice(weak_traces=weak_traces)
        path = written(read, tmp_path / f"trace {ways}.{kind}", choice)
        assert wrong(verify(path, [folder])) == []
        record = record_in(path).record
        assert (len(record["pairs"]), len(record["groups"])) == (ways, 1)


@pytest.mark.parametrize("withheld", [False, True])
def test_a_report_measures_missing_overlaps(judged, folder, tmp_path, monkeypatch, kind, withheld):
    choice = ReportChoice(names=not withheld, texts=Texts.FULL if withheld else Texts.PASSAGES)
    key = NameKey() if withheld else None

    def overlaps(name):
        """Of each pair, the same in two formats, and what verify measures."""
        path, table = (
            written(judged, tmp_path / f"{name}.{ending}", choice, key) for ending in (kind, "csv")
        )
        cells = {(row["doc_a"], row["doc_b"]): row for row in rows_of_csv(table)}
        rows = {(row["doc_a"], row["doc_b"]): row for row in record_in(path).record["pairs"]}
        names = ("overlap", "overlap_a", "overlap_b", "shared_words")
        shown_numbers = {pair: [row[name] for name in names] for pair, row in rows.items()}
        assert shown_numbers == {
            pair: [float(row[name]) for name in names] for pair, row in cells.items()
        }
        assert wrong(verify(path, [folder], key=key)) == []
        return shown_numbers

    with_overlaps = overlaps("whole")
    monkeypatch.setattr(reworked, "MEASURED_WORDS", 0)
    assert (judged.list_pairs().pairs.overlap < 0).any()
    assert overlaps("later") == with_overlaps


@pytest.mark.parametrize("scope", [Scope.SHOWN, Scope.PAIR, Scope.DOCUMENT])
@pytest.mark.parametrize("withheld", [False, True])
def test_a_verdict_on_an_earlier_text_agrees(edited, folder, tmp_path, kind, scope, withheld):
    documents = [n for n, document in enumerate(edited.documents) if document.name[0] in "AB"]
    about = {Scope.SHOWN: (), Scope.DOCUMENT: documents[:1]}.get(scope, documents)
    choice = ReportChoice(scope=scope, documents=tuple(about), names=not withheld)
    key = NameKey() if withheld else None

    path = written(edited, tmp_path / f"report.{kind}", choice, key)

    record = record_in(path).record
    assert record["verdicts"]["confirmed"] == 0
    assert sum(row["changed_since"] is not None for row in record["pairs"]) == 1
    assert wrong(verify(path, [folder], key=key)) == []


def test_of_confirmed_pairs_those_on_earlier_texts_are_none(edited):
    choice = ReportChoice(scope=Scope.CONFIRMED)
    assert len(report_of(edited, edited.list_pairs(), choice=choice).pairs) == 0
    full = report_of(edited, edited.list_pairs())
    assert judged_in_words(full.verdict_counts, full.earlier_count) == (
        f"0 of {len(full.pairs)} pairs judged; 1 verdict on earlier texts waits to be confirmed"
    )


@pytest.mark.parametrize("kind", ["html", "json", "pdf"])
def test_names_withheld_are_checked_with_the_key(judged, folder, tmp_path, kind):
    key = NameKey()
    path = written(judged, tmp_path / f"withheld.{kind}", ReportChoice(names=False), key)
    assert b"Smith" not in path.read_bytes()
    with pytest.raises(ReportError, match="key"):
        verify(path, [folder])
    assert wrong(verify(path, [folder], key=key)) == []
    none, another = NameKey(), NameKey()  # of reports of other names, and of the same ones
    another.labels = key.labels
    strangers = verify(path, [folder], key=none)
    says = verdict_in_words(strangers)
    assert says.startswith("None of the report’s 4 documents is among these files")
    assert "or the key is that of another report." in says
    assert strangers.missing == 4
    changed_says = (
        "None of the report’s 4 documents is as it was: the files were changed, or the key is that "
        "of another report. The report does not agree with these files: Files (4)"
    )
    assert verdict_in_words(verify(path, [folder], key=another)).startswith(changed_says)
    for file in folder.iterdir():
        file.write_text(f"{file.read_text('utf-8')} Changed.", encoding="utf-8")
    assert verdict_in_words(verify(path, [folder], key=key)).startswith(changed_says)
    file.unlink()
    check = verify(path, [folder], key=key)
    assert verdict_in_words(check).startswith(changed_says)
    assert check.missing == 1


def test_with_names_withheld_a_hash_shows_which_file_changed(judged, folder, tmp_path):
    key = NameKey()
    path = written(judged, tmp_path / "withheld.json", ReportChoice(names=False), key)
    changed = folder / "Cleo.txt"
    changed.write_text(changed.read_text("utf-8").replace("twice", "never"), encoding="utf-8")
    about = [
        finding
        for finding in wrong(verify(path, [folder], key=key))
        if finding.topic is Topic.FILES
    ]
    (label,) = key.files([("Cleo.txt", "")])
    assert [(finding.what, finding.field) for finding in about] == [(label, "sha256")]


def test_of_another_folder_nothing_agrees(as_json, tmp_path):
    texts = {f"{number}.txt": f"{UNRELATED} Number {number} ends here." for number in range(3)}
    other_folder = folder_with(tmp_path / "other", texts)
    counts = {count.topic: count for count in verify(as_json, [other_folder]).counts}
    assert (counts[Topic.FILES].agreed, counts[Topic.FILES].skipped) == (0, 0)
    for topic in (Topic.PAIRS, Topic.PASSAGES):
        assert counts[topic][1:] == (2, 0, 2)
    assert counts[Topic.VERDICTS].agreed == 0


def test_the_findings_on_another_folder_are_gone_through_a_few_times_only():
    class Counted(list):
        rounds = 0

        def __iter__(self):
            Counted.rounds += 1
            return super().__iter__()

    missing = Counted(Finding(Topic.FILES, Outcome.MISSING, f"{name}.txt") for name in range(100))
    check = Verification("json", "", (TopicCount(Topic.FILES, 100, 0),), missing, ())
    assert next(verification_in_words(check)).startswith("None of the report’s 100 documents")
    assert Counted.rounds < 20


def test_what_changed_is_named_and_no_date(as_json, folder):
    for file in folder.iterdir():
        os.utime(file, (1, 1))
    (folder / "Dora.txt").write_text(UNRELATED + "Dora says something else now.")
    lines = verification_in_words(verify(as_json, [folder]))
    (changed_file,) = [line for line in lines if line.startswith("Files: ")]
    assert changed_file.startswith("Files: Dora.txt, ")


def test_a_pair_that_others_keep_from_being_listed_is_not_held_against_the_report(as_json, folder):
    def change(data):
        row = next(pair for pair in data["pairs"] if pair["doc_a"].startswith("Ann"))
        row.update(doc_b="Cleo.txt", resemblance=0.01)

    changed(as_json, change)
    assert Topic.PAIRS in topics(verify(as_json, [folder]))
    (folder / "Dora.txt").unlink()
    check = verify(as_json, [folder])
    assert not check.agrees
    assert Outcome.MISSING not in {
        finding.outcome for finding in wrong(check) if finding.topic is Topic.PAIRS
    }


def test_a_report_of_nothing_found_agrees(folder, tmp_path, pool, kind):
    (folder / "Bob Miller.txt").unlink()
    (folder / "Dora.txt").unlink()
    read = scan([folder], SETTINGS, pool=pool)
    assert verify(written(read, tmp_path / f"none.{kind}"), [folder]).agrees


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("settings"),
        lambda data: data["settings"].update(k="five"),
        lambda data: data["settings"].update(bands=10**9),
        lambda data: data.update(pairs={}),
        lambda data: data.update(pairs=[{"doc_a": 1, "doc_b": 2}]),
        lambda data: data.update(log=[{"id": "x"}]),
        lambda data: data.update(roles=["king"]),
        lambda data: data["folders"].append("all theses"),
        lambda data: data.update(created="yesterday"),
        lambda data: data["choice"].update(scope="everything"),
        lambda data: data["choice"].update(file_properties=1),
        lambda data: data.update(conclusion="nothing was copied"),
        lambda data: data["pairs"][0].update(conclusion="not copied"),
        lambda data: data["settings"].update(conclusion="not copied"),
    ],
)
def test_a_crafted_record_is_refused_in_a_sentence(as_json, folder, change):
    changed(as_json, change)
    with pytest.raises(ReportError, match=r"^The report cannot be checked: .*\.$"):
        verify(as_json, [folder])


def test_a_value_that_stands_twice_is_refused(as_json, folder):
    """One program reads the first, another the last."""
    tampered(as_json, '"pairs": [', '"pairs": [], "pairs": [')
    sealed_again(as_json)
    with pytest.raises(ReportError, match=r"“pairs” cannot be so"):
        verify(as_json, [folder])


@pytest.mark.parametrize("change", [{"language": "xx"}, {}])
def test_a_row_more_beside_the_right_one_is_found(as_json, folder, change):
    def twice(data):
        data["languages"].insert(0, {**data["languages"][0], **change})

    changed(as_json, twice)
    assert Topic.LANGUAGES in topics(verify(as_json, [folder]))


@pytest.mark.parametrize("name", ["document_list", "log", "pairs"])
def test_a_document_a_pair_or_a_decision_that_stands_twice_is_refused(as_json, folder, name):
    def twice(data):
        data["shown"] = "Filter: all"
        data[name].append(data[name][0])
        data["ranks"] = [*range(1, len(data["pairs"]) + 1)]

    changed(as_json, twice)
    with pytest.raises(ReportError, match=name):
        verify(as_json, [folder])


def test_a_report_without_its_seal_is_no_sealed_one(report, folder):
    data = report.read_bytes()
    report.write_bytes(data.replace(found_seal(data).encode(), b"", 1))
    assert topics(verify(report, [folder])) == {Topic.SEAL}


@pytest.mark.parametrize("name", ["report.html", "report.pdf", "report.txt", "report"])
def test_a_record_that_a_program_would_show_as_something_else_is_refused(as_json, name):
    with pytest.raises(ReportError, match=f"“{name}” is a report in JSON"):
        record_in(as_json.rename(as_json.with_name(name)))


@pytest.mark.parametrize(("kind", "ending"), [("html", "txt"), ("html", "json"), ("pdf", "html")])
def test_a_page_is_checked_under_any_name(report, folder, ending):
    checked = verify(report.rename(report.with_suffix(f".{ending}")), [folder])
    assert checked.agrees


def test_a_report_that_was_saved_anew_in_another_encoding_is_refused(report):
    report.write_text(report.read_text(encoding="utf-8"), encoding="utf-16")
    with pytest.raises(ReportError, match="as Neardup saved them"):
        record_in(report)


@pytest.mark.parametrize("name", ["table.csv", "table.xlsx", "letter.rtf", "empty.html"])
def test_a_file_without_a_record_is_not_said_to_have_one(judged, tmp_path, name):
    path = tmp_path / name
    if name.startswith("table"):
        written(judged, path)
    else:
        path.write_bytes(b"{\\rtf1 }" if path.suffix == ".rtf" else b"")
    with pytest.raises(ReportError, match="has no record to check"):
        record_in(path)


@pytest.mark.parametrize("kind", ["html"])
@pytest.mark.parametrize("ends", ["</script >", "</SCRIPT>", "<!--<script>"])
def test_a_record_whose_words_a_browser_would_show_is_refused(report, folder, ends):
    tampered(report, '"who": "Ruth"', f'"who": "{ends}<h1>Cleared</h1>"')
    sealed_again(report)
    with pytest.raises(ReportError, match="no record to check"):
        verify(report, [folder])


@pytest.mark.parametrize("content", [b"", b"{}", b"<html></html>", b"%PDF-1.7", b"\xff" * 50])
@pytest.mark.parametrize("kind", ["json", "html", "pdf"])
def test_what_is_no_report_is_refused(folder, tmp_path, content, kind):
    path = tmp_path / f"no.{kind}"
    path.write_bytes(content)
    with pytest.raises(ReportError):
        verify(path, [folder])
    assert main(["verify", str(path), str(folder)]) == 1


@pytest.mark.parametrize("kind", ["html"])
def test_the_command_says_it_all(report, folder, tmp_path, neardup):
    out = neardup("verify", report, folder, "--json", tmp_path / "found.json").out
    assert "agrees with these files" in out
    assert "Files: 4 of 4 agree" in out
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["agrees"] is True

    (folder / "Cleo.txt").unlink()
    with in_language(load_language("fr")):
        french = neardup("verify", report, folder, status=3).out
    assert "\nFichiers\u202f: Cleo.txt" in french.replace("\u00a0", "\u202f")
    assert " and " not in french
    assert "Cleo.txt is not among these files" in neardup("verify", report, folder, status=3).out


@pytest.mark.parametrize("withheld", [False, True])
def test_of_a_review_files_are_read_again_as_it_was_read(folder, tmp_path, withheld):
    """Also one that was saved again meanwhile, by who did not read them."""
    for number, file in enumerate(sorted(folder.iterdir())):
        (folder / file.stem).mkdir()
        file.rename(folder / file.stem / "essay.txt")
        (folder / file.stem / "notes.txt").write_text(f"My notes of day {number}.", "utf-8")
    packed = shutil.make_archive(tmp_path / "work", "zip", folder / "Ann Smith")
    shutil.move(packed, folder / "Ann Smith")
    for name in ("essay.txt", "notes.txt"):
        (folder / "Ann Smith" / name).unlink()
    review, report = tmp_path / "r.neardup", tmp_path / "r.html"
    reading = ["--submissions", "--archives", "--limit", "seconds=77"]
    assert main(["scan", str(folder), *reading, "--quiet", f"--review={review}"]) == 0
    with open_review(review) as opened:
        save_review(review, opened.state)

    names = ["--withhold-names", f"--key={tmp_path / 'k.csv'}"] if withheld else []
    assert main(["report", str(review), str(report), "--quiet", *names]) == 0

    assert record_in(report).record["reading"]["limits"]["seconds"] == 77
    assert main(["verify", str(report), str(folder), "--quiet", *names[1:]]) == 0

    # A scan that asks for nothing keeps what was joined and opened.
    folder_with(folder / "Zoe", {"essay.txt": "I handed it in late."})
    assert main(["scan", str(folder), "--quiet", f"--review={review}"]) == 0
    assert main(["report", str(review), str(report), "--quiet", *names]) == 0
    assert record_in(report).record["reading"]["archives"]
    assert main(["verify", str(report), str(folder), "--quiet", *names[1:]]) == 0


@pytest.mark.parametrize("withheld", [False, True])
def test_locked_files_are_read_again_with_their_passwords(folder, tmp_path, neardup, withheld):
    (folder / "Locked.doc").write_bytes(compound(locked("Nobody else wrote these words.\r")))
    passwords, report = tmp_path / "passwords.txt", tmp_path / "r.html"
    passwords.write_text(f"wrong\n{PASSWORD}", encoding="utf-8")
    opened = [f"--passwords={passwords}", "--quiet"]
    names = ["--withhold-names", f"--key={tmp_path / 'k.csv'}"] if withheld else []
    assert main(["scan", str(folder), *opened, f"--report={report}", *names]) == 0

    check = ["verify", str(report), str(folder), *names[1:]]
    assert main([*check, *opened]) == 0
    assert (
        "read with other settings for the report: with passwords" in neardup(*check, status=3).out
    )


def test_that_a_report_does_not_tell_how_it_was_read_is_reported(folder, tmp_path, pool):
    shutil.make_archive(tmp_path / "work", "zip", folder)
    for name in ("Ann Smith.txt", "Bob Miller.txt"):
        (folder / name).unlink()
    shutil.move(tmp_path / "work.zip", folder)
    for reading in (ReadingSettings(archives=True), ReadingSettings()):
        report = written(scan([folder], SETTINGS, reading=reading, pool=pool), tmp_path / "r.json")
        assert not any(
            "other settings for" in sentence for sentence in verify(report, [folder]).not_checked
        )
        changed(report, lambda record: record.update(reading=None))
        check = verify(report, [folder])
        assert check.agrees is not reading.archives
        assert reading.archives == any(
            "other settings for" in sentence for sentence in check.not_checked
        )


NAMED_OTHERWISE = {  # files of submissions whose name is no folder of theirs
    "Moodle": "{name}_{number}_assignsubmission_file_/essay.txt",
    "Moodle, two of a name": "Ann Smith_{number}_assignsubmission_file_/essay.txt",
    "Canvas": "{name}_{number}_{number}_essay.txt",
    "archives": "{name}.zip",
}


@pytest.mark.parametrize("pattern", NAMED_OTHERWISE.values(), ids=NAMED_OTHERWISE)
def test_submissions_are_found_by_the_names_that_they_got(folder, tmp_path, pattern):
    handed_in, sheet = tmp_path / "handed in", tmp_path / "sheet.txt"
    sheet.write_text("Write about a thing that you saw this week.", "utf-8")
    for number, file in enumerate(sorted(folder.iterdir()), 71001):
        target = handed_in / pattern.format(name=file.stem, number=number)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".zip":
            with zipfile.ZipFile(target, "w") as archive:
                archive.write(file, "essay.txt")
        else:
            file.rename(target)
    report, options = tmp_path / "r.html", [str(handed_in), f"--template={sheet}"]
    reading = ["--submissions", "--archives", "--quiet"]
    assert main(["scan", *options, *reading, f"--report={report}"]) == 0
    assert main(["verify", str(report), str(handed_in), str(sheet), "--quiet"]) == 0
    with pytest.raises(ReportError, match=r"all 2 folders .*: handed in, sheet\.txt\."):
        verify(report, [handed_in])


def test_the_command_takes_the_key(judged, folder, tmp_path, capsys):
    key = NameKey()
    path = written(judged, tmp_path / "withheld.json", ReportChoice(names=False), key)
    save_key(tmp_path / "key.csv", key)
    arguments = ["verify", str(path), str(folder), "--quiet", "--key"]
    assert main([*arguments, str(tmp_path / "key.csv")]) == 0
    assert main([*arguments, str(tmp_path / "no.csv")]) == 2
    with pytest.raises(SystemExit, match="2"):
        main(["verify", str(path), str(folder), "--seal", "12"])
    assert "64 digits" in capsys.readouterr().err


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A page that was written, and the report that its files give again."""
    folder = write_essays(tmp_path_factory.mktemp("shown") / "essays")
    with ThreadPoolExecutor(2) as pool:
        path = written(judge_essays(folder, pool), folder.parent / "report.html")
    claims = claims_of(record_in(path).record)
    with recomputed(claims, [folder], None, ignore) as again:
        yield path.read_bytes(), again.report


def test_an_inserted_logo_is_named_as_unverifiable(judged, folder, tmp_path):
    path = written(judged, tmp_path / "report.html", ReportChoice(institution="School"))
    picture = b'<img src="data:image/png;base64,iVBORw0KGgo=" alt="">'
    paragraph = b'<p class="institution">'
    path.write_bytes(path.read_bytes().replace(paragraph, paragraph + picture, 1))
    sealed_again(path)
    check = verify(path, [folder])
    assert picture in path.read_bytes()
    assert not check.agrees or any("its logo" in sentence for sentence in check.not_checked)


@pytest.mark.parametrize("begins", ["<!DOCTYPE", "</title>", "</style>", "</main>"])
def test_a_record_stands_where_its_page_has_it(shown, begins):
    data, report = shown
    start = data.find(b'<script type="application/json"')
    end = data.find(b"</script>", start) + len(b"</script>")
    page = data[:start] + data[end:]
    forgery = page.replace(begins.encode(), data[start:end] + begins.encode(), 1)
    _, findings = compare_pages(forgery, report)
    assert findings


@pytest.mark.parametrize("put_in", [b"", b" ", b"<!-- x -->", b'<p id="x">'])
def test_no_byte_of_a_page_can_be_another_or_stand_there_besides(shown, put_in):
    """But for those of its record and of its seal, which are compared by themselves."""
    data, report = shown
    start = data.find(b'<script type="application/json"')
    seal = data.find(found_seal(data).encode())
    places = {*range(start), *range(data.find(b"</script>", start) + 9, len(data))}
    places = sorted(places - {*range(seal, seal + 64)})
    pages = [
        data[:place] + (put_in or bytes([data[place] ^ 1])) + data[place + (not put_in) :]
        for place in [0, *random.Random(7).sample(places, 20), len(data) - 1]
    ]
    a, b = (data.index(b'<tr id="row-%d"' % number) for number in (1, 2))
    c = data.index(b"</tbody>", b)
    pages += [data[:a] + data[b:c] + data[a:b] + data[c:], data + put_in]
    for page in [*pages, data.replace(b'lang="en"', b'lang="fr"')]:
        count, findings = compare_pages(page, report)
        wanted = {(Topic.PAGE, True)} if page != data else set()
        assert {(finding.topic, finding.contradicts) for finding in findings} == wanted
        assert (count.agreed < count.checked) == (page != data)


# What no file tells, and the sentence among the first lines of the answer that says so.
UNCOMPARED = {
    "version": "The report was written by Neardup",
    "versions": "The report was written by Neardup",
    "folders": "names of folders",
    "settings": "settings that would give the same result",
    "reading": "settings that would give the same result",
    "set_aside_by": "settings that would give the same result",
    "choice": "the institution",
    "created": "when the report was written",
    "shown": "Which pairs the filter lets through",
    "audit": "was not run again",
    "log": "Who judged what and when",
    "modified": "the dates of files",
}


def values_in(value, path=(), kind=()):
    """Each value of a record: its place, and which kind of place that is."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner_value in inner:
        inner_kind = (*kind, key if isinstance(value, dict) else "*")
        if isinstance(inner_value, dict | list) and inner_value:
            yield from values_in(inner_value, (*path, key), inner_kind)
        else:
            yield (*path, key), inner_kind, inner_value


def other_values(value):
    """Other values of the same type, and nothing in its place."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1 if isinstance(value, int) else value / 2 + 0.01, type(value)()]
    return [{"x": 1} if value == {} else ["x"] if value == [] else f"{value or ''}x", ""]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The record of a report with all kinds of values, and its folder."""
    folder = write_essays(tmp_path_factory.mktemp("recorded") / "essays")
    (folder / "nothing.txt").touch()
    with ThreadPoolExecutor(2) as pool:
        read = judge_essays(folder, pool)
        path = written(read, folder.parent / "report.json", ReportChoice(institution="School"))
    return json.loads(path.read_text(encoding="utf-8")), folder


@pytest.mark.parametrize("value", [None, 7, "x", [7], [{}], {"a": 1}])
def test_no_part_of_a_record_can_be_of_another_type(recorded, tmp_path, value):
    record, folder = recorded
    path, believed = tmp_path / "forged.json", []
    parts = {name for name, part in record.items() if isinstance(part, dict | list)}
    assert len(parts) >= 20
    for name in parts - {"reading"}:  # which a report need not tell, and then it says so
        path.write_text(json.dumps({**record, name: value}), encoding="utf-8")
        sealed_again(path)
        with suppress(ReportError):
            believed += [name] * verify(path, [folder]).agrees
    assert believed == []


def test_every_value_of_a_record_is_compared_or_named(recorded, tmp_path):
    """Over 250 kinds of forged reports, each sealed again as any forger can."""
    record, folder = recorded
    path, kinds = tmp_path / "forged.json", {}
    for path_in_record, kind, value in values_in(record):
        for other_value in other_values(value) if kind != ("seal",) else ():
            if other_value != value:
                kinds.setdefault((*kind, not other_value), (path_in_record, other_value))
    believed = []
    for kind, (path_in_record, value) in kinds.items():
        forged = holder = copy.deepcopy(record)
        for key in path_in_record[:-1]:
            holder = holder[key]
        holder[path_in_record[-1]] = value
        path.write_text(json.dumps(forged, ensure_ascii=False), encoding="utf-8")
        sealed_again(path)
        with suppress(ReportError):
            check = verify(path, [folder])
            words = UNCOMPARED.get(kind[0]) or UNCOMPARED.get(kind[-2], "?")
            named = any(words in sentence for sentence in check.not_checked)
            if check.agrees and not named:
                believed.append(kind)
    assert len(kinds) > 250
    assert believed == []


@pytest.fixture
def after_deletion(judged, folder, pool):
    """A scan after Dora's essay was deleted: its text stays in the review."""
    (folder / "Dora.txt").unlink()
    read = scan([folder], SETTINGS, pool=pool, previous=judged.state)
    return read.with_rules(ExclusionRules(quotations=True))


@pytest.mark.parametrize("scope", [Scope.SHOWN, Scope.CONFIRMED])
@pytest.mark.parametrize("kind", ["html", "json", "pdf"])
def test_a_gone_document_does_not_contradict(after_deletion, folder, tmp_path, kind, scope, capsys):
    path = written(after_deletion, tmp_path / f"report.{kind}", ReportChoice(scope=scope))
    assert main(["verify", str(path), str(folder)]) == 4  # not all of it was compared
    said = capsys.readouterr().out
    assert said.startswith("What the report says of these files agrees. It says that 1 document")
    if scope is Scope.SHOWN:  # the other does not list it
        assert "  Files: 3 of 4 agree, 1 not compared" in said.splitlines()
    elif kind != "pdf":
        assert "Dora" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["json"])
def test_gone_documents_excuse_no_number_of_two_texts(after_deletion, folder, tmp_path, kind):
    path = written(after_deletion, tmp_path / f"report.{kind}", ReportChoice(scope=Scope.CONFIRMED))
    changed(path, lambda data: data["pairs"][0].update(resemblance=0.1234))
    assert Topic.PAIRS in topics(verify(path, [folder]))


def test_a_missing_document_makes_no_number_of_other_pairs_wrong(folder, tmp_path, kind, pool):
    """What is reworked hangs on the folder: without Eve these two share more."""
    (folder / "Ann Smith.txt").write_text(STORY, encoding="utf-8")
    (folder / "Bob Miller.txt").write_text(
        "Over the boats hung the smell of salt and tar. In the wind the nets dried behind. "
        "Bob tells of a winter when no ship came, and of his uncle who kept the light burning.",
        encoding="utf-8",
    )
    (folder / "Eve.txt").write_text(
        "Nobody on the pier had expected the ferry so late when it came, and a boy lost count of "
        "the lamps along the wall. Eve counts nothing at all and sleeps.",
        encoding="utf-8",
    )
    path = written(scan([folder], SETTINGS, pool=pool), tmp_path / f"report.{kind}")
    (folder / "Eve.txt").unlink()

    check = verify(path, [folder])

    assert [(finding.topic, finding.what) for finding in wrong(check)] == [(Topic.FILES, "Eve.txt")]
    remarks = {
        (finding.what, finding.field) for finding in check.findings if finding.topic is Topic.PAIRS
    }
    assert ("Ann Smith.txt | Bob Miller.txt", "overlap") in remarks
    pairs = next(count for count in check.counts if count.topic is Topic.PAIRS)
    assert pairs.skipped == len({subject for subject, _ in remarks})


def test_files_that_cannot_be_read_are_not_held_against_a_report(folder, tmp_path, kind, pool):
    """Neither those that never could, nor one that a rescan could not, nor one that went."""
    (folder / "empty.txt").touch()
    (folder / "broken.docx").write_bytes(b"PK\x03\x04" + bytes(200))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n" + bytes(200))
    read = scan([folder], SETTINGS, pool=pool)
    assert verify(written(read, tmp_path / f"first.{kind}"), [folder]).agrees

    (folder / "Cleo.txt").write_bytes(random.Random(1).randbytes(3000))
    (folder / "Dora.txt").unlink()
    read = scan([folder], SETTINGS, pool=pool, previous=read.state)

    check = verify(written(read, tmp_path / f"second.{kind}"), [folder])
    assert wrong(check) == []
    assert check.gone == 2


def test_a_pair_is_counted_once_however_many_of_its_numbers_are_wrong(as_json, folder):
    numbers = {"resemblance": 0.1, "overlap": 0.1, "shared_words": 1}
    changed(as_json, lambda data: data["pairs"][0].update(numbers))
    check = verify(as_json, [folder])
    pairs = next(count for count in check.counts if count.topic is Topic.PAIRS)
    assert (pairs.agreed, pairs.checked) == (1, 2)
    assert "Pairs (1)" in next(verification_in_words(check))


@pytest.mark.parametrize(
    "change", [{"documents": 4000}, {"title": "Innocent"}, {"templates": ["a"]}]
)
def test_gone_documents_excuse_only_what_they_decide(judged, folder, tmp_path, change):
    path = written(judged, tmp_path / "report.json", ReportChoice(scope=Scope.CONFIRMED))
    changed(path, lambda data: data.update(documents_gone=1, **change))
    assert Topic.COUNTS in topics(verify(path, [folder]))


def test_a_document_that_is_there_cannot_be_called_gone(as_json, folder):
    changed(as_json, lambda data: data["document_list"][3].update(state="gone"))
    assert Topic.FILES in topics(verify(as_json, [folder]))


@pytest.mark.parametrize("withheld", [False, True])
def test_other_line_ends_of_files_do_not_contradict(judged, folder, tmp_path, kind, withheld, pool):
    author = b'<html><head>\n<meta name="author" content="C. Lee"></head>\n<body>'
    pages = [folder / "Cleo.html", folder / "Dora.html"]
    for page in pages:
        page.write_bytes(author + (folder / f"{page.stem}.txt").read_bytes() + b"</body></html>\n")
    read, key = scan([folder], SETTINGS, pool=pool), NameKey() if withheld else None
    choice = ReportChoice(names=not withheld, file_properties=True)
    path = written(read, tmp_path / f"report.{kind}", choice, key)
    pages[0].write_bytes(pages[0].read_bytes().replace(b"\n", b"\r\n"))

    check = verify(path, [folder], key=key)

    assert wrong(check) == []
    assert Outcome.LINE_ENDS in {finding.outcome for finding in check.findings}


def test_other_line_ends_of_a_report_are_reported_and_not_held_against_it(report, folder):
    seal = found_seal(report.read_bytes())
    report.write_bytes(report.read_bytes().replace(b"\n", b"\r\n"))

    check = verify(report, [folder], seal=seal)

    assert wrong(check) == []
    assert (Topic.SEAL, Outcome.LINE_ENDS) in {
        (finding.topic, finding.outcome) for finding in check.findings
    }
    report.write_bytes(report.read_bytes().replace(b"Ann", b"Eve", 1))
    assert Topic.SEAL in topics(verify(report, [folder]))


@pytest.mark.parametrize("kind", ["html"])
@pytest.mark.parametrize("locale", ["C", "tr_TR.UTF-8"])
def test_another_language_of_the_system_decides_nothing(report, folder, locale):
    done = subprocess.run(
        [sys.executable, "-m", "core", "verify", report, folder, "--quiet"],
        env={**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode == 0


@pytest.mark.parametrize("withheld", [False, True])
def test_a_copy_of_the_folder_in_another_place_agrees(judged, folder, tmp_path, kind, withheld):
    key = NameKey() if withheld else None
    report = written(judged, tmp_path / f"r.{kind}", ReportChoice(names=not withheld), key)
    moved = tmp_path / "somewhere" / "the same essays"
    shutil.copytree(folder, moved)
    for path in moved.iterdir():
        os.utime(path, (10**9, 10**9))

    assert not verify(report, [moved], key=key).findings


@pytest.mark.parametrize("withheld", [False, True])
@pytest.mark.parametrize(
    ("of", "is_renamed"),
    [(["essays"], False), (["essays", "sources"], False), (["essays", "sources"], True)],
)
def test_folders_are_known_by_name_or_else_by_order(folder, tmp_path, of, is_renamed, withheld):
    sources, report, key = tmp_path / "sources", tmp_path / "r.html", tmp_path / "r.key.csv"
    sources.mkdir()
    (sources / "story.txt").write_text(STORY, "utf-8")
    paths = [str(tmp_path / name) for name in of]
    options = ["--withhold-names"] * withheld
    assert main(["scan", *paths, "--quiet", f"--report={report}", *options]) == 0
    given = folder.rename(tmp_path / "moved") if is_renamed else folder

    check = verify(report, [sources, given], key=open_key(key) if withheld else None)

    assert wrong(check) == []
    of_files = [finding.what for finding in check.findings if finding.topic is Topic.FILES]
    assert of_files == ["sources/story.txt"] * (len(of) == 1)


def test_a_folder_that_was_given_by_a_link_is_known_by_it(folder, tmp_path):
    sources, link, report = tmp_path / "sources", tmp_path / "link", tmp_path / "r.html"
    folder_with(sources, {"story.txt": STORY})
    link.symlink_to(sources)
    assert main(["scan", str(link), str(folder), "--quiet", f"--report={report}"]) == 0

    assert wrong(verify(report, [folder, link])) == []


def test_a_folder_that_leads_to_itself_is_refused_in_a_sentence(report, tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(FolderError):
        verify(report, [loop])


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/St_Johns"])
def test_another_time_zone_decides_nothing(report, folder, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert wrong(verify(report, [folder])) == []
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("kind", ["pdf"])
def test_a_pdf_does_not_agree_as_a_whole(report, folder, neardup):
    first = neardup("verify", report, folder, status=4).out.splitlines()[0]
    assert first == (
        "The record in the report agrees with these files. What its pages show was not compared."
    )


@pytest.mark.parametrize("reverses", [0, 1, 7, -1, 10**9])
def test_an_entry_of_the_log_that_points_nowhere_is_refused_in_a_sentence(
    as_json, folder, reverses
):
    record = json.loads(as_json.read_text(encoding="utf-8"))
    record["log"][0]["reverses"] = reverses
    record["log"][0]["kind"] = "reverse"
    as_json.write_text(json.dumps(record), encoding="utf-8")
    sealed_again(as_json)

    with suppress(ReportError):
        assert not verify(as_json, [folder]).agrees

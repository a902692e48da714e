"""Pairs that no search finds are listed besides where they were added or somebody marked them.

They are judged, kept, reported, verified.
"""

import json
import shutil
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from core.base.messages import gettext
from core.base.tasks import ignore
from core.commands.main import main
from core.documents.model import PairKey, Role
from core.evidence.overlap import figures_of
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.pair_words import NOT_FOUND
from core.reports.pseudonyms.key import NameKey
from core.reports.record import FORMAT, WITHOUT_MARKED
from core.reports.report_choice import ReportChoice, Scope
from core.reports.rows import COLUMNS, pair_rows
from core.reports.scopes import usual_scope
from core.reports.settings_words import nothing_found
from core.review import open_review, save_review
from core.review.decisions import decide, judged
from core.review.verdicts import judge, list_pairs, write_note
from core.scan import pair_details
from core.scan.flow import scan
from core.scan.judgements import EarlierText, GivenVerdict, Judgements, Verdict
from core.scan.pair_details import with_extra_pairs
from core.scan.properties import properties_of_scan
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.verify import verify
from core.verify.comparison import Topic
from tests.engine.reports.test_record_schema import wrong
from tests.engine.scan.test_properties import word_file
from tests.reviews import state_in, undo
from tests.texts import folder_with, written_text

SETTINGS = ScanSettings(compare="all")
SHARED = " ".join(f"shared{n}" for n in range(80))
SCOPES = {Scope.SHOWN: (), Scope.SUSPECTED: (), Scope.PAIR: (0, 11), Scope.DOCUMENT: (11,)}


def write_essays(folder, *, alike):
    """Twelve files: 0 and 11 share editing sessions, 1 and 2 share words if they are `alike`."""
    files = {}
    for number in range(12):
        words = " ".join(f"word{number}x{n}" for n in range(60))
        text = f"{SHARED}\n{words}" if alike and number in (1, 2) else words
        sessions = ["00AA0001", "00AA0002"] if number in (0, 11) else [f"00B{number:05}"]
        files[f"{number:02}.docx"] = word_file(text, sessions)
    return folder_with(folder, files)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_essays(tmp_path_factory.mktemp("essays"), alike=True)


@pytest.fixture(scope="module")
def scanned(folder):
    with closing(scan([folder], SETTINGS)) as result:
        yield result


def key_of(scanned, a=0, b=11):
    return PairKey.of(scanned.documents[a], scanned.documents[b])


def adding(scanned, *commands):
    """A scan in which pairs were added, and what else was decided."""
    state = scanned.state
    for command in (list_pairs([key_of(scanned)]), *commands):
        state = decide(state, *command, who="Ruth")
    return Scan.restored(state, scanned.pool)


def confirmed(scanned):
    return adding(scanned, judge(Judgements(), [key_of(scanned)], Verdict.CONFIRMED))


def rows_of(listed):
    return list(zip(listed.rows.a.tolist(), listed.rows.b.tolist(), strict=True))


def test_a_pair_is_listed_besides_with_its_exact_numbers_until_that_is_undone(scanned):
    assert properties_of_scan(scanned).pairs() == [(0, 11)]
    before = with_extra_pairs(scanned, scanned.list_pairs())
    assert rows_of(before) == [(1, 2)]

    added = adding(scanned)
    listed = with_extra_pairs(added, added.list_pairs())

    assert rows_of(listed) == [(1, 2), (0, 11)]
    assert rows_of(replace(listed, extra_pairs=listed.extra_pairs.empty())) == [(1, 2)]
    assert listed.counts == before.counts
    row = listed.extra_pairs.figures(0)
    assert row.resemblance == 0
    assert row.overlap == 0
    expected = figures_of(scanned.texts[0], scanned.texts[11], SETTINGS)
    assert row.containment_a == expected.containment_a
    undone = judged(added.decided.judgements, [undo(added.decided.log)])
    assert rows_of(with_extra_pairs(scanned, scanned.list_pairs(), undone)) == [(1, 2)]


def test_what_the_search_finds_or_may_not_be_compared_is_not_listed_again(scanned):
    judgements = Judgements(added={key_of(scanned, 1, 2), key_of(scanned, 0, 0), PairKey("x", "y")})
    assert scanned.list_pairs().pairs_to_show(judgements) == []


def test_it_stays_where_a_text_was_edited_since(scanned):
    low, high = key_of(scanned)
    judgements = Judgements(
        added={PairKey.between(low, "before")}, earlier={high: EarlierText("before", 0.1)}
    )
    assert scanned.list_pairs().pairs_to_show(judgements) == [(0, 11)]


def test_it_stays_where_one_of_two_confirmed_copies_was_rewritten(scanned):
    """The other copy still has that text: the pair was looked for between it and itself."""
    low, high = key_of(scanned, 3, 4)
    given = GivenVerdict(Verdict.CONFIRMED, "Ruth", "")
    judgements = Judgements(
        verdicts={PairKey.between(low, low): given}, earlier={high: EarlierText(low, 0.9)}
    )
    assert scanned.list_pairs().pairs_to_show(judgements) == [(3, 4)]


def test_a_text_that_is_still_there_comes_before_one_that_was_edited(scanned):
    low, high = key_of(scanned, 3, 4)
    edited = key_of(scanned, 0, 0).low
    given = GivenVerdict(Verdict.CONFIRMED, "Ruth", "")
    judgements = Judgements(
        verdicts={PairKey.between(low, high): given}, earlier={edited: EarlierText(low, 0.9)}
    )
    assert scanned.list_pairs().pairs_to_show(judgements) == [(3, 4)]


def test_of_documents_with_its_text_the_first_that_may_be_compared_is_listed(scanned):
    documents = list(scanned.documents)
    documents[3] = documents[0]._replace(name="copy")  # of a reference
    documents[0] = documents[0]._replace(role=Role.REFERENCE)
    documents[11] = documents[11]._replace(role=Role.REFERENCE)
    listed = replace(scanned.list_pairs(), documents=documents)
    assert listed.pairs_to_show(Judgements(added={key_of(scanned)})) == [(3, 11)]


def test_a_confirmed_pair_of_copies_stays_where_all_of_their_text_is_set_aside(scanned):
    """It was looked for between a document and itself."""
    documents = list(scanned.documents)
    documents[3] = documents[4] = documents[0]._replace(name="copy")
    listed = replace(scanned.list_pairs(), documents=documents)
    given = {key_of(scanned, 0, 0): GivenVerdict(Verdict.CONFIRMED, "Ruth", "")}
    assert listed.pairs_to_show(Judgements(verdicts=given)) == [(0, 3)]


def test_a_review_keeps_it_with_its_verdict_where_the_files_are_gone(folder, tmp_path):
    copies, path = tmp_path / "essays", tmp_path / "essays.neardup"
    shutil.copytree(folder, copies)
    with closing(scan([copies], SETTINGS)) as read:
        save_review(path, confirmed(read).state)
    shutil.rmtree(copies)

    with closing(Scan.restored(open_review(path).state)) as again:
        listed = with_extra_pairs(again, again.list_pairs())
        report = report_of(again, again.list_pairs(), choice=ReportChoice(scope=Scope.CONFIRMED))

    assert rows_of(listed) == [(1, 2), (0, 11)]
    assert [(int(a), int(b)) for a, b in zip(report.pairs.a, report.pairs.b, strict=True)] == [
        (0, 11)
    ]
    assert usual_scope(listed, again.decided.judgements) is Scope.SUSPECTED


@pytest.mark.parametrize("ending", [".html", ".json"])
@pytest.mark.parametrize(
    ("scope", "names"), [*zip(SCOPES, [True, True, False, False], strict=True)]
)
def test_an_honest_report_agrees(scanned, folder, tmp_path, ending, names, scope):
    added, key = confirmed(scanned), None if names else NameKey()
    choice = ReportChoice(scope=scope, documents=SCOPES[scope], names=names, file_properties=True)
    path = tmp_path / f"r{ending}"
    write_report(path, report_of(added, added.list_pairs(), choice=choice, key=key))

    check = verify(path, [folder], key=key)

    assert [finding for finding in check.findings if finding.contradicts] == []
    checked = {count.topic: count.agreed for count in check.counts}
    assert checked[Topic.PAIRS] == (2 if scope is Scope.SHOWN else 1)


def test_the_command_line_adds_them_once_and_the_review_keeps_them(folder, tmp_path, neardup):
    review, table = tmp_path / "essays.neardup", tmp_path / "r.csv"
    scan_again = ["scan", str(folder), "--compare", "all", "--review", str(review)]
    assert main([*scan_again, "--quiet"]) == 0
    for message in ("1 pair was added to the list.", ""):
        output = neardup(*scan_again, "--add-by-properties", "--pairs", table).out
        assert "11.docx  [not listed]" in output
        assert "weak trace" not in output
        assert ("was added" in output) == bool(message)
        assert table.read_text("utf-8").splitlines()[-1].startswith("00.docx,11.docx,0.0")
        assert len(state_in(review).log) == 1
    report = tmp_path / "r.html"
    assert main(["report", str(review), str(report), "--quiet"]) == 0
    assert verify(report, [folder]).agrees


def test_one_of_several_agrees_by_itself(scanned, folder, tmp_path):
    """Whoever checks it does not know the pairs that the report leaves out."""
    keys = [key_of(scanned), key_of(scanned, 3, 4), key_of(scanned, 5, 6)]
    added = Scan.restored(decide(scanned.state, *list_pairs(keys), who="Ruth"), scanned.pool)
    path = tmp_path / "r.json"
    for pair in ((0, 11), (3, 4), (5, 6)):
        choice = ReportChoice(scope=Scope.PAIR, documents=pair)
        write_report(path, report_of(added, added.list_pairs(), choice=choice))
        assert verify(path, [folder]).agrees
    record = json.loads(written_text(write_report, path, report_of(added, added.list_pairs())))
    assert wrong(record) == []
    assert record["ranks"] == [1, 2, 3, 4]
    assert [row["found_by"] for row in record["pairs"]][1:] == ["properties"] * 3
    assert verify(path, [folder]).agrees


def test_how_many_more_were_added_does_not_change_their_order(tmp_path, monkeypatch):
    """The overlap of the first of them is measured at once, that of others later."""
    monkeypatch.setattr(pair_details, "MEASURED_AT_ONCE", 20_000)
    folder, path = tmp_path / "essays", tmp_path / "r.json"
    folder.mkdir()
    pieces = [" ".join(f"piece{part}x{n}" for n in range(5)) for part in range(4)]
    run = " ".join(f"run{n}" for n in range(7))
    for number in range(12):
        words = [f"word{number}x{n}" for n in range(400)]
        shared = {0: [run], 9: pieces, 11: [*pieces, run]}.get(number, [])
        parts = (f"{piece} {' '.join(words[80 * n :][:80])}" for n, piece in enumerate(shared))
        (folder / f"{number:02}.txt").write_text(" ".join([*parts, *words]), "utf-8")
    settings = SETTINGS.with_changes(reworked="off", min_resemblance=0.3)
    with closing(scan([folder], settings)) as read:
        keys = [key_of(read, 0, 11), key_of(read, 9, 11)]
        keys += [key_of(read, 0, number) for number in range(1, 9)]
        added = Scan.restored(decide(read.state, *list_pairs(keys), who="Ruth"), read.pool)
        choice = ReportChoice(scope=Scope.DOCUMENT, documents=(11,))
        write_report(path, report_of(added, added.list_pairs(), choice=choice))
    record = json.loads(path.read_text("utf-8"))
    runs = [(row["resemblance"] > 0, row["longest_run"]) for row in record["pairs"]]
    assert runs == [(True, 5), (True, 7)]
    assert verify(path, [folder]).agrees


@pytest.mark.parametrize(
    "change",
    [
        ('"resemblance": 0.0', '"resemblance": 0.3'),
        ('"found_by": "properties"', '"found_by": "lsh"'),
        ('"listed": true', '"listed": false'),
    ],
)
def test_what_was_changed_is_found(scanned, folder, tmp_path, change):
    added, path = adding(scanned), tmp_path / "r.json"
    record = written_text(write_report, path, report_of(added, added.list_pairs()))
    assert record.count(change[0]) == 1
    path.write_text(record.replace(*change), "utf-8")

    check = verify(path, [folder])

    assert Topic.PAIRS in {finding.topic for finding in check.findings if finding.contradicts}


OTHER = SETTINGS.with_changes(min_resemblance=0.9, list_passages=False)
MARKS = {
    "confirmed": lambda keys: judge(Judgements(), keys, Verdict.CONFIRMED),
    "suspicious": lambda keys: judge(Judgements(), keys, Verdict.SUSPICIOUS),
    "noted": lambda keys: write_note(Judgements(), keys, "Ask her."),
}


@pytest.mark.parametrize("mark", MARKS)
def test_a_pair_that_somebody_marked_stays_whatever_the_settings(scanned, folder, tmp_path, mark):
    """A confirmed pair was in no list and no report once other settings did not find it."""
    state = decide(scanned.state, *MARKS[mark]([key_of(scanned, 1, 2)]), who="Ruth")
    marked = Scan.restored(state._replace(settings=OTHER), scanned.pool)
    pair_list = marked.list_pairs(OTHER)
    assert len(pair_list.pairs) == 0

    assert rows_of(with_extra_pairs(marked, pair_list)) == [(1, 2)]
    report = report_of(marked, pair_list)
    (row,) = [dict(zip(COLUMNS, row, strict=True)) for row in pair_rows(report, str, ignore)]
    assert (row["doc_a"], row["doc_b"], row["found_by"]) == ("01.docx", "02.docx", "")
    assert report.reasons_of(0) == (gettext(NOT_FOUND),)
    if mark != "noted":
        choice = ReportChoice(scope=Scope.SUSPECTED)
        assert len(report_of(marked, pair_list, choice=choice).pairs) == 1
    for ending in (".html", ".json"):
        path = tmp_path / f"r{ending}"
        write_report(path, report)
        check = verify(path, [folder])
        assert [finding for finding in check.findings if finding.contradicts] == []


@pytest.mark.parametrize("names", [True, False])
def test_a_report_of_before_marks_listed_pairs_agrees(
    scanned, folder, tmp_path, monkeypatch, names
):
    """It has the verdict in its log and the pair in no row, and does not count it."""
    pairs = [key_of(scanned, 1, 2), key_of(scanned, 3, 4)]
    state = decide(scanned.state, *judge(Judgements(), pairs, Verdict.CONFIRMED))
    marked, key = Scan.restored(state, scanned.pool), None if names else NameKey()
    path, newer = tmp_path / "r.json", tmp_path / "newer.json"
    with monkeypatch.context() as before:
        before.setattr(Judgements, "marked", property(lambda judgements: judgements.added))
        for form, written in ((WITHOUT_MARKED, path), (FORMAT, newer)):
            before.setattr("core.reports.record.FORMAT", form)
            choice = ReportChoice(names=names)
            write_report(written, report_of(marked, marked.list_pairs(), choice=choice, key=key))
    assert len(json.loads(path.read_text("utf-8"))["pairs"]) == 1
    assert verify(path, [folder], key=key).agrees
    assert verify(newer, [folder], key=key).agrees == (not names)  # those have no log


def test_what_was_measured_is_not_measured_again_for_another_list(scanned, monkeypatch):
    """Each was measured by itself for each list: 50,000 took 13 seconds, also as a slider moved."""
    keys = [key_of(scanned, 1, 2), key_of(scanned, 3, 4)]
    state = decide(scanned.state, *judge(Judgements(), keys, Verdict.SUSPICIOUS))
    marked = Scan.restored(state, scanned.pool)
    with_extra_pairs(marked, marked.list_pairs(OTHER))
    for of_texts in ("shingle", "measure_shingles"):
        monkeypatch.delattr(f"core.evidence.overlap.{of_texts}")
    other = OTHER.with_changes(min_resemblance=0.95)
    listed = with_extra_pairs(marked, marked.list_pairs(other))
    monkeypatch.undo()
    alike = pair_details.signature_of_pair(marked, marked.state, (1, 2))
    assert rows_of(listed) == [(1, 2), (3, 4)]
    assert listed.extra_pairs.resemblance.tolist() == [alike.figures.resemblance, 0]
    assert listed.extra_pairs.estimate[0] == np.float32(alike.estimate)


def test_a_pair_that_is_no_match_or_whose_mark_was_taken_back_leaves_the_list(scanned):
    key = key_of(scanned, 1, 2)
    pair_list = scanned.list_pairs(OTHER)
    given = GivenVerdict(Verdict.NOT_A_MATCH, "Ruth", "")
    assert list(pair_list.pairs_to_show(Judgements(verdicts={key: given}))) == []
    before = PairKey.between(key.low, "before")
    judgements = Judgements(
        verdicts={before: given._replace(verdict=Verdict.CONFIRMED)},
        earlier={key.high: EarlierText("before", 0.1)},
    )
    assert pair_list.pairs_to_show(judgements) == [(1, 2)]
    taken_back = given._replace(verdict=Verdict.NOT_REVIEWED)
    verdicts = {**judgements.verdicts, key: taken_back}
    assert pair_list.pairs_to_show(judgements._replace(verdicts=verdicts)) == []


def test_a_report_leaves_out_what_is_no_match_since_it_was_listed(scanned, folder, tmp_path):
    """The list that is shown keeps its rows; an honest report was called wrong for them."""
    pairs = [key_of(scanned, 1, 2), key_of(scanned, 3, 4)]
    state = decide(scanned.state, *judge(Judgements(), pairs, Verdict.SUSPICIOUS))
    marked = Scan.restored(state._replace(settings=OTHER), scanned.pool)
    listed = with_extra_pairs(marked, marked.list_pairs(OTHER))
    state = decide(marked.state, *judge(state.judgements, pairs[:1], Verdict.NOT_A_MATCH))
    judged_since = Scan.restored(state, scanned.pool)

    for rows in (None, np.array([1, 0])):
        report = report_of(judged_since, listed, rows)
        assert [*zip(report.pairs.a, report.pairs.b, strict=True)] == [(3, 4)]
        write_report(tmp_path / "r.json", report)
        check = verify(tmp_path / "r.json", [folder])
        assert [finding for finding in check.findings if finding.contradicts] == []


def test_a_report_on_a_pair_whose_mark_is_gone_agrees(scanned, folder, tmp_path):
    """It had the row of a list of before, which a check called missing from these files."""
    key = key_of(scanned, 1, 2)
    state = decide(scanned.state, *judge(Judgements(), [key], Verdict.SUSPICIOUS))
    marked = Scan.restored(state._replace(settings=OTHER), scanned.pool)
    listed = with_extra_pairs(marked, marked.list_pairs(OTHER))
    state = decide(marked.state, *judge(state.judgements, [key], Verdict.NOT_REVIEWED))
    path = tmp_path / "r.html"
    choice = ReportChoice(scope=Scope.PAIR, documents=(1, 2))
    report = report_of(Scan.restored(state, scanned.pool), listed, choice=choice)
    write_report(path, report)
    assert len(report.pairs) == 0
    assert verify(path, [folder]).agrees


def test_it_makes_no_group(scanned):
    added = confirmed(scanned)
    report = report_of(added, added.list_pairs())
    assert np.array_equal(report.pairs.found_by == 0, [False, True])
    assert [group.documents for group in report.groups] == [(1, 2)]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_report_says_that_it_was_added_and_counts_it(scanned, tmp_path, scope):
    added = adding(scanned, list_pairs([key_of(scanned, 3, 4)]))
    if scope is Scope.SUSPECTED:
        added = confirmed(scanned)
    choice = ReportChoice(scope=scope, documents=SCOPES[scope])
    report = report_of(added, added.list_pairs(), choice=choice)

    assert len(report.pairs) == (3 if scope is Scope.SHOWN else 1)
    assert report.reasons_of(len(report.pairs) - 1) == (
        "This pair was added to the list: its files share a rare property.",
    )
    assert sum(report.list_verdicts.counts) == (2 if scope is Scope.SUSPECTED else 3)
    assert list(nothing_found(report)) == []
    page = written_text(write_report, tmp_path / "r.html", report)
    assert "2 other pairs are not listed" not in page
    assert "less than half of either" not in page
    assert ("in 2, no passage." in page) == (len(report.pairs) == 3)


def test_taking_out_the_unusual_spellings_is_found(scanned, folder, tmp_path):
    added, path = adding(scanned), tmp_path / "r.json"
    choice = ReportChoice(scope=Scope.PAIR, documents=(0, 11))
    write_report(path, report_of(added, added.list_pairs(), choice=choice))
    record = json.loads(path.read_text("utf-8"))
    assert record.pop("unusual_spellings")
    path.write_text(json.dumps(record), "utf-8")
    check = verify(path, [folder])
    assert Topic.SPELLINGS in {finding.topic for finding in check.findings if finding.contradicts}

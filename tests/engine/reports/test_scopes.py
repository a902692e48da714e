"""Of which pairs a report is, and what it says where there are none or their texts are withheld."""

import contextlib
import json
import os
import re
import zipfile
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from core.base.messages import in_language, load_language
from core.documents.model import PairKey, Role
from core.errors import SettingsError
from core.evidence.pairs import FoundBy
from core.exclusions.rules import ExclusionRules, Phrase
from core.reports.blocks import SpanKind, Table
from core.reports.formats import EXPORTS, RESULTS, write, write_report
from core.reports.from_scan import report_of
from core.reports.limits import ReportLimits, exclusions_sentence, left_out, shown_in_words
from core.reports.report_choice import (
    Paper,
    ReportChoice,
    Scope,
    Texts,
    document_named,
    documents_named,
    media_type,
    read_logo,
    usual_paper,
)
from core.reports.scopes import chosen_rows, documents_in, usual_scope
from core.reports.sections import head_of
from core.reports.sections.summary import summary
from core.reports.settings_words import nothing_found, result_in_words
from core.review.decisions import decide
from core.review.verdicts import write_note
from core.scan.flow import scan
from core.scan.groups import group_documents
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PairRows,
    PassageJudgement,
    PassageMeaning,
    Verdict,
)
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.identity import text_hashes
from core.text.set_aside import Reason
from tests.texts import folder_with

WORDS = [f"w{number}" for number in range(400)]
FILES = {  # two groups, and one that is like nothing else
    "Ada Long_12345_assignsubmission_file_/one.txt": WORDS[:100],
    "Ada Long_12345_assignsubmission_file_/two.txt": WORDS[300:400],
    "b.txt": [*WORDS[:95], "b1", "b2"],
    "c.txt": [*WORDS[:85], *WORDS[300:310]],
    "x/d.txt": WORDS[150:250],
    "x/e.txt": [*WORDS[150:240], "e1", "e2"],
    "y/e.txt": [f"alone{number}" for number in range(80)],
}


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, pool):
    texts = {name: " ".join(words) for name, words in FILES.items()}
    folder = folder_with(tmp_path_factory.mktemp("scopes"), texts)
    return scan([folder], ScanSettings(), pool=pool)


@pytest.fixture(scope="module")
def pair_list(scanned):
    return scanned.list_pairs()


def _number(pair_list, name):
    return next(n for n, document in enumerate(pair_list.documents) if document.name.endswith(name))


def _names(report):
    ends = [
        {report.name_of(int(a)).rpartition("/")[2], report.name_of(int(b)).rpartition("/")[2]}
        for a, b in zip(report.pairs.a, report.pairs.b, strict=True)
    ]
    return sorted("+".join(sorted(ends_of_pair)) for ends_of_pair in ends)


def report_about(scanned, pair_list, scope, documents=(), **options):
    choice = ReportChoice(scope=scope, documents=documents)
    return report_of(scanned, pair_list, choice=choice, **options)


def _confirmed(pair_list, row, verdict=Verdict.CONFIRMED):
    key = PairRows(pair_list.pairs, pair_list.documents).key_of(row)
    return Judgements(verdicts={key: GivenVerdict(verdict, "Ida", "2026-01-02T03:04:05Z")})


@pytest.mark.parametrize(
    ("verdict", "scope"),
    [
        (Verdict.CONFIRMED, Scope.SUSPECTED),
        (Verdict.SUSPICIOUS, Scope.SUSPECTED),
        (Verdict.NOT_A_MATCH, Scope.SHOWN),
    ],
)
def test_once_a_pair_is_suspected_a_report_is_of_such_pairs(scanned, pair_list, verdict, scope):
    judgements = _confirmed(pair_list, 1, verdict)
    assert usual_scope(pair_list, Judgements()) is Scope.SHOWN
    assert usual_scope(pair_list, judgements) is scope
    report = report_about(scanned, pair_list, Scope.SUSPECTED, judgements=judgements)
    assert list(report.ranks) == ([2] if scope is Scope.SUSPECTED else [])


def test_weak_traces_are_left_out_and_counted_unless_judged_or_asked_for(
    scanned, pair_list, tmp_path
):
    weak = replace(pair_list, every=_as_traces(pair_list.every))
    left_out_of = ReportChoice(weak_traces=False)
    report = report_of(scanned, weak, judgements=_confirmed(weak, 1), choice=left_out_of)
    number = len(weak.pairs)
    assert number > 2
    assert list(report.ranks) == [2]
    assert report.traces_left_out == number - 1
    sentences = list(left_out(report, ReportLimits()))
    assert any(
        sentence.startswith(f"{number - 1} weak traces are left out") for sentence in sentences
    )
    assert len(report_of(scanned, weak).pairs) == number
    # Groups have the numbers that they have everywhere, also one of which no pair is shown.
    groups = group_documents(weak.pairs, weak.documents, Judgements())
    assert [len(group.documents) for group in report.groups] == [4, 2]
    assert report.groups == report_of(scanned, weak).groups == groups
    few = np.array([0])
    assert report_of(scanned, pair_list, few, shown="Filter: w.").groups != groups
    page = tmp_path / "report.html"
    write_report(page, report)
    assert page.read_text().count('<div class="quiet">weak trace</div>') == 1
    choice = ReportChoice(
        scope=Scope.PAIR, documents=(int(weak.pairs.a[0]), int(weak.pairs.b[0])), weak_traces=False
    )
    assert len(report_of(scanned, weak, choice=choice).pairs) == 1


def _as_traces(pairs):
    """The pairs as if they shared a reworked phrase alone."""
    size = len(pairs)
    traces = pairs.with_columns(
        found_by=np.full(size, FoundBy.REWORKED, np.uint8),
        overlap=np.full(size, 0.1),
        shared_words=np.full(size, 12, np.int32),
    )
    assert traces.weak_trace.all()
    return traces


def test_pairs_of_one_document_stand_together(scanned, pair_list):
    report = report_of(scanned, pair_list, choice=ReportChoice(by_document=True))
    usual = report_of(scanned, pair_list)
    assert sorted(report.ranks) == sorted(usual.ranks)
    assert "The pairs of one document stand together." in shown_in_words(report)
    assert report.ranks[0] == 1
    rows_of = {}
    for row, pair in enumerate(zip(report.pairs.a.tolist(), report.pairs.b.tolist(), strict=True)):
        for document in pair:
            rows_of.setdefault(document, []).append(row)
    most = max(rows_of, key=lambda document: len(rows_of[document]) * (0 in rows_of[document]))
    assert len(rows_of[most]) > 1
    assert rows_of[most] == list(range(len(rows_of[most])))


def test_all_that_is_shown_is_in_its_order_and_says_the_filter(scanned, pair_list):
    rows = np.array([2, 0])
    report = report_of(scanned, pair_list, rows, shown="Filter: w.")
    assert list(report.ranks) == [3, 1]
    assert report.shown == "Filter: w."
    assert list(report.about) == list(range(len(FILES)))


def test_confirmed_pairs_are_those_whatever_is_shown(scanned, pair_list):
    confirmed = partial(report_about, scanned, pair_list, Scope.CONFIRMED)
    report = confirmed(rows=np.array([0]), judgements=_confirmed(pair_list, 1))
    assert list(report.ranks) == [2]
    assert len(report.groups) == 1
    assert report.groups[0].size == len(report.about) == 2
    assert report.verdict_counts[1] == 1
    suspicious = _confirmed(pair_list, 1, Verdict.SUSPICIOUS)
    assert len(confirmed(judgements=suspicious).pairs) == len(confirmed().pairs) == 0


def test_a_report_on_one_pair_mentions_no_other_document(scanned, pair_list):
    documents = (_number(pair_list, "one.txt"), _number(pair_list, "b.txt"))
    report = report_about(scanned, pair_list, Scope.PAIR, documents)
    assert _names(report) == ["b.txt+one.txt"]
    assert tuple(report.about) == tuple(sorted(documents))
    assert "“b.txt”" in report.shown
    # Each is a name by itself, which may run from right to left.
    names = [span.text for span in head_of(report).lines[0] if span.kind is SpanKind.NAME]
    assert names == [pair_list.documents[number].name for number in documents]
    assert report.list_counts.listed == len(pair_list.pairs)
    assert result_in_words(report)[0].startswith("The whole list has ")
    assert not result_in_words(report_of(scanned, pair_list))[0].startswith("The whole list")


def test_names_have_the_quotation_marks_of_the_language(scanned, pair_list):
    documents = (_number(pair_list, "one.txt"), _number(pair_list, "b.txt"))
    report = report_about(scanned, pair_list, Scope.PAIR, documents)
    with in_language(load_language("fr")):
        names, (first_line, *_) = report.words.names, head_of(report).lines
    assert re.fullmatch("«\u202f.*one.txt\u202f» et «\u202fb.txt\u202f»", names)
    assert "".join(span.text for span in first_line) == names


def test_a_report_can_be_of_a_pair_in_which_nothing_was_found(scanned, pair_list, tmp_path):
    documents = (_number(pair_list, "one.txt"), _number(pair_list, "y/e.txt"))
    report = report_about(scanned, pair_list, Scope.PAIR, documents)
    assert len(report.pairs) == report.nothing_found_count == 1
    assert report.pairs.resemblance[0] == report.pairs.overlap[0] == 0
    assert any("are not a pair in the list" in sentence for sentence in nothing_found(report))
    assert not report.groups
    assert sorted(report.about) == sorted(documents)
    for export in EXPORTS:
        path = tmp_path / f"r{export.endings[0]}"
        write_report(path, report)
        assert path.stat().st_size


def test_one_person_has_the_pairs_of_all_own_documents(scanned, pair_list):
    documents = documents_named(pair_list.documents, "Ada Long")
    assert len(documents) == 2
    report = report_about(scanned, pair_list, Scope.DOCUMENT, documents)
    names = {pair_list.documents[number].name for number in documents}
    assert len(report.pairs) >= 2
    for a, b in zip(report.pairs.a, report.pairs.b, strict=True):
        assert names & {report.name_of(int(a)), report.name_of(int(b))}
    assert "b.txt+c.txt" not in _names(report)
    assert report.title == "Near-duplicates of 2 documents"


def test_a_group_is_the_one_of_the_whole_list(scanned, pair_list):
    groups = group_documents(pair_list.pairs, pair_list.documents, scanned.decided.judgements)
    for group in groups:
        choice = ReportChoice(scope=Scope.GROUP, documents=group.documents)
        report = report_of(scanned, pair_list, choice=choice)
        assert report.groups == [group]
        assert set(report.about) == set(group.documents)
        rows = chosen_rows(pair_list, np.arange(1), scanned.decided.judgements, choice)
        assert list(report.ranks) == (rows + 1).tolist()
        assert set(documents_in(report.pairs, choice).tolist()) == set(group.documents)


def test_the_same_moment_gives_the_same_bytes(scanned, pair_list, tmp_path):
    choice = ReportChoice(created=datetime(2026, 1, 2, tzinfo=UTC))
    for export in EXPORTS:
        for name in ("one", "two"):
            report = report_of(scanned, pair_list, choice=choice)
            write_report(tmp_path / f"{name}{export.endings[0]}", report)
        files = [tmp_path / f"{name}{export.endings[0]}" for name in ("one", "two")]
        assert files[0].read_bytes() == files[1].read_bytes()
    assert json.loads((tmp_path / "one.json").read_text())["created"].startswith("2026-01-02")


def test_documents_are_named_by_the_end_of_their_names(pair_list):
    assert document_named(pair_list.documents, "b.txt") == _number(pair_list, "b.txt")
    assert document_named(pair_list.documents, "d.txt") == _number(pair_list, "x/d.txt")
    with pytest.raises(SettingsError, match=r"may be 2 documents: “x/e\.txt”, “y/e\.txt”"):
        document_named(pair_list.documents, "e.txt")
    with pytest.raises(SettingsError, match="no document “none”"):
        documents_named(pair_list.documents, "none")
    assert len(documents_named(pair_list.documents, "x/")) == 2


def test_documents_are_named_by_their_paths_as_a_shell_completes_them(tmp_path, pool, monkeypatch):
    names = ["new\nline.txt", os.fsdecode(b"caf\xe9.txt"), "plain.txt"]
    folder_with(tmp_path / "essays", dict.fromkeys(names, "An essay about a house and a tree."))
    monkeypatch.chdir(tmp_path)
    documents = scan([Path("essays")], ScanSettings(), pool=pool).documents
    for number, document in enumerate(documents):
        for given in (document.path, os.path.relpath(document.path)):
            assert document_named(documents, str(given)) == number
            assert documents_named(documents, str(given)) == (number,)


@pytest.mark.parametrize(
    ("environment", "paper"),
    [
        ({"LANG": "en_US.UTF-8"}, Paper.LETTER),
        ({"LANG": "en_US.UTF-8", "LC_PAPER": "de_DE.UTF-8"}, Paper.A4),
        ({"LANG": "de_DE", "LC_ALL": "fr_CA"}, Paper.LETTER),
        ({"LANG": "C"}, Paper.A4),
        ({"LANG": "sr_Latn_RS"}, Paper.A4),
    ],
)
def test_paper_is_that_of_the_country(environment, paper):
    assert usual_paper(environment) is paper


def test_a_logo_is_what_its_bytes_say(tmp_path):
    svg = b'<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
    assert media_type(svg) == "image/svg+xml"
    assert media_type(b"\x89PNG\r\n\x1a\n") == "image/png"
    assert media_type(b"\xff\xd8\xff\xe0") == "image/jpeg"
    assert not media_type(b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')
    (tmp_path / "logo.png").write_bytes(b"<html><svg>")
    with pytest.raises(SettingsError, match="must be PNG, JPEG or SVG"):
        read_logo(tmp_path / "logo.png")
    with pytest.raises(SettingsError, match="cannot be read"):
        read_logo(tmp_path / "none.png")


RUSSIAN = "все люди рождаются свободными и равными в своём достоинстве"
STRANGERS = {  # what only the documents outside of the report hold, by where it could show
    "name": "Quentin Uttermost.txt",
    "text": "zanzibar",
    "gone": "Wilhelmina.txt",
    "unread": "Bartholomew.pdf",
    "template": "Form of Ignatius.txt",
    "language": "Fyodor.txt",
    "note": "ask Waltraud",
}


def test_a_template_is_none_of_the_documents_in_which_text_is_set_aside(tmp_path, pool):
    form = " ".join(f"form{number}" for number in range(40))
    essays, sheet = tmp_path / "essays", tmp_path / "sheet.txt"
    essays.mkdir()
    sheet.write_text(form)
    for number in range(2):
        words = " ".join(f"own{number}x{word}" for word in range(40))
        (essays / f"{number}.txt").write_text(f"{form} {words}")
    scanned = scan([essays, sheet], ScanSettings(), roles=(Role.REVIEW, Role.TEMPLATE), pool=pool)
    sentence = exclusions_sentence(report_of(scanned, scanned.list_pairs()))
    assert sentence.startswith("Set aside in 2 documents, 46% of all text: the text of 1 template.")

    for file in essays.iterdir():
        file.write_text(file.read_text().removeprefix(form))
    scanned = scan([essays, sheet], ScanSettings(), roles=(Role.REVIEW, Role.TEMPLATE), pool=pool)
    sentence = exclusions_sentence(report_of(scanned, scanned.list_pairs()))
    assert sentence.startswith("Set aside in 1 document")


@pytest.fixture(scope="module")
def folder_of_strangers(tmp_path_factory, pool):
    """Two pairs of essays, references, templates, a file that cannot be read, and one now gone."""
    folder, templates = (tmp_path_factory.mktemp(name) for name in ("essays", "templates"))
    strangers = [f"zanzibar{number}" for number in range(90)]
    form = " ".join(f"form{number}" for number in range(40))
    texts = {
        "ann.txt": [form, *WORDS[:90]],
        "bob.txt": [form, *WORDS[:80], *WORDS[300:310]],
        STRANGERS["name"]: [form, *strangers],
        "Zed Umber/zanzibar.txt": [form, *strangers[:80], "end"],
        STRANGERS["gone"]: [*strangers[:50], *WORDS[350:360]],
        STRANGERS["language"]: RUSSIAN.split(),
    }
    folder_with(folder, {name: " ".join(words) for name, words in texts.items()})
    (folder / STRANGERS["unread"]).write_bytes(b"%PDF-1.7 nothing that could be read")
    (templates / STRANGERS["template"]).write_text(form)
    rules = ExclusionRules(phrases=(Phrase(" ".join(strangers[:12]), Reason.SELECTION),))
    scanned = partial(
        scan, [folder, templates], ScanSettings(), roles=(Role.REVIEW, Role.TEMPLATE), pool=pool
    )
    before = scanned().state
    (folder / STRANGERS["gone"]).unlink()
    state = scanned(previous=before).with_rules(rules).state
    ends = (STRANGERS["name"], "Zed Umber/zanzibar.txt")
    pair = PairKey.of(*(document for document in state.documents if document.name.endswith(ends)))
    state = decide(state, *write_note(state.judgements, [pair], STRANGERS["note"]), who="Waltraud")
    return Scan.restored(state, pool)


def texts_in(path):
    """All that can be read in a file: packed members, pages, their metadata and the attachment."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                yield member.filename.encode()
                yield archive.read(member)
    elif path.suffix == ".pdf":
        document = pypdfium2.PdfDocument(path.read_bytes())
        yield "".join(page.get_textpage().get_text_range() for page in document).encode()
        yield json.dumps(document.get_metadata_dict(), ensure_ascii=False).encode()
        for number in range(document.count_attachments()):
            yield bytes(document.get_attachment(number).get_data())
    else:
        yield path.read_bytes()


def bytes_in(path):
    """The same, and whatever else is in the file, the streams of a PDF unpacked."""
    yield from texts_in(path)
    data = path.read_bytes()
    yield data
    for start in re.finditer(rb"stream\r?\n", data) if path.suffix == ".pdf" else ():
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[start.end() :])


@pytest.mark.parametrize("ending", [export.endings[0] for export in EXPORTS])
@pytest.mark.parametrize("scope", [Scope.PAIR, Scope.DOCUMENT, Scope.GROUP, Scope.CONFIRMED])
def test_what_a_report_is_not_about_is_in_no_byte(folder_of_strangers, tmp_path, scope, ending):
    scanned = folder_of_strangers
    pair_list = scanned.list_pairs()
    about = tuple(_number(pair_list, name) for name in ("ann.txt", "bob.txt"))
    documents = {Scope.DOCUMENT: about[:1], Scope.CONFIRMED: ()}.get(scope, about)
    choice = ReportChoice(scope=scope, documents=documents)
    both = (
        set(pair) == set(about) for pair in zip(pair_list.pairs.a, pair_list.pairs.b, strict=True)
    )
    judgements = _confirmed(pair_list, list(both).index(True))
    full_report, path = report_of(scanned, pair_list), tmp_path / f"report{ending}"
    assert len(full_report.pairs) > 1
    assert full_report.problems
    assert full_report.not_to_review

    write_report(path, report_of(scanned, pair_list, choice=choice, judgements=judgements))

    content = b"\n".join(bytes_in(path)).lower()
    assert b"ann.txt" in content or ending == ".zip"
    strangers = {*STRANGERS.values(), "Zed Umber", "Uttermost", "Ignatius", "свободными"}
    assert [stranger for stranger in strangers if stranger.lower().encode() in content] == []


def _words(stem):
    return " ".join(f"{stem}{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(90))


@pytest.fixture
def report_of_nothing(tmp_path, open_scan):
    def make(files, settings=None, **options):
        read = open_scan([folder_with(tmp_path / "folder", files)], settings or ScanSettings())
        return report_of(read, read.list_pairs(), **options)

    return make


ALONE = {"a.txt": _words("one"), "b.txt": _words("two"), "c.txt": _words("three")}
ALIKE = {"a.txt": _words("one"), "b.txt": f"{_words('one')} more", "c.txt": _words("three")}


def test_a_folder_without_pairs_says_how_sure_that_is(report_of_nothing):
    text = " ".join(nothing_found(report_of_nothing(ALONE)))
    assert "No near-duplicate was found among 3 documents" in text
    assert "or 30 words in a row" in text
    assert "All 3 pairs of different documents were compared" in text
    bands = ScanSettings().with_changes(compare="bands")
    text = " ".join(nothing_found(report_of_nothing(ALONE, bands)))
    assert "By its curve the search finds on average" in text
    assert "% of the pairs with a resemblance of" in text


def test_one_document_or_none_has_sentences_of_its_own(report_of_nothing):
    assert "nothing to compare it with" in " ".join(
        nothing_found(report_of_nothing({"a.txt": "A few words"}))
    )
    empty = report_of_nothing({"a.txt": ""})
    nothing = " ".join(nothing_found(empty))
    assert "Nothing was compared" in nothing
    assert "Nothing is said of 1 file that gave no text." in nothing
    of_run = " ".join(nothing_found(replace(empty, is_part_of_run=True)))
    assert "Nothing is said of 1 document that gave no text." in of_run


def test_pairs_that_are_not_asked_for_are_there_all_the_same(report_of_nothing):
    def sentences_for(**choice):
        return " ".join(nothing_found(report_of_nothing(ALIKE, choice=ReportChoice(**choice))))

    assert "No pair of the list is confirmed; the list has 1 pair." in sentences_for(
        scope=Scope.CONFIRMED
    )
    pair = sentences_for(scope=Scope.PAIR, documents=(0, 2))
    assert "These two documents are not a pair in the list" in pair
    assert "were compared" in pair
    assert "No pair of this document is listed; the list has 1 pair of others." in sentences_for(
        scope=Scope.DOCUMENT, documents=(2,)
    )
    none = report_of_nothing(ALIKE, rows=np.zeros(0, dtype=np.int64), shown="Filter: x.")
    assert list(nothing_found(none)) == ["The search found 1 pair; none is shown."]
    assert not list(nothing_found(report_of_nothing(ALIKE)))


@pytest.mark.parametrize("ending", [export.endings[0] for export in EXPORTS])
@pytest.mark.parametrize("files", [ALONE, {"a.txt": "A few words"}, {"a.txt": ""}])
def test_every_format_is_written_without_pairs(report_of_nothing, tmp_path, ending, files):
    path = tmp_path / f"report{ending}"
    made = report_of_nothing(files)
    write_report(path, made)
    assert path.stat().st_size
    if ending in (".html", ".graphml"):
        assert result_in_words(made)[1] in path.read_text(encoding="utf-8")
    if ending == ".json":
        assert json.loads(path.read_text(encoding="utf-8"))["result"] == result_in_words(made)


TEXT_WORDS = [f"zqzqzq{chr(97 + n % 26)}{chr(97 + n // 26)}word" for n in range(140)]
PHRASE = " ".join(f"zqzqzq{chr(97 + n % 26)}phrase" for n in range(20))
CLAUSE = " ".join(TEXT_WORDS[:40])


@pytest.fixture(scope="module")
def report_without_texts(tmp_path_factory, pool):
    folder = tmp_path_factory.mktemp("texts")
    for name in "abcdef":
        (folder / f"{name}.txt").write_text(f"{' '.join(TEXT_WORDS)} {PHRASE} zqzqzq{name}end")
    done = scan([folder], ScanSettings(), pool=pool)
    with_rules = done.with_rules(ExclusionRules(phrases=(Phrase(PHRASE),)))
    (key,) = text_hashes([CLAUSE])
    judgement = PassageJudgement(PassageMeaning.COPIED, CLAUSE, "Ida", "2026-01-02T03:04:05Z")

    def make(**choice):
        judgements = Judgements(passages={key: judgement})
        pair_list = with_rules.list_pairs()
        return report_of(
            with_rules, pair_list, judgements=judgements, choice=ReportChoice(**choice)
        )

    return make


def test_what_is_set_aside_is_a_share_of_the_documents_that_a_report_is_about(report_without_texts):
    about_two = {"scope": Scope.PAIR, "documents": (0, 1)}
    of_all, of_two = (
        exclusions_sentence(report_without_texts(**documents)) for documents in ({}, about_two)
    )

    assert of_all.startswith("Set aside in 6 documents, ")
    assert of_two == of_all.replace("6 documents", "2 documents")  # in each as much

    def plain(lines):
        return ["".join(span.text for span in line) for line in lines]

    for choice, row in (({}, "Compared"), (about_two, "In this report")):
        report = report_without_texts(**choice)
        (finding,) = summary(report, ReportLimits())
        (table,) = (block for block in finding.blocks if isinstance(block, Table))
        facts = {
            plain(name.lines)[0]: plain(cell.lines)
            for name, cell in (entry.cells for part in table.parts for entry in part)
        }
        assert exclusions_sentence(report) in facts[row]
        assert not any("Set aside" in text for name in facts.keys() - {row} for text in facts[name])


@pytest.mark.parametrize("result", RESULTS)
def test_no_word_of_a_document_is_in_any_result_of_a_scan(report_without_texts, tmp_path, result):
    for file_format in RESULTS[result].formats:
        path = tmp_path / f"{result}{file_format.endings[0]}"
        write(result, path, report_without_texts(texts=Texts.NONE))
        assert b"zqzqzq" not in b"\n".join(bytes_in(path))


def test_the_search_for_leaks_finds_words_where_texts_are_shown(report_without_texts, tmp_path):
    for ending in (".html", ".json", ".pdf"):
        path = tmp_path / f"report{ending}"
        write_report(path, report_without_texts())
        assert b"zqzqzq" in b"\n".join(bytes_in(path))

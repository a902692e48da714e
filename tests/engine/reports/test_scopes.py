"""Of which pairs a report is."""

from __future__ import annotations

import contextlib
import json
import re
import zipfile
import zlib
from datetime import UTC, datetime

import numpy as np
import pypdfium2
import pytest

from core.aside.rules import AsideRules, Phrase
from core.documents.model import Role
from core.errors import SettingsError
from core.reports.choice import (
    Paper,
    ReportChoice,
    Scope,
    document_named,
    documents_named,
    media_type,
    read_logo,
    usual_paper,
)
from core.reports.formats import EXPORTS, write_report
from core.reports.from_scan import report_of
from core.reports.scopes import chosen_rows, documents_in
from core.reports.settings_words import result_in_words
from core.scan.flow import scan
from core.scan.groups import group_documents
from core.scan.judgements import GivenVerdict, Judgements, PairRows, Verdict
from core.settings import ScanSettings
from core.text.set_aside import Reason

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
def scanned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scopes")
    for name, words in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(" ".join(words))
    done = scan([folder], ScanSettings())
    yield done
    done.close()


@pytest.fixture(scope="module")
def found(scanned):
    return scanned.list_pairs()


def _number(found, name):
    return next(n for n, one in enumerate(found.documents) if one.name.endswith(name))


def _names(report):
    ends = [
        {report.name_of(int(a)).rpartition("/")[2], report.name_of(int(b)).rpartition("/")[2]}
        for a, b in zip(report.pairs.a, report.pairs.b, strict=True)
    ]
    return sorted("+".join(sorted(one)) for one in ends)


def _confirmed(found, row, verdict=Verdict.CONFIRMED):
    key = PairRows(found.pairs, found.documents).key_of(row)
    return Judgements(verdicts={key: GivenVerdict(verdict, "Ida", "2026-01-02T03:04:05Z")})


def test_all_that_is_shown_is_in_its_order_and_says_the_filter(scanned, found):
    rows = np.array([2, 0])
    report = report_of(scanned, found, rows, shown="Filter: w.")
    assert list(report.ranks) == [3, 1]
    assert report.shown == "Filter: w."
    assert list(report.about) == list(range(len(FILES)))


def test_confirmed_pairs_are_those_whatever_is_shown(scanned, found):
    choice = ReportChoice(scope=Scope.CONFIRMED)
    report = report_of(
        scanned, found, np.array([0]), judgements=_confirmed(found, 1), choice=choice
    )
    assert list(report.ranks) == [2]
    assert len(report.groups) == 1
    assert report.groups[0].size == len(report.about) == 2
    assert report.verdict_counts[1] == 1
    suspicious = _confirmed(found, 1, Verdict.SUSPICIOUS)
    assert len(report_of(scanned, found, judgements=suspicious, choice=choice).pairs) == 0
    assert len(report_of(scanned, found, choice=choice).pairs) == 0


def test_one_pair_tells_of_no_other_document(scanned, found):
    documents = (_number(found, "one.txt"), _number(found, "b.txt"))
    report = report_of(scanned, found, choice=ReportChoice(scope=Scope.PAIR, documents=documents))
    assert _names(report) == ["b.txt+one.txt"]
    assert tuple(report.about) == tuple(sorted(documents))
    assert "“b.txt”" in report.shown
    assert report.list_counts.listed == len(found.pairs)
    assert result_in_words(report)[0].startswith("The whole list has ")
    assert not result_in_words(report_of(scanned, found))[0].startswith("The whole list")


def test_a_pair_that_is_not_listed_is_a_report_without_pairs(scanned, found, tmp_path):
    documents = (_number(found, "one.txt"), _number(found, "y/e.txt"))
    report = report_of(scanned, found, choice=ReportChoice(scope=Scope.PAIR, documents=documents))
    assert len(report.pairs) == 0
    assert sorted(report.about) == sorted(documents)
    for one in EXPORTS:
        path = tmp_path / f"r{one.endings[0]}"
        write_report(path, report)
        assert path.stat().st_size


def test_one_person_has_the_pairs_of_all_own_documents(scanned, found):
    documents = documents_named(found.documents, "Ada Long")
    assert len(documents) == 2
    report = report_of(
        scanned, found, choice=ReportChoice(scope=Scope.DOCUMENT, documents=documents)
    )
    own = {found.documents[number].name for number in documents}
    assert len(report.pairs) >= 2
    for a, b in zip(report.pairs.a, report.pairs.b, strict=True):
        assert own & {report.name_of(int(a)), report.name_of(int(b))}
    assert "b.txt+c.txt" not in _names(report)
    assert report.title == "Near-duplicates of 2 documents"


def test_a_group_is_the_one_of_the_whole_list(scanned, found):
    groups = group_documents(found.pairs, found.documents, scanned.decided.judgements)
    for group in groups:
        choice = ReportChoice(scope=Scope.GROUP, documents=group.documents)
        report = report_of(scanned, found, choice=choice)
        assert report.groups == [group]
        assert set(report.about) == set(group.documents)
        rows = chosen_rows(found, np.arange(1), scanned.decided.judgements, choice)
        assert list(report.ranks) == (rows + 1).tolist()
        assert set(documents_in(report.pairs, choice).tolist()) == set(group.documents)


def test_the_same_moment_gives_the_same_bytes(scanned, found, tmp_path):
    choice = ReportChoice(created=datetime(2026, 1, 2, tzinfo=UTC))
    for one in EXPORTS:
        for name in ("one", "two"):
            report = report_of(scanned, found, choice=choice)
            write_report(tmp_path / f"{name}{one.endings[0]}", report)
        files = [tmp_path / f"{name}{one.endings[0]}" for name in ("one", "two")]
        assert files[0].read_bytes() == files[1].read_bytes()
    assert json.loads((tmp_path / "one.json").read_text())["created"].startswith("2026-01-02")


def test_documents_are_named_by_the_end_of_their_names(found):
    assert document_named(found.documents, "b.txt") == _number(found, "b.txt")
    assert document_named(found.documents, "d.txt") == _number(found, "x/d.txt")
    with pytest.raises(SettingsError, match=r"may be 2 documents: “x/e\.txt”, “y/e\.txt”"):
        document_named(found.documents, "e.txt")
    with pytest.raises(SettingsError, match="no document “none”"):
        documents_named(found.documents, "none")
    assert len(documents_named(found.documents, "x/")) == 2


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
}


@pytest.fixture(scope="module")
def folder_of_strangers(tmp_path_factory):
    """Two pairs of essays, references, templates, a file that cannot be read, and one now gone."""
    folder, templates = (tmp_path_factory.mktemp(name) for name in ("essays", "templates"))
    others = [f"zanzibar{number}" for number in range(90)]
    form = " ".join(f"form{number}" for number in range(40))
    texts = {
        "ann.txt": [form, *WORDS[:90]],
        "bob.txt": [form, *WORDS[:80], *WORDS[300:310]],
        STRANGERS["name"]: [form, *others],
        "Zed Umber/zanzibar.txt": [form, *others[:80], "end"],
        STRANGERS["gone"]: [*others[:50], *WORDS[350:360]],
        STRANGERS["language"]: RUSSIAN.split(),
    }
    for name, words in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(" ".join(words), encoding="utf-8")
    (folder / STRANGERS["unread"]).write_bytes(b"%PDF-1.7 nothing that could be read")
    (templates / STRANGERS["template"]).write_text(form)
    rules = AsideRules(phrases=(Phrase(" ".join(others[:12]), Reason.SELECTION),))
    done = scan([folder, templates], ScanSettings(), roles=(Role.REVIEW, Role.TEMPLATE))
    (folder / STRANGERS["gone"]).unlink()
    again = scan([folder, templates], ScanSettings(), roles=(Role.REVIEW, Role.TEMPLATE),
                 previous=done.state).with_rules(rules)  # fmt: skip
    yield again
    again.close()
    done.close()


def bytes_in(path):
    """All that is in a file: packed members, and the streams and the attachment of a PDF, too."""
    data = path.read_bytes()
    yield data
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                yield member.filename.encode()
                yield archive.read(member)
    for start in re.finditer(rb"stream\r?\n", data) if path.suffix == ".pdf" else ():
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[start.end() :])
    if path.suffix == ".pdf":
        document = pypdfium2.PdfDocument(data)
        yield "".join(page.get_textpage().get_text_range() for page in document).encode()


@pytest.mark.parametrize("ending", [one.endings[0] for one in EXPORTS])
@pytest.mark.parametrize("scope", [Scope.PAIR, Scope.DOCUMENT, Scope.GROUP, Scope.CONFIRMED])
def test_what_a_report_is_not_about_is_in_no_byte_of_it(
    folder_of_strangers, tmp_path, scope, ending
):
    scanned = folder_of_strangers
    found = scanned.list_pairs()
    about = tuple(_number(found, name) for name in ("ann.txt", "bob.txt"))
    asked = {Scope.DOCUMENT: about[:1], Scope.CONFIRMED: ()}.get(scope, about)
    choice = ReportChoice(scope=scope, documents=asked)
    both = (set(pair) == set(about) for pair in zip(found.pairs.a, found.pairs.b, strict=True))
    said = _confirmed(found, list(both).index(True))
    whole, path = report_of(scanned, found), tmp_path / f"report{ending}"
    assert len(whole.pairs) > 1
    assert whole.problems
    assert whole.not_to_review

    write_report(path, report_of(scanned, found, choice=choice, judgements=said))

    told = b"\n".join(bytes_in(path)).lower()
    assert b"ann.txt" in told or ending == ".zip"
    strangers = {*STRANGERS.values(), "Zed Umber", "Uttermost", "Ignatius", "свободными"}
    assert [one for one in strangers if one.lower().encode() in told] == []

"""A report without texts holds no word of a document, in whatever format."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from core.aside.rules import AsideRules, Phrase
from core.reports.choice import ReportChoice
from core.reports.formats import EXPORTS, RESULTS, write, write_report
from core.reports.from_scan import report_of
from core.scan.flow import scan
from core.scan.judgements import Judgements, PassageJudgement, PassageMeaning
from core.settings import ScanSettings
from core.text.identity import text_hashes

WORDS = [f"zq{chr(97 + n % 26)}{chr(97 + n // 26)}word" for n in range(140)]
PHRASE = " ".join(f"zq{chr(97 + n % 26)}phrase" for n in range(20))
CLAUSE = " ".join(WORDS[:40])


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for name in "abcdef":
        (folder / f"{name}.txt").write_text(f"{' '.join(WORDS)} {PHRASE} zq{name}end")
    done = scan([folder], ScanSettings())
    aside = done.with_rules(AsideRules(phrases=(Phrase(PHRASE),)))
    (key,) = text_hashes([CLAUSE])
    said = PassageJudgement(PassageMeaning.COPIED, CLAUSE, "Ida", "2026-01-02T03:04:05Z")

    def make(**choice):
        judgements = Judgements(passages={key: said})
        found = aside.list_pairs()
        return report_of(aside, found, judgements=judgements, choice=ReportChoice(**choice))

    yield make
    aside.close()


def _texts(data):
    if data.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(data)) as packed:
            return b"\n".join(map(packed.read, packed.namelist()))
    if data.startswith(b"%PDF"):
        pdfium = pytest.importorskip("pypdfium2")
        document = pdfium.PdfDocument(data)
        pages = [page.get_textpage().get_text_bounded().encode() for page in document]
        files = range(document.count_attachments())
        return b"\n".join([*pages, *(bytes(document.get_attachment(n).get_data()) for n in files)])
    return data


@pytest.mark.parametrize("ending", [one.endings[0] for one in EXPORTS])
def test_no_word_of_a_document_is_in_any_export(report, tmp_path, ending):
    path = tmp_path / f"report{ending}"
    write_report(path, report(passages=False))
    assert b"zq" not in _texts(path.read_bytes())


@pytest.mark.parametrize("result", RESULTS)
def test_no_word_of_a_document_is_in_any_result_of_a_scan(report, tmp_path, result):
    for one in RESULTS[result].formats:
        path = tmp_path / f"{result}{one.endings[0]}"
        write(result, path, report(passages=False))
        assert b"zq" not in _texts(path.read_bytes())


def test_the_words_would_be_found_where_texts_are_told(report, tmp_path):
    for ending in (".html", ".json", ".pdf"):
        path = tmp_path / f"report{ending}"
        write_report(path, report())
        assert b"zq" in _texts(path.read_bytes())

"""The HTML report in a real browser: quiet, alone, accessible, and whole on paper."""

import random
import re
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
import pytest

from core.documents.model import PairKey
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.html import write_html
from core.reports.report_choice import Paper, ReportChoice
from core.scan.flow import scan
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PassageJudgement,
    PassageMeaning,
    Verdict,
    WrittenNote,
)
from core.settings import ScanSettings
from core.text.identity import text_hashes
from tests.end_to_end.chromium import Chromium, Page
from tests.engine.reports.test_html import TEXT, make_report

pytestmark = pytest.mark.end_to_end("chromium", "axe-core")

AXE = Path(sys.prefix, "node_modules", "axe-core", "axe.min.js")
LOOKS = {"light": {}, "dark": {"dark": True}, "narrow": {"width": 320, "height": 640}}
SIZES = {Paper.A4: (595, 842), Paper.LETTER: (612, 792)}  # points
MOST_PAGES = 40
# What is laid out while axe looks moves what is below: it then takes the colour of another place.
LAY_OUT_ALL = """for (const one of document.querySelectorAll('main section, main article')) {
    one.style.contentVisibility = 'visible';
}"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with closing(Chromium(tmp_path_factory.mktemp("profile"))) as browser:
        yield browser


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The report on each paper."""
    folder = tmp_path_factory.mktemp("given") / "essays"
    write_folder(folder)
    written = {}
    for paper in Paper:
        written[paper] = tmp_path_factory.mktemp(paper.name) / "report.html"
        with_report(folder, lambda report, to=written[paper]: write_report(to, report), paper=paper)
    return written


@pytest.fixture
def page(browser):
    with closing(Page(browser)) as page:
        yield page


@pytest.mark.parametrize("look", LOOKS)
def test_it_asks_for_nothing_and_says_nothing(page, reports, look):
    path = reports[Paper.A4]
    page.look(**LOOKS[look])
    page.open(path)

    assert page.complaints() == []
    assert {request for request in page.requests() if not request.startswith("data:")} == {
        path.as_uri()
    }


@pytest.mark.parametrize("look", LOOKS)
def test_it_is_accessible(page, reports, look):
    page.look(**LOOKS[look])
    page.open(reports[Paper.A4])
    page.evaluate(LAY_OUT_ALL)
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    result = page.evaluate("axe.run()")

    violations = [
        (
            violation["id"],
            [(node["html"][:200], node["failureSummary"]) for node in violation["nodes"][:3]],
        )
        for violation in result["violations"]
    ]
    assert violations == []
    assert len(result["passes"]) > 10


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_reaches_beyond_the_side(page, reports, look):
    page.look(**LOOKS[look])
    page.open(reports[Paper.A4])

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_nothing_is_missing(page, browser, reports):
    page.open(reports[Paper.A4])
    read = f"""{LAY_OUT_ALL} // what is out of sight has no innerText
    [...document.querySelectorAll('main section, main article')].map((one) => one.innerText)
        .join(' ')"""
    with_scripts = page.evaluate(read)
    with closing(Page(browser)) as page_without_scripts:
        page_without_scripts.forbid_scripts()
        page_without_scripts.open(reports[Paper.A4])
        without = page_without_scripts.evaluate(read)
        complaints = page_without_scripts.complaints()

    assert set(with_scripts.split()) - set(without.split()) <= {"Search"}
    assert set(without.split()) <= set(with_scripts.split())
    assert complaints == []
    assert "opening0" in without


def pages_of(pdf):
    """The text of each page, in one line."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            yield " ".join(page.get_textpage().get_text_bounded().split())


@pytest.mark.parametrize("paper", Paper)
def test_it_is_printed_on_the_paper_it_was_made_for(page, reports, paper):
    page.open(reports[paper])
    pdf = page.printed()

    with pypdfium2.PdfDocument(pdf) as document:
        sizes = {tuple(map(round, pdf_page.get_size())) for pdf_page in document}
    assert len(sizes) == 1
    assert sizes.pop() == pytest.approx(SIZES[paper], abs=2)
    printed = list(pages_of(pdf))
    assert 5 < len(printed) < MOST_PAGES
    for number, words in enumerate(printed, 1):
        assert re.search(rf"\b{number} (/|of) {len(printed)}\b", words), f"page {number}"
        assert len(words) > 150 or number == len(printed), f"page {number} is nearly empty"
    captions = page.evaluate("[...document.querySelectorAll('caption')].map(one => one.innerText)")
    pages = ["".join(words.split()) for words in printed]
    parted = [
        caption
        for caption in captions
        if not any("".join(caption.split()) in words for words in pages)
    ]
    assert parted == []


@pytest.mark.parametrize("paper", Paper)
def test_on_paper_a_passage_stands_beside_its_counterpart(page, reports, paper):
    page.open(reports[paper])
    printed = list(pages_of(page.printed()))
    letters = texts()["term 2/letters.txt"]
    short = [number for number in range(10, 22) if f"opening{number} " in letters]

    assert len(short) == 12
    for number in short:
        parts = [
            tuple(len(re.findall(rf"\b{end}{number}\b", words)) for end in ("opening", "closing"))
            for words in printed
        ]
        whole_parts = [part for part in parts if part != (0, 0)]
        assert (2, 2) in whole_parts, f"passage {number}: {parts}"
        assert all(first == last for first, last in whole_parts), f"passage {number}: {parts}"


def test_the_table_is_searched_and_sorted(page, reports):
    page.open(reports[Paper.A4])
    numbers = (
        "[...document.querySelectorAll('.pairs tbody tr:not(.note)')]"
        ".filter(row => !row.hidden).map(row => row.cells[0].textContent)"
    )
    click = "document.querySelectorAll('.pairs thead button')[{}].click()"
    ranks = page.evaluate(numbers)
    assert len(ranks) == 7

    wrong = page.evaluate(
        "new Promise(done => {"
        " const field = document.querySelector('.search input');"
        " field.value = 'ESSAY nothing-has-this'; field.dispatchEvent(new Event('input'));"
        f" setTimeout(() => done({numbers}), 300); }})"
    )
    assert wrong == []
    page.evaluate("location.hash = '#row-3'")
    page.evaluate("new Promise(done => setTimeout(done, 100))")
    assert page.evaluate(numbers) == ranks

    page.evaluate(click.format(0) + "; 0")
    assert page.evaluate(numbers) == sorted(ranks, key=int)
    page.evaluate(click.format(0) + "; 0")
    assert page.evaluate(numbers) == sorted(ranks, key=int, reverse=True)
    page.evaluate(click.format(0) + "; 0")
    assert page.evaluate(numbers) == ranks


def test_the_head_of_the_table_stands_on_every_page(page, tmp_path):
    """And all rows stand on paper, whatever was searched for."""
    path = tmp_path / "report.html"
    write_html(path, make_report([f"{number}.txt" for number in range(14)]))
    page.open(path)
    page.evaluate("document.querySelectorAll('.pairs tbody tr').forEach(row => row.hidden = true)")

    printed = [words for words in pages_of(page.printed()) if "exact duplicate" in words]
    assert sum(words.count("exact duplicate") for words in printed) == 2 * 91  # table and pairs

    tables = [words for words in printed if "Passages" not in words and "passage 1" not in words]
    assert len(tables) > 1
    assert all("Documents A and B" in words for words in tables)


def test_a_passage_is_read_from_the_side_of_its_script(page, tmp_path):
    hebrew = "בית הספר הישן ליד הנמל נסגר בשנת"
    write_html(
        tmp_path / "report.html", make_report(["a", "b"], text_of=[hebrew, TEXT].__getitem__)
    )
    page.open(tmp_path / "report.html")

    sides = page.evaluate(
        "[...document.querySelectorAll('.texts > p')].map(one => getComputedStyle(one).direction)"
    )

    assert sides == ["rtl", "ltr"]


WORDS = (
    *("harbour", "pilot", "ledger", "orange", "widow", "chandler", "buoy", "silence", "autumn"),
    *("rivets", "bridge", "engineer", "winter", "railway", "plans", "thousand", "promise"),
    *("counted", "evening", "pavement", "district", "survey", "street", "species", "height"),
    *("lantern", "gravel", "canal", "meadow", "copper", "orchard", "whistle", "barge", "violet"),
)
LONG_NAME = "a_name_that_goes_on_" * 9 + ".txt"
CHINESE = "图书馆的统计报告说明了去年借出的书籍数量以及读者的意见和建议并且列出了明年的计划"
ARABIC = "ذهب الكاتب الى المكتبة القديمة وقرأ كتابا طويلا عن تاريخ الميناء والسفن التي مرت به"
HEBREW = "הסופר הלך אל הספרייה הישנה וקרא ספר ארוך על תולדות הנמל והאניות שעברו בו במשך השנים"
LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
    b'<rect width="40" height="20" fill="#246"/></svg>'
)
TIME = "2026-11-20T10:00:00.000+00:00"


def paragraph(number, length):
    """A paragraph that is like no other."""
    words = random.Random(number).choices(WORDS, k=length)
    return (
        f"opening{number} "
        + " ".join(f"{word}{number % 7}" for word in words)
        + (f" closing{number}.")
    )


def shared(first, count, length):
    """Paragraphs that stand in several documents."""
    return [paragraph(number, length) for number in range(first, first + count)]


def unique_text(number, length):
    """What stands in one document alone."""
    words = random.Random(1000 + number).choices(WORDS, k=length)
    return " ".join(f"{word}x{number}" for word in words) + "."


def texts():
    """The documents by name."""
    essay = "\n\n".join(shared(0, 6, 300))
    few = shared(10, 12, 45)
    return {
        "term 1/original.txt": essay,
        "term 1/copy.txt": essay,
        "term 2/half of it.txt": "\n\n".join([*shared(0, 2, 300), unique_text(1, 400)]),
        "term 2/letters.txt": "\n\n".join(
            part for n, passage in enumerate(few) for part in (passage, unique_text(10 + n, 60))
        ),
        f"term 2/{LONG_NAME}": "\n\n".join(
            part
            for n, passage in enumerate(few[::-1])
            for part in (passage, unique_text(30 + n, 60))
        ),
        "报告/终稿.txt": CHINESE * 2 + "图书馆的结论在这里。" + CHINESE[::-1],
        "报告/初稿.txt": "开头不同的一句话。" + CHINESE * 2,
        "עברית/ראשון.txt": f"{HEBREW} {HEBREW[::-1]} {HEBREW}",
        "עברית/שני.txt": f"{HEBREW} {HEBREW[::-1]}",
        "عربي/الأول.txt": f"{ARABIC} {ARABIC[::-1]} {ARABIC}",
        "عربي/الثاني.txt": f"{ARABIC} {ARABIC[::-1]}",
        "alone.txt": unique_text(60, 300),
        "empty.txt": "",
    }


def write_folder(folder):
    """The files of `texts`, and one that no reader takes."""
    for name, text in texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "program.exe").write_bytes(b"MZ\x00\x01" * 500)


def with_report(folder, use, **choice):
    """Scan the folder and hand its report to `use`; gives what that gives."""
    values = {
        "created": datetime(2026, 11, 21, 9, 42, tzinfo=UTC),
        "institution": "Harbour College, Examinations",
        "logo": LOGO,
        **choice,
    }
    with closing(scan([folder], ScanSettings())) as done:
        pair_list = done.list_pairs()
        return use(
            report_of(
                done,
                pair_list,
                judgements=_judgements(done, pair_list),
                choice=ReportChoice(**values),
            )
        )


def _judgements(done, pair_list):
    keys = [
        PairKey.between(done.documents[a].text_hash, done.documents[b].text_hash)
        for a, b in zip(pair_list.pairs.a.tolist(), pair_list.pairs.b.tolist(), strict=True)
    ]
    verdicts = (Verdict.CONFIRMED, Verdict.SUSPICIOUS, Verdict.NOT_A_MATCH)
    clause = texts()["term 2/letters.txt"].partition("\n\n")[0]
    judgement = PassageJudgement(PassageMeaning.COPIED, clause, "Ada Marsh", TIME)
    (key,) = text_hashes([clause])
    return Judgements(
        verdicts={
            key: GivenVerdict(verdict, "Ada Marsh", TIME)
            for key, verdict in zip(keys, verdicts, strict=False)
        },
        notes={keys[0]: WrittenNote("Both handed in on one day.\nAsk them.", "Ada Marsh", TIME)},
        passages={key: judgement},
    )

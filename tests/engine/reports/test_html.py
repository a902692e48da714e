"""The HTML report: safe, honest about what it leaves out, and its links lead somewhere."""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from core.documents.model import PairKey, Problem, ProblemCode
from core.errors import ExportError
from core.evidence.passage import Passage, Run
from core.reports.html import write_html
from core.reports.limits import ReportLimits, left_out
from core.reports.report_choice import Paper, ReportChoice
from core.reports.sections.pairs import _count_words
from core.reports.settings_words import setting_rows
from core.scan.groups import Group, Member
from core.scan.in_memory import find_pairs
from core.scan.judgements import GivenVerdict, Judgements, Verdict
from core.scan.pair_list import ListCounts
from core.settings import ScanSettings
from tests.engine.reports.test_reports import TEXT, document, shared
from tests.engine.reports.test_reports import make_report as report_of_pairs
from tests.texts import written_text

NASTY = [
    '" onmouseover="alert(1).txt',
    "&lt;b&gt;.txt",
    "<script>alert('x')</script>.txt",
    "long_name/\u202egpj.exe.txt",
    "דוח סופי.txt",
    "报告/终稿.txt",
]


def make_report(names=NASTY, **changes):
    """Documents with the same text, so that every two of them are a pair."""
    pairs = find_pairs([TEXT] * len(names), ScanSettings()).ranked()
    return report_of_pairs(names, **{"pairs": pairs, **changes})


class Page(HTMLParser):
    """Elements with their attributes, and the text that is read."""

    def __init__(self, path):
        super().__init__()
        self.elements = []
        self.parts = []
        self.feed(path.read_text(encoding="utf-8"))
        self.text = "".join(self.parts)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.parts.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(tmp_path):
    def write(report):
        write_html(tmp_path / "report.html", report)
        return Page(tmp_path / "report.html")

    return write


def test_links_lead_somewhere(page):
    problems = [Problem("x", ProblemCode.EMPTY, "Empty.")]
    report = make_report(groups=[Group(0, (), (Member(1, 0.9),))], problems=problems)
    documents = [one._replace(text_hash=str(n)) for n, one in enumerate(report.documents)]
    verdict = GivenVerdict(Verdict.CONFIRMED, "李 <b>", "2026-11-22T12:18:31.123+00:00")
    judged = Judgements(verdicts={PairKey("0", "1"): verdict})
    html = page(replace(report, documents=documents, judgements=judged))
    assert "#row-1" in {attrs["href"] for attrs in html.all("a")}
    targets = {attrs["id"] for _, attrs in html.elements if "id" in attrs}
    assert {attrs["href"][1:] for attrs in html.all("a")} <= targets


def test_passages_show_what_is_the_same(page, tmp_path):
    page(make_report(["a.txt", "b.txt"]))
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<mark>one two three</mark> four five" in html
    assert "<mark>two three</mark> four five &lt;b&gt;six&lt;/b&gt; &amp; seven" in html
    assert "3 words, moved" in html


def test_a_passage_says_its_length_and_how_much_of_it_is_the_same(page):
    runs = (Run(0, 7, 0, 7, 2), Run(14, 18, 14, 18, 1))
    gaps = Passage(0, 18, 0, 18, 3, runs, a_tokens=4, b_tokens=5, unit="char")
    text = page(make_report(["a", "b"], passages_of=lambda a, b: shared(gaps))).text
    assert "5 characters, 3 the same" in text


def test_what_can_be_chance_is_reported(page):
    sentence = "Passages from about 6 words on; fewer can be chance."
    assert sentence in page(make_report(["a", "b"])).text
    text = page(make_report(["a", "b"], passages_of=lambda a, b: shared())).text
    assert "No shared passage of about 6 words or more; fewer can be chance." in text


def test_long_passages_say_how_much_is_missing(page):
    text = "lorem " * 5000
    passage = Passage(0, len(text), 0, len(text), 5000, ())
    html_text = page(
        make_report(["a", "b"], text_of=lambda _: text, passages_of=lambda a, b: shared(passage))
    ).text
    left_out = re.findall(r"… ([\d,]+) words left out …", html_text)
    assert len(left_out) == 2
    shown = html_text.count("lorem")
    missing = sum(int(number.replace(",", "")) for number in left_out)
    assert missing > 1000
    assert shown + missing == 10_000


def test_long_passages_are_cut_at_the_same_place_in_both(page):
    """Though B is longer, it shows what stands beside what A shows."""
    words = [f"w{number}" for number in range(6000)]
    a, b = " ".join(words), " ".join(f"{word} added" for word in words)
    runs, at_a, at_b = [], 0, 0
    for word in words:
        runs.append(Run(at_a, at_a + len(word), at_b, at_b + len(word), 1))
        at_a, at_b = at_a + len(word) + 1, at_b + len(word) + 7
    long_passage = Passage(0, len(a), 0, len(b), 6000, tuple(runs))
    report = make_report(
        ["a", "b"], text_of=[a, b].__getitem__, passages_of=lambda a, b: shared(long_passage)
    )

    html = page(report)

    sides = re.findall(r"1(w0 .*?… [\d,]+ words left out ….*?w5999)", html.text)
    assert len(sides) == 2
    kept = [re.findall(r"w\d+", side) for side in sides]
    assert len(kept[0]) == pytest.approx(len(kept[1]), abs=4)
    cut = [side.partition(" … ") for side in sides]
    last, first = (
        [int(re.findall(r"w(\d+)", part)[end]) for part in parts]
        for end, parts in (
            (-1, [parts_of_side[0] for parts_of_side in cut]),
            (0, [parts_of_side[2] for parts_of_side in cut]),
        )
    )
    assert abs(last[0] - last[1]) <= 1
    assert abs(first[0] - first[1]) <= 1


def test_many_passages_say_how_many_are_missing(page):
    many = [Passage(i, i + 1, i, i + 1, i, ()) for i in range(41)]
    text = page(make_report(["a", "b"], passages_of=lambda a, b: shared(*many))).text
    assert "The 40 longest of 41 passages are shown" in text


def test_pairs_without_passages_are_named_and_not_asked_for(page):
    calls = []
    report = make_report(passages_of=lambda a, b: calls.append((a, b)) or shared())
    html = page(replace(report, choice=ReportChoice(most_passages=3)))
    assert calls == [(0, 1), (0, 2), (0, 3)]
    assert "first 3 pairs of the table. The other 12 pairs are without." in html.text
    none = replace(report, choice=ReportChoice(most_passages=0))
    assert "The pairs are listed without their passages." in page(none).text


def test_the_page_says_what_was_left_out(page):
    problems = [Problem("x.pdf", ProblemCode.FAILED, "It is damaged.")]
    report = make_report(
        notes=["40 documents are alike."],
        shown="Only new.",
        counts=ListCounts(90, 9, 99),
        problems=problems,
    )
    text = page(report).text
    assert "Only new. 15 of 99 pairs shown." in text
    assert "40 documents are alike." in text
    assert "1 file gave no text and was not compared" in text
    assert "It is damaged." in text
    assert "All pairs are shown." in page(make_report()).text


ALIKE = Group(0, (), (Member(1, 0.7654321), Member(2, 0.4321)))


def test_exact_copies_stand_in_one_row(page):
    group = Group(0, (1, 2), (Member(3, 0.9, (4,)),))
    html = page(make_report(list("abcdef"), groups=[group._replace(is_chosen=True)]))

    assert "and 2 exact copies: b, c" in html.text
    assert "and 1 exact copy: e" in html.text
    assert "chosen as the centre of 5 documents" in html.text


def test_members_say_how_like_the_centre_they_are(page):
    report = make_report(["a", "b", "c"], groups=[ALIKE])
    html = page(replace(report, pairs=report.pairs.take(report.pairs.b == 1)))
    assert "0.765" in html.text
    assert "0.432" in html.text


def test_the_page_says_what_was_compared_when_and_how(page):
    html = page(make_report())
    made = "This report was made on 2026-11-21 09:42 +00:00 with Neardup 1.2.3"
    assert f"6 documents in essays. {made}." in html.text
    assert f"{made}. It uses Python " in html.text
    assert "“neardup verify REPORT FOLDER” reads the documents anew" in html.text
    explanation = "thorough where that takes about a second, else careful"
    assert ("Reworked passages", explanation) in set(setting_rows(ScanSettings()))
    named = {meta["name"]: meta["content"] for meta in html.all("meta") if "name" in meta}
    assert named["dcterms.created"] == "2026-11-21T09:42:00+00:00"
    assert "b × r = 64 × 2" in html.text
    assert "|A ∩ B| / |A ∪ B|" in html.text
    assert html.all("html") == [{"lang": "en"}]
    (policy,) = [meta["content"] for meta in html.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


def test_tables_can_be_read_aloud(page):
    html = page(make_report(groups=[Group(0, (), (Member(1, 0.9),))]))
    tables = len(html.all("table"))
    assert tables == 1 + len(html.all("caption")) == 6  # the first has a heading above it
    assert all("scope" in cell for cell in html.all("th"))
    levels = [int(tag[1]) for tag, _ in html.elements if tag in {"h1", "h2", "h3"}]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_lists_that_are_too_long_say_so():
    report = make_report(problems=[Problem("x", ProblemCode.EMPTY, "Empty.")] * 3)
    large = Group(0, (), tuple(Member(number, 0.9) for number in (1, 2, 3)))
    report = replace(report, groups=[large, Group(4, (), (Member(5, 0.6),))])
    sentences = list(left_out(report, ReportLimits(table_rows=2, groups=1, members=2, problems=2)))
    assert "This file lists the first 2 of 15 pairs. The exported tables have all." in sentences
    assert "This file lists the first 1 of 2 groups." in sentences
    assert "Of a larger group the first 2 documents are listed." in sentences
    copies = replace(report, groups=[Group(0, (1, 2, 3), ())])
    sentences = list(left_out(copies, ReportLimits(members=2)))
    assert "Of more exact copies the first 2 are named." in sentences


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_words_left_out_are_counted_in_steps(step, monkeypatch):
    monkeypatch.setattr(sys.modules[_count_words.__module__], "STEP", step)

    for gap in ("", " ", "one", " a bc\n\ndef  ghij k ", "nospaces" * 20):
        assert _count_words(gap) == len(gap.split())


def test_passages_are_cited_by_page_where_there_are_pages(page):
    passage = Passage(6, 23, 20, 42, 3, ())
    paged = [document(f"a.{kind}")._replace(kind=kind) for kind in ("pdf", "pptx")]
    text = "first\fsecond page\fthird page\ffourth page and more"
    report = make_report(
        ["a", "b"],
        documents=paged,
        text_of=lambda _: text,
        passages_of=lambda a, b: shared(passage),
    )

    html_text = page(report).text

    assert "A, pp. 2–3, characters 6 to 23" in html_text
    assert "B, slides 3–4, characters 20 to 42" in html_text


def test_problems_are_grouped_and_remarks_are_reported(page):
    locked = "Locked with a password. Enter it, or save a copy without one."
    remark = "2 tracked deletions are not part of the text. <b>"
    report = make_report(
        ["a", "b"],
        documents=[document("a")._replace(remarks=(remark,)), document("b")],
        problems=[
            Problem("1.png", ProblemCode.BINARY, "This is a PNG image, not a text."),
            Problem("2.pdf", ProblemCode.ENCRYPTED, locked),
            Problem("3.docx", ProblemCode.ENCRYPTED, locked),
        ],
    )

    text = page(report).text

    assert text.index("Locked with a password (2 files)") < text.index("Not documents (1 file)")
    assert text.index("2.pdf") < text.index("3.docx") < text.index("1.png")
    assert remark in text
    assert (
        "“Remarks” says what was left out of the text of 1 document, or is not certain in it."
        in text
    )


PNG = b"\x89PNG\r\n\x1a\n" + b"rest"
SVG = (
    b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
)


@pytest.mark.parametrize(
    ("picture", "kind"),
    [(PNG, "image/png"), (b"\xff\xd8\xff\xe0", "image/jpeg"), (SVG, "image/svg+xml")],
)
def test_the_institution_and_its_logo_stand_at_the_head(page, picture, kind):
    evil = '</style><script>"); } \n'
    choice = ReportChoice(institution=evil, logo=picture)

    html = page(make_report(choice=choice))

    (image,) = html.all("img")
    head, _, data = image["src"].partition(",")
    assert head == f"data:{kind};base64"
    assert base64.b64decode(data) == picture
    assert image["alt"] == ""
    assert evil in html.text
    assert len(html.all("script")) == 2
    (policy,) = [meta["content"] for meta in html.all("meta") if "http-equiv" in meta]
    assert "img-src data:" in policy


@pytest.mark.parametrize("picture", [b"GIF89a", b"<html><svg>", b"<?xml version='1.0'?><html/>"])
def test_a_logo_that_cannot_be_shown_is_refused_in_a_sentence(page, picture):
    with pytest.raises(ExportError, match="The logo is"):
        page(make_report(choice=ReportChoice(logo=picture)))


def test_each_page_of_paper_has_its_size_and_what_stands_above_it(tmp_path):
    choice = ReportChoice(institution='Board"; } * {\n\x07é😀', paper=Paper.LETTER)
    write_html(tmp_path / "report.html", make_report(title="T", choice=choice))

    style = (tmp_path / "report.html").read_text(encoding="utf-8").partition("</style>")[0]

    (rule,) = re.findall(r"@page \{ size: letter; @top-left \{ content: \"(.*)\"; \} \}", style)
    heading = "".join(chr(int(code, 16)) for code in rule.split("\\")[1:])
    assert heading == 'Board"; } * {\ufffd\ufffdé😀 · T'
    assert re.fullmatch(r"(\\[0-9a-f]{6})+", rule)


def test_style_and_script_are_allowed_by_their_hashes_alone(tmp_path):
    html = written_text(write_html, tmp_path / "report.html", make_report())
    policy = re.search(r'Security-Policy" content="(.*?)"', html).group(1)
    for name in ("style", "script"):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


def test_only_what_is_ours_is_written_unescaped():
    ours = {"style", "script", "block.svg"}
    folder = files("core.reports.html").joinpath("templates")
    unescaped = set()
    for path in Path(str(folder)).rglob("*.j2"):
        template = path.read_text(encoding="utf-8")
        unescaped |= set(re.findall(r"([\w.]+)\s*\|\s*safe", template))
        assert template.count("safe") == len(re.findall(r"\|\s*safe", template))
        assert "autoescape" not in template
    assert unescaped == ours


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
PRINT_TEXT = (
    "nobody in the harbour office could say when the buoy had been painted green or by whom"
)
HEIGHTS = range(186, 246, 4)  # millimetres above a section: it begins near the foot of its page
RUNNING = r"\d+ / \d+|Near-duplicate documents"
# What may not be the last line of a page, by section.
CRAFTED_HEADINGS = {
    "groups": r"Groups|overlap with the centre of its|Group\b.*Document",
    "problems": r"Problems|were not compared|File\b.*Reason|Without text",
    "pair-1": r"one\.txt|Resemblance|Shared|exact duplicate|can be chance",
}


@pytest.fixture
def print_page(tmp_path):
    passage = Passage(0, 20, 0, 20, 4, (Run(0, 20, 0, 20, 4),))
    report = make_report(
        ["one.txt", "two.txt", "three.txt"],
        passages_of=lambda _a, _b: shared(passage),
        text_of=lambda _index: PRINT_TEXT,
        groups=[Group(0, (1,), (Member(2, 1.0),))],
        problems=[Problem("empty.txt", ProblemCode.EMPTY, "This file is empty: it has 0 bytes.")],
    )
    return written_text(write_html, tmp_path / "report.html", report)


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium to print")
@pytest.mark.parametrize("name", CRAFTED_HEADINGS)
def test_a_heading_keeps_to_what_it_stands_over(print_page, tmp_path, name):
    section = re.search(rf'<(section|article) id="{name}".*?</\1>', print_page, re.DOTALL).group(0)
    spaced = "".join(
        f'<div style="break-before: page; height: {height}mm">Mark</div>{section}'
        for height in HEIGHTS
    )
    head = print_page.split("<main>")[0]
    head = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", head)
    source, target = tmp_path / "spaced.html", tmp_path / "spaced.pdf"
    source.write_text(f"{head}<main>{spaced}</main></body></html>", encoding="utf-8")
    subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
         f"--user-data-dir={tmp_path / 'browser'}", f"--print-to-pdf={target}", source.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip

    last_lines = [lines[-1] for lines in lines_of(target) if lines[0] == "Mark" and len(lines) > 1]
    alone = [line for line in last_lines if re.search(CRAFTED_HEADINGS[name], line)]

    assert last_lines != []
    assert alone == []


def lines_of(path):
    """The lines of every page, without what stands on each."""
    with pypdfium2.PdfDocument(path) as pdf:
        for print_page in pdf:
            text = print_page.get_textpage().get_text_bounded()
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            yield [line for line in lines if not re.fullmatch(RUNNING, line)] or [""]

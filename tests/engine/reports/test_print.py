"""The HTML report on paper: no heading stands alone at the foot of a page."""

import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
import pytest

from core.documents.model import Document, Problem, ProblemCode
from core.evidence.passage import Run
from core.evidence.passages import Floor, Passage, SharedText
from core.evidence.shared_words import PairOverlap
from core.reports.html import write_html
from core.reports.model import Report
from core.scan.groups import Group, Member
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
TEXT = "nobody in the harbour office could say when the buoy had been painted green or by whom"
HEIGHTS = range(186, 246, 4)  # millimetres above a section: it begins near the foot of its page
RUNNING = r"\d+ / \d+|Near-duplicate documents"
# What may not be the last line of a page, by section.
HEADS = {
    "groups": r"Groups|overlap with the centre of its|Group\b.*Document",
    "problems": r"Problems|were not compared|File\b.*Reason|Without text",
    "pair-1": r"one\.txt|Resemblance|Shared|exact duplicate|can be chance",
}


@pytest.fixture
def page(tmp_path):
    names = ["one.txt", "two.txt", "three.txt"]
    passage = Passage(0, 20, 0, 20, 4, (Run(0, 20, 0, 20, 4),))
    report = Report(
        folders=["letters"],
        created=datetime(2026, 11, 21, 9, 42, tzinfo=UTC),
        version="1.2.3",
        settings=ScanSettings(),
        documents=[Document(Path(n), n, 1, 0, "00", "text", "utf-8", len(TEXT)) for n in names],
        pairs=find_pairs([TEXT] * 3, ScanSettings()).ranked(),
        passages_of=lambda _a, _b: SharedText(
            [passage], Floor(41.3, 6, "word"), PairOverlap(0.5, 0.5, 0.5, 9)
        ),
        text_of=lambda _index: TEXT,
        groups=[Group(0, (1,), (Member(2, 1.0),))],
        problems=[Problem("empty.txt", ProblemCode.EMPTY, "This file is empty: it has 0 bytes.")],
    )
    write_html(tmp_path / "report.html", report)
    return (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium to print")
@pytest.mark.parametrize("name", HEADS)
def test_a_heading_keeps_to_what_it_stands_over(page, tmp_path, name):
    section = re.search(rf'<(section|article) id="{name}".*?</\1>', page, re.DOTALL).group(0)
    spaced = "".join(
        f'<div style="break-before: page; height: {height}mm">Mark</div>{section}'
        for height in HEIGHTS
    )
    head = page.split("<main>")[0]
    head = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", head)
    source, target = tmp_path / "spaced.html", tmp_path / "spaced.pdf"
    source.write_text(f"{head}<main>{spaced}</main></body></html>", encoding="utf-8")
    subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
         f"--user-data-dir={tmp_path / 'browser'}", f"--print-to-pdf={target}", source.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip

    last_lines = [lines[-1] for lines in lines_of(target) if lines[0] == "Mark" and len(lines) > 1]
    alone = [line for line in last_lines if re.search(HEADS[name], line)]

    assert last_lines != []
    assert alone == []


def lines_of(path):
    """The lines of every page, without what stands on each."""
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            text = page.get_textpage().get_text_bounded()
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            yield [line for line in lines if not re.fullmatch(RUNNING, line)] or [""]

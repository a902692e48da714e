"""Measure the compare view on two long texts, with page marks and without.

python tests/bench/pages.py [--pages 5000] [--passages 100]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from core.evidence.passage import Run
from core.evidence.passages import Passage
from neardup_gui.models.compare.comparison import Comparison, ComparisonNumbers, compare
from neardup_gui.models.compare.side import Origin
from neardup_gui.views.compare.view import CompareView

SENTENCE = "The survey was carried out in three districts between April and June of that year. "
PARAGRAPHS = 5
SENTENCES = 6
LENGTH = 900  # characters of a passage
STEPS = 60
NUMBERS = ComparisonNumbers(
    resemblance=0.9, containment_a=0.9, containment_b=0.9, longest_run=150, shared=700
)


def main() -> None:
    """Print one line for each kind of text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--passages", type=int, default=100)
    options = parser.parse_args()
    qInstallMessageHandler(lambda *_: None)
    application = QApplication([])
    print(f"{options.pages:,} pages; milliseconds")
    print(f"{'':16}{'prepare':>9}{'show':>9}{'scroll':>9}{'jump':>9}")
    for name, between in (("page marks", "\f"), ("no page marks", "\n\n")):
        measure(application, name, between, options.pages, options.passages)


def measure(application: QApplication, name: str, between: str, pages: int, passages: int) -> None:
    """Prepare a pair, show it, scroll both panes by a line, jump far."""
    began = time.perf_counter()
    comparison = pair(between, pages, passages)
    prepared = time.perf_counter() - began
    view = CompareView()
    view.resize(1_000, 600)
    view.show()
    application.processEvents()

    def timed(act: object, *arguments: object) -> float:
        start = time.perf_counter()
        act(*arguments)  # type: ignore[operator]
        application.processEvents()
        return 1_000 * (time.perf_counter() - start)

    shown = timed(view.show_comparison, comparison)
    pane = view.panes[0]
    scrolled = statistics.median(timed(pane.scroll_by_wheel, -120) for _ in range(STEPS))
    jumped = timed(pane.scroll_to_share, 0.8)
    view.close()
    print(f"{name:16}{1_000 * prepared:9.0f}{shown:9.0f}{scrolled:9.1f}{jumped:9.1f}")


def pair(between: str, pages: int, passages: int) -> Comparison:
    """Two equal texts with passages spread over them."""
    page = "\n\n".join([SENTENCE * SENTENCES] * PARAGRAPHS)
    text = between.join(f"{number} {page}" for number in range(pages))
    starts = range(0, len(text) - LENGTH, max((len(text) - LENGTH) // passages, 1))
    found = [
        Passage(
            at, at + LENGTH, at, at + LENGTH, 150, (Run(at, at + LENGTH, at, at + LENGTH, 150),)
        )
        for at in starts
    ]
    origins = (Origin("pdf"), Origin("pdf"))
    return compare(("a.pdf", "b.pdf"), (text, text), NUMBERS, found, origins)


if __name__ == "__main__":
    main()

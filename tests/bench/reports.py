"""Measure reports: seconds, megabytes, memory, and how long the window stalls meanwhile.

    python tests/bench/reports.py [--documents 330] [--tables 10000] [--full 200 2000]
                                  [--searched 5000] [--only .pdf]

Every two documents share none to three passages of 150 words, about a fifth of them any. A table
has the first so many pairs, a full report the passages of all its pairs. Each report is written
twice: by a program of its own, which also tells its memory beyond that of the scan, that of
programs it starts included; and by the window, where a stall is the time by which a timer of 5 ms
is late. HTML is then opened in Chromium, where it is there: seconds until it is loaded and painted,
and until the table shows what was searched for.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
SCRIPT = Path(__file__).resolve()
ROOT = SCRIPT.parents[2]
sys.path[:0] = [str(ROOT), str(SCRIPT.parent)]

import numpy as np

from core.reports.formats import EXPORTS, write_report
from core.reports.from_scan import report_of
from core.reports.report_choice import ReportChoice
from core.review import open_review, save_review
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.bench import corpus
from tests.bench.options import read_options
from tests.bench.usage import ProcessTrees
from tests.end_to_end.chromium import Chromium, Page, program

FOR_PEOPLE = (".html", ".pdf")
POOL, SHARED, UNIQUE = 40, 3, 5  # passages: to share, of them in a document, and of its own
WORDS = 150
MEGABYTE = 1 << 20
LOOK_AGAIN = 0.01  # seconds
IDLE = 5000  # ms
# How many rows are left, once some are hidden.
FILTERED = """
new Promise(done => {
    const rows = [...document.querySelectorAll('tr[id^=row-]')];
    const look = () => {
        const left = rows.filter(one => one.checkVisibility()).length;
        left < rows.length ? done(left) : requestAnimationFrame(look);
    };
    look();
})
"""
CREATED = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> None:
    options = read_options(
        __doc__, documents=330, tables=10_000, full=(200, 2000), searched=5000, only=(), child=()
    )
    if options.child:
        review, target, pairs, passages = options.child
        print(json.dumps(write_alone(Path(review), Path(target), int(pairs), int(passages))))
        return
    endings = [export.endings[0] for export in EXPORTS]
    endings = [ending for ending in endings if not options.only or ending in options.only]
    orders = [(ending, options.tables, 0) for ending in endings if ending not in FOR_PEOPLE]
    orders += [
        (ending, count, count)
        for ending in endings
        if ending in FOR_PEOPLE
        for count in options.full
    ]
    if ".html" in endings:
        orders.append((".html", options.searched, options.searched))
    with tempfile.TemporaryDirectory() as scratch:
        folder, review = Path(scratch, "documents"), Path(scratch, "all.neardup")
        make_folder(folder, options.documents)
        print(f"{options.documents:,} documents, {make_review(folder, review):,} pairs")
        for order in orders:
            measure(review, Path(scratch), *order)
        measure_window(folder, Path(scratch), orders)


def make_folder(folder: Path, documents: int) -> None:
    """Documents that share passages."""
    words = corpus.generate(2000, words=WORDS * 2).texts
    stock = " ".join(words).split()
    parts = [" ".join(stock[start : start + WORDS]) for start in range(0, len(stock), WORDS)]
    pool, unique = parts[:POOL], parts[POOL : POOL + UNIQUE * documents]
    if len(unique) < UNIQUE * documents:
        raise SystemExit(f"There are words for {len(unique) // UNIQUE:,} documents at most.")
    chance = random.Random(1)
    folder.mkdir()
    for number in range(documents):
        text = unique[UNIQUE * number : UNIQUE * (number + 1)] + chance.sample(pool, SHARED)
        chance.shuffle(text)
        (folder / f"essay {number:04}.txt").write_text("\n\n".join(text), encoding="utf-8")


def make_review(folder: Path, review: Path) -> int:
    """Scan the folder and save it; how many pairs there are."""
    with closing(scan([folder], ScanSettings())) as done:
        pair_list = done.list_pairs()
        save_review(review, done.state)
        return len(pair_list.pairs)


def write_alone(review: Path, target: Path, count: int, passages: int) -> dict[str, float]:
    """Write a report in this program; seconds, bytes, and bytes of memory more than before."""
    with open_review(review) as opened, closing(Scan.restored(opened.state)) as done:
        pair_list = done.list_pairs()
        rows = np.arange(min(count, len(pair_list.pairs)))
        choice = ReportChoice(most_passages=max(passages, 1), created=CREATED)
        report = report_of(done, pair_list, rows, choice=choice)
        with ProcessTrees(interval=LOOK_AGAIN) as trees:
            before = trees.peak
            began = time.perf_counter()
            write_report(target, report)
            took = time.perf_counter() - began
    more, size = trees.peak - before, target.stat().st_size
    return {"pairs": len(rows), "seconds": took, "bytes": size, "memory": more}


def measure(review: Path, scratch: Path, ending: str, count: int, passages: int) -> None:
    """One report, written by a separate program."""
    target = scratch / f"{count}{ending}"
    child = [str(review), str(target), str(count), str(passages)]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--child", *child],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    record = json.loads(done.stdout)
    print(
        f"{ending} of {record['pairs']:,} {'full ' if passages else ''}pairs: "
        f"{record['seconds']:.1f} s, {record['bytes'] / MEGABYTE:.1f} MB, "
        f"{record['memory'] / MEGABYTE:.0f} MB of memory",
        flush=True,
    )
    if ending == ".html" and program():
        measure_browser(target, scratch, count)


def measure_browser(target: Path, scratch: Path, count: int) -> None:
    """From the file to the page painted, and from a search to the rows."""
    with closing(Chromium(scratch / f"profile {count}")) as browser, closing(Page(browser)) as page:
        page.look()
        opened = page.open(target)
        print(f"    in Chromium: {opened:.2f} s until it is painted", end="")
        if page.evaluate("document.querySelector('input[type=search]') !== null"):
            page.evaluate("document.querySelector('input[type=search]').focus()")
            began = time.perf_counter()
            page.type("0007")
            left = page.evaluate(FILTERED)
            page.picture()
            took = time.perf_counter() - began
            print(f", {took:.2f} s to type four letters and see the {left} rows", end="")
        print(flush=True)


def measure_window(folder: Path, scratch: Path, orders: list[tuple[str, int, int]]) -> None:
    """The longest stalls while the real window writes all pairs that it shows."""
    import window as bench
    from PySide6.QtCore import QTimer

    from neardup_gui.models.reports import ReportWish

    with bench.opened() as (window, _):
        bench.scan(window, folder)
        bench.paint(window)
        exports = window.presenter.exports
        idle = bench.Stalls()
        idle.start()
        bench.wait_for(lambda ended: QTimer.singleShot(IDLE, ended), lambda: None)
        idle.stop()
        print(f"the window with nothing to do: longest stall {max(idle.late):.0f} ms")
        for ending, _count, passages in orders:
            target = scratch / f"window {passages}{ending}"
            wish = ReportWish(ending=ending, most_passages=max(passages, 1))
            stalls = bench.Stalls()
            stalls.start()
            took = bench.wait_for(
                exports.ended.connect, lambda to=target, of=wish: exports.save(to, of)
            )
            stalls.stop()
            over = sum(1 for milliseconds in stalls.late if milliseconds > 50)
            written = "" if target.exists() else ", NOT WRITTEN"
            print(
                f"{ending} of all pairs in the window, {passages:,} full: {took / 1000:.1f} s, "
                f"longest stall {max(stalls.late):.0f} ms, {over} above 50 ms{written}",
                flush=True,
            )


if __name__ == "__main__":
    main()

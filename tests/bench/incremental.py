"""A folder that grows, and one text against it: time beside that of a scan from nothing.

    python tests/bench/incremental.py [--documents 50000]

Files are written to a temporary folder and scanned; 100 more are added and the folder is scanned
again, once taking up the earlier scan in memory and once the review file. Then single texts are
compared with the folder.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from corpus import generate, write_texts
from options import read_options

from core.review import open_review, save_review
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import ScanSettings

SETTINGS = ScanSettings()
ADDED = 100
QUERIES = 200

Result = TypeVar("Result")


def timed(title: str, work: Callable[[], Result]) -> Result:
    """Do something, and print how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{title:<44}{wall:>8.2f} s{cpu:>8.2f} cpu s", flush=True)
    return result


def measure(folder: Path, review_file: Path, documents: int) -> None:
    """Scan, add, scan again, ask."""
    texts = generate(documents + ADDED).texts
    write_texts(folder, texts[:documents])
    warm = scan([folder / "0000"], SETTINGS)
    warm.pairs()
    warm.close()

    first = timed("scan from nothing", lambda: scan([folder], SETTINGS))
    timed("list its pairs", first.pairs)
    timed("save the review", lambda: save_review(review_file, first.state))
    write_texts(folder, texts[documents:], documents)
    state = first.state
    again = timed(
        f"scan with {ADDED} more, from memory", lambda: scan([folder], SETTINGS, previous=state)
    )
    timed("list its pairs", again.pairs)
    again.close()
    first.close()

    with timed("open the review", lambda: open_review(review_file)) as review:
        later = timed(
            f"scan with {ADDED} more, from the review",
            lambda: scan([folder], SETTINGS, previous=review.state),
        )
        timed("list its pairs", later.pairs)
        timed("save the review", lambda: save_review(review_file, later.state))
        ask(later, texts)
        later.close()


def ask(result: Scan, texts: list[str]) -> None:
    """Compare single texts with all documents."""
    index = timed("index for single texts", result.index)
    index.matches(texts[0])
    times = []
    for text in texts[:QUERIES]:
        began = time.perf_counter()
        index.matches(text)
        times.append(1000 * (time.perf_counter() - began))
    median, late = np.percentile(times, [50, 95])
    print(f"{'one text against the folder':<44}{median:>8.1f} ms, 95 % within {late:.1f} ms")


def main() -> None:
    """Read the command line."""
    documents = read_options(__doc__, documents=50_000).documents
    print(f"\nINCREMENTAL: {documents:,} files, {ADDED} more, default settings")
    with tempfile.TemporaryDirectory() as temporary:
        measure(Path(temporary, "documents"), Path(temporary, "review.neardup"), documents)


if __name__ == "__main__":
    main()

"""Measure how long it takes to check a report: `neardup verify` as a program of its own.

    python tests/bench/verify.py [--documents 1000] [--kinds html json pdf]

The folder is generated, with near-duplicates in it. The report has all of its pairs, and passages
for the first 200.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpus

from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.scan.flow import scan
from core.settings import ScanSettings

ROOT = Path(__file__).resolve().parents[2]
WORDS = 1500  # of a document
MEGABYTE = 1 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--kinds", nargs="*", default=["html", "json", "pdf"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        for number, text in enumerate(corpus.generate(options.documents, words=WORDS).texts):
            (folder / f"essay {number:04}.txt").write_text(text, encoding="utf-8")
        read = scan([folder], ScanSettings())
        found = read.list_pairs()
        for kind in options.kinds:
            path = Path(scratch) / f"report.{kind}"
            size = write_report(path, report_of(read, found)).size
            about = f"{len(found.pairs):,} pairs, {size / MEGABYTE:.1f} MB"
            print(f"{kind}: {about}, {check(path, folder)}", flush=True)
        read.close()


def check(report: Path, folder: Path) -> str:
    """Seconds and the first line of what is said."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "core", "verify", str(report), str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = (done.stdout or done.stderr).splitlines()
    return f"checked in {time.perf_counter() - started:.1f} s: {said[0]}"


if __name__ == "__main__":
    main()

"""Whether a change of the code changed a result: records what scans say, and compares with it.

    python tests/bench/same_results.py record FILE.json --data DATA [--project FOLDER]
    python tests/bench/same_results.py compare FILE.json --data DATA [--project FOLDER]

Eight corpora at four settings (defaults; SimHash; characters by bands; three-word shingles with
thorough search) and four folders of file formats with defaults. Of each scan: the table of pairs,
the passages, the problems, the JSON record and what the terminal prints, with the date fixed. DATA
is the folder of the corpora; FOLDER is the project to measure, by default this one. `compare` exits
with 1 where something differs and names it; `--keep FOLDER` keeps all outputs, to compare by eye.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import xxhash
from usage import neardup

PROJECT = Path(__file__).parents[2]
CORPORA = ("bills", "clough", "contracts", "laws_zh", "licenses", "progit_ru", "terms", "udhr")
FORMATS = ("formats_tika", "formats_pypdf", "formats_pdfjs", "formats_epub")
SETTINGS: dict[str, tuple[str, ...]] = {
    "defaults": (),
    "simhash": ("--signature", "simhash", "--weights", "tf-idf"),
    "characters": ("--unit=char", "--k=6", "--compare=bands", "--bands=42", "--rows=3"),
    "thorough": ("--k", "3", "--reworked", "thorough"),
}
DATE = "2026-01-02T03:04:05+00:00"
OUTPUTS = ("pairs.csv", "passages.json", "problems.csv", "record.json", "printed.txt")


def scan(project: Path, folder: Path, options: tuple[str, ...], work: Path) -> dict[str, str]:
    """Digests of what one scan writes and prints."""
    work.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(project), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    review = work / "review.neardup"
    outputs = ("--pairs", work / "pairs.csv", "--passages", work / "passages.json")
    outputs = (*outputs, "--problems", work / "problems.csv", "--review", review, "--show", "1000")
    for step in (
        ["scan", folder, *options, *outputs, "--date", DATE],
        ["report", review, work / "record.json", "--date", DATE],
    ):
        done = subprocess.run(
            neardup(*step), cwd=project, env=environment, capture_output=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{step}: {done.stderr.decode()[-500:]}")
        if step[0] == "scan":
            printed = done.stdout.decode().replace(str(work), "WORK").replace(str(folder), "FOLDER")
            (work / "printed.txt").write_text(re.sub(r"\b[\d.]+ s\b", "TIME", printed), "utf-8")
    review.unlink()
    record = json.loads((work / "record.json").read_text("utf-8"))
    record.pop("seal", None)  # of all the rest
    text = json.dumps(record, indent=1, ensure_ascii=False).replace(str(work), "WORK")
    (work / "record.json").write_text(text, "utf-8")
    return {name: xxhash.xxh3_64_hexdigest((work / name).read_bytes()) for name in OUTPUTS}


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--project", type=Path, default=PROJECT)
    parser.add_argument("--only", nargs="*", help="names of corpora")
    parser.add_argument("--settings", nargs="*", default=list(SETTINGS))
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    scans = [(name, kind) for name in CORPORA for kind in arguments.settings]
    scans += [(name, "defaults") for name in FORMATS if "defaults" in arguments.settings]
    scans = [(name, kind) for name, kind in scans if not arguments.only or name in arguments.only]
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as threads:
        work = arguments.keep or Path(temporary)

        def digests(chosen: tuple[str, str]) -> tuple[str, dict[str, str]]:
            name, kind = chosen
            folder = arguments.data.resolve() / name / "docs"
            return f"{name} {kind}", scan(
                arguments.project.resolve(), folder, SETTINGS[kind], work.resolve() / name / kind
            )

        digests_of = dict(threads.map(digests, scans))
    print(f"{len(digests_of)} scans in {time.perf_counter() - start:.0f} s")
    if arguments.what == "record":
        arguments.file.write_text(json.dumps(digests_of, indent=1), "utf-8")
        return 0
    before = json.loads(arguments.file.read_text("utf-8"))
    differing = [
        f"{scanned}: {name}"
        for scanned, files in digests_of.items()
        for name, digest in files.items()
        if before.get(scanned, {}).get(name) != digest
    ]
    print("\n".join(differing) or "The same in everything.")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())

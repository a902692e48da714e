"""What benches of reworded text share: corpora as text files, scans by the command line, results.

Only public contracts are used: `neardup scan --pairs --passages` and the names of its columns.
"""

from __future__ import annotations

import csv
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from corpus import generate
from pan_measures import DocumentPair, Span, make_span
from usage import neardup

import core

ROOT = Path(core.__file__).parents[1]  # of the engine that is measured
MODES = ("off", "auto", "careful", "thorough")
GENERATED = "generated"
REWORKED = "reworked"


class Scanned(NamedTuple):
    """The listed pairs in the default order, each a row of the table, and their passages."""

    rows: list[dict[str, str]]
    passages: list[Span]
    seconds: float

    @property
    def listed(self) -> dict[DocumentPair, dict[str, str]]:
        """The rows by their two documents, in alphabetic order."""
        return {ordered(row["doc_a"], row["doc_b"]): row for row in self.rows}


def ordered(a: str, b: str) -> DocumentPair:
    return (a, b) if a <= b else (b, a)


def is_weak(row: Mapping[str, str]) -> bool:
    """Whether a listed pair is a weak trace, which is folded at the foot of a list."""
    return row.get("weak_trace") == "1"


def read_corpus(data: Path, name: str) -> dict[str, str]:
    """The documents of a corpus by name, as text; `generated` are advertisements made up."""
    if name == GENERATED:
        return {f"{number:05}.txt": text for number, text in enumerate(generate(1000).texts)}
    files = sorted(path for path in (data / name / "docs").rglob("*") if path.is_file())
    texts = {f"{path.stem}.txt": read_text(path) for path in files}
    return {name: text for name, text in texts.items() if text.strip()}


def read_text(path: Path) -> str:
    """The text of a file in UTF-8 or Windows-1252, with plain line ends."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_folder(folder: Path, texts: Mapping[str, str]) -> Path:
    """Write documents into a folder of their own; what is read of them has the same offsets."""
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def scan_folder(
    folder: Path,
    results: Path,
    mode: str,
    options: Sequence[str] = (),
    *,
    with_passages: bool = True,
) -> Scanned:
    """Scan a folder in a separate process, with the default settings but for these."""
    results.mkdir(parents=True, exist_ok=True)
    results_folder = results.resolve()
    pairs, passages = results_folder / f"pairs-{mode}.csv", results_folder / f"passages-{mode}.json"
    tables = ["--pairs", pairs, *(["--passages", passages] if with_passages else [])]
    command = neardup("scan", folder.resolve(), "--quiet", f"--{REWORKED}", mode, *options, *tables)
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    seconds = time.perf_counter() - began
    with pairs.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return Scanned(rows, read_passages(passages) if with_passages else [], seconds)


def read_passages(path: Path) -> list[Span]:
    """The passages of a scan as spans."""
    return [
        make_span(
            pair["doc_a"],
            pair["doc_b"],
            (passage["a_start"], passage["a_end"]),
            (passage["b_start"], passage["b_end"]),
        )
        for pair in json.loads(path.read_text(encoding="utf-8"))
        for passage in pair["passages"]
    ]

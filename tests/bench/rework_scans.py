"""What benches of reworded text share: corpora as text files, scans by the command line, results.

Only public contracts are used: `neardup scan --pairs` and the names of its columns.
"""

from __future__ import annotations

import csv
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from usage import neardup

import core

ROOT = Path(core.__file__).parents[1]  # of the engine that is measured
MODES = ("off", "auto", "careful", "thorough")
REWORKED = "reworked"
DocumentPair = tuple[str, str]


def ordered(a: str, b: str) -> DocumentPair:
    return (a, b) if a <= b else (b, a)


def is_weak(row: Mapping[str, str]) -> bool:
    """Whether a listed pair is a weak trace, which is folded at the foot of a list."""
    return row.get("weak_trace") == "1"


def read_corpus(data: Path, name: str) -> dict[str, str]:
    """The documents of a corpus by name, as text."""
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
    folder: Path, results: Path, mode: str, options: Sequence[str] = ()
) -> tuple[list[dict[str, str]], float]:
    """Scan a folder in a separate process, with the default settings but for these.

    Returns:
        The listed pairs in the default order, each a row of the table, and the seconds it took.
    """
    results.mkdir(parents=True, exist_ok=True)
    pairs = results.resolve() / f"pairs-{mode}.csv"
    usual = ["--quiet", f"--{REWORKED}", mode, "--pairs", pairs]
    command = neardup("scan", folder.resolve(), *usual, *options)
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    seconds = time.perf_counter() - began
    with pairs.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file)), seconds

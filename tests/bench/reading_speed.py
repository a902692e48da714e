"""What reading costs: plain text files and other formats, beside another version of this program.

    python tests/bench/reading_speed.py [--against TREE] [--texts 20000] [--rounds 5]
                                        [--copies 200] [--pages 300]

Every scan is done by a process of its own, after a small one that loads the kernels. The trees are
asked in turns, and the fastest of the rounds counts for each. Word, OpenDocument and PDF files are
written with LibreOffice, and each copy is changed a little; they are scanned on one processor core
and on two. A ratio over 1 means that this version takes longer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

from corpus import generate
from eight_formats import TEXTS, flat_odt, without_notes
from incremental import write_files

HERE = Path(__file__).resolve()
TREE = HERE.parents[2]
WARM = 50


def scan_folders(folders: list[str], cores: int) -> None:
    """Scan the first folder to warm up and the others for their time, and print it as JSON."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:cores]))
    from core.scan.flow import scan
    from core.settings import ScanSettings

    seconds, documents = 0.0, 0
    for number, folder in enumerate(folders):
        wall = time.perf_counter()
        result = scan([Path(folder)], ScanSettings())
        seconds = time.perf_counter() - wall
        documents = len(result.documents)
        characters = sum(one.characters for one in result.documents)
        pages = sum(text.count("\f") + 1 for text in result.texts)
        result.close()
        if number:
            print(
                json.dumps(
                    {
                        "seconds": seconds,
                        "documents": documents,
                        "characters": characters,
                        "pages": pages,
                    }
                )
            )


def in_tree(tree: Path, folder: Path, warm: Path, cores: int) -> dict[str, float]:
    """The time of a scan with the `core` of a tree."""
    command = [sys.executable, str(HERE), "--scan", str(warm), str(folder), "--cores", str(cores)]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def compare(trees: list[Path], folder: Path, warm: Path, rounds: int) -> None:
    """Print the time per text file of each tree, and the ratio."""
    best = dict.fromkeys(trees, float("inf"))
    count = 0.0
    for _ in range(rounds):
        for tree in trees:
            result = in_tree(tree, folder, warm, 2)
            best[tree] = min(best[tree], result["seconds"])
            count = result["documents"]
    for tree in trees:
        name = "this version" if tree == trees[0] else str(tree)
        print(f"{name:<34}{1e6 * best[tree] / count:>8.1f} µs a file ({best[tree]:.2f} s)")
    if len(trees) == 2:
        print(f"{'ratio':<34}{best[trees[0]] / best[trees[1]]:>8.3f}")


def soffice(target: str, source: Path, folder: Path) -> Path:
    """A document in another format."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["soffice", f"-env:UserInstallation={Path(profile).as_uri()}", "--headless"]
        command += ["--convert-to", target, "--outdir", str(folder), str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder / source.with_suffix(f".{target}").name


def write_packages(base: Path, part: str, word: bytes, copies: int, folder: Path) -> None:
    """Copies of a package, a word replaced in each."""
    with zipfile.ZipFile(base) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for number in range(copies):
        with zipfile.ZipFile(folder / f"{number}{base.suffix}", "w", zipfile.ZIP_DEFLATED) as out:
            for name, content in parts.items():
                changed = content.replace(word, b"%s%d" % (word, number))
                out.writestr(name, changed if name == part else content)


def write_pdfs(place: Path, source: str, pages: int, folder: Path) -> None:
    """PDF files of about four pages each, a word replaced in each."""
    long = place / "long.fodt"
    long.write_text(source, encoding="utf-8")
    data = soffice("pdf", long, place).read_bytes()
    for number in range(max(1, pages // 4)):
        (folder / f"{number}.pdf").write_bytes(data + b"\n%%%d\n" % number)


def formats(copies: int, pages: int, place: Path, speed: Speed) -> None:
    """Print files a second for Word and OpenDocument, pages a second for PDF."""
    source = place / "text.fodt"
    source.write_text(flat_odt(*_in_english()), encoding="utf-8")
    for kind, part in (("docx", "word/document.xml"), ("odt", "content.xml")):
        folder = place / kind
        folder.mkdir()
        write_packages(soffice(kind, source, place), part, b"lifeboat", copies, folder)
        speed.print(kind, folder)
    folder = place / "pdf"
    folder.mkdir()
    write_pdfs(place, source.read_text("utf-8"), pages, folder)
    speed.print("pdf", folder)


def _in_english() -> tuple[str, str, str]:
    language, country, marked = TEXTS["english"]
    return without_notes(marked), language, country


class Speed(NamedTuple):
    """How each tree is timed."""

    trees: list[Path]
    warm: Path
    rounds: int

    def print(self, kind: str, folder: Path) -> None:
        """Scan a folder on one core and on two."""
        for cores in (1, 2):
            best: dict[Path, dict[str, float]] = {}
            for _ in range(self.rounds if len(self.trees) > 1 else 1):
                for tree in self.trees:
                    result = in_tree(tree, folder, self.warm, cores)
                    if tree not in best or result["seconds"] < best[tree]["seconds"]:
                        best[tree] = result
            own, *others = (best[tree] for tree in self.trees)
            files = own["documents"] / own["seconds"]
            pages = f", {own['pages'] / own['seconds']:,.0f} pages a second"
            ratio = "".join(f", ratio {own['seconds'] / other['seconds']:.3f}" for other in others)
            print(
                f"{kind:<6}{cores} core{'s' if cores > 1 else ' '}  {own['documents']:,.0f} files, "
                f"{files:,.0f} a second{pages if kind == 'pdf' else ''}{ratio}",
                flush=True,
            )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, help="root of another version of this program")
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--copies", type=int, default=200, help="of the docx and of the odt file")
    parser.add_argument("--pages", type=int, default=300, help="of PDF, about")
    parser.add_argument("--scan", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, default=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.scan:
        scan_folders(options.scan, options.cores)
        return
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place, name) for name in ("warm", "texts")]
        for folder, count in zip(folders, (WARM, options.texts), strict=True):
            folder.mkdir()
            write_files(folder, generate(count).texts, 0)
        warm, texts = folders
        trees = [TREE, *([options.against.resolve()] if options.against else [])]
        compare(trees, texts, warm, options.rounds)
        formats(options.copies, options.pages, Path(place), Speed(trees, warm, options.rounds))


if __name__ == "__main__":
    main()

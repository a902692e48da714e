"""Nothing explodes: collections in which comparing every pair would take hours.

Every case is written as files, scanned in a process of its own with the default settings, and its
pairs are grouped. Memory is the peak of the scan beyond what the process held before. `planted`
are the pairs that must be listed; what the list leaves out by its caps follows in its own words.
A case is marked where it takes over 10 s or over 1 GiB or misses a planted pair, and the stages
that took most of the processor are named.

    python tests/bench/hard_cases.py [--cases NAME ...] [--scale 1.0] [--preset 0] [--limit 300]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from hard_texts import CASES, HardCase
from usage import STAGES, Usage, clocked, in_fresh_process, measured

from core.documents.model import text_key
from core.evidence.pairs import Pairs
from core.scan.flow import scan
from core.scan.groups import group_pairs
from core.settings import PRESETS, ScanSettings

LONGEST = 10.0  # seconds
LARGEST = 1024**3 / 1e6  # megabytes
LIMIT = 300.0  # seconds until a case is given up
PER_FOLDER = 1000
SHOWN_STAGES = 4


class Outcome(NamedTuple):
    """What a scan of one case took and gave."""

    documents: int
    megabytes: float
    reading: float
    listing: float
    grouping: float
    usage: Usage
    pairs: int
    groups: int
    largest: int
    planted: int
    found: int
    notes: list[str]
    stages: dict[str, float]

    @property
    def marks(self) -> str:
        """What is wrong with it, in short."""
        wrong = {
            "SLOW": self.usage.wall > LONGEST,
            "LARGE": self.usage.peak > LARGEST,
            "MISSED": self.found < self.planted,
        }
        return " ".join(word for word, holds in wrong.items() if holds)


def write_documents(folder: Path, texts: list[str]) -> None:
    """One file each, in the order of their names."""
    for number, text in enumerate(texts):
        place = folder / f"{number // PER_FOLDER:04}"
        if number % PER_FOLDER == 0:
            place.mkdir(parents=True)
        (place / f"{number:07}.txt").write_text(text, encoding="utf-8")


def write_case(name: str, count: int, folder: Path) -> tuple[list[tuple[int, int]], float]:
    """Write the documents of a case; its planted pairs and its megabytes."""
    case: HardCase = CASES[name][0](count)
    write_documents(folder, case.texts)
    return case.planted, sum(map(len, case.texts)) / 1e6


def scan_case(
    folder: Path, planted: list[tuple[int, int]], size: float, settings: ScanSettings
) -> Outcome:
    """Scan a written case, with a clock between the steps."""
    warm_up(settings)
    with clocked() as clock, measured() as usage:
        times = [time.perf_counter()]
        result = scan([folder], settings)
        times.append(time.perf_counter())
        try:
            found = result.list_pairs()
        finally:
            result.close()
        times.append(time.perf_counter())
        pairs = found.pairs
        groups = group_pairs(pairs, [text_key(one) for one in result.documents])
        times.append(time.perf_counter())
    return Outcome(
        len(result.documents),
        size,
        times[1] - times[0],
        times[2] - times[1],
        times[3] - times[2],
        usage[0],
        len(pairs),
        len(groups),
        groups[0].size if groups else 0,
        len(planted),
        count_found(pairs, planted),
        list(found.notes),
        {stage.name: clock.spent(stage.name).cpu for stage in STAGES},
    )


def longest_stages(outcome: Outcome) -> str:
    """The stages that took most of the processor, in words."""
    ordered = sorted(outcome.stages.items(), key=lambda item: -item[1])[:SHOWN_STAGES]
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in ordered)


def warm_up(settings: ScanSettings) -> None:
    """Load the compiled kernels."""
    with tempfile.TemporaryDirectory() as folder:
        texts = [" ".join(f"w{n * (n % 9 != 3 + i)}" for n in range(200)) for i in range(4)]
        write_documents(Path(folder, "few"), [*texts, texts[0], "“é”"])
        result = scan([Path(folder)], settings)
        group_pairs(result.pairs(), [text_key(one) for one in result.documents])
        result.close()


def count_found(pairs: Pairs, planted: list[tuple[int, int]]) -> int:
    """How many of these pairs are listed."""
    if not planted:
        return 0
    listed = set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    return sum(pair in listed for pair in planted)


def measure(name: str, count: int, settings: ScanSettings, limit: float) -> bool:
    """Print one case; whether it passed."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "documents")
        planted, size = in_fresh_process(write_case, name, count, folder)
        try:
            outcome = in_fresh_process(scan_case, folder, planted, size, settings, limit=limit)
        except (RuntimeError, TimeoutError) as failure:
            print(f"{name:<20}{count:>9,}  FAILED  {failure}", flush=True)
            return False
    usage = outcome.usage
    planted_found = f"{outcome.found:,}/{outcome.planted:,}" if outcome.planted else "-"
    print(
        f"{name:<20}{outcome.documents:>9,}{outcome.megabytes:>6.0f}{outcome.reading:>8.2f}"
        f"{outcome.listing:>8.2f}{outcome.grouping:>8.2f}{usage.peak:>9.0f}{usage.anonymous:>7.0f}"
        f"{outcome.pairs:>11,}{outcome.groups:>8,}{outcome.largest:>9,}{planted_found:>15}"
        f"  {outcome.marks}"
    )
    for note in outcome.notes:
        print(f"{'':<22}{note}")
    if outcome.marks:
        print(f"{'':<22}cpu {usage.cpu:.1f} s: {longest_stages(outcome)}")
    print(end="", flush=True)
    return not outcome.marks


def main() -> None:
    """Read the command line and run the cases."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--scale", type=float, default=1.0, help="share of the documents")
    parser.add_argument("--preset", type=int, choices=range(len(PRESETS)), default=0)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one case")
    arguments = parser.parse_args()
    preset = PRESETS[arguments.preset]
    print(f"\nHARD CASES, settings “{preset.name}”: files to pairs to groups")
    print(
        f"{'':<20}{'':>9}{'':>6}{'read':>8}{'list':>8}{'group':>8}{'peak MB':>9}{'anon.':>7}"
        f"{'':>11}{'':>8}{'largest':>9}{'planted':>15}\n"
        f"{'':<20}{'documents':>9}{'MB':>6}{'s':>8}{'s':>8}{'s':>8}{'':>9}{'MB':>7}"
        f"{'pairs':>11}{'groups':>8}{'group':>9}{'found':>15}"
    )
    passed = [
        measure(name, round(CASES[name][1] * arguments.scale), preset.settings, arguments.limit)
        for name in arguments.cases
    ]
    raise SystemExit(not all(passed))


if __name__ == "__main__":
    main()

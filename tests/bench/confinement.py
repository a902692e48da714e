"""What the confinement of readers costs, and that nothing is read otherwise.

    python tests/bench/confinement.py FOLDER... [--starts 40] [--rounds 5] [--password WORD]...
                                      [--ocr]

Every file below the folders is read once by a reader that is confined and once by one that is not,
in turns. Their documents, problems and remarks must be the same. Then the files are read some
rounds more for the time, and readers are started for the time until they are ready. Times are
given as ratios of confined to not, by the fastest of all rounds; a ratio of a quiet machine only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import xxhash

from core.documents.isolation.confinement import confinement_here
from core.documents.isolation.pool import ReaderProcesses
from core.documents.isolation.process import START
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.program.startup import python_command

FREE = (
    "import core.documents.isolation.worker as worker; "
    "worker.confine = lambda **how: None; worker.main()"
)
PATIENT = ReadingLimits(seconds=1800)


def files_below(folders: Sequence[str]) -> list[Path]:
    """All files, in order."""
    return sorted(path for folder in folders for path in Path(folder).rglob("*") if path.is_file())


def read(processes: ReaderProcesses, path: Path) -> list[str]:
    """What a reader says of a file."""
    data = path.read_bytes()
    file_hash = xxhash.xxh3_128_hexdigest(data)
    results = processes.read(data, path.suffix.lower(), file_hash)
    return [repr(result) for result in results]


def differences(
    files: Sequence[Path], settings: ReadingSettings
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """The files that are not read alike, with what was read."""
    with ReaderProcesses(settings, START) as confined, ReaderProcesses(settings, FREE) as free:
        for path in files:
            from_confined, from_free = read(confined, path), read(free, path)
            if from_confined != from_free:
                yield path, from_confined, from_free


def reading_seconds(files: Sequence[Path], settings: ReadingSettings, start: str) -> float:
    """The time to read all files, by processes that have read one before."""
    with ReaderProcesses(settings, start) as processes:
        read(processes, files[0])
        began = time.perf_counter()
        for path in files:
            read(processes, path)
        return time.perf_counter() - began


def start_seconds(start: str) -> float:
    """The time until a reader says that it is ready."""
    began = time.perf_counter()
    with subprocess.Popen(
        python_command(start),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        process_group=0,
    ) as process:
        process.stdout.read(1)
        seconds = time.perf_counter() - began
        process.kill()
    return seconds


def ratio(name: str, confined: list[float], free: list[float]) -> None:
    """Print the times of both, and their ratio by the fastest and by the median."""
    if not free:
        return
    fastest = min(confined) / min(free)
    median = statistics.median(confined) / statistics.median(free)
    print(
        f"{name}: {min(confined):.4f} s confined, {min(free):.4f} s not; "
        f"ratio {fastest:.3f} by the fastest, {median:.3f} by the median of {len(free)}"
    )


def main() -> int:
    """Compare and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--password", action="append", default=[])
    parser.add_argument("--ocr", action="store_true")
    options = parser.parse_args()
    settings = ReadingSettings(
        limits=PATIENT, archives=True, ocr=options.ocr, passwords=tuple(options.password)
    )
    files = files_below(options.folders)

    print(f"This system: {confinement_here()}")
    different = list(differences(files, settings))
    print(f"read alike: {len(files) - len(different)} of {len(files)} files")
    for path, from_confined, from_free in different:
        print(json.dumps({"file": str(path), "confined": from_confined, "not": from_free})[:2000])

    starts: tuple[list[float], list[float]] = ([], [])
    for _ in range(options.starts):
        starts[0].append(start_seconds(START))
        starts[1].append(start_seconds(FREE))
    ratio("start of a process", *starts)
    readings: tuple[list[float], list[float]] = ([], [])
    for _ in range(options.rounds):
        readings[0].append(reading_seconds(files, settings, START))
        readings[1].append(reading_seconds(files, settings, FREE))
    ratio("reading of all", *readings)
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())

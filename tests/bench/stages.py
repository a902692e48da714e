"""Stage by stage: seconds, MB/s, and how many times a plain C program that does the same.

The engine runs as it always does (`core.find_pairs`), with a clock between its stages: once with
one thread, where seconds by the clock add up (nearly: the thread that asked joins batches while
the other works, so that "other" can fall below zero), and once with all. floor.c tokenises, hashes
and signs the same texts with one thread; it is compiled with `cc -O3 -march=native` where there is
one. "x floor" is processor seconds of our one thread over its own.

    python tests/bench/stages.py [--documents 50000 400000] [--repeat 3]

Then other texts at one size each: long documents, character shingles, texts that are not ASCII.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from corpus import generate
from find_pairs import SETTINGS, WARM_UP, read_corpus
from options import read_options
from usage import STAGES, Spent, StageClock, clocked, single_thread

from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

DOCUMENTS = (50_000, 400_000)
REPEAT = 3
LARGEST_GROWTH = 1.15  # seconds a document, the largest corpus over the smallest
COMPILE = ("cc", "-O3", "-march=native", "-o")
FLOOR = Path(__file__).with_name("floor.c")
# The stages that the floor does too; "signed" is all that makes signatures of texts.
COMPARED = {"words": "words", "shingles": "shingles", "signatures": "signatures"}
SIGNED = (
    "normal form", "code points", "words", "shingles", "gathering texts", "signatures"
)  # fmt: skip
TOTAL, SIGNED_TOTAL, OTHER = "together", "texts to signatures", "other"
CHARACTERS = ScanSettings(
    unit="char", k=9, signature_size=126, bands=42, rows=3, min_resemblance=0, compare="bands"
)
LONG_DOCUMENTS, LONG_WORDS = 200, 54_000  # about 500 KB each
CYRILLIC = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстужвхыз", strict=True))


class Timing(NamedTuple):
    """One run: seconds by stage."""

    stages: dict[str, Spent]
    missing: list[str]

    @property
    def total(self) -> Spent:
        return self.stages[TOTAL]


class Floor(NamedTuple):
    """The time of floor.c, or why there is none."""

    seconds: dict[str, float]
    reason: str = ""


def run_clocked(texts: list[str], settings: ScanSettings) -> Timing:
    """One search with a clock between its stages."""
    cpu, began = time.process_time(), time.perf_counter()
    with clocked() as clock:
        find_pairs(texts, settings)
    total = Spent(time.perf_counter() - began, time.process_time() - cpu)
    return Timing(_with_sums(clock, total), clock.missing)


def _with_sums(clock: StageClock, total: Spent) -> dict[str, Spent]:
    stages = {stage.name: clock.spent(stage.name) for stage in STAGES}
    known = [sum(column) for column in zip(*stages.values(), strict=True)]
    signed = [sum(column) for column in zip(*(stages[name] for name in SIGNED), strict=True)]
    return {
        **stages,
        OTHER: Spent(total.wall - known[0], total.cpu - known[1]),
        SIGNED_TOTAL: Spent(*signed),
        TOTAL: total,
    }


def best_run(texts: list[str], settings: ScanSettings, repeat: int) -> Timing:
    """The fastest of some runs: what others do on the machine only adds."""
    return min(
        (run_clocked(texts, settings) for _ in range(repeat)), key=lambda run: run.total.wall
    )


def run_floor(texts: list[str], settings: ScanSettings, repeat: int) -> Floor:
    """Compile floor.c and run it on these texts; the fastest of some runs."""
    if shutil.which(COMPILE[0]) is None:
        return Floor({}, f"no floor: there is no compiler {COMPILE[0]} here")
    with tempfile.TemporaryDirectory() as folder:
        program, data = Path(folder, "floor"), Path(folder, "texts")
        built = subprocess.run([*COMPILE, program, FLOOR], capture_output=True, check=False)
        if built.returncode:
            return Floor({}, "no floor: floor.c could not be compiled")
        _write_texts(data, texts)
        command = [program, data, str(settings.k), str(settings.signature_size)]
        runs = [
            [float(word) for word in subprocess.check_output(command, text=True).split()[:3]]
            for _ in range(repeat)
        ]
    best = min(runs, key=sum)
    seconds = dict(zip(COMPARED.values(), best, strict=True))
    return Floor({**seconds, SIGNED_TOTAL: sum(best), TOTAL: sum(best)})


def _write_texts(path: Path, texts: list[str]) -> None:
    """The texts as floor.c reads them."""
    encoded = [text.encode() for text in texts]
    offsets = np.zeros(len(texts) + 1, dtype=np.uint64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    with path.open("wb") as file:
        file.write(np.uint64(len(texts)).tobytes() + offsets.tobytes())
        file.writelines(encoded)


def print_stages(megabytes: float, single: Timing, every: Timing, floor: Floor) -> None:
    """The table of one corpus."""
    print(
        f"{'':<22}{'one thread':>27}{'all threads':>21}{'C floor':>10}\n"
        f"{'':<22}{'wall s':>9}{'cpu s':>9}{'MB/s':>9}{'busy s':>11}{'cpu s':>10}"
        f"{'s':>10}{'x floor':>9}"
    )
    for name, spent in single.stages.items():
        if not spent.cpu:
            continue
        throughput = f"{megabytes / spent.wall:>9,.0f}" if spent.wall > 0.0005 else f"{'-':>9}"
        seconds = floor.seconds.get(name)
        compared = f"{seconds:>10.3f}{spent.cpu / seconds:>9.1f}" if seconds else ""
        both = every.stages[name]
        line = f"{name:<22}{spent.wall:>9.3f}{spent.cpu:>9.3f}{throughput}"
        if name == OTHER:  # by the clock of many threads nothing is left over
            print(f"{line}{'':>11}{both.cpu:>10.3f}")
        else:
            print(f"{line}{both.wall:>11.3f}{both.cpu:>10.3f}{compared}")
    for name in single.missing:
        print(f"not measured, the engine has no {name}")
    if floor.reason:
        print(floor.reason)


def warm_up(texts: list[str], settings: ScanSettings) -> None:
    """Load the compiled kernels, with texts that share something and are not all ASCII."""
    find_pairs([*texts[:WARM_UP], texts[0] + " more", "“é” " + texts[0]], settings)
    with single_thread():
        find_pairs(texts[:WARM_UP], settings)


def measure(documents: int, repeat: int) -> Spent:
    """Print the stages for one size; microseconds of a document with all threads."""
    texts, _ = read_corpus(documents)
    megabytes = sum(map(len, texts)) / 1e6
    warm_up(texts, SETTINGS)
    with single_thread():
        single = best_run(texts, SETTINGS, repeat)
    every = best_run(texts, SETTINGS, repeat)
    print(f"\n{documents:,} documents, {megabytes:.0f} MB, best of {repeat}")
    print_stages(megabytes, single, every, run_floor(texts, SETTINGS, repeat))
    each = Spent(*(seconds / documents * 1e6 for seconds in every.total))
    print(
        f"a document, all threads: {each.wall:.1f} microseconds wall, {each.cpu:.1f} cpu",
        flush=True,
    )
    return each


def print_growth(sizes: list[int], each: list[Spent]) -> bool:
    """What a document costs in the largest corpus beside the smallest; whether it passes."""
    wall, cpu = each[-1].wall / each[0].wall, each[-1].cpu / each[0].cpu
    passed = cpu <= LARGEST_GROWTH
    print(
        f"\na document of {sizes[-1]:,} costs {wall:.2f} times the wall seconds and {cpu:.2f} "
        f"times the cpu seconds of one of {sizes[0]:,} (at most {LARGEST_GROWTH}): "
        f"{'PASS' if passed else 'FAIL'}"
    )
    return passed


def print_other_texts(repeat: int, documents: int) -> None:
    """Throughput where texts or shingles are of another kind."""
    texts, _ = read_corpus(documents)
    long = generate(LONG_DOCUMENTS, words=LONG_WORDS).texts
    rng = np.random.default_rng(1)
    curly = [_replace_characters(text, rng) for text in texts]
    cyrillic = [text.lower().translate(str.maketrans(CYRILLIC)) for text in texts]
    print(f"\n{'other texts':<36}{'MB':>7}{'characters':>13}{'wall s':>9}{'cpu s':>9}{'MB/s':>8}")
    for name, kind, settings in (
        ("the same texts, for comparison", texts, SETTINGS),
        (f"{len(long)} long documents", long, SETTINGS),
        ("character shingles, k = 9", texts, CHARACTERS),
        ("1 % curly quotes and hard spaces", curly, SETTINGS),
        ("Cyrillic", cyrillic, SETTINGS),
        ("Cyrillic, characters, k = 9", cyrillic, CHARACTERS),
    ):
        warm_up(kind, settings)
        total = best_run(kind, settings, repeat).total
        size = sum(len(text.encode()) for text in kind) / 1e6
        print(
            f"{name:<36}{size:>7.0f}{sum(map(len, kind)):>13,}{total.wall:>9.3f}"
            f"{total.cpu:>9.3f}{size / total.wall:>8.0f}",
            flush=True,
        )


def _replace_characters(text: str, rng: np.random.Generator) -> str:
    """A text with every hundredth character a curly quote or a no-break space."""
    characters = np.array(list(text), dtype="U1")
    positions = rng.integers(0, len(characters), len(characters) // 100 + 1)
    characters[positions] = rng.choice(["’", "“", "\u00a0"], len(positions))
    return "".join(characters.tolist())


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, documents=DOCUMENTS, repeat=REPEAT, other=20_000)
    print("\nSTAGES: 3-word shingles, 42 x 3, every candidate verified")
    sizes = sorted(arguments.documents)
    each = [measure(documents, arguments.repeat) for documents in sizes]
    passed = len(sizes) < 2 or print_growth(sizes, each)
    if arguments.other:
        print_other_texts(arguments.repeat, arguments.other)
    raise SystemExit(not passed)


if __name__ == "__main__":
    main()

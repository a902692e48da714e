"""What does text to shingles cost, script by script?

For each sample: CPU time of `shingle` in nanoseconds per character on one thread, how many times
faster two threads are by the clock, and for ASCII the stages. Samples are generated words; files
and folders of text given as arguments are measured too, as NAME=PATH.

    python tests/bench/text.py [NAME=PATH ...] [--characters 4000000] [--stem LANGUAGE]
"""

from __future__ import annotations

import argparse
import time
import unicodedata
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from core.settings import ScanSettings
from core.text.shingling import shingle

BATCH = 1 << 20
DOCUMENT = 1800  # characters
ROUNDS = 7
LATIN = "eeeeaaaiiioootttnnnsssrrrhhlldducmfpgwybvk"
LETTERS = {
    "ASCII": LATIN,
    "Latin with accents": LATIN * 2 + "éèüöäßçñ",
    "Russian": "ооооееееааааиииинннтттсссррввллккммддппууяыьгзбчйхжшюцщэфъё",
    "Greek": "αααάεεέιιίοοόηήυύωώντσςρκπλμγδβθχφξζψ",
    "Arabic": "اااللليييمممنننرررتتتببهوعدسفحكقجشصطخضذزظغثءأإآةى",
    "Arabic with vowel signs": "اللييممننررتتبهوعدسفحكقجش"
    + "\u064b\u064e\u064f\u0650\u0651\u0652" * 3,
    "Hindi": "करतसनमपवलहजदगबयशचटथभअइउ" + "\u093e\u093f\u0940\u0947\u094b\u0902\u094d" * 2,
    "Thai": "กขคงจชซญดตถทนบปพมยรลวสหอ" + "\u0e31\u0e34\u0e35\u0e38\u0e48\u0e49" + "าะเแโ",
    "Korean": "".join(map(chr, range(0xAC00, 0xD7A4, 29))),
    "Chinese": "".join(map(chr, range(0x4E00, 0x5E00, 3))),
}


def samples(characters: int) -> Iterator[tuple[str, list[str]]]:
    """Documents of every script, and of what makes normalisation work."""
    made = {name: documents(letters, characters) for name, letters in LETTERS.items()}
    english = made["ASCII"]
    yield from made.items()
    yield "English, ’ – “ ”", [text.replace(", ", "’s – “") for text in english]
    yield "English, NBSP after commas", [text.replace(", ", ",\u00a0") for text in english]
    yield (
        "English, ligatures and …",
        [text.replace("fi", "ﬁ").replace(". ", "… ") for text in english],
    )
    for name in ("Latin with accents", "Korean", "Hindi"):
        yield f"{name}, decomposed", [unicodedata.normalize("NFD", text) for text in made[name]]
    yield (
        "full width forms",
        [text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}) for text in english],
    )


def documents(letters: str, characters: int) -> list[str]:
    """Texts of words drawn from these letters, frequent words more often."""
    rng = np.random.default_rng(1)
    spaced = letters != LETTERS["Chinese"]
    words = [
        "".join(rng.choice(list(letters), rng.integers(1, 11)))
        + (" " if spaced else "，"[rng.random() < 0.8 :])
        for _ in range(20_000)
    ]
    words = [word[:-1] + ", " if rank % 13 == 5 else word for rank, word in enumerate(words)]
    text = "".join(words[rank % 20_000] for rank in rng.zipf(1.3, characters // 4))[:characters]
    return [text[start : start + DOCUMENT] for start in range(0, len(text), DOCUMENT)]


def read(path: Path) -> list[str]:
    """The texts of a file or folder."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [file.read_text("utf-8", "replace") for file in files if file.is_file()]


def batches(texts: list[str]) -> list[list[str]]:
    """Texts in lists of about a million characters."""
    found: list[list[str]] = [[]]
    total = 0
    for text in texts:
        if total > BATCH:
            found.append([])
            total = 0
        found[-1].append(text)
        total += len(text)
    return found


def fastest(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds of the fastest of some runs."""
    times = []
    for _ in range(ROUNDS):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def measure(name: str, texts: list[str], settings: ScanSettings) -> None:
    """Print the line of one sample."""
    parts = batches(texts)
    characters = sum(map(len, texts))
    shingles = sum(len(shingle(part, settings).hashes) for part in parts)

    def alone() -> None:
        for part in parts:
            shingle(part, settings)

    with ThreadPoolExecutor(2) as pool:
        cpu = fastest(alone, time.thread_time)
        one = fastest(alone, time.perf_counter)
        two = fastest(
            lambda: list(pool.map(lambda part: shingle(part, settings), parts)), time.perf_counter
        )
    wide = sum(not text.isascii() for text in texts) / len(texts)
    print(
        f"{name:32} {characters / 1e6:6.1f} M {wide:5.0%} {shingles / characters:6.2f}"
        f" {cpu / characters * 1e9:8.2f} {one / two:8.2f} x",
        flush=True,
    )


def main() -> None:
    """Measure every sample."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="NAME=PATH")
    parser.add_argument("--characters", type=int, default=4_000_000)
    parser.add_argument("--stem", default="", metavar="LANGUAGE")
    options = parser.parse_args()
    settings = ScanSettings(k=3)
    if options.stem:
        settings = settings.with_changes(language=options.stem, stem=True, drop_stop_words=True)
    start = time.perf_counter()
    shingle(["a"], settings)
    first = time.perf_counter()
    shingle(["é"], settings)
    print(
        f"first ASCII text {first - start:.3f} s, first other {time.perf_counter() - first:.3f} s"
    )
    print(f"{'sample':32} {'size':>8} {'wide':>5} {'per ch':>6} {'ns/char':>8} {'2 threads':>10}")
    if not options.paths:
        for name, texts in samples(options.characters):
            measure(name, texts, settings)
    for argument in options.paths:
        name, _, path = argument.partition("=")
        measure(name, read(Path(path)), settings)


if __name__ == "__main__":
    main()

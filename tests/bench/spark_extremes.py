"""The engine on Spark with what breaks tools of its kind: one run, its stages, what it finds.

    python tests/bench/spark_extremes.py copies      [--size 10000000]
    python tests/bench/spark_extremes.py boilerplate [--size 50000]
    python tests/bench/spark_extremes.py long        [--size 48]

`copies`: so many documents with the same text. `boilerplate`: so many advertisements, each with the
same paragraph of 20 words in its middle. `long`: two texts of so many megabytes that share 40 kB,
these 40 kB as a text of their own, and 20 short texts. Texts over 50 million characters are not
read, and a sentence in `problems` says so.

The exit status says whether all pairs were found that have to be.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from corpus import generate, vocabulary
from spark import listed_pairs, print_stages, run, write_texts

TEXT = "The tide came in before noon and the boats were gone from the harbour below the town."
PARAGRAPH = 20  # words
WORDS = 400  # of an advertisement, the median
CLEAR = 0.7  # planted resemblance from which on a pair has to be found, beside the paragraph
SHARED = 6_000  # words that both long texts have
Wanted = set[tuple[int, int]]


def copies(folder: Path, size: int) -> Wanted:
    """The same text over and over: each is to be listed with the first."""
    write_texts(folder, [TEXT] * size)
    return {(0, number) for number in range(1, size)}


def boilerplate(folder: Path, size: int) -> Wanted:
    """A paragraph in the middle of each: the planted pairs are to be found as without it."""
    texts, planted = generate(size, words=WORDS)
    paragraph = " ".join(np.random.default_rng(3).choice(vocabulary(), PARAGRAPH))
    for number, text in enumerate(texts):
        middle = text.find(" ", len(text) // 2)
        texts[number] = f"{text[:middle]} {paragraph}{text[middle:]}"
    write_texts(folder, texts)
    clear = planted.resemblance >= CLEAR
    return set(zip(planted.a[clear].tolist(), planted.b[clear].tolist(), strict=True))


def long(folder: Path, size: int) -> Wanted:
    """Texts of many megabytes: all three that share the stretch are to be listed."""
    rng = np.random.default_rng(4)
    words = vocabulary()
    weights = np.cumsum(1 / (np.arange(len(words)) + 2.7))

    def drawn(count: int) -> str:
        return " ".join(words[np.searchsorted(weights, rng.random(count) * weights[-1])])

    stretch = drawn(SHARED)
    count = size * 1_000_000 // (2 * len(stretch) // SHARED)
    texts = [f"{drawn(count)} {stretch} {drawn(count)}" for _ in range(2)]
    write_texts(folder, [*texts, stretch, *(drawn(400) for _ in range(20))])
    return {(0, 1), (0, 2), (1, 2)}


CASES: dict[str, tuple[Callable[[Path, int], Wanted], int]] = {
    "copies": (copies, 10_000_000),
    "boilerplate": (boilerplate, 50_000),
    "long": (long, 48),
}


def main() -> int:
    """Run one of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("case", choices=list(CASES))
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    make, size = CASES[options.case]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        wanted = make(folder / "texts", options.size or size)
        print_stages(run("scan", folder / "texts", folder / "run"))
        missed = wanted - listed_pairs(folder / "run")
    print(f"{len(wanted):,} pairs have to be found, {len(missed):,} were not")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

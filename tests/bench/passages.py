"""Measure the passages of a pair: time, what is found of planted copies, what is shown by chance.

    python tests/bench/passages.py [--folder FOLDER [--char] [--pairs 200]]

Without a folder, on generated texts: two of 1 MB in English-like words and in Chinese-like
characters, unrelated, copied and repetitive, from the texts to what the window draws. With a folder
of text files, on its pairs: the slowest ones from text to drawing; on those of documents drawn at
random how many passages there are, by their length; and how many sentences of 8 to 12 words (13 to
19 characters) of a third document are found when they are put into both. Times are those of the
processor, because a pair is opened on one thread.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from itertools import accumulate, combinations
from pathlib import Path

from core.evidence.passages import SharedText, find_shared_text
from core.settings import ScanSettings
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare

WORDS = ScanSettings()
CHARACTERS = ScanSettings(unit="char", k=9)
MEGABYTE = 1_000_000
NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.5, containment_b=0.5, longest_run=0, shared=0
)
SHORT = 8  # words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, help="text files; without it, generated texts")
    parser.add_argument("--char", action="store_true", help="shingles of characters")
    parser.add_argument("--pairs", type=int, default=200, help="pairs drawn at random")
    options = parser.parse_args()
    opened("one two three four five six seven", "one two three four five six seven eight", WORDS)
    opened("一二三四五六七八九十", "一二三四五六七八九十百", CHARACTERS)
    if options.folder is None:
        measure_generated()
    else:
        settings = CHARACTERS if options.char else WORDS
        texts = read(options.folder)
        measure_slowest(texts, settings, options.pairs)
        measure_chance(texts, settings, options.pairs)


def opened(a: str, b: str, settings: ScanSettings) -> tuple[SharedText, float, float]:
    """Passages of a pair, seconds to find them and seconds to lay them out."""
    began = time.process_time()
    shared = find_shared_text(a, b, settings)
    found = time.process_time()
    compare(("a", "b"), (a, b), NUMBERS, shared.passages)
    return shared, found - began, time.process_time() - found


def measure_generated() -> None:
    """One line for each kind of two long texts."""
    for name, (a, b, settings) in generated():
        shared, found, laid_out = opened(a, b, settings)
        size = " and ".join(f"{len(text.encode()) / MEGABYTE:.2f}" for text in (a, b))
        print(
            f"{name}: {size} MB, {found:.2f} s to find {len(shared.passages):,} passages, "
            f"{laid_out:.2f} s to lay them out"
        )


def generated() -> Iterator[tuple[str, tuple[str, str, ScanSettings]]]:
    """Pairs of texts of about a megabyte."""
    letters = [chr(0x4E00 + place) for place in range(3000)]
    words = [f"{chr(97 + place % 26)}word{place}" for place in range(20_000)]
    chinese = [zipf(letters, MEGABYTE // 3, seed, "") for seed in (1, 2)]
    english = [zipf(words, MEGABYTE // 8, seed, " ") for seed in (1, 2)]
    for name, (a, b), settings in (
        ("English-like", english, WORDS),
        ("Chinese-like", chinese, CHARACTERS),
    ):
        yield f"{name}, unrelated", (a, b, settings)
        yield f"{name}, half copied", (a, b[: len(b) // 2] + a[len(a) // 2 :], settings)
        yield f"{name}, edited throughout", (a, edited(a), settings)
    line = "one line of the same words again\n"
    yield "one repeated line", (line * 30_000, line * 27_000, WORDS)
    yield "two words at random", (*(zipf(["a", "b"], MEGABYTE // 2, n, " ") for n in (1, 2)), WORDS)


def zipf(alphabet: list[str], length: int, seed: int, joint: str) -> str:
    """A text whose n-th word is 1 / n as frequent as the first."""
    weights = list(accumulate(1 / place for place in range(1, len(alphabet) + 1)))
    return joint.join(random.Random(seed).choices(alphabet, cum_weights=weights, k=length))


def edited(text: str) -> str:
    """One in twenty letters replaced."""
    changes = random.Random(3)
    return "".join("x" if changes.random() < 0.05 else letter for letter in text)


def read(folder: Path) -> list[str]:
    """The texts of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.read_text(encoding="utf-8", errors="replace") for path in files]


def measure_slowest(texts: list[str], settings: ScanSettings, most: int) -> None:
    """The pairs of the longest documents, which take longest."""
    longest = sorted(texts, key=len, reverse=True)[: int((2 * most) ** 0.5) + 1]
    pairs = [opened(a, b, settings) for a, b in combinations(longest, 2)]
    seconds = sorted(found + laid_out for _, found, laid_out in pairs)
    print(
        f"{len(seconds)} pairs of the {len(longest)} longest documents "
        f"(up to {len(longest[0].encode()) / 1000:,.0f} KB): median "
        f"{statistics.median(seconds):.3f} s, slowest {seconds[-1]:.3f} s"
    )


def measure_chance(texts: list[str], settings: ScanSettings, number: int) -> None:
    """Passages of documents drawn at random, and what is found of sentences put into both."""
    draw = random.Random(1)
    passages, missed, floors = [], 0, []
    cut = sentence_of_characters if settings.unit == "char" else sentence_of_words
    usable = [text for text in texts if len(text) > 500]
    for _ in range(number):
        a, b, other = draw.sample(usable, 3)
        shared = find_shared_text(a, b, settings)
        passages += shared.passages
        floors.append(shared.floor.tokens)
        missed += not is_found(a, b, cut(other, draw), draw, settings)
    short = sum(passage.tokens < SHORT for passage in passages)
    print(
        f"{number} pairs drawn at random: {len(passages) / number:.2f} passages a pair, "
        f"{short / number:.2f} of them shorter than {SHORT}; floor about "
        f"{statistics.median(floors):g}; {missed} of {number} copied sentences are not found"
    )


def sentence_of_words(text: str, draw: random.Random) -> str:
    words, length = text.split(), draw.randint(8, 12)
    start = draw.randrange(max(len(words) - length, 1))
    return " ".join(words[start : start + length])


def sentence_of_characters(text: str, draw: random.Random) -> str:
    letters, length = "".join(text.split()), draw.randint(13, 19)
    start = draw.randrange(len(letters) - length)
    return letters[start : start + length]


def is_found(a: str, b: str, sentence: str, draw: random.Random, settings: ScanSettings) -> bool:
    """Whether a sentence that is put into two texts is marked in A, but for its ends."""
    (whole_a, start), (whole_b, _) = (put_into(text, sentence, draw) for text in (a, b))
    return any(
        run.a_start <= start + 0.2 * len(sentence) and run.a_end >= start + 0.8 * len(sentence)
        for passage in find_shared_text(whole_a, whole_b, settings).passages
        for run in passage.runs
    )


def put_into(text: str, sentence: str, draw: random.Random) -> tuple[str, int]:
    """A text with a sentence in a line of its own, and where it begins."""
    end = text.find("\n", draw.randrange(len(text)))
    end = len(text) if end < 0 else end
    return f"{text[:end]}\n{sentence}\n{text[end:]}", end + 1


if __name__ == "__main__":
    main()

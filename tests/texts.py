"""Folders of texts, as many tests need them."""

import csv
import math
from collections.abc import Mapping
from pathlib import Path
from random import Random

import numpy as np

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)

NO_FILES: Mapping[str, str | bytes] = {}


def folder_with(folder: Path, files: Mapping[str, str | bytes] = NO_FILES) -> Path:
    """Make a folder with these texts and files, by their names, which may lie in folders of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def copies_with_changes(documents: int = 12, *, seed: int = 1) -> list[str]:
    """Documents, and after each a copy of which more and more words are replaced."""
    rng, length = np.random.default_rng(seed), 120
    texts = []
    for number in range(documents):
        words = [f"w{word}" for word in rng.integers(0, 5000, length)]
        texts.append(" ".join(words))
        for offset in rng.choice(length, 3 * number, replace=False):
            words[offset] = f"new{rng.integers(10**9)}"
        texts.append(" ".join(words))
    return texts


def folder_of_copies(
    folder: Path, documents: int, *, seed: int = 1, names: tuple[str, str] = ("a", "b")
) -> Path:
    """Make a folder of them."""
    files = [f"{number:02}{name}.txt" for number in range(documents) for name in names]
    texts = copies_with_changes(documents, seed=seed)
    return folder_with(folder, dict(zip(files, texts, strict=True)))


def rows_of_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a table that was written, by the names of their columns."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def words(rng: Random, count: int) -> str:
    """So many words of any letters."""
    return " ".join(
        "".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(count)
    )


def zipf_words(count: int, seed: int) -> list[str]:
    """Words of which few are frequent and most are rare, as in a language (Zipf)."""
    rng = Random(seed)
    syllables = ("ba", "do", "fe", "gi", "ku", "la", "mo", "ne", "pi", "ru")
    ranks = [int(math.exp(rng.uniform(0, math.log(1000)))) for _ in range(count)]
    return ["".join(syllables[int(digit)] for digit in f"{rank:03}") for rank in ranks]


def written_text(write, path, report):
    """What is in a file once a report is written to it."""
    write(path, report)
    return path.read_text(encoding="utf-8")

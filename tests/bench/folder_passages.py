"""Measure how long the passages of a folder take, from a scan that is complete.

    python tests/bench/folder_passages.py [--documents 1000] [--words 400] [--kind essays]

`essays` are words drawn at random; half have one form, a fifth a reading list of twenty, a fifth a
part of an earlier essay. `versions` are fifty edits each of some essays: nearly all is shared.
`logs` are each other's beginnings, the worst case for passages inside each other. Of each: the time
to find the passages, the best of the repetitions in milliseconds, how many there are, and the time
to count in how many documents three spans stand, as “Why this pair” does.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.tasks import worker_count
from core.passages import Folder, find_holders, find_shared_passages
from core.settings import ScanSettings
from core.signatures.winnowing import winnow
from core.text.store import TextStore

SETTINGS = ScanSettings()
AT_ONCE = 1000


def essays(rng: random.Random, words: list[str], count: int, length: int) -> list[list[str]]:
    """Essays that share what essays share."""
    form, lists = rng.choices(words, k=80), [rng.choices(words, k=120) for _ in range(20)]
    made: list[list[str]] = []
    for _ in range(count):
        own = form * (rng.random() < 0.5) + rng.choices(words, k=length)
        if made and rng.random() < 0.2:
            own += rng.choice(made)[100:200]
        made.append(own + rng.choice(lists) * (rng.random() < 0.2))
    return made


def versions(rng: random.Random, words: list[str], count: int, length: int) -> list[list[str]]:
    """Edits of some essays, with one word in a hundred changed."""
    parents = [rng.choices(words, k=length) for _ in range(max(1, count // 50))]
    made = [list(rng.choice(parents)) for _ in range(count)]
    for own in made:
        for _ in range(length // 100):
            own[rng.randrange(length)] = rng.choice(words)
    return made


def logs(rng: random.Random, words: list[str], count: int, length: int) -> list[list[str]]:
    """Texts that grow, each with an end of its own."""
    whole = rng.choices(words, k=length * count // 8)
    step = len(whole) // count
    return [whole[: step * (number + 1)] + rng.choices(words, k=40) for number in range(count)]


KINDS = {"essays": essays, "versions": versions, "logs": logs}


def folder_of(texts: list[str], pool: ThreadPoolExecutor) -> Folder:
    """A folder as a scan has it."""
    store = TextStore()
    store.extend(texts)
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(texts), AT_ONCE)]
    prints = [winnow(store.shingles(part, SETTINGS), SETTINGS) for part in parts]
    fingerprints = type(prints[0]).join(prints)
    ones = np.ones(len(texts), dtype=np.int64)
    return Folder(store, SETTINGS, fingerprints, ones, ones > 0, pool)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--kind", choices=KINDS, default="essays")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randrange(2, 10))) for _ in range(20000)]
    texts = [" ".join(own) for own in KINDS[given.kind](rng, words, given.documents, given.words)]
    print(f"{given.kind}: {len(texts):,} documents, {sum(map(len, texts)) / 1e6:,.1f} MB")
    with ThreadPoolExecutor(worker_count()) as pool:
        find_shared_passages(folder_of(texts[:3] * 2, pool), SETTINGS)
        folder = folder_of(texts, pool)
        times, rare = [], []
        for _ in range(given.repeat):
            begun = time.perf_counter()
            found = find_shared_passages(folder, SETTINGS)
            times.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            spans = [[(0, 100)], [(0, 300)], [(200, 600)]]
            find_holders(folder.texts, 0, spans, 10, SETTINGS, folder.copies, pool)
            rare.append(time.perf_counter() - begun)
    print(f"{len(found):,} passages in {1000 * min(times):,.0f} ms")
    print(f"three spans counted in {1000 * min(rare):,.0f} ms")


if __name__ == "__main__":
    main()

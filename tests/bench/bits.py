"""Hold the forecast of what every distance of SimHash misses against exact truth.

    python tests/bench/bits.py --data FOLDER [--settings 50] [--more 500]

FOLDER holds corpora as NAME/docs; skewed folders are made here (see `estimate.py`). Of every corpus
all pairs are compared exactly. Then pairs are listed by bits and passages, without comparing all,
under random distances, weights, thresholds and seeds, and what another distance would miss, alone
and with passages, and compare for nothing is forecast. "Covered" is the share of settings whose
95 % interval, in whole pairs, holds the true number; "open" counts those in which something was
missed beyond what was measured. These corpora are small: 20,000 pairs more, as in a scan, would be
most that there are, so fewer are measured (`--more`). Most pairs that bits miss are known all the
same, because they share a passage; `--no-passages` takes that away. What is left is the hardest
case: weights of texts that repeat a line a hundred times put pairs so far apart that no signature
tells of them.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from estimate import corpora, holds, share, sign_all

from core.base.arrays import Estimate
from core.base.tasks import worker_count
from core.candidates.all_pairs import FEASIBLE, AllPairs
from core.evidence.pairs import split_codes
from core.scan import measured_pairs
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_bits
from core.settings import MAX_DISTANCE, ScanSettings
from core.signatures.methods import hamming_distance
from core.text.store import TextStore

WEIGHTS = ("tf", "tf", "unweighted", "tf-idf")
NO_PASSAGE = 10_000  # words
PER_SEED = 5  # settings that share signatures


class Trial(NamedTuple):
    """A forecast and the truth, each of bits alone, with passages, and compared for nothing."""

    settings: ScanSettings
    distance: int
    least: float
    reach: int
    beyond: int
    forecast: tuple[Estimate, Estimate, Estimate | None]
    truth: tuple[int, int, int]


def random_settings(
    changes: dict[str, object], count: int, seed: int, *, passages: bool
) -> list[ScanSettings]:
    """Distances, weights, thresholds and seeds as somebody might choose them."""
    rng = np.random.default_rng(seed)
    return [
        ScanSettings(
            **changes,
            signature="simhash",
            weights=WEIGHTS[number // PER_SEED % len(WEIGHTS)],
            max_distance=int(rng.integers(0, MAX_DISTANCE + 1)),
            min_resemblance=round(float(rng.uniform(0.05, 0.95)), 2),
            seed=1 + number // PER_SEED,
            compare="bands",
            reworked="off",
            min_passage=None if passages else NO_PASSAGE,
        )
        for number in range(count)
    ]


def trials(texts: list[str], choices: list[ScanSettings], seed: int) -> list[Trial]:
    """A forecast and the truth for each choice of settings."""
    store = TextStore()
    store.adopt(texts, np.array([len(text) for text in texts], dtype=np.int64))
    results: list[Trial] = []
    truth: AllPairs | None = None
    rng = np.random.default_rng([seed, 1])
    with ThreadPoolExecutor(worker_count()) as pool:
        for settings in choices:
            corpus = Corpus(settings, pool)
            corpus.adopt(store)
            corpus.append(sign_all(texts, settings, pool))
            truth = truth or corpus.all_pairs(FEASIBLE)
            PairLister(corpus).list_pairs(settings)
            asked = settings.max_distance
            if rng.random() < 0.5:
                asked = int(rng.integers(0, MAX_DISTANCE + 1))
            trial = held(corpus, settings, asked, truth)
            results += [trial] if trial else []
    return results


def held(corpus: Corpus, settings: ScanSettings, asked: int, truth: AllPairs) -> Trial | None:
    """A forecast held against the truth; None where nothing is forecast."""
    known = known_bits(corpus, settings)
    forecast = known.forecast(settings.min_resemblance, asked) if known else None
    if known is None or forecast is None:
        return None
    signatures = corpus.signed.signatures
    codes = truth.codes[truth.resemblance >= forecast.least]
    x, y = split_codes(codes)
    distance = hamming_distance(signatures, x, y)
    copies = np.bincount(corpus.representatives(), minlength=len(corpus))
    copies[copies > 30] = 1
    counts = copies[x] * copies[y]
    shares = np.isin(codes, corpus.shared_passages().codes, assume_unique=True)
    rows = corpus.distinct()
    one, other = (rows[side] for side in np.triu_indices(len(rows), 1))
    candidates = int((hamming_distance(signatures, one, other) <= asked).sum())
    unmet = distance > asked
    return Trial(
        settings,
        asked,
        forecast.least,
        known.reach,
        int(counts[(distance > known.reach) & ~shares].sum()),
        (forecast.by_bands, forecast.listed, known.extra_below(forecast.least, asked)),
        (
            int(counts[unmet].sum()),
            int(counts[unmet & ~shares].sum()),
            candidates - int((~unmet).sum()),
        ),
    )


def summary(name: str, results: list[Trial]) -> str:
    """One line of the table."""
    columns = []
    for side in range(3):
        hits = [holds(one.forecast[side] or Estimate(0, 0, 0), one.truth[side]) for one in results]
        unknown = [hit for hit, one in zip(hits, results, strict=True) if one.beyond]
        columns.append(f"{share(hits):>7} {len(unknown):4} {share(unknown):>7}")
    least = np.median([one.least for one in results]) if results else 0
    return f"{name:<12} {len(results):5}  {least:.2f}   {'   '.join(columns)}"


def line(one: Trial) -> str:
    """One forecast."""
    sides = [
        f"{truth:7,} in {told.expected:9,.1f} ({told.low:8,.1f} to {told.high:9,.1f}) "
        f"{'' if holds(told, truth) else 'OUT'}"
        for told, truth in zip(one.forecast, one.truth, strict=True)
        if told
    ]
    settings = one.settings
    start = f"  {settings.weights:>10} d = {settings.max_distance} {one.distance} H = {one.reach:2}"
    return f"{start} {settings.min_resemblance:.2f} {one.least:.2f}  {'  |  '.join(sides)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder of corpora NAME/docs")
    parser.add_argument("--settings", type=int, default=50)
    parser.add_argument("--more", type=int, default=500, help="pairs measured beyond the list")
    parser.add_argument("--no-passages", action="store_true", help="list by bits alone")
    parser.add_argument("--only", help="one corpus")
    parser.add_argument("--each", action="store_true", help="print every forecast")
    options = parser.parse_args()
    measured_pairs.MEASURED_MORE = options.more
    print(f"{'':26}{'bits alone':>18}   {'bits and passages':>20}   {'for nothing':>20}")
    print(f"{'corpus':<12} told  from   {'   '.join(['covered open covered'] * 3)}")
    everything: list[Trial] = []
    for place, (name, (texts, changes)) in enumerate(corpora(options.data).items()):
        if options.only in {None, name}:
            passages = not options.no_passages
            choices = random_settings(changes, options.settings, place, passages=passages)
            results = trials(texts, choices, place)
            for one in results if options.each else ():
                print(line(one))
            print(summary(name, results), flush=True)
            everything += results
    print(summary("all", everything))


if __name__ == "__main__":
    main()

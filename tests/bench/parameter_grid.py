"""Hold what is said of settings that were not tried against exact truth, and time it.

    python tests/bench/parameter_grid.py --data FOLDER [--settings 50] [--others 1]
    python tests/bench/parameter_grid.py --speed 10000

FOLDER holds corpora as NAME/docs; skewed folders are made here, as for `estimate.py`. Of every
corpus all pairs are compared exactly. Then pairs are listed by bands and passages under random
settings, and of other random bands and rows it is said what they would do. "Covered" is the share
of these whose 95 % interval, in whole pairs, holds the true number; "open" counts those where
something was estimated and there is something to find. "Curve" is the same for pairs missed of the
forecast that knows the curve and not which known pairs the other bands meet.

The second line times the grid of a folder of so many made documents, and what is asked of it.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from estimate import corpora, holds, random_settings, sign_all, skewed_texts

from core.base.arrays import Estimate, Float64Array, Int64Array
from core.base.tasks import worker_count
from core.candidates.all_pairs import FEASIBLE, AllPairs
from core.candidates.bands import meet_in_a_band
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs, measured_grid
from core.settings import ScanSettings
from core.text.store import TextStore

NUMBERS = ("missed", "by bands", "extra", "candidates", "curve")


class Held(NamedTuple):
    """What was said of one setting and what is true: by name an interval and a number."""

    said: dict[str, Estimate]
    true: dict[str, int]


class Truth(NamedTuple):
    """All pairs of a corpus that share anything: int64 (n,) documents, copies, exact numbers."""

    x: Int64Array
    y: Int64Array
    resemblance: Float64Array
    copies: Int64Array
    shares: Int64Array


def truth_of(corpus: Corpus, every: AllPairs) -> Truth:
    """All pairs, each counted as often as its documents have copies."""
    x, y = split_codes(every.codes)
    copies = np.bincount(corpus.representatives(), minlength=len(corpus))
    copies[copies > 30] = 1
    shares = np.isin(every.codes, corpus.shared_passages().codes, assume_unique=True)
    return Truth(x, y, every.resemblance, copies[x] * copies[y], shares)


def trials(texts: list[str], choices: list[ScanSettings], others: int) -> list[Held]:
    """Lists under some settings, and of each what is said of other bands and rows."""
    store = TextStore()
    store.adopt(texts, np.array([len(text) for text in texts], dtype=np.int64))
    found: list[Held] = []
    every: AllPairs | None = None
    seed = 0
    rng = np.random.default_rng(len(texts))
    with ThreadPoolExecutor(worker_count()) as pool:
        for settings in choices:
            if settings.seed != seed:
                seed, signed = settings.seed, sign_all(texts, settings, pool)
            corpus = Corpus(settings, pool)
            corpus.adopt(store)
            corpus.append(signed)
            if every is None:
                every = corpus.all_pairs(FEASIBLE)
            PairLister(corpus).list_pairs(settings)
            truth = truth_of(corpus, every)
            drawn = random_settings({}, others, int(rng.integers(1 << 30)))
            found += [held(corpus, settings, (one.bands, one.rows), truth) for one in drawn]
    return found


def held(corpus: Corpus, settings: ScanSettings, choice: tuple[int, int], truth: Truth) -> Held:
    """What is said of bands and rows, and what they do."""
    grid = measured_grid(corpus, settings)
    floor = settings.min_resemblance
    told = grid.forecast(floor, *choice)
    met = meet_in_a_band(corpus.signed.signatures, truth.x, truth.y, *choice)
    said = {"extra": told.extra, "candidates": told.candidates}
    true = {"extra": int((met & (truth.resemblance < floor)).sum()), "candidates": int(met.sum())}
    if not np.isnan(told.missed.expected):
        above = truth.resemblance >= told.least
        said |= {"missed": told.missed, "by bands": told.missed_by_bands}
        true["by bands"] = int(truth.copies[above & ~met].sum())
        true["missed"] = int(truth.copies[above & ~met & ~truth.shares].sum())
        curve = known_pairs(corpus, settings).forecast(floor, choice)
        if not told.certain and curve.least == told.least:
            said["curve"], true["curve"] = curve.missed, true["missed"]
    return Held(said, true)


def summary(name: str, results: list[Held]) -> str:
    """One line of the table."""
    cells = []
    for number in NUMBERS:
        known = [(one.said[number], one.true[number]) for one in results if number in one.said]
        hits = [holds(*one) for one in known]
        is_open = [said.high > said.low and true > 0 for said, true in known]
        open_hits = [hit for hit, some in zip(hits, is_open, strict=True) if some]
        cells.append(f"{share(hits)} {len(open_hits):4}{share(open_hits)}")
    return f"{name:<11}{len(results):4} {'  '.join(cells)}"


def share(hits: list[bool]) -> str:
    """A share in percent, or nothing."""
    return f"{np.mean(hits):6.0%}" if hits else f"{'':6}"


def show(result: Held) -> str:
    """What was said of one setting."""
    cells = []
    for number, said in result.said.items():
        true = result.true[number]
        mark = "" if holds(said, true) else " OUT"
        cells.append(
            f"{number} {true} in {said.expected:.1f} ({said.low:.1f}, {said.high:.1f}){mark}"
        )
    return "   " + "; ".join(cells)


def speed(documents: int) -> None:
    """Time the grid of made documents."""
    texts: list[str] = []
    while len(texts) < documents:
        texts += skewed_texts(len(texts))
    settings = ScanSettings(compare="bands")
    with ThreadPoolExecutor(worker_count()) as pool:
        corpus = Corpus(settings, pool)
        corpus.add(texts[:documents], sign_all(texts[:documents], settings, pool))
        for name in ("first", "again"):
            corpus.tried.clear()
            PairLister(corpus).list_pairs(settings)
            began = time.perf_counter()
            known_pairs(corpus, settings)
            known = time.perf_counter()
            grid = measured_grid(corpus, settings)
            print(
                f"{name}: {documents:,} documents, {len(corpus.evidence):,} known pairs: grid in "
                f"{time.perf_counter() - known:.2f} s, of that {known - began:.2f} s for what the "
                "list's forecast knows"
            )
        took = []
        for floor in np.arange(1000) / 1000:
            began = time.perf_counter()
            grid.at(float(floor))
            took.append(time.perf_counter() - began)
        print(f"at(): {np.median(took) * 1000:.2f} ms, 95 % {np.quantile(took, 0.95) * 1000:.2f}")
        began = time.perf_counter()
        grid.larger(0.1)
        print(f"larger(): {(time.perf_counter() - began) * 1000:.1f} ms")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="a folder of corpora NAME/docs")
    parser.add_argument("--settings", type=int, default=50)
    parser.add_argument("--others", type=int, default=1, help="other bands and rows for each list")
    parser.add_argument("--each", action="store_true", help="print everything that was said")
    parser.add_argument("--only", help="one corpus")
    parser.add_argument("--speed", type=int, help="documents")
    options = parser.parse_args()
    if options.speed:
        speed(options.speed)
        return
    print(f"{'':16}{'  '.join(f'{name:>16}' for name in NUMBERS)}")
    print(f"{'corpus':<11}said {'  '.join(['covered open cov.'] * len(NUMBERS))}")
    everything: list[Held] = []
    for place, (name, (texts, changes)) in enumerate(corpora(options.data).items()):
        if options.only and options.only != name:
            continue
        choices = random_settings(changes, options.settings, place)
        results = trials(texts, choices, options.others)
        if options.each:
            print(*map(show, results), sep="\n")
        print(summary(name, results), flush=True)
        everything += results
    print(summary("all", everything))


if __name__ == "__main__":
    main()

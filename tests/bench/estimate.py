"""Hold the forecast of missed pairs against exact truth.

    python tests/bench/estimate.py --data FOLDER [--settings 50] [--session 1]

FOLDER holds corpora as NAME/docs; skewed folders, some large families among documents that have
nothing in common, are made here. Of every corpus all pairs are compared exactly. Then pairs are
listed by bands and passages, without comparing all, under random bands, rows, thresholds and seeds,
and what bands alone and what bands with passages miss is forecast. "Covered" is the share of
settings whose 95 % interval, in whole pairs, holds the true number; "open" counts those in which
something was missed and not all pairs were known anyway. Settings for which nothing can be said are
left out. With `--session N` each forecast knows what the N - 1 lists before it have measured.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from options import NEEDED, read_options

from core.base.arrays import Estimate
from core.base.tasks import batches, worker_count
from core.candidates.all_pairs import FEASIBLE, AllPairs
from core.candidates.bands import agree_in_a_band
from core.candidates.forecast import KnownPairs
from core.evidence.pairs import split_codes
from core.scan.corpus import Corpus
from core.scan.flow import scan
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.store import TextStore

CORPORA = {
    "bills": {},
    "clough": {},
    "contracts": {},
    "terms": {},
    "licenses": {},
    "progit_ru": {},
    "laws_zh": {"unit": "char", "k": 8},
    "udhr": {"unit": "char", "k": 6},
}
SKEWED = 3  # folders
PER_SEED = 5  # settings that share signatures
MOST_ROWS = 8


class Trial(NamedTuple):
    """A forecast and the truth."""

    name: str
    settings: ScanSettings
    least: float
    there: float
    certain: bool
    bands: Estimate
    missed_by_bands: int
    listed: Estimate
    not_listed: int


def corpora(data: Path) -> dict[str, tuple[list[str], dict[str, object]]]:
    """The texts of all corpora and the settings they need, by name."""
    texts_and_changes = {}
    for name, changes in CORPORA.items():
        result = scan([data / name / "docs"], ScanSettings(**changes))
        result.close()
        texts_and_changes[name] = (list(result.texts), changes)
    for number in range(SKEWED):
        texts_and_changes[f"skewed {number + 1}"] = (skewed_texts(number), {})
    return texts_and_changes


def skewed_texts(seed: int) -> list[str]:
    """Families of rewritten texts, few of them large, among texts of their own."""
    rng = np.random.default_rng(seed)
    texts = []
    for size in (90, 40, 12, *[2] * 40, *[1] * 150):
        first = rng.integers(0, 30_000, 250)
        for _ in range(size):
            words_of_text = first.copy()
            is_changed = rng.random(250) < rng.uniform(0.0, 0.6)
            words_of_text[is_changed] = rng.integers(0, 30_000, int(is_changed.sum()))
            texts.append(" ".join(f"w{word}" for word in words_of_text))
    return texts


def random_settings(changes: dict[str, object], count: int, seed: int) -> list[ScanSettings]:
    """Bands, rows, thresholds and seeds as a user might choose them."""
    rng = np.random.default_rng(seed)
    chosen = []
    for number in range(count):
        rows = int(rng.integers(1, MOST_ROWS + 1))
        most = 128 // rows
        chosen.append(
            ScanSettings(
                **changes,
                bands=int(rng.integers(max(1, most // 4), most + 1)),
                rows=rows,
                min_resemblance=round(float(rng.uniform(0.05, 0.6)), 2),
                seed=1 + number // PER_SEED,
                compare="bands",
                reworked="off",
            )
        )
    return chosen


def trials(name: str, texts: list[str], choices: list[ScanSettings], session: int) -> list[Trial]:
    """A forecast and the truth for each choice of settings."""
    store = TextStore()
    store.adopt(texts, np.array([len(text) for text in texts], dtype=np.int64))
    results: list[Trial] = []
    truth: AllPairs | None = None
    corpus: Corpus | None = None
    seed = 0
    with ThreadPoolExecutor(worker_count()) as pool:
        for number, settings in enumerate(choices):
            if settings.seed != seed:
                seed, signed = settings.seed, sign_all(texts, settings, pool)
            if corpus is None or number % session == 0 or corpus.settings.seed != seed:
                corpus = Corpus(settings, pool)
                corpus.adopt(store)
                corpus.append(signed)
            if truth is None:
                truth = corpus.all_pairs(FEASIBLE)
            PairLister(corpus).list_pairs(settings)
            trial = held(name, corpus, settings, known_pairs(corpus, settings), truth)
            results += [trial] if trial else []
    return results


def sign_all(texts: list[str], settings: ScanSettings, pool: ThreadPoolExecutor) -> SignedTexts:
    """The signatures of all texts."""
    parts = [texts[part] for part in batches([len(text) for text in texts])]
    return SignedTexts.join(list(pool.map(lambda part: sign_texts(part, settings), parts)))


def held(
    name: str, corpus: Corpus, settings: ScanSettings, known: KnownPairs, truth: AllPairs
) -> Trial | None:
    """A forecast held against the truth; None where nothing is forecast."""
    forecast = known.forecast(settings.min_resemblance)
    if not forecast.is_known:
        return None
    codes = truth.codes[truth.resemblance >= forecast.least]
    x, y = split_codes(codes)
    unmet = ~agree_in_a_band(corpus.signed.signatures, x, y, settings.bands, settings.rows)
    copies = np.bincount(corpus.representatives(), minlength=len(corpus))
    copies[copies > 30] = 1
    counts = copies[x] * copies[y]
    shares = np.isin(codes, corpus.shared_passages().codes, assume_unique=True)
    return Trial(
        name,
        settings,
        forecast.least,
        forecast.total,
        forecast.certain,
        forecast.missed_by_bands,
        int(counts[unmet].sum()),
        forecast.missed,
        int(counts[unmet & ~shares].sum()),
    )


def holds(estimate: Estimate, truth: int) -> bool:
    """Whether the interval, in whole pairs, holds the true number."""
    return math.floor(estimate.low + 1e-9) <= truth <= math.ceil(estimate.high - 1e-9)


def summary(name: str, results: list[Trial]) -> str:
    """One line of the table."""
    bands = [holds(result.bands, result.missed_by_bands) for result in results]
    listed = [holds(result.listed, result.not_listed) for result in results]
    open_bands = [
        hit for hit, result in zip(bands, results, strict=True) if is_open(result, result.bands)
    ]
    open_listed = [
        hit for hit, result in zip(listed, results, strict=True) if is_open(result, result.listed)
    ]
    return (
        f"{name:<12} {len(results):5}   {np.mean(bands):7.1%} {len(open_bands):5} "
        f"{share(open_bands)}   {np.mean(listed):7.1%} {len(open_listed):5} {share(open_listed)}"
    )


def is_open(trial: Trial, estimate: Estimate) -> bool:
    """Whether there was something to estimate, and something missed."""
    missed = trial.missed_by_bands if estimate is trial.bands else trial.not_listed
    return not trial.certain and missed > 0


def share(hits: list[bool]) -> str:
    """A share in percent, or nothing."""
    return f"{np.mean(hits):7.1%}" if hits else f"{'':7}"


def main() -> None:
    """Print the table."""
    options = read_options(__doc__, data=NEEDED, settings=50, session=1)
    print(f"{'':20}{'bands alone':>22}   {'bands and passages':>22}")
    print(f"{'corpus':<12} told   covered  open covered   covered  open covered")
    everything: list[Trial] = []
    for seed, (name, (texts, changes)) in enumerate(corpora(options.data).items()):
        choices = random_settings(changes, options.settings, seed)
        results = trials(name, texts, choices, options.session)
        print(summary(name, results), flush=True)
        everything += results
    print(summary("all", everything))


if __name__ == "__main__":
    main()

"""Texts in memory to verified pairs: time by stage, throughput, memory and recall.

3-word shingles, 42 bands of 3 rows, the exact resemblance of every candidate. Compilation and
reading the corpus are not timed. Memory is what the search needs at its peak beyond the texts.
Recall is that of the planted pairs, by their exact resemblance, beside what the S-curve promises.

    python tests/bench/find_pairs.py [--documents 10000 50000] [--repeat 3]

400,000 documents take 4 GB of memory, texts included. Other programs run beside this one, on one
corpus and in turns, with the scripts that accompany the repository:

    python ../shared/checks/gen_corpus.py 50000 corpus.jsonl
    PYTHONPATH=. python ../shared/checks/bench_pairs.py corpus.jsonl --peer-python PYTHON
"""

import json
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from corpus import Planted, generate
from options import read_options
from usage import in_fresh_process, measured

from core.base.arrays import Float64Array
from core.base.tasks import batches, worker_count
from core.candidates.scurve import candidate_probability
from core.evidence.pairs import FoundBy, Pairs
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.settings import ScanSettings
from core.signatures.signing import sign_texts

SETTINGS = ScanSettings(
    k=3, signature_size=126, bands=42, rows=3, min_resemblance=0, compare="bands"
)
DOCUMENTS = (10_000, 50_000)
REPEAT = 3
WARM_UP = 200
BINS = np.linspace(0, 1, 11)


class Run(NamedTuple):
    """One search: seconds by stage, and what came of it."""

    signing: float
    listing: float
    corpus: Corpus
    pairs: Pairs

    @property
    def total(self) -> float:
        """Seconds of all stages."""
        return self.signing + self.listing


def search(texts: list[str], pool: ThreadPoolExecutor) -> Run:
    """What `core.find_pairs` does, with a clock between its stages."""
    began = time.perf_counter()
    corpus = Corpus(SETTINGS, pool)
    parts = [texts[part] for part in batches([len(text) for text in texts])]
    signed_parts = pool.map(lambda part: sign_texts(part, SETTINGS), parts)
    for part, signed in zip(parts, signed_parts, strict=True):
        corpus.add(part, signed)
    signed_at = time.perf_counter()
    pairs = PairLister(corpus).list_pairs(SETTINGS).pairs
    return Run(signed_at - began, time.perf_counter() - signed_at, corpus, pairs)


def write_corpus(path: Path, documents: int) -> Planted:
    """Generate in a separate process, so that its memory does not count."""
    corpus = generate(documents)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in corpus.texts)
    return corpus.planted


def read_corpus(documents: int) -> tuple[list[str], Planted]:
    """The texts and the planted pairs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.jsonl")
        planted = in_fresh_process(write_corpus, path, documents)
        with path.open(encoding="utf-8") as file:
            return [json.loads(line) for line in file], planted


def exact_resemblance(run: Run, planted: Planted) -> Float64Array:
    """The resemblance that the planted pairs really have."""
    shared = run.corpus.evidence.measured(planted.a, planted.b).shared
    sizes = run.corpus.evidence.sizes()
    return shared / (sizes[planted.a] + sizes[planted.b] - shared)


def print_recall(run: Run, planted: Planted) -> None:
    """Share of the planted pairs found, in all and by bands, beside the S-curve."""
    resemblance = exact_resemblance(run, planted)
    count = len(run.corpus)
    codes = run.pairs.a.astype(np.int64) * count + run.pairs.b
    planted_codes = planted.a * count + planted.b
    is_listed = np.isin(planted_codes, codes)
    by_bands = np.isin(planted_codes, codes[run.pairs.found_by != FoundBy.PASSAGE])
    curve = candidate_probability(resemblance, SETTINGS.bands, SETTINGS.rows)
    print(f"\n{'resemblance':>14}{'planted':>10}{'recall':>10}{'bands':>10}{'S-curve':>10}")
    for low, high in pairwise(BINS):
        inside = (resemblance >= low) & ((resemblance < high) | (high == 1))
        if inside.any():
            print(
                f"{f'{low:.1f} to {high:.1f}':>14}{inside.sum():>10,}"
                f"{is_listed[inside].mean():>10.4f}{by_bands[inside].mean():>10.4f}"
                f"{curve[inside].mean():>10.4f}"
            )


def measure(documents: int, repeat: int) -> None:
    """Search a corpus some times and print medians."""
    texts, planted = read_corpus(documents)
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    with ThreadPoolExecutor(worker_count()) as pool:
        search(texts[:WARM_UP], pool)
        with measured() as usage:
            runs = [search(texts, pool)]
        runs += [search(texts, pool) for _ in range(repeat - 1)]
        total = statistics.median(run.total for run in runs)
        print(
            f"\n{documents:,} documents, {megabytes:.0f} MB, median of {repeat}\n"
            f"{'text to signatures':>22}{statistics.median(run.signing for run in runs):>10.3f} s\n"
            f"{'bands and evidence':>22}{statistics.median(run.listing for run in runs):>10.3f} s\n"
            f"{'together':>22}{total:>10.3f} s   best {min(run.total for run in runs):.3f} s\n"
            f"{'throughput':>22}{megabytes / total:>10.0f} MB/s   "
            f"{documents / total:,.0f} documents/s\n"
            f"{'peak memory':>22}{usage[0].peak:>10.0f} MB beyond the texts\n"
            f"{'verified pairs':>22}{len(runs[0].pairs):>10,}"
        )
        print_recall(runs[0], planted)


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, documents=DOCUMENTS, repeat=REPEAT)
    print("\nFIND PAIRS: 3-word shingles, 42 x 3, every candidate verified")
    for documents in arguments.documents:
        measure(documents, arguments.repeat)


if __name__ == "__main__":
    main()

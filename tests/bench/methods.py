"""Methods and settings compared on corpora of which the truth is known, as Markdown tables.

`--data` is a folder with a folder for each corpus: documents in `docs`, labelled pairs in
`truth.csv` (columns doc_a, doc_b, label). Nothing of it is part of this repository.

Recall is the share found of all pairs with an exact resemblance of at least .5 or .3 by the usual
shingles (5 words, sets), and of the pairs labelled as copies. Precision is the share of the pairs
shown at .3 or more that reach .3 by the usual shingles, and, of the labelled pairs that are shown,
the share labelled as copies; "-" where no label says no. The resemblance shown is exact for the
shingles of its own method. Seconds are those of the whole search; passages alone are found
together with the bands. Cost is measured on generated documents, each method in a process of its
own.

    python tests/bench/methods.py --data FOLDER [--corpora NAME ...] [--documents 20000]
"""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from corpus import generate
from options import NEEDED, Among, read_options
from usage import Usage, in_fresh_process, measured

from core.base.arrays import Float64Array, Int64Array
from core.base.setting import settings_of
from core.evidence.pairs import FoundBy, Pairs
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

SETTINGS = settings_of(ScanSettings)
DOCUMENTS = 20_000
WARM_UP = 20  # texts that are searched before, so that no compiled kernel is loaded meanwhile
USUAL = ScanSettings(compare="bands")  # what methods find, not what comparing all does
# Labels that do not call a pair a copy, by corpus; nothing else is a copy of bills than 2 to 4.
NOT_COPIES = {"bills": {"0", "1"}, "clough": {"non"}, "terms": {"other_language"}}
CORPORA = ("bills", "clough", "terms", "licenses", "laws_zh", "progit_ru", "contracts")
LEVELS = (0.5, 0.3)
HEADINGS = ("pairs", "recall .5", "recall .3", "recall labels", "precision .3", "precision labels")
# All pairs that resemble each other so much by the usual shingles.
ALL_PAIRS = USUAL.with_changes(
    compare="all", min_resemblance=min(LEVELS), list_passages=False, reworked="off"
)
STEMS = {"language": "english", "drop_stop_words": True, "stem": True}
ANY_WAY = FoundBy.EXACT | FoundBy.LSH | FoundBy.PASSAGE

Codes = Int64Array


class Method(NamedTuple):
    """A row: settings, and the ways in which a pair must have been found to count."""

    name: str
    settings: ScanSettings
    ways: FoundBy = ANY_WAY


def _bands(**changes: object) -> ScanSettings:
    """Settings under which resemblance alone finds pairs: no passage is long enough."""
    return USUAL.with_changes(min_passage=SETTINGS["min_passage"].high, **changes)


CHANNELS = (
    Method("both (default settings)", USUAL),
    Method("bands alone", _bands()),
    Method("passages alone", USUAL, FoundBy.EXACT | FoundBy.PASSAGE),
)
METHODS = (
    Method("Fast Similarity Sketching, 64 × 2", _bands()),
    Method("Fast Similarity Sketching, 42 × 3", _bands(bands=42, rows=3)),
    Method("Fast Similarity Sketching, 20 × 5", _bands(bands=20, rows=5)),
    Method("classic MinHash, 64 × 2", _bands(signature="minhash")),
    Method("bags, 64 × 2", _bands(bag=True)),
    Method("3-word shingles, 42 × 3", _bands(k=3, bands=42, rows=3)),
    Method("character shingles, k = 9, 42 × 3", _bands(unit="char", k=9, bands=42, rows=3)),
    Method("stop words dropped, stems, 64 × 2", _bands(**STEMS)),
    *(
        Method(
            f"SimHash, {weights}, d = {distance}",
            _bands(signature="simhash", weights=weights, max_distance=distance),
        )
        for distance in (3, 8)
        for weights in SETTINGS["weights"].choices
    ),
    Method("bands and passages, default settings", USUAL),
    CHANNELS[2],
)


class Truth(NamedTuple):
    """A corpus in memory: pairs a < b as a * documents + b.

    `usual` are all pairs of at least the lowest level, with their exact resemblance.
    """

    name: str
    texts: list[str]
    usual: Codes
    resemblance: Float64Array
    copies: Codes
    others: Codes


class Score(NamedTuple):
    """Of a method: how many pairs it shows, and (found, of how many) for each heading."""

    pairs: int
    shares: tuple[tuple[int, int], ...]
    seconds: float

    def plus(self, more: Score) -> Score:
        """Of two corpora together."""
        shares = zip(self.shares, more.shares, strict=True)
        return Score(
            self.pairs + more.pairs,
            tuple((a + c, b + d) for (a, b), (c, d) in shares),
            self.seconds + more.seconds,
        )


def read_truth(data: Path, name: str) -> Truth:
    """Read a corpus as a scan does, and compare all its documents."""
    with closing(scan([data / name / "docs"], ALL_PAIRS)) as result:
        texts, pairs = list(result.texts), result.pairs()
    number = {document.name: index for index, document in enumerate(result.documents)}
    labelled: dict[bool, set[int]] = {True: set(), False: set()}
    with (data / name / "truth.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            a, b = sorted((number[row["doc_a"]], number[row["doc_b"]]))
            is_copy = row["label"] not in NOT_COPIES.get(name, ())
            labelled[is_copy].add(a * len(texts) + b)
    copies, different = (np.array(sorted(labelled[kind]), dtype=np.int64) for kind in (True, False))
    return Truth(name, texts, _codes(pairs, len(texts)), pairs.resemblance, copies, different)


def _codes(pairs: Pairs, documents: int) -> Codes:
    return pairs.a.astype(np.int64) * documents + pairs.b


def score(truth: Truth, method: Method) -> Score:
    """What a method finds in a corpus."""
    find_pairs(truth.texts[:WARM_UP], method.settings)
    began = time.perf_counter()
    pairs = find_pairs(truth.texts, method.settings)
    seconds = time.perf_counter() - began
    pairs = pairs.take((pairs.found_by & int(method.ways)) > 0)
    return Score(len(pairs), tuple(_shares(truth, pairs)), seconds)


def _shares(truth: Truth, pairs: Pairs) -> Iterator[tuple[int, int]]:
    """Found and total, in the order of the headings after the first."""
    codes = _codes(pairs, len(truth.texts))
    for level in LEVELS:
        codes_wanted = truth.usual[truth.resemblance >= level]
        yield int(np.isin(codes_wanted, codes).sum()), len(codes_wanted)
    yield int(np.isin(truth.copies, codes).sum()), len(truth.copies)
    shown = codes[pairs.resemblance >= LEVELS[1]]
    yield int(np.isin(shown, truth.usual).sum()), len(shown)
    judged = int(np.isin(truth.copies, codes).sum())
    doubtful = int(np.isin(truth.others, codes).sum())
    yield (judged, judged + doubtful) if len(truth.others) else (0, 0)


def share(count: int, total: int) -> str:
    """A share as it is printed."""
    return f"{count / total:.3f}" if total else "-"


def print_table(title: str, first: str, rows: list[tuple[str, Score]]) -> None:
    """A Markdown table of scores."""
    print(f"\n{title}\n\n| {first} | {' | '.join(HEADINGS)} | seconds |")
    print(f"|---|{'---:|' * (len(HEADINGS) + 1)}")
    for name, result in rows:
        shares = " | ".join(share(*pair) for pair in result.shares)
        print(f"| {name} | {result.pairs:,} | {shares} | {result.seconds:.2f} |", flush=True)


def compare_channels(truths: list[Truth]) -> None:
    """Both channels and each alone, on every corpus."""
    rows: list[tuple[str, Score]] = []
    for truth in truths:
        about = f"{truth.name}, {len(truth.texts)} documents"
        rows += [(f"{about}: {method.name}", score(truth, method)) for method in CHANNELS]
    print_table("The two ways of finding pairs", "corpus", rows)


def compare_methods(truths: list[Truth]) -> None:
    """Every method on every corpus, then on all of them together."""
    together: dict[str, Score] = {}
    for truth in truths:
        rows = [(method.name, score(truth, method)) for method in METHODS]
        print_table(f"Methods on {truth.name}, {len(truth.texts)} documents", "method", rows)
        for name, result in rows:
            together[name] = together[name].plus(result) if name in together else result
    print_table("Methods on all of them, pairs added up", "method", list(together.items()))


def cost(documents: int, settings: ScanSettings) -> tuple[Usage, int]:
    """What a search takes."""
    texts = generate(documents).texts
    few = [*texts[:200], texts[0] + " more", "“é”"]
    find_pairs(few, settings.with_changes(compare="bands"))
    with measured() as usage:
        pairs = find_pairs(texts, settings)
    return usage[0], len(pairs)


def compare_costs(documents: int) -> None:
    """Seconds and memory of every method."""
    print(f"\nCost on {documents:,} generated documents\n")
    print(
        "| method | pairs | wall s | cpu s | peak MB beyond the texts |\n|---|---:|---:|---:|---:|"
    )
    for method in METHODS:
        if method.ways != ANY_WAY:
            continue
        usage, pairs = in_fresh_process(cost, documents, method.settings)
        print(
            f"| {method.name} | {pairs:,} | {usage.wall:.2f} | {usage.cpu:.2f} "
            f"| {usage.peak:,.0f} |",
            flush=True,
        )


def main() -> None:
    """Read the command line."""
    arguments = read_options(
        __doc__, data=NEEDED, corpora=Among(CORPORA, CORPORA), documents=DOCUMENTS
    )
    present = [name for name in arguments.corpora if (arguments.data / name / "truth.csv").exists()]
    print("\nMETHODS COMPARED")
    truths = [read_truth(arguments.data, name) for name in present]
    if truths:
        compare_channels(truths)
        compare_methods(truths)
    if arguments.documents:
        compare_costs(arguments.documents)
    for name in sorted({*arguments.corpora} - {*present}):
        print(f"not there: {arguments.data / name / 'truth.csv'}")
    raise SystemExit(not truths)


if __name__ == "__main__":
    main()

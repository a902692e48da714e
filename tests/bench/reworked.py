"""Reworked text in labelled corpora: what is listed, in which order, and where it is marked.

`--data` is a folder of corpora as methods.py describes it. Beside `truth.csv` a corpus may have
`spans.csv` with the passages (columns doc_a, doc_b, a_offset, a_length, b_offset, b_length); a row
without offsets is a pair without any. For each method are printed

listed     of the pairs labelled as copies, and of those labelled as none
AUC        the chance that a copy stands before a pair that is none, in the default order of the
           list; what is not listed stands last
at 10 ...  copies among the first 10, 50 and 100 labelled pairs of the list
plagdet    with precision, recall and granularity, where there are spans (`pan_measures.py`), in the
           pairs that have a row in a table
and by label: listed, how many of these are weak traces, the median of the words called reworked,
and the share of the characters of the shorter text that passages cover.

    python tests/bench/reworked.py --data FOLDER [--corpora clough bills] [--modes MODE ...]
        [--options="--set-aside common=10"]
"""

from __future__ import annotations

import csv
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from options import NEEDED, Among, read_options
from pan_measures import DocumentPair, Span, by_pair, make_span, mean, measure
from rework_scans import MODES, Scanned, is_weak, ordered, scan_folder

from core.scan.flow import scan
from core.settings import ScanSettings

CORPORA = ("clough", "bills")
NOT_COPIES = {"bills": {"0", "1"}, "terms": {"other_language"}}
USUALLY_NOT = {"0", "non", "none", "negative", "unrelated"}
FIRST = (10, 50, 100)


class Truth(NamedTuple):
    """A labelled corpus; pairs in alphabetic order."""

    name: str
    folder: Path
    labels: Mapping[DocumentPair, str]
    spans: list[Span] | None
    texts: Mapping[str, str]

    def is_copy(self, pair: DocumentPair) -> bool:
        return self.labels[pair] not in NOT_COPIES.get(self.name, USUALLY_NOT)


class Result(NamedTuple):
    """What a method gives: listed pairs, best first, with words; passages; pairs in all."""

    name: str
    ranked: Mapping[DocumentPair, int]  # words that are reworked, 0 where not known
    weak: set[DocumentPair]
    spans: list[Span]
    in_all: int
    seconds: float


def main() -> None:
    """Measure every corpus."""
    options = read_options(
        __doc__, data=NEEDED, corpora=CORPORA, modes=Among(MODES, MODES), options=""
    )
    for name in options.corpora:
        truth = read_truth(options.data / name, name)
        copies = sum(map(truth.is_copy, truth.labels))
        print(f"\n{name}: {copies} pairs are copies, {len(truth.labels) - copies} are not")
        with tempfile.TemporaryDirectory() as work:
            for mode in options.modes:
                result = scan_folder(truth.folder, Path(work), mode, options.options.split())
                _print_result(truth, _of_scan(mode, result))


def read_truth(corpus: Path, name: str) -> Truth:
    """Read the tables, and the texts as a scan reads them."""
    result = scan([corpus / "docs"], ScanSettings())
    result.close()
    texts = dict(
        zip((document.name for document in result.documents), map(str, result.texts), strict=True)
    )
    with (corpus / "truth.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    labels = {ordered(row["doc_a"], row["doc_b"]): row.get("label") or "copy" for row in rows}
    table = corpus / "spans.csv"
    spans = _read_spans(table) if table.exists() else None
    return Truth(name, corpus / "docs", labels, spans, texts)


def _read_spans(path: Path) -> list[Span]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["a_offset"] and row["b_offset"]]
    spans = []
    for row in rows:
        a, b = int(row["a_offset"]), int(row["b_offset"])
        in_a, in_b = (a, a + int(row["a_length"])), (b, b + int(row["b_length"]))
        spans.append(make_span(row["doc_a"], row["doc_b"], in_a, in_b))
    return spans


def _of_scan(mode: str, scanned: Scanned) -> Result:
    ranked = {pair: int(row.get("shared_words") or 0) for pair, row in scanned.listed.items()}
    weak = {pair for pair, row in scanned.listed.items() if is_weak(row)}
    return Result(mode, ranked, weak, scanned.passages, len(ranked), scanned.seconds)


def _print_result(truth: Truth, result: Result) -> None:
    order = [pair for pair in result.ranked if pair in truth.labels]
    copies = [truth.is_copy(pair) for pair in order]
    positives = sum(map(truth.is_copy, truth.labels))
    negatives = len(truth.labels) - positives
    firsts = ", ".join(f"{sum(copies[:first])} of {min(first, len(copies))}" for first in FIRST)
    print(
        f"{result.name}: listed {sum(copies)} of {positives} copies, "
        f"{len(copies) - sum(copies)} of {negatives} others; AUC {_auc(truth, order)}; first "
        f"{'/'.join(map(str, FIRST))}: {firsts}; {result.in_all:,} pairs in all, "
        f"{len(result.weak):,} of them weak traces, {result.seconds:.1f} s"
    )
    if truth.spans is not None:
        within = [span for span in result.spans if span.pair in truth.labels]
        got = measure(truth.spans, within)
        print(
            f"    plagdet {got.plagdet:.3f}: precision {got.precision:.3f}, recall "
            f"{got.recall:.3f}, granularity {got.granularity:.2f}; {len(within):,} passages"
        )
    _print_labels(truth, result)


def _auc(truth: Truth, order: Sequence[DocumentPair]) -> str:
    """Copies before others; of those that are not listed every order is as good."""
    positives = sum(map(truth.is_copy, truth.labels))
    negatives = len(truth.labels) - positives
    if not positives or not negatives:
        return "-"
    before, wins = 0, 0.0
    for pair in order:
        if truth.is_copy(pair):
            wins += negatives - before
        else:
            before += 1
    unlisted = positives - sum(map(truth.is_copy, order))
    wins += unlisted * (negatives - before) / 2
    return f"{wins / (positives * negatives):.3f}"


def _print_labels(truth: Truth, result: Result) -> None:
    by_label: dict[str, list[DocumentPair]] = defaultdict(list)
    for pair, label in truth.labels.items():
        by_label[label].append(pair)
    passages = by_pair(result.spans)
    for label, pairs in sorted(by_label.items()):
        listed = [pair for pair in pairs if pair in result.ranked]
        words = statistics.median([result.ranked.get(pair, 0) for pair in pairs])
        shares = [_covered(truth, pair, passages.get(pair, [])) for pair in pairs]
        print(
            f"    {label}: listed {len(listed)} of {len(pairs)}, "
            f"{len(result.weak.intersection(listed))} as weak traces, {words:.0f} words, "
            f"{mean(shares):.3f} of the shorter text covered"
        )


def _covered(truth: Truth, pair: DocumentPair, spans: Sequence[Span]) -> float:
    """The share of the characters of the shorter text that passages cover."""
    lengths = [len(truth.texts[name]) for name in pair]
    side = lengths.index(min(lengths))
    marked = bytearray(lengths[side])
    for span in spans:
        start, end = span[1 + side]
        marked[start:end] = b"\1" * (end - start)
    return sum(marked) / max(len(marked), 1)


if __name__ == "__main__":
    main()

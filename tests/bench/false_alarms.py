"""How many of 10,000 pairs of unrelated documents are listed as reworked.

Counted is what is listed for nothing else, and, apart from it, how much more is a weak trace, which
is folded at the foot of a list. Corpora are scanned each alone and all in one folder; `--data` is
a folder of them as methods.py describes it. A pair counts as unrelated that nothing exact relates:
no 12 words in a row (19 Chinese characters), a resemblance below .02 by shingles of 5 words (8
characters), not the same file in another version by its name, and no label in the table of truth
that calls it related. What is left may still have been written from one source, so that the figure
is the most that it can be.

    python tests/bench/false_alarms.py --data FOLDER [--only NAME ...] [--modes MODE ...]
"""

import csv
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from options import NEEDED, Among, read_options
from usage import neardup

import core
from core.settings import ScanSettings
from core.text.characters import NO_SPACES

ROOT = Path(core.__file__).parents[1]  # of the engine that is measured
MODES = ("off", "auto", "careful", "thorough")
LETTERS_A_WORD = {"laws_zh": 1.6}
CORPORA = ("bills", "terms", "licenses", "progit_ru", "laws_zh", "udhr", "clough")
MIXED = "all corpora"
UNRELATED_LABELS = {"0", "non"}
RUN, SHINGLE, RESEMBLANCE = 12, 5, 0.02
VERSION = re.compile(
    r"__v\d.*|\(\d{4}-\d\d-\d\d\).*|(?<=_)20\d\d-\d\d-\d\d.*|\.txt$|^(cal|spdx)__|^(g\dp[A-E]|orig)_"
)
SAMPLE = 20_000  # pairs, for the share of all pairs that is unrelated

DocumentPair = tuple[str, str]


class Evidence(NamedTuple):
    """The exact evidence about a document."""

    family: str
    runs: frozenset[int]
    shingles: frozenset[int]


class Collection(NamedTuple):
    """Documents, and which pairs of them are related."""

    name: str
    texts: dict[str, str]
    evidence: dict[str, Evidence]
    related: set[DocumentPair]

    def unrelated(self, a: str, b: str) -> bool:
        """Whether nothing exact relates two documents."""
        if ordered(a, b) in self.related:
            return False
        evidence_a, evidence_b = self.evidence[a], self.evidence[b]
        if evidence_a.family == evidence_b.family or not evidence_a.runs.isdisjoint(
            evidence_b.runs
        ):
            return False
        shared = len(evidence_a.shingles & evidence_b.shingles)
        return shared < RESEMBLANCE * (len(evidence_a.shingles) + len(evidence_b.shingles) - shared)

    def unrelated_pairs(self) -> int:
        """How many pairs are unrelated, from a sample where there are many."""
        names, total = sorted(self.texts), len(self.texts) * (len(self.texts) - 1) // 2
        if total <= SAMPLE:
            return sum(self.unrelated(*pair) for pair in combinations(names, 2))
        draw = random.Random(1)
        hits = sum(self.unrelated(*draw.sample(names, 2)) for _ in range(SAMPLE))
        return round(total * hits / SAMPLE)


def main() -> None:
    """Scan every collection in every mode."""
    options = read_options(__doc__, data=NEEDED, only=[*CORPORA, MIXED], modes=Among(MODES, MODES))
    totals = dict.fromkeys(options.modes, (0, 0))
    for collection in _collections(options.data, options.only):
        unrelated = collection.unrelated_pairs()
        with tempfile.TemporaryDirectory() as temporary:
            folder = write_folder(Path(temporary) / "docs", collection.texts)
            for mode in options.modes:
                alarms = _measure(collection, folder, mode, unrelated)
                before = totals[mode]
                totals[mode] = before[0] + alarms, before[1] + unrelated
    for mode, (alarms, pairs) in totals.items():
        if pairs:
            print(f"{mode}, all: {alarms:,} of {pairs:,}, {_rate(alarms, pairs)}")


def _measure(collection: Collection, folder: Path, mode: str, unrelated: int) -> int:
    """Scan and print; how many unrelated pairs are listed as reworked."""
    pairs = folder.parent / "pairs.csv"
    began = time.perf_counter()
    command = neardup("scan", folder, "--quiet", "--reworked", mode, "--pairs", pairs)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    seconds = time.perf_counter() - began
    with pairs.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    alarms = [row for row in rows if collection.unrelated(row["doc_a"], row["doc_b"])]
    reworked = [row for row in alarms if _only_reworked(row) and not _is_weak(row)]
    weak = sum(_is_weak(row) for row in alarms)
    as_reworked = sum(_only_reworked(row) for row in rows)
    print(
        f"{collection.name}, {mode}: {len(reworked):,} of about {unrelated:,} unrelated pairs "
        f"listed as reworked, {_rate(len(reworked), unrelated)}; {weak:,} more as weak traces, "
        f"{_rate(weak, unrelated)}; "
        f"{len(alarms) - len(reworked) - weak:,} otherwise; {as_reworked:,} of "
        f"{len(rows):,} pairs in all as reworked, {seconds:.1f} s",
        flush=True,
    )
    return len(reworked)


def ordered(a: str, b: str) -> DocumentPair:
    return (a, b) if a <= b else (b, a)


def write_folder(folder: Path, texts: Mapping[str, str]) -> Path:
    """Write documents into a folder of their own; what is read of them has the same offsets."""
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def _is_weak(row: Mapping[str, str]) -> bool:
    """Whether a listed pair is a weak trace, which is folded at the foot of a list."""
    return row["weak_trace"] == "1"


def _only_reworked(row: dict[str, str]) -> bool:
    """Whether a pair is listed because of reworked passages, and for nothing else."""
    ways = row["found_by"].split("+")
    exact = "passage" in ways or float(row["resemblance"]) >= ScanSettings().min_resemblance
    return "reworked" in ways and not exact


def _rate(alarms: int, pairs: int) -> str:
    return f"{10_000 * alarms / max(pairs, 1):.2f} in 10,000"


def _collections(data: Path, names: Sequence[str]) -> Iterator[Collection]:
    """Every requested collection, then all of them in one folder."""
    of_all = MIXED in names
    corpora = {name: real(data, name) for name in CORPORA if of_all or name in names}
    yield from (corpus for name, corpus in corpora.items() if name in names)
    if of_all:
        yield _mixed(corpora)


def real(data: Path, name: str) -> Collection:
    files = sorted(path for path in (data / name / "docs").rglob("*") if path.is_file())
    read = {f"{path.stem}.txt": _read_text(path) for path in files}
    texts = {document: text for document, text in read.items() if text.strip()}
    unit = LETTERS_A_WORD.get(name, 1.0)
    evidence = {document: _evidence(document, text, unit) for document, text in texts.items()}
    return Collection(name, texts, evidence, _labelled(data / name / "truth.csv"))


def _read_text(path: Path) -> str:
    """The text of a file in UTF-8 or Windows-1252, with plain line ends."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@cache
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with their marks; of scripts without spaces, a letter with its marks."""
    every = map(chr, range(sys.maxunicode + 1))
    marks = "".join(letter for letter in every if unicodedata.category(letter) in ("Mn", "Mc"))
    single = "".join(f"{chr(first)}-{chr(last)}" for first, last in NO_SPACES)
    return re.compile(f"[{single}][{marks}]*|(?:[^\\W_{single}][{marks}]*)+")


def _evidence(name: str, text: str, unit: float) -> Evidence:
    words = [word.lower() for word in _word_pattern().findall(text)]
    runs, shingles = (
        frozenset(hash(tuple(words[at : at + size])) for at in range(len(words) - size + 1))
        for size in (round(RUN * unit), round(SHINGLE * unit))
    )
    return Evidence(VERSION.sub("", name).casefold(), runs, shingles)


def _labelled(path: Path) -> set[DocumentPair]:
    """Pairs that a table of truth calls related."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {
            ordered(*(f"{Path(row[key]).stem}.txt" for key in ("doc_a", "doc_b")))
            for row in csv.DictReader(file)
            if row["label"] not in UNRELATED_LABELS
        }


def _mixed(corpora: Mapping[str, Collection]) -> Collection:
    """All corpora in one folder; documents of one name keep apart."""
    mixed = Collection(MIXED, {}, {}, set())
    for name, collection in corpora.items():
        renamed = {document: f"{name}-{document}" for document in collection.texts}
        mixed.texts.update({renamed[document]: text for document, text in collection.texts.items()})
        mixed.related.update(ordered(renamed[a], renamed[b]) for a, b in collection.related)
        for document, evidence in collection.evidence.items():
            family = f"{name} {evidence.family}"
            mixed.evidence[renamed[document]] = evidence._replace(family=family)
    return mixed


if __name__ == "__main__":
    main()

"""How much of planted rewording is found, by its length and by the share of words changed.

Passages of 30 to 400 words are reworded by the editor of `rework_editor.py`, 10 to 60 % of their
words changed, and planted in an unrelated document of their corpus. A document is the source or the
host of one passage at most; 1.6 Chinese characters make a word. Each corpus is scanned with the
default settings, several times with other passages. Printed are the share of planted pairs that is
listed, with the number of cases, and the share of the characters of the passages, in both
documents, that the found passages cover; for all corpora together and for each.

`--data` is a folder of corpora as methods.py describes it; without it, generated texts alone.

    python tests/bench/planted_rewording.py --data FOLDER [--corpora NAME ...] [--modes MODE ...]
        [--rounds 3] [--options="--set-aside common=10"]
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from options import Among, read_options
from pan_measures import Measures, Span, by_pair, covered, make_span, mean, measure
from rework_editor import KINDS, ByFrequency, Words, rework, sentence_starts, word_spans
from rework_scans import GENERATED, MODES, REWORKED, Scanned, read_corpus, scan_folder, write_folder

LENGTHS = (30, 60, 100, 200, 400)  # words
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LETTERS_A_WORD = {"laws_zh": 1.6}
# Words, or as many letters as make them; unrelated documents share hardly any run of so many.
RUN = 6
MOST_SHARED = 6  # so that no 12 words in a row are shared
MOST_SHARED_SHARE = 0.02  # of the runs of the shorter document
HELD = 0.2  # share of a passage's runs with which another document holds it too
MOST_HOLDERS = 4  # other documents, such as versions of the source
TRIES = 8
Cell = tuple[int, float]  # words, share of them changed


class Case(NamedTuple):
    """A planted passage."""

    span: Span
    kind: str
    words: int
    share: float

    @property
    def cell(self) -> Cell:
        return self.words, self.share


class Planted(NamedTuple):
    """A corpus with planted passages."""

    texts: dict[str, str]
    cases: list[Case]


class Document(NamedTuple):
    """A document cut into words."""

    name: str
    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    runs: list[int]

    def holds(self, tokens: int) -> bool:
        """Whether a passage of this many words is not nearly the whole document."""
        return len(self.words) >= 1.2 * tokens


def plant(texts: Mapping[str, str], corpus: str, counts: Counter[Cell], seed: int) -> Planted:
    """Plant as many passages as there are documents for, the rarest cells first.

    Args:
        texts: The documents by name.
        corpus: The name of the corpus.
        counts: How often each cell was measured in this corpus so far; counts on.
        seed: Another one gives other passages.
    """
    draw = random.Random(f"{corpus} {seed}")
    unit = LETTERS_A_WORD.get(corpus, 1.0)
    documents = [_cut(name, text, round(RUN * unit)) for name, text in texts.items()]
    frequencies = ByFrequency(word for document in documents for word in document.words)
    holders = _holders(documents)
    free = _first_of_equals(documents)
    draw.shuffle(free)
    planted = Planted(dict(texts), [])
    while free:
        source = free.pop()
        cell = _rarest(source, counts, unit, draw)
        if cell is None:
            continue
        tokens, words = round(cell[0] * unit), Words(source.words, frequencies)
        first, holder_count = _least_held(source, tokens, holders, draw)
        host = next((document for document in free if _unrelated(source, document)), None)
        if holder_count > MOST_HOLDERS or host is None:
            continue
        free.remove(host)
        start, end = source.spans[first][0], source.spans[first + tokens - 1][1]
        kind = draw.choice(KINDS)
        copy = rework(source.text[start:end], kind, cell[1], words, draw)
        planted.texts[host.name], at = _put_into(host.text, copy, draw)
        span = make_span(source.name, host.name, (start, end), (at, at + len(copy)))
        planted.cases.append(Case(span, kind, *cell))
        counts[cell] += 1
    return planted


def _cut(name: str, text: str, run: int) -> Document:
    spans = word_spans(text)
    words = [text[start:end].lower() for start, end in spans]
    return Document(name, text, spans, words, list(_runs(words, run)))


def _runs(words: list[str], run: int) -> Iterator[int]:
    return (hash(tuple(words[at : at + run])) for at in range(len(words) - run + 1))


def _holders(documents: list[Document]) -> Mapping[int, set[str]]:
    """In which documents each run stands."""
    holders: defaultdict[int, set[str]] = defaultdict(set)
    for document in documents:
        for run in document.runs:
            holders[run].add(document.name)
    return holders


def _first_of_equals(documents: list[Document]) -> list[Document]:
    """Of documents with the same words only the first: a list shows one of them."""
    first = {tuple(document.words): document for document in reversed(documents)}
    return [document for document in documents if first[tuple(document.words)] is document]


def _rarest(
    source: Document, counts: Counter[Cell], unit: float, draw: random.Random
) -> Cell | None:
    """The cell with the fewest cases of those that the document is long enough for."""
    lengths = [words for words in LENGTHS if source.holds(round(words * unit))]
    cells = [(words, share) for words in lengths for share in SHARES]
    draw.shuffle(cells)
    return min(cells, key=lambda cell: counts[cell], default=None)


def _least_held(
    source: Document, tokens: int, holders: Mapping[int, set[str]], draw: random.Random
) -> tuple[int, int]:
    """The passage, by its first word, that the fewest other documents hold, and how many do."""
    last = len(source.words) - tokens
    starts = [start for start in sentence_starts(source.text, source.spans) if start <= last]
    tried = []
    for start in draw.sample(starts, min(TRIES, len(starts))):
        runs = source.runs[start : start + tokens - RUN]
        held = Counter(name for run in runs for name in holders[run])
        tried.append((sum(count >= HELD * len(runs) for count in held.values()) - 1, start))
    holder_count, start = min(tried)
    return start, holder_count


def _unrelated(first: Document, second: Document) -> bool:
    a, b = set(first.runs), set(second.runs)
    shared = len(a & b)
    return bool(b) and shared <= MOST_SHARED and shared <= MOST_SHARED_SHARE * min(len(a), len(b))


def _put_into(host: str, passage: str, draw: random.Random) -> tuple[str, int]:
    """A text with a paragraph more, and where it begins."""
    cut = host.find("\n", draw.randrange(len(host)))
    before = (host if cut < 0 else host[:cut]) + "\n\n"
    after = "" if cut < 0 else host[cut:].lstrip("\n")
    return f"{before}{passage}\n\n{after}", len(before)


CORPORA = ("bills", "terms", "licenses", "progit_ru", "laws_zh", "udhr", GENERATED)
AIMS = {"careful": (((60, 0.2), 0.95), ((100, 0.4), 0.80))}  # listed, from these on


class Outcome(NamedTuple):
    """What became of a case."""

    corpus: str
    case: Case
    listed: bool
    reworked: bool  # found by the channel for reworked passages
    covered: float


class Totals(NamedTuple):
    """What one mode found in one scan."""

    outcomes: list[Outcome]
    measures: Measures
    seconds: float
    pairs: int


def main() -> None:
    """Plant, scan and print."""
    options = read_options(
        __doc__,
        data=Path,
        corpora=Among(CORPORA, CORPORA),
        modes=Among(MODES, MODES),
        rounds=3,
        seed=1,
        options="",
    )
    with tempfile.TemporaryDirectory() as temporary:
        for mode, outcomes in _measure_all(options, Path(temporary)).items():
            _print_mode(mode, outcomes)


def _measure_all(options: argparse.Namespace, work: Path) -> dict[str, list[Totals]]:
    """All scans, by mode."""
    corpora = options.corpora if options.data else [GENERATED]
    totals: dict[str, list[Totals]] = defaultdict(list)
    for corpus in corpora:
        texts, counts = read_corpus(options.data, corpus), Counter[Cell]()
        for number in range(options.rounds):
            planted = plant(texts, corpus, counts, options.seed + number)
            folder = write_folder(work / f"{corpus}-{number}" / "docs", planted.texts)
            for mode in options.modes:
                scanned = scan_folder(folder, folder.parent, mode, options.options.split())
                totals[mode].append(_outcomes(corpus, planted, scanned))
                _print_scan(corpus, mode, totals[mode][-1])
    return totals


def _outcomes(corpus: str, planted: Planted, scanned: Scanned) -> Totals:
    """What became of each case, and the measures of the passages in pairs with a case."""
    listed, passages = scanned.listed, by_pair(scanned.passages)
    outcomes = []
    for case in planted.cases:
        row = listed.get(case.span.pair)
        ways = row["found_by"].split("+") if row else ()
        share = covered(case.span, passages.get(case.span.pair, ()))
        outcomes.append(Outcome(corpus, case, row is not None, REWORKED in ways, share))
    spans = [case.span for case in planted.cases]
    pairs = {span.pair for span in spans}
    measures = measure(spans, [passage for passage in scanned.passages if passage.pair in pairs])
    return Totals(outcomes, measures, scanned.seconds, len(scanned.rows))


def _print_scan(corpus: str, mode: str, total: Totals) -> None:
    cases, got = total.outcomes, total.measures
    print(
        f"{corpus}, {mode}: {sum(case.listed for case in cases)} of {len(cases)} planted pairs "
        f"listed, {sum(case.reworked for case in cases)} as reworked; characters covered "
        f"{mean([case.covered for case in cases]):.3f}, precision {got.precision:.3f}, granularity "
        f"{got.granularity:.3f}, plagdet {got.plagdet:.3f}; {total.pairs:,} pairs in all, "
        f"{total.seconds:.1f} s",
        flush=True,
    )


def _print_mode(mode: str, totals: Sequence[Totals]) -> None:
    """The tables of all corpora together, then those of each."""
    outcomes = [outcome for total in totals for outcome in total.outcomes]
    by_corpus: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_corpus[outcome.corpus].append(outcome)
    _print_table(f"{mode}, all corpora: share of planted pairs listed (cases)", outcomes, _listed)
    _print_table(f"{mode}, all corpora: share of characters covered", outcomes, _covered)
    print(f"\n{mode}, all corpora, by kind of change: listed, characters covered, cases")
    for kind in KINDS:
        group = [outcome for outcome in outcomes if outcome.case.kind == kind]
        listed = mean([outcome.listed for outcome in group])
        print(f"{kind:12} {listed:.3f}  {mean([case.covered for case in group]):.3f}  {len(group)}")
    for corpus, group in by_corpus.items():
        _print_table(f"{mode}, {corpus}: share of planted pairs listed (cases)", group, _listed)
    for cell, aim in AIMS.get(mode, ()):
        reached = [outcome for outcome in outcomes if outcome.case.cell == cell]
        print(
            f"\naim at {cell[0]} words and {cell[1]:.0%}: {aim:.0%}; listed "
            f"{mean([outcome.listed for outcome in reached]):.1%} of {len(reached)}"
        )


def _print_table(
    title: str, outcomes: Sequence[Outcome], cell_of: Callable[[Sequence[Outcome]], str]
) -> None:
    cells: dict[Cell, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        cells[outcome.case.cell].append(outcome)
    print(f"\n{title}\nwords  " + "".join(f"{share:<13.0%}" for share in SHARES))
    for words in LENGTHS:
        line = "".join(f"{cell_of(cells[words, share]):<13}" for share in SHARES)
        print(f"{words:<7}{line}".rstrip())


def _listed(outcomes: Sequence[Outcome]) -> str:
    share = mean([outcome.listed for outcome in outcomes])
    return f"{share:.3f} ({len(outcomes)})" if outcomes else "-"


def _covered(outcomes: Sequence[Outcome]) -> str:
    return f"{mean([outcome.covered for outcome in outcomes]):.3f}" if outcomes else "-"


if __name__ == "__main__":
    main()

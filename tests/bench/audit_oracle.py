"""Whether `neardup audit` accuses exactly what brute force accuses, and says so by its exit status.

    python tests/bench/audit_oracle.py --data DATA [--only CORPUS ...] [--settings NAME ...]

Eight corpora at the four settings of `same_results.py`. Brute force compares all pairs of documents
with sets and dictionaries of Python, of the units (words or characters) that the engine reads in
each text; it shares nothing else with engine or audit. It says which listed pairs should not be
listed or have another resemblance or longest run, and which pairs are not listed that should be.
Each list is audited twice: as it is, and with pairs taken out and numbers changed by chance. Exits
with 1 where audit and brute force differ, or the audit exits with another status than it should.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from same_results import CORPORA, SETTINGS

from core.commands.main import main as neardup
from core.evidence.pairs import FoundBy, Pairs
from core.scan.flow import scan
from core.scan.lister import PairLister
from core.settings import ScanSettings
from core.text.shingling import tokenise

PRIME = (1 << 61) - 1
BASE = 1_000_003
MOST_COPIES = 30
LETTERS_A_WORD = 5
UNITS_A_WORD = (  # first and last character of a script, units a word
    (0x0E00, 0x0EFF, 3.0), (0x1000, 0x109F, 2.0), (0x1780, 0x17FF, 2.8), (0x3005, 0x3007, 1.6),
    (0x3040, 0x309F, 1.6), (0x30A0, 0x30FF, 4.0), (0x3400, 0x9FFF, 1.6), (0xF900, 0xFAFF, 1.6),
)  # fmt: skip
TAKEN_OUT, CHANGED = 3, 2  # pairs of a list that is tampered with
RIGHT, FAULT = 0, 3


@dataclass(frozen=True)
class Text:
    """A text as brute force sees it."""

    units: tuple[int, ...]
    words: tuple[float, ...]  # how much of a word each unit is
    shingles: Counter[int]
    runs: tuple[int, ...]  # a hash of each run of k units
    windows: frozenset[int]  # hashes of runs that may be a passage

    @cached_property
    def starts(self) -> dict[int, list[int]]:
        """Where each run of k units starts."""
        starts: dict[int, list[int]] = {}
        for start, value in enumerate(self.runs):
            starts.setdefault(value, []).append(start)
        return starts


class Measured(NamedTuple):
    """What is true of a pair."""

    shares: bool  # a shingle
    resemblance: float
    longest_run: int
    is_passage: bool


class Accused(NamedTuple):
    """What is wrong with a list: pairs by their numbers."""

    wrong: frozenset[tuple[int, int]]
    missed: frozenset[tuple[int, int]]


def hashes(units: Sequence[int], length: int) -> Iterator[int]:
    """A hash of each run of so many units, from one to the next (Rabin and Karp 1987)."""
    leaving = pow(BASE, length, PRIME)
    value = 0
    for place, unit in enumerate(units):
        value = (value * BASE + unit + 1) % PRIME
        if place >= length:
            value = (value - (units[place - length] + 1) * leaving) % PRIME
        if place >= length - 1:
            yield value


def read(text: str, settings: ScanSettings) -> Text:
    tokens = tokenise(text, settings)
    units = tuple(tokens.values.tolist())
    words = tuple(words_of(text[start], settings) for start in tokens.starts.tolist())
    length = min(settings.k, len(units))
    runs = tuple(hashes(units, length)) if units else ()
    shingles = Counter(runs)
    if units and len(units) < settings.k:
        runs, shingles = (), Counter([hash((len(units), *shingles))])
    if not settings.bag:
        shingles = Counter(dict.fromkeys(shingles, 1))
    return Text(units, words, shingles, runs, frozenset(hashes(units, passage_units(settings))))


def words_of(first: str, settings: ScanSettings) -> float:
    for start, end, units in UNITS_A_WORD:
        if start <= ord(first) <= end:
            return 1 / units
    return 1.0 if settings.unit == "word" else 1 / LETTERS_A_WORD


def passage_units(settings: ScanSettings) -> int:
    """Fewer units than these are never a passage."""
    fewest = 1.0 if settings.unit == "word" else min(units for _, _, units in UNITS_A_WORD)
    return int(settings.passage_length * fewest)


def resemblance(a: Text, b: Text) -> float:
    both = a.shingles.keys() & b.shingles.keys()
    shared = sum(min(a.shingles[one], b.shingles[one]) for one in both)
    union = a.shingles.total() + b.shingles.total() - shared
    return shared / union if union else 0.0


def longest_runs(a: Text, b: Text, k: int) -> tuple[int, float]:
    """The longest run of units in both, in units and in words; none below k units."""
    if a.units == b.units:
        return len(a.units), sum(a.words)
    sums = [0.0, *accumulate(a.words)]
    longest, most_words = 0, 0.0
    before: dict[int, int] = {}
    for start, value in enumerate(a.runs):
        if value not in b.starts:
            before = {}
            continue
        here = {place: before.get(place - 1, k - 1) + 1 for place in b.starts[value]}
        length = max(here.values())
        longest = max(longest, length)
        most_words = max(most_words, sums[start + k] - sums[start + k - length])
        before = here
    return longest, most_words


def measure(
    texts: Sequence[Text], listed: Collection[tuple[int, int]], settings: ScanSettings
) -> dict[tuple[int, int], Measured]:
    """What is true of all pairs that share a shingle, and of those that are listed."""
    measured = {}
    for (x, a), (y, b) in combinations(enumerate(texts), 2):
        shares = not a.shingles.keys().isdisjoint(b.shingles)
        if not shares and (x, y) not in listed:
            continue
        may_be_passage = settings.list_passages and not a.windows.isdisjoint(b.windows)
        longest, most_words = (
            longest_runs(a, b, settings.k) if (x, y) in listed or may_be_passage else (0, 0.0)
        )
        is_passage = may_be_passage and most_words > settings.passage_length - 1e-6
        measured[x, y] = Measured(shares, resemblance(a, b), longest, is_passage)
    return measured


def accuse(
    texts: Sequence[Text],
    measured: Mapping[tuple[int, int], Measured],
    pairs: Pairs,
    settings: ScanSettings,
) -> Accused:
    """What brute force says of a list."""
    listed = {
        (int(a), int(b)): row for row, (a, b) in enumerate(zip(pairs.a, pairs.b, strict=True))
    }
    copies = Counter(text.units for text in texts)
    wrong, missed = set(), set()
    for (x, y), true in measured.items():
        is_wanted = true.shares and (
            true.resemblance >= settings.min_resemblance or true.is_passage
        )
        row = listed.get((x, y))
        if row is None:
            if is_wanted and max(copies[texts[x].units], copies[texts[y].units]) <= MOST_COPIES:
                missed.add((x, y))
            continue
        is_reworked = bool(pairs.found_by[row] & FoundBy.REWORKED)
        is_mixed = len({*texts[x].words, *texts[y].words}) > 1  # the run of most words counts
        run = int(pairs.longest_run[row])
        is_right = abs(true.resemblance - float(pairs.resemblance[row])) < 1e-9
        is_right &= run == true.longest_run or (is_mixed and run <= true.longest_run)
        if not is_right or not (is_wanted or is_reworked):
            wrong.add((x, y))
    return Accused(frozenset(wrong), frozenset(missed))


def tampered(pairs: Pairs, seed: int) -> Pairs:
    """A list without some pairs that bands or passages found, and with other numbers of two."""
    draw = random.Random(seed)
    sure = [row for row in range(len(pairs)) if pairs.found_by[row] & ~FoundBy.REWORKED & 0xFF]
    out = set(draw.sample(sure, min(TAKEN_OUT, len(sure))))
    kept = pairs.take([row for row in range(len(pairs)) if row not in out])
    numbers, run = kept.resemblance.copy(), kept.longest_run.copy()
    changed = draw.sample(range(len(kept)), min(CHANGED, len(kept)))
    for row in changed[:1]:
        numbers[row] *= 0.9
    for row in changed[1:]:
        run[row] += 1
    return kept.with_columns(resemblance=numbers, longest_run=run)


def audited(
    folder: Path, options: Sequence[str], seed: int | None
) -> tuple[int, Mapping[str, Any], Pairs]:
    """Exit status and figures of an audit, and the list that it audited."""
    lists: list[Pairs] = []
    really = PairLister.list_pairs

    def list_pairs(self: PairLister, *given: Any, **named: Any) -> Any:
        listing = really(self, *given, **named)
        if lists:  # later ones have planted passages
            return listing
        pairs = listing.pairs if seed is None else tampered(listing.pairs, seed)
        lists.append(pairs)
        return listing._replace(every=pairs)

    with tempfile.TemporaryDirectory() as work, patch.object(PairLister, "list_pairs", list_pairs):
        path = Path(work, "audit.json")
        given = ["audit", str(folder), *options, "--method", "all-pairs", "--copies", "1"]
        status = neardup([*given, "--quiet", "--json", str(path)])
        return status, json.loads(path.read_text("utf-8"))["all_pairs"], lists[0]


def hold(folder: Path, options: Sequence[str], settings: ScanSettings) -> bool:
    """Audit a folder twice and print how audit and brute force agree."""
    done = scan([folder], settings)
    try:
        numbers = {one.name: number for number, one in enumerate(done.documents)}
        texts = [read(done.texts[number], settings) for number in range(len(numbers))]
    finally:
        done.close()
    agrees, measured = True, {}
    for seed in (None, 1):
        status, figures, pairs = audited(folder, options, seed)
        # What is tampered with is listed in the list as it is, which comes first.
        listed = set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
        measured = measured or measure(texts, listed, settings)
        by_hand = accuse(texts, measured, pairs, settings)
        missed = {(numbers[one["a"]], numbers[one["b"]]) for one in figures["missed"]}
        is_fault = bool(figures["wrong"] or figures["reasons"].get("fault"))
        same = (
            missed == by_hand.missed
            and figures["wrong"] == len(by_hand.wrong)
            and status == (FAULT if is_fault else RIGHT)
            and (seed is None or not len(pairs) or is_fault)
        )
        agrees &= same
        reasons = ", ".join(f"{count} {reason}" for reason, count in figures["reasons"].items())
        print(
            f"  {'as it is' if seed is None else 'tampered':9}{len(pairs):6,} listed, by hand "
            f"{len(by_hand.wrong)} wrong, {len(by_hand.missed)} missing; audit "
            f"{figures['wrong']} and {len(missed)} ({reasons or 'none'}), status {status}: "
            f"{'the same' if same else 'NOT THE SAME'}",
            flush=True,
        )
        if not same:
            print("    missing only by hand:", sorted(by_hand.missed - missed)[:5],
                  "only by audit:", sorted(missed - by_hand.missed)[:5],
                  "wrong by hand:", sorted(by_hand.wrong)[:5], flush=True)  # fmt: skip
    return agrees


def settings_of(options: Sequence[str]) -> ScanSettings:
    """The settings that options of the command line mean."""
    from core.commands.options import add_setting_options, settings_from

    parser = argparse.ArgumentParser()
    add_setting_options(parser)
    return settings_from(parser.parse_args(list(options)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=CORPORA, choices=CORPORA)
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=SETTINGS)
    options = parser.parse_args()
    agrees = True
    for corpus in options.only:
        for name in options.settings:
            started = time.process_time()
            print(f"{corpus}, {name}", flush=True)
            agrees &= hold(
                options.data / corpus / "docs", SETTINGS[name], settings_of(SETTINGS[name])
            )
            print(f"  {time.process_time() - started:.0f} s", flush=True)
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())

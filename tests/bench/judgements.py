"""How long verdicts take: on a million pairs of a list, and in a log of a hundred thousand entries.

python tests/bench/judgements.py [--pairs 1000000] [--entries 100000]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.documents.model import PairKey
from core.evidence.pairs import Pairs
from core.review import ReviewLog, open_review, save_review
from core.review.decisions import judged
from core.review.verdicts import judge
from core.scan.flow import scan
from core.scan.history import HistoryEntry, entry_after
from core.scan.judgements import NO_CHECK, VERDICTS, EarlierText, GivenVerdict, Judgements, PairRows
from core.scan.unread_pairs import CHECKED, random_check
from core.settings import ScanSettings
from neardup_gui.jobs.pairs import weigh_verdicts
from neardup_gui.jobs.tasks import Reports
from neardup_gui.models.pairs.columns import PairVerdicts

DOCUMENTS = 20_000
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_list(Path(folder), options.pairs, options.entries)
        measure_log(Path(folder), options.entries)


def measure_list(folder: Path, count: int, verdicts: int) -> None:
    rng = np.random.default_rng(1)
    (document,) = scanned(folder, 1).documents
    documents = [replace(document, text_hash=f"{n:032x}") for n in range(DOCUMENTS)]
    a, b = rng.integers(0, DOCUMENTS, (2, count), dtype=np.int32)
    zeros = {name: np.zeros(count, column.dtype) for name, column in vars(Pairs.empty()).items()}
    pairs = Pairs(**{**zeros, "a": np.minimum(a, b), "b": np.maximum(a, b)})
    made = timed(lambda: PairRows(pairs, documents))
    rows = PairRows(pairs, documents)
    given = [GivenVerdict(verdict, "Ann", "2026-01-01") for verdict in VERDICTS]
    judged_rows = range(0, count, max(count // verdicts, 1))
    said = {rows.key_of(row): given[number % 4] for number, row in enumerate(judged_rows)}
    judgements = Judgements(verdicts=said)
    print(f"{count:,} pairs, {len(said):,} judged, milliseconds, best of {ROUNDS}")
    print(f"{'rows made with the list':<40}{made:>8.1f}")
    print(f"{'column of verdicts':<40}{timed(lambda: rows.columns(judgements)):>8.1f}")
    columns = rows.columns(judgements)
    (entry,) = [entry_after([], *judge(judgements, [rows.key_of(7)], VERDICTS[1]))]
    print(f"{'one verdict':<40}{timed(lambda: judged(judgements, [entry])):>8.1f}")
    update = timed(lambda: rows.update(columns, judgements, [rows.key_of(7)]))
    print(f"{'its rows':<40}{update:>8.1f}")
    edited = {f"{n:032x}": EarlierText(f"{n + 1:032x}", 0.1) for n in range(0, DOCUMENTS, 20)}
    later = judgements._replace(earlier=edited)
    words = f"column, {len(edited):,} texts edited"
    print(f"{words:<40}{timed(lambda: rows.columns(later)):>8.1f}")
    measure_unread(PairVerdicts(rows, judgements), rng.random(count))


def measure_unread(verdicts: PairVerdicts, resemblance: np.ndarray) -> None:
    """What verdicts say of unread pairs, and a random check of these."""
    nothing = Reports(*[lambda *_: None] * 4)

    def draw() -> None:
        unread = verdicts.unread()
        verdicts.keys_of(unread[random_check(CHECKED, len(unread), 1)])

    weigh = weigh_verdicts(resemblance, verdicts, NO_CHECK)
    begin = timed(lambda: weigh_verdicts(resemblance, verdicts, NO_CHECK))
    print(f"{'what they say of the rest begun':<40}{begin:>8.1f}")
    print(f"{'thought about, on its thread':<40}{timed(lambda: weigh(nothing)):>8.1f}")
    print(f"{'random check drawn':<40}{timed(draw):>8.1f}")


def measure_log(folder: Path, count: int) -> None:
    path, rng = folder / "a.neardup", random.Random(1)
    state = scanned(folder, 3)
    save_review(path, state)
    texts = [f"{rng.getrandbits(128):032x}" for _ in range(5000)]
    entries, nothing = [], Judgements()
    for number in range(count):
        key = PairKey.between(*rng.sample(texts, 2))
        made = judge(nothing, [key], rng.choice(VERDICTS))
        entries.append(HistoryEntry(number + 1, 0, "2026-01-01T00:00:00+00:00", "Ann", *made))
    ReviewLog(path).extend(entries)
    print(f"\n{count:,} entries, {path.stat().st_size / 1e6:.0f} MB, milliseconds")
    print(f"{'review opened':<40}{timed(lambda: open_review(path).close()):>8.1f}")
    log = ReviewLog(path, entries)
    one = judge(nothing, [PairKey(texts[0], texts[1])], VERDICTS[1])
    print(f"{'entry appended':<40}{timed(lambda: log.append(*one)):>8.1f}")


def scanned(folder: Path, count: int):
    there = folder / f"{count} documents"
    there.mkdir()
    for number in range(count):
        (there / f"{number}.txt").write_text(f"a few words that are all the same {number}")
    with closing(scan([there], ScanSettings())) as result:
        return result.state


def timed(work: Callable[[], object]) -> float:
    """Milliseconds, the best of some."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


if __name__ == "__main__":
    main()

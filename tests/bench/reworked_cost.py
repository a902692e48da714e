"""What looking for reworked passages costs: seconds and memory of the whole search, beside `off`.

Each search runs in a process of its own, on texts in memory, with the default settings. Compilation
is not timed. Memory is the peak beyond the texts.

    python tests/bench/reworked_cost.py [--documents 50000 400000] [--repeat 1]
"""

import statistics

from methods import cost
from options import read_options
from usage import Usage, in_fresh_process

from core.settings import ScanSettings

MODES = ("off", "auto", "careful", "thorough")
DOCUMENTS = (50_000, 400_000)
MOST_TIMES, MOST_MEMORY = 2.0, 1.5 * 1024**3 / 1e6  # of the seconds of `off`; megabytes
Search = tuple[Usage, int]


def main() -> None:
    """Measure each number of documents in each mode."""
    options = read_options(__doc__, documents=DOCUMENTS, repeat=1)
    for documents in options.documents:
        print(f"\n{documents:,} documents", flush=True)
        usual: float | None = None
        for mode in MODES:
            settings = ScanSettings(reworked=mode)
            runs = [in_fresh_process(cost, documents, settings) for _ in range(options.repeat)]
            usual = _print_runs(mode, runs, usual)


def _print_runs(mode: str, runs: list[Search], usual: float | None) -> float:
    """The seconds that others are measured by: those of the first mode."""
    seconds = statistics.median(usage.wall for usage, _ in runs)
    cpu = statistics.median(usage.cpu for usage, _ in runs)
    peak, pairs = max(usage.peak for usage, _ in runs), runs[0][1]
    beside = ""
    if usual is not None:
        times = seconds / usual
        held = times <= MOST_TIMES and peak <= MOST_MEMORY
        beside = f", {times:.2f} times as long ({'within' if held else 'beyond'} the aim)"
    print(
        f"{mode:9} {seconds:8.2f} s{beside}, {cpu:.2f} s of the processors, {peak:,.0f} MB beyond "
        f"the texts, {pairs:,} pairs",
        flush=True,
    )
    return seconds if usual is None else usual


if __name__ == "__main__":
    main()

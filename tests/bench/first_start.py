"""Measure the first start: from the program to the sample's pairs on the screen, cold and warm.

    python tests/bench/first_start.py [--rounds 3] [--against TREE]

Cold: the compiler's cache is empty, as after an installation without `neardup prepare`. Prepared:
`neardup prepare` has been run. Times are from the start of the process to the window, to the
complete list, and to the first pair opened; the longest stall is that of the window meanwhile.
`--against` measures another tree beside it, in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve()
TREE = HERE.parents[2]
COLUMNS = ("window", "listed", "opened", "stall")
PATIENCE = 300_000  # ms


def start(began: float) -> int:
    """Be the window: open the sample, open its first pair, print the times as JSON."""
    from PySide6.QtCore import QEventLoop, QSettings, QTimer, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from neardup_gui.app import build_window, complete_types
    from neardup_gui.environment.preferences import Preferences

    qInstallMessageHandler(lambda _kind, _context, _message: None)
    application = QApplication(["neardup-bench"])
    times: dict[str, float] = {}
    last, late = time.perf_counter(), [0.0]

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append(1000 * (now - last) - timer.interval())
        last = now

    def wait_for(signal: object, wanted: object = None) -> None:
        loop = QEventLoop()
        signal.connect(lambda value=None: loop.quit() if not wanted or wanted(value) else None)  # type: ignore[attr-defined,operator]
        QTimer.singleShot(PATIENCE, loop.quit)
        loop.exec()

    with tempfile.TemporaryDirectory() as scratch:
        store = QSettings(str(Path(scratch, "settings.ini")), QSettings.Format.IniFormat)
        window = build_window(application, Preferences(store))
        window.resize(1440, 900)
        window.show()
        application.processEvents()
        times["window"] = time.time() - began
        complete_types()
        timer = QTimer(window, interval=5)
        timer.timeout.connect(tick)
        last = time.perf_counter()
        timer.start()
        window.presenter.prepare()
        window.presenter.open_paths([TREE / "resources" / "sample"])
        wait_for(window.presenter.listed, lambda result: result.complete)
        times["listed"] = time.time() - began
        if window.presenter.pairs.rowCount():
            window.pages.pairs.table.select_row(0)
            wait_for(window.presenter.pair.compared)
        times["opened"] = time.time() - began
        times["stall"] = max(late) / 1000
        window.close()
    print(json.dumps(times))
    return 0


def in_tree(tree: Path, cache: str) -> dict[str, float]:
    """The times of a start with the program of a tree and this cache."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "NUMBA_CACHE_DIR": cache,
        "QT_QPA_PLATFORM": "offscreen",
    }
    command = [sys.executable, str(HERE), "--start", str(time.time())]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times


def prepare(tree: Path, cache: str) -> float:
    """The time of `neardup prepare`, in seconds."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "core", "prepare", "--quiet"],
        env={**os.environ, "PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": cache},
        cwd=tree,
        check=True,
    )
    return time.perf_counter() - began


def show(label: str, rounds: list[dict[str, float]]) -> None:
    """The best of several rounds."""
    best = [min(times[column] for times in rounds) for column in COLUMNS]
    print(f"{label:<34}" + "".join(f"{value:>9.2f}" for value in best), flush=True)


def main() -> int:
    """Measure one tree or two."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--start", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start is not None:
        return start(options.start)
    trees = [TREE, *([options.against] if options.against else [])]
    cold: dict[Path, list[dict[str, float]]] = {tree: [] for tree in trees}
    warm: dict[Path, list[dict[str, float]]] = {tree: [] for tree in trees}
    preparing: list[float] = []
    for _ in range(options.rounds):
        for tree in trees:
            with tempfile.TemporaryDirectory() as cache:
                cold[tree].append(in_tree(tree, cache))
                warm[tree].append(in_tree(tree, cache))
        with tempfile.TemporaryDirectory() as cache:
            preparing.append(prepare(TREE, cache))
    print(f"{'seconds, best of the rounds':<34}" + "".join(f"{name:>9}" for name in COLUMNS))
    for tree in trees:
        name = "this version" if tree == TREE else str(tree)
        show(f"{name}, cold", cold[tree])
        show(f"{name}, again", warm[tree])
    print(f"neardup prepare, cold: {min(preparing):.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

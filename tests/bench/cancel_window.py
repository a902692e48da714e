"""Measure how long the window takes to stop, asked at random moments of everything that takes long.

    python tests/bench/cancel_window.py [--moments 150] [--only NAME] [--seed 1] [--folder PLACE]

As `cancel.py`, with Cancel instead of Ctrl+C, with another pair chosen while one is laid out, and
with the window closed: measured until no job of the window is open, or the window is gone. Of
those over a second the processor time until then is told, too: on a loaded machine it says more.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from traceback import walk_stack

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT), str(HERE.parent)]
from cancel import (
    EARLIEST,
    LOOK_AGAIN,
    Folders,
    Moment,
    make_folders,
    options_of,
    pace,
    report,
    tell_task,
)
from PySide6.QtCore import QSettings, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from core.scan.in_memory import call_kernels
from neardup_gui.app import build_window
from neardup_gui.environment.preferences import Preferences
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.window.main_window import MainWindow

NET = 600.0
LAID_OUT = ("english", "chinese")  # windows in which a pair is laid out
Begin = Callable[[MainWindow], None]
STAGES = {
    "preparation": "compile", "discovery": "discovery", "ingest": "reading and signing",
    "flow": "reading and signing", "bands": "banding", "lsh": "banding",
    "lister": "comparing", "reworked": "comparing", "reworked_store": "comparing",
    "all_pairs": "comparing", "loading": "opening a review",
    "saving": "saving", "reports": "exporting", "passages": "passages",
    "comparison": "laying out a pair",
}  # fmt: skip


class Bench:
    """One application, and a window for each moment."""

    def __init__(self, folders: Folders, made: Path) -> None:
        self.folders, self.made = folders, made
        self.application = QApplication.instance() or QApplication(["neardup-bench"])
        self.windows: dict[str, MainWindow] = {}
        self.saved = 0

    def window(self, name: str) -> MainWindow:
        """The window of a task, with what the task needs open in it."""
        if name in self.windows:
            return self.windows[name]
        store = QSettings(str(self.made / f"{name}.ini"), QSettings.Format.IniFormat)
        window = build_window(self.application, Preferences(store))
        window.resize(1280, 800)
        window.show()
        self.windows[name] = window
        if name in {"save", "export"}:
            window.presenter.open_folders([self.folders.many])
        if name in LAID_OUT:
            window.presenter.open_folders([getattr(self.folders, name)])
        self.until(lambda: not busy(window), NET)
        return window

    def close(self, name: str) -> None:
        """End a window."""
        window = self.windows.pop(name)
        window.close()
        window.presenter.deleteLater()
        window.deleteLater()
        self.application.processEvents()

    def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Let the window work until something is so, or the time is over."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.application.processEvents()
            time.sleep(0.002)

    def tasks(self) -> dict[str, tuple[str, Begin]]:
        """What takes long: the name of its window, and how it is begun."""
        folders, review = self.folders, self.made / "other.neardup"

        def save(window: MainWindow) -> None:
            self.saved += 1  # to another file each time: the same again has little to write
            window.presenter.save_review(self.made / f"{self.saved}.neardup")

        def compare(window: MainWindow) -> None:
            window.presenter.open_pair(window.presenter.pairs.key_at(0))

        return {
            "scan": ("scan", lambda w: w.presenter.open_folders([folders.many])),
            "scan huge texts": ("scan", lambda w: w.presenter.open_folders([folders.huge])),
            "scan foreign files": ("scan", lambda w: w.presenter.open_folders([folders.foreign])),
            "open": ("open", lambda w: w.presenter.open_paths([review])),
            "save": ("save", save),
            "export": ("export", lambda w: w.presenter.exports.save(self.made / "w.html")),
            "pair, English": ("english", compare),
            "pair, Chinese": ("chinese", compare),
        }


def busy(window: MainWindow) -> bool:
    """Whether a job of a window is open, also one that is not heard of any more."""
    return bool(window.presenter.tasks._open)


def seen() -> list[list[str]]:
    """The engine's frames of every other thread, the deepest first."""
    found = []
    for thread, top in sys._current_frames().items():
        frames = []
        for frame, line in walk_stack(top):
            path = frame.f_code.co_filename
            if "/core/" in path or "/neardup_gui/" in path:
                place = path.rpartition("/core/")[2].rpartition("/neardup_gui/")[2]
                frames.append(f"{place}:{line} {frame.f_code.co_name}")
        if thread != threading.get_ident() and frames and not frames[0].startswith("jobs/tasks.py"):
            found.append(frames)
    return found


def stage_of(found: list[list[str]]) -> str:
    """The stage that the job is in."""
    for frames in found:
        if any("jobs/tasks.py" in frame for frame in frames):
            for frame in frames:
                for part in frame.partition(".py")[0].split("/"):
                    if part in STAGES:
                        return STAGES[part]
    return "start and end"


def words(found: list[list[str]]) -> str:
    return " | ".join(" < ".join(frames[:3]) for frames in found)


def stop_at(bench: Bench, name: str, at: float, *, closing: bool) -> Moment | None:
    """Begin a task, ask it to stop after so many seconds; None where it had ended."""
    place, begin = bench.tasks()[name]
    window = bench.window(place)
    began = time.monotonic()
    begin(window)
    bench.until(lambda: not busy(window), began + at - time.monotonic())
    if not busy(window):
        return None
    first, asked, worked = seen(), time.monotonic(), time.process_time()
    later: list[list[str]] = []

    def look() -> None:
        later.extend(seen())

    timer = threading.Timer(LOOK_AGAIN, look)
    timer.start()
    if closing:
        bench.close(place)
    else:
        window.presenter.cancel()
        window.presenter.tasks.drop(TaskKind.COMPARE, TaskKind.LIST)
        bench.until(lambda: not busy(window), NET)
    seconds, worked = time.monotonic() - asked, time.process_time() - worked
    timer.cancel()
    timer.join()
    how = f"{name}, closing" if closing else name
    return Moment(how, stage_of(first), seconds, 130, at, (words(first), words(later)), 0, worked)


def main() -> None:
    """Run all tasks."""
    options = options_of(__doc__)
    chance = random.Random(options.seed)
    qInstallMessageHandler(lambda _kind, _context, _message: None)
    call_kernels()
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch)
        place = options.folder or made / "files"
        folders = Folders(place) if (place / "huge").exists() else make_folders(place)
        bench = Bench(folders, made)
        window = bench.window("save")
        window.presenter.save_review(made / "many.neardup")
        bench.until(lambda: not busy(window), NET)
        shutil.copy(made / "many.neardup", made / "other.neardup")  # that one nobody holds
        moments, paces = [], []
        chosen = [name for name in bench.tasks() if options.only in name]
        for name in chosen:
            place_of, begin = bench.tasks()[name]
            window = bench.window(place_of)
            began = time.monotonic()
            begin(window)
            bench.until(lambda window=window: not busy(window), NET)
            whole = time.monotonic() - began
            print(f"{name}: {whole:.1f} s without a stop", flush=True)
            for number in range(-(-options.moments // len(chosen))):
                paces.append(pace())
                at = chance.uniform(min(EARLIEST, whole / 4), whole)
                if place_of in LAID_OUT and place_of in bench.windows:
                    bench.close(place_of)  # it has laid the pair out, and keeps that
                moment = stop_at(bench, name, at, closing=number % 3 == 2)
                if moment is not None:
                    moments.append(moment)
            tell_task(name, moments)
            if place_of in bench.windows:
                bench.close(place_of)
        report(moments, paces)
        sys.stdout.flush()
        os._exit(0)  # not after threads that nobody waits for


if __name__ == "__main__":
    main()

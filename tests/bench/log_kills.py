"""Kills while decisions are saved: what was said to be saved is there, at every moment.

A process decides about documents of a review, one entry of the log after the other, saves the whole
scan in between, and says so; it is killed with SIGKILL at a random moment. After each kill:

    review   opened where it lies, it holds what was said, and at most the entry under way beside
    copies   of the one file, taken when something was said to be saved, open elsewhere with it
    beside   nothing is left beside the review when it was opened

    python tests/bench/log_kills.py [--kills 1000] [--seed 0]

Ends with 1 where something was not right. Not for Windows.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NoReturn

from core.documents.model import Absence, AbsenceKind
from core.review import extend_log, open_review, save_review
from core.review.folder_roles import bring_back, remove
from core.scan.flow import scan
from core.scan.history import entry_after
from core.scan.state import ScanState
from core.settings import ScanSettings

DOCUMENTS = 20
MOST_ENTRIES = 300  # then another review is begun
SAVE_EVERY = 7  # entries
LONGEST = 0.02  # seconds until a kill


def lost_documents(folder: Path) -> ScanState:
    """A scan of documents that are all gone."""
    folder.mkdir()
    for number in range(DOCUMENTS):
        words = " ".join(f"w{number // 2}x{place}" for place in range(200))
        (folder / f"{number:02}.txt").write_text(f"{words} {number}")
    done = scan([folder], ScanSettings(k=3))
    done.list_pairs()
    done.close()
    absence = Absence(AbsenceKind.GONE, date(2026, 11, 22))
    documents = tuple(replace(one, absence=absence) for one in done.documents)
    return done.state._replace(documents=documents, texts=list(done.state.texts))


def removed_after(count: int) -> set[str]:
    """What is removed after so many entries."""
    names: set[str] = set()
    for number in range(count):
        name = f"{number % DOCUMENTS:02}.txt"
        names = names - {name} if number // DOCUMENTS % 2 else names | {name}
    return names


def decide(review: Path, says: int, hears: int) -> NoReturn:
    """The process that is killed: it goes on whenever it is told to."""
    with open_review(review) as opened:
        documents = {one.name: one for one in opened.state.documents}
        known = opened.state.log
        while os.read(hears, 1):
            number = len(known)
            one = documents[f"{number % DOCUMENTS:02}.txt"]
            command = bring_back([one]) if number // DOCUMENTS % 2 else remove([one])
            entries, notes = extend_log(review, known, [entry_after(known, *command)])
            known = (*known, *entries)
            if number % SAVE_EVERY == 0:
                with open_review(review) as now:
                    notes += save_review(review, now.state)
            os.write(says, b"?" if notes else b"!")
    os._exit(0)


class Kills:
    """Rounds on one review after the other."""

    def __init__(self, place: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.state = lost_documents(place / "docs")
        self.review = place / "reviews" / "a.neardup"
        self.copy = place / "copy.neardup"
        self.review.parent.mkdir()
        self.copies = self.beside = 0
        self.troubles: list[str] = []
        self.said = MOST_ENTRIES

    def round(self) -> None:
        """Let a process decide a few things, and kill it."""
        if self.said >= MOST_ENTRIES:
            self.review.unlink(missing_ok=True)
            save_review(self.review, self.state)
            self.said = 0
        says, hears = os.pipe(), os.pipe()
        child = os.fork()
        if not child:
            try:
                decide(self.review, says[1], hears[0])
            finally:
                os._exit(1)
        for pipe in (says[1], hears[0]):
            os.close(pipe)
        for _ in range(self.rng.randrange(6)):
            os.write(hears[1], b".")
            if not self._listen(os.read(says[0], 1)):
                break
        os.write(hears[1], b".")
        time.sleep(LONGEST * self.rng.random())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.said += len(os.read(says[0], 9))
        for pipe in (says[0], hears[1]):
            os.close(pipe)
        self._look_after()

    def _listen(self, word: bytes) -> bool:
        self.said += len(word)
        if word == b"!" and self.rng.random() < 0.3:
            shutil.copyfile(self.review, self.copy)
            self.copies += 1
            self._holds(self.copy, {self.said}, "a copy")
        if word != b"!":
            self.troubles.append(f"it said {word!r}")
        return bool(word)

    def _look_after(self) -> None:
        self.beside += len(list(self.review.parent.iterdir())) > 1
        self.said = self._holds(self.review, {self.said, self.said + 1}, "the review")
        left = [path.name for path in self.review.parent.iterdir() if path != self.review]
        if left:
            self.troubles.append(f"{left} is left")

    def _holds(self, path: Path, counts: set[int], which: str) -> int:
        with open_review(path, verify=True) as opened:
            count = len(opened.state.log)
            removed = {one.name for one in opened.state.documents if one.is_removed}
            if count not in counts or removed != removed_after(count) or opened.notes:
                self.troubles.append(f"{which} holds {count} of {counts}: {opened.notes}")
            return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill so many processes; 1 where something was not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="neardup-kills-") as name:
        kills = Kills(Path(name), options.seed)
        for _ in range(options.kills):
            kills.round()
    for trouble in kills.troubles:
        print(trouble)
    print(
        f"{options.kills:,} kills, {kills.beside:,} of them in the midst of a save; "
        f"{kills.copies:,} copies; {len(kills.troubles)} troubles; {time.monotonic() - began:.0f} s"
    )
    return 1 if kills.troubles else 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure how long it takes from a decision to set text aside to new ranks.

    python tests/bench/set_aside.py [--documents 1000] [--words 1000] [--repeat 5]

Essays of words drawn as they are in languages (Zipf), a tenth of them copies with a tenth of the
words changed. All have one cover sheet, a quotation and a list of references. Of each kind of
decision: the rules found and the documents signed again, the pairs listed, both together, as the
best of the repetitions in milliseconds. The budget for 1,000 documents is 500 ms.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.review.decisions import decide
from core.review.passages import set_aside
from core.scan.flow import scan
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings

COVER = (
    "School of Lamps and Rivers\nEssay two: a place and who uses it\n\nCandidate: name {number}\n\n"
)
DECLARATION = (
    "I declare that this essay is my own work, that every source I have used is named in it, and "
    "that no part of it has been handed in for another course"
)
REFERENCES = "\n\nReferences\n\nMeyer, A. (1999). Lamps.\n\nTran, B. (2001). Lights of towns.\n"
DECISIONS = (
    ("a phrase in all", NO_RULES, AsideRules(phrases=(Phrase(DECLARATION),))),
    ("a phrase in one", NO_RULES, AsideRules(phrases=(Phrase("candidate name 7"),))),
    ("quotations", NO_RULES, AsideRules(quotations=True)),
    ("references", NO_RULES, AsideRules(bibliography=True)),
    ("cover sheets", NO_RULES, AsideRules(repeated=True)),
    ("common to 5", NO_RULES, AsideRules(common=5)),
    ("all of these", NO_RULES, AsideRules(True, True, True, 5, (Phrase(DECLARATION),))),
    ("none any more", AsideRules(True, True, True, 5, (Phrase(DECLARATION),)), NO_RULES),
)


def essays(documents: int, words: int) -> list[str]:
    """The texts, always the same."""
    rng = np.random.default_rng(1)
    vocabulary = np.array([f"w{number:x}" for number in range(50_000)])
    drawn = [rng.zipf(1.2, words) % len(vocabulary) for _ in range(documents)]
    texts = []
    for number, own in enumerate(drawn):
        if number % 10 == 9:
            kept = rng.random(words) < 0.9
            own = np.where(kept, drawn[number - 1], own)  # noqa: PLW2901 - of the copy
        body = " ".join(vocabulary[own].tolist())
        start = COVER.format(number=number) + DECLARATION + ".\n\n"
        texts.append(f"{start}{body} “{' '.join(vocabulary[own[:30]].tolist())}”{REFERENCES}")
    return texts


def measured(state: ScanState, rules: AsideRules) -> tuple[float, float, int]:
    """Seconds until the rules are applied, and from there until there are ranks; how many pairs."""
    begun = time.perf_counter()
    changed = decide(state, *set_aside(state.rules, rules))
    applied = time.perf_counter()
    listed = Scan.restored(changed)
    pairs = listed.list_pairs().pairs
    ended = time.perf_counter()
    listed.close()
    return applied - begun, ended - applied, len(pairs.a)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Measure setting text aside.")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for number, text in enumerate(essays(options.documents, options.words)):
            Path(place, f"{number:06}.txt").write_text(text, encoding="utf-8")
        done = scan([Path(place)], ScanSettings())
        count = len(done.list_pairs().pairs.a)
        state = done.state
        done.close()
    print(f"{options.documents:,} documents, {count:,} pairs")
    print(f"{'':16} {'find, sign':>10} {'list':>7} {'together':>9} {'pairs':>8}")
    for name, before, after in DECISIONS:
        first = decide(state, *set_aside(NO_RULES, before)) if before else state
        runs = [measured(first, after) for _ in range(options.repeat)]
        find, listing = (min(run[part] for run in runs) * 1000 for part in range(2))
        both = min(run[0] + run[1] for run in runs) * 1000
        print(f"{name:16} {find:10.0f} {listing:7.0f} {both:9.0f} {runs[0][2]:8,}")


if __name__ == "__main__":
    main()

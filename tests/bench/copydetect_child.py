"""Compares pairs of text files with copydetect, in an interpreter that has it.

Reads {"folder", "pairs": [[a, b], ...]} from standard input, files named NUMBER.txt, and writes a
list of [score, [[[a_start, a_end], [b_start, b_end]], ...]]. The score is the larger share of a
text that both have. copydetect says which stretches of each text the other has; those belong
together here that have as many characters in common as it looks for.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from copydetect import CodeFingerprint, compare_files  # type: ignore[import-not-found]

NOISE, WINDOW = 25, 6  # characters: the usual ones, which guarantee a match of 30


def main() -> None:
    asked = json.load(sys.stdin)
    prints = {
        number: CodeFingerprint(
            str(Path(asked["folder"]) / f"{number}.txt"), NOISE, WINDOW, filter=False
        )
        for number in sorted({number for pair in asked["pairs"] for number in pair})
    }
    json.dump([compared(prints[a], prints[b]) for a, b in asked["pairs"]], sys.stdout)


def compared(a: CodeFingerprint, b: CodeFingerprint) -> tuple[float, list[object]]:
    """Score and passages of one pair."""
    overlap, similarities, slices = compare_files(a, b)
    if not overlap:
        return 0.0, []
    in_a, in_b = (one.astype(int).T.tolist() for one in slices)
    parts_a, parts_b = (
        [_grams(text.raw_code, *one) for one in own] for text, own in ((a, in_a), (b, in_b))
    )
    found = [
        (x, y)
        for x, grams in zip(in_a, parts_a, strict=True)
        for y, others in zip(in_b, parts_b, strict=True)
        if not grams.isdisjoint(others)
    ]
    return float(max(similarities)), found


def _grams(text: str, start: int, end: int) -> set[str]:
    return {text[at : at + NOISE] for at in range(start, end - NOISE + 1)}


if __name__ == "__main__":
    main()

"""The shared passages of pairs as other programs read them."""

from __future__ import annotations

from typing import Any

from core.reports.model import Report


def passage_row(report: Report, a: int, b: int) -> dict[str, Any]:
    """The passages of a pair, see `core.reports.tables.write_passages`; its names in their order.

    Raises:
        ScanCancelledError: The report was told so.
    """
    names = [report.name_of(a), report.name_of(b)]
    sides = ["a", "b"]
    if names[1] < names[0]:
        names.reverse()
        sides.reverse()
    shared = report.passages_of(a, b)
    return {
        "doc_a": names[0],
        "doc_b": names[1],
        "least_bits": round(shared.floor.bits, 1),
        "passages": [
            {
                f"{sides[0]}_start": passage.a_start,
                f"{sides[0]}_end": passage.a_end,
                f"{sides[1]}_start": passage.b_start,
                f"{sides[1]}_end": passage.b_end,
                "tokens": passage.tokens,
                "longest_run": passage.longest_run,
                "bits": round(passage.bits, 1),
                f"{sides[0]}_tokens": passage.a_tokens,
                f"{sides[1]}_tokens": passage.b_tokens,
                "near": passage.near,
                "exchanged": passage.exchanged,
                "moved": passage.moved_words,
                "reworked_words": passage.reworked_words,
                "chance": passage.chance,
            }
            for passage in shared.passages
        ],
    }

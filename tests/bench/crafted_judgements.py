"""Logs of judgements that somebody made on purpose, for `crafted_reviews.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

LogRow = tuple[int, bytes, bytes, bytes, bytes]
Make = Callable[[Sequence[str]], list[LogRow]]  # of the hashes of the texts that are there

TIME = b"2026-11-22T10:00:00.000+00:00"
MANY = 20_000
FILES = dict.fromkeys(("added", "changed", "moved", "gone", "not_read", "back"), 1)
BAD_TEXT = "\x1b[31m\u202e<script>\0\ud800\r=1+1"


def packed(kind: str, **data: object) -> bytes:
    """A command as a review holds it."""
    whole = {"kind": kind, "version": 1, **data}
    return json.dumps(whole, separators=(",", ":")).encode()


def row(command: bytes, inverse: bytes = b"", who: bytes = b"ann", time: bytes = TIME) -> LogRow:
    return (0, time, who, command, inverse)


def said(kind: str, texts: Sequence[str], value: object, pairs: Sequence[object], **by: object):
    return packed(kind, texts=list(texts), said=[{"is": value, "pairs": list(pairs), **by}])


def rescan(edited: Sequence[object] = (), came: Sequence[object] = (), **files: object) -> bytes:
    return packed("rescan", came=list(came), copies=[], edited=list(edited), files=FILES | files)


def judgement_logs() -> dict[str, Make]:
    """By name."""
    return {name: make for some in (_verdicts(), _rescans()) for name, make in some}


def _verdicts() -> Iterator[tuple[str, Make]]:
    yield "confirmed", lambda texts: [row(said("judge", texts, "confirmed", [0, 1, 1, 2]))]
    yield "unknown", lambda texts: [row(said("judge", texts, "guilty", [0, 1]))]
    yield "of no text", lambda texts: [row(said("judge", [], "confirmed", [0, 1]))]
    yield "of negative places", lambda texts: [row(said("judge", texts, "confirmed", [-1, -2]))]
    yield "of odd places", lambda texts: [row(said("judge", texts, "confirmed", [0, 1, 2]))]
    yield "of places of other types", lambda texts: [row(said("judge", texts, "confirmed", "01"))]
    yield "of long keys", lambda texts: [row(said("judge", ["x" * 10**6], "confirmed", [0, 0]))]
    yield "of strange keys", lambda texts: [row(said("judge", [BAD_TEXT], "confirmed", [0, 0]))]
    yield (
        "with a note of strange letters",
        lambda texts: [row(said("note", texts, BAD_TEXT, [0, 1]))],
    )
    yield "with a note too long", lambda texts: [row(said("note", texts, "x" * 10**6, [0, 1]))]
    yield (
        "by strange people",
        lambda texts: [
            row(said("note", texts, "x", [0, 1], who=BAD_TEXT, time="<b>")),
            row(
                said("judge", texts, "confirmed", [0, 1]),
                who=BAD_TEXT.encode("utf-8", "surrogatepass"),
            ),
        ],
    )
    yield (
        "of one pair, often",
        lambda texts: [
            row(said("judge", texts, verdict, [0, 1]))
            for _ in range(MANY // 2)
            for verdict in ("confirmed", "not reviewed")
        ],
    )
    yield (
        "of one pair, a million times",
        lambda texts: [row(said("judge", texts[:2], "confirmed", [0, 1] * 10**6))],
    )
    yield (
        "of a million pairs",
        lambda texts: [
            row(said("judge", [f"{n:032x}" for n in range(1000)], "confirmed", _all(1000)))
        ],
    )
    yield "cut off", lambda texts: [row(said("judge", texts, "confirmed", [0, 1])[:-3])]
    yield (
        "with an inverse cut off",
        lambda texts: [
            row(said("judge", texts, "confirmed", [0, 1]), said("judge", texts, None, [0, 1])[:-3])
        ],
    )
    yield "deep", lambda texts: [row(b'{"kind":"judge","version":1,"texts":' + b"[" * 10**6)]


def _rescans() -> Iterator[tuple[str, Make]]:
    def chain(texts: Sequence[str]) -> list[LogRow]:
        keys = [*(f"{n:032x}" for n in range(MANY)), texts[0]]
        steps = [row(rescan([[now, before, 0.5]])) for before, now in pairwise(keys)]
        return [row(said("judge", [keys[0], texts[1]], "confirmed", [0, 1])), *steps]

    def star(texts: Sequence[str]) -> list[LogRow]:
        edited = [[text, "0" * 32, 0.5] for text in texts]
        return [row(said("judge", ["0" * 32], "confirmed", [0, 0])), row(rescan(edited))]

    def ring(texts: Sequence[str]) -> list[LogRow]:
        edited = [
            [now, before, 0] for now, before in zip(texts, [*texts[1:], texts[0]], strict=True)
        ]
        return [row(said("judge", texts, "confirmed", [0, 1])), row(rescan(edited))] * 3

    yield "over many rescans", chain
    yield "of a text that became many", star
    yield "in a ring", ring
    yield "of itself", lambda texts: [row(rescan([[texts[0], texts[0], 1]]))]
    yield "with many rescans", lambda texts: [row(rescan(came=texts))] * MANY
    yield "with no number of files", lambda texts: [row(rescan(gone="1"))]
    yield "with a negative number of files", lambda texts: [row(rescan(gone=-1))]
    yield "with a share of infinity", lambda texts: [row(rescan([[texts[0], "x", float("inf")]]))]
    yield "with texts that are numbers", lambda texts: [row(rescan(came=[5]))]
    yield "seen before it came", lambda texts: [row(packed("seen", rescans=10**30)), row(rescan())]


def _all(count: int) -> list[int]:
    return [place for a in range(count) for b in range(count) for place in (a, b)]

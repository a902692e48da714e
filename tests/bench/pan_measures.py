"""Found passages against true ones, character by character: the measures of the PAN workshops.

Potthast, Stein, Barrón-Cedeño and Rosso, "An Evaluation Framework for Plagiarism Detection",
COLING 2010: precision and recall are means over detections and over cases, granularity is how many
detections a detected case has, and plagdet = F1 / log2(1 + granularity).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

Interval = tuple[int, int]
DocumentPair = tuple[str, str]


class Span(NamedTuple):
    """A passage of one document and its counterpart in another; names in order, ends excluded."""

    pair: DocumentPair
    a: Interval
    b: Interval

    @property
    def characters(self) -> int:
        return self.a[1] - self.a[0] + self.b[1] - self.b[0]


class Measures(NamedTuple):
    """What the framework measures of a set of detections."""

    precision: float
    recall: float
    granularity: float

    @property
    def plagdet(self) -> float:
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return f1 / math.log2(1 + self.granularity)


def make_span(doc_a: str, doc_b: str, a: Interval, b: Interval) -> Span:
    """A span with its documents in alphabetic order."""
    return Span((doc_a, doc_b), a, b) if doc_a <= doc_b else Span((doc_b, doc_a), b, a)


def measure(cases: Collection[Span], detections: Collection[Span]) -> Measures:
    """The measures of these detections of these cases."""
    true, detected = by_pair(cases), by_pair(detections)
    recalls = [covered(case, detected.get(case.pair, ())) for case in cases]
    precisions = [covered(detection, true.get(detection.pair, ())) for detection in detections]
    counts = [
        sum(meet(case, detection) for detection in detected.get(case.pair, ())) for case in cases
    ]
    hit = [count for count in counts if count]
    return Measures(mean(precisions), mean(recalls), mean(hit) if hit else 1.0)


def by_pair(spans: Iterable[Span]) -> Mapping[DocumentPair, list[Span]]:
    """Spans by their documents."""
    groups: dict[DocumentPair, list[Span]] = defaultdict(list)
    for span in spans:
        groups[span.pair].append(span)
    return groups


def meet(a: Span, b: Span) -> bool:
    """Whether two spans of one pair share characters in both documents."""
    return _meet(a.a, b.a) and _meet(a.b, b.b)


def covered(span: Span, spans: Iterable[Span]) -> float:
    """The share of a span's characters, in both documents, that spans cover which meet it."""
    meeting = [met for met in spans if meet(span, met)]
    if not meeting or not span.characters:
        return 0.0
    in_a = _covered(span.a, [met.a for met in meeting])
    return (in_a + _covered(span.b, [met.b for met in meeting])) / span.characters


def _meet(a: Interval, b: Interval) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _covered(span: Interval, parts: list[Interval]) -> int:
    """Characters of an interval that lie in at least one of the others."""
    total, at = 0, span[0]
    for start, end in sorted(parts):
        total += max(0, min(end, span[1]) - max(start, at))
        at = max(at, min(end, span[1]))
    return total


def mean(numbers: Collection[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0

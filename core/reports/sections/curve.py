"""What the search for pairs finds: the forecast in words, and the curve with the pairs."""

from __future__ import annotations

from collections.abc import Iterator

from core.reports.blocks import Block, Line, Prose, Section, Span, SpanKind, line
from core.reports.curve.forecast_words import forecast
from core.reports.curve.numbers import Sentence
from core.reports.curve.picture import curve_picture
from core.reports.curve.state import FolderPairs, ThresholdState
from core.reports.limits import ReportLimits
from core.reports.model import Report

OF_ALL = "This is said of the whole list, of which this report shows a part."
NO_CURVE = "All pairs were compared, so no curve says which are found."
BARS = "The bars are the pairs {where} by their resemblance, on a logarithmic scale."
BY_BANDS = "A pair of resemblance s is found by bands with probability "
BY_BITS = (
    "A pair is found when at most d of the 64 bits of its signatures differ. Of documents of equal "
    "length and resemblance s a bit differs with probability p = arccos(2s / (1 + s)) / π, so they "
    "are found with probability "
)


def curve(report: Report, _limits: ReportLimits) -> Iterator[Section]:
    """What is found and what is missed; nothing where the pairs of the folder are not known."""
    if report.folder is not None:
        whole = len(report.pairs) == report.list_counts.listed
        blocks = _blocks(ThresholdState.of(report.settings), report.folder, whole=whole)
        yield Section("curve", "What the search finds", blocks, "Curve")


def _blocks(state: ThresholdState, folder: FolderPairs, *, whole: bool) -> Iterator[Block]:
    if not whole:
        yield Prose((line(OF_ALL),), quiet=True)
    told = forecast(state, folder)
    # What would be compared for nothing is of no interest where everything was compared.
    extra = () if folder.compared is not None else told.extra
    yield Prose(tuple(_line(one) for one in (told.missed, extra, told.listed) if one))
    if folder.compared != 0:
        yield curve_picture(state, folder)
        bars = BARS.format(where=folder.where)
        yield Prose(
            (line(f"{NO_CURVE} {bars}") if folder.compared else _formula(state, bars),), quiet=True
        )


def _line(sentence: Sentence) -> Line:
    return line(
        *(Span(one.text, SpanKind.STRONG if one.strong else SpanKind.PLAIN) for one in sentence)
    )


def _formula(state: ThresholdState, bars: str) -> Line:
    """The curve that is drawn, with its own numbers."""
    if state.distance is None:
        b, r = state.bands, state.rows
        formula = Span(f"1 − (1 − s^r)^b = 1 − (1 − s^{r})^{b}", SpanKind.CODE)
        return line(BY_BANDS, formula, f". {bars}")
    formula = Span(f"Σ C(64, i) p^i (1 − p)^(64 − i), i = 0 … {state.distance}", SpanKind.CODE)
    return line(BY_BITS, formula, f". {bars}")

"""The steps about signatures: values that agree, bands that agree, the curve they follow."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.base.arrays import BoolArray, Float64Array, wilson
from core.base.tasks import Cancelled
from core.base.wording import count, counted, resemblance
from core.evidence.overlap import figures_of
from core.lessons import agreements, changed_copy, meets
from core.reports.curve.forecast_words import share, two_decimals
from neardup_gui.models.compare.why import SignatureGrid
from neardup_gui.models.tour.kept import Kept
from neardup_gui.models.tour.pictures import Chart, Mark, Series, Shown, Tone
from neardup_gui.models.tour.shingle_steps import SEED
from neardup_gui.models.tour.state import TourState
from neardup_gui.models.tour.steps import Knob
from neardup_gui.models.tour.texts import TourTexts

TRIALS = 200  # seeds
CHANGES = 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 50  # per cent of words, of the measured copies
CLASSES = 30  # of the estimates
CURVE_POINTS = 201
NAMED_BANDS = 6
CURVE_TICKS = tuple((tick / 5, f"{tick / 5:g}") for tick in range(6))
ONE: Kept[tuple[float, BoolArray]] = Kept()
MANY: Kept[tuple[tuple[float, ...], BoolArray]] = Kept()


def _one_copy(state: TourState, texts: TourTexts, cancelled: Cancelled) -> tuple[float, BoolArray]:
    """The exact resemblance of the copy that is followed; bool (seeds, K), which values agree."""
    essay = texts.essay
    copy = changed_copy(essay, state.changed / 100, SEED)

    def measure() -> tuple[float, BoolArray]:
        same = agreements([essay, copy], state.signing, TRIALS, cancelled)
        return figures_of(essay, copy, state.signing).resemblance, same[:, 0]

    return ONE.get((copy, state.signing), measure)


def show_signatures(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The values of both signatures, and how far estimates lie from the truth."""
    s, same = _one_copy(state, texts, cancelled)
    size, equal = same.shape[1], int(same[0].sum())
    error = math.sqrt(s * (1 - s) / size)
    estimates = same.mean(axis=1)
    caption = f"{count(equal)} of {count(size)} values are equal"
    return Shown(
        finding=(
            f"{caption}: the estimate is {resemblance(equal / size)}, the exact resemblance "
            f"{resemblance(s)}. Measured with {TRIALS} seeds, estimates are off by "
            f"{resemblance(float(np.sqrt(((estimates - s) ** 2).mean())))} (root mean square); "
            f"√(s(1−s)/K) says {resemblance(error)}."
        ),
        grid=SignatureGrid(tuple((bool(value),) for value in same[0]), frozenset(), f"{caption}."),
        chart=_estimate_chart(s, estimates),
    )


def _estimate_chart(s: float, estimates: Float64Array) -> Chart:
    numbers, edges = np.histogram(estimates, CLASSES, (0, 1))
    middles = (edges[:-1] + edges[1:]) / 2
    bars = tuple(zip(middles.tolist(), numbers.astype(float).tolist(), strict=True))
    low, high = np.quantile(estimates, [0.025, 0.975]).tolist()
    return Chart(
        across="estimate",
        up="seeds",
        x_range=(0, 1),
        x_ticks=CURVE_TICKS,
        series=(Series(f"estimates under {TRIALS} seeds", Tone.MAIN, bars, bars=True),),
        marks=(Mark(s, f"exact {resemblance(s)}"),),
        words=f"How often each estimate came out under {TRIALS} seeds. 95 % lie between "
        f"{resemblance(low)} and {resemblance(high)}; the exact resemblance is {resemblance(s)}.",
        top=float(max(numbers.max(), 1)),
    )


def show_bands(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The same values in bands, those that agree as a whole, and how likely that was."""
    s, same = _one_copy(state, texts, cancelled)
    bands, rows = state.choice.bands, state.choice.rows
    agree = meets(same, bands, rows)
    met = np.flatnonzero(agree[0]).tolist()
    often = int(agree.any(axis=1).sum())
    caption = f"{bands} bands of {rows} rows; {_met_words(met)}."
    grid = same[0, : bands * rows].reshape(bands, rows).tolist()
    return Shown(
        finding=(
            f"{caption} At resemblance {resemblance(s)} one band agrees with probability "
            f"{share(s**rows)}, one at least of {bands} with {share(state.choice.probability(s))}. "
            f"Measured with {TRIALS} seeds: met in {often}, {share(often / TRIALS)}."
        ),
        grid=SignatureGrid(tuple(tuple(band) for band in grid), frozenset(met), caption),
        chart=_rows_chart(s, same, state),
    )


def _rows_chart(s: float, same: BoolArray, state: TourState) -> Chart:
    """The chance for each number of rows, with as many bands as K has room for."""
    size, longest = same.shape[1], int(state.bounds(Knob.FILLED_ROWS)[1])
    choices = [state.choice.with_both(size // rows, rows) for rows in range(1, longest + 1)]
    often = [int(meets(same, choice.bands, choice.rows).any(axis=1).sum()) for choice in choices]
    intervals = [wilson(met, TRIALS) for met in often]
    rows = [float(choice.rows) for choice in choices]
    chances = [choice.probability(s) for choice in choices]
    said = "; ".join(
        f"{choice.name}: {share(chance)}, measured {share(met / TRIALS)}"
        for choice, chance, met in zip(choices, chances, often, strict=True)
    )
    return Chart(
        across="r, rows in a band",
        up="chance to meet",
        x_range=(0.5, longest + 0.5),
        x_ticks=tuple((float(row), f"{row:g}") for row in rows),
        series=(
            Series("1 − (1 − s^r)^b, b = K / r", Tone.MAIN, _points(rows, chances), joined=True),
            Series(
                f"measured with {TRIALS} seeds",
                Tone.OTHER,
                _points(rows, [met / TRIALS for met in often]),
                spread=tuple((one.low, one.high) for one in intervals),
            ),
        ),
        marks=(Mark(float(state.choice.rows), f"r = {state.choice.rows}"),),
        words=f"The chance to meet at resemblance {resemblance(s)}, for each r. {said}.",
    )


def _points(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(x, y, strict=True))


def _met_words(met: list[int]) -> str:
    if not met:
        return "none agrees as a whole, so the pair is not compared"
    if len(met) == 1:
        return f"band {1 + met[0]} agrees as a whole, so the pair is compared"
    names = [str(1 + band) for band in met[:NAMED_BANDS]]
    last = f"{len(met) - NAMED_BANDS} more" if len(met) > NAMED_BANDS else names.pop()
    return f"bands {', '.join(names)} and {last} agree as a whole, so the pair is compared"


def show_curve(state: TourState, texts: TourTexts, cancelled: Cancelled) -> Shown:
    """The curve, and the share of signings under which copies really met the text."""
    choice, essay = state.choice, texts.essay
    copies = [changed_copy(essay, percent / 100, SEED) for percent in CHANGES]

    def measure() -> tuple[tuple[float, ...], BoolArray]:
        exact = tuple(figures_of(essay, copy, state.signing).resemblance for copy in copies)
        return exact, agreements([essay, *copies], state.signing, TRIALS, cancelled)

    exact, same = MANY.get((essay, state.signing), measure)
    often = meets(same, choice.bands, choice.rows).any(axis=2).sum(axis=0)
    intervals = [wilson(int(met), TRIALS) for met in often]
    spread = tuple((one.low, one.high) for one in intervals)
    dots = tuple(zip(exact, (often / TRIALS).tolist(), strict=True))
    inside = sum(
        low <= choice.probability(s) <= high for s, (low, high) in zip(exact, spread, strict=True)
    )
    said = "; ".join(f"at {two_decimals(s)} {share(measured)}" for s, measured in dots)
    return Shown(
        finding=(
            f"{choice.bands} × {choice.rows}: (1/b)^(1/r) = "
            f"{two_decimals(choice.midpoint)}, steepest at {two_decimals(choice.steepest)}; "
            f"{choice.bands * choice.rows} of K = {choice.signature_size} values are used. "
            f"{counted(len(dots), 'copy', 'copies')}, each signed with {TRIALS} seeds: the curve "
            f"passes through the 95 % interval of {inside} of them."
        ),
        chart=Chart(
            across="resemblance",
            up="chance to meet",
            x_range=(0, 1),
            x_ticks=CURVE_TICKS,
            series=(
                *curve_series(state),
                Series(f"measured with {TRIALS} seeds", Tone.OTHER, dots, spread=spread),
            ),
            marks=(Mark(choice.midpoint, "(1/b)^(1/r)"),),
            words=f"The curve of {choice.bands} bands of {choice.rows} rows, and measured: {said}.",
        ),
    )


def curve_series(state: TourState) -> tuple[Series, ...]:
    """The curve."""
    s = np.linspace(0, 1, CURVE_POINTS)
    points = zip(s.tolist(), state.choice.probabilities(s).tolist(), strict=True)
    return (Series("1 − (1 − s^r)^b", Tone.MAIN, tuple(points), joined=True),)

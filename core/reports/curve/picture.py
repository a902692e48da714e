"""The curve of a setting with the pairs of a folder behind it, as SVG.

Nothing in it has its own colour: lines and words are drawn in that of the text around it, so
it is read on paper, on light and on dark ground. Where all pairs were compared no curve decides,
and none is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias
from xml.etree import ElementTree as ET

import numpy as np

from core.base.arrays import Float64Array
from core.base.messages import gettext, localized, ngettext, percentage
from core.base.wording import threshold
from core.reports.blocks import Picture
from core.reports.curve.forecast_words import about, almost, share, two_decimals
from core.reports.curve.state import BINS, Bars, FolderPairs, ThresholdState

WIDTH = 640.0
LEFT, TOP, RIGHT, BOTTOM = 48.0, 38.0, 582.0, 232.0  # of the area of the plot
TALLEST = 0.92  # of its height: bars stay below the upper end of the curve
BAR = 0.88  # of a class
POINTS = 201  # of a curve
EVERY = 4  # points of it between two lines of a hatching
LETTER = 6.2  # the mean width of a letter at the size of the words
SIZE = 11.5  # of the words
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


Ink: TypeAlias = dict[str, str]


def _line(width: float, opacity: float = 1.0, dashes: str = "") -> Ink:
    """How a line is drawn, as attributes of SVG."""
    drawn = {"fill": "none", "stroke": "currentColor", "stroke-width": f"{width:g}"}
    return drawn | {"stroke-opacity": f"{opacity:g}", "stroke-dasharray": dashes or "none"}


def _filled(opacity: float) -> Ink:
    """The same for filled shapes."""
    return {"fill": "currentColor", "fill-opacity": f"{opacity:g}"}


CURVE, CONTAINED = _line(2), _line(1.4, 0.8, "6 3")
THRESHOLD, GRID = _line(1.4, 1, "2 2"), _line(0.7, 0.25)
MISSED, EXTRA = _line(0.8, 0.6), _line(0.8, 0.6, "1 2")
LISTED, EVERYWHERE = _filled(0.5), _filled(0.16)


def curve_picture(state: ThresholdState, folder: FolderPairs) -> Picture:
    """The picture, and in words what it shows."""
    root = ET.Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "width": f"{WIDTH:g}", "font-size": f"{SIZE:g}"},
    )
    has_curve = folder.compared is None
    _draw_bars(root, folder.bars)
    _draw_axes(root, folder.bars)
    if has_curve:
        _draw_shares(root, state)
        _draw_curve(root, state)
    _draw_threshold(root, state.min_resemblance)
    height = _draw_legend(root, state, folder)
    root.set("height", f"{height:g}")
    root.set("viewBox", f"0 0 {WIDTH:g} {height:g}")
    return Picture(ET.tostring(root, encoding="unicode"), _in_words(state, folder))


def _x(resemblance: float) -> float:
    return LEFT + (RIGHT - LEFT) * resemblance


def _y(height: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * height


def _path(parent: ET.Element, ink: Ink, data: str) -> None:
    if data:
        ET.SubElement(parent, "path", ink | {"d": data})


def _write(parent: ET.Element, x: float, y: float, words: str, anchor: str = "middle") -> None:
    attributes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "fill": "currentColor"}
    ET.SubElement(parent, "text", attributes).text = words


def _joined(x: Float64Array, y: Float64Array) -> str:
    points = (f"{_x(s):.1f} {_y(p):.1f}" for s, p in zip(x.tolist(), y.tolist(), strict=True))
    return "M" + " L".join(points)


def _draw_bars(root: ET.Element, bars: Bars) -> None:
    listed, everywhere = bars.heights(logarithmic=True)
    for heights, ink in ((everywhere, EVERYWHERE), (listed, LISTED)):
        _path(root, ink, " ".join(_boxes(heights)))


def _boxes(heights: Float64Array) -> Iterator[str]:
    for index in np.flatnonzero(heights > 0).tolist():
        middle = (index + 0.5) / BINS
        left, right = (_x(middle + side * BAR / 2 / BINS) for side in (-1, 1))
        top = _y(TALLEST * float(heights[index]))
        yield f"M{left:.1f} {BOTTOM:g}V{top:.1f}H{right:.1f}V{BOTTOM:g}Z"


def _draw_axes(root: ET.Element, bars: Bars) -> None:
    """Resemblances below, numbers of pairs at the right."""
    _path(root, GRID, f"M{LEFT:g} {BOTTOM:g}H{RIGHT:g}")
    for tick in TICKS:
        _write(root, _x(tick), BOTTOM + 16, localized(f"{tick:g}"))
    _write(root, _x(0.5), BOTTOM + 33, gettext("resemblance"))
    for height, pairs in bars.ticks(logarithmic=True):
        _write(root, RIGHT + 6, _y(TALLEST * height) + 4, about(pairs), "start")
    _write(root, WIDTH - 4, TOP - 24, gettext("pairs"), "end")


def _draw_shares(root: ET.Element, state: ThresholdState) -> None:
    """Draw the axis of the curve, at the left."""
    label = gettext("found by bands")
    if state.distance is not None:
        label = gettext("found by {search}", search=state.method.search_name)
    _write(root, 4, TOP - 24, label, "start")
    for height in (0.0, 0.5, 1.0):
        _write(root, LEFT - 6, _y(height) + 4, percentage(f"{100 * height:.0f}"), "end")
        if height:
            _path(root, GRID, f"M{LEFT:g} {_y(height):.1f}H{RIGHT:g}")


def _draw_curve(root: ET.Element, state: ThresholdState) -> None:
    s = np.linspace(0.0, 1.0, POINTS)
    p = state.probabilities(s)
    above = s > state.min_resemblance
    _path(root, MISSED, _hatching(s[above], p[above], 1.0))
    _path(root, EXTRA, _hatching(s[~above], p[~above], 0.0))
    _path(root, CURVE, _joined(s, p))
    if state.contained_curve is not None:
        _path(root, CONTAINED, _joined(*state.contained_curve))


def _hatching(s: Float64Array, p: Float64Array, end: float) -> str:
    """Upright lines between the curve and the top or the bottom."""
    lines = zip(s[::EVERY].tolist(), p[::EVERY].tolist(), strict=True)
    return " ".join(
        f"M{_x(x):.1f} {_y(y):.1f}V{_y(end):.1f}" for x, y in lines if abs(_y(y) - _y(end)) > 1
    )


def _draw_threshold(root: ET.Element, min_resemblance: float) -> None:
    x = _x(min_resemblance)
    _path(root, THRESHOLD, f"M{x:.1f} {TOP - 14:g}V{BOTTOM:g}")
    words = gettext("listed from {floor}", floor=threshold(min_resemblance))
    room = RIGHT - len(words) * LETTER
    _write(root, x + 5 if x < room else x - 5, TOP - 4, words, "start" if x < room else "end")


def _draw_legend(root: ET.Element, state: ThresholdState, folder: FolderPairs) -> float:
    """Draw the legend in lines below; gives the y at which they end."""
    is_counted = folder.known is not None and folder.known.every is not None
    everywhere = gettext(folder.where)
    if not is_counted:
        everywhere = gettext("{where}, by a random sample", where=everywhere)
    entries = [(LISTED, gettext("listed")), (EVERYWHERE, everywhere)]
    if folder.compared is None:
        name = f"b × r = {state.name}" if state.distance is None else state.name
        contained = [(CONTAINED, gettext("one holds the other"))] if state.contained_curve else []
        missed = gettext("missed by bands alone")
        if state.distance is not None:
            missed = gettext("missed by {search} alone", search=state.method.search_name)
        nothing = gettext("compared for nothing")
        entries += [(CURVE, name), *contained, (MISSED, missed), (EXTRA, nothing)]
    x, y = 4.0, BOTTOM + 58
    for ink, words in entries:
        width = 20 + len(words) * LETTER + 12
        if x + width > WIDTH:
            x, y = 4.0, y + 18
        _path(root, ink, _sample(ink, x, y))
        _write(root, x + 20, y, words, "start")
        x += width
    return y + 6


def _sample(ink: Ink, x: float, y: float) -> str:
    if ink in (MISSED, EXTRA):
        return " ".join(f"M{x + step:g} {y - 9:g}V{y:g}" for step in (2, 6, 10, 14))
    if ink in (CURVE, CONTAINED):
        return f"M{x:g} {y - 4:g}H{x + 15:g}"
    return f"M{x:g} {y - 9:g}H{x + 15:g}V{y:g}H{x:g}Z"


def _in_words(state: ThresholdState, folder: FolderPairs) -> str:
    """The picture in words: the curve in three numbers, the bars in theirs."""
    sentence = gettext("All pairs were compared.")
    if folder.compared is None:
        half, floor = state.midpoint, state.min_resemblance
        sentence = gettext(
            "The curve {name} finds {share} of pairs at {floor}, {share_of_half} of those at "
            "{half}.",
            name=state.name,
            share=share(state.probability(floor)),
            floor=threshold(floor),
            share_of_half=share(state.probability(half) if state.distance is None else 0.5),
            half=almost(half),
        )
    listed = folder.bars.found
    classes = [
        ngettext(
            "{low} to {high}: {n} pair",
            "{low} to {high}: {n} pairs",
            round(listed[index]),
            low=two_decimals(index / BINS),
            high=two_decimals((index + 1) / BINS),
        )
        for index in np.flatnonzero(listed).tolist()
    ]
    if not classes:
        return f"{sentence} " + gettext("No pair is listed.")
    bars = gettext("Listed by resemblance: {classes}.", classes="; ".join(classes))
    return f"{sentence} {bars}"

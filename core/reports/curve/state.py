"""The data of the curve: b, r and K or d, and the pairs of a folder behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array, Int64Array
from core.base.messages import N_
from core.candidates.forecast import LEVELS, Forecast, KnownBits, KnownPairs
from core.candidates.scurve import BitCurve, Curve, curve_of, fit
from core.reports.list_words import reworked_in_words
from core.scan.pair_list import DocumentCounts, ListCounts, PairList, count_pairs
from core.settings import MAX_DISTANCE, METHODS, ScanSettings, SignatureMethod

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid
    from core.scan.scan import Scan

BINS = 20
FINE_BINS = 100  # where a part of the curve is looked at closely
LEAST_BAR = 0.5  # pairs; where a logarithmic bar begins
MOST_TICKS = 4


@dataclass(frozen=True, slots=True)
class Bars:
    """Numbers of pairs in equal classes of resemblance, float64 (classes,)."""

    found: Float64Array
    everywhere: Float64Array  # at least those found; else a random sample, scaled to all pairs

    def heights(self, *, logarithmic: bool) -> tuple[Float64Array, Float64Array]:
        """Both as shares of the tallest bar."""
        if not logarithmic:
            return self.found / self._tallest, self.everywhere / self._tallest
        return self._log_share(self.found), self._log_share(self.everywhere)

    def ticks(self, *, logarithmic: bool) -> list[tuple[float, float]]:
        """Heights as shares of the tallest bar, each with a round number of pairs."""
        tallest = self._tallest
        if not logarithmic:
            unit = 10.0 ** math.floor(math.log10(tallest))
            step = next(
                interval
                for interval in (unit, 2 * unit, 5 * unit)
                if tallest / interval <= MOST_TICKS
            )
            numbers = [step * times for times in range(1, math.floor(tallest / step) + 1)]
            return [(number / tallest, number) for number in numbers]
        powers = math.floor(math.log10(tallest))
        step = max(1, math.ceil((powers + 1) / MOST_TICKS))
        pairs = np.array([10.0**power for power in range(0, powers + 1, step)])
        return list(zip(self._log_share(pairs).tolist(), pairs.tolist(), strict=True))

    @property
    def _tallest(self) -> float:
        return max(float(self.everywhere.max()), 1.0)

    def _log_share(self, pairs: Float64Array) -> Float64Array:
        tallest = math.log(self._tallest / LEAST_BAR)
        return np.asarray(np.log(np.maximum(pairs, LEAST_BAR) / LEAST_BAR) / tallest)


def class_of(resemblance: npt.ArrayLike, classes: int = BINS) -> Int64Array:
    """The class of each resemblance; 1 belongs to the last one."""
    index = np.floor(np.asarray(resemblance) * classes + 1e-9).astype(np.int64)
    return np.minimum(index, classes - 1)


def _classes(resemblances: Float64Array, classes: int) -> Float64Array:
    indices = class_of(resemblances, classes)
    return np.bincount(indices, minlength=classes).astype(np.float64)


THRESHOLD_DECIMALS = 4  # of the resemblance from which pairs are listed
CURVE_POINTS = 401


@dataclass(frozen=True, slots=True)
class ThresholdState:
    """Bands, rows and the list's threshold; b · r never exceeds K. Or the distance d of bits.

    The distance is None where signatures have bands; else bands and rows wait for other signatures.

    Where K leaves no room, the value that the user did not touch is reduced. The last requested
    value is remembered, so that it comes back as soon as there is room again.
    """

    bands: int
    rows: int
    min_resemblance: float
    signature_size: int
    distance: int | None = None
    signature: str = ScanSettings().signature
    wanted_bands: int = 0
    wanted_rows: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "wanted_bands", self.wanted_bands or self.bands)
        object.__setattr__(self, "wanted_rows", self.wanted_rows or self.rows)

    @staticmethod
    def of(settings: ScanSettings) -> ThresholdState:
        """The state of settings."""
        return ThresholdState(
            settings.bands,
            settings.rows,
            settings.min_resemblance,
            settings.signature_size,
            settings.distance,
            settings.signature,
        )

    def in_settings(self, settings: ScanSettings) -> ScanSettings:
        """Settings with the choices of this state; their signatures stay."""
        floor = self.min_resemblance
        if self.distance is not None:
            return settings.with_changes(max_distance=self.distance, min_resemblance=floor)
        return settings.with_changes(bands=self.bands, rows=self.rows, min_resemblance=floor)

    def with_bands(self, bands: int) -> ThresholdState:
        """Other bands, and fewer rows where b · r would exceed K."""
        bands = min(max(bands, 1), self.signature_size)
        rows = min(self.wanted_rows, self.signature_size // bands)
        return replace(self, bands=bands, wanted_bands=bands, rows=rows)

    def with_rows(self, rows: int) -> ThresholdState:
        """Other rows, and fewer bands where b · r would exceed K."""
        rows = min(max(rows, 1), self.signature_size)
        bands = min(self.wanted_bands, self.signature_size // rows)
        return replace(self, rows=rows, wanted_rows=rows, bands=bands)

    def with_both(self, bands: int, rows: int) -> ThresholdState:
        """Bands and rows that fit K together."""
        return replace(self, bands=bands, rows=rows, wanted_bands=bands, wanted_rows=rows)

    def with_setting_of(self, other: ThresholdState) -> ThresholdState:
        """The bands and rows, or the distance, of another state; the threshold stays."""
        if other.distance is not None:
            return self.with_distance(other.distance)
        return self.with_both(other.bands, other.rows)

    def with_distance(self, distance: int) -> ThresholdState:
        """Another number of bits that may differ."""
        return replace(self, distance=min(max(distance, 0), MAX_DISTANCE))

    def with_threshold(self, min_resemblance: float) -> ThresholdState:
        """Another resemblance from which pairs are listed."""
        threshold = round(min_resemblance, THRESHOLD_DECIMALS)
        return replace(self, min_resemblance=min(max(threshold, 0.0), 1.0))

    def following(self) -> ThresholdState:
        """The bands and rows whose curve separates best at the threshold; d stays."""
        if self.distance is not None:
            return self
        return self.with_both(*_fit(self.signature_size, self.min_resemblance))

    @property
    def key(self) -> tuple[str, int]:
        """What identifies a setting, whatever is listed."""
        return self.name, self.signature_size

    @property
    def name(self) -> str:
        """The curve's name in the picture."""
        return f"{self.bands} × {self.rows}" if self.distance is None else f"d = {self.distance}"

    def probabilities(self, resemblances: npt.ArrayLike) -> Float64Array:
        """P(s) at each resemblance; of bits, for documents of equal length."""
        return self._law.probability(resemblances)

    def probability(self, resemblance: float) -> float:
        """The probability that a pair of this resemblance becomes a candidate."""
        return float(self.probabilities(resemblance))

    @property
    def contained_curve(self) -> tuple[Float64Array, Float64Array] | None:
        """The curve of bits for documents of which one contains the other; None for bands."""
        if not isinstance(self._law, BitCurve):
            return None
        s = np.linspace(0.0, 1.0, CURVE_POINTS)
        return s, self._law.probability_contained(s)

    @property
    def steepest(self) -> float:
        """Where the curve rises fastest."""
        return self._law.steepest

    @property
    def midpoint(self) -> float:
        """(1/b)^(1/r); of bits, where half of the pairs are found."""
        return self._law.midpoint

    @property
    def contained_midpoint(self) -> float:
        """The resemblance at which bits find half of such pairs."""
        s = self.midpoint
        return (2 * s / (1 + s)) ** 2  # where sqrt(s) is the cosine of equal sets at the midpoint

    @property
    def method(self) -> SignatureMethod:
        """How signatures are made."""
        return METHODS[self.signature]

    @property
    def _law(self) -> Curve:
        return curve_of(self.bands, self.rows, self.distance)


_fit = lru_cache(maxsize=1024)(fit)


@dataclass(frozen=True, eq=False, kw_only=True)
class FolderPairs:
    """The pairs of the result that is shown.

    Attributes:
        found: Exact resemblances of the pairs listed from the threshold on.
        background: Exact resemblances of pairs drawn at random.
        made_with: The setting and the threshold that they were listed under.
        documents: How many there are; the table has the pairs of missing ones, too.
        counts: How many pairs of present documents are listed for what.
        of_missing: Number of pairs of missing documents.
        compared: Number of pairs of different documents where all were compared, else None.
        reworked: A sentence on reworked passages for that case.
        known: What the forecast is made from; None while the scan still runs.
        bits: The same for signatures of bits; None for others, and where too many are the same.
        grid: What every b × r would do; None until that is known, and of bits.
        is_part_of_run: Whether the list has only pairs of a run on a cluster.
    """

    found: Float64Array
    background: Float64Array
    documents: DocumentCounts
    counts: ListCounts
    made_with: ThresholdState
    compared: int | None = None
    reworked: str = ""
    known: KnownPairs | None = None
    bits: KnownBits | None = None
    of_missing: int = 0
    grid: ParameterGrid | None = None
    is_part_of_run: bool = False

    @cached_property
    def bars(self) -> Bars:
        """The classes behind the curve."""
        return self._bars(BINS)

    @cached_property
    def fine_bars(self) -> Bars:
        """Narrower classes, where a part of the curve is looked at closely."""
        return self._bars(FINE_BINS)

    def _bars(self, classes: int) -> Bars:
        listed = _classes(self.found, classes)
        if self.known is None or self.known.every is None:
            scale = self.documents.pairs / max(len(self.background), 1)
            return Bars(listed, np.maximum(_classes(self.background, classes) * scale, listed))
        indices = class_of((np.arange(LEVELS + 1) + 0.5) / LEVELS, classes)
        every = np.bincount(indices, self.known.every, minlength=classes)
        return Bars(listed, np.maximum(every, listed))

    @property
    def where(self) -> str:
        """Where the pairs are that are not listed, too: a message."""
        return N_("in these documents") if self.is_part_of_run else N_("in the folder")

    def is_of(self, state: ThresholdState) -> bool:
        """Whether the list was made with this very state."""
        made_with = self.made_with
        if made_with.min_resemblance != state.min_resemblance:
            return False
        if state.distance is not None or made_with.distance is not None:
            return (state.signature, state.distance) == (made_with.signature, made_with.distance)
        return (state.bands, state.rows) == (made_with.bands, made_with.rows)

    def with_grid(self, grid: ParameterGrid | None) -> FolderPairs:
        """The same, with forecasts from the grid of every b × r that the table of settings has."""
        pairs = replace(self, grid=grid)
        pairs.__dict__["bars"] = self.bars
        return pairs

    def forecast(self, state: ThresholdState, threshold: float | None = None) -> Forecast:
        """All that is known of a setting, from its own threshold or another one on."""
        threshold = state.min_resemblance if threshold is None else threshold
        forecast = Forecast()
        if state.distance is None:
            model = self.grid or self.known
            if model is not None:
                forecast = model.forecast(threshold, (state.bands, state.rows))
        elif self.bits is not None and self.bits.signature == state.signature:
            forecast = self.bits.forecast(threshold, state.distance)
        listed = max(forecast.total - forecast.missed.expected, 0.0) + self.counts.below
        if not forecast.is_known or self.is_part_of_run:
            listed = math.nan
        counted = forecast.extra_counted and self.compared is None
        return forecast._replace(listed=listed, extra_counted=counted)


def folder_pairs(
    scan: Scan, pair_list: PairList, settings: ScanSettings, *, complete: bool = True
) -> FolderPairs:
    """The pairs of present documents, the only ones that bands know.

    Args:
        scan: The scan.
        pair_list: All of its list.
        settings: Those that it is listed under.
        complete: Whether the scan has ended; while it runs little is known.
    """
    pairs = pair_list.of_present(pair_list.pairs)
    background, known, bits = np.zeros(0), None, None
    if complete:
        background, known = scan.background(), scan.known_pairs(settings)
        known = replace(known, background=background)
        if settings.distance is not None:
            from core.scan.measured_pairs import known_bits  # noqa: PLC0415 - needs the compiler

            bits = known_bits(scan.corpus_for(settings), settings)
    return FolderPairs(
        found=pairs.resemblance[pairs.resemblance >= settings.min_resemblance],
        background=background,
        documents=pair_list.document_counts,
        counts=count_pairs(pairs, settings),
        made_with=ThresholdState.of(settings),
        compared=pair_list.compared,
        reworked=reworked_in_words(settings, complete=pair_list.reworked_complete),
        known=known,
        bits=bits,
        of_missing=len(pair_list.pairs) - len(pairs) if complete else 0,
        is_part_of_run=scan.decided.part is not None,
    )

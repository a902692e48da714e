"""Grids of settings whose numbers are known: a folder of pairs that all have one resemblance."""

import math

import numpy as np

from core.candidates.forecast import Estimates, GridForecast
from core.candidates.unknown_pairs import bandings_within
from core.reports.curve.state import FolderPairs, ThresholdState


def estimates(values, spread=0.25):
    values = np.asarray(values, dtype=np.float64)
    return Estimates(values, values * (1 - spread), values * (1 + spread))


class FormulaGrid:
    """What each b × r would do to `there` pairs at one resemblance and a background at another."""

    def __init__(self, size=128, *, there=100.0, alike=0.4, background=0.05, pairs=1e6):
        self.signature_size = size
        self.bands, self.rows = bandings_within(size)
        self.there, self.alike, self.background, self.pairs = there, alike, background, pairs

    def at(self, floor):
        found = 1 - (1 - self.alike**self.rows) ** self.bands
        missed = self.there * (1 - found)
        extra = self.pairs * (1 - (1 - self.background**self.rows) ** self.bands)
        candidates = extra + self.there * found
        order = np.lexsort((missed, candidates))
        efficient = np.zeros(len(order), dtype=np.bool_)
        least = math.inf
        for place in order:
            if round(missed[place]) < least:
                efficient[place], least = True, round(missed[place])
        return GridForecast(
            bands=self.bands,
            rows=self.rows,
            missed=estimates(missed),
            missed_by_bands=estimates(missed),
            extra=estimates(extra),
            candidates=estimates(candidates),
            seconds=candidates * 1e-6,
            listed=self.there - missed,
            efficient=efficient,
            least=floor,
            there=self.there,
            certain=False,
        )

    def larger(self, _floor, _banding):
        return ()


class SharingGrid(FormulaGrid):
    """Every pair shares a passage."""

    def at(self, floor):
        at = super().at(floor)
        nothing = estimates(np.zeros(len(self.bands)))
        return at._replace(missed=nothing, listed=np.full(len(self.bands), self.there))


class UnknownGrid(FormulaGrid):
    """Nothing is known of any setting."""

    def at(self, floor):
        at = super().at(floor)
        unknown = estimates(np.full(len(self.bands), math.nan))
        return at._replace(
            missed=unknown,
            missed_by_bands=unknown,
            extra=unknown,
            candidates=unknown,
            seconds=unknown.expected,
            listed=unknown.expected,
            efficient=np.zeros(len(self.bands), dtype=np.bool_),
            least=math.nan,
            there=math.nan,
        )


def folder_of(documents=50, **changes):
    """A list made by 64 bands of 2 rows."""
    values = {
        "found": np.array([0.4] * 20),
        "background": np.array([0.05] * 50),
        "documents": documents,
        "listed": 20,
        "made_with": ThresholdState(64, 2, 0.1, 128),
    }
    return FolderPairs(**(values | changes))

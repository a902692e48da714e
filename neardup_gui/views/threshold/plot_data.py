"""All that a plot of the curve shows."""

from __future__ import annotations

from dataclasses import dataclass

from core.reports.curve.state import Bars, ThresholdState
from neardup_gui.models.threshold.judged_so_far import Steps
from neardup_gui.models.workbench.audit_points import AuditPoint
from neardup_gui.models.workbench.pair_at_hand import PairAtHand


@dataclass(slots=True)
class PlotData:
    """What is drawn, as the model holds it.

    Attributes:
        state: Its curve, its areas, its marks and the threshold line.
        bars: The folder's pairs; None without a folder.
        where: In words, where these are.
        logarithmic: Whether bars are as high as the logarithm of the number of pairs.
        kept: Curves for comparison.
        beside: One more, looked at and not kept.
        confirmed: How likely a pair is confirmed, as steps.
        points: What an audit measured.
        pair: The pair at hand.
    """

    state: ThresholdState
    bars: Bars | None = None
    where: str = ""
    logarithmic: bool = True
    kept: tuple[ThresholdState, ...] = ()
    beside: ThresholdState | None = None
    confirmed: Steps | None = None
    points: tuple[AuditPoint, ...] = ()
    pair: PairAtHand | None = None

    @property
    def ghosts(self) -> list[tuple[ThresholdState, str]]:
        """Curves for comparison, and what is written beside them."""
        curves = [(state, f"{state.name} (pinned)") for state in self.kept]
        return curves if self.beside is None else [*curves, (self.beside, self.beside.name)]

"""The one threshold of a window: what the panel and the large curve show and change together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.reports.curve.state import FolderPairs, ThresholdState
from neardup_gui.models.threshold.judged_so_far import JudgedSoFar
from neardup_gui.models.threshold.wishes import Answer, Wishes, answer_wishes, suggestion_for
from neardup_gui.models.workbench.audit_points import AuditPoint
from neardup_gui.models.workbench.pair_at_hand import PairAtHand

if TYPE_CHECKING:
    from core.candidates.plane import Plane

MOST_KEPT = 8  # curves beside the present one that an eye can tell apart
WORDS = 80  # milliseconds between two times that words are found for a state that moves
SETTLED = 500  # milliseconds without a change, after which the next one is another step of undo


class ThresholdModel(QObject):
    """Holds a state, the pairs of the folder, curves kept for comparison, and the steps to undo.

    Signals:
        changed: The state is another one, whoever changed it: what is drawn follows at once.
        words_changed: So is what is said of it: while the user moves it, a little later.
        moved: The user changed it; carries the `ThresholdState`, up to a hundred times a second.
        folder_changed: There are other pairs, or none.
        kept_changed: Other curves are kept for comparison, or another one is looked at.
        judged_changed: The verdicts so far say something else.
        wishes_changed: There are other wishes, or another answer.
        history_changed: There is something else to undo or to redo.
        pair_changed: Another pair is at hand, or none.
        audit_changed: Other points were measured, or none.
        plane_changed: It is told what every b × r would do, or not any more.
    """

    changed = Signal()
    words_changed = Signal()
    moved = Signal(object)
    folder_changed = Signal()
    kept_changed = Signal()
    judged_changed = Signal()
    wishes_changed = Signal()
    history_changed = Signal()
    pair_changed = Signal()
    audit_changed = Signal()
    plane_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = ThresholdState(64, 2, 0.10, 128)
        self.folder: FolderPairs | None = None
        self.kept: tuple[ThresholdState, ...] = ()
        self.beside: ThresholdState | None = None  # looked at, and not kept
        self.judged = JudgedSoFar()
        self.wishes = Wishes()
        self.answer: Answer | None = None
        self.pair_at_hand: PairAtHand | None = None  # marked on the curve
        self.plane: Plane | None = None  # what every b × r would do, of the folder that is shown
        self.follows = False  # whether b and r follow the list's floor
        self.logarithmic = True  # bars
        self.audit_points: tuple[AuditPoint, ...] = ()
        self._undo: list[ThresholdState] = []
        self._redo: list[ThresholdState] = []
        self._step = QTimer(self, singleShot=True, interval=SETTLED)
        self._telling = QTimer(self, singleShot=True, interval=WORDS)
        self._telling.timeout.connect(self._tell_late)
        self._untold = False

    # What others say

    def set_state(self, state: ThresholdState) -> None:
        """Show what other settings say; nothing is reported, and there is nothing to undo."""
        if state == self.state:
            return
        self._forget_steps()
        self.answer = None
        self._show(state)
        self.wishes_changed.emit()

    def set_folder(self, folder: FolderPairs | None) -> None:
        """Show the pairs of a result, or none."""
        self.folder = folder
        self.folder_changed.emit()

    def set_plane(self, plane: Plane | None) -> None:
        """Show what every b × r would do; None while that is not known, and of bits."""
        if plane is not self.plane:
            self.plane = plane
            if self.folder is not None:
                self.folder = self.folder.with_plane(plane)
                self.folder_changed.emit()
            self.plane_changed.emit()

    def set_judged(self, judged: JudgedSoFar) -> None:
        """Show what the verdicts so far say."""
        self.judged = judged
        self.judged_changed.emit()

    def set_pair_at_hand(self, pair: PairAtHand | None) -> None:
        """Mark where a pair lies on the curve, or none."""
        if pair != self.pair_at_hand:
            self.pair_at_hand = pair
            self.pair_changed.emit()

    def set_audit_points(self, points: tuple[AuditPoint, ...]) -> None:
        """Show what an audit of the present list measured; of another list nothing is shown."""
        if points != self.audit_points:
            self.audit_points = points
            self.audit_changed.emit()

    # What the user does

    def change(self, state: ThresholdState) -> None:
        """Take another state; changes that follow each other closely are one step of undo."""
        if state == self.state:
            self.changed.emit()  # what was entered and not taken is put right
            return
        if not self._step.isActive():
            self._undo.append(self.state)
            self._redo.clear()
            self.history_changed.emit()
        self._step.start()
        self._show(state)
        self.moved.emit(state)

    def change_floor(self, floor: float) -> None:
        """Another resemblance from which pairs are listed; b and r follow where they are to."""
        state = self.state.with_floor(floor)
        self.change(state.following() if self.follows else state)

    def set_follows(self, follows: bool) -> None:
        """Whether b and r follow the floor; they do at once."""
        self.follows = follows
        if follows:
            self.change(self.state.following())

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Draw bars by the logarithm of the number of pairs, or by the number."""
        self.logarithmic = logarithmic
        self.folder_changed.emit()

    def keep(self, state: ThresholdState) -> None:
        """Keep a curve for comparison; the oldest goes where there are too many."""
        others = [one for one in self.kept if one.name != state.name]
        self.kept = (*others, state)[-MOST_KEPT:]
        self.kept_changed.emit()

    def drop(self, state: ThresholdState | None = None) -> None:
        """Keep a curve no longer; None: keep none."""
        name = None if state is None else state.name
        self.kept = tuple(one for one in self.kept if name is not None and one.name != name)
        self.kept_changed.emit()

    def look_at(self, state: ThresholdState | None) -> None:
        """Draw one more curve for comparison until another one is looked at; None: no more."""
        if state != self.beside:
            self.beside = state
            self.kept_changed.emit()

    @property
    def other_beside(self) -> ThresholdState | None:
        """The curve that is looked at, where it is not drawn already."""
        drawn = {self.state.name, *(one.name for one in self.kept)}
        return None if self.beside is None or self.beside.name in drawn else self.beside

    def set_wishes(self, wishes: Wishes) -> None:
        """Other wishes, not asked for yet."""
        self.wishes, self.answer = wishes, None
        self.wishes_changed.emit()

    def try_wishes(self, wishes: Wishes) -> None:
        """Other wishes while they are dragged: taken where they can be kept; no advice yet."""
        self.set_wishes(wishes)
        found = suggestion_for(wishes, self.state.signature_size)
        if found:
            self.change(self.state.with_both(found.bands, found.rows))

    def ask(self) -> None:
        """Take the bands and rows that keep the wishes, where there are any."""
        self.answer = answer_wishes(self.wishes, self.state.signature_size)
        found = self.answer.suggestion
        if found:
            self.change(self.state.with_both(found.bands, found.rows))
        self.wishes_changed.emit()

    # Undo

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return bool(self._redo)

    def undo(self) -> None:
        """Go back to the state before the last step."""
        self._go(self._undo, self._redo)

    def redo(self) -> None:
        """Do the step again that was undone last."""
        self._go(self._redo, self._undo)

    def _go(self, there: list[ThresholdState], back: list[ThresholdState]) -> None:
        if not there:
            return
        self._step.stop()
        back.append(self.state)
        self._show(there.pop())
        self.moved.emit(self.state)
        self.history_changed.emit()

    def _forget_steps(self) -> None:
        self._step.stop()
        self._undo.clear()
        self._redo.clear()
        self.history_changed.emit()

    def _show(self, state: ThresholdState) -> None:
        self.state = state
        self.changed.emit()
        if self._step.isActive() and self._telling.isActive():
            self._untold = True
            return
        self._telling.start()
        self._untold = False
        self.words_changed.emit()

    def _tell_late(self) -> None:
        if self._untold:
            self._untold = False
            self._telling.start()
            self.words_changed.emit()

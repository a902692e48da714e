"""The one threshold of a window: what the panel and the large curve show and change together.

The threshold panel in words.

They say what the picture says, also to those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt8Array, most_of_rest
from core.base.messages import N_, gettext, ngettext
from core.base.wording import count, threshold
from core.candidates import scurve
from core.errors import SettingsError
from core.reports.curve.forecast_words import about, almost, share, two_decimals
from core.reports.curve.state import FolderPairs, ThresholdState, class_of
from core.reports.pair_words import ListedFor, listed_for, passage_in_words
from core.scan import unread_pairs
from core.scan.judgements import VERDICTS, Verdict
from core.settings import MAX_SIGNATURE, ScanSettings

if TYPE_CHECKING:
    from core.candidates.parameter_grid import ParameterGrid
    from core.evidence.pairs import PairFigures
    from core.scan.audit_results import MeasuredRange
    from core.scan.pair_list import ListCounts

    AuditPoints = tuple[MeasuredRange, ...]  # the shares of pairs that the bands found

CONFIRMED = VERDICTS.index(Verdict.CONFIRMED)
Steps = tuple[Float64Array, Float64Array]  # resemblances and probabilities of a polyline


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """A random check: the rows that it drew, and the number of unread pairs that it did not."""

    rows: Int64Array
    rest: int


@dataclass(frozen=True, slots=True)
class JudgedSoFar:
    """What to show of the verdicts so far.

    Attributes:
        steps: How likely a pair is confirmed; None if too few are judged.
        words: Sentences; none before there is anything to say.
        check: The sentence on the random check; "" if none was drawn.
        checked: How many of its pairs are judged, and how many it has.
        can_check: Whether there are unread pairs to draw from.
    """

    steps: Steps | None = None
    words: tuple[str, ...] = ()
    check: str = ""
    checked: tuple[int, int] = (0, 0)
    can_check: bool = False


def judged_so_far(
    resemblances: Float64Array, verdicts: UInt8Array, check: CheckedRows | None = None
) -> JudgedSoFar:
    """Estimate from the verdicts on a list.

    Args:
        resemblances: float64 (n,), of all pairs of the list.
        verdicts: uint8 (n,), indices in `VERDICTS`.
        check: The random check, if one was drawn.
    """
    is_judged, confirmed = verdicts > 0, verdicts == CONFIRMED
    judged = int(is_judged.sum())
    if judged < unread_pairs.FEWEST_JUDGED and check is None:
        return JudgedSoFar()
    unread = resemblances[~is_judged]
    seen, yes = resemblances[is_judged], confirmed[is_judged]
    curve = unread_pairs.fit_confirmed(seen, yes)
    words = [
        ngettext(
            "{n} pair judged, {confirmed} confirmed.",
            "{n} pairs judged, {confirmed} confirmed.",
            judged,
            confirmed=count(int(yes.sum())),
        )
    ]
    words += _expected(unread_pairs.unread_range(seen, yes, unread))
    if curve is not None:
        words.append(_holding(seen, yes))
    check_words, checked = _of_check(verdicts, check)
    return JudgedSoFar(_steps(curve), tuple(words), check_words, checked, bool(len(unread)))


def _steps(curve: unread_pairs.ConfirmedCurve | None) -> Steps | None:
    if curve is None:
        return None
    resemblances = np.repeat(np.r_[0.0, curve.starts[1:], 1.0], 2)[1:-1]
    return resemblances, np.repeat(curve.chance, 2)


def _expected(unread: unread_pairs.UnreadRange | None) -> Iterator[str]:
    """How many of the unread pairs would be confirmed, in whole numbers."""
    if unread is None:
        return
    values = {"least": count(unread.least), "most": count(unread.most)}
    if not unread.most:
        yield ngettext(
            "Of {n} unread pair probably none would be confirmed.",
            "Of {n} unread pairs probably none would be confirmed.",
            unread.pairs,
        )
    elif unread.least:
        yield ngettext(
            "Of {n} unread pair {least} to {most} would be confirmed (95% confidence).",
            "Of {n} unread pairs {least} to {most} would be confirmed (95% confidence).",
            unread.pairs,
            **values,
        )
    else:
        yield ngettext(
            "Of {n} unread pair at most {most} would be confirmed (95% confidence).",
            "Of {n} unread pairs at most {most} would be confirmed (95% confidence).",
            unread.pairs,
            **values,
        )


def _holding(seen: Float64Array, yes: BoolArray) -> str:
    holds = unread_pairs.cross_validated(seen, yes)
    return ngettext(
        "Resemblance alone would have predicted {right} of your {n} verdict; always guessing the "
        "commonest, {by_rule}.",
        "Resemblance alone would have predicted {right} of your {n} verdicts; always guessing the "
        "commonest, {by_rule}.",
        holds.of,
        right=count(holds.right),
        by_rule=count(holds.by_rule),
    )


def _of_check(verdicts: UInt8Array, check: CheckedRows | None) -> tuple[str, tuple[int, int]]:
    if check is None or not len(check.rows):
        return "", (0, 0)
    check_verdicts = verdicts[check.rows]
    judged, drawn = int((check_verdicts > 0).sum()), len(check.rows)
    if judged < drawn:
        words = gettext(
            "Random check: {judged} of {drawn} judged.", judged=count(judged), drawn=count(drawn)
        )
        return words, (judged, drawn)
    confirmed = int((check_verdicts == CONFIRMED).sum())
    most = most_of_rest(drawn, confirmed, check.rest, unread_pairs.ERROR_RATE)
    words = gettext(
        "Random check: {confirmed} of {drawn} confirmed. So at most {most} of the {rest} other "
        "unread pairs would be (95% confidence).",
        confirmed=count(confirmed),
        drawn=count(drawn),
        most=count(most),
        rest=count(check.rest),
    )
    return words, (judged, drawn)


class PassageChoice(NamedTuple):
    """The state of the box for passages."""

    chosen: bool
    text: str
    explanation: str


def passage_choice(settings: ScanSettings, counts: ListCounts | None) -> PassageChoice:
    """The choice in the settings, with the number of pairs that depend on it.

    Args:
        settings: The present settings.
        counts: The numbers of pairs; None while they are not known.
    """
    values = {
        "least": threshold(settings.min_resemblance),
        "passage": passage_in_words(settings),
        "mark": listed_for(ListedFor.PASSAGE),
    }
    explanation = gettext(
        "Pairs below {least} that share {passage} or more in a row. In the list they are marked "
        "“{mark}”.",
        **values,
    )
    if settings.reworked != "off":
        explanation = gettext(
            "Pairs below {least} that share {passage} or more in a row or a reworked passage. In "
            "the list they are marked “{mark}” or “{other_mark}”.",
            other_mark=listed_for(ListedFor.REWORKED),
            **values,
        )
    return PassageChoice(settings.list_passages, _also_listed(counts), explanation)


def _also_listed(counts: ListCounts | None) -> str:
    if counts is None or not counts.below:
        return gettext("Also list pairs that share a passage")
    if not counts.weak:
        return ngettext(
            "Also list {n} that shares a passage",
            "Also list {n} that share a passage",
            counts.below,
        )
    return ngettext(
        "Also list {n} that shares a passage and {traces}",
        "Also list {n} that share a passage and {traces}",
        counts.below,
        traces=ngettext("{n} weak trace", "{n} weak traces", counts.weak),
    )


def answer_wishes(
    wishes: scurve.Wishes, signature_size: int
) -> tuple[scurve.Suggestion | None, str]:
    """Bands and rows that keep two wishes, and in words that they do, or what could be changed."""
    try:
        suggestion = scurve.suggest(signature_size, wishes)
    except SettingsError as error:
        return None, str(error)
    if suggestion is None:
        return None, _could_be_changed(wishes, signature_size)
    return suggestion, gettext(
        "{setting} finds {caught} at {upper} and lets through {through} at {lower}.",
        setting=_named(suggestion),
        caught=share(suggestion.caught),
        upper=two_decimals(wishes.catch_at),
        through=share(suggestion.let_through),
        lower=two_decimals(wishes.at_most_at),
    )


def _could_be_changed(wishes: scurve.Wishes, signature_size: int) -> str:
    """That no b and r keep both wishes, and with which K or at which share some would."""
    sentences = [gettext("No b × r with K = {size} keeps both.", size=signature_size)]
    larger = scurve.smallest_signature(MAX_SIGNATURE, wishes)
    nearest = scurve.least_let_through(signature_size, wishes)
    if larger:
        size = larger.bands * larger.rows
        sentences.append(
            gettext("K = {size} would ({setting}).", size=size, setting=_named(larger))
        )
    if nearest:
        sentences.append(
            gettext(
                "With {through} at {lower} allowed, {setting} would.",
                through=share(math.ceil(nearest.let_through * 10_000) / 10_000),
                lower=two_decimals(wishes.at_most_at),
                setting=_named(nearest),
            )
        )
    if not larger and not nearest:
        sentences.append(gettext("The two resemblances must be further apart."))
    return " ".join(sentences)


def _named(suggestion: scurve.Suggestion) -> str:
    return f"{suggestion.bands} × {suggestion.rows}"


NEARLY_NONE = 1e-9  # the least chance that is shown: a pair that has one never reads as 0


class PairAtHand(NamedTuple):
    """A pair of documents that is marked on the curve.

    Attributes:
        figures: Its exact numbers.
        names: Of its documents, as they are shown; they are no markup.
    """

    figures: PairFigures
    names: tuple[str, str]

    def chance(self, state: ThresholdState) -> float:
        """The probability that the signatures of a setting lead to such a pair, 0 to 1."""
        figures, chance = self.figures, state.probability(self.figures.resemblance)
        if state.distance is not None:
            cosine = scurve.cosine_of_containments(figures.containment_a, figures.containment_b)
            chance = float(scurve.probability_at_cosine(cosine, state.distance))
        if not 0 < figures.resemblance < 1:
            return chance
        return min(max(chance, NEARLY_NONE), 1 - NEARLY_NONE)


BITS = N_(
    "{name}: pairs are compared when at most d of the 64 bits of their signatures differ. It has "
    "no bands, so b, r and wishes for them have no meaning."
)


def marks_words(state: ThresholdState) -> str:
    """The two marks of the curve and their positions, in words."""
    marks = _marks(state)
    if state.distance is not None:
        return gettext("○ steepest at {steepest}   ▲ half at {middle}", **marks)
    return gettext("○ steepest at {steepest}   ▲ (1/b)^(1/r) = {middle}", **marks)


def _marks(state: ThresholdState) -> dict[str, str]:
    in_words = almost if state.distance is not None else two_decimals
    return {"steepest": in_words(state.steepest), "middle": in_words(state.midpoint)}


def caption(state: ThresholdState) -> str:
    """A picture of the curve in a line of text."""
    floor = threshold(state.min_resemblance)
    if state.distance is not None:
        return gettext(
            "{method}, at most {distance} of 64 bits differ · pairs listed from {floor}",
            method=state.method.name,
            distance=state.distance,
            floor=floor,
        )
    return gettext(
        "{bands} of {rows} · pairs listed from {floor}",
        bands=ngettext("{n} band", "{n} bands", state.bands),
        rows=ngettext("{n} row", "{n} rows", state.rows),
        floor=floor,
    )


def curve_words(state: ThresholdState) -> str:
    """The curve in words, for screen readers."""
    values = {**_marks(state), "floor": threshold(state.min_resemblance)}
    if state.distance is not None:
        return gettext(
            "Probability of finding a pair with {method} when at most {distance} of 64 bits "
            "differ, over its resemblance. Steepest at {steepest}, half of the pairs are found at "
            "{middle}, pairs are listed from {floor}.",
            method=state.method.name,
            distance=state.distance,
            **values,
        )
    return gettext(
        "Probability of finding a pair with {bands} bands of {rows} rows, over its resemblance. "
        "Steepest at {steepest}, (1/b)^(1/r) is {middle}, pairs are listed from {floor}.",
        bands=state.bands,
        rows=state.rows,
        **values,
    )


def position_words(
    state: ThresholdState, folder: FolderPairs | None, resemblance: float, *, closely: bool = False
) -> str:
    """The values of the picture at a resemblance; `closely` in narrow classes of pairs."""
    words = gettext(
        "Resemblance {value}: {share} of pairs are found",
        value=two_decimals(resemblance),
        share=share(state.probability(resemblance)),
    )
    if folder is None:
        return words
    bars = folder.fine_bars if closely else folder.bars
    classes = len(bars.found)
    index = int(class_of(resemblance, classes))
    listed, everywhere = int(bars.found[index]), float(bars.everywhere[index])
    is_counted = folder.known is not None and folder.known.every is not None
    values = {
        "low": two_decimals(index / classes),
        "high": two_decimals((index + 1) / classes),
        "everywhere": count(round(everywhere))
        if is_counted
        else gettext("about {number}", number=about(everywhere)),
    }
    if folder.is_part_of_run:
        pairs = ngettext(
            "{low} to {high}: {n} pair listed, {everywhere} in these documents",
            "{low} to {high}: {n} pairs listed, {everywhere} in these documents",
            listed,
            **values,
        )
    else:
        pairs = ngettext(
            "{low} to {high}: {n} pair listed, {everywhere} in the folder",
            "{low} to {high}: {n} pairs listed, {everywhere} in the folder",
            listed,
            **values,
        )
    return f"{words}\n{pairs}"


def beside_words(state: ThresholdState, pair: PairAtHand | None, points: AuditPoints) -> str:
    """The marks beside the curve, a line each: the current pair, and measured points."""
    from core.reports.audit_words import range_in_words  # noqa: PLC0415 - a start needs no audit

    lines = [range_in_words(point) for point in points]
    if pair is not None:
        pair_line = gettext(
            "◆ {a} and {b}: resemblance {value}, found with {chance}",
            a=pair.names[0],
            b=pair.names[1],
            value=two_decimals(pair.figures.resemblance),
            chance=share(pair.chance(state)),
        )
        lines.insert(0, pair_line)
    return "\n".join(lines)


def signature_words(state: ThresholdState) -> str:
    """K in words, and the values that it limited; of bits what they have instead."""
    if state.distance is not None:
        return gettext(BITS, name=state.method.search_name)
    values = {"size": count(state.signature_size), "used": count(state.bands * state.rows)}
    changed = ""
    if state.bands < state.wanted_bands:
        changed = f"b {state.wanted_bands} → {state.bands}"
    elif state.rows < state.wanted_rows:
        changed = f"r {state.wanted_rows} → {state.rows}"
    if not changed:
        return gettext("K = {size} values in a signature; b · r = {used} used", **values)
    return gettext(
        "K = {size} values in a signature; b · r = {used}, {changed}", changed=changed, **values
    )


MOST_KEPT = 8  # curves beside the present one that can be distinguished
WORDS = 80  # milliseconds between two updates of the words while the state moves
SETTLED = 500  # milliseconds without a change after which the next one is another undo step


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
        grid_changed: It is told what every b × r would do, or not any more.
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
    grid_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = ThresholdState(64, 2, 0.10, 128)
        self.folder: FolderPairs | None = None
        self.kept: tuple[ThresholdState, ...] = ()
        self.beside: ThresholdState | None = None  # shown for now, not pinned
        self.judged = JudgedSoFar()
        self.wishes = scurve.Wishes()
        self.answer = ""  # to the wishes, in words
        self.pair_at_hand: PairAtHand | None = None  # marked on the curve
        self.grid: ParameterGrid | None = None  # the forecast of every b × r
        self.follows = False  # whether b and r follow the threshold
        self.logarithmic = True  # bars
        self.audit_points: AuditPoints = ()
        self._undo: list[ThresholdState] = []
        self._redo: list[ThresholdState] = []
        self._step = QTimer(self, singleShot=True, interval=SETTLED)
        self._step.timeout.connect(self._on_settled)
        self._is_held = False
        self._telling = QTimer(self, singleShot=True, interval=WORDS)
        self._telling.timeout.connect(self._emit_late_words)
        self._untold = False

    # What others say

    def set_state(self, state: ThresholdState) -> None:
        """Show other settings, without emitting signals and with no step to undo."""
        if state == self.state:
            return
        self.forget_steps()
        self.answer = ""
        self._show(state)
        self.wishes_changed.emit()

    def set_folder(self, folder: FolderPairs | None) -> None:
        """Show the pairs of a result, or none."""
        self.folder = folder
        self.folder_changed.emit()

    def set_grid(self, grid: ParameterGrid | None) -> None:
        """Show the forecast of every b × r; None while it is not known, and for bits."""
        if grid is not self.grid:
            self.grid = grid
            if self.folder is not None:
                self.folder = self.folder.with_grid(grid)
                self.folder_changed.emit()
            self.grid_changed.emit()

    def set_judged(self, judged: JudgedSoFar | None) -> None:
        """Show what the verdicts so far say."""
        self.judged = judged or JudgedSoFar()
        self.judged_changed.emit()

    def set_pair_at_hand(self, pair: PairAtHand | None) -> None:
        """Mark a pair on the curve, or none."""
        if pair != self.pair_at_hand:
            self.pair_at_hand = pair
            self.pair_changed.emit()

    def set_audit_points(self, points: AuditPoints) -> None:
        """Show the points that an audit of the present list measured, or none."""
        if points != self.audit_points:
            self.audit_points = points
            self.audit_changed.emit()

    # What the user does

    def change(self, state: ThresholdState) -> None:
        """Change the state; changes in quick succession are one undo step."""
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

    def hold(self, held: bool) -> None:
        """Note whether the user has it in hand: changes until it is let go are one undo step."""
        self._is_held = held
        if not held:
            self._step.stop()

    def change_number(
        self, changed: Callable[[ThresholdState, int], ThresholdState], number: float
    ) -> None:
        """Change a number, and those that depend on it."""
        self.change(changed(self.state, round(number)))

    def change_threshold(self, min_resemblance: float) -> None:
        """Change the resemblance from which pairs are listed; b and r follow if they are to."""
        state = self.state.with_threshold(min_resemblance)
        self.change(state.following() if self.follows else state)

    def set_follows(self, follows: bool) -> None:
        """Let b and r follow the threshold from now on, or not."""
        self.follows = follows
        if follows:
            self.change(self.state.following())

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Draw bars by the logarithm of the number of pairs, or by the number."""
        self.logarithmic = logarithmic
        self.folder_changed.emit()

    def keep(self, state: ThresholdState) -> None:
        """Pin a curve for comparison; if there are too many, the oldest is dropped."""
        rest = [curve for curve in self.kept if curve.name != state.name]
        self.kept = (*rest, state)[-MOST_KEPT:]
        self.kept_changed.emit()

    def keeps(self, state: ThresholdState) -> bool:
        """Whether the curve of a setting is pinned."""
        return any(kept.name == state.name for kept in self.kept)

    def drop(self, state: ThresholdState | None = None) -> None:
        """Unpin a curve; None: all curves."""
        name = None if state is None else state.name
        self.kept = tuple(curve for curve in self.kept if name is not None and curve.name != name)
        self.kept_changed.emit()

    def look_at(self, state: ThresholdState | None) -> None:
        """Draw another curve for comparison, instead of the last one; None for no curve."""
        if state != self.beside:
            self.beside = state
            self.kept_changed.emit()

    @property
    def other_beside(self) -> ThresholdState | None:
        """The curve beside the present one, unless it is drawn already."""
        drawn = {self.state.name, *(state.name for state in self.kept)}
        return None if self.beside is None or self.beside.name in drawn else self.beside

    def set_wishes(self, wishes: scurve.Wishes) -> None:
        """Change the wishes, without asking for an answer."""
        self.wishes, self.answer = wishes, ""
        self.wishes_changed.emit()

    def try_wishes(self, wishes: scurve.Wishes) -> None:
        """Change the wishes while they are dragged: use b and r that keep them; give no advice."""
        self.set_wishes(wishes)
        with suppress(SettingsError):
            self._use(scurve.suggest(self.state.signature_size, wishes))

    def ask(self) -> None:
        """Use the bands and rows that keep the wishes, if there are any."""
        suggestion, self.answer = answer_wishes(self.wishes, self.state.signature_size)
        self._use(suggestion)
        self.wishes_changed.emit()

    def _use(self, suggestion: scurve.Suggestion | None) -> None:
        if suggestion:
            self.change(self.state.with_both(suggestion.bands, suggestion.rows))

    # Undo

    @property
    def steps(self) -> int:
        """The number of steps to undo."""
        return len(self._undo)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self.steps > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._redo)

    def undo(self) -> None:
        """Go back to the state before the last step."""
        self._go(self._undo, self._redo)

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self._go(self._redo, self._undo)

    def _on_settled(self) -> None:
        if self._is_held:  # somebody who drags pauses to look
            self._step.start()

    def _go(self, states: list[ThresholdState], back: list[ThresholdState]) -> None:
        if not states:
            return
        self._step.stop()
        back.append(self.state)
        self._show(states.pop())
        self.moved.emit(self.state)
        self.history_changed.emit()

    def forget_steps(self) -> None:
        """Leave nothing to undo or redo."""
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

    def _emit_late_words(self) -> None:
        if self._untold:
            self._untold = False
            self._telling.start()
            self.words_changed.emit()

"""What decides which actions can be used."""

from __future__ import annotations

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.passages.table import PassagesModel
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import review_access
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.job_messages import STOPPABLE
from neardup_gui.presenter.pair_session import PairSession
from neardup_gui.presenter.review_session import ReviewSession


def window_state(
    queues: JobQueues,
    current: Current,
    lists: tuple[PairsModel, PassagesModel],
    pair: PairSession,
    review: ReviewSession,
    decisions: DecisionSession,
) -> WindowState:
    """What can be done at the moment."""
    pairs, passages = lists
    result, is_busy = current.result, queues.is_busy
    return WindowState(
        has_folder=bool(current.folders),
        is_scanning=is_busy(JobKind.SCAN, JobKind.OPEN, JobKind.CHANGE_LIST),
        is_busy=is_busy(*STOPPABLE),
        is_complete=result is not None and result.complete,
        has_list=result is not None,
        has_pairs=pairs.rowCount() > 0,
        has_pair=pair.has_pair,
        has_passages=passages.rowCount() > 0,
        has_missing=result is not None and result.missing > 0,
        has_removed=result is not None and result.removed > 0,
        is_taken=review.access.is_taken,
        is_of_folder=review.is_of_folder,
        can_undo=decisions.can_undo,
        can_redo=decisions.can_redo,
        saved=review_access.saved_state(
            review.path,
            review.access,
            has_failed=decisions.saver.has_failed or review.has_failed,
            is_behind=decisions.saver.is_behind,
            is_saving=review.is_saving,
        ),
    )

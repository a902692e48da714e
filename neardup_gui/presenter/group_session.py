"""The groups of the list that is shown: made again when it is another, or a centre was chosen.

a list, a centre ─▶ GROUP ─▶ the table of groups ◀── what is said of pairs
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from core.documents.model import text_key
from core.scan.judgements import earlier_texts
from neardup_gui.jobs.groups import make_groups
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.groups.grouped import GroupList
from neardup_gui.models.groups.table import GroupsModel
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession

NO_CENTRES: Mapping[str, str] = {}
LATER = 150  # milliseconds: who drags the threshold is not held up


class GroupSession(QObject):
    """Fills the table of groups, and decides what is in their middle.

    Attributes:
        model: The table.

    Signals:
        grouped: The number of groups; None before they are made.
    """

    grouped = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        pairs: PairsModel,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._decisions = decisions
        self._centres = NO_CENTRES  # that the groups are made with, or will be
        self._shown: ScanResult | None = None  # the list that they are of
        self._later = QTimer(self, singleShot=True, interval=LATER)
        self._later.timeout.connect(self._group)
        self.model = GroupsModel(self)
        pairs.judged.connect(self._on_judged)
        decisions.told.connect(self._on_decided)

    @property
    def is_up_to_date(self) -> bool:
        """Whether the groups are those of the list, so that their pairs can be judged."""
        return self._shown is not None and self._shown is self._current.result

    def take(self, result: ScanResult) -> None:
        """Group the documents of another list, soon where another one may follow at once."""
        self._queues.drop(JobKind.GROUP)  # it is of pairs that are not listed any more
        before = self._shown
        follows = before is not None and before.scan is result.scan
        self._later.start(LATER if follows else 0)

    def _group(self) -> None:
        result, judgements = self._current.result, self._current.judgements
        if result is None:
            return
        self._centres = judgements.centres

        def show(listed: GroupList) -> None:
            self._shown = result
            self.model.set_groups(listed, self._pairs.verdicts)
            self.grouped.emit(len(listed.groups))

        self._queues.submit(JobKind.GROUP, make_groups(result, judgements), show)

    def forget(self) -> None:
        """Another folder: there are no groups yet."""
        self._later.stop()
        self._queues.drop(JobKind.GROUP)
        self._shown = None
        self.model.clear()
        self.grouped.emit(None)

    def choose_centre(self, document: int) -> None:
        """Make the group of a document around it."""
        from core.review.folder_roles import choose_centre  # noqa: PLC0415 - slow to import

        result, listed = self._shown, self.model.listed
        if result is None or not self.is_up_to_date or listed.group_of[document] < 0:
            return
        judgements = self._current.judgements
        group = listed.groups[int(listed.group_of[document])]
        now, wanted = (text_key(result.documents[one]) for one in (group.centre, document))
        # What was chosen may be an earlier text of the document.
        known = [now, *(one.text for one in earlier_texts(judgements.earlier, now))]
        chosen = set(judgements.centres.values())
        now = next((text for text in known if text in chosen), now)
        self._decisions.decide(*choose_centre(judgements, now, wanted))

    def _on_judged(self) -> None:
        if self.is_up_to_date:
            self.model.set_verdicts(self._pairs.verdicts)

    def _on_decided(self) -> None:
        result = self._current.result
        if result is not None and self._current.judgements.centres != self._centres:
            self._later.start(0)

"""The work behind the page of the curve: one session for each of its parts.

a list, somebody looks ─▶ a moment later ─▶ GRID, BUCKETS or LENGTHS ─▶ numbers
a pair is read, two documents are named ─▶ while the page is open ─▶ SIGNATURES ─▶ a signed pair
a test is asked for ─▶ AUDIT ─▶ an entry of the log ─▶ words, tables, points for the curve
a list, another program's entry ─▶ whether the last test is of this list
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.base.messages import N_, gettext
from core.base.progress_lines import ProgressLine, ProgressLines
from core.evidence.measures import how_found
from core.evidence.pairs import FoundBy
from core.reports.curve.state import ThresholdState
from core.reports.pair_words import ListedFor, how_listed
from neardup_gui.jobs import audits
from neardup_gui.jobs.pairs import OpenedPair
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.threshold import PairAtHand
from neardup_gui.models.words import sentences
from neardup_gui.presenter.follower import Follower
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.reports.settings_file import ReadyLines, SharedSettings
    from core.scan.audit_results import KeptAudit
    from core.scan.history import Command
    from core.scan.pair_details import SignatureOfPair
    from core.scan.scan import Scan
    from neardup_gui.models.workbench.audit_table import AuditOffer, AuditShown


class AuditSession(Session):
    """Tests one list at a time.

    Signals:
        audit_changed: The `AuditOffer` of how to test the list; the `AuditShown` of the last test,
            or None; whether that is in the review, or will be.
        progressed: A `ProgressLine` of a test that runs; None when none runs any more.
    """

    audit_changed = Signal(object, object, bool)
    progressed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._was_open = False
        self._offered: tuple[Scan | None, AuditOffer] | None = None
        self._unkept: KeptAudit | None = None  # of a read-only review
        self._last_emitted: tuple[object, object] | None = None
        self._decisions.undo_state_changed.connect(self._emit_state)

    @Slot()
    def open(self) -> None:
        """Emit from now on: a view shows the offer and the audit."""
        self._was_open = True
        self._emit_state()

    @Slot()
    def prove(self) -> None:
        """Compare all pairs, and check the list against them."""
        self._run(proves=True)

    @Slot()
    def plant(self) -> None:
        """Search for planted copies."""
        self._run(proves=False)

    def _run(self, *, proves: bool) -> None:
        from core.scan.audit_results import Method

        result = self._current.result
        if result is None or not result.complete:
            return
        lines = ProgressLines()
        self.progressed.emit(ProgressLine(gettext("Testing the list"), None, "", ""))
        method = Method.ALL_PAIRS if proves else Method.EDITED_COPIES
        self._tasks.run(
            TaskKind.AUDIT,
            partial(audits.audit_list, result, method),
            self._keep,
            progressed=lambda report: self.progressed.emit(lines.line_for(report)),
            stopped=lambda _error: self.progressed.emit(None),
        )

    @Slot()
    def cancel(self) -> None:
        """Stop the running test."""
        self._tasks.cancel(TaskKind.AUDIT)

    @Slot(object)
    def take(self, _result: ScanResult) -> None:
        """Follow another list; a running test is of the list before, and says so."""
        self._emit_state()

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._tasks.drop(TaskKind.AUDIT)
        self._unkept = self._offered = self._last_emitted = None
        self.progressed.emit(None)
        self._emit_state()

    def _keep(self, command: Command) -> None:
        """Put the audit into the log; if decisions are refused, only show it."""
        from core.review.decisions import judged
        from core.scan.history import entry_after

        self.progressed.emit(None)
        self._unkept = None
        if not self._decisions.decide(command, None):
            entry = entry_after((), command, None, who=self._current.who)
            self._unkept = judged(self._current.judgements, [entry]).audit
        self._emit_state()

    @Slot()
    def _emit_state(self) -> None:
        """Emit the offer and the audit, if they have changed."""
        state = self._current.result, self._unkept or self._current.judgements.audit
        if self._was_open and state != self._last_emitted:
            self._last_emitted = state
            result, kept = state
            self.audit_changed.emit(self._offer(result), self._shown(kept), self._unkept is None)

    def _offer(self, result: ScanResult | None) -> AuditOffer:
        from neardup_gui.models.workbench.audit_table import audit_offer

        # A list that is made again has the same scan.
        scan = result.scan if result is not None and result.complete else None
        if self._offered is None or self._offered[0] is not scan:
            self._offered = scan, audit_offer(result)
        return self._offered[1]

    def _shown(self, kept: KeptAudit | None) -> AuditShown | None:
        result = self._current.result
        if kept is None or result is None or not result.complete:
            return None
        from core.scan.scan import audited_texts
        from neardup_gui.models.workbench.audit_table import AuditShown

        texts = audited_texts(result.scan).fingerprint
        return AuditShown(kept, is_current=kept.is_of(result.settings, texts))


LATER = 300  # milliseconds: dragging stays smooth


NO_DOCUMENTS = N_("Documents can be named once a folder is scanned.")
MOST_NAMES = 30  # offered while a name is typed


class SignatureSession(Session):
    """Compares the signatures of one pair at a time, while a view shows them.

    Signals:
        at_hand: The `PairAtHand` for the curve; None where there is none.
        named: The names of the pair that is at hand, before its signatures are compared.
        pair_changed: The `SignedPair` of it; None where there is none.
    """

    at_hand = Signal(object)
    named = Signal(object)
    pair_changed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._is_open = False
        self._key: ListedPair | None = None
        self._wanted: tuple[ListedPair, Scan] | None = None  # compared, or being compared
        self._signature: SignatureOfPair | None = None

    def set_open(self, is_open: bool) -> None:
        """The view of the pair was opened or closed."""
        self._is_open = is_open
        self._compare()

    @Slot(object)
    def take_opened(self, opened: OpenedPair | None) -> None:
        """Follow the pair that is read, or none."""
        self._key = opened.key if opened else None
        at_hand = None
        if opened is not None:
            at_hand = PairAtHand(opened.comparison.numbers.figures, opened.key.names)
        self.at_hand.emit(at_hand)
        self._compare()

    def choose(self, a: str, b: str) -> str:
        """Take two documents by their names, even if they are not listed as a pair.

        Returns why that cannot be, in a sentence; else nothing.
        """
        result = self._current.result
        if result is None:
            return gettext(NO_DOCUMENTS)
        first, second = result.names.index(a), result.names.index(b)
        if first is None or second is None:
            missing = a if first is None else b
            return gettext("There is no document called “{name}”.", name=missing)
        if first == second:
            return gettext("Name two different documents.")
        self._key = result.names.key(first, second)
        self._compare()
        return ""

    def names_like(self, text: str) -> list[str]:
        """The names of some documents that contain a text."""
        result = self._current.result
        if result is None:
            return []
        numbers = np.flatnonzero(result.names.named(text))[:MOST_NAMES]
        return [result.names.shown[number] for number in numbers.tolist()]

    @Slot(object)
    def take(self, _result: ScanResult) -> None:
        """Another list is shown."""
        self._compare()

    @Slot()
    def forget(self) -> None:
        """Other folders are shown."""
        self._key = None
        self.at_hand.emit(None)
        self._forget_signature()

    def _compare(self) -> None:
        result, key = self._current.result, self._key
        if not self._is_open or result is None or not result.complete or result.state is None:
            return
        documents = self._documents_of(result)
        if key is None or documents is None:
            self._forget_signature()
            return
        wanted = (key, result.scan)
        if wanted == self._wanted:
            self._emit_pair()
            return
        self._wanted, self._signature = wanted, None
        self.named.emit(key.names)
        work = partial(audits.compare_signatures, result, result.state, documents)
        self._tasks.run(TaskKind.SIGNATURES, work, self._take_signature, stopped=self._on_stopped)

    def _take_signature(self, signature: SignatureOfPair) -> None:
        self._signature = signature
        self._emit_pair()

    def _on_stopped(self, error: Exception | None) -> None:
        if error is not None:
            self._forget_signature()

    def _forget_signature(self) -> None:
        self._tasks.drop(TaskKind.SIGNATURES)
        self._wanted = self._signature = None
        self.pair_changed.emit(None)

    def _documents_of(self, result: ScanResult) -> tuple[int, int] | None:
        """The numbers of the two documents; None if one is not in the list."""
        if self._key is None:
            return None
        numbers = [result.names.documents.number_of(key) for key in self._key]
        a, b = numbers
        return None if a is None or b is None else (a, b)

    def _emit_pair(self) -> None:
        """Emit the compared pair, in the list that is shown now."""
        signature, key, result = self._signature, self._key, self._current.result
        documents = self._documents_of(result) if result else None
        if signature is None or key is None or result is None or documents is None:
            return
        from neardup_gui.models.workbench.chances import SignedPair

        reason = _why_listed(result, documents, signature)
        pair = SignedPair(key, signature, ThresholdState.of(result.settings), reason)
        self.at_hand.emit(pair.at_hand)
        self.pair_changed.emit(pair)


def _why_listed(result: ScanResult, documents: tuple[int, int], signature: SignatureOfPair) -> str:
    """Why two documents are a pair of the list; empty if they are not."""
    first, second = sorted(documents)
    rows = np.flatnonzero((result.pairs.a == first) & (result.pairs.b == second))
    found_by = int(result.pairs.found_by[rows[0]]) if len(rows) else 0
    if not found_by:
        return ""
    reason = ListedFor.of(signature.figures.resemblance, found_by, result.settings)
    sentences = [how_listed(reason, result.settings)]
    if reason is ListedFor.RESEMBLANCE and not found_by & (FoundBy.EXACT | FoundBy.LSH):
        sentences += how_found(found_by).splitlines()
    return " ".join(sentences)


class SettingsSession(Session):
    """Saves the present settings, and loads others.

    Signals:
        loaded: The `ScanSettings` of a file, and the `ReadingSettings` with what it says of these.
    """

    loaded = Signal(object, object)

    def save(self, path: Path) -> None:
        """Write the settings of the next scan."""
        now = self._current
        work = partial(audits.save_settings, path, now.settings, now.reading, now.folders)
        self._tasks.run(TaskKind.SAVE_SETTINGS, work, partial(self._saved, path))

    def load(self, path: Path) -> None:
        """Use the settings of a file."""
        self._tasks.run(TaskKind.LOAD_SETTINGS, partial(audits.load_settings, path), self._loaded)

    def lines(self) -> list[ReadyLines]:
        """Lines with the settings of the next scan, for each tool."""
        from core.reports.settings_file import WHERE, SettingsRequest

        now = self._current
        state = now.result.state if now.result else None
        folders = list(zip(map(str, now.folders), now.all_roles, strict=True))
        request = SettingsRequest(
            now.settings, now.reading, folders, *([state.rules] if state else ())
        )
        return [lines_for(request) for lines_for in WHERE.values()]

    def _saved(self, path: Path, note: str) -> None:
        self.message_posted.emit(sentences.settings_saved(path, note))

    def _loaded(self, file: tuple[Path, SharedSettings]) -> None:
        path, shared = file
        self.loaded.emit(shared.scan, shared.read_with(self._current.reading))
        self.message_posted.emit(sentences.settings_loaded(path))


class WorkbenchSessions(Session):
    """Passes lists and folders on to each session.

    Attributes:
        grid: What every b × r would do; followed from the first look on.
        signatures: Those of the pair at hand.
        settings: Settings as a file to share.
        buckets: How full the buckets are.
        audit: Whether the list is complete.
        lengths: What passages list, and what others would.
    """

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.signatures = SignatureSession(context, self)
        self.settings = SettingsSession(context, self)
        self.audit = AuditSession(context, self)
        self.grid, self.buckets, self.lengths = self._followers = [
            Follower(
                self._tasks,
                kind,
                self._listed,
                lambda result, work=work: partial(work, result),
                self,
                later=LATER,
            )
            for kind, work in (
                (TaskKind.GRID, audits.make_grid),
                (TaskKind.BUCKETS, audits.look_at_buckets),
                (TaskKind.LENGTHS, audits.look_at_passages),
            )
        ]

    def _listed(self) -> tuple[ScanResult] | None:
        result = self._current.result
        return (result,) if result is not None and result.complete else None

    def take(self, result: ScanResult) -> None:
        """Another list is shown."""
        self.signatures.take(result)
        self.audit.take(result)
        for follower in self._followers:
            follower.refresh()

    def forget(self) -> None:
        """Other folders are shown."""
        self.signatures.forget()
        self.audit.forget()
        for follower in self._followers:
            follower.forget()

"""Says at the list whether it is of the settings that are chosen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from neardup_gui.models.pairs.outdated import outdated_sentence
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.pairs.outdated_row import OutdatedRow


class OutdatedNotice(QObject):
    """Follows the settings, how files are read, and what is listed."""

    def __init__(self, presenter: Presenter, row: OutdatedRow, parent: QObject) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._row = row
        presenter.scans.settings_changed.connect(self._on_changed)
        presenter.reading.changed.connect(self._on_changed)
        presenter.listed.connect(self._on_changed)
        presenter.state_changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        """A scan that runs brings the list up to date by itself."""
        presenter, result = self._presenter, self._presenter.current.result
        of_run = result is not None and result.scan.decided.part is not None
        changes = () if presenter.state.is_scanning else presenter.current.changes_since
        self._row.show_sentence(outdated_sentence(changes, is_of_run=of_run), is_of_run=of_run)

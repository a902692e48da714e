"""Joins the settings of the curve's page to presets, the setup and files."""

from __future__ import annotations

from PySide6.QtCore import QObject

from neardup_gui.models.words import sentences
from neardup_gui.models.workbench.presets import presets_like
from neardup_gui.models.workbench.setting_rows import Named, Setting
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.workbench.settings_page import SettingsPage
from neardup_gui.window.files import Files
from neardup_gui.window.side_panels import SidePanels


class SettingsChoice(QObject):
    """Joins the page to the setup and to files."""

    def __init__(
        self,
        page: SettingsPage,
        side_panels: SidePanels,
        presenter: Presenter,
        files: Files,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._side_panels = side_panels
        self._presenter = presenter
        page.model.presets = self._presets
        page.scan_wanted.connect(self._on_scan_wanted)
        page.export_wanted.connect(files.export_settings)

    def _presets(self) -> tuple[Named, ...]:
        setup = self._side_panels.setup
        return presets_like(setup.settings, setup.presets())

    def _on_scan_wanted(self, setting: Setting) -> None:
        """Choose longer signatures; the list stays until the folder is scanned again."""
        settings = self._side_panels.setup.settings.with_changes(
            signature_size=setting.signature_size, bands=setting.bands, rows=setting.rows
        )
        self._side_panels.take(settings)
        result = self._presenter.current.result
        of_run = result is not None and result.folder.is_part_of_run
        said = sentences.scan_needed(setting.name, setting.signature_size, is_of_run=of_run)
        self._presenter.said.emit(said)

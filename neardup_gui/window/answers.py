"""Does what the links of the message bar offer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from neardup_gui.models.words.message import CopyOffer, Offer, OpenOffer
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.shell.message_bar import MessageBar
from neardup_gui.window.file_opener import FileOpener
from neardup_gui.window.files import Files


class Answers(QObject):
    """Knows who does what is offered; the message goes when it is done."""

    def __init__(
        self,
        bar: MessageBar,
        presenter: Presenter,
        files: Files,
        file_opener: FileOpener,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._presenter = presenter
        self._file_opener = file_opener
        self._stays = {
            Offer.TAKE_OVER: presenter.take_over,
            Offer.FIND_FOLDER: files.find_folder,
        }
        self._goes = {
            Offer.OPEN_ANYWAY: file_opener.open_anyway,
            Offer.UNDO: presenter.decisions.undo,
            Offer.START_ANEW: presenter.opening.start_anew,
            Offer.RESCAN: presenter.rescan,
        }
        bar.link_clicked.connect(self._on_link_clicked)

    def _on_link_clicked(self, target: object) -> None:
        if isinstance(target, Path | OpenOffer | CopyOffer):
            self._file_opener.follow(target)
        elif not isinstance(target, Offer):
            return
        elif target in self._stays:
            self._stays[target]()
        elif target in self._goes:
            self._bar.dismiss()
            self._goes[target]()
        else:
            self._bar.settle()
            self._presenter.missing.answer(target)

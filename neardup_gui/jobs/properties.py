"""What the files of the documents tell besides their texts, read while somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.messages import gettext
from core.documents.reading_settings import ReadingSettings
from neardup_gui.jobs.tasks import Task
from neardup_gui.models.compare.comparison import PropertiesOfPair
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.properties import FolderProperties


def read_properties(result: ScanResult, reading: ReadingSettings, task: Task) -> FolderProperties:
    """Read the properties of all files that are what was scanned."""
    from core.scan.properties import properties_of_documents

    return properties_of_documents(result.scan.documents, reading=reading, cancelled=task.cancelled)


def properties_of_pair(folder: FolderProperties, a: int, b: int) -> PropertiesOfPair:
    """What the files of a pair tell, and what they share, in words."""
    from core.reports.properties_words import in_words, shared_in_words

    shared = [shared_in_words(one) for one in folder.shared(a, b)]
    return PropertiesOfPair(
        shared=tuple(shared or (gettext("These files share no property that tells anything."),)),
        a=tuple(in_words(folder.documents[a])),
        b=tuple(in_words(folder.documents[b])),
    )

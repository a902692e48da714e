"""The list of documents with its numbers, and one document against all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.progress import stop_if
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.documents.listed import DocumentList, document_list
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.shared_parts import SharedParts
    from neardup_gui.models.documents.reading import DocumentReading

__all__ = ["list_documents", "read_document"]


def list_documents(result: ScanResult) -> Work:
    """Count what is said of each document; of a scan that is not at its end only the names."""

    def work(reports: Reports) -> DocumentList:
        from core.scan.document_columns import document_columns

        if result.state is None:
            return DocumentList(result.documents, result.names, result.settings)
        columns = document_columns(result.state, result.pairs, reports.cancelled)
        return document_list(result, columns)

    return work


def read_document(result: ScanResult, document: int) -> Work:
    """Lay out a document and compare it with all others.

    Previews are a `DocumentReading` with the bare text, then a `Measured` now and then.
    """

    def work(reports: Reports) -> DocumentReading:
        from core.scan.shared_parts import shared_parts
        from neardup_gui.models.documents.reading import Measured, read_alone

        text = result.scan.texts[document]
        aside = result.scan.aside(document, document)[0]
        bare = read_alone(result, document, text, aside)
        stop_if(reports.cancelled)
        if result.state is None:
            return bare
        reports.preview(bare)

        def tell(parts: SharedParts) -> None:
            reports.preview(Measured(parts.compared, parts.total))

        state = result.state._replace(settings=result.settings)
        parts = shared_parts(
            result.scan, state, result.pairs, document, told=tell, cancelled=reports.cancelled
        )
        return read_alone(result, document, text, aside, parts)

    return work

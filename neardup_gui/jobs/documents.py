"""The list of documents with its numbers, and one document against all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.tasks import stop_if
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.documents.listed import DocumentList, document_list, with_languages
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.scan.shared_parts import SharedParts
    from neardup_gui.models.documents.reading import DocumentReading


def list_documents(result: ScanResult, counted: DocumentList | None = None) -> Work:
    """Count what is said of each document; of a scan that is not at its end only the names.

    Args:
        result: The list, up to date.
        counted: The same when only languages were others.
    """

    def work(reports: Reports) -> DocumentList:
        from core.scan.document_columns import document_columns
        from core.scan.pair_text import languages_of, told_languages_of

        if result.state is None:
            return DocumentList(result.documents, result.names, result.settings)
        listed = counted
        if listed is None:
            columns = document_columns(result.state, result.pairs, reports.cancelled)
            listed = document_list(result, columns)
        told = told_languages_of(result.state, reports.cancelled)
        return with_languages(listed, languages_of(result.state, told), told)

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

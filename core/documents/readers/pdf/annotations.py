"""What stands on a page of a PDF file beside its content: form fields, free text, notes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_MOST = 10_000  # annotations looked at on a page


@contextmanager
def form_fields(raw: ModuleType, document: PdfDocument) -> Iterator[object]:
    """PDFium's handle on the form of a document, None where it has none.

    With it, PDFium draws the values of form fields that the file does not draw itself.
    """
    if not raw.FPDF_GetFormType(document):
        yield None
        return
    functions = raw.FPDF_FORMFILLINFO(version=2)
    form = raw.FPDFDOC_InitFormFillEnvironment(document, ctypes.byref(functions))
    try:
        yield form or None
    finally:
        if form:
            raw.FPDFDOC_ExitFormFillEnvironment(form)


def show_annotations(
    raw: ModuleType, document: PdfDocument, form: object, index: int, page: PdfPage
) -> tuple[PdfPage, int]:
    """A page with its form fields and free text as part of it, and how many notes lie beside it.

    The page given is closed where another is returned.
    """
    count = min(raw.FPDFPage_GetAnnotCount(page), _MOST)
    drawn = {raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_WIDGET}
    has_drawn = False
    notes = 0
    for position in range(count):
        annotation = raw.FPDFPage_GetAnnot(page, position)
        if annotation:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            has_drawn = has_drawn or kind in drawn
            notes += kind not in drawn and _has_note(raw, annotation, kind)
            raw.FPDFPage_CloseAnnot(annotation)
    if not has_drawn:
        return page, notes
    with closing(page):
        if form is not None:
            raw.FORM_OnAfterLoadPage(page, form)
        raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
        if form is not None:
            raw.FORM_OnBeforeClosePage(page, form)
    return document[index], notes


def _has_note(raw: ModuleType, annotation: object, kind: int) -> bool:
    """Whether a reader sees words when pointing at an annotation; a popup repeats its parent's."""
    if kind in {raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP}:
        return False
    empty = 2  # bytes: the zero at the end
    return bool(raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0) > empty)

"""The file of a workbook while it is written: what is not finished leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import BinaryIO

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError

from core.base.progress import Cancelled, stop_if
from core.base.unfinished import scratch_folder
from core.reports.model import Report
from core.reports.xlsx.book import Book
from core.reports.xlsx.cells import CellText

OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


@contextmanager
def new_book(file: BinaryIO, report: Report, cancelled: Cancelled) -> Iterator[Book]:
    """A workbook that is written to a file when the block ends.

    Raises:
        OSError: The file, or a temporary one, could not be written.
        ScanCancelledError: `cancelled` said so.
    """
    with scratch_folder() as folder:
        target = _PolledFile(file, cancelled)
        workbook = Workbook(target, {**OPTIONS, "tmpdir": str(folder)})
        try:
            workbook.set_properties(_properties(report))
            yield Book(workbook, report)
            workbook.close()
        except FileCreateError as error:
            [reason] = error.args
            raise reason from error
        finally:
            target.is_over = True
            for sheet in workbook.worksheets():
                sheet.row_data_fh.close()


def _properties(report: Report) -> dict[str, object]:
    """What the file says of itself; the time is that of the report."""
    said = {
        "title": report.title,
        "company": report.choice.institution,
        "comments": f"Neardup {report.version}",
    }
    created = report.created.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    return {**{key: CellText.of(value).text for key, value in said.items()}, "created": created}


class _PolledFile:
    """A file that asks before each piece whether to go on, and takes no more once it is given up.

    An archive that is given up writes its end all the same when it is forgotten.
    """

    def __init__(self, file: BinaryIO, cancelled: Cancelled) -> None:
        self._file, self._cancelled = file, cancelled
        self.is_over = False

    def write(self, data: bytes) -> int:
        if self.is_over:
            return len(data)
        stop_if(self._cancelled)
        return self._file.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0 if self.is_over else self._file.seek(offset, whence)

    def tell(self) -> int:
        return 0 if self.is_over else self._file.tell()

    def flush(self) -> None:
        if not self.is_over:
            self._file.flush()

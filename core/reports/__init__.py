"""What leaves the application: tables for programs, a report for people.

    write_report     HTML, CSV or JSON, by the ending of the file name
    write_html       one file that opens by itself, prints on A4 and shows the passages of the pairs
    write_pairs      the table of pairs as CSV or JSON, by the ending of the file name
    write_csv        the table of pairs for spreadsheets and scripts
    write_json       the same with the settings it was made under
    write_passages   the shared passages of every pair as character offsets, JSON
    write_problems   the files that gave no text and why, CSV

Every writer takes the path and a `Report`, writes beside the target and replaces it at the end, so
that a file that was there before survives whatever goes wrong. What goes wrong is an
`core.errors.ExportError` with a sentence for the user.
"""

from __future__ import annotations

from core.reports.formats import write_pairs, write_report
from core.reports.html import write_html
from core.reports.model import Report
from core.reports.tables import write_csv, write_json, write_passages, write_problems

__all__ = [
    "Report",
    "write_csv",
    "write_html",
    "write_json",
    "write_pairs",
    "write_passages",
    "write_problems",
    "write_report",
]

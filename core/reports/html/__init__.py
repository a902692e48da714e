"""The report for people: one HTML file that needs nothing else."""

from core.reports.html.writer import write_html

__all__ = ["write_html"]

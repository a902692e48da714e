"""What a run reads: folders of files, and tables with a column of texts, as one table of documents.

folders ─▶ files, in order ─▶ read and signed as on one machine ─┐
├─▶ documents, problems
tables  ─▶ ids, in order   ─▶ rows with their numbers, signed   ─┘
"""

from __future__ import annotations

from core.spark.sources.reading import Sources, read

__all__ = ["Sources", "read"]

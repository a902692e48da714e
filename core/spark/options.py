"""What a run on a cluster is asked for, beside the settings of a scan."""

from __future__ import annotations

from typing import NamedTuple

from core.aside.rules import NO_RULES, AsideRules
from core.documents.model import Role
from core.documents.reading_settings import ReadingSettings


class RunOptions(NamedTuple):
    """How sources are read and the run is done.

    Attributes:
        reading: How files are read.
        rules: What is set aside.
        roles: What each source is for, in their order; those after the last are to review.
        text_column: Of a table, what holds the text.
        id_column: Of a table, what tells its rows apart.
        resume: Go on with the run that the target holds.
        budget: How many candidate pairs the run may measure; None for as many as the documents
            usually have, 0 for any number.
        partitions: In how many parts tables are shuffled; 0 for what Spark chooses.
    """

    reading: ReadingSettings = ReadingSettings()
    rules: AsideRules = NO_RULES
    roles: tuple[Role, ...] = ()
    text_column: str = "text"
    id_column: str = "id"
    resume: bool = False
    budget: int | None = None
    partitions: int = 0

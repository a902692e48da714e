"""The columns of the list of passages: their names, widths and meanings."""

from __future__ import annotations

from neardup_gui.models.table_model import RIGHT, Columns, TableColumn


class PassageColumn(Columns):
    """The columns, from left to right."""

    DOCUMENTS = TableColumn(
        title="Documents",
        sample="9,999",
        meaning="In how many documents the passage stands, copies of each other among them.",
        alignment=RIGHT,
    )
    WORDS = TableColumn(
        title="Words",
        sample="99,999",
        meaning="How many words it has. Where a script has no spaces between words, they are "
        "counted from its letters.",
        alignment=RIGHT,
    )
    PASSAGE = TableColumn(
        title="Passage",
        meaning="The first words of the passage. Each is listed once, most widely shared first, "
        "then longest; a longer one in fewer documents is listed too where it says something new.",
    )
    JUDGED_AS = TableColumn(
        title="Judged as",
        sample="assignment text",
        meaning="What the passage is: copied, a standard clause, or text of the assignment.",
    )


COLUMNS = tuple(PassageColumn)

"""What a report says before it has a format: texts that are withheld, and none at all."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.reports.blocks import PassageList, SpanKind, Table
from core.reports.choice import ReportChoice
from core.reports.limits import ReportLimits
from core.reports.sections import contents, sections
from core.reports.shown_text import Withheld, shown_pieces
from tests.engine.reports.test_html import make_report, shared

TEXT = "by Ada Lovelace and others"
NAME = Withheld(3, 15, "A-17")


@pytest.mark.parametrize(
    ("cuts", "pieces"),
    [
        ((0, 26), ["by A-17 and others"]),
        ((0, 6, 26), ["by A-17", " and others"]),  # what lies across a cut is shown once
        ((5, 10, 26), ["A-17", " and others"]),  # and from its beginning on, if that is cut off
        ((0, 3, 15, 26), ["by ", "A-17", " and others"]),
        ((15, 26), [" and others"]),
        ((0, 3), ["by "]),
    ],
)
def test_what_is_withheld_is_shown_once_and_never_in_part(cuts, pieces):
    assert shown_pieces(TEXT, cuts, [NAME]) == pieces
    assert shown_pieces(TEXT, cuts) == [TEXT[start:end] for start, end in pairwise(cuts)]


def blocks_of(report):
    return [block for section in sections(report, ReportLimits()) for block in section.blocks]


def spans_of(report):
    for block in blocks_of(report):
        if isinstance(block, PassageList):
            for passage in block.passages:
                yield from (*passage.a.spans, *passage.b.spans)


def test_passages_show_the_label_of_what_is_withheld():
    report = make_report(
        ["a", "b"], withheld_in=lambda document: [Withheld(8, 13, f"X-{document}")]
    )

    shown = "".join(span.text for span in spans_of(report))

    assert "three" not in shown
    assert "one two X-0 four" in shown
    assert "two X-1 four" in shown


def test_without_texts_passages_are_told_by_their_places():
    report = make_report(["a", "b"], choice=ReportChoice(passages=False))

    assert list(spans_of(report)) == []
    assert any(
        passage.a.place == "characters 0 to 23"
        for block in blocks_of(report)
        if isinstance(block, PassageList)
        for passage in block.passages
    )


def test_every_row_fits_its_table():
    report = make_report(["a", "b", "c"])
    tables = [block for block in blocks_of(report) if isinstance(block, Table)]
    for table in tables:
        for part in table.parts:
            assert all(0 < len(row.cells) <= len(table.columns) for row in part)
    assert len(tables) == 4


def test_no_text_is_asked_for_before_its_pair_is_written():
    asked = []
    report = make_report(passages_of=lambda a, b: asked.append((a, b)) or shared())
    report = replace(report, choice=ReportChoice(most_passages=4))

    written = [section for section in sections(report, ReportLimits()) if section.level == 3]

    assert asked == []
    assert len(written) == 4
    assert next(iter(written[2].blocks)).number == 3
    assert len(asked) == 1


def test_the_contents_name_sections_that_are_there():
    report = make_report(["a", "b"])
    there = {section.id for section in sections(report, ReportLimits())}
    assert {section.id for section in contents(report, ReportLimits())} <= there
    assert SpanKind.NAME in {span.kind for span in spans_in_tables(report)}


def spans_in_tables(report):
    for block in blocks_of(report):
        if isinstance(block, Table):
            for part in block.parts:
                for row in part:
                    for one in row.cells:
                        yield from (span for line in one.lines for span in line)

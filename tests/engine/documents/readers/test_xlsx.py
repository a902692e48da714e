"""Workbooks (xlsx): a line for each row, cells as they are shown; and locked documents."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msoffcrypto.method.ecma376_agile import ECMA376Agile

from core.documents.model import ProblemCode
from core.documents.readers import Reading
from core.documents.readers.ooxml import xlsx
from core.documents.readers.ooxml.wordml import LOCKED
from core.documents.readers.shared.cells import format_kind, shown
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.archives import OPEN, STRICT, office, office_names, related
from tests.problems import problem_of


def names(edition=OPEN):
    return office_names(edition, "x")


STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellStyleXfs><xf/>'
    '</cellStyleXfs><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/>'
    "</cellXfs>"
)
STRINGS = (
    "<si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r></si>"
    "<si><t>漢</t><rPh><t>kan</t></rPh></si>"
)


def workbook(*sheets, book="", edition=OPEN, **parts):
    """Sheets are what stands in them, or (attributes, that)."""
    pairs = [sheet if isinstance(sheet, tuple) else ("", sheet) for sheet in sheets]
    listed = "".join(
        f'<sheet name="S{i}" sheetId="{i}" r:id="s{i}" {attributes}/>'
        for i, (attributes, _) in enumerate(pairs)
    )
    links = {f"s{i}": ("worksheet", f"worksheets/sheet{i}.xml") for i in range(len(pairs))}
    links |= {"t": ("sharedStrings", "sharedStrings.xml"), "y": ("styles", "styles.xml")}
    package_parts = {
        "xl/workbook.xml": f"<workbook {names(edition)}>{book}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": related(links),
        "xl/sharedStrings.xml": f"<sst {names(edition)}>{STRINGS}</sst>",
        "xl/styles.xml": f"<styleSheet {names(edition)}>{STYLES}</styleSheet>",
    }
    for i, (_, content) in enumerate(pairs):
        package_parts[f"xl/worksheets/sheet{i}.xml"] = (
            f"<worksheet {names(edition)}>{content}</worksheet>"
        )
    return office("xl/workbook.xml", {**package_parts, **parts})


def row(*cells, look=""):
    return f"<row {look}>{''.join(cells)}</row>"


def cell(value, kind="n", style=0, reference=""):
    return f'<c t="{kind}" s="{style}" {reference}><v>{value}</v></c>'


def read(data, **reading):
    return xlsx.READER.read(data, Reading(**reading))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (row(cell(0, "s"), cell(1, "s"), cell(2, "s")), "shared\trich text\t漢"),
        (row(cell(9, "s"), cell("x", "s"), cell("9" * 5000, "s")), ""),
        (row(cell(7, style="9" * 5000)), "7"),
        (row('<c t="inlineStr"><is><t>in</t><t>line</t></is></c>'), "inline"),
        (row(cell("a\nb", "str")), "a b"),
        (row(cell(1), cell("0.10000000000000001"), cell("1e3")), "1\t0.1\t1000"),
        (row(cell(1, "b"), cell(0, "b"), cell("#REF!", "e")), "TRUE\tFALSE\t#REF!"),
        (row(cell(44197, style=1), cell("44197.75", style=2)), "2021-01-01\t2021-01-01 18:00"),
        (row(cell("0.125", style=3)), "12.5%"),
        (row("<c><f>SUM(A1)</f><v>6</v></c>"), "6"),
        (row(cell(1), *["<c/>"] * 50, cell(2)) + row("<c/>") + row(cell(3)), "1\t2\n3"),
    ],
)
def test_cells_are_as_they_are_shown(content, text):
    assert read(workbook(content)) == (text, "", ())


def test_sheets_are_pages_and_what_is_hidden_is_reported():
    columns = '<cols><col min="2" max="27" hidden="1"/></cols>'
    data = workbook(
        row(cell(1)),
        ('state="veryHidden"', row(cell(2))),
        columns + row(
            cell(3, reference='r="A1"'), cell(4, reference='r="AA1"'), cell(5, reference='r="AB1"')
        )
        + row(cell(6, reference='r="A2"'), look='hidden="1"') + row(look='hidden="1"')
    )  # fmt: skip

    assert read(data) == (
        "1\f\f3\t5",
        "",
        (
            "1 hidden sheet is not part of the text.",
            "2 hidden rows and columns are not part of the text.",
        ),
    )


def test_words_in_drawings_follow_the_cells():
    drawing = f"<d {names()}><a:p><a:r><a:t>Note</a:t></a:r></a:p></d>"
    data = workbook(
        row(cell(1)),
        **{
            "xl/worksheets/_rels/sheet0.xml.rels": related({"d": ("drawing", "../drawings/d.xml")}),
            "xl/drawings/d.xml": drawing,
        },
    )

    assert read(data).text == "1\n\nNote"


def test_both_editions_and_epochs_are_read():
    data = workbook(row(cell(1, style=1)), book='<workbookPr date1904="1"/>', edition=STRICT)

    assert read(data).text == "1904-01-02"


def test_limits_are_reported():
    many = workbook(row(*[cell(0, "s")] * 100))

    for limits, code in (
        (ReadingLimits(characters=500), ProblemCode.TOO_BIG),
        (ReadingLimits(memory_bytes=4_000), ProblemCode.TOO_BIG_UNPACKED),
    ):
        assert problem_of(read, many, limits=limits).code is code


@pytest.mark.parametrize(
    ("number", "code", "kind"),
    [
        (0, "", ""),
        (14, "", "date"),
        (9, "", "percent"),
        (164, "yyyy\\-mm", "date"),
        (164, "[h]:mm", "date"),
        (164, '0 "days"', ""),
        (164, "[Red]0.00", ""),
        (164, "General", ""),
        (164, "0.0%;-0.0%", "percent"),
    ],
)
def test_formats_say_what_a_number_is(number, code, kind):
    assert format_kind(number, code) == kind


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("0.5", "date", "12:00"),
        ("60", "date", "1900-02-28"),
        ("-1", "date", "-1"),
        ("1e300", "date", "1e+300"),
        ("nan", "date", "nan"),
        ("123456789012345678", "", "123456789012345680"),
        ("no number", "", "no number"),
    ],
)
def test_odd_numbers_are_shown(value, kind, text):
    assert shown(value, kind) == text


@given(st.floats() | st.text(), st.sampled_from(["", "date", "percent"]), st.booleans())
def test_any_number_is_shown(value, kind, from_1904):
    assert isinstance(shown(str(value), kind, from_1904=from_1904), str)


def locked(password):
    filler = {"xl/filler.bin": random.Random(1).randbytes(9000)}  # small files are locked wrongly
    document = workbook(row(cell("secret", "str")), **filler)
    return ECMA376Agile.encrypt(password, io.BytesIO(document))


def test_a_locked_document_opens_with_its_password():
    data = locked("open sesame")
    reader = reader_for(data, ".xlsx")

    assert reader is LOCKED
    assert reader.read(data, Reading(passwords=("wrong", "open sesame"))).text == "secret"
    problem = problem_of(reader.read, data, Reading(passwords=("wrong",)))
    assert problem.code is ProblemCode.ENCRYPTED
    assert "Locked with a password" in problem.detail


def test_the_default_password_of_excel_need_not_be_given():
    assert LOCKED.read(locked("VelvetSweatshop"), Reading()).text == "secret"


def test_a_damaged_lock_is_not_opened():
    data = locked("open sesame")

    for length in range(0, len(data) - 6000, 4001):
        problem_of(LOCKED.read, data[:length], Reading(passwords=("open sesame",)))

"""Presentations (pptx): slide by slide, in the order in which they are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import ProblemCode
from core.documents.readers import Reading
from core.documents.readers.ooxml import pptx
from core.documents.reading_settings import ReadingLimits
from tests.archives import OPEN, STRICT, office, office_names, related
from tests.problems import problem_of


def presentation(*slides, order=None, notes=None, links=None, edition=OPEN, **parts):
    """Slides are shapes; `notes` and `links` belong to the slide of a number."""
    order = range(len(slides)) if order is None else order
    listed = "".join(f'<p:sldId id="{i}" r:id="s{i}"/>' for i in order)
    package_parts = {
        "ppt/presentation.xml": f"<p:presentation {office_names(edition)}><p:sldIdLst>{listed}"
        "</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": related(
            {f"s{i}": ("slide", f"slides/slide{i}.xml") for i in range(len(slides))}
        ),
    }
    for i, slide in enumerate(slides):
        attributes, shapes = slide if isinstance(slide, tuple) else ("", slide)
        tree = "<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{}</p:spTree></p:cSld>"
        package_parts[f"ppt/slides/slide{i}.xml"] = (
            f"<p:sld {office_names(edition)} {attributes}>{tree.format(shapes)}</p:sld>"
        )
        of_slide = {**(links or {}).get(i, {})}
        if i in (notes or {}):
            of_slide["n"] = ("notesSlide", f"../notesSlides/n{i}.xml")
            package_parts[f"ppt/notesSlides/n{i}.xml"] = (
                f"<p:notes {office_names(edition)}>{tree.format(notes[i])}</p:notes>"
            )
        package_parts[f"ppt/slides/_rels/slide{i}.xml.rels"] = related(of_slide)
    return office("ppt/presentation.xml", {**package_parts, **parts})


def body(*paragraphs):
    lines = "".join(f"<a:p><a:r><a:t>{paragraph}</a:t></a:r></a:p>" for paragraph in paragraphs)
    return f"<p:txBody>{lines}</p:txBody>"


def shape(*paragraphs, placeholder="", x=None, y=0, hidden=""):
    off = "" if x is None else f'<a:xfrm><a:off x="{x}" y="{y}"/></a:xfrm>'
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='1' {hidden}/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>"
        f"<p:spPr>{off}</p:spPr>{body(*paragraphs)}</p:sp>"
    )


def read(data, **reading):
    return pptx.READER.read(data, Reading(**reading))


GROUP = (
    "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x='0' y='9000000'/></a:xfrm></p:grpSpPr>"
    "{}</p:grpSp>"
)
ALTERNATIVES = (
    "<mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>"
    "</mc:AlternateContent>"
)
TITLE = '<p:ph type="title"/>'
CELL = "<a:tc>{}</a:tc>"
TABLE = "<p:graphicFrame><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></p:graphicFrame>"


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        (shape("One", "two"), "One\ntwo"),
        (shape("a</a:t></a:r><a:br/><a:r><a:t>b"), "a\nb"),
        (shape("un</a:t></a:r><a:r><a:t>bound"), "unbound"),
        (shape("b", x=9) + shape("Title", placeholder=TITLE), "Title\n\nb"),
        (shape("c", x=0, y=10**7) + shape("b", x=10**6) + shape("a", x=0), "a\n\nb\n\nc"),
        (shape("b", x=10**6, y=0) + shape("a", x=0, y=9), "a\n\nb"),
        (
            shape("box", x=0)
            + shape("second", placeholder='<p:ph idx="2"/>')
            + shape("first", placeholder='<p:ph idx="1"/>'),
            "first\n\nsecond\n\nbox",
        ),
        (
            GROUP.format(shape("c", x=0, y=8) + shape("b", x=0, y=-(10**6))) + shape("a", x=0),
            "a\n\nb\n\nc",
        ),
        (TABLE.format(*(CELL.format(body(letter)) for letter in "abcd")), "a\tb\nc\td"),
        (shape("3", placeholder='<p:ph type="sldNum" idx="9"/>') + shape("a"), "a"),
        (shape("Company", placeholder='<p:ph type="ftr" idx="9"/>') + shape("a"), "a"),
        (shape("a</a:t></a:r><a:fld type='slidenum'><a:t>3</a:t></a:fld><a:r><a:t>"), "a"),
        (ALTERNATIVES.format(shape("a"), shape("a")), "a"),
    ],
)
def test_a_slide_is_read_in_its_order(shapes, text):
    assert read(presentation(shapes)) == (text, "", ())


def test_slides_come_in_the_order_of_the_presentation_with_their_notes():
    data = presentation(
        shape("first part"),
        shape("second part"),
        "",
        order=[1, 2, 0],
        notes={1: shape("slide", placeholder='<p:ph type="sldImg"/>')
               + shape("said", placeholder='<p:ph type="body" idx="1"/>')
               + shape("3", placeholder='<p:ph type="sldNum" idx="2"/>')},
    )  # fmt: skip

    assert read(data).text == "second part\n\nsaid\f\ffirst part"


def test_what_is_hidden_is_reported():
    data = presentation(
        ('show="0"', shape("not shown")), shape("a") + shape("b", hidden='hidden="1"')
    )

    assert read(data) == (
        "\fa",
        "",
        (
            "1 passage of hidden text is not part of the text.",
            "1 hidden slide is not part of the text.",
        ),
    )


def test_the_words_of_a_chart_are_read_once():
    frame = '<p:graphicFrame><c:chart r:id="c"/><c:chart r:id="c"/></p:graphicFrame>'
    chart = f"<c:x {office_names()}><c:strCache><c:v>North</c:v></c:strCache></c:x>"
    links = {0: {"c": ("chart", "../charts/chart1.xml")}}

    assert (
        read(presentation(frame, links=links, **{"ppt/charts/chart1.xml": chart})).text == "North"
    )


def test_the_strict_edition_is_read():
    assert read(presentation(shape("a"), edition=STRICT)).text == "a"


def test_limits():
    limits = ReadingLimits(memory_bytes=40_000)
    problem = problem_of(read, presentation(shape("a" * 9999)), limits=limits)
    assert problem.code is ProblemCode.TOO_BIG_UNPACKED


def test_a_file_that_broke_off_is_read_to_there():
    data = presentation(*(shape(f"slide {i}") for i in range(20)))

    extracted = read(data[: len(data) // 2])

    assert extracted.text.startswith("slide 0\fslide 1\f")
    assert extracted.remarks == ("The file is damaged; its text may be incomplete.",)


ELEMENTS = ["p:sp", "p:grpSp", "a:p", "a:t", "a:tbl", "a:tr", "a:tc", "a:off", "p:ph", "a:fld"]


@given(st.recursive(st.just("x"), lambda inner: st.builds(
    lambda name, content: f"<{name}>{''.join(content)}</{name}>",
    st.sampled_from(ELEMENTS), st.lists(inner, max_size=4)), max_leaves=30))  # fmt: skip
def test_elements_in_any_order_are_read(shapes):
    assert isinstance(read(presentation(shapes)).text, str)


BODY_PLACEHOLDER = '<p:ph type="body" idx="1"/>'


def test_notes_count_wherever_they_are_written():
    placeless = shape("Spoken aside") + shape("Slide 1", placeholder='<p:ph type="sldNum"/>')
    table = TABLE.format(*(CELL.format(body(word)) for word in "abcd"))
    notes = {
        0: placeless,
        1: shape("As usual", placeholder=BODY_PLACEHOLDER) + GROUP.format(shape("Grouped")),
    }
    notes[2] = table

    extracted = read(presentation(shape("One"), shape("Two"), shape("Three"), notes=notes))

    assert extracted.text == "One\n\nSpoken aside\fTwo\n\nAs usual\n\nGrouped\fThree\n\na\tb\nc\td"


def test_groups_in_groups_are_read_however_deep():
    group = shape("Word {}")
    nested = "".join(f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{group.format(i)}" for i in range(200))

    text = read(presentation(nested + "</p:grpSp>" * 200)).text

    assert sorted(text.split("\n\n")) == sorted(f"Word {i}" for i in range(200))


def test_a_slide_that_is_listed_often_is_read_once():
    assert read(presentation(shape("One"), shape("Two"), order=[1, 0, 1, 1])).text == "Two\fOne"

"""Word documents in one file of XML: of Word 2003, and packages written flat."""

from __future__ import annotations

import base64

import pytest

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.ooxml import wordml
from core.documents.readers.reader import Reading

WORD = "http://schemas.microsoft.com/office/word/2003/wordml"
NAMES = (
    f'xmlns:w="{WORD}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" '
    'xmlns:aml="http://schemas.microsoft.com/aml/2001/core"'
)
START = '<?xml version="1.0" encoding="UTF-8"?>\r\n<?mso-application progid="Word.Document"?>\r\n'


def document(body, before="", xml=START):
    return (
        f'{xml}<w:wordDocument {NAMES} xml:space="preserve">{before}<w:body><wx:sect>{body}'
        "</wx:sect></w:body></w:wordDocument>"
    ).encode()


def run(text, look=""):
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


def p(*runs, properties=""):
    content = "".join(it if it.startswith("<") else run(it) for it in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def annotation(kind, content=""):
    inside = f"<aml:content>{content}</aml:content>"
    return f'<aml:annotation aml:id="0" w:type="{kind}">{inside}</aml:annotation>'


def read(data, **reading):
    return wordml.READER.read(data, Reading(**reading))


HEADINGS = (
    f'<w:sectPr><w:hdr w:type="odd">{p("Head of the page")}</w:hdr>'
    f'<w:hdr w:type="first">{p("1")}</w:hdr><w:ftr w:type="odd">{p("Foot of the page")}</w:ftr>'
    "</w:sectPr>"
)
TABLE = f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>"


@pytest.mark.parametrize(
    ("body", "text", "remark"),
    [
        (p("One ", "two") + p("Three"), "One two\n\nThree", ""),
        (p("a") + TABLE + p("c"), "a\n\na\tb\n\nc", ""),
        (p("a", annotation("Word.Deletion", run("gone")), "b"), "ab",
         "1 tracked deletion is not part of the text."),
        (p("a", annotation("Word.Insertion", run("new"))), "anew", ""),
        (p("a", annotation("Word.Comment", p("remark")), "b"), "ab",
         "1 comment is not part of the text."),
        (p("a", annotation("Word.Bookmark.Start"), "b"), "ab", ""),
        (p(run("a", annotation("Word.Formatting", "<w:rPr><w:vanish/></w:rPr>"))), "a", ""),
        (p("a", properties=f"<w:rPr>{annotation('Word.Deletion')}</w:rPr>") + p("b"), "ab", ""),
        (p("a", f"<w:r><w:footnote>{p('note')}</w:footnote></w:r>", "b") + p("c"),
         "ab\n\nc\n\nnote", ""),
        (p("a", f"<w:r><w:endnote>{p('end')}</w:endnote></w:r>"), "a\n\nend", ""),
        (p("a") + HEADINGS, "Head of the page\n\na\n\nFoot of the page", ""),
        (p("a", properties=HEADINGS) + p("b"),
         "Head of the page\n\na\n\nb\n\nFoot of the page", ""),
        (p("a", run("b", "<w:vanish/>"), "c"), "ac",
         "1 passage of hidden text is not part of the text."),
        (p("a", f"<w:r><w:pict><w:binData>QUJD</w:binData><v:textbox><w:txbxContent>{p('box')}"
         "</w:txbxContent></v:textbox></w:pict></w:r>"), "a\n\nbox", ""),
    ],
)  # fmt: skip
def test_text_is_what_a_person_reads(body, text, remark):
    data = document(body)

    assert reader_for(data, ".xml") is wordml.READER
    assert read(data) == (text, "", (remark,) if remark else ())


def test_styles_hide():
    styles = (
        '<w:styles><w:style w:type="paragraph" w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>'
        "</w:styles>"
    )
    body = p("a", properties='<w:pStyle w:val="H"/>') + p("b")

    assert read(document(body, styles)).text == "b"


def test_a_file_that_broke_off_is_read_to_there():
    data = document(p("One") + p("Two"))

    found = read(data[: data.index(b"Two")])

    assert found == ("One", "", ("The file is damaged; its text may be incomplete.",))
    with pytest.raises(UnreadableError) as caught:
        read(data[: data.index(b"One")])
    assert caught.value.code is ProblemCode.DAMAGED


def test_a_doctype_is_refused():
    data = document(p("a"), xml='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')

    with pytest.raises(UnreadableError) as caught:
        read(data)
    assert caught.value.code is ProblemCode.DTD_REFUSED


OPEN = "http://schemas.openxmlformats.org"


def flat(**parts):
    """A flat package; "__" in a name stands for "/", and bytes are written in base64."""
    found = ""
    for name, content in parts.items():
        kind = "binaryData" if isinstance(content, bytes) else "xmlData"
        written = base64.b64encode(content).decode() if isinstance(content, bytes) else content
        found += (
            f'<pkg:part pkg:name="/{name.replace("__", "/")}" pkg:contentType="x">\n  '
            f"<pkg:{kind}>{written}</pkg:{kind}></pkg:part>"
        )
    namespace = "http://schemas.microsoft.com/office/2006/xmlPackage"
    return f'{START}<pkg:package xmlns:pkg="{namespace}">{found}</pkg:package>'.encode()


BODY = (
    f'<w:document xmlns:w="{OPEN}/wordprocessingml/2006/main" '
    f'xmlns:r="{OPEN}/officeDocument/2006/relationships"><w:body>{p("One")}{p("Two")}'
    '<w:altChunk r:id="r0"/></w:body></w:document>'
)
RELATIONS = (
    f'<Relationships xmlns="{OPEN}/package/2006/relationships"><Relationship Id="r0" '
    'Type="x/aFChunk" Target="chunk.txt"/></Relationships>'
)


def test_a_flat_package_is_read_as_one_that_is_packed():
    parts = {"word__document.xml": BODY, "word___rels__document.xml.rels": RELATIONS}
    data = flat(**parts, **{"word__chunk.txt": b"Three"})

    assert reader_for(data, ".xml") is wordml.READER
    assert read(data) == ("One\n\nTwo\n\nThree", "", ())


def test_a_flat_package_that_broke_off_is_read_to_there():
    data = flat(**{"word__document.xml": BODY})

    found = read(data[: data.index(b"Two")])

    assert (found.text, len(found.remarks)) == ("One", 1)


def test_parts_without_an_end_end_where_the_next_begins():
    part = b'<pkg:part pkg:name="/a%d"><pkg:binaryData>QUJD</x>'
    many = b"".join(part % number for number in range(20_000))
    data = flat(**{"word__document.xml": BODY}).replace(b"</pkg:package>", many)

    assert read(data).text == "One\n\nTwo"


def test_other_xml_is_a_text():
    for start in ("<a>", "<package>", "<w:wordDocument>", "<?xml version='1.0'?><feed>"):
        assert reader_for(start.encode(), ".xml").kind == "text"

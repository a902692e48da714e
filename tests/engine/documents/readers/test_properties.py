"""Properties of files in each format, and contradictions that no real file has."""

import json
import random
import struct
import zlib
from io import BytesIO

import pypdfium2
import pytest
import typst
from pypdfium2 import raw

from core.documents.properties import (
    COMMENTED_BY,
    COMPANY,
    CREATED,
    CREATED_BY,
    EARLIER_IDS,
    FILE_IDS,
    MINUTES,
    MOST_CHARACTERS,
    PARAGRAPHS,
    PICTURES,
    PRINTED,
    PROGRAM,
    REVISION,
    SAVED,
    SAVED_BY,
    SESSION_TEXTS,
    SESSIONS,
    TEMPLATE,
    TITLE,
    checked,
    contradicting,
    is_possible,
    joins,
    minutes_of,
    pdf_date,
    share_written,
    united,
)
from core.documents.readers import Reading
from core.documents.readers.properties import properties_of
from core.reports.properties_words import in_words
from tests.archives import zipped
from tests.bench.fuzz_seeds import compound
from tests.engine.documents.readers.test_doc import written

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
PICTURE = bytes(range(256)) * 3


def word(author="Ada &amp; Co", sessions=("00A1B2C3", "00D4E5F6"), body=""):
    listed = "".join(f'<w:rsid w:val="{session}"/>' for session in sessions)
    return zipped(
        {
            "docProps/core.xml": "<cp:coreProperties><dc:title>On engines</dc:title>"
            f"<dc:creator>{author}</dc:creator><cp:lastModifiedBy>r.keller</cp:lastModifiedBy>"
            "<cp:revision>7</cp:revision><dcterms:created xsi:type='dcterms:W3CDTF'>"
            "2026-03-01T09:00:00Z</dcterms:created></cp:coreProperties>",
            "docProps/app.xml": "<Properties><Template>Thesis.dotx</Template><TotalTime>42"
            "</TotalTime><Application>Microsoft Office Word</Application><AppVersion>16.0000"
            "</AppVersion><Company>A school</Company></Properties>",
            "word/settings.xml": f"<w:settings><w:rsids>{listed}</w:rsids></w:settings>",
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:p w:rsidR="00112233" '
            f'w14:paraId="1A2B3C4D"><w:ins w:author="Grace"/></w:p>{body}</w:document>',
            "word/glossary/document.xml": "<w:p w:rsidRPr='no' w:rsidP=\"000AB001\"/>",
            "word/media/image1.png": PICTURE,
            "word/media/dot.png": b"tiny",
        }
    )


def odt():
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "meta.xml": "<office:meta><meta:initial-creator>Ada</meta:initial-creator>"
            "<dc:creator>Grace</dc:creator><meta:creation-date>2026-03-01T09:00:00.123"
            "</meta:creation-date><meta:editing-cycles>3</meta:editing-cycles>"
            "<meta:editing-duration>PT2H5M3S</meta:editing-duration>"
            '<meta:generator>Writer</meta:generator><meta:template xlink:title="Thesis"/>'
            "</office:meta>",
            "settings.xml": '<config:config-item config:name="Rsid" config:type="int">1313764</c>'
            '<config:config-item config:name="RsidRoot" config:type="int">107187</c>',
            "content.xml": '<text:p officeooo:rsid="1a2b3" officeooo:paragraph-rsid="00c0ffee">'
            "<office:annotation><dc:creator>Zed</dc:creator></office:annotation></text:p>",
            "Pictures/one.png": PICTURE,
        }
    )


PDF = (
    b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    b"4 0 obj<</Author(Ada)/Producer(Press)/CreationDate(D:20260301090000+01'00')>>endobj\n"
    b"5 0 obj<</Type/XObject/Subtype/Image/Length 768>>stream\n%s\nendstream endobj\n"
    b'6 0 obj<<>>stream\n<?xpacket begin="" id="W"?><dc:creator><rdf:Seq><rdf:li>Zed</rdf:li>'
    b"</rdf:Seq></dc:creator><dc:title><rdf:Alt><rdf:li>On &lt;engines</rdf:li></rdf:Alt>"
    b"</dc:title><rdf:Description "
    b'xmpMM:DocumentID="uuid:one"><xmpMM:InstanceID>uuid:two</xmpMM:InstanceID>'
    b"</rdf:Description><?xpacket end='w'?>\nendstream endobj\n"
    b"trailer<</Root 1 0 R/Info 4 0 R/ID[<aa01><bb02>]>>\n%%%%EOF" % PICTURE
)
RTF = (
    rb"{\rtf1\ansi\ansicpg1251{\*\generator Press 1;}"
    rb"{\*\rsidtbl \rsid10597059\rsid4}{\info{\author Ada}"
    rb"{\operator Grace}{\creatim\yr2026\mo3\dy1\hr9\min5}{\version2}{\edmins42}"
    rb"{\title d\u8217\'92engines}{\*\company \'d1\'e8\'e1}}}text}"
)
HTML = b'<html><head><meta name="Author" content="Ada"><META content=\'Press\' name=generator>'
MAIL = b"From: =?utf-8?q?Ad=C3=A9?= <a@x.org>\r\nMessage-ID: <1@x.org>\r\nX-Mailer: Post\r\n\r\nHi"


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            "docx",
            word(),
            {
                CREATED_BY: ("Ada & Co",),
                SAVED_BY: ("r.keller",),
                TITLE: ("On engines",),
                REVISION: ("7",),
                CREATED: ("2026-03-01T09:00:00Z",),
                TEMPLATE: ("Thesis.dotx",),
                MINUTES: ("42",),
                PROGRAM: ("Microsoft Office Word 16.0000",),
                COMPANY: ("A school",),
                SESSIONS: ("000AB001", "00112233", "00A1B2C3", "00D4E5F6"),
                PARAGRAPHS: ("1A2B3C4D",),
                COMMENTED_BY: ("Grace",),
            },
        ),
        (
            "odt",
            odt(),
            {
                CREATED_BY: ("Ada",),
                SAVED_BY: ("Grace",),
                CREATED: ("2026-03-01T09:00:00.123",),
                REVISION: ("3",),
                MINUTES: ("125",),
                PROGRAM: ("Writer",),
                TEMPLATE: ("Thesis",),
                SESSIONS: ("0001A2B3", "00140BE4", "00C0FFEE"),
                COMMENTED_BY: ("Zed",),
            },
        ),
        (
            "pdf",
            PDF,
            {
                CREATED_BY: ("Ada",),
                TITLE: ("On <engines",),
                PROGRAM: ("Press",),
                CREATED: ("2026-03-01T09:00:00+01:00",),
                FILE_IDS: ("aa01", "bb02/aa01", "uuid:one", "uuid:two"),
                EARLIER_IDS: ("aa01",),
            },
        ),
        (
            "rtf",
            RTF,
            {
                CREATED_BY: ("Ada",),
                SAVED_BY: ("Grace",),
                TITLE: ("d’engines",),
                COMPANY: ("Сиб",),
                CREATED: ("2026-03-01T09:05:00",),
                REVISION: ("2",),
                MINUTES: ("42",),
                PROGRAM: ("Press 1",),
                SESSIONS: ("00000004", "00A1B2C3"),
            },
        ),
        ("html", HTML, {CREATED_BY: ("Ada",)}),
        (
            "eml",
            MAIL,
            {CREATED_BY: ("Adé <a@x.org>",), FILE_IDS: ("<1@x.org>",), PROGRAM: ("Post",)},
        ),
        ("latex", b"\\author{Ada}", {}),
    ],
    ids=["docx", "odt", "pdf", "rtf", "html", "eml", "latex"],
)
def test_each_format_gives_its_properties(kind, data, expected):
    properties = dict(properties_of(kind, data, Reading()))
    pictures = properties.pop(PICTURES.code, ())

    assert properties == {kind.code: values for kind, values in expected.items()}
    assert len(pictures) == (kind in {"docx", "odt", "pdf"})


@pytest.mark.parametrize("kind", ["docx", "odt", "epub"])
def test_a_package_without_properties_has_none(kind):
    bare = zipped({"word/document.xml": "<w:document/>", "content.xml": "<text:p/>"})
    assert properties_of(kind, bare, Reading()) == {}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            """<w:p w:rsidR="00000001" w:rsidRDefault="00AAAAAA"><w:pPr w:rsidR="00BBBBBB"/>
            <w:r><w:t>four</w:t></w:r><w:r w:rsidR="00bbbbbb" w:rsidRPr="00CCCCCC">
            <w:t a="b">ab</w:t></w:r><w:r><w:t>cd</w:t><w:t/></w:r></w:p>""",
            ("00AAAAAA 6/8", "00BBBBBB 2/8"),
        ),
        (
            """<w:p w:rsidRDefault="00AAAAAA"><w:r><w:t>a</w:t></w:r></w:p>
            <w:p><w:r><w:t>bcd</w:t></w:r></w:p>""",
            ("00AAAAAA 1/4",),
        ),
        ("<w:p><w:r><w:t>bcd</w:t></w:r></w:p>", ()),
    ],
)
def test_how_much_was_written_in_each_session_of_word(body, expected):
    data = zipped({"word/document.xml": f"<w:document>{body}</w:document>"})
    assert properties_of("docx", data, Reading()).get(SESSION_TEXTS.code, ()) == expected


def test_how_much_was_written_in_each_session_of_odf():
    styles = (
        '<style:style style:name="P1"><style:text-properties officeooo:rsid="1a2b3"/>'
        '</style:style><style:style style:name="T1"/><style:style style:name="T2">'
        '<style:text-properties officeooo:rsid="00c0ffee"/></style:style>'
    )
    body = (
        '<office:body>none<text:p text:style-name="P1">four<text:span text:style-name="T2">'
        "ab<text:s/>c"
        '<text:span text:style-name="T1">de</text:span></text:span>fg</text:p>'
        '<text:p text:style-name="P2"/><text:p>unknown</text:p></text:p>'
    )
    properties = properties_of("odt", zipped({"content.xml": styles + body}), Reading())
    assert properties[SESSION_TEXTS.code] == ("0001A2B3 6/18", "00C0FFEE 5/18")
    bare = properties_of("odt", zipped({"content.xml": body}), Reading())
    assert SESSION_TEXTS.code not in bare


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        (("00AAAAAA 6/8", "00BBBBBB 2/8"), 0.75),
        (("00BBBBBB 2/8",), 0.0),
        (("00AAAAAA 9/0",), None),
        (("00AAAAAA 9/3",), 1.0),
        (("00AAAAAA x/3", "no"), None),
        ((), None),
    ],
)
def test_the_share_of_a_text_that_sessions_wrote(texts, share):
    assert share_written(texts, {"00AAAAAA"}) == share
    file = {SESSION_TEXTS.code: tuple(texts)} if texts else {}
    assert united([file]).get(SESSION_TEXTS.code, ()) == tuple(texts)
    assert SESSION_TEXTS.code not in united([file, file])  # of two files that are one document


BOMB = '<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>'


def test_no_entity_of_a_file_is_replaced():
    packet = b'begin="" id="W"?>' + BOMB.encode() + b"<dc:description>&c;</dc:description>"
    in_pdf = PDF.replace(b'begin="" id="W"?>', packet).replace(b"&lt;engines", b"&c;")
    for properties in (
        pdf_properties(in_pdf),
        properties_of("docx", word(f"{BOMB}Ada &c;"), Reading()),
    ):
        assert "boom" not in json.dumps(properties)
    assert pdf_properties(in_pdf)["title"] == ("On &c;",)


@pytest.mark.parametrize(
    "wrong", ["7", "null", "(aa)", "[1 2]", "[]", "[<aa>]", "[/a<bb>]", "1 0 R"]
)
def test_an_identifier_of_another_type_is_none(wrong):
    properties = pdf_properties(PDF.replace(b"/ID[<aa01><bb02>]", b"/ID" + wrong.encode()))
    assert {*properties["file_ids"]} <= {"uuid:one", "uuid:two", "aa", "bb"}
    assert properties["created_by"] == ("Ada",)


def test_the_second_identifier_joins_no_two_files_of_different_first_ones():
    identifiers = pdf_properties(PDF.replace(b"<aa01>", b"<cc03>"))["file_ids"]
    assert {*identifiers} & {*pdf_properties(PDF)["file_ids"]} == {"uuid:one", "uuid:two"}
    without = pdf_properties(PDF.replace(b"<aa01>", b"<>"))["file_ids"]
    assert without == ("uuid:one", "uuid:two")


def test_an_identifier_that_qpdf_made_is_none():
    data = PDF.replace(b"%PDF-1.4\n", b"%PDF-1.4\n%\xbf\xf7\xa2\xfe\n")
    assert "bb02/aa01" in pdf_properties(data)["file_ids"]
    made = data.replace(b"<bb02>", b"<aa01>")
    assert pdf_properties(made)["file_ids"] == ("uuid:one", "uuid:two")
    assert "aa01" in pdf_properties(made.replace(b"\xbf", b"\xbe"))["file_ids"]


def test_a_template_of_odf_without_a_title_has_an_address():
    meta = '<meta:template xlink:href="Normal.dotm"/>'
    properties = properties_of("odt", zipped({"meta.xml": meta}), Reading())
    assert properties[TEMPLATE.code] == ("Normal.dotm",)


def test_a_picture_is_the_same_in_every_package():
    assert (
        properties_of("docx", word(), Reading())[PICTURES.code]
        == properties_of("odt", odt(), Reading())[PICTURES.code]
    )


def hashes_in(kind, data):
    return properties_of(kind, data, Reading()).get(PICTURES.code, ())


@pytest.fixture(scope="module")
def picture_hash():
    (known,) = hashes_in("docx", word())
    return known


def with_attachment(data):
    written_file = BytesIO()
    with pypdfium2.PdfDocument(data) as document:
        document.new_attachment("a.bin").set_data(PICTURE)
        document.save(written_file)
    return written_file.getvalue()


def test_a_file_attached_to_a_pdf_is_the_same_as_elsewhere(first_pdf, picture_hash):
    assert hashes_in("pdf", first_pdf) == ()
    assert hashes_in("pdf", with_attachment(first_pdf)) == (picture_hash,)


def test_objects_of_odf_are_reported_but_no_formula(picture_hash):
    formula = b"<math:math xmlns:math='m'>" + PICTURE
    parts = {
        "Object 1/content.xml": PICTURE,
        "Object 2": PICTURE + b"2",
        "Object 3/content.xml": formula,
        "ObjectReplacements/Object 1": PICTURE + b"3",
    }
    for name, number in (("Object 1/content.xml", 1), ("Object 2", 1), ("Object 3/content.xml", 0)):
        assert len(hashes_in("odt", zipped({name: parts[name]}))) == number
    hashes = hashes_in("odt", zipped(parts))
    assert len(hashes) == 2
    assert picture_hash in hashes


def test_pictures_of_a_book_are_reported_and_no_pages(picture_hash):
    book = zipped({"OEBPS/pictures/a.JPG": PICTURE, "OEBPS/page.xhtml": PICTURE + b"2"})
    assert hashes_in("epub", book) == (picture_hash,)


@pytest.mark.parametrize(
    ("head", "before"),
    [
        (b"\x00\x6e\x1e\xf0", 17),
        (b"\x10\x6e\x1e\xf0", 33),
        (b"\xb0\x46\x1d\xf0", 33),
        (b"\x40\x3d\x1a\xf0", 50),
        (b"\x70\x21\x1b\xf0", 66),
    ],
)
@pytest.mark.parametrize("stream", ["Data", "WordDocument", "Pictures"])
def test_pictures_of_office_art_are_reported(stream, head, before, picture_hash):
    record = head + struct.pack("<I", before + len(PICTURE)) + b"\0" * before + PICTURE
    streams = written("One\r")
    data = compound({**streams, stream: streams.get(stream, b"") + b"ab" + record + b"cd"})
    assert hashes_in("doc" if stream != "Pictures" else "ppt", data) == (picture_hash,)
    cut = compound({**streams, stream: record[:-1]})
    assert hashes_in("ppt", cut) == ()


@pytest.mark.parametrize("name", ["Package", "\1Ole10Native", "Workbook"])
def test_files_embedded_in_a_doc_are_reported(name, picture_hash):
    pool = {"ObjectPool": {"_1": {name: PICTURE, "\3ObjInfo": b"123456"}}}
    assert hashes_in("doc", compound({**written("One\r"), **pool})) == (picture_hash,)


def strings(*names):
    return b"".join(struct.pack("<H", len(name)) + name.encode("utf-16-le") for name in names)


def test_commenters_of_a_doc_are_reported():
    head = struct.pack("<HHH", 0xFFFF, 2, 0)
    tables = {"commenters": strings("Ada", "Zoë"), "revisers": head + strings("Unknown", "Grace")}
    data = compound(written("One\r", tables=tables, shift=7))
    assert properties_of("doc", data, Reading())[COMMENTED_BY.code] == ("Ada", "Grace", "Zoë")
    cut = compound(written("One\r", tables={"commenters": strings("Ada", "Zoë")[:-3]}))
    assert properties_of("doc", cut, Reading())[COMMENTED_BY.code][0] == "Ada"
    assert COMMENTED_BY.code not in properties_of("doc", compound(written("One\r")), Reading())


COMMENTS = (
    b"7 0 obj<</Type/Annot/Subtype/Text/T(Zed)/Contents(Why?)/Rect[0 0 1 1]>>endobj\n"
    b"8 0 obj<</Subtype/Highlight/Type/Annot/T<FEFF005A006F00EB>/Rect[0 0 1 1]>>endobj\n"
    b"9 0 obj<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/Rect[0 0 1 1]>>endobj\n"
    b"10 0 obj<</Type/Annot/Subtype/FileAttachment/FS 11 0 R/Rect[0 0 1 1]>>endobj\n"
    b"11 0 obj<</Type/Filespec/F(a)/EF<</F 12 0 R>>>>endobj\n"
    b"12 0 obj<</Length 768>>stream\n%s\nendstream endobj\ntrailer" % PICTURE[::-1]
)


def commented(annotations=b"7 0 R 8 0 R 9 0 R"):
    page = b"/MediaBox[0 0 9 9]"
    data = PDF.replace(page, page + b"/Annots[%s]" % annotations)
    return data.replace(b"trailer", COMMENTS)


def test_commenters_of_a_pdf_are_reported_and_no_form_field():
    assert pdf_properties(commented())["commented_by"] == ("Zed", "Zoë")
    assert "commented_by" not in pdf_properties(commented(b"9 0 R"))
    broken = commented().replace(b"/Kids[3 0 R]/Count 1", b"/Kids[13 0 R 3 0 R]/Count 2")
    assert pdf_properties(broken)["commented_by"] == ("Zed", "Zoë")


def test_a_file_in_a_comment_is_the_same_as_elsewhere():
    (known,) = hashes_in("odt", zipped({"Object 1": PICTURE[::-1]}))
    assert known not in hashes_in("pdf", commented())
    assert known in hashes_in("pdf", commented(b"10 0 R"))


def test_properties_of_a_file_are_limited():
    many = "".join(f'<w:p w14:paraId="{n:08X}"/>' for n in range(PARAGRAPHS.most + 100))
    sessions = [f"{n:08X}" for n in range(SESSIONS.most + 100)]
    properties = properties_of("docx", word("name " * MOST_CHARACTERS, sessions, many), Reading())

    assert len(properties[PARAGRAPHS.code]) == PARAGRAPHS.most
    assert len(properties[SESSIONS.code]) == SESSIONS.most
    assert len(properties[CREATED_BY.code][0]) == MOST_CHARACTERS
    assert checked(json.loads(json.dumps(properties))) == properties


def test_values_stay_on_their_line_and_turn_nothing_round():
    properties = properties_of("docx", word("A\u202ed\x1b[2Ja\u200b\nB"), Reading())

    assert properties[CREATED_BY.code] == ("A d [2Ja B",)


@pytest.mark.parametrize(
    "values",
    [
        [],
        {"unknown": ["1"]},
        {"title": "1"},
        {"title": [1]},
        {"title": ["a\nb"]},
        {"title": ["x" * 300]},
        {"sessions": ["1"] * (SESSIONS.most + 1)},
    ],
)
def test_a_process_with_answers_that_no_reader_gives_is_not_believed(values):
    with pytest.raises((ValueError, TypeError)):
        checked(values)


@pytest.mark.parametrize(
    ("kind", "value", "possible"),
    [
        (CREATED, "1601-01-01T00:00:00Z", False),
        (CREATED, "1980-01-01T00:00:00Z", False),
        (CREATED, "2107-12-31T23:59:58", False),
        (CREATED, "0000-00-00T00:00:00", False),
        (CREATED, "yesterday", False),
        (CREATED, "2026-03-01T09:00:00+01:00", True),
        (SAVED, "2026-03-01", True),
        (REVISION, "-1", False),
        (REVISION, "٣", False),
        (REVISION, "3", True),
        (MINUTES, "99999999", False),
        (SAVED_BY, "", True),
    ],
)
def test_what_cannot_be_true_is_reported(kind, value, possible):
    assert is_possible(kind, value) is possible
    assert not joins(kind, value) or possible


@pytest.mark.parametrize(
    ("values", "contradicted"),
    [
        ({CREATED: "2026-03-02T09:00:00Z", SAVED: "2026-03-01T09:00:00Z"}, {CREATED, SAVED}),
        ({CREATED: "2026-03-01T09:00:40Z", SAVED: "2026-03-01T09:00:00Z"}, set()),
        ({CREATED: "2026-03-01T12:00:00", SAVED: "2026-03-01T09:00:00Z"}, set()),
        ({CREATED: "2026-03-04T12:00:00", SAVED: "2026-03-01T09:00:00Z"}, {CREATED, SAVED}),
        ({CREATED: "1980-01-01", SAVED: "1601-01-01"}, set()),
        ({CREATED: "2026-03-01T09:00:00Z", PRINTED: "2026-02-01T09:00:00Z"}, {PRINTED}),
        ({SAVED: "2026-03-01T09:00:00Z", PRINTED: "2026-02-01T09:00:00Z"}, set()),
        (
            {CREATED: "2026-03-01T09:00:00Z", SAVED: "2026-03-01T10:00:00Z", MINUTES: "62"},
            {MINUTES},
        ),
        ({CREATED: "2026-03-01T09:00:00Z", SAVED: "2026-03-01T10:00:00Z", MINUTES: "60"}, set()),
        ({CREATED: "2026-03-01T09:00:00Z", MINUTES: "62"}, set()),
        ({MINUTES: "62"}, set()),
    ],
)
def test_what_cannot_be_true_together_is_reported(values, contradicted):
    properties = {kind.code: (value,) for kind, value in values.items()}
    assert contradicting(properties).keys() == contradicted
    lines = [line for line in in_words(properties) if "(contradicts “" in line]
    assert len(lines) == len(contradicted)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (CREATED_BY, "python-docx"),
        (SAVED_BY, "User"),
        (CREATED, "2013-12-23T23:15:00Z"),
        (SESSIONS, "00000000"),
        (PROGRAM, "Writer"),
        (MINUTES, "42"),
    ],
)
def test_what_every_file_of_a_program_has_links_no_two_files(kind, value):
    assert not joins(kind, value)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("D:20260301090000Z", "2026-03-01T09:00:00Z"),
        ("D:2026", "2026-01-01T00:00:00"),
        ("20260301", "2026-03-01T00:00:00"),
        ("March", "March"),
    ],
)
def test_dates_of_pdf(written, read):
    assert pdf_date(written) == read


@pytest.mark.parametrize(
    ("written", "minutes"),
    [("PT59S", "0"), ("P1DT1M", "1441"), ("PT2H5M3.5S", "125"), ("soon", "soon"), ("", "")],
)
def test_durations_of_editing(written, minutes):
    assert minutes_of(written) == minutes


def saved_by_pdfium(data, flags=raw.FPDF_NO_INCREMENTAL):
    """A PDF as PDFium saves it, with a page more."""
    written = BytesIO()
    with pypdfium2.PdfDocument(data) as document:
        document.new_page(9, 9)
        document.save(written, flags=flags)
    return written.getvalue()


def pdf_properties(data):
    return dict(properties_of("pdf", data, Reading()))


@pytest.fixture(scope="module")
def first_pdf():
    return typst.compile(b"#set document(date: datetime(year: 2026, month: 3, day: 1))\nText")


def test_a_pdf_that_was_added_to_holds_the_version_before(first_pdf):
    added = saved_by_pdfium(first_pdf, raw.FPDF_INCREMENTAL)
    (first,) = pdf_properties(first_pdf)["versions"]
    versions = pdf_properties(added)["versions"]
    assert len(versions) == 2
    assert first in versions
    assert pdf_properties(first_pdf + b"\r\n")["versions"] == (first,)
    assert len(pdf_properties(saved_by_pdfium(first_pdf))["versions"]) == 1
    changed = added.replace(b"%PDF-1.", b"%PDF-2.")
    assert not {*versions} & {*pdf_properties(changed)["versions"]}


def test_an_end_of_file_that_points_to_no_references_is_no_version(first_pdf):
    attached = b"%%EOF\n9 0 obj<<>>stream\nstartxref\n5\n%%EOF\nendstream endobj"
    assert len(pdf_properties(first_pdf.replace(b"%%EOF", attached))["versions"]) == 1


def test_the_first_end_of_a_linearized_file_is_no_version():
    ended_twice = PDF + b"\nstartxref\n9\n%%EOF" * 2
    assert len(pdf_properties(ended_twice)["versions"]) == 2
    linearized = ended_twice.replace(b"/Type/Catalog", b"/Type/Catalog/Linearized 1")
    assert len(pdf_properties(linearized)["versions"]) == 1


def test_the_first_identifier_is_an_earlier_one_once_a_pdf_was_saved_again(first_pdf):
    first = pdf_properties(first_pdf)
    assert "earlier_ids" not in first
    for again in (saved_by_pdfium(first_pdf), saved_by_pdfium(first_pdf, raw.FPDF_INCREMENTAL)):
        properties = pdf_properties(again)
        assert properties["earlier_ids"] == pdf_properties(saved_by_pdfium(again))["earlier_ids"]
        assert {*properties["earlier_ids"]} < {*first["file_ids"]}


def test_a_file_that_begins_otherwise_than_its_program_does_was_saved_again(first_pdf):
    made_by_another = first_pdf.replace(b"\x80" * 4, b"\xe2\xe3\xcf\xd3", 1)
    (identifier,) = pdf_properties(made_by_another)["earlier_ids"]
    assert identifier in pdf_properties(first_pdf)["file_ids"]
    assert "earlier_ids" not in pdf_properties(first_pdf)
    named_by_none = made_by_another.replace(b"Typst", b"Press")
    assert "earlier_ids" not in pdf_properties(named_by_none)


def test_xmp_names_earlier_instances():
    history = (
        b'<xmpMM:History stEvt:instanceID="uuid:zero"/><xmpMM:DerivedFrom '
        b'stRef:instanceID="uuid:base"/><x stEvt:instanceID="uuid:two"/></rdf:Description>'
    )
    properties = pdf_properties(PDF.replace(b"</rdf:Description>", history))
    assert properties["earlier_ids"] == ("aa01", "uuid:base", "uuid:zero")


@pytest.mark.parametrize("pack", [bytes, zlib.compress])
def test_subsets_of_fonts_are_reported(pack):
    objects = b"<</Type/FontDescriptor/FontName/QWERTZ+New#20Roman/Flags 4>> /FontName/Plain"
    stream = b"7 0 obj<</Type/ObjStm/N 0/First 0>>\nstream\r\n%s\nendstream endobj" % pack(objects)
    assert pdf_properties(PDF.replace(b"trailer", stream + b"\ntrailer"))["fonts"] == (
        "QWERTZ+New Roman",
    )


def test_a_subset_far_into_packed_objects_is_reported():
    before = random.Random(1).randbytes(100_000).replace(b"/", b"")  # packs into several pieces
    packed = zlib.compress(before + b"/FontName/QWERTZ+Georgia ")
    stream = b"7 0 obj<</Type/ObjStm/N 0/First 0>>\nstream\n%s\nendstream endobj" % packed
    assert pdf_properties(PDF.replace(b"trailer", stream + b"\ntrailer"))["fonts"] == (
        "QWERTZ+Georgia",
    )

"""OpenDocument: what a person reads in a text, a presentation and a spreadsheet."""

import base64
import hashlib
import os
import zlib
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import ProblemCode
from core.documents.readers import Reading
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.archives import ODF_MEDIA, ODF_NAMES, ODF_URN, odf_content, odf_part, zipped
from tests.problems import problem_of

DAMAGED = "This file is damaged: it cannot be unpacked."


def packed(parts: dict[str, str | bytes], media: str | None = f"{ODF_MEDIA}text") -> bytes:
    return zipped({"mimetype": media, **parts} if media else parts)


def odf(body: str, kind: str = "text", styles: str = "", **parts: str) -> bytes:
    names = {name.replace("_", "."): text for name, text in parts.items()}
    return packed({"content.xml": odf_content(kind, body, styles), **names}, f"{ODF_MEDIA}{kind}")


def read(data: bytes, **reading):
    reader = reader_for(data, "")
    assert reader.kind in {"odt", "odp", "ods"}
    return reader.read(data, Reading(**reading))


problem = partial(problem_of, read)


def hiding(name: str, family: str = "text", parent: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="{family}" '
        f'style:parent-style-name="{parent}"><style:text-properties text:display="none"/>'
        f"</style:style>"
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<text:p>One</text:p><text:p>Two</text:p>", "One\n\nTwo"),
        ("<text:h>Title</text:h><text:p>Text</text:p>", "Title\n\nText"),
        ("<text:p>One</text:p><text:p/><text:p>  \n </text:p><text:p>Two</text:p>", "One\n\nTwo"),
        ("\n <text:p>\n  One\n  <text:span> two</text:span>\n</text:p>\n", "One two"),
        ("<text:p>un<text:span>believ</text:span>able</text:p>", "unbelievable"),
        ("<text:p>a<text:s/>b<text:s text:c='3'/>c</text:p>", "a b   c"),
        ("<text:p>a<text:s text:c='x'/>b<text:s text:c='-1'/>c</text:p>", "a b c"),
        ("<text:p>a<text:tab/>b<text:line-break/>c</text:p>", "a\tb\nc"),
        ("<text:p>page<text:soft-page-break/>break</text:p>", "pagebreak"),
        ("<text:p><text:a xlink:href='http://x'>a link</text:a>.</text:p>", "a link."),
        ("<text:p><text:date>1 May</text:date> <text:title>T</text:title></text:p>", "1 May T"),
        (
            (
                "<text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan"
                "</text:ruby-text></text:ruby>字</text:p>"
            ),
            "漢字",
        ),
        (
            (
                "<text:p>Before</text:p><text:list><text:list-header><text:p>Head</text:p>"
                "</text:list-header><text:list-item><text:p>One</text:p><text:list><text:list-item>"
                "<text:p>Deep</text:p></text:list-item></text:list></text:list-item></text:list>"
                "<text:p>After</text:p>"
            ),
            "Before\n\nHead\nOne\nDeep\n\nAfter",
        ),
        (
            (
                "<text:table-of-content><text:table-of-content-source><text:index-title-template>no"
                "</text:index-title-template></text:table-of-content-source><text:index-body>"
                "<text:p>Chapter<text:tab/>1</text:p></text:index-body></text:table-of-content>"
            ),
            "Chapter\t1",
        ),
        ("<text:section><text:p>In a section</text:p></text:section>", "In a section"),
        (
            (
                "<text:p>A<draw:frame><draw:image><office:binary-data>AAAA</office:binary-data>"
                "</draw:image><svg:title>no</svg:title><svg:desc>no</svg:desc></draw:frame>B</text:p>"
            ),
            "AB",
        ),
        (
            (
                "<text:p>With a box<draw:frame><draw:text-box><text:p>In</text:p>"
                "<text:p>it</text:p>"
                "</draw:text-box></draw:frame> here</text:p><text:p>Next</text:p>"
            ),
            "With a box here\n\nIn\n\nit\n\nNext",
        ),
        ("<draw:custom-shape><text:p>A shape</text:p></draw:custom-shape>", "A shape"),
        (
            (
                "<text:p>x=<draw:frame><draw:object><math:math><math:mi>a</math:mi><math:mo>+"
                "</math:mo><math:mn>1</math:mn><math:annotation>no</math:annotation></math:math>"
                "</draw:object></draw:frame>.</text:p>"
            ),
            "x=a+1.",
        ),
        ("<office:forms><text:p>no</text:p></office:forms><text:p>yes</text:p>", "yes"),
        ("", ""),
    ],
)
def test_a_text_is_read_as_a_person_reads_it(body, text):
    extracted = read(odf(body))

    assert extracted.text == text
    assert extracted.remarks == ()


def test_a_table_has_cells_by_tab_and_rows_by_newline():
    table = (
        "<table:table><table:table-header-rows><table:table-row>{0}</table:table-row>"
        "</table:table-header-rows><table:table-row>{1}</table:table-row></table:table>"
    )
    cell = "<table:table-cell><text:p>a</text:p></table:table-cell>"
    two = "<table:table-cell><text:p>b</text:p><text:p>c</text:p></table:table-cell>"
    wide = cell + "<table:covered-table-cell><text:p>no</text:p></table:covered-table-cell>" + cell
    body = f"<text:p>Before</text:p>{table.format(cell + two, wide)}<text:p>After</text:p>"

    assert read(odf(body)).text == "Before\n\na\tb\nc\na\ta\n\nAfter"


def test_notes_stand_after_the_text_and_their_marks_nowhere():
    note = (
        "<text:note text:note-class='{0}'><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>The {0}.</text:p></text:note-body></text:note>"
    )
    body = (
        f"<text:p>An end{note.format('endnote')}, a foot{note.format('footnote')}.</text:p>"
        "<text:p>Next</text:p>"
    )

    assert read(odf(body)).text == "An end, a foot.\n\nNext\n\nThe footnote.\n\nThe endnote."


def test_headers_of_the_pages_that_are_used_are_read_once():
    master = (
        '<style:master-page style:name="{0}" {1}><style:header><text:p>Head of {0}</text:p>'
        "</style:header><style:header-left style:display='false'><text:p>no</text:p>"
        "</style:header-left><style:footer><text:p>Page <text:page-number>7</text:page-number>"
        "</text:p></style:footer><draw:frame><draw:text-box><text:p>no</text:p></draw:text-box>"
        "</draw:frame></style:master-page>"
    )
    pages = (
        master.format("Standard", "")
        + master.format("Asked", 'style:next-style-name="Next"')
        + master.format("Next", 'style:next-style-name="Asked"')
        + master.format("Unused", "")
    )
    asking = '<style:style style:name="P1" style:master-page-name="Asked"/>'
    styles = odf_part("document-styles", f"<office:master-styles>{pages}</office:master-styles>")
    text = read(odf("<text:p>Body</text:p>", styles=asking, styles_xml=styles)).text

    assert text == "Head of Standard\n\nHead of Asked\n\nHead of Next\n\nBody\n\nPage"


def test_deleted_hidden_and_commented_text_is_counted():
    styles = (
        hiding("Gone")
        + '<style:style style:name="Child" style:family="text" style:parent-style-name="Gone"/>'
        + hiding("Off", "paragraph")
    )
    region = "<text:changed-region>{}</text:changed-region>"
    body = (
        "<text:tracked-changes>"
        + region.format("<text:deletion><text:p>deleted</text:p></text:deletion>") * 2
        + region.format("<text:insertion/>")
        + "</text:tracked-changes>"
        "<text:p>Seen<text:change text:change-id='1'/>"
        "<text:span text:style-name='Gone'>hidden</text:span>"
        "<text:span text:style-name='Child'>hidden <text:span>too</text:span></text:span>"
        "<text:span text:style-name='Gone'> </text:span>"
        "<text:hidden-text text:is-hidden='true'>hidden</text:hidden-text>"
        "<text:hidden-text text:is-hidden='false'> shown</text:hidden-text>"
        "<office:annotation><text:p>a comment</text:p></office:annotation></text:p>"
        "<text:p text:style-name='Off'>hidden</text:p><text:p text:style-name='Off'/>"
        "<text:p><text:hidden-paragraph text:is-hidden='true'/>hidden</text:p>"
        "<text:p><text:hidden-paragraph text:is-hidden='false'/>shown</text:p>"
        "<text:section text:display='none'><text:p>hidden</text:p></text:section>"
        "<text:section text:display='condition'><text:p>also</text:p></text:section>"
    )
    extracted = read(odf(body, styles=styles))

    # The text of "hidden-text" that is shown is kept.
    assert extracted.text == "Seen shown\n\nshown\n\nalso"
    assert extracted.remarks == (
        "2 tracked deletions are not part of the text.",
        "6 passages of hidden text are not part of the text.",
        "1 comment is not part of the text.",
    )


LOOKS = {
    "W": 'fo:color="#FFFFFF"',
    "P": 'fo:color="#f0fefe"',
    "T": 'fo:font-size="1pt"',
    "S": 'fo:color="#ffffff" fo:background-color="#000000"',
}
FAINT = "".join(
    f'<style:style style:name="{name}{kind[0]}" style:family="{kind}">'
    f"<style:text-properties {look}/></style:style>"
    for name, look in LOOKS.items()
    for kind in ("text", "paragraph")
)


def span(text: str, style: str) -> str:
    return f'<text:span text:style-name="{style}t">{text}</text:span>'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<text:p>one{span('x', 'W')}two</text:p>", "one two"),
        (f"<text:p>one{span('x', 'P')}two</text:p>", "one two"),
        (f"<text:p>vi{span('x', 'T')}sible</text:p>", "visible"),
        (f"<text:p>one {span('not seen', 'W')} two</text:p>", "one two\n\nnot seen"),
        (f"<text:p>one {span('on black', 'S')} two</text:p>", "one on black two"),
        ('<text:p text:style-name="Wp">white</text:p><text:p>seen</text:p>', "seen\n\nwhite"),
        (
            (
                f"<table:table><table:table-row><table:table-cell><text:p>{span('in a cell', 'W')}"
                f"</text:p></table:table-cell></table:table-row></table:table>"
            ),
            "in a cell",
        ),
    ],
)
def test_faint_text_stands_at_the_end(body, text):
    assert read(odf(body, styles=FAINT)).text == text


def test_styles_of_the_same_name_in_both_parts_are_told_apart():
    styles = odf_part(
        "document-styles",
        f"<office:styles>{hiding('Common')}</office:styles>"
        f"<office:automatic-styles>{hiding('T1')}</office:automatic-styles>",
    )
    body = (
        "<text:p><text:span text:style-name='T1'>shown</text:span>"
        "<text:span text:style-name='Common'>hidden</text:span></text:p>"
    )

    assert read(odf(body, styles_xml=styles)).text == "shown"


def test_a_style_that_is_its_own_parent_ends():
    styles = '<style:style style:name="A" style:family="text" style:parent-style-name="A"/>'

    assert read(odf("<text:p><text:span text:style-name='A'>x</text:span></text:p>", styles=styles))


def test_an_embedded_formula_is_read_and_another_object_is_named():
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo>'
        '<mi>m</mi></mrow><annotation encoding="StarMath 5.0">no</annotation></semantics></math>'
    )
    frame = "<draw:frame><draw:object xlink:href='./{}'/></draw:frame>"
    body = f"<text:p>Here {frame.format('Object 1')} and {frame.format('Chart')}.</text:p>"
    extracted = read(
        packed(
            {
                "content.xml": odf_content("text", body),
                "Object 1/content.xml": formula,
                "Chart/content.xml": odf_content("chart", "<text:p>no</text:p>"),
            }
        )
    )

    assert extracted.text == "Here E=m and ."
    assert extracted.remarks == ("1 embedded object is not part of the text.",)


def test_a_presentation_has_a_page_for_each_slide_and_its_notes_after_it():
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    hidden = (
        '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties'
        ' presentation:visibility="hidden"/></style:style>'
    )
    body = (
        "<presentation:footer-decl>The  footer</presentation:footer-decl>"
        f"<draw:page>{box.format('Title')}<draw:g>{box.format('Body')}</draw:g>"
        f"<presentation:notes>{box.format('Spoken')}</presentation:notes></draw:page>"
        "<draw:page/>"
        f"<draw:page draw:style-name='dp2'>{box.format('hidden')}</draw:page>"
        f"<draw:page>{box.format('Last')}</draw:page>"
    )
    extracted = read(odf(body, "presentation", hidden))

    assert extracted.text == "Title\n\nBody\n\nSpoken\f\f\fLast\n\nThe footer"
    assert extracted.remarks == ("1 hidden slide is not part of the text.",)


def cell(text: str = "", attributes: str = "") -> str:
    inner = f"<text:p>{text}</text:p>" if text else ""
    return f"<table:table-cell {attributes}>{inner}</table:table-cell>"


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


def sheet(*rows: str, attributes: str = "") -> str:
    return f"<table:table {attributes}>{''.join(rows)}</table:table>"


def test_a_spreadsheet_has_a_page_for_each_sheet():
    many = "table:number-columns-repeated='1024'"
    body = sheet(
        row(cell("a"), cell("1.50", "office:value='1.5'"), cell("", many)),
        row(cell("", many), attributes="table:number-rows-repeated='1048570'"),
        row(cell("", "table:number-columns-repeated='2'"), cell("b<text:line-break/>c")),
        row(cell("x", "table:number-columns-repeated='3'"), attributes="x='y'"),
        row(cell("y"), attributes="table:number-rows-repeated='2'"),
    ) + sheet(row(cell("second")))
    extracted = read(odf(body, "spreadsheet"))

    assert extracted.text == "a\t1.50\n\nb\nc\nx\tx\tx\ny\ny\fsecond"
    assert extracted.remarks == ()


def test_hidden_sheets_rows_and_columns_are_counted():
    hidden = (
        '<style:style style:name="ta2" style:family="table"><style:table-properties'
        ' table:display="false"/></style:style>'
    )
    columns = (
        "<table:table-column/>"
        "<table:table-column table:visibility='collapse' table:number-columns-repeated='2'/>"
        "<table:table-column/>"
    )
    body = (
        sheet(
            columns,
            row(cell("a"), cell("no"), "<table:covered-table-cell/>", cell("d")),
            row(cell("no"), attributes="table:visibility='collapse'"),
            row(cell("no"), attributes="table:visibility='filter'"),
            row(cell(), attributes="table:visibility='collapse'"),
            row(cell("<office:annotation><text:p>no</text:p></office:annotation>e")),
        )
        + sheet(row(cell("no")), attributes="table:style-name='ta2'")
        + sheet(row(cell("f")))
    )
    extracted = read(odf(body, "spreadsheet", hidden))

    assert extracted.text == "a\td\n\ne\f\ff"
    assert extracted.remarks == (
        "1 comment is not part of the text.",
        "1 hidden sheet is not part of the text.",
        "3 hidden rows and columns are not part of the text.",
    )


def test_repeated_cells_cannot_fill_the_memory():
    attributes = "table:number-rows-repeated='1000000'"
    body = sheet(row(cell("x", "table:number-columns-repeated='1024'"), attributes=attributes))
    too_big = problem(odf(body, "spreadsheet"))

    assert too_big.code is ProblemCode.TOO_BIG
    assert too_big.detail.startswith("The repeated cells of this file make a text of more than ")


def test_shapes_on_a_sheet_are_read_after_its_cells():
    shape = "<table:shapes><draw:rect><text:p>A label</text:p></draw:rect></table:shapes>"
    body = sheet(shape, row(cell("a")))

    assert read(odf(body, "spreadsheet")).text == "a\n\nA label"


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text", "<text:p>Flat</text:p>", "Flat"),
        ("presentation", "<draw:page/><draw:page/>", "\f"),
        ("spreadsheet", sheet(row(cell("a"), cell("b"))), "a\tb"),
    ],
)
def test_one_flat_file_is_read_too(kind, body, text):
    source = odf_content(kind, body, is_flat=True)
    meta = "<office:meta><text:p>no</text:p></office:meta><office:body>"

    assert read(source.replace("<office:body>", meta).encode()).text == text


@pytest.mark.parametrize(
    "media", ["text", "text-template", "text-master", "text-master-template", "text-web"]
)
def test_a_file_is_recognised_by_its_kind_of_media(media):
    data = packed({"content.xml": odf_content("text", "<text:p>x</text:p>")}, f"{ODF_MEDIA}{media}")

    assert read(data).text == "x"


@pytest.mark.parametrize("start", ["# On XML\n\n", "<html>", "<!-- x --><p>"])
def test_a_text_about_the_format_is_none_of_it(start):
    source = f'{start}<office:document office:mimetype="{ODF_MEDIA}text"></office:document>'

    assert reader_for(source.encode(), ".md").kind == "text"


def test_a_package_that_was_packed_again_is_known_by_its_manifest():
    manifest = (
        f"<manifest:manifest {ODF_NAMES}><manifest:file-entry manifest:full-path='/' "
        f"manifest:media-type='{ODF_MEDIA}text'/></manifest:manifest>"
    )
    parts = {
        "META-INF/manifest.xml": manifest,
        "content.xml": odf_content("text", "<text:p>x</text:p>"),
    }

    assert read(packed(parts, None)).text == "x"
    assert reader_for(packed({"a.txt": "x"}, None), ".odt").kind != "odt"


# Locked files, made as ODF 1.3, part 2, 4.8 and 4.16 describe it.


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def locked_with_aes(data: bytes, password: str, rounds: int = 1000) -> tuple[bytes, str]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    plain, salt, vector = deflated(data), os.urandom(16), os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(password.encode()).digest(), salt, 1000, 32)
    filled = 16 - len(plain) % 16
    padded = plain + os.urandom(filled - 1) + bytes([filled])
    encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    xml = encryption_data(
        plain,
        "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
        vector,
        f'manifest:key-derivation-name="PBKDF2" manifest:iteration-count="{rounds}" '
        f'manifest:key-size="32" manifest:salt="{text64(salt)}"',
        "http://www.w3.org/2000/09/xmldsig#sha256",
    )
    return encryptor.update(padded) + encryptor.finalize(), xml


def locked_with_blowfish(data: bytes, password: str) -> tuple[bytes, str]:
    from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
    from cryptography.hazmat.primitives.ciphers import Cipher

    plain, salt, vector = deflated(data), os.urandom(16), os.urandom(8)
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha1(password.encode()).digest(), salt, 1024, 16)
    encryptor = Cipher(Blowfish(key), CFB(vector)).encryptor()
    xml = encryption_data(
        plain,
        "Blowfish CFB",
        vector,
        f'manifest:key-derivation-name="PBKDF2" manifest:iteration-count="1024" '
        f'manifest:salt="{text64(salt)}"',
    )
    return encryptor.update(plain) + encryptor.finalize(), xml


def locked_with_argon(data: bytes, password: str, memory: int = 1024) -> tuple[bytes, str]:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    salt, vector = os.urandom(16), os.urandom(12)
    start = hashlib.sha256(password.encode()).digest()
    derivation = Argon2id(salt=salt, length=32, iterations=1, lanes=2, memory_cost=1024)
    xml = encryption_data(
        b"",
        "http://www.w3.org/2009/xmlenc11#aes256-gcm",
        vector,
        'manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:'
        f'manifest:argon2id" loext:argon2-iterations="1" loext:argon2-memory="{memory}" '
        f'loext:argon2-lanes="2" manifest:key-size="32" manifest:salt="{text64(salt)}"',
        "http://www.w3.org/2001/04/xmlenc#sha256",
    )
    return vector + AESGCM(derivation.derive(start)).encrypt(vector, deflated(data), None), xml


def text64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def encryption_data(plain, algorithm, vector, derivation, start_key="") -> str:
    digest = (hashlib.sha256 if start_key else hashlib.sha1)(plain[:1024]).digest()
    kind = f"{ODF_URN}manifest:1.0#sha256-1k" if start_key else "SHA1/1K"
    checksum = f'manifest:checksum-type="{kind}" manifest:checksum="{text64(digest)}"'
    start = f'<manifest:start-key-generation manifest:start-key-generation-name="{start_key}"/>'
    return (
        f"<manifest:encryption-data {checksum if plain else ''}><manifest:algorithm "
        f'manifest:algorithm-name="{algorithm}" manifest:initialisation-vector="{text64(vector)}"/>'
        f"{start if start_key else ''}<manifest:key-derivation {derivation}/>"
        f"</manifest:encryption-data>"
    )


def locked(name: str, data: bytes, encryption: str) -> bytes:
    manifest = (
        f'<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "M.dtd">'
        f"<manifest:manifest {ODF_NAMES}><manifest:file-entry manifest:full-path='{name}'>"
        f"{encryption}</manifest:file-entry></manifest:manifest>"
    )
    return packed({name: data, "META-INF/manifest.xml": manifest})


SECRET = odf_content("text", "<text:p>A secret.</text:p>").encode()


@pytest.mark.parametrize("lock", [locked_with_aes, locked_with_blowfish])
def test_a_locked_text_is_read_with_its_password(lock):
    data = locked("content.xml", *lock(SECRET, "Gänse"))

    assert read(data, passwords=("wrong", "Gänse")).text == "A secret."
    for passwords in ((), ("wrong", "")):
        is_locked = problem(data, passwords=passwords)
        assert is_locked.code is ProblemCode.ENCRYPTED
        assert is_locked.detail == "Locked with a password. Enter it, or save a copy without one."


def test_a_package_locked_as_a_whole_is_read_with_its_password():
    inner = odf("<text:p>A secret.</text:p>")
    data = locked("encrypted-package", *locked_with_argon(inner, "geese"))

    assert read(data, passwords=("geese",)).text == "A secret."
    assert problem(data, passwords=("wrong",)).code is ProblemCode.ENCRYPTED
    assert problem(data).code is ProblemCode.ENCRYPTED


@pytest.mark.parametrize(
    ("name", "lock", "cost"),
    [
        ("encrypted-package", locked_with_argon, 1 << 23),
        ("encrypted-package", locked_with_argon, 1),
        ("content.xml", locked_with_aes, 999_999_999),
        ("content.xml", locked_with_aes, 0),
    ],
)
def test_a_key_that_would_cost_too_much_is_not_derived(name, lock, cost):
    is_locked = problem(locked(name, *lock(SECRET, "geese", cost)), passwords=("geese",))

    assert is_locked.code is ProblemCode.ENCRYPTED
    assert is_locked.detail.startswith("Locked with a password, in a way that is not known here.")


def test_a_locked_part_unpacks_under_the_limit():
    data = locked("content.xml", *locked_with_aes(SECRET + b" " * 10_000, "geese"))
    limits = ReadingLimits(memory_bytes=72_000)

    assert problem(data, limits=limits, passwords=("geese",)).code is ProblemCode.TOO_BIG_UNPACKED


# Damage and harm.


def test_a_document_type_is_refused():
    source = odf_content("text", "<text:p>&x;</text:p>").replace(
        "?><", '?><!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><', 1
    )

    assert problem(packed({"content.xml": source})).code is ProblemCode.DTD_REFUSED


@pytest.mark.parametrize(
    ("data", "code", "limits"),
    [
        (
            packed({"styles.xml": odf_part("document-styles", "")}),
            ProblemCode.DAMAGED,
            ReadingLimits(),
        ),
        (packed({"content.xml": "<a>"}), ProblemCode.DAMAGED, ReadingLimits()),
        (odf("<text:p>x</text:p>")[:-40], ProblemCode.DAMAGED, ReadingLimits()),
        (odf("<text:p>x</text:p>"), ProblemCode.TOO_BIG_UNPACKED, ReadingLimits(memory_bytes=792)),
    ],
)
def test_what_cannot_be_read_is_named(data, code, limits):
    assert problem(data, limits=limits).code is code


@given(st.lists(st.text("abc é文", min_size=1, max_size=9).map(str.strip).filter(len), max_size=9))
def test_paragraphs_come_back_whole(paragraphs):
    body = "".join(f"<text:p>{text}</text:p>\n" for text in paragraphs)

    assert read(odf(body)).text == "\n\n".join(" ".join(text.split()) for text in paragraphs)


HOSTILE = (
    odf(
        "<text:p>One<text:note text:note-class='footnote'><text:note-body><text:p>n</text:p>"
        "</text:note-body></text:note><text:s text:c='9'/></text:p>"
        + sheet(row(cell("a"), cell("b"))),
        styles=hiding("Gone"),
    ),
    odf(sheet(row(cell("x", "table:number-columns-repeated='9'"))), "spreadsheet"),
    locked("content.xml", *locked_with_blowfish(SECRET, "geese")),
    odf_content("text", "", is_flat=True).encode(),
)


@pytest.mark.parametrize("kept", range(0, 100, 3))
def test_a_file_cut_short_is_damaged_or_no_document(kept):
    data = HOSTILE[0][: len(HOSTILE[0]) * kept // 100]
    reader = reader_for(data, ".odt")
    if reader.kind == "odt":
        assert problem(data).detail.startswith(DAMAGED)
    else:
        assert kept < 60


MATH = 'xmlns:math="http://www.w3.org/1998/Math/MathML"'
NAMED = (
    '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">'
)
ENTITY = '<!DOCTYPE math:math [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
REFUSED = (
    "A part of this file declares entities (a DOCTYPE), through which it could read other files; "
    "that was not read."
)


@pytest.mark.parametrize(
    ("start", "rest", "signs", "remarks"),
    [
        (NAMED, "", "x", ()),
        (ENTITY, "", "", (REFUSED, "1 embedded object is not part of the text.")),
        ("", "<broken", "x", ()),
    ],
)
def test_a_formula_costs_at_most_itself(start, rest, signs, remarks):
    formula = f"{start}<math:math {MATH}><math:mi>x</math:mi>{rest}</math:math>"
    body = "<text:p>Before <draw:object xlink:href='./Object 1'/> after.</text:p>"

    extracted = read(
        packed({"content.xml": odf_content("text", body), "Object 1/content.xml": formula})
    )

    assert extracted.text == " ".join(filter(None, ("Before", signs, "after.")))
    assert extracted.remarks == remarks


def test_styles_that_declare_entities_cost_only_themselves():
    extracted = read(odf("<text:p>Words.</text:p>", styles_xml=f"{ENTITY}<x/>"))

    assert (extracted.text, extracted.remarks) == ("Words.", (REFUSED,))

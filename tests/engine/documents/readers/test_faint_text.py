"""White and tiny letters are not among the words that are seen, but part of the text."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.documents.readers import Reading, reader_for
from core.documents.readers.shared.remarks import FaintText

COLOURS = r"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;}"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = " ".join(
    f'xmlns:{name}="{OFFICE}{last}:1.0"'
    for name, last in (
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("table", "table"),
        ("fo", "xsl-fo-compatible"),
    )
)


def read(data: bytes, suffix: str):
    return reader_for(data, suffix).read(data, Reading(suffix=suffix))


def odt(body: str) -> bytes:
    looks = {
        "W": 'fo:color="#FFFFFF"',
        "T": 'fo:font-size="1pt"',
        "S": 'fo:color="#ffffff" fo:background-color="#000000"',
    }
    styles = "".join(
        f'<style:style style:name="{name}{kind[0]}" style:family="{kind}">'
        f"<style:text-properties {look}/></style:style>"
        for name, look in looks.items()
        for kind in ("text", "paragraph")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMESPACES}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text>"
            f"</office:body></office:document-content>",
        )
    return file.getvalue()


def span(text: str, style: str) -> str:
    return f'<text:span text:style-name="{style}t">{text}</text:span>'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<text:p>one{span('x', 'W')}two</text:p>", "one two"),
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
def test_in_an_open_document(body, text):
    assert read(odt(body), ".odt").text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"one{\cf2 x}two", "one two"),
        (r"vi{\fs2 x}sible", "visible"),
        (r"one {\cf2 not seen} two\par more", "one   two\n\nmore\n\nnot seen"),
        (r"one \cf2 not seen\cf1  two", "one   two\n\nnot seen"),
        (r"one \cf2 not seen\plain  two", "one   two\n\nnot seen"),
        (r"{\cf2\highlight1 on black}", "on black"),
        (r"\pard\intbl{\cf2 in a cell}\cell\row", "in a cell"),
        (r"{\cf2 one\par two}\par seen", "seen\n\none two"),
        (
            r"{\*\background x}{\cf2 white on a page of some colour}",
            "white on a page of some colour",
        ),
    ],
)
def test_in_rtf(body, text):
    data = rf"{{\rtf1{COLOURS}{body}}}".encode()

    assert read(data, ".rtf").text == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('<p>one<span style="color: #FFF">x</span>two</p>', "one two"),
        ('<p>one<span style="color:WHITE !important;">x</span>two</p>', "one two"),
        ('<p>vi<span style="font-size:0">x</span>sible</p>', "visible"),
        ("<p>one <font color=white>not <b>seen</b></font> two</p>", "one two\n\nnot seen"),
        ('<p style="font-size:1px">tiny words</p><p>seen</p>', "seen\n\ntiny words"),
        ('<p>a <b style="background-color:#fff">b</b></p>', "a b"),
        ('<p style="color:#fff;background:#000">on black</p>', "on black"),
        ('<style>p{}</style><p style="color:#fff">who knows</p>', "who knows"),
        ('<table bgcolor=black><td style="color:#fff">on black</td></table>', "on black"),
        ('<p style="font-size:1.5em">large</p>', "large"),
    ],
)
def test_in_a_web_page(page, text):
    assert read(f"<html><body>{page}</body></html>".encode(), ".html").text == text


def test_it_is_said():
    page = "<html><p>one<font color=white>xy</font>two<font color=white>not seen</font></p></html>"

    assert read(page.encode(), ".html").remarks == (
        (
            "1 passage is written in white or in letters of 1 point: a reader does not see that. "
            "It stands at the end of the text."
        ),
        (
            "2 letters are written in white or of 1 point between words: a reader sees none there, "
            "nor is any read."
        ),
    )


def test_a_passage_goes_on_over_what_is_written_in_several_pieces():
    faint = FaintText()

    shown = [faint.add(piece, is_tiny=False) for piece in (" ", "no", "body", " ", "sees")]
    faint.end()
    shown.append(faint.add("this", is_tiny=False))

    assert shown == [" ", " ", "", " ", "", " "]
    assert faint.after("seen") == "seen\n\nnobody sees this"
    assert (faint.passages, faint.letters) == (2, 0)


def test_nothing_faint_changes_nothing():
    assert FaintText().after("text") == "text"

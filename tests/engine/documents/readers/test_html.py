"""HTML: what a browser would show is the text, and no page takes long."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import ProblemCode
from core.documents.readers import Reading, plain, web
from core.documents.recognition import reader_for
from tests.problems import problem_of


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def made(*cells) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5}).encode()


def notebook_text_of(data: bytes) -> str:
    return plain.NOTEBOOK.read(data, Reading()).text


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ({"cell_type": "markdown", "source": ["# Title\n", "words"]}, "# Title\nwords"),
        ({"cell_type": "raw", "source": "as it is"}, "as it is"),
        (code("1 + 1"), "1 + 1"),
        (code("print()", stream(["one\n", "two\n"])), "print()\n\none\ntwo"),
        (code("", stream("\x1b[1;31mred\x1b[0m \x1b]8;;x\x07link")), "red link"),
        (code("", stream("10%\r 50%\r100%\r\ndone\r")), "100%\ndone"),
        (code("1", {"output_type": "execute_result", "data": {"text/plain": ["2"]}}), "1\n\n2"),
        (
            code(
                "t",
                {
                    "output_type": "display_data",
                    "data": {"image/png": "iVBO", "text/html": "<b>t</b>", "text/plain": "t"},
                },
            ),
            "t\n\nt",
        ),
        (
            code(
                "1/0",
                {
                    "output_type": "error",
                    "ename": "E",
                    "evalue": "v",
                    "traceback": ["\x1b[0ma", "b"],
                },
            ),
            "1/0\n\na\nb",
        ),
        (code("1/0", {"output_type": "error", "ename": "E", "evalue": "v"}), "1/0\n\nE: v"),
        (
            {"cell_type": "markdown", "source": "a ![x](data:image/png;base64,iVBO+/=) b"},
            "a ![x]() b",
        ),
        ({"cell_type": "markdown", "source": "half \ud83d"}, "half \ufffd"),
        ({"cell_type": "markdown", "source": [1, None, "a"], "outputs": "x"}, "a"),
    ],
)
def test_a_cell_is_its_source_and_what_it_printed(cell, text):
    assert notebook_text_of(made(cell)) == text


def test_cells_stand_apart():
    assert notebook_text_of(made(code("a"), code(" \n"), code("b", stream("c")))) == "a\n\nb\n\nc"


def test_an_old_notebook_has_its_cells_in_worksheets():
    cell = {"cell_type": "code", "input": "1", "outputs": [{"output_type": "pyout", "text": ["1"]}]}
    data = json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3}).encode()

    assert reader_for(data, ".ipynb").kind == "notebook"
    assert notebook_text_of(data) == "1\n\n1"


@pytest.mark.parametrize(
    ("data", "suffix", "kind"),
    [
        (made(code("a")), ".ipynb", "notebook"),
        (made(code("a")), ".json", "notebook"),
        (made(code("a")), "", "notebook"),
        (made(code("a")), ".py", "text"),
        (b'{"cells": []}', ".ipynb", "text"),
        (b'{"a": 1}', ".json", "text"),
        (b'["nbformat", "cells"]', ".json", "text"),
    ],
)
def test_notebooks_are_recognised_by_their_keys(data, suffix, kind):
    assert reader_for(data, suffix).kind == kind


@pytest.mark.parametrize(
    ("data", "failure"),
    [
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, ProblemCode.TOO_DEEP),
        (made(code("a"))[:-9], ProblemCode.DAMAGED),
    ],
)
def test_damage_is_reported(data, failure):
    assert problem_of(notebook_text_of, data).code == failure


def test_numbers_are_not_computed():
    assert notebook_text_of(made(code("a")).replace(b"5", b"9" * 100_000)) == "a"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["source", "outputs", "data", "text", "text/plain", "output_type"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=9,
)


@given(values)
def test_any_json_is_read(cells):
    notebook_text_of(json.dumps({"nbformat": 4, "cells": cells}).encode()).encode()


ELEMENTS = ["p", "div", "b", "span", "li", "dd", "table", "td", "svg", "g", "select", "button"]
TAGS = [
    *(f"<{name}>" for name in ELEMENTS),
    *(f"</{name}>" for name in ELEMENTS),
    *("<b id=1>", "<b id=2>", "<path/>", "<script>", "</script>", "<!--", "-->", "<a href='", "x"),
]


def text_of(page: str) -> str:
    return web.READER.read(page.encode(), Reading()).text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("just words", "just words"),
        ("<p>One</p><p>Two", "One\n\nTwo"),
        ("<div>One</div><div>Two</div>", "One\nTwo"),
        ("<div><div>One</div></div>\n\n <div>Two</div>", "One\nTwo"),
        ("One<br>Two<br/>Three", "One\nTwo\nThree"),
        ("One<br><br>Two", "One\n\nTwo"),
        ("One<hr>Two", "One\n\nTwo"),
        ("<h1>Title</h1>Text", "Title\n\nText"),
        ("<ul><li>One<li>Two</ul>", "One\nTwo"),
        ("<dl><dt>Term<dd>Meaning</dl>", "Term\nMeaning"),
        ("un<b>believ</b>able", "unbelievable"),
        ("a <i>b</i> <a href=x>c</a>d", "a b cd"),
        ("a<i> b </i>c", "a b c"),
        ("hyphen<wbr>ation", "hyphenation"),
        ("  many \n\t white   spaces ", "many white spaces"),
        ("no&nbsp;break\u00a0here", "no\u00a0break\u00a0here"),
        ("&lt;b&gt; &amp;amp; &eacute;&#233;&#xe9; &copy &hellip;", "<b> &amp; ééé © …"),
        ("<pre>a\n  b\n</pre>c", "a\n  b\n\nc"),
        ("<textarea>a\n b</textarea>", "a\n b"),
        ("<table><tr><td>a<td>b<tr><th>c</th><td>d</table>e", "a\tb\nc\td\n\ne"),
        ("<table><tr><td><p>a</p></td><td>b</td></tr></table>", "a\n\nb"),
        ("<select><option>a<option>b</select>", "a\nb"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan"),
        ("<!-- hidden -->seen<!-- <p>not -->", "seen"),
        ("<p>not closed <!-- to the end", "not closed"),
        ("a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>f", "af"),
        ("<script>document.write('<p>no</p>')</script>yes", "yes"),
        ("a<iframe>b</iframe><video>c</video><object>d</object>", "a d"),
        ("<p hidden>a</p><p style='color:red;display : NONE'>b<i>c</i></p><p style='x'>d", "d"),
        ("<body style='display:none'><p>shown by a script", "shown by a script"),
        ("<head><title>T</title><meta name=description content=no></head>text", "T\n\ntext"),
        ("<title> A \n title </title><p>text", "A title\n\ntext"),
        ("<svg><title>an icon</title><text>label</text></svg>", "label"),
        ("<html lang=en><body><p>Ünïcode 文档 🙂", "Ünïcode 文档 🙂"),
        ("<custom-tag>a</custom-tag>b", "ab"),
        ("<frameset><noframes>no</noframes></frameset>", ""),
        ("", ""),
    ],
)
def test_the_text_is_what_a_browser_shows(page, text):
    assert text_of(page) == text


@pytest.mark.parametrize(
    ("page", "remarks"),
    [
        ("<p hidden> </p><p>a", ()),
        ("<p hidden>a<b hidden>b</b></p>c", ("1 passage of hidden text is not part of the text.",)),
        (
            "<div style='display:none'>a</div>b<p hidden>c",
            ("2 passages of hidden text are not part of the text.",),
        ),
    ],
)
def test_hidden_text_is_reported(page, remarks):
    assert web.READER.read(page.encode(), Reading()).remarks == remarks


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('<p>one<span style="color: #FFF">x</span>two</p>', "one two"),
        ('<p>one<span style="color:WHITE !important;">x</span>two</p>', "one two"),
        ('<p>one<span style="color:#FeFeFe">x</span>two</p>', "one two"),
        ('<p>one<span style="color:rgb(250, 254,240)">x</span>two</p>', "one two"),
        ('<p>one<span style="color:rgb(239,254,240)">x</span>two</p>', "onextwo"),
        ('<p>one<font color="#FAFBFC">x</font>two</p>', "one two"),
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
def test_faint_text_stands_at_the_end(page, text):
    assert text_of(f"<html><body>{page}</body></html>") == text


def test_hidden_letters_are_remarked_on():
    page = "<html><p>one<font color=white>xy</font>two<font color=white>not seen</font></p></html>"

    assert web.READER.read(page.encode(), Reading()).remarks == (
        (
            "1 passage is written in white or in letters of 1 point: a reader does not see that. "
            "It stands at the end of the text."
        ),
        (
            "2 letters are written in white or of 1 point between words: a reader sees none there, "
            "nor is any read."
        ),
    )


WITH_DECOY = "<p>one <span class=x>decoy words</span>two</p>"


@pytest.mark.parametrize(
    "sheet",
    [
        ".x { display: none }",
        "span.x{DISPLAY:NONE !important}.x{display:inline}",
        "p > .x, .y {visibility:hidden}",
        "/* } */ .x{display:none} /* .x{display:inline}",
        "@charset 'a;b{}'; @font-face{src:x} .x{color:red;display:none}",
        "<!-- .x{display:none} -->",
        ".x{display:none!important;display:inline}",
        "span{display:inline}.x{display:none}span{display:inline}",
        "@media print{p{color:red}}.x{display:none}",
    ],
)
def test_what_a_sheet_hides_is_left_out(sheet):
    extracted = web.READER.read(f"<style>{sheet}</style>{WITH_DECOY}".encode(), Reading())
    remarks = ("1 passage of hidden text is not part of the text.",)
    assert (extracted.text, extracted.remarks) == ("one two", remarks)


@pytest.mark.parametrize(
    "sheet", [".x{font-size:0}", ".x{color:#fff}", "p{font-size:9pt}.x{font-size:1px}"]
)
def test_what_a_sheet_makes_tiny_or_white_follows_the_text(sheet):
    extracted = web.READER.read(f"<style>{sheet}</style>{WITH_DECOY}".encode(), Reading())
    assert extracted.text == "one two\n\ndecoy words"
    assert len(extracted.remarks) == 1


@pytest.mark.parametrize(
    "head",
    [
        "<style>.x{display:none}p:hover .x{display:inline}</style>",
        "<style>.x{display:none}.x:not(:target, a){display:inline}</style>",
        "<style>.x{display:none}span.x{display:inline}</style>",
        "<style>.x{display:none}.x{display:inline}</style>",
        "<style>.x{display:none}@media print{.x{display:inline}}</style>",
        "<style>@media print{.x{display:none}}</style>",
        "<style>@media screen{@supports(x:y){.x{display:none}}}</style>",
        "<style media=print>.x{display:none}</style>",
        "<style>.x{display:none}</style><script>show()</script>",
        "<style>.x{display:none}</style><p onclick='show()'>",
        "<style>@import url(a.css);.x{display:none}</style>",
        "<style>.x{display:none}.x:not(:is(.a,.b)){display:inline}</style>",
        "<style>.x{display:none}p:hover :where(.a,:is(.x)){display:inline}</style>",
        "<style>.x{display:none}span[class='x'], [title='a,b']{display:inline}</style>",
        "<style>.x{display:none}@media (width>9px){.sm\\:block{display:block}}</style>",
        "<style>.a{content:'\\''}.x{display:none}span.x{display:inline}.b{content:'\\''}</style>",
        "<style>.x{display:none}p{& .x{display:inline}}</style>",
        "<style>.x{display:none}.x{display:inline;b{color:red}}</style>",
        "<style>.x{display:none}.x{all:initial}</style>",
        "<style>.x{visibility:hidden}@keyframes k{to{visibility:visible}}</style>",
        "<style>.x, p..y{display:none}</style>",
        "<style><!-- .x{display:inline!important} .x{display:none}</style>",
        "<noscript><style>.x{display:none}</style></noscript>",
        "<style type=text/less>.x{display:none}</style>",
        "<style>:root{color-scheme:dark}.x{color:#fff}</style>",
        "<style>.x{display:none}</style><link rel=stylesheet href=a.css>",
        "<style>p:hover .x{display:none}.x::before{display:none}.y{display:none}</style>",
        "<style>.x{color:#fff}p{background:navy}</style>",
        "<style>..x{display:none}.x{display:none</style>",
        "<style>body{display:none}</style>",
    ],
)
def test_what_something_may_show_stays(head):
    extracted = web.READER.read(f"{head}{WITH_DECOY}".encode(), Reading())
    assert (extracted.text, extracted.remarks) == ("one decoy wordstwo", ())


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<b style='font-size:9pt'>two</b>", "one two"),
        ("<b class=z>two</b>", "one two"),
        ("<font size=3>two</font>", "one two"),
        ("<b style='font:9pt Arial'>two</b>", "one two"),
        ("decoy <i><b class=z>two</b> words</i>", "one two\n\ndecoy words"),
        ("<b>two</b>", "one\n\ntwo"),
        ("<b style='font-size:1em'>two</b>", "one\n\ntwo"),
    ],
)
def test_what_is_shown_within_what_is_hidden_stays(inside, text):
    sheet = "<style>.x{font-size:0}.z{font-size:1rem}</style>"
    assert text_of(f"{sheet}one <span class=x>{inside}</span>") == text


def test_the_style_of_an_element_is_above_the_sheet():
    styled = WITH_DECOY.replace("class=x", "class=x style='display:inline'")
    assert text_of(f"<style>.x{{display:none}}</style>{styled}") == "one decoy wordstwo"


@pytest.mark.parametrize(
    "style",
    [
        "/**/display:none",
        "display:/**/none",
        "font-family:'a;b';display:none!important;display:inline",
        "visibility:hidden",
    ],
)
def test_no_state_of_a_sheet_shows_what_an_element_hides_itself(style):
    styled = f'<p>one <span class=x style="{style}">decoy</span> two</p>'
    sheet = "<style>.y{display:none}.x:hover{display:inline}</style>"
    assert text_of(sheet + styled) == text_of(styled) == "one two"


@given(st.lists(st.text("abc é文", min_size=1, max_size=9).map(str.strip).filter(len), max_size=9))
def test_paragraphs_come_back_whole(paragraphs):
    page = "".join(f"<div><p>{text}</p></div>\n" for text in paragraphs)

    assert [" ".join(text.split()) for text in text_of(page).split("\n\n") if text] == [
        " ".join(text.split()) for text in paragraphs
    ]


@given(st.text("<>/='\"!-abp &;\n", max_size=300))
def test_any_markup_gives_a_text(page):
    assert "\r" not in text_of(page)


def test_a_page_says_its_encoding():
    page = "<!doctype html><meta charset=windows-1251><p>Ёж и уж".encode("cp1251")

    assert web.READER.read(page, Reading()) == ("Ёж и уж", "cp1251", ())


@pytest.mark.parametrize(
    ("data", "suffix", "kind"),
    [
        (b"plain words", ".html", "html"),
        (b"plain words", ".htm", "html"),
        (b"<?xml version='1.0'?><html/>", ".xhtml", "html"),
        (b"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>", ".txt", "html"),
        (b"\xef\xbb\xbf\n <html>", "", "html"),
        (b"<!-- saved --><html lang=en>", "", "html"),
        (b"<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE html>", ".txt", "html"),
        (b"<p>A fragment", ".txt", "text"),
        (b"<htmlish>", ".txt", "text"),
        (b"<!DOCTYPE html>", ".md", "text"),
        (b"<html><?php echo 1 ?>", ".php", "text"),
        (b"<?xml version='1.0'?><rss>", ".xml", "text"),
    ],
)
def test_html_is_recognised_by_content_where_the_name_leaves_it_open(data, suffix, kind):
    assert reader_for(data, suffix).kind == kind


@pytest.mark.parametrize(
    "page",
    [
        "<!--" + "x" * 10_000_000,
        "<a title='" + "x" * 5_000_000 + "'>words</a>",
        "<img src='data:image/png;base64," + "iVBORw0K/" * 500_000 + "'>words",
        "<script>" + "if (a<b && c) { d = '<div>' }\n" * 50_000 + "</script>words",
        "<ul>" + "<li><a href=x>words" * 20_000,
        "<p>" * 100_000,
        "<table>" + "<tr><td><font size=1>words" * 20_000,
        "<font><center>" + "<p>words <b>bold</b></p>" * 20_000,
        "<title>" + "x" * 1_000_000,
        "<" * 1_000_000,
        "<div>" * 4_900 + "words",
        "<table><tr><td>" * 6_000,
        "<style>" + "x" * 1_000_000 + "</style>words",
        "<style>" + ".x{display:none" * 50_000 + "</style>words",
        "<style>" + "'/*" * 300_000 + "</style>words",
        "<style>" + ";color :a(" * 100_000 + "{</style>words",
        "<div><span></div>" * 3_000 + "<span><div></span>" * 3_000,
    ],
    ids=lambda value: value[:24],
)
def test_long_and_sloppy_pages_are_read(page):
    web.READER.read(page.encode(), Reading())


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('word<a href="#note1"><sup>1</sup></a> next', "word next"),
        ('word<sup><a href="#n">[12]</a></sup>, next', "word, next"),
        ('<p><a href="#back">1</a>The note', "The note"),
        ('<p><a href="#back">↑</a> The note', "The note"),
        ('see <a href="#part">part 2</a> and <a href="2.html">2</a>', "see part 2 and 2"),
        ('<a name="x">7</a> dwarfs', "7 dwarfs"),
    ],
)
def test_marks_of_notes_are_left_out(page, text):
    assert text_of(page) == text

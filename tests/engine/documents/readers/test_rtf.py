"""RTF: what a person reads, in the encodings it has, whatever else is in the file."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.readers import Reading
from core.documents.recognition import reader_for

FONTS = (
    r"{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fcharset204{\*\falt Other;}Cyr;}"
    r"{\f2\fcharset128 Mincho;}{\f3\fcharset238 CE;}{\f4\cpg1253 Greek;}{\f5\fcharset1 Own;}}"
)


def rtf(body: str, head: str = "") -> bytes:
    return (r"{\rtf1\ansi\ansicpg1252\deff0" + head + FONTS + body + "}").encode("latin-1")


def read(data: bytes):
    reader = reader_for(data, ".rtf")
    assert reader.kind == "rtf"
    return reader.read(data, Reading())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"One\par Two\par", "One\n\nTwo"),
        ("One\\par\r\n\r\nTwo", "One\n\nTwo"),
        ("One\\\nTwo\\\r\nThree", "One\n\nTwo\n\nThree"),
        ("bro\r\nken li\nnes", "broken lines"),
        (r"One\par\par\par  Two", "One\n\nTwo"),
        (r"One\line Two\tab three", "One\nTwo\tthree"),
        (r"One\page Two\sect Three\column Four", "One\n\nTwo\n\nThree\n\nFour"),
        (r"un{\b believ}able {\i x}\b0 .", "unbelievable x."),
        (r"\{a\}\\b\~c\_d\-e", "{a}\\b\u00a0c\u2011d\u00ade"),
        (r"\lquote a\rquote\ldblquote b\rdblquote\emdash c\endash d\bullet", "‘a’“b”—c–d•"),
        (r"{\info{\title No}{\author No}}{\stylesheet{\s1 No;}}{\colortbl;\red0;}Yes", "Yes"),
        (r"{\*\unknown no{\b no}}Yes{\*\generator no;}", "Yes"),
        (r"{\*}Yes{\b , too}", "Yes, too"),
        (r"Yes{\rtlch\af5\*\cs7\b still}", "Yesstill"),
        (r"{\listtext 1.\tab}One{\pntext 2.\tab} Two", "One Two"),
        (r"{\field{\*\fldinst HYPERLINK \"http://x\"}{\fldrslt {\ul a link}}} here", "a link here"),
        (r"{\field{\fldinst PAGE {\field{\fldinst x}{\fldrslt no}}}{\fldrslt 7}}", "7"),
        (r"{\upr{ans?}{\*\ud{uni\u233e}}} end", "unié end"),
        (r"{\pict\pngblip 89504e47}{\object{\*\objdata 00ff}{\result shown}}", "shown"),
        (r"{\shp{\*\shpinst{\sp{\sn x}{\sv no}}{\shptxt In a box\par}}{\shprslt no}}Text\par Next",
         "Text\n\nIn a box\n\nNext"),
        (r"{\mmath{\*\moMath{\mr a}{\msSup{\msSupPr{\mctrlPr no}}{\me{\mr b}}}}}", "ab"),
        (r"{\xe no}{\tc no}{\*\bkmkstart no}Yes", "Yes"),
        (r"\trowd\intbl a\cell b\cell\row\trowd\intbl c\par d\cell e\cell\row\pard After",
         "a\tb\nc\nd\te\n\nAfter"),
        (r"\trowd\intbl a\cell\row\trowd\cell\cell\row\pard After", "a\n\nAfter"),
        ((r"\trowd\intbl{\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}"
         r"{\nonesttables\par}}\cell\row"), "x\ty"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_text_is_read_as_a_person_reads_it(body, text):
    extracted = read(rtf(body))

    assert extracted.text == text
    assert extracted.remarks == ()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9 \'93x\'94", "café “x”"),
        ("caf\xe9 \x93x\x94", "café “x”"),
        (r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} \'e9", "Привет é"),
        (r"\f2 \'93\'fa\'96\'7b \'83e\f0 \'e9", "日本 テé"),
        (r"{\f3 \'e8\'9a} {\f4 \'e1\'e2}", "čš αβ"),
        (r"\f1 \'cf\plain \'e9", "Пé"),
        (r"{\f5 \'e9}{\f99 \'e9}", "éé"),
        (r"\u1055?\u1088\'3f\u1080 ?\uc0\u1074 \uc2\u1077\'81\'40t", "Привеt"),
        (r"\u-10179?\u-8704?!", "😀!"),
        (r"\u-10179?!", "\ufffd!"),
        (r"{\uc0\u228}\u228 ax", "ääx"),
        (r"\u228{?}", "ä?"),
        (r"\u8364\tab x", "€x"),
    ],
)
def test_characters_are_read_in_the_encoding_they_are_in(body, text):
    assert read(rtf(body)).text == text


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (r"\ansi\ansicpg1251", "й"),
        (r"\ansi\ansicpg1250", "é"),
        (r"\mac", "È"),
        (r"\pc", "Θ"),
        (r"\pca", "Ú"),
        (r"\ansi\ansicpg77777", "é"),
        (r"\ansi\ansicpg0", "é"),
    ],
)
def test_the_encoding_of_the_document_holds_without_a_font(head, text):
    assert read(rf"{{\rtf1{head} \'e9}}".encode()).text == text


def test_headers_and_notes_are_read_once_where_they_do_not_interrupt():
    body = (
        r"{\header Head\par}{\headerr Head}{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 3}}}"
        r"One{\super\chftn}{\footnote\ftnalt\chftn An end.}, two{\footnote A foot.}.\par Three"
    )

    assert read(rtf(body)).text == "Head\n\nOne, two.\n\nThree\n\nA foot.\n\nAn end.\n\nPage"


def test_deleted_hidden_and_commented_text_is_counted():
    body = (
        r"Seen{\deleted\revauthdel1 gone {\b too}}{\v hidden} and\v  off\v0  on\par"
        r"\deleted gone\par\pard\plain seen{\*\atnid A}{\*\annotation no{\b no}}{\v  }"
    )
    extracted = read(rtf(body))

    assert extracted.text == "Seen and on\n\nseen"
    assert extracted.remarks == (
        "2 tracked deletions are not part of the text.",
        "2 passages of hidden text are not part of the text.",
        "1 comment is not part of the text.",
    )


COLOURS = (
    r"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;\red240\green255\blue254;"
    r"\red255\green255\blue239;}"
)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"one{\cf2 x}two", "one two"),
        (r"one{\cf3 x}two", "one two"),
        (r"one{\cf4 x}two", "onextwo"),
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
def test_faint_text_stands_at_the_end(body, text):
    assert read(rtf(body, COLOURS)).text == text


@pytest.mark.parametrize("start", [b"{\\rtf", b"\xef\xbb\xbf{\\rtf1", b" \r\n{\\rtf1", b"{\\rt "])
def test_it_is_known_by_its_start(start):
    assert read(start + b"\\ansi Text}").text == "Text"


@pytest.mark.parametrize("data", [b"rtf", b"{\\rtl x}", b"x{\\rtf1 x}", b"\\rtf1 x"])
def test_other_texts_are_none(data):
    assert reader_for(data, ".rtf").kind == "text"


def test_bytes_of_a_picture_are_passed_over():
    assert read(rtf("a{\\pict\\bin6 }}{{\\\\}b\\bin2 }}c")).text == "abc"


def test_a_file_that_ends_early_is_read_and_said_to_be_damaged():
    data = rtf(r"One\par {\b Two {\pict 00")[:-1]

    assert read(data).text == "One\n\nTwo"
    assert read(data).remarks == ("The file is damaged; its text may be incomplete.",)


def test_nothing_is_read_after_the_last_group():
    assert read(rtf("One") + b"} Two {\\b Three}\0\0").text == "One"


@pytest.mark.parametrize(
    "body",
    [
        r"{\field{\*\fldinst x" * 4_000,
        r"{\field{\*\fldinst x}{\fldrslt y}}" * 20_000,
        r"{\pict " + "0" * 2_000_000,
        r"\bin0" * 100_000,
        r"\*" * 100_000,
        "{\\*\\x{" * 60_000,
        r"\u8364?" * 60_000,
        "\\'" * 100_000,
        "{" + " " * 2_000_000,
    ],
)
def test_hostile_files_do_not_take_long(body):
    """Each of these is read in linear time: quadratic time would not end."""
    steps = []
    data = rtf(body)
    reader = reader_for(data, ".rtf")
    reader.read(data, Reading(step=lambda: steps.append(1)))

    assert len(steps) <= len(data) // (1 << 20) + 1


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"])))
def test_any_text_comes_back(text):
    units = text.encode("utf-16-le")
    codes = [int.from_bytes(units[at : at + 2], "little", signed=True)
             for at in range(0, len(units), 2)]  # fmt: skip
    body = "".join(rf"\u{code}?" for code in codes)

    assert read(rtf(body)).text == text


PARTS = [
    "{", "}", "\\*", "\\footnote ", "\\header ", "\\shptxt ", "\\upr", "\\fonttbl",
    "\\f1 ", "\\fcharset128 ", "\\u-1 ", "\\u99999 ", "\\uc-3 ", "\\bin-5 ", "\\bin2 ",
    "\\v ", "x", "\\fldinst PAGE", "\\fldrslt ", "\\'93", "\\cell ", "\\row ",
    "\\plain ", "\\par ", "\\", "\\annotation ", "\\ftnalt ", "\\deleted ",
    "\\ansicpg932 ", "\\f-1 ", "\\deff9 ",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_any_order_of_words_is_read(words):
    data = ("{\\rtf1 " + "".join(words)).encode()
    reader = reader_for(data, ".rtf")

    reader.read(data, Reading()).text.encode("utf-8")

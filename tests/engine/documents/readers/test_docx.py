"""Word documents (docx): what a person reads of them is the text, the rest is reported."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.model import ProblemCode
from core.documents.readers import Reading
from core.documents.readers.ooxml import docx, wordml
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.archives import OPEN, STRICT, office, office_names, related, zipped
from tests.problems import problem_of

MAIN = "word/document.xml"
DAMAGED = "The file is damaged; its text may be incomplete."


def part(root, content, edition=OPEN):
    return f'<w:{root} {office_names(edition)} xmlns:v="urn:v">{content}</w:{root}>'


def linked(*targets, mode=""):
    """Relations r0, r1, ... from (kind, target)."""
    return related({f"r{i}": target for i, target in enumerate(targets)}, mode)


def document(body, links=(), main=MAIN, edition=OPEN, **parts):
    """A document; its other parts are written by their file names, without ".xml"."""
    folder, _, name = main.rpartition("/")
    named = {key if "." in key else f"{key}.xml": content for key, content in parts.items()}
    return office(
        main,
        {
            f"{folder}/_rels/{name}.rels": linked(*links),
            main: part("document", f"<w:body>{body}</w:body>", edition),
            **{f"{folder}/{key}": content for key, content in named.items()},
        },
    )


def with_chunk(body, name, content):
    """A document into which another one is inserted where the relation r0 stands."""
    return document(body, [("aFChunk", name)], **{name: content})


CHUNK = "<w:altChunk r:id='r0'/>"


def read(data, **reading):
    return docx.READER.read(data, Reading(**reading))


def unreadable(data, **reading):
    return problem_of(read, data, **reading).code


def text_of(body, *links, **parts):
    return read(document(body, links, **parts)).text


def run(text, look=""):
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(*runs, properties=""):
    content = "".join(item if item.startswith("<") else run(item) for item in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def table(*rows):
    cells = (("".join(f"<w:tc><w:tcPr/>{cell}</w:tc>" for cell in row)) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr><w:trPr/>{row}</w:tr>' for row in cells)}</w:tbl>"


def field(code, *result):
    def mark(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    shown = mark("separate") + "".join(result) if result else ""
    return f"{mark('begin')}<w:r><w:instrText>{code}</w:instrText></w:r>{shown}{mark('end')}"


RUBY_END = "</w:rubyBase></w:ruby></w:r>"
AUTO = '<w:shd w:val="clear" w:color="auto" w:fill="auto"/>'
PAPER, DARK = (AUTO.replace('"auto"/>', f'"{fill}"/>') for fill in ("FFFFFF", "1F3864"))
BOX = "<w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r>"
HIDDEN, WHITE, TINY = "<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>'
DELETED = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
MOVED = "<w:moveFrom><w:r><w:t>b</w:t></w:r></w:moveFrom>"
FAINT = (
    "2 passages are written in white or in letters of 1 point: a reader does not see that. It "
    "stands at the end of the text."
)
ONE_FAINT = (
    "1 passage is written in white or in letters of 1 point: a reader does not see that. It stands "
    "at the end of the text."
)
SPACES = (
    "2 letters are written in white or of 1 point between words: a reader sees none there, nor is "
    "any read."
)
MARK_DELETED = "<w:rPr><w:del/></w:rPr>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (p("One") + p("Two"), "One\n\nTwo"),
        (p("un", "believ", "able"), "unbelievable"),
        (p("One ", "two"), "One two"),
        ("<w:p><w:r><w:t> One </w:t><w:t>two</w:t></w:r></w:p>", "Onetwo"),
        (p("One") + p("") + p(" ") + p("Two"), "One\n\nTwo"),
        (p("One", "<w:r><w:br/></w:r>", "two", "<w:r><w:cr/></w:r>", "three"), "One\ntwo\nthree"),
        (p("One", '<w:r><w:br w:type="page"/></w:r>', "two"), "One\ntwo"),
        (p("One", "<w:r><w:tab/></w:r>", "two"), "One\ttwo"),
        (p("e", "<w:r><w:noBreakHyphen/></w:r>", "mail"), "e\u2011mail"),
        (p("hy", "<w:r><w:softHyphen/></w:r>", "phen"), "hyphen"),
        (p('<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', " rays"), "α rays"),
        (p('<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r>', "smile"), "smile"),
        (p('<w:r><w:sym w:font="x" w:char="D800"/></w:r>', "half"), "half"),
        (p('<w:r><w:sym w:font="x" w:char="263A"/><w:sym w:font="x" w:char="no"/></w:r>'), "☺"),
        (p(run("\uf062", '<w:rFonts w:ascii="Symbol"/>')), "β"),
        (p('<w:hyperlink r:id="x">', "link", "</w:hyperlink>"), "link"),
        (p("<w:ins>", "new", "</w:ins>"), "new"),
        (p("<w:smartTag>", "Oslo", "</w:smartTag>"), "Oslo"),
        (f"<w:sdt><w:sdtPr/><w:sdtContent>{p('field')}</w:sdtContent></w:sdt>", "field"),
        (p("a ", field("PAGEREF x", run("7")), " b"), "a 7 b"),
        (p(field("IF " + field("X", run("no")), run("yes"))), "yes"),
        (p("a", field("XE index")), "a"),
        (p(field("MACROBUTTON NoMacro [Your name]")), "[Your name]"),
        (p("<w:fldSimple>", "7", "</w:fldSimple>"), "7"),
        (p("<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r>"
           "</m:den></m:f></m:oMath>"), "a/b"),
        (p("<w:r><w:ruby><w:rt>", "kan", "</w:rt><w:rubyBase>", "漢", RUBY_END), "漢"),
        (p("a") + table([p("b"), p("c")], [p("d"), p("e")]) + p("f"), "a\n\nb\tc\nd\te\n\nf"),
        (table([p("a"), p(""), p("c")]), "a\tc"),
        (table([p("a") + p("b"), p("c")]), "a\nb\tc"),
        (table([p("a") + table([p("b"), p("c")]) + p(""), p("d")]), "a\nb\tc\nd"),
        (p("a ", BOX.format(p("box") + p("more")), "b") + p("c"), "a b\n\nbox\n\nmore\n\nc"),
        (p("a", properties=MARK_DELETED) + p("b"), "ab"),
        (p("Run-in. ", properties="<w:rPr><w:vanish/><w:specVanish/></w:rPr>") + p("Text"),
         "Run-in. Text"),
        (p("a", "<w:r><w:drawing><pic descr='not seen'>x</pic></w:drawing></w:r>"), "a"),
    ],
)  # fmt: skip
def test_text_is_what_a_person_reads(body, text):
    assert text_of(body) == text


def test_of_alternatives_only_one_is_read():
    choice = "<mc:Choice Requires='wps'>{}</mc:Choice>"
    fallback = f"<mc:Fallback>{BOX.format(p('box'))}</mc:Fallback>"
    both = "<mc:AlternateContent>" + choice + fallback + "</mc:AlternateContent>"

    assert text_of(p("a", both.format(BOX.format(p("box"))))) == "a\n\nbox"
    assert text_of(p("a", both.format("<picture/>"))) == "a\n\nbox"


@pytest.mark.parametrize(
    ("body", "text", "remark"),
    [
        (p("a ", DELETED, "b"), "a b", "1 tracked deletion is not part of the text."),
        (
            p("a", DELETED, DELETED) + p(DELETED, "b", DELETED),
            "a\n\nb",
            "2 tracked deletions are not part of the text.",
        ),
        (p(MOVED, "a", "<w:moveTo>", "b", "</w:moveTo>"), "ab", ""),
        (p("a", run("b", "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>")), "ab", ""),
        (
            p("a", run("b", HIDDEN), run("c", HIDDEN)),
            "a",
            "1 passage of hidden text is not part of the text.",
        ),
        (p("a", run("b", '<w:vanish w:val="0"/>')), "ab", ""),
        (
            p("a", "<w:r><w:commentReference/></w:r>"),
            "a",
            "1 comment is not part of the text.",
        ),
        (
            p("a") + "<w:altChunk r:id='x'/>",
            "a",
            "1 document inserted as a whole is not part of the text.",
        ),
        (p("a") + "<w:subDoc r:id='x'/>" * 2, "a", "2 linked files are not part of the text."),
        (
            p("a", run("unseen", WHITE), "c", run("al", TINY), run("so this", TINY), "d"),
            "a cd\n\nunseen also this",
            FAINT,
        ),
        (
            p("one", run("x", WHITE), "two", run("y", TINY), "fold"),
            "one twofold",
            SPACES,
        ),
        (
            p("one", run("x", '<w:color w:val="FEF0fd"/>'), "two", run("y", WHITE), "three"),
            "one two three",
            SPACES,
        ),
        (p("a", run("b", '<w:color w:val="FEEFFE"/>')), "ab", ""),
        (
            p(run("A white paragraph.", WHITE)) + p(run("Another.", WHITE)) + p("Seen."),
            "Seen.\n\nA white paragraph. Another.",
            FAINT,
        ),
        (p("a", run("b", WHITE + "<w:shd/>")), "ab", ""),
        (p("a", run("b", WHITE), properties="<w:shd/>"), "ab", ""),
        (p(run("not seen", WHITE + AUTO)), "not seen", ONE_FAINT),
        (p(run("not seen", WHITE), properties=AUTO), "not seen", ONE_FAINT),
        (p(run("not seen", WHITE), properties=PAPER), "not seen", ONE_FAINT),
        (p("a", run("b", WHITE), properties=AUTO.replace("clear", "solid")), "ab", ""),
        (table([p(run("b", WHITE))]), "b", ""),
        (p("a", BOX.format(p(run("b", WHITE)))), "a\n\nb", ""),
    ],
)  # fmt: skip
def test_what_is_no_text_is_reported(body, text, remark):
    assert read(document(body)) == (text, "", (remark,) if remark else ())


def test_styles_hide_and_undo_each_other():
    styles = part(
        "styles",
        '<w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Child"><w:basedOn w:val="Base"/></w:style>'
        '<w:style w:styleId="Shown"><w:basedOn w:val="Base"/><w:rPr><w:vanish w:val="0"/></w:rPr>'
        '</w:style><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style>'
        '<w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>',
    )
    body = (
        p("a", properties='<w:pStyle w:val="Child"/>')
        + p("b", properties='<w:pStyle w:val="Shown"/>')
        + p("c", run("d", '<w:rStyle w:val="Base"/>'))
        + p("e", run("f", '<w:rStyle w:val="Base"/>'), properties='<w:pStyle w:val="Base"/>')
        + p("g", properties='<w:pStyle w:val="A"/>')
    )

    extracted = read(document(body, [("styles", "styles.xml")], styles=styles))

    assert extracted.text == "b\n\nc\n\nf\n\ng"
    assert extracted.remarks == ("2 passages of hidden text are not part of the text.",)


@pytest.mark.parametrize(
    ("style", "properties", "is_seen"),
    [
        ("Band", "", True),
        ("Child", "", True),
        ("Plain", "", True),  # its letters have no background of their own
        ("Light", "", False),
        ("Band", f"<w:rPr>{AUTO}</w:rPr>", True),  # of the mark at its end
        ("Band", AUTO, False),
        ("Undone", "", False),
        ("Marked", AUTO, True),  # letters keep theirs
        ("Light", f"<w:rPr>{DARK}</w:rPr>", False),
    ],
)
@pytest.mark.parametrize("white", [WHITE, '<w:rStyle w:val="BandChar"/>'])
def test_white_letters_are_seen_where_the_style_of_the_paragraph_is_dark(
    style, properties, is_seen, white
):
    styles = part(
        "styles",
        f'<w:style w:type="paragraph" w:styleId="Band"><w:pPr>{DARK}</w:pPr>'
        f"<w:rPr>{AUTO}</w:rPr></w:style>"
        '<w:style w:type="paragraph" w:styleId="Child"><w:basedOn w:val="Band"/></w:style>'
        f'<w:style w:type="paragraph" w:styleId="Plain"><w:basedOn w:val="Band"/><w:rPr>{AUTO}'
        "</w:rPr></w:style>"
        f'<w:style w:type="paragraph" w:styleId="Light"><w:pPr>{PAPER}</w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Undone"><w:basedOn w:val="Band"/><w:pPr>'
        f"{AUTO}</w:pPr></w:style>"
        f'<w:style w:type="paragraph" w:styleId="Marked"><w:rPr>{DARK}</w:rPr></w:style>'
        f'<w:style w:type="character" w:styleId="BandChar"><w:rPr>{WHITE}</w:rPr></w:style>',
    )
    title = p(run("Terms", white), properties=f'<w:pStyle w:val="{style}"/>{properties}')
    extracted = read(document(title + p("Text."), [("styles", "styles.xml")], styles=styles))
    assert extracted.text == ("Terms\n\nText." if is_seen else "Text.\n\nTerms")
    assert bool(extracted.remarks) != is_seen


def test_a_dark_style_is_found_where_no_style_is_white():
    styles = part(
        "styles",
        f'<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:pPr>{DARK}</w:pPr></w:style>',
    )
    white = document(p(run("Terms", WHITE)), [("styles", "styles.xml")], styles=styles)
    assert read(white).remarks == ()


def test_styles_of_characters_write_in_white():
    styles = part(
        "styles",
        f'<w:style w:type="character" w:styleId="Ghost"><w:rPr>{WHITE}</w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Child"><w:basedOn w:val="Ghost"/></w:style>'
        '<w:style w:type="character" w:styleId="Black"><w:basedOn w:val="Ghost"/><w:rPr>'
        '<w:color w:val="000000"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Shaded"><w:basedOn w:val="Ghost"/><w:rPr>'
        "<w:shd/></w:rPr></w:style>",
    )
    ghosts = [run("x", f'<w:rStyle w:val="{style}"/>') for style in ("Ghost", "Child")]
    seen = [run("x", f'<w:rStyle w:val="{style}"/>') for style in ("Black", "Shaded")]
    own = run("x", '<w:rStyle w:val="Ghost"/><w:color w:val="000000"/>')
    body = p("one", ghosts[0], "two", ghosts[1], "three", *seen, own)

    extracted = read(document(body, [("styles", "styles.xml")], styles=styles))

    assert (extracted.text, extracted.remarks) == ("one two threexxx", (SPACES,))


@pytest.mark.parametrize("kind", ["defaults", "style"])
def test_the_style_of_a_paragraph_without_one_hides_too(kind):
    hides = "<w:rPr><w:vanish/></w:rPr>"
    defaults = f"<w:docDefaults><w:rPrDefault>{hides}</w:rPrDefault></w:docDefaults>"
    styles = part(
        "styles",
        defaults * (kind == "defaults")
        + '<w:style w:type="paragraph" w:default="1" w:styleId="N">'
        + hides * (kind == "style")
        + '</w:style><w:style w:type="paragraph" w:styleId="S"><w:rPr><w:vanish w:val="off"/>'
        '</w:rPr></w:style><w:style w:type="character" w:styleId="C"/>',
    )
    shown = run("b", '<w:vanish w:val="0"/>')
    body = p("a", shown) + p("c", properties='<w:pStyle w:val="S"/>')
    body += p(run("d", '<w:rStyle w:val="C"/>'))

    assert read(document(body, [("styles", "styles.xml")], styles=styles)).text == "b\n\nc"


def test_a_long_line_of_styles_is_followed_once():
    count = 50_000  # followed anew for each of them, it would take minutes
    based = (
        f'<w:style w:styleId="s{i}"><w:basedOn w:val="s{i - 1}"/></w:style>' for i in range(count)
    )
    styles = part(
        "styles", '<w:style w:styleId="s-1"><w:rPr><w:vanish/></w:rPr></w:style>' + "".join(based)
    )
    last = f'<w:pStyle w:val="s{count - 1}"/>'

    extracted = read(
        document(p("a", properties=last) + p("b"), [("styles", "styles.xml")], styles=styles)
    )

    assert extracted.text == "b"


INSERTED = {
    "chunk.html": b"<html><body><p>From a page.</p></body></html>",
    "chunk.xhtml": b"<html xmlns='http://www.w3.org/1999/xhtml'><body>From a page.</body></html>",
    "chunk.txt": "From a page.".encode("utf-16"),
    "chunk.rtf": b"{\\rtf1 From a page.}",
    "chunk.docx": document(p("From ", DELETED, "a page.")),
    "chunk.mht": b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>From a page.</p>",
}


@pytest.mark.parametrize("name", INSERTED)
def test_an_inserted_document_is_text_at_its_place(name):
    def around(body):
        return read(with_chunk(body, name, INSERTED[name]))

    assert around(CHUNK).text == "From a page."
    assert around(p("a") + CHUNK + p("b")).text == "a\n\nFrom a page.\n\nb"
    assert around(table([CHUNK + p("")], [p("b")])).text == "From a page.\nb"
    assert around(CHUNK * 2).remarks[:1] == (
        "1 document inserted as a whole is not part of the text.",
    )
    deleted = ("1 tracked deletion is not part of the text.",) * (name == "chunk.docx")
    assert around(CHUNK).remarks == deleted


def test_a_document_inserted_into_an_inserted_one_is_counted():
    data = INSERTED["chunk.docx"]
    for _ in range(3):
        data = with_chunk(p("a") + CHUNK, "c.docx", data)

    assert read(data) == (
        "a\n\na",
        "",
        ("1 document inserted as a whole is not part of the text.",),
    )


@pytest.mark.parametrize("chunk", [b"\x89PNG\r\n\x1a\n\0\0", b"", b"PK\x03\x04"])
def test_an_inserted_document_that_cannot_be_read_costs_only_itself(chunk):
    assert read(with_chunk(p("a") + CHUNK, "c.docx", chunk)).text == "a"


def test_inserted_documents_have_the_limits_of_one():
    chunks = "".join(f"<w:altChunk r:id='r{i}'/>" for i in range(4))
    links = [("aFChunk", f"c{i}.xml") for i in range(4)]
    texts = {f"c{i}": "word " * 100 for i in range(4)}

    limits = ReadingLimits(characters=1500)
    assert unreadable(document(chunks, links, **texts), limits=limits) is ProblemCode.TOO_BIG


def test_a_mark_that_is_not_hidden_joins_nothing():
    shown = '<w:rPr><w:vanish w:val="0"/></w:rPr>'

    assert text_of(p("Heading", properties=shown) + p("Text")) == "Heading\n\nText"


def test_headers_notes_and_footers_are_read_once():
    section = (
        "<w:sectPr>"
        '<w:headerReference w:type="default" r:id="r0"/>'
        '<w:headerReference w:type="first" r:id="r1"/>'
        '<w:headerReference w:type="even" r:id="r2"/>'
        '<w:footerReference w:type="default" r:id="r3"/>{}</w:sectPr>'
    )
    links = [
        ("header", "h1.xml"),
        ("header", "h2.xml"),
        ("header", "h3.xml"),
        ("footer", "f1.xml"),
        ("footnotes", "footnotes.xml"),
        ("endnotes", "endnotes.xml"),
        ("settings", "settings.xml"),
    ]
    notes = '<w:{0} w:id="-1">{1}</w:{0}><w:{0} w:id="2">{2}</w:{0}><w:{0} w:id="1">{3}</w:{0}>'
    parts = {
        "h1": part("hdr", p("Head")),
        "h2": part("hdr", p("First")),
        "h3": part("hdr", p("Even")),
        "f1": part("ftr", p("- ", field("PAGE", run("1")), " -")),
        "footnotes": part("footnotes", notes.format("footnote", p("no"), p("Foot b"), p("Foot a"))),
        "endnotes": part("endnotes", notes.format("endnote", p("no"), p("End"), p("unused"))),
        "settings": part("settings", ""),
    }
    body = (
        p("One", '<w:r><w:footnoteReference w:id="1"/></w:r>', ".")
        + p("", properties=section.format(""))
        + p("Two", '<w:r><w:endnoteReference w:id="2"/></w:r>')
        + p("Three", '<w:r><w:footnoteReference w:id="2"/></w:r>')
        + section.format("")
    )

    text = "One.\n\nTwo\n\nThree\n\nFoot a\n\nFoot b\n\nEnd"
    assert text_of(body, *links, **parts) == f"Head\n\n{text}"

    parts["settings"] = part("settings", "<w:evenAndOddHeaders/>")
    body = body.replace("</w:sectPr>", "<w:titlePg/></w:sectPr>")
    assert text_of(body, *links, **parts) == f"Head\n\nFirst\n\nEven\n\n{text}"


def test_words_in_charts_and_diagrams_are_read_once():
    chart = (
        f"<c:chartSpace {office_names()}>"
        "<a:p><a:r><a:t>Ti</a:t></a:r><a:r><a:t>tle</a:t></a:r></a:p>"
        "<c:strCache><c:pt><c:v>North</c:v></c:pt><c:pt><c:v>North</c:v></c:pt></c:strCache>"
        "<c:numCache><c:pt><c:v>3.5</c:v></c:pt></c:numCache></c:chartSpace>"
    )
    body = p("a", '<w:r><c:chart r:id="r0"/><c:chart r:id="r0"/></w:r>') + p("b")

    assert text_of(body, ("chart", "chart1.xml"), chart1=chart) == "a\n\nTitle\nNorth\n\nb"


def test_frames_are_reported():
    frames = part("webSettings", '<w:frameset><w:frame><w:sourceFileName w:val="http://x/"/>'
                  "</w:frame></w:frameset>")  # fmt: skip
    data = document(p("a"), [("webSettings", "web.xml")], web=frames)

    assert read(data).remarks == ("1 linked file is not part of the text.",)


def test_the_main_part_is_found_by_its_relation_in_both_editions():
    data = document(p("a") + table([p("b")]), main="word/other.xml", edition=STRICT)

    assert docx.READER.recognises(data, "")
    assert read(data).text == "a\n\nb"


def test_other_packages_are_not_taken():
    assert not docx.READER.recognises(zipped({"word/document.xml": "<a/>"}), ".docx")
    assert not docx.READER.recognises(zipped({"a/word/document.xml": "", "b": "<Types/>"}), ".docx")
    assert not docx.READER.recognises(b"words", ".docx")


@pytest.mark.parametrize("target", ["file:///etc/passwd", "header.xml"])
def test_a_text_outside_is_never_fetched(target):
    """Nor is a part of the package taken for it that has its name."""
    body = p("a") + '<w:sectPr><w:headerReference r:id="r0"/></w:sectPr>'
    links = linked(("header", target), mode='TargetMode="External"')
    parts = {"word/_rels/document.xml.rels": links, "word/header.xml": part("hdr", p("b"))}

    assert read(office(MAIN, {MAIN: part("document", body), **parts})).text == "a"


def test_limits():
    long, limits = document(p("word " * 30_000)), ReadingLimits(memory_bytes=800_000)

    assert unreadable(long, limits=limits) is ProblemCode.TOO_BIG_UNPACKED
    assert unreadable(long[:-30], limits=limits) is ProblemCode.TOO_BIG_UNPACKED


def test_a_doctype_is_refused():
    declared = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'

    assert unreadable(office(MAIN, {MAIN: declared})) is ProblemCode.DTD_REFUSED


def test_a_doctype_costs_only_the_part_that_has_it():
    refused = "<!DOCTYPE x [<!ENTITY e 'e'>]><x/>"
    links = [("footnotes", "footnotes.xml"), ("header", "h.xml"), ("styles", "styles.xml")]
    body = p("One") + '<w:sectPr><w:headerReference r:id="r1"/></w:sectPr>'
    parts = {"h": refused, "styles": f"{refused}vanish", "footnotes": part("footnotes", "")}

    extracted = read(document(body, links, **parts))

    assert extracted.text == "One"
    (remark,) = extracted.remarks
    assert remark == (
        "2 parts of this file declare entities (a DOCTYPE), through which it could read other "
        "files; that was not read."
    )
    silent = document(body.replace("One", ""), links, **parts)
    assert unreadable(silent) is ProblemCode.DTD_REFUSED


LONG = document("".join(p(f"Paragraph {i} of {random.Random(i).random()}") for i in range(400)))


def test_a_file_that_broke_off_is_read_to_there():
    broken = LONG[: len(LONG) * 3 // 4]

    extracted = read(broken)

    assert docx.READER.recognises(broken, ".docx")
    assert extracted.text.startswith("Paragraph 0 of 0.844")
    assert 1000 < len(extracted.text) < len(read(LONG).text)
    assert extracted.remarks == (DAMAGED,)


def test_a_part_that_breaks_is_reported():
    data = office(MAIN, {MAIN: f"<w:p {office_names()}>" + p("a")})

    assert read(data) == ("a", "", (DAMAGED,))


def test_nothing_left_is_damage():
    assert unreadable(LONG[:100]) is ProblemCode.DAMAGED
    assert unreadable(b"PK\x03\x04") is ProblemCode.DAMAGED


ELEMENTS = ["p", "r", "t", "pPr", "rPr", "tbl", "tr", "tc", "txbxContent", "footnote", "del", "br",
            "sectPr", "fldChar", "vanish", "sym", "ruby", "rt", "headerReference"]  # fmt: skip


@given(st.recursive(st.just("x"), lambda inner: st.builds(
    lambda name, content: f"<w:{name}>{''.join(content)}</w:{name}>",
    st.sampled_from(ELEMENTS), st.lists(inner, max_size=4)), max_leaves=30))  # fmt: skip
def test_elements_in_any_order_are_read(body):
    assert isinstance(text_of(f"<mc:AlternateContent>{body}</mc:AlternateContent>"), str)


WORD = "http://schemas.microsoft.com/office/word/2003/wordml"
NAMES = (
    f'xmlns:w="{WORD}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" '
    'xmlns:aml="http://schemas.microsoft.com/aml/2001/core"'
)
START = '<?xml version="1.0" encoding="UTF-8"?>\r\n<?mso-application progid="Word.Document"?>\r\n'


def wordml_document(body, before="", xml=START):
    return (
        f'{xml}<w:wordDocument {NAMES} xml:space="preserve">{before}<w:body><wx:sect>{body}'
        "</wx:sect></w:body></w:wordDocument>"
    ).encode()


def annotation(kind, content=""):
    inside = f"<aml:content>{content}</aml:content>"
    return f'<aml:annotation aml:id="0" w:type="{kind}">{inside}</aml:annotation>'


def wordml_read(data, **reading):
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
def test_wordml_text_is_what_a_person_reads(body, text, remark):
    data = wordml_document(body)

    assert reader_for(data, ".xml") is wordml.READER
    assert wordml_read(data) == (text, "", (remark,) if remark else ())


def test_styles_hide():
    styles = (
        '<w:styles><w:style w:type="paragraph" w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>'
        "</w:styles>"
    )
    body = p("a", properties='<w:pStyle w:val="H"/>') + p("b")

    assert wordml_read(wordml_document(body, styles)).text == "b"


def test_wordml_a_file_that_broke_off_is_read_to_there():
    data = wordml_document(p("One") + p("Two"))

    assert wordml_read(data[: data.index(b"Two")]) == ("One", "", (DAMAGED,))
    assert problem_of(wordml_read, data[: data.index(b"One")]).code is ProblemCode.DAMAGED


def test_wordml_a_doctype_is_refused():
    data = wordml_document(p("a"), xml='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')

    assert problem_of(wordml_read, data).code is ProblemCode.DTD_REFUSED


def flat(**parts):
    """A flat package; "__" in a name stands for "/", and bytes are written in base64."""
    parts_xml = ""
    for name, content in parts.items():
        kind = "binaryData" if isinstance(content, bytes) else "xmlData"
        written = base64.b64encode(content).decode() if isinstance(content, bytes) else content
        parts_xml += (
            f'<pkg:part pkg:name="/{name.replace("__", "/")}" pkg:contentType="x">\n  '
            f"<pkg:{kind}>{written}</pkg:{kind}></pkg:part>"
        )
    namespace = "http://schemas.microsoft.com/office/2006/xmlPackage"
    return f'{START}<pkg:package xmlns:pkg="{namespace}">{parts_xml}</pkg:package>'.encode()


BODY = f"<w:document {office_names()}><w:body>{p('One')}{p('Two')}{CHUNK}</w:body></w:document>"
RELATIONS = related({"r0": ("aFChunk", "chunk.txt")})


def test_a_flat_package_is_read_as_one_that_is_packed():
    parts = {"word__document.xml": BODY, "word___rels__document.xml.rels": RELATIONS}
    data = flat(**parts, **{"word__chunk.txt": b"Three"})

    assert reader_for(data, ".xml") is wordml.READER
    assert wordml_read(data) == ("One\n\nTwo\n\nThree", "", ())


def test_a_part_of_a_flat_package_whose_name_is_damaged_is_passed_over():
    data = flat(**{"a": "<b/>", "word__document.xml": BODY}).replace(b'"/a"', b'"/\0a"')

    assert wordml_read(data).text == "One\n\nTwo"


def test_a_flat_package_that_broke_off_is_read_to_there():
    data = flat(**{"word__document.xml": BODY})

    extracted = wordml_read(data[: data.index(b"Two")])

    assert (extracted.text, len(extracted.remarks)) == ("One", 1)


def test_parts_without_an_end_end_where_the_next_begins():
    part = b'<pkg:part pkg:name="/a%d"><pkg:binaryData>QUJD</x>'
    many = b"".join(part % number for number in range(20_000))
    data = flat(**{"word__document.xml": BODY}).replace(b"</pkg:package>", many)

    assert wordml_read(data).text == "One\n\nTwo"


def test_other_xml_is_a_text():
    for start in ("<a>", "<package>", "<w:wordDocument>", "<?xml version='1.0'?><feed>"):
        assert reader_for(start.encode(), ".xml").kind == "text"

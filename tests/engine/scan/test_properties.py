"""Which files share what few files have; from the files to the terminal, as JSON, in a scan."""

import json
from contextlib import closing
from itertools import cycle

import pytest

from core.commands.main import main
from core.documents.properties import (
    CREATED,
    PRINTED,
    SAVED,
    SAVED_BY,
    SESSION_TEXTS,
    SESSIONS,
    contradicting,
)
from core.documents.reading_settings import ReadingSettings
from core.reports.properties_words import file_in_words, shared_in_words
from core.scan.flow import scan
from core.scan.properties import FileProperties, FolderProperties, properties_of_documents
from core.settings import ScanSettings
from tests.engine.documents.readers.test_properties import WORD, packed

A, B, C = "00AAAAAA", "00BBBBBB", "00CCCCCC"
PARAGRAPH = '<w:p w:rsidRDefault="{}"><w:r><w:t>{}</w:t></w:r></w:p>'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = {
    "word/document.xml": "officedocument.wordprocessingml.document.main",
    "word/settings.xml": "officedocument.wordprocessingml.settings",
    "docProps/app.xml": "officedocument.extended-properties",
    "docProps/core.xml": "package.core-properties",
}
SPACES = {
    "cp": f"{PACKAGE}/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}


def links(targets):
    """A part of a package that says what each of its targets is."""
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{PACKAGE if "metadata" in kind else OFFICE}/relationships'
        f'/{kind}" Target="{target}"/>'
        for n, (target, kind) in enumerate(targets.items())
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


LINKS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    + "".join(
        f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-{kind}+xml"/>'
        for name, kind in TYPES.items()
    )
    + "</Types>",
    "_rels/.rels": links(
        {
            "word/document.xml": "officeDocument",
            "docProps/app.xml": "extended-properties",
            "docProps/core.xml": "metadata/core-properties",
        }
    ),
    "word/_rels/document.xml.rels": links({"settings.xml": "settings"}),
}


def word_file(text, sessions, *, picture=b"", app="", **core):
    """A Word document, each paragraph of a session; `core` are core properties by their names."""
    listed = "".join(f'<w:rsid w:val="{one}"/>' for one in sessions)
    paragraphs = "".join(map(PARAGRAPH.format, cycle(sessions or [""]), text.split("\n")))
    spaces = "".join(f' xmlns:{name}="{space}"' for name, space in SPACES.items())
    parts = {
        "docProps/core.xml": f"<cp:coreProperties{spaces}>"
        f"{''.join(core_property(name, value) for name, value in core.items())}"
        "</cp:coreProperties>",
        "docProps/app.xml": f'<Properties xmlns="{OFFICE}/extended-properties">{app}</Properties>',
        "word/settings.xml": f'<w:settings xmlns:w="{WORD}"><w:rsids>{listed}</w:rsids>'
        "</w:settings>",
        "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{paragraphs}</w:body>'
        "</w:document>",
    }
    if picture:
        parts["word/media/image1.png"] = picture
    return packed({**LINKS, **parts})


def core_property(name, value):
    """An element of the core properties, in its namespace."""
    if name in {"created", "modified"}:
        return f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{value}</dcterms:{name}>'
    space = "dc" if name in {"creator", "title"} else "cp"
    return f"<{space}:{name}>{value}</{space}:{name}>"


def document(number, author, *sessions):
    """A Word document with words of its own."""
    words = " ".join(f"word{number}x{n}" for n in range(60))
    picture = bytes([number]) * 600
    return word_file(words, sessions, picture=picture, creator=author, lastModifiedBy=author)


@pytest.fixture
def folder(tmp_path):
    """Two files of one author with a session in common, two others of one form."""
    folder = tmp_path / "essays"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.docx").write_bytes(document(1, "Ada", A, C))
    (folder / "b.docx").write_bytes(document(2, "Bo", A, B, C))
    (folder / "c.docx").write_bytes(document(3, "Cy", C))
    (folder / "copy of a.docx").write_bytes(document(1, "Ada", A, C))
    (folder / "sub" / "plain.txt").write_text("words " * 40)
    (tmp_path / "form.docx").write_bytes(document(4, "Office", C))
    return folder


def test_rare_is_what_few_files_have_and_no_template():
    def of(*values, **others):
        return FileProperties({SESSIONS.code: values}, **others)

    folder = FolderProperties(
        [of(A, C), of(A, B), of(C), of(C, is_template=True), of(C), *[of(B)] * 3]
    )

    assert folder.pairs() == [(0, 1)]
    (shared,) = folder.shared(0, 1)
    assert (shared.values, shared.files, shared.alone, shared.is_rare) == ((A,), (2,), 1, True)
    assert [one.is_rare for one in folder.shared(0, 2)] == [False]


def test_of_a_large_folder_no_property_that_many_have_is_rare():
    files = [{SAVED_BY.code: (f"class {n // 21}", f"table {n // 20}")} for n in range(21 * 20)]
    folder = FolderProperties([FileProperties(file) for file in files])

    values = {shared.values for a, b in folder.pairs() for shared in folder.shared(a, b)}
    assert folder.rare_most == 20
    assert len(folder.pairs()) == 21 * 190
    assert all(any(value.startswith("table") for value in of) for of in values)


def test_that_two_began_in_the_same_minute_is_not_rare():
    def shared(created):
        return FolderProperties([FileProperties({CREATED.code: (created,)})] * 2).shared(0, 1)

    assert [one.is_rare for one in shared("2026-03-01T09:00:00Z")] == [False]
    assert [one.is_rare for one in shared("2026-03-01T09:00:07Z")] == [True]


def test_files_that_a_batch_made_in_the_same_second_share_nothing_rare():
    seconds = ["09:00:07", "09:00:07", "09:00:08", "09:04:07", "09:04:07"]
    files = [{CREATED.code: (f"2026-03-01T{second}Z",)} for second in seconds]

    assert FolderProperties([FileProperties(file) for file in files]).pairs() == [(3, 4)]


def test_dates_that_contradict_each_other_are_never_used():
    saved = ("2026-03-01T09:00:07Z",)
    for created, is_shared in (("2026-03-02T09:00:07Z", False), ("2026-02-02T09:00:07Z", True)):
        file = FileProperties({CREATED.code: (created,), SAVED.code: saved})
        folder = FolderProperties([file, file._replace(properties={SAVED.code: saved})])
        assert bool(folder.shared(0, 1)) is is_shared
        assert bool(folder.pairs()) is is_shared


def test_a_date_of_printing_may_be_that_of_an_earlier_file():
    told = {CREATED.code: ("2026-03-02T09:00:07Z",), PRINTED.code: ("2025-03-02T09:00:07Z",)}
    other = {PRINTED.code: told[PRINTED.code]}
    assert [*contradicting(told)] == [PRINTED]
    assert FolderProperties([FileProperties(told), FileProperties(other)]).shared(0, 1)


def test_how_much_text_was_written_in_rare_sessions():
    texts = [(f"{A} 30/100", f"{B} 20/100", f"{C} 50/100"), (f"{A} 1/50",), ()]
    first, second, untold = (
        FileProperties({SESSIONS.code: (A, C), SESSION_TEXTS.code: of}) for of in texts
    )
    form = FileProperties({SESSIONS.code: (C,)}, is_template=True)

    (shared,) = FolderProperties([first, second, form]).shared(0, 1)
    assert shared.texts == (0.3, 0.02)
    assert shared_in_words(shared).endswith(" · written in rare sessions: 30% of A, 2% of B")
    assert FolderProperties([first, untold]).shared(0, 1)[0].texts == ()


def test_copies_of_a_file_count_once_and_share_nothing_that_tells():
    own = {SAVED_BY.code: ("r.keller",)}
    folder = FolderProperties(
        [FileProperties(own, "one"), FileProperties(own, "one"), FileProperties(own, "two")]
    )

    assert folder.shared(0, 1) == ()
    assert folder.pairs() == [(0, 2), (1, 2)]
    assert folder.files_with(SAVED_BY, "r.keller") == 2


def test_what_two_files_share_is_looked_at_once_whatever_copies_there_are(monkeypatch):
    own = {SAVED_BY.code: ("r.keller",)}
    files = [FileProperties(own, file) for file in ("one", "two") for _ in range(300)]
    folder = FolderProperties([*files, FileProperties({}, "one")])
    looked_at = []
    look = FolderProperties._shared
    monkeypatch.setattr(
        FolderProperties, "_shared", lambda *of: looked_at.append(of[1:]) or look(*of)
    )

    assert folder.sharing_with(5) == [*range(300, 600)]
    assert folder.sharing_with(600) == []
    listed = [(0, 1), (7, 400), (400, 7), (599, 600)]
    assert folder.rare_among(listed) == [(7, 400), (400, 7)]
    assert folder.pairs() == [(a, b) for a in range(300) for b in range(300, 600)]
    assert looked_at == [(0, 300)]


def test_the_command_says_who_shares_what(folder, tmp_path, capsys):
    answer = tmp_path / "answer.json"
    form = tmp_path / "form.docx"

    assert main(["properties", str(folder), "--template", str(form), "--json", str(answer)]) == 0

    shown = capsys.readouterr().out
    assert "6 documents, 5 with properties; 2 pairs share a rare property" in shown
    assert "Editing sessions: 2 the same, of 2 in A and 3 in B · 1 of them in no other" in shown
    written = json.loads(answer.read_text("utf-8"))
    assert [(one["a"], one["b"]) for one in written["pairs"]] == [
        ("essays/a.docx", "essays/b.docx"),
        ("essays/b.docx", "essays/copy of a.docx"),
    ]
    (session, *_) = written["pairs"][0]["properties"]
    assert session["values"][0] == {"value": A, "files": 2}


def test_a_scanned_folder_tells_as_long_as_its_files_are_those_that_were_scanned(folder):
    with closing(scan([folder], ScanSettings(k=3))) as result:
        (folder / "c.docx").write_bytes(document(5, "Zed", A))
        (folder / "b.docx").rename(folder.parent / "elsewhere.docx")
        told = properties_of_documents(result.documents, reading=ReadingSettings())
        names = [one.name for one in result.documents]

    of = dict(zip(names, told.documents, strict=True))
    assert of["a.docx"].properties[SAVED_BY.code] == ("Ada",)
    assert of["c.docx"].properties == of["b.docx"].properties == {}
    assert of["sub/plain.txt"].properties == {}


@pytest.mark.parametrize("bad", ["broken.docx", "locked.pdf"])
def test_a_file_that_cannot_be_opened_costs_only_itself(folder, bad, capsys):
    (folder / bad).write_bytes(b"PK\x03\x04broken" if bad.endswith("docx") else b"%PDF-1.4 no")

    assert main(["properties", str(folder), "--all"]) == 0

    assert "2 pairs share a rare property" in capsys.readouterr().out


def test_nothing_there_is_said(tmp_path, capsys):
    assert main(["properties", str(tmp_path)]) == 2
    assert "no file" in capsys.readouterr().err


def test_dates_read_well_and_one_that_cannot_be_true_is_marked():
    file = FileProperties(
        {CREATED.code: ("1601-01-01T00:00:00Z",), SAVED.code: ("2026-03-01T09:00:00Z",)}
    )

    assert [*file_in_words(file)] == [
        "Created: 1601-01-01T00:00:00Z (cannot be true)",
        "Last saved: 2026-03-01 09:00:00 UTC",
    ]


@pytest.mark.parametrize(
    ("documents", "same", "is_rare"), [(3, 1, True), (60, 1, False), (60, 2, True)]
)
def test_numbers_drawn_at_random_are_the_same_by_chance_in_a_large_folder(documents, same, is_rare):
    of = [[f"00{9_000_000 + 1_000 * n + m:06X}" for m in range(100)] for n in range(documents)]
    of[1][:same] = of[0][:same]
    folder = FolderProperties([FileProperties({SESSIONS.code: tuple(one)}) for one in of])

    assert folder.pairs() == [(0, 1)] * is_rare
    assert [one.is_rare for one in folder.shared(0, 1)] == [is_rare]

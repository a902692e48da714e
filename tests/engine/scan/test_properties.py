"""Which files share what few files have; from the files to the terminal, as JSON, in a scan.

An order is said where the sessions and something else speak for it, and never otherwise.
"""

import json
from contextlib import closing
from itertools import cycle

import pytest

from core.documents.properties import (
    CREATED,
    CREATED_BY,
    EARLIER_IDS,
    FILE_IDS,
    PRINTED,
    PROGRAM,
    SAVED,
    SAVED_BY,
    SESSION_TEXTS,
    SESSIONS,
    VERSIONS,
    contradicting,
)
from core.documents.reading_settings import ReadingSettings
from core.reports.properties_words import file_in_words, order_in_words, shared_in_words
from core.scan.file_order import FileOrder, Indication, direct_origins, order_trees, orders_within
from core.scan.flow import scan
from core.scan.properties import FileProperties, FolderProperties, properties_of_documents
from core.settings import ScanSettings
from tests.archives import zipped
from tests.engine.documents.readers.test_properties import WORD
from tests.texts import folder_with

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
    listed = "".join(f'<w:rsid w:val="{session}"/>' for session in sessions)
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
    return zipped({**LINKS, **parts})


def core_property(name, value):
    """An element of the core properties, in its namespace."""
    if name in {"created", "modified"}:
        return f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{value}</dcterms:{name}>'
    space = "dc" if name in {"creator", "title"} else "cp"
    return f"<{space}:{name}>{value}</{space}:{name}>"


def document(number, author, *sessions):
    """A Word document with unique words."""
    words = " ".join(f"word{number}x{n}" for n in range(60))
    picture = bytes([number]) * 600
    return word_file(words, sessions, picture=picture, creator=author, lastModifiedBy=author)


@pytest.fixture
def folder(tmp_path):
    """Two files of one author with a session in common, two others of one form."""
    (tmp_path / "form.docx").write_bytes(document(4, "Office", C))
    files = {
        "a.docx": document(1, "Ada", A, C),
        "b.docx": document(2, "Bo", A, B, C),
        "c.docx": document(3, "Cy", C),
        "copy of a.docx": document(1, "Ada", A, C),
        "sub/plain.txt": "words " * 40,
    }
    return folder_with(tmp_path / "essays", files)


def test_rare_values_are_those_of_few_files_and_no_template():
    def file_of(*values, **options):
        return FileProperties({SESSIONS.code: values}, **options)

    folder = FolderProperties(
        [
            file_of(A, C),
            file_of(A, B),
            file_of(C),
            file_of(C, is_template=True),
            file_of(C),
            *[file_of(B)] * 3,
        ]
    )

    assert folder.pairs() == [(0, 1)]
    (shared,) = folder.shared(0, 1)
    assert (shared.values, shared.files, shared.alone, shared.is_rare) == ((A,), (2,), 1, True)
    assert [shared.is_rare for shared in folder.shared(0, 2)] == [False]


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

    assert [value.is_rare for value in shared("2026-03-01T09:00:00Z")] == [False]
    assert [value.is_rare for value in shared("2026-03-01T09:00:07Z")] == [True]


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
    times = {CREATED.code: ("2026-03-02T09:00:07Z",), PRINTED.code: ("2025-03-02T09:00:07Z",)}
    printed = {PRINTED.code: times[PRINTED.code]}
    assert [*contradicting(times)] == [PRINTED]
    assert FolderProperties([FileProperties(times), FileProperties(printed)]).shared(0, 1)


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


def test_copies_of_a_file_count_once_and_share_no_evidence():
    saved_by = {SAVED_BY.code: ("r.keller",)}
    folder = FolderProperties(
        [
            FileProperties(saved_by, "one"),
            FileProperties(saved_by, "one"),
            FileProperties(saved_by, "two"),
        ]
    )

    assert folder.shared(0, 1) == ()
    assert folder.pairs() == [(0, 2), (1, 2)]
    assert folder.files_with(SAVED_BY, "r.keller") == 2


def test_what_two_files_share_is_looked_at_once_whatever_copies_there_are(monkeypatch):
    saved_by = {SAVED_BY.code: ("r.keller",)}
    files = [FileProperties(saved_by, file) for file in ("one", "two") for _ in range(300)]
    folder = FolderProperties([*files, FileProperties({}, "one")])
    looked_at = []
    look = FolderProperties._shared
    monkeypatch.setattr(
        FolderProperties,
        "_shared",
        lambda *arguments: looked_at.append(arguments[1:]) or look(*arguments),
    )

    assert folder.sharing_with(5) == [*range(300, 600)]
    assert folder.sharing_with(600) == []
    listed = [(0, 1), (7, 400), (400, 7), (599, 600)]
    assert folder.rare_among(listed) == [(7, 400), (400, 7)]
    assert folder.pairs() == [(a, b) for a in range(300) for b in range(300, 600)]
    assert looked_at == [(0, 300)]


def test_the_command_says_who_shares_what(folder, tmp_path, neardup):
    answer = tmp_path / "answer.json"
    form = tmp_path / "form.docx"

    shown = neardup("properties", folder, "--template", form, "--json", answer).out
    assert "6 documents, 5 with properties; 2 pairs share a rare property" in shown
    assert "Editing sessions: 2 the same, of 2 in A and 3 in B · 1 of them in no other" in shown
    written = json.loads(answer.read_text("utf-8"))
    assert [(pair["a"], pair["b"]) for pair in written["pairs"]] == [
        ("essays/a.docx", "essays/b.docx"),
        ("essays/b.docx", "essays/copy of a.docx"),
    ]
    (session, *_) = written["pairs"][0]["properties"]
    assert session["values"][0] == {"value": A, "files": 2}


def test_a_scanned_folder_gives_properties_while_its_files_are_unchanged(folder):
    with closing(scan([folder], ScanSettings(k=3))) as result:
        (folder / "c.docx").write_bytes(document(5, "Zed", A))
        (folder / "b.docx").rename(folder.parent / "elsewhere.docx")
        properties = properties_of_documents(result.documents, reading=ReadingSettings())
        names = [document.name for document in result.documents]

    by_name = dict(zip(names, properties.documents, strict=True))
    assert by_name["a.docx"].properties[SAVED_BY.code] == ("Ada",)
    assert by_name["c.docx"].properties == by_name["b.docx"].properties == {}
    assert by_name["sub/plain.txt"].properties == {}


@pytest.mark.parametrize("bad", ["broken.docx", "locked.pdf"])
def test_a_file_that_cannot_be_opened_costs_only_itself(folder, bad, neardup):
    (folder / bad).write_bytes(b"PK\x03\x04broken" if bad.endswith("docx") else b"%PDF-1.4 no")

    assert "2 pairs share a rare property" in neardup("properties", folder, "--all").out


def test_an_empty_folder_is_reported(tmp_path, neardup):
    assert "no file" in neardup("properties", tmp_path, status=2).err


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
    drawn = [[f"00{9_000_000 + 1_000 * n + m:06X}" for m in range(100)] for n in range(documents)]
    drawn[1][:same] = drawn[0][:same]
    folder = FolderProperties(
        [FileProperties({SESSIONS.code: tuple(sessions)}) for sessions in drawn]
    )

    assert folder.pairs() == [(0, 1)] * is_rare
    assert [shared.is_rare for shared in folder.shared(0, 1)] == [is_rare]


FORM = ("00F00001", "00F00002")  # sessions of a form that everybody got
TIMES = {"early": "2026-03-04T10:00:00Z", "late": "2026-03-08T22:00:00Z", "": None}
MS_WORD = "Microsoft Office Word 16.0000"
LIBRE = "LibreOffice/7.4.7.2$Linux_X86_64 LibreOffice_project/40$Build-2"
IMPOSSIBLE = "1601-01-01T00:00:00Z"


def file(
    sessions,
    saved="",
    saver="",
    *,
    maker="Ada",
    created="2026-03-01T09:00:00Z",
    program=MS_WORD,
    **options,
):
    values = {
        SESSIONS: [*FORM, *(f"00A0000{session}" for session in sessions)],
        CREATED: [created],
        CREATED_BY: [maker],
        SAVED: [TIMES.get(saved, saved)],
        SAVED_BY: [saver or None],
        PROGRAM: [program],
    }
    by_code = {kind.code: tuple(filter(None, entries)) for kind, entries in values.items()}
    return FileProperties(
        {code: entries for code, entries in by_code.items() if entries}, **options
    )


def orders_of(*files):
    """The orders within these files, in a folder with others that have the form."""
    return orders_within(FolderProperties([*files, file("8"), file("9")]), range(len(files)))


@pytest.mark.parametrize(
    ("first", "second", "earlier"),
    [
        (file("12", "early"), file("123", "late"), 0),
        (file("123", "late"), file("12", "early"), 1),
        (file("12", saver="Ada"), file("123", saver="Bo"), 0),
        (file("12", "early", "Ada"), file("123", "late", "Bo"), 0),
        (file("12"), file("123"), None),  # one indication
        (file("12", "early", "Ada", program="WPS"), file("123", "late", "Bo"), None),
        (file("12", "early", "Ada", program=LIBRE), file("123", "late", "Bo", program=LIBRE), 0),
        (file("12", "early", program=f"{LIBRE} 15.0000"), file("123", "late"), None),  # in DOCX
        (file("12", "late"), file("123", "early"), None),  # the dates contradict
        (file("12", "early", "Bo"), file("123", "late", "Ada"), None),  # the people do
        (file("124", "early", "Ada"), file("123", "late", "Bo"), None),  # both from a third
        (file("12", "early"), file("12", "late"), None),
        (file("12", IMPOSSIBLE), file("123", "late"), None),
        (file("12", "early", created="2026-05-01T09:00:00Z"), file("123", "late"), None),
        (file("12", "2026-03-08T10:00:00"), file("123", "late"), None),  # in what time zone
        (file("12", "2026-03-06T10:00:00"), file("123", "late"), 0),
        (file("12", saver="user", maker="user"), file("123", saver="Bo", maker="user"), None),
    ],
)
def test_two_agree_and_none_contradicts(first, second, earlier):
    assert next((order.earlier for order in orders_of(first, second)), None) == earlier


def test_a_form_that_others_have_gives_no_order():
    assert orders_of(file("", "early", "Ada"), file("2", "late", "Bo")) == []


def test_a_template_gives_no_order():
    files = [file("12", "early"), file("123", "late"), file("12", is_template=True)]
    assert orders_within(FolderProperties(files), [0, 1]) == []


def test_a_chain_leads_from_one_to_the_next():
    orders = orders_of(
        file("123", "2026-03-06T10:00:00Z"), file("12", "early"), file("1234", "late")
    )
    assert len(orders) == 3
    assert direct_origins(orders) == {0: [1], 2: [0]}


def pdf(file_id, earlier="", versions="", saved="", created="2026-03-01T09:00:00Z"):
    values = {
        FILE_IDS: ["origin", *file_id, *earlier],
        EARLIER_IDS: [*earlier],
        VERSIONS: [*versions] or [f"only {file_id}"],
        CREATED: [created],
        SAVED: [TIMES.get(saved, saved)],
    }
    by_code = {kind.code: tuple(filter(None, entries)) for kind, entries in values.items()}
    return FileProperties({code: entries for code, entries in by_code.items() if entries})


@pytest.mark.parametrize(
    ("first", "second", "earlier"),
    [
        (pdf("x", saved="early"), pdf("y", "x", saved="late"), 0),
        (pdf("y", "x", saved="late"), pdf("x", saved="early"), 1),
        (pdf("x"), pdf("y", "x", saved="late"), 0),  # was not changed since it was made
        (pdf("x"), pdf("y", "x"), None),  # one indication
        (pdf("x", saved="late"), pdf("y", "x", saved="early"), None),  # the dates contradict
        (pdf("y", "x", saved="early"), pdf("z", "x", saved="late"), None),  # both from a third
        (pdf("x", versions="1"), pdf("y", "x", versions="12"), 0),
        (pdf("x", versions="1"), pdf("x", versions="12"), 0),  # bytes are proof enough
        (pdf("x", versions="1", saved="late"), pdf("x", versions="12", saved="early"), None),
        (pdf("x", versions="13"), pdf("y", "x", versions="12", saved="late"), None),
        (pdf("y", "xz"), pdf("z", "xy", saved="late"), None),  # each names the other
    ],
)
def test_a_pdf_is_earlier_whose_identifier_or_bytes_another_keeps(first, second, earlier):
    orders = orders_within(FolderProperties([first, second]), range(2))
    assert next((order.earlier for order in orders), None) == earlier


def test_pdfs_of_one_form_have_no_order():
    files = [pdf("x", saved="early"), pdf("y", "x", saved="late"), pdf("z", "x", saved="late")]
    assert orders_within(FolderProperties(files), [0, 1]) == []


@pytest.mark.parametrize(
    ("first", "second", "sentences"),
    [
        (
            pdf("x", versions="1"),
            pdf("y", "x", versions="12"),
            ["b begins with the whole of a, byte for byte.",
             "b lists the identifier of a among its earlier ones.",
             "Consistent with: b came from a."],
        ),
        (
            pdf("y", "x", versions="13"),
            pdf("z", "x", versions="12"),
            ["a and b start from the same version; each was then saved separately."],
        ),
    ],
)  # fmt: skip
def test_what_speaks_for_the_order_of_pdfs_is_reported(first, second, sentences):
    (order,) = orders_within(FolderProperties([first, second]), range(2))
    assert [*order_in_words(order, "ab".__getitem__)] == sentences


def tree_of(*files):
    (tree,) = order_trees(orders_of(*files))
    lines = [
        (tree.documents[edge.above], tree.documents[edge.below], edge.column, edge.order.earlier)
        for edge in tree.edges
    ]
    return tree, lines


def test_a_tree_has_each_file_below_the_one_it_came_from():
    tree, lines = tree_of(
        file("1234", "late"),
        file("12", "early"),
        file("125", "late"),
        file("123", "2026-03-06T10:00:00Z"),
    )
    assert [*zip(tree.documents, tree.depths, strict=True)] == [(1, 0), (2, 1), (3, 1), (0, 2)]
    assert sorted(lines) == [(1, 2, 0, 1), (1, 3, 0, 1), (3, 0, 0, 3)]


def test_a_line_without_an_order_only_joins_what_nothing_else_does():
    _, lines = tree_of(
        file("12", "early"), file("123", "late"), file("124", "late"), file("25", "late")
    )
    assert sorted(lines) == [(0, 1, 0, 0), (0, 2, 0, 0), (0, 3, 1, None)]


def test_a_file_that_came_from_two_has_a_line_from_each():
    tree, lines = tree_of(file("1", "early"), file("2", "early"), file("12", "late"))
    assert [*zip(tree.documents, tree.depths, strict=True)] == [(0, 0), (2, 1), (1, 0)]
    assert sorted(lines) == [(0, 2, 0, 0), (1, 2, 1, 1)]


def test_where_no_order_is_known_nothing_is_drawn():
    orders = orders_of(file("123", "early"), file("124", "late"))
    assert [order.earlier for order in orders] == [None]
    assert order_trees(orders) == []


def test_properties_that_lead_round_are_drawn_all_the_same():
    two = [Indication(SESSIONS, 0), Indication(SAVED, 0)]
    round_about = [
        FileOrder(a, b, [indication._replace(earlier=a) for indication in two])
        for a, b in ((0, 1), (1, 2), (2, 0))
    ]
    (tree,) = order_trees(round_about)
    assert sorted(tree.documents) == [0, 1, 2]
    assert len(tree.edges) == 3


def test_it_says_what_it_is_consistent_with_and_why():
    (order,) = orders_of(file("12", "early", "Ada"), file("123", "late", "Bo"))
    assert [*order_in_words(order, ["one.docx", "two.docx"].__getitem__)] == [
        "two.docx has all editing sessions of one.docx, and more.",
        "one.docx was last saved before two.docx.",
        "Both name the same person as creator; only one.docx was last saved under that name.",
        "Consistent with: two.docx came from one.docx.",
    ]


def test_in_a_large_group_one_session_in_common_is_chance():
    files = [
        FileProperties({SESSIONS.code: tuple(f"00{500 + n}{m:03}" for m in range(100))})
        for n in range(60)
    ]
    same = files[0].properties[SESSIONS.code]
    for shared, orders in ((1, 0), (3, 1)):
        sessions = files[1].properties[SESSIONS.code][shared:] + same[:shared]
        files[2] = FileProperties({SESSIONS.code: sessions})
        folder = FolderProperties([files[0], *files[2:]])
        assert len(orders_within(folder, range(59))) == orders

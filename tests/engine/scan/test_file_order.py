"""An order is said where the sessions and something else speak for it, and never otherwise."""

import pytest

from core.documents.properties import (
    CREATED,
    CREATED_BY,
    EARLIER_IDS,
    FILE_IDS,
    PROGRAM,
    SAVED,
    SAVED_BY,
    SESSIONS,
    VERSIONS,
)
from core.reports.properties_words import order_in_words
from core.scan.file_order import (
    FileOrder,
    Indication,
    direct_origins,
    order_trees,
    orders_within,
)
from core.scan.properties import FileProperties, FolderProperties

FORM = ("00F00001", "00F00002")  # sessions of a form that everybody got
TIMES = {"early": "2026-03-04T10:00:00Z", "late": "2026-03-08T22:00:00Z", "": None}
WORD = "Microsoft Office Word 16.0000"
OFFICE = "LibreOffice/7.4.7.2$Linux_X86_64 LibreOffice_project/40$Build-2"
IMPOSSIBLE = "1601-01-01T00:00:00Z"


def file(
    sessions,
    saved="",
    saver="",
    *,
    maker="Ada",
    created="2026-03-01T09:00:00Z",
    program=WORD,
    **others,
):
    values = {
        SESSIONS: [*FORM, *(f"00A0000{one}" for one in sessions)],
        CREATED: [created],
        CREATED_BY: [maker],
        SAVED: [TIMES.get(saved, saved)],
        SAVED_BY: [saver or None],
        PROGRAM: [program],
    }
    told = {kind.code: tuple(filter(None, of)) for kind, of in values.items()}
    return FileProperties({code: of for code, of in told.items() if of}, **others)


def told(*files):
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
        (file("12", "early", "Ada", program=OFFICE), file("123", "late", "Bo", program=OFFICE), 0),
        (file("12", "early", program=f"{OFFICE} 15.0000"), file("123", "late"), None),  # in DOCX
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
    assert next((one.earlier for one in told(first, second)), None) == earlier


def test_a_form_that_others_have_gives_no_order():
    assert told(file("", "early", "Ada"), file("2", "late", "Bo")) == []


def test_a_template_gives_none_though_nobody_else_has_it():
    files = [file("12", "early"), file("123", "late"), file("12", is_template=True)]
    assert orders_within(FolderProperties(files), [0, 1]) == []


def test_a_chain_leads_from_one_to_the_next():
    orders = told(file("123", "2026-03-06T10:00:00Z"), file("12", "early"), file("1234", "late"))
    assert len(orders) == 3
    assert direct_origins(orders) == {0: [1], 2: [0]}


def pdf(own, earlier="", versions="", saved="", created="2026-03-01T09:00:00Z"):
    values = {
        FILE_IDS: ["origin", *own, *earlier],
        EARLIER_IDS: [*earlier],
        VERSIONS: [*versions] or [f"only {own}"],
        CREATED: [created],
        SAVED: [TIMES.get(saved, saved)],
    }
    told = {kind.code: tuple(filter(None, of)) for kind, of in values.items()}
    return FileProperties({code: of for code, of in told.items() if of})


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
    ("first", "second", "said"),
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
def test_what_speaks_for_the_order_of_pdfs_is_said(first, second, said):
    (order,) = orders_within(FolderProperties([first, second]), range(2))
    assert [*order_in_words(order, "ab".__getitem__)] == said


def tree_of(*files):
    (tree,) = order_trees(told(*files))
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
    orders = told(file("123", "early"), file("124", "late"))
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
    (order,) = told(file("12", "early", "Ada"), file("123", "late", "Bo"))
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
        other = files[1].properties[SESSIONS.code][shared:] + same[:shared]
        files[2] = FileProperties({SESSIONS.code: other})
        folder = FolderProperties([files[0], *files[2:]])
        assert len(orders_within(folder, range(59))) == orders

"""A report with file properties has those of its documents; it can be checked."""

import json
import re
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest

from core.commands.main import main
from core.documents.properties import SAVED, SESSIONS
from core.reports.formats import EXPORTS, write_report
from core.reports.from_scan import report_of
from core.reports.pseudonyms.key import NameKey
from core.reports.report_choice import ReportChoice, Scope
from core.reports.sections.documents import COLUMNS, ROWS, WIDTH, order_picture
from core.scan.file_order import FileOrder, Indication, order_trees, tree_parts
from core.scan.flow import scan
from core.settings import ScanSettings
from core.verify import verify
from core.verify.comparison import Topic
from tests.engine.reports.test_hostile_reports import read
from tests.engine.reports.test_record_schema import wrong
from tests.engine.reports.test_scopes import bytes_in
from tests.engine.scan.test_properties import word_file
from tests.texts import rows_of_csv

SHARED = " ".join(f"shared{n}" for n in range(80))
PEOPLE = {"one": "Gerlinde Uhu", "two": "Gerlinde Uhu", "three": "Fremder Zaunkönig"}
COMPANY, TEMPLATE = "Vogelwarte Helgoland", "C:/Users/guhu/Diplomarbeit.dotx"
ENDINGS = [export.endings[0] for export in EXPORTS]
TELLING = [ending for ending in ENDINGS if ending not in (".graphml", ".zip")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("essays")
    for number, (name, author) in enumerate(PEOPLE.items()):
        data = word_file(
            f"{SHARED}\n{' '.join(f'{name}{n}' for n in range(30))}",
            ["00AA0001", *["00BB0001"] * number] if name != "three" else ["00CC0001"],
            app=f"<Company>{COMPANY}</Company><Template>{TEMPLATE}</Template>"
            "<TotalTime>4711</TotalTime><Application>Microsoft Office Word</Application>",
            creator=author,
            lastModifiedBy=author,
            created=f"2019-05-0{number + 1}T10:11:12Z",
            modified=f"2019-05-1{number + 1}T10:11:12Z",
        )
        (folder / f"{name}.docx").write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def scanned(folder):
    with closing(scan([folder], ScanSettings(k=3))) as result:
        result.list_pairs()  # which begins the threads that stay for all tests
        yield result


def written(scanned, path, key=None, **choice):
    choice = ReportChoice(**{"file_properties": True, **choice})
    write_report(path, report_of(scanned, scanned.list_pairs(), choice=choice, key=key))
    return path


def properties_in(path):
    return b"\n".join(bytes_in(path)).decode("utf-8", "replace")


@pytest.mark.parametrize("ending", TELLING)
def test_they_are_reported_where_requested_and_nowhere_else(scanned, tmp_path, ending):
    without = properties_in(written(scanned, tmp_path / f"without{ending}", file_properties=False))
    assert "Gerlinde" not in without
    assert "file properties" not in without.lower()
    expected = "created_by+saved_by+sessions" if ending == ".csv" else "Gerlinde Uhu"
    assert expected in properties_in(written(scanned, tmp_path / f"with{ending}"))


@pytest.mark.parametrize("ending", TELLING)
def test_who_made_a_file_becomes_neither_markup_nor_a_formula(tmp_path, ending):
    contents = []
    for folder_name, author in (
        ("tame", "Ada"),
        ("wild", "=1+1&lt;script&gt;alert(1)&lt;/script&gt;"),
    ):
        folder = tmp_path / folder_name / "essays"
        folder.mkdir(parents=True)
        for number in range(2):
            text = f"{SHARED}\n{' '.join(f'own{number}x{n}' for n in range(30))}"
            data = word_file(text, [], creator=author, title=author, company=author)
            (folder / f"{number}.docx").write_bytes(data)
        with closing(scan([folder], ScanSettings(k=3))) as result:
            contents.append(read(written(result, tmp_path / folder_name / f"r{ending}")))
    assert contents[0].build == contents[1].build
    assert ending == ".csv" or "=1+1<script>alert(1)</script>" in "".join(contents[1].words)


@pytest.mark.parametrize("ending", ENDINGS)
def test_other_documents_are_not_mentioned(scanned, tmp_path, ending):
    pair = written(scanned, tmp_path / f"pair{ending}", scope=Scope.PAIR, documents=(0, 2))
    assert [document.name for document in scanned.documents][1] == "three.docx"
    assert "Zaunk" not in properties_in(pair)
    assert "00CC0001" not in properties_in(pair)


@pytest.mark.parametrize("ending", ENDINGS)
def test_without_names_only_numbers_are_reported(scanned, tmp_path, ending):
    path = written(scanned, tmp_path / f"r{ending}", key=NameKey(), names=False)
    text = properties_in(path)
    names = (
        *PEOPLE.values(),
        "Gerlinde",
        COMPANY,
        "Vogelwarte",
        TEMPLATE,
        "guhu",
        "2019-05",
        "00AA",
    )
    assert [name for name in names if name in text] == []
    assert "4711" in text or ending not in (".html", ".pdf", ".json")


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("ending", [".html", ".pdf", ".json"])
def test_verify_reads_them_again(scanned, folder, tmp_path, ending, names):
    key = None if names else NameKey()
    path = written(scanned, tmp_path / f"r{ending}", key=key, names=names)
    check = verify(path, [folder], key=key)
    assert check.agrees
    checked = [count for count in check.counts if count.topic is Topic.PROPERTIES]
    assert [(count.checked, count.agreed) for count in checked] == [(5, 5)]


def picture_in(path):
    """The words of the picture in a page, and what it says to those who do not see it."""
    page = path.read_text("utf-8").partition('id="file-properties"')[2]
    label, drawing = re.findall(r'role="img" aria-label="([^"]*)">(<svg.*?</svg>)', page)[0]
    texts = ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return [text.text for text in texts], label


def test_the_order_is_drawn(scanned, tmp_path):
    words, label = picture_in(written(scanned, tmp_path / "r.html"))
    assert words == ["one.docx", "two.docx", "1"]
    assert label == "Consistent with: two.docx came from one.docx."


def test_names_that_are_withheld_are_not_drawn(scanned, tmp_path):
    path = written(scanned, tmp_path / "r.html", key=NameKey(), names=False)
    words, label = picture_in(path)
    assert len(words) == 3
    assert words[0] in label
    assert not {"one.docx", "two.docx"} & {*words}
    assert "one.docx" not in label


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("essay.docx", "essay.docx", "essay.docx"),
        ("essay " * 40 + "second version.docx", "essay essay", "second version.docx"),
        ("研究" * 60 + ".docx", "研究研究", "研究.docx"),
        ("\x01 & <b>.docx", "\u2401 & <b>.docx", ".docx"),
        ("\u05d0\u05d1.docx", "\u2068\u05d0\u05d1", ".docx\u2069"),
    ],
)
def test_names_are_drawn_as_far_as_there_is_room(name, start, end):
    two = (Indication(SESSIONS, 0), Indication(SAVED, 0))
    order = FileOrder(0, 1, two)
    (tree,) = order_trees([order])
    picture = order_picture(tree, {order: 7}, [name, "b.docx"].__getitem__)
    drawing = ET.fromstring(picture.svg)
    (shown, *_), space = drawing.iter("{http://www.w3.org/2000/svg}text"), "{*}rect"
    assert shown.text.startswith(start)
    assert shown.text.endswith(end)
    assert float(drawing.find(space).get("width")) < 640
    assert picture.width <= 1


@pytest.mark.parametrize(
    "origins",
    [
        {later: [later - 1] for later in range(1, 61)},
        {later: [min(later - 1, 12)] for later in range(1, 18)},
        {later: [0, 1] for later in range(2, 27)},
        {later: [*range(12)] for later in range(12, 24)},
    ],
)
def test_large_families_are_drawn_in_parts_that_can_be_read(origins):
    orders = [
        FileOrder(a, b, (Indication(SESSIONS, a), Indication(SAVED, a)))
        for b, of_file in origins.items()
        for a in of_file
    ]
    (tree,) = order_trees(orders)
    numbers = {order: number for number, order in enumerate(orders, 1001)}
    drawn = []
    for part in tree_parts(tree, ROWS, COLUMNS):
        drawing = ET.fromstring(
            order_picture(part, numbers, lambda document: f"version {document}.docx").svg
        )
        assert float(drawing.get("width")) <= WIDTH
        assert float(drawing.get("height")) <= 900
        texts = [text.text for text in drawing.findall("{*}text")]
        assert texts[: len(part.documents)] == [f"version {n}.docx" for n in part.documents]
        drawn += texts[len(part.documents) :]
        stems = [re.findall(r"[\d.]+", path.get("d")) for path in drawing.findall("{*}path")]
        assert all(float(x[0]) < float(x[3]) for x in stems if len(x) == 4)
    assert sorted(drawn) == [f"{number:,}" for number in numbers.values()]


def test_what_was_changed_in_them_is_found(scanned, folder, tmp_path):
    path = written(scanned, tmp_path / "r.json")
    record = json.loads(path.read_text("utf-8"))
    assert wrong(record) == []
    (shared,) = record["shared_properties"]
    sessions = next(entry for entry in shared["shared"] if entry["kind"] == "sessions")
    assert (sessions["number"], sessions["of_b"], sessions["files"]) == (1, 2, 2)
    assert sessions["text_of_a"] == 1
    assert 0.8 < sessions["text_of_b"] < 0.9
    assert [order["earlier"] for order in record["file_orders"]] == ["one.docx"]
    path.write_text(path.read_text("utf-8").replace("Fremder Zaun", "Anderer Zaun"), "utf-8")
    assert Topic.PROPERTIES in {finding.topic for finding in verify(path, [folder]).findings}


def test_the_command_line_asks_for_them(folder, tmp_path):
    table = tmp_path / "pairs.csv"
    arguments = ["scan", str(folder), "--quiet", "--pairs", str(table), "--k", "3"]
    assert main([*arguments, "--file-properties"]) == 0
    rows = {(row["doc_a"], row["doc_b"]): row["shared_properties"] for row in rows_of_csv(table)}
    assert rows["one.docx", "two.docx"] == "created_by+saved_by+sessions"
    assert rows["one.docx", "three.docx"] == ""

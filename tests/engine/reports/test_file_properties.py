"""A report that is asked for what its files tell has that of its documents; it can be checked."""

import csv
import json
from contextlib import closing

import pytest

from core.commands.main import main
from core.reports.choice import ReportChoice, Scope
from core.reports.formats import EXPORTS, write_report
from core.reports.from_scan import report_of
from core.reports.withheld.key import NameKey
from core.scan.flow import scan
from core.settings import ScanSettings
from core.verify import Topic, verify
from tests.engine.reports.test_record_schema import wrong
from tests.engine.reports.test_scopes import bytes_in
from tests.engine.scan.test_properties import word_file

SHARED = " ".join(f"shared{n}" for n in range(80))
PEOPLE = {"one": "Gerlinde Uhu", "two": "Gerlinde Uhu", "three": "Fremder Zaunkönig"}
COMPANY, TEMPLATE = "Vogelwarte Helgoland", "C:/Users/guhu/Diplomarbeit.dotx"
ENDINGS = [one.endings[0] for one in EXPORTS]
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
        yield result


def written(scanned, path, key=None, **choice):
    choice = ReportChoice(**{"file_properties": True, **choice})
    write_report(path, report_of(scanned, scanned.list_pairs(), choice=choice, key=key))
    return path


def told(path):
    return b"\n".join(bytes_in(path)).decode("utf-8", "replace")


@pytest.mark.parametrize("ending", TELLING)
def test_they_are_told_where_asked_for_and_nowhere_else(scanned, tmp_path, ending):
    without = told(written(scanned, tmp_path / f"without{ending}", file_properties=False))
    assert "Gerlinde" not in without
    assert "file properties" not in without.lower()
    expected = "created_by+saved_by+sessions" if ending == ".csv" else "Gerlinde Uhu"
    assert expected in told(written(scanned, tmp_path / f"with{ending}"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_of_other_documents_nothing_is_told(scanned, tmp_path, ending):
    pair = written(scanned, tmp_path / f"pair{ending}", scope=Scope.PAIR, documents=(0, 2))
    assert [one.name for one in scanned.documents][1] == "three.docx"
    assert "Zaunk" not in told(pair)
    assert "00CC0001" not in told(pair)


@pytest.mark.parametrize("ending", ENDINGS)
def test_without_names_only_numbers_are_told(scanned, tmp_path, ending):
    path = written(scanned, tmp_path / f"r{ending}", key=NameKey(), names=False)
    text = told(path)
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
    assert [one for one in names if one in text] == []
    assert "4711" in text or ending not in (".html", ".pdf", ".json")


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("ending", [".html", ".pdf", ".json"])
def test_verify_reads_them_again(scanned, folder, tmp_path, ending, names):
    key = None if names else NameKey()
    path = written(scanned, tmp_path / f"r{ending}", key=key, names=names)
    found = verify(path, [folder], key=key)
    assert found.agrees
    checked = [one for one in found.counts if one.topic is Topic.PROPERTIES]
    assert [(one.checked, one.agreed) for one in checked] == [(3, 3), (1, 1), (1, 1)]


def test_what_was_changed_in_them_is_found(scanned, folder, tmp_path):
    path = written(scanned, tmp_path / "r.json")
    record = json.loads(path.read_text("utf-8"))
    assert wrong(record) == []
    (shared,) = record["shared_properties"]
    sessions = next(one for one in shared["shared"] if one["kind"] == "sessions")
    assert (sessions["number"], sessions["of_b"], sessions["files"]) == (1, 2, 2)
    assert [one["earlier"] for one in record["file_orders"]] == ["one.docx"]
    path.write_text(path.read_text("utf-8").replace("Fremder Zaun", "Anderer Zaun"), "utf-8")
    assert Topic.PROPERTIES in {one.topic for one in verify(path, [folder]).findings}


def test_the_command_line_asks_for_them(folder, tmp_path):
    table = tmp_path / "pairs.csv"
    arguments = ["scan", str(folder), "--quiet", "--pairs", str(table), "--k", "3"]
    assert main([*arguments, "--file-properties"]) == 0
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = {
            (row["doc_a"], row["doc_b"]): row["shared_properties"] for row in csv.DictReader(file)
        }
    assert rows["one.docx", "two.docx"] == "created_by+saved_by+sessions"
    assert rows["one.docx", "three.docx"] == ""

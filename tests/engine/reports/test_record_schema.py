"""The record of a report has the form that `report.schema.json` says, whatever is in it."""

import copy
import hashlib
import json
import re
from dataclasses import fields
from datetime import UTC, datetime

import jsonschema
import pytest

from core.audit.auditing import audit
from core.base.setting import settings_of
from core.commands.main import main
from core.documents.model import AbsenceKind, PairKey, Role
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.evidence.pairs import FoundBy
from core.exclusions.rules import GIVEN, ExclusionRules, Phrase
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.limits import ReportLimits
from core.reports.pseudonyms.key import NameKey
from core.reports.record import FORMAT, record_pieces, write_json
from core.reports.record.schema import record_schema
from core.reports.record.seal import found_seal, seal_of, write_sealed
from core.reports.report_choice import ReportChoice, Scope, Texts
from core.review.decisions import decide
from core.review.folder_roles import choose_centre, say_language
from core.review.kept_audits import keep_audit
from core.review.verdicts import judge, judge_passage, set_aside, write_note
from core.scan.audit_results import Method, MissReason
from core.scan.flow import scan
from core.scan.groups import group_documents
from core.scan.judgements import PairRows, PassageMeaning, Verdict
from core.scan.scan import Scan, audited_texts
from core.settings import ScanSettings
from core.text.set_aside import Reason
from core.verify import record_in
from tests.texts import folder_with

SCHEMA = record_schema()
FORM = jsonschema.Draft202012Validator(SCHEMA)
OPTIONAL = {"seal", "file_properties", "shared_properties", "file_orders", "unusual_spellings"}
TOGETHER = ReadingSettings(submissions=True)
FEW = ScanSettings(k=3, bands=1, rows=8, min_passage=10_000, compare="bands", reworked="off")


def words(start, count=80):
    return " ".join(f"w{start + index}" for index in range(count))


def wrong(record):
    return [f"{error.json_path}: {error.message[:300]}" for error in FORM.iter_errors(record)]


def recorded(scanned, key=None, **choice):
    """The record of a scan, as a program reads it."""
    report = report_of(scanned, scanned.list_pairs(), choice=ReportChoice(**choice), key=key)
    return json.loads("".join(record_pieces(report, sealed=True)))


def decided(state, both, who="Ruth"):
    return decide(state, *both, who=who)


def write_folders(folder):
    """Folders to review, of references and of templates."""
    folders = [folder / name for name in ("essays", "last year", "sheet")]
    sheet = "Answer these questions in full and name what you have read for it."
    texts = {
        "Ann/one.txt": f"{sheet} {words(0)} “{words(800, 30)}” {words(100)}",
        "Ann/two.txt": words(200),
        "Bob/one.txt": f"{sheet} {words(0)} {words(310, 20)} {words(105, 75)}",
        "c.txt": f"{words(0)} {words(400, 30)}",
        "copy of c.txt": f"{words(0)} {words(400, 30)}",
        "gone.txt": f"{words(40)} {words(500, 20)}",
        "报告.txt": "图书馆的统计报告说明了去年借出的书籍数量以及读者的意见和建议\f第二页",
        "empty.txt": "",
        "broken.docx": b"PK\x03\x04 and no more",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    }
    folder_with(folders[0], texts)
    for kind_folder, text in zip(folders[1:], (f"{words(20)} {words(600)}", sheet), strict=True):
        folder_with(kind_folder, {"its own.txt": text})
    return folders


@pytest.fixture(scope="module")
def everything(tmp_path_factory, pool):
    """A review with everything that a record can hold."""
    folders = write_folders(tmp_path_factory.mktemp("everything"))
    settings, roles = ScanSettings(), list(Role)
    first = scan(folders, settings, roles=roles, reading=TOGETHER, pool=pool)
    (folders[0] / "gone.txt").unlink()
    read = scan(folders, settings, roles=roles, reading=TOGETHER, previous=first.state, pool=pool)
    state = read.state
    pair_list = read.list_pairs()
    rows = PairRows(pair_list.pairs, pair_list.documents)
    keys = [rows.key_of(row) for row in range(len(pair_list.pairs))]
    for key, verdict in zip(keys, list(Verdict)[1:], strict=False):
        state = decided(state, judge(state.judgements, [key], verdict))
    state = decided(state, write_note(state.judgements, keys[:2], "Ask them.\nBoth."))
    group = group_documents(pair_list.pairs, pair_list.documents, state.judgements)[0]
    now, chosen = (
        pair_list.documents[n].text_hash for n in (group.centre, group.members[0].document)
    )
    state = decided(state, choose_centre(state.judgements, now, chosen))
    state = decided(state, say_language(state.judgements, [chosen], "de"))
    rules = ExclusionRules(quotations=True, bibliography=True, repeated=True, common=4)
    rules = rules.with_phrases(Phrase(words(310, 20), reason) for reason in GIVEN[:1])
    state = decided(state, set_aside(state.rules, rules))
    for meaning, start in zip(PassageMeaning, (0, 105, 400), strict=True):
        both = judge_passage(state.judgements, state.rules, words(start, 20), meaning)
        state = decided(state, both)
    texts = audited_texts(read)
    result = audit(texts.texts, settings, method=Method.ALL_PAIRS, count=5)
    kept = keep_audit(result, settings, read.documents, texts.fingerprint)
    state = decided(state, (kept, None))
    return Scan.restored(state, pool)


@pytest.fixture(scope="module")
def full_record(everything):
    return recorded(everything)


def test_the_schema_is_valid_and_strict():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == f"urn:neardup:report:{FORMAT}"
    assert SCHEMA["properties"]["format"]["const"] == FORMAT
    for path, part in _objects(SCHEMA, "$"):
        assert "additionalProperties" in part, path
        if "properties" in part:
            assert part["additionalProperties"] is False, path
            assert set(part["required"]) >= part["properties"].keys() - OPTIONAL, path
            assert set(part["required"]) <= part["properties"].keys(), path


def _objects(part, path):
    """All parts of a schema that are about objects, but for the data of the log."""
    if isinstance(part, dict):
        types = part.get("type")
        if "object" in (types if isinstance(types, list) else [types]) and not path.endswith(
            ".data"
        ):
            yield path, part
        for name, inner in part.items():
            yield from _objects(inner, f"{path}.{name}")


def test_everything_has_its_form(full_record):
    assert wrong(full_record) == []


def test_everything_is_in_it(full_record):
    """Were a list empty, its rows would go unchecked."""
    empty = {name for name, value in full_record.items() if value in ("", [], {}, None)}
    assert empty == {"subject", "shown"}
    assert any(document["members"] for document in full_record["document_list"])
    assert any(document["pages"] for document in full_record["document_list"])
    assert {document["state"] for document in full_record["document_list"]} == {"", "gone"}
    assert {document["role"] for document in full_record["document_list"]} == set(Role)
    assert any(group["copies"] for group in full_record["groups"])
    assert any(group["chosen"] for group in full_record["groups"])
    assert any(spans["spans"] for spans in full_record["set_aside"])
    assert any(passages["passages"] for passages in full_record["passages"])
    assert any(entry["data"] for entry in full_record["log"])
    assert None in [entry["data"] for entry in full_record["log"]]
    assert full_record["set_aside_by"]["phrases"]
    assert full_record["audit"]["all_pairs"]


def test_the_keys_are_those_that_are_documented(full_record):
    keys_text = write_json.__doc__.partition("Keys: ")[2].partition("Returns:")[0]
    bare = re.sub(r"\([^()]*\)", "", keys_text).replace(".", "")
    documented = set(re.split(r",\s+|\s+and\s+", " ".join(bare.split())))
    assert full_record.keys() == {key.strip() for key in documented}
    assert SCHEMA["properties"].keys() - full_record.keys() == OPTIONAL - {"seal"}


def test_what_the_schema_lists_is_what_the_program_has():
    parts = SCHEMA["$defs"]
    assert parts["document"]["properties"]["state"]["enum"] == ["", *AbsenceKind]
    properties = SCHEMA["properties"]
    assert properties["set_aside_by"]["properties"].keys() == vars(ExclusionRules()).keys()
    limits = parts["reading"]["properties"]["limits"]["properties"]
    assert list(limits) == [field.name for field in fields(ReadingLimits)]
    settings = settings_of(ScanSettings)
    assert parts["settings"]["properties"].keys() == settings.keys()
    for name, form in parts["settings"]["properties"].items():
        if "enum" in form:
            assert set(form["enum"]) == set(settings[name].choices), name


def test_every_way_of_finding_a_pair_has_its_form():
    form = SCHEMA["$defs"]["pair"]["properties"]["found_by"]
    for number in range(1, 2 * max(FoundBy)):
        jsonschema.validate(FoundBy(number).label, form, cls=type(FORM))


@pytest.mark.parametrize(
    "choice",
    [
        {"names": False},
        {"texts": Texts.NONE},
        {"texts": Texts.CHANGES},
        {"names": False, "texts": Texts.NONE, "institution": "Harbour College"},
        {"most_passages": 0},
        {"scope": Scope.CONFIRMED},
        {"scope": Scope.PAIR},
        {"scope": Scope.DOCUMENT},
        {"scope": Scope.GROUP},
        {"scope": Scope.GROUP, "names": False},
    ],
    ids=str,
)
def test_whatever_is_asked_for_has_its_form(everything, choice):
    pair_list = everything.list_pairs()
    groups = group_documents(pair_list.pairs, pair_list.documents, everything.decided.judgements)
    about = {
        Scope.PAIR: (int(pair_list.pairs.a[0]), int(pair_list.pairs.b[0])),
        Scope.DOCUMENT: (int(pair_list.pairs.a[0]),),
        Scope.GROUP: tuple(sorted(groups[0].documents)),
    }
    record = recorded(everything, documents=about.get(choice.get("scope"), ()), **choice)
    assert wrong(record) == []
    assert record["pairs"]


@pytest.mark.parametrize("ending", ["json", "html", "pdf"])
def test_the_record_in_each_file_has_its_form(everything, tmp_path, ending):
    path = tmp_path / f"report.{ending}"
    write_report(path, report_of(everything, everything.list_pairs(), choice=ReportChoice()))
    assert wrong(record_in(path).record) == []


@pytest.mark.parametrize(
    "settings",
    [
        ScanSettings(signature="simhash", max_distance=8),
        ScanSettings(compare="all", reworked="off"),
        ScanSettings(compare="bands", reworked="thorough"),
        ScanSettings(unit="char", k=9, white_space="collapse"),
        ScanSettings(language="english", stem=True, drop_stop_words=True, bag=True),
    ],
    ids=["simhash", "all", "bands", "characters", "stems"],
)
def test_whatever_the_settings_are_it_has_its_form(tmp_path, pool, settings):
    folders = write_folders(tmp_path)
    record = recorded(scan(folders[:1], settings, pool=pool))
    assert wrong(record) == []
    assert record["pairs"]


def test_where_nothing_is_found_it_has_its_form(tmp_path, pool):
    (tmp_path / "a.txt").write_text(words(0), encoding="utf-8")
    record = recorded(scan([tmp_path], ScanSettings(), pool=pool))
    assert wrong(record) == []
    assert record["pairs"] == record["passages"] == []


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("reworked", ["off", "careful"])
def test_an_audit_that_missed_something_has_its_form(tmp_path, pool, method, reworked):
    for number in range(6):
        text_words = words(100 * number).split()
        (tmp_path / f"{number}.txt").write_text(" ".join(text_words), "utf-8")
        text_words[10 * number + 5 :: 9] = ["changed"] * len(text_words[10 * number + 5 :: 9])
        (tmp_path / f"{number} again.txt").write_text(" ".join(text_words), "utf-8")
    settings = FEW.with_changes(reworked=reworked)
    read = scan([tmp_path], settings, pool=pool)
    texts = audited_texts(read)
    result = audit(texts.texts, settings, method=method, count=5)
    kept = keep_audit(result, settings, read.documents, texts.fingerprint)
    record = recorded(Scan.restored(decide(read.state, kept, None, who="Ann"), pool))
    assert wrong(record) == []
    part = record["audit"]["all_pairs" if method is Method.ALL_PAIRS else "edited_copies"]
    assert part["missed"] or reworked != "off"
    assert bool(record["audit"]["reworked_passages"]) is (reworked != "off")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", 1),
        ("format", "2"),
        ("program", "Another"),
        ("seal", "neardup-seal:" + "0" * 63),
        ("seal", "neardup-seal:" + "G" * 64),
        ("created", "2026-11-22"),
        ("created", "2026-11-22T10:00:00"),
        ("documents", -1),
        ("documents", "3"),
        ("folders", "essays"),
        ("roles/0", "reviewed"),
        ("missing/0/since", "yesterday"),
        ("settings/k", 5.5),
        ("settings/unit", "letter"),
        ("choice/scope", "some"),
        ("choice/names", 1),
        ("problems/0/problem", "unknown"),
        ("pairs/0/resemblance", 1.5),
        ("pairs/0/resemblance", "0.5"),
        ("pairs/0/exact_duplicate", 2),
        ("pairs/0/found_by", "lsh+"),
        ("pairs/0/found_by", "luck"),
        ("pairs/0/verdict", "maybe"),
        ("pairs/0/when", "at noon"),
        ("judged_passages/0/meaning", "other"),
        ("languages/0/language", "German"),
        ("set_aside/0/spans/0", [1, 2]),
        ("set_aside/0/spans/0/2", "because"),
        ("set_aside_by/phrases/0", ["text", "selection", 3]),
        ("document_list/0/sha256", "ab" * 31),
        ("document_list/0/text_sha256", "AB" * 32),
        ("document_list/0/xxh3", "ab" * 32),
        ("document_list/0/modified", 1_795_348_800),
        ("document_list/0/pages", 0),
        ("passages/0/passages/0/a_start", -1),
        ("log/0/id", 0),
        ("log/0/data", "text"),
        ("ranks/0", 0),
        ("audit/all_pairs/pairs", None),
    ],
)
def test_a_wrong_value_is_refused(full_record, path, value):
    record = copy.deepcopy(full_record)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    part = record
    for step in steps:
        part = part[step]
    assert last in part if isinstance(part, dict) else last < len(part)
    part[last] = value
    assert wrong(record)


def _dictionaries(value):
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value
    for item in inner if isinstance(value, dict | list) else ():
        yield from _dictionaries(item)


PARTS = (
    *("settings", "reading", "choice", "verdicts", "audit", "problems", "pairs", "groups"),
    *("judged_passages", "languages", "set_aside", "document_list", "passages", "set_aside_by"),
)


@pytest.mark.parametrize("name", [None, *PARTS])
def test_an_unknown_or_a_missing_key_is_refused_at_every_level(full_record, name):
    record = copy.deepcopy(full_record)
    shapes = {frozenset(part): part for part in _dictionaries(record[name])} if name else {}
    parts = list(shapes.values()) if name else [record]
    assert parts
    for part in parts:
        part["something else"] = 1
        assert wrong(record)
        del part["something else"]
    for part in parts:
        for key in (
            set(part) - {"seal"} - set(Reason) - {reason.name.lower() for reason in MissReason}
        ):
            kept = part.pop(key)
            assert not FORM.is_valid(record), key
            part[key] = kept
    assert wrong(record) == []


def test_the_command_prints_the_schema_without_a_review(capsys):
    with pytest.raises(SystemExit) as end:
        main(["report", "--schema"])
    assert end.value.code == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA


MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@pytest.fixture
def folder(tmp_path):
    lasts = {"a.txt": "alpha", "b.txt": "beta </script><b>", "c.txt": "gamma"}
    texts = {name: f"{WORDS} {last} {last}" for name, last in lasts.items()}
    return folder_with(tmp_path / "essays", {**texts, "<script><!--.txt": f"{WORDS} omega"})


@pytest.fixture
def judged(folder, pool):
    state = scan([folder], ScanSettings(), pool=pool).state
    pair = PairKey.of(state.documents[1], state.documents[2])
    state = decide(state, *judge(state.judgements, [pair], Verdict.CONFIRMED), who="Ada")
    note = "neardup-seal:" + "1" * 64 + " </script>"
    state = decide(state, *write_note(state.judgements, [pair], note), who="Ada")
    return Scan.restored(state, pool)


def report(scanned, **choice):
    return report_of(scanned, scanned.list_pairs(), choice=ReportChoice(created=MOMENT, **choice))


@pytest.mark.parametrize("name", ["a.json", "a.html"])
def test_the_seal_is_returned_stands_in_the_file_and_reveals_any_change(judged, tmp_path, name):
    path = tmp_path / name
    written = write_report(path, report(judged))

    data = path.read_bytes()
    assert written.size == len(data)
    assert re.fullmatch("[0-9a-f]{64}", written.seal)
    assert found_seal(data) == seal_of(data) == written.seal
    by_hand = data.replace(written.seal.encode(), b"0" * 64)
    assert hashlib.sha256(by_hand).hexdigest() == written.seal
    for position in range(0, len(data), len(data) // 50):
        changed = bytearray(data)
        changed[position] ^= 1
        assert seal_of(bytes(changed)) != found_seal(bytes(changed))
    assert seal_of(data + b" ") != written.seal


def test_formats_without_a_seal_report_none(judged, tmp_path):
    assert write_report(tmp_path / "a.csv", report(judged)).seal == ""


def test_where_names_are_withheld_hashes_reveal_nothing_without_the_key(judged, tmp_path):
    key, choice = NameKey(), ReportChoice(created=MOMENT, names=False)
    made = report_of(judged, judged.list_pairs(), choice=choice, key=key)
    write_report(tmp_path / "a.json", made)
    write_report(tmp_path / "named.json", report(judged))

    record, with_names = (record_in(tmp_path / f"{n}.json").record for n in ("a", "named"))
    named = {document["document"]: document for document in with_names["document_list"]}
    for document in record["document_list"]:
        digests = named[key.name_of(document["document"])]
        for name in ("sha256", "text_sha256", "text_xxh3", "text_hash"):
            assert document[name] == key.hash_of(digests[name]) != digests[name]
            assert len(document[name]) == len(digests[name])
            assert document[name] != NameKey().hash_of(digests[name])
        assert document["xxh3"] == document["modified"] == ""
    assert record["log"] == []


def test_of_very_many_pairs_a_page_holds_those_that_it_shows(judged, tmp_path, monkeypatch):
    few = ReportLimits(table_rows=1)
    monkeypatch.setattr("core.reports.html.LIMITS", few)
    write_report(tmp_path / "a.html", report(judged))

    record = record_in(tmp_path / "a.html").record
    assert len(record["pairs"]) == 1
    assert len(record["document_list"]) == 2
    assert record["pairs_before_filter"] > 1


def test_a_file_that_is_given_up_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="not found"):
        write_sealed(tmp_path / "a.json", ["nothing is sealed"])
    assert not list(tmp_path.iterdir())

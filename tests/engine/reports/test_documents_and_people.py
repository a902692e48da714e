"""What a report says of the documents, of who judged what and when, and of its groups."""

import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from core.base.wording import resemblance, share, threshold
from core.documents.model import Member, PairKey
from core.evidence.measures import measures
from core.evidence.pairs import FoundBy, Pairs
from core.reports.blocks import Table
from core.reports.limits import ReportLimits, left_out
from core.reports.report_choice import ReportChoice, Scope
from core.reports.rows import group_verdicts
from core.reports.sections.documents import documents, groups
from core.reports.sections.summary import who
from core.reports.settings_words import found_in_words, setting_rows, settings_in_words
from core.reports.shown_text import versions
from core.scan.groups import Group
from core.scan.groups import Member as GroupMember
from core.scan.judgements import EarlierText, GivenVerdict, Judgements, Verdict, WrittenNote
from core.settings import PRESETS, ScanSettings
from tests.engine.reports.test_reports import document, make_pairs, make_report

EARLY, LATE = "2026-11-21T09:00:00.000+00:00", "2026-11-22T12:18:31.123+00:00"
SECOND = 1_000_000_000
NAMES = ["b/paper.pdf", "a/报告终稿.txt", "a/" + "long_" * 60 + ".docx", "z.txt"]
LIMITS = ReportLimits()


def file(number, name, **changes):
    values = {
        "text_hash": f"{number}" * 32,
        "file_hash": "ab" * 16,
        "size": 34_567,
        "modified_ns": 1_795_348_800 * SECOND,
    }
    return document(name)._replace(**{**values, **changes})


def report_on(names=NAMES, pairs=((0, 1), (1, 2), (0, 2)), **changes):
    files = [file(number, name) for number, name in enumerate(names)]
    values = {"documents": files, "pairs": make_pairs(list(pairs)), "text_of": lambda _: "word"}
    return make_report(**{**values, **changes})


def tables(section_of, report, limits=LIMITS):
    (section,) = section_of(report, limits)
    return [block for block in section.blocks if isinstance(block, Table)]


def shown(table):
    """The rows as lists of lists of lines."""
    return [
        [["".join(span.text for span in line) for line in cell.lines] for cell in row.cells]
        for part in table.parts
        for row in part
    ]


def prose(section_of, report):
    (section,) = section_of(report, LIMITS)
    blocks = (block for block in section.blocks if not isinstance(block, Table))
    return " ".join("".join(span.text for span in line) for block in blocks for line in block.lines)


# Documents


def test_every_document_is_reported_with_its_file():
    pages = ["one\ftwo\fthree", "word", "word", "word"]
    report = report_on(text_of=pages.__getitem__)
    report.documents[0] = report.documents[0]._replace(kind="pdf", encoding="", language="en")
    (table,) = tables(documents, report)
    rows = shown(table)
    assert [row[0][0] for row in rows] == NAMES[:3]
    assert "1 other document" in table.caption
    first = rows[0]
    facts = "a PDF file, 3 pages, 42 characters, 35 kB, last changed 2026-11-22 12:00 UTC"
    assert first[0][1:] == [facts, f"XXH3 {'ab' * 16}", f"XXH3 of the text {'0' * 32}"]
    assert first[1:] == [["2"], ["English"]]
    assert "pages" not in rows[1][0][1]


def test_every_hash_of_a_file_is_reported():
    report = report_on()
    report.documents[2] = report.documents[2]._replace(sha256="cd" * 32)
    (table,) = tables(documents, report)
    assert shown(table)[2][0][2] == f"SHA-256 {'cd' * 32}"


def test_a_submission_names_its_files():
    members = tuple(Member(f"{n}.txt", 0, 1, 0, "", f"{n}" * 64) for n in range(3))
    report = report_on()
    report.documents[0] = report.documents[0]._replace(members=members)
    (table,) = tables(documents, report, ReportLimits(members=2))
    row = shown(table)[0][0]
    assert row[2] == "3 files, of which 2 are named:"
    assert row[3:5] == [f"0.txt SHA-256 {'0' * 64}", f"1.txt SHA-256 {'1' * 64}"]
    assert "2.txt" not in str(row)


def test_a_report_on_a_pair_mentions_two_documents():
    choice = ReportChoice(scope=Scope.PAIR, documents=(1, 2))
    (table,) = tables(documents, report_on(pairs=[(1, 2)], choice=choice))
    assert [row[0][0] for row in shown(table)] == NAMES[1:3]


def test_where_names_are_withheld_hashes_do_not_reveal_them():
    report = report_on(choice=ReportChoice(names=False), hash_of=lambda _: "salted")
    (table,) = tables(documents, report)
    assert "without it they tell nobody" in table.caption
    assert "abab" not in str(shown(table))


def test_what_is_left_out_of_very_many_is_reported():
    report, limits = report_on(), ReportLimits(table_rows=2)
    (table,) = tables(documents, report, limits)
    assert len(shown(table)) == 2
    assert any("first 2 of 3 documents" in note for note in left_out(report, limits))


@pytest.mark.parametrize("modified", [SECOND, -5 * SECOND, 2**63 - 1])
def test_any_time_of_a_file_can_be_told(modified):
    report = report_on()
    report.documents[0] = report.documents[0]._replace(modified_ns=modified)
    (table,) = tables(documents, report)
    assert shown(table)[0][0][1].endswith("UTC")


def test_without_documents_there_is_no_section():
    assert list(documents(report_on([], []), LIMITS)) == []


# Who and when


@pytest.fixture
def judged():
    keys = ["0" * 32, "1" * 32, "2" * 32]
    given = Judgements(
        verdicts={
            PairKey(keys[0], keys[1]): GivenVerdict(Verdict.CONFIRMED, "Ann Ångström", LATE),
            PairKey(keys[1], keys[2]): GivenVerdict(Verdict.SUSPICIOUS, "李 <b>", EARLY),
            PairKey(keys[0], keys[2]): GivenVerdict(Verdict.CONFIRMED, "", "yesterday"),
        },
        notes={PairKey(keys[0], keys[1]): WrittenNote("a note", "Ann Ångström", LATE)},
        earlier={"3": EarlierText("9", 0.5)},
    )
    return report_on(judgements=given)


def test_each_person_has_a_row(judged):
    people, _log = tables(who, judged)
    assert [column.title for column in people.columns] == [
        "Who", "Confirmed", "Suspicious", "Not a match", "Notes", "When",
    ]  # fmt: skip
    moment = "2026-11-22 12:18 UTC"
    assert [[cell[0] for cell in row] for row in shown(people)] == [
        ["not known", "1", "0", "0", "0", "yesterday"],
        ["Ann Ångström", "1", "0", "0", "1", moment],
        ["李 <b>", "0", "1", "0", "0", "2026-11-21 09:00 UTC"],
    ]


def test_verdicts_stand_in_the_order_of_time(judged):
    _people, log = tables(who, judged)
    assert log.caption.endswith("all of 3 pairs.")
    rows = shown(log)
    assert [(row[1][0], row[2][0]) for row in rows] == [
        ("李 <b>", "2"), ("Ann Ångström", "1"), ("not known", "3"),
    ]  # fmt: skip
    assert rows[1][3] == ["confirmed", "with a note"]


def test_of_very_many_the_last_stand_there(judged):
    _people, log = tables(who, judged, ReportLimits(groups=2))
    assert log.caption.endswith("the last 2 of 3 pairs.")
    assert len(shown(log)) == 2


def test_without_judgements_that_is_stated():
    assert "Nothing was judged" in prose(who, report_on())
    assert tables(who, report_on()) == []


def test_versions_are_reported():
    text = prose(who, report_on())
    assert f"Python {versions()['Python']}" in text
    assert f"numpy {versions()['numpy']}" in text


# Groups


def test_groups_have_their_numbers(judged):
    group = Group(0, (), (GroupMember(1, 0.5), GroupMember(2, 0.4)))
    alone = Group(3, (), ())
    grouped = replace(judged, groups=[group, alone])
    assert group_verdicts(grouped) == [[0, 2, 1, 0], [0, 0, 0, 0]]
    (table,) = tables(groups, grouped)
    head = shown(table)[0]
    assert head[2] == [
        "most central of 3 documents", "3 pairs between them", "2 confirmed and 1 suspicious",
    ]  # fmt: skip


def test_pairs_between_groups_count_for_none():
    report = report_on(pairs=[(0, 3), (1, 2)])
    grouped = replace(report, groups=[Group(0, (3,), ()), Group(1, (), (GroupMember(2, 0.3),))])
    assert [sum(counts) for counts in group_verdicts(grouped)] == [1, 1]


@pytest.mark.parametrize(
    ("words_of", "values"),
    [
        (resemblance, {0: "0.000", 4e-4: "<0.001", 0.9124: "0.912", 0.9996: ">0.999", 1: "1.000"}),
        (share, {0: "0%", 0.004: "<1%", 0.97: "97%", 0.996: ">99%", 1: "100%"}),
        (threshold, {0.1: "0.10", 0.1 + 0.2: "0.30", 0.125: "0.125", 1: "1.00", 0: "0.00"}),
    ],
)
def test_numbers_never_look_complete_when_they_are_not(words_of, values):
    assert {value: words_of(value) for value in values} == values


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_setting_is_reported(preset):
    text = " ".join(value for _, value in setting_rows(preset.settings))
    for number in (preset.settings.k, preset.settings.bands, preset.settings.rows):
        assert re.search(rf"\b{number}\b", text)
    assert f"{preset.settings.min_resemblance:g}" in text
    of_reworked = 2 * (preset.settings.reworked != "off")
    assert len(list(settings_in_words(preset.settings))) == 3 + of_reworked
    assert len(list(settings_in_words(preset.settings, 0))) == 3  # no pair, nothing promised


def test_the_chance_of_being_found_is_reported():
    words = " ".join(settings_in_words(ScanSettings()))
    assert (
        "this finds 47% of the pairs with a resemblance of 0.10, 93% with 0.20 and over 99% with "
        "0.30 or more." in words
    )
    words = " ".join(settings_in_words(ScanSettings(bands=1, rows=1)))
    assert (
        "0.10, 20% with 0.20, 30% with 0.30, 50% with 0.50, 70% with 0.70 and 90% with 0.90"
        in words
    )


def test_bags_are_reported():
    meanings = {measure.column: measure.meaning for measure in measures("word", bag=True)}
    assert "multiset" in meanings["resemblance"]
    assert "as often as it occurs" in " ".join(settings_in_words(ScanSettings(bag=True)))


def test_how_the_pairs_were_found():
    ways = [FoundBy.LSH, FoundBy.LSH, FoundBy.EXACT | FoundBy.LSH, FoundBy.PASSAGE]
    pairs = Pairs.empty().with_columns(a=np.zeros(4), found_by=np.array(ways, np.uint8))
    assert found_in_words(pairs) == ("How the pairs were found: shingles 2; exact 1; passage 1.")
    assert found_in_words(Pairs.empty()) == ""


def test_the_report_has_the_hues_of_the_window():
    theme = pytest.importorskip("neardup_gui.environment.theme")
    style = files("core.reports.html").joinpath("report.css").read_text(encoding="utf-8")
    assert tuple(re.findall(r"--line: (#\w+)", style)) == theme.PASSAGE_HUES
    fills = re.findall(r"--fill-\d: (#\w+)", style)
    window_fills = [color.fill.name() for color in theme.LIGHT.passages + theme.DARK.passages]
    assert fills == window_fills


def test_simhash_in_words_speaks_of_bits_and_of_no_bands():
    settings = ScanSettings(
        signature="simhash", weights="tf-idf", max_distance=8, min_resemblance=0.5
    )

    sentence = list(settings_in_words(settings))[1]
    rows = dict(setting_rows(settings))

    assert "SimHash, shingles weighed by occurrence and by rarity in the folder" in sentence
    assert "at most 8 bits of their signatures differed" in sentence
    assert "78% with 0.90" in sentence
    assert "band" not in sentence
    assert rows["Bits that may differ"] == "d = 8"
    assert "Bands × rows" not in rows


def test_no_bit_may_differ_at_distance_zero():
    settings = ScanSettings(signature="simhash", max_distance=0)

    assert "when no bit of their signatures differed" in list(settings_in_words(settings))[1]


def test_stop_words_and_stems_are_reported_with_their_language():
    settings = ScanSettings(language="english", drop_stop_words=True, stem=True)

    rows = dict(setting_rows(settings))

    assert "English stop words left out, words compared by their English stems" in next(
        settings_in_words(settings)
    )
    assert rows["Stop words"] == "English, left out"
    assert rows["Stems"] == "English, compared"
    assert dict(setting_rows(ScanSettings()))["Stems"] == "words as they are"


@pytest.mark.parametrize("changes", [{}, {"signature": "simhash"}])
def test_where_all_pairs_were_compared_none_became_a_candidate(changes):
    text = " ".join(settings_in_words(ScanSettings(**changes), 4950))
    assert "All 4,950 pairs of different documents were compared" in text
    assert "candidates" not in text
    assert "On average" not in text
    assert "signature of" in text

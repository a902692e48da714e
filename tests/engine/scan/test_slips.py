"""Spellings that only two documents have: what is one, and what only looks like one."""

import json
from contextlib import closing
from random import Random

import pytest

from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.reports.pseudonyms.key import NameKey
from core.reports.report_choice import ReportChoice, Scope, Texts
from core.reports.why_words import slips_in_words
from core.scan import shared_mistakes
from core.scan.flow import scan
from core.scan.shared_mistakes import MOST_ALIKE, MOST_OWN, Slip, find_slips
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from core.verify import verify
from core.verify.comparison import Topic
from tests.engine.reports.test_record_schema import wrong as schema_errors
from tests.texts import rows_of_csv

USUAL = "we sent it for commercial purposes only"


def written(folder, *sentences):
    """A document for each sentence, with unique words around it."""
    for number, sentence in enumerate(sentences):
        words = " ".join(f"{word}{number}" for word in ("lime", "oak", "ash", "elm", "yew"))
        (folder / f"{number}.txt").write_text(f"{words} {sentence} {words[::-1]}", "utf-8")
    return folder


def slips(folder, *sentences, pair=(0, 1)):
    with closing(scan([written(folder, *sentences)], ScanSettings())) as result:
        return find_slips(result, pair)


@pytest.mark.parametrize(
    "slip", ["commerical", "comercial", "commmercial", "conmercial", "commescial"]
)
def test_one_letter_is_added_left_out_exchanged_or_swapped(tmp_path, slip):
    wrong = USUAL.replace("commercial", slip)
    assert slips(tmp_path, wrong, wrong, *[USUAL] * 3) == (Slip(slip, "commercial"),)


@pytest.mark.parametrize(
    ("first", "second", "others"),
    [
        pytest.param("for commerical use", "for commerical use", [USUAL] * 3, id="other words"),
        pytest.param("for Commerical p", "for Commerical p", [USUAL] * 3, id="a name"),
        pytest.param("for commersial", USUAL, [USUAL] * 3, id="in one"),
        pytest.param("it for paper purposes", "it for paper purposes", [USUAL] * 3, id="short"),
    ],
)
def test_what_only_looks_like_a_slip(tmp_path, first, second, others):
    assert slips(tmp_path, f"we sent {first} x", f"we sent {second} x", *others) == ()


def test_it_stands_in_no_third_document_and_the_usual_word_in_three(tmp_path):
    wrong = USUAL.replace("commercial", "commerical")
    for name, texts in (("third", [USUAL] * 3 + [wrong]), ("two", [USUAL] * 2)):
        (tmp_path / name).mkdir()
        assert slips(tmp_path / name, wrong, wrong, *texts) == ()


def test_other_accents_are_no_slip(tmp_path):
    usual = "die Regel für zusätzlich bezahlte Zeit"
    wrong = usual.replace("ä", "a")
    assert slips(tmp_path, wrong, wrong, *[usual] * 3) == ()


@pytest.mark.parametrize(("letters", "counts"), [(40, True), (41, False)])
def test_a_word_has_at_most_40_letters(tmp_path, letters, counts):
    usual = ("commercial" * 5)[:letters]
    wrong = usual[:5] + usual[6] + usual[5] + usual[7:]
    sentences = [USUAL.replace("commercial", word) for word in [wrong] * 2 + [usual] * 3]
    assert bool(slips(tmp_path, *sentences)) == counts


def made_up(number):
    """So many words that no other document has."""
    draw = Random(1)
    return " ".join("".join(draw.choices("abcdehkm", k=10)) for _ in range(number))


def test_it_is_found_among_other_words_that_only_both_have(tmp_path):
    wrong = f"{made_up(600)} {USUAL.replace('commercial', 'commerical')}"
    assert slips(tmp_path, wrong, wrong, *[USUAL] * 3) == (Slip("commerical", "commercial"),)


def test_among_too_many_words_that_only_both_have_there_is_none(tmp_path):
    wrong = f"{made_up(MOST_OWN)} {USUAL.replace('commercial', 'commerical')}"
    assert slips(tmp_path, wrong, wrong, *[USUAL] * 3) == ()


CODE = "The Commercial Code of it. We know what commercial purposes are."


def test_a_capitalised_word_is_a_slip_only_where_the_usual_word_has_a_small_letter(tmp_path):
    wrong = CODE.replace("Comm", "Conm")
    for name, third, expected in (
        ("word", CODE, (Slip("Conmercial", "commercial"),)),
        ("name", CODE.replace("commercial", "private"), ()),
    ):
        (tmp_path / name).mkdir()
        assert slips(tmp_path / name, wrong, wrong, *[third] * 3) == expected


def test_a_word_that_has_a_small_letter_elsewhere_is_no_name(tmp_path):
    wrong = "Commerical purposes. " + USUAL.replace("commercial", "commerical")
    assert slips(tmp_path, wrong, wrong, *[USUAL] * 3) == (Slip("commerical", "commercial"),)


PRICE = "the whole sum of $1,250.00 was paid"


@pytest.mark.parametrize(
    ("first", "second", "others", "expected"),
    [
        ("1,259.00", "1,259.00", [PRICE] * 3, (Slip("$1,259.00", "$1,250.00"),)),
        ("1259", "1259", [PRICE] * 3, (Slip("$1259", "$1,250.00"),)),
        ("1259", "1259", [PRICE] * 2, ()),
        ("1259", "1258", [PRICE] * 3, ()),
        ("1259", "1259", [PRICE.replace("1,250.00", f"{n}7") for n in range(3)], ()),
        ("1259", "1259", [*[PRICE] * 3, "on page 1259 there"], ()),
        ("1259", "1259", [PRICE.replace("sum", "price")] * 3, ()),
    ],
    ids=["one", "other parts", "two others", "others", "no usual one", "elsewhere", "other words"],
)
def test_a_number_where_others_have_the_same_other_one(tmp_path, first, second, others, expected):
    wrong = [PRICE.replace("1,250.00", number) for number in (first, second)]
    assert slips(tmp_path, *wrong, *others) == expected


@pytest.mark.parametrize("around", ["section {} 12", "7 {} 12", "section x_ {} of"])
def test_a_number_may_stand_between_numbers(tmp_path, around):
    usual, wrong = (f"as is {around.format(number)} of the act" for number in ("1934", "1394"))
    expected = () if "_" in around else (Slip("1394", "1934"),)
    assert slips(tmp_path, wrong, wrong, *[usual] * 3) == expected


@pytest.mark.parametrize(
    ("first", "second", "usual", "expected_slip"),
    [
        ("-15", "+15", "20", ""),
        ("5%", "5%", "6%", "5%"),
        ("5 %", "5 %", "6", "5 %"),
        ("-15", "-15", "20", "-15"),
        ("€ 15", "€ 15", "€ 20", "€ 15"),
        ("1,250", "1,250", "1250", ""),
        ("1250.50", "1250.50", "1,250.5", ""),
        ("1250", "1250", "1,250.00", ""),
        ("5%", "5%", "5 %", ""),
        ("0.15", "0.15", "15", "0.15"),
        ("24.10.2025", "24.10.2025", "24.1.2025", "24.10.2025"),
    ],
)
def test_a_number_has_a_sign_a_unit_and_a_value(tmp_path, first, second, usual, expected_slip):
    sentences = [PRICE.replace("$1,250.00", number) for number in (first, second, *[usual] * 3)]
    assert slips(tmp_path, *sentences) == ((Slip(expected_slip, usual),) if expected_slip else ())


NOTICE = "they knew the harbour, light by light. Nobody came"


@pytest.mark.parametrize(
    ("usual", "changed"),
    [
        ("harbour, light", "harbour ,light"),
        ("harbour, light", "harbour,light"),
        ("the harbour", "the  harbour"),
        ("light. Nobody", "light.  Nobody"),
    ],
)
def test_spacing_where_others_have_the_same_other_one(tmp_path, usual, changed):
    wrong = NOTICE.replace(usual, changed)
    for name, others, expected in (
        ("slip", [NOTICE] * 3, (Slip(changed, usual),)),
        ("third", [*[NOTICE] * 3, wrong], ()),
        ("lines", [NOTICE.replace(usual, usual.replace(" ", "\n"))] * 3, ()),
        ("two", [NOTICE] * 2, ()),
    ):
        (tmp_path / name).mkdir()
        assert slips(tmp_path / name, wrong, wrong, *others) == expected


@pytest.mark.parametrize("space", ["\xa0", "\t"])
def test_spaces_that_look_the_same_are_the_same(tmp_path, space):
    changed = NOTICE.replace(", light", " , light")
    assert slips(tmp_path, changed, changed, *[changed.replace(" ,", f"{space},")] * 3) == ()


def test_two_tabs_are_shown_as_two_spaces(tmp_path):
    tabs = NOTICE.replace("the harbour", "the\t\tharbour")
    assert slips(tmp_path, tabs, tabs, *[NOTICE] * 3) == (Slip("the  harbour", "the harbour"),)


@pytest.mark.parametrize("times", [MOST_ALIKE, MOST_ALIKE + 1])
def test_spacing_that_is_usual_in_either_is_no_slip(tmp_path, times):
    wrong = NOTICE.replace(". Nobody", ".  Nobody")
    usual = wrong + " and so.  On it went" * (times - 1)
    expected = (Slip("light.  Nobody", "light. Nobody"),) if times == MOST_ALIKE else ()
    assert slips(tmp_path, wrong, usual, *[NOTICE] * 3) == expected


def test_too_many_numbers_shared_by_both_alone_are_not_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(shared_mistakes, "MOST_OWN", 1)
    wrong = f"{PRICE} and {PRICE.replace('sum', 'price')}"
    changed = wrong.replace("1,250.00", "1,259.00")
    assert slips(tmp_path, changed, changed, *[wrong] * 3) == ()


@pytest.mark.parametrize("usual", ["1250", "harbour, light"])
def test_a_number_in_text_that_is_set_aside_is_there_too(tmp_path, usual):
    sentence = f"they paid {PRICE.replace('$1,250.00', '1250')} and {NOTICE}"
    wrong = sentence.replace(usual, "1259" if usual == "1250" else "harbour ,light")
    written(tmp_path, wrong, wrong, *[sentence] * 4)
    page_text = "On page 1259 of it. "
    (tmp_path / "9.txt").write_text(page_text + (tmp_path / "5.txt").read_text("utf-8"), "utf-8")
    with closing(scan([tmp_path], ScanSettings())) as result:
        without = result.with_exclusions({6: [SetAside(0, len(page_text))]})
        assert len(find_slips(without, (0, 1))) == (usual != "1250")


def test_copies_count_as_one_document(tmp_path):
    wrong = USUAL.replace("commercial", "commerical")
    written(tmp_path, wrong, wrong, *[USUAL] * 2)
    (tmp_path / "9.txt").write_bytes((tmp_path / "3.txt").read_bytes())
    with closing(scan([tmp_path], ScanSettings())) as result:
        assert find_slips(result, (0, 1)) == ()


def test_what_a_copy_of_either_document_has_is_no_slip(tmp_path):
    wrong = USUAL.replace("commercial", "commerical")
    written(tmp_path, wrong, wrong, *[USUAL] * 3)
    (tmp_path / "9.txt").write_bytes((tmp_path / "0.txt").read_bytes())
    with closing(scan([tmp_path], ScanSettings())) as result:
        assert find_slips(result, (0, 1)) == find_slips(result, (1, 5)) == ()


@pytest.mark.parametrize("ignore_case", [True, False])
def test_what_another_document_has_in_set_aside_text_is_no_slip(tmp_path, ignore_case):
    wrong = USUAL.replace("commercial", "commerical")
    written(tmp_path, wrong, wrong, *[USUAL] * 4)
    text = "Nothing Commerical. "
    (tmp_path / "9.txt").write_text(text + (tmp_path / "5.txt").read_text("utf-8"), "utf-8")
    settings = ScanSettings(ignore_case=ignore_case)
    set_aside = {6: [SetAside(0, len(text))]}
    with closing(scan([tmp_path], settings).with_exclusions(set_aside)) as result:
        assert find_slips(result, (0, 1)) == ()
    (tmp_path / "9.txt").write_text(text.replace("Comm", "Imm") + USUAL, "utf-8")
    with closing(scan([tmp_path], settings).with_exclusions(set_aside)) as result:
        assert find_slips(result, (0, 1)) == (Slip("commerical", "commercial"),)


def test_words_that_run_from_the_right_leave_the_sentence_around_them_in_order():
    (words,) = slips_in_words([Slip("ضوء ,لم", "ضوء, لم"), Slip("-15", "20")])
    assert "“\u2068ضوء ,لم\u2069” (others: “\u2068ضوء, لم\u2069”), “-15” (others: “20”)." in words


def test_two_documents_alone_have_none(tmp_path):
    wrong = USUAL.replace("commercial", "commerical")
    assert slips(tmp_path, wrong, wrong) == ()


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("ending", [".html", ".pdf"])
def test_the_report_of_a_pair_names_them_and_verify_finds_them_again(tmp_path, ending, quotes):
    folder = tmp_path / "docs"
    folder.mkdir()
    wrong = USUAL.replace("commercial", "commerical")
    written(folder, wrong, wrong, *[USUAL] * 3)
    key = None if quotes else NameKey()
    choice = ReportChoice(scope=Scope.PAIR, documents=(0, 1), names=quotes)
    with closing(scan([folder], ScanSettings())) as result:
        report = report_of(result, result.list_pairs(), choice=choice, key=key)
        reasons = " ".join(report.reasons_of(0, ()))
        slips_text = "“commerical” (others: “commercial”)" if quotes else "1"
        assert f"numbers or spacing in no document but these two: {slips_text}." in reasons
        write_report(tmp_path / f"r{ending}", report)
    assert verify(tmp_path / f"r{ending}", [folder], key=key).agrees


def test_a_table_begins_no_cell_with_a_sign_and_separates_what_it_lists(tmp_path):
    usual = f"{PRICE.replace('$1,250.00', '20')} and {NOTICE.replace(',', ';')}"
    wrong = usual.replace("20", "-15").replace("r; l", "r ; l")
    written(tmp_path, *[wrong] * 2, *[usual] * 3)
    table = tmp_path / "r.csv"
    with closing(scan([tmp_path], ScanSettings())) as result:
        choice = ReportChoice(scope=Scope.PAIR, documents=(0, 1))
        write_report(table, report_of(result, result.list_pairs(), choice=choice))
    (line,) = rows_of_csv(table)
    spellings = line["unusual_spellings"].split(" / ")
    assert spellings == ["'-15 (20)", "harbour ; light (harbour; light)"]


@pytest.mark.parametrize("choice", [{}, {"names": False}, {"texts": Texts.NONE}])
def test_tables_for_programs_hold_them_and_a_change_is_found(tmp_path, choice):
    folder, path, table = tmp_path / "docs", tmp_path / "r.json", tmp_path / "r.csv"
    folder.mkdir()
    wrong = USUAL.replace("commercial", "commerical")
    written(folder, wrong, wrong, *[USUAL] * 3)
    key = None if choice.get("names", True) else NameKey()
    wish = ReportChoice(scope=Scope.PAIR, documents=(0, 1), **choice)
    with closing(scan([folder], ScanSettings())) as result:
        report = report_of(result, result.list_pairs(), choice=wish, key=key)
        write_report(path, report)
        write_report(table, report)
        report = report_of(result, result.list_pairs())
        write_report(tmp_path / "whole.csv", report)
    record = json.loads(path.read_text("utf-8"))
    assert schema_errors(record) == []
    (row,) = record["unusual_spellings"]
    expected_spellings = [] if choice else [{"word": "commerical", "usual": "commercial"}]
    assert (row["number"], row["spellings"]) == (1, expected_spellings)
    (line,) = rows_of_csv(table)
    assert line["unusual_spellings"] == ("1" if choice else "commerical (commercial)")
    assert "unusual_spellings" not in (tmp_path / "whole.csv").read_text("utf-8")
    check = verify(path, [folder], key=key)
    assert check.agrees
    assert [count.agreed for count in check.counts if count.topic is Topic.SPELLINGS] == [1]

    path.write_text(path.read_text("utf-8").replace('"number": 1,', '"number": 2,'), "utf-8")
    check = verify(path, [folder], key=key)
    assert Topic.SPELLINGS in {finding.topic for finding in check.findings if finding.contradicts}

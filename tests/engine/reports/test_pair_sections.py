"""The section of a pair: its numbers with the shingles they are of, and why it is listed."""

from collections import Counter
from itertools import pairwise

import pytest

from core.evidence.measures import worked_numbers
from core.evidence.pairs import PairFigures
from core.reports.blocks import PairHead
from core.reports.choice import NO_CHOICE, ReportChoice, Scope
from core.reports.from_scan import report_of
from core.reports.limits import ReportLimits
from core.reports.sections.pairs import pair_sections
from core.scan.flow import scan
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=2, signature_size=64, bands=16, rows=4, min_resemblance=0.1, seed=5)
HAN = "".join(chr(0x4E00 + 7 * number) for number in range(200))


def words_of(count, start=0):
    return " ".join(f"word{number}" for number in range(start, start + count))


TEXTS = {
    "a.txt": words_of(120),
    "b.txt": words_of(90) + " " + words_of(60, 1000),
    "c.txt": words_of(90) + " " + words_of(300, 5000),
    "copy.txt": words_of(120),
    "twice.txt": words_of(70) + " " + words_of(70),
    "相似一.txt": HAN,
    "相似二.txt": HAN[:150] + "".join(chr(0x6E00 + 5 * number) for number in range(60)),
    "empty.txt": " ",
}


@pytest.fixture
def report(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = []

    def make(choice=NO_CHOICE, finished=True, **changes):
        settings = SETTINGS.with_changes(**changes)
        read = scan([tmp_path], settings)
        made.append(read)
        return report_of(read, read.list_pairs(settings), choice=choice, finished=finished)

    yield make
    for read in made:
        read.close()


def heads(report):
    sections = pair_sections(report, ReportLimits(), lambda _: None, lambda: False)
    found = {}
    for section in sections:
        (head,) = (block for block in section.blocks if isinstance(block, PairHead))
        found[head.a[0].text, head.b[0].text] = head
    return found


def reasons(head):
    return " ".join("".join(span.text for span in one) for one in head.reasons)


@pytest.mark.parametrize("bag", [False, True])
def test_numbers_come_with_the_shingles_they_are_of(report, bag):
    told = report(bag=bag)
    for row in range(len(told.pairs)):
        a, b = (shingles(told, int(side[row])) for side in (told.pairs.a, told.pairs.b))
        shared = (a & b).total()
        assert worked_numbers(told.pairs.figures(row)) == {
            "resemblance": f"{shared:,} of {(a | b).total():,} shingles",
            "containment_a": f"{shared:,} of A’s {a.total():,}",
            "containment_b": f"{shared:,} of B’s {b.total():,}",
        }
    assert row > 5


def shingles(report, document):
    """Two words each; letters of Chinese are words."""
    text = report.text_of(document)
    counts = Counter(pairwise(text.split() if text.isascii() else text))
    return counts if report.settings.bag else Counter(set(counts))


def test_the_facts_show_them(report):
    facts = dict(heads(report())["a.txt", "b.txt"].facts)
    assert facts["Resemblance"] == "0.497 (89 of 179 shingles)"
    assert facts["A in B"] == "75% (89 of A’s 119)"
    assert facts["Shared"] == "89 shingles"


@pytest.mark.parametrize(
    "figures",
    [
        PairFigures(0.0, 0.0, 0.0, 0, 0, 0),
        PairFigures(0.3333, 0.5, 0.5, 4, 7, 4),  # is no share of whole numbers
    ],
)
def test_what_does_not_come_out_whole_is_not_said(figures):
    assert "resemblance" not in worked_numbers(figures)


def test_where_all_were_compared_no_signature_led_to_a_pair(report):
    told = report()
    assert told.compared
    for names, head in heads(told).items():
        if names == ("a.txt", "copy.txt"):
            assert "which needs no search" in reasons(head)
        else:
            assert "It was compared because" not in reasons(head)
            assert "All pairs were compared. Bands alone would" in reasons(head)


def test_where_bands_were_compared_they_led_to_it(report):
    head = heads(report(compare="bands"))["a.txt", "b.txt"]
    assert "It was compared because" in reasons(head)
    assert "All pairs were compared" not in reasons(head)


@pytest.mark.parametrize("compare", ["bands", "all"])
def test_bits_have_words_of_their_own(report, compare):
    for head in heads(report(signature="simhash", compare=compare)).values():
        assert "band" not in reasons(head).lower()
    assert "bits differ" in reasons(head)


def test_of_one_pair_passages_are_counted_in_all_documents(report):
    whole = report()
    names = [one.name for one in whole.documents]
    pair = (names.index("a.txt"), names.index("b.txt"))
    (head,) = heads(report(ReportChoice(scope=Scope.PAIR, documents=pair))).values()
    assert "10 or more in a row stand in each of 3 other documents, " in reasons(head)
    pair = (names.index("相似一.txt"), names.index("相似二.txt"))
    (head,) = heads(report(ReportChoice(scope=Scope.PAIR, documents=pair))).values()
    assert "that are the same, no other of the 7 documents has 10 in a row." in reasons(head)


def test_reasons_hold_no_text_and_no_name(report):
    told = report(ReportChoice(passages=False))
    for names, head in heads(told).items():
        said = reasons(head)
        assert said
        assert not any(name in said for name in names)
        assert "word1" not in said
        assert HAN[:3] not in said


def test_a_scan_that_was_not_finished_gives_no_reasons(report):
    told = report(finished=False)
    assert not any(head.reasons for head in heads(told).values())

"""What a report says before it has a format: texts that are withheld, and none at all."""

import re
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from core import find_pairs
from core.base.wording import share
from core.evidence.measures import worked_numbers
from core.evidence.pairs import NOT_MEASURED, FoundBy, PairFigures
from core.evidence.passages import find_shared_text
from core.reports.blocks import PairHead, PassageList, SpanKind, Table
from core.reports.curve.forecast_words import forecast, plain
from core.reports.curve.state import ThresholdState
from core.reports.from_scan import report_of
from core.reports.html import write_html
from core.reports.limits import ReportLimits
from core.reports.pair_words import pair_in_words
from core.reports.report_choice import NO_CHOICE, ReportChoice, Scope, Texts
from core.reports.sections import contents, sections
from core.reports.sections.audit import curve
from core.reports.sections.pairs import pair_sections
from core.reports.shown_text import Withheld, shown_pieces
from core.scan.flow import scan
from core.settings import ScanSettings
from tests.engine.reports.test_html import make_report, shared
from tests.texts import folder_with, written_text

TEXT = "by Ada Lovelace and others"
NAME = Withheld(3, 15, "A-17")


@pytest.mark.parametrize(
    ("cuts", "pieces"),
    [
        ((0, 26), ["by A-17 and others"]),
        ((0, 6, 26), ["by A-17", " and others"]),  # what lies across a cut is shown once
        ((5, 10, 26), ["A-17", " and others"]),  # and from its beginning on, if that is cut off
        ((0, 3, 15, 26), ["by ", "A-17", " and others"]),
        ((15, 26), [" and others"]),
        ((0, 3), ["by "]),
    ],
)
def test_what_is_withheld_is_shown_once_and_never_in_part(cuts, pieces):
    assert shown_pieces(TEXT, cuts, [NAME]) == pieces
    assert shown_pieces(TEXT, cuts) == [TEXT[start:end] for start, end in pairwise(cuts)]


def blocks_of(report):
    return [block for section in sections(report, ReportLimits()) for block in section.blocks]


def spans_of(report):
    for block in blocks_of(report):
        if isinstance(block, PassageList):
            for passage in block.passages:
                yield from (*passage.a.spans, *passage.b.spans)


def test_passages_show_the_label_of_what_is_withheld():
    report = make_report(
        ["a", "b"], withheld_in=lambda document: [Withheld(8, 13, f"X-{document}")]
    )

    shown = "".join(span.text for span in spans_of(report))

    assert "three" not in shown
    assert "one two X-0 four" in shown
    assert "two X-1 four" in shown


def test_both_texts_can_stand_in_full_beside_each_other(tmp_path, open_scan):
    """Each character once, in its order; passages opposite each other, a moved one by number."""
    part, last, first, between = map(words_of, (240, 120, 900, 1000), (0, 300, 5000, 7000))
    texts = [f"{part}\n\n{first}\n\n{last}", f"{last}\n\n{between}\n\n{part}"]
    folder_with(tmp_path, {f"{number}.txt": text for number, text in enumerate(texts)})
    scanned = open_scan([tmp_path], ScanSettings())
    report = report_of(scanned, scanned.list_pairs(), choice=ReportChoice(texts=Texts.FULL))
    (block,) = (block for block in blocks_of(report) if isinstance(block, PassageList))
    rows = list(block.passages)

    for side, text in (("a", texts[0]), ("b", texts[1])):
        spans = [span for row in rows for span in getattr(row, side).spans]
        shown = [span.text for span in spans if span.kind is not SpanKind.LETTER]
        assert "".join(shown) == text
        same = [span.text for span in spans if span.kind is SpanKind.SAME]
        assert len(" ".join(same).split()) == 360
        moved = [span.text for span in spans if span.kind is SpanKind.LETTER]
        assert len(moved) == 1
        assert moved[0] not in [str(row.number) for row in rows]
    assert [row.number > 0 for row in rows].count(True) >= 1


def changed_in(side):
    return [span.text for span in side.spans if span.kind is SpanKind.CHANGED]


def changes_between(folder, a, b):
    """The places in which a report says that two texts differ, and all that stands around them."""
    folder_with(folder, {"a.txt": a, "b.txt": b})
    choice = ReportChoice(texts=Texts.CHANGES)
    with closing(scan([folder], ScanSettings())) as scanned:
        blocks = blocks_of(report_of(scanned, scanned.list_pairs(), choice=choice))
        (block,) = (block for block in blocks if isinstance(block, PassageList))
        return list(block.passages), str(blocks)


def test_what_differs_stands_place_by_place(tmp_path):
    """Changes close together are one row; a moved part is a separate one."""
    head, moved, middle, tail = map(words_of, (120, 40, 200, 120), (0, 1000, 2000, 3000))
    a = f"{head} The price is 1.500. {middle} {moved} {tail}"
    b = f"{moved} {head} The fee is 150.0 each. {middle} {tail}"
    rows, sentences = changes_between(tmp_path, a, b)
    price, moved_row = sorted(rows, key=lambda row: len(changed_in(row.a)), reverse=True)

    assert changed_in(price.a) == ["price", "1.500"]
    assert changed_in(price.b) == ["fee", "150.0 each"]
    assert "".join(span.text for span in price.a.spans).startswith("… ")
    assert changed_in(moved_row.a) == changed_in(moved_row.b) == [moved]
    assert moved_row.size == "40 words, moved"
    assert [row.number for row in rows] == ([1, 3] if rows[0] is price else [1, 2])
    assert "The texts differ in 3 places." in sentences


def test_no_change_is_hidden_where_many_follow_each_other(tmp_path):
    kept = [words_of(13, 13 * number) for number in range(300)]
    rows, sentences = changes_between(tmp_path, " oak ".join(kept), " elm ".join(kept))

    assert "The texts differ in 299 places." in sentences
    text = words_of(13 * 300)
    for row in rows:
        low, high = map(int, re.findall(r"\d+", row.a.location.replace(",", "")))
        assert high - low < 1000
        assert len(changed_in(row.a)) == len(changed_in(row.b)) > 0
        for span in row.a.spans:
            if span.kind is SpanKind.PLAIN:
                assert span.text.strip("… ") in text
                assert "oak" not in span.text
    assert sum(len(changed_in(row.a)) for row in rows) >= 299


def test_that_nothing_differs_is_reported(tmp_path):
    rows, sentences = changes_between(tmp_path, words_of(100), words_of(100))
    assert rows == []
    assert "No word differs." in sentences


def test_for_very_many_differences_the_number_shown_is_reported(tmp_path):
    """Later changes are marked in the words around the last one."""
    kept = [words_of(4, 4 * number) for number in range(1002)]
    rows, sentences = changes_between(tmp_path, " oak ".join(kept), " elm ".join(kept))
    assert sum(len(changed_in(row.a)) for row in rows) >= 1000
    plain = [span for row in rows for span in row.a.spans if span.kind is SpanKind.PLAIN]
    assert not any("oak" in span.text for span in plain)
    assert "in 1,001 places, of which the first 1,000 are shown" in sentences


def test_without_texts_passages_are_given_by_their_positions():
    report = make_report(["a", "b"], choice=ReportChoice(texts=Texts.NONE))

    assert list(spans_of(report)) == []
    assert any(
        passage.a.location == "characters 0 to 23"
        for block in blocks_of(report)
        if isinstance(block, PassageList)
        for passage in block.passages
    )


def test_every_row_fits_its_table():
    report = make_report(["a", "b", "c"])
    tables = [block for block in blocks_of(report) if isinstance(block, Table)]
    for table in tables:
        for part in table.parts:
            assert all(0 < len(row.cells) <= len(table.columns) for row in part)
    assert len(tables) == 5


def test_no_text_is_asked_for_before_its_pair_is_written():
    calls = []
    report = make_report(passages_of=lambda a, b: calls.append((a, b)) or shared())
    report = replace(report, choice=ReportChoice(most_passages=4))

    written = [section for section in sections(report, ReportLimits()) if section.level == 3]

    assert calls == []
    assert len(written) == 4
    assert next(iter(written[2].blocks)).number == 3
    assert len(calls) == 1


def test_the_contents_name_sections_that_are_there():
    report = make_report(["a", "b"])
    ids = {section.id for section in sections(report, ReportLimits())}
    assert {section.id for section in contents(report, ReportLimits())} <= ids
    assert SpanKind.NAME in {span.kind for span in spans_in_tables(report)}


def spans_in_tables(report):
    for block in blocks_of(report):
        if isinstance(block, Table):
            for part in block.parts:
                for row in part:
                    for cell in row.cells:
                        yield from (span for line in cell.lines for span in line)


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
def report(tmp_path, open_scan):
    folder_with(tmp_path, TEXTS)

    def make(choice=NO_CHOICE, finished=True, **changes):
        read = open_scan([tmp_path], SETTINGS.with_changes(**changes))
        return report_of(read, read.list_pairs(), choice=choice, finished=finished)

    return make


def pair_heads(report):
    sections = pair_sections(report, ReportLimits(), lambda _: None)
    heads_of_pairs = {}
    for section in sections:
        (head,) = (block for block in section.blocks if isinstance(block, PairHead))
        heads_of_pairs[head.a[0].text, head.b[0].text] = head
    return heads_of_pairs


def reasons(head):
    return " ".join("".join(span.text for span in reason) for reason in head.reasons)


@pytest.mark.parametrize("bag", [False, True])
def test_numbers_come_with_the_shingles_they_are_of(report, bag):
    made = report(bag=bag)
    for row in range(len(made.pairs)):
        a, b = (shingles(made, int(side[row])) for side in (made.pairs.a, made.pairs.b))
        shared = (a & b).total()
        assert worked_numbers(made.pairs.figures(row)) == {
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
    facts = dict(pair_heads(report())["a.txt", "b.txt"].facts)
    assert facts["Resemblance"] == "0.497 (89 of 179 shingles)"
    assert facts["Containment of A"] == "75% (89 of A’s 119)"
    assert facts["Shared"] == "89 shingles"


@pytest.mark.parametrize(
    "figures",
    [
        PairFigures(0.0, 0.0, 0.0, 0, 0, 0),
        PairFigures(0.3333, 0.5, 0.5, 4, 7, 4),  # is no share of whole numbers
    ],
)
def test_counts_that_are_not_whole_are_not_shown(figures):
    assert "resemblance" not in worked_numbers(figures)


def test_where_all_were_compared_no_signature_led_to_a_pair(report):
    made = report()
    assert made.compared
    for names, head in pair_heads(made).items():
        if names == ("a.txt", "copy.txt"):
            assert "which needs no search" in reasons(head)
        else:
            assert "It was compared because" not in reasons(head)
            assert "All pairs were compared. Bands alone would" in reasons(head)


def test_where_bands_were_compared_they_led_to_it(report):
    head = pair_heads(report(compare="bands"))["a.txt", "b.txt"]
    assert "So it was compared." in reasons(head)
    assert "All pairs were compared" not in reasons(head)


@pytest.mark.parametrize("compare", ["bands", "all"])
def test_bits_have_words_of_their_own(report, compare):
    for head in pair_heads(report(signature="simhash", compare=compare)).values():
        assert "band" not in reasons(head).lower()
    assert "bits differ" in reasons(head)


def test_of_one_pair_passages_are_counted_in_all_documents(report):
    made = report()
    names = [document.name for document in made.documents]
    pair = (names.index("a.txt"), names.index("b.txt"))
    (head,) = pair_heads(report(ReportChoice(scope=Scope.PAIR, documents=pair))).values()
    assert "10 or more in a row stand in each of 3 other documents, " in reasons(head)
    pair = (names.index("相似一.txt"), names.index("相似二.txt"))
    (head,) = pair_heads(report(ReportChoice(scope=Scope.PAIR, documents=pair))).values()
    assert "that are the same, no other of the 7 documents has 10 in a row." in reasons(head)


def test_reasons_hold_no_text_and_no_name(report):
    made = report(ReportChoice(texts=Texts.NONE))
    for names, head in pair_heads(made).items():
        sentences = reasons(head)
        assert sentences
        assert not any(name in sentences for name in names)
        assert "word1" not in sentences
        assert HAN[:3] not in sentences


def test_a_scan_that_was_not_finished_gives_no_reasons(report):
    made = report(finished=False)
    assert not any(head.reasons for head in pair_heads(made).values())


CURVE_SETTINGS = SETTINGS.with_changes(min_resemblance=0.3)
BANDS = {"compare": "bands"}
BITS = {"signature": "simhash", "max_distance": 6, "compare": "bands"}
TAGS = {"svg", "path", "text"}
ATTRIBUTES = {
    "d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "x", "y", "text-anchor", "viewBox", "width", "height", "font-size",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for number in range(12):
        text = f"{words_of(60, 1000 * number)} {words_of(40 + 3 * number)}"
        (tmp_path / f"{number:02}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "相似.txt").write_text(words_of(60, 1000), encoding="utf-8")
    return tmp_path


@pytest.fixture
def report_with_curve(folder, open_scan):
    def make(source=folder, *, finished=True, **changes):
        read = open_scan([source], CURVE_SETTINGS.with_changes(**changes))
        return report_of(read, read.list_pairs(), finished=finished)

    return make


def curve_blocks(report):
    (section,) = curve(report, ReportLimits())
    return list(section.blocks)


def words(block):
    return " ".join("".join(span.text for span in line) for line in block.lines)


def drawn(picture):
    root = ET.fromstring(picture.svg)
    names = [element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()]
    return root, names, [element.text for element in root.iter() if element.text]


@pytest.mark.parametrize("changes", [{}, BANDS, BITS, {"min_resemblance": 0.0}])
def test_words_are_those_of_the_panel(report_with_curve, changes):
    curve_report = report_with_curve(**changes)
    missed, extra, listed = forecast(ThresholdState.of(curve_report.settings), curve_report.folder)
    shown = (missed, () if curve_report.compared is not None else extra, listed)
    assert words(curve_blocks(curve_report)[0]) == plain(shown)


@pytest.mark.parametrize("changes", [{}, BANDS, BITS, {"bands": 1, "rows": 64, **BANDS}])
def test_a_picture_is_lines_and_words_of_ours(report_with_curve, changes):
    picture = curve_blocks(report_with_curve(**changes))[1]
    root, names, _texts = drawn(picture)
    assert set(names) == TAGS
    assert {name for element in root.iter() for name in element.attrib} <= ATTRIBUTES
    assert picture.words


def test_bands_have_their_curve_with_its_numbers(report_with_curve):
    _words, picture, formula = curve_blocks(report_with_curve(**BANDS))
    texts = drawn(picture)[2]
    assert {"found by bands", "b × r = 16 × 4", "listed from 0.30", "pairs"} <= set(texts)
    assert "1 − (1 − s^4)^16" in words(formula)
    assert "one holds the other" not in texts


def test_bits_have_two_curves_and_words_of_their_own(report_with_curve):
    forecast_words, picture, formula = curve_blocks(report_with_curve(**BITS))
    texts = drawn(picture)[2]
    assert {"found by SimHash", "d = 6", "one holds the other"} <= set(texts)
    assert "band" not in words(forecast_words) + words(formula)
    assert "at most d of the 64 bits" in words(formula)


def test_where_all_were_compared_there_is_no_curve(report_with_curve):
    forecast_words, picture, after = curve_blocks(report_with_curve())
    texts = drawn(picture)[2]
    assert words(forecast_words).startswith("Complete from 0.30 on: all 78 pairs")
    assert "for nothing" not in words(forecast_words)
    assert "found by bands" not in texts
    assert "0.3" not in texts
    assert "All pairs were compared, so no curve" in words(after)


def test_bars_count_the_listed_pairs(report_with_curve):
    curve_report = report_with_curve()
    picture = curve_blocks(curve_report)[1]
    counted = picture.words.partition("Listed by resemblance: ")[2].rstrip(".").split("; ")
    numbers = [int(label.rpartition(": ")[2].split()[0]) for label in counted]
    assert sum(numbers) == (curve_report.pairs.resemblance >= 0.3).sum() > 0


@pytest.mark.parametrize("texts", [[], ["alone"], ["same words", "same words"]])
def test_nothing_to_compare_is_reported(report_with_curve, tmp_path, texts):
    empty = folder_with(tmp_path / "other")
    folder_with(empty, {f"{number}.txt": text for number, text in enumerate(texts)})
    blocks = curve_blocks(report_with_curve(empty))
    assert len(blocks) == 1
    assert words(blocks[0]).startswith("There are no two different documents to compare.")


@pytest.mark.parametrize("changes", [BANDS, BITS])
def test_an_empty_folder_has_a_curve_all_the_same(report_with_curve, tmp_path, changes):
    empty = folder_with(tmp_path / "other")
    _words, picture, _formula = curve_blocks(report_with_curve(empty, **changes))
    assert "No pair is listed." in picture.words


def test_a_scan_that_was_not_finished_has_no_curve(report_with_curve):
    assert list(curve(report_with_curve(finished=False), ReportLimits())) == []


def test_the_file_shows_it(report_with_curve, tmp_path):
    curve_report = report_with_curve(**BANDS)
    page = written_text(write_html, tmp_path / "report.html", curve_report)
    assert curve_blocks(curve_report)[1].svg in page
    assert 'href="#curve"' in page
    assert "What the search finds" in page


def test_for_a_part_of_the_list_the_curve_says_that_it_is_of_all(report_with_curve):
    curve_report = report_with_curve()
    part = replace(curve_report, pairs=curve_report.pairs.take(np.array([0])))
    assert words(curve_blocks(part)[0]).startswith("This is said of the whole list")
    assert words(curve_blocks(part)[1]) == words(curve_blocks(curve_report)[0])


BOTH = ScanSettings()
WORDS = [
    f"{first}{second}" for first in ("kopre", "lumat", "sidev") for second in "abcdefghijklmnop"
]
A = " ".join(WORDS)
UNRELATED = " ".join(word.upper()[::-1] for word in WORDS)


def exchanged(every: int) -> str:
    return " ".join(f"x{index}" if index % every == 4 else word for index, word in enumerate(WORDS))


def figures(*, in_a: float, in_b: float, alike: float, words: int, run: int) -> PairFigures:
    return PairFigures(0.2, 0.3, 0.3, run, 20, run, alike * (in_a + in_b) / 2, in_a, in_b, words)


@pytest.mark.parametrize(
    ("text", "of_list", "of_passages"),
    [
        (A, "A and B have the same words throughout.", "A and B have the same words throughout."),
        (
            f"{A} {UNRELATED} {UNRELATED}",
            "All of A appears in B, word for word. It makes up 33% of B.",
            "",
        ),
        (
            f"{exchanged(8)} {UNRELATED}",
            (
                "All of A appears in B, partly reworded. It makes up 50% of B. "
                "The longest stretch that is the same has 7 words."
            ),
            "All of A appears in B, with 6 words exchanged within it. It makes up 50% of B.",
        ),
        (
            f"{exchanged(40)}",
            (
                "A and B share nearly all of their text, almost word for word. "
                "The longest stretch that is the same has 39 words."
            ),
            "A and B share nearly all of their text, with 2 words exchanged within it.",
        ),
    ],
    ids=["identical", "one within the other", "reworded", "almost the same"],
)
def test_two_texts_say_what_they_share(text, of_list, of_passages):
    pairs = find_pairs([A, text], BOTH, overlap=True)
    numbers, channels = pairs.figures(0), int(pairs.found_by[0])
    passages = find_shared_text(A, text, BOTH).passages

    assert pair_in_words(numbers, channels, "word") == of_list
    assert pair_in_words(numbers, channels, "word", passages) == (of_passages or of_list)


def test_passages_that_changed_places_say_so():
    text = f"{' '.join(WORDS[24:])} {UNRELATED} {' '.join(WORDS[:24])}"
    passages = find_shared_text(A, text, BOTH).passages
    numbers = find_pairs([A, text], BOTH, overlap=True).figures(0)

    sentence = pair_in_words(numbers, FoundBy.LSH, "word", passages)

    assert "The text is in 2 passages, 1 of them in another order." in sentence


@pytest.mark.parametrize(
    ("numbers", "values", "words"),
    [
        (
            figures(in_a=0.08, in_b=0.05, alike=1, words=12, run=12),
            {"is_weak": True},
            "Only a weak trace: A and B share 12 words, too few to mean much.",
        ),
        (
            figures(in_a=0.08, in_b=0.05, alike=0.4, words=90, run=9),
            {},
            (
                "A and B share a small part of their text, largely reworded. "
                "The longest stretch that is the same has 9 words."
            ),
        ),
        (
            PairFigures(0.2, 0.3, 0.3, 31, 20, 31),
            {},
            (
                "How much of A and B overlaps was not measured. "
                "The longest stretch that is the same has 31 words."
            ),
        ),
        (
            PairFigures(0.2, 0.3, 0.3, 0, 20, 0, 0.0, 0.0, 0.0, 0),
            {},
            "A and B share no passage. Only short phrases are the same.",
        ),
        (PairFigures(0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0), {}, "A and B share no passage."),
        (
            PairFigures(0, 0, 0, 0, 0, 0, *[NOT_MEASURED] * 4),
            {"empty": (False, True), "set_aside": True},
            "B has no words that count: its text is set aside. There is nothing to compare.",
        ),
        (
            PairFigures(0, 0, 0, 0, 0, 0, *[NOT_MEASURED] * 4),
            {"empty": (True, True)},
            "A and B have no words. There is nothing to compare.",
        ),
        (
            figures(in_a=0.999, in_b=0.95, alike=1, words=400, run=400),
            {"set_aside": True, "others": 2},
            (
                "A and B share nearly all of their text, word for word. "
                "Text set aside is not counted. 2 other documents share text with both."
            ),
        ),
        (
            figures(in_a=0.98, in_b=0.78, alike=0.45, words=300, run=9),
            {},
            (
                "A and B share part of their text, largely reworded. "
                "The longest stretch that is the same has 9 words."
            ),
        ),
    ],
    ids=[
        "weak",
        "few",
        "not measured",
        "phrases",
        "nothing",
        "set aside",
        "empty",
        "others",
        "reworked",
    ],
)
def test_every_case_has_its_sentence(numbers, values, words):
    assert pair_in_words(numbers, 0, "word", **values) == words


@pytest.mark.parametrize(
    ("in_a", "in_b", "alike", "sentence", "counted"),
    [
        (0.96, 0.98, 0.76, "share most of their text", "in 3, half or more of one"),
        (0.98, 0.78, 0.45, "share part of their text", "in 3, less than half of either"),
        (0.98, 0.30, 0.80, "Nearly all of A (98%) appears", "in 3, nearly all of one"),
    ],
    ids=["alike", "reworded", "one within the other"],
)
def test_the_summary_counts_what_each_pair_says(tmp_path, in_a, in_b, alike, sentence, counted):
    numbers = figures(in_a=in_a, in_b=in_b, alike=alike, words=300, run=9)
    report = make_report(["a", "b", "c"])
    columns = {
        name: np.full(3, getattr(numbers, name)) for name in ("overlap", "overlap_a", "overlap_b")
    }
    write_html(
        path := tmp_path / "r.html", replace(report, pairs=report.pairs.with_columns(**columns))
    )

    assert sentence in pair_in_words(numbers, 0, "word")
    assert f"Of these 3 pairs: {counted}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("in_a", [0.01, 0.45, 0.93, 1.0])
def test_its_numbers_are_those_of_the_pair_whichever_is_called_a(in_a):
    for in_b in (0.01, 0.2, 0.7, 0.93, 1.0):
        numbers = figures(in_a=in_a, in_b=in_b, alike=0.7, words=200, run=30)
        sentence, turned = (
            pair_in_words(figures, 0, "word") for figures in (numbers, numbers.turned())
        )

        shares = set(re.findall(r"\d+%", sentence))
        # Of two that are alike the overlap beside it is the number.
        assert shares in ({share(in_a), share(in_b)} - {"100%"}, set())
        assert "30 words" in sentence
        swapped = turned.translate(str.maketrans("AB", "BA"))
        assert shares_in(swapped) == shares_in(sentence)


def shares_in(sentence: str) -> set[tuple[str, str]]:
    """The shares in a sentence, each with the letter of its text."""
    before = re.findall(r"(\d+%) of ([AB])", sentence)
    bracketed = [(n, letter) for letter, n in re.findall(r"of ([AB]) \((\d+%)\)", sentence)]
    return {*before, *bracketed}

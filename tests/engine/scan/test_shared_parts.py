"""One document against all others: which parts they share, who, and what the list says of each."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.tasks import cancelled_by
from core.candidates.bands import agree_in_a_band
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.documents.model import Role, text_key
from core.errors import ScanCancelledError
from core.scan.document_list import SharedPartsCollector, document_columns, shared_parts
from core.scan.flow import scan
from core.scan.judgements import Judgements
from core.scan.pair_details import shared_text, signature_of_pair
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from tests.texts import folder_with, words

OPTIONS = ScanSettings()


@pytest.fixture
def folder(tmp_path, pool):
    """Scans texts as files that are numbered, so that they stay in their order."""

    def make(texts, settings=OPTIONS, set_aside=None):
        folder_with(tmp_path, {f"{number:04}.txt": text for number, text in enumerate(texts)})
        scanned = scan([tmp_path], settings, pool=pool)
        return scanned.with_exclusions(set_aside) if set_aside else scanned

    return make


def parts_of(scanned, document, **options):
    return shared_parts(scanned, scanned.state, scanned.pairs(), document, **options)


def test_what_stands_in_one_other_document_is_the_side_of_the_overlap(folder):
    rng = random.Random(4)
    first, second = words(rng, 120).split(), words(rng, 12).split()
    reworked = [f"new{index}" if index % 4 == 3 else word for index, word in enumerate(first)]
    unrelated = [words(rng, 150) for _ in range(20)]
    scanned = folder([" ".join(first + second), " ".join(reworked + second), *unrelated])

    parts = parts_of(scanned, 0)

    shared = shared_text(scanned, 0, 1, OPTIONS)
    assert sum(passage.tokens for passage in shared.passages) > 90
    assert parts.share == pytest.approx(shared.overlap.overlap_a)
    assert parts.share > 0.95
    columns = document_columns(scanned.state, scanned.pairs())
    assert columns.highest[0] == pytest.approx(parts.share)


def test_parts_are_counted_and_named(folder):
    rng = random.Random(1)
    first, second, third = (words(rng, 60) for _ in range(3))
    text = f"{words(rng, 40)} {first} {words(rng, 40)} {second} {third} {words(rng, 40)}"
    scanned = folder(
        [
            text,
            f"{first} {words(rng, 80)}",
            f"{words(rng, 80)} {second} {words(rng, 30)}",
            f"{second} {words(rng, 50)} {first}",
            words(rng, 100),
        ]
    )

    parts = parts_of(scanned, 0)

    shown = {text[part.start : part.end]: parts.who(part) for part in parts.parts}
    assert {text: set(holders) for text, holders in shown.items()} == {
        first: {1, 3},
        second: {2, 3},
    }
    assert [part.documents for part in parts.parts] == [2, 2]
    assert (parts.documents, parts.compared, parts.total) == (3, 3, 3)
    assert parts.share == pytest.approx(120 / 300)
    assert next(iter(shown.values()))[0] == 3  # the most alike


def test_where_parts_overlap_each_stretch_is_counted_by_itself(folder):
    rng = random.Random(2)
    a, b, c = (words(rng, 50) for _ in range(3))
    text = f"{words(rng, 20)} {a} {b} {c}"
    scanned = folder([text, f"{a} {b} {words(rng, 9)}", f"{b} {c} {words(rng, 9)}"])

    parts = parts_of(scanned, 0)

    assert [(text[part.start : part.end].strip(), part.documents) for part in parts.parts] == [
        (a, 1),
        (b, 2),
        (c, 1),
    ]
    assert [set(parts.who(part)) for part in parts.parts] == [{1}, {1, 2}, {2}]


def test_common_text_that_makes_no_pairs_is_counted(folder):
    rng = random.Random(3)
    common = words(rng, 80)
    count = DOCUMENT_LIMIT + 20
    scanned = folder([f"{words(rng, 400)} {common} {words(rng, 400)}" for _ in range(count)])

    parts = parts_of(scanned, 5)

    assert len(scanned.pairs()) < count
    assert [part.documents for part in parts.parts] == [count - 1]
    assert scanned.texts[5][parts.parts[0].start : parts.parts[0].end] == common
    assert sorted(parts.who(parts.parts[0])) == [n for n in range(count) if n != 5]


@pytest.mark.parametrize("copies", [3, 40])
def test_copies_are_compared_once_and_counted_each(folder, copies, monkeypatch):
    rng = random.Random(4)
    part = words(rng, 60)
    other_text = f"{part} {words(rng, 30)}"
    text = f"{words(rng, 30)} {part}"
    compared = []
    scanned = folder([text, text, *[other_text] * copies])
    pairs, state = scanned.pairs(), scanned.state
    real = shared_parts.__globals__["find_shared"]
    monkeypatch.setitem(
        shared_parts.__globals__, "find_shared", lambda *args: (compared.append(1), real(*args))[1]
    )

    parts = shared_parts(scanned, state, pairs, 0)

    assert len(compared) == 2
    assert [part.documents for part in parts.parts] == [1, copies + 1]
    assert parts.share == 1
    assert set(parts.who(parts.parts[1])) == set(range(1, copies + 2))


def test_what_is_set_aside_is_not_shared_and_not_counted(folder):
    rng = random.Random(5)
    first, second = words(rng, 60), words(rng, 60)
    text = f"{first} {second}"
    scanned = folder(
        [text, f"{first} {second} {words(rng, 9)}"], set_aside={0: [SetAside(0, len(first))]}
    )

    parts = parts_of(scanned, 0)

    assert [text[part.start : part.end] for part in parts.parts] == [second]
    assert parts.share == 1


def test_languages_are_those_that_somebody_said(folder, monkeypatch):
    rng = random.Random(12)
    part = words(rng, 60)
    scanned = folder([f"{part} {words(rng, 20)}", f"{words(rng, 20)} {part}"])
    judgements = Judgements(languages={text_key(scanned.documents[0]): "de"})
    read = {}
    real = shared_parts.__globals__["PairText"]

    def reading(text, settings, set_aside, language, **named):
        read[text] = language
        return real(text, settings, set_aside, language, **named)

    monkeypatch.setitem(shared_parts.__globals__, "PairText", reading)
    state = scanned.state._replace(judgements=judgements)

    assert shared_parts(scanned, state, scanned.pairs(), 0).documents == 1
    assert read == {scanned.texts[0]: "de", scanned.texts[1]: scanned.documents[1].language or None}


def test_references_are_compared_with_what_is_reviewed_only(tmp_path, pool):
    rng = random.Random(10)
    part = words(rng, 90)
    for name in ("a", "old"):
        (tmp_path / name).mkdir()
    for name in ("a/1", "old/2", "old/3"):
        (tmp_path / f"{name}.txt").write_text(f"{part} {words(rng, 40)}")
    folders = [tmp_path / "a", tmp_path / "old"]
    scanned = scan(folders, OPTIONS, pool=pool, roles=[Role.REVIEW, Role.REFERENCE])

    assert parts_of(scanned, 0).documents == 2
    assert parts_of(scanned, 1).holders == ((0,),)
    columns = document_columns(scanned.state, scanned.pairs())
    assert columns.elsewhere.min() > 0.5
    folders[0].joinpath("1.txt").write_text(words(rng, 90))
    again = scan(folders, OPTIONS, pool=pool, roles=[Role.REVIEW, Role.REFERENCE])
    assert document_columns(again.state, again.pairs()).elsewhere.tolist() == [0, 0, 0]


def test_chinese_and_right_to_left(folder):
    rng = random.Random(6)
    chinese = "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(90))
    hebrew = " ".join(
        "".join(chr(rng.randrange(0x5D0, 0x5EA)) for _ in range(5)) for _ in range(50)
    )
    text = f"𝄞 {chinese} 中 {words(rng, 20)} {hebrew}"
    scanned = folder([text, f"{chinese}。{words(rng, 30)}", f"{words(rng, 30)} {hebrew}"])

    parts = parts_of(scanned, 0)

    assert [text[part.start : part.end] for part in parts.parts] == [chinese, hebrew]
    assert [parts.who(part) for part in parts.parts] == [(1,), (2,)]


def test_a_document_like_no_other_shares_nothing(folder):
    rng = random.Random(7)
    scanned = folder([words(rng, 90), words(rng, 90)])

    parts = parts_of(scanned, 0)

    assert (parts.parts, parts.share, parts.documents, parts.total) == ((), 0, 0, 0)


def test_it_can_be_cancelled_and_reports_what_is_known(folder, monkeypatch):
    rng = random.Random(8)
    part = words(rng, 60)
    scanned = folder([f"{part} {words(rng, 30)}" for _ in range(12)])
    pairs, state = scanned.pairs(), scanned.state
    monkeypatch.setitem(shared_parts.__globals__, "PROGRESS_SECONDS", 0)
    reports = []

    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: len(reports) > 3)(shared_parts)(
            scanned, state, pairs, 0, on_progress=reports.append
        )

    assert [report.compared for report in reports] == list(range(1, len(reports) + 1))
    assert reports[2].parts[0].documents == 3
    assert reports[2].total == 11


spans = st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=4), max_size=6)


@given(spans, st.lists(st.integers(1, 3), min_size=6, max_size=6))
def test_stretches_count_the_documents_of_every_character(drawn, sizes):
    number = iter(range(100))
    holders = [tuple(next(number) for _ in range(size)) for size in sizes]
    stretches = SharedPartsCollector("x " * 30, OPTIONS, (), holders)
    expected = [set() for _ in range(60)]
    for same, spans_drawn in zip(holders, drawn, strict=False):
        marked = np.zeros(60, dtype=bool)
        for start, length in spans_drawn:
            marked[start : start + length] = True
        edges = np.flatnonzero(np.diff(np.concatenate([[0], marked, [0]])))
        stretches.add(edges.reshape(-1, 2).astype(np.int64))
        for position in np.flatnonzero(marked):
            expected[position] |= set(same)

    parts = stretches.parts()

    seen = [set() for _ in range(60)]
    for part in parts.parts:
        assert part.start < part.end
        documents = parts.who(part)
        assert len(documents) == len(set(documents)) == part.documents
        for position in range(part.start, part.end):
            assert not seen[position]
            seen[position] = set(documents)
    assert seen == expected


def test_columns_say_how_many_pairs_and_how_much_is_elsewhere(folder):
    rng = random.Random(9)
    part = words(rng, 300)
    scanned = folder(
        [f"{part} {words(rng, 300)}", f"{part} {words(rng, 100)}", words(rng, 200), part],
        set_aside={2: [SetAside(0, 100), SetAside(50, 150)]},
    )
    pairs = scanned.pairs()

    columns = document_columns(scanned.state, pairs)

    assert columns.units[[0, 1, 3]].tolist() == [600, 400, 300]
    assert columns.pairs.tolist() == [2, 2, 0, 2]
    assert columns.highest[[0, 1, 3]].tolist() == pytest.approx([0.5, 0.75, 1])
    assert columns.highest[2] == 0
    assert columns.elsewhere[0] == pytest.approx(0.5, abs=0.1)
    assert columns.elsewhere[1] == pytest.approx(0.75, abs=0.1)
    assert columns.elsewhere[2:].tolist() == [0, 1]
    assert columns.set_aside[2] == pytest.approx(150 / len(scanned.texts[2]))
    assert columns.set_aside[:2].tolist() == [0, 0]


def test_columns_of_an_empty_folder_are_empty(folder):
    scanned = folder([])

    assert len(document_columns(scanned.state, scanned.pairs()).units) == 0


WORDS = [f"word{number}" for number in range(400)]


def signature_of_names(done, a, b, **options):
    numbers = {document.name: number for number, document in enumerate(done.documents)}
    documents = (numbers[f"{a}.txt"], numbers[f"{b}.txt"])
    return documents, signature_of_pair(done, done.state, documents, **options)


@pytest.fixture
def signature_folder(tmp_path):
    changed = [word if index % 40 else f"new{index}" for index, word in enumerate(WORDS)]
    texts = {
        "one.txt": " ".join(WORDS),
        "two.txt": " ".join(changed),
        "copy.txt": " ".join(WORDS),
        "other.txt": " ".join(f"else{number}" for number in range(400)),
    }
    return folder_with(tmp_path / "essays", texts)


@pytest.mark.parametrize(("bands", "rows"), [(20, 5), (64, 2), (1, 128), (128, 1)])
def test_the_bands_that_met_are_those_of_the_search(signature_folder, bands, rows):
    done = scan([signature_folder], ScanSettings())
    for name in ("two", "other"):
        documents, signature = signature_of_names(done, "one", name)
        signatures = done.state.signed.signatures[list(documents)]
        met = agree_in_a_band(signatures, np.array([0]), np.array([1]), bands, rows)[0]
        assert bool(signature.agreeing_bands(bands, rows)) == bool(met)


def test_the_estimate_is_that_of_the_list_and_near_the_exact_number(signature_folder):
    done = scan([signature_folder], ScanSettings())
    (a, b), signature = signature_of_names(done, "one", "two")
    row = next(n for n in range(len(done.pairs())) if {a, b} == {*ends(done.pairs(), n)})
    assert signature.figures.resemblance == pytest.approx(done.pairs().resemblance[row])
    assert signature.estimate == pytest.approx(done.pairs().estimate[row])
    assert signature.equal == round(signature.estimate * 128)
    s = signature.figures.resemblance
    assert 0.5 < s < 1
    assert signature.standard_error == pytest.approx(math.sqrt(s * (1 - s) / 128))
    assert abs(signature.estimate - s) < 4 * signature.standard_error


def ends(pairs, row):
    return int(pairs.a[row]), int(pairs.b[row])


def test_more_than_k_is_not_told(signature_folder):
    _, signature = signature_of_names(scan([signature_folder], ScanSettings()), "one", "two")
    assert signature.agreeing_bands(43, 3) is None
    assert signature.agreeing_bands(42, 3)


def test_identical_texts_agree_throughout_and_need_no_search(signature_folder):
    _, signature = signature_of_names(scan([signature_folder], ScanSettings()), "one", "copy")
    assert signature.identical
    assert signature.equal == signature.values == 128
    assert signature.standard_error == 0


def test_bits_have_a_distance_and_one_that_is_expected(signature_folder):
    done = scan([signature_folder], ScanSettings(signature="simhash", max_distance=8))
    (a, b), signature = signature_of_names(done, "one", "two")
    low, high = done.state.signed.signatures[[a, b]]
    distance = sum(int(x).bit_count() for x in (low ^ high))
    assert signature.has_bits
    assert signature.values - signature.equal == distance
    mean, deviation = signature.expected_distance
    assert abs(distance - mean) < 4 * deviation


def test_a_document_without_shingles_has_no_signature(signature_folder):
    done = scan([signature_folder], ScanSettings())
    number = next(n for n, document in enumerate(done.documents) if document.name == "other.txt")
    done = done.with_exclusions({number: [SetAside(0, len(done.texts[number]))]})
    _, signature = signature_of_names(done, "one", "other")
    assert signature.empty == (False, True)
    assert signature.same is None
    assert signature.agreeing_bands(64, 2) is None
    assert not signature.identical
    done.close()


def test_signatures_of_all_documents_are_not_reported_when_some_are_gone(signature_folder):
    done = scan([signature_folder], ScanSettings(signature="simhash", weights="tf-idf"))
    done.pairs()
    assert signature_of_names(done, "one", "two")[1].values == 64
    _, signature = signature_of_names(done, "one", "two", missing=True)
    assert signature.unknown
    assert signature.same is None


def test_two_references_are_never_compared(tmp_path):
    texts = {"one.txt": " ".join(WORDS), "two.txt": " ".join(WORDS[:300])}
    old = folder_with(tmp_path / "old", texts)
    new = folder_with(tmp_path / "new", {"three.txt": " ".join(WORDS[100:])})
    done = scan([old, new], ScanSettings(), roles=(Role.REFERENCE, Role.REVIEW))
    numbers = {document.path.stem: number for number, document in enumerate(done.documents)}
    both = numbers["one"], numbers["two"]
    assert not signature_of_pair(done, done.state, both).compared
    assert signature_of_pair(done, done.state, (both[0], numbers["three"])).compared

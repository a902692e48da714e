"""The signatures of two documents, compared whatever bands are cut from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.candidates.bands import meet_in_a_band
from core.documents.model import Role
from core.scan.flow import scan
from core.scan.pair_text import signature_of_pair
from core.settings import ScanSettings
from core.text.set_aside import SetAside

WORDS = [f"word{number}" for number in range(400)]


def write(folder, **texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def told_of(done, a, b, **options):
    numbers = {document.name: number for number, document in enumerate(done.documents)}
    documents = (numbers[f"{a}.txt"], numbers[f"{b}.txt"])
    return documents, signature_of_pair(done, done.state, documents, **options)


@pytest.fixture
def folder(tmp_path):
    changed = [word if place % 40 else f"new{place}" for place, word in enumerate(WORDS)]
    return write(
        tmp_path / "essays",
        one=" ".join(WORDS),
        two=" ".join(changed),
        copy=" ".join(WORDS),
        other=" ".join(f"else{number}" for number in range(400)),
    )


@pytest.mark.parametrize(("bands", "rows"), [(20, 5), (64, 2), (1, 128), (128, 1)])
def test_the_bands_that_met_are_those_of_the_search(folder, bands, rows):
    done = scan([folder], ScanSettings())
    for other in ("two", "other"):
        documents, told = told_of(done, "one", other)
        signatures = done.state.signed.signatures[list(documents)]
        met = meet_in_a_band(signatures, np.array([0]), np.array([1]), bands, rows)[0]
        assert bool(told.met_bands(bands, rows)) == bool(met)


def test_the_estimate_is_that_of_the_list_and_near_the_exact_number(folder):
    done = scan([folder], ScanSettings())
    (a, b), told = told_of(done, "one", "two")
    row = next(n for n in range(len(done.pairs())) if {a, b} == {*ends(done.pairs(), n)})
    assert told.figures.resemblance == pytest.approx(done.pairs().resemblance[row])
    assert told.estimate == pytest.approx(done.pairs().estimate[row])
    assert told.equal == round(told.estimate * 128)
    s = told.figures.resemblance
    assert 0.5 < s < 1
    assert told.standard_error == pytest.approx(math.sqrt(s * (1 - s) / 128))
    assert abs(told.estimate - s) < 4 * told.standard_error


def ends(pairs, row):
    return int(pairs.a[row]), int(pairs.b[row])


def test_more_than_k_is_not_told(folder):
    _, told = told_of(scan([folder], ScanSettings()), "one", "two")
    assert told.met_bands(43, 3) is None
    assert told.met_bands(42, 3)


def test_identical_texts_agree_throughout_and_need_no_search(folder):
    _, told = told_of(scan([folder], ScanSettings()), "one", "copy")
    assert told.identical
    assert told.equal == told.values == 128
    assert told.standard_error == 0


def test_bits_have_a_distance_and_one_that_is_expected(folder):
    done = scan([folder], ScanSettings(signature="simhash", max_distance=8))
    (a, b), told = told_of(done, "one", "two")
    low, high = done.state.signed.signatures[[a, b]]
    distance = sum(int(x).bit_count() for x in (low ^ high))
    assert told.has_bits
    assert told.values - told.equal == distance
    mean, deviation = told.expected_distance
    assert abs(distance - mean) < 4 * deviation


def test_a_document_without_shingles_has_no_signature(folder):
    done = scan([folder], ScanSettings())
    number = next(n for n, one in enumerate(done.documents) if one.name == "other.txt")
    done = done.with_set_aside({number: [SetAside(0, len(done.texts[number]))]})
    _, told = told_of(done, "one", "other")
    assert told.empty == (False, True)
    assert told.same is None
    assert told.met_bands(64, 2) is None
    assert not told.identical
    done.close()


def test_signatures_of_all_documents_are_not_told_when_some_are_gone(folder):
    done = scan([folder], ScanSettings(signature="simhash", weights="tf-idf"))
    done.pairs()
    assert told_of(done, "one", "two")[1].values == 64
    _, told = told_of(done, "one", "two", missing=True)
    assert told.unknown
    assert told.same is None


def test_two_references_are_never_compared(tmp_path):
    old = write(tmp_path / "old", one=" ".join(WORDS), two=" ".join(WORDS[:300]))
    new = write(tmp_path / "new", three=" ".join(WORDS[100:]))
    done = scan([old, new], ScanSettings(), roles=(Role.REFERENCE, Role.REVIEW))
    numbers = {document.path.stem: number for number, document in enumerate(done.documents)}
    both = numbers["one"], numbers["two"]
    assert not signature_of_pair(done, done.state, both).compared
    assert signature_of_pair(done, done.state, (both[0], numbers["three"])).compared

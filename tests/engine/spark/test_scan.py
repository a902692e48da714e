"""A run on Spark says what one machine says, where nothing is left out; else what was left out."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.documents.model import Role
from core.evidence.pairs import Pairs
from core.scan import reworked as scan_reworked
from core.scan.corpus import Corpus
from core.scan.flow import scan as scan_here
from core.scan.groups import group_documents
from core.scan.judgements import Judgements
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import evidence
from core.spark import skip_grams as on_spark
from core.spark.columns import bools, int64s, signed_of
from core.spark.copies import copies, distinct
from core.spark.manifest import RunOptions
from core.spark.scan import scan
from tests.engine.spark.tables import WORDS, documents, number_of, row_of, texts_with_copies

SETTINGS = ScanSettings()


def test_copies_and_those_that_stand_for_them_are_those_of_one_machine(spark):
    texts = [*texts_with_copies(60), "", "one two", "", "ONE, two!"]
    reference = {0, 5, 61, *range(20, 40)}
    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(SETTINGS, pool)
        to_review = np.array([row not in reference for row in range(len(texts))])
        corpus.add(texts, sign_texts(texts, SETTINGS), to_review)
        representatives, rows, reviewed = (
            corpus.representatives(),
            corpus.distinct(),
            corpus.reviewed(),
        )
        signed = corpus.signed.take(rows)
    assert 30 < len(rows) < 62
    assert (to_review != reviewed)[rows].any()

    table = documents(spark, texts, SETTINGS, reference=reference).cache()
    of_all = copies(table).cache()
    found = of_all.sort("number").toArrow()
    alone = distinct(table, of_all).sort("number").toArrow()

    with_words = [row for row, text in enumerate(texts) if text]
    assert int64s(found.column("number")).tolist() == [number_of(row) for row in with_words]
    first = row_of(int64s(found.column("representative")))
    np.testing.assert_array_equal(first, representatives[with_words])
    np.testing.assert_array_equal(bools(found.column("reviewed")), to_review[with_words])
    np.testing.assert_array_equal(row_of(int64s(alone.column("number"))), rows)
    np.testing.assert_array_equal(bools(alone.column("reviewed")), reviewed[rows])
    np.testing.assert_array_equal(signed_of(alone, SETTINGS).digests, signed.digests)
    np.testing.assert_array_equal(signed_of(alone, SETTINGS).signatures, signed.signatures)


CHINESE = "河水在夜里上涨，没有人睡着，船都不见了。第二天早上大家到河边去看，发现桥也被冲走了。"
SIMHASH = ScanSettings(signature="simhash", compare="bands", max_distance=6, weights="tf-idf")
# Settings, the role of the second folder, and what is few: pairs of which every task is told where
# their texts go, and documents of which it is told that they are wanted.
CASES = {
    "all pairs, careful": (ScanSettings(), (), {}),
    "bands, references": (
        ScanSettings(compare="bands", reworked="off"),
        (Role.REFERENCE,),
        {"TOLD_TO_ALL": 0},
    ),
    "bits by rarity": (SIMHASH, (), {"TOLD_TO_ALL": 0, "NAMED_TO_ALL": 0}),
}


def on_one_machine(folders, settings, roles=()):
    """Pairs, groups, problems and notes of `neardup scan`, by the names of documents."""
    result = scan_here(folders, settings, roles=roles)
    try:
        found = result.list_pairs()
    finally:
        result.close()
    names = [one.name for one in found.documents]
    columns = {one.name: getattr(found.pairs, one.name) for one in fields(Pairs)}
    groups = {
        (names[group.centre], *sorted(names[one] for one in group.documents))
        for group in group_documents(found.pairs, found.documents, Judgements())
    }
    problems = {(one.name, str(one.code), one.detail) for one in found.problems}
    return by_name(columns, names), groups, problems, list(found.notes)


def in_target(target):
    """The same of what a run has written, without notes."""
    documents = pq.read_table(target / "documents", columns=["number", "id"]).to_pydict()
    names = dict(zip(documents["number"], documents["id"], strict=True))
    table = pq.read_table(target / "pairs")
    pairs = by_name({one.name: table[one.name].to_numpy() for one in fields(Pairs)}, names)
    around = {}
    for row in pq.read_table(target / "groups").to_pylist():
        around.setdefault(row["centre"], {row["centre"]}).add(row["member"])
    groups = {
        (names[centre], *sorted(names[one] for one in members))
        for centre, members in around.items()
    }
    rows = pq.read_table(target / "problems").to_pylist()
    return pairs, groups, {(row["id"], row["code"], row["detail"]) for row in rows}


NUMBERS = sorted(one.name for one in fields(Pairs) if one.name not in ("a", "b"))


def by_name(columns, names):
    """All numbers of pairs by the names of their documents; floats bit by bit."""
    a, b = ([names[one] for one in columns.pop(name).tolist()] for name in "ab")
    numbers = zip(*(columns[name].tolist() for name in NUMBERS), strict=True)
    return dict(zip(zip(a, b, strict=True), numbers, strict=True))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Texts that are copied in every way, short, empty, of another script; and some others."""
    place = tmp_path_factory.mktemp("texts")
    texts = texts_with_copies(60)
    texts += [CHINESE * 3, "。" + CHINESE * 2, "too short", "too short", "", "?!", texts[4].upper()]
    texts += [texts[7]] * 32  # more copies than are spelled out
    own, others = place / "own", place / "others"
    for folder in (own, others):
        folder.mkdir()
    for number, text in enumerate(texts):
        folder = others if number % 3 == 2 else own
        (folder / f"{number:03d}.txt").write_text(text, encoding="utf-8")
    return own, others


@pytest.mark.parametrize("case", CASES)
def test_a_run_says_what_one_machine_says(case, spark, folders, tmp_path, monkeypatch):
    settings, roles, few = CASES[case]
    for name, most in few.items():
        monkeypatch.setattr(evidence, name, most)
    own = tuple((Role.REVIEW, *roles, Role.REVIEW)[:2])
    pairs, groups, problems, notes = on_one_machine(list(folders), settings, own)
    assert len(pairs) > 20
    assert problems
    assert notes

    options = RunOptions(roles=own)
    result = scan(spark, [str(one) for one in folders], str(tmp_path / "run"), settings, options)

    assert in_target(tmp_path / "run") == (pairs, groups, problems)
    assert result[1:4] == (len(pairs), len(groups), len(problems))
    assert list(result.notes) == notes


FORM = " ".join(WORDS[:60])


def test_what_is_common_is_said_and_what_stands_beside_it_is_found(spark, tmp_path, monkeypatch):
    """Every text has a form of 60 words; some share more. Reworked passages are looked for."""
    for module in (scan_reworked, on_spark):
        monkeypatch.setattr(module, "are_all_measured", lambda *_: False)
    source, rng = tmp_path / "texts", random.Random(4)
    source.mkdir()
    for number, text in enumerate(texts_with_copies(125, words=50)):
        own = f"{' '.join(rng.choices(WORDS, k=20))} {FORM} {text}"
        (source / f"{number:03d}.txt").write_text(own)
    settings = ScanSettings(compare="bands", min_resemblance=0.4)
    pairs, _, _, notes = on_one_machine([source], settings)
    plain = {pair for pair, row in pairs.items() if row[NUMBERS.index("resemblance")] >= 0.4}

    result = scan(spark, [str(source)], str(tmp_path / "run"), settings)

    there, *_ = in_target(tmp_path / "run")
    assert len(plain) > 5
    assert plain <= there.keys()
    assert len(there.keys() & pairs.keys()) > 0.9 * len(pairs)
    assert {pair: there[pair] for pair in there.keys() & pairs.keys()} == {
        pair: pairs[pair] for pair in there.keys() & pairs.keys()
    }
    common = "125 documents hold text that stands in more than 100 of them"
    assert [note.partition(";")[0] for note in result.notes if common in note] == [common]
    assert any(common in note for note in notes)


def test_a_run_of_nothing_is_a_result(spark, tmp_path):
    source = tmp_path / "texts"
    source.mkdir()

    result = scan(spark, [str(source)], str(tmp_path / "run"), SETTINGS)

    assert in_target(tmp_path / "run") == ({}, set(), set())
    assert result[:4] == (0, 0, 0, 0)

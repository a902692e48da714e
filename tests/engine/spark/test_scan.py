"""A run on Spark says what one machine says: every pair, number, group, note and problem."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from core.documents.model import Role
from core.scan.audit_results import Cap, CapKind
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import evidence
from core.spark.columns import bools, int64s, signed_of
from core.spark.manifest import RunOptions
from core.spark.scan import LEFT_OUT, caps_table, copies, distinct, left_out, scan, sentences_of
from core.spark.schemas import COPIES
from core.spark.spelled_out import copies_left_out
from tests.engine.spark.tables import documents, number_of, row_of, texts_with_copies

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


TEXTS, COPIED = 300, 31


def test_what_is_left_out_is_told_in_the_order_of_one_machine(spark):
    """Of each text there are too many copies; numbers say which document is first, names do not."""
    texts = spark.range(TEXTS).selectExpr(f"10 * {COPIED} * id + 3 AS representative")
    copies = texts.selectExpr(
        f"explode(sequence(representative, representative + {10 * (COPIED - 1)}, 10)) AS number",
        "representative",
        "true AS reviewed",
    ).repartition(3)
    assert [f"{name} {kind.upper()}" for name, kind in copies.dtypes] == [
        one.replace("LONG", "BIGINT") for one in COPIES.split(", ")
    ]
    documents = copies.selectExpr("number", "concat('text ', reverse(string(number))) AS id")
    others = [
        Cap(CapKind.COMMON, 1234, number_of(7)),
        Cap(CapKind.WORDING, 5, number_of(9000)),
        Cap(CapKind.ALIKE, 77, number_of(1), "SimHash"),
    ]
    of_copies = [Cap(CapKind.COPIES, COPIED, number_of(COPIED * one)) for one in range(TEXTS)]

    caps = caps_table(spark, others[::-1], copies_left_out(copies))
    table = left_out(documents, caps)

    expected = [*others[:2], *of_copies, others[2]]
    assert sentences_of(table) == [
        cap.sentence(f"text {str(cap.document)[::-1]}") for cap in expected
    ]
    assert [one.split()[0] for one in LEFT_OUT.split(", ")] == table.columns
    rows = table.orderBy("place", "document").select("kind", "size", "document").collect()
    assert [tuple(row) for row in rows] == [
        (cap.kind.name.lower(), cap.size, cap.document) for cap in expected
    ]


def test_where_nothing_is_left_out_nothing_is_told(spark):
    copies = spark.createDataFrame([(3, 3, True)], COPIES)
    documents = spark.createDataFrame([(3, "a")], "number LONG, id STRING")

    assert sentences_of(left_out(documents, caps_table(spark, [], copies_left_out(copies)))) == []


BENCH = Path(__file__).parents[2] / "bench" / "spark_identity.py"
CHINESE = "河水在夜里上涨，没有人睡着，船都不见了。第二天早上大家到河边去看，发现桥也被冲走了。"
SIMHASH = ScanSettings(signature="simhash", compare="bands", max_distance=6)
# Settings, the role of the second folder, and what is few: pairs of which every task is told where
# their texts go, and documents of which it is told that they are wanted.
CASES = {
    "all pairs, careful": (ScanSettings(), (), {}),
    "bands, references": (
        ScanSettings(compare="bands", reworked="off"),
        (Role.REFERENCE,),
        {"TOLD_TO_ALL": 0},
    ),
    "bits": (SIMHASH, (), {"TOLD_TO_ALL": 0, "NAMED_TO_ALL": 0}),
}


@pytest.fixture(scope="module")
def identity():
    spec = spec_from_file_location("spark_identity", BENCH)
    module = sys.modules["spark_identity"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
def test_a_run_says_what_one_machine_says(case, spark, identity, folders, tmp_path, monkeypatch):
    settings, roles, few = CASES[case]
    for name, most in few.items():
        monkeypatch.setattr(evidence, name, most)
    own = tuple((Role.REVIEW, *roles, Role.REVIEW)[:2])
    here = identity.on_one_machine(list(folders), settings, roles=own)
    assert len(here.pairs) > 20
    assert here.problems
    assert here.notes

    options = RunOptions(roles=own)
    result = scan(spark, [str(one) for one in folders], str(tmp_path / "run"), settings, options)

    there = identity.in_target(tmp_path / "run")
    assert identity.differences(here, there) == []
    assert result.pairs == len(there.pairs)
    assert result.groups == len(there.groups)
    assert result.problems == len(there.problems)
    assert list(result.notes) == here.notes


@pytest.mark.parametrize(
    "texts", [[], ["Rivers rise in the night. " * 9, "The quick brown fox. " * 9]]
)
def test_a_run_in_which_nothing_is_alike_is_a_result(texts, spark, identity, tmp_path):
    source = tmp_path / "texts"
    source.mkdir()
    for number, text in enumerate(texts):
        (source / f"{number}.txt").write_text(text)
    here = identity.on_one_machine([source], ScanSettings())

    result = scan(spark, [str(source)], str(tmp_path / "run"), ScanSettings())

    there = identity.in_target(tmp_path / "run")
    assert identity.differences(here, there) == []
    assert result[:4] == (len(texts), 0, 0, 0)

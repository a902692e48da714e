"""A run on Spark says what one machine says: every pair, number, group, note and problem."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from core.documents.model import Role
from core.settings import ScanSettings
from core.spark import evidence
from core.spark.manifest import RunOptions
from core.spark.scan import scan
from tests.engine.spark.tables import texts_with_copies

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

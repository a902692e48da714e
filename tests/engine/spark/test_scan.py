"""A run on Spark gives the result of one machine, or reports what was left out."""

import json
import random
import tracemalloc
from dataclasses import fields
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import Role
from core.evidence.pairs import FoundBy, Pairs
from core.exclusions.rules import NO_RULES, ExclusionRules, Phrase
from core.reports.from_scan import report_of
from core.scan import reworked as scan_reworked
from core.scan.flow import scan as scan_here
from core.scan.groups import group_documents, group_pairs
from core.scan.judgements import Judgements
from core.settings import ScanSettings
from core.spark import evidence, signatures
from core.spark import groups as wide_groups
from core.spark import skip_grams as on_spark
from core.spark.columns import shingles_of
from core.spark.file_system import Stages
from core.spark.groups import groups, stars_of
from core.spark.manifest import RunOptions
from core.spark.scan import scan
from core.spark.signatures import CELLS_A_BLOCK, counted_in, counts_of, sums_of
from tests.engine.spark.tables import WORDS, number_of, row_of, texts_with_copies
from tests.pairs import pairs_with
from tests.texts import folder_with

SETTINGS = ScanSettings()


CHINESE = "河水在夜里上涨，没有人睡着，船都不见了。第二天早上大家到河边去看，发现桥也被冲走了。"
SIMHASH = ScanSettings(signature="simhash", compare="bands", max_distance=6, weights="tf-idf")
PHRASE = " ".join(texts_with_copies(60)[3].split()[5:25])
# Settings; the role of the second folder, what is set aside, and what is few: pairs of which every
# task is told where their texts go, and documents of which it is told that they are wanted.
CASES = {
    "all pairs, thorough": (ScanSettings(), {"phrase": PHRASE}),
    "bands, references": (
        ScanSettings(compare="bands", reworked="off"),
        {"role": Role.REFERENCE, "few": ("BROADCAST_PAIRS",)},
    ),
    "bits by rarity": (SIMHASH, {"few": ("BROADCAST_PAIRS", "BROADCAST_NAMES")}),
}
OF_PASSAGE = [column.name for column in evidence.PASSAGE]


class ScanContent(NamedTuple):
    """What a scan says: numbers and passages of pairs, groups and problems, by names."""

    pairs: dict
    passages: dict
    groups: set
    problems: set


def on_single_machine(folders, settings, roles=(), rules=NO_RULES):
    """What `neardup scan` says, and its notes."""
    result = scan_here(folders, settings, roles=roles).with_rules(rules)
    try:
        pair_list = result.list_pairs()
        names = [document.name for document in pair_list.documents]
        columns = {field.name: getattr(pair_list.pairs, field.name) for field in fields(Pairs)}
        shared = report_of(result, pair_list).passages_of
        passages = {
            (names[a], names[b]): list(map(as_row, shared(a, b).passages))
            for a, b in zip(pair_list.pairs.a.tolist(), pair_list.pairs.b.tolist(), strict=True)
        }
    finally:
        result.close()
    groups = {
        (names[group.centre], *sorted(names[number] for number in group.documents))
        for group in group_documents(pair_list.pairs, pair_list.documents, Judgements())
    }
    problems = {(problem.name, str(problem.code), problem.detail) for problem in pair_list.problems}
    return ScanContent(by_name(columns, names), passages, groups, problems), list(pair_list.notes)


def as_row(passage):
    moved = passage.moved_words
    return [moved if name == "moved" else getattr(passage, name) for name in OF_PASSAGE]


def in_target(target):
    """The same of what a run has written, without notes."""
    documents = pq.read_table(target / "documents", columns=["number", "id"]).to_pydict()
    names = dict(zip(documents["number"], documents["id"], strict=True))
    table = pq.read_table(target / "pairs")
    pairs = by_name({field.name: table[field.name].to_numpy() for field in fields(Pairs)}, names)
    passages = {
        (names[row["a"]], names[row["b"]]): [list(passage.values()) for passage in row["passages"]]
        for row in table.select(["a", "b", "passages"]).to_pylist()
    }
    around = {}
    for row in pq.read_table(target / "groups").to_pylist():
        around.setdefault(row["centre"], {row["centre"]}).add(row["member"])
    groups = {
        (names[centre], *sorted(names[n] for n in members)) for centre, members in around.items()
    }
    rows = pq.read_table(target / "problems").to_pylist()
    problems = {(row["id"], row["code"], row["detail"]) for row in rows}
    return ScanContent(pairs, passages, groups, problems)


NUMBERS = sorted(field.name for field in fields(Pairs) if field.name not in ("a", "b"))


def by_name(columns, names):
    """All numbers of pairs by the names of their documents; floats bit by bit."""
    a, b = ([names[number] for number in columns.pop(name).tolist()] for name in "ab")
    numbers = zip(*(columns[name].tolist() for name in NUMBERS), strict=True)
    return dict(zip(zip(a, b, strict=True), numbers, strict=True))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Texts that are copied in every way, short, empty, of another script; and some others."""
    folder = tmp_path_factory.mktemp("texts")
    texts = texts_with_copies(60)
    texts += [CHINESE * 3, "。" + CHINESE * 2, "too short", "too short", "", "?!", texts[4].upper()]
    texts += [texts[7]] * 32 + [texts[9]] * 29  # more copies than are spelled out, and as many
    reviewed_folder, reference_folder = folder / "own", folder / "others"
    for folder in (reviewed_folder, reference_folder):
        folder.mkdir()
    for number, text in enumerate(texts):
        folder = reference_folder if number % 3 == 2 else reviewed_folder
        (folder / f"{number:03d}.txt").write_text(text, encoding="utf-8")
    return reviewed_folder, reference_folder


@pytest.mark.parametrize("case", CASES)
def test_a_run_says_what_one_machine_says(case, spark, folders, tmp_path, monkeypatch):
    settings, extra = CASES[case]
    for name in extra.get("few", ()):
        monkeypatch.setattr(evidence, name, 0)
    roles = (Role.REVIEW, extra.get("role", Role.REVIEW))
    rules = ExclusionRules(phrases=(Phrase(extra["phrase"]),)) if "phrase" in extra else NO_RULES
    expected, notes = on_single_machine(list(folders), settings, roles, rules)
    assert len(expected.pairs) > 20
    assert sum(map(len, expected.passages.values())) > 20
    assert expected.problems
    assert notes

    options = RunOptions(roles=roles, rules=rules)
    result = scan(
        spark, [str(folder) for folder in folders], str(tmp_path / "run"), settings, options
    )

    assert in_target(tmp_path / "run") == expected
    assert result[1:4] == (len(expected.pairs), len(expected.groups), len(expected.problems))
    assert list(result.notes) == notes


FORM = " ".join(WORDS[:60])


def test_what_is_common_is_reported_and_what_is_beside_it_found(spark, tmp_path, monkeypatch):
    """Every text has a form of 60 words; some share more. Reworked passages are looked for."""
    for module in (scan_reworked, on_spark):
        monkeypatch.setattr(module, "are_all_measured", lambda *_: False)
    source, rng = tmp_path / "texts", random.Random(4)
    for number, text in enumerate(texts_with_copies(125, words=50)):
        text_with_form = f"{' '.join(rng.choices(WORDS, k=20))} {FORM} {text}"
        folder_with(source, {f"{number:03d}.txt": text_with_form})
    settings = ScanSettings(compare="bands", min_resemblance=0.4)
    (pairs, *_), notes = on_single_machine([source], settings)
    plain = {pair for pair, row in pairs.items() if row[NUMBERS.index("resemblance")] >= 0.4}

    result = scan(spark, [str(source)], str(tmp_path / "run"), settings)

    cluster_pairs, *_ = in_target(tmp_path / "run")
    assert len(plain) > 5
    assert plain <= cluster_pairs.keys()
    both = cluster_pairs.keys() & pairs.keys()
    assert len(both) > 0.9 * len(pairs)
    # Of so many pairs that meet in the form, each compares others: some are found in one way more.
    assert {pair: but_for_reworked(cluster_pairs[pair]) for pair in both} == {
        pair: but_for_reworked(pairs[pair]) for pair in both
    }
    common = "125 documents contain text that is in more than 100 of them"
    assert [note.partition(",")[0] for note in result.notes if common in note] == [common]
    assert any(common in note for note in notes)


def but_for_reworked(numbers):
    """The numbers of a pair, and the other ways in which it was found."""
    named = dict(zip(NUMBERS, numbers, strict=True))
    return named | {"found_by": named["found_by"] & ~FoundBy.REWORKED}


def test_a_run_of_nothing_is_a_result(spark, tmp_path):
    source = tmp_path / "texts"
    source.mkdir()

    result = scan(spark, [str(source)], str(tmp_path / "run"), SETTINGS)

    assert in_target(tmp_path / "run") == ({}, {}, set(), set())
    assert result[:4] == (0, 0, 0, 0)


DOCUMENTS = 14
numbers = st.integers(0, DOCUMENTS - 1)
pairs_of_numbers = st.tuples(numbers, numbers).filter(lambda pair: pair[0] < pair[1])
edges = st.dictionaries(
    pairs_of_numbers, st.sampled_from([0.1, 0.5, 0.75, 0.9]), min_size=1, max_size=30
)


def keys_of(documents):
    """What documents are known by; in another order than their numbers."""
    return [f"{(7 * number) % 101:03}" for number in range(documents)]


def part_of(rows):
    """For each document the first one of its part."""
    part = list(range(DOCUMENTS))
    for _ in rows:
        for a, b in rows:
            part[a] = part[b] = min(part[a], part[b])
    return part


@settings(derandomize=True, max_examples=60)
@given(edges, st.sampled_from([1, 3, 100]))
def test_parts_have_the_groups_of_the_whole(rows, size):
    keys, part = keys_of(DOCUMENTS), part_of(rows)
    a, b = np.array(list(rows)).T
    resemblance = np.array(list(rows.values()))
    used = sorted({number for pair in rows for number in pair})
    nodes = {
        "part": [part[number] for number in used],
        "number": [number_of(number) for number in used],
        "copies": [0] * len(used),
        "key": [keys[number] for number in used],
        "key_number": used,
    }
    of_edges = {
        "part": [part[number] for number in a.tolist()],
        "x": number_of(a),
        "y": number_of(b),
        "score": resemblance,
    }
    table = pa.concat_tables([pa.table(nodes), pa.table(of_edges)], promote_options="default")
    batches = table.sort_by("part").to_batches(max_chunksize=size)

    star_rows = pa.Table.from_batches(stars_of(iter(batches))).to_pylist()

    expected = {
        (group.centre, member.document, member.score)
        for group in group_pairs(pairs_with(a, b, resemblance=resemblance), keys)
        for member in group.members
    }
    assert {(row_of(r["centre"]), row_of(r["member"]), r["score"]) for r in star_rows} == expected


def test_a_part_with_too_many_pairs_for_a_task_makes_stars_too(spark, tmp_path, monkeypatch):
    """With documents of the same weight, and a long chain of them; and a part that is small."""
    monkeypatch.setattr(wide_groups, "PAIRS_OF_A_TASK", 20)
    rng = np.random.default_rng(5)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 40, (90, 2)).tolist()}
    pairs |= {(0, 40), *((number, number + 1) for number in range(40, 70)), (80, 81), (80, 82)}
    a, b = np.array(sorted(pair for pair in pairs if len(set(pair)) == 2)).T
    resemblance = rng.choice([0.25, 0.75, 0.9], len(a))
    columns = {"a": number_of(a), "b": number_of(b), "resemblance": resemblance}
    columns |= {"exact_duplicate": a < 0, "overlap": np.full(len(a), -1.0)}
    numbers = number_of(np.arange(90))
    known = {"number": numbers, "digest": [b"%03d" % number for number in range(90)]}
    known |= {"document": [json.dumps({"text_hash": key}) for key in keys_of(90)]}
    frames = [spark.createDataFrame(pa.table(table)) for table in (columns, known)]

    star_rows = groups(Stages(spark, str(tmp_path)), *frames, ScanSettings()).collect()

    alike = {frozenset(pair): score for *pair, score in zip(a, b, resemblance, strict=True)}
    centre = {row_of(row.member): row_of(row.centre) for row in star_rows}
    assert len(star_rows) == len(centre)
    for row in star_rows:
        member, columns = row_of(row.member), row_of(row.centre)
        assert centre[columns] == columns
        assert row.score == (1.0 if member == columns else alike[frozenset((member, columns))])
    assert {document: centre[document] for document in (80, 81, 82)} == dict.fromkeys(
        (80, 81, 82), 80
    )
    assert len(centre) > 0.8 * len(set(a.tolist()) | set(b.tolist()))
    assert (tmp_path / "_wide_1" / "_SUCCESS").exists()


SIMHASH_BY_RARITY = ScanSettings(signature="simhash", weights="tf-idf")


def test_counts_of_parts_add_up():
    texts = texts_with_copies(40)
    rows = pa.table({"text": texts, "aside": pa.array([None] * 40, pa.list_(pa.null()))})
    parts = [
        pa.Table.from_batches(list(counts_of(iter(part), SIMHASH_BY_RARITY)))
        for part in (rows[:0].to_batches(), rows[:7].to_batches(3), rows[7:].to_batches())
    ]
    together = pa.concat_tables(parts).sort_by("block")

    added = pa.Table.from_batches(list(sums_of(iter(together.to_batches(max_chunksize=2)))))
    alone = pa.Table.from_batches(list(counts_of(iter(rows.to_batches()), SIMHASH_BY_RARITY)))

    assert added.num_rows == len(set(together.column("block").to_pylist()))
    expected, counted = counted_in(alone), counted_in(added)
    np.testing.assert_array_equal(counted.cells, expected.cells)
    assert counted.documents == expected.documents == 40


def test_a_block_of_many_tasks_is_added_up_row_by_row():
    tasks, largest = 200, 70_000
    rows = (signatures._row(block, np.full(CELLS_A_BLOCK, largest)) for block in [3] * tasks + [4])
    tracemalloc.start()
    sums = list(sums_of(rows))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 20 * 4 * CELLS_A_BLOCK  # all of them have ten times as many bytes
    blocks = dict(map(signatures._counts_in, sums))
    assert set(blocks) == {3, 4}
    assert set(blocks[3].tolist()) == {tasks * largest}


def test_counts_take_as_many_bytes_as_they_need():
    for largest, size in ((255, 1), (256, 2), (2**32 - 1, 4), (2**32, 8)):
        row = signatures._row(7, np.linspace(0, largest, CELLS_A_BLOCK).astype(np.uint64))
        assert len(row.column("counts")[0].as_py()) == size * CELLS_A_BLOCK
        assert int(signatures._counts_in(row)[1].max()) == largest


def test_texts_of_a_batch_are_cut_into_shingles_one_after_the_other():
    texts = ["one two three four five " * 30_000] * 3
    batch = pa.record_batch({"text": texts, "aside": pa.array([None] * 3, pa.list_(pa.null()))})

    parts = [*shingles_of(batch, SIMHASH_BY_RARITY)]

    assert [(rows.num_rows, len(shingles.offsets)) for rows, shingles in parts] == [(1, 2)] * 3

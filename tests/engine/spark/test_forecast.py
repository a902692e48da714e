"""What a sample says of all documents, held against what is there."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from core.commands.main import main
from core.errors import TooManyCandidatesError
from core.settings import ScanSettings
from core.signatures.methods import hamming_distance
from core.signatures.signing import sign_texts
from core.spark import forecast, reading
from core.spark.forecast import (
    CostEstimate,
    Sample,
    check_budget,
    costs,
    draw,
    gathered,
    packed_to,
    sample_of,
    sentences,
    usual_budget,
)
from core.spark.groups import copies, distinct
from core.spark.manifest import RunOptions
from core.spark.reading import read_sample
from tests.engine.spark.tables import WORDS, documents, texts_with_copies
from tests.pairs import candidate_pairs
from tests.texts import folder_with

BILL_SETTINGS = ScanSettings(reworked="careful")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A table of 300 texts and a folder of 60 files."""
    root = tmp_path_factory.mktemp("sources")
    texts = texts_with_copies(360, seed=8)
    rows = [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts[:300])]
    (root / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    folder_with(root / "files", {f"{n}.txt": text for n, text in enumerate(texts[300:])})
    return [str(root / "rows.jsonl"), str(root / "files")], texts


def test_a_sample_of_all_is_what_there_is(spark, source):
    sources, texts = source
    read = read_sample(spark, sources, BILL_SETTINGS, RunOptions())
    sampled = sample_of(gathered(read.documents), read.all, read.share, BILL_SETTINGS)
    bill = CostEstimate(sampled, read.all, BILL_SETTINGS, read.rows)
    signed = sign_texts(sorted(set(texts)), BILL_SETTINGS)

    assert (read.all, read.rows, read.share) == (360, 300, 1.0)
    assert sorted(sampled.texts) == sorted(set(texts))
    np.testing.assert_array_equal(sampled.sample.digests[:, 0], np.sort(signed.digests[:, 0]))
    assert bill.shuffled["fingerprints"] == 16 * signed.fingerprints.counts.sum()
    characters = sum(map(len, set(texts)))
    assert sampled.written == sum(map(len, texts))
    assert bill.choices[0].candidates.expected > len(set(texts)) / 2  # so all may be in a pair
    assert bill.shuffled["texts to be compared"] == pytest.approx(bill.packed * characters)
    assert bill.shuffled["texts for passages"] == pytest.approx(bill.packed * characters)
    assert "texts to be numbered" not in bill.shuffled
    assert min(bill.seconds.values()) > 0


def test_a_part_of_rows_and_files_is_read_and_stands_for_all(spark, source, monkeypatch):
    monkeypatch.setattr(reading, "LEAST", 120)
    sources, texts = source
    read = read_sample(spark, sources, BILL_SETTINGS, RunOptions())
    ids = {row.id for row in read.documents.select("id").collect()}
    again = {row.id for row in read.documents.select("id").collect()}
    table = gathered(read.documents)
    sampled = sample_of(table, read.all, read.share, BILL_SETTINGS)
    bill = CostEstimate(sampled, read.all, BILL_SETTINGS)

    assert read.share == pytest.approx(1 / 3)
    assert 70 < table.num_rows < 170
    assert ids == again
    assert table.num_rows == len(ids)
    assert any("files" in name for name in again)
    characters = sum(map(len, set(texts)))
    of_texts = bill.shuffled["texts to be compared"] / bill.packed
    assert 0.6 * characters < of_texts < 1.6 * characters
    lines = list(sentences(bill))
    assert lines[0] == f"360 documents, by a sample of {len(sampled.texts)} different ones."
    assert lines[2].lstrip().startswith(bill.choices[0].choice)
    assert lines[-3].startswith("Shuffled: about ")
    assert lines[-2].startswith(f"Texts count as Spark packs them, to {bill.packed:.0%} of ")
    assert lines[-1].startswith("One core: about ")


def test_some_texts_of_a_sample_are_enough_for_the_driver(spark, monkeypatch):
    texts = [*texts_with_copies(60, seed=2), "", "… !"]
    frame = documents(spark, texts, BILL_SETTINGS)
    full_sample = sample_of(gathered(frame), 60, 1.0, BILL_SETTINGS)
    table = gathered(frame)
    monkeypatch.setattr(forecast, "CHARACTERS", sum(map(len, texts)) // 3)
    small_sample = sample_of(gathered(frame), 60, 1.0, BILL_SETTINGS)
    monkeypatch.setattr(forecast, "CHARACTERS", 1)
    fewest = sample_of(gathered(frame), 60, 1.0, BILL_SETTINGS)

    assert not {"fingerprints", "id", "document"} & set(table.column_names)
    of_all = CostEstimate(full_sample, 60, BILL_SETTINGS)
    for part in (small_sample, fewest):
        assert part[1:-1] == full_sample[1:-1]
        np.testing.assert_array_equal(part.sample.digests, full_sample.sample.digests)
        assert set(part.texts) < set(full_sample.texts)
        bill = CostEstimate(part, 60, BILL_SETTINGS)
        assert bill.read == len(set(texts)) - 2 == len(full_sample.texts)
        assert bill.shuffled["fingerprints"] == of_all.shuffled["fingerprints"]
    assert len(fewest.texts) == 1 < len(small_sample.texts)
    assert full_sample.characters == sum(map(len, set(texts) - {"", "… !"}))


def test_texts_of_large_runs_are_counted_as_often_as_they_are_shuffled(spark, monkeypatch):
    texts = texts_with_copies(80, seed=2)
    table = gathered(documents(spark, texts, BILL_SETTINGS))
    sampled = sample_of(table, 800, 0.1, BILL_SETTINGS)
    small = CostEstimate(sampled, 800, BILL_SETTINGS, 800).shuffled
    monkeypatch.setattr(forecast, "BROADCAST_ROWS", 600)
    monkeypatch.setattr(forecast, "BROADCAST_PAIRS", 10)

    large, of_files = (CostEstimate(sampled, 800, BILL_SETTINGS, rows) for rows in (700, 600))

    assert large.choices[0].candidates.expected > 800
    written, packed = sum(map(len, texts)), large.packed
    assert large.shuffled["texts to be numbered"] == pytest.approx(packed * written * 10 * 7 / 8)
    assert "texts to be numbered" not in {**small, **of_files.shuffled}
    for name in ("texts to be compared", "texts for passages"):
        assert large.shuffled[name] == pytest.approx(2 * small[name])
    monkeypatch.setattr(forecast, "BROADCAST_NAMES", 10)  # of more, all texts are asked for
    largest = CostEstimate(sampled, 800, BILL_SETTINGS, 0).shuffled
    expected = small["texts to be compared"] + packed * written * 10
    assert largest["texts to be compared"] == pytest.approx(expected)


def test_documents_of_no_pair_are_not_compared(spark):
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(WORDS, 200)) for _ in range(40)]
    texts[7] = f"{texts[3]} and more"
    table = gathered(documents(spark, texts, BILL_SETTINGS))

    bill = CostEstimate(sample_of(table, 40, 1.0, BILL_SETTINGS), 40, BILL_SETTINGS)

    pairs = bill.choices[0].candidates.expected
    assert 1 <= pairs < 10
    share = bill.packed * sum(map(len, texts)) / 40
    assert bill.shuffled["texts to be compared"] == pytest.approx(2 * pairs * share)


def test_texts_are_packed_as_well_as_they_are():
    pages = (Path(__file__).parents[3] / "resources/help").glob("*.md")
    english = "".join(page.read_text(encoding="utf-8") for page in sorted(pages))

    assert 0.5 < packed_to([english]) < 0.75
    assert packed_to(["one two " * 50_000]) < 0.02
    assert packed_to([]) == 1


def test_the_command_says_it(spark, source, neardup, capsys):
    sources, _ = source
    lines = neardup("spark", "forecast", *sources, "--reworked", "off", "--quiet").out.splitlines()

    assert lines[0].startswith("360 documents, by a sample of ")
    assert [line for line in lines if line.lstrip().startswith("32 × 4 ")]
    assert "bands" in lines[-3]
    assert "skip-grams" not in lines[-3]

    assert main(["spark", "forecast", f"{sources[0]}.not", "--quiet"]) != 0
    assert "rows.jsonl.not" in capsys.readouterr().err


def test_a_forecast_of_nothing_says_so(spark, tmp_path, neardup):
    out = neardup("spark", "forecast", tmp_path, "--quiet").out
    assert out.splitlines() == [
        "0 documents, by a sample of 0 different ones.",
        "No document with text was found: there is nothing to compare.",
    ]


def test_ctrl_c_stops_a_forecast(spark, source, capsys):
    def interrupt():
        jobs = spark.sparkContext.statusTracker()
        while not jobs.getActiveJobsIds():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    sources, _ = source
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        status = main(["spark", "forecast", *sources, "--quiet"])
    finally:
        thread.join()

    assert status == 128 + signal.SIGINT
    assert capsys.readouterr() == ("", "neardup: Stopped.\n")


SETTINGS = ScanSettings(reworked="off")
SIMHASH = ScanSettings(signature="simhash", max_distance=6, reworked="off")


def different(settings, count=1200):
    """The signatures and digests of different texts, of which some are copies of others."""
    texts = texts_with_copies(count, seed=3, words=80)
    signed = sign_texts(texts, settings)
    _, first = np.unique(signed.digests[:, 0], return_index=True)
    return signed.signatures[first], signed.digests[first]


def drawn(signatures, digests, share, rng, reviewed=None):
    chosen = rng.random(len(signatures)) < share
    is_reviewed = np.ones(len(signatures), dtype=bool) if reviewed is None else reviewed
    return Sample(len(signatures), share, signatures[chosen], digests[chosen], is_reviewed[chosen])


def met(signatures, digests, bands, rows, reviewed=None):
    use, options = np.arange(len(signatures)), {"digests": digests, "to_review": reviewed}
    chunks = candidate_pairs(signatures, use, bands, rows, **options)
    return sum(len(chunk.x) for chunk in chunks)


@pytest.mark.parametrize("reviewed", [None, 400])
def test_a_whole_collection_is_counted(reviewed):
    signatures, digests = different(SETTINGS)
    mask = None if reviewed is None else np.arange(len(signatures)) < reviewed
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0), mask)

    for cost in costs(sample, SETTINGS)[:12]:
        expected = met(signatures, digests, cost.settings.bands, cost.settings.rows, mask)
        assert cost.candidates == (expected, expected, expected)


@pytest.mark.parametrize(("bands", "rows"), [(64, 2), (32, 4), (14, 9)])
@pytest.mark.parametrize("share", [0.1, 0.4])
def test_intervals_contain_the_true_number(bands, rows, share):
    settings = SETTINGS.with_changes(bands=bands, rows=rows)
    signatures, digests = different(settings)
    expected = met(signatures, digests, bands, rows)
    rng = np.random.default_rng(5)

    costs_drawn = [
        forecast._of_bands(drawn(signatures, digests, share, rng), settings) for _ in range(100)
    ]

    held = sum(cost.candidates.low <= expected <= cost.candidates.high for cost in costs_drawn)
    assert held >= 90
    mean = np.mean([cost.candidates.expected for cost in costs_drawn])
    assert 0.8 * expected < mean < 1.25 * expected


def test_the_interval_of_a_sample_without_pairs_still_allows_some():
    signatures = np.arange(300 * 128, dtype=np.uint32).reshape(300, 128)
    digests = np.arange(600, dtype=np.uint64).reshape(300, 2)
    sample = Sample(300_000, 1e-3, signatures, digests, np.ones(300, dtype=bool))

    candidates = forecast._of_bands(sample, SETTINGS).candidates

    assert (candidates.expected, candidates.low) == (0, 0)
    assert 1e5 < candidates.high < 1e7


def test_the_cost_of_a_crowd_is_below_that_of_all_its_pairs():
    rng = np.random.default_rng(1)
    signatures = rng.integers(0, 2**32, (2000, 128), dtype=np.uint32)
    signatures[:1500, :4] = 7  # two bands of 64 × 2 with all of these, in the whole 1,500,000
    digests = rng.integers(0, 2**63, (2000, 2)).astype(np.uint64)
    sample = Sample(2_000_000, 1e-3, signatures, digests, np.ones(2000, dtype=bool))

    cost = forecast._of_bands(sample, SETTINGS.with_changes(bands=64, rows=2))

    assert cost.in_large_buckets == pytest.approx(1_500_000)
    assert cost.largest == pytest.approx(1_500_000)
    assert cost.candidates.low >= 1_500_000
    assert cost.candidates.expected < 20_000_000  # all pairs of the crowd would be 10^12


def test_distances_are_told_from_one_search():
    signatures, digests = different(SIMHASH, 500)
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0))
    x, y = np.triu_indices(len(signatures), 1)
    differing = hamming_distance(signatures, x, y)

    candidates_of = {cost.choice: cost.candidates.expected for cost in costs(sample, SIMHASH)}

    assert candidates_of == {f"d = {d}": (differing <= d).sum() for d in range(7)}


def test_a_budget_is_refused_with_settings_that_would_do():
    signatures, digests = different(SETTINGS)
    settings = SETTINGS.with_changes(bands=128, rows=1)
    sample = drawn(signatures, digests, 1.0, np.random.default_rng(0))
    candidates = met(signatures, digests, 128, 1)
    fewer = met(signatures, digests, 32, 4)

    with pytest.raises(TooManyCandidatesError) as refused:
        check_budget(sample, settings, fewer + 5)
    check_budget(sample, settings, candidates)
    check_budget(sample, settings, 0)
    check_budget(sample, settings, None)
    with pytest.raises(TooManyCandidatesError, match="Longer shingles are needed: a larger k"):
        check_budget(sample, settings, 1)

    sentence = str(refused.value)
    assert sentence.startswith("With b × r = 128 × 1 ")
    assert f"the budget is {fewer + 5:,}." in sentence
    assert "32 × 4 compares" in sentence
    assert "64 × 2 compares" not in sentence
    assert sentence.endswith("With --budget 0 any number is compared.")
    assert usual_budget(10) == 20_000_000
    assert usual_budget(10**9) == 2 * 10**11


def test_the_sample_depends_on_the_texts_alone(spark, monkeypatch):
    texts = texts_with_copies(300)
    signed = sign_texts(texts, SETTINGS)
    table = documents(spark, texts, SETTINGS, reference=range(0, 300, 3))
    frame = distinct(table, copies(table))
    monkeypatch.setattr(forecast, "LEAST", 90)

    # Fingerprints of long documents are too much for the driver: they are not asked for.
    sample = draw(frame.drop("fingerprints", "skip_grams"), SETTINGS)

    assert sample.documents == len(np.unique(signed.digests[:, 0]))
    assert sample.share == pytest.approx(90 / sample.documents)
    high = signed.digests[:, 0] / 2**64
    assert set(sample.digests[:, 0].tolist()) == {
        int(digest)
        for digest, chosen in zip(signed.digests[:, 0], high, strict=True)
        if chosen < sample.share
    }
    assert 0 < sample.reviewed.sum() < len(sample.reviewed)

"""What a sample of sources says of a run over all of them."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from core.commands.main import main
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark import forecast
from core.spark.forecast import bill_of, gathered, packed_to, sample_of, sentences
from core.spark.manifest import RunOptions
from core.spark.sources import reading
from core.spark.sources.reading import read_sample
from tests.engine.spark.tables import WORDS, documents, texts_with_copies

SETTINGS = ScanSettings(reworked="careful")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A table of 300 texts and a folder of 60 files."""
    root = tmp_path_factory.mktemp("sources")
    texts = texts_with_copies(360, seed=8)
    rows = [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts[:300])]
    (root / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (root / "files").mkdir()
    for n, text in enumerate(texts[300:]):
        (root / "files" / f"{n}.txt").write_text(text, encoding="utf-8")
    return [str(root / "rows.jsonl"), str(root / "files")], texts


def test_a_sample_of_all_is_what_there_is(spark, source):
    sources, texts = source
    read = read_sample(spark, sources, SETTINGS, RunOptions())
    sampled = sample_of(gathered(read.documents), read.all, read.share, SETTINGS)
    bill = bill_of(sampled, read.all, SETTINGS, read.rows)
    signed = sign_texts(sorted(set(texts)), SETTINGS)

    assert (read.all, read.rows, read.share) == (360, 300, 1.0)
    assert sorted(sampled.texts) == sorted(set(texts))
    np.testing.assert_array_equal(sampled.sample.digests[:, 0], np.sort(signed.digests[:, 0]))
    assert bill.shuffled["fingerprints"] == 16 * signed.fingerprints.counts.sum()
    whole = sum(map(len, set(texts)))
    assert sampled.written == sum(map(len, texts))
    assert bill.choices[0].candidates.expected > len(set(texts)) / 2  # so all may be in a pair
    assert bill.shuffled["texts to be compared"] == pytest.approx(bill.packed * whole)
    assert bill.shuffled["texts for passages"] == pytest.approx(bill.packed * whole)
    assert "texts to be numbered" not in bill.shuffled
    assert min(bill.seconds.values()) > 0


def test_a_part_of_rows_and_files_is_read_and_stands_for_all(spark, source, monkeypatch):
    monkeypatch.setattr(reading, "LEAST", 120)
    sources, texts = source
    read = read_sample(spark, sources, SETTINGS, RunOptions())
    ids = {row.id for row in read.documents.select("id").collect()}
    again = {row.id for row in read.documents.select("id").collect()}
    table = gathered(read.documents)
    sampled = sample_of(table, read.all, read.share, SETTINGS)
    bill = bill_of(sampled, read.all, SETTINGS)

    assert read.share == pytest.approx(1 / 3)
    assert 70 < table.num_rows < 170
    assert ids == again
    assert table.num_rows == len(ids)
    assert any("files" in name for name in again)
    whole = sum(map(len, set(texts)))
    of_texts = bill.shuffled["texts to be compared"] / bill.packed
    assert 0.6 * whole < of_texts < 1.6 * whole
    said = list(sentences(bill))
    assert said[0] == f"360 documents, by a sample of {len(sampled.texts)} different ones."
    assert said[2].lstrip().startswith(bill.choices[0].choice)
    assert said[-3].startswith("Shuffled: about ")
    assert said[-2].startswith(f"Texts count as Spark packs them, to {bill.packed:.0%} of ")
    assert said[-1].startswith("One core: about ")


def test_some_texts_of_a_sample_are_enough_for_the_driver(spark, monkeypatch):
    texts = [*texts_with_copies(60, seed=2), "", "… !"]
    frame = documents(spark, texts, SETTINGS)
    whole = sample_of(gathered(frame), 60, 1.0, SETTINGS)
    table = gathered(frame)
    monkeypatch.setattr(forecast, "CHARACTERS", sum(map(len, texts)) // 3)
    some = sample_of(gathered(frame), 60, 1.0, SETTINGS)
    monkeypatch.setattr(forecast, "CHARACTERS", 1)
    fewest = sample_of(gathered(frame), 60, 1.0, SETTINGS)

    assert not {"fingerprints", "id", "document"} & set(table.column_names)
    of_all = bill_of(whole, 60, SETTINGS)
    for part in (some, fewest):
        assert part[1:-1] == whole[1:-1]
        np.testing.assert_array_equal(part.sample.digests, whole.sample.digests)
        assert set(part.texts) < set(whole.texts)
        told = bill_of(part, 60, SETTINGS)
        assert told.read == len(set(texts)) - 2 == len(whole.texts)
        assert told.shuffled["fingerprints"] == of_all.shuffled["fingerprints"]
    assert len(fewest.texts) == 1 < len(some.texts)
    assert whole.characters == sum(map(len, set(texts) - {"", "… !"}))


def test_texts_of_large_runs_are_counted_as_often_as_they_are_shuffled(spark, monkeypatch):
    texts = texts_with_copies(80, seed=2)
    table = gathered(documents(spark, texts, SETTINGS))
    sampled = sample_of(table, 800, 0.1, SETTINGS)
    small = bill_of(sampled, 800, SETTINGS, 800).shuffled
    monkeypatch.setattr(forecast, "BROADCAST_ROWS", 600)
    monkeypatch.setattr(forecast, "TOLD_TO_ALL", 10)

    large, of_files = (bill_of(sampled, 800, SETTINGS, rows) for rows in (700, 600))

    assert large.choices[0].candidates.expected > 800
    written, packed = sum(map(len, texts)), large.packed
    assert large.shuffled["texts to be numbered"] == pytest.approx(packed * written * 10 * 7 / 8)
    assert "texts to be numbered" not in {**small, **of_files.shuffled}
    for what in ("texts to be compared", "texts for passages"):
        assert large.shuffled[what] == pytest.approx(2 * small[what])
    monkeypatch.setattr(forecast, "NAMED_TO_ALL", 10)  # of more, all texts are asked for
    largest = bill_of(sampled, 800, SETTINGS, 0).shuffled
    wanted = small["texts to be compared"] + packed * written * 10
    assert largest["texts to be compared"] == pytest.approx(wanted)


def test_documents_of_no_pair_are_not_compared(spark):
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(WORDS, 200)) for _ in range(40)]
    texts[7] = f"{texts[3]} and more"
    table = gathered(documents(spark, texts, SETTINGS))

    bill = bill_of(sample_of(table, 40, 1.0, SETTINGS), 40, SETTINGS)

    pairs = bill.choices[0].candidates.expected
    assert 1 <= pairs < 10
    share = bill.packed * sum(map(len, texts)) / 40
    assert bill.shuffled["texts to be compared"] == pytest.approx(2 * pairs * share)


def test_texts_are_packed_as_well_as_they_are():
    english = (Path(__file__).parents[3] / "resources/help/manual.md").read_text(encoding="utf-8")

    assert 0.5 < packed_to([english]) < 0.75
    assert packed_to(["one two " * 50_000]) < 0.02
    assert packed_to([]) == 1


def test_the_command_says_it(spark, source, capsys):
    sources, _ = source
    assert main(["spark", "forecast", *sources, "--reworked", "off", "--quiet"]) == 0
    said = capsys.readouterr().out.splitlines()

    assert said[0].startswith("360 documents, by a sample of ")
    assert [line for line in said if line.lstrip().startswith("32 × 4 ")]
    assert "bands" in said[-3]
    assert "skip-grams" not in said[-3]

    assert main(["spark", "forecast", f"{sources[0]}.not", "--quiet"]) != 0
    assert "rows.jsonl.not" in capsys.readouterr().err


def test_what_goes_wrong_is_said_in_a_sentence(spark, tmp_path, capsys):
    for name, lines in (("a", "id,text\n1,some words\n"), ("b", "text,id\nother words,2\n")):
        (tmp_path / f"{name}.csv").write_text(lines)

    assert main(["spark", "forecast", str(tmp_path), "--quiet"]) == 1

    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("neardup: ")
    assert "has other columns than the files beside it." in said


def test_a_forecast_of_nothing_says_so(spark, tmp_path, capsys):
    assert main(["spark", "forecast", str(tmp_path), "--quiet"]) == 0

    assert capsys.readouterr().out.splitlines() == [
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

"""Candidates measured on Spark: the same pairs and numbers, however the work is cut."""

from core.scan import reworked
from core.settings import ScanSettings
from core.spark import evidence
from core.spark.evidence import CellLimits, placed
from core.spark.file_system import Stages
from core.spark.scan import copies, distinct
from tests.engine.spark.tables import documents, texts_with_copies
from tests.engine.spark.test_numbers import ASIDE, OneMachine, assert_same, pairs_of

SETTINGS = ScanSettings(compare="bands", min_resemblance=0.3)


def test_what_is_listed_is_what_one_machine_lists(spark, tmp_path, monkeypatch):
    for one in (reworked, evidence):  # reworked passages of the least alike are not measured
        monkeypatch.setattr(one, "MEASURED_WORDS", 60_000)
    monkeypatch.setattr(evidence, "LIMITS", CellLimits(text=4000, work=8000))
    texts = [*texts_with_copies(60), "", "one two"]
    one = OneMachine(texts, SETTINGS, aside=ASIDE)
    stages = Stages(spark, tmp_path.as_uri())
    frame = stages.table("documents", lambda: documents(spark, texts, SETTINGS, aside=ASIDE))
    different = stages.table("distinct", lambda: distinct(frame, copies(frame)))
    candidates = spark.createDataFrame(one.candidates)

    found = evidence.listed(stages, candidates, frame, different, SETTINGS, one.reworked)

    found, wanted = pairs_of(found.toArrow()), one.wanted()
    assert_same(found, wanted)
    measured = wanted.reworked_words >= 0
    assert measured.any()
    assert not measured.all()


def test_a_document_that_is_like_very_many_is_no_long_task(spark):
    """A long document with 400 short ones, and 20 that are all alike."""
    hub = [(0, y, 1_000_000, 5000) for y in range(1, 401)]
    alike = [(x, y, 5000, 5000) for x in range(900, 920) for y in range(x + 1, 920)]
    pairs = spark.createDataFrame([one[:2] for one in hub + alike], "x LONG, y LONG")
    lengths = {
        one: length for row in hub + alike for one, length in ((row[0], row[2]), (row[1], row[3]))
    }
    known = spark.createDataFrame(list(lengths.items()), "number LONG, characters LONG")

    rows = placed(pairs, known, CellLimits(text=1 << 22, work=500_000)).collect()

    cells = {}
    for row in rows:
        cells.setdefault((row.home, row.part), []).append((row.x, row.y))
    assert sorted(pair for own in cells.values() for pair in own) == sorted(
        one[:2] for one in hub + alike
    )
    work = [sum(min(lengths[x], lengths[y]) for x, y in own) for own in cells.values()]
    assert max(work) < 1_000_000
    assert len(cells) < 40
    for home in (0, 900):  # each text but the hub's is in one cell
        seconds = [{y for _, y in own} for key, own in cells.items() if key[0] == home]
        assert sum(map(len, seconds)) == len(set().union(*seconds))

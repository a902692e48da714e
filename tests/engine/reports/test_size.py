"""How large a report will be is measured, and comes out so."""

from dataclasses import replace

import pytest

from core.errors import ScanCancelledError
from core.reports.choice import ReportChoice
from core.reports.formats import EXPORTS, write_report
from core.reports.size import FEW_PASSAGES, first_pairs, measure
from tests.engine.reports.test_reports import make_report

ENDINGS = [one.endings[0] for one in EXPORTS if one.endings[0] != ".pdf"]
NAMES = [f"essay {number:03}.txt" for number in range(61)]


def size_of(report, path):
    write_report(path, report)
    return path.stat().st_size


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("passages", [True, False])
def test_the_size_of_many_pairs_is_about_what_is_told(tmp_path, ending, passages):
    report = make_report(NAMES, choice=ReportChoice(passages=passages, most_passages=40))

    told = measure(report, ending, tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert told.size == pytest.approx(size_of(report, tmp_path / f"all{ending}"), rel=0.1)
    assert told.seconds > 0


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("pairs", [0, 1, FEW_PASSAGES])
def test_the_size_of_few_pairs_is_exact(tmp_path, ending, pairs):
    report = make_report(NAMES[: pairs + 1])

    told = measure(report, ending, tmp_path)

    assert told.is_exact
    assert told.size == size_of(report, tmp_path / f"all{ending}")


def test_measuring_can_be_stopped(tmp_path):
    with pytest.raises(ScanCancelledError):
        measure(make_report(NAMES), ".html", tmp_path, lambda: True)

    assert list(tmp_path.iterdir()) == []


def test_the_first_pairs_keep_their_numbers():
    report = replace(make_report(NAMES), ranks=range(100, 160))

    first = first_pairs(report, 3, 1)

    assert len(first.pairs) == 3
    assert [first.rank_of(row) for row in range(3)] == [100, 101, 102]
    assert first.choice.most_passages == 1

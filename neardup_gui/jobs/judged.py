"""What the verdicts on a list say of its unread pairs, thought about away from the window."""

from __future__ import annotations

from core.base.arrays import Float64Array
from core.base.tasks import stop_if
from core.scan.judgements import RandomCheck
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.pairs.verdicts import PairVerdicts
from neardup_gui.models.threshold.judged_so_far import CheckedRows, JudgedSoFar, judged_so_far


def weigh_verdicts(resemblance: Float64Array, verdicts: PairVerdicts, check: RandomCheck) -> Work:
    """Think about the verdicts as they are now.

    Args:
        resemblance: float64 (n,), of the pairs listed.
        verdicts: On these pairs.
        check: The random check that was drawn last.
    """
    given = verdicts.verdict

    def work(reports: Reports) -> JudgedSoFar:
        stop_if(reports.cancelled)
        rows = verdicts.one_row_of(check.pairs)
        checked = CheckedRows(rows, check.rest) if check.pairs else None
        return judged_so_far(resemblance, given, checked)

    return work

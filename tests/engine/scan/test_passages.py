"""The passages of a scan: what stands in which of its documents."""

from core.scan.flow import scan
from core.scan.passages import holders_of
from core.settings import ScanSettings

FORM = "Every student hands in this form with the name of the course and the date."


def test_documents_that_hold_a_span_are_counted_with_their_copies(tmp_path, pool):
    own = [f"{FORM} My own words are about subject {number}." for number in range(5)]
    for number, text in enumerate([*own, own[0], "Something else."]):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    for settings in (ScanSettings(), ScanSettings(unit="char", k=5)):
        result = scan([tmp_path], settings)
        found = holders_of(result, 0, [(0, len(FORM)), (0, len(own[0])), (0, 0)])
        result.close()

        assert found == [6, 2, 0]

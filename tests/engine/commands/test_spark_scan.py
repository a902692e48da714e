"""`neardup spark scan`: what is asked for reaches the run, and what it says reaches the user."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.commands import spark_scan
from core.commands.main import main
from core.commands.spark_session import _InLog
from core.documents.model import Role
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.manifest import RunResult
from core.spark.session import StageProgress

ROOT = Path(__file__).parents[3]


@pytest.fixture
def asked(monkeypatch):
    """What the flow of a scan is called with, without Spark."""
    calls = []

    def scan(session, sources, target, settings, options, **more):
        calls.append((session, sources, target, settings, options))
        if target == "broken":
            error = ClusterError("Something broke.")
            error.add_note("Go on with --resume.")
            raise error
        notes = 1000 if target == "copied" else 1
        return RunResult(1200, 0 if target == "unlike" else 45, 12, 3, ("A note.",) * notes)

    @contextmanager
    def session_from(options):
        yield (options.master, options.conf)

    @contextmanager
    def unseen(session, *, quiet):
        yield

    monkeypatch.setattr("core.spark.scan.scan", scan)
    monkeypatch.setattr(spark_scan, "session_from", session_from)
    monkeypatch.setattr(spark_scan, "shown_stages", unseen)
    return calls


def test_every_option_reaches_the_run(asked, capsys):
    command = ["spark", "scan", "hdfs://name/a", "b", "s3a://bucket/run", "--reference", "old",
               "--template", "sheet", "--master", "local[2]", "--conf", "spark.a=b=c", "--k", "4",
               "--seed", "9", "--set-aside", "quotations", "--archives", "--limit", "seconds=7",
               "--text-column", "body", "--id-column", "key", "--budget", "0", "--partitions",
               "64", "--resume"]  # fmt: skip

    assert main(command) == 0

    ((session, sources, target, settings, options),) = asked
    assert session == ("local[2]", ["spark.a=b=c"])
    assert sources == ["hdfs://name/a", "b", "old", "sheet"]
    assert target == "s3a://bucket/run"
    assert settings == ScanSettings(k=4, seed=9)
    assert options.roles == (Role.REVIEW, Role.REVIEW, Role.REFERENCE, Role.TEMPLATE)
    assert (options.text_column, options.id_column) == ("body", "key")
    assert (options.budget, options.partitions, options.resume) == (0, 64, True)
    assert options.rules.quotations
    assert options.reading.archives
    assert options.reading.limits.seconds == 7
    printed = capsys.readouterr().out
    assert "1,200 documents, 45 pairs, 12 groups, 3 problems; " in printed
    assert "Note: A note.\nWritten: s3a://bucket/run\n" in printed
    assert printed.endswith("neardup import s3a://bucket/run --above 0.5 review.neardup\n")


def test_quiet_prints_nothing_of_a_run(asked, capsys):
    assert main(["spark", "scan", "a", "run", "--quiet"]) == 0

    assert capsys.readouterr() == ("", "")
    assert asked[0][4].budget is None


def test_where_there_are_no_pairs_none_are_to_be_looked_at(asked, capsys):
    assert main(["spark", "scan", "a", "unlike"]) == 0

    assert capsys.readouterr().out.endswith("Written: unlike\n")


def test_of_very_many_notes_the_first_are_printed(asked, capsys):
    assert main(["spark", "scan", "a", "copied"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[1:21] == ["Note: A note."] * 20
    assert lines[21].startswith("Note: 980 more notes in run.json of the run; ")
    assert lines[22] == "Written: copied"


def test_a_run_that_broke_says_how_to_go_on(asked, capsys):
    assert main(["spark", "scan", "a", "broken"]) == 1

    assert capsys.readouterr().err.splitlines() == [
        "neardup: Go on with --resume.", "neardup: Something broke."
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [["a"], ["", "run"], ["a", "run", "--budget", "-1"], ["a", "run", "--partitions", "x"]],
)
def test_bad_usage_is_told(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["spark", "scan", *arguments])


def test_a_setting_of_spark_without_a_value_is_told(capsys):
    assert main(["spark", "scan", "a", "run", "--conf", "spark.a"]) == 2
    assert "write --conf NAME=VALUE" in capsys.readouterr().err


def test_a_log_gets_a_line_for_each_stage(capsys):
    log = _InLog()
    first, second = (StageProgress(name, 3, 3, 0, 0, 2.0) for name in ("documents", "_bands"))

    log.show([])
    log.show([first])
    log.show([first, second])
    log.show([first, second])
    log.end()

    assert capsys.readouterr().err.splitlines() == [
        "neardup: documents: 3 tasks, 2 s", "neardup: bands: 3 tasks, 2 s"
    ]  # fmt: skip


def test_the_help_loads_no_spark():
    program = (
        "import sys\nfrom core.commands.main import main\n"
        "try:\n    main(['spark', 'scan', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('pyspark', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "--resume" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"

"""One folder is one submission: its files are one document; whose it is, what a rescan reads."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.documents.model import PairKey, ProblemCode, pieces_of
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import group, people_with_several
from core.exclusions.rules import shares_of
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.review import open_review, save_review
from core.scan.changed_files import Changes, in_words
from core.scan.flow import scan
from core.scan.judgements import GivenVerdict, Judgements, Verdict
from core.scan.scan import Scan
from core.settings import ScanSettings
from tests.archives import zipped
from tests.texts import folder_with

SETTINGS = ScanSettings(min_passage=12)
TOGETHER = ReadingSettings(submissions=True)
OPENED = ReadingSettings(submissions=True, archives=True)


def words(seed, count=60):
    return " ".join(f"w{word}" for word in np.random.default_rng(seed).integers(0, 10**6, count))


def read(folder, pool, reading=TOGETHER, **more):
    return scan([folder], SETTINGS, reading=reading, pool=pool, **more)


def members_of(result):
    return {
        document.name: [member.name for member in document.members] for document in result.documents
    }


def pairs_of(result):
    pairs = result.pairs()
    names = [document.name for document in result.documents]
    both = zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return {frozenset((names[a], names[b])) for a, b in both}


@pytest.fixture
def course(tmp_path):
    return folder_with(
        tmp_path / "course",
        {
            "Ann/essay.txt": words(1),
            "Ann/data/notes.txt": words(2),
            "Ben/all.txt": f"{words(1)} {words(3)}",
            "Cem/one.txt": words(1, 10) + " the end",
            "Cem/two.txt": words(4),
            "readme.txt": words(5),
        },
    )


def test_the_files_of_a_folder_are_one_document(course, pool):
    scanned = read(course, pool)
    assert members_of(scanned) == {
        "Ann": ["data/notes.txt", "essay.txt"],
        "Ben": ["all.txt"],
        "Cem": ["one.txt", "two.txt"],
        "readme.txt": [],
    }
    ann = scanned.documents[0]
    assert scanned.texts[0] == f"data/notes.txt\n\n{words(2)}\n\nessay.txt\n\n{words(1)}"
    assert [scanned.texts[0][member.start :][:60] for member in ann.members] == [
        words(2)[:60],
        words(1)[:60],
    ]
    assert ann.path == course / "Ann"
    assert frozenset(("Ann", "Ben")) in pairs_of(scanned)
    (note,) = scanned.list_pairs().notes
    assert note == "One folder is one submission: 5 files in “course” are 3 documents."
    assert {span.reason for span in scanned.set_aside[0]} == {"name of a file"}
    assert list(shares_of(scanned.set_aside, [len(text) for text in scanned.texts])) == []


def test_that_there_is_no_folder_of_a_submission_is_reported(course, pool):
    note = "No folder of a submission was found: each file is a document by itself."
    scanned = read(course / "readme.txt", pool)
    assert scanned.list_pairs().notes == (note,)
    alone = read(course / "readme.txt", pool, ReadingSettings())
    assert alone.list_pairs().notes == ()


def test_file_names_count_nowhere_and_no_passage_crosses_files(tmp_path, pool):
    all_words = words(1, 40).split()
    first, second = " ".join(all_words[:20]), " ".join(all_words[20:])
    folder_with(
        tmp_path,
        {
            "Ann/part one of the essay.txt": first,
            "Ann/part two of the essay.txt": second,
            "Ben/part one of the essay.txt": words(2),
            "Ben/part two of the essay.txt": words(3),
            "Cem/both.txt": f"{first} {second}",
        },
    )
    scanned = read(tmp_path, pool)
    pairs = scanned.pairs()
    assert pairs_of(scanned) == {frozenset(("Ann", "Cem"))}
    assert pairs.longest_run.tolist() == [20]
    k = SETTINGS.k
    assert pairs.shared_shingles.tolist() == [2 * (20 - k + 1)]
    assert scanned.documents[0].text_hash == scanned.documents[2].text_hash
    write_report(tmp_path / "report.html", report_of(scanned, scanned.list_pairs()))
    assert "Text set aside is not counted" not in (tmp_path / "report.html").read_text("utf-8")


def test_a_file_that_gives_no_text_stays_a_problem(course, pool):
    folder_with(course, {"Ann/empty.txt": "", "Dora/empty.txt": ""})
    scanned = read(course, pool)
    assert [(problem.name, problem.code) for problem in scanned.problems] == [
        ("Ann/empty.txt", ProblemCode.EMPTY),
        ("Dora/empty.txt", ProblemCode.EMPTY),
    ]
    assert "Dora" not in members_of(scanned)
    assert members_of(scanned)["Ann"] == ["data/notes.txt", "essay.txt"]


def test_a_rescan_reads_only_the_file_that_changed(course, pool, monkeypatch):
    before = read(course, pool)
    opened = []
    from core.documents import reading

    original = reading.read_file

    def noted(file, *rest, **more):
        opened.append(file.name)
        return original(file, *rest, **more)

    monkeypatch.setattr(reading, "read_file", noted)
    same = read(course, pool, previous=before.state)
    assert opened == []
    assert same.documents == before.documents
    assert not any(same.changes)
    folder_with(course, {"Ann/essay.txt": words(9), "Cem/three.txt": words(8)})
    (course / "Ben" / "all.txt").rename(course / "Ben" / "some.txt")
    after = read(course, pool, previous=before.state)
    assert sorted(opened) == ["Ann/essay.txt", "Ben/some.txt", "Cem/three.txt"]
    assert members_of(after)["Cem"] == ["one.txt", "three.txt", "two.txt"]
    fresh = read(course, pool)
    assert after.documents == fresh.documents
    assert list(after.texts) == list(fresh.texts)
    assert pairs_of(after) == pairs_of(fresh)
    assert after.set_aside == fresh.set_aside
    assert after.changes.changed == ("Ann", "Ben", "Cem")
    ben = {document.name: document for document in before.documents}["Ben"]
    assert ben.text_hash in {document.text_hash for document in after.documents}


def test_a_review_keeps_submissions_and_a_rescan_of_it_makes_them_again(course, pool, tmp_path):
    before = read(course, pool)
    before.list_pairs()
    save_review(tmp_path / "a.neardup", before.state)
    with open_review(tmp_path / "a.neardup") as review:
        assert list(review.state.documents) == before.documents
        assert review.state.set_aside == before.set_aside
        assert pairs_of(Scan.restored(review.state, pool)) == pairs_of(before)
        folder_with(course, {"Ann/essay.txt": words(9)})
        after = read(course, pool, ReadingSettings(), previous=review.state)
        assert members_of(after) == members_of(before)
        assert list(pieces_of(after.documents[0], after.texts[0]))[1].text == words(9)


def test_each_file_by_itself_and_together_again(course, pool):
    """What a file is a part of is a choice: no file is gone for it."""
    together = read(course, pool)
    alone = read(course, pool, ReadingSettings(), previous=together.state)
    assert in_words(alone.changes) == "No document has changed since the last scan."
    assert [document.name for document in alone.documents] == [
        "Ann/data/notes.txt", "Ann/essay.txt", "Ben/all.txt", "Cem/one.txt", "Cem/two.txt",
        "readme.txt",
    ]  # fmt: skip
    (course / "Cem" / "two.txt").unlink()
    again = read(course, pool, previous=alone.state)
    present = [document.name for document in again.documents if document.absence is None]
    assert present == ["Ann", "Ben", "Cem", "readme.txt"]
    for rescan, names in ((alone, ()), (again, ("Cem/two.txt",))):
        assert rescan.changes == Changes(gone=names)
        assert {document.name for document in rescan.documents if document.absence} == set(names)


def test_whose_files_are_in_several():
    moodle = "Ann Lee_1{}_assignsubmission_file_/{}"
    several = [moodle.format(2, "a.txt"), moodle.format(2, "b.txt"), moodle.format(3, "a.txt")]
    assert people_with_several(several) == 2
    assert people_with_several([*several, "x.txt", "y.txt", "z.txt"]) == 2
    assert people_with_several([*several, "w.txt", "x.txt", "y.txt", "z.txt"]) == 0
    assert people_with_several(several[1:]) == 0
    assert people_with_several(several[:2]) == 0
    assert people_with_several([]) == 0
    canvas = ["ada_12345_90101_a.txt", "ada_12345_90102_b.txt", "bob_12346_90111_c.txt"]
    assert people_with_several(canvas) == 2
    # Joining would make one document of several people, or people of surveys.
    assert people_with_several([f"hw{n}/{name}" for n in (1, 2) for name in several]) == 0
    assert people_with_several([*(f"course/{name}" for name in several), "readme.txt"]) == 0
    years = ["survey_2024_2025_a.txt", "survey_2024_2025_b.txt", "report_2023_2024_x.txt"]
    assert people_with_several(years) == 0


def test_a_copy_of_a_file_that_is_deleted_is_gone(course, pool):
    """Another person's submission is no trace of it."""
    folder_with(
        course, {"draft.txt": words(1), "Dan/essay.txt": words(1), "Dan/more.txt": words(6)}
    )
    together = read(course, pool)
    (course / "draft.txt").unlink()
    assert read(course, pool, previous=together.state).changes.gone == ("draft.txt",)
    alone = read(course, pool, ReadingSettings())
    (course / "Ben" / "all.txt").write_text(words(1))
    alone = read(course, pool, ReadingSettings(), previous=alone.state)
    (course / "Ben" / "all.txt").unlink()
    assert read(course, pool, previous=alone.state).changes.gone == ("Ben/all.txt",)
    folder_with(course, {"loose/essay.txt": words(1), "loose/more.txt": words(6)})
    together = read(course, pool)
    shutil.rmtree(course / "Dan")
    left = read(course, pool, previous=together.state)
    assert {document.name for document in left.documents if document.absence} == {"Dan"}


def test_a_document_that_somebody_judged_stays_when_files_are_joined(course, pool):
    folder_with(course, {"Dan/essay.txt": words(1), "Dan/more.txt": words(6)})
    alone = read(course, pool, ReadingSettings())
    documents = {document.name: document for document in alone.documents}
    key = PairKey.of(documents["Ann/data/notes.txt"], documents["Dan/more.txt"])
    verdict = GivenVerdict(Verdict.CONFIRMED, "Ann", "2026-11-28T12:00:00.000")
    state = alone.state._replace(judgements=Judgements(verdicts={key: verdict}))
    again = read(course, pool, previous=state)
    missing = {document.name for document in again.documents if document.absence}
    assert missing == {"Ann/data/notes.txt", "Dan/more.txt"}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a/x", "b/y", "z"], {"a": ["x"], "b": ["y"], "": ["z"]}),
        (["export/a/x", "export/b/y"], {"a": ["x"], "b": ["y"]}),
        (["a/x", "a/y"], {"a": ["x", "y"]}),
        (["export/a/x", "export/a/y"], {"a": ["x", "y"]}),
        (
            [
                "Ann Lee_12_assignsubmission_file_/a.docx",
                "Ann Lee_12_assignsubmission_file_/sub/b.docx",
                "Ann Lee_12_assignsubmission_onlinetext_/onlinetext.html",
                "Ann Lee_34_assignsubmission_file_/a.docx",
                "O_Neil_5_assignsubmission_file_/x.pdf",
            ],
            {
                "Ann Lee (12)": ["a.docx", "onlinetext.html", "sub/b.docx"],
                "Ann Lee (34)": ["a.docx"],
                "O_Neil": ["x.pdf"],
            },
        ),
        (
            ["Ann_1_assignsubmission_file_essay.docx", "Ann_1_assignsubmission_file_notes.txt"],
            {"Ann": ["essay.docx", "notes.txt"]},
        ),
        (["Ann_1_assignsubmission_file_/a.docx"], {"Ann": ["a.docx"]}),
        (
            [
                "leeann_12345_67890_essay.docx",
                "leeann_LATE_12345_67891_data_1.csv",
                "leeann_999_67892_essay.docx",
                "kimbo_LATE_44_55_x.pdf",
            ],
            {
                "leeann (12345)": ["data_1.csv", "essay.docx"],
                "leeann (999)": ["essay.docx"],
                "kimbo": ["x.pdf"],
            },
        ),
        (
            ["leeann_12345_67890_essay.docx", "report_2024.docx"],
            {"": ["leeann_12345_67890_essay.docx", "report_2024.docx"]},
        ),
        (["Ann.zip", "Ben.tar.gz"], {"Ann": ["Ann.zip"], "Ben": ["Ben.tar.gz"]}),
        (["Ann.zip", "Ann/z.txt", "Ben/z.txt"], {"Ann": ["Ann.zip", "z.txt"], "Ben": ["z.txt"]}),
    ],
)
def test_whose_files_are(names, expected):
    titles = {}
    for submission in group(names, archives=True):
        titles.setdefault(submission.name, []).extend(title for _, title in submission.members)
    assert {name: sorted(titles) for name, titles in titles.items()} == {
        name: sorted(titles) for name, titles in expected.items()
    }


def test_a_download_of_moodle_is_shown_by_person(tmp_path, pool):
    folder_with(
        tmp_path / "download",
        {
            "Ann Lee_12_assignsubmission_file_/essay.txt": words(1),
            "Ann Lee_12_assignsubmission_onlinetext_/onlinetext.html": f"<p>{words(2)}</p>",
            "Ben Roe_13_assignsubmission_onlinetext_/onlinetext.html": f"<p>{words(1)}</p>",
        },
    )
    scanned = read(tmp_path / "download", pool)
    assert members_of(scanned) == {
        "Ann Lee": ["essay.txt", "onlinetext.html"],
        "Ben Roe": ["onlinetext.html"],
    }
    assert pairs_of(scanned) == {frozenset(("Ann Lee", "Ben Roe"))}
    again = read(tmp_path / "download", pool, previous=scanned.state)
    assert again.documents == scanned.documents


def test_archives_inside_the_archive_that_a_platform_gives_out(tmp_path, pool):
    inner = zipped({"essay.txt": words(1), "notes.txt": words(2)})
    download = tmp_path / "course" / "download.zip"
    download.parent.mkdir()
    files = {
        "Ann Lee_12_assignsubmission_file_/work.zip": inner,
        "Ben Roe_13_assignsubmission_file_/essay.txt": words(1),
        "Cem_14_assignsubmission_file_/inner.zip": zipped({"deeper.zip": inner}),
    }
    download.write_bytes(zipped(files))
    scanned = read(download.parent, pool, OPENED)
    assert members_of(scanned) == {
        "download.zip/Ann Lee": ["work.zip/essay.txt", "work.zip/notes.txt"],
        "download.zip/Ben Roe": ["essay.txt"],
    }
    assert [problem.code for problem in scanned.problems] == [ProblemCode.UNSUPPORTED]
    assert pairs_of(scanned) == {frozenset(("download.zip/Ann Lee", "download.zip/Ben Roe"))}
    again = read(download.parent, pool, OPENED, previous=scanned.state)
    assert {document.name for document in again.documents if document.absence is None} == set(
        members_of(scanned)
    )
    (unpacked,) = {Path(document.path) for document in scanned.documents}
    assert unpacked == download


@pytest.mark.parametrize("archive_name", ["Ann/work.zip", "Ann.zip"])
def test_what_could_not_be_read_in_an_archive_stays_a_problem(tmp_path, pool, archive_name):
    course = folder_with(
        tmp_path / "course", {"Ben/essay.txt": words(2), "Ann/notes.txt": words(3)}
    )
    files = {"essay.txt": words(1), "broken.docx": b"PK\x03\x04 and no more"}
    (course / archive_name).write_bytes(zipped(files))
    before = read(course, pool, OPENED)
    assert [document.path for document in before.documents] == [course / "Ann", course / "Ben"]
    assert [problem.name for problem in before.problems] == [f"{archive_name}/broken.docx"]
    again = read(course, pool, OPENED, previous=before.state)
    assert again.problems == before.problems
    assert again.documents == before.documents
    assert not any(again.changes)
    with_another = folder_with(
        tmp_path / "another", {"essay.txt": words(4)}
    )  # names grow by the folder
    folders = [course, with_another]
    both = scan(folders, SETTINGS, reading=OPENED, pool=pool, previous=before.state)
    assert [problem.name for problem in both.problems] == [f"course/{archive_name}/broken.docx"]


def test_an_archive_is_not_changed_by_how_its_files_are_read(tmp_path, pool):
    def write_download(last):
        texts = enumerate((words(1), words(2), last))
        files = {f"Ann {n}_1{n}_assignsubmission_file_/essay.txt": text for n, text in texts}
        (tmp_path / "download.zip").write_bytes(zipped(files))

    write_download(words(3))
    alone = read(tmp_path, pool, ReadingSettings(archives=True))
    together = read(tmp_path, pool, OPENED, previous=alone.state)
    assert [document.members != () for document in together.documents] == [True] * 3
    assert in_words(together.changes) == "No document has changed since the last scan."
    alone = read(tmp_path, pool, ReadingSettings(archives=True), previous=together.state)
    assert in_words(alone.changes) == "No document has changed since the last scan."

    write_download(words(4))
    assert read(tmp_path, pool, OPENED, previous=alone.state).changes.changed == ("download.zip",)


def test_an_archive_that_is_chosen_itself_is_like_a_folder_with_it(tmp_path, pool):
    download = tmp_path / "download.zip"
    files = {
        f"{name}_assignsubmission_file_/{file}.txt": words(number) + name
        for name in ("Ann Lee_12", "Ben Roe_13")
        for number, file in enumerate(("essay", "notes"), 1)
    }
    download.write_bytes(zipped(files))
    scanned = read(download, pool, OPENED)
    assert members_of(scanned) == {
        "download.zip/Ann Lee": ["essay.txt", "notes.txt"],
        "download.zip/Ben Roe": ["essay.txt", "notes.txt"],
    }
    assert members_of(read(tmp_path, pool, OPENED)) == members_of(scanned)


def test_an_archive_of_a_person_is_a_submission(tmp_path, pool):
    for name in ("Ann", "Ben"):
        files = {"essay.txt": words(1) + name, "more/notes.txt": words(name == "Ann")}
        (tmp_path / f"{name}.zip").write_bytes(zipped(files))
    scanned = read(tmp_path, pool, OPENED)
    assert members_of(scanned) == {
        "Ann": ["Ann.zip/essay.txt", "Ann.zip/more/notes.txt"],
        "Ben": ["Ben.zip/essay.txt", "Ben.zip/more/notes.txt"],
    }
    closed = read(tmp_path, pool)
    assert [problem.code for problem in closed.problems] == [ProblemCode.ARCHIVE] * 2

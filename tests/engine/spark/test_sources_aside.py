"""What rules, templates and submissions set aside on Spark is what they do on one machine."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.documents import ReadingSettings
from core.documents.model import Role
from core.errors import ClusterError
from core.scan.flow import scan
from core.scan.submissions import submissions_in_words
from core.spark.importing import document_of_json
from core.spark.manifest import RunOptions
from core.spark.sources import set_aside
from core.text.set_aside import Reason
from tests.engine.spark.tables import texts_with_copies
from tests.engine.spark.test_sources import (
    SETTINGS,
    same_documents,
    same_problems,
    same_signed,
    tables,
)

COVER = "University of Somewhere\nDeclaration of own work signed by me here\nName: {}\n\n"
QUOTE = "“{}” she said."
REFERENCES = (
    "\n\nReferences\n\nLovelace, A. (1843). Notes. Taylor.\nBabbage, C. (1864). Passages.\n"
)


def essays(top, count=14):
    """Essays with a cover sheet, headings, a quotation, a list of references, a common passage."""
    top.mkdir(parents=True)
    texts = texts_with_copies(count, seed=4)
    common = " ".join(texts[0].split()[:30])
    for row, text in enumerate(texts):
        words = text.split()
        quoted = QUOTE.format(" ".join(words[:12]))
        whole = f"{COVER.format(words[-1])}\n\nIntroduction\n\n{text}\n\n{quoted}\n"
        more = f"\n{common}\n" if row % 3 == 0 else ""
        (top / f"{row:02d}.txt").write_text(whole + more + REFERENCES, "utf-8")
    return texts


def test_rules_and_templates_set_aside_the_same(spark, tmp_path):
    texts = essays(tmp_path / "essays")
    template = tmp_path / "assignment.txt"
    template.write_text(" ".join(texts[3].split()[10:60]) + ". And some words of its own.")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "copy.txt").write_text(texts[5])
    phrase = Phrase(" ".join(texts[7].split()[5:12]), Reason.ASSIGNMENT)
    rules = AsideRules(
        quotations=True, bibliography=True, repeated=True, common=4, phrases=(phrase,)
    )
    sources = [tmp_path / "essays", template, tmp_path / "old"]
    roles = (Role.REVIEW, Role.TEMPLATE, Role.REFERENCE)
    expected = scan(sources, SETTINGS, roles=roles).with_rules(rules)
    try:
        options = RunOptions(rules=rules, roles=roles)
        documents, _, _ = tables(spark, tmp_path, sources, options)
        same_documents(documents, expected)
    finally:
        expected.close()
    spans = {
        row: tuple((one["start"], one["end"], Reason(one["reason"])) for one in own)
        for row, own in enumerate(documents.column("aside").to_pylist())
        if own
    }
    assert spans == dict(expected.set_aside)
    reasons = {reason for own in spans.values() for _, _, reason in own}
    assert reasons == {
        *(Reason.QUOTATION, Reason.BIBLIOGRAPHY, Reason.REPEATED),
        *(Reason.COMMON, Reason.ASSIGNMENT, Reason.TEMPLATE),
    }


def test_what_is_common_beyond_what_is_held_is_refused(spark, tmp_path, monkeypatch):
    essays(tmp_path / "essays", 4)
    monkeypatch.setattr(set_aside, "MOST_GRAMS", 3)

    with pytest.raises(ClusterError, match="common="):
        tables(spark, tmp_path, [tmp_path / "essays"], RunOptions(rules=AsideRules(common=2)))


def test_submissions_are_the_same_documents(spark, tmp_path):
    top = tmp_path / "handed in"
    texts = texts_with_copies(6, seed=9)
    for text, name in zip(texts, ("Ada", "Charles"), strict=False):
        (top / name / "more").mkdir(parents=True)
        (top / name / "essay.txt").write_text(text)
        (top / name / "more" / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(600))
        (top / name / "more" / "notes.txt").write_text(texts[5])
    with zipfile.ZipFile(top / "Grace.zip", "w") as archive:
        archive.writestr("essay.txt", texts[1])
        archive.writestr("deep/notes.html", f"<p>{texts[2]}</p>")
    (top / "alone.txt").write_text(texts[4])
    reading = ReadingSettings(archives=True, submissions=True)
    expected = scan([top], SETTINGS, reading=reading)
    try:
        options = RunOptions(reading=reading, rules=NO_RULES)
        documents, problems, notes = tables(spark, tmp_path, [top], options)
        same_documents(documents, expected)
        same_problems(problems, expected.problems)
    finally:
        expected.close()
    aside = documents.column("aside").to_pylist()
    assert [bool(own) for own in aside] == [bool(one.members) for one in expected.documents]
    assert notes == list(submissions_in_words(expected.documents, reading))
    assert notes


def test_files_on_other_systems_are_read_as_here(spark, tmp_path):
    """A view of local disks is another file system to Hadoop: nothing is read by path."""
    top = tmp_path / "far" / "handed [in]"
    texts = texts_with_copies(6, seed=9)
    for text, name in zip(texts, ("Ada", "Zoë 100%"), strict=False):
        (top / name / "more").mkdir(parents=True)
        (top / name / "essay.txt").write_text(text)
        (top / name / "more" / "page.html").write_text(f"<p>{text[:300]}</p>")
    with zipfile.ZipFile(top / "Grace.zip", "w") as archive:
        archive.writestr("essay.txt", texts[2])
        archive.writestr("notes.txt", texts[3])
    (top / "alone.txt").write_text(texts[4])
    (top / "empty.txt").write_text("")
    (top / ".hidden.txt").write_text(texts[5])
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    conf.set("fs.viewfs.mounttable.far.link./all", f"file:{tmp_path}/far")
    source = "viewfs://far/all/handed [in]"
    reading = ReadingSettings(archives=True, submissions=True)
    expected = scan([top], SETTINGS, reading=reading)
    try:
        (top / "_SUCCESS").write_text("")
        (top / "_own.txt").write_text(texts[5])
        options = RunOptions(reading=reading)
        documents, problems, notes = tables(spark, tmp_path, [source], options)
        assert documents.column("text").to_pylist() == list(expected.texts)
        same_signed(documents, expected.state.signed)
        read = [document_of_json(one) for one in documents.column("document").to_pylist()]
    finally:
        expected.close()
    there = str(Path(source))
    times = dict.fromkeys(["modified_ns"], 0)
    assert [replace(one, **times, members=()) for one in read] == [
        replace(one, **times, members=(), path=Path(str(one.path).replace(str(top), there)))
        for one in expected.documents
    ]
    assert [[own[:3] for own in one.members] for one in read] == [
        [own[:3] for own in one.members] for one in expected.documents
    ]
    codes = {one["id"]: one["code"] for one in problems.to_pylist()}
    assert codes == {"_SUCCESS": "empty", "_own.txt": "failed", "empty.txt": "empty"}
    assert notes[0].startswith("One folder is one submission: 6 files")

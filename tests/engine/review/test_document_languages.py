"""The language of documents: told when they are read, corrected by a decision, kept by the text."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from core.documents.model import text_key
from core.errors import ReviewError
from core.review import ReviewLog, open_review, save_review
from core.review.decisions import is_light, judged, keys_of, redo, undo
from core.review.folder_roles import say_language
from core.review.rows import DocumentRow
from core.scan.flow import scan
from core.scan.history import Command, entry_after
from core.scan.judgements import Judgements
from core.scan.pair_text import language_of, languages_of, told_languages_of
from core.settings import ScanSettings
from core.text.language_names import UNKNOWN

TEXTS = {
    "english.txt": "The council decided yesterday that the old bridge will not be torn down but "
    "stays open for those who walk. Anyone who comes by car must take the new one.",
    "german.txt": "Der Rat hat gestern beschlossen, dass die alte Brücke nicht abgerissen wird, "
    "sondern für Fußgänger offen bleibt. Wer mit dem Wagen kommt, muss über die neue fahren.",
    "list.txt": "Berlin 30 22 Paris 28 20 Roma 33 25 Madrid 35 24 Oslo 21 14 Wien 29 18",
}
SETTINGS = ScanSettings(k=2)


def decided(judgements, command, entries=()):
    entry = entry_after(entries, *command, who="Ann")
    return judged(judgements, [entry]), entry


def languages(state):
    found = languages_of(state, told_languages_of(state))
    by_itself = [language_of(one, state.judgements) for one in state.documents]
    assert all(one in {"", language} for one, language in zip(by_itself, found, strict=True))
    return found


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_what_is_said_is_done_and_undone():
    first, one = decided(Judgements(), say_language(Judgements(), ["a", "b", "a"], "de"))
    second, two = decided(first, say_language(first, ["b", "c"], "fr"), [one])
    third, three = decided(second, say_language(second, ["a", "d"], None), [one, two])

    assert dict(first.languages) == {"a": "de", "b": "de"}
    assert dict(second.languages) == {"a": "de", "b": "fr", "c": "fr"}
    assert dict(third.languages) == {"b": "fr", "c": "fr"}
    assert all(is_light(entry.command) for entry in (one, two, three))
    assert keys_of([one, two, three]) == []
    back = undo([one, two, three])
    assert judged(third, [back]) == second
    assert judged(second, [redo([one, two, three, back])]) == third
    assert judged(second, [undo([one, two])]) == first


@pytest.mark.parametrize(
    "said",
    [
        None,
        [{}],
        [{"is": "de"}],
        [{"is": "German", "texts": ["a"]}],
        [{"is": 7, "texts": ["a"]}],
        [{"is": "de", "texts": ["a" * 65]}],
        [{"is": "de", "texts": [7]}],
        [{"is": None, "texts": [""]}],
    ],
)
def test_what_is_no_language_is_refused(said):
    with pytest.raises((KeyError, TypeError, ValueError)):
        decided(Judgements(), (Command("language", {"said": said}), None))


def test_documents_that_are_read_have_their_language(folder, pool):
    found = scan([folder], SETTINGS, pool=pool)

    assert [one.language for one in found.documents] == ["en", "de", UNKNOWN]
    assert languages(found.state) == ["en", "de", UNKNOWN]


def by_name(state):
    names = [one.name for one in state.documents]
    return dict(zip(names, languages(state), strict=True))


def test_what_was_said_goes_with_the_text(folder, tmp_path, pool):
    found = scan([folder], SETTINGS, pool=pool)
    path = tmp_path / "a.neardup"
    save_review(path, found.state)
    texts = [text_key(one) for one in found.documents[1:]]
    ReviewLog(path).append(*say_language(found.decided.judgements, texts, "nl"))
    (folder / "german.txt").rename(folder / "moved.md")
    (folder / "copy.txt").write_text(TEXTS["list.txt"], encoding="utf-8")

    with open_review(path) as review:
        assert by_name(review.state) == {"english.txt": "en", "german.txt": "nl", "list.txt": "nl"}
        again = scan([folder], SETTINGS, previous=review.state, pool=pool)
        assert by_name(again.state) == {
            "copy.txt": "nl",
            "english.txt": "en",
            "list.txt": "nl",
            "moved.md": "nl",
        }
        assert {one.language for one in again.documents} == {"en", "de", UNKNOWN}


def test_what_was_said_holds_for_the_text_that_was_edited(folder, tmp_path, pool):
    found = scan([folder], SETTINGS, pool=pool)
    path = tmp_path / "a.neardup"
    save_review(path, found.state)
    text = text_key(found.documents[2])
    ReviewLog(path).append(*say_language(found.decided.judgements, [text], "it"))
    (folder / "list.txt").write_text(TEXTS["list.txt"] + " Bern 17 20", encoding="utf-8")

    with open_review(path) as review:
        again = scan([folder], SETTINGS, previous=review.state, pool=pool)

    assert again.documents[2].text_hash != text
    assert by_name(again.state)["list.txt"] == "it"


def test_a_damaged_language_refuses_the_review(folder, tmp_path, pool, monkeypatch):
    monkeypatch.setattr("core.review.log._require_readable", lambda *_: None)
    path = tmp_path / "a.neardup"
    save_review(path, scan([folder], SETTINGS, pool=pool).state)
    ReviewLog(path).append(Command("language", {"said": [{"is": "<b>", "texts": ["a"]}]}), None)

    with pytest.raises(ReviewError, match="damaged"), open_review(path):
        pass


@pytest.mark.parametrize("value", [b"<b>", b"GERMAN", b"x" * 100, b"\xff"])
def test_a_crafted_language_of_a_document_refuses_the_review(folder, tmp_path, pool, value):
    path = tmp_path / "a.neardup"
    save_review(path, scan([folder], SETTINGS, pool=pool).state)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET language = ?", (value,))
        rows = list(connection.execute(f"SELECT {', '.join(DocumentRow._fields)} FROM documents"))
        for row in rows:
            checksum = DocumentRow(*row).checksum
            connection.execute("UPDATE documents SET checksum = ? WHERE id = ?", (checksum, row[0]))

    with pytest.raises(ReviewError, match="damaged"), open_review(path):
        pass


def test_a_document_of_an_older_review_is_told_when_it_is_asked_for(folder, tmp_path, pool):
    found = scan([folder], SETTINGS, pool=pool)
    older = found.state._replace(documents=[replace(one, language="") for one in found.documents])
    path = tmp_path / "a.neardup"
    save_review(path, older)

    with open_review(path) as review:
        assert [one.language for one in review.state.documents] == ["", "", ""]
        assert languages(review.state) == ["en", "de", UNKNOWN]
        again = scan([folder], SETTINGS, previous=review.state, pool=pool)
    assert [one.language for one in again.documents] == ["en", "de", UNKNOWN]


def test_a_text_that_cannot_be_read_has_no_language(folder, pool):
    class Texts(list):
        def __getitem__(self, number):
            raise ReviewError("It is damaged.")

    state = scan([folder], SETTINGS, pool=pool).state
    documents = [replace(one, language="") for one in state.documents]

    assert languages(state._replace(documents=documents, texts=Texts())) == [UNKNOWN] * 3

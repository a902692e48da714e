"""What a run was asked for comes back from its file as it was."""

import json

import pytest

from core.aside.rules import AsideRules, Phrase
from core.documents.model import Role
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.manifest import Manifest, RunResult, Source

MANIFEST = Manifest(
    settings=ScanSettings(k=4, seed=9, bands=10, rows=3, signature_size=64),
    reading=ReadingSettings(archives=True, limits=ReadingLimits(seconds=7), passwords=("geheim",)),
    rules=AsideRules(quotations=True, phrases=(Phrase("“one” two"),)),
    sources=(Source("hdfs://name/图书", Role.REFERENCE, 3, 4_000_000_000, 17),),
    text_column="body",
    versions={"neardup": "0.1.0"},
    begun="2026-01-02T03:04:05Z",
    finished="2026-01-02T03:14:05Z",
    result=RunResult(120, 45, 12, 3, ("A note.",)),
)


def test_a_manifest_comes_back_without_passwords():
    text = MANIFEST.as_json()
    back = Manifest.of_json(text)

    assert "geheim" not in text
    assert back.reading.passwords == ()
    assert back.differences(MANIFEST) == []
    assert (back.begun, back.finished, back.result) == (
        MANIFEST.begun, MANIFEST.finished, MANIFEST.result
    )  # fmt: skip
    assert Manifest.of_json(back.as_json()) == back


def test_what_another_run_was_asked_for_is_named():
    other = Manifest.of_json(MANIFEST.as_json().replace('"seed": 9', '"seed": 10'))

    assert MANIFEST.differences(other) == ["the settings"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"}, {"version": 2}, {"settings": {}}, {"sources": [{}]},
        {"result": {"pairs": 1}}, {"limits": {"pages": 1, "more": 2}}, {"rules": {"common": "a"}},
        {"sources": [{"place": "a", "role": "b", "files": 1, "bytes": 1, "changed": 0}]},
    ],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(change):
    told = {**json.loads(MANIFEST.as_json()), **change}

    with pytest.raises(ClusterError, match=r"\.$"):
        Manifest.of_json(json.dumps(told))
    for text in ("", "[]", "{", "[" * 100_000, "{}"):
        with pytest.raises(ClusterError, match=r"\.$"):
            Manifest.of_json(text)

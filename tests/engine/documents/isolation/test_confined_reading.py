"""A confined reader reads what any other reads: every format, what is locked, and scans."""

from __future__ import annotations

import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import xxhash

from core.documents import ReaderProcesses, ReadingLimits, ReadingSettings
from core.documents.extraction import Piece, extract
from core.documents.readers import UnreadableError
from core.documents.readers.reader import reading_of

READERS = Path(__file__).parents[1] / "readers"
BENCH = str(Path(__file__).parents[3] / "bench")
PATIENT = ReadingLimits(seconds=3600)
PASSWORDS = ("ferry", "open sesame", "geese")


def module(name):
    """Another test module, for the files that it makes."""
    spec = spec_from_file_location(f"{name}_for_confined_reading", READERS / f"{name}.py")
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def files():
    """A file of every format, and locked ones, by their names."""
    sys.path.insert(0, BENCH)
    try:
        from fuzz_seeds import SEEDS
    finally:
        sys.path.remove(BENCH)
    doc, odf = module("test_doc"), module("test_odf")
    return {
        **SEEDS,
        "locked.doc": doc.compound(doc.locked("secret\r")),
        "aes.odt": odf.locked("content.xml", *odf.locked_with_aes(odf.SECRET, "geese")),
        "blowfish.odt": odf.locked("content.xml", *odf.locked_with_blowfish(odf.SECRET, "geese")),
        "argon.odt": odf.locked(
            "encrypted-package",
            *odf.locked_with_argon(odf.odf("<text:p>A secret.</text:p>"), "geese"),
        ),
        "chinese.txt": "春江潮水连海平".encode("gb18030") * 50,
    }


def here(data, suffix, settings):
    """What this process reads, which is not confined."""
    try:
        return list(extract(data, reading_of(settings, suffix)))
    except UnreadableError as error:
        return [error.detail]


def without_hash(result):
    """That of a part is not taken as a process says it."""
    return result._replace(file_hash="") if isinstance(result, Piece) else result


def alike(files, settings):
    """The names of files that a confined process reads as this one does, and of the others."""
    found = {True: [], False: []}
    with ReaderProcesses(settings) as processes:
        for name, data in files.items():
            suffix = Path(name).suffix.lower()
            file_hash = xxhash.xxh3_128_hexdigest(data)
            answers = processes.read(data, suffix, file_hash, lambda: False)
            confined = [without_hash(answer) for answer in answers]
            expected = [without_hash(one) for one in here(data, suffix, settings)]
            details = [getattr(result, "detail", "") for result in confined]
            found[expected in (confined, details)].append(name)
    return found[True], found[False]


def test_every_format_and_what_is_locked_is_read_alike(files):
    settings = ReadingSettings(limits=PATIENT, archives=True, passwords=PASSWORDS)

    same, others = alike(files, settings)

    assert len(same) > 20
    assert others == []


def test_what_is_locked_is_read_at_all(files):
    settings = ReadingSettings(limits=PATIENT, passwords=PASSWORDS)
    with ReaderProcesses(settings) as processes:
        for name in ("locked.doc", "aes.odt", "blowfish.odt", "argon.odt"):
            (found,) = processes.read(files[name], Path(name).suffix, "0" * 32, lambda: False)

            assert "secret" in found.text


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_scans_are_read_alike():
    pictures = module("test_pictures")
    files = {
        "page.png": pictures.png(*pictures.PAGE),
        "pages.tif": pictures.tiff(pictures.PAGE, pictures.PAGE),
    }

    same, others = alike(files, ReadingSettings(limits=PATIENT, ocr=True))

    assert sorted(same) == ["page.png", "pages.tif"]
    assert others == []


def test_libraries_that_nobody_compiled_are_compiled_once(tmp_path, monkeypatch):
    """A confined process cannot keep what it compiles, so it does that before."""
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    with ReaderProcesses(ReadingSettings(limits=PATIENT)) as processes:
        list(processes.read(b"%PDF-1.4 and no more", ".pdf", "0" * 32, lambda: False))

    kept = {path.parent.name for path in tmp_path.rglob("*.pyc")}
    assert {"pypdfium2_raw", "selectolax", "chardet", "msoffcrypto"} <= kept

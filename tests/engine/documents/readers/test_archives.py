"""ZIP, tar and 7-Zip archives: their files are parts, however they are packed, within limits."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib

import pytest

from core.documents.extraction import Failure, Piece, extract
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading, archives, reading_of, seven_zip
from core.documents.readers.ooxml import docx
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import reader_for
from tests.archives import office_names, tarred, zipped
from tests.bench import fuzz_seeds
from tests.problems import problem_of

OPENED = reading_of(ReadingSettings(archives=True), "")
KINDS = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
WORDS = "the ferry left the eastern pier before the fog had lifted from the water"
BOOK = '<package xmlns="http://www.idpf.org/2007/opf"/>'


def streamed(parts) -> bytes:
    """Packed by a program that cannot go back: sizes follow the parts."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, block):
            self.data += bytes(block)
            return len(block)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return pipe.data


def office(kind: str, **more) -> dict[str, str | bytes]:
    """The parts of a small document; a docx has words."""
    body = f"<w:body><w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p></w:body>"
    content = f"<w:document {office_names()}>{body}</w:document>"
    return {"[Content_Types].xml": "<Types/>", KINDS[kind]: content, **more}


WORKBOOK = zipped(office("xlsx"))
EMBEDDED = "word/embeddings/Microsoft_Excel_Worksheet.xlsx"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inner", KINDS)
@pytest.mark.parametrize("filler", [0, 200_000])
def test_a_document_stored_inside_another_does_not_decide_its_kind(kind, inner, filler):
    name = f"embeddings/inside.{inner}"
    parts = office(kind, **{name: zipped(office(inner)), "media/image.png": b"x" * filler})

    assert reader_for(zipped(parts, stored={name, "media/image.png"}), "").kind == kind


def test_the_text_around_an_embedded_workbook_is_read():
    data = zipped(office("docx", **{EMBEDDED: WORKBOOK}), stored={EMBEDDED})

    (piece,) = extract(data, OPENED)

    assert isinstance(piece, Piece)
    assert (piece.kind, piece.text) == ("docx", WORDS)


@pytest.mark.parametrize("pack", [zipped, streamed])
def test_a_document_that_broke_off_behind_an_embedded_one_is_still_itself(pack):
    parts = office("docx", **{EMBEDDED: WORKBOOK})
    data = zipped(parts, stored={EMBEDDED}) if pack is zipped else streamed(parts)
    broken = data[: data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))]
    if pack is zipped:
        assert broken.rstrip(b"\0").count(b"PK\x05\x06") == 1  # that of the workbook

    assert reader_for(broken, "").kind == "docx"
    assert docx.READER.read(broken, Reading()).text == WORDS


@pytest.mark.parametrize(
    "inner",
    [
        zipped(office("docx")),
        zipped(office("xlsx")),
        zipped({"META-INF/container.xml": "<x/>", "book.opf": BOOK}),
        zipped({"META-INF/manifest.xml": "<x/>", "content.xml": "<x/>"}),
        zipped({"a.fb2": "<FictionBook/>"}),
        b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n",
        b"{\\rtf1 rich}",
        WORDS.encode(),
    ],
)
@pytest.mark.parametrize("count", [1, 3])
def test_an_archive_packed_without_compression_stays_one(inner, count):
    files = {f"{number}.bin": inner for number in range(count)}

    assert reader_for(zipped(files, zipfile.ZIP_STORED), ".zip").kind == "zip"
    assert reader_for(tarred(files), ".tar").kind == "tar"


def test_each_document_of_such_an_archive_is_read():
    inner = zipped(office("docx"), method=zipfile.ZIP_STORED)
    data = zipped({"a.docx": inner, "b.docx": inner, "c.txt": WORDS}, method=zipfile.ZIP_STORED)

    pieces = list(extract(data, OPENED))

    assert [(piece.part, piece.text) for piece in pieces] == [
        (name, WORDS) for name in ("a.docx", "b.docx", "c.txt")
    ]


def test_a_text_about_pdf_is_a_text():
    data = b"A file of this kind starts with the signature %PDF-1.7 and ends with %%EOF.\n"

    (piece,) = extract(data, OPENED)
    (named,) = extract(data, reading_of(ReadingSettings(), ".pdf"))

    assert isinstance(piece, Piece)
    assert piece.kind == "text"
    assert isinstance(named, Failure)


def test_a_pdf_behind_other_bytes_is_one():
    data = b"HTTP header\r\n\r\n%PDF-1.4\n1 0 obj\n<<>>\nendobj\n"

    assert reader_for(data, "").kind == "pdf"


def test_the_size_in_a_header_may_lie():
    data = bytearray(zipped(office("docx"), method=zipfile.ZIP_STORED))
    data[18:26] = (5).to_bytes(4, "little") * 2
    broken = bytes(data[: data.index(b"PK\x01\x02")])

    assert docx.READER.recognises(broken, ".docx")
    assert docx.READER.read(broken, Reading()).text == WORDS


ZIP = archives.READER
TAR = archives.TAR
SEVEN_ZIP = seven_zip.READER
COMPRESSED = archives.COMPRESSED
TEXTS = {"a.txt": b"one", "folder/b.txt": b"two", "c/d/e.txt": b""}
LOW = {"limits": ReadingLimits(memory_bytes=8_000)}


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    """An archive in which a name has other bytes, of the same number."""
    assert len(old) == len(new)
    return data.replace(old, new)


def parts(reader, data: bytes, **settings):
    return list(reader.parts(data, Reading(**settings)))


def contents(reader, data: bytes, **settings) -> dict[str, object]:
    parts_read = parts(reader, data, **settings)
    return {
        name: data.code if isinstance(data, UnreadableError) else data for name, data in parts_read
    }


def until_error(reader, data: bytes, **settings) -> tuple[list[object], UnreadableError]:
    """The parts before the error, and the error."""
    parts_read: list[object] = []
    try:
        for part in reader.parts(data, Reading(**settings)):
            parts_read.append(tuple(part))  # noqa: PERF401 - what came before an error is kept
    except UnreadableError as error:
        return parts_read, error
    pytest.fail("No error.")


@pytest.mark.parametrize(
    ("reader", "data"),
    [
        (ZIP, zipped(TEXTS)),
        (ZIP, zipped(TEXTS, zipfile.ZIP_STORED)),
        (TAR, tarred(TEXTS)),
        (TAR, tarred(TEXTS, tarfile.GNU_FORMAT)),
        (TAR, tarred(TEXTS, tarfile.USTAR_FORMAT)),
        (COMPRESSED, gzip.compress(tarred(TEXTS))),
        (COMPRESSED, bz2.compress(tarred(TEXTS))),
        (COMPRESSED, lzma.compress(tarred(TEXTS))),
    ],
)
def test_the_files_are_parts_in_their_order(reader, data):
    assert reader_for(data, ".txt") is reader
    assert reader.is_archive
    assert reader.read is None
    assert [tuple(part) for part in parts(reader, data)] == list(TEXTS.items())


@pytest.mark.parametrize("reader", [ZIP, TAR])
def test_names_lead_nowhere_and_hidden_files_are_no_documents(reader):
    files = {
        "/etc/a": b"1",
        "../../b": b"2",
        "C:\\c\\d": b"3",
        "./e//f": b"4",
        ".g": b"5",
        "h/.i/j": b"6",
        "__MACOSX/h/k": b"7",
        "h/._k": b"8",
    }
    data = zipped({**files, "l/": b""}) if reader is ZIP else tarred(files)

    assert contents(reader, data) == {"etc/a": b"1", "b": b"2", "c/d": b"3", "e/f": b"4"}


def test_a_file_without_a_name_does_no_harm():
    data = renamed(zipped({"a.txt": b"one", "b.txt": b"two"}), b"b.txt", b"\0.txt")
    assert contents(ZIP, data)["a.txt"] == b"one"


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_and_names_beyond_ascii_are_kept(form):
    files = {"x" * 90 + "/" + "y" * 300 + ".txt": b"1", "文档/é.txt": b"2"}

    assert contents(TAR, tarred(files, form)) == files


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("Übung für Mädchen.txt", "Übung für Mädchen.txt".encode("cp437")),
        ("Договор об оказании услуг.txt", "Договор об оказании услуг.txt".encode("cp866")),
        ("中华人民共和国合同法.txt", "中华人民共和国合同法.txt".encode("gbk")),
        ("Übung.txt", "Übung.txt".encode()),
    ],
)
def test_old_names_in_a_zip_are_decoded(name, raw):
    stand_in = "x" * len(raw)

    assert contents(ZIP, renamed(zipped({stand_in: b"1"}), stand_in.encode(), raw)) == {name: b"1"}


def test_a_name_in_unicode_beside_the_old_one_counts():
    info = zipfile.ZipInfo("x.txt")
    name = b"\x01" + struct.pack("<I", zlib.crc32(b"\x80.txt")) + "文.txt".encode()
    info.extra = struct.pack("<HH", 0x7075, len(name)) + name
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, b"1")

    assert contents(ZIP, renamed(buffer.getvalue(), b"x.txt", b"\x80.txt")) == {"文.txt": b"1"}


def test_links_and_devices_are_left_out():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo(f"link{kind.decode()}")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("file")
        info.size = 1
        archive.addfile(info, io.BytesIO(b"1"))
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    second_archive = io.BytesIO()
    with zipfile.ZipFile(second_archive, "w") as packed:
        packed.writestr(link, "/etc/passwd")

    assert contents(TAR, buffer.getvalue()) == {"file": b"1"}
    assert contents(ZIP, second_archive.getvalue()) == {}


@pytest.mark.parametrize(
    "name",
    [
        "[Content_Types].xml",
        "mimetype",
        "META-INF/container.xml",
        "Index/Document.iwa",
        "buildVersionHistory.plist",
    ],
)
def test_packed_documents_are_no_archives(name):
    assert not ZIP.recognises(zipped({"a": b"", name: b""}), ".zip")
    assert ZIP.recognises(zipped({"a": b"", f"folder/{name}": b""}), ".zip")


def test_a_single_packed_file_has_the_name_that_gzip_notes():
    buffer = io.BytesIO()
    with gzip.GzipFile("folder/notes.txt", "wb", fileobj=buffer) as file:
        file.write(b"text")

    assert contents(COMPRESSED, buffer.getvalue()) == {"notes.txt": b"text"}
    assert contents(COMPRESSED, bz2.compress(b"text")) == {"unpacked": b"text"}
    assert contents(COMPRESSED, lzma.compress(b"text")) == {"unpacked": b"text"}


def locked(password: bytes, text: bytes) -> bytes:
    """An archive with one file locked as PKZIP 2 does (APPNOTE 6.1)."""
    decrypter = zipfile._ZipDecrypter(password)
    plain = b"\0" * 11 + bytes([zlib.crc32(text) >> 24]) + text
    cipher = bytearray()
    for byte in plain:  # the key stream depends on the plain text: try what gives this byte
        cipher.append(next(c for c in range(256) if _decrypts(password, cipher, c) == byte))
    assert decrypter(bytes(cipher)) == plain
    data = bytearray(zipped({"a.txt": bytes(len(plain))}, zipfile.ZIP_STORED))
    data = data.replace(bytes(len(plain)), bytes(cipher))
    directory = data.index(b"PK\x01\x02")
    for at, flags, crc in ((0, 6, 14), (directory, 8, 16)):
        data[at + flags] |= 1
        data[at + crc : at + crc + 4] = struct.pack("<I", zlib.crc32(text))
        data[at + crc + 8 : at + crc + 12] = struct.pack("<I", len(text))
    return bytes(data)


def _decrypts(password: bytes, before: bytearray, byte: int) -> int:
    return zipfile._ZipDecrypter(password)(bytes([*before, byte]))[-1]


def test_a_locked_file_opens_with_one_of_the_passwords():
    data = locked("pässword".encode(), b"a secret")

    assert contents(ZIP, data) == {"a.txt": ProblemCode.ENCRYPTED}
    assert contents(ZIP, data, passwords=("wrong",)) == {"a.txt": ProblemCode.ENCRYPTED}
    assert contents(ZIP, data, passwords=("wrong", "pässword")) == {"a.txt": b"a secret"}


@pytest.mark.parametrize(
    ("method", "code"),
    [(99, ProblemCode.ENCRYPTED), (98, ProblemCode.UNSUPPORTED), (9, ProblemCode.UNSUPPORTED)],
)
def test_other_ways_to_pack_are_reported(method, code):
    data = bytearray(zipped({"a.txt": b"text"}, zipfile.ZIP_STORED))
    for at in (8, data.index(b"PK\x01\x02") + 10):
        data[at : at + 2] = struct.pack("<H", method)

    ((_, error),) = parts(ZIP, bytes(data))

    assert error.code == code
    assert error.detail.endswith(".")


def test_a_file_packed_as_a_patch_is_not_called_locked():
    data = bytearray(zipped({"a.txt": b"text"}))
    for at in (6, data.index(b"PK\x01\x02") + 8):
        data[at] |= 1 << 5

    assert contents(ZIP, bytes(data)) == {"a.txt": ProblemCode.UNSUPPORTED}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_file_that_is_too_big_costs_only_itself(pack):
    reader = ZIP if pack is zipped else TAR
    data = pack({"a": b"1", "b": bytes(1001), "c": bytes(1000)})

    assert contents(reader, data, **LOW) == {
        "a": b"1",
        "b": ProblemCode.TOO_BIG_UNPACKED,
        "c": bytes(1000),
    }


def test_a_packed_file_is_not_unpacked_without_end():
    too_big = problem_of(parts, COMPRESSED, gzip.compress(bytes(1001)), **LOW)
    assert "more than 1 kB" in too_big.detail


def test_a_declared_size_is_not_believed():
    header = tarfile.TarInfo("big.txt")
    header.size = 10**15
    name = tarfile.TarInfo("name")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 10**12

    parts_read, error = until_error(TAR, header.tobuf(tarfile.GNU_FORMAT) + bytes(1024))

    assert error.code == ProblemCode.DAMAGED
    assert [(name, data.code) for name, data in parts_read] == [
        ("big.txt", ProblemCode.TOO_BIG_UNPACKED)
    ]
    endless = name.tobuf(tarfile.GNU_FORMAT) + bytes(1024)
    assert problem_of(parts, TAR, endless).code == ProblemCode.DAMAGED


def test_a_broken_header_is_not_taken_for_the_end():
    plain = tarred({"a": b"1", "b": b"2"}, tarfile.USTAR_FORMAT)
    broken = plain[:1024] + b"x" + plain[1025:]
    for reader, data in ((TAR, broken), (COMPRESSED, gzip.compress(broken))):
        parts_read, error = until_error(reader, data)

        assert parts_read == [("a", b"1")]
        assert error.code == ProblemCode.DAMAGED


@pytest.mark.parametrize("files", [{}, {".hidden": b"1"}, {"folder/": b""}])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_without_a_document_is_reported(pack, files):
    (failure,) = extract(pack(files) or b"", OPENED)

    assert isinstance(failure, Failure)


def test_a_cut_off_archive_gives_what_is_whole_and_says_so():
    data = gzip.compress(tarred({"a": b"1", "b": b"2" * 5000}))
    plain = tarred({"a": b"1", "b": b"2" * 5000})
    for reader, cut in ((COMPRESSED, data[:-20]), (TAR, plain[:4000])):
        parts_read, error = until_error(reader, cut)

        assert parts_read == [("a", b"1")]
        assert error.code == ProblemCode.DAMAGED


FILES = {"a/": b"", "a/Übersicht.txt": b"one", "empty.txt": b"", "b.txt": b"two " * 90_000}


@pytest.mark.parametrize("packs_header", [False, True])
def test_files_are_unpacked_and_folders_are_none(packs_header):
    data = fuzz_seeds.seven_zip(FILES, packs_header=packs_header)

    assert reader_for(data, "").kind == "7z"
    assert contents(SEVEN_ZIP, data) == {
        name: content for name, content in FILES.items() if name != "a/"
    }


def test_names_lead_nowhere_and_hidden_files_are_left_out():
    data = fuzz_seeds.seven_zip({"..\\..\\c.txt": b"words", "__MACOSX/._c.txt": b"hidden"})

    assert contents(SEVEN_ZIP, data) == {"c.txt": b"words"}


def test_a_large_file_is_refused_and_the_next_one_is_read():
    data = fuzz_seeds.seven_zip({"zeros.txt": bytes(3_000_000), "b.txt": b"words"})

    limits = ReadingLimits(memory_bytes=16_000_000)
    assert contents(SEVEN_ZIP, data, limits=limits) == {
        "zeros.txt": ProblemCode.TOO_BIG_UNPACKED,
        "b.txt": b"words",
    }


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"dictionary": 39}, ProblemCode.TOO_BIG_UNPACKED),
        ({"method": b"\x06\xf1\x07\x01"}, ProblemCode.ENCRYPTED),
        ({"method": b"\x03\x04\x01"}, ProblemCode.UNSUPPORTED),
    ],
    ids=["memory", "password", "method"],
)
def test_what_cannot_be_unpacked_says_why(options, code):
    """A dictionary of 3 GB is memory, however small the file is."""
    assert contents(SEVEN_ZIP, fuzz_seeds.seven_zip({"a.txt": b"words"}, **options)) == {
        "a.txt": code
    }


def test_an_archive_that_breaks_off_is_damaged():
    data = fuzz_seeds.seven_zip(FILES)

    for broken in (data[:40], data[:-3], data.replace(b"\x0c\xff", b"\x0c\xfe")):
        assert problem_of(parts, SEVEN_ZIP, broken).code == ProblemCode.DAMAGED


@pytest.mark.parametrize("count", [1, 3])
def test_a_file_that_is_not_what_was_packed_is_damaged(count):
    """Whatever else is packed with it; its length alone would prove nothing."""
    files = {f"{number}.txt": f"words {number}".encode() for number in range(count)}
    data = fuzz_seeds.seven_zip(files, method=b"\0").replace(b"words 0", b"sword 0")

    assert contents(SEVEN_ZIP, data) == {**files, "0.txt": ProblemCode.DAMAGED}


X86, LZMA = b"\4\3\3\1\3", b"\x23\3\1\1\5\x5d\0\0\1\0"


def test_machine_code_is_whole():
    """7-Zip packs programs with LZMA that has no mark at its end, behind a filter."""
    content = b"\xe8\1\2\3\0 words" * 9_000 + b"\xe8\1\2"
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16}]
    packed = lzma.compress(content, lzma.FORMAT_RAW, filters=filters)[:-1]
    folder = (b"\2" + X86 + LZMA + b"\0\1", [packed], {"setup.exe": content})

    files = {"a.txt": b"words"}
    assert (
        contents(SEVEN_ZIP, fuzz_seeds.seven_zip(files, more_folders=[folder]))
        == {"setup.exe": content} | files
    )


@pytest.mark.parametrize(
    ("coders", "packed", "code"),
    [
        (b"\1" + LZMA, [b"\0" + b"\xff" * 30], ProblemCode.DAMAGED),
        (b"\1\x14\3\3\1\x1b\4\1\0\1\2\3", [b"one", b"", b"", b"0"], ProblemCode.UNSUPPORTED),
    ],
    ids=["damaged", "bcj2"],
)
def test_what_is_packed_after_something_that_cannot_be_unpacked_is_read(coders, packed, code):
    data = fuzz_seeds.seven_zip(FILES, more_folders=[(coders, packed, {"1": b"one", "2": b"two"})])

    assert contents(SEVEN_ZIP, data) == {"1": code, "2": code} | contents(
        SEVEN_ZIP, fuzz_seeds.seven_zip(FILES)
    )


def test_a_folder_without_files_takes_no_name():
    data = fuzz_seeds.seven_zip({"a.txt": b"words"}, more_folders=[(b"\1\1\0", [b""], {})])

    assert contents(SEVEN_ZIP, data) == {"a.txt": b"words"}


@pytest.mark.parametrize("method", [b"\4\1\x08", b"\4\2\2"], ids=["deflate", "bzip2"])
def test_what_grows_much_is_unpacked_bit_by_bit(method):
    content = bytes(9_000_000) + b"words"
    packer = zlib.compressobj(wbits=-15)
    deflated = packer.compress(content) + packer.flush()
    packed = deflated if method[1] == 1 else bz2.compress(content)
    folder = (b"\1\3" + method, [packed], {"zeros.txt": content})

    files = {"a.txt": b"words"}
    assert (
        contents(SEVEN_ZIP, fuzz_seeds.seven_zip(files, more_folders=[folder]))
        == {"zeros.txt": content} | files
    )

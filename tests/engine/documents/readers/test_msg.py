"""Messages of Outlook: read as mails are, whatever is attached a document of its own."""

from __future__ import annotations

import struct

import pytest

from core.documents.extraction import Failure, extract
from core.documents.model import ProblemCode
from core.documents.properties import CREATED_BY, FILE_IDS
from core.documents.readers import msg, reader_for
from core.documents.readers.properties import properties_of
from core.documents.readers.reader import Reading
from core.documents.reading_settings import ReadingLimits
from tests.bench.fuzz_seeds import compound, message_storage

READING = Reading(suffix=".msg")
SUBJECT, BODY, PACKED_RTF, HTML, CODE_PAGE, HTML_PAGE = 0x37, 0x1000, 0x1009, 0x1013, 0x3FFD, 0x3FDE
METHOD, NAME, CONTENT, TYPE, FLAGS = 0x3705, 0x3707, 0x3701, 0x370E, 0x3714
MINUTES = {SUBJECT: "Minutes", BODY: "The body.\r\n"}


def message(properties, *attachments):
    return compound(message_storage(properties, *attachments))


def attached(content, name="notes.txt", **others):
    properties = {METHOD: 1, NAME: name, CONTENT: content}
    properties |= {{"type": TYPE, "flags": FLAGS}[key]: value for key, value in others.items()}
    return message_storage(properties, header=8)


def enclosed(properties, *attachments):
    """A message in an attachment."""
    around = message_storage({METHOD: 5, 0x3001: "A message"}, header=8)
    around["__substg1.0_3701000D"] = message_storage(properties, *attachments, header=24)
    return around


def documents(data, reading=READING):
    """Texts, or codes of problems, by their path."""
    results = extract(data, reading)
    return {it.part: it.code if isinstance(it, Failure) else it.text for it in results}


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({BODY: "Grüße aus 東京"}, "Grüße aus 東京"),
        ({HTML: b"<p>As <b>a page</b>.", HTML_PAGE: 65001}, "As a page."),
        ({BODY: "Short.", HTML: b"<p>" + b"A page says more. " * 9}, "A page says more. " * 9),
        ({HTML: "<p>Паром ходит дважды".encode("cp1251"), HTML_PAGE: 1251}, "Паром ходит дважды"),
    ],
)
def test_the_text_is_subject_and_body(properties, text):
    data = message({SUBJECT: "Minutes"} | properties)

    assert reader_for(data, "").kind == "msg"
    assert documents(data) == {"": f"Minutes\n\n{text.strip()}"}


def test_old_texts_are_in_a_code_page():
    storage = message_storage({CODE_PAGE: 1251})
    storage["__substg1.0_0037001E"] = "Паром".encode("cp1251")
    storage["__substg1.0_1000001E"] = "Два раза".encode("cp1251")

    assert documents(compound(storage)) == {"": "Паром\n\nДва раза"}


PACKED = bytes.fromhex(  # [MS-OXRTFCP] 3.1.1.1
    "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232"
    "0af32068656c090020627705b06c647d0a800fa0"
)


def test_rtf_is_read_where_there_is_nothing_else():
    story = b"{\\rtf1\\ansi Only \\b here\\b0 .\\par}"
    stored = struct.pack("<IIII", len(story) + 12, len(story), 0x414C454D, 0) + story

    assert documents(message({PACKED_RTF: stored})) == {"": "Only here."}
    assert documents(message({PACKED_RTF: PACKED})) == {"": "hello world"}
    assert msg.unpacked_rtf(PACKED, READING) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_every_attachment_is_a_document_and_so_is_every_message():
    inner = enclosed({SUBJECT: "Re: boats", BODY: "Two."}, attached(b"three", "../c.txt"))
    data = message(MINUTES, attached(b"one"), inner, attached(b"four", "notes.txt"))

    assert documents(data) == {
        "": "Minutes\n\nThe body.",
        "notes.txt": "one",
        "Re: boats.eml": "Re: boats\n\nTwo.",
        "Re: boats.eml/c.txt": "three",
        "notes (2).txt": "four",
    }


def test_pictures_of_a_page_are_no_attachments():
    picture = attached(b"\x89PNG\r\n\x1a\n", "logo.png", type="image/png", flags=4)

    assert list(documents(message(MINUTES, picture))) == [""]
    assert list(documents(message(MINUTES, attached(b"\x89PNG\r\n\x1a\n", "scan.png")))) == [
        "",
        "scan.png",
    ]


def test_what_cannot_be_opened_has_a_remark():
    others = [message_storage({METHOD: method}, header=8) for method in (6, 7)]

    (piece,) = extract(message(MINUTES, *others), READING)

    assert piece.remarks == (
        "1 linked file is not part of the text.",
        "1 embedded object is not part of the text.",
    )


def test_a_signed_mail_is_opened_and_an_encrypted_one_says_so():
    signed = b'Content-Type: multipart/signed; boundary="=_s"\n\n--=_s\n\nSigned words.\n--=_s\n'
    signed += b'Content-Disposition: attachment; filename="a.txt"\n\nattached\n--=_s--\n'
    kind = {0x1A: "IPM.Note.SMIME.MultipartSigned"}
    whole = attached(signed, "smime.p7m", type="multipart/signed")
    locked = attached(b"\x30\x80", "smime.p7m", type="application/pkcs7-mime")

    assert documents(message(MINUTES | kind | {BODY: ""}, whole)) == {
        "": "Minutes\n\nSigned words.",
        "a.txt": "attached",
    }
    encrypted = {SUBJECT: "Secret", 0x1A: "IPM.Note.SMIME"}
    assert documents(message(encrypted, locked))[""] == ProblemCode.ENCRYPTED


def test_it_tells_who_wrote_it():
    sender = {0x0C1A: "Ada", 0x5D01: "ada@example.org", 0x1035: "<1@example.org>"}

    told = dict(properties_of("msg", message(MINUTES | sender), READING))

    assert told[CREATED_BY.code] == ("Ada <ada@example.org>",)
    assert told[FILE_IDS.code] == ("<1@example.org>",)


def test_messages_in_messages_end_somewhere():
    inner = enclosed({SUBJECT: "0", BODY: "deep"})
    for level in range(1, 12):
        inner = enclosed({SUBJECT: str(level), BODY: "words"}, inner)

    found = documents(message(MINUTES, inner))

    assert list(found.values())[-1] == ProblemCode.TOO_DEEP
    assert len(found) == 7


def test_what_unpacks_to_too_much_is_refused():
    """Storages may share their content: a small file with many large attachments."""
    reading = Reading(suffix=".msg", limits=ReadingLimits(memory_bytes=1_000_000))
    rtf = struct.pack("<IIII", 9, 1 << 31, 0x75465A4C, 0) + bytes(9)
    large = enclosed({SUBJECT: "Large"}, *[attached(bytes(60_000))] * 3)

    assert documents(message({PACKED_RTF: rtf}), reading) == {"": ProblemCode.TOO_BIG_UNPACKED}
    assert documents(message(MINUTES, large), reading) == {
        "": "Minutes\n\nThe body.",
        "A message": ProblemCode.TOO_BIG_UNPACKED,
    }


def test_what_is_attached_beside_a_signed_mail_is_no_part_of_it():
    """Else few attachments make it too big."""
    reading = Reading(suffix=".msg", limits=ReadingLimits(memory_bytes=1_000_000))
    kind = {0x1A: "IPM.Note.SMIME.MultipartSigned", SUBJECT: "Minutes"}
    signed = b"Content-Type: multipart/signed; boundary=x\n\n--x\n\nWords.\n--x--\n" + bytes(60_000)
    whole = attached(signed, "smime.p7m", type="multipart/signed")

    texts = documents(message(kind, whole, *[attached(b"one")] * 5), reading)

    assert texts[""] == "Minutes\n\nWords."


def test_a_damaged_message_says_what_to_do():
    (failure,) = extract(message(MINUTES)[:700], READING)

    assert failure.code == ProblemCode.DAMAGED
    assert failure.detail == (
        "This message is damaged: it cannot be opened. Save it again in Outlook."
    )

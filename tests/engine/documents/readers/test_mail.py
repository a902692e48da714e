"""Mails, mailboxes, Outlook, saved pages: what a person sees is the text, attachments are parts."""

import base64
import struct
from email.message import EmailMessage

import pytest

from core.documents.extraction import Failure, extract
from core.documents.model import ProblemCode
from core.documents.properties import CREATED_BY, FILE_IDS
from core.documents.readers import Extracted, Reading, msg
from core.documents.readers import mail as mail_reader
from core.documents.readers.properties import properties_of
from core.documents.reading_settings import ReadingLimits
from core.documents.recognition import reader_for
from tests.bench.fuzz_seeds import compound, message_storage
from tests.problems import problem_of

HEAD = (
    b"From: Ada <ada@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: Minutes\r\n"
    b"Date: Mon, 1 Jan 2024 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"
)
MAIL = Reading(suffix=".eml")


def mail(body: str = "The body.\n", subject: str = "Minutes") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@example.org", "b@example.org", subject
    message["Date"], message["Message-ID"] = "Mon, 1 Jan 2024 10:00:00 +0000", "<1@example.org>"
    message.set_content(body)
    return message


def read(data: bytes | EmailMessage, reading: Reading = MAIL) -> Extracted:
    return mail_reader.EML.read(bytes(data), reading)


def parts(data: bytes | EmailMessage, reading: Reading = MAIL):
    return [tuple(part) for part in mail_reader.EML.parts(bytes(data), reading)]


def multipart(kind: str, *bodies: bytes, parameters: bytes = b"") -> bytes:
    start = b'Content-Type: multipart/%s; boundary="=_x"%s\r\n\r\n' % (kind.encode(), parameters)
    inner = b"".join(b"--=_x\r\n" + body + b"\r\n" for body in bodies)
    return HEAD + start + b"preamble\r\n" + inner + b"--=_x--\r\nepilogue\r\n"


PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\nAs plain text."
PAGE = b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>As <b>a page</b>.</p>"


def test_the_text_is_subject_and_body():
    text = read(mail("Dear all,\n\nall is well.\n\n> all is well?\n")).text

    assert text == "Minutes\n\nDear all,\n\nall is well.\n\n> all is well?"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (multipart("alternative", PLAIN, PAGE), "As plain text."),
        (multipart("alternative", PAGE), "As a page."),
        (multipart("mixed", PLAIN, PAGE), "As plain text.\n\nAs a page."),
        (multipart("related", PAGE, PLAIN), "As a page."),
        (multipart("signed", PLAIN, b"Content-Type: application/pgp-signature\r\n\r\nx"), None),
        (HEAD + PAGE, "As a page."),
        (HEAD + b"\r\nNo type.", "No type."),
        (HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(b"abc"), "abc"),
        (HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nYW Jj!\r\nZA", "abcd"),
        (HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nYWJjZ", "abc"),
        (HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\na=C3=A9=\r\nb=ZZ", "aéb=ZZ"),
        (HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\r\n#86)C\r\nend", "abc"),
        (HEAD + b"Content-Transfer-Encoding: 8bit\r\n\r\nas it is", "as it is"),
        (
            HEAD + b"Content-Type: text/plain; charset=koi8-r\r\n\r\n\xf0\xd2\xc9\xd7\xc5\xd4",
            "Привет",
        ),
        (HEAD + b"Content-Type: text/plain; charset=ascii\r\n\r\ncaf\xc3\xa9", "café"),
        (HEAD + b"Content-Type: text/plain; charset=nonsense\r\n\r\ncaf\xc3\xa9", "café"),
        (HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\ncaf+AOk-", "café"),
        (HEAD + b"Content-Type: text/plain; charset=hz-gb-2312\r\n\r\n~{VPND~}", "中文"),
    ],
)
def test_bodies_are_decoded_and_chosen(data, text):
    assert read(data).text == f"Minutes\n\n{text or 'As plain text.'}"


def test_a_page_is_read_where_the_plain_text_only_points_to_it():
    page = PAGE.replace(b"a page", b"a page " + b"with much to say " * 10)

    text = read(multipart("alternative", PLAIN, page)).text

    assert text.startswith("Minutes\n\nAs a page with much to say")


def test_a_cut_off_mail_keeps_its_last_part():
    data = multipart("mixed", PLAIN, PAGE)

    assert read(data[: data.index(b"</p>")]).text == "Minutes\n\nAs plain text.\n\nAs a page."


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        (b"=?utf-8?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?utf-8?B?R3LDvA==?=\r\n =?utf-8?B?w59l?=", "Grüße"),
        (b"=?iso-8859-1?Q?Gr=FC?= aus =?iso-8859-1?Q?K=F6ln?=", "Grü aus Köln"),
        (b"=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=", "Grüße"),
        (b"=?nonsense?Q?abc?=", "abc"),
        (b"=?utf-8?B?a?=", "=?utf-8?B?a?="),
        ("Grüße".encode(), "Grüße"),
        (b"folded\r\n over lines", "folded over lines"),
    ],
)
def test_subjects_are_decoded(raw, subject):
    assert read(HEAD.replace(b"Minutes", raw) + b"\r\nBody").text == f"{subject}\n\nBody"


def test_attachments_are_parts_in_their_order():
    message = mail()
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Übersicht.pdf")
    message.add_attachment(b"a;b", maintype="text", subtype="csv")
    message.add_attachment(b"inside", maintype="text", subtype="plain", filename="../../notes.txt")
    message.add_attachment(mail("Inner body.\n", subject="About 1/2"))

    parts_read = parts(message)

    assert [name for name, _ in parts_read] == [
        "Übersicht.pdf",
        "attachment 2.csv",
        "notes.txt",
        "About 1-2.eml",
    ]
    assert [data for _, data in parts_read[:3]] == [b"%PDF", b"a;b", b"inside"]
    assert read(parts_read[3][1]).text == "About 1/2\n\nInner body."
    assert read(message).text == "Minutes\n\nThe body."


@pytest.mark.parametrize(
    "filename",
    [
        b'filename="=?utf-8?B?w6kucGRm?="',
        b'filename="\xc3\xa9.pdf"',
        b"filename=\xc3\xa9.pdf",
        b"filename*0*=utf-8''%C3%A9; filename*1=.pdf",
    ],
)
def test_names_of_attachments_are_decoded_however_they_are_written(filename):
    part = b"Content-Type: application/pdf\r\nContent-Disposition: attachment; " + filename

    assert parts(multipart("mixed", PLAIN, part + b"\r\n\r\n%PDF")) == [("é.pdf", b"%PDF")]


def test_pictures_in_the_text_and_signatures_are_no_parts():
    picture = b"Content-Type: image/png\r\nContent-ID: <1>\r\n\r\nPNG"
    photo = b"Content-Type: image/png; name=photo.png\r\n\r\nPNG"
    signature = b"Content-Type: application/pgp-signature\r\n\r\nx"

    assert parts(multipart("related", PAGE, picture, photo, signature)) == [("photo.png", b"PNG")]


def test_a_mail_that_is_nothing_but_a_file_has_it_as_a_part():
    assert parts(HEAD + b"Content-Type: application/pdf\r\n\r\n%PDF") == [
        ("attachment 1.pdf", b"%PDF")
    ]


def test_what_outlook_packed_is_reported():
    part = b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\nx"

    ((name, error),) = parts(multipart("mixed", PLAIN, part))

    assert (name, error.code) == ("winmail.dat", ProblemCode.UNSUPPORTED)
    assert "Outlook" in error.detail


def test_the_mails_of_a_digest_are_parts():
    data = multipart("digest", b"\r\nSubject: One\r\n\r\n1", b"\r\nSubject: Two\r\n\r\n2")

    assert parts(data) == [
        ("One.eml", b"Subject: One\r\n\r\n1"),
        ("Two.eml", b"Subject: Two\r\n\r\n2"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (multipart("encrypted", b"\r\nVersion: 1"), ProblemCode.ENCRYPTED),
        (HEAD + b"Content-Type: application/pkcs7-mime\r\n\r\nx", ProblemCode.ENCRYPTED),
        (
            HEAD + b"Content-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\nx",
            ProblemCode.UNSUPPORTED,
        ),
        (HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\nabc", ProblemCode.ENCRYPTED),
    ],
)
def test_encrypted_mails_are_reported(data, code):
    assert problem_of(read, data).code == code


def test_an_encrypted_part_is_remarked():
    armoured = b"Content-Type: text/plain\r\n\r\n-----BEGIN PGP MESSAGE-----"

    assert read(multipart("mixed", PLAIN, armoured)).remarks == (
        "A part of this mail is encrypted; it is not in the text.",
    )


def test_nesting_is_limited():
    deep = HEAD + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(100)
    )
    assert problem_of(read, deep).code == ProblemCode.TOO_DEEP
    (failure,) = extract(deep, MAIL)  # the text and the parts: said once
    assert failure.code == ProblemCode.TOO_DEEP


@pytest.mark.parametrize(
    ("data", "suffix", "kind"),
    [
        (bytes(mail()), ".eml", "eml"),
        (bytes(mail()), ".txt", "eml"),
        (bytes(mail()), ".pdf", "eml"),
        (b"Subject: x\n\ny", ".eml", "eml"),
        (b"no mail at all", ".eml", "text"),
        (b"From: Ada\nTo: Bob\nDate: today\nSubject: a memo\n\nText", ".txt", "text"),
        (b"Title: a document\nContent-Type: text/x-rst\n\nText", ".txt", "text"),
        (b"From a@b Mon Jan  1 10:00:00 2024\n" + bytes(mail()), "", "mbox"),
        (b"From a@b Mon Jan  1 10:00:00 2024\n" + bytes(mail()), ".eml", "eml"),
        (b"From Monday at 10:00 on, in 2024\nthe shop is open", "", "text"),
        (multipart("related", PAGE), ".mht", "mhtml"),
        (multipart("related", PAGE), ".eml", "eml"),
        (b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x", "", "mhtml"),
        (
            b"From: <Saved by Blink>\nSnapshot-Content-Location: a\nMIME-Version: 1.0\n\n",
            "",
            "mhtml",
        ),
    ],
)
def test_mails_are_recognised_by_their_header(data, suffix, kind):
    assert reader_for(data, suffix).kind == kind


def test_a_mail_with_its_envelope_and_one_of_apple_mail_are_read():
    data = bytes(mail("Text\n"))
    enveloped = b"From a@b Mon Jan  1 10:00:00 2024\n" + data
    apple = b"%d   \n" % len(data) + data + b"<?xml version='1.0'?><plist></plist>"

    assert read(enveloped).text == "Minutes\n\nText"
    assert read(apple, Reading(suffix=".emlx")).text == "Minutes\n\nText"


def test_the_mails_of_a_mailbox_are_parts():
    start = b"From ada@example.org Mon Jan  1 10:00:00 2024\n"
    first = b"Subject: One\n\nText\n\nFrom here on, 10:00\n>From me\n>>From you\n"
    data = start + first + b"\n" + start + b"Subject: =?utf-8?Q?=C3=A9?=\n\nText\n"

    assert [tuple(part) for part in mail_reader.MBOX.parts(data, Reading())] == [
        ("0001 One.eml", b"Subject: One\n\nText\n\nFrom here on, 10:00\nFrom me\n>From you\n\n"),
        ("0002 é.eml", b"Subject: \xc3\xa9\n\nText\n".replace(b"\xc3\xa9", b"=?utf-8?Q?=C3=A9?=")),
    ]


def test_a_mailbox_has_as_many_mails_as_it_has():
    data = b"From a Mon Jan  1 10:00:00 2024\r\nSubject: x\r\n\r\ny\r\n\r\n" * 20
    names = [part.name for part in mail_reader.MBOX.parts(data, Reading())]

    assert len(names) == 20
    assert names[-1] == "0020 x.eml"


def test_a_saved_page_is_its_pages_the_first_one_first():
    frame = b"Content-Type: text/html\r\nContent-ID: <f>\r\n\r\n<p>Frame"
    start = b"Content-Type: text/html\r\nContent-ID: <s>\r\n\r\n<title>T</title><p>Start"
    style = b"Content-Type: text/css\r\n\r\np {}"
    data = multipart("related", frame, start, style, parameters=b'; start="<s>"')

    assert mail_reader.MHTML.read(data, Reading()).text == "T\n\nStart\n\nFrame"
    without = problem_of(mail_reader.MHTML.read, multipart("related", style), Reading())
    assert "no page" in without.detail


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20
ENCODED = b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(PNG)


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Type: image/png\r\nContent-ID: <1>\r\n",
        b"Content-Type: image/png\r\nContent-Disposition: inline\r\n",
        b"Content-Type: image/png; name=a.png\r\nContent-Disposition: inline\r\n",
        b"Content-Type: message/delivery-status\r\n",
        b"Content-Type: application/pgp-signature\r\n",
        b"Content-Type: text/rfc822-headers\r\n",
    ],
)
@pytest.mark.parametrize("kind", ["mixed", "related", "report", "parallel"])
def test_what_is_no_text_is_never_shown_as_text(head, kind):
    data = multipart(kind, PLAIN, head + ENCODED)

    assert read(data) == ("Minutes\n\nAs plain text.", "", ())
    is_picture = head.startswith(b"Content-Type: image") and kind != "related"
    assert [content for _, content in parts(data)] == [PNG] * is_picture


def test_a_mail_that_is_nothing_but_a_picture_has_it_as_a_part():
    data = HEAD + b"Content-Type: image/png\r\nContent-ID: <1>\r\n" + ENCODED

    assert read(data).text == "Minutes"
    assert parts(data) == [("attachment 1.png", PNG)]


def test_bytes_that_are_no_text_are_reported_though_they_are_called_one():
    for head in (b"Content-Type: text/plain\r\n", b"Content-Type: text/html\r\n", b""):
        extracted = read(multipart("mixed", PLAIN, head + ENCODED))

        assert extracted.text == "Minutes\n\nAs plain text."
        assert extracted.remarks == (
            "A part of this mail is called a text, but its bytes are none; it is not in the text.",
        )


def test_an_attached_picture_is_a_part_though_it_has_an_identifier():
    head = (
        b"Content-Type: image/png; name=scan.png\r\nContent-ID: <1>\r\n"
        b"Content-Disposition: attachment; filename=scan.png\r\n"
    )

    assert parts(multipart("mixed", PLAIN, head + ENCODED)) == [("scan.png", PNG)]


READING = Reading(suffix=".msg")
SUBJECT, BODY, PACKED_RTF, HTML, CODE_PAGE, HTML_PAGE = 0x37, 0x1000, 0x1009, 0x1013, 0x3FFD, 0x3FDE
METHOD, NAME, CONTENT, TYPE, FLAGS = 0x3705, 0x3707, 0x3701, 0x370E, 0x3714
MINUTES = {SUBJECT: "Minutes", BODY: "The body.\r\n"}


def message(properties, *attachments):
    return compound(message_storage(properties, *attachments))


def attached(content, name="notes.txt", **options):
    properties = {METHOD: 1, NAME: name, CONTENT: content}
    properties |= {{"type": TYPE, "flags": FLAGS}[key]: value for key, value in options.items()}
    return message_storage(properties, header=8)


def enclosed(properties, *attachments):
    """A message in an attachment."""
    around = message_storage({METHOD: 5, 0x3001: "A message"}, header=8)
    around["__substg1.0_3701000D"] = message_storage(properties, *attachments, header=24)
    return around


def documents(data, reading=READING):
    """Texts, or codes of problems, by their path."""
    results = extract(data, reading)
    return {
        result.part: result.code if isinstance(result, Failure) else result.text
        for result in results
    }


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({BODY: "Grüße aus 東京"}, "Grüße aus 東京"),
        ({HTML: b"<p>As <b>a page</b>.", HTML_PAGE: 65001}, "As a page."),
        ({BODY: "Short.", HTML: b"<p>" + b"A page says more. " * 9}, "A page says more. " * 9),
        ({HTML: "<p>Паром ходит дважды".encode("cp1251"), HTML_PAGE: 1251}, "Паром ходит дважды"),
    ],
)
def test_the_text_of_a_message_of_outlook_is_subject_and_body(properties, text):
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
    attachments = [message_storage({METHOD: method}, header=8) for method in (6, 7)]

    (piece,) = extract(message(MINUTES, *attachments), READING)

    assert piece.remarks == (
        "1 linked file is not part of the text.",
        "1 embedded object is not part of the text.",
    )


def test_a_signed_mail_is_opened_and_an_encrypted_one_says_so():
    signed = b'Content-Type: multipart/signed; boundary="=_s"\n\n--=_s\n\nSigned words.\n--=_s\n'
    signed += b'Content-Disposition: attachment; filename="a.txt"\n\nattached\n--=_s--\n'
    kind = {0x1A: "IPM.Note.SMIME.MultipartSigned"}
    signed_mail = attached(signed, "smime.p7m", type="multipart/signed")
    locked = attached(b"\x30\x80", "smime.p7m", type="application/pkcs7-mime")

    assert documents(message(MINUTES | kind | {BODY: ""}, signed_mail)) == {
        "": "Minutes\n\nSigned words.",
        "a.txt": "attached",
    }
    encrypted = {SUBJECT: "Secret", 0x1A: "IPM.Note.SMIME"}
    assert documents(message(encrypted, locked))[""] == ProblemCode.ENCRYPTED


def test_a_mail_gives_its_author():
    sender = {0x0C1A: "Ada", 0x5D01: "ada@example.org", 0x1035: "<1@example.org>"}

    properties = dict(properties_of("msg", message(MINUTES | sender), READING))

    assert properties[CREATED_BY.code] == ("Ada <ada@example.org>",)
    assert properties[FILE_IDS.code] == ("<1@example.org>",)


def test_messages_in_messages_end_somewhere():
    inner = enclosed({SUBJECT: "0", BODY: "deep"})
    for level in range(1, 12):
        inner = enclosed({SUBJECT: str(level), BODY: "words"}, inner)

    codes = documents(message(MINUTES, inner))

    assert list(codes.values())[-1] == ProblemCode.TOO_DEEP
    assert len(codes) == 7


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
    signed_mail = attached(signed, "smime.p7m", type="multipart/signed")

    texts = documents(message(kind, signed_mail, *[attached(b"one")] * 5), reading)

    assert texts[""] == "Minutes\n\nWords."


def test_a_damaged_message_says_what_to_do():
    (failure,) = extract(message(MINUTES)[:700], READING)

    assert failure.code == ProblemCode.DAMAGED
    assert failure.detail == (
        "This message is damaged: it cannot be opened. Save it again in Outlook."
    )

"""Mailboxes (mbox, RFC 4155): the mails in one file, each a document of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from core.documents.readers.mail.eml import mail_name
from core.documents.readers.reader import Part, Reader, Reading

_START = b"From "
_LONGEST = 400  # bytes of a line that begins a mail
_DATE = re.compile(
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b,?.{1,30}\b\d{1,2}:\d\d.{1,30}\d{4}|\d{4}-\d\d-\d\d"
)
_FIELD = re.compile(rb">?[!-9;-~]{1,76}[ \t]{0,9}:|From ")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def _recognises(data: bytes, suffix: str) -> bool:
    """By its first line, which names a sender and a date; a mail with its envelope is a mail."""
    return suffix != ".eml" and data.startswith(_START) and _begins_mail(data, 0)


def _begins_mail(data: bytes, at: int) -> bool:
    """Whether a line that starts with "From " has a date, and a field of a header follows it."""
    end = data.find(b"\n", at, at + _LONGEST)
    if end < 0 or not _DATE.search(data, at, end):
        return False
    return _FIELD.match(data, end + 1) is not None


def _starts(data: bytes, reading: Reading) -> list[int]:
    """Where the mails begin: at the start of the file, or after an empty line."""
    starts = []
    at = 0
    while at >= 0:
        after_blank = at == 0 or data.endswith((b"\n\n", b"\n\r\n"), 0, at)
        if after_blank and _begins_mail(data, at):
            starts.append(at)
        at = data.find(b"\n" + _START, at) + 1 or -1
        reading.step()
    return starts


def _parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The mails. They are not limited in number: unlike packed files they do not grow."""
    starts = _starts(data, reading)
    width = max(4, len(str(len(starts))))
    for number, (start, end) in enumerate(pairwise([*starts, len(data)]), 1):
        mail = _QUOTED.sub(rb"\1", data[data.index(b"\n", start) + 1 : end])
        yield Part(f"{number:0{width}} {mail_name(mail)}", mail)


READER = Reader(
    "mbox", "a mailbox (mbox)", "", frozenset({".mbox", ".mbx"}), _recognises, parts=_parts
)

"""A package of Office written as one file of XML, packed as usual (Flat OPC)."""

from __future__ import annotations

import binascii
import io
import re
import zipfile
from collections.abc import Iterator
from itertools import zip_longest

from core.documents.readers.reader import Reading

# No part has another inside of it, so that text search is enough to tell them apart.
_PART = re.compile(
    rb"<(?P<prefix>(?:[A-Za-z_][\w.-]{0,30}:)?)part\b(?P<attributes>[^<>]{0,2000})>\s{0,99}"
    rb"<(?P=prefix)(?P<kind>xmlData|binaryData)\b[^<>]{0,2000}>"
)
_NAME = re.compile(rb"\bname\s{0,9}=\s{0,9}[\"']/?([^\"']{1,999})[\"']")
_TYPES = "[Content_Types].xml"
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


def packed(data: bytes, reading: Reading) -> bytes:
    """The same parts as a ZIP file; a part that breaks off goes to where it does."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr(_TYPES, "<Types/>")
        taken = {_TYPES}
        for name, content in _parts(data):
            reading.step()
            if name not in taken:
                taken.add(name)
                archive.writestr(name, content)
    return package.getvalue()


def _parts(data: bytes) -> Iterator[tuple[str, bytes]]:
    starts = list(_PART.finditer(data))
    for found, following in zip_longest(starts, starts[1:]):
        name = _NAME.search(found["attributes"])
        if name is None:
            continue
        last = following.start() if following else len(data)
        end = data.find(b"</" + found["prefix"] + found["kind"], found.end(), last)
        content = data[found.end() : end if end >= 0 else last].strip()
        if found["kind"] == b"binaryData":
            content = _decoded(content)
        yield name[1].decode("utf-8", "replace"), content


def _decoded(data: bytes) -> bytes:
    """What is written in base64, as far as it is whole."""
    clean = _NOT_BASE64.sub(b"", data)
    whole = clean[: len(clean) - (len(clean) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))

"""Mutations of valid files: what is flipped, cut, doubled and swapped, by bytes and by tokens.

What is packed is mutated inside and packed again, the parts of a ZIP package and the streams of a
PDF file, since almost any change from outside only breaks a checksum. Text is mutated by tokens too
(a tag, a control word, a number), which reaches deeper than single bytes do.
"""

import gzip
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random

LARGEST = 4_000_000  # bytes of a mutated file
NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
WRITTEN = (b"0", b"-1", b"1", b"255", b"65536", b"2147483647", b"-2147483648", b"4294967296")
WRITTEN += (b"99999999999999999999", b"1e308", b"0.0000001", b"\xd9\xa3", b"NaN", b"0x10", b"")
TOKEN = re.compile(
    rb"<[^<>]{0,400}>|\\[a-z]+-?\d* ?|\\'[0-9a-f]{2}|\d+ \d+ (?:R|obj)|/\w+|\w+|\s+|.", re.DOTALL
)
STREAM = re.compile(rb"\bstream\r?\n(.{1,200000}?)\r?\nendstream", re.DOTALL)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
MARKUP_WORDS = (
    b"<", b">", b"</", b"/>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"&#0;", b"&#xD800;",
    b"&amp;", b"&undefined;", b"<!DOCTYPE x [<!ENTITY a 'a'>]>",
    b"<?xml version='1.0' encoding='utf-16'?>", b"<p>", b"</p>", b"<table>",
    b"<td colspan='999999999'>", b"<script>", b"<plaintext>", b"<svg>", b"<template>", b" hidden",
    b" xml:space='preserve'", b"<w:p>", b"</w:p>", b"<w:tbl>", b"</w:tbl>",
    b"<w:fldChar w:fldCharType='begin'/>", b"<w:fldChar w:fldCharType='end'/>", b"<w:del>",
    b"<w:footnoteReference w:id='2'/>", b"<text:s text:c='999999999'/>", b"<text:s text:c='-1'/>",
    b"<text:note>", b"<text:list>", b"<w:txbxContent>", b"<mc:AlternateContent>", b"<mc:Fallback>",
)  # fmt: skip
RTF_WORDS = (
    b"{", b"}", b"\\", b"\\'", b"\\'zz", b"\\u", b"\\u-1?", b"\\u99999?", b"\\uc9 ", b"\\uc-1 ",
    b"\\bin9999999 ", b"\\bin-1 ", b"{\\*", b"{\\field", b"{\\fldinst ", b"\\cell", b"\\row",
    b"\\par", b"{\\fonttbl", b"{\\f1\\fcharset134 ", b"\\ansicpg936", b"\\ansicpg99999 ",
    b"{\\pict ", b"\\deff", b"{\\upr", b"{\\*\\ud", b"{\\footnote ", b"\\v", b"\\v0", b"\\plain",
    b"\\pard", b"\\f99999 ",
)  # fmt: skip
PDF_WORDS = (
    b"<<", b">>", b"[", b"]", b"(", b")", b"obj", b"endobj", b"stream\n", b"endstream", b"1 0 R",
    b"999999 0 R", b"/Length 999999999", b"/Length -1", b"/Kids [2 0 R]", b"/Parent 2 0 R",
    b"/Count", b"/Filter [/FlateDecode /FlateDecode]", b"/Filter /LZWDecode", b"/Predictor 15",
    b"/Columns", b"/Type /ObjStm /N 9 /First 9", b"/Encrypt 1 0 R", b"/Prev 0", b"startxref\n0\n",
    b"%%EOF", b"xref", b"BT", b"ET", b"Tj", b"TJ", b"Do", b"1 0 0 1 99999999 -99999999 cm",
    b"0 0 0 0 0 0 cm", b"/Rotate 45", b"/MediaBox [0 0 0 0]", b"/ToUnicode 1 0 R", b"<D800>",
    b"<0000> <FFFF> <0000>", b"beginbfrange",
)  # fmt: skip
MAIL_WORDS = (
    b"\n", b"\n\n", b"\r", b"\nFrom ", b"From ", b"--", b"=_b1", b"=", b"=?", b"?=",
    b"=?utf-8?Q?=FF?=", b"=?x?B?!?=", b"Content-Type: multipart/mixed\n",
    b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: x-uuencode\n", b"charset=utf-7", b"charset=idna", b"charset=",
    b"boundary=", b'boundary=""', b"filename*0*=utf-8''%", b"Subject: ", b"begin 644 x\n",
    b"Content-Disposition: attachment; filename=../../x\n", b"Date: 99 Foo\n",
)  # fmt: skip
TEXT_WORDS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r",
    b"\x0c", b'"', b"'", b"\t", b";", b"```", b"$$", b"\\begin{x}", b"\\verb|", b"\\def\\x{\\x}",
    b"{}", b"[[", b"null", b'{"cells": null}', b'"source": 1', b'"cell_type": []', b"\\ud800",
    b"1e999", b"%",
)  # fmt: skip
FAMILIES = {b"%PDF": PDF_WORDS, b"{\\rtf": RTF_WORDS, b"From": MAIL_WORDS, b"<": MARKUP_WORDS}

Mutation = Callable[[bytes, Random], bytes]


def mutated(data: bytes, random: Random, donor: bytes = b"") -> bytes:
    """A file made from a valid one by one to eight mutations.

    Args:
        data: The valid file.
        random: Decides; the same state gives the same result.
        other: Another valid file, of which a piece may be taken over.
    """
    for start, inside in INSIDE.items():
        if data.startswith(start) and random.random() < 0.8:
            return inside(data, random, donor)
    return _changed(data, random, donor)


def _changed(data: bytes, random: Random, donor: bytes = b"") -> bytes:
    """One to eight mutations of bytes that are not packed."""
    by_tokens = _is_text(data)
    for _ in range(1 << random.randrange(4)):
        if not data:
            break
        if donor and random.random() < 0.05:
            data = _splice(data, donor, random)
        elif by_tokens and random.random() < 0.7:
            data = random.choice(BY_TOKENS)(data, random)
        else:
            data = random.choice(BY_BYTES)(data, random)
    return data[:LARGEST]


def _recompressed(data: bytes, random: Random, donor: bytes) -> bytes:
    """A gzip file with other content."""
    try:
        content = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return _changed(data, random, donor)
    return gzip.compress(_changed(content, random), 1, mtime=0)


def _after_header(data: bytes, random: Random, donor: bytes) -> bytes:
    """A compound file whose first sector, without which nothing is found, stays as it is."""
    return data[:512] + _changed(data[512:], random, donor[512:])


def _in_stream(data: bytes, random: Random, donor: bytes) -> bytes:
    """A PDF file with one of its streams changed, which is compressed in most."""
    streams = list(STREAM.finditer(data))
    if not streams or random.random() < 0.3:
        return _changed(data, random, donor)
    stream = random.choice(streams)
    try:
        content = zlib.compress(_changed(zlib.decompress(stream[1]), random), 1)
    except zlib.error:
        content = _changed(stream[1], random)
    return data[: stream.start(1)] + content + data[stream.end(1) :]


def _is_text(data: bytes) -> bool:
    head = data[:4000]
    return head.startswith(b"%PDF") or sum(byte < 9 for byte in head) < len(head) // 50


def _repacked(data: bytes, random: Random, donor: bytes) -> bytes:
    """A ZIP package with one to three of its parts changed, doubled, renamed or left out."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        return _changed(data, random, donor)
    for _ in range(random.randint(1, 3)):
        if parts:
            _change_part(parts, random)
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # of a name that is there twice
        for name, content in parts:
            compression = random.choice(
                (zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
            )
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    packed = out.getvalue()
    return _changed(packed, random) if random.random() < 0.1 else packed


def _change_part(parts: list[tuple[str, bytes]], random: Random) -> None:
    """Mostly the content of a part, and of XML rather than of pictures."""
    index = random.choice(
        [at for at, (name, _) in enumerate(parts) if name.endswith(("xml", "rels", "html", "opf"))]
        or range(len(parts))
    )
    name, content = parts[index]
    chance = random.random()
    if chance < 0.85:
        parts[index] = name, _changed(content, random)
    elif chance < 0.9:
        del parts[index]
    elif chance < 0.95:
        parts.append((name, _changed(content, random)))
    else:
        renamed = _changed(name.encode(), random).decode("utf-8", "replace")[:200]
        parts[index] = renamed.replace("\0", "") or "x", content


def _offset(data: bytes, random: Random) -> int:
    """Anywhere, half of the time near the beginning, where headers are."""
    end = len(data) if random.random() < 0.5 else min(len(data), 1024)
    return random.randrange(end)


def _length(random: Random) -> int:
    return random.choice((1, 2, 4, 16, 64, 256, 1024, 8192))


def _flip(data: bytes, random: Random) -> bytes:
    offset = _offset(data, random)
    return data[:offset] + bytes([data[offset] ^ 1 << random.randrange(8)]) + data[offset + 1 :]


def _set_number(data: bytes, random: Random) -> bytes:
    width = random.choice((1, 2, 4))
    number = (random.choice(NUMBERS) + random.choice((0, 0, 1, -1))) % (1 << 8 * width)
    offset = _offset(data, random)
    offset -= offset % random.choice((1, width))
    packed = number.to_bytes(width, random.choice(("little", "big")))
    return data[:offset] + packed + data[offset + width :]


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data))]


def _delete(data: bytes, random: Random) -> bytes:
    offset = _offset(data, random)
    return data[:offset] + data[offset + _length(random) :]


def _double(data: bytes, random: Random) -> bytes:
    offset = _offset(data, random)
    block = data[offset : offset + _length(random)]
    return data[:offset] + block * random.choice((2, 2, 3, 100)) + data[offset + len(block) :]


def _swap(data: bytes, random: Random) -> bytes:
    length = min(_length(random), len(data) // 2)
    first = random.randrange(len(data) - 2 * length + 1)
    two = random.randrange(first + length, len(data) - length + 1)
    between = data[first + length : two]
    first_block, two_block = data[first : first + length], data[two : two + length]
    return data[:first] + two_block + between + first_block + data[two + length :]


def _insert(data: bytes, random: Random) -> bytes:
    offset = _offset(data, random)
    return data[:offset] + random.randbytes(_length(random) % 300) + data[offset:]


def _splice(data: bytes, donor: bytes, random: Random) -> bytes:
    offset, start = _offset(data, random), random.randrange(len(donor))
    return data[:offset] + donor[start : start + _length(random)] + data[offset:]


def _tokens(data: bytes, random: Random) -> tuple[bytes, list[bytes], bytes]:
    """A window of up to 64 KB cut into tokens, and what is before and after it."""
    start = random.randrange(max(1, len(data) - (1 << 15)))
    end = start + (1 << 16)
    return data[:start], TOKEN.findall(data[start:end]), data[end:]


def _double_token(data: bytes, random: Random) -> bytes:
    """One or a few tokens, up to ten thousand times: depth, length, repetition."""
    before, tokens, after = _tokens(data, random)
    index = random.randrange(len(tokens))
    repeated = tokens[index : index + random.choice((1, 1, 2, 5))]
    times = random.choice((2, 2, 3, 10, 100, 1000, 10_000))
    times = min(times, 500_000 // (sum(map(len, repeated)) or 1) + 2)
    return before + b"".join([*tokens[:index], *repeated * times, *tokens[index:]]) + after


def _delete_tokens(data: bytes, random: Random) -> bytes:
    before, tokens, after = _tokens(data, random)
    index = random.randrange(len(tokens))
    del tokens[index : index + random.choice((1, 1, 1, 3, 20))]
    return before + b"".join(tokens) + after


def _move_token(data: bytes, random: Random) -> bytes:
    before, tokens, after = _tokens(data, random)
    tokens.insert(random.randrange(len(tokens)), random.choice(tokens))
    index = random.randrange(len(tokens))
    tokens[index], tokens[-1 - index] = tokens[-1 - index], tokens[index]
    return before + b"".join(tokens) + after


def _insert_word(data: bytes, random: Random) -> bytes:
    """A word with a meaning in the format, or in any."""
    known = [words for start, words in FAMILIES.items() if data[:200].lstrip().startswith(start)]
    words = known[0] if known and random.random() < 0.7 else random.choice(ALL_WORDS)
    before, tokens, after = _tokens(data, random)
    tokens.insert(random.randrange(len(tokens) + 1), random.choice(words))
    return before + b"".join(tokens) + after


def _change_number(data: bytes, random: Random) -> bytes:
    before, tokens, after = _tokens(data, random)
    text = b"".join(tokens)
    numbers = list(NUMBER.finditer(text))
    if not numbers:
        return data
    number = random.choice(numbers)
    return before + text[: number.start()] + random.choice(WRITTEN) + text[number.end() :] + after


INSIDE: dict[bytes, Callable[[bytes, Random, bytes], bytes]] = {
    b"PK": _repacked,
    b"\x1f\x8b": _recompressed,
    b"\xd0\xcf\x11\xe0": _after_header,
    b"%PDF": _in_stream,
}
ALL_WORDS = (MARKUP_WORDS, RTF_WORDS, PDF_WORDS, MAIL_WORDS, TEXT_WORDS)
BY_BYTES: tuple[Mutation, ...] = (
    _flip, _flip, _set_number, _set_number, _truncate, _delete, _double, _swap, _insert
)  # fmt: skip
BY_TOKENS: tuple[Mutation, ...] = (
    _double_token, _delete_tokens, _move_token, _insert_word, _insert_word, _change_number
)  # fmt: skip

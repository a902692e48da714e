"""7-Zip archives (7z), opened like folders, by the decoders that Python has.

Source: 7zFormat.txt of the LZMA SDK. Files are unpacked one after the other as they are read.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from core.base.messages import N_
from core.base.wording import readable_size
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Part, Reader, Reading
from core.documents.readers.archives import damaged, is_hidden, tidy_name
from core.documents.readers.shared.packed_files import (
    LOCKED_BY_AES,
    METHOD,
    check_part,
    damaged_file,
)

_MAGIC = b"7z\xbc\xaf\x27\x1c"
_END, _HEADER, _STREAMS, _FILES, _PACKED, _FOLDERS, _PARTS = 0, 1, 4, 5, 6, 7, 8
_SIZES, _SUMS, _FOLDER, _FOLDER_SIZES, _COUNTS = 9, 10, 11, 12, 13
_NO_CONTENT, _NO_FOLDER, _NAMES, _PACKED_HEADER = 14, 15, 17, 23
_LZMA, _LZMA2, _DELTA = 0x030101, 0x21, 0x03
_COPY, _DEFLATE, _BZIP2, _AES = 0x00, 0x040108, 0x040202, 0x06F10701
_BRANCHES = {
    0x03030103: lzma.FILTER_X86,
    0x03030205: lzma.FILTER_POWERPC,
    0x03030401: lzma.FILTER_IA64,
    0x03030501: lzma.FILTER_ARM,
    0x03030701: lzma.FILTER_ARMTHUMB,
    0x03030805: lzma.FILTER_SPARC,
}
_BLOCK = 1 << 16
_FAULTS = (LookupError, ValueError, EOFError, OSError, struct.error, zlib.error, lzma.LZMAError)


class _Decoder(Protocol):
    """Of `lzma` and `bz2`."""

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Deflate:
    """The same of `zlib`."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(-15)

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._decoder.eof:
            raise EOFError
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, max_length)


class _Branched:
    """LZMA behind filters for machine code, which hold back bytes until the input ends.

    LZMA is told its length in 7z and has no mark at its end. LZMA2 has: what was unpacked passes
    the filters as LZMA2 that is stored.
    """

    def __init__(self, filters: list[dict[str, int]]) -> None:
        *branches, packed = filters
        whole = {"id": lzma.FILTER_LZMA2, "dict_size": _BLOCK}
        self._packed = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[packed])
        self._rest = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[*branches, whole])

    @property
    def needs_input(self) -> bool:
        return self._packed.needs_input

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._packed.eof or (self.needs_input and not data):
            return self._rest.decompress(b"\0")
        block = self._packed.decompress(data, min(max_length, _BLOCK))
        head = b"\1" + struct.pack(">H", len(block) - 1) if block else b""
        return self._rest.decompress(head + block)


class _Copy:
    needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:  # noqa: ARG002 - a block at a time
        return data


@dataclass(slots=True)
class _Folder:
    """Files that are packed as one: how, where, and how long each is.

    `coders` are their methods and properties, the one that is undone last first; `last` is its
    number in the file. `streams` is how many are packed; one coder may take several. `sums` are the
    CRC-32 of the files, where the archive has them.
    """

    coders: list[tuple[int, bytes]]
    last: int
    streams: int
    start: int = 0
    packed: int = 0
    size: int = 0
    sizes: list[int] = field(default_factory=list)
    sums: list[int | None] = field(default_factory=list)


class _Header:
    """Goes through a header; what it lacks raises one of `_FAULTS`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def bytes(self, count: int) -> bytes:
        if count > len(self._data) - self._at:
            raise ValueError(count)
        self._at += count
        return self._data[self._at - count : self._at]

    def byte(self) -> int:
        return self.bytes(1)[0]

    def number(self) -> int:
        """One of up to eight bytes; the ones that lead the first say how many follow."""
        first, mask, value = self.byte(), 0x80, 0
        for byte_index in range(8):
            if not first & mask:
                return value | (first & mask - 1) << 8 * byte_index
            value |= self.byte() << 8 * byte_index
            mask >>= 1
        return value

    def count(self) -> int:
        """How many follow, each of which takes a bit of the header at least."""
        count = self.number()
        if count > 8 * len(self._data):
            raise ValueError(count)
        return count

    def bits(self, count: int) -> list[bool]:
        taken = self.bytes(-(-count // 8))
        return [bool(taken[i >> 3] & 0x80 >> (i & 7)) for i in range(count)]

    def sums(self, count: int) -> list[int | None]:
        """The CRC-32 of some or all."""
        known = [True] * count if self.byte() else self.bits(count)
        return [int.from_bytes(self.bytes(4), "little") if has_one else None for has_one in known]

    def streams(self) -> list[_Folder]:
        """What is packed, and where (after the head of the file)."""
        folders: list[_Folder] = []
        start, packed = 0, []
        while kind := self.byte():
            if kind == _PACKED:
                start, count = self.number(), self.count()
                while inner := self.byte():
                    if inner == _SIZES:
                        packed = [self.number() for _ in range(count)]
                    else:
                        self.sums(count)
            elif kind == _FOLDERS:
                folders = self._folders()
            elif kind == _PARTS:
                self._parts(folders)
            else:
                raise ValueError(kind)
        sizes = iter(packed)
        for folder in folders:
            folder.start, folder.packed = start, sum(islice(sizes, folder.streams))
            start += folder.packed
        return folders

    def _folders(self) -> list[_Folder]:
        if self.byte() != _FOLDER:
            raise ValueError
        count = self.count()
        if self.byte():  # stored elsewhere
            raise ValueError
        folders = [self._folder() for _ in range(count)]
        while kind := self.byte():
            if kind == _FOLDER_SIZES:
                for folder in folders:
                    lengths = [self.number() for _ in folder.coders]
                    folder.size = lengths[folder.last]
                    folder.sizes = [folder.size]
            else:
                for folder, known in zip(folders, self.sums(count), strict=True):
                    folder.sums = [known]
        return folders

    def _folder(self) -> _Folder:
        coders, inputs = [], 0
        for _ in range(self.count()):
            flags = self.byte()
            method = int.from_bytes(self.bytes(flags & 0xF), "big")
            inputs += self.count() if flags & 0x10 else 1
            if flags & 0x10 and self.number() != 1:
                raise UnreadableError(ProblemCode.UNSUPPORTED, METHOD)
            coders.append((method, self.bytes(self.number()) if flags & 0x20 else b""))
        sources = {self.number(): self.number() for _ in coders[1:]}
        chain = [it for it in range(len(coders)) if it not in sources.values()][:1]
        streams = inputs - len(coders) + 1
        if not chain or streams < 1:
            raise ValueError
        if streams > 1:
            for _ in range(streams):
                self.number()
            return _Folder(coders, chain[0], streams)
        while chain[-1] in sources and len(chain) < len(coders):
            chain.append(sources[chain[-1]])
        return _Folder([coders[it] for it in chain], chain[0], streams)

    def _parts(self, folders: list[_Folder]) -> None:
        counts = [1] * len(folders)
        while kind := self.byte():
            if kind == _COUNTS:
                counts = [self.count() for _ in folders]
                for folder, count in zip(folders, counts, strict=True):
                    folder.sizes = [folder.size][:count]
            elif kind == _SIZES:
                for folder, count in zip(folders, counts, strict=True):
                    sizes = [self.number() for _ in range(count - 1)]
                    folder.sizes = [*sizes, max(0, folder.size - sum(sizes))] if count else []
            elif kind == _SUMS:
                self._part_sums(folders, counts)
            else:
                raise ValueError(kind)

    def _part_sums(self, folders: list[_Folder], counts: list[int]) -> None:
        """Of the files whose sum is not that of their folder, which is known already."""
        unknown = [
            (folder, count)
            for folder, count in zip(folders, counts, strict=True)
            if count != 1 or folder.sums in ([], [None])
        ]
        known = self.sums(sum(count for _, count in unknown))
        for folder, count in unknown:
            folder.sums, known = known[:count], known[count:]

    def names(self) -> list[tuple[str, bool, bool]]:
        """The files: name, whether it has content, whether it is a folder."""
        count = self.count()
        names, empty, files = [""] * count, [False] * count, [False]
        while kind := self.byte():
            inner = _Header(self.bytes(self.number()))
            if kind == _NAMES and not inner.byte():
                text = inner.bytes(len(inner._data) - 1).decode("utf-16-le", "replace")
                names = text.split("\0")[:count]
            elif kind == _NO_CONTENT:
                empty = inner.bits(count)
                files = [False] * sum(empty)
            elif kind == _NO_FOLDER:
                files = inner.bits(sum(empty))
        is_file = iter(files)
        return [
            (name, not is_empty, is_empty and not next(is_file, False))
            for name, is_empty in zip(names, empty, strict=True)
        ]


class _Archive:
    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._reading = reading
        start, size = struct.unpack_from("<QQ", data, 12)
        if start + size + 32 > len(data):
            raise ValueError(start)
        header = _Header(data[32 + start : 32 + start + size])
        kind = header.byte() if size else _END
        if kind == _PACKED_HEADER:
            (folder,) = header.streams()
            content = next(self._unpacked(folder), b"")
            if isinstance(content, UnreadableError):
                raise content
            header = _Header(content)
            kind = header.byte()
        self.folders: list[_Folder] = []
        self.names: list[tuple[str, bool, bool]] = []
        while kind == _HEADER and (inner := header.byte()):
            if inner == _STREAMS:
                self.folders = header.streams()
            elif inner == _FILES:
                self.names = header.names()
            else:
                raise ValueError(inner)

    def contents(self) -> Iterator[bytes | UnreadableError]:
        """What the files have that are not empty."""
        for folder in self.folders:
            left = len(folder.sizes)
            failure = damaged_file()
            try:
                for content in self._unpacked(folder):
                    left -= 1
                    yield content
            except UnreadableError as error:
                failure = error
            except _FAULTS:
                pass
            yield from [failure] * left

    def _unpacked(self, folder: _Folder) -> Iterator[bytes | UnreadableError]:
        decoder = self._decoder(folder)
        at, end = 32 + folder.start, 32 + folder.start + folder.packed
        rest = bytearray()
        sums = folder.sums if len(folder.sums) == len(folder.sizes) else [None] * len(folder.sizes)
        for size, known in zip(folder.sizes, sums, strict=True):
            content, left = bytearray(), size
            error: UnreadableError | None = None
            try:
                check_part(size, self._reading.limits)
            except UnreadableError as refused:
                error = refused
            while left:
                self._reading.step()
                if not rest:
                    is_fed = decoder.needs_input
                    block = self._data[at : min(at + _BLOCK, end)] if is_fed else b""
                    at += len(block)
                    rest += decoder.decompress(block, _BLOCK)
                    if is_fed and not rest and not block:
                        raise EOFError
                taken = rest[:left]
                del rest[: len(taken)]
                left -= len(taken)
                if error is None:
                    content += taken
            if error is None and known is not None and zlib.crc32(content) != known:
                error = damaged_file()
            yield error or bytes(content)

    def _decoder(self, folder: _Folder) -> _Decoder:
        methods = [method for method, _ in folder.coders]
        if _AES in methods:
            raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED_BY_AES)
        if folder.streams > 1:
            raise UnreadableError(ProblemCode.UNSUPPORTED, METHOD)
        if len(methods) == 1 and methods[0] in _ALONE:
            return _ALONE[methods[0]]()
        filters = [self._filter(*coder) for coder in folder.coders]
        if methods[-1] == _LZMA and not _BRANCHES.keys().isdisjoint(methods):
            return _Branched(filters)
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)

    def _filter(self, method: int, properties: bytes) -> dict[str, int]:
        """A filter of `lzma`; its dictionary is memory that a small file may ask for."""
        if method == _LZMA2:
            bits = properties[0]
            size = (2 | bits & 1) << (bits // 2 + 11)
            made = {"id": lzma.FILTER_LZMA2, "dict_size": size}
        elif method == _LZMA:
            (size,) = struct.unpack_from("<I", properties, 1)
            rest, lc = divmod(properties[0], 9)
            made = {"id": lzma.FILTER_LZMA1, "dict_size": size, "lc": lc}
            made |= {"lp": rest % 5, "pb": rest // 5}
        elif method == _DELTA:
            return {"id": lzma.FILTER_DELTA, "dist": properties[0] + 1}
        elif method in _BRANCHES:
            return {"id": _BRANCHES[method]}
        else:
            raise UnreadableError(ProblemCode.UNSUPPORTED, METHOD)
        if size > self._reading.limits.memory_bytes // 2:
            raise UnreadableError(
                ProblemCode.TOO_BIG_UNPACKED,
                "Unpacking this archive takes {size} of memory. If you trust it, raise that "
                "limit in the settings.",
                "memory_bytes",
                size=readable_size(size),
            )
        return made


_ALONE: dict[int, Callable[[], _Decoder]] = {
    _COPY: _Copy,
    _DEFLATE: _Deflate,
    _BZIP2: bz2.BZ2Decompressor,
}


def _parts(data: bytes, reading: Reading) -> Iterator[Part]:
    try:
        archive = _Archive(data, reading)
        contents = archive.contents()
        for raw, has_content, is_folder in archive.names:
            content = next(contents, b"") if has_content else b""
            name = tidy_name(raw)
            if name and not is_folder and not is_hidden(name):
                yield Part(name, content)
    except _FAULTS as error:
        raise damaged() from error


READER = Reader(
    "7z",
    N_("a 7-Zip archive"),
    "",
    frozenset({".7z"}),
    lambda data, _suffix: data.startswith(_MAGIC),
    parts=_parts,
    is_archive=True,
)

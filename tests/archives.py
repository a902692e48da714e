"""Archives and packages of Office that tests make."""

import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping


def zipped(
    files: Mapping[str, str | bytes],
    method: int = zipfile.ZIP_DEFLATED,
    *,
    stored: Collection[str] = ("mimetype",),
) -> bytes:
    """A ZIP file of these by their names, some without compression; the same every time."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            compression = zipfile.ZIP_STORED if name in stored else method
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()


def png(width: int, height: int, pixels: bytes) -> bytes:
    """A picture in shades of grey, of rows that each begin with their filter."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        length, check = struct.pack(">I", len(data)), struct.pack(">I", zlib.crc32(kind + data))
        return length + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


OPEN = "http://schemas.openxmlformats.org"
OFFICE = f"{OPEN}/officeDocument/2006/relationships"
PACKAGE = f"{OPEN}/package/2006"
MAIN = {
    "word/document.xml": "wordprocessingml.document",
    "xl/workbook.xml": "spreadsheetml.sheet",
    "ppt/presentation.xml": "presentationml.presentation",
}


def related(targets: Mapping[str, tuple[str, str]], mode: str = "") -> str:
    """The part with relationships: for each identifier the kind and the target."""
    each = "".join(
        f'<Relationship Id="{identifier}" Type="{OFFICE}/{kind}" Target="{target}" {mode}/>'
        for identifier, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def office(main: str, parts: Mapping[str, str | bytes]) -> bytes:
    """A package of Office with a main part."""
    kind = f"application/vnd.openxmlformats-officedocument.{MAIN[main]}.main+xml"
    types = f'<Override PartName="/{main}" ContentType="{kind}"/>'
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{types}</Types>',
            "_rels/.rels": related({"r": ("officeDocument", main)}),
            **parts,
        }
    )

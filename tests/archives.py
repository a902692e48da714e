"""Archives, packages of Office and of OpenDocument, and e-books that tests make."""

import io
import struct
import tarfile
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


def tarred(files: Mapping[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive of these by their names."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
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
STRICT = "http://purl.oclc.org/ooxml"
NAMESPACES = {
    "w": "wordprocessingml{}/main",
    "m": "officeDocument{}/math",
    "r": "officeDocument{}/relationships",
    "c": "drawingml{}/chart",
    "a": "drawingml{}/main",
    "dgm": "drawingml{}/diagram",
    "p": "presentationml{}/main",
    "x": "spreadsheetml{}/main",
}
MAIN = {
    "word/document.xml": "wordprocessingml.document",
    "xl/workbook.xml": "spreadsheetml.sheet",
    "ppt/presentation.xml": "presentationml.presentation",
}


def office_names(edition: str = OPEN, default: str = "") -> str:
    """The namespaces of Office by their usual prefixes, one of them also without."""
    year = "/2006" if edition == OPEN else ""
    names = {f"xmlns:{name}": f"{edition}/{path}" for name, path in NAMESPACES.items()}
    names |= {"xmlns": names[f"xmlns:{default}"]} if default else {}
    names["xmlns:mc"] = f"{OPEN}/markup-compatibility/2006"
    return " ".join(f'{name}="{uri.format(year)}"' for name, uri in names.items())


def related(targets: Mapping[str, tuple[str, str]], mode: str = "") -> str:
    """The part with relationships: for each identifier the kind and the target."""
    each = "".join(
        f'<Relationship Id="{identifier}" Type="{OFFICE}/{kind}" Target="{target}" {mode}/>'
        for identifier, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def office(main: str, parts: Mapping[str, str | bytes]) -> bytes:
    """A package of Office with a main part; of an unusual name it is the text of a document."""
    name = MAIN.get(main, "wordprocessingml.document")
    kind = f"application/vnd.openxmlformats-officedocument.{name}.main+xml"
    types = f'<Override PartName="/{main}" ContentType="{kind}"/>'
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{types}</Types>',
            "_rels/.rels": related({"r": ("officeDocument", main)}),
            **parts,
        }
    )


ODF_URN = "urn:oasis:names:tc:opendocument:xmlns:"
ODF_MEDIA = "application/vnd.oasis.opendocument."
# As ODF 1.3 (part 3, 1.4) has them; two are not called like their namespaces.
ODF_PREFIXES = ["office", "text", "table", "presentation", "style", "manifest"]
ODF_NAMES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        **{prefix: f"{ODF_URN}{prefix}:1.0" for prefix in ODF_PREFIXES},
        "draw": f"{ODF_URN}drawing:1.0",
        "svg": f"{ODF_URN}svg-compatible:1.0",
        "fo": f"{ODF_URN}xsl-fo-compatible:1.0",
        "xlink": "http://www.w3.org/1999/xlink",
        "math": "http://www.w3.org/1998/Math/MathML",
        "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
    }.items()
)


def odf_part(root: str, body: str, marks: str = "") -> str:
    """A part of an OpenDocument file."""
    start = f'<?xml version="1.0" encoding="UTF-8"?><office:{root} {ODF_NAMES} {marks}>'
    return f"{start}{body}</office:{root}>"


def odf_content(kind: str, body: str, styles: str = "", *, is_flat: bool = False) -> str:
    """The part with the content, or a whole file of XML."""
    content = (
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    )
    if is_flat:
        return odf_part("document", content, f'office:mimetype="{ODF_MEDIA}{kind}"')
    return odf_part("document-content", content)


XHTML = "application/xhtml+xml"
CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)


def opf(items: list[tuple[str, str, str]], spine: list[str], doctype: str = "") -> str:
    """The list of a book: items are (id, href, media type), "-id" is one that is not linear."""
    manifest = "".join(f'<item id="{i}" href="{h}" media-type="{m}"/>' for i, h, m in items)
    linear = {False: "", True: ' linear="no"'}
    refs = "".join(
        f'<itemref idref="{ref.removeprefix("-")}"{linear[ref.startswith("-")]}/>' for ref in spine
    )
    return (
        f'<?xml version="1.0"?>{doctype}<package xmlns="http://www.idpf.org/2007/opf">'
        f"<manifest>{manifest}</manifest><spine>{refs}</spine></package>"
    )

"""PDF files written here, line by line."""

import hashlib
import re
import zlib

import pypdfium2


def text_at(x, y, text, size=10, prefix=""):
    """One line of a page."""
    escaped = re.sub(r"([\\()])", r"\\\1", text)
    return f"BT {prefix} /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET"


def lines_at(x, top, lines, size=10, pitch=12):
    """Lines below each other."""
    return [text_at(x, top - pitch * index, line, size) for index, line in enumerate(lines)]


def pdf(*pages, page="", size="600 800", extra=(), trailer="", encrypt=None):
    """A file with these pages: each a list of pieces of a content stream."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /DR << >> >> >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    }
    kids = []
    for index, pieces in enumerate(pages):
        number = 100 + 2 * index
        kids.append(f"{number} 0 R")
        content = "\n".join(pieces).encode("cp1252")
        if encrypt:
            content = rc4(object_key(encrypt, number + 1), content)
        objects[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> /XObject << /I 9 0 R >> >> {page} >>"
        ).encode()
        objects[number + 1] = stream(content)
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    objects |= dict(extra)
    return assembled(objects, trailer)


def assembled(objects, trailer=""):
    """A file of these objects by their numbers, or from 1 on; the first is the root."""
    numbered = objects if isinstance(objects, dict) else dict(enumerate(objects, 1))
    out = bytearray(b"%PDF-1.5\n")
    places = b"0 1\n0000000000 65535 f \n"
    for number, body in sorted(numbered.items()):
        places += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    end = f"trailer << /Size {max(numbered) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(out)}\n"
    return bytes(out) + b"xref\n" + places + end.encode() + b"%%EOF"


def stream(content, entries="", *, is_packed=False):
    """An object with content, and more entries in its dictionary."""
    if is_packed:
        content, entries = zlib.compress(content), f"{entries} /Filter /FlateDecode"
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(content), content)


def picture(width, height, rows):
    """Shades of grey as an object of a file, which /I Do draws on its pages."""
    kind = f"/Type /XObject /Subtype /Image /Width {width} /Height {height}"
    shades = "/ColorSpace /DeviceGray /BitsPerComponent 8"
    return 9, stream(b"".join(rows), f"{kind} {shades}", is_packed=True)


def drawn(data, scale=1):
    """The first page of a file: its width, its height, and rows of pixels in shades of grey."""
    with pypdfium2.PdfDocument(data) as document:
        bitmap = document[0].render(scale=scale, grayscale=True)
        pixels, width, stride = bytes(bitmap.buffer), bitmap.width, bitmap.stride
    rows = [pixels[start : start + width] for start in range(0, len(pixels), stride)]
    return width, len(rows), rows


# Encryption of revision 2 (ISO 32000-1, 7.6.3): RC4 with a key of 40 bits.
PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key, data):
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def object_key(key, number):
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]


def locked(password, *pages):
    """A file that opens with a password (bytes)."""
    padded = (password + PADDING)[:32]
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)
    identity = b"0123456789abcdef"
    rights = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    key = hashlib.md5(padded + owner + rights + identity).digest()[:5]
    user = rc4(key, PADDING)
    entry = (
        f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{owner.hex()}> /U <{user.hex()}> >> "
        f"/ID [<{identity.hex()}> <{identity.hex()}>]"
    )
    return pdf(*pages, trailer=entry, encrypt=key)

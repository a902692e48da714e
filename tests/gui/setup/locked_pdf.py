"""PDF files locked with a password, written by hand: the standard handler, revision 2 (RC4)."""

import hashlib

PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
ALLOWED = (-4).to_bytes(4, "little", signed=True)
IDENTITY = bytes(range(16))


def locked_pdf(lines, password):
    """One page with these lines; `password` opens it."""
    user = (password.encode("latin-1") + PADDING)[:32]
    owner = rc4(hashlib.md5(user).digest()[:5], user)
    key = hashlib.md5(user + owner + ALLOWED + IDENTITY).digest()[:5]
    shown = " ".join(f"({line}) Tj 0 -16 Td" for line in lines)
    content = f"BT /F1 12 Tf 50 780 Td {shown} ET".encode("latin-1")
    stream = rc4(hashlib.md5(key + (4).to_bytes(3, "little") + b"\0\0").digest()[:10], content)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources 7 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>"
        % (owner.hex().encode(), rc4(key, PADDING).hex().encode()),
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    return _file(objects)


def rc4(key, data):
    """The cipher, which is its own inverse."""
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def _file(objects):
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    identity = IDENTITY.hex().encode()
    end += b"trailer << /Size %d /Root 1 0 R /Encrypt 6 0 R /ID [<%s> <%s>] >>\n" % (
        len(objects) + 1, identity, identity,
    )  # fmt: skip
    return body + end + b"startxref\n%d\n%%%%EOF\n" % len(body)

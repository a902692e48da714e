"""OpenDocument: texts, presentations and sheets, packed or as one flat XML file."""

from __future__ import annotations

import hashlib
import posixpath
import re
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from core.base.messages import N_, stored
from core.base.patterns import lazy_pattern
from core.base.wording import readable_count
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import SHEETS, SLIDES, Extracted, Reader, Reading
from core.documents.readers.odf.content import (
    BOXES,
    Content,
    OdfStory,
    OdfStyles,
    OpenDocumentHandler,
    number,
)
from core.documents.readers.shared.packed_files import (
    LOCKED,
    Package,
    base64_content,
    check_part,
    media_type,
)
from core.documents.readers.shared.story import Gap, TextFlow
from core.documents.readers.shared.xml import (
    Elements,
    Ends,
    Handler,
    Starts,
    attribute,
    names_of,
    parse_xml,
    root_pattern,
)

# A key derivation is meant to take long; one that takes minutes is meant to do harm.
_MOST_ROUNDS = 2_000_000  # of PBKDF2; LibreOffice asks for 100,000
_MOST_PASSES = 20  # of Argon2id; LibreOffice asks for 3
_MOST_LANES = 16
_MOST_KIBIBYTES = 256 << 10  # LibreOffice asks for 64 MiB
_KEY_BYTES = frozenset({16, 24, 32})
_CHECKED = 1024  # bytes: "sha256-1k" is the digest of as many at the start
_FILE_ENTRY, _ENCRYPTION_DATA = (
    names_of("manifest:file-entry"),
    names_of("manifest:encryption-data"),
)
_OF_A_LOCK = names_of("manifest:algorithm manifest:key-derivation manifest:start-key-generation")


class Lock:
    """How a part is encrypted, by the elements of the manifest about it; its values are short."""

    def __init__(self, elements: dict[str, dict[str, str]]) -> None:
        algorithm = elements.get("algorithm", {})
        self.algorithm = _last(attribute(algorithm, "manifest:algorithm-name"))
        self.vector = _bytes(algorithm, "initialisation-vector")
        key = elements.get("key-derivation", {})
        self.derivation = _last(attribute(key, "manifest:key-derivation-name"))
        self.salt = _bytes(key, "salt")
        usual_bytes = {"aes256": 32, "aes192": 24}.get(self.algorithm.partition("-")[0], 16)
        self.key_bytes = number(attribute(key, "manifest:key-size"), 0) or usual_bytes
        self.rounds = _cost(key, "iteration-count") or _cost(key, "argon2-iterations")
        self.memory = _cost(key, "argon2-memory")
        self.lanes = _cost(key, "argon2-lanes")
        start = elements.get("start-key-generation")
        name = "sha1" if start is None else attribute(start, "manifest:start-key-generation-name")
        self.start_key = _last(name)
        encrypted = elements["encryption-data"]
        self.checksum_kind = _last(attribute(encrypted, "manifest:checksum-type"))
        self.checksum = _bytes(encrypted, "checksum")


def locks_in(manifest: Elements) -> dict[str, Lock]:
    """The locks in META-INF/manifest.xml, by the names of parts."""
    elements: dict[str, dict[str, dict[str, str]]] = {}
    part = ""
    for name, attributes in manifest.elements:
        if name in _FILE_ENTRY:
            part = attribute(attributes, "manifest:full-path")
        elif name in _ENCRYPTION_DATA:
            elements[part] = {"encryption-data": attributes}
        elif part in elements and name in _OF_A_LOCK:
            elements[part][name.rpartition(" ")[2]] = attributes
    return {part: Lock(of_part) for part, of_part in elements.items()}


def _cost(attributes: dict[str, str], name: str) -> int:
    """A parameter, in the namespace of the standard or of LibreOffice, which came before it."""
    cost = attribute(attributes, f"manifest:{name}") or attribute(attributes, f"loext:{name}")
    return number(cost, 0)


def _bytes(attributes: dict[str, str], name: str) -> bytes:
    return base64_content(attribute(attributes, f"manifest:{name}").encode())


def _last(name: str) -> str:
    """The last word of a name: "aes256-cbc" of "http://www.w3.org/2001/04/xmlenc#aes256-cbc"."""
    return name.rpartition("#")[2].rpartition(":")[2].lower().strip()


def unlocked(data: bytes, lock: Lock, reading: Reading) -> bytes:
    """A part decrypted with the first password that opens it, and unpacked.

    Raises:
        UnreadableError: ENCRYPTED when none does, or the encryption is not known or would take too
            long; TOO_BIG_UNPACKED.
    """
    cipher = _CIPHERS.get(lock.algorithm)
    if cipher is None or not _is_known(lock):
        raise UnreadableError(
            ProblemCode.ENCRYPTED,
            "Locked with a password, in a way that is not known here. Save a copy without one.",
        )
    for password in reading.passwords:
        reading.step()
        packed = cipher(lock, _key(password, lock), data)
        part = None if packed is None else _inflated(packed, reading)
        if part is not None:
            return part
    raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)


def _is_known(lock: Lock) -> bool:
    """Whether a key can be derived, with a bearable effort."""
    if lock.key_bytes not in _KEY_BYTES or lock.start_key not in _START_KEYS:
        return False
    if lock.derivation == "pbkdf2":
        return 0 < lock.rounds <= _MOST_ROUNDS
    return (
        lock.derivation == "argon2id"
        and 0 < lock.rounds <= _MOST_PASSES
        and 0 < lock.lanes <= _MOST_LANES
        and 8 * lock.lanes <= lock.memory <= _MOST_KIBIBYTES
        and len(lock.salt) >= _SALT
    )


def _key(password: str, lock: Lock) -> bytes:
    start = hashlib.new(lock.start_key, password.encode(), usedforsecurity=False)
    if lock.derivation == "pbkdf2":
        return hashlib.pbkdf2_hmac("sha1", start.digest(), lock.salt, lock.rounds, lock.key_bytes)
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    return Argon2id(
        salt=lock.salt,
        length=lock.key_bytes,
        iterations=lock.rounds,
        lanes=lock.lanes,
        memory_cost=lock.memory,
    ).derive(start.digest())


def _decrypt_aes_cbc(lock: Lock, key: bytes, data: bytes) -> bytes | None:
    """The last byte is the number of bytes that fill the last block (XML Encryption, 5.2)."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    if len(lock.vector) != _BLOCK or not data or len(data) % _BLOCK:
        return None
    decryptor = Cipher(algorithms.AES(key), modes.CBC(lock.vector)).decryptor()
    padded = decryptor.update(data) + decryptor.finalize()
    filled = padded[-1]
    return _checked(lock, padded[:-filled]) if 0 < filled <= _BLOCK else None


def _decrypt_aes_gcm(lock: Lock, key: bytes, data: bytes) -> bytes | None:
    """The vector is repeated before the text, and a tag follows it."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(lock.vector) != _GCM_VECTOR or len(data) < _GCM_VECTOR + _BLOCK:
        return None
    try:
        return AESGCM(key).decrypt(data[:_GCM_VECTOR], data[_GCM_VECTOR:], None)
    except InvalidTag:
        return None


def _decrypt_blowfish(lock: Lock, key: bytes, data: bytes) -> bytes | None:
    """As OpenOffice.org wrote it: feedback of 64 bits."""
    from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
    from cryptography.hazmat.primitives.ciphers import Cipher

    if len(lock.vector) != Blowfish.block_size // 8:
        return None
    decryptor = Cipher(Blowfish(key), CFB(lock.vector)).decryptor()
    return _checked(lock, decryptor.update(data) + decryptor.finalize())


def _checked(lock: Lock, packed: bytes) -> bytes | None:
    """What was decrypted, if it has the checksum of what was encrypted."""
    kind = _CHECKSUMS.get(lock.checksum_kind)
    if kind is None:
        return packed
    start = hashlib.new(kind, packed[:_CHECKED], usedforsecurity=False)
    return packed if start.digest() == lock.checksum else None


def _inflated(packed: bytes, reading: Reading) -> bytes | None:
    """What was packed before it was encrypted; None for what was not, by a wrong key."""
    if packed.startswith(_ZIP):
        return packed
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        part = unpacker.decompress(packed, reading.limits.part_bytes + 1)
    except zlib.error:
        return None
    check_part(len(part), reading.limits)
    return part if unpacker.eof else None


_ZIP = b"PK\x03\x04"
_BLOCK = 16  # bytes
_GCM_VECTOR = 12
_SALT = 8
_CIPHERS = {
    **dict.fromkeys(("aes128-cbc", "aes192-cbc", "aes256-cbc"), _decrypt_aes_cbc),
    **dict.fromkeys(("aes128-gcm", "aes192-gcm", "aes256-gcm"), _decrypt_aes_gcm),
    **dict.fromkeys(("blowfish", "blowfish cfb"), _decrypt_blowfish),
}
_START_KEYS = frozenset({"sha1", "sha256"})
_CHECKSUMS = {"sha1-1k": "sha1", "sha1/1k": "sha1", "sha256-1k": "sha256"}


_UNSEEN = frozenset({"collapse", "filter"})
_SPACES = 99


class _OdfCell(NamedTuple):
    column: int
    repeated: int
    text: str


class Sheets(OpenDocumentHandler):
    """Collects the sheets.

    Attributes:
        pages: The text of each sheet, that of its shapes last; "" for a hidden one.

    Raises:
        UnreadableError: TOO_BIG when repeated cells make more text than is read.
    """

    def __init__(self, reading: Reading, styles: OdfStyles) -> None:
        super().__init__(styles, self._sheet_starts(), self._sheet_ends())
        self.pages: list[str] = []
        self._limit = self._left = reading.limits.characters
        self._flow = TextFlow()
        self._shapes: list[str] = []
        self._row: list[_OdfCell] = []
        self._row_repeated = self._cell_repeated = 1
        self._is_row_hidden = False
        self._column = 0
        self._hidden_columns: list[range] = []
        self._hidden_seen: set[int] = set()  # starts of those ranges in which there is text
        self._tables = 0

    def _sheet_starts(self) -> Starts:
        return {
            "office:master-styles": self._skip,  # with the headers that every sheet has unasked
            "table:table": self._start_sheet,
            "table:table-column": self._note_column,
            "table:table-row": self._start_row,
            "table:table-cell": self._start_cell,
            "table:covered-table-cell": self._pass_cell,
            "text:p": self._call_story(OdfStory.start_paragraph),
            "text:s": lambda it: self._write_spaces(it, _SPACES),
            "text:tab": lambda _: self._stories[-1].write_verbatim(" "),
            BOXES: lambda _: self._stories.append(OdfStory()),
        }

    def _sheet_ends(self) -> Ends:
        return {
            "table:table": self._end_sheet,
            "table:table-row": self._end_row,
            "table:table-cell": self._end_cell,
            "text:p": self._call_story(OdfStory.end_paragraph),
            BOXES: lambda: self._shapes.append(self._stories.pop().text()),
        }

    def _start_sheet(self, attributes: dict[str, str]) -> None:
        """A table in a cell goes with the sheet it is in."""
        if not self._tables and self._styles.hides(
            "table", attribute(attributes, "table:style-name")
        ):
            self.tally.hidden_sheets += 1
            self.pages.append("")
            self._skip(attributes)
            return
        if not self._tables:
            self._column = 0
            self._hidden_columns.clear()
        self._tables += 1

    def _end_sheet(self) -> None:
        self._tables -= 1
        if self._tables:
            return
        for shape in self._shapes:
            if shape:
                self._flow.separate(Gap.PARAGRAPH)
                self._flow.write_verbatim(shape)
        self._shapes.clear()
        self.pages.append(self._flow.text())
        self.tally.hidden_rows += len(self._hidden_seen)
        self._hidden_seen.clear()
        self._flow = TextFlow()

    def _note_column(self, attributes: dict[str, str]) -> None:
        count = _repeated(attributes, "columns")
        if attribute(attributes, "table:visibility") in _UNSEEN:
            self._hidden_columns.append(range(self._column, self._column + count))
        self._column += count

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._column = 0
        self._row.clear()
        self._row_repeated = _repeated(attributes, "rows")
        self._is_row_hidden = attribute(attributes, "table:visibility") in _UNSEEN

    def _end_row(self) -> None:
        """Write it as often as it stands there; rows without text are one gap."""
        cells = [cell for cell in self._row if cell.text and not self._is_hidden(cell.column)]
        self._row.clear()
        if not cells:
            self._flow.separate(Gap.PARAGRAPH)
        elif self._is_row_hidden:
            self.tally.hidden_rows += self._row_repeated
        else:
            self._write_row(cells)

    def _write_row(self, cells: list[_OdfCell]) -> None:
        length = sum((len(cell.text) + 1) * cell.repeated for cell in cells)
        self._left -= length * self._row_repeated
        if self._left < 0:
            raise UnreadableError(
                ProblemCode.TOO_BIG,
                stored(
                    "The repeated cells of this file make a text of more than {limit} characters. "
                    "Split it, or raise the limit in the settings.",
                    limit=readable_count(self._limit),
                ),
                "characters",
            )
        text = "\t".join("\t".join([cell.text] * cell.repeated) for cell in cells)
        self._flow.separate(Gap.LINE)
        self._flow.write_verbatim("\n".join([text] * self._row_repeated))
        self._flow.separate(Gap.LINE)

    def _is_hidden(self, column: int) -> bool:
        for columns in self._hidden_columns:
            if column in columns:
                self._hidden_seen.add(columns.start)
                return True
        return False

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._cell_repeated = _repeated(attributes, "columns")

    def _end_cell(self) -> None:
        text = self._stories[0].text().replace("\n\n", "\n")
        self._stories[0] = OdfStory()
        if text:
            self._row.append(_OdfCell(self._column, self._cell_repeated, text))
        self._column += self._cell_repeated

    def _pass_cell(self, attributes: dict[str, str]) -> None:
        """One that lies below a wider neighbour."""
        self._column += _repeated(attributes, "columns")
        self._skip(attributes)


def _repeated(attributes: dict[str, str], what: str) -> int:
    return number(attribute(attributes, f"table:number-{what}-repeated"))


_MANIFEST = "META-INF/manifest.xml"
_WHOLE = "encrypted-package"


class OpenDocument:
    """What a reader asks of a file: its styles, its content, its embedded formulas.

    Attributes:
        refusals: How many parts beside the content declare entities, and were not read.

    Raises:
        UnreadableError: DAMAGED, or what unpacking and decrypting raise.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._reading = reading
        self.refusals = 0
        self._flat = b"" if data.startswith(b"PK") else data
        self._package = None if self._flat else Package(data, reading)
        self._locks = self._read_locks()
        if _WHOLE in self._locks:  # as LibreOffice does since 24.2: a package in a package
            self._package = Package(self._read(_WHOLE), reading)
            self._locks = {}

    def _read_locks(self) -> dict[str, Lock]:
        if self._package is None or _MANIFEST not in self._package:
            return {}
        source = self._package.read(_MANIFEST)
        if b"encryption-data" not in source:
            return {}
        manifest = Elements()
        parse_xml(source, manifest, self._reading, tolerates_doctype=True)
        locks = locks_in(manifest)
        return {name: lock for name, lock in locks.items() if name in self._package}

    def _read(self, name: str) -> bytes:
        if self._package is None:
            return b""
        data = self._package.read(name)
        lock = self._locks.get(name)
        return data if lock is None else unlocked(data, lock, self._reading)

    def parse_styles(self, handler: Handler) -> None:
        """Tell the handler of the part with the styles; a flat file has them in its content."""
        if self._package is not None and "styles.xml" in self._package:
            self._parse_part("styles.xml", handler)

    def _parse_part(self, name: str, handler: Handler, *, is_formula: bool = False) -> None:
        """What a part declares costs only that part; a formula is read to where it breaks.

        The formula editor of OpenOffice.org names the type of its documents; that is tolerated.
        """
        try:
            parse_xml(self._read(name), handler, self._reading, tolerates_doctype=is_formula)
        except UnreadableError as error:
            if error.code is ProblemCode.DTD_REFUSED:
                self.refusals += 1
            elif error.code is not ProblemCode.DAMAGED or not is_formula:
                raise

    def parse_content(self, handler: Handler) -> None:
        """Tell the handler of the content."""
        if self._package is None:
            parse_xml(self._flat, handler, self._reading)
        elif "content.xml" in self._package:
            parse_xml(self._read("content.xml"), handler, self._reading)
        else:
            raise UnreadableError(
                ProblemCode.DAMAGED,
                "This file is damaged: the part with its text is missing. Get another copy.",
            )

    def formula(self, href: str) -> str:
        """The signs of an embedded formula; "" for any other object, or a damaged one."""
        name = posixpath.normpath(f"{href}/content.xml")
        if self._package is None or name not in self._package:
            return ""
        handler = _Formula()
        self._parse_part(name, handler, is_formula=True)
        return "".join(handler.signs)


class _Formula(Handler):
    """Collects the signs of MathML, without its annotations."""

    def __init__(self) -> None:
        self.signs: list[str] = []
        self._open: list[str] = []

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self._open.append(name)

    def end(self, _name: str) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        """Characters of an identifier, a number, an operator or a text."""
        if self._open[0] in _MATH and self._open[-1] in _TOKENS:
            self.signs.append(text.strip())


_MATH = names_of("math:math")
_TOKENS = names_of("math:mi math:mn math:mo math:ms math:mtext")


_MEDIA = "application/vnd.oasis.opendocument."
_ROOT = 1 << 14  # bytes: the root element declares some thirty namespaces
_START = root_pattern(b"office:document")
_FLAT = lazy_pattern(rb"\boffice:mimetype=[\"']" + re.escape(_MEDIA).encode() + rb"([a-z-]+)")


def _kind(data: bytes) -> str:
    """Whether a file is a "text", "presentation" or "spreadsheet", "" for none of them."""
    media = media_type(data)
    if media.startswith(_MEDIA):
        kind = media.removeprefix(_MEDIA)
    elif (start := _START.match(data)) and (match := _FLAT.search(data, start.end(), _ROOT)):
        kind = match[1].decode("ascii")
    else:
        return ""
    return re.sub("(?:-(?:template|master|web))+$", "", kind)


def _contents(data: bytes, reading: Reading) -> Content:
    file = OpenDocument(data, reading)
    styles = OdfStyles()
    content = Content(reading, styles, file.formula)
    file.parse_styles(content)
    styles.forget_automatic()
    file.parse_content(content)
    content.finish()
    content.tally.refusals = file.refusals
    return content


def _read_text(data: bytes, reading: Reading) -> Extracted:
    """Headers, body, notes and footers: each once, the running ones apart from the text."""
    content = _contents(data, reading)
    headers, footers = content.running_heads()
    parts = [*headers, *content.pages, *content.notes["footnote"], *content.notes["endnote"]]
    text = content.tally.faint.after(_joined([*parts, *footers]))
    return Extracted(text, remarks=content.tally.remarks())


def _read_presentation(data: bytes, reading: Reading) -> Extracted:
    content = _contents(data, reading)
    headers, footers = content.running_heads()
    pages = content.pages or [""]
    pages[0] = _joined([*headers, pages[0]])
    pages[-1] = _joined([pages[-1], *footers])
    return Extracted(content.tally.faint.after("\f".join(pages)), remarks=content.tally.remarks())


def _read_spreadsheet(data: bytes, reading: Reading) -> Extracted:
    file = OpenDocument(data, reading)
    sheets = Sheets(reading, OdfStyles())
    file.parse_content(sheets)
    return Extracted("\f".join(sheets.pages), remarks=sheets.tally.remarks())


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


TEXT = Reader(
    "odt",
    N_("an OpenDocument text (odt)"),
    "OpenDocument (odt)",
    frozenset({".odt", ".ott", ".fodt", ".odm", ".oth"}),
    lambda data, _suffix: _kind(data) == "text",
    _read_text,
    never_text=True,
    libraries=("cryptography",),
)
PRESENTATION = Reader(
    "odp",
    N_("an OpenDocument presentation (odp)"),
    N_("slides (odp)"),
    frozenset({".odp", ".otp", ".fodp"}),
    lambda data, _suffix: _kind(data) == "presentation",
    _read_presentation,
    never_text=True,
    libraries=("cryptography",),
    pages=SLIDES,
)
SPREADSHEET = Reader(
    "ods",
    N_("an OpenDocument spreadsheet (ods)"),
    N_("spreadsheet (ods)"),
    frozenset({".ods", ".ots", ".fods"}),
    lambda data, _suffix: _kind(data) == "spreadsheet",
    _read_spreadsheet,
    never_text=True,
    libraries=("cryptography",),
    pages=SHEETS,
)

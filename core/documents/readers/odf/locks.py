"""Encrypted parts of an OpenDocument package (ODF 1.3, part 2, 3.4 and 4.8; LibreOffice 24.2)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from dataclasses import dataclass, field

from core.documents.model import ProblemCode
from core.documents.readers.odf.content import attribute, short_name
from core.documents.readers.reader import Reading
from core.documents.readers.shared.zip_package import check_part
from core.documents.unreadable import UnreadableError

# A key derivation is meant to take long; one that takes minutes is meant to do harm.
_MOST_ROUNDS = 2_000_000  # of PBKDF2; LibreOffice asks for 100,000
_MOST_PASSES = 20  # of Argon2id; LibreOffice asks for 3
_MOST_LANES = 16
_MOST_KIBIBYTES = 256 << 10  # LibreOffice asks for 64 MiB
_KEY_BYTES = frozenset({16, 24, 32})
_CHECKED = 1024  # bytes: "sha256-1k" is the digest of as many at the start


@dataclass(slots=True)
class Lock:
    """How a part is encrypted; the values are those of the manifest, short."""

    algorithm: str = ""
    vector: bytes = b""
    derivation: str = ""
    salt: bytes = b""
    rounds: int = 0
    key_bytes: int = 16
    memory: int = 0
    lanes: int = 0
    start_key: str = "sha1"
    checksum_kind: str = ""
    checksum: bytes = b""


@dataclass(slots=True)
class Manifest:
    """Collects the locks from META-INF/manifest.xml, by the names of parts."""

    locks: dict[str, Lock] = field(default_factory=dict)
    _part: str = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        short = short_name(name)
        if short == "manifest:file-entry":
            self._part = attribute(attributes, "manifest:full-path")
        elif short == "manifest:encryption-data":
            self.locks[self._part] = Lock(
                checksum_kind=_last(attribute(attributes, "manifest:checksum-type")),
                checksum=_bytes(attribute(attributes, "manifest:checksum")),
            )
        elif self._part in self.locks:
            _describe(self.locks[self._part], short, attributes)

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Characters."""


def _describe(lock: Lock, name: str, attributes: dict[str, str]) -> None:
    if name == "manifest:algorithm":
        lock.algorithm = _last(attribute(attributes, "manifest:algorithm-name"))
        lock.vector = _bytes(attribute(attributes, "manifest:initialisation-vector"))
    elif name == "manifest:start-key-generation":
        lock.start_key = _last(attribute(attributes, "manifest:start-key-generation-name"))
    elif name == "manifest:key-derivation":
        lock.derivation = _last(attribute(attributes, "manifest:key-derivation-name"))
        lock.salt = _bytes(attribute(attributes, "manifest:salt"))
        lock.key_bytes = _count(attribute(attributes, "manifest:key-size")) or _key_bytes(lock)
        lock.rounds = _cost(attributes, "iteration-count") or _cost(attributes, "argon2-iterations")
        lock.memory = _cost(attributes, "argon2-memory")
        lock.lanes = _cost(attributes, "argon2-lanes")


def _key_bytes(lock: Lock) -> int:
    """The length of a key where it is not said."""
    return {"aes256": 32, "aes192": 24}.get(lock.algorithm.partition("-")[0], 16)


def _cost(attributes: dict[str, str], name: str) -> int:
    """A parameter, in the namespace of the standard or of LibreOffice, which came before it."""
    return _count(
        attribute(attributes, f"manifest:{name}") or attribute(attributes, f"loext:{name}")
    )


def _last(name: str) -> str:
    """The last word of a name: "aes256-cbc" of "http://www.w3.org/2001/04/xmlenc#aes256-cbc"."""
    return name.rpartition("#")[2].rpartition(":")[2].lower().strip()


def _count(value: str) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def _bytes(value: str) -> bytes:
    try:
        return base64.b64decode(value)
    except (binascii.Error, ValueError):
        return b""


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
    raise UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or save a copy without one."
    )


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
    start = hashlib.new(_START_KEYS[lock.start_key], password.encode(), usedforsecurity=False)
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
    "aes128-cbc": _decrypt_aes_cbc,
    "aes192-cbc": _decrypt_aes_cbc,
    "aes256-cbc": _decrypt_aes_cbc,
    "aes128-gcm": _decrypt_aes_gcm,
    "aes192-gcm": _decrypt_aes_gcm,
    "aes256-gcm": _decrypt_aes_gcm,
    "blowfish": _decrypt_blowfish,
    "blowfish cfb": _decrypt_blowfish,
}
_START_KEYS = {"sha1": "sha1", "sha256": "sha256"}
_CHECKSUMS = {"sha1-1k": "sha1", "sha1/1k": "sha1", "sha256-1k": "sha256"}

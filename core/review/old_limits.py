"""Which limit a file met, in reviews that do not say it but in a sentence."""

from __future__ import annotations

# Until version 3 only the sentence said which limit was met, where it was not the code's usual one.
USUAL_LIMITS = {
    b"timeout": b"seconds",
    b"too_big": b"file_bytes",
    b"too_big_unpacked": b"unpacked_bytes",
    b"too_many_members": b"members",
    b"too_deep": b"nesting",
    b"out_of_memory": b"memory_bytes",
}
NAMED_LIMITS = {
    b"got nowhere": b"stall_seconds",
    b"as large as it is packed": b"ratio",
    b"A part of": b"part_bytes",
    b"This text has": b"characters",
    b"This text is longer": b"words",
}


def limit_met(code: bytes, detail: bytes) -> bytes:
    """The field of `ReadingLimits`; nothing for a problem that is no limit."""
    usual = USUAL_LIMITS.get(code, b"")
    return next(
        (limit for words, limit in NAMED_LIMITS.items() if usual and words in detail), usual
    )

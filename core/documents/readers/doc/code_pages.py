"""Character encodings of Windows by the code of a language ([MS-LCID])."""

from __future__ import annotations

_CHINESE = 0x04
_SIMPLIFIED = frozenset({0x0804, 0x1004})
_PAGES = {
    "cp874": (0x1E,),
    "cp932": (0x11,),
    "cp949": (0x12,),
    "cp1250": (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24),
    "cp1251": (0x02, 0x19, 0x22, 0x23, 0x2F),
    "cp1253": (0x08,),
    "cp1254": (0x1F, 0x2C),
    "cp1255": (0x0D,),
    "cp1256": (0x01, 0x20, 0x29),
    "cp1257": (0x25, 0x26, 0x27),
    "cp1258": (0x2A,),
}
_BY_LANGUAGE = {language: page for page, languages in _PAGES.items() for language in languages}


def code_page(language: int) -> str:
    """The encoding of a text in a language and country."""
    primary = language & 0x3FF
    if primary == _CHINESE:
        return "cp936" if language in _SIMPLIFIED else "cp950"
    return _BY_LANGUAGE.get(primary, "cp1252")

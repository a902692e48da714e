"""Characters of the fonts Symbol and Wingdings, which Office keeps by their place in the font."""

from __future__ import annotations

import re

# Adobe's encoding of Symbol (PDF Reference, D.5).
_SYMBOL = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    0x61: "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…",
    0xBF: "↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
    0xF1: "〉∫⌠",
    0xF5: "⌡",
}
_WINGDINGS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x75: "◆",
    0x76: "❖",
    0xA7: "▪",
    0xA8: "◻",
    0xD8: "➢",
    0xDF: "←↑→↓↖↗↙↘",
    0xE8: "➔",
    0xEF: "⇦⇨⇧⇩⬄",
    0xFB: "✗✓☒☑",
}


def _places(runs: dict[int, str]) -> dict[int, str]:
    return {start + i: char for start, run in runs.items() for i, char in enumerate(run)}


_FONTS = {"symbol": _places(_SYMBOL), "wingdings": _places(_WINGDINGS)}
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def symbol(font: str, code: str) -> str:
    """The character at a place, "F0B7", of a font; "" where it is only a picture."""
    try:
        found = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return symbols(found, font) if found.isprintable() or _PRIVATE.match(found) else ""


def is_symbol_font(font: str) -> bool:
    """Whether the characters of a font are known by their places in it."""
    return font.lower() in _FONTS


def symbols(text: str, font: str) -> str:
    """A text in which places of a font have become characters."""
    if text.isascii() or not _PRIVATE.search(text):
        return text
    known = _FONTS.get(font.lower())
    if known is None:
        return text
    return _PRIVATE.sub(lambda found: known.get(ord(found[0]) - 0xF000, ""), text)

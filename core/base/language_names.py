"""What languages are called, by their codes of ISO 639-1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from core.base.messages import ENGLISH, language

UNKNOWN = "und"  # of ISO 639-2: undetermined
LANGUAGE_NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian",
    "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
    "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada",
    "ko": "Korean", "la": "Latin", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi", "ms": "Malay", "my": "Burmese",
    "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "st": "Sesotho", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yi": "Yiddish",
    "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """What a language is called: "German" for "de"; "" where it is not known.

    In another language than English by the names of Unicode CLDR. A code that has no name stands
    for itself.
    """
    if code == UNKNOWN:
        return ""
    reader = language().code
    names = LANGUAGE_NAMES if reader == ENGLISH else _names_in(reader)
    return names.get(code) or LANGUAGE_NAMES.get(code, code)


@cache
def _names_in(reader: str) -> Mapping[str, str]:
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - only other languages pay for it

    try:
        names: Mapping[str, str] = Locale.parse(reader).languages
    except (UnknownLocaleError, ValueError):
        return {}
    return names

"""What a text says about its own encoding: XML, HTML, LaTeX and the coding cookie of editors."""

from __future__ import annotations

import codecs
import re

# What programs write under the narrower name; the wider one decodes all of it alike, and more.
WIDER = {
    "big5": "big5hkscs",
    "euc_jis_2004": "euc_jp",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "tis-620": "cp874",
}
_HEAD = 4096
_PATTERNS = (
    re.compile(rb"\A\s{0,20}<\?xml[^>]{1,200}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{2,40})"),
    re.compile(rb"<meta[^>]{1,400}?charset\s{0,9}=[\s\"']{0,9}([\w.:-]{2,40})", re.IGNORECASE),
    re.compile(rb"\\usepackage\[(\w{2,40})\]\{inputenc\}"),
    re.compile(rb"\A(?:.{0,200}\n)?[ \t]{0,20}[#/;%].{0,100}?coding[:=][ \t]{0,9}([\w.-]{2,40})"),
)
_OTHER_NAMES = {
    "ansinew": "cp1252",
    "applemac": "mac-roman",
    "latin9": "iso8859-15",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-roman": "mac-roman",
}
# Encodings in which the declaration itself can be read, and no other codec of Python's.
_DECLARABLE = re.compile(
    r"cp(?!037|273|424|500|875|1026|1140)\d+|iso8859-\d+|koi8-[rtu]|mac-\w+|kz1048|ptcp154"
    r"|tis-620|hp-roman8|big5\w*|gbk|gb2312|gb18030|euc_\w+|shift_jis\w*|johab|hz"
)


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a text names in its first lines, as it is written there."""
    head = data[:_HEAD]
    matches = (pattern.search(head) for pattern in _PATTERNS)
    return next((match[1].decode("ascii", "replace") for match in matches if match), None)


def known_encoding(name: str) -> str | None:
    """Python's name for a declared encoding; None when it can be no encoding of a text file.

    UTF-8, UTF-16 and UTF-32 are left out: they are recognised without any declaration.
    """
    try:
        found = codecs.lookup(_OTHER_NAMES.get(name.lower(), name)).name
    except (LookupError, ValueError):
        return None
    return found if _DECLARABLE.fullmatch(found) else None

"""Control words of RTF (Rich Text Format Specification 1.9.1) by what they mean for the text."""

from __future__ import annotations

import codecs

FALLBACK_CODEC = "cp1252"


def _words(names: str) -> frozenset[bytes]:
    return frozenset(names.encode().split())


# Groups that are not shown, whether or not they are marked as such with \*.
SKIPPED = _words(
    "aftncn aftnsep aftnsepc atnauthor atndate atnicn atnid atnparent atnref atntime background"
    " bkmkend bkmkstart colortbl colorschememapping datafield datastore docvar factoidname falt"
    " ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext ffl ffname ffstattext filetbl fname"
    " fontemb fontfile formfield ftncn ftnsep ftnsepc generator gridtbl info keycode"
    " latentstyles list listlevel listname listoverride listoverridetable listpicture"
    " listtable listtext maccPr mbarPr mborderBoxPr mboxPr mchr mctrlPr mdPr meqArrPr mfPr mfuncPr"
    " mgroupChrPr mlimLowPr mlimUppPr mmPr mmathPict mmathPr mnaryPr mphantPr mradPr mrPr"
    " msPrePr msSubPr msSubSupPr msSupPr moMathParaPr nesttableprops nonesttables nonshppict"
    " objalias objclass objdata objname objsect oldcprops oldpprops oldsprops oldtprops panose"
    " passwordhash pgp pgptbl picprop pict pn pnseclvl pntext pntxta pntxtb private propname"
    " protusertbl revtbl rsidtbl rxe shppict shprslt sn sp staticval stylesheet sv tc"
    " tcn template themedata txe userprops wgrffmtfilter xe xmlattrname xmlattrvalue xmlclose"
    " xmlname xmlnstbl xmlopen"
)
# Groups that are shown although they are marked with \*, or that only hold some that are.
TRANSPARENT = _words(
    "do dptxbxtext fldrslt footnote mmath moMath moMathPara shpgrp shpinst shptxt ud"
)
HEADINGS = _words("header headerl headerr headerf footer footerl footerr footerf")
CHARACTERS = {
    b"tab": "\t",
    b"line": "\n",
    b"lbr": "\n",
    b"emdash": "\u2014",
    b"endash": "\u2013",
    b"emspace": " ",
    b"enspace": " ",
    b"qmspace": " ",
    b"bullet": "\u2022",
    b"lquote": "\u2018",
    b"rquote": "\u2019",
    b"ldblquote": "\u201c",
    b"rdblquote": "\u201d",
    b"zwj": "\u200d",
    b"zwnj": "\u200c",
}
SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad"}

# By \fcharset; 77 and over up to 89 are those of the Macintosh. None: that of the document.
_CHARSETS = {
    0: "cp1252",
    2: "cp1252",
    77: "mac_roman",
    78: "shift_jis",
    79: "johab",
    80: "gb2312",
    81: "big5",
    83: "mac_greek",
    85: "mac_turkish",
    88: "mac_latin2",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_PAGES = {936: "gbk", 1361: "johab", 10000: "mac_roman", 10007: "mac_cyrillic", 10029: "mac_latin2"}
_PAGES |= {10006: "mac_greek", 10081: "mac_turkish", 54936: "gb18030", 65001: "utf-8"}


def codec_of_charset(charset: int) -> str | None:
    """Python's codec for the character set of a font; None for that of the document."""
    return _CHARSETS.get(charset)


def codec_of_page(page: int) -> str | None:
    """Python's codec for a code page of Windows or DOS, None where there is none."""
    name = _PAGES.get(page) or f"cp{page}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None

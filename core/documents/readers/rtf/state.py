"""What holds at a place of an RTF file: the state of a group, the encodings of fonts."""

from __future__ import annotations

from collections.abc import Callable

from core.documents.readers.rtf.control_words import FALLBACK_CODEC, codec_of_charset, codec_of_page

USUAL_SIZE = 24  # half points


class RtfGroup:
    """What holds until the end of a group."""

    __slots__ = (
        "close",
        "codec",
        "colour",
        "fallbacks",
        "in_fonts",
        "in_table",
        "is_deleted",
        "is_hidden",
        "is_shaded",
        "size",
    )

    def __init__(self, codec: str) -> None:
        self.codec = codec
        self.fallbacks = 1  # bytes after \u, for programs that do not know it
        self.in_fonts = False
        self.in_table = False
        self.be_plain()
        self.close: Callable[[], None] | None = None

    def be_plain(self) -> None:
        """Letters look as usual."""
        self.is_deleted = False
        self.is_hidden = False
        self.is_shaded = False  # has a background of its own
        self.colour = 0  # by its place in the table
        self.size = USUAL_SIZE  # half points

    def inner(self) -> RtfGroup:
        """The state at the start of a group in this one."""
        group = RtfGroup(self.codec)
        group.fallbacks = self.fallbacks
        group.in_fonts = self.in_fonts
        group.in_table = self.in_table
        group.is_deleted = self.is_deleted
        group.is_hidden = self.is_hidden
        group.is_shaded = self.is_shaded
        group.colour, group.size = self.colour, self.size
        return group


class Fonts:
    """The encodings of the fonts, as the table of fonts describes them.

    Attributes:
        codec: Of the document: it holds where no font says otherwise.
        default: The number of the font that text has unless another is asked for.
    """

    def __init__(self) -> None:
        self.codec = FALLBACK_CODEC
        self.default = 0
        self._codecs: dict[int, str | None] = {}
        self._described = 0

    def start(self, number: int) -> None:
        """What follows describes this font."""
        self._described = number
        self._codecs[number] = None

    def describe(self, *, charset: int | None = None, page: int | None = None) -> None:
        """The character set or the code page of the font that is described."""
        codec = None if charset is None else codec_of_charset(charset)
        if page is not None:
            codec = codec_of_page(page)
        if codec is not None:
            self._codecs[self._described] = codec

    def codec_of(self, number: int) -> str:
        """The encoding of text in a font."""
        return self._codecs.get(number) or self.codec

"""XML in any encoding that its declaration may name."""

import pytest

from core.documents.readers import Reading, UnreadableError
from core.documents.readers.shared.xml import parse_xml


class Collected:
    """All characters."""

    def __init__(self):
        self.pieces = []

    def start(self, name, attributes):
        pass

    def end(self, name):
        pass

    def text(self, text):
        self.pieces.append(text)


def text_of(data):
    collected = Collected()
    parse_xml(data, collected, Reading())
    return "".join(collected.pieces)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Паром ходит"),
        ("UTF-16", "Паром ходит"),
        ("iso-8859-1", "Fähre"),
        ("us-ascii", "ferry"),
        ("windows-1251", "Паром ходит"),
        ("koi8-r", "Паром ходит"),
        ("gb2312", "渡轮每天两班"),
        ("Shift_JIS", "船は一日二回"),
        ("euc-kr", "배는 하루에"),
    ],
)
def test_declared_encodings(encoding, text):
    data = f'<?xml version="1.0" encoding="{encoding}"?><p>{text}</p>'.encode(encoding)
    assert text_of(data) == text


@pytest.mark.parametrize("encoding", ["x-none", "hex", "idna", "utf8", "unicode_escape"])
def test_an_encoding_that_is_none_is_found_from_the_bytes(encoding):
    data = f'<?xml version="1.0" encoding="{encoding}"?><p>Паром ходит</p>'.encode()
    assert text_of(data) == "Паром ходит"


def test_a_declaration_that_contradicts_the_bytes_is_not_believed():
    data = '<?xml version="1.0" encoding="gb2312"?><p>渡轮每天两班</p>'.encode("utf-16")
    assert text_of(data) == "渡轮每天两班"


def test_bytes_of_no_encoding_are_refused():
    data = b'<?xml version="1.0" encoding="x-none"?><p>\0\1\2\x81\0\0\3</p>'
    with pytest.raises(UnreadableError, match=r"no text|damaged"):
        text_of(data)

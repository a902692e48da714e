"""The elements of HTML by what they mean for the text and for the cost of parsing them."""

from __future__ import annotations


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


# What a browser shows of them.
NOT_SHOWN = _tags(
    "audio canvas datalist head iframe noembed noframes noscript rp script style template title"
    " video"
)
VERBATIM = _tags("listing plaintext pre textarea xmp")
PARAGRAPHS = _tags(
    "article blockquote dl fieldset figure form h1 h2 h3 h4 h5 h6 hr main ol p pre section table ul"
)
LINES = _tags(
    "address aside body caption center dd details dialog dir div dt figcaption footer header hgroup"
    " legend li listing menu nav optgroup option plaintext search select summary tbody textarea"
    " tfoot thead tr xmp"
)
CELLS = _tags("td th")
CONTROLS = _tags("button input object")

# How a parser treats them. Raw: their content is text up to their own end tag.
RAW = _tags("iframe noembed noframes script style textarea title xmp")
# Not counted: empty, or closed by the next of their kind.
SHALLOW = _tags(
    "a area base basefont bgsound body br col colgroup embed form head hr html image img input"
    " keygen link meta nobr param rb rp rt rtc source track wbr"
)
FORMATTING = _tags("b big code em font i s small strike strong tt u")
TABLE_PARTS = _tags("caption tbody td tfoot th thead tr")
# An end tag of what is not part of a table does not reach beyond these.
BOUNDARIES = _tags("applet caption marquee object select table td template th")
# What the start of an item closes.
ITEMS = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
# Closed by the next of their kind when nothing else was opened in them.
CHOICES = _tags("button optgroup option select")
# Their start closes a paragraph.
BLOCKS = _tags(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol p plaintext pre search"
    " section summary ul xmp"
)
SPECIAL = BLOCKS | BOUNDARIES | TABLE_PARTS | ITEMS.keys() | {"button"}
# What is not taken for an element of SVG or MathML inside of those.
BREAKOUT = (
    BLOCKS
    | FORMATTING
    | ITEMS.keys()
    | _tags("body br embed head hr img meta nobr ruby span sub sup table var")
)
# The start of an item reaches no further than these, the end of one no further than a list.
ITEM_WALLS = SPECIAL - {"address", "div", "p"}
LIST_WALLS = BOUNDARIES | {"ol", "ul"}

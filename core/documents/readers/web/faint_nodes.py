"""Elements of a page whose text nobody sees: white or tiny letters, by their own style.

White counts where nothing tells of a background. A page with a style sheet may have one anywhere,
so that white letters are taken for seen there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_STYLED = "[style*=color i], [style*=font-size i]"
_FONTS = "font[color]"
_SHEETS = "style, link[rel*=stylesheet i], [bgcolor], [background], [style*=background i]"
_WHITE = r"(?:white|#fff|#ffffff|rgba?\(\s*255\s*,\s*255\s*,\s*255\s*(?:,\s*1\s*)?\))"
_WHITE_STYLE = re.compile(rf"(?:^|;)\s*color\s*:\s*{_WHITE}\s*(?:!|;|$)", re.IGNORECASE)
_WHITE_FONT = re.compile(r"\s*(?:white|#?ffffff)\s*", re.IGNORECASE)
_TINY = re.compile(
    r"(?:^|;)\s*font-size\s*:\s*(?:0|[01](?:\.[0-9]{0,9})?\s*(?:px|pt)|0?\.0[0-9]{0,9}\s*r?em)"
    r"\s*(?:!|;|$)",
    re.IGNORECASE,
)


def faint_nodes(tree: LexborHTMLParser) -> Mapping[int, bool]:
    """Whether the text of such an element takes no room, by its number."""
    styled = [(node, node.attributes["style"] or "") for node in tree.css(_STYLED)]
    found = {node.mem_id: True for node, style in styled if _is_inner(node) and _TINY.search(style)}
    white = [node for node, style in styled if _WHITE_STYLE.search(style)]
    white += [
        node for node in tree.css(_FONTS) if _WHITE_FONT.fullmatch(node.attributes["color"] or "")
    ]
    if white and tree.css_first(_SHEETS) is None:
        found = {node.mem_id: False for node in white if _is_inner(node)} | found
    return found


def _is_inner(node: LexborNode) -> bool:
    """Pages that hide their body show it by a script."""
    return node.tag not in {"html", "body"}

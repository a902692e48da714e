"""What the seeds of several formats are made of."""

from __future__ import annotations

import io
import zipfile

FIRST = "The ferry leaves the northern pier at seven and carries the post to the island."
SECOND = "Nobody asked for a receipt, since the office had been closed for the winter."
FOREIGN = "Über den Fluß führt keine Brücke. Паром ходит дважды в день. 渡轮每天两班。"


def packed(parts: dict[str, str | bytes], first: str = "") -> bytes:
    """A ZIP file of these parts; the first one, if named, is stored as it is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            how = zipfile.ZIP_STORED if name == first else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, how)
    return out.getvalue()


def xml(body: str) -> str:
    """A document of XML."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


PAGE = (
    "<html{}><head><title>The ferry</title><style>p {{}}</style></head><body><h1>The ferry</h1>"
    f"<p>{FIRST}<br/>{SECOND}</p><ul><li>one</li><li>two</li></ul><table><tr><td>a</td>"
    "<td>b</td></tr>"
    f"</table><pre>  kept\n  so</pre><p hidden='hidden'>hidden</p><p>{FOREIGN} &#233;"
    " &amp;</p></body></html>"
)
HTML = PAGE.format(' lang="en"')
XHTML = xml(PAGE.format(' xmlns="http://www.w3.org/1999/xhtml"'))

"""Word documents in one file of XML: that of Word 2003, and a flat package."""

from __future__ import annotations

import base64

from fuzz_parts import FIRST, FOREIGN, HTML, SECOND, xml


def run(text: str, look: str = "") -> str:
    """A run of text."""
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


def change(kind: str, content: str) -> str:
    """A tracked change or a comment."""
    inside = f"<aml:content>{content}</aml:content>"
    return f"<aml:annotation w:type='Word.{kind}'>{inside}</aml:annotation>"


NOTE = f"<w:r><w:footnote><w:p>{run('A note below.')}</w:p></w:footnote></w:r>"
WORD_2003 = xml(
    "<?mso-application progid='Word.Document'?><w:wordDocument xmlns:w='http://schemas.microsoft.com"
    "/office/word/2003/wordml' xmlns:aml='http://schemas.microsoft.com/aml/2001/core' "
    "xmlns:v='urn:schemas-microsoft-com:vml' xml:space='preserve'><w:styles><w:style "
    "w:type='paragraph' w:styleId='Quiet'><w:rPr><w:vanish/></w:rPr></w:style></w:styles><w:body>"
    f"<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr>{run('The ferry')}</w:p>"
    f"<w:p>{run(FIRST)}{change('Deletion', run('gone'))}{NOTE}{change('Comment', '<w:p/>')}</w:p>"
    f"<w:p><w:pPr><w:pStyle w:val='Quiet'/></w:pPr>{run(SECOND)}</w:p>"
    f"<w:tbl><w:tr><w:tc><w:p>{run('a')}</w:p></w:tc><w:tc><w:p>{run('b')}</w:p></w:tc></w:tr>"
    f"</w:tbl><w:p>{run(FOREIGN)}<w:r><w:pict><v:textbox><w:txbxContent><w:p>{run('In a box')}"
    "</w:p></w:txbxContent></v:textbox></w:pict></w:r></w:p><w:sectPr><w:hdr w:type='odd'><w:p>"
    f"{run('Head of the page')}</w:p></w:hdr></w:sectPr></w:body></w:wordDocument>"
).encode()

OPEN = "http://schemas.openxmlformats.org"
BODY = (
    f"<w:document xmlns:w='{OPEN}/wordprocessingml/2006/main' xmlns:r='{OPEN}/officeDocument/2006/"
    f"relationships'><w:body><w:p>{run(FIRST)}</w:p><w:altChunk r:id='r1'/></w:body></w:document>"
)
LINKS = (
    f"<Relationships xmlns='{OPEN}/package/2006/relationships'><Relationship Id='r1' Type='{OPEN}/"
    "officeDocument/2006/relationships/aFChunk' Target='page.html'/></Relationships>"
)
FLAT = xml(
    "<pkg:package xmlns:pkg='http://schemas.microsoft.com/office/2006/xmlPackage'>"
    f"<pkg:part pkg:name='/word/document.xml'><pkg:xmlData>{BODY}</pkg:xmlData></pkg:part>"
    "<pkg:part pkg:name='/word/_rels/document.xml.rels'><pkg:xmlData>"
    f"{LINKS}</pkg:xmlData></pkg:part><pkg:part pkg:name='/word/page.html'><pkg:binaryData>"
    f"{base64.b64encode(HTML.encode()).decode()}</pkg:binaryData></pkg:part></pkg:package>"
).encode()

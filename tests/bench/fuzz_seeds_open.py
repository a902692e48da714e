"""Seeds of OpenDocument and of e-books."""

from __future__ import annotations

from fuzz_parts import FIRST, FOREIGN, SECOND, XHTML, packed, xml

ODF = "urn:oasis:names:tc:opendocument:xmlns"
ODF_SPACES = " ".join(
    f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "text", "table", "style", "drawing")
)
ODF_SPACES += f' xmlns:draw="{ODF}:drawing:1.0" xmlns:presentation="{ODF}:presentation:1.0"'
ODF_TEXT = (
    '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><text:p>gone</text:p>'
    "</text:deletion></text:changed-region></text:tracked-changes>"
    f"<text:h>The ferry</text:h><text:p>{FIRST}<text:s text:c='3'/>x<text:tab/>y<text:line-break/>z"
    "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
    "<text:note-body>"
    "<text:p>A note below.</text:p></text:note-body></text:note><text:change text:change-id='c1'/>"
    "</text:p><text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>"
    f"<text:p text:style-name='hid'>hidden</text:p><text:p><draw:frame><draw:text-box><text:p>"
    f"{SECOND}</text:p></draw:text-box></draw:frame><text:span>{FOREIGN}</text:span></text:p>"
    "<office:annotation><text:p>remark</text:p></office:annotation>"
)
ODF_TABLE = (
    '<table:table table:name="One"><table:table-row><table:table-cell><text:p>a</text:p>'
    '</table:table-cell><table:table-cell table:number-columns-repeated="3"/><table:table-cell>'
    "<text:p>b</text:p></table:table-cell></table:table-row><table:table-row"
    ' table:number-rows-repeated="2"><table:covered-table-cell/><table:table-cell>'
    "<text:p>c</text:p>"
    "</table:table-cell></table:table-row></table:table>"
)
ODF_BODIES = {
    "text": ODF_TEXT + ODF_TABLE,
    "spreadsheet": ODF_TABLE,
    "presentation": f"<draw:page draw:name='p1'><draw:frame><draw:text-box><text:p>{FIRST}</text:p>"
    "</draw:text-box></draw:frame><presentation:notes><draw:text-box><text:p>said</text:p>"
    f"</draw:text-box></presentation:notes></draw:page><draw:page><text:p>{SECOND}"
    "</text:p></draw:page>",
}


def odf(kind: str, *, flat: bool = False) -> bytes:
    """A text, spreadsheet or presentation, packed or as one file of XML."""
    media = f"application/vnd.oasis.opendocument.{kind}"
    styles = '<office:automatic-styles><style:style style:name="hid" style:family="paragraph">'
    styles += '<style:text-properties text:display="none"/></style:style></office:automatic-styles>'
    body = f"{styles}<office:body><office:{kind}>{ODF_BODIES[kind]}</office:{kind}></office:body>"
    if flat:
        mark = f'office:mimetype="{media}" office:version="1.3"'
        return xml(f"<office:document {ODF_SPACES} {mark}>{body}</office:document>").encode()
    manifest = f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0"><manifest:file-entry'
    manifest += f' manifest:full-path="/" manifest:media-type="{media}"/></manifest:manifest>'
    master = "<office:master-styles><style:master-page><style:header><text:p>Head</text:p>"
    master += "</style:header></style:master-page></office:master-styles>"
    return packed(
        {
            "mimetype": media,
            "content.xml": xml(
                f"<office:document-content {ODF_SPACES}>{body}</office:document-content>"
            ),
            "styles.xml": xml(
                f"<office:document-styles {ODF_SPACES}>{master}</office:document-styles>"
            ),
            "META-INF/manifest.xml": xml(manifest),
        },
        "mimetype",
    )


def epub() -> bytes:
    """Two chapters, their order, and both kinds of contents."""
    container = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container' version='1.0'>"
    container += "<rootfiles><rootfile full-path='OEBPS/content.opf'"
    container += " media-type='application/oebps-package+xml'/>"
    container += "</rootfiles></container>"
    item = "<item id='{0}' href='{0}.xhtml' media-type='application/xhtml+xml'{1}/>"
    items = (
        item.format("c1", "") + item.format("c%202", "") + item.format("nav", " properties='nav'")
    )
    package = "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata xmlns:dc="
    package += (
        f"'http://purl.org/dc/elements/1.1/'><dc:title>Ferry</dc:title></metadata><manifest>{items}"
    )
    package += "</manifest><spine><itemref idref='c1'/><itemref idref='c%202'/></spine></package>"
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": xml(container),
            "OEBPS/content.opf": xml(package),
            "OEBPS/c1.xhtml": XHTML,
            "OEBPS/c 2.xhtml": XHTML.replace("ferry", "boat"),
            "OEBPS/nav.xhtml": XHTML,
        },
        "mimetype",
    )


FB2 = xml(
    "<FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'"
    " xmlns:l='http://www.w3.org/1999/xlink'>"
    "<description><title-info><book-title>Ferry</book-title></title-info></description>"
    "<body><title><p>"
    f"The ferry</p></title><section><p>{FIRST}<a l:href='#n1' type='note'>1</a></p><poem>"
    "<stanza><v>one</v>"
    f"<v>two</v></stanza></poem><p>{FOREIGN}</p><empty-line/><table><tr><td>a</td><th>b"
    "</th></tr></table>"
    "</section></body><body name='notes'><section id='n1'><p>A note below.</p></section></body>"
    "<binary id='p.png' content-type='image/png'>iVBORw0KGgo=</binary></FictionBook>"
).encode()

"""The commands and environments of LaTeX by what a person sees of them."""

from __future__ import annotations

from core.documents.readers.shared.text_flow import Gap


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _list(words: str) -> list[str]:
    return words.split()


def _counts(table: dict[int, str]) -> dict[str, int]:
    return {name: count for count, names in table.items() for name in names.split()}


# Combining marks (Unicode); "t" ties two letters, which text does not show.
ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
LIGATURES = {
    "---": "—",
    "--": "–",
    "``": "“",
    "''": "”",
    "`": "‘",
    "'": "’",
}
# Shorthands of babel for German.
GERMAN = {
    '"a': "ä",
    '"o': "ö",
    '"u': "ü",
    '"A': "Ä",
    '"O': "Ö",
    '"U': "Ü",
    '"s': "ß",
    '"z': "ß",
    '"`': "„",
    "\"'": "“",
    '"<': "«",
    '">': "»",
    '"-': "",
    '"=': "-",
    '"~': "-",
    '"|': "",
    '""': "",
}
_LETTERS = _list(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi"
    " omicron pi rho varsigma sigma tau upsilon phi chi psi omega"
)
_GREEK = {name: chr(code) for code, name in enumerate(_LETTERS, start=0x3B1)}
_CAPITALS = {
    name.capitalize(): sign.upper()
    for name, sign in _GREEK.items()
    if name in _names("gamma delta theta lambda xi pi sigma upsilon phi psi omega")
}
_OPERATORS = {
    name: name
    for name in _names(
        "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim"
        " liminf limsup ln log max min Pr sec sin sinh sup tan tanh"
    )
}
_PAIRS = _list(
    "varepsilon ε vartheta ϑ varphi φ varrho ρ varpi ϖ ss ß SS SS ae æ AE Æ oe œ OE Œ o ø"
    " O Ø l ł L Ł aa å AA Å i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ S § P ¶ dag †"
    " ddag ‡ copyright © pounds £ ldots … dots … textellipsis … cdots ⋯ dotsc … vdots ⋮"
    " textendash – textemdash — textquoteleft ‘ textquoteright ’ textquotedblleft “"
    " textquotedblright ” quotedblbase „ glqq „ grqq “ glq ‚ grq ‘ guillemotleft «"
    " guillemotright » flqq « frqq » textquotesingle ' LaTeX LaTeX TeX TeX LaTeXe LaTeX2ε"
    " XeLaTeX XeLaTeX BibTeX BibTeX textbackslash \\ backslash \\ textasciitilde ~"
    " textasciicircum ^ textbar | textless < textgreater > textunderscore _ slash /"
    " textbraceleft { textbraceright } lbrace { rbrace } textdollar $ euro € EUR €"
    " texteuro € textsterling £ textyen ¥ textdegree ° degree ° circ ° textregistered ®"
    " texttrademark ™ textcopyright © textbullet • bullet • textperiodcentered ·"
    " textonehalf ½ textmu µ textsection § textparagraph ¶ times × cdot · pm ± mp ∓ div ÷"
    " ast ∗ star ⋆ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅"
    " propto ∝ ll ≪ gg ≫ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪"
    " cap ∩ setminus ∖ emptyset ∅ varnothing ∅ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧"
    " wedge ∧ lor ∨ vee ∨ to → rightarrow → leftarrow ← gets ← Rightarrow ⇒ Leftarrow ⇐"
    " implies ⇒ iff ⇔ leftrightarrow ↔ Leftrightarrow ⇔ mapsto ↦ uparrow ↑ downarrow ↓"
    " longrightarrow ⟶ infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ oint ∮ sqrt √ angle ∠"
    " perp ⊥ oplus ⊕ otimes ⊗ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ langle ⟨ rangle ⟩ lfloor ⌊"
    " rfloor ⌋ lceil ⌈ rceil ⌉ mid | vert | Vert ‖ parallel ∥ prime ′ top ⊤ bot ⊥"
    " checkmark ✓ colon : lq ‘ rq ’ lbrack [ rbrack ]"
)
SYMBOLS = {
    **_GREEK,
    **_CAPITALS,
    **_OPERATORS,
    **dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)),
    **{sign: sign for sign in "%$#&_{}"},
    "og": "« ",
    "fg": " »",
}
DELIMITED = _names(
    "left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr"
)
SPACES = _names("quad qquad hfill space enspace thinspace nobreakspace")
# Signs, and commands of one sign, that separate what is around them.
SIGNS = {
    **dict.fromkeys(("~", " ", "\n", "\t", ",", ";", ":", ">"), Gap.SPACE),
    "&": Gap.CELL,
    **dict.fromkeys(("$$", "[", "]"), Gap.LINE),
}
LINES = _names("item and newline linebreak tabularnewline hline cr")
PARAGRAPHS = _names(
    "par bigskip medskip smallskip newpage clearpage cleardoublepage pagebreak vfill maketitle"
    " appendix tableofcontents endgraf endfirsthead endhead"
)
# Their argument is a paragraph of its own.
HEADINGS = _names(
    "part chapter section subsection subsubsection paragraph subparagraph caption captionof"
    " frametitle framesubtitle addchap addsec subtitle minisec"
)
NOTES = _names("footnote footnotetext thanks marginpar sidenote marginnote endnote todo")
FRONT = ("title", "subtitle", "author", "institute", "date")
INCLUDING = _names(
    "input include subfile import subimport includeonly verbatiminput lstinputlisting"
)
DEFINITIONS = _names(
    "newcommand renewcommand providecommand DeclareRobustCommand def gdef edef xdef"
)
OPTION_IS_TEXT = _names(
    "item theorem lemma proof definition corollary proposition remark example claim conjecture"
)
# How many arguments are not shown; those after them are.
ARGUMENTS = _counts(
    {
        1: "label ref eqref pageref autoref cref Cref nameref vref cite citep citet citeauthor"
        " citeyear citealp citealt parencite textcite autocite footcite nocite bibliography"
        " bibliographystyle addbibresource includegraphics usepackage RequirePackage documentclass"
        " documentstyle vspace hspace pagestyle thispagestyle pagenumbering color textcolor"
        " colorbox href hyperref hyperlink hypertarget hypersetup index glossary graphicspath"
        " geometry bibitem hyphenation raisebox parbox cline cmidrule scalebox rotatebox fontfamily"
        " fontseries fontshape fontencoding selectlanguage foreignlanguage phantom hphantom"
        " vphantom usetikzlibrary newcounter stepcounter refstepcounter newlength usetheme"
        " usecolortheme usefonttheme setbeamertemplate setbeamercolor setmainfont setsansfont"
        " setmonofont setdefaultlanguage setmainlanguage setotherlanguage footnotemark hyphenchar"
        " linespread captionsetup lstset theoremstyle tag newif pdfinfo lstdefinestyle"
        " bibliographyunit includepdf tikzset pgfplotsset sisetup allowdisplaybreaks value arabic"
        " roman Roman alph Alph pagecolor columnbreak rowcolor cellcolor arrayrulecolor "
        + " ".join(INCLUDING),
        2: "setlength addtolength setcounter addtocounter markboth rule multicolumn multirow"
        " resizebox fontsize newcommand renewcommand providecommand DeclareRobustCommand"
        " DeclareMathOperator newtheorem import subimport definecolor numberwithin settowidth"
        " newacronym fcolorbox titlespacing renewtheorem lstnewenvironment setkomafont"
        " addtokomafont",
        3: "addcontentsline newenvironment renewenvironment",
        4: "DeclareFontShape",
    }
)
_BEGIN = _counts(
    {
        1: "tabular array minipage longtable thebibliography multicols adjustbox tabulary"
        " supertabular spacing otherlanguage alignat alignat* column subfigure subtable"
        " minted textblock",
        2: "tabularx tabular* wrapfigure wraptable list adjustwidth",
    }
)
ARGUMENTS.update({f"begin {name}": count for name, count in _BEGIN.items()})
LINE_ENVIRONMENTS = _names(
    "equation equation* align align* gather gather* multline multline* eqnarray eqnarray*"
    " displaymath alignat alignat* aligned gathered split cases matrix pmatrix bmatrix vmatrix "
    "array subequations math document"
)
VERBATIM_ENVIRONMENTS = _names("verbatim verbatim* Verbatim lstlisting minted alltt")
SKIPPED_ENVIRONMENTS = _names(
    "comment tikzpicture picture filecontents filecontents* pgfpicture asy pspicture tikzcd"
)

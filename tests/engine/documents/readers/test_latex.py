"""LaTeX: the text as it would be printed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.readers import Reading, latex
from core.documents.recognition import reader_for


def read(source: str):
    return latex.READER.read(source.encode(), Reading(suffix=".tex"))


def text_of(source: str) -> str:
    return read(source).text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("one % a comment\ntwo", "one two"),
        ("un% a comment\n  broken", "unbroken"),
        ("one % a comment\n\ntwo", "one\n\ntwo"),
        (r"50\% of \$10 \& \#1 a\_b \{c\}", "50% of $10 & #1 a_b {c}"),
        (r"\emph{one} \textbf{two}, {\bf three}", "one two, three"),
        (r"un\emph{believ}able", "unbelievable"),
        (r"a\footnote{A note.} b" + "\n\nc", "a b\n\nA note.\n\nc"),
        (r"\section{One}two\subsection*{Three}", "One\n\ntwo\n\nThree"),
        (r"\section[short]{Long}\label{sec:a} text", "Long\n\ntext"),
        (r"see~\cite[p.~2]{a,b} and \ref{c}, ok", "see and, ok"),
        (r"\textcolor{red}{red} \href{http://a}{link} \url{http://b}", "red link http://b"),
        (r"\includegraphics[width=\textwidth]{a.png}\vspace{1cm}x", "x"),
        (r"\'e\`a\^{o}\~n\"{\i}\c{c}\v s\H{o}\.z \r{a}", "éàôñïçšőż å"),
        (r"\ss\ae\o\L{} Stra\ss e \aa", "ßæøŁ Straße å"),
        (r"\i\ \^{} \~{}", "ı ^ ~"),
        ("``a'' `b' c---d--e-f ?`g !`h", "“a” ‘b’ c—d–e-f ¿g ¡h"),
        (r"a~b\,c\quad d\ e\-f", "a b c d ef"),
        (r"one\\two\\[2pt]three\newline four", "one\ntwo\nthree\nfour"),
        (r"\begin{itemize}\item One\item[Two] two\end{itemize}x", "One\nTwo two\n\nx"),
        (r"\begin{tabular}{l|r}a & b \\ \hline c & d\end{tabular}", "a\tb\nc\td"),
        (r"\multicolumn{2}{c}{wide} & b", "wide\tb"),
        (r"a\begin{verbatim}" + "\n\\x{1}  %\n" + r"\end{verbatim}b", "a\n\n\\x{1}  %\n\nb"),
        (r"\begin{minted}[x]{c}" + "\nint a;\n" + r"\end{minted}", "int a;"),
        (r"\verb|a_b%| \verb*+c+", "a_b% c"),
        (r"$x^2 + \alpha_1 \le \frac{a}{b}$", "x2 + α1 ≤ ab"),
        (r"a $$x$$ b \[y\] c", "a\nx\nb\ny\nc"),
        (r"$\left[a\right]$", "[a]"),
        (r"a\begin{equation}b &= c\end{equation}d", "a\nb\t= c\nd"),
        (r"\begin{tikzpicture}\node{a};\end{tikzpicture}b", "b"),
        (r"\begin{comment}a\end{comment}b", "b"),
        (r"\iffalse a \ifx b \fi c \fi d \iff", "d ⇔"),
        (r"\begin{theorem}[Pythagoras] a \end{theorem}", "Pythagoras a"),
        (r"\begin{figure}[h]\caption{A picture.}\end{figure}", "A picture."),
        (r"\newcommand{\ie}{i.e.\xspace}\ie this, \ie.", "i.e. this, i.e.."),
        (r"\def\a{b}\a\a", "bb"),
        (r"\newcommand{\two}[2]{#1 and #2}\two{a}{b}", "ab"),
        (r"\newcommand*\a{b}[\a]", "[b]"),
        (r"\def\a{\a\a}\a ok", "ok"),
        (r"\unknown[x]{text} \other more", "text more"),
        (r"\lipsum[1-9]", ""),
        (r"\label{never closed" + "\n\nafter", "after"),
        (r"\footnote{never closed", "never closed"),
        (r"}}a", "a"),
        ('"a', '"a'),
        ('\\usepackage[ngerman]{babel}"uber "`so"\'', "über „so“"),
    ],
)
def test_the_text_is_what_is_printed(source, text):
    assert text_of(source) == text


FRAME = r"\documentclass{article}\usepackage{x}%s\begin{document}%s Text.\end{document} Rest"


@pytest.mark.parametrize(
    ("preamble", "body", "text"),
    [
        ("", "", "Text."),
        (r"\title{On \emph{x}}\author{A \and B}", r"\maketitle", "On x\n\nA\nB\n\nText."),
        (r"\title{On x}", "", "On x\n\nText."),
        (r"\title{On x\thanks{To y.}}", r"\maketitle", "On x\n\nTo y.\n\nText."),
        (r"\newcommand{\x}{shown}", r"\x{} ", "shown Text."),
        ("%\\begin{document}\n not shown", "", "Text."),
    ],
)
def test_the_preamble_is_not_printed_but_for_the_title(preamble, body, text):
    assert text_of(FRAME % (preamble, body)) == text


def test_files_that_are_included_are_reported_and_not_read():
    assert read(r"a \input{/etc/passwd} b").remarks == (
        "1 file that this one includes is not part of the text.",
    )
    assert read(r"\include{a}\input{b}").remarks == (
        "2 files that this one includes are not part of the text.",
    )
    assert read("a").remarks == ()


def test_macros_that_multiply_stop():
    names = "abcdefghij"
    bomb = r"\def\a{0123456789}" + "".join(
        rf"\def\{name}{{{before * 10}}}"
        for before, name in ((f"\\{names[i]}", names[i + 1]) for i in range(9))
    )

    assert len(text_of(bomb + r"\j")) < 2_000_000


@pytest.mark.parametrize(
    ("data", "suffix", "kind"),
    [
        (b"\\documentclass{article}", ".tex", "latex"),
        (b"% comment\n\n\\documentclass[a4]{article}", "", "latex"),
        (b"\\documentstyle{article}", ".txt", "latex"),
        (b"\\section{A chapter}", ".tex", "latex"),
        (b"no command", ".tex", "text"),
        (b"\\section{A chapter}", ".txt", "text"),
        (b"\\documentclass{article}", ".md", "text"),
        (b"\\ProvidesPackage{x}", ".sty", "text"),
    ],
)
def test_latex_is_recognised_by_its_commands(data, suffix, kind):
    assert reader_for(data, suffix).kind == kind


TOKENS = [
    "\\", "{", "}", "[", "]", "$", "%", "\n", "\n\n", "&", "~", "^", '"', "'", "`", "-", " ", "x",
    "\\begin{", "\\end{", "document}", "verbatim}", "itemize}", "\\item", "\\def", "\\newcommand",
    "\\a", "\\footnote{", "\\title{", "\\maketitle", "\\label{", "\\iffalse", "\\fi", "\\verb", "é",
    "\\'", "\\c", "\\href", "\\input{", "\\xspace",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_anything_is_read(tokens):
    read("".join(tokens))


@given(st.text(st.sampled_from("abc éß文.,:;()!?\n"), max_size=60))
def test_a_text_without_commands_stays(text):
    assert text_of(text).split() == text.split()


@pytest.mark.parametrize("source", ["{" * 100_000, "\\label{" * 50_000, "\\begin{a}" * 50_000])
def test_depth_costs_no_stack(source):
    assert text_of(source + "x}y") in {"xy", "x}y", "y", ""}


def test_a_citation_leaves_no_space_before_a_comma():
    text = latex.READER.read(rb"\emph{Towns}~\cite{a}, and more \ref{b}.", Reading()).text

    assert text == "Towns, and more."

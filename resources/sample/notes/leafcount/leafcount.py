"""Summarise street-tree survey sheets, one line per street."""

import argparse
import csv
import statistics
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

REQUIRED = ("street", "species", "girth", "score")
GIRTH_MIN, GIRTH_MAX = 10, 900
POOR = 2


@dataclass(frozen=True)
class Tree:
    street: str
    species: str
    girth: int
    score: int


class BadRow(ValueError):
    """A row that a person has to look at."""


def parse_row(row, columns):
    if len(row) > len(columns):
        raise BadRow("too many cells (decimal comma?)")
    cells = dict(zip(columns, (cell.strip() for cell in row)))
    missing = [name for name in REQUIRED if name not in cells]
    if missing:
        raise BadRow("row ends before column " + missing[0])
    if not cells["street"]:
        raise BadRow("no street")
    try:
        girth = int(cells["girth"])
        score = int(cells["score"])
    except ValueError:
        raise BadRow("girth and score must be whole numbers") from None
    if not GIRTH_MIN <= girth <= GIRTH_MAX:
        raise BadRow(f"girth {girth} cm is not believable")
    if not 1 <= score <= 5:
        raise BadRow(f"score {score} is outside 1 to 5")
    return Tree(cells["street"], cells["species"] or "not given", girth, score)


def read_sheet(path, report):
    """Yield the trees of one file; hand every unusable row to report()."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.reader(handle)
        try:
            columns = [name.strip().lower() for name in next(reader)]
        except StopIteration:
            report(path, 1, "file is empty")
            return
        absent = set(REQUIRED) - set(columns)
        if absent:
            report(path, 1, "header lacks " + ", ".join(sorted(absent)))
            return
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            try:
                yield parse_row(row, columns)
            except BadRow as problem:
                report(path, reader.line_num, str(problem))


def summarise(trees):
    by_street = defaultdict(list)
    for tree in trees:
        by_street[tree.street].append(tree)
    for street, members in by_street.items():
        poor = sum(tree.score <= POOR for tree in members)
        yield street, len(members), statistics.median(t.girth for t in members), poor / len(members)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheets", nargs="+")
    parser.add_argument("--min", type=int, default=1, metavar="N")
    parser.add_argument("--sort", choices=("street", "trees", "poor"), default="street")
    parser.add_argument("--species", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args(argv)

    skipped = 0

    def report(path, line, why):
        nonlocal skipped
        skipped += 1
        if not args.quiet:
            print(f"{path}:{line}: {why}", file=sys.stderr)

    trees = [tree for path in args.sheets for tree in read_sheet(path, report)]
    rows = [row for row in summarise(trees) if row[1] >= args.min]
    order = {
        "street": lambda row: row[0].casefold(),
        "trees": lambda row: -row[1],
        "poor": lambda row: -row[3],
    }
    rows.sort(key=order[args.sort])

    print(f"{'street':<20} {'trees':>5} {'median':>7} {'poor':>5}")
    for street, count, median, poor in rows:
        print(f"{street:<20} {count:>5} {median:>7.0f} {poor:>5.0%}")
    print(f"({len(rows)} streets, {len(trees)} trees, {skipped} lines skipped)")

    if args.species:
        print()
        for name, count in Counter(t.species.lower() for t in trees).most_common():
            print(f"{count:>6}  {name}")
    return 0 if trees else 1


if __name__ == "__main__":
    sys.exit(main())

"""What hangs together is one part, however long the way through it is."""

import random
from itertools import pairwise

from core.spark.file_system import Stages
from core.spark.partitions import connected_parts


def parts_of(edges):
    """By document the smallest one that can be reached from it."""
    part = {}
    for edge in edges:
        joined = {part.get(one, one) for one in edge}
        for one in edge:
            part.setdefault(one, one)
        part = {one: min(joined) if of in joined else of for one, of in part.items()}
    return part


def test_parts_are_found_in_chains_stars_and_chance(spark, tmp_path):
    rng = random.Random(4)
    chain = list(range(1000, 1012))
    rng.shuffle(chain)
    edges = [*pairwise(chain), (1000, 1000), (7, 7)]
    edges += [(5000, 5000 - n) for n in range(1, 30)]
    edges += [(rng.randrange(2000, 2100), rng.randrange(2000, 2100)) for _ in range(60)] * 2

    frame = spark.createDataFrame(edges, "x LONG, y LONG").repartition(3)
    rows = connected_parts(Stages(spark, str(tmp_path)), "_parts", frame).collect()

    wanted = parts_of(edges)
    del wanted[7]  # it hangs together with nobody
    assert dict(map(tuple, rows)) == wanted
    assert len(rows) == len({row.number for row in rows})

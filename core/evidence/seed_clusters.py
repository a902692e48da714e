"""Seeds near each other in both texts: one cluster, whatever the order of its parts.

Single linkage with at most `REACH` words between neighbours in either text. What is linked are
cells of the plane (place in A, place in B), by the rectangle that the seeds in them fill: so the
work is linear in the seeds, and most of it in the few cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.base.compiling import njit
from core.base.hashing import find_slot, mix, slots_for

REACH = 40  # words between two seeds of a cluster, in either text
CELL = 20  # words along each text; a half of the reach, so that no cell but those around is asked
AROUND = 2
UPPER_HALF = np.uint64(32)


@njit(nogil=True, cache=True)
def label_clusters(seeds: Any) -> Any:
    """The cluster of each seed, int32, counted from 0 on, and how many there are."""
    cell_of, cells, boxes, table = _make_cells(seeds)
    parents = _link(cells, boxes, table)
    labels = np.full(len(parents), -1, dtype=np.int32)
    count = np.int32(0)
    for seed in range(len(seeds)):
        root = _root(parents, cell_of[seed])
        if labels[root] < 0:
            labels[root] = count
            count += np.int32(1)
        cell_of[seed] = labels[root]
    return cell_of, count


@njit(nogil=True, cache=True, inline="always")
def _cell_key(x: Any, y: Any) -> Any:
    return (np.uint64(x) << UPPER_HALF) | np.uint64(y)


@njit(nogil=True, cache=True)
def _make_cells(seeds: Any) -> Any:
    """The cell of each seed, where each cell is, and the rectangle that its seeds fill."""
    cell_of = np.empty(len(seeds), dtype=np.int32)
    slots = slots_for(len(seeds))
    keys = np.empty(slots, dtype=np.uint64)
    numbers = np.zeros(slots, dtype=np.int32)
    cells = np.empty((len(seeds), 2), dtype=np.int32)
    boxes = np.empty((len(seeds), 4), dtype=np.int32)
    count = np.int32(0)
    cell = np.int32(-1)
    for seed in range(len(seeds)):
        x, y = seeds[seed, 0], seeds[seed, 1]
        if cell < 0 or cells[cell, 0] != x // CELL or cells[cell, 1] != y // CELL:
            key = mix(_cell_key(x // CELL, y // CELL))
            slot = find_slot(keys, numbers, key)
            if not numbers[slot]:
                cells[count, 0], cells[count, 1] = x // CELL, y // CELL
                boxes[count, 0] = boxes[count, 1] = x
                boxes[count, 2] = boxes[count, 3] = y
                keys[slot] = key
                count += np.int32(1)
                numbers[slot] = count
            cell = numbers[slot] - np.int32(1)
        boxes[cell, 0], boxes[cell, 1] = min(boxes[cell, 0], x), max(boxes[cell, 1], x)
        boxes[cell, 2], boxes[cell, 3] = min(boxes[cell, 2], y), max(boxes[cell, 3], y)
        cell_of[seed] = cell
    return cell_of, cells[:count], boxes[:count], (keys, numbers)


@njit(nogil=True, cache=True)
def _link(cells: Any, boxes: Any, table: Any) -> Any:
    """By cell one that is in the same cluster; itself, if it stands for the cluster."""
    keys, numbers = table
    parents = np.arange(len(cells)).astype(np.int32)
    for cell in range(len(cells)):
        for right in range(AROUND + 1):
            for up in range(-AROUND if right else 1, AROUND + 1):
                x, y = cells[cell, 0] + right, cells[cell, 1] + up
                if y < 0:
                    continue
                other = numbers[find_slot(keys, numbers, mix(_cell_key(x, y)))] - np.int32(1)
                if other >= 0 and _near(boxes, cell, other):
                    one, two = _root(parents, cell), _root(parents, other)
                    parents[max(one, two)] = min(one, two)
    return parents


@njit(nogil=True, cache=True, inline="always")
def _near(boxes: Any, one: Any, two: Any) -> Any:
    apart_a = max(boxes[one, 0] - boxes[two, 1], boxes[two, 0] - boxes[one, 1])
    apart_b = max(boxes[one, 2] - boxes[two, 3], boxes[two, 2] - boxes[one, 3])
    return apart_a <= REACH and apart_b <= REACH


@njit(nogil=True, cache=True, inline="always")
def _root(parents: Any, cell: Any) -> Any:
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell

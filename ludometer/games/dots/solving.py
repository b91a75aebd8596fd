"""What the exact solvers may know about Dots-and-Boxes.

The points still to be won depend on the drawn edges alone, so a table has one entry for each set of edges (`dense_…`).

A search needs far fewer moves than the rules allow (after Berlekamp, "The Dots-and-Boxes Game", and Barker & Korf, "Solving
Dots-And-Boxes", 2012).  A box is *open to capture* when three of its sides are drawn; a position without such a box is *quiet*.

- Boxes open to capture: the player takes all that can be taken in a row, or all but the last two of a chain, which he leaves to
  the opponent with one edge (of a closed chain, which can be taken from both ends, the last four with one edge).  The opponent
  takes what was left and must move on.  Both ways lead to the same quiet edges with another player to move.
- Quiet: an edge is *safe* if it gives no box its third side.  Any other edge opens a chain or loop of boxes with two sides drawn;
  which of its edges that is makes no difference, except that two boxes are best opened by the edge between them: nothing can be
  left of them then.

So the search moves from quiet position to quiet position.  The two outer edges of a corner box are alike.

The tests compare all this with the table in every position of the 3×3 board.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, U1, both, count, has, is_empty, lowest_bit, shift_down, union, with_bit, without
from ludometer.core.protocol import mix_leaves
from ludometer.games.dots.evaluation import chain_around, first_member, shift_up, sides
from ludometer.games.dots.rules import DotsState, closed_boxes, dot_count, image_index, legal_moves, move_bound, play, symmetry_count

MOST_EDGES_IN_TABLE = 40
_LOW_EDGES = 5  # the lowest edges of a set; sets that differ in these only are done together
_WORST = np.int8(-100)
_SMALLEST_LEFT_CLOSED = 4
_SMALLEST_LEFT_OPEN = 2

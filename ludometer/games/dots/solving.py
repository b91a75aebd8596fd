"""Knowledge of Dots-and-Boxes for the search of exact values.

A search needs far fewer moves than the rules allow (after Berlekamp, "The Dots-and-Boxes Game", and Barker & Korf, "Solving
Dots-And-Boxes", 2012).  A box is *open to capture* when three of its sides are drawn; a position without such a box is *quiet*.

- Boxes open to capture: the player takes all that can be taken in a row, or all but the last two of a chain, which he leaves to
  the opponent with one edge (of a closed chain, which can be taken from both ends, the last four with one edge).  The opponent
  takes what was left and must then move.  Both ways lead to the same quiet edges with another player to move.
- Quiet: an edge is *safe* if it gives no box its third side.  Any other edge opens a chain or loop of boxes with two sides drawn;
  all its edges are equivalent, except that a chain of two boxes is best opened by the edge between them, after which nothing can be
  left.

So the search goes from quiet position to quiet position.  Opening a chain is worth −max(n + v, n − 2k − v) if n boxes can be taken, k of
them may be left, and the quiet position after them is worth v to the player to move.  The two outer edges of a corner box are equivalent.

`keys` has the transposition keys, `table` all positions of small boards.

The tests compare all this with the table in every position of the 3×3 board.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, both, count, has, is_empty, lowest_bit, shift_down, union, with_bit, without
from ludometer.core.lattice import shift_up
from ludometer.core.protocol.proving import NEVER
from ludometer.games.dots.evaluation import chain_around, first_member, sides
from ludometer.games.dots.keys import corner_edges, distance_from_centre, packed_edges, ring_row
from ludometer.games.dots.rules import DotsState, closed_boxes, dot_count, move_bound

_MOVE = 0xFFFF  # the bits of a buffer's entry that are the move; those above sort it
_OPENINGS = 5  # moves from move_bound + this on open the chain of a box

# The boxes left to the opponent: the last two of a chain, or the last four of a closed one.
_LEFT_OF_CHAIN = 2
_LEFT_OF_CLOSED = 4


@njit
def open_boxes(rules, horizontal, vertical):
    """Number of boxes that are not closed."""
    return rules.rows * rules.columns - count(closed_boxes(rules, horizontal, vertical))


@njit
def close_all_but(rules, horizontal, vertical, kept):
    """The edges after taking every box that can be taken in a row, except those of `kept`."""
    below = np.uint64(rules.columns + 1)
    while True:
        three = without(sides(rules, horizontal, vertical)[2], kept)
        if is_empty(three):
            return horizontal, vertical
        lower = without(three, shift_down(horizontal, below))
        right = without(three, shift_down(vertical, U1))
        horizontal = union(horizontal, union(without(three, horizontal), shift_up(lower, below)))
        vertical = union(vertical, union(without(three, vertical), shift_up(right, U1)))


@njit
def neighbours(rules, horizontal, vertical, boxes):
    """The boxes joined to these through a free edge."""
    below = np.uint64(rules.columns + 1)
    above = shift_down(without(boxes, horizontal), below)
    under = shift_up(without(boxes, shift_down(horizontal, below)), below)
    left = shift_down(without(boxes, vertical), U1)
    right = shift_up(without(boxes, shift_down(vertical, U1)), U1)
    return both(rules.boxes, union(union(above, under), union(left, right)))


@njit
def length_of_run(rules, horizontal, vertical, box):
    """(number of boxes that can be taken in a row beginning with `box`, whether also from the other end)."""
    _, two, three = sides(rules, horizontal, vertical)
    length = 1
    last = seen = box
    while True:
        last = without(neighbours(rules, horizontal, vertical, last), seen)
        if not is_empty(both(last, three)):
            return length + 1, True
        if is_empty(both(last, two)):
            return length, False
        seen = union(seen, last)
        length += 1


@njit
def boxes_to_leave(rules, horizontal, vertical):
    """Number of boxes that the player may leave to the opponent after taking all else: 2, 4, or 0.  Some box must be open to capture."""
    waiting = three = sides(rules, horizontal, vertical)[2]
    while not is_empty(waiting):
        box = with_bit(rules.empty, first_member(waiting))
        waiting = without(waiting, box)
        level, upright = close_all_but(rules, horizontal, vertical, box)
        if is_empty(both(closed_boxes(rules, level, upright), box)):
            length, closed = length_of_run(rules, level, upright, box)
            if not closed and length >= _LEFT_OF_CHAIN:
                return _LEFT_OF_CHAIN
    waiting = three
    while count(waiting) > 1:
        box = with_bit(rules.empty, first_member(waiting))
        waiting = without(waiting, box)
        others = waiting
        while not is_empty(others):
            ends = with_bit(box, first_member(others))
            others = without(others, ends)
            level, upright = close_all_but(rules, horizontal, vertical, ends)
            if is_empty(both(closed_boxes(rules, level, upright), ends)):
                length, closed = length_of_run(rules, level, upright, box)
                if closed and length >= _LEFT_OF_CLOSED:
                    return _LEFT_OF_CLOSED
    return 0


@njit
def value_bounds(rules, state):
    """Bounds of the value: all open boxes, or what holds for every value of the rest if boxes are open to capture."""
    horizontal, vertical = state.horizontal, state.vertical
    here = open_boxes(rules, horizontal, vertical)
    if is_empty(sides(rules, horizontal, vertical)[2]):
        return -here, here
    level, upright = close_all_but(rules, horizontal, vertical, rules.empty)
    rest = open_boxes(rules, level, upright)
    taken = here - rest
    left = boxes_to_leave(rules, horizontal, vertical)
    # With the rest worth v the player gets taken + v, or taken − 2·left − v; v is even or odd like the number of boxes.
    if left > 0 and rest >= left:
        return taken - left + (rest & 1), here
    return taken - rest, here


@njit
def search_moves(rules, tables, state, buffer):
    """Write the moves to search.

    In quiet positions: the safe edges, the centre first, then an edge of each chain, the shortest first.  In others: take all, or leave
    some.
    """
    horizontal, vertical = state.horizontal, state.vertical
    two_or_more, two, three = sides(rules, horizontal, vertical)
    if not is_empty(three):
        buffer[0] = move_bound(rules)
        left = boxes_to_leave(rules, horizontal, vertical)
        buffer[1] = move_bound(rules) + left
        return 1 if left == 0 else 2
    found = 0
    below = np.uint64(rules.columns + 1)
    level = without(rules.all_horizontal, union(horizontal, union(two_or_more, shift_up(two_or_more, below))))
    upright = without(rules.all_vertical, union(vertical, union(two_or_more, shift_up(two_or_more, U1))))
    upright = without_corner_twins(rules, level, upright)
    dots = dot_count(rules)
    if len(tables) > 0:
        words = packed_edges(rules, level, upright)[0]
        row = ring_row(rules)
        while words != U0:
            word = words & tables[row, 0]
            words ^= word
            row += 1
            while word != U0:
                buffer[found] = lowest_bit(word)
                word &= word - U1
                found += 1
    for place in range(len(level) if len(tables) == 0 else 0):
        word = level[place]
        while word != U0:
            edge = 64 * place + lowest_bit(word)
            word &= word - U1
            found = insert(buffer, found, 0, distance_from_centre(rules, edge, 0), edge)
        word = upright[place]
        while word != U0:
            edge = 64 * place + lowest_bit(word)
            word &= word - U1
            found = insert(buffer, found, 0, distance_from_centre(rules, edge, 1), dots + edge)
    safe = found
    opening = move_bound(rules) + _OPENINGS
    while not is_empty(two):
        box = first_member(two)
        chain = chain_around(rules, box, two, horizontal, vertical)[0]
        two = without(two, chain)
        found = insert(buffer, found, safe, count(chain), opening + box)
    for place in range(found):
        buffer[place] &= _MOVE
    return found


@njit
def insert(buffer, found, begin, rank, move):
    """Put a move among the entries begin..found of the buffer, which are sorted: small rank first, in order of arrival if equal."""
    entry = np.int32((rank << 16) | move)
    place = found
    while place > begin and buffer[place - 1] >> 16 > rank:
        buffer[place] = buffer[place - 1]
        place -= 1
    buffer[place] = entry
    return found + 1


@njit
def without_corner_twins(rules, level, upright):
    """The upright edges without those at a corner whose level edge, which is equivalent, is free."""
    for corner in range(4):
        beside, edge = corner_edges(rules, corner)
        if has(level, beside) and has(upright, edge):
            upright = without(upright, with_bit(rules.empty, edge))
    return upright


@njit
def search_step(rules, state, move):
    """Below `move_bound`: a safe edge.  From there on: taking all boxes but move − move_bound.  From `_OPENINGS` after that: opening the
    chain of a box, which the opponent takes, or all but the last few; this chain is gone in the state after it.

    The owners of boxes are not updated.
    """
    bound = move_bound(rules)
    horizontal, vertical = state.horizontal, state.vertical
    other = state.turn ^ U1
    if move < bound:
        dots = dot_count(rules)
        if move < dots:
            return DotsState(with_bit(horizontal, move), vertical, state.first_boxes, other), 0, NEVER
        return DotsState(horizontal, with_bit(vertical, move - dots), state.first_boxes, other), 0, NEVER
    before = open_boxes(rules, horizontal, vertical)
    if move < bound + _OPENINGS:
        horizontal, vertical = close_all_but(rules, horizontal, vertical, rules.empty)
        left = move - bound
        taken = before - open_boxes(rules, horizontal, vertical)
        if left == 0:
            return DotsState(horizontal, vertical, state.first_boxes, state.turn), NEVER, -taken
        return DotsState(horizontal, vertical, state.first_boxes, other), 2 * left - taken, NEVER
    two = sides(rules, horizontal, vertical)[1]
    chain, is_loop = chain_around(rules, move - bound - _OPENINGS, two, horizontal, vertical)
    horizontal = union(horizontal, union(chain, shift_up(chain, np.uint64(rules.columns + 1))))
    vertical = union(vertical, union(chain, shift_up(chain, U1)))
    horizontal, vertical = close_all_but(rules, horizontal, vertical, rules.empty)
    taken = before - open_boxes(rules, horizontal, vertical)
    after = DotsState(horizontal, vertical, state.first_boxes, other)
    if is_loop:
        return after, taken, taken - 2 * _LEFT_OF_CLOSED
    return after, taken, taken - 2 * _LEFT_OF_CHAIN if count(chain) > _LEFT_OF_CHAIN else NEVER

"""Evaluations of Dots-and-Boxes.

    margin   boxes of the player to move minus the opponent's
    chains   the margin, plus what can be taken at once; when every edge left gives a box away, minus what the chains are worth to
             the opponent, as Berlekamp, "The Dots-and-Boxes Game", counts it

A *chain* is a row of boxes with two sides drawn, joined through the undrawn ones; a *loop* is a chain without ends.  A *safe* edge
gives no box its third side.  When the safe edges are used up the player to move has to open a chain.  Which player that
will be is not predicted, since the number of safe edges says little about it while there are many.

Who is given a long chain can take all of it and must then open the next one, or leave its last two boxes (of a loop four) and be
given the next as well: of n boxes, with the rest worth v, he gets n − 2 + |v − 2|, from a loop n − 4 + |v − 4|.  The shortest is
given first; a chain of one or two boxes has nothing to leave and is worth n − v.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1, both, count, is_empty, lowest_bit, shift_down, union, with_bit, without
from ludometer.core.lattice import shift_up
from ludometer.games.dots.rules import closed_boxes, margin

EVALUATIONS = ("chains", "margin")
CHAINS, MARGIN = range(2)

_LONGEST_SHORT_CHAIN = 2


@njit
def sides(rules, horizontal, vertical):
    """(boxes with at least two sides drawn, boxes with exactly two, boxes with exactly three)."""
    upper, lower = both(rules.boxes, horizontal), both(rules.boxes, shift_down(horizontal, np.uint64(rules.columns + 1)))
    left, right = both(rules.boxes, vertical), both(rules.boxes, shift_down(vertical, U1))
    level_two, level_any = both(upper, lower), union(upper, lower)
    upright_two, upright_any = both(left, right), union(left, right)
    two_or_more = union(union(level_two, upright_two), both(level_any, upright_any))
    three_or_more = union(both(level_two, upright_any), both(level_any, upright_two))
    return two_or_more, without(two_or_more, three_or_more), without(three_or_more, both(level_two, upright_two))


@njit
def first_member(words):
    """The lowest index in a set that is not empty."""
    for place in range(len(words)):
        if words[place] != U0:
            return 64 * place + lowest_bit(words[place])
    return -1


@njit
def take_all(rules, horizontal, vertical):
    """Close boxes with three sides until there are none: the edges then drawn."""
    below = rules.columns + 1
    while True:
        three = sides(rules, horizontal, vertical)[2]
        if is_empty(three):
            return horizontal, vertical
        box = first_member(three)
        one = with_bit(rules.empty, box)
        if is_empty(both(horizontal, one)):
            horizontal = union(horizontal, one)
        elif is_empty(both(vertical, one)):
            vertical = union(vertical, one)
        elif is_empty(both(horizontal, with_bit(rules.empty, box + below))):
            horizontal = with_bit(horizontal, box + below)
        else:
            vertical = with_bit(vertical, box + 1)


@njit
def safe_edges(rules, horizontal, vertical, two_or_more):
    """Number of free edges that give no box its third side."""
    below = np.uint64(rules.columns + 1)
    risky_level = union(two_or_more, shift_up(two_or_more, below))
    risky_upright = union(two_or_more, shift_up(two_or_more, U1))
    return count(without(without(rules.all_horizontal, horizontal), risky_level)) + count(
        without(without(rules.all_vertical, vertical), risky_upright)
    )


@njit
def chain_around(rules, box, members, horizontal, vertical):
    """(the boxes of `members` joined to this one through free edges, whether they form a loop)."""
    below = np.uint64(rules.columns + 1)
    chain = with_bit(rules.empty, box)
    # Joined to the right: the right side, which is the left side of the next box, is not drawn.  Likewise downwards.
    to_right = both(both(members, shift_down(members, U1)), without(rules.boxes, shift_down(vertical, U1)))
    to_below = both(both(members, shift_down(members, below)), without(rules.boxes, shift_down(horizontal, below)))
    size = 0
    while count(chain) > size:
        size = count(chain)
        chain = union(chain, union(shift_up(both(chain, to_right), U1), shift_up(both(chain, to_below), below)))
        chain = union(chain, union(both(shift_down(chain, U1), to_right), both(shift_down(chain, below), to_below)))
    joints = count(both(chain, to_right)) + count(both(chain, to_below))
    return chain, joints == size


@njit
def value_of_chains(rules, members, horizontal, vertical):
    """Value of all chains to the player who does not open the first.  `members`: the boxes with two sides drawn."""
    boxes = rules.rows * rules.columns
    chains = np.zeros(boxes + 1, np.int64)  # by length
    loops = np.zeros(boxes + 1, np.int64)
    while not is_empty(members):
        chain, is_loop = chain_around(rules, first_member(members), members, horizontal, vertical)
        if is_loop:
            loops[count(chain)] += 1
        else:
            chains[count(chain)] += 1
        members = without(members, chain)
    value = 0
    # The shortest is opened first, so the worth is built up from the longest.
    for length in range(boxes, 0, -1):
        for _ in range(loops[length]):
            value = length - 4 + abs(value - 4)
        for _ in range(chains[length]):
            value = length - value if length <= _LONGEST_SHORT_CHAIN else length - 2 + abs(value - 2)
    return value


@njit
def evaluate(rules, state, number):
    lead = margin(rules, state)
    if number == MARGIN:
        return np.float64(lead)
    horizontal, vertical = take_all(rules, state.horizontal, state.vertical)
    closed_now = count(closed_boxes(rules, state.horizontal, state.vertical))
    lead += count(closed_boxes(rules, horizontal, vertical)) - closed_now
    two_or_more, two, _ = sides(rules, horizontal, vertical)
    if safe_edges(rules, horizontal, vertical, two_or_more) > 0:
        return np.float64(lead)
    worth = value_of_chains(rules, two, horizontal, vertical)
    return np.float64(lead - worth)


@njit
def promise(rules, state, move, after, number):
    """Edges that close a box first, then those that give none away, then the rest."""
    won = count(closed_boxes(rules, after.horizontal, after.vertical)) - count(closed_boxes(rules, state.horizontal, state.vertical))
    given = count(sides(rules, after.horizontal, after.vertical)[2]) - count(sides(rules, state.horizontal, state.vertical)[2])
    return np.float64(won) if won > 0 else -np.float64(max(0, given))

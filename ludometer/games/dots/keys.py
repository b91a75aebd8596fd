"""Under which keys a search of Dots-and-Boxes keeps what it finds out.

A position has two keys.  The quick one is the least image of its edges under the symmetries; the images of all positions one edge further
are made from those of this one.  The deep one is the graph of the open boxes, on which alone depends what can still be won: chains
may run where they like, and separate parts may lie where they like.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, U1, Words, both, count, has, is_empty, lowest_bit, popcount, shift_down, union, with_bit, without
from ludometer.core.lattice import mirrored, shift_up, transposed, turned
from ludometer.games.dots.evaluation import first_member, sides
from ludometer.games.dots.rules import closed_boxes, dot_count, image_index, symmetry_count

_IMAGES = 8  # in the tables; on boards that are not square each image is there twice
_MOST_IN_GRAPH = 16  # boxes
_WORDS_OF_GRAPH = 3
_ROUNDS = 2
_SIDES = np.uint64(4)
_COLOUR = np.uint64(0x9E3779B97F4A7C15)
_MARK = np.uint64(0xD6E8FEB86659FD93)
_U29 = np.uint64(29)
_U32 = np.uint64(32)


@njit
def distance_from_centre(rules, index, upright):
    """Of the middle of an edge, in half sides of a box."""
    row = index // (rules.columns + 1)
    column = index - row * (rules.columns + 1)
    return abs(2 * row + upright - rules.rows) + abs(2 * column + 1 - upright - rules.columns)


@njit
def corner_edges(rules, corner):
    """(level, upright) edge at a corner of the board."""
    row_step = rules.columns + 1
    column = rules.columns - 1 if corner & 1 else 0
    row = rules.rows if corner & 2 else 0
    upright_row = rules.rows - 1 if corner & 2 else 0
    return row * row_step + column, upright_row * row_step + (rules.columns if corner & 1 else 0)


@njit
def corner_count(rules):
    """Corners whose two edges are alike; none on boards one box wide, where corners share edges."""
    return 4 if rules.rows > 1 and rules.columns > 1 else 0


@njit
def fits_one_word(rules):
    """Whether both kinds of edges fit into one word side by side."""
    return dot_count(rules) <= 32


@njit
def pack(rules, state):
    """The drawn edges."""
    return packed_edges(rules, state.horizontal, state.vertical)


def packed_edges(rules: Any, horizontal: Words, vertical: Words) -> Words:
    """The edges as words; on small boards the first word holds them all."""
    if len(horizontal) == 1 and fits_one_word(rules):
        return (np.uint64(horizontal[0] | vertical[0] << np.uint64(dot_count(rules))), U0)
    return horizontal + vertical


@overload(packed_edges)
def _packed_edges(rules, horizontal, vertical):
    if len(horizontal) > 1:
        return lambda rules, horizontal, vertical: horizontal + vertical

    def pack_one_word(rules, horizontal, vertical):
        if fits_one_word(rules):
            return (horizontal[0] | (vertical[0] << np.uint64(dot_count(rules))), U0)
        return (horizontal[0], vertical[0])

    return pack_one_word


@njit
def packed_words(rules):
    return 1 if len(rules.empty) == 1 and fits_one_word(rules) else 2 * len(rules.empty)


@njit
def search_key(rules, state):
    """The least of all images of the edges, where of two alike edges at a corner the level one counts as drawn first."""
    return least_image(rules, state.horizontal, state.vertical)


@njit
def search_tables(rules):
    """For each edge its images, those of a search key's first word; an edge that comes first at a corner comes first in every image.

    Then for each distance from the centre its edges, packed; in the second column of the first of these rows the upright edges at corners.
    Then scratch.  Nothing where keys have more than one word.
    """
    if len(rules.empty) > 1 or not fits_one_word(rules):
        return np.empty((0, 0), np.uint64)
    dots = dot_count(rules)
    images = np.zeros((scratch_row(rules) + dots + rules.columns + 1, _IMAGES), np.uint64)
    for edge in range(2 * dots):
        horizontal, vertical = rules.empty, rules.empty
        if edge < dots:
            horizontal = both(with_bit(rules.empty, edge), rules.all_horizontal)
        else:
            vertical = both(with_bit(rules.empty, edge - dots), rules.all_vertical)
        word = packed_edges(rules, horizontal, vertical)[0]
        if word != U0:
            images[ring_row(rules) + distance_from_centre(rules, edge % dots, edge // dots), 0] |= word
        second = rules.empty  # the level edge at the corner of an upright one
        for corner in range(corner_count(rules)):
            level, upright = corner_edges(rules, corner)
            if has(vertical, upright):
                second = with_bit(rules.empty, level)
                images[ring_row(rules), 1] |= word
        for place in range(_IMAGES):
            symmetry = place % symmetry_count(rules)
            both_edges = image_word(rules, union(horizontal, second), vertical, symmetry)
            images[edge, place] = both_edges ^ image_word(rules, second, rules.empty, symmetry)
    return images


@njit
def image_word(rules, horizontal, vertical, symmetry):
    level, upright = image_of_edges(rules, horizontal, vertical, symmetry)
    level, upright = with_level_corners(rules, level, upright)
    return packed_edges(rules, level, upright)[0]


@njit
def with_images(tables, images, edges):
    """The images of a set of edges, given those of some of them and the others as a packed word."""
    i0, i1, i2, i3, i4, i5, i6, i7 = images
    while edges != U0:
        edge = lowest_bit(edges)
        edges &= edges - U1
        i0 |= tables[edge, 0]
        i1 |= tables[edge, 1]
        i2 |= tables[edge, 2]
        i3 |= tables[edge, 3]
        i4 |= tables[edge, 4]
        i5 |= tables[edge, 5]
        i6 |= tables[edge, 6]
        i7 |= tables[edge, 7]
    return i0, i1, i2, i3, i4, i5, i6, i7


@njit
def search_key_begun(rules, tables, state):
    """(all images of the edges, the edges themselves, edges that make the corners be looked at): zeros where a key has more words."""
    images = (U0, U0, U0, U0, U0, U0, U0, U0)
    if len(tables) == 0:
        return images, U0, U0
    horizontal, vertical = with_level_corners(rules, state.horizontal, state.vertical)
    edges = packed_edges(rules, horizontal, vertical)[0]
    # Where the corners are as they are wanted, only upright edges there can make a difference.
    plain = edges == packed_edges(rules, state.horizontal, state.vertical)[0]
    return with_images(tables, images, edges), edges, tables[ring_row(rules), 1] if plain else ~U0


@njit
def search_key_after(rules, tables, begun, state, after):
    if len(tables) == 0:
        return least_image(rules, after.horizontal, after.vertical)
    words = packed_edges(rules, after.horizontal, after.vertical)
    added = words[0] & ~begun[1]
    if added & begun[2] != U0:
        horizontal, vertical = with_level_corners(rules, after.horizontal, after.vertical)
        added = packed_edges(rules, horizontal, vertical)[0] & ~begun[1]
    i0, i1, i2, i3, i4, i5, i6, i7 = with_images(tables, begun[0], added)
    least = min(min(min(i0, i1), min(i2, i3)), min(min(i4, i5), min(i6, i7)))
    return with_first(words, least)


@njit
def deep_words(rules):
    """For boards of up to 16 boxes; on those one box wide little is gained."""
    return _WORDS_OF_GRAPH if rules.rows * rules.columns <= _MOST_IN_GRAPH and corner_count(rules) > 0 else 0


@njit
def deep_key(rules, tables, state):
    """The graph whose points are the open boxes and whose lines are the free edges, written down in an order that hangs on it alone.

    What can still be won depends on nothing else.  If alike boxes are told apart by their place on the board, two states that are
    alike may get different keys, but never two different ones the same: the key says which boxes are joined, and which to the outside.

    Two chains of one box, or two of two boxes, that are joined to nothing else are left out in pairs: whoever opens one is answered
    with the other, and the rest is worth what it was.
    """
    below = np.uint64(rules.columns + 1)
    level, upright = without_pairs(rules, state.horizontal, state.vertical)
    horizontal, vertical = level[0], upright[0]
    waiting = without(rules.boxes, closed_boxes(rules, level, upright))[0]
    right = waiting & (waiting >> U1) & ~(vertical >> U1)  # boxes joined to the one on the right
    down = waiting & (waiting >> below) & ~(horizontal >> below)
    left, up = right << U1, down << below
    rows = np.uint64(scratch_row(rules))  # one for each box: colour, two kinds of marks by turns, rank; and box of that rank
    word = waiting
    while word != U0:
        box = np.uint64(lowest_bit(word))
        word &= word - U1
        drawn = sides_drawn(horizontal, vertical, below, box)
        joined = ((right >> box) & U1) + ((left >> box) & U1) + ((down >> box) & U1) + ((up >> box) & U1)
        colour = (drawn * np.uint64(8) + joined + U1) * _COLOUR
        tables[rows + box, 0] = colour
        tables[rows + box, 1] = (colour ^ (colour >> _U29)) * _MARK
    for turn in range(_ROUNDS):
        old, new = np.uint64(1 + (turn & 1)), np.uint64(2 - (turn & 1))
        word = waiting
        while word != U0:
            box = np.uint64(lowest_bit(word))
            word &= word - U1
            at = rows + box
            colour = tables[at, 0] * _COLOUR
            colour += tables[at + U1, old] * ((right >> box) & U1)
            colour += tables[at - U1, old] * ((left >> box) & U1)
            colour += tables[at + below, old] * ((down >> box) & U1)
            colour += tables[at - below, old] * ((up >> box) & U1)
            colour ^= colour >> _U32
            tables[at, 0] = colour
            tables[at, new] = (colour ^ (colour >> _U29)) * _MARK
    first, second, third = U0, U0, U0
    ranked = done = 0
    before = U0  # the boxes of lower rank than the one at hand
    while waiting != U0:
        # The next part of the graph begins with its least colour, and goes on with the neighbours of what is in order, least first.
        start = np.uint64(lowest_bit(waiting))
        least = tables[rows + start, 0]
        word = waiting & (waiting - U1)
        while word != U0:
            box = np.uint64(lowest_bit(word))
            word &= word - U1
            colour = tables[rows + box, 0]
            start = box if colour < least else start
            least = min(colour, least)
        tables[rows + np.uint64(ranked), 4] = start
        ranked += 1
        waiting &= ~(U1 << start)
        while done < ranked:
            box = tables[rows + np.uint64(done), 4]
            tables[rows + box, 3] = np.uint64(done)
            beside = (((right >> box) & U1) << (box + U1)) | (((down >> box) & U1) << (box + below))
            beside |= (((left >> box) & U1) << box >> U1) | (((up >> box) & U1) << box >> below)
            # Of a line between two boxes the one of higher rank knows: 0 + 1 + … + 15 bits.
            line = U0
            word = beside & before
            while word != U0:
                line |= U1 << tables[rows + np.uint64(lowest_bit(word)), 3]
                word &= word - U1
            at = done * (done - 1) >> 1
            if at < 64:
                first |= line << np.uint64(at)
                if at + done > 64:
                    second |= line >> np.uint64(64 - at)
            else:
                second |= line << np.uint64(at - 64)
            drawn = sides_drawn(horizontal, vertical, below, box)
            third |= (_SIDES - drawn - np.uint64(popcount(beside))) << np.uint64(2 * done)
            before |= U1 << box
            done += 1
            word = beside & waiting
            waiting &= ~word
            begin = ranked
            while word != U0:
                other = np.uint64(lowest_bit(word))
                word &= word - U1
                colour = tables[rows + other, 0]
                place = np.uint64(ranked)
                while place > begin and tables[rows + tables[rows + place - U1, 4], 0] > colour:
                    tables[rows + place, 4] = tables[rows + place - U1, 4]
                    place -= U1
                tables[rows + place, 4] = other
                ranked += 1
    return first, second, third


@njit
def sides_drawn(horizontal, vertical, below, box):
    """How many sides of a box are drawn, all arguments being single words."""
    level = ((horizontal >> box) & U1) + ((horizontal >> (box + below)) & U1)
    return level + ((vertical >> box) & U1) + ((vertical >> (box + U1)) & U1)


@njit
def scratch_row(rules):
    """The row of `search_tables` that serves box 0 as scratch; there are rows for the boxes that would be around the board as well."""
    return ring_row(rules) + rules.rows + rules.columns + 1 + rules.columns + 1


@njit
def ring_row(rules):
    """The first of the rows of `search_tables` that hold the edges at each distance from the centre."""
    return 2 * dot_count(rules)


@njit
def without_pairs(rules, horizontal, vertical):
    """The edges with chains of one or two boxes closed in pairs, where these are joined to nothing else."""
    below = np.uint64(rules.columns + 1)
    two = sides(rules, horizontal, vertical)[1]
    open_now = without(rules.boxes, closed_boxes(rules, horizontal, vertical))
    right = without(both(open_now, shift_down(open_now, U1)), shift_down(vertical, U1))
    down = without(both(open_now, shift_down(open_now, below)), shift_down(horizontal, below))
    left, up = shift_up(right, U1), shift_up(down, below)
    single = without(two, union(union(right, left), union(down, up)))
    once = both(two, exactly_one(right, left, down, up))
    level_pair = both(both(right, once), shift_down(once, U1))  # by the left box
    upright_pair = both(both(down, once), shift_down(once, below))
    gone = without(single, odd_one(rules, single))
    kept = odd_one(rules, union(level_pair, upright_pair))
    level_pair, upright_pair = without(level_pair, kept), without(upright_pair, kept)
    gone = union(gone, union(union(level_pair, shift_up(level_pair, U1)), union(upright_pair, shift_up(upright_pair, below))))
    return union(horizontal, union(gone, shift_up(gone, below))), union(vertical, union(gone, shift_up(gone, U1)))


@njit
def exactly_one(a, b, c, d):
    """The members of just one of four sets."""
    some = union(union(a, b), union(c, d))
    twice = union(union(both(a, b), both(c, d)), both(union(a, b), union(c, d)))
    return without(some, twice)


@njit
def odd_one(rules, words):
    """The lowest member of a set with an odd number of members, else nothing."""
    return with_bit(rules.empty, first_member(words)) if count(words) & 1 else rules.empty


@njit
def worth_remembering(rules, state):
    """Only quiet positions are: others have one or two moves, which lead to the same quiet edges."""
    return is_empty(sides(rules, state.horizontal, state.vertical)[2])


def least_image(rules: Any, horizontal: Words, vertical: Words) -> Words:
    """The slow way, for boards of any size."""
    found: Words = least_by_steps(rules, horizontal, vertical)
    return found


@overload(least_image)
def _least_image(rules, horizontal, vertical):
    if len(horizontal) > 1:
        return lambda rules, horizontal, vertical: least_by_steps(rules, horizontal, vertical)
    return lambda rules, horizontal, vertical: least_by_words(rules, horizontal, vertical)


@njit
def with_level_corners(rules, horizontal, vertical):
    """Where one edge of a corner is drawn, let it be the level one."""
    for corner in range(corner_count(rules)):
        level, upright = corner_edges(rules, corner)
        if has(vertical, upright) and not has(horizontal, level):
            horizontal = with_bit(horizontal, level)
            vertical = without(vertical, with_bit(rules.empty, upright))
    return horizontal, vertical


@njit
def image_of_edges(rules, horizontal, vertical, symmetry):
    """The edges seen through a symmetry, edge by edge."""
    swapped = symmetry & 4 != 0
    level = rules.empty
    upright = rules.empty
    index = 0
    for row in range(rules.rows + 1):
        for column in range(rules.columns + 1):
            if has(vertical if swapped else horizontal, index):
                level = with_bit(level, image_index(rules, row, column, rules.rows, rules.columns - 1, symmetry))
            if has(horizontal if swapped else vertical, index):
                upright = with_bit(upright, image_index(rules, row, column, rules.rows - 1, rules.columns, symmetry))
            index += 1
    return level, upright


@njit
def least_by_steps(rules, horizontal, vertical):
    level, upright = with_level_corners(rules, horizontal, vertical)
    least = packed_edges(rules, level, upright)
    for symmetry in range(1, symmetry_count(rules)):
        level, upright = image_of_edges(rules, horizontal, vertical, symmetry)
        level, upright = with_level_corners(rules, level, upright)
        words = packed_edges(rules, level, upright)
        if words < least:
            least = words
    return least


@njit
def least_by_words(rules, horizontal, vertical):
    """The same for boards whose sets of edges are single words."""
    stride = rules.columns + 1
    last_level, last_upright = dot_count(rules) - 2, rules.rows * stride - 1  # the highest edge of each kind
    level, upright = with_level_corners(rules, horizontal, vertical)
    least = packed_edges(rules, level, upright)
    for swapped in range(2 if rules.rows == rules.columns else 1):
        if swapped:
            level, upright = (transposed(upright[0], stride, stride),), (transposed(level[0], stride, stride),)
            level, upright = with_level_corners(rules, level, upright)
            least = smaller(least, packed_edges(rules, level, upright))
        # Mirroring leaves level edges level, so the corners stay as they are wanted.
        half = (turned(level[0], last_level),), (turned(upright[0], last_upright),)
        least = smaller(least, packed_edges(rules, half[0], half[1]))
        level, upright = (mirrored(level[0], stride, stride - 1),), (mirrored(upright[0], stride, stride),)
        least = smaller(least, packed_edges(rules, level, upright))
        half = (turned(level[0], last_level),), (turned(upright[0], last_upright),)
        least = smaller(least, packed_edges(rules, half[0], half[1]))
    return least


@njit
def smaller(words, others):
    return words if words < others else others


def with_first(words: Words, first: np.uint64) -> Words:
    """The words with another first one."""
    return (first, *words[1:])


@overload(with_first)
def _with_first(words, first):
    return lambda words, first: (first,) + words[1:]

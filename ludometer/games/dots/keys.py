"""Transposition keys of Dots-and-Boxes.

A position has two keys.  The quick one is the least image of its edges under the symmetries.  The images after a move are updated from
those before it.  The deep one is the graph of the open boxes, on which alone depends what can still be won: neither the course of a
chain nor the place of separate parts matters.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, U1, Words, both, count, has, is_empty, lowest_bit, popcount, shift_down, union, with_bit, without
from ludometer.core.lattice import mirrored, shift_up, transposed, turned
from ludometer.games.dots.evaluation import first_member, sides
from ludometer.games.dots.rules import closed_boxes, dot_count, image_index, symmetry_count

COLOUR, MARKS, RANK, BOX_OF_RANK = 0, 1, 3, 4  # columns of the scratch rows of `search_tables`; marks take two

_IMAGES = 8  # in the tables; on boards that are not square each image is there twice
_MOST_IN_GRAPH = 16  # boxes
_WORDS_OF_GRAPH = 3
_ROUNDS = 2
_SIDES = np.uint64(4)
_HASH_COLOUR = np.uint64(0x9E3779B97F4A7C15)
_HASH_MARK = np.uint64(0xD6E8FEB86659FD93)
_U29 = np.uint64(29)
_U32 = np.uint64(32)


@njit
def distance_from_centre(rules, index, upright):
    """Distance of the middle of an edge from the centre of the board, in half sides of a box."""
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
    """Number of corners whose two edges are interchangeable; 0 on boards one box wide, where corners share edges."""
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
    """The least image of the edges under the symmetries.  Of two interchangeable edges at a corner the level one counts as drawn first."""
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
    """(images of the edges, the edges, edges after which corners must be normalized); zeros if keys have more than one word."""
    images = (U0, U0, U0, U0, U0, U0, U0, U0)
    if len(tables) == 0:
        return images, U0, U0
    horizontal, vertical = with_level_corners(rules, state.horizontal, state.vertical)
    edges = packed_edges(rules, horizontal, vertical)[0]
    # If the corners are in normal form, only upright edges there can change that.
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


class BoxGraph(NamedTuple):
    """The open boxes of a state and the free edges between them, each set a word with a bit for each box."""

    open: np.uint64
    right: np.uint64  # boxes joined to the one on their right
    left: np.uint64
    down: np.uint64
    up: np.uint64
    horizontal: np.uint64  # drawn edges
    vertical: np.uint64
    below: np.uint64  # distance from a box to the one below it


@njit
def deep_key(rules, tables, state):
    """Canonical form of the graph whose vertices are the open boxes and whose lines are the free edges.

    What can still be won depends on this graph alone.  Two states with the same key have the same graph: the key says which boxes are
    joined to each other and which to the outside.  Two states with the same graph may get different keys, because boxes of one colour are
    told apart by their place on the board.

    Chains of one box, and chains of two, that are joined to nothing else are left out in pairs.  When one of a pair is opened, the answer
    is to open the other, and the value of the rest does not change.

    The first two words hold the lines: for the box of rank n, n bits for the boxes of lower rank.  The third holds, in 2 bits for each
    box, its free edges to the outside.  Scratch rows of `tables`, one for each box: COLOUR, two columns of MARKS used in turn, and RANK.
    The box of rank n is in column BOX_OF_RANK of row n.
    """
    graph = open_box_graph(rules, state)
    rows = np.uint64(scratch_row(rules))
    colour_boxes(tables, rows, graph)
    first, second, third = U0, U0, U0
    ranked = done = 0
    unranked = graph.open
    earlier = U0  # the boxes of lower rank than the one at hand
    while unranked != U0:
        # Each connected part begins with its box of least colour, and goes on breadth first.
        start = least_coloured(tables, rows, unranked)
        unranked &= ~(U1 << start)
        tables[rows + np.uint64(ranked), BOX_OF_RANK] = start
        ranked += 1
        while done < ranked:
            box = tables[rows + np.uint64(done), BOX_OF_RANK]
            tables[rows + box, RANK] = np.uint64(done)
            beside = neighbours(graph, box)
            first, second = with_line(first, second, done, ranks_of(tables, rows, beside & earlier))
            outside = _SIDES - sides_drawn(graph.horizontal, graph.vertical, graph.below, box) - np.uint64(popcount(beside))
            third |= outside << np.uint64(2 * done)
            earlier |= U1 << box
            done += 1
            ranked = append_by_colour(tables, rows, beside & unranked, ranked)
            unranked &= ~beside
    return first, second, third


@njit
def open_box_graph(rules, state):
    """The graph of the open boxes, without the short chains that `without_pairs` leaves out."""
    below = np.uint64(rules.columns + 1)
    level, upright = without_pairs(rules, state.horizontal, state.vertical)
    horizontal, vertical = level[0], upright[0]
    opened = without(rules.boxes, closed_boxes(rules, level, upright))[0]
    right = opened & (opened >> U1) & ~(vertical >> U1)
    down = opened & (opened >> below) & ~(horizontal >> below)
    return BoxGraph(opened, right, right << U1, down, down << below, horizontal, vertical, below)


@njit
def colour_boxes(tables, rows, graph):
    """Set the COLOUR of each open box: a hash of its drawn sides and neighbours, refined _ROUNDS times by those of its neighbours."""
    word = graph.open
    while word != U0:
        box = np.uint64(lowest_bit(word))
        word &= word - U1
        drawn = sides_drawn(graph.horizontal, graph.vertical, graph.below, box)
        joined = ((graph.right >> box) & U1) + ((graph.left >> box) & U1) + ((graph.down >> box) & U1) + ((graph.up >> box) & U1)
        set_colour(tables, rows + box, MARKS, (drawn * np.uint64(8) + joined + U1) * _HASH_COLOUR)
    for turn in range(_ROUNDS):
        old, new = MARKS + (turn & 1), MARKS + 1 - (turn & 1)
        word = graph.open
        while word != U0:
            box = np.uint64(lowest_bit(word))
            word &= word - U1
            at = rows + box
            colour = tables[at, COLOUR] * _HASH_COLOUR
            colour += tables[at + U1, old] * ((graph.right >> box) & U1)
            colour += tables[at - U1, old] * ((graph.left >> box) & U1)
            colour += tables[at + graph.below, old] * ((graph.down >> box) & U1)
            colour += tables[at - graph.below, old] * ((graph.up >> box) & U1)
            set_colour(tables, at, new, colour ^ (colour >> _U32))


@njit
def set_colour(tables, row, marks, colour):
    """Store the colour of a box, and in column `marks` the hash of it that its neighbours add up."""
    tables[row, COLOUR] = colour
    tables[row, marks] = (colour ^ (colour >> _U29)) * _HASH_MARK


@njit
def least_coloured(tables, rows, boxes):
    """The box of least colour in a set that is not empty, the lowest of several."""
    start = np.uint64(lowest_bit(boxes))
    least = tables[rows + start, COLOUR]
    word = boxes & (boxes - U1)
    while word != U0:
        box = np.uint64(lowest_bit(word))
        word &= word - U1
        colour = tables[rows + box, COLOUR]
        start = box if colour < least else start
        least = min(colour, least)
    return start


@njit
def neighbours(graph, box):
    """The boxes joined to one."""
    beside = (((graph.right >> box) & U1) << (box + U1)) | (((graph.down >> box) & U1) << (box + graph.below))
    return beside | (((graph.left >> box) & U1) << box >> U1) | (((graph.up >> box) & U1) << box >> graph.below)


@njit
def ranks_of(tables, rows, boxes):
    """The ranks of some boxes as bits."""
    ranks = U0
    while boxes != U0:
        ranks |= U1 << tables[rows + np.uint64(lowest_bit(boxes)), RANK]
        boxes &= boxes - U1
    return ranks


@njit
def with_line(first, second, rank, line):
    """Two words with `rank` more bits, those of `line`, behind the 0 + 1 + … + (rank − 1) bits of lower ranks."""
    at = rank * (rank - 1) >> 1
    if at >= 64:
        return first, second | (line << np.uint64(at - 64))
    if at + rank > 64:
        second |= line >> np.uint64(64 - at)
    return first | (line << np.uint64(at)), second


@njit
def append_by_colour(tables, rows, boxes, ranked):
    """Append boxes to the order, least colour first, by insertion; returns the new length."""
    begin = np.uint64(ranked)
    while boxes != U0:
        box = np.uint64(lowest_bit(boxes))
        boxes &= boxes - U1
        colour = tables[rows + box, COLOUR]
        place = np.uint64(ranked)
        while place > begin and tables[rows + tables[rows + place - U1, BOX_OF_RANK], COLOUR] > colour:
            tables[rows + place, BOX_OF_RANK] = tables[rows + place - U1, BOX_OF_RANK]
            place -= U1
        tables[rows + place, BOX_OF_RANK] = box
        ranked += 1
    return ranked


@njit
def sides_drawn(horizontal, vertical, below, box):
    """Number of drawn sides of a box; all arguments are single words."""
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
    """The edges after closing pairs of isolated chains of equal length, one or two boxes."""
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
    """Whether a position is quiet.  Others have one or two moves, which lead to the same quiet edges."""
    return is_empty(sides(rules, state.horizontal, state.vertical)[2])


def least_image(rules: Any, horizontal: Words, vertical: Words) -> Words:
    """The least image of the edges; in Python the slow way, for boards of any size."""
    found: Words = least_by_steps(rules, horizontal, vertical)
    return found


@overload(least_image)
def _least_image(rules, horizontal, vertical):
    if len(horizontal) > 1:
        return lambda rules, horizontal, vertical: least_by_steps(rules, horizontal, vertical)
    return lambda rules, horizontal, vertical: least_by_words(rules, horizontal, vertical)


@njit
def with_level_corners(rules, horizontal, vertical):
    """The edges with corners in normal form: if one edge of a corner is drawn, it is the level one."""
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

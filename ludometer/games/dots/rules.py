"""The rules of Dots-and-Boxes with R×C boxes, 1 ≤ R, C ≤ 9.

The dots form a lattice with C + 1 columns; dot (r, c) has the index r·(C + 1) + c.  Edges and boxes are wide sets (see
`core.bits`) in which each bit has the index of a dot: of an edge its left or upper end, of a box its upper left corner.

    0──1──2      horizontal = {0, 1, 4}      A player draws one free edge.  Who draws the last side of one box, or of
    │  │         vertical = {0, 1}           two at once, owns them and moves again; otherwise the turn passes.
    3  4──5      closed boxes = {}           When all edges are drawn the owner of more boxes has won.

Shifting by one row or one column lays opposite sides of a box over each other, so all closed boxes are found at once:
horizontal ∩ (horizontal ≫ C + 1) ∩ vertical ∩ (vertical ≫ 1).  Horizontal edges have no bit in the last column and vertical
ones none in the last row, so nothing but boxes remains.

Moves: the horizontal edge i has the number i, the vertical edge i the number (R + 1)(C + 1) + i.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import (
    U0,
    U1,
    Words,
    both,
    count,
    empty_words,
    has,
    is_empty,
    lowest_bit,
    nth,
    shift_down,
    union,
    wide_from_integer,
    with_bit,
    without,
)
from ludometer.core.compiling.leaves import mix_leaves
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.random import below

LARGEST = 9

_KEY_START = np.uint64(0x8CB92BA72F3D8DD7)
_SPEC = re.compile(r"([1-9])[xX×]([1-9])", re.ASCII)


class DotsRules(NamedTuple):
    rows: int  # of boxes
    columns: int  # of boxes
    empty: Words  # the empty set; its width is that of all sets
    boxes: Words  # every box
    all_horizontal: Words  # every horizontal edge
    all_vertical: Words  # every vertical edge


class DotsState(NamedTuple):
    horizontal: Words  # drawn horizontal edges
    vertical: Words  # drawn vertical edges
    first_boxes: Words  # boxes the first player owns; the other closed ones are the second player's
    turn: np.uint64  # 0: the first player (a) is to move


def rules_from_text(text: str) -> DotsRules:
    """The parameter is rows × columns of boxes; without it the board is 3x3."""
    read = _SPEC.fullmatch(text or "3x3")
    if read is None:
        raise SpecError(f"game dots: {shorten(text)} is no board; write rows x columns of boxes, each 1 to {LARGEST}, such as dots:3x3")
    return make_rules(int(read[1]), int(read[2]))


def make_rules(rows: int, columns: int) -> DotsRules:
    """The rules for a board of this size."""
    empty = empty_words((rows + 1) * (columns + 1))

    def grid(row_count: int, column_count: int) -> Words:
        return wide_from_integer(sum(1 << (r * (columns + 1) + c) for r in range(row_count) for c in range(column_count)), empty)

    return DotsRules(rows, columns, empty, grid(rows, columns), grid(rows + 1, columns), grid(rows, columns + 1))


def rules_to_text(rules: DotsRules) -> str:
    return f"{rules.rows}x{rules.columns}"


@njit
def dot_count(rules):
    """Number of dots, which is also the number of the first vertical move."""
    return (rules.rows + 1) * (rules.columns + 1)


@njit
def start(rules):
    return DotsState(rules.empty, rules.empty, rules.empty, U0)


@njit
def move_bound(rules):
    return 2 * dot_count(rules)


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def closed_boxes(rules, horizontal, vertical):
    """The boxes with all four sides among these edges."""
    across = both(horizontal, shift_down(horizontal, np.uint64(rules.columns + 1)))
    return both(across, both(vertical, shift_down(vertical, U1)))


@njit
def margin(rules, state):
    """Boxes of the player to move minus the other's, so far."""
    lead = 2 * count(state.first_boxes) - count(closed_boxes(rules, state.horizontal, state.vertical))
    return lead if state.turn == U0 else -lead


@njit
def outcome(rules, state):
    """Decided by the boxes when all edges are drawn; the player to move is then the one who closed the last box."""
    if not (is_empty(without(rules.all_horizontal, state.horizontal)) and is_empty(without(rules.all_vertical, state.vertical))):
        return ONGOING
    lead = margin(rules, state)
    if lead > 0:
        return WIN
    return DRAW if lead == 0 else LOSS


@njit
def play(rules, state, move):
    dots = dot_count(rules)
    level = move < dots
    edge = with_bit(rules.empty, move if level else move - dots)
    horizontal = union(state.horizontal, edge if level else rules.empty)
    vertical = union(state.vertical, rules.empty if level else edge)
    # The boxes beside a level edge are below (its own index) and above it, those beside an upright one right and left of it.
    beside = union(edge, shift_down(edge, np.uint64(rules.columns + 1) if level else U1))
    won = both(closed_boxes(rules, horizontal, vertical), beside)
    first_boxes = union(state.first_boxes, won if state.turn == U0 else rules.empty)
    return DotsState(horizontal, vertical, first_boxes, state.turn ^ U1 if is_empty(won) else state.turn)


@njit
def write_members(words, base, buffer, count):
    """Append base + index to `buffer` for every index in a set, ascending; returns the new count."""
    for place in range(len(words)):
        word = words[place]
        while word != U0:
            buffer[count] = base + 64 * place + lowest_bit(word)
            word &= word - U1
            count += 1
    return count


@njit
def legal_moves(rules, state, buffer):
    listed = write_members(without(rules.all_horizontal, state.horizontal), 0, buffer, 0)
    return write_members(without(rules.all_vertical, state.vertical), dot_count(rules), buffer, listed)


@njit
def count_moves(rules, state):
    return count(without(rules.all_horizontal, state.horizontal)) + count(without(rules.all_vertical, state.vertical))


@njit
def random_move(rules, state, word, buffer):
    horizontal = without(rules.all_horizontal, state.horizontal)
    vertical = without(rules.all_vertical, state.vertical)
    level_count = count(horizontal)
    choice = below(word, level_count + count(vertical))
    # One search in the chosen set instead of a branch that would be mispredicted every other time.
    level = choice < level_count
    found = nth(horizontal if level else vertical, choice if level else choice - level_count)
    return found if level else found + dot_count(rules)


@njit
def key(rules, state):
    """Hash of the edges, the turn and the number of the first player's boxes; which boxes these are has no effect on play."""
    score = (np.uint64(count(state.first_boxes)) << U1) | state.turn
    return mix_leaves((state.horizontal, state.vertical), mix_leaves(score, _KEY_START))


@njit
def symmetry_count(rules):
    """Four mirror images, and their transposes if the board is square.

    Bit 2 of a symmetry's number swaps rows and columns first, bit 0 then mirrors left-right, bit 1 top-bottom.
    """
    return 8 if rules.rows == rules.columns else 4


@njit
def image_index(rules, row, column, last_row, last_column, symmetry):
    """Where (row, column) goes in a grid whose highest row and column, after any swap, are these."""
    if symmetry & 4:
        row, column = column, row
    if symmetry & 1:
        column = last_column - column
    if symmetry & 2:
        row = last_row - row
    return row * (rules.columns + 1) + column


@njit
def transform(rules, state, symmetry):
    swapped = symmetry & 4 != 0
    level = rules.empty
    upright = rules.empty
    boxes = rules.empty
    rows, columns = rules.rows, rules.columns
    # Rows and columns swap only on square boards, so the sizes hold for the image as well.
    index = 0
    for row in range(rows + 1):
        for column in range(columns + 1):
            if has(state.vertical if swapped else state.horizontal, index):
                level = with_bit(level, image_index(rules, row, column, rows, columns - 1, symmetry))
            if has(state.horizontal if swapped else state.vertical, index):
                upright = with_bit(upright, image_index(rules, row, column, rows - 1, columns, symmetry))
            if has(state.first_boxes, index):
                boxes = with_bit(boxes, image_index(rules, row, column, rows - 1, columns - 1, symmetry))
            index += 1
    return DotsState(level, upright, boxes, state.turn)


@njit
def transform_move(rules, move, symmetry):
    dots = dot_count(rules)
    rows, columns = rules.rows, rules.columns
    level = move < dots
    index = move if level else move - dots
    row = index // (columns + 1)
    column = index - row * (columns + 1)
    if level != (symmetry & 4 != 0):
        return image_index(rules, row, column, rows, columns - 1, symmetry)
    return dots + image_index(rules, row, column, rows - 1, columns, symmetry)

"""What a Q-learner has learnt, compiled: the quality of each move in each state, for the player who makes it.

The class of `memory` decides what is stored; the compiler selects its functions.

    LinearMemory    weights for each move and feature of the state: quality = W[move] · features(state)
    TableMemory     a value for each pair of state and move met in training
    FeatureMemory   weights for the features of the state a move leads to
    PatternMemory   a value for each pattern of yes-or-no features of the state a move leads to

Values change sign only when the turn passes, since in some games a player moves again.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import learning
from ludometer.core.random import below, draw

_U1 = np.uint64(1)
_FREE = np.uint64(0)  # in `TableMemory.keys`: an unused place


class LinearMemory(NamedTuple):
    """Weights by move and feature."""

    weights: np.ndarray  # float64 (moves, features)
    seen: np.ndarray  # float64 (features,): scratch, the features of the current state


class TableMemory(NamedTuple):
    """A hash table of pairs of state and move, with open addressing."""

    keys: np.ndarray  # uint64 (places,), a power of two: key of the pair stored there, or _FREE
    values: np.ndarray  # float64 (places,): its quality
    pairs: np.ndarray  # int64 (1,): number of pairs stored
    seen: np.ndarray  # uint64 (1,): scratch, the key of the current state


class FeatureMemory(NamedTuple):
    """Weights by feature of the state after a move."""

    weights: np.ndarray  # float64 (features,)
    seen: np.ndarray  # float64 (features,): scratch


class PatternMemory(NamedTuple):
    """Values by pattern of the state after a move."""

    values: np.ndarray  # float64 (patterns,): of a state with this pattern, for the player to move
    visits: np.ndarray  # int64 (patterns,): number of corrections


@family(by="memory")
def look_at(rules, memory, state):
    """Make `state` the current state."""


@family(by="memory")
def quality(rules, memory, state, move):
    """The quality of a move in the current state."""


@family(by="memory")
def correct(rules, memory, state, move, amount, normalised):
    """Add `amount` times the features to the weights of a move in the current state, or `amount` to its value.

    With `normalised` the amount is first divided by the sum of the squared features, so that the quality changes by `amount`.
    """


def _unlimited(memory):
    return 1 << 60


@family(by="memory", fallback=_unlimited)
def free_pairs(memory):
    """Number of further pairs of state and move that can be stored.  Fallback: unlimited."""


def _row_of_move(rules, memory, state, move):
    return move


@family(by="memory", fallback=_row_of_move)
def row_of(rules, memory, state, move):
    """The row of weights of a legal move.  Fallback: the move's number."""


@look_at.for_class(LinearMemory)
def look_at_features(rules, memory, state):
    learning.features(rules, state, memory.seen)


@njit
def product_with_row(memory, row):
    """The quality that a row of weights gives to the current features."""
    total = 0.0
    for feature in range(len(memory.seen)):
        total += memory.weights[row, feature] * memory.seen[feature]
    return total


@quality.for_class(LinearMemory)
def linear_quality(rules, memory, state, move):
    return product_with_row(memory, row_of(rules, memory, state, move))


@njit
def squares(numbers):
    """The sum of their squares, or 1 if all are zero."""
    total = 0.0
    for number in numbers:
        total += number * number
    return total if total > 0.0 else 1.0


@correct.for_class(LinearMemory)
def correct_linear(rules, memory, state, move, amount, normalised):
    if normalised:
        amount = amount / squares(memory.seen)
    row = row_of(rules, memory, state, move)
    for feature in range(len(memory.seen)):
        memory.weights[row, feature] += amount * memory.seen[feature]


@look_at.for_class(TableMemory)
def _look_at_key(rules, memory, state):
    memory.seen[0] = protocol.key(rules, state)


@njit
def place_of(keys, state_key, move):
    """(key of the pair, its place or the free place where it belongs)."""
    pair = draw(state_key, np.uint64(move)) | _U1  # never _FREE
    mask = np.uint64(len(keys) - 1)
    place = (pair >> _U1) & mask
    while keys[place] != pair and keys[place] != _FREE:
        place = (place + _U1) & mask
    return pair, place


@quality.for_class(TableMemory)
def _table_quality(rules, memory, state, move):
    pair, place = place_of(memory.keys, memory.seen[0], move)
    return memory.values[place] if memory.keys[place] == pair else 0.0


@correct.for_class(TableMemory)
def _correct_table(rules, memory, state, move, amount, normalised):
    pair, place = place_of(memory.keys, memory.seen[0], move)
    if memory.keys[place] == _FREE:
        memory.keys[place] = pair
        memory.values[place] = 0.0
        memory.pairs[0] += 1
    memory.values[place] += amount


@look_at.for_class(FeatureMemory, PatternMemory)
def _look_ahead(rules, memory, state):
    pass


@njit
def sign_between(rules, before, after):
    """1 if the same player is to move in both states, else −1."""
    return 1.0 if protocol.turn(rules, before) == protocol.turn(rules, after) else -1.0


@quality.for_class(FeatureMemory)
def _feature_quality(rules, memory, state, move):
    after = protocol.play(rules, state, move)
    sign = sign_between(rules, state, after)
    result = protocol.outcome(rules, after)
    if result != ONGOING:
        return sign * result
    learning.features(rules, after, memory.seen)
    total = 0.0
    for feature in range(len(memory.seen)):
        total += memory.weights[feature] * memory.seen[feature]
    return sign * total


@correct.for_class(FeatureMemory)
def _correct_features(rules, memory, state, move, amount, normalised):
    after = protocol.play(rules, state, move)
    if protocol.outcome(rules, after) == ONGOING:
        learning.features(rules, after, memory.seen)
        signed = sign_between(rules, state, after) * amount
        if normalised:
            signed = signed / squares(memory.seen)
        for feature in range(len(memory.seen)):
            memory.weights[feature] += signed * memory.seen[feature]


@quality.for_class(PatternMemory)
def _pattern_quality(rules, memory, state, move):
    after = protocol.play(rules, state, move)
    sign = sign_between(rules, state, after)
    result = protocol.outcome(rules, after)
    if result != ONGOING:
        return sign * result
    return sign * memory.values[learning.feature_pattern(rules, after)]


@correct.for_class(PatternMemory)
def _correct_pattern(rules, memory, state, move, amount, normalised):
    after = protocol.play(rules, state, move)
    if protocol.outcome(rules, after) == ONGOING:
        found = learning.feature_pattern(rules, after)
        memory.values[found] += sign_between(rules, state, after) * amount
        memory.visits[found] += 1


@free_pairs.for_class(TableMemory)
def _free_pairs_of_table(memory):
    return len(memory.keys) // 2 - memory.pairs[0]


@njit
def best_move(rules, memory, state, word, buffer):
    """(the legal move of highest quality, that quality); the random `word` breaks ties."""
    look_at(rules, memory, state)
    count = protocol.legal_moves(rules, state, buffer)
    chosen = np.int64(buffer[0])
    highest = quality(rules, memory, state, chosen)
    ties = 1
    for place in range(1, count):
        move = np.int64(buffer[place])
        value = quality(rules, memory, state, move)
        if value > highest:
            chosen, highest, ties = move, value, 1
        elif value == highest:
            ties += 1
            if below(draw(word, np.uint64(ties)), ties) == 0:
                chosen = move
    return chosen, highest


@decide.for_class(LinearMemory, TableMemory, FeatureMemory, PatternMemory)
def decide_by_quality(rules, player, state, plies_left, key, buffer):
    return best_move(rules, player, state, key, buffer)[0]


@kernel
def best_and_quality(rules, memory, state, word, buffer):
    """`best_move`, called from Python."""
    return best_move(rules, lend(memory), state, word, buffer)


@kernel
def sizes(rules):
    """(moves, features, patterns, kinds of moves) of a game; 0 for what it does not have."""
    counts = np.int64(learning.feature_count(rules)), np.int64(learning.pattern_count(rules)), np.int64(learning.move_kinds(rules))
    return np.int64(protocol.move_bound(rules)), counts[0], counts[1], counts[2]


@kernel
def move_pairs(keys, values, new_keys, new_values):
    """Copy all pairs of a table into an empty one."""
    mask = np.uint64(len(new_keys) - 1)
    for place in range(len(keys)):
        if keys[place] != _FREE:
            found = (keys[place] >> _U1) & mask
            while new_keys[found] != _FREE:
                found = (found + _U1) & mask
            new_keys[found] = keys[place]
            new_values[found] = values[place]

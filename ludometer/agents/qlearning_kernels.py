"""Q-learning, compiled: one training loop for every kind of memory.

What is learnt is a quality of each move in each state, for the player who makes it.  Where it is kept decides what a learner
can see; the compiler puts the right functions into the loop by the type of `memory`.

    LinearMemory    weights for each move and feature of the state: quality = W[move] · features(state)
    TableMemory     a number for each pair of state and move that was met
    FeatureMemory   weights for the features of the state a move leads to
    PatternMemory   a number for each pattern of yes-or-no features of the state a move leads to

A game in which the same player moves again is no exception: values change their sign only when the turn passes.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, begin_game, decide
from ludometer.core.compiling.dispatch import family
from ludometer.core.outcome import ONGOING
from ludometer.core.protocol import learning, searching
from ludometer.core.random import below, draw, substream, unit

LONGEST_GAME = 1000  # a training game is cut off here when the game has no ply limit of its own
MOST_STARTS = 1000  # of one training game; if it still does not end within its length, nothing is learnt from it
SCORE_OF_WIN = 500.0  # points of a won position, in the units of the score whose changes are rewards

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_U2 = np.uint64(2)
_U3 = np.uint64(3)
_FREE = np.uint64(0)  # in `TableMemory.keys`: nothing is kept here


class LinearMemory(NamedTuple):
    weights: np.ndarray  # float64, moves × features, or kinds · moves × features: those of kind 0 first
    seen: np.ndarray  # float64, features: those of the state being looked at


class TableMemory(NamedTuple):
    keys: np.ndarray  # uint64, a power of two of places: the pair kept there, or _FREE
    values: np.ndarray  # float64, as many: its quality
    pairs: np.ndarray  # int64, one: how many are kept
    seen: np.ndarray  # uint64, one: the key of the state being looked at


class FeatureMemory(NamedTuple):
    weights: np.ndarray  # float64, features
    seen: np.ndarray  # float64, features: room for those of one state


class PatternMemory(NamedTuple):
    values: np.ndarray  # float64, patterns: of a state with this pattern, for the player to move
    visits: np.ndarray  # int64, patterns: how often it was corrected


@family(by="memory")
def look_at(rules, memory, state):
    """Get ready for questions about moves in this state."""


@family(by="memory")
def quality(rules, memory, state, move):
    """The quality of a move in the state looked at."""


@family(by="memory")
def correct(rules, memory, state, move, amount, normalised):
    """Add `amount` times the features to the weights of a move in the state looked at, or change its number by `amount`.

    With `normalised`, divided by the sum of the squared features: then the quality too changes by `amount`.
    """


def _endless_room(memory):
    return 1 << 60


@family(by="memory", fallback=_endless_room)
def room(memory):
    """How many more pairs of state and move can be kept.  Fallback: any number."""


@look_at.for_class(LinearMemory)
def _look_at_features(rules, memory, state):
    learning.features(rules, state, memory.seen)


@njit
def row_of(rules, weights, state, move):
    """The row of weights of a legal move."""
    moves = protocol.move_bound(rules)
    return move if len(weights) == moves else moves * learning.kind_of_move(rules, state, move) + move


@njit
def product_with_row(memory, row):
    total = 0.0
    for feature in range(len(memory.seen)):
        total += memory.weights[row, feature] * memory.seen[feature]
    return total


@quality.for_class(LinearMemory)
def _linear_quality(rules, memory, state, move):
    return product_with_row(memory, row_of(rules, memory.weights, state, move))


@njit
def squares(numbers):
    """The sum of their squares, or 1 if all are zero."""
    total = 0.0
    for number in numbers:
        total += number * number
    return total if total > 0.0 else 1.0


@correct.for_class(LinearMemory)
def _correct_linear(rules, memory, state, move, amount, normalised):
    if normalised:
        amount = amount / squares(memory.seen)
    row = row_of(rules, memory.weights, state, move)
    for feature in range(len(memory.seen)):
        memory.weights[row, feature] += amount * memory.seen[feature]


@look_at.for_class(TableMemory)
def _look_at_key(rules, memory, state):
    memory.seen[0] = protocol.key(rules, state)


@njit
def place_of(keys, state_key, move):
    """(key of the pair, its place or the free one where it belongs)."""
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


@room.for_class(TableMemory)
def _room_in_table(memory):
    return len(memory.keys) // 2 - memory.pairs[0]


@njit
def best_move(rules, memory, state, word, buffer):
    """(the legal move of highest quality, that quality); the random `word` decides between equal ones."""
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


@njit
def score_of(rules, state, score):
    """The score of an unfinished position for the player to move: an evaluation by number, or the margin for −1.

    No position is worth more than a won game, whatever an evaluation claims.
    """
    if score < 0:
        return np.float64(protocol.margin(rules, state))
    return min(SCORE_OF_WIN, max(-SCORE_OF_WIN, searching.evaluate(rules, state, score)))


class Lessons(NamedTuple):
    """How a learner is trained."""

    alpha: float  # the learning rate of game i is alpha · (1 − decay)^i
    decay: float
    normalised: int  # 1: a learning rate of 1 makes the quality what it should have been, whatever the features
    gamma: float  # how much the value of the next state counts
    epsilon: float  # probability of a random move …
    exploring: int  # … in the games before this one
    score: int  # evaluation whose changes are rewards (−1: the margin) …
    score_share: float  # … times this
    random_starts: int  # 1: games begin in random states; 0: at the start
    whole_games: int  # 1: learn backwards from the end of each game; 0: after every move
    has_opponent: int  # 1: one player of each game, in turn the first and the second, is somebody else
    all_moves: int  # 1: the value of a state is the highest quality of all moves, legal or not; for LinearMemory only
    discounted_ends: int  # 1: the result of a game too counts `gamma` times
    starts_again: int  # 1: a game that does not end within its length begins again; 0: it is learnt from as far as it goes


def _nothing_for_others(memory):
    return -np.inf


@family(by="memory", fallback=_nothing_for_others)
def highest_row(memory):
    """The highest product of a row of weights with the features looked at.  Fallback: none, other memories have no such rows."""


@highest_row.for_class(LinearMemory)
def _highest_of_weights(memory):
    highest = -np.inf
    for row in range(len(memory.weights)):
        highest = max(highest, product_with_row(memory, row))
    return highest


class RandomOpponent(NamedTuple):
    """Somebody else who makes random moves; any other mind (see `core.compiling.compiled_player`) makes its own."""

    nothing: int


@decide.for_class(RandomOpponent)
def _decide_at_random(rules, mind, state, plies_left, key, buffer):
    return protocol.random_move(rules, state, key, buffer)


@njit
def highest_of_all(rules, memory, state):
    """The highest quality of all moves, legal or not, of all kinds."""
    look_at(rules, memory, state)
    return highest_row(memory)


@njit
def learn_from(rules, memory, lessons, rate, before, move, after, buffer):
    """Move the quality of one move towards what its reward and the best reply promise."""
    sign = sign_between(rules, before, after)
    share = lessons.score_share
    owned = share * score_of(rules, before, lessons.score) if share > 0.0 else 0.0
    result = protocol.outcome(rules, after)
    if result != ONGOING:
        target = sign * result * (lessons.gamma if lessons.discounted_ends else 1.0) - owned
    else:
        gained = sign * share * score_of(rules, after, lessons.score) if share > 0.0 else 0.0
        best = highest_of_all(rules, memory, after) if lessons.all_moves else best_move(rules, memory, after, _U0, buffer)[1]
        target = gained - owned + lessons.gamma * sign * best
    look_at(rules, memory, before)
    correct(rules, memory, before, move, rate * (target - quality(rules, memory, before, move)), lessons.normalised)


@njit
def learn_backwards(rules, memory, lessons, rate, first, last, moves, plies, buffer):
    """Learn from a whole game, its end first; `first` and `last` are the states it began and ended in."""
    after = last
    for ply in range(plies - 1, -1, -1):
        # States are not kept: playing the game again up to here is cheaper than it looks beside what is learnt.
        before = first
        for earlier in range(ply):
            before = protocol.play(rules, before, np.int64(moves[earlier]))
        learn_from(rules, memory, lessons, rate, before, np.int64(moves[ply]), after, buffer)
        after = before


@kernel
def train(rules, memory, lessons, opponent, key, begin, end, moves, buffer, stop):
    """Play and learn from the training games `begin` to `end` − 1: (games played, moves made).

    `opponent` is a mind that plays one side, if the lessons have one; both sides' moves are learnt from.
    `moves` and `buffer` (int32) have room for the moves of a game, whose length is the most a game may have, and for legal moves.  Ends
    early when the memory may not have room for another game, and once stop[0] is set.
    """
    memory = lend(memory)
    made = 0
    for game in range(begin, end):
        if room(memory) < len(moves) or stop[0] != 0:
            return game - begin, made
        words = substream(key, np.uint64(game))
        rate = lessons.alpha * (1.0 - lessons.decay) ** game
        chance = lessons.epsilon if game < lessons.exploring else 0.0
        first = protocol.start(rules)
        if lessons.random_starts:
            first = learning.random_state(rules, substream(words, _U1), buffer)
        state = first
        plies = 0
        begin_game(rules, opponent, first)
        step = _U0  # plies of earlier starts count too
        starts = 1
        while protocol.outcome(rules, state) == ONGOING and (plies < len(moves) or lessons.starts_again):
            if plies == len(moves):
                plies = 0
                state = first
                starts += 1
                begin_game(rules, opponent, first)
                if starts > MOST_STARTS or stop[0] != 0:
                    break
            word = draw(words, _U3 * step)
            random_word = draw(words, _U3 * step + _U1)
            tie_word = draw(words, _U3 * step + _U2)
            if lessons.has_opponent and protocol.turn(rules, state) == (game & 1):
                move = np.int64(decide(rules, opponent, state, FOR_EVER, random_word, buffer))
            elif unit(word) < chance:
                move = np.int64(protocol.random_move(rules, state, random_word, buffer))
            else:
                move = best_move(rules, memory, state, tie_word, buffer)[0]
            after = protocol.play(rules, state, move)
            if not lessons.whole_games:
                learn_from(rules, memory, lessons, rate, state, move, after, buffer)
            moves[plies] = move
            plies += 1
            step += _U1
            state = after
        made += np.int64(step)
        if lessons.whole_games:
            learn_backwards(rules, memory, lessons, rate, first, state, moves, plies, buffer)
    return end - begin, made


@decide.for_class(LinearMemory, TableMemory, FeatureMemory, PatternMemory)
def _decide_by_quality(rules, mind, state, plies_left, key, buffer):
    return best_move(rules, mind, state, key, buffer)[0]


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
    """Enter all pairs of a table into another, empty one."""
    mask = np.uint64(len(new_keys) - 1)
    for place in range(len(keys)):
        if keys[place] != _FREE:
            found = (keys[place] >> _U1) & mask
            while new_keys[found] != _FREE:
                found = (found + _U1) & mask
            new_keys[found] = keys[place]
            new_values[found] = values[place]

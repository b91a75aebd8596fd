"""The language every game speaks: the functions that algorithms call and games define.

A generic algorithm is compiled once for each game.  It calls `play(rules, state, move)` from this module; which game's `play`
runs is decided while compiling, by the type of `rules`, so the call costs nothing.  Run as plain Python (in a test, or in
the CUDA simulator) the same call finds the same function.

A game defines these as module-level functions with exactly these parameter names.  `rules` is a NamedTuple of
integers (and, if wanted, arrays) whose class belongs to that game alone; `state` is a NamedTuple in which every leaf is a
uint64; a move is an integer from 0 to `move_bound(rules)` − 1.

    required   start  legal_moves  play  turn  outcome  move_bound
    optional   count_moves  random_move  margin  key  symmetry_count  transform  transform_move
    tile games tile_cells  state_of_tiles  tiles_of_state   (see `solve.tiles`)
    learning   feature_count  features  pattern_count  feature_pattern  random_state   (all optional, see `agents.qlearning`)
    search     evaluate  promise  key_after  opening_move  depth_rule   (all optional, see `agents.search`)
    solving    pack  packed_words  canonical  search_key  worth_remembering  value_bounds  search_moves  search_play
               position_estimate  dense_size  dense_index  dense_state  dense_fill  dense_moves   (all optional, see `solve.strong`
               and `solve.proof`)

Each optional function has the fallback written in its docstring.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import overload

from ludometer.core import compilation
from ludometer.core.errors import GameDefinitionError
from ludometer.core.outcome import DRAW, ONGOING
from ludometer.core.random import below, draw

Function = Callable[..., Any]

_KEY_START = np.uint64(0x9E3779B97F4A7C15)  # not zero, so that an empty board has a key of its own

_implementations: dict[type, dict[str, Function]] = {}
_fallbacks: dict[str, Function | None] = {}
PARAMETERS: dict[str, tuple[str, ...]] = {}  # protocol function -> its parameter names


def dispatched(function: Function) -> Function:
    """Make a protocol function: its body is the docstring alone, each game brings the rest."""
    return _dispatched(function, None)


def dispatched_or(fallback: Function) -> Callable[[Function], Function]:
    """Make an optional protocol function; `fallback` serves the games that do not define it."""
    return lambda function: _dispatched(function, fallback)


def _dispatched(function: Function, fallback: Function | None) -> Function:
    name = function.__name__
    _fallbacks[name] = fallback
    PARAMETERS[name] = tuple(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(rules: Any, *arguments: Any) -> Any:
        return implementation(type(rules), name)(rules, *arguments)

    def choose(rules: Any, *arguments: Any) -> Any:
        if not isinstance(rules, types.BaseNamedTuple):
            return None
        chosen = implementation(rules.instance_class, name)
        return getattr(chosen, "py_func", chosen)

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    overload(call, strict=False)(choose)
    return call


def register(rules_class: type, modules: tuple[ModuleType, ...], name: str) -> None:
    """Enter a game: its protocol functions are found by name in `modules`.

    Raises GameDefinitionError when a required function is missing or has other parameter names.
    """
    found: dict[str, Function] = {}
    for function_name, parameters in PARAMETERS.items():
        for module in modules:
            candidate = vars(module).get(function_name)
            if not callable(candidate):
                continue
            given = tuple(inspect.signature(getattr(candidate, "py_func", candidate)).parameters)
            if given != parameters:
                raise GameDefinitionError(
                    f"game {name}: {function_name}({', '.join(given)}) should be {function_name}({', '.join(parameters)})"
                )
            found[function_name] = candidate
        if function_name not in found and _fallbacks[function_name] is None:
            raise GameDefinitionError(f"game {name} does not define {function_name}({', '.join(parameters)})")
    # Compiled code knows classes by name and fields: two games' rules of one name would be taken for each other.
    taken = {known.__name__ for known in _implementations if known is not rules_class}
    plain_name, number = rules_class.__name__, 1
    while rules_class.__name__ in taken:
        number += 1
        rules_class.__name__ = f"{plain_name}{number}"
    _implementations[rules_class] = found
    compilation.game_modules[rules_class] = modules
    compilation.source_stamp(*modules)  # read the sources while they are what was just imported


def implementation(rules_class: type, name: str) -> Function:
    """The function a game uses for this protocol name: its own, or the fallback."""
    if rules_class not in _implementations:
        raise GameDefinitionError(f"{rules_class.__name__} is not the rules of a registered game")
    chosen = _implementations[rules_class].get(name) or _fallbacks[name]
    assert chosen is not None
    return chosen


def defines(rules_class: type, name: str) -> bool:
    """Whether a game brings its own version of this protocol function."""
    return name in _implementations.get(rules_class, {})


def mix_leaves(value, word):
    """Fold every uint64 leaf of a state into one word."""
    if isinstance(value, tuple):
        for part in value:
            word = mix_leaves(part, word)
        return word
    return draw(np.uint64(value) ^ word, word)


@overload(mix_leaves)
def _mix_leaves(value, word):
    if isinstance(value, types.BaseTuple):
        if len(value) == 0:
            return lambda value, word: word
        return lambda value, word: mix_leaves(value[1:], mix_leaves(value[0], word))
    return lambda value, word: draw(value ^ word, word)


@dispatched
def start(rules):
    """The state at the beginning of a game."""


@dispatched
def move_bound(rules):
    """Every move is below this number; a buffer of this length holds all legal moves."""


@dispatched
def legal_moves(rules, state, buffer):
    """Write the legal moves, ascending, into `buffer` (int32) and return how many; none when the game is over."""


@dispatched
def play(rules, state, move):
    """The state after a legal move.  What an illegal one gives is not defined."""


@dispatched
def turn(rules, state):
    """Who is to move: FIRST (0) or SECOND (1)."""


@dispatched
def outcome(rules, state):
    """ONGOING, or WIN, DRAW, LOSS for the player to move."""


@njit
def _count_by_listing(rules, state):
    buffer = np.empty(move_bound(rules), np.int32)
    return legal_moves(rules, state, buffer)


@dispatched_or(_count_by_listing)
def count_moves(rules, state):
    """How many legal moves there are.  Fallback: list them."""


@njit
def _random_from_list(rules, state, word, buffer):
    return np.int64(buffer[below(word, legal_moves(rules, state, buffer))])


@dispatched_or(_random_from_list)
def random_move(rules, state, word, buffer):
    """A uniformly random legal move chosen by the random `word`; the game is not over.  Fallback: list and pick."""


@njit
def _margin_of_outcome(rules, state):
    value = outcome(rules, state)
    return DRAW if value == ONGOING else value


@dispatched_or(_margin_of_outcome)
def margin(rules, state):
    """Points of the player to move minus the other's, so far.  Fallback: the outcome, 0 while it is open."""


@njit
def _key_of_leaves(rules, state):
    return mix_leaves(state, _KEY_START)


@dispatched_or(_key_of_leaves)
def key(rules, state):
    """A 64-bit hash of all that decides how the game can go on.  Fallback: mix all leaves of the state."""


@njit
def _only_identity(rules):
    return 1


@dispatched_or(_only_identity)
def symmetry_count(rules):
    """How many symmetries the game has; number 0 is the identity.  Fallback: 1."""


@njit
def _same_state(rules, state, symmetry):
    return state


@dispatched_or(_same_state)
def transform(rules, state, symmetry):
    """The state seen through a symmetry.  Fallback: the state itself."""


@njit
def _same_move(rules, move, symmetry):
    return move


@dispatched_or(_same_move)
def transform_move(rules, move, symmetry):
    """The move seen through a symmetry.  Fallback: the move itself."""


def _not_a_tile_game(*arguments):
    raise GameDefinitionError("this game does not say how its states are made of tiles")


@dispatched_or(_not_a_tile_game)
def tile_cells(rules):
    """How many cells the board of a tile game has."""


@dispatched_or(_not_a_tile_game)
def state_of_tiles(rules, mover, other):
    """The state in which the player to move has the tiles `mover` and the opponent `other` (words, a bit per cell)."""


@dispatched_or(_not_a_tile_game)
def tiles_of_state(rules, state):
    """(tiles of the player to move, tiles of the opponent) as words: the inverse of `state_of_tiles`."""


@njit
def _margin_as_evaluation(rules, state, number):
    return np.float64(margin(rules, state))


@dispatched_or(_margin_as_evaluation)
def evaluate(rules, state, number):
    """How good an unfinished position looks to the player to move (float64); `number` is a place in the game's EVALUATIONS.

    The tuple EVALUATIONS names the game's evaluations, the usual one first.  An infinite value says that the game is decided.
    Fallback: the margin.
    """


@njit
def _promise_by_evaluation(rules, state, move, after, number):
    value = evaluate(rules, after, number)
    return value if turn(rules, after) == turn(rules, state) else -value


@dispatched_or(_promise_by_evaluation)
def promise(rules, state, move, after, number):
    """How good a move that leads to the unfinished state `after` looks to the player who makes it, for ordering moves.

    Fallback: what evaluation `number` says of `after`.
    """


@njit
def _key_anew(rules, state, known, move, after):
    return key(rules, after)


@dispatched_or(_key_anew)
def key_after(rules, state, known, move, after):
    """The key of `after`, to which `move` leads from `state`, whose key is `known`.  Fallback: work out `key(rules, after)`."""


@njit
def _no_opening(rules, state, word):
    return -1


@dispatched_or(_no_opening)
def opening_move(rules, state, word):
    """A move to make here without a search, chosen by the random `word`, or −1.  Fallback: −1."""


@njit
def _no_rule(rules, state, number):
    return 0


@dispatched_or(_no_rule)
def depth_rule(rules, state, number):
    """How many plies rule `number` of the game's tuple DEPTH_RULES wants searched here, at least 1.  Fallback: 0, no rule."""


@njit
def _none(rules):
    return 0


@dispatched_or(_none)
def feature_count(rules):
    """How many features a learner sees of a state.  Fallback: 0, the game has none."""


@njit
def _no_features(rules, state, out):
    pass


@dispatched_or(_no_features)
def features(rules, state, out):
    """Write the features of a state, as the player to move sees it, into `out` (float64).  Fallback: write nothing."""


@dispatched_or(_none)
def pattern_count(rules):
    """How many patterns of yes-or-no features there are.  Fallback: 0, the game has none."""


@njit
def _no_pattern(rules, state):
    return 0


@dispatched_or(_no_pattern)
def feature_pattern(rules, state):
    """The yes-or-no features of a state, as the player to move sees it, as a number from 0 to `pattern_count(rules)` − 1."""


_MOST_RANDOM_PLIES = 400  # of the random game that `random_state` stops in


@njit
def _state_in_random_game(rules, key, buffer):
    plies = 0
    state = start(rules)
    while plies < _MOST_RANDOM_PLIES and outcome(rules, state) == ONGOING:
        state = play(rules, state, random_move(rules, state, draw(key, np.uint64(plies)), buffer))
        plies += 1
    stop = below(draw(key, np.uint64(_MOST_RANDOM_PLIES)), max(1, plies))
    state = start(rules)
    for ply in range(stop):
        state = play(rules, state, random_move(rules, state, draw(key, np.uint64(ply)), buffer))
    return state


@dispatched_or(_state_in_random_game)
def random_state(rules, key, buffer):
    """A random state in which the game goes on.  Fallback: a random game stopped after a random number of its moves."""


# What the exact solvers of games without repetition ask (see `solve.strong` and `solve.proof`)


def leaves_of(value):
    """All uint64 leaves of a state as one flat tuple."""
    if isinstance(value, tuple):
        return tuple(leaf for part in value for leaf in leaves_of(part))
    return (value,)


@overload(leaves_of)
def _leaves_of(value):
    if isinstance(value, types.BaseTuple):
        if len(value) == 0:
            return lambda value: ()
        return lambda value: leaves_of(value[0]) + leaves_of(value[1:])
    return lambda value: (value,)


@njit
def _all_leaves(rules, state):
    return leaves_of(state)


@dispatched_or(_all_leaves)
def pack(rules, state):
    """A tuple of words that differs whenever the moves and points that can still follow differ.  Fallback: all leaves.

    Nothing is lost here as in `key`: what is stored under these words is exact.
    """


@njit
def _every_word(rules):
    return 0


@dispatched_or(_every_word)
def packed_words(rules):
    """How many of the words of `pack` are in use, the others being zero.  Fallback: 0, all of them."""


@njit
def _least_image(rules, state):
    least = pack(rules, state)
    equal = 1
    for symmetry in range(1, symmetry_count(rules)):
        words = pack(rules, transform(rules, state, symmetry))
        if words < least:
            least = words
            equal = 1
        elif words == least:
            equal += 1
    return least, equal


@dispatched_or(_least_image)
def canonical(rules, state):
    """(the least `pack` among all images of a state under the symmetries, how many symmetries give it).  Fallback: try all."""


@njit
def _least_words(rules, state):
    return canonical(rules, state)[0]


@dispatched_or(_least_words)
def search_key(rules, state):
    """Words of the form of `pack` that are equal only for states with the same points still to be won.

    Fallback: the least image; a game may find more states alike.
    """


@njit
def _always(rules, state):
    return True


@dispatched_or(_always)
def worth_remembering(rules, state):
    """Whether a search should look a state up by its `search_key` and keep what it finds out.  Fallback: always."""


@njit
def _any_points(rules, state):
    return -32000, 32000


@dispatched_or(_any_points)
def value_bounds(rules, state):
    """The least and the most the player to move can still gain, as a difference of points.  Fallback: no bounds.

    In a game without points the gain is WIN, DRAW or LOSS.
    """


@njit
def _all_legal_moves(rules, state, buffer):
    return legal_moves(rules, state, buffer)


@dispatched_or(_all_legal_moves)
def search_moves(rules, state, buffer):
    """Write moves for `search_play` into `buffer`, most promising first; among them is one as good as any legal move.

    The game goes on in `state`.  Fallback: the legal moves.
    """


@njit
def _one_move(rules, state, move):
    return play(rules, state, move)


@dispatched_or(_one_move)
def search_play(rules, state, move):
    """The state after a move of `search_moves`, which may stand for several legal moves in a row.  Fallback: `play`."""


@njit
def _not_known(rules):
    return 0.0


@dispatched_or(_not_known)
def position_estimate(rules):
    """About how many positions there are up to symmetry (float64).  Fallback: 0, not known."""


@njit
def _no_entries(rules):
    return 0


@dispatched_or(_no_entries)
def dense_size(rules):
    """How many entries a table has in which every state has a number.  Fallback: 0, the states are not numbered."""


@njit
def _no_number(rules, state):
    return np.int64(-1)


@dispatched_or(_no_number)
def dense_index(rules, state):
    """The number of a state, from 0 to `dense_size(rules)` − 1; a move leads to a higher one.

    States with the same number have the same moves and points still to follow.
    """


@njit
def _only_start(rules, index):
    return start(rules)


@dispatched_or(_only_start)
def dense_state(rules, index):
    """A state that has this number."""


@njit
def _fill_by_playing(rules, values, begin, end):
    buffer = np.empty(move_bound(rules), np.int32)
    for index in range(end - 1, begin - 1, -1):
        state = dense_state(rules, index)
        here = margin(rules, state)
        best = np.int64(-32000)
        for place in range(legal_moves(rules, state, buffer)):
            after = play(rules, state, np.int64(buffer[place]))
            value = np.int64(margin(rules, after)) + np.int64(values[dense_index(rules, after)])
            best = max(best, (value if turn(rules, after) == turn(rules, state) else -value) - here)
        values[index] = 0 if best == -32000 else best


@dispatched_or(_fill_by_playing)
def dense_fill(rules, values, begin, end):
    """Write what the player to move can gain from here on into entries begin..end of a table whose higher ones are done.

    Fallback: play every legal move.
    """


@njit
def _no_moves_counted(rules, index):
    return 0


@dispatched_or(_no_moves_counted)
def dense_moves(rules, index):
    """How many moves have been made in the states that have this number.  Fallback: 0, not known."""

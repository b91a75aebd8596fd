"""Agents without chance play one game again and again; with random openings their games differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludometer.arena.measurements.pairs import Pairing, game_record, seed_of_game
from ludometer.arena.play.compiled_games import play_games
from ludometer.arena.play.roster import agent_named
from ludometer.arena.work.execution import StartedExecution
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game as find_game

USUAL_OPENING = 4  # random plies before the agents take over, where both of them are deterministic
_TRIALS = 4  # pairs from which it is judged where Python plays
_COMPILED_TRIALS = 16
_ROOM = 256  # moves of a game that are compared


def settle_openings(pairing: Pairing, asked: int | None, pairs: int, execution: StartedExecution) -> tuple[Pairing, tuple[str, ...]]:
    """The pairing with the openings it needs, and what to tell the user.

    `asked` is the number of random plies that somebody asked for; None: none, or USUAL_OPENING where both agents are deterministic.
    Raises LudometerError where `pairs` pairs were asked for and all would be the same.
    """
    plain = replace(pairing, opening_plies=asked or 0)
    if asked or pairs == 1 or not repetition(plain, execution):
        return plain, ()
    if asked == 0:
        raise LudometerError(
            f"{pairing.a} and {pairing.b} play the same game again and again, so {2 * pairs} games would say no more than 2; "
            f"give them random openings with --opening-plies {USUAL_OPENING}"
        )
    note = f"both agents are deterministic: games begin with {USUAL_OPENING} random plies (--opening-plies sets another number)"
    return replace(plain, opening_plies=USUAL_OPENING), (note,)


def repetition(pairing: Pairing, execution: StartedExecution) -> bool:
    """`repeats_itself` of a pairing without an opening, looked up in the store or kept there."""
    store = execution.store
    series = store.find_series(pairing.key())
    if series is not None and store.done(series, 2) == 2:  # nobody plays two pairs of a pairing that repeats itself
        return False
    answers = store.series(pairing.key() | {"unit": "repetition"})
    if not store.done(answers, 1):
        store.add(answers, 0, 1, 0.0, {"repeats": np.array([repeats_itself(pairing, execution.stop)])})
    return bool(store.arrays(answers, 1)["repeats"][0])


def repeats_itself(pairing: Pairing, stop: Stop | None = None) -> bool:
    """Whether games do not depend on chance: some pairs with different seeds are the same, move for move.

    Agents that seldom let chance decide may be taken for deterministic.
    """
    trials = _COMPILED_TRIALS if pairing.is_compiled else _TRIALS
    for turned in (0, 1):
        numbers = [2 * pair + turned for pair in range(trials)]
        if len(set(_moves(pairing, numbers[:2], stop or Stop()))) > 1:
            return False
        if len(set(_moves(pairing, numbers, stop or Stop()))) > 1:
            return False
    return True


def _moves(pairing: Pairing, numbers: list[int], stop: Stop) -> list[tuple[object, ...]]:
    """The moves of some games of one seat order, from the start of the game."""
    if not pairing.is_compiled:
        return [tuple(game_record(replace(pairing, opening_plies=0), number, stop).moves) for number in numbers]
    game = find_game(pairing.game)
    played = play_games(
        game,
        agent_named(pairing.game, pairing.a),
        agent_named(pairing.game, pairing.b),
        np.array([seed_of_game(pairing, number) for number in numbers], np.uint64),
        turned=bool(numbers[0] % 2),
        ply_limit=pairing.ply_limit,
        room=_ROOM,
        stop=stop,
    )
    if played.moves is None or len(played) < len(numbers):
        raise Stopped("the match was stopped")
    return [(*moves.tolist(), int(length)) for moves, length in zip(played.moves, played.lengths)]

"""Detection of deterministic pairings, which repeat one game unless they get random openings."""

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

USUAL_OPENING = 4  # random plies before two deterministic agents take over
_TRIALS = 4  # pairs played for the decision, by Python
_COMPILED_TRIALS = 16
_ROOM = 256  # moves of a game that are compared


def settle_openings(pairing: Pairing, asked: int | None, pairs: int, execution: StartedExecution) -> tuple[Pairing, tuple[str, ...]]:
    """The pairing with its number of opening plies, and notes for the user.

    `asked` is the requested number of random plies; None means USUAL_OPENING if both agents are deterministic, and 0 otherwise.  Raises
    LudometerError if 0 is requested for several pairs and all of them would be the same.
    """
    plain = replace(pairing, opening_plies=asked or 0)
    if asked or pairs == 1 or not repetition(plain, execution):
        return plain, ()
    if asked == 0:
        raise LudometerError(
            f"{pairing.a} and {pairing.b} play the same game again and again, so {2 * pairs} games would say no more than 2; "
            f"give them random openings, such as {USUAL_OPENING} opening plies"
        )
    note = f"both agents are deterministic: games begin with {USUAL_OPENING} random plies"
    return replace(plain, opening_plies=USUAL_OPENING), (note,)


def repetition(pairing: Pairing, execution: StartedExecution) -> bool:
    """`repeats_itself` of a pairing without an opening, cached in the store."""
    store = execution.store
    series = store.find_series(pairing.key())
    if series is not None and store.done(series, 2) == 2:  # two pairs are only played of a pairing that does not repeat itself
        return False
    answers = store.series(pairing.key() | {"unit": "repetition"})
    if not store.done(answers, 1):
        store.add(answers, 0, 1, 0.0, {"repeats": np.array([repeats_itself(pairing, execution.stop)])})
    return bool(store.arrays(answers, 1)["repeats"][0])


def repeats_itself(pairing: Pairing, stop: Stop | None = None) -> bool:
    """Whether a pairing is deterministic: its first 4 pairs (16 if compiled) have the same moves in spite of different seeds.

    Agents that rarely decide by chance may be classified as deterministic.
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

"""Games of the report's player: against random moves, itself and another project's player."""

from __future__ import annotations

import os

from ludometer.studies.agreement import Share, wilson
from ludometer.studies.entry import Measured, NotRun
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_002.player import PLAYER, QUIXO, positions_of

FRIEND = "LUDOMETER_POLITO_MCTS"  # in the environment: the file quixo/mcts.py of fgiacome/compint


def against_random(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, "random", lab.games(40, 1000))
    low, high = wilson(Share(result.score, result.games))
    text = f"{100 * result.score:.1f} % of {result.games}"
    return Measured(result.score, text, (low, high), data={"games": result.games, "wins": result.counts.wins, "draws": result.counts.draws})


def time_per_game(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, "random", lab.games(40, 1000))
    seconds = result.totals.seconds / result.games
    return Measured(seconds, f"{1000 * seconds:.3g} ms per game on one core")


def against_itself(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, f"{PLAYER},memory=2", lab.games(20, 200))
    first = result.statistics.first_player
    text = f"first player {first.wins} wins, {first.draws} draws, {first.losses} losses"
    return Measured(first.score, text, (first.interval.low, first.interval.high))


def loops(lab: Laboratory) -> Measured:
    """Two players that shuffle nothing: whether a position comes twice, after which all comes again; and the same with shuffling."""
    still = PLAYER.replace("shuffle=yes", "shuffle=no")
    found = positions_of(still, still, lab.seed, 400)
    first = next((place for place, one in enumerate(found) if one in found[:place]), None)
    shuffled = [positions_of(PLAYER, PLAYER, seed, 400) for seed in range(lab.seed, lab.seed + lab.pick(3, 20))]
    unfinished = sum(not positions[-1].is_over for positions in shuffled)
    ends = f"ends after {len(found) - 1} moves"
    text = ends if first is None else f"position {found.index(found[first])} comes again at move {first}"
    told = f"without shuffling the game {text}; with shuffling {unfinished} of {len(shuffled)} games come to the limit of 400 moves"
    lost_or_looped = first is not None or found[-1].is_over
    return Measured(lost_or_looped, told, data={"repeats": first is not None, "moves": len(found) - 1, "shuffled unfinished": unfinished})


def against_friend(lab: Laboratory) -> Measured:
    """Matches against the tree search of another project of the course, which is not part of this package."""
    path = os.environ.get(FRIEND)
    if not path:
        raise NotRun(f"needs the file quixo/mcts.py of github.com/fgiacome/compint: set {FRIEND} to its path")
    result = lab.match(QUIXO, PLAYER, f"polito:path={path},class=MctsPlayer", lab.games(4, 100))
    low, high = wilson(Share(result.score, result.games))
    return Measured(result.score, f"{100 * result.score:.0f} % of {result.games}", (low, high), data={"games": result.games})

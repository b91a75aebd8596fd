"""The window agent: moves per second on a large board, beside the choice of the study it comes from, and how strong it is.

    python benchmarks/window.py

The study's choice is `choice=random`: a random one of the best moves in the windows with the highest value.
"""

from __future__ import annotations

import time
from typing import Any

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game
from ludometer.core.agent import Agent
from ludometer.games import game

SPEC = "dots:7x7"
GAMES = 10  # against itself, for the speed
MATCH_GAMES = {"dots:5x5": 200, "dots:7x7": 100}  # for the strength; both sides move first equally often
STUDY = "window:2x2,choice=random"
CHOICES = (STUDY, "window:2x2,choice=sum", "window:2x2")
OPPONENTS = ("random", STUDY)  # the agent that moves at random, and the study's choice
TOY = {"SPEC": "dots:2x2", "GAMES": 1}


def compare(spec: str = SPEC, games: int = GAMES) -> list[dict[str, Any]]:
    """One row: moves per second of processor time by the usual choice (`ours`) and the study's (`peer`)."""
    speeds = [moves_per_second(spec, name, games) for name in ("window:2x2", STUDY)]
    return [{"name": f"window {spec}", "ours": speeds[0], "peer": speeds[1], "ratio": speeds[0] / speeds[1]}]


def moves_per_second(spec: str, name: str, games: int) -> float:
    """Games against itself."""
    player = agent(name, game(spec))
    play_game(spec, player, player)  # compiled, or loaded, before the clock runs
    since = time.process_time()
    moves = sum(len(play_game(spec, player, player, seed).moves) for seed in range(1, games + 1))
    return moves / (time.process_time() - since)


def score(spec: str, players: tuple[Agent, Agent], games: int) -> tuple[int, int, int]:
    """Wins, draws and losses of the first of these players, who moves first in every other game."""
    results = []
    for seed in range(games):
        turned = seed % 2
        outcome = play_game(spec, players[turned], players[1 - turned], seed).outcome
        assert outcome is not None, "the rules end every game"
        results.append(-outcome if turned else outcome)
    return results.count(1), results.count(0), results.count(-1)


def main() -> None:
    for row in compare():
        print(f"{row['name']}: {row['ours']:,.0f} moves/s, choice=random {row['peer']:,.0f} moves/s")
    for spec, games in MATCH_GAMES.items():
        for name, opponent in ((name, opponent) for name in CHOICES for opponent in OPPONENTS if name != opponent):
            wins, draws, losses = score(spec, (agent(name, game(spec)), agent(opponent, game(spec))), games)
            print(f"{spec}: {name} against {opponent}: +{wins} ={draws} -{losses}")


if __name__ == "__main__":
    main()

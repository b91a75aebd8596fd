"""The process in which OpenSpiel's bots think; started by `openspiel` as a script, it imports nothing of this package.

Lines of JSON come in on standard input and go out on standard output.  The first one gives the game and the bot's settings and has no
answer; each further one asks for a move.

    {"game": "tic_tac_toe()", "bot": "mcts", "simulations": 1000, "c": 1.4, "rollouts": 1, "solve": true, "memory": 1000}
    {"actions": [4, 0], "count": 1, "seed": 12}    -> {"actions": [8]}          the next actions after those made so far
    a bot that has no move                         -> {"refused": "one line"}
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pyspiel


def make_bot(theirs: Any, settings: dict[str, Any], player: int, seed: int) -> Any:
    """The bot for one move."""
    if settings["bot"] == "mcts":
        evaluator = pyspiel.RandomRolloutEvaluator(settings["rollouts"], seed)
        policy = pyspiel.ChildSelectionPolicy.UCT
        limits = settings["simulations"], settings["memory"], settings["solve"]
        return pyspiel.MCTSBot(theirs, evaluator, settings["c"], *limits, seed, False, policy)
    if settings["bot"] == "uniform_random":
        return pyspiel.make_uniform_random_bot(player, seed)
    return pyspiel.load_bot(settings["bot"], theirs, player)


def actions_after(theirs: Any, settings: dict[str, Any], request: dict[str, Any]) -> list[int]:
    """The actions a bot makes where these ones lead; raises SpielError if it makes none."""
    state = theirs.new_initial_state()
    for action in request["actions"]:
        state.apply_action_with_legality_check(action)
    bot = make_bot(theirs, settings, state.current_player(), request["seed"])
    made = []
    for _ in range(request["count"]):
        made.append(int(bot.step(state)))
        state.apply_action_with_legality_check(made[-1])
    return made


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what OpenSpiel prints is no answer
    settings = json.loads(sys.stdin.readline())
    theirs = pyspiel.load_game(settings["game"])
    for line in sys.stdin:
        try:
            answer: dict[str, Any] = {"actions": actions_after(theirs, settings, json.loads(line))}
        except pyspiel.SpielError as error:
            answer = {"refused": " ".join(str(error).split())[:200]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()

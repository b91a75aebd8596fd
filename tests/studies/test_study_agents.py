"""The programs of the studies as agents: frozen decisions, listing, limits on untrusted specs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludometer.agents import agent
from ludometer.core.random import stream
from ludometer.games import game
from tests.agents.test_frozen import rounded
from tests.freezing import frozen

# Agents by game.  `{}` is the budget of the programs that have one.
MCTS = "study000:mcts:40"
PLAIN_MCTS = f"{MCTS},statistics=nodes,enter=one,doubled=no,ties=first,untried=never,horizon=0"
QLEARNING = "study000:qlearning:12"
LEARNING_AS_PUBLIC = f"{QLEARNING},alpha=0.05,divided=no,target=legal,discounted=no,longest=0,overlong=learnt,anew=no,kinds=no"
THIRD_WEEK = "study003:alphabeta"
CASES = {
    "mcts": (
        ("quixo:3", "tictactoe", "dots:1x2"),
        (
            MCTS,
            f"{MCTS},reuse",
            f"{MCTS},reuse,statistics=nodes",
            f"{MCTS},statistics=states",
            f"{MCTS},enter=one",
            f"{MCTS},doubled=no",
            f"{MCTS},ties=first",
            f"{MCTS},untried=never",
            f"{MCTS},horizon=0",
            f"{MCTS},horizon=5,c=0.7,choice=visits",
            f"{PLAIN_MCTS.replace('nodes', 'boards')}",
            f"{PLAIN_MCTS.replace('nodes', 'states')},memory=1",
            f"{PLAIN_MCTS.replace('ties=first', 'ties=random')}",
            "study000:mcts:0",
        ),
    ),
    "qlearning": (
        ("quixo:3", "quixo:2"),
        (
            QLEARNING,
            f"{QLEARNING},seed=5,epsilon=0.2,alpha=0.3,decay=0.01,gamma=0.9",
            f"{QLEARNING},anew=no",
            f"{QLEARNING},anew=no,kinds=no,longest=5",
            f"{QLEARNING},anew=no,divided=no,alpha=0.05,discounted=no",
            LEARNING_AS_PUBLIC.replace("kinds=no", "kinds"),
            LEARNING_AS_PUBLIC.replace("target=legal", "target=all"),
            LEARNING_AS_PUBLIC.replace("longest=0,overlong=learnt", "longest=5,overlong=again"),
            LEARNING_AS_PUBLIC.replace("anew=no", "anew,seed=3"),
        ),
    ),
    "alphabeta": (
        ("tictactoe", "quixo:3", "dots:2x2"),
        (
            "study001:alphabeta:5,order=none,early=no,memory=50,cache=exact,replace=lru",
            "study001:alphabeta:5,memory=60,replace=lru",
            "study001:alphabeta:5,order=none,early=no,cache=exact,replace=keep,symmetry=lookup",
            "study001:alphabeta:4,symmetry=lookup,order=history",
            "study001:alphabeta:5,shuffle=no,order=history,keys=anew",
            "study001:alphabeta:nodes=300,keys=anew,replace=lru,symmetry=lookup,memory=40",
            "study002:alphabeta:4,shuffle=yes,early=no,cache=none",
            "study002:alphabeta:4,order=reversed",
            f"{THIRD_WEEK}:5,cache=none",
            f"{THIRD_WEEK}:5",
            f"{THIRD_WEEK}:5,keys=anew",
        ),
    ),
    "variable": (("quixo:5",), ("study002:alphabeta:variable=losing,shuffle=yes,early=no,cache=none",)),
    "ultimate": (
        ("ultimate",),
        (
            "study001:alphabeta:nodes=200,order=none,early=no,memory=100,cache=exact,replace=lru",
            "study001:alphabeta:nodes=200,order=none,early=no,cache=exact,replace=keep,symmetry=lookup",
        ),
    ),
}


def game_lines(spec: str, text: str) -> list[str]:
    """What an agent decides in a game against the opponent who makes the first move of the list."""
    position = game(spec).start()
    player = agent(text, position.game).player(position, position.player)
    lines: list[str] = []
    side = position.player
    while not position.is_over and len(lines) < 4:
        if position.player == side:
            decision = player.choose(position, stream(11, len(lines)))
            said: Any = json.dumps(rounded(dict(decision.report)), default=str)
            lines.append(f"{position.move_text(decision.move)} {rounded(decision.value)} {said}")
            move = decision.move
        else:
            move = position.legal[0]
        position = position.play(move)
        player.observe(move, position)
    return lines


@pytest.mark.parametrize("name", CASES)
def test_decisions(name: str) -> None:
    """Moves, values and reports through the first moves of a game, to the digit."""
    games, specs = CASES[name]
    lines = []
    for spec in games:
        for number, text in enumerate(specs):
            lines += [f"{spec} case {number}:", *game_lines(spec, text)]
    frozen(f"studies-{name}.txt", "\n".join(lines))

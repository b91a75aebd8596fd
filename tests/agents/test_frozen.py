"""What agents take and what they decide, frozen: a change of how they think shows here, whether it was meant or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludometer.agents import agent, kinds
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.games import game
from tests.freezing import frozen

# Small games, and in each some positions: its start, and what a few first moves in the list lead to.
GAMES = {"quixo:3": (0, 3, 6), "tictactoe": (0, 3, 5), "dots:2x2": (0, 5, 8)}
AGENTS = (
    "random",
    "mcts:60",
    "mcts:60,study=textbook",
    "mcts:40,threads=2,c=0.7",
    "mcts:20,playouts=3,score=margin",
    "alphabeta:3",
    "alphabeta:nodes=200",
    "alphabeta:3,order=history,cache=bounds,symmetry=canonical",
    "alphabeta:2,beam=2,early=no",
    "minimax:2",
    "minimax:rounds=1,shuffle=no",
    "expectimax:2",
    "optimal",
    "optimal:steps",
    "optimal:blunder=0.5",
    "optimal:trap",
    "uct:1",
    "uct:16",
    "uct:200",
    "window:1x2",
    "window:2x2,choice=sum",
    "qlearning:40",
    "qlearning:40,learner=tabular,update=game",
)


def test_what_is_said_of_agents() -> None:
    lines = []
    for kind in kinds().values():
        lines += ["", f"{kind.name}: {kind.title}; main option {kind.main}"]
        for one in kind.options:
            bounds = f"least {one.least}, most {one.most}, outside {one.outside}, choices {one.choices}, file {one.file}"
            lines.append(f"  {one.name}: default {one.default!r}, {bounds}; {one.help}")
    frozen("agents.txt", "\n".join(lines))


def rounded(value: Any) -> Any:
    """Without times; numbers with six digits."""
    if isinstance(value, dict):
        return {str(name): rounded(one) for name, one in value.items() if "second" not in str(name)}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return value.item() if hasattr(value, "item") else value


@pytest.mark.parametrize("spec", GAMES)
def test_decisions(spec: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move, value and report of every agent at the same positions with the same keys."""
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    chosen = game(spec)
    positions = []
    for count in GAMES[spec]:
        position = chosen.start()
        for number in range(count):
            position = position.play(position.legal[(3 * number) % len(position.legal)])
        positions.append(position)
    lines = [f"{number}: {position}" for number, position in enumerate(positions)]
    for text in AGENTS:
        if kinds()[text.partition(":")[0]].refuses(chosen) is not None:
            continue
        try:
            player = agent(text, chosen)
        except LudometerError as error:
            lines.append(f"{text}: {error}")
            continue
        for number, position in enumerate(positions):
            decision = player.choose(position, stream(7, number))
            said = json.dumps(rounded(dict(decision.report)), default=str)
            lines.append(f"{player} at {number}: {position.move_text(decision.move)} {rounded(decision.value)} {said}")
    frozen(f"decisions-{spec.replace(':', '-')}.txt", "\n".join(lines), 1e-6)

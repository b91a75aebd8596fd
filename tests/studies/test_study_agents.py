"""The programs of the studies as agents: frozen decisions, listing, limits on untrusted specs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludometer.agents import agent, canonical_spec, kind, kinds, kinds_of, study_kinds
from ludometer.arena.play.compiled_games import game_seeds, play_games
from ludometer.arena.play.playing import play_game
from ludometer.arena.play.roster import agent_named, enter
from ludometer.core.errors import SpecError
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.studies import studies
from ludometer.web import untrusted
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


SMALL = {
    "study000:mcts": "study000:mcts:30",
    "study000:qlearning": "study000:qlearning:10",
    "study001:alphabeta": "study001:alphabeta:2,memory=20,replace=lru",
    "study002:alphabeta": "study002:alphabeta:2",
    "study003:alphabeta": "study003:alphabeta:2",
}


def test_they_are_found_by_name_and_by_study() -> None:
    assert list(study_kinds()) == list(SMALL) and not study_kinds().keys() & kinds().keys()
    assert {name.partition(":")[0].removeprefix("study") for name in study_kinds()} <= set(studies())
    assert [one.name for one in kinds_of("study000")] == ["study000:mcts", "study000:qlearning"]
    assert kinds_of("study002:alphabeta") == [kind(" STUDY002:AlphaBeta ")] and kinds_of() == list(kinds().values())
    refused = {"study000:mtcs:5": "did you mean study000:mcts", "study009:mcts": "no agent is called", "study000": "study000:mcts"}
    for wrong, message in refused.items():
        with pytest.raises(SpecError, match=message) as refusal:
            agent(wrong, "quixo:3")
        assert "\n" not in str(refusal.value)


def test_listing_them_needs_no_compiler() -> None:
    script = "import sys; from ludometer.agents import study_kinds; print(len(study_kinds()), 'numba' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == [str(len(SMALL)), "False"]


@pytest.mark.parametrize("name", SMALL)
def test_their_specs_are_canonical_and_their_options_explained(name: str) -> None:
    found, quixo = kind(name), game("quixo:3")
    assert found.title and found.main in [option.name for option in found.options]
    assert all(option.help and "\n" not in option.help for option in found.options)
    said = ",".join(f"{option.name}={option.format(option.default)}" for option in found.options if option.default != "")
    assert canonical_spec(f" {name.upper()}:{said} ", quixo) == canonical_spec(name, quixo) == name
    assert enter(quixo, SMALL[name]) == SMALL[name] == agent_named("quixo:3", SMALL[name]).spec


@pytest.mark.parametrize(
    "spec",
    ["study000:mcts:100001", "study000:mcts:memory=513", "study000:mcts:time=11", "study000:qlearning:1001", "study001:alphabeta:7"]
    + ["study000:qlearning:longest=1001", "study002:alphabeta:rounds=4", "study003:alphabeta:memory=4000001"],
)
def test_budgets_from_outside_are_bounded(spec: str) -> None:
    quixo = game("quixo:3")
    assert canonical_spec(spec, quixo) == spec
    with pytest.raises(SpecError, match="is at most .* from outside"):
        untrusted.agent_spec(spec, quixo)


@pytest.mark.parametrize("spec", SMALL.values())
def test_compiled_games_are_the_same_games(spec: str) -> None:
    chosen = game("quixo:3")
    subject, opponent = agent(spec, chosen), agent("random", chosen)
    seeds = game_seeds(1, 0, 2)
    games = play_games(chosen, subject, opponent, seeds, ply_limit=40, room=40)
    assert games.moves is not None
    for number, seed in enumerate(seeds):
        record = play_game(chosen, subject, opponent, seed=int(seed), ply_limit=40)
        position = chosen.start()
        for move in games.moves[number, : games.lengths[number]]:
            position = position.play(int(move))
        assert position == record.positions[-1] and games.lengths[number] == len(record.moves)


def print_decisions() -> None:
    """The first moves of all agents, as another process makes them."""
    start = game("quixo:3").start()
    print(json.dumps([agent(spec, start.game).choose(start, stream(3)).move for spec in SMALL.values()]))


def test_another_process_decides_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-c", "from tests.studies.test_study_agents import print_decisions; print_decisions()"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, cwd=Path(__file__).parents[2])
    print_decisions()
    assert json.loads(answer.stdout) == json.loads(capsys.readouterr().out)

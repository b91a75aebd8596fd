"""The Q-learning of study 000: the same weights as the slow twin's, and training before every game."""

from __future__ import annotations

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.qlearning import NOISE
from ludometer.arena.play.compiled_games import game_seeds, play_games
from ludometer.arena.play.playing import play_game
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.random import stream, substream
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from ludometer.studies.study_000.agents import QLEARNING
from ludometer.studies.study_000.learner import LearnerOptions
from tests.agents import naive_qlearning
from tests.agents.test_qlearning import QUIXO, random_move, random_state

USUAL = {"divided": "no", "target": "legal", "discounted": "no", "longest": "0", "overlong": "learnt", "kinds": "no"}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"divided": "yes", "alpha": "0.5"},
        {"target": "all"},
        {"discounted": "yes", "gamma": "0.9"},
        {"longest": "5", "overlong": "again", "epsilon": "0.1"},
        {"kinds": "yes"},
        {"kinds": "yes", "target": "all"},
        dict.fromkeys(()) | {name: QLEARNING.option(name).format(QLEARNING.option(name).default) for name in USUAL},
    ],
)
def test_the_weights_are_the_twins(changed: dict[str, str]) -> None:
    said = {"alpha": "0.05", **USUAL, **changed, "anew": "no"}
    text = ",".join(f"{name}={value}" for name, value in said.items())
    options = LearnerOptions(**QLEARNING.parse_options(f"12,{text}"))
    twin = naive_qlearning.Linear(options.memory(QUIXO).weights, naive_qlearning.quixo_features, False, options.divided)

    def begin(words: np.uint64) -> object:
        return random_state(QUIXO, substream(words, np.uint64(1)))

    longest = options.longest or QUIXO.kind.ply_limit
    naive_qlearning.train(twin, begin, stream(0, "training"), 12, options, 0.0, random_move, longest)
    weights = agent(f"study000:qlearning:12,{text}", QUIXO).compiled_player().weights
    assert weights * (twin.weights.shape[1] if options.divided else 1) == pytest.approx(twin.weights, rel=1e-6, abs=1e-9)
    assert np.abs(twin.weights).max() > 100 * NOISE


def test_a_game_without_features_is_refused() -> None:
    with pytest.raises(SpecError, match="it needs features of the game"):
        agent("study000:qlearning:10", game("tictactoe"))


def test_a_player_trained_anew_knows_something_else_in_every_game():
    subject = agent("study000:qlearning:60", QUIXO)
    position = QUIXO.start()
    players = [subject.player(position) for _ in range(3)]
    decisions = [player.choose(position, stream(seed)) for player, seed in zip(players, (1, 1, 2))]
    qualities = [decision.report["quality"] for decision in decisions]
    assert qualities[0] == qualities[1] != qualities[2]
    weights = players[0].learner.memory.weights.copy()
    here = position.play(decisions[0].move)
    players[0].observe(decisions[0].move, here)
    players[0].choose(here, stream(7))
    assert (players[0].learner.memory.weights == weights).all(), "it learns once a game"
    assert agent("study000:qlearning:60,seed=5", QUIXO).choose(position, stream(1)).report["quality"] != qualities[0]


def test_games_of_players_trained_anew_are_the_same_when_compiled():
    opponent = agent("random", QUIXO)
    for options in ("kinds", "kinds=no,target=legal"):
        subject = agent(f"study000:qlearning:30,{options}", QUIXO)
        seeds = game_seeds(1, 0, 4)
        games = play_games(QUIXO, subject, opponent, seeds, ply_limit=60, room=60)
        for number, seed in enumerate(seeds):
            record = play_game(QUIXO, subject, opponent, seed=int(seed), ply_limit=60)
            position = QUIXO.start()
            for move in games.moves[number, : games.lengths[number]]:
                position = position.play(int(move))
            assert position == record.positions[-1] and games.lengths[number] == len(record.moves)


def test_training_anew_is_stopped_and_diverges_with_a_message():
    asked = Stop()
    asked.ask()
    with pytest.raises(Stopped):
        agent("study000:qlearning:1000000", QUIXO).player().choose(QUIXO.start(), stream(1), asked)
    diverging = agent("study000:qlearning:3000,divided=no,alpha=5,target=legal,overlong=learnt", QUIXO)
    with pytest.raises(LudometerError, match="diverged"):
        diverging.choose(QUIXO.start(), stream(1))
    with pytest.raises(LudometerError, match="diverged"):
        play_games(QUIXO, diverging, agent("random", QUIXO), game_seeds(1, 0, 1))

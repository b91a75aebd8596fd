"""Compiled games are the games that `play_game` plays, move for move: every game and every agent with a compiled player."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludometer.agents import agent, kinds
from ludometer.arena.play.compiled_games import (
    PlayedGames,
    game_seed,
    game_seeds,
    play_games,
    position_of,
    random_openings,
    rows_of,
)
from ludometer.arena.play.playing import play_game
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.games import kinds as game_kinds
from ludometer.solvers.solution import OutsideTable

# Small members of every game, and specs of every agent with a compiled player that its options change most.
SMALL = {"quixo": "quixo:3", "mnk": "mnk:3,4,3", "dots": "dots:2x2", "ultimate": "ultimate", "matrix": "matrix:sexes"}
AGENTS = {
    "random": ("random",),
    "minimax": ("minimax:2,cache=exact,shuffle=yes",),
    "alphabeta": ("alphabeta:nodes=300,order=history", "alphabeta:variable=yes"),
    "expectimax": ("expectimax:2",),
    "uct": ("uct:20",),
    "mcts": ("mcts:40", "mcts:30,study=textbook", "mcts:0"),
    "qlearning": ("qlearning:30", "qlearning:30,learner=tabular"),
    "window": ("window:1x2", "window:2x2,choice=random"),
    "optimal": ("optimal", "optimal:steps", "optimal:blunder=0.3", "optimal:trap,victim=4"),
}
# Every agent plays the games in SMALL, which differ in all that the compiled loop can notice; the further games meet chance alone.
PAIRS = [(spec, name) for spec in SMALL.values() for name in AGENTS]
PAIRS += [(kind.listed[0], "random") for kind in game_kinds().values() if kind.name not in SMALL]
ROOM = 450


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOMETER_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def fitting(chosen: Game, name: str) -> list[Agent]:
    """The agents of this kind that can play the game."""
    found = []
    for spec in AGENTS[name]:
        try:
            found.append(agent(spec, chosen))
        except LudometerError:
            continue
    return found


def assert_same_games(played: PlayedGames, chosen: Game, agents: tuple[Agent, Agent], seeds: np.ndarray, starts: list[Position]) -> None:
    assert len(played) == len(seeds) and played.moves is not None
    for number, seed in enumerate(seeds):
        begin = starts[number % len(starts)]
        record = play_game(chosen, *agents, seed=int(seed), start=begin)
        position, moves = begin, []
        for move in played.moves[number][: played.lengths[number]]:
            moves.append(position.move_text(int(move)))
            position = position.play(int(move))
        assert tuple(moves) == record.moves, f"{chosen.spec} {agents[0]} {agents[1]} seed {seed}"
        assert (played.moves[number][played.lengths[number] :] == -1).all()
        if not chosen.kind.simultaneous:
            assert played.results[number] == (record.outcome if position.is_over else 0)
        assert played.margins[number] == (position.margin if position.player == 0 else -position.margin)


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_compiled_games_are_the_games_of_python(spec: str, name: str) -> None:
    """In both seats, against a player who leads it everywhere; the agents of one kind share a compiled function."""
    chosen = game(spec)
    opponent = agent("random", chosen)
    players = fitting(chosen, name)
    if not players:
        pytest.skip(f"{name} does not play {spec}")
    for number, player in enumerate(players):
        seeds = game_seeds(number, 0, 3)
        for turned in (False, True):
            played = play_games(chosen, player, opponent, seeds, turned=turned, room=ROOM)
            assert_same_games(played, chosen, (opponent, player) if turned else (player, opponent), seeds, [chosen.start()])


def test_every_kind_with_a_mind_is_compared() -> None:
    """A new agent with a compiled player has to be entered above."""
    chosen = game("dots:2x2")
    for name, kind in kinds().items():
        if name in ("human", "polito", "engine", "level") or kind.refuses(chosen):
            continue
        assert name in AGENTS or agent(name, chosen).compiled_player() is None, name


@pytest.mark.parametrize("spec", ["quixo:3", "dots:2x2"])
def test_two_thinking_players(spec: str) -> None:
    chosen = game(spec)
    first, second = agent("mcts:40", chosen), agent("alphabeta:2", chosen)
    seeds = game_seeds(5, 0, 4)
    assert_same_games(play_games(chosen, first, second, seeds, room=ROOM), chosen, (first, second), seeds, [chosen.start()])


def test_openings() -> None:
    """Given states, random openings, and a ply limit."""
    chosen = game("dots:2x2")
    player = agent("mcts:40", chosen)
    seeds = game_seeds(1, 10, 16)
    rows = random_openings(chosen, 1, 10, 16, 4)
    starts = [position_of(chosen, row) for row in rows]
    assert len({str(start) for start in starts}) > 3
    assert (rows_of(starts) == rows).all()
    assert all(len(start.legal) == 12 - 4 for start in starts)
    assert_same_games(play_games(chosen, player, player, seeds, starts=rows, room=ROOM), chosen, (player, player), seeds, starts)
    assert (random_openings(chosen, 1, 12, 14, 4) == rows[2:4]).all()
    short = random_openings(game("quixo:2"), 1, 0, 50, 9)
    assert not any(position_of(game("quixo:2"), row).is_over for row in short)


def test_a_ply_limit_draws() -> None:
    """Nobody completes a line of three with two moves."""
    chosen = game("quixo:3")
    player = agent("mcts:20", chosen)
    seeds = game_seeds(2, 0, 6)
    played = play_games(chosen, player, player, seeds, ply_limit=4, room=ROOM)
    assert played.lengths.tolist() == [4] * 6 and played.results.tolist() == [0] * 6 and played.moves is not None
    for number, seed in enumerate(seeds):
        record = play_game(chosen, player, player, seed=int(seed), ply_limit=4)
        position = chosen.start()
        for move, text in zip(played.moves[number], record.moves, strict=False):
            assert position.move_text(int(move)) == text
            position = position.play(int(move))
        assert record.result == "1/2-1/2" and len(record.moves) == 4
    none = play_games(chosen, player, player, seeds, ply_limit=0, room=ROOM)
    assert none.lengths.tolist() == [0] * 6 and none.results.tolist() == [0] * 6, "no move at all is a limit too"
    assert play_game(chosen, player, player, ply_limit=0).moves == ()


def test_seeds_are_those_of_single_games_and_portions_do_not_matter() -> None:
    assert game_seeds(7, 3, 6).tolist() == [game_seed(7, number) for number in (3, 4, 5)]
    assert game_seed(7, 3) < 2**53 and game_seed(7, 3) != game_seed(8, 3)
    chosen = game("quixo:5")
    player, other = agent("random", chosen), agent("mcts:3", chosen)
    whole = play_games(chosen, player, other, game_seeds(1, 0, 40))

    def portion(begin: int) -> PlayedGames:
        return play_games(chosen, player, other, game_seeds(1, begin, begin + 10))

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(portion, range(0, 40, 10)))
    for name in ("results", "margins", "lengths"):
        assert (np.concatenate([getattr(part, name) for part in parts]) == getattr(whole, name)).all()
    assert len(set(whole.results.tolist())) == 2 and whole.seconds is None and whole.moves is None


def test_the_time_of_each_side() -> None:
    """A player with 20 ms for a move thinks so long at least, however busy the machine is; both together no longer than it all takes."""
    chosen = game("tictactoe")
    quick, slow = agent("random", chosen), agent("mcts:time=0.022", chosen)
    for turned, column in ((False, 1), (True, 0)):
        since = time.perf_counter()
        played = play_games(chosen, quick, slow, game_seeds(1, 0, 3), timed=True, turned=turned, ply_limit=4)
        elapsed = time.perf_counter() - since
        assert played.seconds is not None and played.seconds.shape == (3, 2) and (played.turns == 2).all()
        assert (played.seconds[:, column] >= 2 * 0.02).all() and (played.seconds >= 0).all() and played.seconds.sum() <= elapsed
    assert play_games(chosen, quick, slow, game_seeds(1, 0, 1), ply_limit=1).seconds is None


def test_games_can_be_stopped() -> None:
    chosen = game("tictactoe")
    stop = Stop()
    stop.ask()
    assert len(play_games(chosen, agent("random", chosen), agent("mcts:100", chosen), game_seeds(1, 0, 5), stop=stop)) == 0


def test_agents_without_a_mind_and_wrong_starts_are_refused() -> None:
    chosen = game("tictactoe")
    player, several = agent("random", chosen), agent("mcts:20,threads=2", chosen)
    assert player.compiled_player() is not None and several.compiled_player() is None
    with pytest.raises(LudometerError, match="has no compiled form"):
        play_games(chosen, player, several, game_seeds(1, 0, 2))
    with pytest.raises(LudometerError, match="not at 2"):
        play_games(chosen, player, player, game_seeds(1, 0, 3), starts=rows_of([chosen.start()] * 2))


def test_an_agent_without_an_answer_says_so_of_the_game_it_was_in() -> None:
    """The second game begins where the table has no answer, the first and the third at the start."""
    chosen = game("tictactoe")
    perfect, other = agent("optimal", chosen), agent("random", chosen)
    outside = chosen.position("XX./.../... x")
    starts = rows_of([chosen.start(), outside, chosen.start()])
    for turned in (False, True):
        with pytest.raises(OutsideTable, match="cannot be reached") as told:
            play_games(chosen, perfect, other, game_seeds(1, 0, 3), starts=starts, turned=turned)
        assert (f"the position {outside} " in str(told.value)) == (not turned), "who moves second is asked one move later"
    with pytest.raises(OutsideTable, match="cannot be reached"):
        play_games(chosen, perfect, other, game_seeds(1, 0, 3), starts=rows_of([outside]))

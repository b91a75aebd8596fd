"""Search trees of a whole game: the searches of the game itself, and nothing else."""

from __future__ import annotations

import pytest

from ludometer.agents import agent
from ludometer.arena.play.game_trees import game_trees, searches
from ludometer.arena.play.playing import play_game
from ludometer.arena.play.turn_reports import play_with_reports
from ludometer.core.errors import LudometerError
from ludometer.games import game


def test_each_search_is_the_one_of_the_game() -> None:
    """Also with a table that remembers earlier turns: the same numbers of positions, turn by turn."""
    chosen = game("tictactoe")
    players = agent("alphabeta:9", chosen), agent("minimax:4,cache=exact", chosen)
    table = play_with_reports(chosen, *players, seed=4)
    trees = dict(game_trees(table.record, *players))
    assert list(trees) == list(range(1, len(table.rows) + 1))
    assert [tree.nodes for tree in trees.values()] == table.column("nodes")
    assert [str(tree.position) for tree in trees.values()] == [str(position) for position in table.record.positions[:-1]]


def test_other_agents_have_no_trees() -> None:
    chosen = game("tictactoe")
    players = agent("random", chosen), agent("alphabeta:3", chosen)
    record = play_game(chosen, *players, seed=2)
    assert [turn for turn, _ in game_trees(record, *players)] == list(range(2, len(record.moves) + 1, 2))
    assert searches(*players) and not searches(players[0], players[0])


def test_a_search_that_comes_out_otherwise_is_refused() -> None:
    chosen = game("tictactoe")
    record = play_game(chosen, "random", "random", seed=1)
    players = agent("alphabeta:9", chosen), agent("alphabeta:9", chosen)
    with pytest.raises(LudometerError, match="finds another move than in the game"):
        list(game_trees(record, *players))

"""Monte Carlo tree search with its statistics in a table, as the program of the Quixo study kept them."""

import itertools
import math

import numpy as np
import pytest
from numba import njit

from ludometer.agents import agent
from ludometer.arena.experiments.families import Family
from ludometer.arena.play.compiled_games import game_seeds, play_games
from ludometer.arena.play.playing import play_game
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.studies.study_000.agents import MCTS as AGENT
from ludometer.studies.study_000.board_search_kernels import INVERSE_ROOTS, LOGARITHMS
from tests.studies.naive_board_search import TableSearch

STUDY = {"statistics": "boards", "enter": "all", "doubled": "yes", "ties": "random", "untried": "half", "horizon": 1000}
PLAIN = {"statistics": "nodes", "enter": "one", "doubled": "no", "ties": "first", "untried": "never", "horizon": 0}


def twin_of(settings):
    return TableSearch(**{**settings, "doubled": settings["doubled"] == "yes", "horizon": settings["horizon"] or 10_000})


def written(iterations, settings):
    return f"study000:mcts:{iterations}," + ",".join(f"{name}={value}" for name, value in settings.items())


def check(chosen, text, iterations, settings, seed):
    position = game(chosen).position(text)
    key = stream(seed)
    twin = twin_of(settings)
    twin.run(position, stream(int(key), 0), iterations)
    decision = agent(written(iterations, settings), position.game).player(position).choose(position, key)
    assert decision.report["visits"] == twin.visits(position)
    assert decision.report["values"] == pytest.approx(twin.values(position))
    assert decision.report["nodes"] == len(twin.passes)
    assert decision.move in twin.best(position)
    assert decision.value == pytest.approx(twin.values(position).get(decision.move, 0.5))


@pytest.mark.parametrize("text, iterations", [("start", 60), ("XO./.X./.O. o", 200), ("X.O/OX./..O x", 1), ("X.O/OX./..O x", 9)])
def test_the_study_is_the_twins(text, iterations):
    for seed in (1, 2):
        check("quixo:3", text, iterations, STUDY, seed)


@pytest.mark.parametrize("name", STUDY)
def test_each_difference_alone_is_the_twins(name):
    """One step away from the study's settings, and the other options as in a tree but for this one."""
    for settings in ({**STUDY, name: PLAIN[name]}, {**PLAIN, name: STUDY[name]}):
        check("quixo:3", "start", 60, settings, 3)
        check("tictactoe", "X../.O./... x", 120, settings, 4)


@pytest.mark.parametrize("statistics", ["states", "nodes"])
def test_a_player_who_moves_again_keeps_the_points(statistics):
    check("dots:1x2", "start", 150, {**STUDY, "statistics": statistics}, 5)


def test_short_horizons_end_in_draws():
    position = game("quixo:3").start()
    check("quixo:3", "start", 40, {**STUDY, "horizon": 4}, 1)
    report = agent("study000:mcts:300,horizon=2", position.game).choose(position, stream(1)).report
    assert set(report["values"].values()) == {0.5}, "one move wins nothing"
    assert report["positions"] == 300


def test_without_a_horizon_iterations_end_with_the_game():
    position = game("quixo:3").start()
    for options, ends in (("horizon=0", True), ("horizon=1000", False)):
        player = agent(f"study000:mcts:300,{options}", position.game).player(position, 0, 3)
        report = player.choose(position, stream(1)).report
        assert (set(report["values"].values()) == {0.5}) == ends


def test_a_kept_table_is_of_use():
    """With `reuse` the statistics of the game so far stay; without, every search is new."""
    position = game("quixo:3").start()
    for options, kept in (("reuse=no", False), ("reuse", True), ("reuse,statistics=nodes", True)):
        player = agent(f"study000:mcts:300,{options}", position.game).player(position)
        first = player.choose(position, stream(1))
        here = position
        for move in (first.move, position.play(first.move).legal[0]):
            here = here.play(move)
            player.observe(move, here)
        second = player.choose(here, stream(2)).report
        fresh = agent(f"study000:mcts:300,{options}", position.game).player(here).choose(here, stream(2)).report
        assert (second["visits"] != fresh["visits"]) == kept and second["iterations"] == 300
        assert (second["nodes"] > fresh["nodes"]) == kept


def test_compiled_games_are_the_same_games():
    chosen = game("quixo:3")
    seeds = game_seeds(1, 0, 3)
    for options in ("reuse=no", "reuse,statistics=nodes"):
        subject, opponent = agent(f"study000:mcts:40,{options}", chosen), agent("random", chosen)
        games = play_games(chosen, subject, opponent, seeds, ply_limit=60, room=60)
        for number, seed in enumerate(seeds):
            position = chosen.start()
            record = play_game(chosen, subject, opponent, seed=int(seed), ply_limit=60)
            for move in games.moves[number, : games.lengths[number]]:
                position = position.play(int(move))
            assert position == record.positions[-1] and games.lengths[number] == len(record.moves)


def test_no_iterations_are_random_moves():
    position = game("quixo:4").start()
    for number in range(20):
        decision = agent("study000:mcts:0", position.game).choose(position, stream(number))
        assert decision.move == agent("random", position.game).choose(position, stream(number)).move and decision.value is None


def test_a_full_table_enters_no_more():
    position = game("mnk:15,15,5").start()
    player = agent("study000:mcts:2000,memory=1", position.game).player(position)
    report = player.choose(position, stream(1)).report
    table = player.searches[0].table
    assert report["iterations"] == 2000 and table.use[0]["entries"] <= len(table.entries) < 2000 * 50
    assert report["nodes"] <= len(table.entries) and sum(report["visits"].values()) > 0


def test_it_can_be_stopped_and_timed():
    position = game("quixo:4").start()
    asked = Stop()
    asked.ask()
    report = agent("study000:mcts:1000000000,memory=64", position.game).player(position).choose(position, stream(1), asked).report
    assert 1 <= report["iterations"] <= 16
    report = agent("study000:mcts:time=0.02,memory=64", position.game).choose(position, stream(1)).report
    assert 1 <= report["iterations"] < 2**31 - 2


def test_specs_say_only_what_differs_from_the_study():
    spec = AGENT.spec(AGENT.parse_options("500"))
    assert spec == "study000:mcts:500"
    said = ",".join(f"{name}={value}" for name, value in STUDY.items())
    assert AGENT.spec(AGENT.parse_options(f"500,c=1.4142135623730951,choice=value,reuse=no,{said}")) == spec
    assert AGENT.spec(AGENT.parse_options("ties=first,500")) == "study000:mcts:500,ties=first"
    assert Family.of("study000:mcts").rung(100) == "study000:mcts:100"
    assert Family.of("study000:mcts:horizon,reuse").spec == "study000:mcts:horizon,reuse"


@pytest.mark.parametrize(
    "seed, visits, nodes, positions",
    [
        (1, [41, 30, 30, 41, 340, 40, 41, 43, 34, 41, 3186, 40, 47, 68, 26, 34, 34, 47], 4376, 20177),
        (2, [45, 22, 32, 40, 360, 43, 45, 41, 30, 40, 3121, 43, 47, 107, 36, 34, 30, 47], 4437, 20151),
    ],
)
def test_a_long_search_stays_as_it_was(seed, visits, nodes, positions):
    """As counted before places, entries and logarithms were kept in another way: speed changes no move."""
    position = game("quixo:3").position("XO./.X./.O. o")
    report = agent("study000:mcts:4000", position.game).choose(position, stream(seed)).report
    assert list(report["visits"].values()) == visits
    assert (report["nodes"], report["positions"]) == (nodes, positions)


def test_numbers_looked_up_are_those_calculated():
    """To the last bit: whether they are looked up decides no move."""

    @njit
    def calculated(number):
        return 1.0 / math.sqrt(number), math.log(np.float64(number))

    for number in range(1, 2048):
        assert (INVERSE_ROOTS[number], LOGARITHMS[number]) == calculated(number)


def test_each_difference_changes_the_search():
    position = game("quixo:3").position("XO./.X./.O. o")
    base = agent("study000:mcts:600", position.game).choose(position, stream(1)).report
    for name, value in itertools.islice(PLAIN.items(), 4):
        report = agent(f"study000:mcts:600,{name}={value}", position.game).choose(position, stream(1)).report
        assert report["visits"] != base["visits"], name

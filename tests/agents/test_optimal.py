"""The perfect player: fast where it can be, honest where it cannot, and as careless as it is told to be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import chisquare

from ludometer.agents import agent as find_agent
from ludometer.agents import kinds
from ludometer.agents.optimal import OptimalAgent
from ludometer.arena.play.playing import play_game
from ludometer.checks.game_contract import random_positions
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.solvers import solution_for, solve
from ludometer.solvers.solution import OutsideTable

SOLVED = ("quixo:2", "quixo:3", "dots:1x2", "dots:2x2", "tictactoe", "mnk:3,4,3")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path / "home"))


def test_the_shortest_win() -> None:
    record = play_game("quixo:3", "optimal:steps", "optimal:steps", seed=3)
    assert (record.result, len(record.moves)) == ("1-0", 7)


@pytest.mark.parametrize("spec", SOLVED)
def test_perfect_players_reach_the_value_of_the_start(spec: str) -> None:
    """Every position of the game has the value of the first one, seen from the player who began."""
    start = game(spec).start()
    solution = solution_for(game(spec))
    expected = solution.value(start)
    for seed in range(5):
        record = play_game(spec, "optimal" if game(spec).kind.scored else "optimal:steps", "optimal", seed=seed)
        last = record.final
        margin = last.margin if game(spec).kind.scored else last.outcome
        wanted = expected.margin if expected.margin is not None else expected.outcome
        assert (margin if last.player == 0 else -margin) == wanted


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:3", "dots:2x2"])
def test_it_never_does_worse_than_the_value_of_the_start(spec: str) -> None:
    value = solution_for(game(spec)).value(game(spec).start()).outcome
    for seed in range(100):
        assert first_players_result(play_game(spec, "optimal", "random", seed=seed)) >= value
        assert first_players_result(play_game(spec, "random", "optimal", seed=seed)) <= value


def first_players_result(record: object) -> int:
    return {"1-0": 1, "1/2-1/2": 0, "0-1": -1}[record.result]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("option", "chosen_from"), [("", "keeping"), (":steps", "best"), (":blunder=1", "legal")])
def test_choices_are_even(option: str, chosen_from: str) -> None:
    """Among what it may play, every move comes equally often; with blunder=1 that is every legal move."""
    position = game("quixo:3").position("X../..O/... x")
    player = find_agent(f"optimal{option}", game("quixo:3"))
    probe = solution_for(game("quixo:3")).probe(position)
    allowed = {"keeping": probe.keeping, "best": probe.best, "legal": position.legal}[chosen_from]
    seen = Counter(player.choose(position, stream(7, "even", number)).move for number in range(4000))
    assert set(seen) == set(allowed)
    if len(allowed) > 1:
        assert chisquare([seen[move] for move in allowed]).pvalue > 0.001
    assert 1 < len(probe.best) < len(probe.keeping) < len(position.legal)  # else the three cases were one


def test_blunders_come_as_often_as_they_should() -> None:
    player = find_agent("optimal:blunder=0.25", game("quixo:3"))
    start = game("quixo:3").start()
    blunders = sum(player.choose(start, stream(1, "blunder", number)).report["blunder"] for number in range(4000))
    assert abs(blunders - 1000) < 4 * (4000 * 0.25 * 0.75) ** 0.5


def test_decisions_say_what_is_known() -> None:
    decision = find_agent("optimal:steps", game("quixo:3")).choose(game("quixo:3").start(), stream(1))
    assert decision.value == 1.0 and decision.report["distance"] == 7 and decision.report["seconds"] >= 0
    points = find_agent("optimal", game("dots:2x2")).choose(game("dots:2x2").start(), stream(1))
    assert points.value == 1.0 and points.report["margin"] == 2  # a win by two boxes
    assert find_agent("optimal", game("dots:1x1")).choose(game("dots:1x1").start(), stream(1)).value == 0.0
    assert find_agent("optimal", game("tictactoe")).choose(game("tictactoe").start(), stream(1)).value == 0.5
    assert find_agent("optimal:blunder=1", game("quixo:3")).choose(game("quixo:3").start(), stream(1)).value is None


@pytest.mark.parametrize(("spec", "keep"), [("quixo:3", "distances"), ("quixo:3", "values"), ("tictactoe", ""), ("dots:2x2", "")])
def test_the_compiled_choice_is_that_of_the_solution(spec: str, keep: str) -> None:
    """Tile tables with and without distances, listed and numbered positions; fastest wins, any win, and blunders."""
    chosen = game(spec)
    solution = solve(spec, keep=keep) if keep else solve(spec)
    differing = 0
    for steps, blunder in ((False, 0.0), (True, 0.0), (False, 0.4)):
        player = OptimalAgent(chosen, "optimal", steps=steps, blunder=blunder, solution=solution)
        compiled_player = player.compiled_player()
        assert compiled_player is not None
        for number in range(3):
            for ply, position in enumerate(random_positions(chosen, 1, number)):
                if position.is_over:
                    continue
                key = stream(number, ply)
                compiled = player._choose_compiled(compiled_player, position, key)
                assert compiled == player._choose_by_probe(position, key, None), str(position)
                assert compiled is not None and player.choose(position, key).move == compiled[0]
                differing += compiled[2].get("choices", 0) > 1
    assert differing > 10


def test_tables_too_large_to_be_checked_beforehand_are_asked_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.agents import optimal

    monkeypatch.setattr(optimal, "MOST_ENTRIES", 100)
    solution = solve("quixo:3")
    player = OptimalAgent(game("quixo:3"), "optimal", solution=solution)
    start = game("quixo:3").start()
    assert player.compiled_player() is None
    assert player.choose(start, stream(1)).move in solution.probe(start).keeping


def test_a_search_has_no_mind() -> None:
    from ludometer.solvers.acyclic.solution import ProvenSolution

    player = OptimalAgent(game("dots:2x2"), "optimal", solution=ProvenSolution(game("dots:2x2")))
    table = find_agent("optimal", game("dots:2x2"))
    start = game("dots:2x2").start()
    assert player.compiled_player() is None and player.choose(start, stream(3)).move == table.choose(start, stream(3)).move


def test_steps_without_distances_are_refused() -> None:
    for spec in ("dots:2x2", "dots:1x2"):
        with pytest.raises(LudometerError, match="leave out steps"):
            find_agent("optimal:steps", game(spec))


def test_only_games_within_reach_are_offered() -> None:
    kind = kinds()["optimal"]
    assert kind.refuses(game("quixo:3")) is None and kind.refuses(game("quixo:5")) is None
    for spec in ("ultimate", "mnk:15,15,5"):
        assert kind.refuses(game(spec)) == "it is too large to be solved"


def test_it_uses_tables_that_are_there(tmp_path: Path) -> None:
    solve("quixo:2", tables=tmp_path)
    assert find_agent(f"optimal:tables={tmp_path}", game("quixo:2")).solution.folder == tmp_path / "quixo-2"
    solve("quixo:3", tables=tmp_path, keep="values")
    values = find_agent(f"optimal:tables={tmp_path}", game("quixo:3"))
    assert values.solution.keep == "values"
    steps = find_agent(f"optimal:steps,tables={tmp_path}", game("quixo:3"))  # wins fast: it needs more than the table has
    assert steps.solution.keep == "distances"
    assert len(play_game("quixo:3", steps, values).moves) <= 7


def test_it_does_not_guess(tmp_path: Path) -> None:
    with pytest.raises(LudometerError, match="run `ludometer solve quixo:5` first"):
        find_agent("optimal", game("quixo:5"))
    for spec in ("ultimate", "matrix:prisoners", "mnk:15,15,5"):
        with pytest.raises(SpecError, match="cannot play"):
            find_agent("optimal", game(spec))
    with pytest.raises(SpecError, match="between 0 and 1"):
        find_agent("optimal:blunder=2", game("quixo:3"))
    totals = OptimalAgent(game("quixo:2"), "optimal", solution=solve("quixo:2", keep="none"))
    with pytest.raises(OutsideTable, match="only totals were kept"):
        totals.choose(game("quixo:2").start(), stream(1))
    tictactoe = find_agent("optimal", game("tictactoe"))
    with pytest.raises(OutsideTable, match="cannot be reached"):
        tictactoe.choose(game("tictactoe").position("XX./.../... x"), stream(1))
    with pytest.raises(SpecError, match="made for mnk:3,3,3"):
        tictactoe.choose(game("quixo:3").start(), stream(1))
    assert "optimal" in kinds()

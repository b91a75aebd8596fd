"""Tournaments: ratings, circles, openings, going on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludometer.arena.experiments.match import match
from ludometer.arena.experiments.tournament import TournamentPair, rated, tournament
from ludometer.arena.measurements import pairings
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.stopping import Stop, Stopped
from ludometer.view.results.tournaments import tournament_html, tournament_text

GAME = "tictactoe"


def pair(a: str, b: str, wins: int, losses: int) -> TournamentPair:
    """Pairs in which a wins or loses both games."""
    counts = PairCounts.from_results([1, -1] * wins + [-1, 1] * losses)
    return TournamentPair(a, b, PairTotals(counts), counts)


def test_a_circle_is_named_and_no_scale_describes_it() -> None:
    names = ["rock", "paper", "scissors"]
    pairs = [pair("paper", "rock", 40, 10), pair("scissors", "paper", 40, 10), pair("rock", "scissors", 40, 10)]
    result = rated("a game", names, "rock", pairs, 300, "games", None, ())
    (cycle,) = result.cycles
    ahead = [result.players[place].agent for place in cycle.players]
    assert cycle.shown and ahead in (["rock", "scissors", "paper"], ["scissors", "paper", "rock"], ["paper", "rock", "scissors"])
    assert result.transitivity.value == pytest.approx(0, abs=1e-9)
    assert all(abs(player.rating) < 1e-6 for player in result.players)
    text = tournament_text(result)
    assert "non-transitive: " in text and "beyond chance" in text and "do not trust the ratings" in text
    assert "<table>" in tournament_html(result)


def test_ratings_of_an_exact_scale() -> None:
    """Scores of 10/11 are 400 Elo, of 100/101 are 800: differences that one scale describes."""
    pairs = [pair("b", "a", 1000, 100), pair("c", "b", 1000, 100), pair("c", "a", 10_000, 100)]
    result = rated("a game", ["a", "b", "c"], "a", pairs, 0, "games", None, ())
    assert [player.agent for player in result.players] == ["c", "b", "a"]
    assert [player.rating for player in result.players] == pytest.approx([800, 400, 0], abs=2)
    assert result.players[0].score == pytest.approx(11_000 / 11_200) and result.transitivity.value == pytest.approx(1, abs=1e-3)
    assert result.superiority[0][1] > 0.99 and not result.cycles


def test_pairings_are_matches_and_do_not_depend_on_company(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        three = tournament(GAME, ["random", "mcts:5", "mcts:20"], 30, seed=2, execution=Execution(store))
        two = tournament(GAME, ["mcts:20", "random"], 30, seed=2, execution=Execution(store, workers=1))
        assert three.between("mcts:20", "random") == two.between("mcts:20", "random")
        seeds = {store.key_of(series)["seed"] for series, _ in store.parts(1)}
        assert len(seeds) == 3, "each pairing has seeds of its own"
        series = store.parts(2)[0][0]
        key = store.key_of(series)
        alone = match(GAME, key["players"][0], key["players"][1], 30, seed=key["seed"])
    (only,) = two.pairs
    assert alone.counts == (only.counts if only.a == key["players"][0] else only.counts.swapped())
    assert three.games == 90 and {player.games for player in three.players} == {60}


def test_openings_are_the_same_for_all_or_none() -> None:
    result = tournament(GAME, ["random", "alphabeta:1,shuffle=no", "alphabeta:2,shuffle=no"], 10)
    assert "deterministic: all games begin with 4 random plies" in result.notes[0]
    gauntlet = tournament(GAME, ["alphabeta:1,shuffle=no", "alphabeta:2,shuffle=no"], 10, gauntlet="random")
    assert gauntlet.notes == () and len(gauntlet.pairs) == 2 and gauntlet.anchor == "random"
    assert gauntlet.between("alphabeta:1,shuffle=no", "alphabeta:2,shuffle=no") is None


def test_a_stopped_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "_SECONDS_BETWEEN_REPORTS", 0.0)  # a report after every chunk, however fast the games are
    stop = Stop()
    stop.ask()
    with pytest.raises(Stopped):
        tournament(GAME, ["random", "mcts:5"], 10, execution=Execution(stop=stop))
    with Store(tmp_path / "s.sqlite") as store:
        stop = Stop()

        def all_have_played(done: int, total: int, text: str) -> None:
            if all(store.done(series, pairs) for series, pairs in store.parts(1)):
                stop.ask()

        part = tournament(
            GAME,
            ["random", "mcts:5", "mcts:20"],
            4000,
            execution=Execution(store, workers=1, progress=all_have_played, stop=stop),
        )
        whole = tournament(GAME, ["random", "mcts:5", "mcts:20"], 4000, execution=Execution(store))
    assert part.ended == "stopped" and part.games < whole.games == 12_000
    assert whole.document()["players"] == tournament(GAME, ["random", "mcts:5", "mcts:20"], 4000).document()["players"]

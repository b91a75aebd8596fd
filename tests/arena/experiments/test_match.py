"""Matches and several pairings at once: the same games for any number of workers, stopped and continued, compiled or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludometer.arena.experiments.match import match
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing, game_record
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.play.compiled_games import game_seed
from ludometer.arena.play.playing import play_game
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped

GAME = "tictactoe"


def pairing(a: str = "random", b: str = "mcts:5", **settings: int) -> Pairing:
    return Pairing.of(GAME, a, b, **settings)


def slow_twin(wanted: Pairing, pairs: int) -> tuple[PairCounts, int]:
    """The pairs one game after the other, through Python alone: counts and the number of moves."""
    results, moves = [], 0
    for pair in range(pairs):
        for turned in (False, True):
            players = (wanted.b, wanted.a) if turned else (wanted.a, wanted.b)
            number = 2 * pair + turned if wanted.a == wanted.b else pair
            record = play_game(GAME, *players, seed=game_seed(wanted.seed, number), ply_limit=wanted.ply_limit)
            results.append({"1-0": 1, "1/2-1/2": 0, "0-1": -1}[record.result])
            moves += len(record.moves)
    return PairCounts.from_results(results), moves


class Clumsy(Agent):
    """A way of playing that has no spec: always the last of the legal moves."""

    def choose(self, position: object, key: object, stop: object = None) -> Decision:
        return Decision(position.legal[-1])  # type: ignore[attr-defined]


@pytest.mark.parametrize("names", [("random", "mcts:5"), ("random", "random"), ("mcts:5", "alphabeta:2")])
def test_pairs_are_the_games_of_the_slow_twin(names: tuple[str, str]) -> None:
    wanted = pairing(*names, seed=3)
    counts, moves = slow_twin(wanted, 12)
    (totals,) = play_pairings([(wanted, 12)], Execution(workers=2))
    assert (totals.counts, totals.moves) == (counts, moves)
    assert totals.margins is None and totals.games == 24


def test_a_mirror_plays_different_games() -> None:
    """With common seeds its two games would be one game twice, and the first player's share of the points known half as well."""
    mirror = pairing("random", "random", opening_plies=2)
    records = [game_record(mirror, number) for number in range(8)]
    assert len({(record.start, tuple(record.moves)) for record in records}) == 8
    other = pairing("random", "mcts:5", opening_plies=2)
    assert game_record(other, 4).start == game_record(other, 5).start != game_record(other, 6).start
    assert game_record(other, 4).seed == game_record(other, 5).seed != game_record(other, 6).seed


def test_compiled_pairs_are_those_that_python_plays() -> None:
    for names in (("random", "mcts:5"), ("random", "random")):
        wanted = pairing(*names, seed=9, opening_plies=3, ply_limit=4)
        played = wanted.work(5, 6)
        for place, number in enumerate(range(10, 22)):
            record = game_record(wanted, number)
            assert record.result == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[int(played.results[place])]
            assert len(record.moves) == played.lengths[place] <= 4


def test_chunks_and_workers_change_nothing(tmp_path: Path) -> None:
    wants = [(pairing(), 40), (pairing("mcts:5", "mcts:10"), 15), (pairing("random", "random"), 700)]
    alone = play_pairings(wants, Execution(workers=1))
    with Store(tmp_path / "s.sqlite") as store:
        series = store.series(wants[0][0].key())
        store.add(series, 7, 5, 0.1, wants[0][0].work(7, 5).arrays())  # a gap before it
        several = play_pairings(wants, Execution(store, workers=3))
        again = play_pairings(wants, Execution(store))
        more = play_pairings([(wants[0][0], 50)], Execution(store, workers=2))
        assert [store.missing(store.series(one.key()), pairs) for one, pairs in wants] == [[], [], []]
    for one, other, third in zip(alone, several, again):
        assert one.counts == other.counts == third.counts and one.lengths == other.lengths == third.lengths
    assert more[0].pairs == 50 and [total.pairs for total in alone] == [40, 15, 700]


@pytest.mark.exhaustive
def test_agents_without_a_compiled_form_play_in_processes() -> None:
    """A search with several trees has none."""
    slow = pairing("random", "mcts:5,threads=2", seed=2)
    assert not slow.is_compiled
    counts, _ = slow_twin(slow, 6)
    totals = play_pairings([(slow, 6), (pairing(), 20)], Execution(workers=2))
    assert totals[0].counts == counts and totals[1].pairs == 20
    assert totals[0].seconds_per_move[1] is not None


def test_an_agent_of_ones_own_class_plays_here_and_is_never_taken_for_another(tmp_path: Path) -> None:
    from ludometer.games import game

    first, second = Clumsy(game(GAME), "clumsy"), Clumsy(game(GAME), "clumsy")
    with Store(tmp_path / "s.sqlite") as store:
        result = match(GAME, first, "random", 20, execution=Execution(store))
        assert result.pairing.a == "clumsy" and result.games == 20
        assert match(GAME, second, "random", 20, execution=Execution(store)).pairing.a == "clumsy#2"
        assert len(store.runs()) == 2


def test_people_do_not_play_matches() -> None:
    with pytest.raises(LudometerError, match="human cannot play a match"):
        match(GAME, "human", "random", 10)


def test_progress_and_watchers() -> None:
    told: list[tuple[int, int, str]] = []

    def text(totals: Sequence[PairTotals]) -> str:
        return f"{totals[0].pairs} pairs"

    class Counting:
        seen = 0
        has_enough = False

        def watch(self, results: np.ndarray) -> int:
            self.seen = min(30, self.seen + len(results) // 2)
            self.has_enough = self.seen >= 30
            return len(results) // 2 if not self.has_enough else len(results) // 2 - (before + len(results) // 2 - 30)

    counting = Counting()
    before = 0

    with Store.in_memory() as store:
        series = store.series(pairing().key())
        store.add(series, 0, 50, 0.1, pairing().work(0, 50).arrays())
        totals = play_pairings(
            [(pairing(), 1000), (pairing("mcts:5", "random"), 4)],
            Execution(store, progress=lambda *at: told.append(at)),
            watchers=[counting, None],
            text=text,
        )
    assert totals[0].pairs == 30 and totals[1].pairs == 4
    assert told[-1] == (108, 2008, "30 pairs")


def test_a_stopped_match_goes_on(tmp_path: Path) -> None:
    whole = match(GAME, "random", "mcts:5", 400, seed=1)
    with Store(tmp_path / "s.sqlite") as store:
        stop = Stop()
        part = match(
            GAME,
            "random",
            "mcts:5",
            400,
            seed=1,
            execution=Execution(store, workers=1, progress=lambda done, total, text: stop.ask() if done else None, stop=stop),
        )
        rest = match(GAME, "random", "mcts:5", 400, seed=1, execution=Execution(store))
        assert (part.run, rest.run) == (1, 1) and len(store.runs()) == 1
    assert part.ended in ("stopped", "games") and rest.ended == "games"
    assert rest.counts == whole.counts and rest.anytime_interval == whole.anytime_interval and rest.lengths == whole.lengths
    stop = Stop()
    stop.ask()
    with pytest.raises(Stopped):
        match(GAME, "random", "mcts:5", 400, execution=Execution(stop=stop))


def test_rules_end_a_match_at_the_same_pair_for_any_chunks(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        wanted = pairing()
        full = play_pairings([(wanted, 3000)], Execution(store))[0]
        stored = match(GAME, "random", "mcts:5", 6000, until_decided=True, execution=Execution(store))
    fresh = match(GAME, "random", "mcts:5", 6000, until_decided=True, execution=Execution(workers=2))
    assert stored.ended == fresh.ended == "decided" and stored.counts == fresh.counts and stored.games < full.games
    assert not fresh.anytime_interval.contains(0.5) and len(fresh.history) > 0
    narrow = match(GAME, "random", "mcts:5", 6000, until_width=0.2)
    assert narrow.ended == "width" and narrow.anytime_interval.width <= 0.2
    tested = match(GAME, "random", "mcts:5", 6000, sprt=(0, 50))
    assert tested.ended == "sprt" and tested.sprt is not None and tested.sprt.decision == "elo0" and tested.sprt.llr < 0
    with pytest.raises(LudometerError, match="even and at least 2"):
        match(GAME, "random", "mcts:5", 7)


def test_deterministic_agents_get_openings_or_are_refused() -> None:
    result = match(GAME, "alphabeta:2,shuffle=no", "alphabeta:3,shuffle=no", 20)
    assert result.pairing.opening_plies == 4 and "deterministic" in result.notes[0]
    with pytest.raises(LudometerError, match="no more than 2"):
        match(GAME, "alphabeta:2,shuffle=no", "alphabeta:3,shuffle=no", 20, opening_plies=0)
    assert match(GAME, "alphabeta:2,shuffle=no", "alphabeta:3,shuffle=no", 2, opening_plies=0).games == 2
    assert match(GAME, "alphabeta:2,shuffle=no", "random", 20).pairing.opening_plies == 0


def test_games_of_other_decisions_are_told_of_and_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.arena.measurements import pairs

    with Store(tmp_path / "s.sqlite") as store:
        match(GAME, "random", "mcts:5", 10, execution=Execution(store))
        monkeypatch.setattr(pairs, "DECISIONS", pairs.DECISIONS + 1)
        pairs._key_of.cache_clear()
        try:
            result = match(GAME, "random", "mcts:5", 20, execution=Execution(store))
        finally:
            pairs._key_of.cache_clear()
        assert result.run == 2 and result.notes == (
            "10 games that the store has of the same request are not used: they were played by agents that decide otherwise",
        )


def test_an_error_in_a_game_is_told_and_what_is_done_is_kept(tmp_path: Path) -> None:
    class Broken(Clumsy):
        def choose(self, position: object, key: object, stop: object = None) -> Decision:
            return Decision(99)

    from ludometer.games import game

    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(LudometerError):
            match(GAME, Broken(game(GAME), "broken"), "random", 20, execution=Execution(store), opening_plies=2)
        assert store.runs()[0].done == 0


def test_a_pairing_cannot_be_asked_for_twice() -> None:
    with Store.in_memory() as store, pytest.raises(LudometerError, match="asked for twice"):
        play_pairings([(pairing(), 5), (replace(pairing()), 5)], Execution(store))

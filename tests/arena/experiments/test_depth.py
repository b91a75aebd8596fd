"""Depth end to end: what must come out for games whose ladder is known, and that stages depend on nothing but results."""

from __future__ import annotations

import contextlib
from math import inf
from pathlib import Path

import pytest

from ludometer.arena.experiments import climbing
from ludometer.arena.experiments.climbing import Climb, Plan
from ludometer.arena.experiments.depth import Depth, FamilyDepth, compare, depth
from ludometer.arena.experiments.depth_estimators import Mastery
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game

NO_SKILL = str(Path(__file__).parents[1] / "no_skill.py")
SQUEEZE = str(Path(__file__).parents[1] / "squeeze.py")


def without_clock(found: Depth) -> list[object]:
    """The documents of all ladders but for what the clock decides."""
    kept = []
    for one in found.games:
        for family in one.families:
            document = family.document()
            document.pop("work")
            kept.append({**document, "curve": [{**row, "seconds_per_move": None} for row in document["curve"]]})
    return kept


def test_a_game_without_skill_has_one_rung() -> None:
    found = depth(
        NO_SKILL,
        families=["mcts:study=textbook"],
        most_rungs=3,
        most_games=32,
        opening_plies=0,
        perfect=False,
        execution=Execution(workers=1),
    )
    (family,) = found.games[0].families
    assert [(one.low, one.high) for one in family.rungs if one.p0 >= 0.75] == [(1, 1)]
    assert all(one.low == 1 for one in family.rungs)
    assert [one.status for one in family.curve.mastery] == ["flat", "flat"]
    assert family.curve.elo == pytest.approx([0.0] * 4)
    assert family.transitivity.value is None, "all scores are ½: there is nothing to account for"
    assert family.interval("mastery 90") is None


@pytest.mark.exhaustive
def test_stages_depend_on_results_alone(tmp_path: Path) -> None:
    """Stopped anywhere, continued, by one worker or two, all at once or stage by stage: the same numbers."""
    asked = {"families": ["mcts"], "most_rungs": 4, "most_games": 64, "seed": 7}
    whole = depth("tictactoe", **asked, stages=3, execution=Execution(workers=2))
    assert whole.games[0].usual.stage == 3
    with Store(tmp_path / "kept.sqlite") as store:
        for patience in (3, 40, 150):
            stop = Stop()

            def lose_patience(done: int, wanted: int, what: str, stop: Stop = stop, patience: int = patience) -> None:
                if done >= patience:
                    stop.ask()

            with contextlib.suppress(Stopped):
                depth("tictactoe", **asked, stages=3, execution=Execution(store, workers=1, progress=lose_patience, stop=stop))
        assert without_clock(depth("tictactoe", **asked, stages=3, execution=Execution(store, workers=1))) == without_clock(whole)
        first = depth("tictactoe", **asked, stages=1, execution=Execution(store))
    assert without_clock(first) == without_clock(depth("tictactoe", **asked, stages=1)) != without_clock(whole)


def test_a_budget_ends_after_a_whole_stage_and_says_so(tmp_path: Path) -> None:
    with Store(tmp_path / "kept.sqlite") as store:
        found = depth("tictactoe", families=["mcts"], seconds=0.01, execution=Execution(store, workers=1))
        family = found.games[0].usual
        assert (family.stage, family.ended, family.is_done) == (1, "budget", False)
        again = (
            depth("tictactoe", families=["mcts"], stages=1, most_rungs=14, most_games=8192, execution=Execution(store, workers=1))
            .games[0]
            .usual
        )
        assert again.ended == "stages"
    assert [one for one in again.rungs] == [one for one in family.rungs] and again.curve == family.curve


class Scripted(Climb):
    """A climb whose results are written down beforehand: every rung is `gain` Elo stronger than the last, up to a plateau."""

    def __init__(self, plan: Plan, gain: float, plateau: int, execution: StartedExecution) -> None:
        super().__init__(plan, 1, execution)
        self.gain = gain
        self.flat_from = plateau

    def _elo(self, rung: float) -> float:
        place = 0 if rung == 0 else self.flat_from if rung == inf else min(self.flat_from, [4 << k for k in range(30)].index(int(rung)) + 1)
        return self.gain * place

    def _first_budget(self) -> int:
        return 4

    def _play(self, wants: climbing.Wants, what: str) -> dict[tuple[float, float], PairTotals]:
        found = {}
        for (lower, upper), pairs in wants.items():
            score = 1 / (1 + 10 ** ((self._elo(lower) - self._elo(upper)) / 400))
            wins = round(pairs * score)
            found[lower, upper] = PairTotals(PairCounts((pairs - wins, 0, 0, 0, 0, 0, 0, 0, wins)))
        return found

    def _count_positions(self, budgets: list[int]) -> list[float | None]:
        return [10.0 * budget for budget in budgets]


def scripted(gain: float, plateau: int, **options: int) -> Scripted:
    with Execution(workers=1).started() as work:
        climb = Scripted(Plan("tictactoe", "mcts", **options), gain, plateau, work)
        while climb.advance():
            assert climb.stage < 100
    return climb


def test_rungs_double_until_the_plateau_is_shown() -> None:
    climb = scripted(100.0, 3, most_rungs=14, most_pairs=4096)
    assert climb.ended == "plateau"
    assert climb.budgets == [4, 8, 16, 32, 64, 128], "the plateau begins at 16 and has to be four rungs long"


def test_a_ladder_that_rises_all_the_way_ends_at_its_last_rung() -> None:
    climb = scripted(100.0, 100, most_rungs=7, most_pairs=64)
    assert (climb.ended, len(climb.budgets), climb.is_done) == ("rungs", 7, True)


def test_games_are_spent_where_they_narrow_the_answer() -> None:
    """Steps of 100 Elo (64 %) are near 0.6: neighbours play most, rungs far apart what they had to."""
    climb = scripted(100.0, 100, most_rungs=7, most_pairs=1024)
    pairs = {rungs: total.pairs for rungs, total in climb.totals.items()}
    assert pairs[4.0, 8.0] == 1024
    assert pairs[0.0, 256.0] <= 4 * climbing.FIRST_PAIRS, "a score of 98 % is soon known to be over 75 %"


def test_more_skill_takes_no_less() -> None:
    points = [Mastery(50, None, 18.0, None, "censored"), Mastery(90, None, 6.0, None, "censored"), Mastery(95, None, None, None, "flat")]
    assert [point.low for point in climbing.in_order(points)] == [18.0, 18.0, None]


def test_a_search_that_sees_all_ends_the_ladder() -> None:
    found = depth(
        "mnk:2,2,2",
        families=["alphabeta:nodes"],
        most_rungs=6,
        most_games=32,
        execution=Execution(workers=1),
        opening_plies=0,
        perfect=False,
    )
    family = found.games[0].usual
    assert family.ended == "used"
    assert len(family.budgets) < 6 and list(family.positions) == sorted(family.positions)


def intervals(small: FamilyDepth, large: FamilyDepth) -> list[str]:
    from ludometer.arena.experiments.depth import GameDepth

    return [one.verdict for one in compare((GameDepth("a", (small,)), GameDepth("b", (large,)))) if one.what == "range"]


def test_one_game_is_deeper_only_where_intervals_are_disjoint() -> None:
    found = depth(
        NO_SKILL,
        "tictactoe",
        families=["mcts"],
        most_rungs=4,
        most_games=64,
        opening_plies=0,
        perfect=False,
        execution=Execution(workers=1),
    )
    skill_less, game_of_skill = (one.usual for one in found.games)
    assert intervals(skill_less, game_of_skill) == ["second"] and intervals(game_of_skill, skill_less) == ["first"]
    assert intervals(game_of_skill, game_of_skill) == ["unclear"]


def test_every_game_of_the_contract_document_has_its_keys() -> None:
    document = depth("tictactoe", families=["mcts"], stages=1, execution=Execution(workers=1)).document()
    (only,) = document["games"]
    for found in (document, only):
        assert set(found["rungs"]) == {"0.5", "0.6", "0.75"} and set(found["mastery"]) == {"50", "90"}
        assert set(found["range"]) == {"direct", "bradley_terry", "chain"} and "transitivity" in found
    assert [row["player"] for row in only["families"][0]["curve"]] == ["random", "mcts:4", "mcts:8", "mcts:16"]
    assert only["families"][0]["perfect"]["player"] == "optimal"


@pytest.mark.exhaustive
def test_games_out_of_reach_say_why_there_is_no_perfect_player() -> None:
    found = depth(SQUEEZE, families=["mcts"], stages=1, execution=Execution(workers=1))
    assert found.games[0].usual.plan.perfect is None
    assert "no perfect player" in found.games[0].notes[0]
    assert "no perfect player" in str(found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"most_rungs": 1}, "from 2 to 28"),
        ({"most_games": 31}, "even"),
        ({"seconds": -1.0}, "above 0"),
        ({"families": ["random"]}, "no budget"),
    ],
)
def test_bad_plans_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(LudometerError, match=said):
        depth("tictactoe", **options)  # type: ignore[arg-type]


def test_pairings_have_seeds_of_their_own() -> None:
    plan = Plan(game("tictactoe").reference, "mcts", "optimal")
    pairings = [plan.pairing(*rungs) for rungs in ((0.0, 4.0), (4.0, 8.0), (0.0, 8.0), (8.0, inf))]
    assert len({pairing.seed for pairing in pairings}) == 4
    assert (pairings[0].a, pairings[0].b) == ("mcts:4", "random") and pairings[3].a == "optimal"
    assert all(isinstance(pairing, Pairing) for pairing in pairings)

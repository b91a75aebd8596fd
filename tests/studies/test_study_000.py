"""The parts of study 000 that are not its entries: errors of points, plateaus, lengths, and the digitised figures."""

from __future__ import annotations

import numpy as np
import pytest

from ludometer.arena.experiments.ladder_points import Point
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.studies import entries
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.accuracy import score_of_errors, share_row
from ludometer.studies.study_000.committed import digitised, totals_5x5
from ludometer.studies.study_000.curves import in_order_of_size, outcome_rung, plateau
from ludometer.studies.study_000.lengths import turns
from ludometer.studies.study_000.outcomes import SETUPS


def _point(pairs: dict[str, int]) -> Point:
    number = sum(pairs.values())
    score = sum(float(name) / 2 * count for name, count in pairs.items()) / number
    return Point(
        "quixo:3", "mcts", "100", "mcts:100", "optimal", 0.0, "outcome", score, Interval(0, 1), number, 100.0, None, 0.1, {"pairs": pairs}
    )


def test_errors_come_from_pairs() -> None:
    """Who wins every game in one seat and loses every one in the other has next to no error; games alone would say 3.5."""
    alternating = outcome_rung(_point({"0": 0, "0.5": 0, "1": 100, "1.5": 0, "2": 0}))
    assert alternating.value == 50 and alternating.error < 0.6
    tossed = outcome_rung(_point({"0": 25, "0.5": 0, "1": 50, "1.5": 0, "2": 25}))
    assert tossed.error == pytest.approx(3.54, abs=0.1)
    assert tossed.error == tossed.reported_error  # 100 pairs here, 100 there


def test_a_plateau_is_found_where_it_is() -> None:
    budgets = [100, 200, 400, 800, 1600, 3200]
    found = plateau(budgets, [10, 20, 40, 50, 50, 50], [0.5] * 6)
    assert found.budget == pytest.approx(400 + 400 * 5 / 10, rel=0.05)  # 45 of 50, between 400 and 800
    assert found.low <= found.budget <= found.high < 900
    noisy = plateau(budgets, [10, 20, 40, 50, 49, 51], [5] * 6)
    assert noisy.high - noisy.low > found.high - found.low


def test_lengths_count_turns_from_nought() -> None:
    assert turns(7) == 3  # perfect play on 3×3 ends with the seventh move
    assert [turns(1), turns(2), turns(3)] == [0, 0, 1]
    assert turns(400) == 200 and turns(399) == 199


def test_errors_of_shares_come_from_both_sides() -> None:
    """200 right moves of 200 beside 97.4 % of 10,000 are no wonder: it happens once in 190 times, not at 4.5 standard errors."""
    reported, ours, theirs_error, our_error = share_row(97.4, 100.0, 200)
    assert (reported, ours) == (97.4, 100.0)
    assert abs(ours - 97.4) / (theirs_error**2 + our_error**2) ** 0.5 < 2.6
    assert share_row(None, 50.0, 200)[0] is None


def test_figures_are_complete() -> None:
    for name, setup in SETUPS.items():
        figure = digitised(f"score.{name}")
        assert list(figure.curves) == ["0", "0.01", "0.05", "0.1", "0.2", "0.5"]
        if setup.size < 5:
            assert figure.rungs == setup.rungs
        for points in figure.curves.values():
            known = [point for point in points if point is not None]
            assert all(0 <= point <= 100 for point in known) and len(known) > len(points) / 3
            ranks = np.argsort(np.argsort(known))
            assert np.corrcoef(ranks, np.arange(len(known)))[0, 1] > 0.4, "scores rise with iterations"
    assert digitised("score.4.opt").at("0", 10_000) == 28.4
    assert digitised("score.4.opt").at("0", 7) is None


def test_the_committed_totals_add_up() -> None:
    from math import comb

    known = totals_5x5()
    assert known["win"] + known["loss"] + known["draw"] == 3**25
    for row in known["classes"]:
        positions = comb(25, row["mover"]) * comb(25 - row["mover"], row["other"])
        assert row["win"] + row["loss"] + row["draw"] == positions


@pytest.mark.exhaustive
def test_a_player_who_never_errs_scores_half() -> None:
    lab = Laboratory()
    assert score_of_errors(0.0, lab) == pytest.approx(0.5, abs=1e-3)
    assert 0.2 < score_of_errors(0.2, lab) < score_of_errors(0.05, lab) < 0.5


def test_what_needs_a_large_table_says_so() -> None:
    from ludometer.studies.entry import Verdict
    from ludometer.studies.reproducing import run_entry

    (entry,) = entries("000.pos.5x5a")
    finding = run_entry(entry, Laboratory(tables="/nonexistent"))
    assert finding.verdict is Verdict.NOT_RUN
    assert "solve quixo:5" in finding.note


def test_a_small_ladder_is_played_once(tmp_path) -> None:
    """A ladder of the study, with very few games; a second laboratory finds them in the store."""
    from dataclasses import replace

    from ludometer.arena.work.store import Store
    from ludometer.studies.study_000 import outcomes

    setup = replace(SETUPS["3.opt"], rungs=(0, 100))
    with Store(tmp_path / "store.sqlite") as store:
        first = Laboratory(full=True, kept=store, workers=1, most_games=4)
        curves = outcomes.outcome_curves(setup, first)
        assert [[rung.budget for rung in rungs] for rungs in curves.values()] == [[0, 100]] * 6
        again = outcomes.outcome_curves(setup, Laboratory(full=True, kept=store, workers=1, most_games=4))
        assert again == curves


def test_larger_boards_come_later() -> None:
    small = {"3.opt": 1.0, "3.steps": 2.0, "4.opt": 3.0, "4.steps": 4.0}
    assert in_order_of_size(small) and in_order_of_size({**small, "5.opt": 3.5})
    assert not in_order_of_size({**small, "5.opt": 2.5}) and not in_order_of_size({**small, "3.steps": 5.0})

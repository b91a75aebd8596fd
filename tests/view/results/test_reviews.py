"""Reviews of games against perfect play."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ludometer.games import game
from ludometer.solvers import solution_for
from ludometer.view.results.reviews import estimated_judgement, exact_review, final_height, principal_line


def reviewed(spec: str, moves: str, start: str = "start"):
    position = game(spec).position(start)
    positions = [position]
    for move in moves.split():
        positions.append(positions[-1].play(move))
    return positions, list(exact_review(positions, solution_for(game(spec))))


def test_blunders_of_tic_tac_toe() -> None:
    positions, rows = reviewed("tictactoe", "A1 B1 B2 C3 A3 C1 A2")
    # B1 answers the corner with an edge: from a draw to a loss.  B2 wins by two threats, but A3 …
    assert [row["mark"] for row in rows[:2]] == ["", "blunder"]
    assert rows[1]["best"] == ["B2"] and rows[1]["best_text"] == "draw" and rows[1]["text"].startswith("loss in")
    assert rows[0]["height"] == 0 and rows[2]["height"] > 0, "x has been winning since B1"
    assert final_height(positions[-1]) == 1.0
    assert all(row["exact"] for row in rows)


def test_a_longer_win_is_a_slip() -> None:
    _, rows = reviewed("tictactoe", "B2", "XX./O../..O x")  # could win at once, and still wins by two threats
    assert (rows[0]["mark"], rows[0]["best_text"]) == ("slip", "win in 1") and rows[0]["text"].startswith("win in")
    _, rows = reviewed("tictactoe", "C2", "XX./OO./... x")
    assert (rows[0]["mark"], rows[0]["text"]) == ("blunder", "draw")
    _, rows = reviewed("tictactoe", "C1", "XX./OO./... x")
    assert (rows[0]["mark"], rows[0]["text"]) == ("", "win in 1")


def test_points_given_away() -> None:
    dots = game("dots:1x2")
    _, rows = reviewed("dots:1x2", " ".join(dots.start().moves()[:3]))
    best = solution_for(dots).probe(dots.start())
    assert rows[0]["best_text"] == (f"+{best.value.margin}" if best.value.margin > 0 else str(best.value.margin).replace("-", "−"))


def test_the_principal_line_ends_the_game() -> None:
    quixo = game("quixo:3")
    line = principal_line(solution_for(quixo), quixo.start())
    assert len(line) == solution_for(quixo).probe(quixo.start()).value.distance
    position = quixo.start()
    for move in line:
        position = position.play(move)
    assert position.result == "1-0"


def test_the_principal_line_never_comes_back() -> None:
    """Where a draw can go on for ever, the line ends before it repeats a position, and is no longer than asked for."""
    quixo = game("quixo:3")
    anything = SimpleNamespace(probe=lambda position, stop: SimpleNamespace(best=[*position.legal[1:], position.legal[0]]))
    line, seen = principal_line(anything, quixo.start(), most=200), [quixo.start()]
    for move in line:
        seen.append(seen[-1].play(move))
    assert len(set(seen)) == len(seen) > 20
    assert principal_line(anything, quixo.start(), most=7) == line[:7]
    stuck = SimpleNamespace(probe=lambda position, stop: SimpleNamespace(best=[]))
    assert principal_line(stuck, quixo.start()) == []


@pytest.mark.parametrize(
    ("best", "made", "mark"),
    [(0.2, 0.0, "blunder"), (0.19, 0.0, "slip"), (0.1, 0.0, "slip"), (0.09, 0.0, ""), (0.5, 0.5, ""), (1.0, 0.25, "blunder")],
)
def test_estimates_are_judged_by_the_points_given_away(best: float, made: float, mark: str) -> None:
    position = game("tictactoe").start()
    good, other = position.legal[4], position.legal[0]
    found = estimated_judgement(position, other, {other: made, good: best})
    assert (found["mark"], found["text"], found["best_text"]) == (mark, f"{100 * made:.0f} %", f"{100 * best:.0f} %")
    assert (found["exact"], found["best"], found["height"]) == (False, ["A1" if best == made else "B2"], 2 * best - 1)
    later = position.play(good)
    assert estimated_judgement(later, other, {other: best})["height"] == 1 - 2 * best, "how the first player stands"
    assert estimated_judgement(position, other, {good: 0.15})["mark"] == "slip", "a move that was not looked at counts as lost"

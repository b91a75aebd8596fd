"""Reviews of games against perfect play."""

from __future__ import annotations

from ludometer.games import game
from ludometer.solve import solution_for
from ludometer.view.reviews import exact_review, final_height, principal_line


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

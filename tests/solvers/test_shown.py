"""How solutions, probes, values and moves show themselves to people."""

from __future__ import annotations

import copy
import json
import pickle

import ludometer as lm
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.solvers.solution import Move, Solution, Value


def test_values() -> None:
    shown = [Value(WIN, 3), Value(DRAW), Value(LOSS), Value(WIN, margin=2), Value(DRAW, margin=0)]
    assert [str(value) for value in shown] == ["win in 3", "draw", "loss", "+2", "0"]
    assert repr(Value(WIN, 3)) == "<Value: win in 3>" and "<b>win in 3</b>" in Value(WIN, 3)._repr_html_()
    assert Value(WIN, 3).to_frame().to_dict("records") == [{"value": "win", "distance": 3, "margin": None}]


def test_moves_are_numbers_that_show_their_text() -> None:
    position = lm.game("quixo:2").start()
    probe = lm.solve("quixo:2").probe(position)
    assert all(isinstance(move, Move) for move, _ in probe.moves) and [move for move, _ in probe.moves] == list(position.legal)
    assert [str(move) for move, _ in probe.moves] == [f"{move}" for move, _ in probe.moves] == position.moves()
    best = probe.best[0]
    assert repr(best) == best.text == position.move_text(int(best)) and best in position.legal
    assert position.play(best) == position.play(best.text) == position.play(int(best))
    assert json.dumps([best]) == f"[{int(best)}]"
    for copied in (copy.deepcopy(best), pickle.loads(pickle.dumps(best))):
        assert copied == best and copied.text == best.text
    assert pickle.loads(pickle.dumps(probe)) == probe


def test_probes() -> None:
    solution = lm.solve("tictactoe")
    position = lm.game("tictactoe").position("XX./OO./... x")
    for probe in (solution.probe(position), Solution.probe(solution, position)):
        assert repr(probe) == "<Probe: win in 1; best C1>" and "win in 1:" in str(probe)
        frame = probe.to_frame()
        assert list(frame.columns) == ["move", "value", "distance", "margin", "best", "keeping"]
        assert list(frame["move"]) == position.moves() and list(frame[frame["best"]]["move"]) == ["C1"]
        assert frame["keeping"].sum() == len(probe.keeping)
        html = probe._repr_html_()
        assert "<svg" in html and "<td><b>C1</b></td><td><b>win in 1</b></td>" in html
        assert html.index("win in 1</b></td>") < html.index(">loss in")
    over = solution.probe(lm.game("tictactoe").position("XXX/OO./... o"))
    assert repr(over) == "<Probe: loss in 0; best none, the game is over>" and "<th>move</th>" not in over._repr_html_()
    assert over.to_frame().empty


def test_solutions() -> None:
    for spec, kept, entries, start in (("quixo:2", "distances", 26, "win in 3"), ("dots:1x1", "values", 16, "-1")):
        solution = lm.solve(spec)
        assert solution.entries == entries and repr(solution).endswith(f"of {spec}: {kept} of {entries:,} entries>")
        assert str(solution).startswith(f"{spec}: ") and f"start: {start}" in str(solution)
        html = solution._repr_html_()
        assert f"<th>start</th><td>{start}" in html and f"<th>win</th><td>{solution.summary()['win']:,}</td>" in html
        frame = solution.to_frame()
        assert len(frame) == len(solution.classes()) and frame["win"].sum() == solution.summary()["win"]

"""Games, positions, records and decisions go from one process to another."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game, play_on
from ludometer.arena.play.session import Session
from ludometer.checks.game_contract import random_positions
from ludometer.core.game import GameKind
from ludometer.games import game, kinds

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "connect_three.py"
SPECS = [kind.listed[0] for kind in kinds().values()] + ["mnk:7,8,4", str(EXAMPLE)]

# Reads pickled things, does something with each, and hands them back.
ELSEWHERE = """
import pickle, sys
things = pickle.load(sys.stdin.buffer)
positions = [thing for thing in things if hasattr(thing, "legal")]
assert positions and all(position.is_over or position.play(position.legal[0]).game is position.game for position in positions)
pickle.dump((things, [str(thing) for thing in things]), sys.stdout.buffer)
"""


@pytest.mark.parametrize("spec", SPECS)
def test_everything_comes_back_equal(spec: str) -> None:
    subject = game(spec)
    session = play_on(Session(subject, seed=3), (agent("random", subject), agent("random", subject)))
    record = session.record()
    for position in [*random_positions(subject, 1, 5)[:9], *record.positions[-2:]]:
        again = pickle.loads(pickle.dumps(position))
        assert again == position and again.last == position.last and again.legal == position.legal and str(again) == str(position)
    assert pickle.loads(pickle.dumps(subject)) == subject
    assert pickle.loads(pickle.dumps(record)) == record and pickle.loads(pickle.dumps(record)).positions == record.positions
    assert all(pickle.loads(pickle.dumps(turn)) == turn for turn in session.turns)


def test_a_record_is_pickled_without_its_positions() -> None:
    record = play_game("quixo:5", "random", "random", seed=1)
    assert len(record.positions) > 20 and "positions" in vars(record)
    again = pickle.loads(pickle.dumps(record))
    assert "positions" not in vars(again) and again.positions == record.positions


@pytest.mark.process
def test_a_fresh_process_reads_what_this_one_has_written(tmp_path: Path) -> None:
    """Also a game from a file, which that process has not loaded."""
    file = tmp_path / "own.py"
    file.write_text(EXAMPLE.read_text().replace("name=__file__", 'name="three"'))
    things: list[object] = []
    for spec in ("dots:2x2", "matrix:prisoners", str(file)):
        record = play_game(spec, "random", "random", seed=2)
        things += [record.game, record, *record.positions]
    answer = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=pickle.dumps(things), capture_output=True, env={**os.environ}, timeout=120, check=True
    )
    again, texts = pickle.loads(answer.stdout)
    assert again == things and texts == [str(thing) for thing in things]


def test_a_game_from_a_file_is_referred_to_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(EXAMPLE.read_text().replace("name=__file__", 'name="three"'))
    subject = game(str(file))
    assert (subject.spec, subject.reference) == ("three", str(file))
    assert game(subject.reference) == subject
    record = play_game(subject, "random", "random")
    assert f'[Game "{file}"]' in str(record) and record.document()["game"] == str(file)
    assert game("quixo:4").reference == "quixo:4" and game("tictactoe").reference == "mnk:3,3,3"


def test_a_game_that_no_other_process_could_find_is_not_pickled() -> None:
    built_in = kinds()["quixo"]
    copy = GameKind(name="quixo", title="A copy", syntax="", listed=(), modules=built_in.modules)
    with pytest.raises(pickle.PicklingError, match="quixo:4 cannot be pickled"):
        pickle.dumps(copy.game("4"))


def test_a_game_from_a_file_with_parameters_is_found_again(tmp_path: Path) -> None:
    file = tmp_path / "sized.py"
    text = EXAMPLE.read_text().replace("name=__file__", 'name="sized"')
    old = '    if text:\n        raise GAME.wrong(text, "Connect Three takes no parameters")\n    return ConnectThreeRules(3, 3)\n'
    assert text.count(old) == 1
    new = "    return ConnectThreeRules(3, int(text or 3))\n\n\ndef rules_to_text(rules):\n    return str(rules.columns)\n"
    file.write_text(text.replace(old, new))
    subject = game(f"{file}:03")
    assert (subject.spec, subject.reference, subject.parameters) == ("sized:3", f"{file}:3", "3")
    assert game(subject.reference) == subject == pickle.loads(pickle.dumps(subject))

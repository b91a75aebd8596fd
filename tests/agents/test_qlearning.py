"""Q-learning: the same weights as the slow twin's, what is learnt, files of weights, and refusals."""

import json
import threading

import numpy as np
import pytest

from ludometer.agents import agent, qlearning, qlearning_files, qlearning_kernels, qlearning_memory_kernels
from ludometer.arena.play.playing import play_game
from ludometer.checks.game_contract import random_positions
from ludometer.cli import main
from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.outcome import ONGOING
from ludometer.core.position import Position
from ludometer.core.protocol import learning
from ludometer.core.protocol.learning import feature_names, pattern_names
from ludometer.core.random import stream, substream
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from tests.agents import naive_qlearning

QUIXO = game("quixo:3")
TICTACTOE = game("tictactoe")
ULTIMATE = game("ultimate")


def settings(chosen, text=""):
    options = qlearning.AGENT.parse_options(text)
    options.pop("weights")
    return qlearning.settle(chosen, **options)


@kernel
def features_of(rules, state, out):
    learning.features(rules, state, out)
    return learning.feature_pattern(rules, state)


@kernel
def state_at_random(rules, key, buffer):
    return learning.random_state(rules, key, buffer)


@kernel
def move_at_random(rules, state, word, buffer):
    return protocol.random_move(rules, state, word, buffer)


def random_move(position, word):
    return int(move_at_random(position.game.rules, position.state, word, np.empty(position.game.move_bound, np.int32)))


def random_state(chosen, key):
    return Position(chosen, state_at_random(chosen.rules, np.uint64(key), np.empty(chosen.move_bound, np.int32)))


def seen_features(position):
    out = np.full(int(qlearning_memory_kernels.sizes(position.game.rules)[1]), np.nan)
    return out, int(features_of(position.game.rules, position.state, out))


@pytest.mark.parametrize("spec", ["quixo:2", "quixo:3", "quixo:5"])
def test_the_features_of_the_quixo_study(spec):
    chosen = game(spec)
    names = feature_names(chosen)
    assert len(names) == 4 * chosen.rules.size + 7 == qlearning_memory_kernels.sizes(chosen.rules)[1]
    assert len(set(names)) == len(names)
    for position in random_positions(chosen, 3, 1):
        found, bits = seen_features(position)
        assert found == pytest.approx(naive_qlearning.quixo_features(position))
        assert 0 <= bits < qlearning_memory_kernels.sizes(chosen.rules)[2]


def test_a_pattern_of_quixo_answers_its_questions():
    questions = pattern_names(game("quixo:4"))
    found, bits = seen_features(game("quixo:4").position("XXX./.O../..../...O x"))
    answers = {text for bit, text in enumerate(questions) if bits >> bit & 1}
    assert answers == {
        "mine: line short of one",
        "theirs: line short of two",
        "more mine on the board",
        "more theirs inside",
    }


def test_the_features_of_ultimate_mirror_each_other():
    """What is mine becomes theirs when the players change places: heur2 and heur4 follow from the features by their weights."""
    from ludometer.games.ultimate.evaluation import (
        BOARD_WON,
        CELL_OF_CENTRE_BOARD,
        CENTRE_BOARD_WON,
        CENTRE_CELL,
        CORNER_BOARD_WON,
        EVALUATIONS,
        TWO_BOARDS,
        TWO_CELLS,
        evaluate,
    )

    names = feature_names(ULTIMATE)
    most = np.array([9, 1, 4, 8, 9, 9, 9])
    worth = np.array([BOARD_WON, CENTRE_BOARD_WON, CORNER_BOARD_WON, TWO_BOARDS, CENTRE_CELL, CELL_OF_CENTRE_BOARD, TWO_CELLS])
    decided = 0
    for position in random_positions(ULTIMATE, 4, 2):
        found, bits = seen_features(position)
        assert len(found) == len(names) == 16 and 0 <= bits < 1 << 15
        mine, theirs = found[1:15:2] * most, found[2:15:2] * most
        value = float(worth @ (mine - theirs))
        assert value == pytest.approx(evaluate(ULTIMATE.rules, position.state, EVALUATIONS.index("heur2")))
        ahead = [bits >> (2 * kind) & 3 for kind in range(7)]
        assert ahead == [1 if a > b + 1e-9 else 2 if b > a + 1e-9 else 0 for a, b in zip(mine, theirs)]
        assert bits >> 14 == found[15] == (str(position).split(" ")[2] == "*")
        decided += any(ahead)
    assert decided > 50


def test_random_states_are_spread_over_all_boards():
    """Of the 81 boards of 2×2 Quixo those on which the game goes on come, all alike often."""
    chosen = game("quixo:2")
    counts = {}
    for number in range(4000):
        position = random_state(chosen, stream(1, number))
        assert position.outcome == ONGOING
        counts[position] = counts.get(position, 0) + 1
    boards = [a + b + "/" + c + d + " x" for a in "XO." for b in "XO." for c in "XO." for d in "XO."]
    open_boards = [board for board in boards if chosen.position(board).outcome == ONGOING]
    assert set(map(str, counts)) == set(open_boards)
    expected = 4000 / len(open_boards)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 2 * len(open_boards)


@pytest.mark.parametrize("spec", ["tictactoe", "dots:2x2", "ultimate"])
def test_random_states_of_other_games_come_from_random_games(spec):
    chosen = game(spec)
    found = {random_state(chosen, stream(2, number)) for number in range(60)}
    assert len(found) > 30 and all(position.outcome == ONGOING for position in found)


@pytest.mark.parametrize(
    "options",
    [
        "",
        "normalise=no,alpha=0.05",
        "update=step",
        "epsilon=0.5,stages=two,seed=3",
        "longest=5",
    ],
)
def test_linear_weights_are_the_twins(options):
    chosen = settings(QUIXO, f"12,{options}" if options else "12")
    learnt = qlearning.train(QUIXO, chosen)
    first = qlearning.new_memory(QUIXO, chosen).weights
    twin = naive_qlearning.Linear(first, naive_qlearning.quixo_features, chosen.normalise)
    key = stream(chosen.seed, "training")

    def begin(words):
        return random_state(QUIXO, substream(words, np.uint64(1)))

    naive_qlearning.train(twin, begin, key, 12, chosen, 0.0, random_move, chosen.longest or QUIXO.kind.ply_limit)
    assert learnt.memory.weights == pytest.approx(twin.weights, rel=1e-6, abs=1e-9)
    assert np.abs(twin.weights).max() > 100 * qlearning.NOISE


@pytest.mark.parametrize("spec", ["tictactoe", "dots:2x2"])
@pytest.mark.parametrize(
    "options", ["epsilon=0.3", "update=game,epsilon=0.3,gamma=0.9", "opponent=random,epsilon=0", "opponent=alphabeta,plies=2,epsilon=0.3"]
)
def test_tables_are_the_twins(spec, options):
    chosen = game(spec)
    wanted = settings(chosen, f"30,learner=tabular,{options}")
    learnt = qlearning.train(chosen, wanted)
    twin = naive_qlearning.Table()
    opponent = agent("alphabeta:2", chosen) if wanted.opponent == "alphabeta" else None
    naive_qlearning.train(twin, lambda words: chosen.start(), stream(0, "training"), 30, wanted, 1 / 500, random_move, 1000, opponent)
    assert learnt.memory.pairs[0] == len(twin.values)
    kept = sorted(learnt.memory.values[learnt.memory.keys != 0])
    assert kept == pytest.approx(sorted(twin.values.values()))


@kernel
def quality_around_a_correction(rules, memory, state, move, amount):
    before = qlearning_memory_kernels.quality(rules, memory, state, move)
    qlearning_memory_kernels.correct(rules, memory, state, move, amount, 1)
    return before, qlearning_memory_kernels.quality(rules, memory, state, move)


def test_a_correction_of_features_moves_the_quality_by_just_that_much():
    """After the move the other is to move: what is good for him is bad for who moved."""
    position = ULTIMATE.start().play(ULTIMATE.start().legal[40])
    count = len(feature_names(ULTIMATE))
    memory = qlearning_memory_kernels.FeatureMemory(np.linspace(-1, 1, count), np.zeros(count))
    before, after = quality_around_a_correction(ULTIMATE.rules, memory, position.state, np.int64(position.legal[3]), 0.25)
    assert after == pytest.approx(before + 0.25)


def test_the_studys_own_step_size_diverges_and_says_so():
    with pytest.raises(LudometerError, match="diverged.*normalise=yes"):
        agent("qlearning:3000,normalise=no", game("quixo:5"))


def score_against_random(spec, chosen, games=30):
    player = agent(spec, chosen)
    points = 0.0
    for seed in range(games):
        points += {"1-0": 1.0, "0-1": 0.0}.get(play_game(chosen, player, "random", seed).result, 0.5)
        points += {"1-0": 0.0, "0-1": 1.0}.get(play_game(chosen, "random", player, seed).result, 0.5)
    return points / (2 * games)


@pytest.mark.parametrize(
    "spec, options, least",
    [
        ("tictactoe", "20000,update=game,alpha=0.2,decay=0,epsilon=0.2", 0.85),
        ("tictactoe", "20000,update=step,alpha=0.2,decay=0,epsilon=0.2,opponent=random", 0.8),
        ("quixo:3", "3000", 0.7),
        ("quixo:3", "3000,learner=binary", 0.8),
        ("ultimate", "3000,learner=heuristic,update=game,alpha=0.02,epsilon=0.1", 0.85),
        ("ultimate", "3000,learner=binary", 0.75),
    ],
)
def test_what_is_learnt_beats_random_moves(spec, options, least):
    assert score_against_random(f"qlearning:{options}", game(spec)) >= least


def test_hardly_a_state_of_ultimate_is_met_twice():
    """Which is why a table of states does not learn it, as the study found; tic-tac-toe is another matter."""
    ultimate = qlearning.train(ULTIMATE, settings(ULTIMATE, "300,learner=tabular"))
    small = qlearning.train(TICTACTOE, settings(TICTACTOE, "3000,learner=tabular"))
    assert ultimate.memory.pairs[0] > 0.9 * ultimate.moves_made > 10_000
    assert small.memory.pairs[0] < 0.5 * small.moves_made


def test_evaluations_that_claim_a_win_do_not_spoil_what_is_learnt():
    """The evaluation of m,n,k games is infinite where a line is completed next; as a score it counts as a won game."""
    for options in ("score=windows", "score=windows,update=game,epsilon=0.3"):
        memory = qlearning.train(TICTACTOE, settings(TICTACTOE, f"200,learner=tabular,{options}")).memory
        values = memory.values[memory.keys != 0]
        assert len(values) > 100 and np.isfinite(values).all() and np.abs(values).max() <= 4.0
    plain = qlearning.train(TICTACTOE, settings(TICTACTOE, "200,learner=tabular")).memory
    assert not np.array_equal(np.sort(plain.values), np.sort(memory.values))


def test_a_table_that_diverges_says_so():
    with pytest.raises(LudometerError, match="diverged"):
        qlearning.train(TICTACTOE, settings(TICTACTOE, "3000,learner=tabular,alpha=1000000,decay=0,epsilon=1,stages=one"))


def test_training_can_be_stopped():
    asked, later = Stop(), Stop()
    asked.ask()
    with pytest.raises(Stopped, match="training at quixo:5 was stopped"):
        qlearning.train(game("quixo:5"), settings(game("quixo:5"), "1000000000"), stop=asked)
    wanted, buffers = settings(QUIXO, "1000"), (np.empty(400, np.int32), np.empty(QUIXO.move_bound, np.int32))
    memory, lessons = qlearning.new_memory(QUIXO, wanted), qlearning._lessons(QUIXO, wanted)
    nobody = qlearning_kernels.RandomOpponent(0)
    for flag, games in ((asked.flag, 0), (later.flag, 7)):  # compiled code looks before every game
        assert qlearning_kernels.train(QUIXO.rules, memory, lessons, nobody, stream(1), 0, 7, *buffers, flag)[0] == games
    timer = threading.Timer(0.05, later.ask)
    timer.start()
    told = []
    with pytest.raises(Stopped):
        qlearning.train(QUIXO, settings(QUIXO, "1000000000"), progress=lambda done, total, text: told.append(done), stop=later)


@pytest.mark.parametrize(
    "spec, options",
    [
        ("quixo:3", "51"),
        ("quixo:3", "update=step"),
        ("quixo:3", "stages=two,epsilon=0.9"),
        ("quixo:3", "starts=beginning"),
        ("quixo:3", "alpha=0.1"),
        ("quixo:3", "decay=0.1"),
        ("quixo:3", "normalise=no"),
        ("quixo:3", "gamma=0.5"),
        ("quixo:3", "epsilon=0.9"),
        ("quixo:3", "opponent=random"),
        ("quixo:3", "opponent=alphabeta"),
        ("quixo:3", "seed=1"),
        ("quixo:3", "longest=3"),
        ("ultimate", "score=heur1"),
    ],
)
def test_every_option_changes_what_is_learnt(spec, options):
    learner = ",learner=heuristic,score=heur3" if spec == "ultimate" else ""
    usual = f"50{learner}"
    changed = options if options[0].isdigit() else f"50,{options},learner=heuristic" if learner else f"50,{options}"
    chosen = game(spec)
    weights = [qlearning.train(chosen, settings(chosen, text)).memory.weights for text in (usual, changed)]
    assert not np.array_equal(*weights)


def test_how_far_the_opponent_looks_matters_and_needs_an_opponent():
    weights = [qlearning.train(QUIXO, settings(QUIXO, f"20,opponent=alphabeta,plies={plies}")).memory.weights for plies in (1, 3)]
    assert not np.array_equal(*weights)
    with pytest.raises(SpecError, match="plies are those of opponent=alphabeta"):
        agent("qlearning:20,plies=3", QUIXO)


def test_what_the_value_of_a_decision_means():
    """Expected points where a quality is the expected result; nothing where rewards on the way are mixed in."""
    linear = agent("qlearning:50", QUIXO).choose(QUIXO.start(), stream(1))
    assert linear.value == pytest.approx(0.5 + 0.5 * linear.report["quality"]) and 0 <= linear.value <= 1
    tabular = agent("qlearning:50", TICTACTOE).choose(TICTACTOE.start(), stream(1))
    assert tabular.value is None and isinstance(tabular.report["quality"], float)


def test_training_depends_on_the_seed_alone():
    texts = ["200", "200,seed=0", "200,seed=1"]
    weights = [qlearning.train(QUIXO, settings(QUIXO, text)).memory.weights for text in texts]
    assert (weights[0] == weights[1]).all() and (weights[0] != weights[2]).any()


def test_training_is_done_once():
    first, second = (agent("qlearning:321", QUIXO) for _ in range(2))
    assert first.knowledge is second.knowledge
    assert (
        first.compiled_player().weights is second.compiled_player().weights
        and first.compiled_player().seen is not first.compiled_player().seen
    )
    assert agent("qlearning:322", QUIXO).knowledge is not first.knowledge


def test_a_table_grows_without_losing_anything(monkeypatch):
    wanted = settings(TICTACTOE, "2000,epsilon=0.5")
    roomy = qlearning.train(TICTACTOE, wanted)
    assert roomy.memory.pairs[0] > 2000
    monkeypatch.setattr(qlearning, "_FIRST_PLACES", 1 << 8)
    grown = qlearning.train(TICTACTOE, wanted)
    assert grown.memory.pairs[0] == roomy.memory.pairs[0]
    for memory in (grown.memory, roomy.memory):
        assert np.count_nonzero(memory.keys) == memory.pairs[0] <= len(memory.keys) // 2
    order = [np.argsort(memory.keys) for memory in (grown.memory, roomy.memory)]
    assert (grown.memory.values[order[0]][-2000:] == roomy.memory.values[order[1]][-2000:]).all()


@pytest.mark.parametrize(
    "spec, options", [("quixo:3", "50"), ("tictactoe", "50"), ("ultimate", "20,learner=heuristic"), ("quixo:3", "50,learner=binary")]
)
def test_weights_come_back_from_files(tmp_path, spec, options):
    chosen = game(spec)
    learnt = qlearning.train(chosen, settings(chosen, options))
    file = qlearning_files.save(learnt, tmp_path / "weights.json")
    again = qlearning_files.load(file, chosen)
    assert again.settings == learnt.settings and again.moves_made == learnt.moves_made > 0
    player, trained = agent(f"qlearning:weights={file}", chosen), agent(f"qlearning:{options}", chosen)
    for number, position in enumerate(random_positions(chosen, 2, 3)):
        if not position.is_over:
            decisions = [one.choose(position, stream(number)) for one in (player, trained)]
            assert decisions[0].move == decisions[1].move and decisions[0].report["quality"] == decisions[1].report["quality"]
    qlearning_files.save(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == file.read_text()


def test_foreign_and_damaged_files_are_refused(tmp_path):
    file = qlearning_files.save(qlearning.train(QUIXO, settings(QUIXO, "5")), tmp_path / "weights.json")
    text = file.read_text()
    document = json.loads(text)

    def changed(**parts):
        return json.dumps({**document, **parts})

    wrong = {
        "": "not a file of weights",
        "[]": "not a file of weights",
        text[: len(text) // 2]: "not a file of weights",
        json.dumps({"format": "something else"}): "not a file of weights",
        changed(version=1): "format version '1'",
        changed(moves_made=1): "checksum",
        changed(settings={}): "checksum",
        changed(game="quixo:4"): "learnt for 'quixo:4', not for quixo:3",
        changed(arrays={}, checksum=""): "checksum",
        text.replace('"data": "', '"data": "A', 1): "checksum",
    }
    for content, message in wrong.items():
        file.write_text(content)
        with pytest.raises(LudometerError, match=message) as refusal:
            qlearning_files.load(file, QUIXO)
        assert "\n" not in str(refusal.value)
    for arrays in ({}, {"weights": {"type": "object", "shape": [1], "data": ""}}, {"weights": [1, 2]}, {"keys": 3}):
        parts = {key: value for key, value in {**document, "arrays": arrays}.items() if key != "checksum"}
        file.write_text(json.dumps({**parts, "checksum": qlearning_files._checksum(parts)}))
        with pytest.raises(LudometerError, match="do not fit quixo:3"):
            qlearning_files.load(file, QUIXO)
    for missing in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(LudometerError, match="cannot read"):
            qlearning_files.load(missing, QUIXO)


def test_a_table_with_an_impossible_key_is_refused(tmp_path):
    """0 marks a free place, so a pair under that key would never be found; its checksum is right all the same."""
    learnt = qlearning.train(TICTACTOE, settings(TICTACTOE, "20"))
    file = qlearning_files.save(learnt, tmp_path / "weights.json")
    document = json.loads(file.read_text())
    keys = qlearning_files._decoded(document["arrays"]["keys"])

    def written(new):
        parts = {name: value for name, value in document.items() if name != "checksum"}
        parts["arrays"] = {**parts["arrays"], "keys": qlearning_files._encoded(new)}
        file.write_text(json.dumps({**parts, "checksum": qlearning_files._checksum(parts)}))
        return file

    assert qlearning_files.load(written(keys), TICTACTOE).memory.pairs[0] == len(keys) > 10
    keys[0] = 0
    with pytest.raises(LudometerError, match="do not fit mnk:3,3,3"):
        qlearning_files.load(written(keys), TICTACTOE)


@pytest.mark.parametrize(
    "spec, options, message",
    [
        ("tictactoe", "learner=linear", "needs features of the game; write learner=tabular"),
        ("dots:2x2", "learner=binary", "needs features"),
        ("quixo:3", "learner=deep", "learner is one of"),
        ("quixo:3", "score=longest", "leave out score"),
        ("ultimate", "learner=heuristic,score=heur9", "evaluations are heur3"),
        ("quixo:3", "alpha=-1", "alpha is a number between"),
        ("quixo:3", "iterations=-1", "iterations is a whole number"),
        ("matrix:sexes", "10", "moves are made at the same time"),
    ],
)
def test_wrong_options_are_refused_in_a_line(spec, options, message):
    with pytest.raises(SpecError, match=message) as refusal:
        agent(f"qlearning:{options}", game(spec))
    assert "\n" not in str(refusal.value)


def test_what_was_learnt_can_be_looked_at():
    linear = qlearning_files.inspect(qlearning.train(QUIXO, settings(QUIXO, "100")))
    assert len(linear) == 19 and linear[0]["feature"] == "always"
    assert all(row["lowest"] <= row["mean"] <= row["highest"] for row in linear)
    assert {row["for"] for row in linear} <= set(QUIXO.start().moves())
    heuristic = qlearning_files.inspect(qlearning.train(ULTIMATE, settings(ULTIMATE, "200,learner=heuristic,update=game,alpha=0.1")))
    weights = {row["feature"]: row["weight"] for row in heuristic}
    assert weights["my boards won"] > weights["their boards won"]
    patterns = qlearning_files.inspect(qlearning.train(QUIXO, settings(QUIXO, "100,learner=binary")))
    assert patterns and all(row["visits"] >= 1 for row in patterns)
    (table,) = qlearning_files.inspect(qlearning.train(TICTACTOE, settings(TICTACTOE, "100")))
    assert table["pairs"] > 100 and table["lowest"] < table["highest"]


def run(capsys, *arguments):
    status = main(list(arguments))
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_the_command_learns_and_writes(capsys, tmp_path):
    file = tmp_path / "weights.json"
    status, out, err = run(capsys, "learn", "quixo:3", "--iterations", "100", "--seed", "4", "--out", str(file), "--json")
    document = json.loads(out)
    assert status == 0 and "100 of 100 games" in err
    assert (document["game"], document["learner"], document["iterations"], document["seed"]) == ("quixo:3", "linear", 100, 4)
    assert qlearning_files.load(file, QUIXO).settings.seed == 4
    assert len(document["learnt"]) == 19 and document["moves"] > 100 and document["seconds"] > 0
    status, out, err = run(capsys, "play", "quixo:3", "--first", document["agent"], "--second", "random", "--json")
    assert status == 0 and json.loads(out)["moves"]
    status, out, err = run(capsys, "learn", "tictactoe", "--iterations", "30", "--out", str(file), "--options", "epsilon=0.2,update=game")
    assert status == 0 and "mnk:3,3,3: tabular learner, 30 games" in out
    assert qlearning_files.load(file, TICTACTOE).settings.update == "game"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["quixo:3"], "out"),
        (["matrix:sexes", "--out", "x.json"], "at the same time"),
        (["tictactoe", "--out", "x.json", "--options", "learner=linear"], "needs features"),
        (["tictactoe", "--out", "x.json", "--options", "weights=y"], "from nothing"),
        (["tictactoe", "--out", "no/such/folder/x.json"], "there is no folder"),
        (["tictactoe", "--out", "x.json", "--iterations", "-1"], "iterations"),
    ],
)
def test_the_command_refuses_in_a_line(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "learn", *arguments)
    assert status == 2 and not out and message in err and len(err.splitlines()) == 1
    assert not list(tmp_path.iterdir())

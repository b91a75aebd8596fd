"""Monte Carlo tree search: the same tree as the slow twin's, good moves, proofs, reuse, threads, and limits of time and memory."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.playout_kernels import count_playouts
from ludometer.arena.playing import play_game
from ludometer.core.errors import SpecError
from ludometer.core.outcome import ONGOING
from ludometer.core.random import stream
from ludometer.games import game
from tests.agents.naive_mcts import best_move, run_iterations

TICTACTOE = game("tictactoe")


def decide(spec, position, seed=1):
    return agent(spec, position.game).choose(position, stream(seed))


@pytest.mark.parametrize("text, iterations", [("start", 400), ("X.O/.X./..O x", 300), ("X../.O./... x", 7), ("XO./.XO/... x", 200)])
def test_the_tree_is_the_twins(text, iterations):
    position = TICTACTOE.position(text)
    for seed in (1, 2):
        key = stream(seed)
        decision = agent(f"mcts:{iterations}", TICTACTOE).choose(position, key)
        root = run_iterations(position, stream(int(key), 0), iterations)
        assert decision.report["visits"] == {move: child.passes for move, child in sorted(root.children.items())}
        assert decision.move == best_move(root)
        rates = {move: child.wins / child.passes for move, child in sorted(root.children.items())}
        assert decision.report["values"] == pytest.approx({move: 1 - rate for move, rate in rates.items()})


def test_a_player_who_moves_again_keeps_the_points():
    position = game("dots:1x2").start()
    for spec, depth in (("start", 0), ("after three moves", 3)):
        for move in position.legal[:depth]:
            position = position.play(move)
        root = run_iterations(position, stream(int(stream(5)), 0), 300)
        decision = agent("mcts:300", position.game).choose(position, stream(5))
        assert decision.report["visits"] == {move: child.passes for move, child in sorted(root.children.items())}, spec
        assert decision.move == best_move(root)


@pytest.mark.parametrize(
    "text, expected", [("XX./OO./... x", "C1"), ("XX./OO./X.. o", "C2"), ("X../.O./..X o", None), ("XX./O../... o", "C1")]
)
@pytest.mark.parametrize("options", ["", ",choice=visits", ",proven=yes", ",threads=2", ",playouts=3", ",score=margin", ",c=0.7"])
def test_wins_and_blocks(text, expected, options):
    position = TICTACTOE.position(text)
    decision = decide(f"mcts:3000{options}", position)
    chosen = position.move_text(decision.move)
    assert chosen == expected if expected else chosen in ("B1", "A2", "C2", "B3")  # a corner would lose


@pytest.mark.parametrize("spec", ["mcts:500", "mcts:500,threads=2", "mcts:501,threads=3", "mcts:1", "mcts:3,threads=2"])
def test_every_iteration_visits_one_move(spec):
    for text in ("tictactoe", "dots:2x2", "quixo:3"):
        report = decide(spec, game(text).start()).report
        assert sum(report["visits"].values()) == report["iterations"] == int(spec.split(":")[1].split(",")[0])
        assert 1 <= report["nodes"] <= report["iterations"] + 3 and report["depth"] >= 1
        assert all(0 <= value <= 1 for value in report["values"].values())
        assert 0 < report["playouts"] <= report["iterations"]
        assert report["seconds"] > 0


def test_it_never_loses_tic_tac_toe_to_random_moves():
    for seed in range(25):
        assert play_game(TICTACTOE, "mcts:1000", "random", seed).result != "0-1"
        assert play_game(TICTACTOE, "random", "mcts:1000", seed).result != "1-0"


def test_more_iterations_beat_fewer():
    points = 0.0
    for seed in range(10):
        for result, specs in (("1-0", ("mcts:1000", "mcts:10")), ("0-1", ("mcts:10", "mcts:1000"))):
            record = play_game("quixo:3", *specs, seed)
            points += 1.0 if record.result == result else 0.5 if record.result == "1/2-1/2" else 0.0
    assert points >= 16


def exact_value(position, known):
    """The value for the player to move, by looking at everything."""
    if position.outcome != ONGOING:
        return position.outcome
    if position not in known:
        replies = (position.play(move) for move in position.legal)
        known[position] = max(exact_value(p, known) * (1 if p.player == position.player else -1) for p in replies)
    return known[position]


@pytest.mark.parametrize(
    "spec, texts",
    [
        ("tictactoe", ["X.O/.X./..O x", "X../.O./... x", "XX./OO./... x", "OX./XX./..O o", "XOX/O.O/X.. x"]),
        ("dots:1x1", ["start"]),
        ("dots:1x2", ["start", "-./|_._./.. b"]),
    ],
)
def test_proofs_are_right(spec, texts):
    known = {}
    for text in texts:
        position = game(spec).position(text)
        decision = decide("mcts:200000,proven=yes", position)
        truth = exact_value(position, known)
        names = {1: "win", 0: "draw", -1: "loss"}
        for move, proof in decision.report["proven"].items():
            after = position.play(move)
            value = exact_value(after, known) * (1 if after.player == position.player else -1)
            assert proof == names[value], f"{position} {position.move_text(move)}"
        assert decision.value == 0.5 + 0.5 * truth
        assert decision.report["iterations"] < 200_000, "the search ends with the proof"


def test_proofs_help_where_lines_are_narrow():
    position = TICTACTOE.position("X../.O./..X o")
    report = decide("mcts:20000,proven=yes", position).report
    corners = [move for move in position.legal if position.move_text(move) in ("C1", "A3")]
    assert [report["proven"][move] for move in corners] == ["loss", "loss"]


def test_chance_comes_from_the_key_alone():
    position = game("quixo:4").start()
    for spec in ("mcts:300", "mcts:300,threads=2", "mcts:300,proven=yes,reuse=yes"):
        player = agent(spec, position.game)
        first = player.choose(position, stream(1))
        player.choose(position, stream(2))
        player.begin()
        again = player.choose(position, stream(1))
        assert (first.move, first.report["visits"]) == (again.move, again.report["visits"])
        assert decide(spec, position, 3).report["visits"] != first.report["visits"]


@pytest.mark.parametrize("spec", ["quixo:3", "dots:2x2", "tictactoe"])
def test_a_reused_tree_keeps_what_it_knew(spec):
    chosen = game(spec)
    player = agent("mcts:400,reuse=yes", chosen)
    opponent = agent("random", chosen)
    kept = 0
    for seed in range(4):
        player.begin()
        position = chosen.start()
        for ply in range(200):
            if position.is_over:
                break
            mover = player if position.player == seed % 2 else opponent
            decision = mover.choose(position, stream(seed, ply))
            if mover is player:
                report = decision.report
                assert report["iterations"] == 400
                assert set(report["visits"]) <= set(position.legal)
                assert sum(report["visits"].values()) >= 400
                kept += sum(report["visits"].values()) - 400
            position = position.play(decision.move)
    assert kept > 0


def test_reuse_gives_the_subtree_and_nothing_else():
    """With one more iteration, the kept tree shows the visits it had before and that one."""
    position = game("quixo:3").start()
    player = agent("mcts:5000,reuse=yes", position.game)
    move = player.choose(position, stream(1)).move
    tree = player._trees[0].tree

    def children(node):
        return {int(tree.move[slot]): slot for slot in range(int(tree.first[node]), int(tree.first[node] + tree.explored[node]))}

    replies = children(children(0)[move])
    reply = max(replies, key=lambda move: tree.visits[replies[move]])
    before = {move: int(tree.visits[slot]) for move, slot in children(replies[reply]).items()}
    player.iterations = 1
    shown = player.choose(position.play(move).play(reply), stream(2)).report["visits"]
    assert len(before) > 5
    assert sum(shown.values()) == sum(before.values()) + 1
    assert sum(abs(shown[move] - before.get(move, 0)) for move in shown) == 1


def longest_pause(seconds):
    """How long other programs kept this one waiting, at most, while it did nothing but look at the clock."""
    pause = 0.0
    before = begin = time.perf_counter()
    while before < begin + seconds:
        now = time.perf_counter()
        pause = max(pause, now - before)
        before = now
    return pause


def test_time_is_kept():
    """Ten moves, none late by more than 10 ms beyond what a busy machine takes from any program; up to five tries."""
    position = game("dots:4x4").start()
    for spec in ("mcts:time=0.05", "mcts:time=0.05,threads=2,proven=yes"):
        player = agent(spec, position.game)
        delays = []
        for attempt in range(5):
            spent = []
            for number in range(10):
                since = time.perf_counter()
                decision = player.choose(position, stream(attempt, number))
                spent.append(time.perf_counter() - since)
                assert decision.move in position.legal and decision.report["iterations"] >= 1
            delays.append(max(spent) - 0.05 - longest_pause(0.25))
            if delays[-1] < 0.01:
                break
        assert min(delays) < 0.01, f"late by {delays} s"
        assert min(spent) > 0.03


def test_hardly_any_time_still_gives_a_move():
    position = game("quixo:5").start()
    decision = decide("mcts:time=0.000001", position)
    assert decision.move in position.legal and decision.report["iterations"] >= 1


def test_a_forced_move_takes_no_time():
    position = TICTACTOE.position("XOX/OXO/OX. o")
    player = agent("mcts:time=5", TICTACTOE)
    assert player.choose(position, stream(1)).report["seconds"] < 1


def test_a_full_tree_stops_growing():
    position = game("mnk:15,15,5").start()
    player = agent("mcts:3000,memory=1", position.game)
    report = player.choose(position, stream(1)).report
    slots = len(player._trees[0].tree.move)
    assert player._trees[0].used <= slots < 3000 * 225
    assert sum(report["visits"].values()) == report["iterations"] == 3000
    assert report["nodes"] < 3000


def test_scores_by_margin_tell_wins_apart():
    position = game("dots:2x2").start()
    for move in (0, 1, 3):
        position = position.play(move)
    report = decide("mcts:2000,score=margin", position).report
    assert all(0 < value < 1 for value in report["values"].values())


def processors_used(work):
    """(seconds of processor time, these per second on the wall) that some work takes."""
    since, processor = time.perf_counter(), time.process_time()
    work()
    spent = time.process_time() - processor
    return spent, spent / (time.perf_counter() - since)


def test_threads_work_at_the_same_time():
    """Two trees waste no processor time, and get the share of the machine that two threads of plain playouts get."""
    position = game("ultimate").start()
    one, two = (agent(f"mcts:40000,threads={threads}", position.game) for threads in (1, 2))

    def plain_playouts(key):
        count_playouts(position.game.rules, position.state, 30000, key, 0, np.empty(81, np.int32))

    plain_playouts(stream(0))
    costs = {1: [], 2: []}
    shares, control = [], []
    for attempt in range(6):
        key = stream(attempt)
        costs[1].append(processors_used(lambda key=key: one.choose(position, key))[0])
        cost, share = processors_used(lambda key=key: two.choose(position, key))
        costs[2].append(cost)
        shares.append(share)
        with ThreadPoolExecutor(2) as pool:
            control.append(processors_used(lambda key=key, pool=pool: list(pool.map(plain_playouts, [key, key])))[1])
    assert min(costs[2]) < 1.25 * min(costs[1])
    assert max(shares) > 0.75 * max(control)


@pytest.mark.parametrize("spec", ["mcts:0", "mcts:many", "mcts:c=-1", "mcts:choice=best", "mcts:threads=0", "mcts:time=-1", "mcts:depth=3"])
def test_wrong_options_are_refused_in_a_line(spec):
    with pytest.raises(SpecError) as refusal:
        agent(spec, TICTACTOE)
    assert "\n" not in str(refusal.value) and "mcts" in str(refusal.value)

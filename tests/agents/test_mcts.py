"""Monte Carlo tree search: the same tree as the slow twin's, good moves, proofs, reuse, threads, and limits of time and memory."""

import threading

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.mcts_kernels import Root, preferred
from ludometer.arena.play.playing import play_game
from ludometer.core.errors import SpecError
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.games import game
from tests.agents.naive_mcts import best_move, run_iterations

TICTACTOE = game("tictactoe")
BOOK = "study=textbook"  # c = √2, the move of best value, nothing proven, nothing kept


def decide(spec, position, seed=1):
    return agent(spec, position.game).choose(position, stream(seed))


@pytest.mark.parametrize("text, iterations", [("start", 400), ("X.O/.X./..O x", 300), ("X../.O./... x", 7), ("XO./.XO/... x", 200)])
def test_the_tree_is_the_twins(text, iterations):
    position = TICTACTOE.position(text)
    for seed in (1, 2):
        key = stream(seed)
        decision = agent(f"mcts:{iterations},{BOOK}", TICTACTOE).choose(position, key)
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
        decision = agent(f"mcts:300,{BOOK}", position.game).choose(position, stream(5))
        assert decision.report["visits"] == {move: child.passes for move, child in sorted(root.children.items())}, spec
        assert decision.move == best_move(root)


@pytest.mark.parametrize(
    "text, expected", [("XX./OO./... x", "C1"), ("XX./OO./X.. o", "C2"), ("X../.O./..X o", None), ("XX./O../... o", "C1")]
)
@pytest.mark.parametrize(
    "options", ["", f",{BOOK}", ",choice=value", ",proven=no,c=1", ",threads=2", ",playouts=3", ",score=margin", ",c=1.4"]
)
def test_wins_and_blocks(text, expected, options):
    position = TICTACTOE.position(text)
    decision = decide(f"mcts:3000{options}", position)
    chosen = position.move_text(decision.move)
    assert chosen == expected if expected else chosen in ("B1", "A2", "C2", "B3")  # a corner would lose


@pytest.mark.parametrize(
    "spec", ["mcts:500,proven=no", "mcts:500,threads=2,proven=no", "mcts:501,threads=3,proven=no", "mcts:1", "mcts:3,threads=2"]
)
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
        decision = decide("mcts:200000,proven=yes,c=1.4", position)  # with less exploration a proven draw is visited instead of the rest
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
    for spec in ("mcts:300", "mcts:300,threads=2", f"mcts:300,{BOOK}"):
        player = agent(spec, position.game)
        first = player.choose(position, stream(1))
        player.choose(position, stream(2))
        again = player.choose(position, stream(1))
        assert (first.move, first.report["visits"]) == (again.move, again.report["visits"])
        assert decide(spec, position, 3).report["visits"] != first.report["visits"]


def counted(search):
    """(explored nodes, slots in use, visits of the root, visits of its children) of the tree in use, by walking through it."""
    tree = search.trees[search.run[0]["active"]]
    nodes, slots, waiting = 1, 1, [0]
    while waiting:
        node = waiting.pop()
        first, explored = int(tree.first[node]), int(tree.explored[node])
        if first < 0:
            continue
        slots += int(tree.children[node])
        for child in range(first, first + int(tree.children[node])):
            assert tree.move[child] >= 0
            if child < first + explored:
                assert tree.parent[child] == node and tree.visits[child] >= 1
                waiting.append(child)
                nodes += 1
    first, explored = int(tree.first[0]), int(tree.explored[0])
    return nodes, slots, int(tree.visits[0]), int(tree.visits[first : first + explored].sum())


@pytest.mark.parametrize("options", [",proven=no", ",proven=yes", ",proven=no,threads=2"])
@pytest.mark.parametrize("spec", ["quixo:3", "dots:2x2", "tictactoe"])
def test_a_reused_tree_is_whole_throughout_a_game(spec, options):
    """Nodes, slots and visits that are counted along with the moves are those found in the tree, and what was known is kept."""
    chosen = game(spec)
    subject, opponent = agent(f"mcts:400,reuse=yes{options}", chosen), agent("random", chosen)
    kept = 0
    for seed in range(4):
        position, side = chosen.start(), seed % 2
        player = subject.player(position, side)
        for ply in range(200):
            if position.is_over:
                break
            mover = player if position.player == side else opponent
            decision = mover.choose(position, stream(seed, ply))
            if mover is player:
                runs = [search.run[0] for search in player.searches]
                for search, run in zip(player.searches, runs):
                    nodes, slots, visits, below = counted(search)
                    assert (nodes, slots) == (run["nodes"], run["used"])
                    assert visits == run["kept"] + run["iterations"] and below <= visits
                assert decision.report["nodes"] == sum(run["nodes"] for run in runs)
                assert set(decision.report["visits"]) <= set(position.legal)
                kept += sum(int(run["kept"]) for run in runs)
            position = position.play(decision.move)
            player.observe(decision.move, position)
    assert kept > 0


def test_reuse_follows_the_moves_and_nothing_else():
    """The kept tree shows the visits it had below the moves made, and the new iterations."""
    position = game("quixo:3").start()
    subject = agent("mcts:2000,reuse=yes,proven=no", position.game)
    player = subject.player(position)
    move = player.choose(position, stream(1)).move
    tree = player.searches[0].trees[0]

    def children(node):
        return {int(tree.move[slot]): slot for slot in range(int(tree.first[node]), int(tree.first[node] + tree.explored[node]))}

    replies = children(children(0)[move])
    reply = max(replies, key=lambda move: tree.visits[replies[move]])
    before = {move: int(tree.visits[slot]) for move, slot in children(replies[reply]).items()}
    assert len(before) > 5
    there = position.play(move).play(reply)
    player.observe(move, position.play(move))
    player.observe(reply, there)
    shown = player.choose(there, stream(2)).report
    assert sum(shown["visits"].values()) == sum(before.values()) + shown["iterations"] and shown["iterations"] == 2000
    assert all(shown["visits"][move] >= visits for move, visits in before.items())
    fresh = subject.player(there).choose(there, stream(2)).report
    assert sum(fresh["visits"].values()) == 2000
    # Somebody who was not told of the moves does not take the old tree for the new position's.
    untold = subject.player(position)
    untold.choose(position, stream(1))
    assert untold.choose(there, stream(2)).report["visits"] == fresh["visits"]


def test_depth_is_that_of_one_move():
    player = agent("mcts:300,reuse=no", TICTACTOE).player(TICTACTOE.start())
    depths = [player.choose(TICTACTOE.position(text), stream(1)).report["depth"] for text in ("start", "XOX/OXO/OX. o")]
    assert depths[0] > 2 and depths[1] == 1


def test_without_reuse_every_search_is_new():
    position = game("quixo:3").start()
    player = agent("mcts:300,reuse=no", position.game).player(position)
    visits = [player.choose(position, stream(1)).report["visits"] for _ in range(2)]
    assert visits[0] == visits[1] and sum(visits[0].values()) == 300


def test_playouts_end_with_the_game():
    """Nothing can be won any more in a game with one move to go that wins for nobody: all is a draw."""
    position = game("quixo:3").position("XX./OO./... x")
    subject = agent(f"mcts:500,{BOOK}", position.game)
    winning = {move for move in position.legal if position.play(move).is_over}
    assert winning

    def values(ply_limit, made=0):
        player = subject.player(position, 0, ply_limit)
        for _ in range(made):
            player.observe(0, position)  # moves made before, so that fewer are left
        return player.choose(position, stream(1)).report["values"]

    assert all(values(1)[move] == (1.0 if move in winning else 0.5) for move in position.legal)
    assert values(3, made=2) == values(1) != values(3) == values(400, made=397) != values(400)
    start = TICTACTOE.start()
    shown = agent(f"mcts:500,{BOOK}", TICTACTOE).player(start, 0, 6).choose(start, stream(1)).report["values"]
    naive = run_iterations(start, stream(int(stream(1)), 0), 500, plies_left=6)
    assert shown == pytest.approx({move: 1 - child.wins / child.passes for move, child in sorted(naive.children.items())})


def test_a_loss_that_is_proven_is_left_alone():
    """What a proof takes is the same for both players: the twin of a position with the sides exchanged needs as many iterations."""
    texts = {"x": "O../.X./..O x", "o": "X../.O./..X o"}  # corners lose
    reports = {side: decide("mcts:5000,proven=yes,c=1.4", TICTACTOE.position(text)).report for side, text in texts.items()}
    assert reports["x"]["iterations"] == reports["o"]["iterations"] < 5000
    assert "loss" in reports["x"]["proven"].values()
    assert reports["x"]["visits"] == reports["o"]["visits"] and reports["x"]["proven"] == reports["o"]["proven"]


def test_time_ends_an_endless_search():
    """Nobody could run 2³¹ iterations; benchmarks/mcts.py measures how late a move comes."""
    position = game("dots:4x4").start()
    for spec in ("mcts:time=0.02", "mcts:time=0.02,threads=2,proven=yes"):
        decision = decide(spec, position)
        assert decision.move in position.legal and 1 <= decision.report["iterations"] < 2**31 - 2


@pytest.mark.parametrize("options", ["", ",threads=2", ",reuse=yes", ",playouts=1000000"])
def test_a_search_can_be_stopped(options):
    """Asked before it begins, it does next to nothing; asked while it runs, it returns what it has."""
    position = game("dots:4x4").start()
    player = agent(f"mcts:1000000000,memory=64{options}", position.game).player(position)
    asked, later = Stop(), Stop()
    asked.ask()
    report = player.choose(position, stream(1), asked).report
    assert 1 <= report["iterations"] <= 16 and 1 <= report["playouts"] <= 128
    timer = threading.Timer(0.05, later.ask)
    timer.start()
    decision = player.choose(position, stream(1), later)
    assert decision.move in position.legal and decision.report["playouts"] >= report["playouts"]


def test_hardly_any_time_still_gives_a_move():
    position = game("quixo:5").start()
    decision = decide("mcts:time=0.000001", position)
    assert decision.move in position.legal and decision.report["iterations"] >= 1


def test_a_forced_move_takes_no_time():
    position = TICTACTOE.position("XOX/OXO/OX. o")
    assert decide("mcts:time=5", position).report["iterations"] == 1


def test_a_full_tree_stops_growing():
    position = game("mnk:15,15,5").start()
    player = agent("mcts:3000,memory=1", position.game).player(position)
    report = player.choose(position, stream(1)).report
    slots = len(player.searches[0].trees[0].move)
    assert player.searches[0].run[0]["used"] <= slots < 3000 * 225
    assert sum(report["visits"].values()) == report["iterations"] == 3000
    assert report["nodes"] < 3000


def test_scores_by_margin_tell_wins_apart():
    position = game("dots:2x2").start()
    for move in (0, 1, 3):
        position = position.play(move)
    report = decide("mcts:2000,score=margin,proven=no", position).report
    assert all(0 < value < 1 for value in report["values"].values())


def test_no_iterations_are_random_moves():
    """The lowest rung of a ladder: the same moves as those of `random`, with or without threads, and no opinion."""
    for spec in ("mcts:0", "mcts:0,threads=3", f"mcts:0,{BOOK}"):
        for number in range(20):
            position = game("quixo:4").start()
            decision = decide(spec, position, number)
            assert decision.move == agent("random", position.game).choose(position, stream(number)).move
            assert decision.value is None and decision.report["iterations"] == 0 and decision.report["visits"] == {}


@pytest.mark.parametrize(
    "text, option, changed",
    [
        ("X.O/.X./..O x", "c=0.1", True),
        ("X.O/.X./..O x", "playouts=7", True),
        ("X.O/.X./..O x", "threads=2", True),
        ("start", "score=margin", True),
        ("X.O/.X./..O x", "memory=64", False),
        ("X.O/.X./..O x", "choice=visits", False),  # the tree grows alike, the move differs elsewhere
    ],
)
def test_options_change_what_they_say(text, option, changed):
    position = TICTACTOE.position(text)
    visits = [decide(spec, position).report["visits"] for spec in (f"mcts:500,{BOOK}", f"mcts:500,{BOOK},{option}")]
    assert (visits[0] != visits[1]) == changed


@pytest.mark.parametrize(
    "visits, points, known, by_visits, place",
    [
        ([10, 5, 5], [6.0, 4.0, 1.0], [ONGOING] * 3, 0, 1),
        ([10, 5, 5], [6.0, 4.0, 1.0], [ONGOING] * 3, 1, 0),
        ([10, 10, 5], [6.0, 7.0, 5.0], [ONGOING] * 3, 1, 1),  # of equally visited ones the better
        ([5, 5, 5], [4.0, 4.0, 4.0], [ONGOING] * 3, 0, 0),  # of equal ones the first explored
        ([10, 2, 5], [9.0, 2.0, 1.0], [ONGOING, WIN, ONGOING], 1, 1),  # a proven win before all others
        ([10, 2, 5], [9.0, 1.0, 1.0], [LOSS, ONGOING, DRAW], 1, 2),  # a proven loss after all others; a draw counts as its value
        ([10, 2, 5], [9.0, 1.1, 1.0], [LOSS, ONGOING, DRAW], 0, 1),
        ([10, 2, 5], [9.0, 0.9, 1.0], [LOSS, ONGOING, DRAW], 0, 2),
        ([2, 9, 5], [0.0, 0.0, 0.0], [LOSS, LOSS, LOSS], 0, 1),  # where all is lost, the one that took longest to refute
    ],
)
def test_which_move_is_made(visits, points, known, by_visits, place):
    root = Root(np.arange(3, dtype=np.int32), np.array(visits), np.array(points), np.array(known, np.int8), np.array([3]))
    assert preferred(root, by_visits) == place


def test_the_choice_by_visits_and_the_score_by_margin():
    position = game("quixo:3").start()
    moves = {}
    for choice in ("visits", "value"):  # without exploration the move most visited falls behind now and then
        moves[choice] = [decide(f"mcts:{count},{BOOK},c=0,choice={choice}", position).move for count in range(30, 90)]
    assert moves["visits"] != moves["value"]
    position = game("dots:2x2").start()
    plain, by_margin = (decide(f"mcts:100,{BOOK},score={score}", position) for score in ("result", "margin"))
    assert plain.report["values"] != by_margin.report["values"]
    assert plain.value is not None and by_margin.value is None


@pytest.mark.parametrize(
    "spec", ["mcts:-1", "mcts:many", "mcts:c=-1", "mcts:choice=best", "mcts:threads=0", "mcts:time=-1", "mcts:depth=3"]
)
def test_wrong_options_are_refused_in_a_line(spec):
    with pytest.raises(SpecError) as refusal:
        agent(spec, TICTACTOE)
    assert "\n" not in str(refusal.value) and "mcts" in str(refusal.value)


def test_trees_of_several_threads_differ():
    """Each tree has a key of its own: equal trees would add up to one tree counted twice."""
    position = game("quixo:3").start()
    player = agent("mcts:60,threads=2", position.game).player(position)
    player.choose(position, stream(1))
    first, second = (search.trees[0] for search in player.searches)
    assert [int(tree.visits[0]) for tree in (first, second)] == [30, 30]
    assert not np.array_equal(first.move[1:10], second.move[1:10])

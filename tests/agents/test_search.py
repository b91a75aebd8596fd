"""Depth-first search: every combination of options against the plain definition, known values, counts, limits and options."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents import search_kernels as kernels
from ludometer.agents import search_player_kernels as players
from ludometer.agents.alarm import ringing_after
from ludometer.agents.search_choices import Algorithm, Cache, Order, Shuffle, Symmetry
from ludometer.arena.play.playing import play_game
from ludometer.arena.play.turn_reports import play_with_reports
from ludometer.core.agent import Decision
from ludometer.core.compiling.compiled_player import FOR_EVER, ask, tell_begin
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.view.results.turn_reports import turn_table_text
from tests.agents import search_twin

SEARCHERS = ("minimax", "alphabeta", "expectimax")
MEMORIES = np.array([7, 100, 4096])  # entries: from far too few to enough


def choose(spec: str, position: Position, seed: int = 1) -> Decision:
    return agent(spec, position.game).choose(position, stream(seed))


def value_of(spec: str, position: Position) -> float | None:
    """The value on the search's own scale."""
    value: float | None = choose(spec, position).report["score"]
    return value


def root_value(game_spec: str, agent_spec: str) -> float | None:
    return value_of(agent_spec, game(game_spec).start())


def random_positions(spec: str, count: int, most_moves: int, seed: int) -> list[Position]:
    """Unfinished positions after random moves."""
    source = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game(spec).start()
        for _ in range(source.randrange(most_moves + 1)):
            if position.is_over:
                break
            position = position.play(source.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


def all_choices(scored: bool, variant: str) -> list[tuple[int, ...]]:
    """Rows of `search_twin.compare` for every combination of options that means something, in a mixed order."""
    found = []
    for algorithm, cache, symmetry, order, shuffle, early, by_margin in itertools.product(
        Algorithm, Cache, Symmetry, Order, (Shuffle.NO, Shuffle.YES), range(2), range(1 + scored)
    ):
        idle_table = cache == Cache.NONE and symmetry
        useless = cache == Cache.BOUNDS and algorithm != Algorithm.ALPHABETA
        if idle_table or useless or (algorithm == Algorithm.EXPECTIMAX and early):
            continue
        given = {"algorithm": algorithm, "cache": cache, "symmetry": symmetry, "order": order, "shuffle": shuffle}
        plain = dict.fromkeys(players.SearchSettings._fields, 0) | {"depth_rule": -1}
        row = tuple(map(int, players.SearchSettings(**plain | given | {"early": early, "by_margin": by_margin})))
        if variant == "usual":
            found.append(row)
            continue
        for all_looked_up, unpruned_only in itertools.product(range(2), range(2)):
            if (
                all_looked_up
                and (cache == Cache.NONE or symmetry)
                or unpruned_only
                and (cache, algorithm) != (Cache.EXACT, Algorithm.ALPHABETA)
            ):
                continue
            for full_root, no_ceiling in ((0, 0), (1, 0), (0, 1)) if algorithm == Algorithm.ALPHABETA else ((0, 0),):
                found.append((*row, all_looked_up, unpruned_only, full_root, no_ceiling))
    random.Random(1).shuffle(found)
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "spec, positions, most_moves, last_plies, depth, per_position, variant",
    [
        ("tictactoe", 2000, 6, 0, 3, 15, "usual"),
        ("tictactoe", 2000, 6, 0, 3, 15, "study"),
        ("tictactoe", 600, 0, 5, 10, 15, "study"),  # to the end
        ("mnk:3,4,3", 400, 7, 0, 3, 10, "usual"),
        ("quixo:2", 4000, 6, 0, 4, 10, "usual"),
        ("quixo:3", 1500, 8, 0, 3, 10, "study"),
        ("dots:2x2", 1200, 9, 0, 3, 10, "study"),
        ("dots:2x3", 800, 0, 7, 20, 10, "usual"),  # to the end
        ("ultimate", 1500, 60, 0, 2, 10, "usual"),
        ("ultimate", 400, 0, 12, 4, 10, "study"),
        ("ultimate:open", 300, 0, 20, 3, 10, "usual"),
    ],
)
def test_every_combination_of_options_finds_the_plain_value(spec, positions, most_moves, last_plies, depth, per_position, variant) -> None:
    """Also: alpha-beta without a table never looks at more positions than minimax in the same order."""
    subject = game(spec)
    choices = all_choices(subject.kind.scored, variant)
    kind = "alphabeta" if variant == "usual" else "study001:alphabeta"
    options = "" if variant == "usual" else ",replace=lru,keys=anew"
    like = agent(f"{kind}:{depth},memory={MEMORIES[-1]}{options}", subject).compiled_player()
    rows = np.array(choices, np.int64)
    compared, wrong, number, choice = search_twin.compare(
        subject.rules, like, stream(1, spec), positions, most_moves, last_plies, depth, rows, per_position, MEMORIES
    )
    assert wrong == -1, f"position {number}, {choices[choice]}: {('value', 'nodes', 'stopped')[wrong]}"
    assert compared >= positions // 4 and compared * per_position >= len(choices)


@pytest.mark.parametrize(
    "spec, agent_spec, value",
    [
        ("tictactoe", "alphabeta:9", 0),
        ("tictactoe", "minimax:9,cache=exact", 0),
        ("mnk:4,4,3", "alphabeta:16,early=no", players.WIN),
        ("quixo:2", "alphabeta:3", players.WIN - 3),
        ("quixo:3", "alphabeta:7", players.WIN - 7),
        ("dots:1x1", "alphabeta:99", -1),
        ("dots:1x2", "minimax:99", 0),
        ("dots:1x3", "alphabeta:99", -1),
        ("dots:2x2", "alphabeta:99", 2),
        ("dots:2x3", "alphabeta:99,symmetry=canonical", -2),
        ("dots:2x2", "alphabeta:99,goal=win,early=no", players.WIN),
    ],
)
def test_known_values(spec: str, agent_spec: str, value: float) -> None:
    assert root_value(spec, agent_spec) == value


def test_a_win_in_seven_is_not_seen_in_six() -> None:
    assert abs(root_value("quixo:3", "alphabeta:6")) < players.MOST_CLAIMED


@pytest.mark.parametrize(
    "spec, agent_spec, nodes",
    [  # the counts of minimax with a cache are also the published ones of "N×N, k in a row" (week 4): every state, every move once
        ("tictactoe", "minimax:9,shuffle=no", 549_946),
        ("tictactoe", "minimax:9,cache=exact,shuffle=no", 16_168),
        ("tictactoe", "alphabeta:9,shuffle=no,early=no", 923),
        ("mnk:4,4,3", "alphabeta:16,shuffle=no,early=no", 353),
        ("mnk:4,4,4", "alphabeta:16,shuffle=no,early=no", 328_195),
        ("mnk:5,5,3", "alphabeta:25,shuffle=no,early=no", 893),
        ("mnk:5,5,3", "alphabeta:25,shuffle=no,order=history", 11_726),
    ],
)
def test_positions_looked_at(spec: str, agent_spec: str, nodes: int) -> None:
    assert choose(agent_spec, game(spec).start()).report["nodes"] == nodes


def open_positions(spec: str) -> tuple[int, int]:
    """How many unfinished positions can be reached: as they are, and with images of each other counted once."""
    waiting, seen, classes = [game(spec).start()], set(), set()
    while waiting:
        position = waiting.pop()
        if position.is_over or position.key in seen:
            continue
        seen.add(position.key)
        classes.add(min(position.transformed(symmetry).key for symmetry in range(position.symmetry_count)))
        waiting += [after for _, after in position.children()]
    return len(seen), len(classes)


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec", ["dots:1x1", "dots:1x2", "dots:2x2"])
def test_tables_and_symmetries_in_dots_and_boxes(spec: str) -> None:
    """Both ways to use symmetries expand each class of positions once; only one of them also saves memory."""
    plain, classes = open_positions(spec)
    reports = {
        symmetry: choose(f"minimax:99,goal=win,early=no,cache=exact,symmetry={symmetry}", game(spec).start()).report
        for symmetry in ("none", "canonical", "all")
    }
    assert {name: report["expanded"] for name, report in reports.items()} == {"none": plain, "canonical": classes, "all": classes}
    assert {name: report["cache_keys"] for name, report in reports.items()} == {"none": plain, "canonical": classes, "all": plain}
    assert all(report["cache_bytes"] == players.BYTES_PER_KEY * report["cache_keys"] for report in reports.values())


def expansions(position: Position, depth: int, known: dict[int, tuple[int, bool]], is_root: bool = True) -> tuple[int, bool]:
    """(positions expanded, whether all lines came to their end) by minimax that remembers the latest search of each position."""
    there = known.get(position.key)
    if there is not None and not is_root and (there[0] == depth or (there[1] and there[0] < depth)):
        return 0, there[1]
    expanded, is_whole = 1, True
    for after in (after for _, after in position.children() if not after.is_over):
        more, ends = expansions(after, depth - 1, known, False) if depth > 1 else (0, False)
        expanded, is_whole = expanded + more, is_whole and ends
    known[position.key] = depth, is_whole
    return expanded, is_whole


@pytest.mark.parametrize(("text", "depth"), [("XX./.../OO. x", 4), ("XX./.../OO. x", 5), ("X../X.O/..O o", 4)])
def test_a_position_met_again_nearer_to_the_horizon_is_searched_again(text: str, depth: int) -> None:
    """In these positions both players can move a cube without changing the board, so that a position comes back two plies later."""
    position = game("quixo:3").position(text)
    assert any(str(after).split()[0] == text.split()[0] for _, after in position.children())
    report = choose(f"minimax:{depth},cache=exact,shuffle=no", position).report
    assert report["expanded"] == expansions(position, depth, {})[0]


def test_expectimax_hopes_for_mistakes() -> None:
    """Tic-tac-toe is a draw between those who make none."""
    start = game("tictactoe").start()
    assert value_of("minimax:9,cache=exact", start) == 0
    hope = value_of("expectimax:9,cache=exact", start)
    assert hope is not None and 0 < hope < players.WIN
    assert choose("expectimax:9,cache=exact", start).value == pytest.approx(0.5 + 0.5 * hope / players.WIN)
    assert value_of("expectimax:9", game("tictactoe").position("XX./OO./... x")) == players.WIN


def test_what_no_deeper_search_would_change() -> None:
    """Nine wins and a draw are worth as much on average as a win that is far away, and yet decide nothing."""
    plain = players.SearchSettings(**dict.fromkeys(players.SearchSettings._fields, 0))
    average, far = 0.95 * players.WIN, players.WIN - 500
    for algorithm in (Algorithm.MINIMAX, Algorithm.ALPHABETA):
        settings = plain._replace(algorithm=algorithm)
        assert kernels.is_decided(settings, far) and kernels.is_decided(settings, -far)
        assert not kernels.is_decided(settings, players.MOST_CLAIMED) and not kernels.is_decided(settings._replace(by_margin=1), far)
    chance = plain._replace(algorithm=Algorithm.EXPECTIMAX)
    assert not kernels.is_decided(chance, average) and not kernels.is_decided(chance, -average)
    assert kernels.is_decided(chance, players.WIN) and kernels.is_decided(chance, -players.WIN)


def test_nearer_wins_are_preferred() -> None:
    position = game("tictactoe").position("XX./OO./... x")
    assert position.move_text(choose("alphabeta:9", position).move) == "C1"
    assert value_of("alphabeta:9", position) == players.WIN - 1
    lost = game("tictactoe").position("X.X/.O./X.O o")  # B1 and A2 both win for X
    assert value_of("minimax:9", lost) == -(players.WIN - 2)
    assert value_of("minimax:9,early=no", lost) == -players.WIN


def test_points_are_claimed_only_where_the_end_was_seen() -> None:
    """`Decision.value` is 0, ½ or 1 of a finished search or a proven win, and nothing where an evaluation speaks."""
    start = game("tictactoe").start()
    assert choose("alphabeta:9", start).value == 0.5 and choose("alphabeta:2", start).value is None
    won, lost = game("tictactoe").position("XX./OO./... x"), game("tictactoe").position("X.X/.O./X.O o")
    assert choose("alphabeta:1", won).value == 1.0 and choose("minimax:2", lost).value == 0.0
    assert choose("alphabeta:1,beam=2", won).value is None  # of other moves nothing is known
    assert choose("alphabeta:99", game("dots:2x2").start()).value == 1.0 and choose("alphabeta:99", game("dots:1x1").start()).value == 0.0
    assert choose("expectimax:99,cache=exact", game("dots:1x1").start()).value is None  # a mean margin is no number of points


def test_a_win_comes_before_every_threat() -> None:
    """A double threat is worth infinitely much to the evaluation; a won game is worth more."""
    position = game("tictactoe").position("XX./.O./..O x")
    assert {position.move_text(choose("alphabeta:3,beam=2", position, seed).move) for seed in range(8)} == {"C1"}
    assert choose("alphabeta:9,shuffle=no", position).report["nodes"] == 2  # the root and the winning move


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_time_limit_ends_an_endless_search(kind: str) -> None:
    """Nobody could search 250 plies; benchmarks/search.py measures how late a move comes."""
    position = random_positions("mnk:15,15,5", 1, 10, 1)[0]
    decision = agent(f"{kind}:time=0.02", position.game).choose(position, stream(1))
    assert decision.move in position.legal and decision.report["nodes"] > 0 and decision.report["depth"] < 250


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_search_can_be_stopped(kind: str) -> None:
    """Before it begins, it returns a legal move; while it runs, the best one so far."""
    position = random_positions("mnk:15,15,5", 1, 10, 1)[0]
    player = agent(f"{kind}:30", position.game).player(position)
    asked = Stop()
    asked.ask()
    at_once = player.choose(position, stream(1), asked)
    assert at_once.move in position.legal and at_once.report["nodes"] < 1000 and at_once.report["score"] is None
    later = Stop()
    timer = threading.Timer(0.05, later.ask)
    timer.start()
    running = player.choose(position, stream(1), later)
    assert running.move in position.legal and running.report["depth"] == 0 and running.report["nodes"] > at_once.report["nodes"]
    assert player.choose(position, stream(1), asked).report["nodes"] == at_once.report["nodes"]  # nothing was left behind


def test_where_compiled_code_has_no_clock_a_thread_watches_it() -> None:
    position = random_positions("mnk:15,15,5", 1, 10, 1)[0]
    player = agent("minimax:30", position.game).player(position)
    with ringing_after(0.03) as bell:
        assert player.choose(position, stream(1), bell).move in position.legal
    asked = Stop()
    asked.ask()
    with ringing_after(3600, asked) as bell:
        assert player.choose(position, stream(1), bell).move in position.legal
    with ringing_after(3600) as bell:
        pass
    assert not bell.asked


def test_a_hopeless_limit_still_gives_a_legal_move() -> None:
    for position in random_positions("mnk:15,15,5", 5, 20, 2):
        decision = choose("minimax:time=0.000001", position)
        assert decision.move in position.legal and decision.report["depth"] in (0, 1)


def test_a_node_budget_is_kept_and_gives_the_same_move_every_time() -> None:
    for position in random_positions("ultimate", 5, 40, 3):
        first, second = (choose("alphabeta:nodes=20000,order=history", position) for _ in range(2))
        assert [first.report[name] for name in ("score", "nodes", "depth")] == [second.report[name] for name in ("score", "nodes", "depth")]
        assert first.move == second.move
        assert first.report["nodes"] <= 20_000 + 81 and first.report["depth"] >= 3


def test_deepening_ends_with_the_game() -> None:
    assert choose("alphabeta:nodes=1000000000", game("tictactoe").start()).report["depth"] == 9
    assert choose("alphabeta:nodes=1000000000", game("quixo:3").start()).report["depth"] == 7  # won: no deeper search would change that


@pytest.mark.parametrize("replace", ["keep", "fifo", "deep"])
def test_memory_is_limited(replace: str) -> None:
    report = choose(f"minimax:9,cache=exact,memory=500,replace={replace}", game("tictactoe").start()).report
    assert report["cache_keys"] == 500
    unlimited = choose("minimax:9,cache=exact", game("tictactoe").start()).report
    assert report["nodes"] > unlimited["nodes"]


def test_memory_lasts_for_one_game() -> None:
    start = game("tictactoe").start()
    subject = agent("minimax:9,cache=exact,shuffle=no", game("tictactoe"))
    player = subject.player()
    first = player.choose(start, stream(1)).report["nodes"]
    later = player.choose(start.play("B2").play("A1"), stream(1)).report["nodes"]
    assert later == 8  # the root and one look at each of seven positions known
    assert subject.player().choose(start, stream(1)).report["nodes"] == first == subject.choose(start, stream(1)).report["nodes"]


@pytest.mark.parametrize("cache", ["exact", "none"])
def test_expectimax_remembers_whose_search_it_was(cache: str) -> None:
    """One player asked for both sides finds what fresh players find: the same position is worth something else to each."""
    positions = random_positions("tictactoe", 30, 5, 4)
    player = agent(f"expectimax:5,cache={cache},shuffle=no", game("tictactoe")).player()
    for number, position in enumerate(positions):
        both = [position, *(after for _, after in position.children() if not after.is_over)]
        for asked in both:
            fresh = choose(f"expectimax:5,cache={cache},shuffle=no", asked, number)
            again = player.choose(asked, stream(number))
            assert again.report["score"] == pytest.approx(fresh.report["score"]), (str(asked), cache)


def test_an_emptied_table_knows_nothing_of_the_last_game() -> None:
    """A compiled player that begins a new game counts as a new one does, whatever was left in its arrays."""
    subject = game("quixo:3")
    old, new = (agent("alphabeta:4,memory=300,shuffle=no", subject).compiled_player() for _ in range(2))
    buffer = np.empty(subject.move_bound, np.int32)
    for number, position in enumerate(random_positions("quixo:3", 25, 8, 5)):
        for player in (old, new):
            if player is new:
                player = agent("alphabeta:4,memory=300,shuffle=no", subject).compiled_player()
                new = player
            tell_begin(subject.rules, player, position.state)
            ask(subject.rules, player, position.state, FOR_EVER, stream(number), buffer)
        assert [old.run[0][name] for name in ("nodes", "hits", "value")] == [new.run[0][name] for name in ("nodes", "hits", "value")]
        assert old.table.use[0]["stored"] == new.table.use[0]["stored"] > 0


def test_shuffling_is_seeded() -> None:
    start = game("quixo:5").start()
    for shuffle, varied in (("no", False), ("root", True), ("yes", True)):
        moves = [choose(f"alphabeta:1,shuffle={shuffle}", start, seed).move for seed in range(12)]
        assert moves == [choose(f"alphabeta:1,shuffle={shuffle}", start, seed).move for seed in range(12)]
        assert (len(set(moves)) > 1) == varied


def test_a_beam_looks_at_few_moves() -> None:
    start = game("mnk:15,15,5").start()
    report = choose("alphabeta:4,beam=5,shuffle=no", start).report
    assert report["nodes"] <= 1 + 5 + 5**2 + 5**3 + 5**4
    position = game("mnk:15,15,5").start()
    for move in ("H8", "H7", "H9", "B1", "H10", "C1", "H11"):
        position = position.play(move)
    reply = position.move_text(choose("alphabeta:2,beam=3", position).move)
    assert reply == "H12"  # the open end of four in a row


def test_variable_depth_in_quixo() -> None:
    start = game("quixo:5").start()
    corners = {"A1", "E1", "A5", "E5"}
    for seed in range(10):
        decision = choose("alphabeta:variable=yes", start, seed)
        assert start.move_text(decision.move)[:2] in corners and decision.report["nodes"] == 0
    depths = {
        "advantage": {"XXX../OO.../...../...../..... x": 2, "XXXX./O.O.O/...../...../..... x": 2, "XX.../OOOO./...../...../..... x": 3},
        "losing": {"XX.../OO.../...../...../..... x": 1, "XXX../OO.../...../...../..... x": 3, "XX.../OOO../...../...../..... x": 3},
        "longest": {"XX.../OO.../...../...../..... x": 1, "XXX../OO.../...../...../..... x": 3, "XX.../OOOO./...../...../..... x": 4},
    }
    for rule, positions in depths.items():
        for text, depth in positions.items():
            reached = choose(f"alphabeta:variable={rule}", game("quixo:5").position(text)).report["depth"]
            assert reached == depth, (rule, text)
    for seed in range(3):
        record = play_game("quixo:5", "alphabeta:variable=yes", "random", seed=seed)
        assert record.result == "1-0"


@pytest.mark.parametrize("kind", SEARCHERS)
@pytest.mark.parametrize("spec", ["tictactoe", "ultimate", "ultimate:open", "quixo:4", "dots:3x3"])
def test_it_plays_and_beats_chance(kind: str, spec: str) -> None:
    points = 0.0
    for seed in range(4):
        first = play_game(spec, f"{kind}:2", "random", seed=seed)
        second = play_game(spec, "random", f"{kind}:2", seed=seed)
        points += (first.outcome + 1) / 2 + (1 - second.outcome) / 2
    assert points >= 5


@pytest.mark.parametrize(
    "spec, game_spec, message",
    [
        ("alphabeta:depth=3,rounds=2", "quixo:3", "give one of them"),
        ("alphabeta:symmetry=all,cache=none", "quixo:3", "needs a cache"),
        ("minimax:cache=bounds", "quixo:3", "write cache=exact"),
        ("alphabeta:evaluation=heur9", "ultimate", "it has heur3, heur4, heur2, heur1"),
        ("alphabeta:variable=yes", "ultimate", "it has none to choose from"),
        ("alphabeta:variable=luck", "quixo:5", "it has advantage, losing, longest"),
        ("alphabeta:variable=yes,depth=3", "quixo:5", "leave depth and rounds out"),
        ("alphabeta:order=best", "quixo:5", "one of none, heuristic, reversed, history"),
        ("alphabeta:time=-1", "quixo:5", "between 0 and"),
        ("alphabeta:2", "matrix:sexes", "at the same time"),
    ],
)
def test_wrong_options_are_refused_in_one_line(spec: str, game_spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        agent(spec, game(game_spec))
    assert "\n" not in str(caught.value)


def test_memory_that_is_not_there_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.agents import transposition_kernels

    def full(limit: int, replacement: int) -> None:
        raise MemoryError

    monkeypatch.setattr(transposition_kernels, "new_table", full)
    with pytest.raises(SpecError, match="no room here for memory=2147483647") as caught:
        agent("alphabeta:memory=2147483647", game("tictactoe"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec, usual, options, what",
    [
        ("ultimate", "alphabeta:3,shuffle=no", ("evaluation=heur1",), "score"),
        ("tictactoe", "alphabeta:6,shuffle=no", ("order=none", "order=reversed", "order=history"), "nodes"),
        ("tictactoe", "alphabeta:6,shuffle=no", ("cache=none", "cache=exact"), "nodes"),
        ("tictactoe", "alphabeta:9,shuffle=no,memory=60", ("replace=keep", "replace=fifo", "memory=600"), "nodes"),
        ("tictactoe", "alphabeta:6,shuffle=no", ("symmetry=canonical",), "nodes"),
        ("tictactoe", "minimax:6,cache=exact,shuffle=no", ("symmetry=all",), "nodes"),
        ("tictactoe", "alphabeta:9,shuffle=no", ("early=no", "beam=3", "depth=8"), "nodes"),
        ("dots:2x2", "alphabeta:20,shuffle=no", ("goal=win",), "score"),
    ],
)
def test_every_option_changes_what_it_says(spec: str, usual: str, options: tuple[str, ...], what: str) -> None:
    """Each of these finds another number than the usual one and than each other; what else they do is tested above."""
    position = game(spec).start()
    for move in ("B2/B2",) if spec == "ultimate" else ():
        position = position.play(move)
    kept = [part for part in usual.split(",") if part]
    specs = [usual]
    for option in options:
        name = option.partition("=")[0]
        others = [part for part in kept if not part.startswith(f"{name}=")]
        specs.append(
            ",".join([others[0].partition(":")[0] + ":" + option, *others[1:]]) if name == "depth" else ",".join([*others, option])
        )
    found = [choose(one, position).report[what] for one in specs]
    assert len(set(found)) == len(found), dict(zip(specs, found))


def test_rounds_are_two_plies() -> None:
    start = game("ultimate").start()
    rounds, plies = (choose(f"alphabeta:{option},shuffle=no", start) for option in ("rounds=2", "depth=4"))
    assert (rounds.move, rounds.report["score"], rounds.report["nodes"]) == (plies.move, plies.report["score"], plies.report["nodes"])
    assert rounds.report["depth"] == 4


def test_declaring_the_kinds_needs_no_compiler() -> None:
    """In a process of its own, since this one has loaded the compiler long ago."""
    script = "import sys, ludometer.agents.search as search; print([kind.main for kind in search.AGENTS], 'numba' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "['depth', 'depth', 'depth'] False"


def test_what_each_turn_cost() -> None:
    table = play_with_reports("tictactoe", "alphabeta:9,shuffle=no", "minimax:9,cache=exact,shuffle=no", seed=1)
    assert table.record.result == "1/2-1/2"
    assert [row["ply"] for row in table.rows] == list(range(1, 10))
    assert table.column("move") == list(table.record.moves)
    nodes = table.column("nodes", player=1)
    assert len(nodes) == 4 and nodes[0] > nodes[1] and all(count < 10 for count in nodes[1:])  # all is known after the first search
    document = table.document()
    assert document["result"] == "1/2-1/2" and document["turns"][0]["agent"] == "alphabeta:9,shuffle=no"
    lines = turn_table_text(table).splitlines()
    assert len(lines) == 10 and lines[0].split()[:4] == ["ply", "player", "move", "value"]


def test_a_finished_game_has_no_tree() -> None:
    player = agent("alphabeta:2", game("quixo:3"))
    with pytest.raises(LudometerError, match="the game is over"):
        player.tree(game("quixo:3").position("XXX/.../... o"), stream(1))

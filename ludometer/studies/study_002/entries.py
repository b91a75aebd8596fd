"""All entries of study 002: games, moves, trees and costs."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.studies.agreement import Share, equal, hardware, holds, shares, wilson, wrong
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Kind, Measured, NotRun
from ludometer.studies.figures import Picture
from ludometer.studies.laboratory import Laboratory

QUIXO = "quixo:5"
# The nearest to the report's program: no memory, a win is a win at any depth, equal moves shuffled, each root move with the full window.
COMMON = "shuffle=yes,early=no,cache=none"
PLAYER = f"study002:alphabeta:variable=advantage,{COMMON}"
RULES = ("advantage", "losing", "longest")
FRIEND = "LUDOMETER_POLITO_MCTS"  # in the environment: the file quixo/mcts.py of fgiacome/compint
# Boards of the figures whose printed rows can be read: X is the report's player 1, who is to move.
BOARDS = {"fig1": "...../....X/....O/....X/O.XOX x", "fig7": "O...X/...../...../....X/OO..X x"}


# ---- games ----


def _against_random(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, "random", lab.games(40, 1000))
    low, high = wilson(Share(result.score, result.games))
    text = f"{100 * result.score:.1f} % of {result.games}"
    return Measured(result.score, text, (low, high), data={"games": result.games, "wins": result.counts.wins, "draws": result.counts.draws})


def _time_per_game(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, "random", lab.games(40, 1000))
    seconds = result.totals.seconds / result.games
    return Measured(seconds, f"{1000 * seconds:.3g} ms per game on one core")


def _against_itself(lab: Laboratory) -> Measured:
    result = lab.match(QUIXO, PLAYER, f"{PLAYER},memory=2", lab.games(20, 200))
    first = result.statistics.first_player
    text = f"first player {first.wins} wins, {first.draws} draws, {first.losses} losses"
    return Measured(first.score, text, (first.interval.low, first.interval.high))


def _positions_of(first: str, second: str, seed: int, plies: int) -> list[Position]:
    """All positions of a game."""
    record = play_game(QUIXO, first, second, seed, ply_limit=plies)
    positions = [game(QUIXO).start()]
    for move in record.moves:
        positions.append(positions[-1].play(move))
    return positions


def _loops(lab: Laboratory) -> Measured:
    """Two players that shuffle nothing: whether a position comes twice, after which all comes again; and the same with shuffling."""
    still = PLAYER.replace("shuffle=yes", "shuffle=no")
    found = _positions_of(still, still, lab.seed, 400)
    first = next((place for place, one in enumerate(found) if one in found[:place]), None)
    shuffled = [_positions_of(PLAYER, PLAYER, seed, 400) for seed in range(lab.seed, lab.seed + lab.pick(3, 20))]
    unfinished = sum(not positions[-1].is_over for positions in shuffled)
    ends = f"ends after {len(found) - 1} moves"
    text = ends if first is None else f"position {found.index(found[first])} comes again at move {first}"
    told = f"without shuffling the game {text}; with shuffling {unfinished} of {len(shuffled)} games come to the limit of 400 moves"
    lost_or_looped = first is not None or found[-1].is_over
    return Measured(lost_or_looped, told, data={"repeats": first is not None, "moves": len(found) - 1, "shuffled unfinished": unfinished})


def _against_friend(lab: Laboratory) -> Measured:
    """Matches against the tree search of another project of the course, which is not part of this package."""
    path = os.environ.get(FRIEND)
    if not path:
        raise NotRun(f"needs the file quixo/mcts.py of github.com/fgiacome/compint: set {FRIEND} to its path")
    result = lab.match(QUIXO, PLAYER, f"polito:path={path},class=MctsPlayer", lab.games(4, 100))
    low, high = wilson(Share(result.score, result.games))
    return Measured(result.score, f"{100 * result.score:.0f} % of {result.games}", (low, high), data={"games": result.games})


# ---- counting moves ----


def _first_moves(lab: Laboratory) -> Measured:
    return Measured(len(game(QUIXO).start().legal))


def _replies(lab: Laboratory) -> Measured:
    start = game(QUIXO).start()
    found = Counter(len(start.play(move).legal) for move in start.legal)
    counted = {str(replies): count for replies, count in sorted(found.items(), reverse=True)}
    return Measured(sorted(found, reverse=True), f"42 replies after {counted['42']} first moves, 41 after {counted['41']}", data=counted)


def _two_plies(lab: Laboratory) -> Measured:
    from ludometer.solvers.perft import perft

    return Measured(perft(game(QUIXO).start(), 2))


def _half_board(lab: Laboratory) -> Measured:
    moves = (3 * 2) * 3 + 2 * 2
    return Measured(moves * moves, f"18 + 4 = {moves}, and {moves}² = {moves * moves}")


# ---- trees ----


def _trees(lab: Laboratory) -> Measured:
    """Depth and best value that the rule of the advantage gives at the boards that can be read."""
    value, pictures, sizes = {}, [], []
    player: Any = agent(PLAYER, game(QUIXO))
    for name, text in BOARDS.items():
        position, key = game(QUIXO).position(text), stream(lab.seed, "game", 0)
        report = player.choose(position, key).report
        value[name] = [report["depth"], report["score"]]
        tree = player.tree(position, key)
        sizes.append(f"{name} {tree.nodes:,} positions")
        pictures.append(_tree_picture(f"002-tree-{name}", tree))
    told = "; ".join(f"{name}: depth {depth}, best value {best:g}" for name, (depth, best) in value.items())
    return Measured(value, told, data=sizes, figures=tuple(pictures), note=f"trees: {', '.join(sizes)}")


def _tree_picture(name: str, tree: Any) -> Picture:
    from ludometer.view.search_trees import draw_tree

    return Picture(name, lambda file: draw_tree(tree, file))


def _depths_of_losing(lab: Laboratory) -> Measured:
    """All depths that the printed rule gives over positions of some games."""
    player = agent(f"study002:alphabeta:variable=losing,{COMMON}", game(QUIXO))
    depths = set()
    for position in _middle_positions(lab.pick(12, 60), lab.seed):
        depths.add(int(decided(player, position, lab.seed).report["depth"]))
    return Measured(
        sorted(depths - {0, 1}), f"depths {', '.join(map(str, sorted(depths)))} at positions of random games; the rule knows 3 and 1"
    )


# ---- costs ----


def _middle_positions(number: int, seed: int) -> Sequence[Position]:
    """Positions of random games, 6 to 25 moves after the start, in which the game goes on."""
    found: list[Position] = []
    for place in range(10 * number):
        positions = _positions_of("random", "random", seed + place, 6 + place % 20)
        if not positions[-1].is_over:
            found.append(positions[-1])
        if len(found) == number:
            break
    return found


def _nodes(spec: str, positions: Sequence[Position]) -> int:
    player = agent(spec, game(QUIXO))
    return sum(int(decided(player, position, place).report["nodes"]) for place, position in enumerate(positions))


def _ordering(lab: Laboratory) -> Measured:
    positions = _middle_positions(lab.pick(10, 200), lab.seed)
    found = {}
    for depth in range(1, lab.pick(3, 4) + 1):
        found[str(depth)] = {
            order: _nodes(f"alphabeta:{depth},order={order},shuffle=no,cache=none,early=no", positions)
            for order in ("heuristic", "none", "reversed")
        }
    text = "; ".join(f"depth {depth}: {' / '.join(f'{one:,}' for one in row.values())}" for depth, row in found.items())
    return Measured(found, f"positions looked at by promise / as listed / reversed over {len(positions)} positions: {text}")


def _ordering_helps(found: dict[str, dict[str, int]]) -> bool:
    return all(row["heuristic"] < row["none"] < row["reversed"] for depth, row in found.items() if int(depth) > 2)


def _growth(lab: Laboratory) -> Measured:
    positions = _middle_positions(lab.pick(3, 20), lab.seed)
    found: dict[str, list[int]] = {}
    for kind, deepest in (("minimax", lab.pick(3, 4)), ("alphabeta", lab.pick(4, 5))):
        more = "shuffle=no,cache=none,early=no"
        found[kind] = [_nodes(f"{kind}:{depth},{more}", positions) // len(positions) for depth in range(1, deepest + 1)]
    began = time.perf_counter()
    _nodes("alphabeta:4,shuffle=no,cache=none,early=no", positions)
    seconds = (time.perf_counter() - began) / len(positions)
    text = "; ".join(f"{kind}: {', '.join(f'{one:,}' for one in counts)}" for kind, counts in found.items())
    return Measured(found, f"positions per move at depth 1, 2, …: {text}; alpha-beta at depth 4 takes {1000 * seconds:.2g} ms")


def _grows_steeply(found: dict[str, list[int]]) -> bool:
    ratios = [after / before for before, after in zip(found["minimax"][1:], found["minimax"][2:])]
    plain, pruned = found["minimax"][-1], found["alphabeta"][len(found["minimax"]) - 1]
    return all(15 < ratio < 45 for ratio in ratios) and pruned < plain / 3


def _rules(lab: Laboratory) -> Measured:
    """The three rules against each other, and the positions each looks at for a move."""
    positions = _middle_positions(lab.pick(10, 100), lab.seed)
    specs = {rule: f"study002:alphabeta:variable={rule},{COMMON}" for rule in RULES}
    nodes = {rule: _nodes(spec, positions) // len(positions) for rule, spec in specs.items()}
    scores, texts = {}, []
    for one, other in (("longest", "advantage"), ("losing", "advantage"), ("longest", "losing")):
        result = lab.match(QUIXO, specs[one], specs[other], lab.games(10, 200))
        low, high = result.score_interval.low, result.score_interval.high
        scores[f"{one}-{other}"] = [result.score, low, high]
        texts.append(f"{one} against {other} {100 * result.score:.0f} % [{100 * low:.0f}, {100 * high:.0f}]")
    text = f"positions per move: {', '.join(f'{rule} {count:,}' for rule, count in nodes.items())}; {', '.join(texts)}"
    return Measured({"nodes": nodes, "scores": scores}, text)


def _longest_is_best_and_slowest(found: dict[str, Any]) -> bool:
    nodes = found["nodes"]
    return bool(nodes["advantage"] < nodes["longest"] and found["scores"]["longest-advantage"][2] >= 0.5)


def _plain_minimax(lab: Laboratory) -> Measured:
    start, middle = [game(QUIXO).start()], _middle_positions(lab.pick(2, 10), lab.seed)
    depth = lab.pick(3, 4)
    found = {}
    for name, positions in (("empty", start), ("middle", middle)):
        plain, pruned = (_nodes(f"{kind}:{depth},shuffle=no,cache=none,early=no", positions) for kind in ("minimax", "alphabeta"))
        found[name] = [plain // len(positions), pruned // len(positions)]
    text = ", ".join(f"{name} board {a:,} against {b:,} ({a / b:.0f} ×)" for name, (a, b) in found.items())
    return Measured(found, f"positions at depth {depth}, minimax against alpha-beta: {text}")


def _claim(name: str, title: str, where: str, said: str, settings: str, measure: Any, rule: Any, **more: Any) -> Entry:
    return Entry(
        f"002.{name}", title, where, more.pop("kind", Kind.CLAIM), more.pop("reported", said), settings, measure, rule, said, **more
    )


ENTRIES: tuple[Entry, ...] = (
    _claim(
        "random",
        "score against a random player",
        "4",
        "100 % of 100 games",
        f"ludometer match quixo:5 {PLAYER} random --games 1000",
        _against_random,
        shares(games=100),
        kind=Kind.STATISTICAL,
        reported=1.0,
    ),
    _claim(
        "time",
        "seconds per game against a random player",
        "4",
        "about 15 s per game (20 to 25 minutes for 100 games)",
        f"ludometer match quixo:5 {PLAYER} random --games 1000",
        _time_per_game,
        hardware(),
        kind=Kind.HARDWARE,
        reported=15.0,
    ),
    _claim(
        "self",
        "the player against itself",
        "4",
        "not able to always win against itself",
        f"ludometer match quixo:5 {PLAYER} {PLAYER},memory=2 --games 200",
        _against_itself,
        holds(lambda score: score < 1, "the first player does not always win"),
        kind=Kind.STATISTICAL,
        note="memory=2 only gives the second player a name of its own: without a cache nothing is remembered",
    ),
    _claim(
        "loop",
        "two players without shuffling",
        "2.3",
        "they can loop forever or lose",
        f"ludometer play quixo:5 --first {PLAYER.replace('yes', 'no')} --second {PLAYER.replace('yes', 'no')}",
        _loops,
        equal(),
        kind=Kind.EXACT,
        reported=True,
    ),
    _claim(
        "mcts95",
        "score against the tree search of another project of the course",
        "4",
        "about 95 % of the games, first or second",
        f"ludometer match quixo:5 {PLAYER} polito:path=mcts.py,class=MctsPlayer --games 100",
        _against_friend,
        shares(games=100),
        kind=Kind.STATISTICAL,
        reported=0.95,
        note="the report does not say how many games; 100 are assumed",
    ),
    _claim(
        "moves44",
        "moves from the empty board",
        "4, last considerations",
        "44",
        "ludometer perft quixo:5 1",
        _first_moves,
        equal(),
        kind=Kind.EXACT,
        reported=44,
        in_suite=True,
    ),
    _claim(
        "moves42",
        "replies to a first move that leaves a symbol in a corner, on a border",
        "4, last considerations",
        "42 and 41",
        "legal moves after each of the 44 first moves",
        _replies,
        equal(),
        kind=Kind.EXACT,
        reported=[42, 41],
        note="a cube pushed along an edge ends in a corner, so that 32 of the 44 first moves lead to a corner",
        in_suite=True,
    ),
    _claim(
        "moves1848",
        "sequences of two moves from the empty board",
        "4, last considerations",
        "44 × 42 = 1848",
        "ludometer perft quixo:5 2",
        _two_plies,
        wrong("after 12 of the 44 first moves there are 41 replies, not 42: 32 × 42 + 12 × 41 = 1836", truth=1836),
        kind=Kind.EXACT,
        reported=1848,
        in_suite=True,
    ),
    _claim(
        "moves400",
        "sequences of two moves for players who have half of the border each",
        "4, last considerations",
        "(3 × 2) × 3 + 2 × 2 = 20 × 20 = 400",
        "arithmetic",
        _half_board,
        wrong("18 + 4 is 22, not 20, and 22² is 484", truth=484),
        kind=Kind.EXACT,
        reported=400,
        in_suite=True,
    ),
    _claim(
        "fig.trees.adv",
        "depth and best value by the rule of the advantage, figures 1 and 7",
        "4, figures 1–8",
        "figure 1: depth 2, best value 1; figure 7: depth 2, best value 0",
        f'ludometer tree quixo:5 "{BOARDS["fig1"]}" --agent {PLAYER} --plot tree.png',
        _trees,
        equal(),
        kind=Kind.EXACT,
        reported={"fig1": [2, 1.0], "fig7": [2, 0.0]},
        note="two rows of figure 1 are printed with six numbers: one of their two Xs is no part of the board, or X would win at once; "
        "whichever it is, depth and value are those printed; figure 3 has lost its rows, and with those of figure 5 the rule gives "
        "depth 2, not 1",
        in_suite=True,
    ),
    _claim(
        "fig.trees.losing",
        "depths by the rule of losing, figures 9 to 13",
        "4, figures 9–13",
        "trees of depth 4 and of depth 3 by a rule that says 3 or 1",
        f"ludometer tree quixo:5 POSITION --agent study002:alphabeta:variable=losing,{COMMON}",
        _depths_of_losing,
        wrong(
            "the rule that is printed beside them gives 3 or 1 and never 4: figure 10 comes from another rule, such as `longest`", truth=[3]
        ),
        kind=Kind.EXACT,
        reported=[3, 4],
    ),
    _claim(
        "order",
        "ordering moves helps pruning",
        "2.2",
        "cutting all the useless paths",
        "alphabeta:DEPTH,order=heuristic|none|reversed,shuffle=no,cache=none,early=no",
        _ordering,
        holds(_ordering_helps, "fewer positions are looked at by promise than as listed, and fewer as listed than reversed"),
        note="from depth 3 on; at depth 1 nothing can be cut off",
    ),
    _claim(
        "depthcost",
        "growth with depth",
        "2.5",
        "more than 4 plies take too much time; almost exponential",
        "minimax:DEPTH and alphabeta:DEPTH with shuffle=no,cache=none,early=no",
        _growth,
        holds(_grows_steeply, "each ply costs minimax 15 to 45 times as much, and alpha-beta less than a third of that"),
    ),
    _claim(
        "rules",
        "the three rules of depth against each other",
        "2.5",
        "longest: optimal, but also the slowest; advantage: faster, but not always optimal",
        f"ludometer match quixo:5 study002:alphabeta:variable=longest,{COMMON} study002:alphabeta:variable=advantage,{COMMON} --games 200",
        _rules,
        holds(_longest_is_best_and_slowest, "longest looks at more positions than advantage and does not lose to it"),
        kind=Kind.STATISTICAL,
    ),
    _claim(
        "plainminmax",
        "plain min-max is out of reach",
        "2.1",
        "not able to find the best move in a reasonable time",
        "minimax:4 and alphabeta:4 with shuffle=no,cache=none,early=no",
        _plain_minimax,
        holds(
            lambda found: all(plain > 5 * pruned for plain, pruned in found.values()),
            "minimax looks at more than five times as many positions",
        ),
        note="a compiled minimax of depth 4 takes a fraction of a second",
    ),
)

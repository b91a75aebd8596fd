"""All entries of study 002, in the order of the report."""

from __future__ import annotations

from typing import Any

from ludometer.studies.agreement import equal, hardware, holds, shares, wrong
from ludometer.studies.entry import Entry, Kind
from ludometer.studies.study_002 import costs, games, moves, trees
from ludometer.studies.study_002.player import COMMON, PLAYER
from ludometer.studies.study_002.trees import BOARDS


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
        games.against_random,
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
        games.time_per_game,
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
        games.against_itself,
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
        games.loops,
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
        games.against_friend,
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
        moves.first_moves,
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
        moves.replies,
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
        moves.two_plies,
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
        moves.half_board,
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
        trees.trees,
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
        trees.depths_of_losing,
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
        costs.ordering,
        holds(costs.ordering_helps, "fewer positions are looked at by promise than as listed, and fewer as listed than reversed"),
        note="from depth 3 on; at depth 1 nothing can be cut off",
    ),
    _claim(
        "depthcost",
        "growth with depth",
        "2.5",
        "more than 4 plies take too much time; almost exponential",
        "minimax:DEPTH and alphabeta:DEPTH with shuffle=no,cache=none,early=no",
        costs.growth,
        holds(costs.grows_steeply, "each ply costs minimax 15 to 45 times as much, and alpha-beta less than a third of that"),
    ),
    _claim(
        "rules",
        "the three rules of depth against each other",
        "2.5",
        "longest: optimal, but also the slowest; advantage: faster, but not always optimal",
        f"ludometer match quixo:5 study002:alphabeta:variable=longest,{COMMON} study002:alphabeta:variable=advantage,{COMMON} --games 200",
        costs.rules,
        holds(costs.longest_is_best_and_slowest, "longest looks at more positions than advantage and does not lose to it"),
        kind=Kind.STATISTICAL,
    ),
    _claim(
        "plainminmax",
        "plain min-max is out of reach",
        "2.1",
        "not able to find the best move in a reasonable time",
        "minimax:4 and alphabeta:4 with shuffle=no,cache=none,early=no",
        costs.plain_minimax,
        holds(
            lambda found: all(plain > 5 * pruned for plain, pruned in found.values()),
            "minimax looks at more than five times as many positions",
        ),
        note="a compiled minimax of depth 4 takes a fraction of a second",
    ),
)

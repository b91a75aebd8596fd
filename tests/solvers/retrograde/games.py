"""Tiny games that go round in circles, as files."""

from __future__ import annotations

from pathlib import Path

# A counter walks on a random graph.  Some nodes end the game; who moves at a node is part of the graph, so a player may move several
# times in a row, or pass.  `graph.py:SEED,NODES,MOVES,WIDE`: WIDE adds words to the state that follow from the node.
GRAPH = """
import random
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.game import GameKind
from ludometer.core.outcome import ONGOING

GAME = GameKind(name=__file__, title="Graph", syntax="graph.py:SEED,NODES,MOVES,WIDE", listed=(), modules=(__name__,){declared})
MIXED = np.uint64(0x9E3779B97F4A7C15)

class GraphRules(NamedTuple):
    seed: int
    wide: int
    moves: np.ndarray  # (nodes, moves) int64: where each move leads, -1: none
    ends: np.ndarray  # (nodes,) int64: the outcome of the node
    players: np.ndarray  # (nodes,) int64: who is to move

class GraphState(NamedTuple):
    node: np.uint64
    others: tuple

def rules_from_text(text):
    seed, nodes, most, wide = (int(part) for part in text.split(","))
    chance = random.Random(seed)
    moves = np.full((nodes, most), -1, np.int64)
    ends = np.full(nodes, ONGOING, np.int64)
    for node in range(nodes):
        if node and chance.random() < 0.25:
            ends[node] = chance.choice((-1, -1, -1, 1, 0))
            continue
        for move in range(chance.randint(1, most)):
            near = chance.random() < 0.5
            moves[node, move] = min(nodes - 1, max(0, node + chance.randint(-3, 3))) if near else chance.randrange(nodes)
    players = np.array([chance.randrange(2) for _ in range(nodes)], np.int64)
    return GraphRules(seed, wide, moves, ends, players)

def rules_to_text(rules):
    return f"{{rules.seed}},{{len(rules.ends)}},{{rules.moves.shape[1]}},{{rules.wide}}"

@njit
def state_at(rules, node):
    word = np.uint64(node)
    if rules.wide == 0:
        return GraphState(word, (np.uint64(0), np.uint64(0)))
    return GraphState(word, (word * MIXED, (word + np.uint64(7)) * MIXED))

@njit
def start(rules):
    return state_at(rules, 0)

@njit
def move_bound(rules):
    return rules.moves.shape[1]

@njit
def legal_moves(rules, state, buffer):
    count = 0
    for move in range(rules.moves.shape[1]):
        if rules.moves[np.int64(state.node), move] >= 0:
            buffer[count] = move
            count += 1
    return count

@njit
def play(rules, state, move):
    return state_at(rules, rules.moves[np.int64(state.node), move])

@njit
def turn(rules, state):
    return rules.players[np.int64(state.node)]

@njit
def outcome(rules, state):
    return rules.ends[np.int64(state.node)]

def format_position(rules, state):
    return str(int(state.node))

def parse_position(rules, text):
    return state_at(rules, int(text))

def format_move(rules, state, move):
    return str(move)

def draw(rules, state, last):
    raise NotImplementedError

def text_board(rules, state, last):
    raise NotImplementedError
"""

# A long line: on the first point one may wait, then all go on; whoever moves onto the last point wins.  Points far from the start need
# more bits than random games of 200 moves show, and distances more than a byte.
LINE = """
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import LOSS, ONGOING

GAME = GameKind(name=__file__, title="Line", syntax="line.py:POINTS", listed=(), modules=(__name__,), ply_limit=100)

class LineRules(NamedTuple):
    points: int

class LineState(NamedTuple):
    point: np.uint64
    turn: np.uint64

def rules_from_text(text):
    return LineRules(int(text))

def rules_to_text(rules):
    return str(rules.points)

@njit
def start(rules):
    return LineState(U0, U0)

@njit
def move_bound(rules):
    return 2

@njit
def legal_moves(rules, state, buffer):
    if outcome(rules, state) != ONGOING:
        return 0
    if state.point > U0:
        buffer[0] = 1
        return 1
    buffer[0], buffer[1] = 0, 1
    return 2

@njit
def play(rules, state, move):
    if move == 1:
        return LineState(state.point + U1, state.turn ^ U1)
    return LineState(state.point, state.turn ^ U1)

@njit
def turn(rules, state):
    return np.int64(state.turn)

@njit
def outcome(rules, state):
    return LOSS if state.point == np.uint64(rules.points) else ONGOING

def format_position(rules, state):
    return f"{int(state.point)} {'xo'[int(state.turn)]}"

def parse_position(rules, text):
    point, side = text.split()
    return LineState(np.uint64(int(point)), np.uint64("xo".index(side)))

def format_move(rules, state, move):
    return ("wait", "on")[move]

def draw(rules, state, last):
    raise NotImplementedError

def text_board(rules, state, last):
    raise NotImplementedError
"""

# Pong Hau K'i: two men each on five points; move one man along an edge to the empty point; without a move one has lost.
PONG = """
from typing import NamedTuple
import numpy as np
from numba import njit
from ludometer.core.bits import U0, U1
from ludometer.core.game import GameKind
from ludometer.core.outcome import LOSS, ONGOING

GAME = GameKind(name=__file__, title="Pong Hau K'i", syntax="pong.py", listed=(), modules=(__name__,), ply_limit=100)
TL, TR, C, BL, BR = range(5)
EDGES = ((TL, BL), (TR, BR), (BL, BR), (C, TL), (C, TR), (C, BL), (C, BR))
NEAR = np.array([sum(1 << (a + b - p) for a, b in EDGES if p in (a, b)) for p in range(5)], np.uint64)
MIRROR = np.array([TR, TL, C, BR, BL])

class PongRules(NamedTuple):
    points: int

class PongState(NamedTuple):
    mover: np.uint64
    other: np.uint64
    turn: np.uint64

def rules_from_text(text):
    return PongRules(5)

def rules_to_text(rules):
    return ""

@njit
def start(rules):
    return PongState(np.uint64(0b00011), np.uint64(0b11000), U0)

@njit
def move_bound(rules):
    return 5

@njit
def empty_point(state):
    for point in range(5):
        if ((state.mover | state.other) >> np.uint64(point)) & U1 == U0:
            return point
    return -1

@njit
def legal_moves(rules, state, buffer):
    count = 0
    for point in range(5):
        if ((state.mover & NEAR[empty_point(state)]) >> np.uint64(point)) & U1:
            buffer[count] = point
            count += 1
    return count

@njit
def play(rules, state, move):
    after = state.mover ^ (U1 << np.uint64(move)) ^ (U1 << np.uint64(empty_point(state)))
    return PongState(state.other, after, state.turn ^ U1)

@njit
def turn(rules, state):
    return np.int64(state.turn)

@njit
def outcome(rules, state):
    return LOSS if state.mover & NEAR[empty_point(state)] == U0 else ONGOING

@njit
def symmetry_count(rules):
    return 2

@njit
def mirrored(men):
    image = U0
    for point in range(5):
        image |= ((men >> np.uint64(point)) & U1) << np.uint64(MIRROR[point])
    return image

@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    return PongState(mirrored(state.mover), mirrored(state.other), state.turn)

@njit
def transform_move(rules, move, symmetry):
    return move if symmetry == 0 else np.int64(MIRROR[move])

def format_position(rules, state):
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    points = "".join("X" if int(first) >> p & 1 else "O" if int(second) >> p & 1 else "." for p in range(5))
    return f"{points} {'xo'[int(state.turn)]}"

def parse_position(rules, text):
    points, side = text.split()
    first, second = (np.uint64(sum(1 << p for p in range(5) if points[p] == mark)) for mark in "XO")
    return PongState(first, second, U0) if side == "x" else PongState(second, first, U1)

def format_move(rules, state, move):
    return ("TL", "TR", "C", "BL", "BR")[move]

def draw(rules, state, last):
    raise NotImplementedError

def text_board(rules, state, last):
    raise NotImplementedError
"""


def written(folder: Path, name: str) -> str:
    """The path of a file with one of the games: graph.py, undeclared.py, line.py or pong.py."""
    texts = {
        "graph.py": GRAPH.format(declared=", ply_limit=100"),
        "undeclared.py": GRAPH.format(declared=""),  # a game that can repeat and does not say so
        "line.py": LINE,
        "pong.py": PONG,
    }
    file = folder / name
    file.write_text(texts[name], encoding="utf-8")
    return str(file)

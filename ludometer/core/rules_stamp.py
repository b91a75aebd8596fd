"""Stamps of rules, by which stored experiments, cluster workers and solved tables recognise the same rules.

`rules_stamp` hashes behaviour: states, legal moves, outcomes and margins at thousands of fixed positions.  A comment, a renamed variable
or a faster algorithm does not change it; another rule, numbering of moves or packing of states does.

`knowledge_stamp` covers what a game offers to agents beyond its rules (evaluations, features, a direct random move, …).  It affects
games between agents but no exact value, so tables do not depend on it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from ludometer.core.compiling import code_stamp
from ludometer.core.compiling.dispatch import Group
from ludometer.core.compiling.leaves import leaves_of
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.protocol import PROTOCOL
from ludometer.core.protocol.learning import LEARNING
from ludometer.core.protocol.searching import SEARCHING
from ludometer.core.protocol.subboards import WINDOWS
from ludometer.core.random import stream

POSITIONS = 4096  # hashed for a stamp
LONGEST_GAME = 256  # plies of one game among them
_FIRST_VERSION_POSITIONS = 300  # of the stamp of version 0.2, which its tables carry

_OBSERVED = ("start", "legal_moves", "play", "turn", "outcome", "margin", "move_bound", "count_moves")
_KNOWLEDGE: tuple[Group, ...] = (PROTOCOL, SEARCHING, LEARNING, WINDOWS)


@lru_cache(maxsize=64)
def rules_stamp(game: Game) -> str:
    """A hash of how the game behaves along fixed games of three kinds: random moves, mostly the first moves, mostly the last ones."""
    digest = hashlib.sha256(f"{game.move_bound}".encode())
    seen = number = 0
    while seen < POSITIONS:
        position = game.start()
        for ply in range(LONGEST_GAME):
            _observe(digest, position)
            seen += 1
            if position.is_over or not position.legal or seen == POSITIONS:
                break
            position = position.play(_pick(position.legal, int(stream(number, ply)), number % 3))
        number += 1
    return digest.hexdigest()[:16]


def _observe(digest: hashlib._Hash, position: Position) -> None:
    facts = (*map(int, leaves_of(position.state)), position.player, position.outcome, position.margin, *position.legal)
    digest.update(repr(facts).encode())


def _pick(legal: tuple[int, ...], word: int, kind: int) -> int:
    """A legal move chosen by a random word: any (kind 0), mostly one of the first three (1), or mostly one of the last three (2)."""
    few = len(legal) if kind == 0 or word % 3 == 0 else min(3, len(legal))
    place = (word >> 32) % few
    return legal[place - few if kind == 2 else place]


def older_stamps(game: Game) -> tuple[str, ...]:
    """The stamps that earlier versions gave to the rules of this game; tables that carry one of them stay valid."""
    return (_first_version_stamp(game),)


@lru_cache(maxsize=64)
def _first_version_stamp(game: Game) -> str:
    digest = hashlib.sha256(game.spec.encode())
    position, word = game.start(), 1
    for _ in range(_FIRST_VERSION_POSITIONS):
        leaves = [int(leaf) for leaf in leaves_of(position.state)]
        digest.update(repr((leaves, position.player, position.outcome, position.margin, position.legal)).encode())
        if position.is_over:
            position = game.start()
            continue
        word = (word * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        position = position.play(position.legal[(word >> 33) % len(position.legal)])
    return digest.hexdigest()[:16]


@lru_cache(maxsize=64)
def knowledge_stamp(game: Game) -> str:
    """A hash of the code of the game's functions for agents; `none` if there are none, or no source file to read them from."""
    rules_class = type(game.rules)
    functions: list[Any] = []
    observed: list[Any] = []
    names: list[Any] = []
    for group in _KNOWLEDGE:
        for name in group.own_functions(rules_class):
            found = group.implementation(rules_class, name)
            (observed if group is PROTOCOL and name in _OBSERVED else functions).append(found)
        plain = [group.plain_member(game, name) for name in group.plain]
        functions += [found for found in plain if callable(found)]
        names += [found for found in plain if found is not None and not callable(found)]
    if not functions:
        return "none"
    stamp = code_stamp.stamp(*functions, classes=(rules_class,), without=observed)
    return "none" if stamp is None else hashlib.sha256(f"{stamp} {names}".encode()).hexdigest()[:16]

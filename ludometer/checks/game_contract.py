"""The contract of a game, as checks that any game can be put through: a built-in one or a file of one's own.

    check_game(ludometer.game("path/to/game.py"))

Each check takes positions met in random games.  They compare what a game says in different ways: moves listed, counted, drawn
at random, written, drawn on the board, and seen through its symmetries.  A rule that is wrong everywhere alike passes them; for
that each built-in game has a slow twin, written from the rules alone.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from typing import Any

import numba
import numpy as np
from scipy.stats import chisquare

from ludometer.checks.game_contract_kernels import count_by_rules, draw_moves
from ludometer.core import game_kernels
from ludometer.core.compiling.dispatch import defines
from ludometer.core.drawing import Drawing
from ludometer.core.errors import IllegalMoveError, LudometerError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, ONGOING, RESULT_TEXT, WIN
from ludometer.core.position import Position
from ludometer.core.protocol import PROTOCOL
from ludometer.core.random import stream
from ludometer.games import game as game_of

LONGEST_GAME = 20_000  # a game without a ply limit ends long before
STRANGE = "\t\n\x00\u0130\u00b2\u0661\u2028\uff21\U0001f600\u017f"  # characters that upper(), int() and splitlines() treat oddly
MOST_REFUSED = 1_000  # numbers that are no moves, tried in a position
DRAWS = 4_000  # random moves in the test of uniformity


class Broken(AssertionError):
    """A rule of the contract that a game breaks."""


def check_game(game: Game, games: int = 12, seed: int = 1) -> None:
    """Put a game through the whole contract; raises AssertionError that says what is broken."""
    check_spec(game)
    positions = random_positions(game, games, seed)
    for position in positions:
        check_result(position)
    check_keys(positions)
    chosen = some(positions, 60, seed)
    for position in chosen:
        check_random_moves(position, seed)
        check_notation(position)
        check_step(position)
        check_symmetries(position, seed)
    for position in some(positions, 12, seed):
        check_drawing(position)
        check_pointing(position)
        check_setup(position)
    check_random_moves_are_uniform(positions, seed)
    check_symmetries_form_a_group(positions, seed)


def random_positions(game: Game, games: int, seed: int) -> list[Position]:
    """All positions of some random games, each game to its end or to the ply limit of its kind; their moves are checked."""
    positions = []
    limit = game.kind.ply_limit or LONGEST_GAME
    for number in range(games):
        source = random.Random(f"{seed} {number}")
        position = game.start()
        positions.append(position)
        check_moves(position)
        for _ in range(limit):
            if position.is_over:
                break
            move = source.choice(position.legal)
            position = Position(game, game_kernels.advance(game.rules, position.state, move), move)
            positions.append(position)
            check_moves(position)
        if not (position.is_over or game.kind.ply_limit):
            raise Broken(f"{game}: no end after {limit} moves, and no ply_limit")
    return positions


def some(positions: list[Position], count: int, seed: int) -> list[Position]:
    """The start, the last position, and others at random, at most `count` different ones."""
    different = list(dict.fromkeys(positions))
    middle = different[1:-1]
    chosen = random.Random(seed).sample(middle, min(count - 2, len(middle)))
    return list(dict.fromkeys([different[0], *chosen, different[-1]]))


def check_spec(game: Game) -> None:
    """The spec names the same game again, and rules are made of what compiled code can take."""
    if game_of(game.spec) != game:
        raise Broken(f"{game}: its spec does not lead back to it")
    if not (isinstance(game.rules, tuple) and hasattr(game.rules, "_fields")):
        raise Broken(f"{game}: rules are not a NamedTuple")
    if not game.move_bound >= 1:
        raise Broken("The spec names the same game again, and rules are made of what compiled code can take")


def check_moves(position: Position) -> None:
    """Legal moves are distinct, ascending, in range, as many as counted, and there are none exactly when the game is over."""
    legal = position.legal
    where = f"{position.game} at {position}"
    if list(legal) != sorted(set(legal)):
        raise Broken(f"{where}: moves are not distinct and ascending: {legal}")
    if not all(0 <= move < position.game.move_bound for move in legal):
        raise Broken(f"{where}: a move is not below move_bound: {legal}")
    counted = int(count_by_rules(position.game.rules, position.state))
    if counted != len(legal):
        raise Broken(f"{where}: count_moves says {counted}, legal_moves lists {len(legal)}")
    if position.is_over != (not legal):
        raise Broken(f"{where}: outcome {position.outcome} with {len(legal)} legal moves")
    if position.player not in (0, 1):
        raise Broken("Legal moves are distinct, ascending, in range, as many as counted, and there are none exactly when the game is over")


def check_result(position: Position) -> None:
    """Outcome, result and margin say the same."""
    where = f"{position.game} at {position}"
    if position.outcome not in (WIN, DRAW, LOSS, ONGOING):
        raise Broken(f"{where}: outcome, result and margin say different things")
    if (position.result is None) != (position.outcome == ONGOING):
        raise Broken(f"{where}: outcome, result and margin say different things")
    if position.is_over and position.game.kind.function("result_text") is None and position.result not in RESULT_TEXT.values():
        raise Broken(f"{where}: outcome, result and margin say different things")
    if not defines(position.game, PROTOCOL, "margin"):
        if position.margin != (0 if position.outcome == ONGOING else position.outcome):
            raise Broken(f"{where}: outcome, result and margin say different things")
    elif position.is_over:
        sign = (position.margin > 0) - (position.margin < 0)
        if sign != position.outcome:
            raise Broken(f"{where}: margin {position.margin} but outcome {position.outcome}")


def check_random_moves(position: Position, seed: int) -> None:
    """Random moves are legal, and with enough draws every legal move comes."""
    if position.is_over:
        return
    drawn = drawn_moves(position, seed, 40 * len(position.legal))
    if set(drawn) != set(position.legal):
        raise Broken(f"{position.game} at {position}: random_move gives other moves than legal_moves lists")


def check_random_moves_are_uniform(positions: list[Position], seed: int) -> None:
    """Where the choice is widest, and where two or three moves are left, all come equally often."""
    open_ones = [position for position in positions if len(position.legal) > 1]
    if not open_ones:
        return
    for position in (max(open_ones, key=lambda p: len(p.legal)), min(open_ones, key=lambda p: len(p.legal))):
        drawn = drawn_moves(position, seed, max(DRAWS, 20 * len(position.legal)))
        counts = [int(np.count_nonzero(drawn == move)) for move in position.legal]
        if not chisquare(counts).pvalue > 0.0001:
            raise Broken(f"{position.game} at {position}: random moves are not uniform: {counts}")


def drawn_moves(position: Position, seed: int, count: int) -> np.ndarray:
    chosen = np.empty(count, np.int64)
    buffer = np.empty(position.game.move_bound, np.int32)
    draw_moves(position.game.rules, position.state, stream(seed, "moves"), buffer, chosen)
    return chosen


def check_notation(position: Position) -> None:
    """Positions and moves can be read back from what is written; wrong moves are refused."""
    text = str(position)
    if not ("\n" not in text and text == text.strip()):
        raise Broken(f"{position.game}: {text!r} is not one trimmed line")
    if position.game.position(text) != position:
        raise Broken(f"{position.game}: {text!r} is read as another position")
    texts = position.moves()
    if len(set(texts)) != len(texts):
        raise Broken(f"{position.game} at {text}: two moves are written alike")
    for move, move_text in zip(position.legal, texts):
        for spelling in (move_text, f" {move_text} "):
            if position.parse_move(spelling) != move:
                raise Broken(f"{position.game} at {text}: {spelling!r} is read as another move")
    others = sorted(set(range(-1, position.game.move_bound + 1)) - set(position.legal))
    if len(others) > MOST_REFUSED:
        others = [others[0], others[-1], *random.Random(text).sample(others, MOST_REFUSED)]
    for move in others:
        try:
            position.play(move)
        except IllegalMoveError:
            continue
        raise Broken(f"{position.game} at {text}: move number {move} is not refused")


def check_step(position: Position) -> None:
    """A move leads to a state of the same type, every leaf a uint64, and leaves the old position as it was."""
    for move in position.legal:
        before = str(position)
        after = position.play(move)
        if str(position) != before:
            raise Broken(f"{position.game} at {before}: a move leads to another type of state than uint64, or changes the old position")
        if numba.typeof(after.state) != numba.typeof(position.state):
            raise Broken(f"{position.game} at {before}: the state changes its type")
        if not all(isinstance(leaf, np.uint64) for leaf in leaves(after.state)):
            raise Broken(f"{position.game} at {before}: a move leads to another type of state than uint64, or changes the old position")
        returned = game_kernels.advance.overloads[tuple(numba.typeof(part) for part in (position.game.rules, position.state, move))]
        if set(leaves_of_type(returned.signature.return_type)) != {numba.uint64}:
            raise Broken(f"{position.game}: play returns other leaves than uint64")


def leaves(state: Any) -> list[Any]:
    return [leaf for part in state for leaf in leaves(part)] if isinstance(state, tuple) else [state]


def leaves_of_type(kind: Any) -> list[Any]:
    return [leaf for part in kind.types for leaf in leaves_of_type(part)] if isinstance(kind, numba.types.BaseTuple) else [kind]


def check_keys(positions: list[Position]) -> None:
    """Equal states have equal keys, and almost all different states different ones; equal keys have equal moves."""
    keys: dict[Position, int] = {}
    moves: dict[int, tuple[int, ...]] = {}
    for position in positions:
        if keys.setdefault(position, position.key) != position.key:
            raise Broken("Equal states have equal keys, and almost all different states different ones; equal keys have equal moves")
        if moves.setdefault(position.key, position.legal) != position.legal:
            raise Broken(f"{position.game} at {position}: one key, different moves")
    if not len(set(keys.values())) >= 0.9 * len(keys):
        raise Broken(f"{positions[0].game}: {len(keys)} states share {len(set(keys.values()))} keys")


def check_symmetries(position: Position, seed: int) -> None:
    """A symmetric position has the symmetric moves and the same outcome, and playing commutes with transforming."""
    game = position.game
    if not (position.transformed(0) == position and all(position.transformed_move(move, 0) == move for move in position.legal)):
        raise Broken("A symmetric position has the symmetric moves and the same outcome, and playing commutes with transforming")
    move = random.Random(seed).choice(position.legal) if position.legal else None
    for symmetry in range(1, position.symmetry_count):
        image = position.transformed(symmetry)
        where = f"{game} at {position}, symmetry {symmetry}"
        moves = [position.transformed_move(move, symmetry) for move in position.legal]
        if sorted(moves) != list(image.legal):
            raise Broken(f"{where}: the image's moves are not the images of the moves")
        if (image.outcome, image.margin, image.player) != (position.outcome, position.margin, position.player):
            raise Broken(f"{where}: outcome, margin or turn of the image differ")
        if move is not None:
            expected = position.play(move).transformed(symmetry)
            if image.play(position.transformed_move(move, symmetry)) != expected:
                raise Broken(f"{where}: playing does not commute with it")


def check_symmetries_form_a_group(positions: list[Position], seed: int) -> None:
    """Two symmetries in a row are a third one, for positions and moves alike, and each can be undone."""
    game = positions[0].game
    symmetries = range(positions[0].symmetry_count)
    sample = some(positions, 12, seed)
    images = [tuple(position.transformed(symmetry) for position in sample) for symmetry in symmetries]
    different = [symmetry for symmetry in symmetries if images.index(images[symmetry]) == symmetry]  # on 1×1 boards all are alike
    products: list[list[int]] = []
    for first in different:
        products.append([])
        for second in different:
            product = tuple(image.transformed(second) for image in images[first])
            if product not in images:
                raise Broken(f"{game}: symmetries {first} and {second} in a row are not a symmetry")
            products[-1].append(images.index(product))
            for position in sample:
                for move in position.legal[:20]:
                    in_two_steps = position.transformed_move(position.transformed_move(move, first), second)
                    in_one_step = position.transformed_move(move, products[-1][-1])
                    if in_two_steps != in_one_step:
                        raise Broken(f"{game}: moves compose otherwise than positions")
    for line in [*products, *zip(*products)]:
        if sorted(line) != different:
            raise Broken(f"{game}: not every symmetry can be undone: {products}")


def check_drawing(position: Position) -> None:
    """The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles."""
    kind = position.game.kind
    picture = kind.required("draw")(position.game.rules, position.state, position.last)
    if not (isinstance(picture, Drawing) and picture.width > 0 and (picture.height > 0) and picture.shapes):
        raise Broken("The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles")
    missing = set(position.legal) - set(picture.spots)
    if missing:
        raise Broken(f"{position.game} at {position}: moves {sorted(missing)} have no spot in the picture")
    places = [(spot.x, spot.y) for move, spot in picture.spots.items() if move in position.legal]
    if len(set(places)) != len(places):
        raise Broken(f"{position.game} at {position}: two moves are shown at one place")
    if not all(0 <= spot.x <= picture.width and 0 <= spot.y <= picture.height for spot in picture.spots.values()):
        raise Broken("The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles")
    lines = kind.required("text_board")(position.game.rules, position.state, position.last)
    if not (lines and all((isinstance(text, str) and isinstance(role, str) for line in lines for text, role in line))):
        raise Broken("The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles")
    if not all(("\n" not in text for line in lines for text, _ in line)):
        raise Broken("The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles")
    root = ElementTree.fromstring(position.svg())
    if not (root.tag.endswith("svg") and len(root) > 0):
        raise Broken("The picture is well-formed and has a spot for every legal move; the board for terminals has the marks' roles")


def check_pointing(position: Position) -> None:
    """Every legal move is made by pointing at areas of the board, no two by the same ones, and what slides is on the board."""
    kind, rules = position.game.kind, position.game.rules
    picture = kind.required("draw")(rules, position.state, position.last)
    if not picture.areas:
        return
    chains = [picture.picks[move] for move in position.legal]
    if len(set(chains)) != len(chains):
        raise Broken(f"{position.game} at {position}: two moves are made by pointing at the same areas")
    if any(one == other[: len(one)] for one in chains for other in chains if len(one) < len(other)):
        raise Broken("a move is the beginning of another")
    names = {name for move in position.legal for name in picture.picks[move]}
    names |= {name for move in position.legal for pair in picture.shifts.get(move, ()) for name in pair}
    if not names <= set(picture.areas):
        raise Broken("a move is made by pointing at areas of the board, and what slides and every area is on the board")
    for area in picture.areas.values():
        if not (area.x >= -0.01 and area.x + area.width <= picture.width + 0.01 and (area.width > 0)):
            raise Broken("a move is made by pointing at areas of the board, and what slides and every area is on the board")
        if not (area.y >= -0.01 and area.y + area.height <= picture.height + 0.01 and (area.height > 0)):
            raise Broken("a move is made by pointing at areas of the board, and what slides and every area is on the board")


def check_setup(position: Position) -> None:
    """The parts of a position make that position again, and their values can all be shown."""
    kind, rules = position.game.kind, position.game.rules
    parts_of = kind.function("setup_parts")
    if parts_of is None:
        return
    parts = parts_of(rules, position.state)
    areas = kind.required("draw")(rules, position.state, position.last).areas
    if not (len({part.name for part in parts}) == len(parts) and all(part.value in part.values for part in parts)):
        raise Broken("The parts of a position make that position again, and their values can all be shown")
    if not all((part.name in areas) == part.on_board for part in parts):
        raise Broken("The parts of a position make that position again, and their values can all be shown")
    pictures = kind.required("setup_pictures")(rules)
    if not {value for part in parts if part.on_board for value in part.values} - set(pictures) <= {"."}:
        raise Broken("The parts of a position make that position again, and their values can all be shown")
    text = kind.required("setup_text")(rules, {part.name: part.value for part in parts})
    if position.game.position(text) != position:
        raise Broken(f"{position.game} at {position}: its parts make {text}")


def check_garbage(game: Game, count: int = 10_000, seed: int = 1) -> None:
    """Whatever is typed as a position or as a move is read, or refused in one line; never anything else."""
    source = random.Random(seed)
    positions = some(random_positions(game, 2, seed), 20, seed)
    alphabet = "".join(sorted({letter for position in positions for letter in str(position)}))
    texts = [str(position) for position in positions]
    accepted = 0
    for _ in range(count):
        text = garbled(source.choice(texts), alphabet, source)
        try:
            position = game.position(text)
        except LudometerError as error:
            check_message(error)
            continue
        accepted += 1
        if accepted <= 500:
            if game.position(str(position)) != position:
                raise Broken(f"{game}: {text!r} does not come back as itself")
            check_moves(position)
    position = next(position for position in reversed(positions) if position.legal)
    moves = position.moves()
    alphabet = "".join(sorted({letter for move in moves for letter in move}))
    for _ in range(count):
        text = garbled(source.choice(moves), alphabet, source)
        try:
            move = position.parse_move(text)
        except LudometerError as error:
            check_message(error)
            continue
        if move not in position.legal:
            raise Broken(f"{game} at {position}: {text!r} is read as the illegal move {move}")


def check_message(error: LudometerError) -> None:
    message = str(error)
    if not (message and len(message.splitlines()) == 1):
        raise Broken(f"not one line: {message!r}")
    if not len(message) < 600:
        raise Broken(f"too long for one line: {message!r}")


def garbled(text: str, alphabet: str, source: random.Random) -> str:
    """A text with a few characters changed, added, dropped, swapped or repeated; now and then something else altogether."""
    kind = source.random()
    if kind < 0.1:
        return "".join(
            chr(source.choice((source.randrange(128), source.randrange(0x3000), source.randrange(0xD800))))
            for _ in range(source.randrange(60))
        )
    if kind < 0.2:
        return "".join(source.choice(alphabet) for _ in range(source.randrange(2 * len(text) + 2)))
    for _ in range(source.randrange(1, 4)):
        at = source.randrange(len(text) + 1)
        change = source.randrange(7)
        if change == 0:
            text = text[:at] + source.choice(alphabet) + text[at + 1 :]
        elif change == 1:
            text = text[:at] + source.choice(alphabet) + text[at:]
        elif change == 2:
            text = text[:at] + text[at + 1 :]
        elif change == 3:
            text = text[:at] + source.choice(STRANGE) + text[at + source.randrange(2) :]
        elif change == 4:
            text = text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]
        elif change == 5:
            text = text[:at] * source.randrange(3) + text[at:]
        else:
            text = text[:at] + str(source.choice((0, -1, 10**30, 1.5))) + text[at:]
    return text
